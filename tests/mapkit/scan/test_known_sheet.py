"""A map that knows its grid and labels is read without looking for them."""

import numpy as np
import pytest
from PIL import Image

from mapkit.grid import Grid
from mapkit.hexes import Hex
from mapkit.maps import load_map, save_map
from mapkit.model import Ground, HexMap, Picture
from mapkit.numbering import Axis, Numbering
from mapkit.scan import scan_map as stages
from mapkit.scan.known_sheet import known_sheet
from mapkit.scan.load import ScanError
from mapkit.store.files import sha256

SIZE = (520, 430)
# Stretched hexes, as a board of another program may have: 60 px down, 44 px over.
GRID = Grid("flat", ((44.0, 0.0, 40.0), (30.0, 60.0, 50.0), (0.0, 0.0, 1.0)))
NUMBERING = Numbering("columns", columns=Axis(first=7, letters="AA BB"), origin=Hex(0, 0))
HEXES = [NUMBERING.hex_at(column, row) for column in range(9) for row in range(5)]
COLOURS = {"clear": (226, 220, 180), "woods": (120, 170, 110)}


def terrain_of(hex_):
    return "woods" if NUMBERING.position(hex_)[0] < 4 else "clear"


@pytest.fixture
def board(tmp_path):
    """A board without printed grid or numbers, its map, and examples to teach by."""
    land = np.full((SIZE[1], SIZE[0], 3), 245.0)
    for y in range(SIZE[1]):
        for x in range(SIZE[0]):
            hex_ = GRID.hex_at(x + 0.5, y + 0.5)
            if hex_ in HEXES:
                land[y, x] = COLOURS[terrain_of(hex_)]
    land += np.random.default_rng(3).normal(0, 3, land.shape)
    Image.fromarray(np.clip(land, 0, 255).astype(np.uint8)).save(tmp_path / "board.png")
    data = (tmp_path / "board.png").read_bytes()
    map_ = HexMap(
        GRID,
        NUMBERING,
        dict.fromkeys(HEXES, Ground()),
        title="The Board",
        picture=Picture("board.png", sha256(data), *SIZE),
    )
    save_map(tmp_path / "board.hexmap.json", map_)
    rows = ["x,y,what,value"]
    for hex_ in HEXES[::3]:
        x, y = GRID.centre(hex_)
        rows.append(f"{x:.0f},{y:.0f},terrain,{terrain_of(hex_)}")
    (tmp_path / "examples.csv").write_text("\n".join(rows))
    return tmp_path


@pytest.fixture
def nothing_is_looked_for(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("the map knows this already")

    for name in ("find_sheet_grid", "find_area", "read_numbers"):
        monkeypatch.setattr(stages, name, refuse)


def scan(mapkit_cli, folder, *more):
    map_file = folder / "board.hexmap.json"
    words = ("--grid", map_file, "--examples", folder / "examples.csv", "-o", map_file, "--force")
    return mapkit_cli("map", "scan", folder / "board.png", *words, *more)


@pytest.mark.usefixtures("nothing_is_looked_for")
def test_a_map_is_read_on_its_own_grid_again_and_again(mapkit_cli, board):
    for _ in range(2):  # the second time the map's grid is already that of the flattened picture
        ran = scan(mapkit_cli, board)
        assert ran.exit_code == 0, ran.stderr
        map_ = load_map(board / "board.hexmap.json")
        assert (map_.numbering, list(map_.hexes), map_.title) == (NUMBERING, HEXES, "The Board")
        assert all(map_[hex_].terrain == terrain_of(hex_) for hex_ in HEXES)
        assert map_.picture.path == "board.sheet.jpg"
        assert map_.grid.hex_mm is None  # nobody knows how wide the hexes are on paper
        back = np.linalg.inv(np.array(map_.picture.from_scan).reshape(3, 3))
        for hex_ in HEXES:
            at = back @ np.array([*map_.grid.centre(hex_), 1.0])
            assert at[:2] / at[2] == pytest.approx(GRID.centre(hex_), abs=0.01)


def test_a_grid_of_another_picture_is_refused(mapkit_cli, board):
    Image.new("RGB", (600, 500)).save(board / "board.png")
    ran = scan(mapkit_cli, board)
    assert ran.exit_code == 1
    assert "is for the picture board.png of 520 × 430 px" in ran.stderr.splitlines()[-1]


def test_a_known_number_beside_known_labels_is_refused(mapkit_cli, board):
    ran = scan(mapkit_cli, board, "--known", "0101@40,50")
    assert ran.exit_code == 1
    assert "has its labels" in ran.stderr


@pytest.mark.parametrize(
    ("map_", "told"),
    [
        pytest.param(HexMap(GRID, NUMBERING, {}), "no hexes", id="empty"),
        pytest.param(HexMap(GRID, NUMBERING, {Hex(0, 0): Ground()}), "no picture", id="bare"),
    ],
)
def test_a_map_that_brings_no_grid_is_refused(map_, told):
    with pytest.raises(ScanError, match=told):
        known_sheet(map_, source="m", image="b.png", sha256="", size_px=SIZE)


def test_a_scan_that_may_have_been_bent_is_not_laid_back():
    picture = Picture("b.sheet.jpg", "0" * 64, 500, 400, "b.png", (1, 0.01, 0, 0, 1, 0, 0, 0, 1))
    map_ = HexMap(GRID, NUMBERING, {Hex(0, 0): Ground()}, picture=picture)
    with pytest.raises(ScanError, match=r"not for b\.png"):
        known_sheet(map_, source="m", image="b.png", sha256="", size_px=SIZE)


def test_the_same_picture_saved_anew_will_do():
    picture = Picture("b.png", "0" * 64, *SIZE)
    map_ = HexMap(GRID, NUMBERING, {Hex(0, 0): Ground()}, picture=picture)
    known = known_sheet(map_, source="m", image="b.jpg", sha256="1" * 64, size_px=SIZE)
    assert known.found.grid == GRID
    assert known.scaled(0.5).found.grid.centre(Hex(0, 0)) == (20.0, 25.0)
