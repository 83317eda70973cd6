"""What a unit's move depends on: the ways it may take, its allowance, and what is charged."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Literal

from mapkit.bitboards import Bits, Board
from mapkit.traces.network import Network, Points

WholeNeeds = Literal["full", "first_step"]


@dataclass(frozen=True)
class Way:
    """A network a unit may use, and where: a step takes the cheapest way open to it.

    A road is a way of its own beside the open country: its price stands for hex and hexside
    together. *out_of* and *into* say between which hexes it may be used (everywhere, if None):
    a road rate lost on entering a zone, a bridge that needs both ends in friendly hands.
    """

    name: str
    network: Network
    out_of: Bits | None = None
    into: Bits | None = None


@dataclass(frozen=True)
class Toll:
    """Points charged on top of every step from one set of hexes into another; tolls add up.

    Either set may be left out: all hexes. *points* None forbids the step: an enemy unit in the
    hex entered, or from one zone straight into another.
    """

    name: str
    points: Points | None = None
    leaving: Bits | None = None
    entering: Bits | None = None


@dataclass(frozen=True)
class Movement:
    """How one unit moves: whatever of it changes with the position is stated here.

    - *stops*: a unit that enters one of these hexes ends its move there; it may set out from one.
    - *pinned*: a unit that starts in one of these hexes does not move at all.
    - *minimum_move*: one step is always allowed, whatever it costs, if it is not forbidden.
    - *whole_needs*: when an entry may be made that takes the whole allowance: "full" with the
      whole of it left, tolls counted; "first_step" as the first step of the move.
    """

    ways: tuple[Way, ...]
    allowance: Points
    tolls: tuple[Toll, ...] = ()
    stops: Bits = 0
    pinned: Bits = 0
    minimum_move: bool = False
    whole_needs: WholeNeeds = "full"

    def __post_init__(self) -> None:
        charges = [self.allowance, *(t.points for t in self.tolls if t.points is not None)]
        if any(not isinstance(points, int | Fraction) or points < 0 for points in charges):
            raise ValueError(
                "an allowance or a toll is a whole number or a Fraction, and not below 0"
            )
        if not self.ways:
            raise ValueError("a unit needs at least one way to move by")
        if len({id(way.network.board) for way in self.ways}) > 1:
            raise ValueError("all ways of a unit lie on one and the same Board")

    @property
    def board(self) -> Board:
        """The board all ways lie on."""
        return self.ways[0].network.board

    @cached_property
    def parts(self) -> int:
        """Into how many parts a point is divided, so that every charge is whole."""
        charges = [toll.points.denominator for toll in self.tolls if toll.points is not None]
        return lcm(*(way.network.parts for way in self.ways), *charges)

    @property
    def most_parts(self) -> int:
        """The allowance in parts. What is left over below one part buys nothing."""
        return int(self.allowance * self.parts // 1)

    def in_points(self, parts: int) -> Fraction:
        """Return points for parts."""
        if parts not in self._in_points:
            self._in_points[parts] = Fraction(parts, self.parts)
        return self._in_points[parts]

    @cached_property
    def _in_points(self) -> dict[int, Fraction]:
        return {}
