"""Cells through CSV: nothing runs, nothing is guessed, everything comes back."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.errors import TableError
from mapkit.tables import spreadsheet
from mapkit.tables.spreadsheet import (
    Table,
    column_letters,
    defused,
    kept_apart,
    read_csv,
    read_sheets,
    undefused,
    write_csv,
)

COLUMNS = ("hex", "terrain", "level", "features", "name", "note")

awkward = st.text(st.sampled_from("=+-@'＝－\t\r\n; \",a\xa0"), max_size=8)
texts = awkward | st.text(st.characters(exclude_categories=("Cs",)), max_size=12)


def texts_of(sheet):
    return [[cell.text for cell in row] for row in sheet.rows]


def read(data):
    return read_csv(data, name="hexes", source="hexes.csv", columns=COLUMNS)


@given(texts)
def test_defusing_is_undone_exactly(text):
    assert undefused(defused(text)) == text
    assert undefused(kept_apart(text)) == text


@given(texts)
def test_what_was_defused_runs_nowhere(text):
    """Whatever a program takes for the start of a cell, no formula begins there."""
    for start in re.split(r"[;\t\r\n]", defused(text)):
        assert not start.lstrip(' \xa0"').startswith(tuple("=+-@＝＋－＠"))
    assert not defused(text).startswith(("\t", "\r"))


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
        ("＝1+1", "'＝1+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t'=1"),
        ("hill;=1+1", "hill;'=1+1"),
        ("two\n=lines", "two\n'=lines"),
        ("'=1", "''=1"),
        ("'s Gravenhage", "'s Gravenhage"),
        ("Monte Grappa (-3)", "Monte Grappa (-3)"),
    ],
)
def test_how_texts_are_defused(text, cell):
    assert defused(text) == cell


@given(st.lists(st.lists(texts, min_size=3, max_size=3), max_size=4))
def test_a_table_reads_back_from_csv(rows):
    table = Table("hexes", ("hex", "name", "note"), rows)
    sheet = read(write_csv(table))
    assert texts_of(sheet) == [["hex", "name", "note"], *rows]


def test_levels_are_numbers_and_not_defused():
    data = write_csv(Table("hexes", ("hex", "level"), [("0101", -1), ("0102", None)]))
    assert data == b"\xef\xbb\xbfhex,level\r\n0101,-1\r\n0102,\r\n"


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_delimiters_encodings_and_line_ends(delimiter, encoding, newline):
    rows = [["hex", "terrain", "name"], ["0305", "Wälder", 'a,b;c\t"d"'], ["0306", "bosco", "é"]]
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator=newline).writerows(rows)
    assert texts_of(read(out.getvalue().encode(encoding))) == rows


def test_the_delimiter_is_that_of_the_header_not_of_the_cells():
    data = b"hex;features\n0305;a,b,c,d,e\n"
    assert texts_of(read(data)) == [["hex", "features"], ["0305", "a,b,c,d,e"]]


def test_the_line_by_which_excel_names_its_delimiter():
    assert texts_of(read(b"sep=;\r\nhex;name\r\n0305;a,b\r\n"))[1] == ["0305", "a,b"]


def test_text_that_is_not_utf_8_is_never_guessed():
    data = "hex,name\n0305,Görz\n".encode("cp1252")
    with pytest.raises(TableError, match=r"hexes.csv, line 2: not UTF-8 text \(byte 0xF6 at 15\)"):
        read(data)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        pytest.param("hex,name\n".encode("utf-16-le"), "UTF-16 without its mark", id="no mark"),
        pytest.param(b"\xff\xfeh", "damaged UTF-16", id="half a letter"),
        pytest.param(b'hex,name\n0305,"a\n', "line 2: not CSV", id="open quote"),
        pytest.param(b'hex,name\n0305,"a"b\n', "line 2: not CSV", id="text after quote"),
        pytest.param(b"hex\n" + b"a" * 200_000, "not CSV", id="huge cell"),
        pytest.param(b"," * 300 + b"\n", "100 columns", id="wide"),
        pytest.param(b"\xd0\xcf\x11\xe0xls", "save it as .xlsx", id="old workbook"),
    ],
)
def test_what_is_not_csv(data, why):
    with pytest.raises(TableError, match=why):
        read_sheets(data, name="hexes", source="hexes.csv", columns=COLUMNS)


def test_limits(monkeypatch):
    monkeypatch.setattr(spreadsheet, "LIMIT_ROWS", 3)
    monkeypatch.setattr(spreadsheet, "LIMIT_BYTES", 40)
    with pytest.raises(TableError, match="more than 3 rows"):
        read(b"hex\n1\n2\n3\n")
    with pytest.raises(TableError, match="too big"):
        read_sheets(b"x" * 41, name="hexes", source="hexes.csv", columns=COLUMNS)


def test_half_characters_are_listed_not_written():
    table = Table("hexes", ("hex", "name"), [("0101", "\ud800"), ("0102", "x"), ("0103", "\udfff")])
    with pytest.raises(TableError) as caught:
        write_csv(table)
    assert [problem.place for problem in caught.value.problems] == [
        "hexes!B2 (name)",
        "hexes!B4 (name)",
    ]


@pytest.mark.parametrize(("index", "letters"), [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ")])
def test_columns_are_called_as_in_a_spreadsheet(index, letters):
    assert column_letters(index) == letters
