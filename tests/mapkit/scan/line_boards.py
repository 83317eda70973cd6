"""A small drawn board: a river along hexsides, a road over hexes, and samples of both."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from mapkit.grid import Grid
from mapkit.hexes import Hex, Hexside, Link
from mapkit.scan.line_teaching import LineSwatch
from mapkit.scan.sheet import FlatSheet

PITCH = 44.0
COLUMNS, ROWS = 13, 11
RIVER, ROAD, EDGE = (70, 130, 190), (245, 240, 225), (90, 70, 50)


@dataclass(frozen=True, eq=False)
class Board:
    """What is drawn, and the sheet it is drawn on."""

    sheet: FlatSheet
    river: frozenset[Hexside]
    road: frozenset[Link]
    swatches: tuple[LineSwatch, ...]


def draw_board(seed: int = 0) -> Board:
    """Draw the board on mottled ground with printed numbers and a grid."""
    import cv2

    dice = np.random.default_rng(seed)
    grid = Grid.regular("pointy", pitch_px=PITCH, first_px=(PITCH, PITCH))
    hexes = tuple(Hex(c - r // 2, r) for r in range(ROWS) for c in range(COLUMNS))
    width, height = int((COLUMNS + 1.5) * PITCH), int(ROWS * 0.87 * PITCH + 3 * PITCH)
    mottled = dice.uniform(-1, 1, (height // 16 + 1, width // 16 + 1)).astype(np.float32)
    tint = cv2.resize(mottled, (width, height), interpolation=cv2.INTER_CUBIC)
    pixels = np.array((205, 215, 170)) + tint[:, :, None] * np.array((25, 10, 20))
    pixels = pixels + dice.normal(0, 3, pixels.shape)
    pixels[int(height - 1.7 * PITCH) :] = (250, 248, 240)
    pixels = np.ascontiguousarray(np.clip(pixels, 0, 255).astype(np.uint8))
    for hex_ in hexes:
        corners = np.round(np.array(grid.polygon(hex_)) * 8).astype(np.int32)
        cv2.polylines(pixels, [corners], True, (150, 150, 130), 1, cv2.LINE_AA, 3)
        x, y = grid.centre(hex_)
        at = (int(x - 10), int(y - 9))
        cv2.putText(pixels, f"{hex_.r:02}{hex_.q % 99:02}", at, 0, 0.28, (90, 90, 80), 1)
    between_rows = [
        Hexside.between(Hex(c - 2, 5), Hex(c - 3 + step, 6))
        for c in range(COLUMNS)
        for step in (0, 1)
    ]
    river = frozenset(s for s in between_rows if s.a in hexes and s.b in hexes)
    for side in sorted(river):
        (x0, y0), (x1, y1) = (grid.corner(corner) for corner in side.vertices)
        _line(pixels, [(x0, y0), (x1, y1)], RIVER, 5)
    way = [Hex(3, 0)]
    for direction in (5, 4, 5, 0, 5, 4, 4, 5, 0, 5, 5, 4, 5):
        way.append(way[-1].step(direction))
    way = [hex_ for hex_ in way if hex_ in hexes]
    road = frozenset(Link.between(a, b) for a, b in pairwise(way))
    points = [grid.centre(hex_) for hex_ in way]
    _line(pixels, points, EDGE, 6)
    _line(pixels, points, ROAD, 3)
    top = height - 1.4 * PITCH
    swatches = []
    for index, (group, kind) in enumerate((("hexsides", "river"), ("links", "road"))):
        left = (1 + 3 * index) * PITCH
        bow = [(left + 0.1 * PITCH + i * 5, top + 16 - 3 * np.sin(i / 2)) for i in range(8)]
        _line(pixels, bow, RIVER if kind == "river" else EDGE, 5 if kind == "river" else 6)
        if kind == "road":
            _line(pixels, bow, ROAD, 3)
        swatches.append(LineSwatch(group, kind, (left - 4, top, 52.0, 32.0)))
    return Board(FlatSheet(pixels, grid, hexes), river, road, tuple(swatches))


def _line(
    pixels: np.ndarray, points: list[tuple[float, float]], colour: tuple[int, int, int], width: int
) -> None:
    import cv2

    corners = np.round(np.array(points) * 8).astype(np.int32)
    cv2.polylines(pixels, [corners], False, colour, width, cv2.LINE_AA, 3)
