"""The states of a unit in play: those said of it, and those that hold by themselves."""

import re
from collections.abc import Mapping
from dataclasses import replace

from rules.errors import RulesError
from rules.pack import Pack
from rules.positions.position import Piece
from rules.scenarios.deployment import Status
from rules.schema.counters import FRONT
from rules.schema.forces import classes_in
from rules.schema.statuses import StatusEntry

_CHANGE = re.compile(r"([a-z][a-z0-9_]*)(?:[= ](\d{1,2}))?", re.ASCII)


def states_of(piece: Piece, pack: Pack) -> dict[str, int]:
    """Return every state a unit is in, with points, in the pack's order.

    A state that holds by itself is there too: a unit that lost a step is reduced, a gun that is
    on no other side is on its usual one.
    """
    found: dict[str, int] = {}
    for word, entry in pack.statuses.items():
        if word in piece.statuses:
            found[word] = piece.statuses[word]
        elif can_be(piece, word, pack) and _holds_by_itself(piece, entry):
            found[word] = 1
    return found | {word: n for word, n in piece.statuses.items() if word not in found}


def face_up(states: Mapping[str, int], pack: Pack) -> str:
    """Return the face of the counter that is up: the first state that turns it decides."""
    turned = (
        entry.face
        for word, entry in pack.statuses.items()
        if word in states and entry.face not in (None, FRONT)
    )
    return next(turned, None) or FRONT


def can_be(piece: Piece, word: str, pack: Pack) -> bool:
    """Tell whether a unit of this class can be in a state; an unknown class can be in none."""
    groups = pack.statuses[word].groups
    if not groups:
        return True
    return piece.unit.class_ in classes_in(groups, pack.classes)


def in_state(piece: Piece, status: Status, pack: Pack) -> Piece:
    """Return the unit in one more state; what it excludes ends.

    A state that follows from lost steps takes the steps; one that holds by itself is not written
    down, only what stands against it goes.
    """
    entry = pack.statuses[status.kind]
    if entry.steps_lost is not None:
        return replace(piece, steps_lost=max(piece.steps_lost, entry.steps_lost))
    against = {*entry.unless, *_kept_off_by(status.kind, pack)}
    statuses = {word: n for word, n in piece.statuses.items() if word not in against}
    if not entry.unless:
        statuses[status.kind] = 1 if status.n is None else status.n
    return replace(piece, statuses=statuses)


def out_of_state(piece: Piece, word: str, pack: Pack) -> Piece:
    """Return the unit no longer in a state; steps that made it so are given back."""
    entry = pack.statuses[word]
    if entry.steps_lost is not None and piece.steps_lost >= entry.steps_lost:
        piece = replace(piece, steps_lost=entry.steps_lost - 1)
    return replace(piece, statuses={one: n for one, n in piece.statuses.items() if one != word})


def changed(piece: Piece, text: str, pack: Pack) -> Piece:
    """Return the unit after a change written as `reduced`, `disorganization=2` or `activated=0`.

    Raises:
        RulesError: the game has no such state, not for this unit, or not with this number.
    """
    match = _CHANGE.fullmatch(text)
    word = match[1] if match else text
    if match is None or word not in pack.statuses:
        known = ", ".join(pack.statuses) or "none"
        raise RulesError(f"{pack.title} has no state '{text}'; there is: {known}")
    n = None if match[2] is None else int(match[2])
    if n == 0:
        return out_of_state(piece, word, pack)
    entry = pack.statuses[word]
    if not can_be(piece, word, pack):
        raise RulesError(
            f"{piece.unit.name} ({piece.unit.class_ or 'no class'}) cannot be '{word}' "
            f"[{entry.cite}]; its classes: {', '.join(entry.groups)}"
        )
    if entry.counted and n is None:
        raise RulesError(f"the state '{word}' counts points; write {word}=2, or {word}=0 to end it")
    if not entry.counted and n is not None:
        raise RulesError(f"the state '{word}' counts no points; write {word}, or {word}=0")
    return in_state(piece, Status(word, n), pack)


def _holds_by_itself(piece: Piece, entry: StatusEntry) -> bool:
    if entry.steps_lost is not None:
        return piece.steps_lost >= entry.steps_lost
    return bool(entry.unless) and not any(other in piece.statuses for other in entry.unless)


def _kept_off_by(word: str, pack: Pack) -> set[str]:
    return {other for other, entry in pack.statuses.items() if word in entry.unless}
