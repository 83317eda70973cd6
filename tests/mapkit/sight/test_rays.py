"""Rays into a region in whole numbers, against shapely's clipped outlines."""

from fractions import Fraction
from math import hypot

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon

from mapkit.hexes import Hex, disc, distance, vertices
from mapkit.lines import LinePoint
from mapkit.sight.rays import Region

HERE = Hex(2, -1)
NEAR = 1e-9

targets = st.builds(Hex, st.integers(-3, 7), st.integers(-6, 4)).filter(lambda hex_: hex_ != HERE)
parts = st.integers(-20, 20)
triangles = st.lists(st.tuples(parts, parts), min_size=3, max_size=3, unique=True)


def outline(corners):
    points = [LinePoint(HERE.q + Fraction(x, 24), HERE.r + Fraction(y, 24)) for x, y in corners]
    return ((*points, points[0]),)


def clipped(rings):
    hexagon = Polygon([tuple(map(float, LinePoint.at(corner))) for corner in vertices(HERE)])
    triangle = Polygon([tuple(map(float, point)) for point in rings[0]])
    assume(triangle.area > 0.001)
    found = triangle.intersection(hexagon)
    assume(found.area > 0.001)
    return found


def turning(ring):
    """The corners that bend: where two outlines share an edge shapely leaves points along it."""
    for before, here, after in zip([ring[-1], *ring], ring, [*ring[1:], ring[0]], strict=False):
        coming = (here[0] - before[0], here[1] - before[1])
        going = (after[0] - here[0], after[1] - here[1])
        if abs(_cross(coming, going)) > NEAR:
            yield here


@settings(max_examples=200)
@given(targets, triangles, st.tuples(parts, parts))
def test_the_nearest_point_is_where_the_ray_enters_the_clipped_outline(target, corners, toward):
    rings = outline(corners)
    shape = clipped(rings)
    x, y = HERE.q + toward[0] / 24 - target.q, HERE.r + toward[1] / 24 - target.r
    way = (round(24 * x), round(24 * y))
    assume(way != (0, 0))
    ray = LineString([(target.q, target.r), (target.q + 20 * way[0], target.r + 20 * way[1])])
    meets = shape.intersection(ray)
    found = Region.within(HERE, rings).nearest_to(target, way)
    if found is None:
        assert meets.length < NEAR
    else:
        point = Point(float(found.q), float(found.r))
        assert shape.distance(point) < NEAR
        assert ray.distance(point) < NEAR
        # shapely loses a meeting in one point, so only stretches are compared.
        if meets.length > NEAR:
            origin = Point(target.q, target.r)
            assert point.distance(origin) == pytest.approx(meets.distance(origin), abs=NEAR)


@settings(max_examples=200)
@example(Hex(0, 0), [(0, 0), (13, -11), (14, -10)])
@given(targets, triangles)
def test_a_ray_passes_every_corner_of_the_clipped_outline(target, corners):
    rings = outline(corners)
    shape = clipped(rings)
    ways = [ray.way for ray in Region.within(HERE, rings).rays_from(target) if ray.critical]
    directions = [(x / hypot(x, y), y / hypot(x, y)) for x, y in ways]
    for q, r in turning(shape.exterior.coords[:-1]):
        away = (q - target.q, r - target.r)
        length = hypot(*away)
        if length > NEAR:
            x, y = away[0] / length, away[1] / length
            assert min(hypot(x - one, y - other) for one, other in directions) < NEAR


@given(targets, triangles)
def test_between_two_critical_rays_lies_one_that_is_not(target, corners):
    region = Region.within(HERE, outline(corners))
    rays = list(region.rays_from(target))
    for before, ray, after in zip(rays, rays[1:], rays[2:], strict=False):
        if not ray.critical:
            assert before.critical
            assert after.critical
            assert _cross(before.way, ray.way) > 0 < _cross(ray.way, after.way)
    assert len({ray.way for ray in rays}) == len(rays)


@given(targets, triangles)
def test_no_vertex_lies_on_or_between_rays_of_a_sector(target, corners):
    rays = list(Region.within(HERE, outline(corners)).rays_from(target))
    sectors = {}
    for ray in rays:
        if ray.sector is not None:
            sectors.setdefault(ray.sector, []).append(ray.way)
    near = disc(target, distance(target, HERE) + 1)
    ways = {
        (sum(one.q for one in corner) - 3 * target.q, sum(one.r for one in corner) - 3 * target.r)
        for hex_ in near
        if distance(hex_, HERE) <= distance(target, HERE) + 1
        for corner in vertices(hex_)
    }
    assert sectors
    for first, *others in sectors.values():
        last = others[-1] if others else first
        assert not any(
            _cross(first, way) >= 0 <= _cross(way, last) and _ahead(first, way) for way in ways
        )


def _ahead(one, way):
    return one[0] * way[0] + one[1] * way[1] > 0


def _cross(one, other):
    return one[0] * other[1] - one[1] * other[0]
