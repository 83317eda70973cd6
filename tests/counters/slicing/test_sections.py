"""The cut grid: exact on what is drawn, refused on what is no sheet."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.counters.drawn_sheets import DrawnSheet
from benchmarks.counters.slicing import cut_errors, matching
from counters.slicing.blocks import Block
from counters.slicing.division import Division
from counters.slicing.errors import BlankSheetError, SliceError
from counters.slicing.lattice import lattice_on
from counters.slicing.sections import _finer, _Search, find_sheet
from counters.slicing.upright import set_upright
from tests.counters.slicing.sheets import DPI, scanned, small_sheet


@pytest.mark.parametrize("kind", ["gutters", "lines", "bare", "grounds"])
def test_cuts_lie_where_they_were_drawn(kind):
    sheet = small_sheet(kind)
    scan = scanned(sheet)
    found = find_sheet(scan.pixels)
    section = matching(scan, sheet.sections[0], found)
    assert section is not None
    off = cut_errors(scan, sheet.sections[0], section)
    assert np.mean(off) < 0.75  # one pixel at 200 dpi
    assert np.max(off) < 1.5
    assert section.held == set(sheet.sections[0].cells)
    assert 0.5 <= section.confidence <= 0.99


def _with_short_last_row(sheet: DrawnSheet) -> DrawnSheet:
    [section] = sheet.sections
    cells = {at: one for at, one in section.cells.items() if at[0] < section.rows - 1 or at[1] < 2}
    return replace(sheet, sections=(replace(section, cells=cells),))


@pytest.mark.parametrize("kind", ["bare", "grounds"])
def test_a_last_row_of_few_counters_is_cut_too(kind):
    sheet = _with_short_last_row(small_sheet(kind))
    scan = scanned(sheet)
    section = matching(scan, sheet.sections[0], find_sheet(scan.pixels, shape=(4, 5)))
    assert section is not None
    assert np.max(cut_errors(scan, sheet.sections[0], section)) < 1.5
    assert section.held == set(sheet.sections[0].cells)


@pytest.mark.parametrize("kind", ["bare", "grounds"])
def test_counters_beyond_a_bare_column_belong_to_their_section(kind):
    sheet = small_sheet(kind, columns=8)
    [section] = sheet.sections
    cells = {at: one for at, one in section.cells.items() if at[1] not in (5, 6)}
    sheet = replace(sheet, sections=(replace(section, cells=cells),))
    scan = scanned(sheet)
    found = find_sheet(scan.pixels)
    assert [(one.rows, one.columns) for one in found.sections] == [(4, 8)]
    assert found.sections[0].held == set(cells)
    assert np.max(cut_errors(scan, sheet.sections[0], found.sections[0])) < 1.5


def test_advice_goes_in_no_circle():
    """Whoever counted, or scanned a back, is not told to count."""
    pixels = scanned(small_sheet("bare")).pixels
    told = _Search(pixels, set_upright(pixels), (4, 5), ())
    alone = _Search(pixels, set_upright(pixels), None, ())
    assert (told._advised("unsure_cells"), alone._advised("unsure_cells")) == (
        "unsure_cells_counted",
        "unsure_cells",
    )


def _with_bars_on_every_second_row(sheet: DrawnSheet) -> DrawnSheet:
    [section] = sheet.sections
    cells = {
        at: replace(one, front=replace(one.front, bar=None if at[0] % 2 else (40, 60, 150)))
        for at, one in section.cells.items()
    }
    return replace(sheet, sections=(replace(section, cells=cells),))


def test_two_counters_are_never_surely_taken_for_one():
    """Bars along every second row are cuts that are seen; those between them are hard to see."""
    pixels = scanned(_with_bars_on_every_second_row(small_sheet("bare", columns=8))).pixels
    for shape in ((4, 8), None):
        [section] = find_sheet(pixels, shape=shape).sections
        assert (section.rows, section.columns) == (4, 8)
    with pytest.raises(SliceError, match="the picture shows 4 × 8"):
        find_sheet(pixels, shape=(2, 8))


def test_a_told_division_needs_less_evidence_where_long_counters_are_seen():
    block = Block(np.array([(0, 0), (500, 0), (500, 200), (0, 200)], float), 1.0)
    columns = Division(5, 0.9, 0.2, (0.0, 0.0, 0.1, 0.1, 0.1, 0.9, 0.1))
    rows = Division(1, 1.0, 0.4, (0.0, 0.0, 0.4, 0.2, 0.35, 0.2, 0.1))
    assert [_finer(block, rows, columns, (told, 5))[0].count for told in (2, 3, 4)] == [2, 1, 4]


def test_white_lines_between_counters_are_cuts():
    """Beside white paper such a line does not show: the outer sides are edges."""
    [section] = small_sheet("bare").sections
    sheet = replace(small_sheet("bare"), sections=(replace(section, gutter_mm=(0.2, 0.2)),))
    scan = scanned(sheet)
    found = matching(scan, sheet.sections[0], find_sheet(scan.pixels))
    assert found is not None
    assert np.max(cut_errors(scan, sheet.sections[0], found)) < 1.5


def test_print_beside_the_cut_lines_is_told():
    sheet = small_sheet("lines")
    [section] = find_sheet(scanned(sheet).pixels).sections
    assert section.lined
    assert section.offset_px is not None
    offset_mm = np.array(section.offset_px) / DPI * 25.4
    assert offset_mm == pytest.approx(sheet.sections[0].offset_mm, abs=0.12)


def test_rows_and_columns_that_are_right_are_taken():
    found = find_sheet(scanned(small_sheet("bare")).pixels, shape=(4, 5))
    assert [(one.rows, one.columns) for one in found.sections] == [(4, 5)]


@pytest.mark.parametrize("shape", [(5, 4), (4, 6), (3, 5), (8, 10)])
def test_rows_and_columns_that_are_wrong_are_refused(shape):
    with pytest.raises(SliceError, match="the picture shows 4 × 5"):
        find_sheet(scanned(small_sheet("bare")).pixels, shape=shape)


def test_an_empty_sheet_is_said_to_be_blank():
    with pytest.raises(BlankSheetError, match="blank"):
        find_sheet(np.full((700, 900, 3), 246, np.uint8))


def test_something_else_is_refused():
    dice = np.random.default_rng(3)
    noise = dice.integers(0, 256, (60, 80, 3), np.uint8).repeat(12, axis=0).repeat(12, axis=1)
    slope = np.add.outer(np.arange(720), np.arange(960)) // 8 % 256
    for picture in (noise, np.repeat(slope[..., None], 3, axis=2).astype(np.uint8)):
        with pytest.raises(SliceError):
            find_sheet(picture)


def test_a_reduced_picture_is_refused_for_its_size():
    pixels = scanned(small_sheet("gutters")).pixels[::4, ::4]
    with pytest.raises(SliceError):
        find_sheet(np.ascontiguousarray(pixels))


@given(
    st.lists(st.floats(-20, 20), min_size=8, max_size=8),
    st.integers(1, 12),
    st.integers(1, 12),
)
def test_a_lattice_has_its_corners_where_it_was_laid(shifts, rows, columns):
    square = np.array([(50, 60), (450, 60), (450, 360), (50, 360)], float)
    corners = square + np.array(shifts).reshape(4, 2)
    lattice = lattice_on(corners, rows, columns)
    assert lattice.corners == pytest.approx(corners, abs=0.01)
    assert lattice.cell(0, 0)[0] == pytest.approx(corners[0], abs=0.01)
    assert lattice.cell(rows - 1, columns - 1)[2] == pytest.approx(corners[2], abs=0.01)


def test_a_big_scan_is_looked_at_made_smaller():
    """Its edges are many pixels wide; cuts are told in the pixels of the scan all the same."""
    sheet = small_sheet("grounds")
    scan = scanned(sheet)
    big = np.ascontiguousarray(scan.pixels.repeat(9, axis=0).repeat(9, axis=1))
    [small], [found] = find_sheet(scan.pixels).sections, find_sheet(big).sections
    assert (found.rows, found.columns) == (4, 5)
    assert found.lattice.corners / 9 == pytest.approx(small.lattice.corners, abs=0.5)


def test_a_sheet_without_paper_around_it_is_cut_too():
    sheet = small_sheet("grounds")
    [section] = sheet.sections
    sheet = DrawnSheet(section.size_mm, (replace(section, at_mm=(0.0, 0.0)),), title="")
    scan = scanned(sheet)
    found = matching(scan, sheet.sections[0], find_sheet(scan.pixels))
    assert found is not None
    assert np.max(cut_errors(scan, sheet.sections[0], found)) < 2.0
