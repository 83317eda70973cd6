"""Cells through XLSX: text stays text, and a hostile workbook is refused before it unpacks."""

import datetime
import io
import zipfile

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.errors import TableError
from mapkit.tables import workbook
from mapkit.tables.spreadsheet import Table
from mapkit.tables.workbook import read_workbook, write_workbook

awkward = st.sampled_from(["_x0041_", "_x000D_", "_x005F_", "=1", "'=1", "#N/A", " a ", "TRUE"])
texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=12) | awkward


def book(*rows, sheet="hexes"):
    made = openpyxl.Workbook()
    made.active.title = sheet
    for row in rows:
        made.active.append(row)
    return packed(made)


def packed(made):
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def cells(data):
    (sheet,) = read_workbook(data, "x.xlsx")
    return sheet.rows


def repacked(data, **changed):
    """Return a workbook with some of its parts replaced, named by their stem."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", 8) as new:
        for part in old.infolist():
            stem = part.filename.rpartition("/")[2].partition(".")[0]
            content = old.read(part)
            new.writestr(part.filename, changed[stem](content) if stem in changed else content)
    return out.getvalue()


@given(st.lists(st.lists(texts, min_size=2, max_size=2), max_size=3))
def test_a_table_reads_back_from_a_workbook(rows):
    data = write_workbook([Table("hexes", ("hex", "name"), rows)])
    found = [[cell.text for cell in row] for row in cells(data)]
    padded = [row + [""] * (2 - len(row)) for row in found]
    while rows and not any(rows[-1]):
        rows = rows[:-1]  # empty rows at the end are not there
    assert padded == [["hex", "name"], *rows]


def test_every_text_is_written_as_text():
    rows = [("0305", "=1+1"), ("0306", "#N/A"), ("0307", "12"), ("0308", "\x01\r")]
    made = openpyxl.load_workbook(
        io.BytesIO(write_workbook([Table("hexes", ("hex", "name"), rows)]))
    )["hexes"]
    assert {cell.data_type for row in made.iter_rows() for cell in row} == {"s"}
    assert [cell.value for cell in made["A"]] == ["hex", "0305", "0306", "0307", "0308"]
    assert made["B2"].value == "=1+1"
    assert made["B2"].quotePrefix
    assert not made["B4"].quotePrefix
    assert made["A2"].number_format == "@"
    assert made.column_dimensions["A"].number_format == "@"


def test_levels_are_numbers():
    rows = [("0101", -1), ("0102", None), ("0103", 0)]
    read = cells(write_workbook([Table("hexes", ("hex", "level"), rows)]))
    assert [row[1:] for row in read[1:]] == [(("-1", True, None),), (), (("0", True, None),)]


def test_the_same_table_gives_the_same_bytes(monkeypatch):
    table = Table("hexes", ("hex",), [("0101",)])
    first = write_workbook([table])
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert {part.date_time[0] for part in archive.infolist()} == {1980}
        assert b"1980-01-01T00:00:00Z" in archive.read("docProps/core.xml")
        assert str(datetime.date.today().year).encode() not in archive.read("docProps/core.xml")
    assert write_workbook([table]) == first


@pytest.mark.parametrize(
    ("value", "text"),
    [(305, "305"), (305.0, "305"), (12.5, "12.5"), (-3, "-3"), ("'=1", "=1"), ("_x000D_", "\r")],
)
def test_what_other_programs_wrote(value, text):
    assert cells(book([value]))[0][0].text == text


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("=A1+1", "formula, which is not evaluated"),
        (datetime.datetime(2024, 5, 3), r"date or time \(2024-05-03"),
        (datetime.time(3, 5), "date or time"),
        (True, "truth value"),
        ("#REF!", "the error #REF!"),
    ],
)
def test_cells_that_hold_nothing_to_read(value, problem):
    (row,) = cells(book([value]))
    with pytest.raises(AssertionError, match=problem):
        raise AssertionError(row[0].trouble.problem)


def test_merged_cells_and_empty_rows():
    made = openpyxl.Workbook()
    made.active.append(["hex", "terrain"])
    made.active["A4"], made.active["B4"] = "0101", "clear"
    made.active["A5"] = "0102"
    made.active.merge_cells("B4:B5")
    made.active["A99"].number_format = "@"
    rows = cells(packed(made))
    assert [[cell.text for cell in row] for row in rows] == [
        ["hex", "terrain"], [], [], ["0101", "clear"], ["0102"],
    ]  # fmt: skip


def test_a_text_too_long_for_a_cell_is_told():
    with pytest.raises(TableError, match=r"hexes!A2 \(hex\): 32,768 characters"):
        write_workbook([Table("hexes", ("hex",), [("x" * 32_768,)])])


def test_a_workbook_that_unpacks_to_a_bomb():
    bomb = repacked(book(["hex"]), sheet1=lambda content: content + b" " * 2**26)
    assert len(bomb) < 2**20
    with pytest.raises(TableError, match="67 MB unpacked"):
        read_workbook(bomb, "x.xlsx")


def test_a_workbook_of_too_many_parts(monkeypatch):
    monkeypatch.setattr(workbook, "LIMIT_PARTS", 3)
    with pytest.raises(TableError, match="unpacked"):
        read_workbook(book(["hex"]), "x.xlsx")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_workbook_with_entities_is_refused(encoding):
    laughs = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><x>&b;</x>'

    def xml(_):
        return f'<?xml version="1.0" encoding="{encoding}"?>{laughs}'.encode(encoding)

    with pytest.raises(TableError, match="XML entities"):
        read_workbook(repacked(book(["hex"]), sheet1=xml), "x.xlsx")


def test_a_row_number_in_the_billions_does_not_hang():
    """Nor does one just within the limit; the rows between are not there."""

    def at(number):
        return lambda content: content.replace(b'<row r="2"', f'<row r="{number}"'.encode())

    data = book(["hex"], ["0101"])
    assert len(cells(repacked(data, sheet1=at(2_000_000_000)))) == 1
    assert len(cells(repacked(data, sheet1=at(1_000_000)))) == 1_000_000


def test_limits(monkeypatch):
    monkeypatch.setattr(workbook, "LIMIT_ROWS", 2)
    with pytest.raises(TableError, match="more than 2 rows"):
        read_workbook(book(["hex"], ["1"], ["2"]), "x.xlsx")
    with pytest.raises(TableError, match="100 columns"):
        read_workbook(book(["x"] * 300), "x.xlsx")


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"PK\x03\x04nonsense", id="no zip"),
        pytest.param(book(["hex"])[:-40], id="cut off"),
        pytest.param(repacked(book(["hex"]), workbook=lambda _: b"<x"), id="broken XML"),
        pytest.param(repacked(book(["hex"]), sheet1=lambda _: b"\0\1"), id="broken sheet"),
    ],
)
def test_a_damaged_workbook_is_told_in_a_line(data):
    with pytest.raises(TableError, match=r"^x.xlsx: not a workbook that can be read"):
        read_workbook(data, "x.xlsx")
