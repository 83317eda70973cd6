"""The lines of a map, found once: watercourses, roads and rails as smooth curves."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

import shapely
from shapely.geometry import LineString
from shapely.geometry import Point as ShapelyPoint
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from mapkit.drawing.chains import Curve, curves
from mapkit.drawing.frame import Corner, Frame, corner_hexes, noise, side_corners
from mapkit.drawing.regions import from_hexes, from_shapes, side_middle
from mapkit.drawing.style import Looks
from mapkit.drawing.svg import polyline
from mapkit.grid import Point
from mapkit.hexes import Hex, Hexside, Link
from mapkit.kinds import CROSSINGS, STANDING_WATER, WATERCOURSES, Group
from mapkit.model import Feature

SETTLEMENTS = frozenset({"city", "town", "village"})

# Greater first: the lesser end on the curve of the greater.
_RANKS = ("great_river", "river", "stream", "main_road", "road", "rail", "other", "trail")
_BESIDE = 0.3  # pitches: so far from its hexside may a freely drawn river run
_LEAST_BANK = 0.02  # pitches: what keeps the colour of a thin stream clear of anything beside it


@dataclass(frozen=True)
class Network:
    """Curves of the linear things on one map, by kind, in the order of their rank."""

    frame: Frame
    looks: Looks

    @cached_property
    def line_shapes(self) -> dict[str, list[Curve]]:
        """The lines drawn freely, by kind."""
        found: dict[str, list[Curve]] = defaultdict(list)
        for shape in self.frame.map_.shapes:
            if shape.form == "line":
                drawn = LineString(self.frame.from_map(shape.rings[0]).tolist())
                for points in self.within_the_land(drawn):
                    found[shape.kind].append(Curve(polyline(points), tuple(points)))
        return found

    @cached_property
    def sides(self) -> dict[str, list[tuple[Hexside, Feature]]]:
        """The hexsides of every hexside kind, in a fixed order."""
        found: dict[str, list[tuple[Hexside, Feature]]] = defaultdict(list)
        for side, features in sorted(self.frame.map_.hexsides.items()):
            for feature in features:
                found[feature.kind].append((side, feature))
        return found

    @cached_property
    def water(self) -> dict[str, list[Curve]]:
        """The rivers and streams."""
        found: dict[str, list[Curve]] = {}
        meets = dict(self._mouths)
        for kind in self._ranked("hexsides", set(self.sides) | set(self.line_shapes)):
            if self.looks.role("hexsides", kind) not in WATERCOURSES:
                continue
            if kind in self.line_shapes:
                found[kind] = [self._to_its_mouth(curve) for curve in self.line_shapes[kind]]
                continue
            found[kind] = self.along(
                kind, smooth=True, wander=self.looks.hexside(kind).wander, meets=meets
            )
        return found

    @cached_property
    def roads(self) -> dict[str, list[Curve]]:
        """The links: roads, trails and rails."""
        map_ = self.frame.map_
        links: dict[str, list[tuple[Hex, Hex]]] = defaultdict(list)
        for link, features in map_.links.items():
            for feature in features:
                links[feature.kind].append((link.a, link.b))
        known = map_.kinds.ids("links")
        found: dict[str, list[Curve]] = {}
        meets = self._ways_out()
        for kind in self._ranked("links", set(links) | {k for k in self.line_shapes if k in known}):
            if kind in self.line_shapes:
                found[kind] = [part for c in self.line_shapes[kind] for part in self._on_land(c)]
                continue
            middle = self._link_middle(kind)
            found[kind] = curves(
                links[kind],
                self.frame.grid.centre,
                middle,
                pinned=self.is_settled,
                meets=meets,
            )
        return found

    def within_the_land(self, line: LineString) -> list[list[Point]]:
        """Cut a line that was drawn for a bigger sheet where this map ends."""
        left, top, right, bottom = self.frame.land
        west, north, east, south = line.bounds
        if left <= west and top <= north and east <= right and south <= bottom:
            return [[(x, y) for x, y in line.coords]]
        edge = 0.5 * self.frame.pitch  # a road that leaves the map goes on to its ragged edge
        land = shapely.box(left - edge, top - edge, right + edge, bottom + edge)
        if land.contains(line):
            return [[(x, y) for x, y in line.coords]]
        inside = line.intersection(shapely.box(left, top, right, bottom))
        return [
            [(x, y) for x, y in part.coords]
            for part in shapely.get_parts(inside)
            if isinstance(part, LineString) and len(part.coords) > 1
        ]

    def along(
        self,
        kind: str,
        *,
        smooth: bool,
        wander: float = 0.0,
        meets: dict[Corner, Point] | None = None,
    ) -> list[Curve]:
        """Return a hexside kind as curves along its hexsides, or as it was drawn freely."""
        if kind in self.line_shapes:
            return self.line_shapes[kind]
        return curves(
            [side_corners(side) for side, _ in self.sides[kind]],
            self.frame.corner,
            lambda one, other: side_middle(self.frame, one, other, wander),
            pinned=lambda _: not smooth,
            meets={} if meets is None else meets,
        )

    @cached_property
    def all_lines(self) -> tuple[LineString, ...]:
        """Everything linear that texture keeps clear of."""
        groups = [*self.water.values(), *self.roads.values()]
        return tuple(
            LineString(curve.points) for group in groups for curve in group if len(curve.points) > 1
        )

    @cached_property
    def beds(self) -> list[tuple[LineString, float]]:
        """The watercourses, each with its bed: half its width in pixels, banks included."""
        found = []
        for kind, group in self.water.items():
            look = self.looks.hexside(kind)
            bank = max(look.casing_width if look.casing else 0.0, _LEAST_BANK)
            half = (look.width / 2 + bank) * self.frame.pitch
            found += [(LineString(c.points), half) for c in group if len(c.points) > 1]
        return found

    def water_near(self, area: BaseGeometry) -> BaseGeometry:
        """Return the ground that the watercourses which touch *area* cover, banks included."""
        near = [
            line.buffer(half, quad_segs=4) for line, half in self.beds if line.dwithin(area, half)
        ]
        return shapely.union_all(near)

    def is_wet(self, side: Hexside) -> bool:
        """Tell whether water runs along a hexside."""
        features = self.frame.map_.hexsides.get(side, ())
        return any(feature.kind in self.water for feature in features)

    def water_inside(self, side: Hexside, hex_: Hex) -> float:
        """Return how far, in pixels, the water along a hexside reaches into one of its hexes.

        Asked about the middle of the hexside: at its ends a river swings round into the next.
        """
        (x, y), (cx, cy) = self.frame.middle(side), self.frame.grid.centre(hex_)
        length = ((cx - x) ** 2 + (cy - y) ** 2) ** 0.5
        strip = self._strip(side, trim=0.25)
        return max(
            (
                bed + ((px - x) * (cx - x) + (py - y) * (cy - y)) / length
                for line, bed in self.beds
                for px, py in shapely.get_coordinates(line.intersection(strip)).tolist()
            ),
            default=0.0,
        )

    def water_along(self, sides: Iterable[Hexside]) -> list[tuple[LineString, float]]:
        """Return the watercourses as far as they follow some hexsides, each with its bed."""
        chosen = list(sides)
        met = Counter(corner for side in chosen for corner in side_corners(side))
        reach = _BESIDE * self.frame.pitch
        # A disc joins two strips that meet at an angle.
        joints = [ShapelyPoint(self.frame.corner(c)).buffer(reach) for c, n in met.items() if n > 1]
        near = shapely.union_all([*map(self._strip, chosen), *joints])
        return [
            (part, bed)
            for line, bed in self.beds
            if line.intersects(near)
            for part in shapely.get_parts(_merged(line.intersection(near)))
            if isinstance(part, LineString)
        ]

    def _strip(self, side: Hexside, *, trim: float = 0.0) -> BaseGeometry:
        """The ground beside a hexside where its water may run; *trim* is left out at its ends."""
        segment = LineString(self.frame.ends(side))
        if trim:
            segment = substring(segment, trim, 1 - trim, normalized=True)
        return segment.buffer(_BESIDE * self.frame.pitch, cap_style="flat")

    def is_settled(self, hex_: Hex) -> bool:
        """Tell whether roads go to the very centre of a hex, because people live there."""
        ground = self.frame.map_.hexes.get(hex_)
        return ground is not None and any(
            self.looks.role("features", feature.kind) in SETTLEMENTS for feature in ground.features
        )

    def crossing_place(self, side: Hexside) -> tuple[Point, Point]:
        """Return where a bridge lies, and the direction of the water under it."""
        (x0, y0), (x1, y1) = self.frame.ends(side)
        x, y = self.frame.middle(side)
        length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
        straight = ((x1 - x0) / length, (y1 - y0) / length)
        here = ShapelyPoint(x, y)
        rivers = self._water_lines
        if not rivers:
            return (x, y), straight
        reach = 0.7 * self.frame.pitch
        near = [line for line in rivers if line.distance(here) < reach]
        if not near:
            return (x, y), straight
        river = min(near, key=lambda line: float(line.distance(here)))
        spot, road = _nearest_crossing(river, self._road_lines, here, reach)
        step = 0.1 * self.frame.pitch
        if road is None:
            return (spot.x, spot.y), _direction(river, spot, step)
        # The bridge lies in line with its road, however the water runs under it.
        dx, dy = _direction(road, spot, step)
        return (spot.x, spot.y), (dy, -dx)

    @cached_property
    def _water_lines(self) -> list[LineString]:
        drawn = [kind for kind in self.water if kind in self.line_shapes]
        return [LineString(curve.points) for kind in drawn for curve in self.water[kind]]

    @cached_property
    def _road_lines(self) -> list[LineString]:
        drawn = [kind for kind in self.roads if kind in self.line_shapes]
        return [LineString(curve.points) for kind in drawn for curve in self.roads[kind]]

    def water_width(self, side: Hexside) -> float:
        """Return the width in pitches of the water along a hexside."""
        features = self.frame.map_.hexsides.get(side, ())
        return max(
            (
                self.looks.hexside(feature.kind).width
                for feature in features
                if self.looks.role("hexsides", feature.kind) in WATERCOURSES
            ),
            default=0.08,
        )

    def _ranked(self, group: Group, kinds: set[str]) -> list[str]:
        def rank(kind: str) -> tuple[int, str]:
            role = self.looks.role(group, kind)
            return (_RANKS.index(role) if role in _RANKS else len(_RANKS)), kind

        return sorted(kinds, key=rank)

    @cached_property
    def _mouths(self) -> dict[Corner, Point]:
        """Where a river ends at standing water it runs on into it."""
        land = self.frame.map_.hexes
        touched: dict[Corner, int] = defaultdict(int)
        for kind, sides in self.sides.items():
            if self.looks.role("hexsides", kind) in WATERCOURSES:
                for side, _ in sides:
                    for corner in side_corners(side):
                        touched[corner] += 1
        mouths = {}
        for corner, count in touched.items():
            wet = [
                hex_
                for hex_ in corner_hexes(corner)
                if hex_ in land and self.looks.role("terrain", land[hex_].terrain) in STANDING_WATER
            ]
            if count == 1 and wet:
                (x, y), (cx, cy) = self.frame.corner(corner), self.frame.grid.centre(wet[0])
                reach = self._reach_of_mouth(LineString([(x, y), (cx, cy)]), land[wet[0]].terrain)
                mouths[corner] = (x + reach * (cx - x), y + reach * (cy - y))
        return mouths

    def _reach_of_mouth(self, inward: LineString, terrain: str) -> float:
        """How much of the way to the centre of a lake's hex a river runs on, to be in its water."""
        shapes = self.frame.map_.shapes
        drawn = [shape for shape in shapes if (shape.form, shape.kind) == ("outline", terrain)]
        water = from_shapes(self.frame, drawn).geometry.intersection(inward)
        if water.is_empty:
            return 0.3
        # A shore that was drawn freely may lie farther off than the hexside.
        shore = float(water.distance(ShapelyPoint(inward.coords[0])))
        return min((shore + 0.12 * self.frame.pitch) / float(inward.length), 1.0)

    def _to_its_mouth(self, curve: Curve) -> Curve:
        """Return a freely drawn river, carried on where it would end short of lake or sea."""
        points = list(curve.points)
        near = 0.35 * self.frame.pitch
        for end in (0, -1):
            here = points[end]
            mouths = [
                mouth
                for corner, mouth in self._mouths.items()
                if math.dist(self.frame.corner(corner), here) < near
            ]
            if mouths:
                mouth = min(mouths, key=lambda place: math.dist(place, here))
                points.insert(0 if end == 0 else len(points), mouth)
        return Curve(polyline(points), tuple(points)) if len(points) > len(curve.points) else curve

    def _on_land(self, curve: Curve) -> list[Curve]:
        """Return a road as far as there are hexes under it."""
        line = LineString(curve.points)
        if self._land.contains(line):
            return [curve]
        parts = shapely.get_parts(_merged(line.intersection(self._land)))
        runs = [tuple(part.coords) for part in parts if isinstance(part, LineString)]
        return [Curve(polyline(run), run) for run in runs if run]

    @cached_property
    def _land(self) -> BaseGeometry:
        hexes = self.frame.map_.hexes
        land = from_hexes(self.frame, hexes, lambda _: 0, soft=False, wander=0.0).geometry
        shapely.prepare(land)
        return land

    def _ways_out(self) -> dict[Hex, Point]:
        """Where a road leaves the map: a little beyond the edge."""
        map_ = self.frame.map_
        found = {}
        for link in map_.links:
            for inside, outside in ((link.a, link.b), (link.b, link.a)):
                if outside not in map_.hexes:
                    x, y = self.frame.middle(link)
                    cx, cy = self.frame.grid.centre(inside)
                    found[outside] = (x + 0.1 * (x - cx), y + 0.1 * (y - cy))
        return found

    def _link_middle(self, kind: str) -> Callable[[Hex, Hex], Point]:
        look, map_ = self.looks.link(kind), self.frame.map_

        def middle(one: Hex, other: Hex) -> Point:
            link = Link.between(one, other)
            x, y = self.frame.middle(link)
            (x0, y0), (x1, y1) = self.frame.ends(Hexside(*link))
            shift = 0.0
            if len(map_.links.get(link, ())) > 1 and look.offset:
                length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
                shift = look.offset * self.frame.pitch / length
            elif look.wander and not self._is_crossed(Hexside(*link)):
                shift = (noise(*link.a, *link.b) - 0.5) * look.wander
            return x + shift * (x1 - x0), y + shift * (y1 - y0)

        return middle

    def _is_crossed(self, side: Hexside) -> bool:
        features = self.frame.map_.hexsides.get(side, ())
        return any(self.looks.role("hexsides", feature.kind) in CROSSINGS for feature in features)


def _merged(lines: BaseGeometry) -> BaseGeometry:
    return shapely.line_merge(lines) if lines.geom_type == "MultiLineString" else lines


def _nearest_crossing(
    river: LineString, roads: list[LineString], here: ShapelyPoint, reach: float
) -> tuple[ShapelyPoint, LineString | None]:
    """Where a road meets the river near *here*, and that road; else the river's nearest point."""
    spots = []
    for road in roads:
        if road.distance(here) < reach:
            for part in shapely.get_parts(shapely.intersection(river, road)):
                if isinstance(part, ShapelyPoint) and part.distance(here) < reach:
                    spots.append((float(part.distance(here)), part, road))
    if spots:
        _, spot, road = min(spots, key=lambda entry: entry[0])
        return spot, road
    return river.interpolate(river.project(here)), None


def _direction(line: LineString, spot: ShapelyPoint, step: float) -> Point:
    """Return the direction in which a line runs at a point on it."""
    along = line.project(spot)
    a, b = line.interpolate(max(along - step, 0)), line.interpolate(along + step)
    size = a.distance(b) or 1.0
    return (b.x - a.x) / size, (b.y - a.y) / size
