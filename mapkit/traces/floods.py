"""Floods over one leg: all hexes at once, in the order of what it costs to come there.

A set of hexes that share one *place in the queue* (points spent, hexes gone, zone hexes entered)
moves as one integer. Places are taken in ascending order, and a hex is dropped from a set when it
was met before at no more points, hexes and zones: with one limit that is Dijkstra's rule, with
several it keeps every trade-off between them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple

from mapkit.bitboards import Bits, shifted
from mapkit.traces.legs import Leg
from mapkit.traces.network import Exits, Network, Priced, board_steps
from mapkit.traces.obstacles import Ground


@dataclass(frozen=True, slots=True)
class Pace:
    """How a flood goes over one leg: its ways by cost, and its limits.

    *most* limits the cost; *most_hexes* is stated only where hexes are limited beside the cost.
    """

    steps: tuple[int, ...]
    ways: Priced
    first: Priced | None
    most: int | None
    most_hexes: int | None

    @classmethod
    def of(cls, leg: Leg, ground: Ground) -> "Pace":
        """Return the pace of a leg. A leg without a limit in points counts plain hexes."""
        steps = board_steps(leg.network.board)
        ways = _priced(leg.network, leg.parts, ground.shut)
        first = _priced(leg.first, leg.parts, ground.shut) if leg.first else None
        most, most_hexes = leg.most_parts, leg.most_hexes
        costs = {cost for cost, _ in (*ways, *(first or ()))}
        if most is None:
            most, most_hexes = most_hexes, None
            ways = _plain(leg.network, ground)
            first = _plain(leg.first, ground) if leg.first else None
        elif most_hexes is not None and len(costs) == 1 and min(costs) > 0:
            most, most_hexes = min(most, most_hexes * min(costs)), None
        return cls(steps, ways, first, most, most_hexes)

    def allows(self, cost: int, hexes: int) -> bool:
        """Tell whether these limits are kept."""
        return (self.most is None or cost <= self.most) and (
            self.most_hexes is None or hexes <= self.most_hexes
        )


@dataclass(frozen=True, slots=True)
class Flooded:
    """What a flood left: hexes *settled* by entering at most 0, 1, … zone hexes, and *met*.

    *met* is everything one step led to (back from), whether or not it was free to be entered.
    """

    settled: tuple[Bits, ...]
    met: Bits

    @property
    def all(self) -> Bits:
        """Every hex settled."""
        return self.settled[-1]


def flood_back(pace: Pace, ground: Ground, seeds: Sequence[Bits], most_zones: int) -> Flooded:
    """Return from where the leg can be gone so that it ends in the seeds.

    *seeds* are the ends, by the number of zone hexes entered after them. What is *met* may stand
    at the start of a trace, also where it is not free.
    """
    queue = _Queue(pace, most_zones)
    for zones, bits in enumerate(seeds):
        queue.push(_Place(0, 0, zones), bits & ground.free)
    met = 0
    while found := queue.pop():
        place, bits = found
        for zones, part in _entered(bits, ground.zone, place.zones, most_zones):
            for cost, exits in pace.ways:
                if not pace.allows(place.cost + cost, place.hexes + 1):
                    break
                came = stepped_back(part, exits, pace.steps)
                met |= came if pace.first is None else 0
                queue.push(_Place(place.cost + cost, place.hexes + 1, zones), came & ground.free)
            for cost, exits in pace.first or ():
                if pace.allows(place.cost + cost, place.hexes + 1):
                    met |= stepped_back(part, exits, pace.steps)
    return Flooded(queue.settled(), met)


def flood_on(
    pace: Pace,
    ground: Ground,
    seeds: Sequence[Bits],
    most_zones: int,
    *,
    start: Bits = 0,
    until: Bits = 0,
) -> Flooded:
    """Return where the leg leads from the seeds, and from *start*, where the trace begins.

    *seeds* are places on the way, by the number of zone hexes entered so far. The flood stops
    when a hex of *until* is settled.
    """
    queue = _Queue(pace, most_zones)
    met = 0

    def go(bits: Bits, place: _Place, ways: Priced) -> None:
        nonlocal met
        for cost, exits in ways:
            if not pace.allows(place.cost + cost, place.hexes + 1):
                break
            came = stepped(bits, exits, pace.steps)
            met |= came
            for zones, part in _entered(came & ground.free, ground.zone, place.zones, most_zones):
                queue.push(_Place(place.cost + cost, place.hexes + 1, zones), part)

    for zones, bits in enumerate(seeds):
        queue.push(_Place(0, 0, zones), bits & ground.free)
    go(start, _Place(0, 0, 0), pace.ways if pace.first is None else pace.first)
    while found := queue.pop():
        place, bits = found
        if bits & until:
            break
        go(bits, place, pace.ways)
    return Flooded(queue.settled(), met)


def stepped(bits: Bits, exits: Exits, steps: Sequence[int]) -> Bits:
    """Return where one step through these exits leads."""
    found = 0
    for door, step in zip(exits, steps, strict=True):
        found |= shifted(bits & door, step)
    return found


def stepped_back(bits: Bits, exits: Exits, steps: Sequence[int]) -> Bits:
    """Return from where one step through these exits leads into a set."""
    found = 0
    for door, step in zip(exits, steps, strict=True):
        found |= shifted(bits, -step) & door
    return found


class _Place(NamedTuple):
    cost: int
    hexes: int
    zones: int


class _Queue:
    """Sets of hexes waiting at their places, and what was settled at each."""

    def __init__(self, pace: Pace, most_zones: int) -> None:
        self._limit = pace.most_hexes or 0  # hexes are told apart only where they are limited too
        self._waiting: dict[_Place, Bits] = {}
        self._heap: list[_Place] = []
        self._seen = [[0] * (self._limit + 1) for _ in range(most_zones + 1)]

    def push(self, place: _Place, bits: Bits) -> None:
        if not self._limit and place.hexes:
            place = _Place(place.cost, 0, place.zones)
        fresh = bits & ~self._seen[place.zones][place.hexes]
        if not fresh:
            return
        if place in self._waiting:
            self._waiting[place] |= fresh
        else:
            self._waiting[place] = fresh
            heappush(self._heap, place)

    def pop(self) -> tuple[_Place, Bits] | None:
        while self._heap:
            place = heappop(self._heap)
            fresh = self._waiting.pop(place) & ~self._seen[place.zones][place.hexes]
            if fresh:
                for row in self._seen[place.zones :]:
                    for hexes in range(place.hexes, self._limit + 1):
                        row[hexes] |= fresh
                return place, fresh
        return None

    def settled(self) -> tuple[Bits, ...]:
        return tuple(row[-1] for row in self._seen)


def _entered(bits: Bits, zone: Bits, zones: int, most: int) -> list[tuple[int, Bits]]:
    """Split a set into the hexes that count as a zone hex more and those that do not."""
    if not zone:
        return [(zones, bits)]
    found = [(zones, bits & ~zone)]
    if zones < most:
        found.append((zones + 1, bits & zone))
    return [(count, part) for count, part in found if part]


def _priced(network: Network, parts: int, shut: Exits | None) -> Priced:
    factor = parts // network.parts
    return tuple((cost * factor, closed(exits, shut)) for cost, exits in network.by_cost)


def _plain(network: Network, ground: Ground) -> Priced:
    return ((1, closed(network.doors, ground.shut)),)


def closed(exits: Exits, shut: Exits | None) -> Exits:
    """Return exits without the shut ones."""
    if shut is None:
        return exits
    return tuple(door & ~bar for door, bar in zip(exits, shut, strict=True))
