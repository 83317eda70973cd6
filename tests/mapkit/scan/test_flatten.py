import numpy as np
import pytest

from mapkit.grid import Grid
from mapkit.hexes import Hex
from mapkit.scan.area import covering, find_area
from mapkit.scan.bends import Bend
from mapkit.scan.flatten import flatten
from mapkit.scan.found_grid import FoundGrid
from mapkit.scan.honeycomb import DOTS
from tests.mapkit.scan.printed import SIZE, ground, hexes_within, marked, printed, turned

FLAT = Grid.regular("flat", pitch_px=50, first_px=(110, 120))
POINTY = Grid.regular("pointy", pitch_px=44, first_px=(120, 110))


def found_on(grid: Grid, bend: Bend | None = None) -> FoundGrid:
    return FoundGrid(grid, 1.0, SIZE, bend)


@pytest.mark.parametrize("grid", [turned(FLAT, 7.0, 0.1), turned(POINTY, -5.0, -0.1)])
def test_what_was_askew_is_upright(grid):
    hexes = hexes_within(grid, 9, 7)
    land = np.full((SIZE[1], SIZE[0], 3), 200, np.uint8)
    for hex_ in hexes:
        x, y = grid.centre(hex_)
        land[int(y) - 2 : int(y) + 3, int(x) - 2 : int(x) + 3] = 20
    flat = flatten(land, found_on(grid))
    assert flat.grid.homography[2] == (0.0, 0.0, 1.0)
    for hex_ in hexes:
        x, y = flat.grid.centre(hex_)
        assert flat.pixels[int(y), int(x)].max() < 120
    points = np.array([grid.centre(hex_) for hex_ in hexes])
    assert np.allclose(
        flat.from_scan(points), [flat.grid.centre(hex_) for hex_ in hexes], atol=0.01
    )


def test_a_bend_is_taken_out():
    rows, columns = 7, 8
    departures = np.random.default_rng(1).uniform(-4, 4, (rows, columns, 2))
    found = found_on(FLAT, Bend(130.0, departures))
    land = np.full((SIZE[1], SIZE[0], 3), 200, np.uint8)
    hexes = hexes_within(FLAT, 9, 7)
    for x, y in found.centres(tuple(hexes)):
        land[int(y) - 2 : int(y) + 3, int(x) - 2 : int(x) + 3] = 20
    flat = flatten(land, found)
    dark = [flat.pixels[int(y), int(x)].max() for x, y in map(flat.grid.centre, hexes)]
    assert max(dark) < 120


@pytest.mark.parametrize(("grid", "columns", "rows"), [(FLAT, 13, 8), (POINTY, 12, 11)])
def test_the_playing_area_is_where_hexes_are_printed(grid, columns, rows):
    hexes = hexes_within(grid, columns, rows)
    sheet = printed(grid, hexes, (90, 85, 80), ground(5))
    found = set(find_area(sheet, grid))
    assert found >= set(hexes)
    assert len(found) <= len(hexes) + max(columns, rows)  # half a broken line on either side


def test_all_hexes_of_a_picture_are_listed():
    assert Hex(0, 0) in covering(FLAT, *SIZE)
    centres = [FLAT.centre(hex_) for hex_ in covering(FLAT, *SIZE)]
    assert all(0 < x < SIZE[0] and 0 < y < SIZE[1] for x, y in centres)
    assert len(centres) == pytest.approx(SIZE[0] * SIZE[1] / (50 * 50 * 0.866), rel=0.05)


def test_dots_alone_show_the_playing_area():
    hexes = hexes_within(FLAT, 11, 8)
    sheet = marked(FLAT, hexes, (90, 85, 80), ground(5), "dots")
    assert set(find_area(sheet, FLAT, DOTS)) == set(hexes)
