"""Bitboards against plain sets of hexes, on outlines of every kind."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.bitboards import Board, indexes
from mapkit.errors import UnknownHexError
from mapkit.hexes import DIRECTIONS, ORIGIN, Hex, disc, distance, neighbours
from tests.boards import board as drawn
from tests.boards import field

REACH = 4
small = st.integers(-7, 7)
hexes = st.builds(Hex, small, small)
ways = st.sampled_from(list(disc(ORIGIN, REACH)))


@st.composite
def boards(draw):
    """An outline of any form, with a set on it."""
    outline = draw(st.sets(hexes, min_size=1, max_size=60))
    some = draw(st.sets(st.sampled_from(sorted(outline))))
    return Board(outline, reach=REACH), outline, some


@given(boards())
def test_a_set_is_what_was_put_in(case):
    board, outline, some = case
    bits = board.of(some)
    assert set(board.hexes(bits)) == some
    assert bits.bit_count() == len(some)
    assert set(board.hexes(board.everything)) == outline
    assert all((hex_ in some) == bool(bits & board.bit(hex_)) for hex_ in outline)


@given(boards(), ways)
def test_moving_a_set_moves_its_hexes_and_never_wraps(case, by):
    board, outline, some = case
    moved = board.moved(board.of(some), by)
    assert set(board.hexes(moved)) == {hex_.moved(by) for hex_ in some} & outline


@given(boards())
def test_neighbours(case):
    board, outline, some = case
    around = {other for hex_ in some for other in neighbours(hex_)} & outline
    assert set(board.hexes(board.neighbours(board.of(some)))) == around


@given(boards(), st.integers(0, 3))
def test_dilating_over_a_full_disc_is_a_matter_of_distance(case, by):
    _, _, some = case
    outline = {hex_ for centre in some for hex_ in disc(centre, by)} | some
    board = Board(outline)
    near = {hex_ for hex_ in outline if any(distance(hex_, one) <= by for one in some)}
    assert set(board.hexes(board.dilated(board.of(some), by))) == near


@given(boards(), st.data())
def test_waves_are_the_distances_of_a_graph(case, data):
    board, outline, some = case
    over = data.draw(st.sets(st.sampled_from(sorted(outline))))
    shut = data.draw(st.sets(st.tuples(st.sampled_from(sorted(outline)), st.integers(0, 5))))

    def crosses(here, there):
        return (here, DIRECTIONS.index(Hex(there.q - here.q, there.r - here.r))) not in shut

    graph = nx.DiGraph()
    graph.add_nodes_from(outline)
    graph.add_edges_from(
        (hex_, other)
        for hex_ in outline
        for other in neighbours(hex_)
        if other in over and crosses(hex_, other)
    )
    want = nx.multi_source_dijkstra_path_length(graph, some) if some else {}
    fronts = board.waves(board.of(some), over=board.of(over), exits=board.exits(crosses))
    got = {hex_: steps for steps, front in enumerate(fronts) for hex_ in board.hexes(front)}
    assert got == want
    flood = board.flood(board.of(some), over=board.of(over), exits=board.exits(crosses))
    assert set(board.hexes(flood)) == set(want)


def test_a_river_with_one_bridge():
    map_ = drawn(*field(4, 3))
    board = Board.of_map(map_)
    west, bridge = board.of_labels(["0101", "0102", "0103", "0201", "0202", "0203"], map_), "0202"

    def crosses(here, there):
        banks = {bool(west & board.bit(here)), bool(west & board.bit(there))}
        return len(banks) == 1 or bridge in (map_.label(here), map_.label(there))

    start = board.of_labels(["0101"], map_)
    assert board.labels(board.flood(start, over=west), map_) == board.labels(west, map_)
    everywhere = board.flood(start, exits=board.exits(crosses))
    assert everywhere == board.everything


def test_labels_go_both_ways():
    map_ = drawn(". . _", "_ . .")  # ragged, with a hole
    board = Board.of_map(map_)
    assert board.labels(board.everything, map_) == ("0101", "0201", "0202", "0302")
    assert board.hexes(board.of_labels(["0202"], map_)) == (map_.hex("0202"),)


def test_what_is_not_on_the_board_is_said():
    board = Board([Hex(0, 0)], reach=2)
    with pytest.raises(UnknownHexError, match=r"\(5, 5\)"):
        board.bit(Hex(5, 5))
    with pytest.raises(ValueError, match="reach of 2"):
        board.moved(board.everything, Hex(3, 0))


def test_an_empty_board_holds_nothing():
    board = Board([])
    assert board.everything == 0
    assert board.flood(0) == 0
    assert list(indexes(0)) == []


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_a_printed_sheet_wastes_little_but_its_padding(layout):
    board = Board.of_map(drawn(*field(20, 30), layout=layout), reach=3)
    assert len(board) == 600
    assert board.size <= 1.3 * 600
