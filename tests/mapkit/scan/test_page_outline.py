import cv2
import numpy as np
import pytest

from mapkit.grid import Grid
from mapkit.scan.flatten import flatten
from mapkit.scan.found_grid import FoundGrid, found_grid_of
from mapkit.scan.page_outline import find_page, page_of
from mapkit.scan.sheet_grid import find_sheet_grid
from tests.mapkit.scan.printed import farthest_off, ground, hexes_within, printed

SIZE = (800, 640)
ASKEW = np.array([(90, 70), (730, 40), (750, 590), (60, 560)], float)
SHEET = np.array([(0, 0), (600, 0), (600, 500), (0, 500)], float)


def table(seed: int = 1, light: float = 90.0) -> np.ndarray:
    """Return boards with gaps between them, none as light as paper."""
    dice = np.random.default_rng(seed)
    rows = np.repeat(dice.uniform(0.8, 1.1, SIZE[1] // 80), 80)[:, None, None]
    wood = np.full((SIZE[1], SIZE[0], 3), (light, 0.8 * light, 0.6 * light)) * rows
    wood[::80] *= 0.4
    return np.clip(wood + dice.normal(0, 4, wood.shape), 0, 255).astype(np.uint8)


def framed() -> np.ndarray:
    """Return a sheet of paper with a heavy printed frame well within it."""
    sheet = np.full((500, 600, 3), 235, np.uint8)
    cv2.rectangle(sheet, (20, 20), (450, 480), (60, 50, 40), 6)
    sheet[40:460, 40:430] = (190, 205, 160)
    return sheet


def laid(sheet: np.ndarray, on: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Return a picture of a sheet whose corners lie at these pixels."""
    matrix = cv2.getPerspectiveTransform(SHEET.astype(np.float32), corners.astype(np.float32))
    whole = cv2.warpPerspective(sheet, matrix, SIZE)
    there = cv2.warpPerspective(np.full(sheet.shape[:2], 255, np.uint8), matrix, SIZE) > 127
    return np.where(there[..., None], whole, on)


def off(page, corners: np.ndarray) -> float:
    return float(np.abs(np.array(page.corners) - corners).max())


def test_the_sheet_is_found_and_not_the_frame_printed_on_it():
    page = find_page(laid(framed(), table(), ASKEW))
    assert page is not None
    assert page.confidence > 0.9
    assert off(page, ASKEW) < 2.5


def test_a_hand_a_shadow_and_another_paper_do_not_hide_it():
    picture = laid(framed(), table(), ASKEW)
    cv2.ellipse(picture, (70, 300), (60, 45), 0, 0, 360, (200, 150, 125), -1)
    picture[:, 500:] = (picture[:, 500:] * 0.6).astype(np.uint8)
    picture[:45, 300:420] = 228  # a corner of another sheet, which touches this one
    page = find_page(picture)
    assert page is not None
    assert off(page, ASKEW) < 4


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(cv2.resize(framed(), SIZE), id="no margin"),
        pytest.param(np.pad(framed(), ((70, 70), (100, 100), (0, 0)), "edge"), id="white lid"),
        pytest.param(laid(framed(), np.full_like(table(), 232), ASKEW), id="as light as paper"),
        pytest.param(laid(framed(), table(), ASKEW)[:500], id="cut off"),
        pytest.param(table(), id="no sheet"),
        pytest.param(ground(), id="land alone"),
    ],
)
def test_where_it_is_not_sure_there_is_none(picture):
    assert find_page(picture) is None


def test_it_says_what_it_holds():
    page = page_of([(0, 0), (100, 0), (100, 50), (0, 50)], 0.9)
    at = np.array([(50.0, 25.0), (-3.0, 10.0), (50.0, 60.0)])
    assert page.holds(at).tolist() == [True, False, False]
    assert page.holds(at, within_px=4).tolist() == [True, True, False]


def test_a_grid_keeps_it_and_what_lies_beside_is_left_out():
    grid = Grid.regular("flat", pitch_px=50, first_px=(20, 20))
    page = page_of([(100, 100), (700, 100), (700, 500), (100, 500)], 0.97)
    found = FoundGrid(grid, 1.0, SIZE, page=page)
    again = found_grid_of(found.as_data())
    assert again.page == page
    assert found.as_data()["page"] == [[100, 100], [700, 100], [700, 500], [100, 500]]
    assert found.scaled(2).page.corners[2] == (1400, 1000)
    assert FoundGrid(grid, 1.0, SIZE).as_data()["page"] is None
    flat = flatten(table(), found)
    assert flat.pixels.shape[:2] == pytest.approx((400, 600), abs=2)
    hexes = tuple(hexes_within(grid, 16, 12))
    kept = set(flat.on_page(hexes))
    assert kept == {
        h for h in hexes if 87 < grid.centre(h)[0] < 713 and 87 < grid.centre(h)[1] < 513
    }
    assert flatten(table(), FoundGrid(grid, 1.0, SIZE)).on_page(hexes) == hexes


def test_a_slanting_sheet_is_looked_at_straightened_too():
    grid = Grid.regular("pointy", pitch_px=36, first_px=(40, 40))
    hexes = hexes_within(grid, 14, 13)
    land = ground(7, (600, 500))
    sheet = printed(grid, hexes, (95, 90, 85), land)
    found = find_sheet_grid(laid(sheet, table(light=60), ASKEW))
    assert found.page is not None
    assert found.size == SIZE
    matrix = cv2.getPerspectiveTransform(SHEET.astype(np.float32), ASKEW.astype(np.float32))
    seen = matrix @ np.array(grid.homography)
    askew = Grid("pointy", tuple(tuple(map(float, row)) for row in seen))
    assert farthest_off(found, askew, hexes) < 0.06
