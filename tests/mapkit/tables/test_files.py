"""`map from-table` and `map to-table` as their users meet them, and LibreOffice in between."""

import subprocess

import pytest

from mapkit import maps
from mapkit.errors import NumberingError
from mapkit.tables.files import load_layout

HEXES = '''hex,terrain,level,features,name,note
0101,clear,1,"town ""Asiago""",Asiago,=1+1
0102,woods,2,fort:2@Italy,,"two
lines"
0201,Wälder,-1,,Görz,
0202,,,,'s Gravenhage,
'''
HEXSIDES = "hexside,features\n0101/0102,river; bridge!blown\n0101/0201,trench:2>0201\n"
LINKS = "link,features\n0101-0102,main road\n"
LAYOUT = ("--layout", "flat", "--numbering", "CCRR")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("hexes", HEXES), ("sides", HEXSIDES), ("roads", LINKS)):
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def map_file(folder, mapkit_cli):
    tables = ("hexes.csv", "--hexsides", "sides.csv", "--links", "roads.csv")
    ran = mapkit_cli(
        "map", "from-table", *tables, *LAYOUT, "--title", "Alps", "-o", "alps.hexmap.json"
    )
    assert (ran.exit_code, ran.stdout) == (0, "")
    assert "0102 touches 0101, 0201, 0202. If that is wrong, give" in ran.stderr
    assert ran.stderr.endswith("alps.hexmap.json: 4 hexes, 2 hexsides, 1 links\n")
    return folder / "alps.hexmap.json"


def content(path):
    map_ = maps.load_map(path)
    return dict(map_.hexes), dict(map_.hexsides), dict(map_.links), map_.numbering


def test_the_map_says_what_the_tables_say(map_file):
    map_ = maps.load_map(map_file)
    ground = map_[map_.hex("0101")]
    assert (ground.terrain, ground.level, ground.name, ground.note) == (
        "clear", 1, "Asiago", "=1+1",
    )  # fmt: skip
    assert map_.title == "Alps"
    assert map_[map_.hex("0202")].name == "'s Gravenhage"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        pytest.param(
            ("-o", "h.csv", "--hexsides", "s.csv", "--links", "l.csv"),
            ("h.csv", "--hexsides", "s.csv", "--links", "l.csv"),
            id="csv",
        ),
        pytest.param(("-o", "alps.xlsx"), ("alps.xlsx",), id="xlsx"),
    ],
)
@pytest.mark.parametrize("numbering", ["CCRR", "alps.toml"])
def test_there_and_back(mapkit_cli, map_file, written, read, numbering):
    ran = mapkit_cli("map", "to-table", map_file, *written, "--numbering", "alps.toml")
    left_out = "not in the tables: the title; they stay in the map only\n"
    assert (ran.exit_code, ran.stdout, ran.stderr) == (0, "", left_out)
    layout = ("--layout", "flat", "--numbering", numbering)
    ran = mapkit_cli("map", "from-table", *read, *layout, "-o", "back.hexmap.json")
    assert ran.exit_code == 0, ran.stderr
    assert ("If that is wrong" in ran.stderr) == (numbering == "CCRR")
    assert content(map_file.with_name("back.hexmap.json")) == content(map_file)


def test_nothing_is_overwritten_unasked(mapkit_cli, map_file, folder):
    before = map_file.read_bytes()
    again = ("map", "from-table", "roads.csv", *LAYOUT, "-o", "alps.hexmap.json")
    assert mapkit_cli(*again).exit_code == 1  # and no table of hexes either
    again = ("map", "from-table", "hexes.csv", *LAYOUT, "-o", "alps.hexmap.json")
    ran = mapkit_cli(*again)
    assert (ran.exit_code, map_file.read_bytes()) == (1, before)
    assert "give --force" in ran.stderr
    assert mapkit_cli(*again, "--force").exit_code == 0
    assert map_file.read_bytes() != before

    out = ("map", "to-table", map_file, "-o", "new.csv", "--links", "roads.csv")
    ran = mapkit_cli(*out)
    assert (ran.exit_code, (folder / "new.csv").exists()) == (1, False)
    assert "roads.csv exists; give --force" in ran.stderr
    assert mapkit_cli(*out, "--force").exit_code == 0


def test_bad_cells_leave_no_map(mapkit_cli, folder):
    (folder / "hexes.csv").write_text("hex,level\n0101,x\n0101,1\n0102,1\n12,\n", encoding="utf-8")
    ran = mapkit_cli("map", "from-table", "hexes.csv", *LAYOUT, "-o", "alps.hexmap.json")
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert ran.stderr.splitlines() == [
        "mapkit: hexes.csv: 2 bad cells:",
        "  hexes!B2 (level): 'x' is not a whole number; write a level such as 3, or leave it empty",
        "  hexes!A3 (hex): hex 0101 stands already in row 2; keep one of the two rows",
    ]
    assert list(folder.glob("*.hexmap.json*")) == []


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_a_map_never_goes_over_its_table(mapkit_cli, folder, force):
    before = (folder / "hexes.csv").read_bytes()
    ran = mapkit_cli("map", "from-table", "hexes.csv", *LAYOUT, "-o", "hexes.csv", *force)
    assert ran.exit_code == 1
    assert "the table itself" in ran.stderr
    assert (folder / "hexes.csv").read_bytes() == before


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("-o", "alps.ods"), "ends in .csv or .xlsx"),
        (("-o", "a.xlsx", "--links", "l.csv"), "leave out --hexsides and --links"),
        (("-o", "a.csv", "--links", "l.xlsx"), "beside a CSV file stands a CSV file"),
        (("-o", "a.csv", "--links", "./a.csv"), "same file"),
        (("-o", "none/a.csv"), "there is no folder none"),
    ],
)
def test_tables_that_cannot_be_written(mapkit_cli, map_file, folder, args, told):
    before = sorted(folder.rglob("*"))
    ran = mapkit_cli("map", "to-table", map_file, *args)
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert told in ran.stderr
    assert sorted(folder.rglob("*")) == before


def test_tables_left_out_are_told(mapkit_cli, map_file):
    ran = mapkit_cli("map", "to-table", map_file, "-o", "only.csv")
    assert ran.exit_code == 0
    assert ran.stderr.splitlines()[1:] == [
        "2 rows were not written; give --hexsides FILE",
        "1 row was not written; give --links FILE",
    ]


def test_a_numbering_that_is_neither_word_nor_file(folder):
    with pytest.raises(NumberingError, match="give CCRR, RRCC or a TOML file"):
        load_layout("CRCR", "flat")


def test_a_numbering_file_and_options_together(folder):
    (folder / "n.toml").write_text("order = 'RRCC'\n")
    assert load_layout("n.toml", "flat").numbering.order == "RRCC"
    with pytest.raises(NumberingError, match="say there what --shoved"):
        load_layout("n.toml", "flat", shoved="odd")


@pytest.mark.program("soffice")
@pytest.mark.parametrize("start", ["csv", "xlsx"])
@pytest.mark.parametrize("end", ["csv", "xlsx"])
def test_libreoffice_in_between(mapkit_cli, map_file, folder, program, start, end):
    """LibreOffice opens what we wrote and saves it; nothing runs and no label is lost."""
    mapkit_cli("map", "to-table", map_file, "-o", f"hexes.{start}", "--force")
    # What its dialogs ask for: comma, double quote, UTF-8; then cells as shown, of every sheet.
    text = "Text - txt - csv (StarCalc):44,34,76,1"
    as_typed = [f"--infilter={text}"] if start == "csv" else []
    saving = f"csv:{text},,0,false,true,false,false,false,-1" if end == "csv" else end
    subprocess.run(
        [
            program("soffice"),
            f"-env:UserInstallation={(folder / 'profile').as_uri()}",
            "--headless",
            *as_typed,
            *("--convert-to", saving, "--outdir", str(folder / "saved")),
            str(folder / f"hexes.{start}"),
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )
    (saved,) = (folder / "saved").glob("*hexes.*")  # a CSV of each sheet, named after it
    ran = mapkit_cli("map", "from-table", saved, *LAYOUT, "-o", "back.hexmap.json")
    assert ran.exit_code == 0, ran.stderr
    assert content(folder / "back.hexmap.json")[0] == content(map_file)[0]
