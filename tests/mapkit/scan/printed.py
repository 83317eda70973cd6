"""Small sheets with a printed grid, drawn for tests: the truth is what they are drawn by."""

import math
import os

import numpy as np
import pytest

from mapkit.grid import Grid, axial_point
from mapkit.hexes import Hex, vertices
from mapkit.scan import ocr

SIZE = (900, 720)
needs_ocr = pytest.mark.skipif(
    os.environ.get("CI") != "true"
    and not (ocr.find_spec("rapidocr") and ocr.find_spec("onnxruntime")),
    reason="needs the extra 'ocr'",
)


def ground(seed: int = 3, size: tuple[int, int] = SIZE) -> np.ndarray:
    """Return calm land in a few soft colours, with the grain of paper."""
    import cv2

    dice = np.random.default_rng(seed)
    width, height = size
    soft = dice.uniform(150, 225, (6, 7, 3)).astype(np.float32)
    land = cv2.resize(soft, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.clip(land + dice.normal(0, 3, land.shape), 0, 255).astype(np.uint8)


def seen(angle_deg: float, slant: float) -> np.ndarray:
    """Return the homography of a sheet that is turned and seen from the side."""
    cos, sin = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    middle = np.array([[1, 0, SIZE[0] / 2], [0, 1, SIZE[1] / 2], [0, 0, 1]])
    view = np.array([[cos, -sin, 0], [sin, cos, 0], [slant / SIZE[0], slant / SIZE[1] / 2, 1]])
    return middle @ view @ np.linalg.inv(middle)


def turned(grid: Grid, angle_deg: float, slant: float = 0.0) -> Grid:
    """Return a grid as it lies on a sheet that is turned and seen from the side."""
    matrix = seen(angle_deg, slant) @ np.array(grid.homography)
    return Grid(grid.orientation, tuple(tuple(map(float, row)) for row in matrix))


def hexes_within(grid: Grid, columns: int, rows: int) -> list[Hex]:
    """Return a rectangle of hexes as maps have them."""
    if grid.orientation == "pointy":
        return [Hex(c - r // 2, r) for r in range(rows) for c in range(columns)]
    return [Hex(c, r - c // 2) for c in range(columns) for r in range(rows)]


def printed(grid: Grid, hexes: list[Hex], colour: tuple[int, int, int], land: np.ndarray):
    """Return the land with the outlines of hexes printed on it, one pixel and a half wide."""
    import cv2

    big = cv2.resize(land, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
    for hex_ in hexes:
        corners = [grid.to_pixel(*axial_point(corner)) for corner in vertices(hex_)]
        points = np.round(np.array(corners) * 2 * 16 - 8).astype(np.int32)
        cv2.polylines(big, [points], True, colour, 3, cv2.LINE_AA, 4)
    return cv2.resize(big, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)


def marked(grid: Grid, hexes: list[Hex], colour: tuple[int, int, int], land: np.ndarray, mark: str):
    """Return the land with no hexsides printed: ticks at the corners, or a dot in every hex."""
    import cv2

    big = cv2.resize(land, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)

    def pixel(at: np.ndarray) -> tuple[int, int]:
        x, y = np.round(at * 2 * 16 - 8).astype(int).tolist()
        return x, y

    for hex_ in hexes:
        corners = np.array([grid.to_pixel(*axial_point(corner)) for corner in vertices(hex_)])
        if mark == "dots":
            cv2.circle(big, pixel(np.array(grid.centre(hex_))), 64, colour, -1, cv2.LINE_AA, 4)
            continue
        for side in range(6):
            for start, end in ((side, side - 1), (side - 1, side)):
                tick = corners[start] + (corners[end] - corners[start]) * 0.18
                cv2.line(big, pixel(corners[start]), pixel(tick), colour, 3, cv2.LINE_AA, 4)
    return cv2.resize(big, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)


def farthest_off(found, grid: Grid, hexes: list[Hex]) -> float:
    """Return how far the worst centre lies from where it was printed, in pitches."""
    true = np.array([grid.centre(hex_) for hex_ in hexes])
    near = np.round(found.from_scan(true))
    assert len({tuple(at) for at in near.astype(int).tolist()}) == len(hexes)
    off = np.linalg.norm(found.to_scan(near) - true, axis=1)
    return float(off.max()) / grid.pitch_px(hexes[len(hexes) // 2])
