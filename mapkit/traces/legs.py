"""What a trace may do: legs over networks, with their limits, one after the other."""

from dataclasses import dataclass
from functools import cached_property
from math import lcm
from typing import Literal

from mapkit.bitboards import Bits, Board
from mapkit.traces.network import Network, Points

ZoneRule = Literal["block", "count", "ignore"]


@dataclass(frozen=True)
class Leg:
    """One stretch of a trace: a network, how far it may go there, and how it minds zones.

    - *most_hexes* and *most_points* limit the leg, each alone or both at once. The hex where the
      leg begins is not counted, the one where it ends is. Points are those of the network.
    - *over*: the hexes it may enter at all (any, if None): those one side controls, one sector. No
      obstacle is to blame for the others, as for the ground itself.
    - *joins*: the hexes where this leg may take over from the one before (anywhere, if None).
      That hex must be free of obstacles for both legs.
    - *first*: the network for the very first step of the whole trace, where it differs: crags
      that may be crossed only beside the tracing unit.
    - *zones*: whether the zone of an obstacle blocks, counts against `Route.most_zones`, or is
      ignored in this leg.
    - *start_is_free*: the hex where the trace starts needs no leave to be there.
    """

    name: str
    network: Network
    most_hexes: int | None = None
    most_points: Points | None = None
    over: Bits | None = None
    joins: Bits | None = None
    first: Network | None = None
    zones: ZoneRule = "block"
    start_is_free: bool = True

    @property
    def first_step(self) -> Network:
        """The network for the first step of a trace."""
        return self.first or self.network

    @property
    def parts(self) -> int:
        """Into how many parts a point is divided in this leg."""
        return lcm(self.network.parts, self.first_step.parts)

    @property
    def most_parts(self) -> int | None:
        """The limit in parts. What is left over below one part buys nothing."""
        return None if self.most_points is None else self.most_points * self.parts // 1

    @property
    def where_it_goes(self) -> Bits:
        """The hexes the leg may enter where nothing is in the way."""
        return self.network.board.everything if self.over is None else self.over

    @property
    def where_it_joins(self) -> Bits:
        """The hexes where the leg may begin."""
        return self.network.board.everything if self.joins is None else self.joins


@dataclass(frozen=True)
class Route:
    """The legs of a trace, in order; any of them may have no length.

    *most_zones* is how many hexes in a zone the whole trace may enter, over all legs that count
    them; the start is not entered. Routes and legs are cheap to make anew for every question
    (`dataclasses.replace`), networks are not.
    """

    legs: tuple[Leg, ...]
    most_zones: int = 0

    def __post_init__(self) -> None:
        names = [leg.name for leg in self.legs]
        if not names or len(set(names)) < len(names):
            raise ValueError(f"a route needs legs with names of their own, not {names}")
        if len({id(network.board) for network in self._networks}) > 1:
            raise ValueError("all networks of a route lie on one and the same Board")

    @cached_property
    def board(self) -> Board:
        """The board all legs lie on."""
        return self.legs[0].network.board

    @property
    def _networks(self) -> list[Network]:
        return [net for leg in self.legs for net in (leg.network, leg.first) if net]
