"""Units and markers in CSV files and workbooks: there and back, looks and pictures too."""

from pathlib import Path

import pytest
from hypothesis import given, settings

from counters.counter_files import counter_tables, load_counters, parse_counters, write_tables
from counters.markers_table import dump_markers, load_markers
from counters.model import Colours, Face, Marker, Unit
from counters.units_table import dump_units, load_units
from mapkit.errors import StoreError, TableError
from tests.counters.drawn import counters, known

UNIT = Unit(
    "007",
    "79/I",
    "it",
    class_="infantry",
    faces=(Face("front", {"combat": 4}, "cut/007.png"), Face("reduced", {}, "cut/007-back.png")),
    symbol="bersaglieri",
    badges=("II", "3"),
    colours=Colours("#c8b46e", "#000000", "#ff0000"),
    copies=3,
)
MARKER = Marker("dis", "Disorganized", symbol="cross", copies=12)


def problems(text):
    with pytest.raises(TableError) as caught:
        load_units(text.encode(), source="units.csv")
    return [str(fault) for fault in caught.value.problems]


def test_looks_stand_in_columns_of_their_own():
    data = dump_units([UNIT])
    assert data.decode("utf-8-sig").splitlines()[0] == (
        "id,name,side,nationality,formation,class,echelon,steps,symbol,badges,ground,ink,bar,"
        "copies,front.combat,front.picture,reduced.picture"
    )
    assert load_units(data, source="units.csv") == (UNIT,)


def test_columns_nobody_uses_are_not_written():
    head = dump_units([Unit("a", "A", "it", symbol="armour")]).decode("utf-8-sig").splitlines()[0]
    assert head == "id,name,side,nationality,formation,class,echelon,steps,symbol"


@pytest.mark.parametrize(
    ("column", "cell", "told"),
    [
        ("ground", "red", "'red' is no colour; write red, green and blue in two digits each"),
        ("ink", "#12345", "'#12345' is no colour"),
        ("copies", "0", "'0' is no number of copies; write a whole number from 1 to 999"),
        ("copies", "-2", "'-2' is no number of copies"),
        ("copies", "1000", "'1000' is no number of copies"),
        ("front.picture", "/etc/passwd", "'/etc/passwd' leads out of the table's folder"),
        ("front.picture", "../a.png", "'../a.png' leads out of the table's folder; put"),
        ("front.picture", "C:a.png", "leads out"),
        ("front.picture", r"\\host\a.png", "leads out"),
        ("front.picture", r"..\a.png", "leads out"),
    ],
)
def test_a_bad_cell_is_named_with_its_remedy(column, cell, told):
    (problem,) = problems(f"id,name,side,{column}\na,A,it,{cell}\n")
    assert problem.startswith(f"units!D2 ({column}): ")
    assert told in problem


def test_a_path_typed_on_windows_is_written_as_ours():
    data = b"id,name,side,front.picture\na,A,it,cut\\a.png\n"
    (unit,) = load_units(data, source="units.csv")
    assert unit.face("front") == Face("front", {}, "cut/a.png")


def test_what_a_cell_cannot_hold_is_refused():
    with pytest.raises(TableError, match="the badge 'a;b' fits into no cell"):
        dump_units([Unit("a", "A", "it", badges=("a;b",))])
    with pytest.raises(TableError, match=r"'front\.picture' is no column's name"):
        dump_markers([Marker("a", "A", faces=(Face("front", {"picture": 1}),))])


@given(counters(kinds=("unit",)))
def test_units_there_and_back(listed):
    again = load_units(dump_units(listed), source="units.csv")
    assert [known(unit) for unit in again] == [known(unit) for unit in listed]


@given(counters(kinds=("marker",)))
def test_markers_there_and_back(listed):
    again = load_markers(dump_markers(listed), source="markers.csv")
    assert [known(marker) for marker in again] == [known(marker) for marker in listed]


@settings(max_examples=30)
@given(counters())
def test_a_workbook_there_and_back(listed):
    ((_, data),) = counter_tables(listed, Path("all.xlsx"))
    again = parse_counters(data, source="all.xlsx")
    units_first = sorted(listed, key=lambda one: isinstance(one, Marker))
    assert [known(one) for one in again] == [known(one) for one in units_first]


def test_markers_beside_units_get_a_file_of_their_own(tmp_path):
    files = counter_tables([UNIT, MARKER], tmp_path / "units.csv")
    write_tables(files, force=False)
    assert load_counters(tmp_path / "units.csv") == (UNIT,)
    assert load_counters(tmp_path / "markers.csv") == (MARKER,)
    (tmp_path / "units.csv").unlink()
    with pytest.raises(StoreError, match=r"markers\.csv"):
        write_tables(files, force=False)
    assert not (tmp_path / "units.csv").exists(), "written although the other file was refused"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("units.csv", "only markers; call it markers.csv"),
        ("units.txt", r"ends in \.csv or \.xlsx"),
    ],
)
def test_a_name_that_does_not_fit(name, told):
    with pytest.raises(TableError, match=told):
        counter_tables([MARKER], Path(name))
    with pytest.raises(TableError, match="there are units"):
        counter_tables([UNIT], Path("markers.csv"))


def test_a_workbook_of_markers_alone():
    ((_, data),) = counter_tables([MARKER], Path("m.xlsx"))
    assert parse_counters(data, source="m.xlsx") == (MARKER,)


@pytest.mark.parametrize("cut", [10, 500, 2000])
def test_half_a_workbook_is_told_in_a_line(cut):
    ((_, data),) = counter_tables([UNIT], Path("u.xlsx"))
    with pytest.raises(TableError, match="not a workbook that can be read") as caught:
        parse_counters(data[:cut], source="u.xlsx")
    assert "\n" not in str(caught.value)
