"""Fronts and backs: proven where the pictures prove it, and never guessed."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.counters.drawn_sheets import mirrored, mirrored_place
from counters.model import Flip, Section
from counters.slicing.errors import SliceError
from counters.slicing.pairing import Verdict
from counters.slicing.sheet_data import name_cells, sheet_of
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


@pytest.mark.parametrize("bare", ["row", "column"])
def test_what_is_bare_on_the_back_counts_as_empty_cells(bare):
    """The block of backs is smaller than that of the fronts: where in it lies it?"""
    sheet = small_sheet("grounds", rows=5, columns=6)
    back = mirrored(sheet, "columns")
    [section] = back.sections
    lost = {at for at in section.cells if (at[0] == 4 if bare == "row" else at[1] == 0)}
    cells = {at: cell for at, cell in section.cells.items() if at not in lost}
    back = replace(back, sections=(replace(section, cells=cells),))
    sliced = slice_sheet(scanned(sheet).pixels, scanned(back, "back", seed=3).pixels, Wishes())
    assert sliced.is_paired
    without = {cell.place for cell in sliced.cells if cell.back is None}
    assert without == {mirrored_place(at, section, "columns") for at in lost}
    whole = sheet_of(
        sliced, name_cells(sliced), name="A", files=("f.png", "b.png"), dpi=150.0
    ).sections[0]
    assert whole.back is not None
    (left, top), _, (right, bottom), _ = whole.back
    assert (right - left) / (bottom - top) == pytest.approx(6 / 5, abs=0.08)


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
