"""The state of a unit as its counter shows it: by our layers, or by an author's that are tied."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from exporters.vassal.layers import at_level, is_stepped, layer_name, level_count, level_of
from exporters.vassal.standing import (
    FACING,
    STATUS,
    STEPS,
    STEPS_FACE,
    CounterState,
    MarkerState,
    control_of,
    in_state,
    marker_state_of,
    state_of,
)
from exporters.vassal.traits import Trait, marks_of
from rules.positions.position import Piece

STEPS_LOST = "steps_lost"
"""What a tied layer counts, where it counts no status."""


@dataclass(frozen=True, slots=True)
class StateRead:
    """The state of a unit, and the layers that show something nobody has tied to a word."""

    statuses: Mapping[str, int] = field(default_factory=dict)
    steps_lost: int = 0
    facing: int | None = None
    foreign: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """All that a piece shows by its traits alone: who it is, and how its layers stand.

    *levels* are how far named layers are beyond showing nothing of note.
    """

    marks: Mapping[str, str]
    marker: MarkerState | None
    control: str | None
    state: CounterState
    levels: Mapping[str, int]


@lru_cache(maxsize=10_000)
def shown_by(traits: tuple[Trait, ...]) -> Shown:
    """Return what a piece shows; kept, for the steps of a log change few pieces of many."""
    return Shown(
        marks_of(traits),
        marker_state_of(traits),
        control_of(traits),
        state_of(traits),
        {name: _count(one) for one in traits if (name := layer_name(one))},
    )


def state_read(
    traits: tuple[Trait, ...], layers: Mapping[str, str], before: Piece | None = None
) -> StateRead:
    """Return the state that a counter shows; what it has no layer for is as it was *before*.

    A turned counter faces a way only where it has our arrow: authors turn counters for much else.
    """
    shown = shown_by(traits)
    own, levels = shown.state, shown.levels
    words = {name.removeprefix(STATUS) for name in levels if name.startswith(STATUS)}
    tied = {layers[name]: n for name, n in levels.items() if name in layers}
    was = StateRead()
    if before is not None:
        was = StateRead(before.statuses, before.steps_lost, before.facing)
    kept = {word: n for word, n in was.statuses.items() if word not in words | tied.keys()}
    counted = {word: n for word, n in tied.items() if n and word != STEPS_LOST}
    steps = own.steps_lost if STEPS in levels else was.steps_lost
    return StateRead(
        statuses=kept | dict(own.statuses) | counted,
        steps_lost=tied.get(STEPS_LOST, steps),
        facing=own.facing if FACING in levels else was.facing,
        foreign=tuple(
            name for name, n in levels.items() if n and name not in layers and not _is_ours(name)
        ),
    )


def in_unit_state(
    traits: tuple[Trait, ...], piece: Piece, layers: Mapping[str, str]
) -> tuple[Trait, ...]:
    """Return the traits of a counter in the state of a unit: by our layers, and by tied ones.

    An author's counter is not turned: what it then means, nobody said.
    """
    ours = any(_is_ours(layer_name(one)) for one in traits)
    own = in_state(traits, piece) if ours else traits
    return tuple(
        at_level(one, min(_state(piece, layers[name]) + is_stepped(one), level_count(one)))
        if (name := layer_name(one)) in layers
        else one
        for one in own
    )


def untold_by(
    traits: tuple[Trait, ...], piece: Piece, layers: Mapping[str, str]
) -> tuple[str, ...]:
    """Return what a counter cannot tell of a unit, neither by our layers nor by tied ones."""
    shown = state_read(in_unit_state(traits, piece, layers), layers)
    missing = [word for word, n in piece.statuses.items() if shown.statuses.get(word) != n]
    if shown.steps_lost != piece.steps_lost:
        missing.append(STEPS_LOST)
    if shown.facing != piece.facing:
        missing.append("facing")
    return tuple(missing)


def _state(piece: Piece, word: str) -> int:
    return piece.steps_lost if word == STEPS_LOST else piece.statuses.get(word, 0)


def _count(one: Trait) -> int:
    """Return how far a layer is beyond showing nothing of note: hidden, or at its first level."""
    return max(level_of(one) - is_stepped(one), 0)


def _is_ours(name: str) -> bool:
    return name in (STEPS, STEPS_FACE, FACING) or name.startswith(STATUS)
