"""Texts on counters: which are names and factors, and which stay open."""

import pytest

from counters.slicing.cut import cut_section
from counters.slicing.reading import ReadText, counter_reader, factors_of, name_of, read_faces
from counters.slicing.sections import find_sheet
from mapkit.errors import MissingExtraError
from tests.counters.slicing.sheets import numbered_sheet, scanned


@pytest.mark.parametrize(
    ("text", "factors"),
    [("4-3-5", (4, 3, 5)), ("12-7", (12, 7)), ("7", ()), ("79/II", ()), ("1-2-3-4", ())],
)
def test_factors(text, factors):
    assert ReadText(text, 1.0, 0.5).factors == factors


def test_what_is_unsure_stays_open():
    texts = [ReadText("79 Roma", 0.7, 0.1), ReadText("4-3-5", 0.8, 0.8)]
    assert name_of(texts) == ""
    assert factors_of(texts) == ()


def test_two_lists_of_factors_are_nobodys():
    assert factors_of([ReadText("4-3", 1.0, 0.2), ReadText("2-1", 1.0, 0.8)]) == ()


def test_printed_factors_are_read():
    try:
        reader = counter_reader()
    except MissingExtraError:
        pytest.skip("the optional part ocr is not installed")
    wanted = ("3-4-5", "8-4-5", "9-2-7", "6-1-3")
    sheet = find_sheet(scanned(numbered_sheet(*wanted)).pixels)
    cut = cut_section(sheet, sheet.sections[0])
    read = read_faces(reader, [picture for _, picture in sorted(cut.cells.items())])
    found = ["-".join(map(str, factors_of(texts))) for texts in read]
    assert all(one in ("", right) for one, right in zip(found, wanted, strict=True))
    assert sum(map(bool, found)) >= 3
