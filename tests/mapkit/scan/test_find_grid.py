import numpy as np
import pytest

from mapkit.grid import Grid
from mapkit.scan.asked_grid import ask_grid, parse_points, told_grid
from mapkit.scan.find_grid import NoGridError, find_grid
from mapkit.scan.found_grid import found_grid_of
from mapkit.scan.homographies import project
from mapkit.scan.load import ScanError
from tests.mapkit.scan.printed import (
    farthest_off,
    ground,
    hexes_within,
    marked,
    printed,
    seen,
    turned,
)

POINTY = Grid.regular("pointy", pitch_px=44, first_px=(70, 60))
FLAT = Grid.regular("flat", pitch_px=50, first_px=(60, 70))


@pytest.mark.parametrize(
    ("grid", "columns", "rows", "colour"),
    [
        pytest.param(turned(POINTY, 3.0), 17, 15, (95, 90, 85), id="dark, turned"),
        pytest.param(turned(FLAT, -4.0, 0.05), 17, 11, (240, 240, 238), id="light, slanting"),
        pytest.param(turned(POINTY, 0.0, -0.07), 17, 15, (150, 110, 90), id="pale, slanting"),
    ],
)
def test_a_printed_grid_is_found(grid, columns, rows, colour):
    hexes = hexes_within(grid, columns, rows)
    found = find_grid(printed(grid, hexes, colour, ground()))
    assert found.grid.orientation == grid.orientation
    assert found.confidence > 0.8
    assert farthest_off(found, grid, hexes) < 0.05


@pytest.mark.parametrize(("mark", "told"), [("ticks", "sides"), ("dots", "dots")])
def test_a_grid_may_show_no_hexsides(mark, told):
    grid = turned(FLAT, -4.0, 0.05)
    hexes = hexes_within(grid, 15, 11)
    found = find_grid(marked(grid, hexes, (240, 240, 238), ground(), mark))
    assert found.marks == told
    assert found.grid.orientation == "flat"
    assert found.confidence > 0.8
    assert farthest_off(found, grid, hexes) < 0.1
    assert found_grid_of(found.as_data()).marks == told


def test_paper_without_a_grid_is_refused():
    with pytest.raises(NoGridError, match="no grid was found on this scan.*--three-hexes"):
        find_grid(ground())


def test_a_square_grid_is_no_grid_of_hexes():
    land = ground()
    land[::40] = 90
    land[:, ::40] = 90
    with pytest.raises(NoGridError):
        find_grid(land)


def test_the_pitch_may_be_given():
    hexes = hexes_within(POINTY, 17, 15)
    sheet = printed(POINTY, hexes, (95, 90, 85), ground())
    assert farthest_off(find_grid(sheet, hex_px=46), POINTY, hexes) < 0.05
    with pytest.raises(NoGridError):
        find_grid(sheet, hex_px=31)


def test_three_hexes_that_touch_are_enough():
    grid = turned(FLAT, 6.0)
    hexes = hexes_within(grid, 17, 11)
    sheet = printed(grid, hexes, (200, 180, 170), ground())
    trio = [grid.centre(hex_) for hex_ in (hexes[80], hexes[81], hexes[92])]
    found = ask_grid(sheet, three=[(x + 2, y - 1) for x, y in trio])
    assert farthest_off(found, grid, hexes) < 0.08


def test_three_hexes_apart_are_a_slip():
    with pytest.raises(NoGridError, match="do not touch each other: they are 50, 160, 182 px"):
        ask_grid(ground(), three=[(100, 100), (150, 100), (200, 252)])


def test_corners_take_a_strong_slant_out():
    grid = turned(Grid.regular("pointy", pitch_px=44, first_px=(200, 170)), 10.0, 0.25)
    hexes = hexes_within(grid, 12, 11)
    sheet = printed(grid, hexes, (95, 90, 85), ground())
    page = np.array([(160, 125), (760, 125), (760, 595), (160, 595)], float)
    corners = project(seen(10.0, 0.25), page)
    assert (corners > 0).all()
    assert (corners < (900, 720)).all()
    found = ask_grid(sheet, corners=[tuple(corner) for corner in corners.tolist()])
    assert farthest_off(found, grid, hexes) < 0.1


@pytest.mark.parametrize("text", ["1,2", "1,2 3,4 5,6 7,8", "1,2 3,4 five", "1,2 3,4 5"])
def test_points_are_counted(text):
    with pytest.raises(ScanError, match=r"--three-hexes takes 3 points"):
        parse_points(text, 3, "--three-hexes")


def test_a_point_beside_the_picture_is_told():
    with pytest.raises(ScanError, match="lies beside the picture of 900 × 720 px"):
        ask_grid(ground(), three=[(10, 10), (60, 10), (3000, 50)])


def test_a_grid_survives_json():
    hexes = hexes_within(FLAT, 17, 11)
    found = find_grid(printed(FLAT, hexes, (95, 90, 85), ground()))
    again = found_grid_of(found.as_data())
    axial = np.array(hexes, float)
    assert np.abs(again.to_scan(axial) - found.to_scan(axial)).max() < 0.01
    assert again.alternatives == found_grid_of(again.as_data()).alternatives
    assert "flat-top hexes, 50.0 px apart" in told_grid(found)


def test_a_grid_on_a_bigger_picture_is_the_same_grid():
    hexes = hexes_within(FLAT, 17, 11)
    found = find_grid(printed(FLAT, hexes, (95, 90, 85), ground()))
    axial = np.array(hexes, float)
    assert np.allclose(found.scaled(2.5).to_scan(axial), found.to_scan(axial) * 2.5)
    assert np.allclose(found.from_scan(found.to_scan(axial)), axial, atol=1e-6)
