"""The turn as a tracker of the engine tells it, and told to it."""

from exporters.vassal.binding import TurnKeys
from exporters.vassal.sequence import split
from rules.positions.position import Clock

_BELOW = 4
"""Where in the state of a level the one below it begins: after four values of its own."""


def clock_told(state: str, keys: TurnKeys, before: Clock | None) -> Clock | None:
    """Return the clock at what a tracker tells; None where the binding does not say what it means.

    What only players know (who acts, who has acted) stays as it was *before* while turn and phase
    do. A tracker has no moment before the first phase: it may then stand for either.
    """
    levels = split("|", state)[1:2]
    top = split(";", levels[0]) if levels else []
    turn = _number(top[0]) if top else None
    if turn is not None and keys.turns:
        turn = keys.turns[turn] if 0 <= turn < len(keys.turns) else None
    if turn is None or turn < 1:
        return None
    if not keys.phases:
        return before if before is not None and before.turn == turn else Clock(turn)
    below = split(";", top[_BELOW]) if len(top) > _BELOW else []
    index = _number(below[0]) if below else None
    if index is None or not 0 <= index < len(keys.phases):
        return None
    told = Clock(turn, *keys.phases[index])
    if before is None or before.turn != turn:
        return told
    same = (before.phase, before.step) == (told.phase, told.step)
    return before if same or (index == 0 and not before.phase) else told


def _number(text: str) -> int | None:
    plain = text.isascii() and text.removeprefix("-").isdecimal() and len(text) < 10
    return int(text) if plain else None
