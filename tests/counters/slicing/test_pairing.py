"""Fronts and backs: proven where the pictures prove it, and never guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counters.model import Flip, Section
from counters.slicing.errors import SliceError
from counters.slicing.pairing import Verdict
from counters.slicing.slice_sheet import Wishes, slice_sheet
from counters.slicing.turns import TURNS, Turn
from tests.counters.slicing.sheets import scanned, scanned_back, small_sheet

shapes = st.tuples(st.integers(1, 9), st.integers(1, 9))


@given(st.sampled_from(TURNS), shapes)
def test_a_turn_brings_every_cell_to_a_cell_of_its_own(turn, shape):
    rows, columns = shape
    places = [(row, column) for row in range(rows) for column in range(columns)]
    there = {turn.back_place(place, shape) for place in places}
    high, wide = (columns, rows) if turn.quarters % 2 else (rows, columns)
    assert there == {(row, column) for row in range(high) for column in range(wide)}


@given(shapes, st.sampled_from(Flip), st.data())
def test_turns_agree_with_the_model(shape, flip, data):
    row = data.draw(st.integers(0, shape[0] - 1))
    column = data.draw(st.integers(0, shape[1] - 1))
    section = Section("A", *shape, flip=flip)
    assert Turn(flip, 0).back_place((row, column), shape) == section.back_cell(row, column)


@pytest.mark.parametrize(
    ("name", "turn"),
    [
        ("columns", Turn(Flip.COLUMNS, 0)),
        ("rows", Turn(Flip.ROWS, 0)),
        ("columns, turned by 180°", Turn(Flip.COLUMNS, 2)),
        ("rows, turned by 270°", Turn(Flip.ROWS, 3)),
    ],
)
def test_right_backs_are_proven(name, turn):
    sheet = small_sheet("grounds")
    sliced = slice_sheet(scanned(sheet).pixels, scanned_back(sheet, name).pixels, Wishes())
    assert sliced.pairing is not None
    assert sliced.pairing.verdict is Verdict.PROVEN
    assert sliced.pairing.turn == turn
    assert all(cell.back is not None for cell in sliced.cells)


@pytest.mark.parametrize(
    ("name", "verdict", "reason"),
    [
        ("all alike", Verdict.UNPROVEN, "alike"),
        ("bare grounds", Verdict.UNPROVEN, "alike"),
        ("of another sheet", Verdict.FOREIGN, "nothing_in_common"),
    ],
)
def test_backs_that_prove_nothing_are_paired_with_nothing(name, verdict, reason):
    sheet = small_sheet("grounds", seed=4, rows=5, columns=6)
    sliced = slice_sheet(scanned(sheet).pixels, scanned_back(sheet, name).pixels, Wishes())
    assert sliced.pairing is not None
    assert (sliced.pairing.verdict, sliced.pairing.reason) == (verdict, reason)
    assert all(cell.back is None for cell in sliced.cells)


def test_a_back_with_other_rows_is_of_another_sheet():
    front, other = small_sheet("grounds"), small_sheet("grounds", seed=2, rows=3, columns=6)
    sliced = slice_sheet(scanned(front).pixels, scanned_back(other, "columns").pixels, Wishes())
    assert sliced.pairing is not None
    assert (sliced.pairing.verdict, sliced.pairing.reason) == (Verdict.FOREIGN, "layout")


def test_what_is_told_is_taken_where_nothing_contradicts():
    sheet = small_sheet("grounds")
    front = scanned(sheet).pixels
    alike = scanned_back(sheet, "all alike").pixels
    sliced = slice_sheet(front, alike, Wishes(flip=Flip.COLUMNS))
    assert sliced.pairing is not None
    assert sliced.pairing.verdict is Verdict.TOLD
    contradicted = slice_sheet(front, scanned_back(sheet, "columns").pixels, Wishes(flip=Flip.ROWS))
    assert contradicted.pairing is not None
    assert contradicted.pairing.reason == "contradicted"
    assert not contradicted.is_paired


def test_the_front_once_more_is_no_back():
    sheet = small_sheet("grounds")
    with pytest.raises(SliceError, match="front once more"):
        slice_sheet(scanned(sheet).pixels, scanned(sheet, seed=5).pixels, Wishes())
