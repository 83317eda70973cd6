"""Copies: joined through the noise of a scan, kept apart where one digit differs."""

import pytest

from counters.slicing.copies import counted, find_copies
from counters.slicing.cut import cut_section, rounded
from counters.slicing.sections import find_sheet
from tests.counters.slicing.sheets import numbered_sheet, scanned

FACTORS = ("3-4-5", "8-4-5", "3-4-6", "3-1-5", "3-4-5", "3-7-5", "3-1-5", "3-4-5")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_one_digit_makes_another_counter(seed):
    sheet = find_sheet(scanned(numbered_sheet(*FACTORS), seed=seed).pixels)
    cut = cut_section(sheet, sheet.sections[0])
    first = find_copies([[picture] for _, picture in sorted(cut.cells.items())])
    assert [FACTORS[index] for index in first] == list(FACTORS)
    assert counted(first) == {0: 3, 1: 1, 2: 1, 3: 2, 5: 1}


def test_cells_have_one_size_and_round_corners_are_clear():
    sheet = find_sheet(scanned(numbered_sheet(*FACTORS)).pixels)
    cut = cut_section(sheet, sheet.sections[0])
    assert {picture.shape[1::-1] for picture in cut.cells.values()} == {cut.size_px}
    round_ = rounded(cut.cells[0, 0], 8.0)
    assert round_.shape[2] == 4
    assert round_[0, 0, 3] == 0
    assert round_[0, round_.shape[1] // 2, 3] == 255
