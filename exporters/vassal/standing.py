"""Counters and markers in their states: a unit of a position as its piece, and a piece read back.

A counter tells its state by layers of known names, whatever module they stand in. The traits are
those of a saved game, with every prototype expanded. The words are the pack's.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from exporters.vassal.layers import at_level, is_stepped, layer_name, level_count, level_of
from exporters.vassal.sequence import split
from exporters.vassal.traits import Trait, marks_of
from rules.positions.position import Marker, Piece

STEPS, STEPS_FACE = "Steps", "StepsFace"
"""The layers of lost steps: a number, and the face that shows them. They go on together."""

STATUS = "Status_"
"""Before the pack's word in the name of a status's layer."""

FACING = "Facing"
"""The layer of the arrow: with it a counter faces a way even where it stands upright."""

NUMBER = "Number"
"""The layer of a marker's number: nothing first, then 0, 1 and so on."""

MARKER, SIDE, CONTROL = "Marker", "Side", "Control"
"""What markers are marked with: their kind, whose they are, and that they tell who holds a hex."""

BESIDE = "Beside"
"""How far from the middle of its hex a marker is laid: to the right and down, in hundredths of the
way to the next hex. There the units of the hex stay to be seen, and its label stays its own."""

Turns = Literal[6, 12]
"""How many ways a counter can be turned: by 60 degrees on a flat-top board, by 30 on others.

On a pointy-top board a hexside lies 30 degrees beside the upright: every second way is one."""

_ROTATE = "rotate;"
_SHIFT = re.compile(r"(-?\d{1,3}):(-?\d{1,3})", re.ASCII)


@dataclass(frozen=True, slots=True)
class CounterState:
    """What a counter shows: the same as the fields of a `Piece`."""

    steps_lost: int = 0
    statuses: Mapping[str, int] = field(default_factory=dict)
    facing: int | None = None


@dataclass(frozen=True, slots=True)
class MarkerState:
    """What a marker shows: the same as the fields of a `Marker`; its place is the piece's."""

    kind: str
    side: str = ""
    n: int | None = None


def in_state(traits: Iterable[Trait], piece: Piece) -> tuple[Trait, ...]:
    """Return the traits of a counter with the state of a unit: the inverse of `state_of`.

    What the counter has no layer for is left out: `untold` lists it.
    """
    return tuple(_set(one, piece) for one in traits)


def state_of(traits: Iterable[Trait]) -> CounterState:
    """Return the state that a counter shows."""
    steps = 0
    statuses: dict[str, int] = {}
    turned: Trait | None = None
    arrow = False
    for one in traits:
        name = layer_name(one)
        if name == STEPS:
            steps = max(level_of(one) - 1, 0)
        elif name.startswith(STATUS):
            points = level_of(one) - is_stepped(one)
            if points > 0:
                statuses[name.removeprefix(STATUS)] = points
        elif name == FACING:
            arrow = level_of(one) > 0
        elif one.type.startswith(_ROTATE):
            turned = one
    facing = None if turned is None else _direction(turned, arrow=arrow)
    return CounterState(steps, statuses, facing)


def untold(traits: Iterable[Trait], piece: Piece) -> tuple[str, ...]:
    """Return what a counter cannot tell of a unit: words of statuses, `steps_lost`, `facing`."""
    shown = state_of(in_state(traits, piece))
    missing = [word for word, n in piece.statuses.items() if shown.statuses.get(word) != n]
    if shown.steps_lost != piece.steps_lost:
        missing.append("steps_lost")
    if shown.facing != piece.facing:
        missing.append("facing")
    return tuple(missing)


def marker_in_state(traits: Iterable[Trait], marker: Marker) -> tuple[Trait, ...]:
    """Return the traits of a marker's piece with its number; its kind and side are the piece's."""
    level = 1 if marker.n is None else marker.n + 2
    return tuple(
        at_level(one, min(level, level_count(one))) if layer_name(one) == NUMBER else one
        for one in traits
    )


def marker_state_of(traits: Iterable[Trait]) -> MarkerState | None:
    """Return what a marker of the game shows; None where the piece is none."""
    listed = list(traits)
    marked = marks_of(listed)
    if MARKER not in marked:
        return None
    levels = [level_of(one) for one in listed if layer_name(one) == NUMBER]
    n = levels[0] - 2 if levels and levels[0] > 1 else None
    return MarkerState(marked[MARKER], marked.get(SIDE, ""), n)


def control_of(traits: Iterable[Trait]) -> str | None:
    """Return the side that a marker of control names; None where the piece is none."""
    return marks_of(traits).get(CONTROL)


def beside(traits: Iterable[Trait], pitch_px: float) -> tuple[int, int]:
    """Return how many pixels from the middle of its hex a marker is laid: to the right, and down.

    *pitch_px* lie between neighbouring hexes of the board. What is no marker lies in the middle.
    """
    told = _SHIFT.fullmatch(marks_of(traits).get(BESIDE, ""))
    return (_pixels(told[1], pitch_px), _pixels(told[2], pitch_px)) if told else (0, 0)


def turn_of(direction: int, turns: Turns) -> int:
    """Return how far a counter is turned clockwise so that its upper edge faces a direction.

    Directions are counted anticlockwise, as in `mapkit.hexes`.
    """
    return (2 - direction) % 6 if turns == 6 else (3 - 2 * direction) % 12


def _pixels(hundredths: str, pitch_px: float) -> int:
    return round(int(hundredths) * pitch_px / 100)


def _set(one: Trait, piece: Piece) -> Trait:
    name = layer_name(one)
    if name in (STEPS, STEPS_FACE):
        return at_level(one, min(piece.steps_lost + 1, level_count(one)))
    if name.startswith(STATUS):
        points = piece.statuses.get(name.removeprefix(STATUS), 0)
        return at_level(one, min(points + is_stepped(one), level_count(one)))
    if name == FACING:
        return at_level(one, int(piece.facing is not None))
    if one.type.startswith(_ROTATE):
        turn = 0 if piece.facing is None else turn_of(piece.facing, _turns(one))
        return Trait(one.type, str(turn))
    return one


def _turns(one: Trait) -> Turns:
    return 12 if split(";", one.type)[1] == "12" else 6


def _direction(one: Trait, *, arrow: bool) -> int | None:
    """Return the direction a counter faces; None where it stands upright without an arrow.

    Also where it faces a corner of its hex, which is no direction.
    """
    turn = int(one.state) if one.state.isascii() and one.state.isdecimal() else 0
    turns = _turns(one)
    if turn == 0 and not arrow:
        return None
    return next((way for way in range(6) if turn_of(way, turns) == turn % turns), None)
