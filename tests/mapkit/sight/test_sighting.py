"""One line of sight: its working, its symmetry, and shapely in whole numbers as the oracle."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString, Polygon

from mapkit.errors import UnknownHexError
from mapkit.hexes import ORIGIN, Hex, Hexside, disc, vertices
from mapkit.lines import LinePoint
from mapkit.model import Feature
from mapkit.sight import (
    BorrowedLevel,
    Lookout,
    Obstacle,
    RangeLimit,
    Reach,
    SideObstacle,
    SightGround,
    SightPolicy,
    field_of_view,
    margin,
    pack_table,
    profile,
    sight,
    sight_table,
    unpack_table,
    when,
)
from mapkit.sight.boards import SightBoards
from tests.boards import board, field

WOODS = frozenset({"woods"})
POLICY = SightPolicy(
    obstacles=(
        Obstacle("hill", when("level > higher_end")),
        Obstacle("woods", when("level = higher_end"), WOODS),
    ),
    reach=Reach(6, per_level=1),
)


def test_the_working_holds_every_number_compared():
    map_ = board(".2", ".4", "w3", ".3")
    seen = sight(map_, map_.hex("0101"), map_.hex("0104"), POLICY)
    assert seen.verdict == "blocked"
    assert [map_.label(place) for place in seen.blocked_by] == ["0102", "0103"]
    told = [
        (
            map_.label(finding.place),
            finding.obstacle.name,
            [f"{c.comparison}: {c.left} {c.right}" for c in finding.compared],
            finding.holds,
        )
        for passed in seen.passed
        for finding in passed.findings
    ]
    assert told == [
        ("0102", "hill", ["level > higher_end: 4 3"], True),
        ("0103", "hill", ["level > higher_end: 3 3"], False),
        ("0103", "woods", ["level = higher_end: 3 3"], True),
    ]
    assert (seen.distance, seen.allowed.hexes, seen.heights) == (3, 6, (2, 3))


def test_beyond_range_the_blockers_are_still_named():
    map_ = board(*[".0", ".5", ".0", ".0", ".0", ".0", ".0", ".0"])
    seen = sight(map_, map_.hex("0101"), map_.hex("0108"), POLICY)
    assert seen.verdict == "out_of_range"
    assert seen.blocked_by == (map_.hex("0102"),)


@pytest.mark.parametrize(
    ("column", "verdict", "unknown"),
    [
        (".2 . .2", "unknown", ["0102"]),  # no level: it may be higher
        (".2 ?2 .2", "unknown", ["0102"]),  # it may be woods
        (".2 ?1 .2", "clear", []),  # too low, woods or not
        (".2 . .3 .2", "blocked", ["0102"]),
        (". .2 .2", "unknown", ["0102"]),
    ],
)
def test_what_the_map_does_not_know_is_not_guessed(column, verdict, unknown):
    words = column.split()
    map_ = board(*words)
    seen = sight(map_, map_.hex("0101"), map_.hex(f"01{len(words):02}"), POLICY)
    assert seen.verdict == verdict
    assert [map_.label(place) for place in seen.unknown] == unknown


def test_an_unknown_height_may_carry_farther():
    map_ = board(". .3", *[".0 .0"] * 7)
    plain = SightPolicy(reach=Reach(6, per_level=1))
    assert sight(map_, map_.hex("0101"), map_.hex("0108"), plain).verdict == "unknown"
    flat = board(". .0", *[".0 .0"] * 7)  # a level unread lies between those of the map
    assert sight(flat, flat.hex("0101"), flat.hex("0108"), plain).verdict == "out_of_range"
    capped = SightPolicy(reach=Reach(6, per_level=1, cap=6))
    assert sight(map_, map_.hex("0101"), map_.hex("0108"), capped).verdict == "out_of_range"


def test_a_hex_off_the_map_is_an_error_and_off_it_nothing_blocks():
    map_ = board(".1 _ .1")
    with pytest.raises(UnknownHexError):
        sight(map_, map_.hex("0101"), Hex(40, 40), POLICY)
    assert sight(map_, map_.hex("0101"), map_.hex("0301"), POLICY).verdict == "clear"


def test_a_peak_beside_the_centre_looks_past_what_blocks_the_centre():
    map_ = board(". . .", ". w .", ". . .", ". . .")
    woods = SightPolicy((Obstacle("woods", ground=WOODS),))
    a, b = map_.hex("0201"), map_.hex("0203")
    assert sight(map_, a, b, woods).verdict == "blocked"
    corner = LinePoint.at(vertices(a)[5])
    assert sight(map_, a, b, woods, start=corner).verdict == "blocked"
    beside = LinePoint(corner.q, corner.r)
    assert sight(map_, a, map_.hex("0303"), woods, start=beside).verdict == "clear"


terrains = st.sampled_from([".0", ".1", ".2", "w0", "w1", "w2"])
SIZE = 6


@given(st.lists(terrains, min_size=SIZE * SIZE, max_size=SIZE * SIZE), st.data())
def test_shapely_in_whole_numbers_gives_the_same_verdict(words, data):
    rows = [" ".join(words[at : at + SIZE]) for at in range(0, SIZE * SIZE, SIZE)]
    map_ = board(*rows)
    places = st.sampled_from(sorted(map_.hexes))
    a, b = data.draw(places), data.draw(places)
    seen = sight(map_, a, b, SightPolicy(POLICY.obstacles))
    assert seen.verdict == ("clear" if _clear_by_shapely(map_, a, b) else "blocked")
    assert sight(map_, b, a, SightPolicy(POLICY.obstacles)).verdict == seen.verdict


def _whole(hex_, corner=(0, 0)):
    """Whole-number coordinates, sheared: straight lines stay straight, and nothing is rounded."""
    return 3 * (hex_.q * 3) + corner[0], 3 * (hex_.r * 3) + corner[1]


def _polygon(hex_):
    corners = [(3 * (a.q + b.q + c.q), 3 * (a.r + b.r + c.r)) for a, b, c in vertices(hex_)]
    return Polygon(corners)


def _clear_by_shapely(map_, a, b):
    if a == b:
        return True
    line = LineString([_whole(a), _whole(b)])
    top = max(map_[a].level, map_[b].level)

    def blocks(hex_):
        ground = map_.hexes.get(hex_)
        return ground is not None and (
            ground.level > top or (ground.terrain == "woods" and ground.level == top)
        )

    inside, beside = set(), []
    for hex_ in {hex_ for end in (a, b) for hex_ in disc(end, 12)} - {a, b}:
        polygon = _polygon(hex_)
        if line.relate_pattern(polygon, "T********"):
            inside.add(hex_)
        else:
            shared = line.intersection(polygon)
            if shared.length > 0:
                beside.append((hex_, shared.normalize().wkt))
    runs = {}
    for hex_, where in beside:
        runs.setdefault(where, set()).add(hex_)
    both = any(len(pair) == 2 and all(map(blocks, pair)) for pair in runs.values())
    return not both and not any(map(blocks, inside))


def _float_distance(map_, seen, hex_):
    grid = map_.grid
    line = LineString([grid.centre(seen.observer), grid.centre(seen.target)])
    return line.distance(Polygon(grid.polygon(hex_))) / grid.pitch_px(ORIGIN)


@given(st.lists(terrains, min_size=SIZE * SIZE, max_size=SIZE * SIZE), st.data())
def test_the_margin_of_a_clear_line_is_the_distance_to_what_would_block(words, data):
    rows = [" ".join(words[at : at + SIZE]) for at in range(0, SIZE * SIZE, SIZE)]
    map_ = board(*rows)
    places = st.sampled_from(sorted(map_.hexes))
    a, b = data.draw(places), data.draw(places)
    ground = SightGround(map_, SightPolicy(POLICY.obstacles, adjacent_clear=False))
    seen = sight(ground, a, b)
    close = margin(ground, seen)
    if seen.verdict != "clear" or a == b:
        return
    top = max(map_[a].level, map_[b].level)
    would = [
        _float_distance(map_, seen, hex_)
        for hex_, here in map_.hexes.items()
        if hex_ not in (a, b)
        and (here.level > top or (here.terrain == "woods" and here.level == top))
    ]
    if close is None:
        assert not would or min(would) > 1
    else:
        assert close.hexes == pytest.approx(min(would), abs=1e-6)


def test_the_margin_of_a_blocked_line_is_the_way_round():
    map_ = board(*field(5, 5))
    woods = board(". . . . .", ". . . . .", ". . w . .", ". . . . .", ". . . . .")
    ground = SightGround(woods, SightPolicy((Obstacle("woods", ground=WOODS),)))
    straight = margin(ground, sight(ground, map_.hex("0301"), map_.hex("0305")))
    # Through the middle of a hex one must go round by half its corner-to-corner width.
    assert straight.hexes == pytest.approx(1 / 3**0.5)
    assert straight.place == map_.hex("0303")


def test_on_one_side_of_a_hexside_the_margin_is_nothing():
    map_ = board(".1 w1", ".1 .1")
    ground = SightGround(map_, SightPolicy((Obstacle("woods", ground=WOODS),)))
    seen = sight(ground, map_.hex("0101"), map_.hex("0202"))
    assert seen.verdict == "clear"
    assert margin(ground, seen).squared == 0


def test_the_profile_shows_the_ground_the_rule_reads():
    map_ = board(".1 w1", ".2 .2")
    policy = SightPolicy((Obstacle("woods", when("top > higher_end"), WOODS, height=2),))
    ground = SightGround(map_, policy)
    steps = profile(ground, sight(ground, map_.hex("0101"), map_.hex("0202")))
    assert [(step.level, step.top, step.blocks) for step in steps] == [
        (1, 1, False),
        (2, 2, False),  # woods stand higher: on a hexside one looks past the lower
        (2, 2, False),
    ]
    either = SightGround(map_, SightPolicy(policy.obstacles, along="either_blocks"))
    steps = profile(either, sight(either, map_.hex("0101"), map_.hex("0202")))
    assert (steps[1].level, steps[1].top, steps[1].blocks) == (1, 3, True)


def test_what_hinders_is_named_where_hindrances_block_together():
    map_ = board(*[".", "w", "w", "."])
    grain = SightPolicy((Obstacle("grain", ground=WOODS, hinders=1),), hindrance_blocks=2)
    seen = sight(map_, map_.hex("0101"), map_.hex("0104"), grain)
    assert seen.verdict == "blocked"
    assert [map_.label(place) for place in seen.blocked_by] == ["0102", "0103"]
    maybe = board(*[".", "w", "?", "."])
    seen = sight(maybe, maybe.hex("0101"), maybe.hex("0104"), grain)
    assert seen.verdict == "unknown"
    assert [maybe.label(place) for place in seen.unknown] == ["0103"]


def test_an_unknown_range_names_the_ends():
    map_ = board(". .3", *[".0 .0"] * 7)
    seen = sight(map_, map_.hex("0101"), map_.hex("0108"), SightPolicy(reach=Reach(6, per_level=1)))
    assert [map_.label(place) for place in seen.unknown] == ["0101", "0108"]


def test_at_a_vertex_the_side_that_blocks_is_named():
    walls = SideObstacle("wall", frozenset({"wall"}), at_vertex="any")
    map_ = board(*field(6, 3), hexsides={"wall": "0201/0301"})
    pairs = [(a, b) for a in map_.hexes for b in map_.hexes if a != b]
    named = {
        place
        for a, b in pairs
        for place in sight(map_, a, b, SightPolicy(sides=(walls,))).blocked_by
    }
    assert named == {Hexside.between(map_.hex("0201"), map_.hex("0301"))}


def test_a_wall_one_way_round_and_a_hedge_the_other_leave_no_way():
    map_ = board(". .", ". .", hexsides={"wall": "0101/0102", "hedge": "0101/0201"})
    sides = (SideObstacle("w", frozenset({"wall"})), SideObstacle("h", frozenset({"hedge"})))
    assert sight(map_, map_.hex("0101"), map_.hex("0202"), SightPolicy(sides=sides)).blockers
    assert sight(map_, map_.hex("0101"), map_.hex("0202"), SightPolicy(sides=sides[:1])).clear


def test_a_hex_and_a_hexside_equally_near_are_no_trouble():
    map_ = board(".1 .1 .1", ".1 .1 .4", ".1 .1 .1", hexsides={"wall": "0202/0302"})
    walls = SideObstacle("wall", frozenset({"wall"}))
    ground = SightGround(map_, SightPolicy(POLICY.obstacles, (walls,)))
    close = margin(ground, sight(ground, map_.hex("0201"), map_.hex("0203")))
    assert close.place == map_.hex("0302")


def test_levels_for_sight_alone_are_lent_too():
    map_ = board(".1 .1 .1", ".1 w9 .1", ".1 .1 .1")
    policy = SightPolicy(POLICY.obstacles[:1], borrowed=(BorrowedLevel(WOODS),))
    a, b = map_.hex("0201"), map_.hex("0203")
    assert sight(SightGround(map_, policy), a, b).clear
    raised = SightGround(map_, policy, {map_.hex("0302"): 5})
    assert sight(raised, a, b).blocked_by == (map_.hex("0202"),)


def test_a_policy_that_makes_no_sense_is_refused():
    for make in (
        lambda: SightPolicy(hindrance_blocks=0),
        lambda: Obstacle("x", hinders=0),
        lambda: Obstacle("x", hinders=1, inherent=True),
        lambda: SideObstacle("x", frozenset(), hinders=-1),
        lambda: Reach(-1),
        lambda: Reach(per_level=-1),
        lambda: RangeLimit(-1),
    ):
        with pytest.raises(ValueError, match=r"or more|not settled"):
            make()


def test_two_policies_at_once_are_refused():
    map_ = board(".1 .1")
    ground = SightGround(map_, POLICY)
    a, b = map_.hex("0101"), map_.hex("0201")
    for ask in (
        lambda: sight(ground, a, b, POLICY),
        lambda: sight(map_, a, b),
        lambda: sight_table(SightBoards.lay_out(ground), within=3),
        lambda: field_of_view(Lookout.over(ground), a, within=3),
    ):
        with pytest.raises(TypeError, match="policy"):
            ask()


def test_a_table_knows_its_map_from_what_lies_beside_it():
    map_ = board(". .", ". .")
    beyond = map_.hex("0101").step(2)
    map_ = replace(map_, hexsides={Hexside.between(map_.hex("0101"), beyond): (Feature("wall"),)})
    policy = SightPolicy(sides=(SideObstacle("wall", frozenset({"wall"})),), reach=Reach(2))
    table = sight_table(map_, policy)
    for one in (table, unpack_table(pack_table(table))):
        assert one.sees(map_.hex("0101"), map_.hex("0202"))
        with pytest.raises(UnknownHexError):
            one.sees(map_.hex("0101"), beyond)


def test_a_profile_does_not_guess_what_may_stand_there():
    map_ = board(*[".1", "?1", ".1"])
    policy = SightPolicy((Obstacle("woods", ground=WOODS, height=1),))
    ground = SightGround(map_, policy)
    steps = profile(ground, sight(ground, map_.hex("0101"), map_.hex("0103")))
    assert [step.top for step in steps] == [1, None, 1]
