"""sheet.toml: there and back, and every wrong key named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counters.model import Flip, Section, Sheet
from counters.sheet_files import SheetFileError, dump_sheet, load_sheet, parse_sheet
from mapkit.errors import StoreError

HEAD = 'format = "mapkit-sheet/1"\nname = "S"\n'
SECTION = '[[sections]]\nname = "A"\nrows = 1\ncolumns = 2\n'


def told(text):
    with pytest.raises(SheetFileError) as caught:
        parse_sheet(text if isinstance(text, bytes) else text.encode(), "sheet.toml")
    return str(caught.value)


def test_a_sheet_as_somebody_types_it(tmp_path):
    path = tmp_path / "sheet.toml"
    path.write_text(
        HEAD + 'front = "scans\\\\front.png"\ndpi = 300\n' + SECTION + "counter_mm = [12.7, 15]\n"
        "front = [[0, 0], [100, 0.5], [100, 50], [0, 50]]\n"
        'cells = [["a", ""]]\n'
    )
    assert load_sheet(path) == Sheet(
        "S",
        "scans/front.png",
        dpi=300.0,
        sections=(
            Section(
                "A",
                1,
                2,
                front=((0.0, 0.0), (100.0, 0.5), (100.0, 50.0), (0.0, 50.0)),
                counter_mm=(12.7, 15.0),
                cells={(0, 0): "a"},
            ),
        ),
    )


def test_it_is_written_a_row_of_counters_to_a_line():
    sheet = Sheet("S", sections=(Section("A", 2, 2, flip=Flip.ROWS, cells={(1, 0): "a"}),))
    assert dump_sheet(sheet).decode() == (
        HEAD + '\n[[sections]]\nname = "A"\nrows = 2\ncolumns = 2\nflip = "rows"\n'
        'cells = [\n  ["", ""],\n  ["a", ""],\n]\n'
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "its format is None"),
        ('format = "mapkit-map/1"', "its format is 'mapkit-map/1'"),
        ('format = "mapkit-sheet/2"', "install a Mapkit that reads mapkit-sheet/2"),
        ("a = [", "broken TOML"),
        (b"\x89PNG\r\n", "not UTF-8 text"),
        ('format = "mapkit-sheet/1"', "name: field required"),
        (HEAD + "colour = 1", "colour: a sheet has no such key; remove it"),
        (HEAD + "dpi = 0", "dpi: input should be greater than 0"),
        (HEAD + "dpi = nan", "dpi: input should be a finite number"),
        (HEAD + 'dpi = "300"', "dpi: input should be a valid number"),
        (HEAD + 'front = "/scan.png"', "front: '/scan.png' leads out of the folder"),
        (HEAD + 'back = "a/../../b.png"', "back: 'a/../../b.png' leads out"),
        (HEAD + 'back = "C:/b.png"', "leads out"),
        (HEAD + SECTION + 'cells = [["a"]]', "sections.A.cells: row 1 has 1 cells, the section"),
        (HEAD + SECTION + 'cells = [["a", "b"], ["", ""]]', "2 rows of cells, the section has 1"),
        (HEAD + SECTION.replace("rows = 1", "rows = 9999999"), "less than or equal to 200"),
        (HEAD + SECTION + 'flip = "over"', "sections.0.flip"),
        (HEAD + SECTION + "front = [[0, 0]]", "sections.0.front"),
        (HEAD + SECTION + SECTION, "a second section of that name"),
    ],
)
def test_what_is_wrong_is_named(text, problem):
    message = told(text)
    assert message.startswith("sheet.toml: ")
    assert problem in message


def test_all_faults_are_told_at_once():
    assert len(told(HEAD + "dpi = -1\nsize = 2\n").splitlines()) == 3


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(StoreError):
        load_sheet(tmp_path / "sheet.toml")


@pytest.mark.parametrize(
    "sheet",
    [
        Sheet("S", front="../scan.png"),
        Sheet("S", sections=(Section("A", 1, 1, cells={(0, 1): "a"}),)),
        Sheet("S", dpi=float("inf")),
        Sheet("half \ud800"),
        Sheet(""),
    ],
)
def test_nothing_is_written_that_would_not_read(sheet):
    with pytest.raises(SheetFileError):
        dump_sheet(sheet)


lines = st.integers(1, 4)
lengths = st.floats(0.1, 1000)
corners = st.tuples(*[st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))] * 4)
texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)


@st.composite
def sections(draw, name):
    rows, columns = draw(lines), draw(lines)
    where = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))
    return Section(
        name,
        rows,
        columns,
        draw(st.none() | corners),
        draw(st.none() | corners),
        draw(st.none() | st.tuples(lengths, lengths)),
        draw(st.tuples(st.floats(0, 10), st.floats(0, 10))),
        draw(st.sampled_from(Flip)),
        draw(st.dictionaries(where, texts, max_size=4)),
    )


@st.composite
def sheets(draw):
    names = draw(st.lists(texts, max_size=3, unique=True))
    return Sheet(
        draw(texts),
        draw(st.sampled_from(["", "front.png", 'scans/è "1".png'])),
        draw(st.sampled_from(["", "back.png"])),
        draw(st.none() | st.floats(1, 2400)),
        tuple(draw(sections(name)) for name in names),
    )


@given(sheets())
def test_there_and_back(sheet):
    assert parse_sheet(dump_sheet(sheet), "sheet.toml") == sheet
