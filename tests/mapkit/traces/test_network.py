"""Networks: rules asked once, costs kept exact, edges of the map."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.bitboards import Board
from mapkit.hexes import Hex, Link, disc, neighbours
from mapkit.traces import (
    WHOLE,
    Blockade,
    Leg,
    Network,
    NoWay,
    Route,
    find_path,
    map_edge,
    open_hexes,
)
from tests.boards import field
from tests.mapkit.traces.table import Table
from tests.mapkit.traces.worlds import random_world

HERE, THERE, BEYOND = Hex(0, 0), Hex(1, 0), Hex(2, 0)
ROW = Board([HERE, THERE, BEYOND])


def steps(network):
    """Return every step of a network with its price in points."""
    board = network.board
    return {
        (*board.hexes(1 << index), *board.hexes(1 << arc.to)): Fraction(arc.cost, network.parts)
        for index, arcs in network.arcs.items()
        for arc in arcs
    }


@pytest.mark.parametrize(
    ("prices", "parts"),
    [([1, 2], 1), ([1, Fraction(1, 2)], 2), ([Fraction(1, 2), Fraction(2, 3)], 6)],
)
def test_parts_are_as_small_as_the_costs_need(prices, parts):
    network = Network.build(ROW, lambda here, there: prices[there.q % 2])
    assert network.parts == parts
    assert set(steps(network).values()) == set(prices)


@pytest.mark.parametrize("price", [0.5, -1, "1"])
def test_a_cost_is_whole_or_a_fraction_and_not_below_nothing(price):
    with pytest.raises(ValueError, match=r"the step \(0, 0\) to \(1, 0\) costs"):
        Network.build(ROW, lambda *_: price)
    with pytest.raises(ValueError, match="costs"):
        Network.along(ROW, [Link.between(HERE, THERE)], cost=price)


def test_open_ground_is_every_neighbour_once():
    board = Board(list(disc(HERE, 2)))
    found = steps(Network.open(board))
    assert found == {(a, b): 1 for a in disc(HERE, 2) for b in neighbours(a) if b in board}


def test_links_count_both_ways_and_stay_on_the_board():
    links = [Link.between(HERE, THERE), Link.between(HERE, Hex(-1, 0))]
    network = Network.along(ROW, links, cost=Fraction(1, 2))
    half = Fraction(1, 2)
    assert steps(network) == {(HERE, THERE): half, (THERE, HERE): half}
    assert network.hexes == ROW.of([HERE, THERE])
    assert Network.along(ROW, []).hexes == 0


def test_a_step_that_takes_everything_is_no_way_for_a_trace():
    network = Network.build(ROW, lambda here, there: WHOLE if there == BEYOND else 1)
    blockade = Blockade(Route((Leg("line", network),)))
    assert open_hexes(blockade, ROW.bit(BEYOND)) == ROW.bit(BEYOND)
    assert find_path(blockade, ROW.bit(HERE), ROW.bit(BEYOND)) is None


@given(st.integers(0, 2**32))
def test_turned_round_twice_is_the_same(seed):
    world = random_world(seed)
    prices = world.legs[0].prices
    network = Network.build(world.board, lambda a, b: prices.get((a, b), NoWay("x")))
    turned = network.reversed()
    assert steps(network) == dict(prices)
    assert steps(turned) == {(b, a): price for (a, b), price in prices.items()}
    assert turned.reversed().by_cost == network.by_cost
    assert turned.reversed().reasons == network.reasons
    for (here, there), price in prices.items():
        direction = neighbours(here).index(there)
        assert network.price(world.board.index(here), direction) == price * network.parts


@pytest.mark.parametrize(
    ("layout", "toward", "edge"),
    [
        ("pointy", [3], "0101 0102 0103"),
        ("pointy", [1, 2], "0101 0201 0301"),
        ("flat", [3, 4], "0101 0102 0103"),
        ("flat", [2], "0101 0201 0301"),
        ("flat", [5], "0103 0203 0303"),
    ],
)
def test_the_edge_of_the_map_lies_in_a_direction(layout, toward, edge):
    table = Table(*field(3, 3), layout=layout)
    found = map_edge(table.board, *toward)
    assert table.board.labels(found, table.map) == tuple(edge.split())


def test_a_hole_is_no_edge():
    around = [hex_ for hex_ in disc(HERE, 3) if hex_ != HERE]
    board = Board(around)
    assert map_edge(board) == board.of(hex_ for hex_ in around if hex_ not in set(disc(HERE, 2)))
