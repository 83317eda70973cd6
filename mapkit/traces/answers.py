"""Answers of a trace: the path with its running cost, or who is to blame."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from mapkit.hexes import Hex

Verdict = Literal["open", "cut", "no_way"]


@dataclass(frozen=True, slots=True)
class Step:
    """One hex of a path: how it was entered, and what it came to.

    The start is the first step, at no cost. *leg_hexes* and *leg_points* run from the beginning
    of the leg, which is what its limits are about; *points* and *zones* over the whole trace.
    """

    hex: Hex
    leg: str
    cost: Fraction = Fraction(0)
    leg_hexes: int = 0
    leg_points: Fraction = Fraction(0)
    points: Fraction = Fraction(0)
    zones: int = 0


@dataclass(frozen=True, slots=True)
class Path:
    """The hexes of a trace from its start to a source, one step each."""

    steps: tuple[Step, ...]

    @property
    def hexes(self) -> tuple[Hex, ...]:
        """The hexes from start to source."""
        return tuple(step.hex for step in self.steps)

    @property
    def start(self) -> Hex:
        """The hex the trace began in."""
        return self.steps[0].hex

    @property
    def source(self) -> Hex:
        """The source it reached."""
        return self.steps[-1].hex

    @property
    def points(self) -> Fraction:
        """What the whole trace cost."""
        return self.steps[-1].points

    def leg(self, name: str) -> tuple[Step, ...]:
        """Return the steps that entered a hex in one leg."""
        return tuple(step for step in self.steps[1:] if step.leg == name)


@dataclass(frozen=True, slots=True)
class Culprits:
    """Smallest sets of obstacles whose removal restores the trace.

    *sets* lists up to five of them by their ids, in the order the obstacles were given; *more*
    says that there are others of that size. *proven_smallest* is False beyond the size that is
    searched through: then they are the best found, and *at_least* is what is certain.
    """

    sets: tuple[tuple[str, ...], ...]
    more: bool
    proven_smallest: bool
    at_least: int

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return iter(self.sets)

    @property
    def size(self) -> int:
        """How many obstacles each of the sets holds."""
        return len(self.sets[0])


@dataclass(frozen=True, slots=True)
class Trace:
    """Whether a trace is open, and what makes it so.

    - open: *path* shows the way.
    - cut: *culprits* are the obstacles to remove.
    - no_way: no removal helps; the ground itself or the limits forbid it.
    """

    verdict: Verdict
    path: Path | None = None
    culprits: Culprits | None = None

    @property
    def is_open(self) -> bool:
        """Tell whether the trace reaches a source."""
        return self.verdict == "open"
