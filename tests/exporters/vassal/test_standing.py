"""Units and markers in their states as pieces, and read back."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counters.model import Unit
from exporters.vassal.layers import Order, at_level, level_count, level_of, stepped, switched
from exporters.vassal.standing import (
    FACING,
    MARKER,
    NUMBER,
    SIDE,
    STATUS,
    STEPS,
    STEPS_FACE,
    CounterState,
    MarkerState,
    control_of,
    in_state,
    marker_in_state,
    marker_state_of,
    state_of,
    turn_of,
    untold,
)
from exporters.vassal.traits import Trait, basic_piece, mark, trait
from mapkit.grid import Grid
from mapkit.hexes import Hex
from rules.positions.position import Marker, Piece

UNIT = Unit("it-1", "1/79", "it")


def counter(turns=6):
    return (
        trait("rotate", turns, "93,130", "91,130", "Right", "Left", "", "", "", state="0"),
        switched(FACING, "arrow.png", Order("Arrow", "65,130")),
        stepped(STEPS, ["", "", "2.png", "3.png"]),
        stepped(STEPS_FACE, ["front.png", "back.png", "back.png", "back.png"]),
        switched(f"{STATUS}fire_mode", "fire.png", Order("Fire; or, so", "70,130")),
        stepped(f"{STATUS}disorganization", ["", *(f"d{n}.png" for n in range(1, 10))]),
        mark(Id="it-1", Side="it"),
        basic_piece("1/79", "front.png", "7"),
    )


pieces = st.builds(
    Piece,
    unit=st.just(UNIT),
    statuses=st.fixed_dictionaries(
        {}, optional={"fire_mode": st.just(1), "disorganization": st.integers(1, 9)}
    ),
    steps_lost=st.integers(0, 3),
    facing=st.none() | st.integers(0, 5),
)


@given(pieces, st.sampled_from([6, 12]))
def test_what_is_put_on_a_counter_is_read_off_it(piece, turns):
    shown = in_state(counter(turns), piece)
    assert state_of(shown) == CounterState(piece.steps_lost, piece.statuses, piece.facing)
    assert [one.type for one in shown] == [one.type for one in counter(turns)]
    assert untold(counter(turns), piece) == ()


@given(pieces, pieces)
def test_an_old_state_leaves_no_trace(old, new):
    assert in_state(in_state(counter(), old), new) == in_state(counter(), new)


def test_the_face_goes_with_the_steps():
    shown = in_state(counter(), Piece(UNIT, steps_lost=2))
    assert [level_of(one) for one in shown[2:4]] == [3, 3]


@pytest.mark.parametrize(
    ("state", "missing"),
    [
        ({"statuses": {"routed": 1}}, ("routed",)),
        ({"statuses": {"disorganization": 12}}, ("disorganization",)),
        ({"statuses": {"fire_mode": 2}}, ("fire_mode",)),
        ({"steps_lost": 4}, ("steps_lost",)),
        ({"steps_lost": 3, "facing": 2}, ()),
    ],
)
def test_what_a_counter_cannot_tell_is_told(state, missing):
    assert untold(counter(), Piece(UNIT, **state)) == missing


def test_a_counter_without_layers_tells_nothing():
    bare = (mark(Id="it-1"), basic_piece("1/79", "front.png", "7"))
    piece = Piece(UNIT, statuses={"activated": 1}, steps_lost=1, facing=0)
    assert in_state(bare, piece) == bare
    assert state_of(bare) == CounterState()
    assert untold(bare, piece) == ("activated", "steps_lost", "facing")


@pytest.mark.parametrize("state", ["", "x", "٣", "99", "-99", "0", "1;2"])
def test_no_state_of_a_layer_is_too_strange_to_read(state):
    for one in counter():
        assert state_of([Trait(one.type, state)]).steps_lost in range(4)


@pytest.mark.parametrize(("orientation", "turns"), [("flat", 6), ("pointy", 12)])
def test_a_turned_counter_looks_at_the_neighbour_it_faces(orientation, turns):
    grid = Grid.regular(orientation, pitch_px=100.0)
    x, y = grid.centre(Hex(0, 0))
    for direction in range(6):
        to_x, to_y = grid.centre(Hex(0, 0).step(direction))
        clockwise = math.degrees(math.atan2(to_x - x, y - to_y)) % 360
        assert turn_of(direction, turns) * 360 / turns == pytest.approx(clockwise)


def test_a_counter_that_looks_at_a_corner_faces_no_hexside():
    (turned,) = (one for one in counter(12) if one.type.startswith("rotate;"))
    assert state_of([Trait(turned.type, "4")]).facing is None
    assert state_of([Trait(turned.type, "3")]).facing == 0


markers = st.builds(Marker, st.just("trench"), st.just("0101"), n=st.none() | st.integers(0, 3))


@given(markers)
def test_a_marker_tells_its_number(marker):
    piece = (stepped(NUMBER, ["", *"0123"]), mark(**{MARKER: "trench", SIDE: "it"}))
    shown = marker_in_state(piece, marker)
    assert marker_state_of(shown) == MarkerState("trench", "it", marker.n)


def test_a_unit_is_no_marker():
    assert marker_state_of(counter()) is None
    assert control_of(counter()) is None


@given(st.integers(0, 5))
def test_levels_of_a_layer(level):
    layer = stepped("X", ["", "a,b.png", "c;d.png", "e.png", "f.png"])
    assert level_count(layer) == 5
    assert level_of(at_level(layer, level)) == level
