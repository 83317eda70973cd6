"""Tables as people make them: every bad cell is named, what can be mended is mended."""

import datetime
import io

import openpyxl
import pytest

from mapkit.errors import TableError
from mapkit.hexes import Hex
from mapkit.model import Feature
from mapkit.tables.layouts import layout_from_word, parse_layout
from mapkit.tables.reading import TableFiles, map_from_tables, told_neighbours

CCRR = layout_from_word("CCRR", "flat", shoved="even", toward="higher")


def imported(hexes, *, layout=CCRR, **others):
    files = TableFiles()
    files.add("hexes", data(hexes), "hexes.csv")
    for role, text in others.items():
        files.add(role, data(text), f"{role}.csv")
    return map_from_tables(files, layout, title="Alps")


def data(content):
    return content if isinstance(content, bytes) else content.encode()


def problems(*args, **others):
    with pytest.raises(TableError) as caught:
        imported(*args, **others)
    for problem in caught.value.problems:
        assert str(problem) in str(caught.value)
    return [(problem.place, problem.problem) for problem in caught.value.problems]


def book(sheets):
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def test_every_bad_cell_of_three_tables_at_once():
    found = problems(
        "hex,terrain,level,features,name\n"
        "0101,clear,1,,\n"
        "0102,clear,high,,\n"
        ",,,,\n"
        "0101,woods,2,,\n"
        "1x03,clear,2.5,fort:x,\n"
        ",clear,1,,\n"
        "0103,clear,1,trench>0104,\n"
        f"0104,{'w' * 10_001},1,,,stray\n"
        "0105,clear,1,trench>9,\n",
        hexsides="hexside,features\n"
        "0101/0103,river\n"
        "0101/0102,\n"
        "0102/0103,river\n"
        "0103/0102,stream\n"
        "4040/4041,river\n"
        "0104/0105,trench>0101\n"
        "0104,river\n"
        ",river\n",
        links="features,link\nroad,0101/0102\nroad@,0102-0103\n",
    )
    assert [place for place, _ in found] == [
        "hexes!C3 (level)",
        "hexes!A5 (hex)",
        "hexes!A6 (hex)",
        "hexes!C6 (level)",
        "hexes!D6 (features)",
        "hexes!A7 (hex)",
        "hexes!D8 (features)",
        "hexes!B9 (terrain)",
        "hexes!F9",
        "hexes!D10 (features)",
        "hexsides!A2 (hexside)",
        "hexsides!B3 (features)",
        "hexsides!A5 (hexside)",
        "hexsides!A6 (hexside)",
        "hexsides!B7 (features)",
        "hexsides!A8 (hexside)",
        "hexsides!A9 (hexside)",
        "links!B2 (link)",
        "links!A3 (features)",
    ]
    why = [problem for _, problem in found]
    assert why[0] == "'high' is not a whole number"
    assert why[1] == "hex 0101 stands already in row 2"
    assert "look like" in why[2]
    assert why[5] == "no hex is named"
    assert why[7] == "10,001 characters are too many"
    assert "do not touch" in why[10]
    assert why[12] == "stands already in row 4"
    assert why[13] == "neither hex is on the map"
    assert why[14] == "a feature faces a hex elsewhere"


def test_bad_cells_of_a_workbook():
    found = problems(
        book(
            {
                "hexes": [
                    ["hex", "terrain", "level", "features"],
                    [datetime.datetime(2024, 5, 3), "clear", 1],
                    ["0102", '="a"&"b"', 1],
                    ["0103", True, 1.5],
                    ["0104", "clear", "#REF!"],
                    ["0105", "clear", 1, "town:2:3"],
                ],
                "hexsides": [["hexside", "features"], [datetime.datetime(2024, 1, 2), "river"]],
            }
        )
    )
    assert [place for place, _ in found] == [
        "hexes!A2 (hex)",
        "hexes!B3 (terrain)",
        "hexes!B4 (terrain)",
        "hexes!C4 (level)",
        "hexes!C5 (level)",
        "hexes!D6 (features)",
        "hexsides!A2 (hexside)",
    ]
    assert "took the text for one" in found[0][1]


def test_one_bad_cell_takes_one_line():
    with pytest.raises(TableError, match=r"^hexes.csv: hexes!B2 \(level\): 'x' is .*; write"):
        imported("hex,level\n0101,x\n")


@pytest.mark.parametrize(
    ("header", "place", "problem"),
    [
        ("", "hexes!A1 (hex)", "the table is empty"),
        ("label,terrain\n", "hexes!A1 (hex)", "there is no column 'hex'"),
        ("hex,terrain,Terrain\n", "hexes!C1 (terrain)", "a second column 'terrain'"),
    ],
)
def test_headers_that_do_not_do(header, place, problem):
    assert problems(header) == [(place, problem)]


def test_columns_in_any_order_with_others_among_them():
    made = imported("\n q, Note ,LEVEL,Hex,\n1,x, 3 ,0101,\n\n2,,−1,0102,\n")
    assert [(ground.level, ground.note) for ground in made.map_.hexes.values()] == [
        (3, "x"),
        (-1, ""),
    ]
    assert made.remarks == ("not read, because no such column is known: hexes!A2 'q'",)


def test_a_cell_under_no_column_name_is_not_lost_silently():
    made = imported("hex,,level\n0101,lost,3\n")
    assert made.remarks == ("not read, because no such column is known: hexes!B1 ''",)


@pytest.mark.parametrize("level", ["3", "3.0", "3,00", "+3", " 3 "])
def test_levels_as_spreadsheets_write_them(level):
    (ground,) = imported(f'hex,level\n0101,"{level}"\n').map_.hexes.values()
    assert ground.level == 3


def test_labels_that_lost_their_zeros_get_them_back():
    made = imported(
        "hex\n305\n306.0\n0307\n1\n",
        hexsides="hexside,features\n305/306,trench>306\n",
        links="link,features\n306-307,road\n",
    )
    map_ = made.map_
    assert sorted(map_.label(hex_) for hex_ in map_.hexes) == ["0001", "0305", "0306", "0307"]
    assert [map_.label_place(side) for side in map_.hexsides] == ["0305/0306"]
    assert [map_.label_place(link) for link in map_.links] == ["0306-0307"]
    ((trench,),) = map_.hexsides.values()
    assert trench == Feature("trench", facing=map_.hex("0306"))
    assert made.remarks == (
        "5 labels got their leading zeros back, which a spreadsheet had dropped, such as 1: 0001.",
    )


def test_numbers_in_a_workbook_are_labels_where_the_width_is_fixed():
    made = imported(book({"hexes": [["hex"], [305], [306.0], ["0307"]]}))
    assert sorted(map(made.map_.label, made.map_.hexes)) == ["0305", "0306", "0307"]


def test_a_number_that_may_have_lost_its_last_zero_is_not_guessed():
    layout = parse_layout(b"separator = '.'\n[rows]\ndigits = 1\n", "n.toml", "flat")
    found = problems(book({"hexes": [["hex"], [12.1], ["12.10"]]}), layout=layout)
    assert found == [("hexes!A2 (hex)", "the number 12.1 is no label: zeros may have been lost")]


def test_two_rows_that_differ_in_zeros_only_are_one_hex():
    assert problems("hex\n0305\n305\n") == [
        ("hexes!A3 (hex)", "hex 305 stands already in row 2"),
    ]


def test_a_duplicate_is_told_though_its_first_row_is_bad_elsewhere():
    places = [place for place, _ in problems("hex,level\n0101,x\n0101,2\n")]
    assert places == ["hexes!B2 (level)", "hexes!A3 (hex)"]


def test_the_top_left_hex_is_the_origin_and_lies_on_the_picture():
    layout = layout_from_word("RRCC", "pointy", shoved="even", toward="lower")
    map_ = imported("hex\n0712\n0511\n0612\n0611\n", layout=layout).map_
    assert map_.hex("0511") == Hex(0, 0)
    xs, ys = zip(*map(map_.grid.centre, map_.hexes), strict=True)
    assert (min(xs), min(ys)) == (60.0, 60.0)


def test_where_north_lies_comes_from_the_compass():
    layout = layout_from_word("CCRR", "flat", columns_run="NW", rows_run="NE")
    map_ = imported("hex\n0101\n0302\n", layout=layout).map_
    assert map_.grid.north_deg == -45.0
    assert map_.grid.centre(map_.hex("0101"))[0] > map_.grid.centre(map_.hex("0302"))[0]


def test_what_nobody_said_of_the_shove_is_told_by_neighbours():
    table = "hex\n" + "".join(f"{c:02}{r:02}\n" for c in (1, 2, 3) for r in (1, 2, 3))
    made = imported(table, layout=layout_from_word("CCRR", "flat"))
    assert (
        "Read with --shoved even --toward higher, 0202 touches 0102, 0103, 0201, 0203, 0302, 0303."
        in made.remarks[0]
    )
    other = layout_from_word("CCRR", "flat", shoved="odd", toward="higher")
    quiet = imported(table, layout=other)
    assert quiet.remarks == ()
    assert "0202 touches 0101, 0102, 0201, 0203, 0301, 0302." in told_neighbours(
        quiet.map_, other.numbering
    )


def test_words_that_differ_in_capitals_only_are_pointed_at():
    made = imported("hex,terrain\n0101,Woods\n0102,woods\n0103,clear\n")
    assert made.remarks == (
        "these words differ in capitals only and are different kinds: Woods, woods",
    )


def test_sheets_by_name_and_sheets_that_are_not_read():
    made = imported(
        book(
            {
                "Legend": [["some", "thing"]],
                "Links": [["link", "features"], ["0101-0102", "road"]],
                "HEXES": [["hex"], ["0101"], ["0102"]],
                "Empty": [],
            }
        )
    )
    assert len(made.map_.hexes) == 2
    assert len(made.map_.links) == 1
    assert made.remarks == ("not read: sheet 'Legend' of hexes.csv",)


def test_a_sheet_of_any_name_will_do_where_it_is_the_only_one():
    assert len(imported(book({"Tabelle1": [["hex"], ["0101"]]})).map_.hexes) == 1


def test_a_file_of_its_own_goes_before_the_workbook_sheet():
    made = imported(
        book({"hexes": [["hex"], ["0101"], ["0102"]], "links": [["link", "features"]]}),
        links="link,features\n0101-0102,road\n",
    )
    assert len(made.map_.links) == 1


def test_a_workbook_without_the_sheet_asked_for():
    with pytest.raises(TableError, match="no sheet 'hexes'"):
        imported(book({"links": [["link"]], "hexsides": [["hexside"]]}))


def test_texts_too_long_for_a_map_and_cells_that_only_hold_much():
    much = ";".join(["town"] * 5000)
    (ground,) = imported(f"hex,features\n0101,{much}\n").map_.hexes.values()
    assert len(ground.features) == 5000
    found = problems(f"hex,features\n0101,town [{'x' * 10_001}]\n")
    assert found == [("hexes!B2 (features)", "a feature has a text of too many characters")]


def test_a_formula_in_csv_is_plain_text():
    (ground,) = imported("hex,name\n0101,=cmd|' /C calc'!A0\n").map_.hexes.values()
    assert ground.name == "=cmd|' /C calc'!A0"


def test_many_hexes_that_do_not_touch_point_to_the_layout(tmp_path, mapkit_cli):
    hexes = "hex,terrain\n" + "".join(
        f"{c:02}{r:02},clear\n" for c in range(1, 9) for r in range(1, 9)
    )
    links = "link,features\n" + "".join(f"{c:02}01-{c:02}07,road\n" for c in range(1, 9))
    links += "".join(f"{c:02}01-{c:02}05,road\n" for c in range(1, 9))
    links += "".join(f"{c:02}02-{c:02}06,road\n" for c in range(1, 9))
    (tmp_path / "h.csv").write_text(hexes)
    (tmp_path / "l.csv").write_text(links)
    ran = mapkit_cli(
        "map", "from-table", tmp_path / "h.csv", "--links", tmp_path / "l.csv",
        "--layout", "flat", "--numbering", "CCRR", "-o", tmp_path / "m.hexmap.json",
    )  # fmt: skip
    assert ran.exit_code == 1
    first, last = ran.stderr.splitlines()[0], ran.stderr.splitlines()[-1]
    assert "most likely --layout, --numbering or --shoved is wrong" in first
    assert "most likely" in last
