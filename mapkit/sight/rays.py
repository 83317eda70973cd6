"""The rays out of one point into a region of a hex, in whole numbers.

All points are whole: axial coordinates times *scale*. Where two edges meet the point need not be
whole; it is kept as (x, y, parts), which stands for (x / parts, y / parts). A ray is a whole
vector, so which of two lies left is the sign of a product, and no fraction is reduced on the way.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key, lru_cache
from itertools import pairwise
from math import gcd, lcm
from typing import NamedTuple

from mapkit.hexes import ORIGIN, Hex, disc, distance, vertices
from mapkit.lines import LinePoint

Ring = tuple[LinePoint, ...]  # closed: its last point is its first
Way = tuple[int, int]
_Edge = tuple[Way, Way]


class Ray(NamedTuple):
    """A direction out of the target; *critical* where it passes a vertex or a corner.

    Rays of one *sector* meet the same hexes: no vertex lies between them, and on none of them.
    """

    way: Way
    critical: bool
    sector: int | None


class _Met(NamedTuple):
    """A point on a ray, in parts."""

    x: int
    y: int
    parts: int


@dataclass(frozen=True, slots=True)
class Region:
    """An outline as far as it lies in one hex, in whole numbers."""

    hex: Hex
    scale: int
    edges: tuple[_Edge, ...]
    rim: tuple[_Edge, ...]
    critical: tuple[_Met, ...]

    @classmethod
    def within(cls, hex_: Hex, rings: Sequence[Ring]) -> "Region":
        """Return the part of an outline with holes that lies in a hex."""
        numbers = (number for ring in rings for point in ring for number in point)
        scale = lcm(3, *(number.denominator for number in numbers))
        drawn = [[(int(one.q * scale), int(one.r * scale)) for one in ring] for ring in rings]
        edges = tuple(edge for ring in drawn for edge in pairwise(ring))
        corners = _corners(hex_, scale)
        rim = tuple(pairwise([*corners, corners[0]]))
        meetings = (met for edge in edges for side in rim for met in _meetings(edge, side))
        points = (_Met(*point, 1) for ring in drawn for point in ring)
        return cls(hex_, scale, edges, rim, tuple(dict.fromkeys((*points, *meetings))))

    def rays_from(self, target: Hex) -> Iterator[Ray]:
        """Yield every ray at which what a line meets may change, and one between each two."""
        x, y = target.q * self.scale, target.r * self.scale
        corners = ((met.x - x * met.parts, met.y - y * met.parts) for met in self.critical)
        by_vertices = _vertex_ways(Hex(self.hex.q - target.q, self.hex.r - target.r))
        ways = {_shortest(way) for way in corners if way != (0, 0)} | by_vertices
        different = sorted(self._toward(target, ways), key=cmp_to_key(_by_angle))
        sector = 0
        for here, there in zip(different, [*different[1:], *different[:1]], strict=True):
            at_vertex = here in by_vertices
            sector += at_vertex
            yield Ray(here, critical=True, sector=None if at_vertex else sector)
            if _cross(here, there) > 0:
                between = (here[0] + there[0], here[1] + there[1])
                yield Ray(between, critical=False, sector=sector)

    def nearest_to(self, target: Hex, way: Way) -> LinePoint | None:
        """Return the point of the region that lies nearest to the target on a ray."""
        x, y = target.q * self.scale, target.r * self.scale
        for met in _on_ray((x, y), way, (*self.edges, *self.rim)):
            if self._in_hex(met) and self._in_outline(met):
                whole = met.parts * self.scale
                return LinePoint(Fraction(met.x, whole), Fraction(met.y, whole))
        return None

    def _toward(self, target: Hex, ways: Iterable[Way]) -> Iterator[Way]:
        """Leave out the rays that pass the hex by: nobody stands on them."""
        x, y = target.q * self.scale, target.r * self.scale
        seen = [(corner[0] - x, corner[1] - y) for corner, _ in self.rim]
        first = next((one for one in seen if all(_cross(one, other) >= 0 for other in seen)), None)
        last = next((one for one in seen if all(_cross(one, other) <= 0 for other in seen)), None)
        for way in ways:
            if first is None or last is None or (_cross(first, way) >= 0 <= _cross(way, last)):
                yield way

    def _in_hex(self, met: _Met) -> bool:
        whole = met.parts * self.scale
        q, r = met.x - self.hex.q * whole, met.y - self.hex.r * whole
        return max(abs(2 * q + r), abs(q + 2 * r), abs(r - q)) <= whole

    def _in_outline(self, met: _Met) -> bool:
        """Tell whether a point lies in an outline with holes, its edges included."""
        inside = False
        x, y, parts = met
        for (x1, y1), (x2, y2) in self.edges:
            turn = (x2 - x1) * (y - y1 * parts) - (y2 - y1) * (x - x1 * parts)
            if turn == 0 and (
                min(x1, x2) * parts <= x <= max(x1, x2) * parts
                and min(y1, y2) * parts <= y <= max(y1, y2) * parts
            ):
                return True
            if (y1 * parts > y) != (y2 * parts > y) and (turn > 0) == (y2 > y1):
                inside = not inside
        return inside


def _corners(hex_: Hex, scale: int) -> list[Way]:
    """The vertices of a hex; *scale* is a multiple of three, so they are whole."""
    third = scale // 3
    return [((a.q + b.q + c.q) * third, (a.r + b.r + c.r) * third) for a, b, c in vertices(hex_)]


@lru_cache(maxsize=2_000)
def _vertex_ways(seen: Hex) -> frozenset[Way]:
    """The directions of all vertices that lie about the line from a target to another hex."""
    hexes = distance(ORIGIN, seen) + 1
    near = (hex_ for hex_ in disc(ORIGIN, hexes) if distance(hex_, seen) <= hexes)
    return frozenset(_shortest(corner) for hex_ in near for corner in _corners(hex_, 3))


def _shortest(way: Way) -> Way:
    """Return a direction in its smallest whole numbers, so that equal ones are one."""
    by = gcd(*way)
    return way[0] // by, way[1] // by


def _on_ray(origin: Way, way: Way, edges: Iterable[_Edge]) -> list[_Met]:
    """Where edges meet a ray, the nearest first; both ends of an edge that lies on it."""
    found: dict[Fraction, _Met] = {}
    for edge in edges:
        for met in _hits(origin, way, edge):
            x, y = met.x - origin[0] * met.parts, met.y - origin[1] * met.parts
            along = Fraction(x, way[0] * met.parts) if way[0] else Fraction(y, way[1] * met.parts)
            if along >= 0:
                found[along] = met
    return [found[along] for along in sorted(found)]


def _hits(origin: Way, way: Way, edge: _Edge) -> Iterator[_Met]:
    """Where an edge meets the line on which a ray lies."""
    one, other = edge
    from_one = way[0] * (one[1] - origin[1]) - way[1] * (one[0] - origin[0])
    from_other = way[0] * (other[1] - origin[1]) - way[1] * (other[0] - origin[0])
    if from_one == from_other == 0:
        yield _Met(*one, 1)
        yield _Met(*other, 1)
    elif from_one <= 0 <= from_other or from_other <= 0 <= from_one:
        sign = 1 if from_one > from_other else -1
        yield _Met(
            sign * (from_one * other[0] - from_other * one[0]),
            sign * (from_one * other[1] - from_other * one[1]),
            sign * (from_one - from_other),
        )


def _meetings(one: _Edge, other: _Edge) -> Iterator[_Met]:
    """The points where two edges meet."""
    start, end = one
    if start == end:
        return
    way = (end[0] - start[0], end[1] - start[1])
    for met in _on_ray(start, way, (other,)):
        x, y = met.x - end[0] * met.parts, met.y - end[1] * met.parts
        if way[0] * x + way[1] * y <= 0:  # not beyond its end
            yield met


def _cross(one: Way, other: Way) -> int:
    return one[0] * other[1] - one[1] * other[0]


def _half(way: Way) -> int:
    return 0 if way[1] > 0 or (way[1] == 0 and way[0] > 0) else 1


def _by_angle(one: Way, other: Way) -> int:
    if _half(one) != _half(other):
        return _half(one) - _half(other)
    turn = _cross(one, other)
    return -1 if turn > 0 else int(turn < 0)
