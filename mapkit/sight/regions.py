"""Sight from anywhere in an outline: a town whose edge the observer may look out from.

The target is one point, so a line from the region is a ray out of the target. Turning such a ray,
what it meets on its way changes only where it passes a hex's vertex, a corner of the region, or a
place where the region's edge meets its hex's. Between two such rays all are alike. So it is enough
to try those rays and one ray between each two neighbours: a finite proof, no sampling. Along a ray
the point nearest to the target is the best, for every other line on it meets what that one meets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from mapkit.errors import MapkitError
from mapkit.hexes import Hex
from mapkit.lines import Event, EventKind, LinePoint, line_events
from mapkit.model import HexMap, Shape
from mapkit.sight.ground import SightGround
from mapkit.sight.policy import SightPolicy
from mapkit.sight.rays import Region, Ring
from mapkit.sight.sighting import Sight, judge_line, sight_ground

FINENESS = 4096  # parts of a hex that drawn outlines are rounded to


class RegionError(MapkitError, ValueError):
    """A region that sight cannot start from."""


@dataclass(frozen=True, slots=True)
class RegionSight:
    """The best line out of a region: its sight, where it starts, and how many were judged.

    *knife_edge* is true where the only clear lines graze a vertex or run along a hexside.
    """

    sight: Sight
    start: LinePoint
    judged: int
    knife_edge: bool


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
    judged = 0
    best: RegionSight | None = None
    inside = _within(a, tuple(region))
    known: set[int | None] = set()
    for ray in inside.rays_from(b):
        if ray.sector in known:
            continue  # it meets what a ray has met that is no worse
        start = inside.nearest_to(b, ray.way)
        if start is None:
            continue
        judged += 1
        seen = judge_line(ground, a, b, ends, _from_inside(a, line_events(start, target)))
        found = RegionSight(seen, start, judged, ray.critical)
        if not ray.critical:
            known.add(ray.sector)
        if best is None or _rank(found) < _rank(best):
            best = found
        if _rank(best) == _BEST:
            break  # nothing would be better
    if best is None:
        raise RegionError(f"the region does not reach into hex {ground.map.label(a)}")
    return RegionSight(best.sight, best.start, judged, best.knife_edge)


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


@lru_cache(maxsize=64)
def _within(a: Hex, region: tuple[Ring, ...]) -> Region:
    return Region.within(a, region)


_BEST = (0, False, 0)
_ORDER = {"clear": 0, "unknown": 1, "blocked": 2, "out_of_range": 3}


def _rank(found: RegionSight) -> tuple[int, bool, int]:
    return _ORDER[found.sight.verdict], found.knife_edge, len(found.sight.blockers)


def _rounded(q: float, r: float) -> LinePoint:
    return LinePoint(*(Fraction(round(number * FINENESS), FINENESS) for number in (q, r)))
