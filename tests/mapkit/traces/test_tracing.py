"""Traces: examples drawn in letters, and every random world against a slow, simple judge."""

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mapkit.hexes import Hexside, Link
from mapkit.traces import (
    Block,
    Blockade,
    Leg,
    Network,
    Obstacle,
    Route,
    find_culprits,
    find_path,
    labels,
    map_edge,
    open_hexes,
    trace,
    trace_each,
    trace_from_any,
    zone_around,
)
from mapkit.traces.charts import Chart
from tests.boards import field
from tests.mapkit.traces.table import Table
from tests.mapkit.traces.worlds import Judge, random_world

seeds = st.integers(0, 2**32)


def roads_and_country(table, *, most=2, **road):
    roads = Network.along(table.board, table.links("road"))
    return Route(
        (
            Leg("off-road", table.open, most_hexes=most),
            Leg("road", roads, joins=roads.hexes, **road),
        )
    )


ROAD = {"links": {"road": "0103-0203-0303-0402-0502"}}


@pytest.mark.parametrize(
    ("start", "path"),
    [
        pytest.param("0101", "0101 0102 0103 0203 0303 0402 0502", id="two hexes to the road"),
        pytest.param("0303", "0303 0402 0502", id="on the road already"),
        pytest.param("0502", "0502", id="on the source"),
        pytest.param("0205", "0205 0204 0203 0303 0402 0502", id="not counting its own hex"),
        pytest.param("0206", None, id="three hexes are too far"),
    ],
)
def test_off_road_and_then_any_length_by_road(start, path):
    table = Table(*field(5, 6), **ROAD)
    blockade = Blockade(roads_and_country(table))
    sources = table.bits("0502")
    assert table.path(find_path(blockade, table.bits(start), sources)) == path
    assert bool(open_hexes(blockade, sources) & table.bits(start)) == (path is not None)


def test_the_path_tells_legs_and_running_costs():
    table = Table(*field(5, 6), **ROAD)
    half = Network.along(table.board, table.links("road"), cost=Fraction(1, 2))
    route = Route((Leg("off-road", table.open, most_hexes=2), Leg("road", half, joins=half.hexes)))
    path = trace(Blockade(route), table.hex("0101"), table.bits("0502")).path
    assert [(s.leg, s.leg_hexes, s.leg_points, s.points) for s in path.steps] == [
        ("off-road", 0, 0, 0),
        ("off-road", 1, 1, 1),
        ("off-road", 2, 2, 2),
        ("road", 1, Fraction(1, 2), Fraction(5, 2)),
        ("road", 2, 1, 3),
        ("road", 3, Fraction(3, 2), Fraction(7, 2)),
        ("road", 4, 2, 4),
    ]
    assert path.points == 4
    assert len(path.leg("road")) == 4
    assert table.map.label(path.source) == "0502"


def test_equals_are_settled_by_the_lower_direction():
    """Three ways of two hexes lead around; flat-top direction 0 is south-east, 1 north-east."""
    table = Table(*field(3, 3))
    blockade = Blockade(Route((Leg("any", table.open),)))
    path = find_path(blockade, table.bits("0102"), table.bits("0302"))
    assert table.path(path) == "0102 0202 0302"
    back = find_path(blockade, table.bits("0302"), table.bits("0102"))
    assert table.path(back) == "0302 0201 0102"


def test_a_friend_negates_zones_off_road_only():
    """The enemy at 0204 controls 0104, the only way to the road, and the hex 0105 of the road.

    Off the road a friend in 0104 lets the line pass; on the road none does.
    """
    table = Table(". _", ". _", ". _", ". .", ". _", links={"road": "0101-0102-0103 0104-0105"})
    enemy = table.unit("0204")
    assert table.board.labels(enemy.blocks[0].zone, table.map) == ("0104", "0105")
    route = roads_and_country(table, most=2)
    start, sources = table.hex("0105"), table.bits("0101")
    cut = Blockade(route, (enemy,))
    helped = Blockade(route, (enemy,), {"off-road": table.bits("0104 0105")})
    assert trace(cut, start, sources).culprits.sets == (("0204",),)
    assert table.path(trace(helped, start, sources).path) == "0105 0104 0103 0102 0101"
    on_road = Blockade(route, (enemy,), {"off-road": table.bits("0104")})
    north = table.hex("0103")
    assert trace(on_road, north, table.bits("0105")).culprits.sets == (("0204",),)


def test_an_exemption_never_covers_the_hex_of_the_enemy_itself():
    table = Table(". . .")
    route = Route((Leg("any", table.open),))
    row = replace(table.unit("0201"), blocks=(Block(occupied=table.bits("0201")),))
    blockade = Blockade(route, (row,), {"any": table.bits("0201")})
    assert trace(blockade, table.hex("0101"), table.bits("0301")).verdict == "cut"


def test_the_road_leg_may_mind_neighbours_where_the_country_minds_zones():
    """A gun has no zone, but no hex of the road leg may touch it."""
    table = Table(*field(5, 3), links={"road": "0101-0201-0301-0401-0501"})
    roads = Network.along(table.board, table.links("road"))
    route = Route((Leg("off-road", table.open), Leg("road", roads, joins=roads.hexes)))
    gun = table.bits("0303")
    blocks = (
        Block(occupied=gun, legs=("off-road",)),
        Block(occupied=gun | zone_around(table.board, table.hex("0302")), legs=("road",)),
    )
    blockade = Blockade(route, (Obstacle("gun", blocks),))
    path = find_path(blockade, table.bits("0101"), table.bits("0501"))
    assert [step.leg for step in path.steps[1:]] == ["off-road"] * 4


@pytest.mark.parametrize(
    ("start", "verdict"),
    [
        pytest.param("0102", "open", id="the first hexside may be crags"),
        pytest.param("0103", "no_way", id="a later one may not"),
    ],
)
def test_crags_can_be_crossed_beside_the_unit_only(start, verdict):
    """Crags shut off the top hex of a lane one hex wide."""
    table = Table(".", ".", ".", hexsides={"crags": "0101/0102"})
    calm = Network.build(table.board, lambda a, b: None if table.has("crags", a, b) else 1)
    route = Route((Leg("line", calm, first=table.open),))
    blockade = Blockade(route)
    sources = table.bits("0101")
    assert trace(blockade, table.hex(start), sources).verdict == verdict
    assert bool(open_hexes(blockade, sources) & table.bits(start)) == (verdict == "open")


def crossing(table, *bridges):
    """Return a rule: a river is crossed only by these kinds of bridge."""

    def cost(here, there):
        if table.has("river", here, there):
            return 1 if any(table.has(kind, here, there) for kind in bridges) else None
        return 1

    return cost


@pytest.mark.parametrize(
    ("bridge", "on_foot", "by_road"),
    [("bridge", True, True), ("footbridge", True, False), ("ford", False, False)],
)
def test_footbridges_carry_a_line_on_foot_but_not_by_road(bridge, on_foot, by_road):
    table = Table(
        ". .",
        links={"road": "0101-0201"},
        hexsides={"river": "0101/0201", bridge: "0101/0201"},
    )
    walk = Network.build(table.board, crossing(table, "bridge", "footbridge"))
    roads = set(table.links("road"))
    drive_rule = crossing(table, "bridge")
    drive = Network.build(
        table.board, lambda a, b: drive_rule(a, b) if Link.between(a, b) in roads else None
    )
    ends = table.hex("0101"), table.bits("0201")
    assert trace(Blockade(Route((Leg("foot", walk),))), *ends).is_open == on_foot
    assert trace(Blockade(Route((Leg("road", drive),))), *ends).is_open == by_road


def test_a_cliff_is_climbed_down_but_not_up():
    table = Table("2", "1")
    down = Network.build(
        table.board, lambda a, b: 1 if table.map[a].level >= table.map[b].level else None
    )
    blockade = Blockade(Route((Leg("line", down),)))
    assert trace(blockade, table.hex("0101"), table.bits("0102")).is_open
    assert trace(blockade, table.hex("0102"), table.bits("0101")).verdict == "no_way"
    turned = Blockade(Route((Leg("line", down.reversed()),)))
    assert trace(turned, table.hex("0102"), table.bits("0101")).is_open


def test_both_limits_at_once_need_more_than_the_cheapest_way():
    r"""Two stretches, each with a short dear way (1 hex, 3 points) and a long cheap one (2 and 2).

        0101 ----- 0102 ----- 0103      straight down: 2 hexes, 6 points
            \ 0201 /   \ 0202 /         around twice:  4 hexes, 4 points
                                        one of each:   3 hexes, 5 points

    Within 3 hexes and 5 points only a mixed way will do. The cheapest way to 0102 goes around,
    the shortest goes straight: keeping but one of them and its count is what Dijkstra would do.
    """
    table = Table(". .", ". .", ". _")
    dear = {
        Link.between(table.hex(a), table.hex(b)) for a, b in (("0101", "0102"), ("0102", "0103"))
    }
    ground = Network.build(table.board, lambda a, b: 3 if Link.between(a, b) in dear else 1)
    start, sources = table.hex("0101"), table.bits("0103")
    shut = Obstacle(
        "ridge", (Block(hexsides=(Hexside.between(table.hex("0201"), table.hex("0202")),)),)
    )

    def asked(**limits):
        blockade = Blockade(Route((Leg("line", ground, **limits),)), (shut,))
        path = find_path(blockade, table.board.bit(start), sources)
        assert bool(open_hexes(blockade, sources) & table.board.bit(start)) == bool(path)
        return path and (len(path.hexes) - 1, path.points)

    assert asked(most_hexes=4) == (2, 6)
    assert asked(most_points=6) == (4, 4)
    assert asked(most_hexes=3, most_points=5) == (3, 5)
    assert asked(most_hexes=2, most_points=6) == (2, 6)
    assert asked(most_hexes=3, most_points=4) is None
    assert asked(most_hexes=2, most_points=5) is None


def test_a_trace_may_pass_one_hex_in_a_zone_and_no_more():
    table = Table(*field(7, 1))
    enemies = (
        Obstacle("a", (Block(zone=table.bits("0301")),)),
        Obstacle("b", (Block(zone=table.bits("0501")),)),
    )
    leg = Leg("line", table.open, zones="count")
    ends = table.hex("0101"), table.bits("0701")
    once, twice = Route((leg,), most_zones=1), Route((leg,), most_zones=2)
    found = trace(Blockade(once, enemies), *ends)
    assert found.culprits.sets == (("a",), ("b",))
    path = trace(Blockade(twice, enemies), *ends).path
    assert [step.zones for step in path.steps] == [0, 0, 1, 1, 2, 2, 2]
    assert trace(Blockade(once, enemies[:1]), *ends).is_open
    assert not trace(Blockade(replace(once, most_zones=0), enemies[:1]), *ends).is_open


@pytest.mark.parametrize("turned", [False, True], ids=["there", "back"])
def test_a_longer_way_that_spares_a_zone_is_not_forgotten(turned):
    """Straight down through a zone or around it, and then there is another zone to pass."""
    table = Table(". _", ". .", ". .", ". _", ". _", ". _")
    zones = Obstacle("a", (Block(zone=table.bits("0103 0105")),))
    blockade = Blockade(Route((Leg("line", table.open, zones="count"),), most_zones=1), (zones,))
    start, source = ("0106", "0101") if turned else ("0101", "0106")
    ends = table.bits(start), table.bits(source)
    around = ["0101", "0102", "0202", "0203", "0104", "0105", "0106"]
    assert table.path(find_path(blockade, *ends)) == " ".join(around[::-1] if turned else around)
    assert open_hexes(blockade, ends[1]) & ends[0]
    assert find_culprits(blockade, *ends).sets == ((),)


def test_the_map_edge_is_a_source():
    table = Table(*field(5, 5))
    west = map_edge(table.board, 3, 4)
    assert table.board.labels(west, table.map) == ("0101", "0102", "0103", "0104", "0105")
    path = trace(Blockade(Route((Leg("line", table.open),))), table.hex("0303"), west).path
    assert len(path.hexes) == 3
    hollow = Table(". . .", ". _ .", ". . .")
    assert map_edge(hollow.board) == hollow.board.everything
    assert hollow.board.labels(map_edge(hollow.board, 3, 4), hollow.map) == ("0101", "0102", "0103")


def test_a_chain_goes_through_headquarters():
    """The unit within two hexes of headquarters, headquarters anywhere by rail."""
    table = Table(*field(6, 3), links={"rail": "0302-0401-0501-0601"})
    rails = Network.along(table.board, table.links("rail"))
    ends = table.hex("0102"), table.bits("0601")
    for headquarters, open_ in (("0302", True), ("0303", False)):
        joins = table.bits(headquarters)
        route = Route((Leg("unit", table.open, most_hexes=2), Leg("rail", rails, joins=joins)))
        assert trace(Blockade(route), *ends).is_open == open_


def test_a_line_may_have_to_stay_on_ground_one_holds():
    """No unit is to blame for ground that is not held, and none is named."""
    table = Table(". . . .")
    held = table.bits("0201 0301")
    enemy = Obstacle("enemy", (Block(occupied=table.bits("0401")),))
    blockade = Blockade(Route((Leg("line", table.open, over=held),)), (enemy,))
    assert trace(blockade, table.hex("0101"), table.bits("0301")).is_open
    assert trace(blockade, table.hex("0101"), table.bits("0401")).verdict == "no_way"


def test_command_range_counts_halves_from_the_commander():
    """Three road hexes and two others: 3 1/2 points; the commander's own hex does not count."""
    table = Table(". . . . . . .", links={"road": "0101-0201-0301-0401"})
    on_road = {hex_ for link in table.links("road") for hex_ in link}
    price = Network.build(table.board, lambda _, to: Fraction(1, 2) if to in on_road else 1)
    leg = Leg("span", price, most_points=Fraction(7, 2))
    commander = table.hex("0101")
    path = trace(Blockade(Route((leg,))), commander, table.bits("0601")).path
    assert path.points == Fraction(7, 2)
    assert not trace(Blockade(Route((leg,))), commander, table.bits("0701")).is_open
    back = Blockade(Route((replace(leg, network=price.reversed()),)))
    commanded = open_hexes(back, table.board.bit(commander))
    assert table.board.labels(commanded, table.map)[-1] == "0601"


def test_the_start_is_free_unless_a_leg_says_otherwise():
    table = Table(". . .")
    enemy = Obstacle("enemy", (Block(zone=table.bits("0101")),))
    ends = table.hex("0101"), table.bits("0301")
    leg = Leg("line", table.open)
    assert trace(Blockade(Route((leg,)), (enemy,)), *ends).is_open
    strict = Blockade(Route((replace(leg, start_is_free=False),)), (enemy,))
    assert trace(strict, *ends).culprits.sets == (("enemy",),)


def test_many_starts_and_each_of_them():
    table = Table(*field(5, 1))
    blockade = Blockade(Route((Leg("line", table.open, most_hexes=2),)))
    sources = table.bits("0501")
    best = trace_from_any(blockade, table.bits("0101 0301 0401"), sources)
    assert table.path(best.path) == "0401 0501"
    each = trace_each(blockade, [table.hex("0101"), table.hex("0301")], sources)
    assert [found.verdict for found in each.values()] == ["no_way", "open"]


def test_what_does_not_fit_is_refused():
    table, other = Table(". ."), Table(". .")
    leg = Leg("line", table.open)
    with pytest.raises(ValueError, match="names of their own"):
        Route((leg, leg))
    with pytest.raises(ValueError, match="names of their own"):
        Route(())
    with pytest.raises(ValueError, match="one and the same Board"):
        Route((leg, Leg("other", other.open)))
    with pytest.raises(ValueError, match=r"no leg is called \['road'\]"):
        Blockade(Route((leg,)), exempt={"road": 0})
    twice = (Obstacle("a", ()), Obstacle("a", ()))
    with pytest.raises(ValueError, match="same id"):
        Blockade(Route((leg,)), twice)


def compare_all_hexes(seed):
    """Compare the flood, the single trace and the judge on every hex of a random world."""
    world = random_world(seed)
    blockade, sources = world.blockade, world.board.of(world.sources)
    found = open_hexes(blockade, sources)
    judge = Judge(world)
    for hex_ in world.hexes:
        bit = world.board.bit(hex_)
        is_open = judge.is_open(hex_)
        assert bool(found & bit) == is_open
        assert (find_path(blockade, bit, sources) is not None) == is_open


@settings(max_examples=60)
@given(seeds)
def test_the_whole_map_is_what_single_traces_and_the_judge_say(seed):
    compare_all_hexes(seed)


@pytest.mark.slow
def test_the_whole_map_in_many_more_worlds():
    for seed in range(10_000, 10_400):
        compare_all_hexes(seed)


@settings(max_examples=200)
@given(seeds)
def test_the_path_is_the_best_there_is(seed):
    world = random_world(seed)
    start = random.Random(seed).choice(world.hexes)
    path = find_path(world.blockade, world.board.bit(start), world.board.of(world.sources))
    told = path and (path.hexes, tuple(step.leg for step in path.steps[1:]))
    assert told == Judge(world).best_path(start)


@settings(max_examples=100)
@given(seeds)
def test_running_costs_add_up_and_keep_the_limits(seed):
    world = random_world(seed)
    rules = {rule.name: rule for rule in world.legs}
    start = random.Random(seed).choice(world.hexes)
    path = find_path(world.blockade, world.board.bit(start), world.board.of(world.sources))
    for before, step in zip(path.steps, path.steps[1:], strict=False) if path else ():
        rule = rules[step.leg]
        first = before is path.steps[0] and rule.first is not None
        price = (rule.first if first else rule.prices)[before.hex, step.hex]
        assert step.cost == price
        assert step.points == before.points + price
        assert rule.most_hexes is None or step.leg_hexes <= rule.most_hexes
        assert rule.most_points is None or step.leg_points <= rule.most_points
        assert step.zones <= world.most_zones


def test_charts_and_labels_agree_on_a_map_of_some_size():
    """Two searches that share nothing but the rule find the same path from every hex."""
    dice = random.Random(5)
    table = Table(*field(14, 12), links={"road": "0105-0205-0305-0404-0504-0603-0703-0803-0903"})
    route = roads_and_country(table, most=4)
    enemies = tuple(
        table.unit(table.map.label(hex_)) for hex_ in dice.sample(sorted(table.map.hexes), 6)
    )
    blockade = Blockade(route, enemies, {"off-road": table.bits("0305 0306 0404")})
    sources = table.bits("0105 0903")
    chart = Chart(blockade, sources)
    found = 0
    for hex_ in table.map.hexes:
        walk = chart.best_walk(table.board.bit(hex_))
        assert walk == labels.best_walk(blockade, table.board.bit(hex_), sources)
        found += walk is not None
    assert found == open_hexes(blockade, sources).bit_count() == chart.open_hexes.bit_count()
    assert 20 < found < len(table.map.hexes)


def test_random_worlds_show_everything_they_should():
    """The properties above prove little unless each of these turns up often."""
    shares = Counter()
    for seed in range(200):
        world = random_world(seed)
        shares["several legs"] += len(world.legs) > 1
        shares["both limits"] += any(
            leg.most_hexes is not None and leg.most_points is not None for leg in world.legs
        )
        shares["zones counted"] += world.most_zones > 0 and any(
            leg.zones == "count" for leg in world.legs
        )
        shares["held ground"] += any(leg.over is not None for leg in world.legs)
        shares["first steps"] += any(leg.first is not None for leg in world.legs)
        shares["plain"] += not world.most_zones and all(
            leg.most_points is None for leg in world.legs
        )
        found = open_hexes(world.blockade, world.board.of(world.sources))
        shares["open"] += found > 0
        shares["shut"] += found != world.board.everything
    assert min(shares.values()) >= 20, shares
