import json

import numpy as np
import pytest
from PIL import Image

from mapkit.errors import MissingExtraError
from mapkit.grid import Grid
from mapkit.hexes import Hex, Hexside, Link
from mapkit.maps import load_map
from mapkit.scan import scan_map as stages
from mapkit.scan.found_grid import FoundGrid
from mapkit.scan.line_examples import line_teaching
from mapkit.scan.load import ScanError
from mapkit.scan.numbers import NumbersFound
from mapkit.scan.scan_files import parse_known
from mapkit.scan.sheet import FlatSheet
from mapkit.scan.style_pack import load_style_pack
from mapkit.scan.teaching import Example, Teaching, TeachingError
from tests.mapkit.scan.printed import SIZE, hexes_within, printed, turned

GRID = turned(Grid.regular("flat", pitch_px=50, first_px=(120, 90)), 2.0)
HEXES = hexes_within(GRID, 14, 9)
COLOURS = {"clear": (226, 220, 180), "woods": (120, 170, 110), "marsh": (150, 195, 200)}
LEGEND = {word: (120 + 150 * n, 650, 80, 50) for n, word in enumerate(COLOURS)}


def terrain_of(hex_: Hex) -> str:
    return "woods" if hex_.q < 5 else "marsh" if hex_.r + hex_.q // 2 > 5 else "clear"


@pytest.fixture(scope="module")
def scan(tmp_path_factory):
    """A small sheet of three terrains with its legend below, saved as a scan with its files."""
    folder = tmp_path_factory.mktemp("scan")
    y, x = np.mgrid[0 : SIZE[1], 0 : SIZE[0]]
    axial = np.linalg.inv(np.array(GRID.homography)) @ np.stack(
        [x.ravel() + 0.5, y.ravel() + 0.5, np.ones(x.size)]
    )
    land = np.full((SIZE[1] * SIZE[0], 3), 245.0)
    for n, (q, r) in enumerate((axial[:2] / axial[2]).T):
        hex_ = Hex(round(q), round(r))
        if hex_ in WITHIN:
            land[n] = COLOURS[terrain_of(hex_)]
    land = land.reshape(SIZE[1], SIZE[0], 3)
    for word, (left, top, width, height) in LEGEND.items():
        land[top : top + height, left : left + width] = COLOURS[word]
    land += np.random.default_rng(4).normal(0, 3, land.shape)
    sheet = printed(GRID, HEXES, (90, 85, 80), np.clip(land, 0, 255).astype(np.uint8))
    Image.fromarray(sheet).save(folder / "sheet.png", dpi=(100, 100))
    lines = (
        f'[[sample]]\ngroup = "terrain"\nkind = "{w}"\ntitle = "{w.title()}"\nrect = {list(r)}\n'
        for w, r in LEGEND.items()
    )
    (folder / "legend.toml").write_text("\n".join(lines))
    (folder / "grid.json").write_text(json.dumps(FoundGrid(GRID, 1.0, SIZE).as_data()))
    return folder


WITHIN = frozenset(HEXES)


@pytest.fixture
def unread(monkeypatch):
    """Let nobody read numbers: that has tests of its own."""
    monkeypatch.setattr(stages, "read_numbers", lambda *_, **__: NumbersFound(None, 0.4))


def test_a_sheet_becomes_a_map(mapkit_cli, scan, tmp_path, unread):
    out = tmp_path / "small.hexmap.json"
    ran = mapkit_cli(
        "map", "scan", str(scan / "sheet.png"), "--legend", str(scan / "legend.toml"),
        "-o", str(out), "--report", str(tmp_path / "report"), "--title", "Small", "--json",
    )  # fmt: skip
    assert ran.exit_code == 0, ran.stderr
    told = json.loads(ran.stdout)
    # A broken edge may bring a hex too many for every column, never one too few.
    assert len(HEXES) <= told["hexes"] <= len(HEXES) + 14
    assert told["grid_confidence"] > 0.8
    assert "name one with --known" in told["notes"][0]
    map_ = load_map(out)
    right = {}
    for hex_, ground in map_.hexes.items():
        true = GRID.hex_at(*at_scan(map_, hex_))
        right[true] = ground.terrain == terrain_of(true)
        assert ground.provenance["terrain"].source == "scan"
    assert right.keys() >= WITHIN
    assert sum(right[hex_] for hex_ in HEXES) >= 0.97 * len(HEXES)
    assert [kind.title for kind in map_.kinds.terrain] == ["Clear", "Woods", "Marsh"]
    assert map_.grid.hex_mm == pytest.approx(50 / 100 * 25.4, rel=0.02)
    assert (tmp_path / "small.sheet.jpg").exists()
    assert str(tmp_path / "small.shapes.geojson") in told["files"]
    assert {shape.form for shape in map_.shapes} == {"outline"}
    drawn, there = {shape.kind for shape in map_.shapes}, {"clear", "woods", "marsh"}
    assert drawn < there  # the commonest terrain has no outline
    assert len(drawn) == 2
    kept = load_style_pack(tmp_path / "small.style.json")
    assert [patch.kind for patch in kept.patches] == ["clear", "woods", "marsh"]
    page = (tmp_path / "report" / "report.html").read_text("utf-8")
    assert "Small" in page
    assert (tmp_path / "report" / "terrain.jpg").exists()
    again = mapkit_cli("map", "scan", str(scan / "sheet.png"), "-o", str(out))
    assert again.exit_code == 1
    assert "--force" in again.stderr


def test_the_grid_alone_is_told_and_written(mapkit_cli, scan):
    ran = mapkit_cli("map", "grid", str(scan / "sheet.png"), "--hex-px", "50", "--json")
    assert ran.exit_code == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert found["orientation"] == "flat"
    assert np.array(found["homography"]).shape == (3, 3)
    assert found["confidence"] > 0.8
    assert {"alternatives", "warp"} <= found.keys()


def test_a_grid_of_three_hexes_too_far_apart_is_told(mapkit_cli, scan):
    ran = mapkit_cli(
        "map", "grid", str(scan / "sheet.png"), "--three-hexes", "100,100 200,100 400,300"
    )
    assert ran.exit_code == 1
    assert "do not touch each other" in ran.stderr


def at_scan(map_, hex_: Hex) -> tuple[float, float]:
    """Return the pixel of the scan that a hex of the flattened picture comes from."""
    back = np.linalg.inv(np.array(map_.picture.from_scan).reshape(3, 3))
    x, y, w = back @ (*map_.grid.centre(hex_), 1.0)
    return x / w, y / w


def test_a_grid_that_is_known_is_used(mapkit_cli, scan, tmp_path, unread):
    out = tmp_path / "small.hexmap.json"
    ran = mapkit_cli(
        "map", "scan", str(scan / "sheet.png"), "--grid", str(scan / "grid.json"), "-o", str(out)
    )
    assert ran.exit_code == 0, ran.stderr
    assert set(load_map(out).hexes) >= WITHIN


def test_a_file_that_is_no_style_is_told(mapkit_cli, scan, tmp_path):
    bad = tmp_path / "bad.style.json"
    bad.write_text("[[[[")
    out = tmp_path / "small.hexmap.json"
    ran = mapkit_cli("map", "scan", str(scan / "sheet.png"), "--style", str(bad), "-o", str(out))
    assert ran.exit_code == 1
    assert "this is no style; `mapkit map scan --save-style FILE` writes one" in ran.stderr
    assert not out.exists()


def test_a_style_of_nothing_is_not_kept(mapkit_cli, scan, tmp_path):
    out, kept = tmp_path / "small.hexmap.json", tmp_path / "kept.json"
    ran = mapkit_cli(
        "map", "scan", str(scan / "sheet.png"), "--save-style", str(kept), "-o", str(out)
    )
    assert ran.exit_code == 1
    assert "--save-style needs a legend or examples of terrain" in ran.stderr


@pytest.mark.parametrize("text", ["", "[1]", "{}", '{"homography": 3}', "[[[["])
def test_a_file_that_is_no_grid_is_told(mapkit_cli, scan, tmp_path, text):
    bad = tmp_path / "grid.json"
    bad.write_text(text)
    out = tmp_path / "small.hexmap.json"
    ran = mapkit_cli("map", "scan", str(scan / "sheet.png"), "--grid", str(bad), "-o", str(out))
    assert ran.exit_code == 1
    assert "this is no grid; `mapkit map grid IMAGE --json` writes one" in ran.stderr
    assert not out.exists()


def test_without_the_reader_of_numbers_the_rest_is_read(scan, tmp_path, mapkit_cli, monkeypatch):
    def missing(*_: object, **__: object) -> None:
        raise MissingExtraError("ocr", "reading numbers")

    monkeypatch.setattr(stages, "read_numbers", missing)
    out = tmp_path / "small.hexmap.json"
    ran = mapkit_cli(
        "map", "scan", str(scan / "sheet.png"), "--grid", str(scan / "grid.json"), "-o", str(out)
    )
    assert ran.exit_code == 0, ran.stderr
    assert "mapkit[ocr]" in ran.stdout
    assert sorted(load_map(out).label(hex_) for hex_ in HEXES)[0] == "0101"


@pytest.mark.parametrize("text", ["0305", "@10,20", "0305@10", "0305@10,20 30,40"])
def test_a_known_hex_has_a_label_and_a_place(text):
    with pytest.raises(ScanError, match="--known takes"):
        parse_known(text)


def test_a_known_hex_beside_the_map_is_told(mapkit_cli, scan, tmp_path):
    out = tmp_path / "small.hexmap.json"
    ran = mapkit_cli(
        "map", "scan", str(scan / "sheet.png"), "--grid", str(scan / "grid.json"), "-o", str(out),
        "--known", "0101@880,700",
    )  # fmt: skip
    assert ran.exit_code == 1
    assert "the known hex 0101 does not lie on the playing area" in ran.stderr


def test_examples_mean_the_hexside_they_are_nearest_to():
    grid = Grid.regular("pointy", pitch_px=60, first_px=(100, 100))
    sheet = FlatSheet(np.zeros((400, 400, 3), np.uint8), grid, (Hex(0, 0), Hex(1, 0), Hex(0, 1)))
    found = line_teaching(
        sheet,
        Teaching(
            examples=(
                Example(133, 96, "hexside", "river"),
                Example(115, 126, "link", "none"),
                Example(115, 126, "terrain", "woods"),
            )
        ),
    )
    assert found.hexsides == ((Hexside.between(Hex(0, 0), Hex(1, 0)), "river"),)
    assert found.links == ((Link.between(Hex(0, 0), Hex(0, 1)), None),)


@pytest.mark.parametrize("at", [(100.0, 100.0), (330.0, 330.0)])
def test_an_example_at_no_hexside_is_told(at):
    grid = Grid.regular("pointy", pitch_px=60, first_px=(100, 100))
    sheet = FlatSheet(np.zeros((400, 400, 3), np.uint8), grid, (Hex(0, 0), Hex(1, 0)))
    with pytest.raises(TeachingError, match="lies at no hexside of the map"):
        line_teaching(sheet, Teaching(examples=(Example(*at, "hexside", "river"),)))
