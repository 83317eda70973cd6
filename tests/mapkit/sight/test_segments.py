"""How far places lie from a line, and the nearest that would block it, against slow sums."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from mapkit.hexes import Hex, Hexside, disc, hexsides, vertices
from mapkit.lines import LinePoint
from mapkit.sight import Sight, SightGround, margin, sight
from mapkit.sight.comparisons import Situation
from mapkit.sight.gates import HexGate, SideGate
from mapkit.sight.segments import Segment
from mapkit.sight.sighting import findings_at, spot_of
from tests.mapkit.sight.policies import random_policy, unplaced_policy
from tests.mapkit.sight.small_maps import random_map

Way = tuple[Fraction, Fraction]

coordinates = st.integers(-4, 4)
hexes = st.builds(Hex, coordinates, coordinates)
sides = st.builds(lambda hex_, n: hexsides(hex_)[n], hexes, st.integers(0, 5))
points = st.builds(LinePoint, *2 * [st.fractions(-4, 4, max_denominator=9)])
ends = hexes.map(LinePoint.at) | hexes.map(lambda hex_: LinePoint.at(vertices(hex_)[0])) | points


def product(one: Way, other: Way) -> Fraction:
    """Of two ways on axes at 60 degrees."""
    (a, b), (c, d) = one, other
    return a * c + b * d + Fraction(a * d + b * c) / 2


def minus(one: LinePoint, other: LinePoint) -> Way:
    return one.q - other.q, one.r - other.r


def to_point(a: LinePoint, b: LinePoint, point: LinePoint) -> Fraction:
    """The squared distance of a point and a line with ends."""
    way, aside = minus(b, a), minus(point, a)
    length = product(way, way)
    along = min(max(product(aside, way) / length, Fraction(0)), Fraction(1)) if length else 0
    off = aside[0] - along * way[0], aside[1] - along * way[1]
    return product(off, off)


def turn(a: LinePoint, b: LinePoint, point: LinePoint) -> Fraction:
    (q, r), (x, y) = minus(b, a), minus(point, a)
    return q * y - r * x


def slow_distance(a: LinePoint, b: LinePoint, place: Hex | Hexside) -> Fraction:
    """The squared distance of a line and the rim of a place."""
    corners = [
        LinePoint.at(v) for v in (vertices(place) if isinstance(place, Hex) else place.vertices)
    ]
    found = []
    for c, d in pairwise([*corners, corners[0]]):
        crosses = turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0
        found += [Fraction(0)] if crosses else []
        found += [to_point(a, b, c), to_point(c, d, a), to_point(c, d, b)]
    return min(found)


@given(ends, ends, hexes | sides)
def test_the_distance_of_a_place_is_exact(a, b, place):
    if a != b:
        assert Segment.between(a, b).squared_distance(place) == slow_distance(a, b, place)


@given(ends, ends, hexes | sides, hexes | sides)
def test_parts_are_ordered_as_distances_are(a, b, one, other):
    if a != b:
        line = Segment.between(a, b)
        nearer = line.parts_to(one) < line.parts_to(other)
        assert nearer == (slow_distance(a, b, one) < slow_distance(a, b, other))


def slow_margin(
    ground: SightGround, seen: Sight, start: LinePoint
) -> tuple[Fraction, bool, Hex | Hexside] | None:
    """What would block a clear line, every place beside it looked at, the nearest of them."""
    end = LinePoint.at(seen.target)
    found = [
        (slow_distance(start, end, place), isinstance(place, Hexside), place)
        for place in places_beside(ground, seen)
        if would_shut(ground, seen, place)
    ]
    return min(found, default=None)


def places_beside(ground: SightGround, seen: Sight) -> Iterator[Hex | Hexside]:
    met = {hex_ for event in seen.events for hex_ in event.hexes}
    near = {other for hex_ in met for other in disc(hex_, 2)} & ground.map.hexes.keys()
    yield from near - {seen.observer, seen.target}
    yield from {side for hex_ in near for side in hexsides(hex_)}


def would_shut(ground: SightGround, seen: Sight, place: Hex | Hexside) -> bool:
    one, other = (place, place) if isinstance(place, Hex) else place
    a, b = LinePoint.at(seen.observer), LinePoint.at(seen.target)
    middle = LinePoint(Fraction(one.q + other.q, 2), Fraction(one.r + other.r, 2))
    way = minus(b, a)
    along = min(max(product(minus(middle, a), way) / product(way, way), Fraction(0)), Fraction(1))
    gate = (
        HexGate(((place,),), along, along)
        if isinstance(place, Hex)
        else SideGate(((place,),), along, along, tuple(range(len(ground.policy.sides))))
    )
    spot = spot_of(place, seen.observer, seen.target, gate)
    holding = [
        finding.obstacle
        for finding in findings_at(ground, gate, place, Situation(*seen.heights, spot))
        if finding.holds
    ]
    hinders = sum(obstacle.hinders or 0 for obstacle in holding)
    limit = ground.policy.hindrance_blocks
    return any(obstacle.hinders is None for obstacle in holding) or (
        limit is not None and hinders > 0 and seen.hindrance + hinders >= limit
    )


def test_the_margin_names_the_nearest_place_that_would_block():
    drawn = Counter()
    for number in range(200):
        dice = Random(number)
        map_ = random_map(dice)
        policy = (random_policy if number % 3 else unplaced_policy)(dice)
        ground = SightGround(map_, policy)
        for _ in range(12):
            a, b = dice.choice(sorted(map_.hexes)), dice.choice(sorted(map_.hexes))
            aside = Fraction(dice.randrange(-30, 30), 100), Fraction(dice.randrange(-30, 30), 100)
            start = LinePoint(a.q + aside[0], a.r + aside[1]) if dice.randrange(3) == 0 else None
            seen = sight(ground, a, b, start=start)
            if a == b or not seen.clear or (seen.distance == 1 and policy.adjacent_clear):
                continue
            close = margin(ground, seen, start=start)
            slow = slow_margin(ground, seen, start or LinePoint.at(a))
            drawn[start is None, slow and type(slow[2]).__name__] += 1
            told = f"{number}: {a} to {b} from {start}"
            if slow is None:
                assert close is None, told
            else:
                assert close is not None, told
                assert (close.squared, close.place) == (slow[0], slow[2]), told
    kinds = [(centre, kind) for centre in (True, False) for kind in ("Hex", "Hexside", None)]
    assert min(drawn[kind] for kind in kinds) >= 10, drawn
