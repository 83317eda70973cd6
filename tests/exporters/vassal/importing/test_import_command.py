"""`mapkit import vmod` on the disk: a whole project, or one clear line and nothing."""

import io
import json
import struct
import zipfile
import zlib

import pytest

from exporters.vassal import foreign_pictures
from mapkit.maps import load_map
from rules.project import load_project
from rules.project_check import check_project
from tests.exporters.vassal.authored import (
    authored,
    board,
    drawn,
    folder,
    hex_grid,
    palette,
    roster,
    slot,
    tag,
    window,
)
from tests.exporters.vassal.foreign_modules import pack
from tests.exporters.vassal.importing.test_counters import piece

GRID = hex_grid({"sep": "", "stagger": False}, x0=40, y0=50, dx=52, dy=60)
BOMB = '<!DOCTYPE b [<!ENTITY a "aaaa"><!ENTITY c "&a;&a;">]><VASSAL.build.GameModule name="&c;"/>'


def whole():
    chart = tag("module.ChartWindow", tag("widget.Chart", chartName="CRT", fileName="crt.png"))
    return authored(
        window(board(GRID, image="Board One.png", name="Board One"), board("", name="Track")),
        roster("Red", "Blue"),
        palette(folder("Red", slot(piece("1st", image="unit.png"), gpid="1"))),
        chart,
        files={
            "images/Board One.png": drawn((600, 500)),
            "images/unit.png": drawn(),
            "images/crt.png": drawn(),
        },
    )


@pytest.fixture
def run(tmp_path, mapkit_cli):
    def imported(data, *words):
        (tmp_path / "x.vmod").write_bytes(data)
        return mapkit_cli("import", "vmod", tmp_path / "x.vmod", "-o", tmp_path / "p", *words)

    return imported


def test_a_module_becomes_a_project_that_checks(run, tmp_path):
    ran = run(whole(), "--json")
    assert ran.exit_code == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert (told["module"], told["units"], told["sides"]) == ("Authored", 1, ["Red", "Blue"])
    assert told["lost"] == ["board Track: it has no grid"]
    (one,) = told["maps"]
    assert (one["map"], one["board"], one["hexes"]) == ("board-one", "Board One", 88)
    project = load_project(tmp_path / "p")
    assert project.name == "Authored"
    assert [found for found in check_project(project) if found.severity == "error"] == []
    assert project.map().label(next(iter(project.map().hexes))) == "0101"
    account = json.loads((tmp_path / "p" / "module.json").read_text("utf-8"))
    assert {"class": "widget.Chart", "name": "CRT", "file": "crt.png"} in account["components"]
    assert "images/crt.png" in account["files"]


def test_what_is_told_ends_with_the_command_that_reads_the_ground(run, tmp_path):
    ran = run(whole())
    assert "map board-one: 88 hexes, from the board Board One" in ran.stdout
    folder_ = tmp_path / "p"
    wanted = (
        f"mapkit map scan {folder_ / 'board-one.png'} --grid {folder_ / 'board-one.hexmap.json'}"
    )
    assert wanted in ran.stdout
    assert "not imported: board Track: it has no grid" in ran.stderr


def test_the_commands_that_are_told_run_as_they_stand(run, tmp_path, mapkit_cli):
    """Cropped by the corners that it names, a map keeps what is between them, and its labels."""
    told = run(whole()).stdout.splitlines()
    (crop,) = (line.split() for line in told if line.startswith("  mapkit map crop"))
    file = tmp_path / "p" / "board-one.hexmap.json"
    before = load_map(file)
    ran = mapkit_cli(*crop[1:])
    assert ran.exit_code == 0, ran.stderr
    after = load_map(file)
    assert {before.hex("0101"), before.hex("1108")} <= after.hexes.keys() < before.hexes.keys()
    assert (after.numbering, after.picture) == (before.numbering, before.picture)


def test_the_module_is_read_and_never_written(run, tmp_path):
    data = whole()
    run(data)
    assert (tmp_path / "x.vmod").read_bytes() == data


def test_the_same_module_gives_the_same_project(run, tmp_path):
    run(whole())
    first = {one.name: one.read_bytes() for one in (tmp_path / "p").iterdir() if one.is_file()}
    assert run(whole(), "--force").exit_code == 0
    assert first == {
        one.name: one.read_bytes() for one in (tmp_path / "p").iterdir() if one.is_file()
    }


@pytest.mark.parametrize(
    "name",
    [
        "project.toml",
        "board-one.hexmap.json",
        "board-one.shapes.geojson",
        "units.csv",
        "board-one.png",
    ],
)
def test_nothing_of_the_users_is_overwritten(run, tmp_path, name):
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / name).write_text("mine")
    ran = run(whole())
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert "--force" in ran.stderr.splitlines()[-1]
    assert [one.name for one in (tmp_path / "p").iterdir()] == [name]
    assert (tmp_path / "p" / name).read_text() == "mine"


def test_force_sets_aside_what_would_become_part_of_the_map(run, tmp_path):
    run(whole())
    shapes = tmp_path / "p" / "board-one.shapes.geojson"
    shapes.write_text("of another map")
    assert run(whole(), "--force").exit_code == 0
    assert not shapes.exists()
    assert load_map(tmp_path / "p" / "board-one.hexmap.json").shapes == ()
    kept = [one for one in (tmp_path / "p").iterdir() if "kept" in one.name]
    assert [one.read_text() for one in kept] == ["of another map"]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        pytest.param(b"", "no whole zip", id="empty"),
        pytest.param(b"PK nothing", "no whole zip", id="no zip"),
        pytest.param(whole()[:400], "no whole zip", id="half a file"),
        pytest.param(pack({"readme": "x"}), "no VASSAL module", id="no build file"),
        pytest.param(pack({"buildFile.xml": "<a"}), "no XML", id="no XML"),
        pytest.param(pack({"buildFile.xml": "<a/>"}), "no module but <a>", id="no module"),
        pytest.param(pack({"buildFile.xml": BOMB}), "document type", id="entities"),
        pytest.param(
            pack({"buildFile.xml": " " * 100_000_001 + "<a/>"}), "more than 100 MB", id="bomb"
        ),
        pytest.param(
            pack({f"n{n}": "" for n in range(50_001)} | {"buildFile.xml": "<a/>"}),
            "50002 files",
            id="many entries",
        ),
        pytest.param(authored(), "has no board", id="no boards"),
        pytest.param(
            authored(window(board(""))), "no board of it can be a map: board Field: it has no grid",
            id="no hexes",
        ),
        pytest.param(authored(name=""), "has no name", id="nameless"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_leaves_nothing(run, tmp_path, data, told):
    ran = run(data)
    assert (ran.exit_code, ran.stdout) == (1, "")
    last = ran.stderr.splitlines()[-1]
    assert "x.vmod" in last
    assert told in last
    assert "Traceback" not in ran.stderr
    assert not (tmp_path / "p").exists()


def test_a_nested_archive_is_only_listed(run, tmp_path):
    inner = pack({"deep": b"\0" * 10_000_000})
    data = authored(window(board(GRID)), files={"extra/inner.zip": inner, "x.vmdx": inner})
    assert run(data).exit_code == 0
    files = json.loads((tmp_path / "p" / "module.json").read_text("utf-8"))["files"]
    assert "extra/inner.zip" in files
    assert not list((tmp_path / "p").rglob("*.zip"))


def bombs(count):
    zeros = b"\0" * 3_000_000
    slots = [slot(piece(f"u{n}", image=f"b{n}.png")) for n in range(count)]
    return authored(
        window(board(GRID)),
        palette(folder("All", *slots)),
        files={f"images/b{n}.png": zeros for n in range(count)},
    )


def test_pictures_that_unpack_without_end_are_refused(run, monkeypatch):
    monkeypatch.setattr(foreign_pictures, "_MOST_IN_ALL", 10_000_000)
    ran = run(bombs(5))
    assert ran.exit_code == 1
    assert "its pictures unpack to more than" in ran.stderr.splitlines()[-1]


def test_one_picture_that_unpacks_without_end_is_told(run, monkeypatch):
    monkeypatch.setattr(foreign_pictures, "_MOST_BYTES", 1_000_000)
    ran = run(bombs(1), "--json")
    assert ran.exit_code == 0
    assert "too big" in json.loads(ran.stdout)["lost"][0]


def test_a_huge_picture_is_told_and_never_unpacked(run):
    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    png = (
        b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    )
    data = authored(
        window(board(GRID, image="b.png", name="Huge"), board(GRID)),
        files={"images/b.png": png + b"\0" * 64},
    )
    ran = run(data, "--json")
    assert ran.exit_code == 0
    assert "board Huge: b.png" in json.loads(ran.stdout)["lost"][0]


def test_an_encrypted_entry_is_told(run, tmp_path):
    data = bytearray(whole())
    # The flag of encryption, in the local head and in the directory, of the board's picture.
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as archive:
        info = archive.getinfo("images/Board One.png")
    data[info.header_offset + 6] |= 1
    at = bytes(data).index(b"PK\x01\x02")
    while data[at + 46 : at + 46 + len("images/Board One.png")] != b"images/Board One.png":
        at = bytes(data).index(b"PK\x01\x02", at + 4)
    data[at + 8] |= 1
    ran = run(bytes(data))
    assert ran.exit_code == 1
    assert "no board of it can be a map" in ran.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--game", "nonsense"), "nonsense"),
        (("--side", "Red"), "WORD=SIDE"),
    ],
)
def test_options_that_cannot_be_are_told(run, tmp_path, words, told):
    ran = run(whole(), *words)
    assert ran.exit_code == 1
    assert told in ran.stderr.splitlines()[-1]
    assert not (tmp_path / "p").exists()


def test_a_file_in_the_place_of_the_folder_is_told(run, tmp_path):
    (tmp_path / "p").write_text("mine")
    ran = run(whole())
    assert ran.exit_code == 1
    assert (tmp_path / "p").read_text() == "mine"


@pytest.mark.parametrize(("language", "word"), [("de", "Felder"), ("it", "esagoni")])
def test_it_speaks_three_languages(tmp_path, mapkit_cli, language, word):
    (tmp_path / "x.vmod").write_bytes(whole())
    words = ("import", "vmod", tmp_path / "x.vmod", "-o", tmp_path / "p")
    assert word in mapkit_cli("--lang", language, *words).stdout
