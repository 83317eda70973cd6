"""Threads over outlines: examples by hand, shapely in whole numbers as the oracle."""

import math
import random
from collections import Counter
from fractions import Fraction

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from mapkit.depiction.threads import Run, Thread, deepest, edges_of, gap, inside_runs

HALF = Fraction(1, 2)


def ring(*points):
    return (*points, points[0])


def square(low, high):
    return ring((low, low), (high, low), (high, high), (low, high))


def thread(a, b):
    return Thread.between(*((Fraction(x), Fraction(y)) for x, y in (a, b)))


SQUARE = (square(0, 12),)
WITH_HOLE = (square(0, 12), square(4, 8))
HORSESHOE = (ring((0, 0), (12, 0), (12, 12), (8, 12), (8, 4), (4, 4), (4, 12), (0, 12)),)
TOUCHING_HOLE = (square(0, 12), ring((0, 6), (6, 3), (6, 9)))
TWO_PARTS = (square(0, 4), square(4, 12))  # they share one corner


@pytest.mark.parametrize(
    ("rings", "a", "b", "runs"),
    [
        pytest.param(SQUARE, (-6, 6), (18, 6), "1/4-3/4", id="right through"),
        pytest.param(SQUARE, (-6, 0), (18, 0), "", id="along an edge"),
        pytest.param(SQUARE, (-6, 6), (6, -6), "", id="over a corner only"),
        pytest.param(SQUARE, (-12, -12), (24, 24), "1/3-2/3", id="corner to corner"),
        pytest.param(SQUARE, (3, 3), (9, 3), "0-1", id="wholly inside"),
        pytest.param(SQUARE, (6, 6), (18, 6), "0-1/2", id="from inside"),
        pytest.param(SQUARE, (0, 6), (-6, 6), "", id="away from an edge"),
        pytest.param(SQUARE, (12, 12), (0, 12), "", id="the edge itself"),
        pytest.param(WITH_HOLE, (-4, 6), (16, 6), "1/5-2/5 3/5-4/5", id="over a hole"),
        pytest.param(WITH_HOLE, (5, 5), (7, 7), "", id="within the hole"),
        pytest.param(WITH_HOLE, (-4, 4), (16, 4), "1/5-2/5 3/5-4/5", id="along the hole"),
        pytest.param(HORSESHOE, (-4, 12), (16, 12), "", id="over both tips"),
        pytest.param(HORSESHOE, (-4, 4), (16, 4), "1/5-2/5 3/5-4/5", id="along the bottom"),
        pytest.param(TOUCHING_HOLE, (0, 0), (0, 12), "", id="hole at the edge"),
        pytest.param(TWO_PARTS, (-4, -4), (16, 16), "1/5-2/5 2/5-4/5", id="shared corner"),
        pytest.param(TWO_PARTS, (0, 8), (8, 0), "", id="between two parts"),
    ],
)
def test_what_lies_in_the_open_inside(rings, a, b, runs):
    found = inside_runs(thread(a, b), edges_of(rings))
    assert " ".join(f"{run.start}-{run.end}" for run in found) == runs
    back = inside_runs(thread(b, a), edges_of(rings))
    assert back == tuple(Run(1 - run.end, 1 - run.start) for run in reversed(found))


def test_ends_between_whole_numbers_stay_exact():
    line = Thread.between((Fraction(-1, 3), HALF), (Fraction(38, 3), HALF))
    (run,) = inside_runs(line, edges_of(SQUARE))
    assert run == (Fraction(1, 39), Fraction(37, 39))
    assert line.point(run.start) == (0, HALF)


def random_rings(dice: random.Random, reach: int):
    """A sound polygon of whole numbers around the middle, often jagged, often with holes."""
    middle = reach / 2 + 0.25
    while True:
        wanted = range(dice.randint(3, 9))
        corners = {(dice.randint(0, reach), dice.randint(0, reach)) for _ in wanted}
        outer = sorted(corners, key=lambda p: math.atan2(p[1] - middle, p[0] - middle))
        if len(outer) > 2 and shapely.Polygon(outer).is_valid and shapely.Polygon(outer).area:
            break
    holes: list[list[tuple[int, int]]] = []
    for _ in range(6):
        x, y = dice.randint(1, reach - 1), dice.randint(1, reach - 1)
        far = max(reach // 4, 1)
        hole = [(x + dice.randint(-far, far), y + dice.randint(-far, far)) for _ in range(3)]
        if shapely.Polygon(hole).area and shapely.Polygon(outer, [*holes, hole]).is_valid:
            holes.append(hole)
    whole = shapely.Polygon(outer, holes)
    lines = (whole.exterior, *whole.interiors)
    return tuple(tuple((int(x), int(y)) for x, y in line.coords) for line in lines), whole


def random_line(dice: random.Random, rings, reach: int):
    """Often from, to or through a corner, where it is hard."""
    corners = [corner for line in rings for corner in line]

    def end():
        if dice.random() < 0.4:
            return dice.choice(corners)
        return dice.randint(-3, reach + 3), dice.randint(-3, reach + 3)

    while True:
        a, b = end(), end()
        if a != b:
            return a, b


def test_shapely_agrees_on_random_outlines_with_holes():
    """Who is entered is compared exactly, lengths and distances as floats."""
    dice = random.Random("outlines")
    seen: Counter[str] = Counter()
    for _ in range(2000):
        rings, polygon = random_rings(dice, 12)
        a, b = random_line(dice, rings, 12)
        line, edges = shapely.LineString([a, b]), edges_of(rings)
        runs = inside_runs(thread(a, b), edges)
        entered = line.relate(polygon)[0] == "1"
        assert bool(runs) == entered, (rings, a, b)
        along = line.intersection(polygon.boundary).length
        inside = line.intersection(polygon).length - along
        told = float(sum(run.end - run.start for run in runs)) * line.length
        assert told == pytest.approx(inside, abs=1e-9), (rings, a, b)
        if runs:
            seen["entered"] += 1
            seen["in several runs"] += len(runs) > 1
            continue
        nearest = gap(thread(a, b), edges)
        assert math.sqrt(nearest.squared) == pytest.approx(line.distance(polygon), abs=1e-9)
        between = math.dist(thread(a, b).point(nearest.at), nearest.outline)
        assert between == pytest.approx(math.sqrt(nearest.squared), abs=1e-9)
        assert polygon.boundary.distance(shapely.Point(nearest.outline)) < 1e-9
        seen["along an edge" if along else "apart" if nearest.squared else "touching"] += 1
    assert seen["entered"] > 500
    assert seen["in several runs"] > 100
    assert min(seen["along an edge"], seen["apart"], seen["touching"]) > 40


def test_no_point_of_a_run_is_deeper_than_told_by_more_than_a_unit():
    dice = random.Random("depths")
    checked = 0
    while checked < 150:
        rings, polygon = random_rings(dice, 500)
        a, b = random_line(dice, rings, 500)
        line, edges = thread(a, b), edges_of(rings)
        runs = inside_runs(line, edges)
        if not runs:
            continue
        checked += 1
        depth = deepest(line, runs, edges)
        assert any(run.start <= depth.at <= run.end for run in runs)
        at = polygon.boundary.distance(shapely.Point(*map(float, line.point(depth.at))))
        assert math.sqrt(depth.squared) == pytest.approx(at, abs=1e-6)
        points = [
            line.point(run.start + (run.end - run.start) * Fraction(part, 200))
            for run in runs
            for part in range(201)
        ]
        depths = polygon.boundary.distance(shapely.points([tuple(map(float, p)) for p in points]))
        assert max(depths) <= math.sqrt(depth.squared) + 1


def test_the_deepest_point_of_a_long_corridor_is_found_quickly():
    """Every point is equally deep but for ripples: the worst case of a search by halves."""
    upper = [(100 * step, 1000 + step % 7) for step in range(301)]
    edges = edges_of([ring((0, -1000), (30000, -1000), *reversed(upper))])
    line = thread((-10, 0), (30010, 0))
    depth = deepest(line, inside_runs(line, edges), edges)
    assert 999 <= math.sqrt(depth.squared) <= 1001


small = st.integers(-4, 16)


@settings(max_examples=300)
@given(
    st.sampled_from([SQUARE, WITH_HOLE, HORSESHOE, TOUCHING_HOLE]),
    st.tuples(small, small, small, small).filter(lambda n: n[:2] != n[2:]),
    st.integers(-50, 50),
)
def test_shapely_agrees_on_outlines_that_meet_the_line_in_corners(rings, numbers, moved):
    a, b = numbers[:2], numbers[2:]
    polygon = shapely.Polygon(rings[0], rings[1:])
    runs = inside_runs(thread(a, b), edges_of(rings))
    assert bool(runs) == (shapely.LineString([a, b]).relate(polygon)[0] == "1")
    elsewhere = [tuple((x + moved, y - moved) for x, y in line) for line in rings]
    (ax, ay), (bx, by) = a, b
    line = thread((ax + moved, ay - moved), (bx + moved, by - moved))
    assert inside_runs(line, edges_of(elsewhere)) == runs
