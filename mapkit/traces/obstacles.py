"""Obstacles with a name, and a route with obstacles laid on it.

An obstacle is one thing to be removed, with all it blocks: a unit with its zone, a blown bridge,
a marker. Where zones overlap a hex is free only when no obstacle is left that blocks it:

      A's zone   a a a b b b   B's zone      an exempt hex (a friend stands there) is free of
                 a A * * B b                 zones, never of the obstacle that occupies it
                 a a a b b b
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import or_

from mapkit.bitboards import Bits, Board, indexes
from mapkit.hexes import DIRECTIONS, Hex, Hexside
from mapkit.traces.legs import Leg, Route
from mapkit.traces.network import NO_EXITS, Exits

Blame = int  # a set of obstacles: bit i stands for obstacle number i

NO_EXEMPTIONS: Mapping[str, Bits] = {}


@dataclass(frozen=True, slots=True)
class Block:
    """What an obstacle blocks in some legs (by name; in all of them, if none is named).

    *occupied* hexes and *hexsides* are blocked outright; *zone* hexes as the leg minds zones,
    and not where the question exempts them.
    """

    occupied: Bits = 0
    zone: Bits = 0
    hexsides: tuple[Hexside, ...] = ()
    legs: tuple[str, ...] = ()

    def counts_in(self, leg: Leg) -> bool:
        """Tell whether this blocks anything in a leg."""
        return not self.legs or leg.name in self.legs


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One named thing in the way. Its blocks may differ from leg to leg."""

    id: str
    blocks: tuple[Block, ...]


def zone_around(board: Board, hex_: Hex, *, within: Bits | None = None) -> Bits:
    """Return the six hexes around a unit, as far as they lie *within* what its zone covers."""
    around = board.neighbours(board.bit(hex_))
    return around if within is None else around & within


@dataclass(frozen=True)
class Ground:
    """What is left of one leg under some obstacles: *free* hexes, counted *zone*, shut exits."""

    free: Bits
    zone: Bits
    shut: Exits | None

    @cached_property
    def free_indexes(self) -> frozenset[int]:
        """The numbers of the free hexes' bits, for a search from hex to hex."""
        return frozenset(indexes(self.free))

    @cached_property
    def zone_indexes(self) -> frozenset[int]:
        """The numbers of the counted zone hexes' bits."""
        return frozenset(indexes(self.zone))

    @cached_property
    def shut_arcs(self) -> frozenset[tuple[int, int]]:
        """The bit and direction of every exit that is shut."""
        return frozenset(shut_arcs(self.shut))


@dataclass(frozen=True)
class Blockade:
    """A route with obstacles laid on it: make it once, ask many questions.

    *exempt* holds for each leg (by name) the hexes where zones do not count.
    """

    route: Route
    obstacles: tuple[Obstacle, ...] = ()
    exempt: Mapping[str, Bits] = field(default_factory=lambda: NO_EXEMPTIONS)

    def __post_init__(self) -> None:
        ids = [obstacle.id for obstacle in self.obstacles]
        if len(set(ids)) < len(ids):
            raise ValueError("two obstacles have the same id: join their blocks into one obstacle")
        known = {leg.name for leg in self.route.legs}
        named = {leg for o in self.obstacles for block in o.blocks for leg in block.legs}
        if unknown := (named | set(self.exempt)) - known:
            raise ValueError(f"no leg is called {sorted(unknown)}; there is {sorted(known)}")

    @cached_property
    def grounds(self) -> tuple[Ground, ...]:
        """The ground of every leg with all obstacles in place."""
        return self.grounds_without(0)

    def grounds_without(self, removed: Blame) -> tuple[Ground, ...]:
        """Return the ground of every leg with some obstacles taken away."""
        left = [n for n in range(len(self.obstacles)) if not removed >> n & 1]
        pairs = zip(self.route.legs, self.loads, strict=True)
        return tuple(self._ground(leg, loads, left) for leg, loads in pairs)

    @cached_property
    def loads(self) -> "tuple[tuple[_Load, ...], ...]":
        """For every leg, what each obstacle puts on it."""
        return tuple(
            tuple(_Load.of(leg, obstacle) for obstacle in self.obstacles) for leg in self.route.legs
        )

    @cached_property
    def blockers(self) -> "tuple[Blockers, ...]":
        """For every leg, who blocks which place."""
        return tuple(
            Blockers.of(
                [(*self._weighed(leg, load.occupied, load.zone), load.shut) for load in loads]
            )
            for leg, loads in zip(self.route.legs, self.loads, strict=True)
        )

    def _ground(self, leg: Leg, loads: "Sequence[_Load]", left: Iterable[int]) -> Ground:
        kept = [loads[n] for n in left]
        occupied = reduce(or_, [load.occupied for load in kept], 0)
        zone = reduce(or_, [load.zone for load in kept], 0)
        outright, counted = self._weighed(leg, occupied, zone)
        sides = [load.shut for load in kept if load.shut]
        shut = tuple(reduce(or_, doors) for doors in zip(*sides, strict=True)) if sides else None
        return Ground(leg.where_it_goes & ~outright, counted, shut)

    def _weighed(self, leg: Leg, occupied: Bits, zone: Bits) -> tuple[Bits, Bits]:
        """Return what is blocked outright and what is counted, as the leg minds zones."""
        minded = zone & ~self.exempt.get(leg.name, 0)
        if leg.zones == "ignore":
            return occupied, 0
        if leg.zones == "count" and self.route.most_zones:
            return occupied, minded
        return occupied | minded, 0


@dataclass(frozen=True, slots=True)
class _Load:
    """What one obstacle puts on one leg: hexes it occupies, its zone, exits it shuts."""

    occupied: Bits
    zone: Bits
    shut: Exits | None

    @classmethod
    def of(cls, leg: Leg, obstacle: Obstacle) -> "_Load":
        blocks = [block for block in obstacle.blocks if block.counts_in(leg)]
        sides = [side for block in blocks for side in block.hexsides]
        return cls(
            reduce(or_, [block.occupied for block in blocks], 0),
            reduce(or_, [block.zone for block in blocks], 0),
            _shut(leg.network.board, sides) if sides else None,
        )


@dataclass(frozen=True, slots=True)
class Blockers:
    """Who blocks each place of one leg: hexes by their bit, exits by bit and direction.

    *counted* are the hexes that count as a zone hex; *all_counted* is the set of them.
    """

    outright: Mapping[int, Blame]
    counted: Mapping[int, Blame]
    all_counted: Bits
    sides: Mapping[tuple[int, int], Blame]

    @classmethod
    def of(cls, blocked: Sequence[tuple[Bits, Bits, Exits | None]]) -> "Blockers":
        """Turn what each obstacle blocks (outright, counted, shut) into who blocks each place."""
        outright: dict[int, Blame] = defaultdict(int)
        counted: dict[int, Blame] = defaultdict(int)
        sides: dict[tuple[int, int], Blame] = defaultdict(int)
        all_counted = 0
        for number, (hexes, zone, shut) in enumerate(blocked):
            for index in indexes(hexes):
                outright[index] |= 1 << number
            for index in indexes(zone):
                counted[index] |= 1 << number
            for arc in shut_arcs(shut):
                sides[arc] |= 1 << number
            all_counted |= zone
        return cls(outright, counted, all_counted, sides)


def shut_arcs(shut: Exits | None) -> Iterator[tuple[int, int]]:
    """Yield the bit and direction of every exit that is shut."""
    for direction, door in enumerate(shut or NO_EXITS):
        for index in indexes(door):
            yield index, direction


def _shut(board: Board, sides: Iterable[Hexside]) -> Exits:
    found = list(NO_EXITS)
    for side in sides:
        direction = DIRECTIONS.index(Hex(side.b.q - side.a.q, side.b.r - side.a.r))
        for hex_, way in ((side.a, direction), (side.b, direction + 3)):
            if hex_ in board:
                found[way % 6] |= board.bit(hex_)
    return tuple(found)
