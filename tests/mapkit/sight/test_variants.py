"""Rules of sight as printed in games, each as a policy: one test for each way to read a line.

The boards are one column of hexes, seen from its first hex to its last, unless said otherwise.
"""

from fractions import Fraction

import pytest

from mapkit.hexes import Hexside
from mapkit.sight import (
    BorrowedLevel,
    EndHeight,
    Obstacle,
    RangeLimit,
    Reach,
    SideObstacle,
    SightPolicy,
    sight,
    when,
)
from tests.boards import board

WOODS = frozenset({"woods"})
HILLS = Obstacle("hills", when("level > higher_end"))


def verdict(column, policy, *, hexsides=None):
    return seen(column, policy, hexsides=hexsides).verdict


def seen(column, policy, *, hexsides=None):
    words = column.split()
    map_ = board(*words, hexsides=hexsides)
    return sight(map_, map_.hex("0101"), map_.hex(f"01{len(words):02}"), policy)


def rule(*comparisons, **more):
    return SightPolicy(obstacles=(Obstacle("rule", when(*comparisons), **more),))


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (".1 .3 .2", "blocked"),
        (".1 .2 .2", "clear"),
        (".3 .2 .1", "clear"),
        (".1 .2 .1", "blocked"),
    ],
)
def test_higher_than_both_ends(column, expected):
    assert verdict(column, rule("top > higher_end")) == expected


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (".1 .2 .2", "blocked"),  # as high as the higher end, and above the lower
        (".2 .2 .2", "clear"),  # all alike
        (".1 .1 .2", "clear"),
    ],
)
def test_as_high_as_the_higher_end_blocks_too(column, expected):
    assert verdict(column, rule("top >= higher_end", "top > lower_end")) == expected


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (".1 .2 .1 .1 .5", "blocked"),  # next to the lower end
        (".1 .1 .2 .1 .5", "clear"),  # higher than it, but not next to it
        (".5 .1 .1 .2 .1", "blocked"),
        (".5 .4 .1 .1 .1", "clear"),  # next to the higher end, and lower than it
    ],
)
def test_an_obstacle_next_to_an_end_need_only_be_higher_than_that_end(column, expected):
    policy = SightPolicy(
        obstacles=(
            Obstacle("here", when("top > observer", "from_observer = 1")),
            Obstacle("there", when("top > target", "from_target = 1")),
        )
    )
    assert policy.blocks_alike_both_ways
    assert verdict(column, policy) == expected


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (".0 .1 .0 .0 .4", "clear"),  # the line is at 1 there
        (".0 .2 .0 .0 .4", "blocked"),
        (".0 .0 .0 .3 .4", "clear"),
        (".0 .0 .3 .0 .4", "blocked"),
        (".4 .0 .3 .0 .0", "blocked"),
    ],
)
def test_a_slope_from_eye_to_eye_by_counting_hexes(column, expected):
    assert verdict(column, rule("top > sight_line")) == expected


def test_a_slope_that_may_not_be_touched():
    assert verdict(".0 .1 .0 .0 .4", rule("top >= sight_line")) == "blocked"


@pytest.mark.parametrize(
    ("quantity", "column", "expected"),
    [
        # The line enters the second hex of five at 1/8 of its way up to 8: at height 1.
        ("sight_line_lowest", ".0 .1 .0 .0 .8", "clear"),
        ("sight_line_lowest", ".0 .2 .0 .0 .8", "blocked"),
        ("sight_line_middle", ".0 .2 .0 .0 .8", "clear"),
        ("sight_line_middle", ".0 .3 .0 .0 .8", "blocked"),
    ],
)
def test_a_slope_by_exact_position(quantity, column, expected):
    assert verdict(column, rule(f"top > {quantity}")) == expected


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        # 2(2·top − higher − lower) + from higher − from lower > 0
        (".0 .1 .0 .0 .2", "blocked"),  # 2(2−2) + 3 − 1 = 2
        (".0 .0 .0 .1 .2", "clear"),  # 2(2−2) + 1 − 3 = −2
        (".0 .0 .1 .0 .2", "clear"),  # 0
        (".2 .0 .0 .1 .0", "blocked"),
    ],
)
def test_dead_zone_by_formula(column, expected):
    assert verdict(column, rule("top > dead_zone")) == expected


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (".0 w0 .0 .0 .2", "blocked"),  # nearer the lower unit
        (".0 .0 w0 .0 .2", "blocked"),  # exactly midway
        (".0 .0 .0 w0 .2", "clear"),  # nearer the higher one
        (".2 .0 .0 w0 .0", "blocked"),
        (".0 .0 .0 w0 .0", "blocked"),  # on level ground woods block anywhere
    ],
)
def test_an_obstacle_nearer_the_lower_end_blocks(column, expected):
    policy = rule("top > lower_end", "from_lower_end <= from_higher_end", ground=WOODS, height=1)
    assert verdict(column, policy) == expected


@pytest.mark.parametrize(
    ("wall", "levels", "expected"),
    [
        ("0102/0103", ".0 .0 .0 .0", "blocked"),
        ("0101/0102", ".0 .0 .0 .0", "clear"),  # the observer's own hexside
        ("0103/0104", ".0 .0 .0 .0", "clear"),  # the target's
        ("0102/0103", ".1 .0 .0 .0", "clear"),  # he looks over it
        ("0102/0103", ".1 .1 .0 .1", "blocked"),  # it stands on the higher hex
    ],
)
def test_walls_of_half_a_level(wall, levels, expected):
    walls = SideObstacle(
        "wall",
        frozenset({"wall"}),
        when("top > higher_end", "from_observer > 0", "from_target > 0"),
        height=Fraction(1, 2),
    )
    assert verdict(levels, SightPolicy(sides=(walls,)), hexsides={"wall": wall}) == expected


@pytest.mark.parametrize(
    ("column", "expected", "hindrance"),
    [
        (". w w . .", "clear", 2),
        (". w w w .", "blocked", 3),
        (". . . . .", "clear", 0),
    ],
)
def test_hindrances_add_up_until_they_block(column, expected, hindrance):
    grain = Obstacle("grain", ground=WOODS, hinders=1)
    result = seen(column, SightPolicy(obstacles=(grain,), hindrance_blocks=3))
    assert (result.verdict, result.hindrance) == (expected, hindrance)


def test_range_by_weather_and_terrain():
    mist = RangeLimit(2, ends="target", ground=WOODS, name="woods hide")
    policy = SightPolicy(reach=Reach(4, limits=(mist,)))
    assert verdict(". . . . .", policy) == "clear"
    assert verdict(". . . . . .", policy) == "out_of_range"
    assert verdict(". . . w", policy) == "out_of_range"
    assert verdict("w . . .", policy) == "clear"


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (".3 .0 .0 .0 .0 .0", "clear"),  # 2 hexes and one for each of three levels
        (".0 .0 .0 .0 .0 .3", "out_of_range"),  # only who looks down sees farther
        (".9 .0 .0 .0 .0 .0 .0", "out_of_range"),  # never more than five
    ],
)
def test_who_looks_down_sees_farther(column, expected):
    assert verdict(column, SightPolicy(reach=Reach(2, per_level=1, cap=5))) == expected


def test_a_bonus_for_either_end_makes_sight_mutual():
    policy = SightPolicy(reach=Reach(2, per_level=1, bonus_for="either"))
    assert verdict(".0 .0 .0 .0 .0 .3", policy) == "clear"


def test_fog_in_the_valley_hides_and_blinds():
    fog = RangeLimit(0, level_to=2, name="fog")
    policy = SightPolicy(reach=Reach(6, limits=(fog,)))
    assert verdict(".3 .3 .3", policy) == "clear"
    assert verdict(".3 .1 .3", policy) == "clear"  # over it, not through it
    assert verdict(".3 .3 .2", policy) == "out_of_range"
    assert verdict(".2 .3", policy) == "out_of_range"


def test_fog_can_be_said_to_block_what_passes_through_it():
    fog = Obstacle("fog", when("level <= 2"))
    assert verdict(".3 .1 .3", SightPolicy(obstacles=(fog,))) == "blocked"


def along(left, right, policy):
    """0101 looks to 0202 along the hexside 0102/0201."""
    map_ = board(f".1 {right}1", f"{left}1 .1")
    one, other = map_.hex("0101"), map_.hex("0202")
    result = sight(map_, one, other, policy)
    assert any(event.kind == "along" for event in result.events)
    assert sight(map_, other, one, policy).verdict == result.verdict
    return map_, result


@pytest.mark.parametrize(
    ("left", "right", "both", "either"),
    [
        (".", ".", "clear", "clear"),
        ("w", ".", "clear", "blocked"),
        ("w", "w", "blocked", "blocked"),
    ],
)
def test_a_line_along_a_hexside(left, right, both, either):
    woods = (Obstacle("woods", ground=WOODS),)
    map_, result = along(left, right, SightPolicy(woods))
    assert result.verdict == both
    if both == "blocked":
        assert result.blocked_by == (Hexside.between(map_.hex("0102"), map_.hex("0201")),)
    assert along(left, right, SightPolicy(woods, along="either_blocks"))[1].verdict == either


def test_the_whole_hex_blocks_however_little_the_line_meets_of_it():
    map_ = board(*[". . . . . .", ". . w . . .", ". . . . . ."])
    woods = SightPolicy((Obstacle("woods", ground=WOODS),))
    wooded = map_.hex("0302")
    lengths = {
        event.end - event.start: sight(map_, a, b, woods).verdict
        for a in map_.hexes
        for b in map_.hexes
        if wooded not in (a, b)
        for event in sight(map_, a, b, woods).events
        if event.kind == "through" and event.hexes == (wooded,)
    }
    assert min(lengths) <= Fraction(1, 10)
    assert set(lengths.values()) == {"blocked"}


def test_inherent_terrain_fills_its_hex_to_the_rim():
    woods = SightPolicy((Obstacle("woods", ground=WOODS, inherent=True),))
    assert along("w", ".", woods)[1].verdict == "blocked"
    assert along(".", ".", woods)[1].verdict == "clear"


def touched(map_, hex_):
    """All lines of a map that only touch a hex."""
    return [
        (a, b)
        for a in map_.hexes
        for b in map_.hexes
        if hex_ not in (a, b)
        and any(
            event.kind == "touch" and event.hexes == (hex_,)
            for event in sight(map_, a, b, SightPolicy()).events
        )
    ]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (SightPolicy((Obstacle("woods", ground=WOODS),)), "clear"),
        (SightPolicy((Obstacle("woods", ground=WOODS),), touch="blocks"), "blocked"),
        (SightPolicy((Obstacle("woods", ground=WOODS, inherent=True),)), "blocked"),
    ],
)
def test_a_line_that_only_touches_a_vertex(policy, expected):
    map_ = board(*[". . . . . .", ". . w . . .", ". . . . . ."])
    pairs = touched(map_, map_.hex("0302"))
    assert pairs
    assert {sight(map_, a, b, policy).verdict for a, b in pairs} == {expected}


def test_neighbours_always_see_each_other_where_the_rule_says_so():
    wall = SideObstacle("wall", frozenset({"wall"}))
    for clear, expected in [(True, "clear"), (False, "blocked")]:
        policy = SightPolicy(sides=(wall,), adjacent_clear=clear)
        assert verdict(". .", policy, hexsides={"wall": "0101/0102"}) == expected


def test_a_wall_blocks_a_line_along_it_only_where_it_lies_in_the_way():
    map_ = board(". .", ". .", hexsides={"wall": "0102/0201"})
    for lying, expected in [(False, "clear"), (True, "blocked")]:
        policy = SightPolicy(sides=(SideObstacle("wall", frozenset({"wall"}), lying=lying),))
        assert sight(map_, map_.hex("0101"), map_.hex("0202"), policy).verdict == expected


@pytest.mark.parametrize(
    ("sides", "any_", "both_ways"),
    [
        ("0101/0102", "blocked", "clear"),
        ("0101/0102 0101/0201", "blocked", "blocked"),
        ("0103/0102", "clear", "clear"),
    ],
)
def test_walls_that_end_where_the_line_slips_between_two_hexes(sides, any_, both_ways):
    map_ = board(". .", ". .", ". .", hexsides={"wall": sides})
    for at_vertex, expected in [("ignored", "clear"), ("any", any_), ("both_ways", both_ways)]:
        walls = SideObstacle("wall", frozenset({"wall"}), at_vertex=at_vertex)
        result = sight(map_, map_.hex("0101"), map_.hex("0202"), SightPolicy(sides=(walls,)))
        assert result.verdict == expected


def test_woods_that_block_only_at_the_level_of_an_end():
    higher = rule("level = higher_end", ground=WOODS)
    assert verdict(".4 w4 .2", higher) == "blocked"
    assert verdict(".4 w2 .2", higher) == "clear"
    either = SightPolicy(
        obstacles=(
            Obstacle("woods", when("level = observer"), WOODS),
            Obstacle("woods", when("level = target"), WOODS),
        )
    )
    assert verdict(".4 w2 .2", either) == "blocked"
    assert verdict(".4 w3 .2", either) == "clear"


def test_ground_that_takes_its_level_from_its_neighbours():
    crags = SightPolicy((HILLS,), borrowed=(BorrowedLevel(WOODS, frozenset({"clear"})),))
    map_ = board(".1 .1 .1", ".1 w9 .3", ".1 .1 .1")
    assert sight(map_, map_.hex("0201"), map_.hex("0203"), crags).verdict == "blocked"
    flat = board(".1 .1 .1", ".1 w9 .1", ".1 .1 .1")
    assert sight(flat, flat.hex("0201"), flat.hex("0203"), crags).verdict == "clear"


def test_an_upper_floor_sees_farther():
    policy = SightPolicy(
        (Obstacle("woods", when("top > higher_end"), WOODS, height=1),),
        ends=(EndHeight(frozenset({"town"}), 1),),
    )
    assert verdict(".0 w0 .0", policy) == "blocked"
    assert verdict("T0 w0 .0", policy) == "clear"
