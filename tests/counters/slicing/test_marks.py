"""Sheets as Mapkit prints them: found by their marks, whatever the counters show."""

import numpy as np
import pytest

from benchmarks.counters.backs import BACKS, back_of
from benchmarks.counters.drawn_sheets import Scanning, mirrored_place, scan_side, side_picture
from benchmarks.counters.kinds import dice_of
from benchmarks.counters.printed_sheets import printed_sheet
from benchmarks.counters.slicing import cut_errors, matching
from counters.slicing.copies import find_copies
from counters.slicing.cut import cut_section
from counters.slicing.marks import _comb, _Row, find_marked
from counters.slicing.sections import find_sheet
from counters.slicing.slice_sheet import Wishes, slice_sheet
from counters.slicing.upright import set_upright

DPI = 200.0


def _scan(sheet, side, dice):
    return scan_side(side_picture(sheet, side, DPI), Scanning(dpi=DPI), dice)


def _row(*at):
    return _Row(np.array(at, float), np.zeros(len(at)), -9.0, 9.0)


@pytest.mark.parametrize("gutter_mm", [0.0, 1.0])
def test_a_sheet_that_mapkit_printed_is_cut_exactly(gutter_mm):
    """Its last row is not full; Custoza has counters with white bars along their upper edges."""
    dice = dice_of(3, 5)
    sheet = printed_sheet(dice, gutter_mm=gutter_mm, game=("custoza", "s1"))
    [section] = sheet.sections
    assert len(section.cells) < section.rows * section.columns
    scan = _scan(sheet, "front", dice)
    found = find_sheet(scan.pixels)
    assert len(found.sections) == 1
    cut = matching(scan, section, found)
    assert cut is not None
    assert cut.held == set(section.cells)
    assert max(cut_errors(scan, section, cut)) < 1.0


@pytest.mark.parametrize("game", [("strafexpedition", "s4"), ("durchbruch", "s1")])
def test_backs_with_bare_cells_are_proven(game):
    dice = dice_of(4, 8)
    sheet = printed_sheet(dice, game=game)
    [section] = sheet.sections
    back = back_of(sheet, BACKS["columns"], dice)
    scans = _scan(sheet, "front", dice), _scan(back, "back", dice)
    sliced = slice_sheet(scans[0].pixels, scans[1].pixels, Wishes())
    assert sliced.is_paired
    assert {cell.place for cell in sliced.cells if cell.back is not None} == sheet.backs
    assert sliced.pairing is not None
    [pairs] = sliced.pairing.sections
    [over] = back.sections
    lattice = sliced.backs[pairs.back].found.lattice
    for place, (there, _) in pairs.pairs.items():
        wanted = over.corners_mm(*mirrored_place(place, section, sheet.flip)).mean(axis=0)
        off = scans[1].at(wanted[None])[0] - lattice.cell(*there).mean(axis=0)
        assert np.linalg.norm(off) < 3


def test_guns_that_differ_by_a_digit_in_a_small_name_are_no_copies():
    dice = dice_of(1, sum(map(ord, "printed")))
    sheet = printed_sheet(dice)
    [section] = sheet.sections
    names = {place: cell.name for place, cell in section.cells.items()}
    assert {"Mountain artillery 2", "Mountain artillery 3"} <= set(names.values())
    found = find_sheet(_scan(sheet, "front", dice).pixels)
    cut = cut_section(found, found.sections[0])
    places = sorted(cut.cells)
    first = find_copies([[cut.cells[place]] for place in places])
    for index, place in enumerate(places):
        same = [i for i in range(index) if section.cells[places[i]] == section.cells[place]]
        assert first[index] == (same[0] if same else index), names[place]


def test_what_one_side_lacks_the_other_has():
    assert _comb(_row(0, 50, 100, 150, 200), _row(0, 51, 101, 201)) == (4, 1.0)
    apart = _comb(_row(0, 50, 56, 106, 112, 162), _row(0, 56, 106, 112, 162))
    assert apart is not None
    assert apart[0] == 3
    assert apart[1] == pytest.approx(50 / 56, abs=0.01)


def test_strokes_that_are_not_even_are_no_marks():
    assert _comb(_row(0, 50, 120, 150, 200), _row(0, 50, 120, 150, 200)) is None
    assert _comb(_row(0, 200), _row(0, 50, 100, 150, 200)) is None


def test_figures_are_no_marks():
    sheet = printed_sheet(dice_of(3, 5), game=("custoza", "s1"))
    pixels = side_picture(sheet, "front", DPI)
    marked = find_marked(set_upright(pixels))
    assert len(marked) == 1
    corner = np.array(sheet.sections[0].corners_mm(0, 0)[0]) / 25.4 * DPI
    bare = pixels.copy()  # the marks on the left are painted over
    bare[:, : int(corner[0]) - 4] = 255
    assert find_marked(set_upright(bare)) == []
