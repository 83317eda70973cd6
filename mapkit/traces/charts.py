"""Paths by layers, for routes that count plain hexes: one chart of the map serves every start.

A chart has for each leg the hexes by how many hexes are left to the end of the leg. Best paths
then run straight down the layers, for all hexes that still compete at once:

    3 2 1 E 1      from S, three hexes from the end, into a 2, into a 1, into an end.
     S 2 1 1 2     Going back over the same layers leaves only hexes that lie on such a path.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from mapkit.bitboards import Bits, indexes, shifted
from mapkit.traces.floods import closed, stepped, stepped_back
from mapkit.traces.legs import Leg
from mapkit.traces.network import Exits, board_steps
from mapkit.traces.obstacles import Blockade, Ground


class Walk(NamedTuple):
    """A path in short: the bit it starts from, and the direction and leg of every step."""

    start: int
    steps: tuple[tuple[int, int], ...]


def is_plain(blockade: Blockade) -> bool:
    """Tell whether a route can be charted: no limit in points, no zones to count."""
    return not blockade.route.most_zones and all(
        leg.most_points is None for leg in blockade.route.legs
    )


@dataclass(frozen=True, slots=True)
class _LegChart:
    """One leg: *waves* by hexes left, *starts* of traces, *spots* that need none of this leg."""

    ways: Exits
    first: Exits
    waves: tuple[Bits, ...]
    starts: Bits
    spots: Bits


@dataclass(frozen=True, slots=True)
class _Layer:
    """The hexes where best paths may stand after a step, which leg it was, and its exits."""

    hexes: Bits
    leg: int
    exits: Exits


class Chart:
    """A route charted back from its sources; ask it for any start."""

    def __init__(self, blockade: Blockade, sources: Bits) -> None:
        self._steps = board_steps(blockade.route.board)
        charts: list[_LegChart] = []
        ends, spots = sources, sources
        pairs = zip(blockade.route.legs, blockade.grounds, strict=True)
        for leg, ground in reversed(list(pairs)):
            chart = self._charted(leg, ground, ends, spots)
            charts.insert(0, chart)
            settled = 0
            for wave in chart.waves:
                settled |= wave
            ends, spots = settled & leg.where_it_joins, chart.starts & leg.where_it_joins
        self._legs = charts

    @property
    def open_hexes(self) -> Bits:
        """The hexes from which the trace is open."""
        return self._legs[0].starts

    def best_walk(self, starts: Bits) -> Walk | None:
        """Return the best path from any of the starts, as `search` ranks them."""
        if not starts & self.open_hexes:
            return None
        return self._walk(self._pruned(self._layers(starts & self.open_hexes)))

    def _charted(self, leg: Leg, ground: Ground, ends: Bits, spots: Bits) -> _LegChart:
        ways = closed(leg.network.doors, ground.shut)
        first = closed(leg.first.doors, ground.shut) if leg.first else ways
        waves = [ends & ground.free]
        unseen = ground.free & ~ends
        met = 0
        while waves[-1] and (leg.most_hexes is None or len(waves) <= leg.most_hexes):
            came = stepped_back(waves[-1], ways, self._steps)
            met |= stepped_back(waves[-1], first, self._steps) if leg.first else came
            waves.append(came & unseen)
            unseen &= ~waves[-1]
        starts = (met | spots) & (-1 if leg.start_is_free else ground.free)
        return _LegChart(ways, first, tuple(waves), starts, spots)

    def _layers(self, starts: Bits) -> list[_Layer]:
        """Return where the best paths run: every hex still level with the best so far."""
        at, fresh = starts, True
        layers: list[_Layer] = []
        for number, leg in enumerate(self._legs):
            if fresh and at & leg.spots:
                at &= leg.spots
                continue
            if fresh:
                layers = [_Layer(at, number, leg.first)]
                at, fresh = stepped(at, leg.first, self._steps), False
                layers.append(_Layer(at, number, leg.first))
            left = _nearest(leg.waves, at)
            at &= leg.waves[left]
            layers[-1] = replace(layers[-1], hexes=at)
            for wave in reversed(leg.waves[:left]):
                at = stepped(at, leg.ways, self._steps) & wave
                layers.append(_Layer(at, number, leg.ways))
        return layers or [_Layer(at, len(self._legs) - 1, self._legs[-1].first)]

    def _pruned(self, layers: list[_Layer]) -> list[_Layer]:
        """Leave in every layer only what the last one can be reached from."""
        kept = [layers[-1]]
        for layer in reversed(layers[:-1]):
            back = stepped_back(kept[0].hexes, kept[0].exits, self._steps)
            kept.insert(0, replace(layer, hexes=layer.hexes & back))
        return kept

    def _walk(self, layers: list[_Layer]) -> Walk:
        """Take the lowest direction at every step; of several starts left over, the lowest."""
        at, moved = layers[0].hexes, 0
        steps = []
        for layer in layers[1:]:
            direction, at = next(self._ways_into(layer, at))
            moved += self._steps[direction]
            steps.append((direction, layer.leg))
        return Walk(next(indexes(at)) - moved, tuple(steps))

    def _ways_into(self, layer: _Layer, at: Bits) -> Iterator[tuple[int, Bits]]:
        for direction, (door, step) in enumerate(zip(layer.exits, self._steps, strict=True)):
            if into := shifted(at & door, step) & layer.hexes:
                yield direction, into


def _nearest(waves: tuple[Bits, ...], at: Bits) -> int:
    """Return the least number of hexes left to any hex of a set."""
    return next(left for left, wave in enumerate(waves) if wave & at)
