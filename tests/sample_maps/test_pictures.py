"""The command that makes the pictures: what it writes, and what it need not make again."""

import json

import cv2
import numpy as np
import pytest

from mapkit.grid import Grid
from sample_maps import library, pictures
from sample_maps.scan_kinds import MAKINGS
from sample_maps.transforms import load_transform, project


def run(tmp_path, *more):
    arguments = ["--only", "valley_guns", "--style", "plain", "--out", str(tmp_path)]
    return pictures.main([*arguments, "--hex-px", "24", "--jobs", "1", *more])


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pictures")
    assert run(folder) == 0
    return folder / "valley_guns" / "plain"


def test_every_picture_has_a_record_of_its_size(made):
    found = [*sorted(made.glob("*.jpg")), made / "sheet.png"]
    assert len(found) == 1 + len(MAKINGS) - 1 + 12
    for path in found:
        record = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        height, width = cv2.imread(str(path)).shape[:2]
        assert record["size"] == [width, height]
        assert (record["map"], record["style"]) == ("valley_guns", "plain")


def test_the_grid_of_a_scan_is_that_of_the_sheet_seen_through_its_transform(made):
    sheet = json.loads((made / "sheet.json").read_text(encoding="utf-8"))
    hexes = list(library.load("valley_guns").hexes)
    centres = project(sheet["grid"]["homography"], hexes)
    for stem, close in (("flatbed", 1e-6), ("part-07", 1e-6), ("good-phone", 12.0)):
        record = json.loads((made / f"{stem}.json").read_text(encoding="utf-8"))
        seen = load_transform(record).to_scan(centres)
        assert np.abs(project(record["grid"]["homography"], hexes) - seen).max() < close


def test_what_is_there_is_not_made_again(made, capsys, monkeypatch):
    times = {path: path.stat().st_mtime_ns for path in made.iterdir()}
    assert run(made.parents[1]) == 0
    assert "there already" in capsys.readouterr().err
    assert {path: path.stat().st_mtime_ns for path in made.iterdir()} == times


def test_other_code_and_lost_files_are_noticed(made, monkeypatch):
    job = pictures.Job("valley_guns", "plain", made, 24)
    assert pictures._is_made(made / "made.json", job.inputs())
    assert job.inputs() != pictures.Job("valley_guns", "plain", made, 25).inputs()
    assert not pictures._is_made(made / "made.json", "another")
    monkeypatch.setattr(pictures, "_code_fingerprint", lambda: "changed")
    assert not pictures._is_made(made / "made.json", job.inputs())


def test_a_broken_note_means_making_it_again(tmp_path):
    (tmp_path / "made.json").write_text("{", encoding="utf-8")
    assert not pictures._is_made(tmp_path / "made.json", "x")
    (tmp_path / "made.json").write_text('{"inputs": "x", "files": ["gone.jpg"]}', encoding="utf-8")
    assert not pictures._is_made(tmp_path / "made.json", "x")


def test_a_missing_extra_is_named(tmp_path, monkeypatch, capsys):
    def without_opencv(_job):
        raise ModuleNotFoundError(name="cv2")

    monkeypatch.setattr(pictures, "make_pictures", without_opencv)
    assert run(tmp_path) == 1
    assert "mapkit[scan]" in capsys.readouterr().err


def test_the_pictures_that_come_with_mapkit():
    found = {path.name: path for path in pictures.SHIPPED.iterdir()}
    assert {name for name in found if name.endswith(".jpg")} == {
        "alpine-clean.jpg", "alpine-flatbed.jpg", "hills-good-phone.jpg",
    }  # fmt: skip
    assert max(path.stat().st_size for path in found.values()) <= 3_000_000
    assert sum(path.stat().st_size for path in found.values()) <= 15_000_000
    for name in ("alpine-clean", "alpine-flatbed", "hills-good-phone"):
        record = json.loads(found[f"{name}.json"].read_text(encoding="utf-8"))
        grid = Grid(record["grid"]["orientation"], record["grid"]["homography"])
        hexes = library.load(name.partition("-")[0]).hexes
        assert min(grid.pitch_px(hex_) for hex_ in hexes) >= 59.99
        height, width = cv2.imread(str(found[f"{name}.jpg"])).shape[:2]
        assert record["size"] == [width, height]
