"""Paths by labels, for routes that weigh several things at once: points, hexes, zones.

A state is a hex in a leg. Where a leg has a limit in hexes beside points, or zones may be entered
a few times, the cheapest way to a state is not the only one worth keeping: a dearer one that
spares hexes or zones may get farther. So a state keeps every label that no other label equals or
betters in all that is limited.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple

from mapkit.bitboards import Bits, indexes
from mapkit.traces.charts import Walk
from mapkit.traces.legs import Leg
from mapkit.traces.network import Arc
from mapkit.traces.obstacles import Blockade, Ground


class _Label(NamedTuple):
    """One way to come somewhere; labels compare in the order in which paths are preferred.

    *spent* has the points (in parts; 0 where they are not limited) and hexes of every leg.
    """

    spent: tuple[int, ...]
    directions: bytes
    start: int
    leg: int
    at: int
    zones: int
    fresh: bool  # still at the start, no step taken


class _Kept:
    """The labels of every state that are worth keeping."""

    def __init__(self, terrains: "list[_Terrain]") -> None:
        self._terrains = terrains
        self._labels: dict[tuple[int, int], list[tuple[int, int, int]]] = {}

    def is_dominated(self, label: _Label) -> bool:
        """Tell whether a label taken earlier spared no less on its way to this state."""
        points, hexes, zones = self._limited(label)
        return any(
            other[0] <= points and other[1] <= hexes and other[2] <= zones
            for other in self._labels.get((label.leg, label.at), ())
        )

    def keep(self, label: _Label) -> None:
        self._labels.setdefault((label.leg, label.at), []).append(self._limited(label))

    def _limited(self, label: _Label) -> tuple[int, int, int]:
        points, hexes = label.spent[2 * label.leg : 2 * label.leg + 2]
        unlimited = self._terrains[label.leg].leg.most_hexes is None
        return points, 0 if unlimited else hexes, label.zones


def best_walk(blockade: Blockade, starts: Bits, sources: Bits) -> Walk | None:
    """Return the best path from any of the starts to any of the sources."""
    pairs = zip(blockade.route.legs, blockade.grounds, strict=True)
    terrains = [_Terrain.of(leg, ground) for leg, ground in pairs]
    goals = frozenset(indexes(sources))
    nothing = (0,) * (2 * len(terrains))
    heap = [
        _Label(nothing, b"", at, 0, at, 0, True)
        for at in indexes(starts)
        if terrains[0].is_free_at_start(at)
    ]
    kept = _Kept(terrains)
    while heap:
        label = heappop(heap)
        if not label.fresh:
            if kept.is_dominated(label):
                continue
            kept.keep(label)
        if label.leg == len(terrains) - 1 and label.at in goals:
            return _walk(label)
        for following in _followers(label, terrains, blockade.route.most_zones):
            if following.fresh or not kept.is_dominated(following):
                heappush(heap, following)
    return None


def _followers(label: _Label, terrains: "list[_Terrain]", most_zones: int) -> Iterator[_Label]:
    """Yield the labels one change of leg or one step farther."""
    spent, directions, start, leg, at, zones, fresh = label
    if leg + 1 < len(terrains):
        after = terrains[leg + 1]
        may_join = after.is_free_at_start(at) if fresh else at in after.free
        if may_join and (after.joins is None or at in after.joins):
            yield label._replace(leg=leg + 1)
    terrain = terrains[leg]
    points, hexes = spent[2 * leg], spent[2 * leg + 1]
    if terrain.leg.most_hexes is not None and hexes >= terrain.leg.most_hexes:
        return
    for arc in terrain.arcs(at, first=fresh):
        farther = points
        if terrain.most_points is not None:
            farther += arc.cost
            if farther > terrain.most_points:
                continue
        if arc.to not in terrain.free or (at, arc.direction) in terrain.shut:
            continue
        entered = zones + (arc.to in terrain.zone)
        if entered > most_zones:
            continue
        now = (*spent[: 2 * leg], farther, hexes + 1, *spent[2 * leg + 2 :])
        path = directions + bytes((arc.direction,))
        yield _Label(now, path, start, leg, arc.to, entered, False)


def _walk(label: _Label) -> Walk:
    """Return the path of a label: the hexes spent in each leg tell where it changed."""
    legs = [leg for leg, hexes in enumerate(label.spent[1::2]) for _ in range(hexes)]
    return Walk(label.start, tuple(zip(label.directions, legs, strict=True)))


@dataclass(frozen=True, slots=True)
class _Terrain:
    """A leg and its ground as the search wants them: sets of bits' numbers, limits in parts."""

    leg: Leg
    free: frozenset[int]
    zone: frozenset[int]
    shut: frozenset[tuple[int, int]]
    joins: frozenset[int] | None
    most_points: int | None

    @classmethod
    def of(cls, leg: Leg, ground: Ground) -> "_Terrain":
        joins = None if leg.joins is None else frozenset(indexes(leg.joins))
        return cls(
            leg,
            ground.free_indexes,
            ground.zone_indexes,
            ground.shut_arcs,
            joins,
            leg.most_parts,
        )

    def is_free_at_start(self, at: int) -> bool:
        return self.leg.start_is_free or at in self.free

    def arcs(self, at: int, *, first: bool) -> tuple[Arc, ...]:
        network = self.leg.first_step if first else self.leg.network
        arcs = network.arcs.get(at, ())
        factor = self.leg.parts // network.parts
        if factor == 1:
            return arcs
        return tuple(arc._replace(cost=arc.cost * factor) for arc in arcs)
