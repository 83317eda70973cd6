"""`mapkit counters draw`: files from a table, the same bytes twice, nothing overwritten."""

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from counters.drawing.file_names import file_stems

TABLE = """id,name,side,formation,class,echelon,steps,front.attack,front.defense,front.movement
a/1,207/I,it,taro,infantry,battalion,2,4,5,6
b,Wizards of the Far North-Eastern Mountains,ah,,wizards,,1,,,
"""


@pytest.fixture
def table(tmp_path) -> Path:
    path = tmp_path / "units.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def written(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_every_face_in_every_size_and_a_contact_sheet(mapkit_cli, table, tmp_path):
    out = tmp_path / "out"
    ran = mapkit_cli("counters", "draw", table, "-o", out, "--sizes", "40,80")
    assert ran.exit_code == 0, ran.stderr
    assert "2 counters, 3 faces, 10 files" in ran.stdout
    files = written(out)
    faces = ["a-1.front", "a-1.reduced", "b.front"]
    assert set(files) == {
        "contact-sheet.png",
        *(f"svg/{face}.svg" for face in faces),
        *(f"png-{size}/{face}.png" for face in faces for size in (40, 80)),
    }
    for name, data in files.items():
        if name.startswith("png-"):
            with Image.open(io.BytesIO(data)) as image:
                assert image.size == (int(name[4:6]), int(name[4:6]))
    assert "the class 'wizards' has no symbol" in ran.stderr
    assert "was shortened to" in ran.stderr


def test_the_same_table_gives_the_same_bytes(mapkit_cli, table, tmp_path):
    for name in ("one", "two"):
        assert mapkit_cli("counters", "draw", table, "-o", tmp_path / name).exit_code == 0
    assert written(tmp_path / "one") == written(tmp_path / "two")


def test_nothing_is_overwritten_without_force(mapkit_cli, table, tmp_path):
    out = tmp_path / "out"
    (out / "svg").mkdir(parents=True)
    mine = out / "svg" / "a-1.front.svg"
    mine.write_text("mine", encoding="utf-8")
    ran = mapkit_cli("counters", "draw", table, "-o", out)
    assert ran.exit_code == 1
    assert "a-1.front.svg exists; give --force" in ran.stderr
    assert written(out) == {"svg/a-1.front.svg": b"mine"}
    assert mapkit_cli("counters", "draw", table, "-o", out, "--force").exit_code == 0
    assert mine.read_text(encoding="utf-8").startswith("<svg")


def test_json_lists_files_contrasts_and_notices(mapkit_cli, table, tmp_path):
    out = tmp_path / "out"
    ran = mapkit_cli("counters", "draw", table, "-o", out, "--sizes", "75", "--json")
    told = json.loads(ran.stdout)
    assert told["style"] == "classic"
    first = told["faces"][0]
    assert first["counter"] == "a/1"
    assert first["png"] == {"75": "png-75/a-1.front.png"}
    assert (out / first["svg"]).is_file()
    assert first["contrast"] > 4.5
    assert {one["kind"] for one in told["notices"]} == {"no_symbol", "shortened"}


def test_a_contrast_too_low_is_warned_of(mapkit_cli, table, tmp_path):
    style = tmp_path / "faint.toml"
    style.write_text(
        'extends = "classic"\nname = "faint"\n[layouts.combat.slots.name]\nink = "#90a76b"\n',
        encoding="utf-8",
    )
    ran = mapkit_cli("counters", "draw", table, "-o", tmp_path / "out", "--style", style, "--json")
    low = [one for one in json.loads(ran.stdout)["notices"] if one["kind"] == "contrast"]
    assert [(one["counter"], one["what"], one["least"]) for one in low[:1]] == [
        ("a/1", "207/I", "4.5")
    ]
    assert "reads badly" in ran.stderr


@pytest.mark.parametrize(
    ("args", "told"),
    [
        pytest.param(["--sizes", "75,big"], "no list of sizes", id="sizes"),
        pytest.param(["--sizes", "3"], "sizes from 16 to 2000", id="tiny"),
        pytest.param(["--style", "modern"], "no style of counters 'modern'", id="style"),
        pytest.param(["-o", "no/such/folder"], "make it first", id="folder"),
    ],
)
def test_what_cannot_be_is_told_in_a_line(mapkit_cli, table, tmp_path, monkeypatch, args, told):
    monkeypatch.chdir(tmp_path)
    ran = mapkit_cli("counters", "draw", table, "-o", "out", *args)
    assert ran.exit_code == 1
    assert told in ran.stderr
    assert not (tmp_path / "out").exists()


def test_the_counters_of_a_scenario_can_be_drawn(mapkit_cli, tmp_path):
    table, out = tmp_path / "s4.csv", tmp_path / "out"
    assert mapkit_cli("rules", "units", "strafexpedition", "s4", "-o", table).exit_code == 0
    lines = table.read_text("utf-8-sig").splitlines()
    table.write_text("\n".join(lines[:12]) + "\n", encoding="utf-8")
    ran = mapkit_cli("counters", "draw", table, "-o", out, "--style", "strafexpedition")
    assert ran.exit_code == 0, ran.stderr
    assert len(list((out / "svg").iterdir())) == 22


def test_markers_are_drawn_too(mapkit_cli, tmp_path):
    table, out = tmp_path / "markers.csv", tmp_path / "out"
    table.write_text("id,name,symbol\ndg,Disorganized,disorder\n", encoding="utf-8")
    ran = mapkit_cli("counters", "draw", table, "-o", out)
    assert ran.exit_code == 0, ran.stderr
    assert [path.name for path in (out / "svg").iterdir()] == ["dg.front.svg"]


@given(st.lists(st.text(max_size=100), max_size=20))
def test_file_names_are_safe_and_differ(ids):
    stems = file_stems(ids)
    assert list(stems) == list(dict.fromkeys(ids))
    assert len({stem.casefold() for stem in stems.values()}) == len(stems)
    for stem in stems.values():
        assert stem.isascii()
        assert not set(stem) & set('<>:"/\\|?*. ')
        assert stem.casefold() not in {"con", "nul", "aux", "prn", "com1", "lpt9"}
        assert 0 < len(stem) <= 90


def test_faces_that_were_cut_from_a_scan_are_shown_as_they_were_cut(mapkit_cli, tmp_path):
    Image.new("RGB", (90, 90), "#c03020").save(tmp_path / "a.png")
    table = tmp_path / "units.csv"
    table.write_text("id,name,side,class,front.picture\na,A,it,infantry,a.png\n")
    out = tmp_path / "out"
    ran = mapkit_cli("counters", "draw", table, "-o", out, "--sizes", "40")
    assert ran.exit_code == 0, ran.stderr
    assert "1 faces" in ran.stdout or "1 face" in ran.stdout
    with Image.open(out / "png-40" / "a.front.png") as image:
        assert image.convert("RGB").getpixel((20, 20)) == (0xC0, 0x30, 0x20)
    (tmp_path / "a.png").unlink()
    ran = mapkit_cli("counters", "draw", table, "-o", tmp_path / "again")
    assert ran.exit_code == 1
    assert "a.png" in ran.stderr
    assert not (tmp_path / "again").exists()
