"""How close a verdict was: how far the line lies from what would have changed it.

Distances are measured on a regular grid with hex centres one apart. Between points with rational
coordinates the *square* of a distance is rational, so it is kept exact; only what is shown to
people is a root.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import sqrt

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
    line = start or LinePoint.at(seen.observer), LinePoint.at(seen.target)
    if line[0] == line[1]:
        return None
    if seen.verdict == "blocked":
        return _way_round(seen, line)
    if seen.verdict == "clear":
        found = [
            Margin(_distance_to(line, place), place) for place in _would_block(ground, seen, line)
        ]
        return min(found, key=lambda one: (one.squared, one.place), default=None)
    return None


_Line = tuple[LinePoint, LinePoint]


def _would_block(ground: SightGround, seen: Sight, line: _Line) -> Iterator[Hex | Hexside]:
    """Yield the hexes and hexsides near the line that would shut it if it met them."""
    if seen.distance <= 1 and ground.policy.adjacent_clear:
        return
    ends = {seen.observer, seen.target}
    met = {hex_ for event in seen.events for hex_ in event.hexes}
    near = {other for hex_ in met for other in disc(hex_, _NEAR)} & ground.map.hexes.keys()
    for hex_ in near - ends:
        if _shuts(ground, seen, HexGate(((hex_,),), *_positions(line, hex_)), hex_):
            yield hex_
    for obstacle in ground.policy.sides:
        for side in {side for hex_ in near for side in hexsides(hex_)}:
            gate = SideGate(((side,),), *_positions(line, side.a), obstacle)
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


def _positions(line: _Line, hex_: Hex) -> tuple[Fraction, Fraction]:
    """Where along the line a hex beside it stands."""
    along = _nearest_along(LinePoint.at(hex_), line)
    return along, along


def _way_round(seen: Sight, line: _Line) -> Margin | None:
    """How far aside the line must move to pass all blockers on one side of them."""
    beside: tuple[list[Margin], list[Margin]] = ([], [])  # right, left
    for passed in seen.blockers:
        for place in {place for way in passed.gate.ways for place in way}:
            for corner in _corners(place):
                turn = _turn(line, corner)
                beside[turn > 0].append(Margin(_squared_offset(line, corner), place))
    farthest = [max(side, key=lambda one: one.squared, default=None) for side in beside]
    found = [one for one in farthest if one is not None]
    return min(found, key=lambda one: one.squared, default=None)


def _corners(place: Hex | Hexside) -> tuple[LinePoint, ...]:
    corners = vertices(place) if isinstance(place, Hex) else place.vertices
    return tuple(map(LinePoint.at, corners))


def _distance_to(line: _Line, place: Hex | Hexside) -> Fraction:
    """The squared distance of a segment and a hex or hexside; 0 where they touch."""
    corners = _corners(place)
    rim = [*pairwise(corners), (corners[-1], corners[0])]
    if any(_cross(line, side) for side in rim):
        return Fraction(0)
    return min(
        *(_squared_distance(corner, line) for corner in corners),
        *(_squared_distance(end, side) for end in line for side in rim),
    )


def _cross(one: _Line, other: _Line) -> bool:
    return (
        _turn(one, other[0]) * _turn(one, other[1]) < 0
        and _turn(other, one[0]) * _turn(other, one[1]) < 0
    )


def _dot(x: LinePoint, y: LinePoint) -> Fraction:
    return x.q * y.q + x.r * y.r + (x.q * y.r + x.r * y.q) / 2


def _minus(x: LinePoint, y: LinePoint) -> LinePoint:
    return LinePoint(x.q - y.q, x.r - y.r)


def _turn(line: _Line, point: LinePoint) -> Fraction:
    """Positive on one side of the line, negative on the other."""
    way, aside = _minus(line[1], line[0]), _minus(point, line[0])
    return way.q * aside.r - way.r * aside.q


def _squared_offset(line: _Line, point: LinePoint) -> Fraction:
    """The squared distance of a point from a line without ends."""
    way = _minus(line[1], line[0])
    return _turn(line, point) ** 2 * Fraction(3, 4) / _dot(way, way)


def _nearest_along(point: LinePoint, line: _Line) -> Fraction:
    way = _minus(line[1], line[0])
    along = _dot(_minus(point, line[0]), way) / _dot(way, way)
    return min(max(along, Fraction(0)), Fraction(1))


def _squared_distance(point: LinePoint, line: _Line) -> Fraction:
    """The squared distance of a point and a segment."""
    along, way = _nearest_along(point, line), _minus(line[1], line[0])
    foot = LinePoint(line[0].q + way.q * along, line[0].r + way.r * along)
    off = _minus(point, foot)
    return _dot(off, off)
