import numpy as np
import pytest

from mapkit.grid import Grid
from mapkit.scan.even_light import even_light, find_light
from tests.mapkit.scan.painted import PITCH_PX, paint

SIZE = 16


def terrain_of(column: int, row: int) -> str:
    """A lake fills the left half, woods are strewn over the right one."""
    return "lake" if column < SIZE // 2 else "woods" if (column * 7 + row * 5) % 3 == 0 else "clear"


def evened(pixels: np.ndarray, grid: Grid) -> np.ndarray:
    new = pixels.copy()
    even_light(new, find_light(new, grid))
    return new


def shaded(pixels: np.ndarray, cast: tuple[float, float, float] = (1, 1, 1)) -> np.ndarray:
    """Return a picture lit from one side, with a soft shadow, in coloured light."""
    height, width = pixels.shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    light = (
        1
        - 0.2 * x / width
        - 0.08 * np.exp(-(((x / width - 0.3) ** 2) + (y / height - 0.6) ** 2) / 0.1)
    )
    return np.clip(pixels * light[..., None] * cast, 0, 255).astype(np.uint8)


def hex_tones(pixels: np.ndarray, painted) -> np.ndarray:
    """Return the middle colour of every hex, below its number."""
    half = round(PITCH_PX / 6)
    return np.array(
        [
            np.median(pixels[int(y) : int(y) + half, int(x) - half : int(x) + half], axis=(0, 1))
            for x, y in painted.sheet.centres()
        ]
    )


def uneven(pixels: np.ndarray, painted) -> float:
    """Return by how much hexes of one terrain differ, as a share."""
    tones = np.log(hex_tones(pixels, painted).mean(axis=1))
    words = np.array(list(painted.terrain.values()))
    return max(float(np.ptp(tones[words == word])) for word in ("lake", "woods", "clear"))


@pytest.fixture(scope="module")
def painted():
    return paint(terrain_of, size=SIZE)


def test_shadows_are_taken_out(painted):
    dark = shaded(painted.sheet.pixels)
    assert uneven(dark, painted) > 0.08
    assert uneven(evened(dark, painted.sheet.grid), painted) < 0.04


def test_even_light_stays_and_a_lake_stays_blue(painted):
    clean = painted.sheet.pixels
    change = hex_tones(evened(clean, painted.sheet.grid), painted) / hex_tones(clean, painted)
    assert np.ptp(change) < 0.03
    assert change.mean() == pytest.approx(1, abs=0.03)


def test_coloured_paper_keeps_its_colour(painted):
    parchment = shaded(painted.sheet.pixels, (1.0, 0.9, 0.7))
    red, green, blue = evened(parchment, painted.sheet.grid)[5:15, 100:500].mean(axis=(0, 1))
    assert green / red == pytest.approx(0.9, abs=0.03)
    assert blue / red == pytest.approx(0.7, abs=0.03)


@pytest.mark.parametrize("shade", [0, 128, 255])
def test_a_picture_of_nothing_stays(shade):
    nothing = np.full((300, 400, 3), shade, np.uint8)
    new = evened(nothing, Grid.regular("flat", pitch_px=40, first_px=(20, 20)))
    assert np.ptp(new) == 0
