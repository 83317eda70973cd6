"""Water: it runs downhill from vertex to vertex, gathers, and cuts the valley it runs in."""

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from mapkit.grid import Point
from mapkit.hexes import Hex, Hexside, Vertex, hexsides
from sample_maps.curves import Line, Way, smooth_lines
from sample_maps.dice import Dice
from sample_maps.fields import GRAIN, settled
from sample_maps.land import PITCH_PX, Field, Land

WOBBLE = 0.075  # hexes
REACH = 1.2  # hexes to either side that a river may cut
WINDOW = 2.2


@dataclass(frozen=True)
class Rivers:
    """The watercourses of a map: where each vertex drains to, and how much water it carries."""

    down: Mapping[Vertex, Vertex]
    water: Mapping[Vertex, int]
    height: Mapping[Vertex, float]
    kinds: Mapping[Hexside, str]
    name_of: Mapping[Hexside, str] = field(default_factory=dict)

    def ways(self) -> list[tuple[Vertex, Vertex, Hexside]]:
        """Return the reaches, each from its upper to its lower vertex."""
        return sorted(
            (upper, lower, side)
            for upper, lower in self.down.items()
            if (side := _shared(upper, lower)) in self.kinds
        )


def drain(
    land: Land,
    height: Field,
    *,
    sizes: Iterable[tuple[str, int]],
    springs: Mapping[str, int] = {},
    water_hexes: frozenset[Hex] = frozenset(),
    depth: float = 0.0,
) -> Rivers:
    """Let it rain, and return the watercourses.

    *sizes* gives the kinds from the smallest up, with the number of vertices that must drain
    through it. *springs* are labels at the edge, or at a lake's end, where a river begins, with
    the water it brings. Water ends at the edge of the map or in *water_hexes*.
    Brooks cut into the land: up to *depth* levels.
    """
    graph = _vertex_graph(land, water_hexes)
    vertices = sorted(graph)
    heights = dict(
        zip(vertices, land.sample(settled(height), map(land.grid.corner, vertices)), strict=True)
    )
    sources = {
        _nearest(land, graph, label, water_hexes): amount for label, amount in springs.items()
    }
    down, order = _flood(land, graph, heights, set(sources), water_hexes)
    water = {vertex: 1 + sources.get(vertex, 0) for vertex in vertices}
    for vertex in reversed(order):
        if vertex in down:
            water[down[vertex]] += water[vertex]
    cut = {}
    for vertex, height_ in heights.items():
        # On a slope water cuts in; on flat ground it has no force.
        relief = max(heights[other] for other in graph[vertex]) - height_
        cut[vertex] = height_ - min(depth * _force(water[vertex]), max(0.0, 1.5 * relief))
    for vertex in reversed(order):
        if vertex in down:
            # The last bit of height falls away downstream: no two vertices lie level.
            cut[down[vertex]] = min(cut[down[vertex]], cut[vertex] - GRAIN)
    kinds: dict[Hexside, str] = {}
    for vertex, lower in down.items():
        side = _shared(vertex, lower)
        for kind, least in sizes:
            if water[vertex] >= least:
                kinds[side] = kind
    return Rivers(down, water, cut, kinds)


def carve(land: Land, height: Field, rivers: Rivers, *, slope: float, bed: float = 0.12) -> Field:
    """Return the height with a valley cut along every watercourse: *slope* levels per hex."""
    carved = height.copy()
    for upper, lower, _ in rivers.ways():
        a, b = (land.to_hexes(land.grid.corner(vertex)) for vertex in (upper, lower))
        rows, columns = land.window((a, b), WINDOW)
        x, y = land.x[rows, columns], land.y[rows, columns]
        dx, dy = b[0] - a[0], b[1] - a[1]
        t = np.clip(((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy), 0, 1)
        ox, oy = x - a[0] - t * dx, y - a[1] - t * dy
        away = np.maximum(np.sqrt(ox * ox + oy * oy) - bed, 0)
        floor = rivers.height[upper] + t * (rivers.height[lower] - rivers.height[upper])
        bank = floor + slope * away * (1 + 0.5 * away)
        rim = np.maximum(away - REACH, 0)
        bank = bank + 30 * rim * rim
        carved[rows, columns] = np.minimum(carved[rows, columns], bank)
    return settled(carved)


def named(rivers: Rivers, name_for: Callable[[Hex], str], *, least: int) -> Rivers:
    """Return the rivers with names for the courses that are *least* reaches long.

    A name runs from a source to where the course meets a greater one; *name_for* is asked
    for it with a hex halfway, the greatest river first.
    """
    feeders: dict[Vertex, list[Vertex]] = defaultdict(list)
    for upper, lower, _ in rivers.ways():
        feeders[lower].append(upper)
    mouths = sorted(
        (upper for upper, lower, _ in rivers.ways() if not _goes_on(rivers, lower)),
        key=lambda vertex: (-rivers.water[vertex], vertex),
    )
    courses = []
    open_ = mouths[::-1]
    while open_:
        vertex = open_.pop()
        course = [vertex]
        while feeders[vertex]:
            main, *others = sorted(feeders[vertex], key=lambda v: (-rivers.water[v], v))
            open_ += others
            course.append(main)
            vertex = main
        courses.append(course)
    courses.sort(key=lambda course: (-rivers.water[course[0]], course[0]))
    name_of: dict[Hexside, str] = {}
    for course in courses:
        if len(course) >= least:
            name = name_for(course[len(course) // 2].a)
            for vertex in course:
                name_of[_shared(vertex, rivers.down[vertex])] = name
    return Rivers(rivers.down, rivers.water, rivers.height, rivers.kinds, name_of)


def lines(land: Land, rivers: Rivers, seed: int) -> list[Line]:
    """Return the watercourses as curves that wobble about their hexsides, downstream."""
    dice = Dice(seed)
    pull = {
        vertex: _jittered(land.grid.corner(vertex), dice, WOBBLE)
        for vertex in sorted({v for upper, lower, _ in rivers.ways() for v in (upper, lower)})
    }
    ways = []
    for upper, lower, side in rivers.ways():
        (ax, ay), (bx, by) = (land.grid.corner(vertex) for vertex in (upper, lower))
        bend = _jittered(((ax + bx) / 2, (ay + by) / 2), dice, WOBBLE)
        ways.append(Way(upper, lower, rivers.kinds[side], rivers.water[upper], bend))
    sides = {(upper, lower): side for upper, lower, side in rivers.ways()}
    return smooth_lines(ways, pull, name=lambda way: rivers.name_of.get(sides[way.a, way.b], ""))


def _vertex_graph(land: Land, water_hexes: frozenset[Hex]) -> dict[Vertex, list[Vertex]]:
    graph: dict[Vertex, list[Vertex]] = defaultdict(list)
    sides = {
        side
        for hex_ in land.hexes
        for side in hexsides(hex_)
        if side.a in land.hex_set
        and side.b in land.hex_set
        and not (side.a in water_hexes and side.b in water_hexes)
    }
    # A shore is no river bed: water that reaches it has arrived.
    inland = {s for s in sides if s.a not in water_hexes and s.b not in water_hexes}
    for side in sorted(inland):
        one, other = side.vertices
        graph[one].append(other)
        graph[other].append(one)
    return graph


def _flood(
    land: Land,
    graph: Mapping[Vertex, list[Vertex]],
    heights: Mapping[Vertex, float],
    sources: set[Vertex],
    water_hexes: frozenset[Hex],
    shut_within: float = 3.5,
) -> tuple[dict[Vertex, Vertex], list[Vertex]]:
    """Return where each vertex drains to, and all vertices from the mouths upward.

    The lowest way out is found from the outlets inward (priority flood), so that every
    hollow drains over its lowest rim.
    """
    inflow = [land.to_hexes(land.grid.corner(vertex)) for vertex in sorted(sources)]
    heap = []
    for vertex in sorted(graph):
        open_sea = any(hex_ in water_hexes for hex_ in vertex)
        at_edge = any(hex_ not in land.hex_set for hex_ in vertex)
        x, y = land.to_hexes(land.grid.corner(vertex))
        shut = any(
            (x - ix) * (x - ix) + (y - iy) * (y - iy) < shut_within * shut_within
            for ix, iy in inflow
        )
        if (open_sea or at_edge) and not shut:
            heap.append((heights[vertex], vertex))
    heapq.heapify(heap)
    seen = {vertex for _, vertex in heap}
    down: dict[Vertex, Vertex] = {}
    order = []
    while heap:
        level, vertex = heapq.heappop(heap)
        order.append(vertex)
        for upper in graph[vertex]:
            if upper not in seen:
                seen.add(upper)
                down[upper] = vertex
                heapq.heappush(heap, (max(level, heights[upper]), upper))
    return down, order


def _nearest(
    land: Land, graph: Mapping[Vertex, list[Vertex]], label: str, water_hexes: frozenset[Hex]
) -> Vertex:
    px, py = land.place(label)

    def away(vertex: Vertex) -> tuple[float, Vertex]:
        x, y = land.to_hexes(land.grid.corner(vertex))
        return round((x - px) * (x - px) + (y - py) * (y - py), 6), vertex

    rim = (
        vertex
        for vertex in graph
        if any(hex_ not in land.hex_set or hex_ in water_hexes for hex_ in vertex)
    )
    return min(rim, key=away)


def _force(water: int) -> float:
    # Brooks cut the most: great rivers run in valleys that were there before them.
    return water / (water + 15) * 160 / (water + 160)


def _goes_on(rivers: Rivers, vertex: Vertex) -> bool:
    lower = rivers.down.get(vertex)
    return lower is not None and _shared(vertex, lower) in rivers.kinds


def _jittered(point: Point, dice: Dice, reach: float) -> Point:
    return point[0] + dice.spread(reach * PITCH_PX), point[1] + dice.spread(reach * PITCH_PX)


def _shared(one: Vertex, other: Vertex) -> Hexside:
    a, b = sorted(set(one) & set(other))
    return Hexside(a, b)
