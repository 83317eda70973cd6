"""Hexes as integers: the counting facts, and that each thing has one name."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.errors import NotationError
from mapkit.hexes import (
    DIRECTIONS,
    ORIGIN,
    Hex,
    Hexside,
    Link,
    Vertex,
    are_neighbours,
    disc,
    distance,
    hexsides,
    neighbours,
    ring,
    vertices,
)

hexes = st.builds(Hex, st.integers(-1000, 1000), st.integers(-1000, 1000))


def test_distances_agree_with_a_breadth_first_search():
    graph = nx.Graph((hex_, other) for hex_ in disc(ORIGIN, 12) for other in neighbours(hex_))
    found = nx.single_source_shortest_path_length(graph, ORIGIN, cutoff=12)
    assert {hex_: distance(ORIGIN, hex_) for hex_ in found} == found


@given(hexes, hexes, hexes)
def test_distance_is_a_distance(a, b, c):
    assert distance(a, b) == distance(b, a)
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, c) <= distance(a, b) + distance(b, c)
    assert are_neighbours(a, b) == (distance(a, b) == 1)


@given(hexes, st.integers(0, 8))
def test_a_ring_holds_just_the_hexes_at_its_radius(centre, radius):
    around = ring(centre, radius)
    assert len(around) == len(set(around)) == max(1, 6 * radius)
    assert {distance(centre, hex_) for hex_ in around} == {radius}
    assert len(set(disc(centre, radius))) == 1 + 3 * radius * (radius + 1)


@given(hexes)
def test_six_hexsides_and_six_vertices_in_turn(hex_):
    sides, corners = hexsides(hex_), vertices(hex_)
    assert len(set(sides)) == len(set(corners)) == 6
    for i in range(6):
        assert sides[i] == Hexside.between(hex_.step(i), hex_)
        assert set(sides[i].vertices) == {corners[i - 1], corners[i]}
        assert sides[i] in corners[i].hexsides
        assert corners[i] == Vertex.between(hex_.step((i + 1) % 6), hex_, hex_.step(i))


@given(hexes, st.integers(0, 5))
def test_one_hexside_one_link_whichever_way_it_is_named(hex_, direction):
    other = hex_.step(direction)
    assert Hexside.between(hex_, other) == Hexside.between(other, hex_)
    assert Link.between(hex_, other) == Link.between(other, hex_)


def test_directions_run_once_around():
    assert [are_neighbours(DIRECTIONS[i], DIRECTIONS[i - 1]) for i in range(6)] == [True] * 6


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Hexside.between(Hex(0, 0), Hex(2, 0)),
        lambda: Hexside.between(Hex(0, 0), Hex(0, 0)),
        lambda: Link.between(Hex(0, 0), Hex(1, 1)),
        lambda: Vertex.between(Hex(0, 0), Hex(1, 0), Hex(2, 0)),
    ],
)
def test_hexes_that_do_not_touch_share_nothing(wrong):
    with pytest.raises(NotationError, match="touch"):
        wrong()
