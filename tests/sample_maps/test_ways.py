"""Rivers, roads and fronts on a small land."""

import itertools

import numpy as np
import pytest

from mapkit.hexes import Hexside, Link, are_neighbours, distance
from mapkit.numbering import Numbering
from sample_maps import fronts, rivers, roads
from sample_maps.curves import Way, smooth_lines
from sample_maps.gazetteer import Names
from sample_maps.land import Land

LAND = Land.of(Numbering(straight="columns"), 9, 8)


def test_water_runs_down_a_plane_to_its_lowest_edge():
    water = rivers.drain(LAND, 10 - LAND.y, sizes=[("stream", 4), ("river", 9)])
    assert water.kinds
    for upper, lower, _ in water.ways():
        assert water.height[lower] < water.height[upper]
    for line in rivers.lines(LAND, water, 1):
        assert line.points[-1][1] > line.points[0][1]


def test_a_hollow_drains_over_its_rim():
    bowl = (LAND.x - 4) * (LAND.x - 4) + (LAND.y - 4) * (LAND.y - 4)
    water = rivers.drain(LAND, np.minimum(bowl, 12.0), sizes=[("stream", 3)])
    ends = {lower for _, lower, _ in water.ways()} - {upper for upper, _, _ in water.ways()}
    assert all(any(hex_ not in LAND.hex_set for hex_ in vertex) for vertex in ends)


def test_carving_lowers_the_bed_and_raises_nothing():
    height = 10 - LAND.y
    water = rivers.drain(LAND, height, sizes=[("stream", 4)], depth=1.0)
    carved = rivers.carve(LAND, height, water, slope=1.0)
    assert (carved <= height + 1e-3).all()
    assert (carved < height - 0.05).any()


def cost_of_slope(here, other):
    return 100 + 40 * abs(here.r - other.r)


def test_a_road_joins_its_stops_and_reuses_what_is_there():
    net = roads.Roads(LAND, cost_of_slope, ("road", "trail"))
    stops = LAND.labelled("0102 0506 0903")
    net.join("road", stops)
    built = dict(net.links)
    net.join("trail", stops)
    assert net.links == built
    assert set(stops) <= net.hexes


def test_a_way_that_leads_nowhere_is_taken_back():
    net = roads.Roads(LAND, cost_of_slope, ("road",))
    net.join("road", LAND.labelled("0103 0503"))
    net.join("road", LAND.labelled("0303 0307"))
    ends = LAND.labelled("0103 0503")
    net.prune(ends)
    assert LAND.labelled("0307")[0] not in net.hexes
    assert set(ends) <= net.hexes


def test_a_way_changes_its_kind_only_at_places_and_junctions():
    net = roads.Roads(LAND, cost_of_slope, ("road", "trail"))
    a, b, c, d = LAND.labelled("0202 0203 0204 0205")
    net.links |= {Link(a, b): "road", Link(b, c): "road", Link(c, d): "trail"}
    net.even_out([a, d])
    assert set(net.links.values()) == {"trail"}


def test_a_road_that_cannot_be_built_is_told():
    net = roads.Roads(LAND, lambda here, other: None, ("road",))
    with pytest.raises(ValueError, match="no way leads from 0101 to 0505"):
        net.join("road", LAND.labelled("0101 0505"))


def test_lines_that_meet_touch():
    points = {"a": (0.0, 0.0), "b": (40.0, 10.0), "c": (80.0, 0.0), "d": (40.0, 60.0)}
    ways = [Way("a", "b", "river", 2), Way("b", "c", "river", 3), Way("d", "b", "stream", 1)]
    river, stream = smooth_lines(ways, points)
    assert (river.points[0], river.points[-1]) == (points["a"], points["c"])
    assert stream.points[0] == points["d"]
    assert stream.points[-1] in river.points


def test_a_chain_of_hexes_has_no_gap():
    stations = LAND.labelled("0101 0506 0902 0908")
    chain = fronts.chained(stations)
    assert all(are_neighbours(*pair) for pair in itertools.pairwise(chain))
    assert set(stations) <= set(chain)
    assert len(chain) == 1 + sum(distance(*pair) for pair in itertools.pairwise(stations))


def test_two_fronts_and_the_ground_between():
    north = fronts.front(LAND, "N", LAND.labelled("0103 0903"), LAND.labelled("0101")[0])
    south = fronts.front(LAND, "S", LAND.labelled("0106 0906"), LAND.labelled("0108")[0])
    between = set(fronts.no_mans_land(LAND, north, south))
    assert not north.behind & south.behind
    assert between | north.behind | south.behind == LAND.hex_set
    for side, hex_ in north.facing.items():
        (other,) = set(side) - {hex_}
        assert hex_ in north.behind
        assert other not in north.behind
    assert isinstance(next(iter(north.facing)), Hexside)


def test_names_are_drawn_once_and_in_the_same_order():
    one, other = Names(5), Names(5)
    drawn = [one.draw("italian", "town") for _ in range(40)]
    assert drawn == [other.draw("italian", "town") for _ in range(40)]
    assert len(set(drawn)) == 40
    brooks = [one.draw("german", "river") for _ in range(30)]
    assert brooks[-1] == ""
    assert len(set(brooks)) > 8
