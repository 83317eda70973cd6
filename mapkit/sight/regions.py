"""Sight from anywhere in an outline: a town whose edge the observer may look out from.

The target is one point, so a line from the region is a ray out of the target. Turning such a ray,
what it meets on its way changes only where it passes a hex's vertex, a corner of the region, or a
place where the region's edge meets its hex's. Between two such rays all are alike. So it is enough
to try those rays and one ray between each two neighbours: a finite proof, no sampling. Along a ray
the point nearest to the target is the best, for every other line on it meets what that one meets.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from itertools import groupby, pairwise
from typing import NamedTuple

from mapkit.errors import MapkitError
from mapkit.hexes import Hex, disc, distance, vertices
from mapkit.lines import Event, EventKind, LinePoint, line_events
from mapkit.model import HexMap, Shape
from mapkit.sight.ground import SightGround
from mapkit.sight.policy import SightPolicy
from mapkit.sight.sighting import Sight, judge_line, sight_ground

FINENESS = 4096  # parts of a hex that drawn outlines are rounded to


class RegionError(MapkitError, ValueError):
    """A region that sight cannot start from."""


@dataclass(frozen=True, slots=True)
class RegionSight:
    """The best line out of a region: its sight, where it starts, and how many were tried.

    *knife_edge* is true where the only clear lines graze a vertex or run along a hexside.
    """

    sight: Sight
    start: LinePoint
    tried: int
    knife_edge: bool


Ring = tuple[LinePoint, ...]  # closed: its last point is its first


def region_of(map_: HexMap, shape: Shape) -> tuple[Ring, ...]:
    """Return a drawn outline in exact coordinates, rounded to 1/4096 of a hex."""
    if shape.form != "outline":
        raise RegionError(f"sight starts anywhere in an outline, not on a {shape.form}")
    return tuple(
        tuple(_rounded(*map_.grid.from_pixel(*point)) for point in ring) for ring in shape.rings
    )


def sight_from_region(
    map_: HexMap | SightGround,
    a: Hex,
    b: Hex,
    region: Sequence[Ring],
    policy: SightPolicy | None = None,
) -> RegionSight:
    """Return whether an observer somewhere in *region*, as far as it lies in *a*, sees *b*.

    Raises:
        RegionError: the region does not reach into *a*; or the policy measures exact positions
            along the line, for which the nearest point need not be the best.
    """
    ground = sight_ground(map_, policy)
    if ground.policy.is_exactly_placed:
        raise RegionError("a rule that measures exact positions needs a point to start from")
    target, ends = LinePoint.at(b), (ground.end(a), ground.end(b))
    tried = 0
    best: RegionSight | None = None
    for ray in _rays(a, b, region):
        start = _nearest_start(a, target, ray.way, region)
        if start is None:
            continue
        tried += 1
        seen = judge_line(ground, a, b, ends, _from_inside(a, line_events(start, target)))
        found = RegionSight(seen, start, tried, ray.critical)
        if best is None or _rank(found) < _rank(best):
            best = found
    if best is None:
        raise RegionError(f"the region does not reach into hex {ground.map.label(a)}")
    return RegionSight(best.sight, best.start, tried, best.knife_edge)


def _from_inside(a: Hex, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Let a line that starts on the rim of its hex come from within: over what stands there."""
    stretch = next(event for event in events if event.kind in ("through", "along"))
    if a in stretch.hexes:
        return events
    here = Fraction(0)
    leaving = [Event("through", (a,), here, here)]
    if stretch.kind == "through":
        touched = [one.hexes[0] for one in events if one.kind == "touch" and one.end == here]
        third = [hex_ for hex_ in touched if hex_ != a]
        kind: EventKind = "cross_at_vertex" if third else "cross"
        leaving.append(Event(kind, (a, *stretch.hexes, *third), here, here))
    return (*leaving, *events)


_ORDER = {"clear": 0, "unknown": 1, "blocked": 2, "out_of_range": 3}


def _rank(found: RegionSight) -> tuple[int, bool, int]:
    return _ORDER[found.sight.verdict], found.knife_edge, len(found.sight.blockers)


class _Ray(NamedTuple):
    """A direction out of the target; *critical* where it passes a vertex or a corner."""

    way: LinePoint
    critical: bool


def _rays(a: Hex, b: Hex, region: Sequence[Ring]) -> Iterator[_Ray]:
    target = LinePoint.at(b)
    all_ways = (
        LinePoint(point.q - target.q, point.r - target.r)
        for point in _critical_points(a, b, region)
        if point != target
    )
    critical = list(_toward(a, target, all_ways))
    ways = sorted(critical, key=cmp_to_key(_by_angle))
    different = [next(alike) for _, alike in groupby(ways, key=cmp_to_key(_by_angle))]
    for here, there in zip(different, [*different[1:], *different[:1]], strict=True):
        yield _Ray(here, critical=True)
        if _cross(here, there) > 0:
            yield _Ray(LinePoint(here.q + there.q, here.r + there.r), critical=False)


def _toward(a: Hex, target: LinePoint, ways: Iterable[LinePoint]) -> Iterator[LinePoint]:
    """Leave out the rays that pass *a* by: nobody stands on them."""
    corners = [LinePoint.at(corner) for corner in vertices(a)]
    seen = [LinePoint(one.q - target.q, one.r - target.r) for one in corners]
    first = next((one for one in seen if all(_cross(one, other) >= 0 for other in seen)), None)
    last = next((one for one in seen if all(_cross(one, other) <= 0 for other in seen)), None)
    for way in ways:
        if first is None or last is None or (_cross(first, way) >= 0 <= _cross(way, last)):
            yield way


def _critical_points(a: Hex, b: Hex, region: Sequence[Ring]) -> Iterator[LinePoint]:
    hexes = distance(a, b) + 1
    for hex_ in disc(a, hexes):
        if distance(hex_, b) <= hexes:
            yield from map(LinePoint.at, vertices(hex_))
    rim = _rim(a)
    for ring in region:
        yield from ring
        for edge in pairwise(ring):
            for side in rim:
                yield from _meeting(edge, side)


def _rim(hex_: Hex) -> list[tuple[LinePoint, LinePoint]]:
    corners = [LinePoint.at(corner) for corner in vertices(hex_)]
    return list(pairwise([*corners, corners[0]]))


def _nearest_start(
    a: Hex, target: LinePoint, way: LinePoint, region: Sequence[Ring]
) -> LinePoint | None:
    """Return the point of the region within *a* that lies nearest to the target on a ray."""
    edges = [edge for ring in region for edge in pairwise(ring)] + _rim(a)
    for along in sorted({along for edge in edges for along in _hits(target, way, edge)}):
        point = LinePoint(target.q + way.q * along, target.r + way.r * along)
        if _in_hex(point, a) and _in_region(point, region):
            return point
    return None


def _hits(
    target: LinePoint, way: LinePoint, edge: tuple[LinePoint, LinePoint]
) -> Iterator[Fraction]:
    """How far along a ray an edge lies; both its ends where it lies on the ray."""
    one, other = (LinePoint(end.q - target.q, end.r - target.r) for end in edge)
    from_one, from_other = _cross(way, one), _cross(way, other)
    if from_one == from_other == 0:
        yield from (_along(way, end) for end in (one, other) if _along(way, end) >= 0)
    elif min(from_one, from_other) <= 0 <= max(from_one, from_other):
        share = from_one / (from_one - from_other)
        met = LinePoint(one.q + (other.q - one.q) * share, one.r + (other.r - one.r) * share)
        if _along(way, met) >= 0:
            yield _along(way, met)


def _along(way: LinePoint, point: LinePoint) -> Fraction:
    return point.q / way.q if way.q else point.r / way.r


def _meeting(
    one: tuple[LinePoint, LinePoint], other: tuple[LinePoint, LinePoint]
) -> Iterable[LinePoint]:
    """The point where two edges meet, if they do in one point."""
    start, end = one
    way = LinePoint(end.q - start.q, end.r - start.r)
    return (
        LinePoint(start.q + way.q * along, start.r + way.r * along)
        for along in (_hits(start, way, other) if start != end else ())
        if along <= 1
    )


def _in_hex(point: LinePoint, hex_: Hex) -> bool:
    q, r = point.q - hex_.q, point.r - hex_.r
    return max(abs(2 * q + r), abs(q + 2 * r), abs(r - q)) <= 1


def _in_region(point: LinePoint, region: Sequence[Ring]) -> bool:
    """Tell whether a point lies in an outline with holes, its edges included."""
    inside = False
    for ring in region:
        for one, other in pairwise(ring):
            turn = (other.q - one.q) * (point.r - one.r) - (other.r - one.r) * (point.q - one.q)
            within = min(one.q, other.q) <= point.q <= max(one.q, other.q) and min(
                one.r, other.r
            ) <= point.r <= max(one.r, other.r)
            if turn == 0 and within:
                return True
            if (one.r > point.r) != (other.r > point.r) and (turn > 0) == (other.r > one.r):
                inside = not inside
    return inside


def _cross(one: LinePoint, other: LinePoint) -> Fraction:
    return one.q * other.r - one.r * other.q


def _half(way: LinePoint) -> int:
    return 0 if way.r > 0 or (way.r == 0 and way.q > 0) else 1


def _by_angle(one: LinePoint, other: LinePoint) -> int:
    if _half(one) != _half(other):
        return _half(one) - _half(other)
    turn = _cross(one, other)
    return -1 if turn > 0 else int(turn < 0)


def _rounded(q: float, r: float) -> LinePoint:
    return LinePoint(*(Fraction(round(number * FINENESS), FINENESS) for number in (q, r)))
