"""Rivers, roads and trenches as smooth lines that keep to their hexsides and hexes.

A network is nodes (hexes or vertices) and ways between neighbouring nodes. Every node has a
point that pulls the line toward it; the lines are quadratic curves between the middles of the
ways, so that a line never leaves the corridor of its nodes, and lines that meet really touch.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from mapkit.grid import Point
from sample_maps.outlines import Ring, thinned

N = TypeVar("N", bound=Hashable)

TOLERANCE_PX = 0.6
_PIECES = 4


@dataclass(frozen=True)
class Way(Generic[N]):
    """One step of a network, *a* before *b*: downstream for water.

    Of the ways that meet at a node the two with the highest *rank* run through; *bend* is a
    point on the way that pulls the line aside.
    """

    a: N
    b: N
    kind: str
    rank: int = 0
    bend: Point | None = None
    joint: Point | None = None


@dataclass(frozen=True)
class Line:
    """One drawn line and its kind."""

    kind: str
    points: Ring
    name: str = ""


def smooth_lines(
    ways: Iterable[Way[N]],
    pull: Mapping[N, Point],
    *,
    name: Callable[[Way[N]], str] = lambda way: "",
) -> list[Line]:
    """Return the ways as long smooth lines, one for each unbroken run of a kind and name."""
    return _Network(list(ways), pull, name).lines()


class _Network(Generic[N]):
    def __init__(
        self, ways: list[Way[N]], pull: Mapping[N, Point], name: Callable[[Way[N]], str]
    ) -> None:
        self._ways = ways
        self._pull = pull
        self._name = name
        self._at: dict[N, list[int]] = defaultdict(list)
        for index, way in enumerate(ways):
            self._at[way.a].append(index)
            self._at[way.b].append(index)
        self._through = {node: self._pair(node) for node in self._at}

    def lines(self) -> list[Line]:
        used: set[int] = set()
        found = []
        # Ends first, then what is left: rings.
        order = sorted(range(len(self._ways)), key=lambda i: self._before(i) is not None)
        for start in order:
            if start in used:
                continue
            run: list[int] = []
            here: int | None = start
            while here is not None and here not in used:
                used.add(here)
                run.append(here)
                here = self._after(here)
            points: list[Point] = []
            for index in run:
                drawn = self._drawn(index)
                points += drawn if not points else drawn[1:]
            way = self._ways[run[0]]
            line = thinned(points, tolerance=TOLERANCE_PX)
            if len(line) > 1:
                found.append(Line(way.kind, line, self._name(way)))
        return sorted(found, key=lambda line: (line.kind, line.name, line.points))

    def _pair(self, node: N) -> tuple[int, int] | None:
        indices = sorted(self._at[node], key=lambda i: (-self._ways[i].rank, i))
        return (indices[0], indices[1]) if len(indices) > 1 else None

    def _after(self, index: int) -> int | None:
        return self._next(index, self._ways[index].b, forward=True)

    def _before(self, index: int) -> int | None:
        return self._next(index, self._ways[index].a, forward=False)

    def _next(self, index: int, node: N, *, forward: bool) -> int | None:
        pair = self._through[node]
        if pair is None or index not in pair:
            return None
        other = pair[1] if pair[0] == index else pair[0]
        way, onward = self._ways[index], self._ways[other]
        if way.kind != onward.kind or self._name(way) != self._name(onward):
            return None
        meets = onward.a if forward else onward.b
        return other if meets == node else None

    def _drawn(self, index: int) -> list[Point]:
        way = self._ways[index]
        start, end = self._pull[way.a], self._pull[way.b]
        bend = way.bend or way.joint or _between(start, end, 0.5)
        first = way.joint or _between(start, bend, 0.5)
        last = way.joint or _between(bend, end, 0.5)
        points = list(reversed(self._half(index, way.a, first)))
        if way.joint is None:
            points += _bezier(first, bend, last)[1:]
        return points + self._half(index, way.b, last)[1:]

    def _half(self, index: int, node: N, joint: Point) -> list[Point]:
        """Return the line from a way's joint to where it ends at a node."""
        pull = self._pull[node]
        pair = self._through[node]
        if pair is None:
            return [joint, pull]
        middle = self._middle(node, pair)
        control = _between(joint, pull, 0.5) if index in pair else pull
        return _bezier(joint, control, middle)

    def _middle(self, node: N, pair: tuple[int, int]) -> Point:
        one, other = (self._joint_toward(index, node) for index in pair)
        return _between(_between(one, other, 0.5), self._pull[node], 0.5)

    def _joint_toward(self, index: int, node: N) -> Point:
        way = self._ways[index]
        if way.joint is not None:
            return way.joint
        start, end = self._pull[way.a], self._pull[way.b]
        bend = way.bend or _between(start, end, 0.5)
        return _between(self._pull[node], bend, 0.5)


def oriented(ways: Sequence[Way[N]]) -> list[Way[N]]:
    """Return the ways, turned so that each unbroken run of two-way nodes goes one way."""
    at: dict[N, list[int]] = defaultdict(list)
    for index, way in enumerate(ways):
        at[way.a].append(index)
        at[way.b].append(index)
    turned: dict[int, Way[N]] = {}
    # Runs begin where they cannot be come by: at ends and junctions.
    starts = sorted(range(len(ways)), key=lambda i: len(at[ways[i].a]) == len(at[ways[i].b]) == 2)
    for start in starts:
        here, way = start, ways[start]
        if len(at[way.a]) == 2 and len(at[way.b]) != 2:
            way = _flipped(way)
        while here not in turned:
            turned[here] = way
            onward = [i for i in at[way.b] if i != here]
            if len(at[way.b]) != 2 or onward[0] in turned:
                break
            here = onward[0]
            node, way = way.b, ways[here]
            if way.a != node:
                way = _flipped(way)
    return [turned[index] for index in range(len(ways))]


def _flipped(way: Way[N]) -> Way[N]:
    return Way(way.b, way.a, way.kind, way.rank, way.bend, way.joint)


def _bezier(a: Point, control: Point, b: Point) -> list[Point]:
    points = []
    for step in range(_PIECES + 1):
        t = step / _PIECES
        points.append(_between(_between(a, control, t), _between(control, b, t), t))
    return points


def _between(a: Point, b: Point, t: float) -> Point:
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t
