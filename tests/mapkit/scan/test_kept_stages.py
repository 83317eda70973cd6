"""A scan that was run before goes on from what it kept."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mapkit.grid import Grid
from mapkit.hexes import Hex
from mapkit.numbering import Axis, Numbering
from mapkit.scan import scan_map as stages
from mapkit.scan.found_grid import FoundGrid
from mapkit.scan.kept_stages import KeptStages, Stage, keep_nothing
from mapkit.scan.load import LoadedScan
from mapkit.scan.numbers import NumbersFound
from mapkit.scan.numbers_vote import Read
from tests.mapkit.scan.printed import ground, hexes_within, printed

GRID = Grid.regular("flat", pitch_px=50, first_px=(60, 60))
SIZE = (420, 330)
PLAIN = Stage[list[int]]("plain", list, list)


@pytest.fixture
def asked(monkeypatch) -> list[str]:
    """Count what is found anew; the finders themselves have tests of their own."""
    found: list[str] = []

    def find_grid(*_: object, **__: object) -> FoundGrid:
        found.append("grid")
        return FoundGrid(GRID, 0.987654, SIZE)

    def read_numbers(*_: object, **__: object) -> NumbersFound:
        found.append("numbers")
        axis = Axis(digits=2)
        numbering = Numbering(straight="columns", columns=axis, rows=axis, origin=Hex(0, 0))
        return NumbersFound(numbering, 0.9, 0, (), (), 7)

    monkeypatch.setattr(stages, "find_sheet_grid", find_grid)
    monkeypatch.setattr(stages, "read_numbers", read_numbers)
    return found


@pytest.fixture
def sheet(tmp_path) -> Path:
    path = tmp_path / "sheet.png"
    land = printed(GRID, hexes_within(GRID, 7, 5), (90, 85, 80), ground(size=SIZE))
    Image.fromarray(land).save(path)
    return path


def scan(mapkit_cli, sheet: Path, *more: str) -> dict:
    out = sheet.with_name("a.hexmap.json")
    ran = mapkit_cli("map", "scan", str(sheet), "-o", str(out), "--force", "--json", *more)
    assert ran.exit_code == 0, ran.stderr
    return {**json.loads(ran.stdout), "said": ran.stderr, "text": out.read_text("utf-8")}


def test_a_second_run_uses_what_the_first_found(mapkit_cli, sheet, asked, tmp_path):
    first = scan(mapkit_cli, sheet)
    examples = tmp_path / "examples.csv"
    examples.write_text("x,y,what,value\n200,150,terrain,clear\n")
    second = scan(mapkit_cli, sheet, "--examples", str(examples))
    third = scan(mapkit_cli, sheet)
    assert asked == ["grid", "numbers"]
    assert first["reused"] == []
    assert second["reused"] == third["reused"] == ["grid", "numbers"]
    assert "kept from an earlier run: the grid, the numbers" in second["said"]
    assert third["text"] == first["text"]
    assert scan(mapkit_cli, sheet, "--anew")["reused"] == []
    assert asked == ["grid", "numbers"] * 2


def test_other_pixels_are_read_anew(mapkit_cli, sheet, asked):
    scan(mapkit_cli, sheet)
    with Image.open(sheet) as old:
        new = np.array(old)
    new[0, 0] += 1
    Image.fromarray(new).save(sheet)
    assert scan(mapkit_cli, sheet)["reused"] == []


def test_a_known_hex_is_asked_for_again(mapkit_cli, sheet, asked):
    scan(mapkit_cli, sheet)
    assert scan(mapkit_cli, sheet, "--known", "0101@200,150")["reused"] == ["grid"]
    assert asked == ["grid", "numbers", "numbers"]


def test_a_run_that_was_stopped_goes_on(mapkit_cli, sheet, asked, monkeypatch):
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(stages, "study_ground", stopped)
        out = sheet.with_name("a.hexmap.json")
        assert mapkit_cli("map", "scan", str(sheet), "-o", str(out)).exit_code != 0
    assert scan(mapkit_cli, sheet)["reused"] == ["grid", "numbers"]
    assert asked == ["grid", "numbers"]


@pytest.mark.parametrize("spoilt", ["", "[]", "{", '{"made_from": 1}'])
def test_a_spoilt_stage_is_made_anew(tmp_path, spoilt):
    kept = KeptStages(tmp_path, "images")
    assert kept(PLAIN, "legend", lambda: [1]) == [1]
    assert kept(PLAIN, "legend", lambda: [2]) == [1]
    assert kept(PLAIN, "other legend", lambda: [3]) == [3]
    (tmp_path / "plain.json").write_text(spoilt)
    assert kept(PLAIN, "legend", lambda: [4]) == [4]
    assert kept.reused == ["plain"]


def test_a_joined_sheet_is_kept_to_the_last_pixel(tmp_path):
    pixels = np.random.default_rng(1).integers(0, 256, (90, 70, 3), np.uint8)
    kept = KeptStages(tmp_path / "new", "pieces")
    kept.sheet(lambda: LoadedScan(pixels, 300.0))
    again = kept.sheet(lambda: pytest.fail("joined again"))
    assert np.array_equal(again.pixels, pixels)
    assert again.dpi == 300
    (tmp_path / "new" / "sheet.png").write_bytes(b"spoilt")
    assert kept.sheet(lambda: LoadedScan(pixels[:5], None)).pixels.shape == (5, 70, 3)
    assert (
        KeptStages(tmp_path / "new", "others").sheet(lambda: LoadedScan(pixels, None)).dpi is None
    )


def test_numbers_come_back_as_they_were():
    axis = Axis(digits=2)
    numbering = Numbering(straight="rows", columns=axis, rows=axis, origin=Hex(-3, 5))
    found = NumbersFound(numbering, 0.87, 90, (Read(Hex(1, 2), "0305", 0.9),), (), 120)
    assert keep_nothing(stages._numbers_stage(), None, lambda: found) == found
