"""How close a verdict was: how far the line lies from what would have changed it.

Distances are measured on a regular grid with hex centres one apart. Between points with rational
coordinates the *square* of a distance is rational, so it is kept exact; only what is shown to
people is a root.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm, sqrt

from mapkit.hexes import Hex, Hexside, disc, hexsides, vertices
from mapkit.lines import LinePoint
from mapkit.sight.comparisons import Situation
from mapkit.sight.gates import HexGate, SideGate
from mapkit.sight.ground import SightGround
from mapkit.sight.sighting import Gate, Sight, findings_at, spot_of

_NEAR = 2  # hexes beside the line that are looked at


@dataclass(frozen=True, slots=True)
class Margin:
    """How close it was, and at which place.

    Of a clear line: the distance to the nearest hex or hexside that would block it. Of a blocked
    one: how far it would have to be moved aside, parallel, to pass all that blocks it now.
    """

    squared: Fraction
    place: Hex | Hexside

    @property
    def hexes(self) -> float:
        """The distance in widths of a hex."""
        return sqrt(self.squared)


def margin(ground: SightGround, seen: Sight, *, start: LinePoint | None = None) -> Margin | None:
    """Return how close a verdict was; None where range decides, or nothing near would change it."""
    line = _Segment.between(start or LinePoint.at(seen.observer), LinePoint.at(seen.target))
    if line.start == line.end:
        return None
    if seen.verdict == "blocked":
        return _way_round(seen, line)
    if seen.verdict == "clear":
        found = [Margin(line.distance_to(place), place) for place in _would_block(ground, seen)]
        return min(found, key=lambda one: (one.squared, _order(one.place)), default=None)
    return None


def _order(place: Hex | Hexside) -> tuple[int, tuple[object, ...]]:
    """Hexes before hexsides, so that of equals always the same one is named."""
    return (0, place) if isinstance(place, Hex) else (1, place)


def _would_block(ground: SightGround, seen: Sight) -> Iterator[Hex | Hexside]:
    """Yield the hexes and hexsides near the line that would shut it if it met them."""
    if seen.distance <= 1 and ground.policy.adjacent_clear:
        return
    ends = {seen.observer, seen.target}
    met = {hex_ for event in seen.events for hex_ in event.hexes}
    near = {other for hex_ in met for other in disc(hex_, _NEAR)} & ground.map.hexes.keys()
    for hex_ in near - ends:
        if _shuts(ground, seen, HexGate(((hex_,),), *_positions(seen, hex_, hex_)), hex_):
            yield hex_
    if ground.policy.sides:
        every = tuple(range(len(ground.policy.sides)))
        for side in {side for hex_ in near for side in hexsides(hex_)}:
            gate = SideGate(((side,),), *_positions(seen, *side), every)
            if _shuts(ground, seen, gate, side):
                yield side


def _shuts(ground: SightGround, seen: Sight, gate: Gate, place: Hex | Hexside) -> bool:
    spot = spot_of(place, seen.observer, seen.target, gate)
    findings = findings_at(ground, gate, place, Situation(*seen.heights, spot))
    holding = [finding.obstacle for finding in findings if finding.holds]
    if any(obstacle.hinders is None for obstacle in holding):
        return True
    limit = ground.policy.hindrance_blocks
    hinders = sum(obstacle.hinders or 0 for obstacle in holding)
    return limit is not None and hinders > 0 and seen.hindrance + hinders >= limit


def _positions(seen: Sight, one: Hex, other: Hex) -> tuple[Fraction, Fraction]:
    """Where along the line a place beside it stands: at the foot of the middle of two hexes."""
    a, b = seen.observer, seen.target
    way = b.q - a.q, b.r - a.r
    aside = one.q + other.q - 2 * a.q, one.r + other.r - 2 * a.r
    along = Fraction(_dot(aside, way), 2 * _dot(way, way))
    along = min(max(along, Fraction(0)), Fraction(1))
    return along, along


def _way_round(seen: Sight, line: "_Segment") -> Margin | None:
    """How far aside the line must move to pass all blockers on one side of them."""
    beside: tuple[list[Margin], list[Margin]] = ([], [])  # right, left
    for passed in seen.blockers:
        for place in {place for way in passed.gate.ways for place in way}:
            for corner in line.corners(place):
                turn = _turn(line.start, line.end, corner)
                beside[turn > 0].append(Margin(line.squared_offset(corner), place))
    farthest = [max(side, key=lambda one: one.squared, default=None) for side in beside]
    found = [one for one in farthest if one is not None]
    return min(found, key=lambda one: one.squared, default=None)


_Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Segment:
    """A line in whole numbers: axial coordinates times *scale*, in which vertices are whole too."""

    start: _Point
    end: _Point
    scale: int

    @classmethod
    def between(cls, a: LinePoint, b: LinePoint) -> "_Segment":
        scale = lcm(3, *(number.denominator for number in (*a, *b)))
        return cls(
            (int(a.q * scale), int(a.r * scale)), (int(b.q * scale), int(b.r * scale)), scale
        )

    def corners(self, place: Hex | Hexside) -> list[_Point]:
        corners = vertices(place) if isinstance(place, Hex) else place.vertices
        third = self.scale // 3
        return [((a.q + b.q + c.q) * third, (a.r + b.r + c.r) * third) for a, b, c in corners]

    def squared_offset(self, point: _Point) -> Fraction:
        """The squared distance of a point from the line without ends, in widths of a hex."""
        return _squared_offset(self.start, self.end, point) / self.scale**2

    def distance_to(self, place: Hex | Hexside) -> Fraction:
        """The squared distance of the segment and a hex or hexside; 0 where they touch."""
        corners = self.corners(place)
        rim = [*pairwise(corners), (corners[-1], corners[0])]
        if any(_cross(self.start, self.end, *side) for side in rim):
            return Fraction(0)
        nearest = min(
            *(_squared_distance(self.start, self.end, corner) for corner in corners),
            *(_squared_distance(*side, end) for end in (self.start, self.end) for side in rim),
        )
        return nearest / self.scale**2


def _cross(a: _Point, b: _Point, c: _Point, d: _Point) -> bool:
    return _turn(a, b, c) * _turn(a, b, d) < 0 and _turn(c, d, a) * _turn(c, d, b) < 0


def _minus(x: _Point, y: _Point) -> _Point:
    return x[0] - y[0], x[1] - y[1]


def _dot(x: _Point, y: _Point) -> int:
    """Twice the product of two ways: axes stand at 60 degrees, so it has halves in it."""
    return 2 * (x[0] * y[0] + x[1] * y[1]) + x[0] * y[1] + x[1] * y[0]


def _turn(a: _Point, b: _Point, point: _Point) -> int:
    """Positive on one side of the line from *a* to *b*, negative on the other."""
    (q, r), (x, y) = _minus(b, a), _minus(point, a)
    return q * y - r * x


def _squared_offset(a: _Point, b: _Point, point: _Point) -> Fraction:
    way = _minus(b, a)
    return Fraction(3 * _turn(a, b, point) ** 2, 2 * _dot(way, way))


def _squared_distance(a: _Point, b: _Point, point: _Point) -> Fraction:
    """The squared distance of a point and a segment."""
    way, aside = _minus(b, a), _minus(point, a)
    along, whole = _dot(aside, way), _dot(way, way)
    if 0 < along < whole:
        return _squared_offset(a, b, point)
    off = aside if along <= 0 else _minus(point, b)
    return Fraction(_dot(off, off), 2)
