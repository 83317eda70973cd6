"""Areas on the drawing: sets of hexes merged into outlines, and outlines that cross hexes."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from mapkit.drawing.frame import Corner, Frame, corner_hexes, corners, noise
from mapkit.drawing.svg import polygons
from mapkit.grid import Point
from mapkit.hexes import DIRECTIONS, Hex
from mapkit.model import Shape

Ring = list[Point]
LabelOf = Callable[[Hex], Hashable]


@dataclass(frozen=True)
class Region:
    """Closed rings in drawing pixels; a hole is a ring inside another (even-odd)."""

    rings: tuple[Ring, ...]

    @property
    def path(self) -> str:
        """The region as a path."""
        return polygons(self.rings)

    @cached_property
    def geometry(self) -> BaseGeometry:
        """The region as shapely sees it, for points inside and lines along its edge."""
        whole = [Polygon(ring) for ring in self.rings if len(ring) > 3]
        valid = [ring if ring.is_valid else ring.buffer(0) for ring in whole]
        if not valid:
            return MultiPolygon()
        outer = [ring for ring in valid if not _is_hole(ring)]
        holes = [ring for ring in valid if _is_hole(ring)]
        if not outer or not holes:
            return shapely.union_all(valid)
        return shapely.union_all(list(_pierced(outer, holes)))


def _pierced(outer: list[BaseGeometry], holes: list[BaseGeometry]) -> Iterator[BaseGeometry]:
    """Yield each outer ring without its own holes: what lies as an island in a hole stays."""
    own: dict[int, list[BaseGeometry]] = defaultdict(list)
    tree = shapely.STRtree(outer)
    for hole in holes:
        around = [
            index
            for index in tree.query(hole.representative_point(), predicate="within").tolist()
            if outer[index].area >= hole.area
        ]
        if around:
            own[min(around, key=lambda index: (outer[index].area, index))].append(hole)
    for index, ring in enumerate(outer):
        yield ring.difference(shapely.union_all(own[index])) if index in own else ring


def _is_hole(ring: BaseGeometry) -> bool:
    # `from_hexes` and `from_shapes` turn outer rings and holes opposite ways.
    return isinstance(ring, Polygon) and ring.exterior.is_ccw


def from_hexes(
    frame: Frame, hexes: Iterable[Hex], label_of: LabelOf, *, soft: bool, wander: float
) -> Region:
    """Merge hexes into one region, to the hexsides or softly along them.

    Where three labels meet, and at the edge of the map, a soft edge keeps its corner, so that
    neighbouring regions leave no gap.
    """
    trace = _soft_ring if soft else _hard_ring
    return Region(
        tuple(trace(frame, ring, label_of, wander) for ring in _rings(frozenset(hexes)) if ring)
    )


def from_shapes(frame: Frame, shapes: Iterable[Shape]) -> Region:
    """Return the outlines of some shapes as one region."""
    rings: list[Ring] = []
    for shape in shapes:
        for index, ring in enumerate(shape.rings):
            points = frame.from_map(ring)
            if (_area(points) < 0) != (index > 0):
                points = points[::-1]
            rings.append([(x, y) for x, y in points.tolist()])
    return Region(tuple(rings))


def from_geometry(geometry: BaseGeometry) -> Region:
    """Return polygons that shapely worked out as a region."""
    parts = [part for part in shapely.get_parts(geometry) if isinstance(part, Polygon)]
    rings: list[Ring] = []
    for part in parts:
        for index, ring in enumerate((part.exterior, *part.interiors)):
            points = [(x, y) for x, y in ring.coords]
            rings.append(points[::-1] if ring.is_ccw == (index == 0) else points)
    return Region(tuple(rings))


def _rings(hexes: frozenset[Hex]) -> list[list[Corner]]:
    """Walk around the hexes: outer rings anticlockwise on the sheet, holes clockwise."""
    following: dict[Corner, Corner] = {}
    for hex_ in hexes:
        around = corners(hex_)
        for i, (dq, dr) in enumerate(DIRECTIONS):
            if (hex_.q + dq, hex_.r + dr) not in hexes:
                following[around[i - 1]] = around[i]
    rings = []
    for start in sorted(following):
        ring = []
        here = start
        while here in following:
            ring.append(here)
            here = following.pop(here)
        rings.append(ring)
    return [ring for ring in rings if ring]


def _hard_ring(frame: Frame, ring: list[Corner], _: LabelOf, __: float) -> Ring:
    points = [frame.corner(corner) for corner in ring]
    return [*points, points[0]]


_STEPS = [(t, (1 - t) ** 2, 2 * t * (1 - t), t * t) for t in (0.2, 0.4, 0.6, 0.8)]


def _soft_ring(frame: Frame, ring: list[Corner], label_of: LabelOf, wander: float) -> Ring:
    points: Ring = []
    middles = []
    for one, other in pairwise([*ring, ring[0]]):
        at_edge = any(
            hex_ not in frame.map_.hexes
            for hex_ in set(corner_hexes(one)).intersection(corner_hexes(other))
        )
        middles.append(side_middle(frame, one, other, 0.0 if at_edge else wander))
    for i, corner in enumerate(ring):
        x0, y0 = middles[i - 1]
        x1, y1 = frame.corner(corner)
        x2, y2 = middles[i]
        points.append((x0, y0))
        if is_sharp(frame, corner, label_of):
            points.append((x1, y1))
        else:
            points += [
                (a * x0 + b * x1 + c * x2, a * y0 + b * y1 + c * y2) for _, a, b, c in _STEPS
            ]
    points.append(points[0])
    return points


def is_sharp(frame: Frame, corner: Corner, label_of: LabelOf) -> bool:
    """Tell whether a vertex keeps its corner: three labels meet, or the map ends there."""
    hexes = corner_hexes(corner)
    land = frame.map_.hexes
    return any(hex_ not in land for hex_ in hexes) or len({label_of(h) for h in hexes}) == 3


def side_middle(frame: Frame, one: Corner, other: Corner, wander: float) -> Point:
    """Return a point near the middle of a hexside, off it by up to *wander* of its length."""
    (x0, y0), (x1, y1) = frame.corner(one), frame.corner(other)
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    if not wander:
        return x, y
    first, second = sorted((one, other))
    off = (noise(*first, *second) - 0.5) * 2 * wander
    sign = 1 if (one, other) == (first, second) else -1
    return x - (y1 - y0) * off * sign, y + (x1 - x0) * off * sign


def _area(points: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> float:
    x, y = points[:, 0], points[:, 1]
    # Positive where the ring runs clockwise on paper with y down, as `_rings` gives outer rings
    # the other way: shapely, which thinks y runs up, calls those clockwise too.
    return -float(np.dot(x[:-1], y[1:]) - np.dot(x[1:], y[:-1])) / 2
