"""Numberings from a word or a TOML file; the first column and row from the labels."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.errors import DocumentError, NumberingError
from mapkit.hexes import ORIGIN, Hex, are_neighbours
from mapkit.numbering import Axis, Numbering, SheetNumbering, SheetPart
from mapkit.tables.layouts import STRAIGHT, dump_layout, is_word, layout_from_word, parse_layout

HOW_TO = Path(__file__).parents[3] / "docs" / "how-to"

number_axes = st.builds(
    lambda skip, first, **others: Axis(
        first=first, skip=tuple(number for number in skip if number != first), **others
    ),
    first=st.integers(0, 30),
    step=st.sampled_from([1, -1]),
    digits=st.integers(1, 3),
    skip=st.lists(st.integers(0, 40), max_size=4),
)
letter_axes = st.builds(
    Axis,
    first=st.integers(1, 30),
    letters=st.sampled_from(["AA AB", "AA BB"]),
    alphabet=st.sampled_from(["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "ABCDEFGHJK"]),
)
wrapped_axes = st.builds(Axis, first=st.integers(-9, 3), wrap_from=st.just(90))
numberings = st.builds(
    Numbering,
    straight=st.sampled_from(["columns", "rows"]),
    order=st.sampled_from(["CCRR", "RRCC"]),
    columns=number_axes | letter_axes | wrapped_axes,
    rows=number_axes,
    separator=st.sampled_from(["", ".", '"', "\\", " "]),
    shoved=st.sampled_from(["odd", "even"]),
    toward=st.sampled_from(["higher", "lower"]),
    origin=st.builds(Hex, st.integers(-9, 9), st.integers(-9, 9)),
)


def parse(text, orientation="flat"):
    return parse_layout(text.encode(), "n.toml", orientation)


@given(numberings)
def test_a_numbering_file_reads_back(numbering):
    layout = parse(dump_layout(numbering), numbering.orientation)
    assert layout.numbering == numbering
    assert layout.fitted(["0101", "0909"]) == numbering
    assert not layout.shove_is_guessed


@given(numberings, st.integers(0, 9), st.integers(0, 9))
def test_firsts_left_open_are_those_of_the_labels(numbering, width, height):
    """Labels of a rectangle, in any order, lead back to the numbering that made them."""
    numbering = replace(numbering, origin=ORIGIN)
    try:
        labels = [
            numbering.format_label(numbering.hex_at(column, row))
            for column in range(width, -1, -1)
            for row in range(height + 1)
        ]
    except NumberingError:
        return  # the numbers do not reach so far
    text = "\n".join(
        line for line in dump_layout(numbering).splitlines() if not line.startswith("first")
    )
    assert parse(text, numbering.orientation).fitted(["nonsense", *labels]) == numbering


@pytest.mark.parametrize(
    ("word", "label", "column", "row"),
    [("CCRR", "0305", 3, 5), ("RRCC", "0305", 5, 3), ("CCCRR", "01205", 12, 5)],
)
def test_words(word, label, column, row):
    assert is_word(word)
    fitted = layout_from_word(word, "flat").fitted([label])
    assert (fitted.columns.first, fitted.rows.first) == (column, row)
    assert fitted.parse_label(label) == ORIGIN


@pytest.mark.parametrize("word", ["", "CC", "ccrr", "CCRRC", "CCCCRR", "numbers.toml"])
def test_no_words(word):
    assert not is_word(word)
    with pytest.raises(NumberingError, match="give CCRR, RRCC or a TOML file"):
        layout_from_word(word, "flat")


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize(
    ("shoved", "toward", "touches"),
    [("even", "higher", True), ("odd", "lower", True), ("odd", "higher", False)],
)
def test_which_lines_are_shoved(orientation, shoved, toward, touches):
    layout = layout_from_word(
        "CCRR" if orientation == "flat" else "RRCC", orientation, shoved=shoved, toward=toward
    )
    numbering = layout.fitted(["0101"])
    assert not layout.shove_is_guessed
    assert numbering.straight == STRAIGHT[orientation]
    # The second line stands higher: its first hex touches the second of the first line.
    one, other = numbering.parse_label("0102"), numbering.parse_label("0201")
    assert are_neighbours(one, other) == touches


def test_nobody_said_which_lines_are_shoved():
    assert layout_from_word("CCRR", "flat").shove_is_guessed
    assert layout_from_word("CCRR", "flat", shoved="odd").shove_is_guessed
    assert parse("order = 'RRCC'").shove_is_guessed


def test_axes_that_run_to_the_compass():
    layout = layout_from_word("CCRR", "flat", columns_run="NW", rows_run="NE")
    assert layout.north_deg == -45.0
    fitted = layout.fitted(["0101", "6432"])
    assert (fitted.columns.first, fitted.rows.first) == (64, 32)
    assert parse("columns_run = 'NW'\nrows_run = 'NE'\n") == replace(layout, shove_is_guessed=True)


def test_one_axis_alone_has_no_compass():
    with pytest.raises(NumberingError, match="or neither"):
        layout_from_word("CCRR", "flat", rows_run="N")


def test_every_wrong_key_is_named():
    with pytest.raises(DocumentError) as caught:
        parse("order = 'XX'\nfrist = 1\n[columns]\ndigits = '2'\nstep = 2\n[rows]\nskip = 3\n")
    assert str(caught.value).startswith("n.toml: this is no numbering:\n  order: ")
    places = {fault.place for fault in caught.value.faults}
    assert places == {"order", "frist", "columns.digits", "columns.step", "rows.skip"}


def test_every_impossible_part_is_named():
    with pytest.raises(DocumentError) as caught:
        parse("straight = 'rows'\n[columns]\ndigits = 7\n[rows]\nalphabet = 'aa'\n")
    assert [fault.place for fault in caught.value.faults] == ["straight", "columns", "rows"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("separator = '-'", "cannot be parted by '-'"),
        ("columns_run = 'N'", "or neither"),
        ("columns_run = 'N'\nrows_run = 'S'", "right angles"),
        ("columns_run = 'W'\nrows_run = 'S'\n[columns]\nstep = 1", r"columns.step: is 1"),
        ("order = ", "not a numbering file in TOML"),
        ("a = " + "[" * 5000, "not a numbering file in TOML"),
        ("when = 2024-05-03\nsize = nan", "when: "),
    ],
)
def test_files_that_are_no_numbering(text, why):
    with pytest.raises(DocumentError, match=why):
        parse(text)


def test_a_file_that_is_not_utf_8():
    with pytest.raises(DocumentError, match="not UTF-8"):
        parse_layout(b"\xff\xfe\xff", "n.toml", "flat")


@pytest.mark.parametrize("page", sorted(HOW_TO.glob("*.md")), ids=lambda page: page.name)
def test_the_numbering_files_that_the_docs_show(page):
    """They read, and for the layout that the page's commands give."""
    text = page.read_text(encoding="utf-8")
    for block in re.findall(r"^```toml\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        if "shoved" in block:
            orientation = "pointy" if "--layout pointy" in text else "flat"
            assert not parse(block, orientation).shove_is_guessed


def test_joined_sheets_have_no_numbering_file():
    plain = Numbering(straight="columns")
    with pytest.raises(NumberingError, match="joined sheets"):
        dump_layout(SheetNumbering((SheetPart("A", plain, (0, 9), (0, 9)),)))
