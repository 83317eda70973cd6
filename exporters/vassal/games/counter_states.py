"""The state of a unit as its counter shows it: by our layers, or by an author's that are tied."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from exporters.vassal.layers import is_stepped, layer_name, level_of
from exporters.vassal.standing import FACING, STATUS, STEPS, STEPS_FACE, state_of
from exporters.vassal.traits import Trait
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


def state_read(
    traits: Iterable[Trait], layers: Mapping[str, str], before: Piece | None = None
) -> StateRead:
    """Return the state that a counter shows; what it has no layer for is as it was *before*.

    A turned counter faces a way only where it has our arrow: authors turn counters for much else.
    """
    listed = list(traits)
    shown = {name: one for one in listed if (name := layer_name(one))}
    own = state_of(listed)
    words = {name.removeprefix(STATUS) for name in shown if name.startswith(STATUS)}
    tied = {layers[name]: _count(one) for name, one in shown.items() if name in layers}
    was = StateRead()
    if before is not None:
        was = StateRead(before.statuses, before.steps_lost, before.facing)
    kept = {word: n for word, n in was.statuses.items() if word not in words | tied.keys()}
    counted = {word: n for word, n in tied.items() if n and word != STEPS_LOST}
    steps = own.steps_lost if STEPS in shown else was.steps_lost
    return StateRead(
        statuses=kept | dict(own.statuses) | counted,
        steps_lost=tied.get(STEPS_LOST, steps),
        facing=own.facing if FACING in shown else was.facing,
        foreign=tuple(
            name
            for name, one in shown.items()
            if name not in layers and not _is_ours(name) and _count(one)
        ),
    )


def _count(one: Trait) -> int:
    """Return how far a layer is beyond showing nothing of note: hidden, or at its first level."""
    return max(level_of(one) - is_stepped(one), 0)


def _is_ours(name: str) -> bool:
    return name in (STEPS, STEPS_FACE, FACING) or name.startswith(STATUS)
