"""Sight from anywhere in an outline, against a dense net of points in it."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mapkit.hexes import Hex, hexsides, vertices
from mapkit.lines import LinePoint
from mapkit.model import Feature, Ground, Shape
from mapkit.sight import Obstacle, SideObstacle, SightPolicy, sight, when
from mapkit.sight.regions import RegionError, region_of, sight_from_region
from tests.boards import board

WOODS = SightPolicy((Obstacle("woods", ground=frozenset({"woods"})),))
NET = 9


def ring(*points):
    return tuple(LinePoint(Fraction(q), Fraction(r)) for q, r in [*points, points[0]])


def whole_hex(hex_):
    corners = [LinePoint.at(corner) for corner in vertices(hex_)]
    return ((*corners, corners[0]),)


def test_from_the_edge_of_a_town_one_looks_past_the_woods():
    map_ = board(". . .", ". w .", ". . .", ". . .")
    a, b = map_.hex("0201"), map_.hex("0303")
    middle = sight(map_, map_.hex("0201"), map_.hex("0203"), WOODS)
    assert middle.verdict == "blocked"
    found = sight_from_region(map_, a, b, whole_hex(a), WOODS)
    assert found.sight.verdict == "clear"
    assert sight(map_, a, b, WOODS, start=found.start).verdict == "clear"


def test_a_small_town_in_the_middle_helps_nobody():
    map_ = board(". . .", ". w .", ". . .", ". . .")
    a, b = map_.hex("0201"), map_.hex("0203")
    q, r = a
    near = Fraction(1, 50)
    small = (ring((q - near, r), (q, r - near), (q + near, r), (q, r + near)),)
    found = sight_from_region(map_, a, b, small, WOODS)
    assert found.sight.verdict == "blocked"
    assert found.judged > 1


def test_a_line_that_only_grazes_is_told_as_such():
    # Twice along a hexside, woods first on its one side, then on the other: a hair to the left
    # meets the first, a hair to the right the second.
    plain = board(*[". . . . ."] * 5)
    a = plain.hex("0201")
    b = Hex(a.q + 2, a.r + 2)
    wooded = (Hex(a.q + 1, a.r), Hex(a.q + 1, a.r + 2))
    hexes = {**plain.hexes, **{hex_: Ground("woods") for hex_ in wooded}}
    map_ = replace(plain, hexes=hexes)
    near = Fraction(1, 50)
    small = (ring((a.q - near, a.r), (a.q, a.r - near), (a.q + near, a.r), (a.q, a.r + near)),)
    found = sight_from_region(map_, a, b, small, WOODS)
    assert found.sight.verdict == "clear"
    assert found.knife_edge
    open_ground = sight_from_region(plain, a, b, small, WOODS)
    assert not open_ground.knife_edge


def test_a_town_does_not_reach_over_the_walls_of_its_hex():
    map_ = board(*[". . . ."] * 4)
    a, b = map_.hex("0202"), map_.hex("0204")
    walled = {side: (Feature("wall"),) for side in hexsides(a)}
    walls = SightPolicy(sides=(SideObstacle("wall", frozenset({"wall"})),))
    found = sight_from_region(replace(map_, hexsides=walled), a, b, whole_hex(a), walls)
    assert found.sight.verdict == "blocked"
    assert sight_from_region(map_, a, b, whole_hex(a), walls).sight.verdict == "clear"


terrains = st.sampled_from([".1", ".1", "w1", ".2"])
BLOCKS = SightPolicy(
    (
        Obstacle("woods", when("level = higher_end"), frozenset({"woods"})),
        Obstacle("hill", when("level > higher_end")),
    )
)
SIZE = 5
parts = st.integers(-8, 8)


@st.composite
def cases(draw):
    words = draw(st.lists(terrains, min_size=SIZE * SIZE, max_size=SIZE * SIZE))
    map_ = board(*[" ".join(words[at : at + SIZE]) for at in range(0, SIZE * SIZE, SIZE)])
    places = st.sampled_from(sorted(map_.hexes))
    a = draw(places)
    b = draw(places.filter(lambda hex_: hex_ != a))
    corners = draw(st.lists(st.tuples(parts, parts), min_size=3, max_size=5, unique=True))
    outline = ring(*[(a.q + Fraction(x, 12), a.r + Fraction(y, 12)) for x, y in corners])
    return map_, a, b, (outline,)


@settings(max_examples=60)
@given(cases())
def test_no_point_of_a_fine_net_sees_what_the_region_does_not(case):
    map_, a, b, region = case
    try:
        found = sight_from_region(map_, a, b, region, BLOCKS)
    except RegionError:
        return
    starts = [point for point in _net(a) if _inside(point, a, region)]
    seen = [sight(map_, a, b, BLOCKS, start=start).verdict for start in starts]
    if found.sight.verdict == "clear":
        assert _inside(found.start, a, region)
        assert sight(map_, a, b, BLOCKS, start=found.start).verdict == "clear"
    else:
        assert "clear" not in seen


def _net(a):
    for x in range(-NET, NET + 1):
        for y in range(-NET, NET + 1):
            yield LinePoint(a.q + Fraction(x, 13), a.r + Fraction(y, 13))


def _inside(point, a, region):
    """Whether a point lies in the hex and the outline, by winding round it: another way."""
    q, r = point.q - a.q, point.r - a.r
    if max(abs(2 * q + r), abs(q + 2 * r), abs(r - q)) > 1:
        return False
    crossings = 0
    for one, other in zip(region[0], region[0][1:], strict=False):
        turn = (other.q - one.q) * (point.r - one.r) - (other.r - one.r) * (point.q - one.q)
        between = (one.q - point.q) * (other.q - point.q) <= 0 and (one.r - point.r) * (
            other.r - point.r
        ) <= 0
        if turn == 0 and between:
            return True
        if one.r <= point.r < other.r or other.r <= point.r < one.r:
            share = (point.r - one.r) / (other.r - one.r)
            crossings += one.q + share * (other.q - one.q) > point.q
    return crossings % 2 == 1


def test_a_drawn_outline_is_rounded_finely():
    map_ = board(". .", ". .")
    a = map_.hex("0101")
    shape = Shape("town", "outline", ((*map_.grid.polygon(a), map_.grid.polygon(a)[0]),))
    (outline,) = region_of(map_, shape)
    for corner, want in zip(outline, whole_hex(a)[0], strict=True):
        assert abs(corner.q - want.q) < Fraction(1, 4000)
        assert abs(corner.r - want.r) < Fraction(1, 4000)


def test_what_cannot_be_a_start_is_said():
    map_ = board(". .", ". .")
    a, b = map_.hex("0101"), map_.hex("0202")
    with pytest.raises(RegionError, match="does not reach into hex 0101"):
        sight_from_region(map_, a, b, (ring((9, 9), (9, 10), (10, 9)),), WOODS)
    with pytest.raises(RegionError, match="not on a point"):
        region_of(map_, Shape("peak", "point", (((1.0, 1.0),),)))
    exact = SightPolicy((Obstacle("hill", when("top > sight_line_middle")),))
    with pytest.raises(RegionError, match="exact positions"):
        sight_from_region(map_, a, b, whole_hex(a), exact)
