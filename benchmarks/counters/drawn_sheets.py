"""Counter sheets drawn by us, whose cuts, backs and copies are known, and scans of them.

A sheet is drawn at the resolution of its scan; the scan then lies askew, slants, and is blurred,
noisy, unevenly lit and packed as JPEG, with the exact record of where everything went.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from benchmarks.counters.drawn_counters import (
    FINE,
    GROUNDS,
    PAPER,
    Dice,
    Drawn,
    Print,
    _font,
    draw_print,
    random_counter,
)

Pixels = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.float64]
Cut = Literal["edges", "lines"]
Place = tuple[int, int]
HALF_INCH, FIVE_EIGHTHS = 12.7, 15.875


@dataclass(frozen=True, eq=False)
class DrawnSection:
    """A block of counters: where it stands on the sheet and what is in its cells."""

    rows: int
    columns: int
    at_mm: tuple[float, float]
    counter_mm: tuple[float, float]
    cells: Mapping[Place, Drawn]
    gutter_mm: tuple[float, float] = (0.0, 0.0)
    cut: Cut = "edges"
    offset_mm: tuple[float, float] = (0.0, 0.0)  # of the print against the cut lines
    bleed_mm: float = 0.0

    @property
    def pitch_mm(self) -> tuple[float, float]:
        """From one counter to the next."""
        return self.counter_mm[0] + self.gutter_mm[0], self.counter_mm[1] + self.gutter_mm[1]

    @property
    def size_mm(self) -> tuple[float, float]:
        """Of the whole block, to its outer cuts."""
        width = self.columns * self.pitch_mm[0] - self.gutter_mm[0]
        return width, self.rows * self.pitch_mm[1] - self.gutter_mm[1]

    def corners_mm(self, row: int, column: int) -> Numbers:
        """The four corners of a cell's cut, from the upper left clockwise."""
        left = self.at_mm[0] + column * self.pitch_mm[0]
        top = self.at_mm[1] + row * self.pitch_mm[1]
        width, height = self.counter_mm
        right, bottom = left + width, top + height
        return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


@dataclass(frozen=True, eq=False)
class DrawnSheet:
    """A sheet: its size, its sections, and what is printed beside them."""

    size_mm: tuple[float, float]
    sections: tuple[DrawnSection, ...]
    title: str = "Sheet 1"
    border: bool = False
    flip: Literal["columns", "rows"] = "columns"  # of a sheet that was turned over: how


@dataclass(frozen=True, eq=False)
class DrawnScan:
    """A scan, and the homography that takes millimetres of the sheet to its pixels."""

    pixels: Pixels
    matrix: Numbers
    dpi: float

    def at(self, points_mm: Numbers) -> Numbers:
        """Return where points of the sheet lie on the scan."""
        there = np.column_stack([points_mm, np.ones(len(points_mm))]) @ self.matrix.T
        return np.asarray(there[:, :2] / there[:, 2:])


@dataclass(frozen=True)
class Scanning:
    """How a scan is made; *turn* is by how many quarters the sheet lies turned to the right."""

    dpi: float = 200.0
    skew_deg: float = 2.0
    perspective: float = 0.02
    noise: float = 2.5
    blur_px: float = 0.6
    jpeg: int = 85
    shading: float = 0.05
    cast: float = 0.03
    turn: int = 0


def side_picture(sheet: DrawnSheet, side: Literal["front", "back"], dpi: float) -> Pixels:
    """Return one side of a sheet, however it was made."""
    return sheet.page(side, dpi) if hasattr(sheet, "page") else draw_side(sheet, side, dpi)


def draw_side(sheet: DrawnSheet, side: Literal["front", "back"], dpi: float) -> Pixels:
    """Return the printed sheet, one pixel to a pixel of the scan."""
    scale = dpi / 25.4
    size = (math.ceil(sheet.size_mm[0] * scale), math.ceil(sheet.size_mm[1] * scale))
    picture = Image.new("RGB", (size[0] * FINE, size[1] * FINE), PAPER)
    fine = scale * FINE
    pen = ImageDraw.Draw(picture)
    pen.text((9 * fine, 3 * fine), sheet.title, (40, 40, 40), _font(4 * fine))
    if sheet.border:
        box = (2 * fine, 2 * fine, (sheet.size_mm[0] - 2) * fine, (sheet.size_mm[1] - 2) * fine)
        pen.rectangle(box, outline=(60, 60, 60), width=round(0.4 * fine))
    for section in sheet.sections:
        _draw_section(picture, section, side, scale)
    small = picture.reduce(FINE)
    return np.asarray(small, np.uint8)


def _draw_section(picture: Image.Image, section: DrawnSection, side: str, scale: float) -> None:
    fine = scale * FINE
    size_px = (section.counter_mm[0] * scale, section.counter_mm[1] * scale)
    made: dict[Print, Image.Image] = {}
    shift = np.array(section.offset_mm)
    bled = section.bleed_mm
    for (row, column), drawn in section.cells.items():
        print_ = drawn.front if side == "front" else drawn.back
        if print_ not in made:
            made[print_] = draw_print(print_, size_px)
        corners = section.corners_mm(row, column) + shift
        if bled:
            box = [*(corners[0] - bled) * fine, *(corners[2] + bled) * fine]
            ImageDraw.Draw(picture).rectangle(box, fill=print_.ground)
    for (row, column), drawn in section.cells.items():
        print_ = drawn.front if side == "front" else drawn.back
        corners = section.corners_mm(row, column) + shift
        left, top = (round(value * fine) for value in corners[0])
        picture.paste(made[print_], (left, top))
    if section.cut == "lines":
        _draw_lines(picture, section, fine)


def _draw_lines(picture: Image.Image, section: DrawnSection, fine: float) -> None:
    pen = ImageDraw.Draw(picture)
    (left, top), (width, height) = section.at_mm, section.size_mm
    thick = max(1, round(0.18 * fine))
    for column in range(section.columns + 1):
        x = (left + column * section.counter_mm[0]) * fine - thick / 2
        pen.rectangle((x, top * fine, x + thick - 1, (top + height) * fine), fill=(95, 92, 88))
    for row in range(section.rows + 1):
        y = (top + row * section.counter_mm[1]) * fine - thick / 2
        pen.rectangle((left * fine, y, (left + width) * fine, y + thick - 1), fill=(95, 92, 88))


def scan_side(picture: Pixels, making: Scanning, dice: Dice) -> DrawnScan:
    """Scan a printed sheet: askew, slanting, blurred, noisy, unevenly lit, packed as JPEG."""
    scale = making.dpi / 25.4
    height, width = picture.shape[:2]
    turn = making.skew_deg * (2 * dice.random() - 1)
    angle = math.radians(turn + 90 * making.turn)
    tilt = math.tau * dice.random()
    reach = abs(math.cos(tilt)) * width / 2 + abs(math.sin(tilt)) * height / 2
    gx, gy = (making.perspective / 2 / reach * f for f in (math.cos(tilt), math.sin(tilt)))
    cos, sin = math.cos(angle), math.sin(angle)
    seen = (
        np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
        @ np.array([[1, 0, 0], [0, 1, 0], [gx, gy, 1]])
        @ np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]])
    )
    corners = np.array([(0, 0, 1), (width, 0, 1), (width, height, 1), (0, height, 1)]) @ seen.T
    flat = corners[:, :2] / corners[:, 2:]
    margin = 12 + 30 * dice.random(4)
    low, high = flat.min(axis=0) - margin[:2], flat.max(axis=0) + margin[2:]
    matrix = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ seen
    size = (math.ceil(high[0] - low[0]), math.ceil(high[1] - low[1]))
    exposed = _exposed(picture, matrix, size, making, dice)
    packed = cv2.imencode(".jpg", exposed, [cv2.IMWRITE_JPEG_QUALITY, making.jpeg])[1]
    pixels = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return DrawnScan(pixels, matrix @ np.diag([scale, scale, 1.0]), making.dpi)


def _exposed(
    picture: Pixels, matrix: Numbers, size: tuple[int, int], making: Scanning, dice: Dice
) -> Pixels:
    # Corners of pixels are whole numbers here; OpenCV counts from their middles.
    half = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])
    moved = half @ matrix @ np.linalg.inv(half)
    lid = (231.0, 234.0, 233.0)
    seen = cv2.warpPerspective(
        picture.astype(np.float32), moved, size, flags=cv2.INTER_LINEAR, borderValue=lid
    )
    cover = cv2.warpPerspective(np.ones(picture.shape[:2], np.float32), moved, size)
    shadow = cv2.GaussianBlur(cover, (0, 0), 4) * (1 - cover)
    seen *= (1 - 0.3 * shadow)[..., None]
    seen = cv2.GaussianBlur(seen, (0, 0), making.blur_px)
    v, u = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    way = math.tau * dice.random()
    slope = (u / size[0] - 0.5) * math.cos(way) + (v / size[1] - 0.5) * math.sin(way)
    seen *= (1 - making.shading * (0.5 + slope))[..., None]
    seen *= (1 + making.cast * (2 * dice.random(3) - 1)).astype(np.float32)
    seen += dice.standard_normal(seen.shape, np.float32) * making.noise
    return np.clip(np.rint(seen), 0, 255).astype(np.uint8)


def mirrored(sheet: DrawnSheet, flip: Literal["columns", "rows"]) -> DrawnSheet:
    """Return the sheet as it lies after it was turned over: its backs show, mirrored."""
    sections = tuple(_mirrored_section(sheet, section, flip) for section in sheet.sections)
    return replace(sheet, sections=sections, flip=flip)


def mirrored_place(place: Place, section: DrawnSection, flip: str) -> Place:
    """Return where a cell lies after its section was turned over."""
    row, column = place
    if flip == "columns":
        return row, section.columns - 1 - column
    return section.rows - 1 - row, column


def _mirrored_section(sheet: DrawnSheet, section: DrawnSection, flip: str) -> DrawnSection:
    left, top = section.at_mm
    width, height = section.size_mm
    if flip == "columns":
        at = (sheet.size_mm[0] - left - width, top)
    else:
        at = (left, sheet.size_mm[1] - top - height)
    cells = {mirrored_place(place, section, flip): cell for place, cell in section.cells.items()}
    return replace(section, at_mm=at, cells=cells)


@dataclass(frozen=True)
class Filling:
    """What the cells of a section hold."""

    grounds: int = 2
    by_block: bool = True  # grounds in halves of the block, else at random
    empty: int = 0
    copies: int = 3
    back_grounds: Literal["same", "other"] = "same"
    alike: tuple[Print, ...] = field(default=())


def fill(rows: int, columns: int, filling: Filling, dice: Dice) -> dict[Place, Drawn]:
    """Return counters for the cells: side by side by nation, a few copies, some cells empty."""
    choice = [GROUNDS[int(i)] for i in dice.permutation(len(GROUNDS))]
    grounds, others = choice[: filling.grounds], choice[filling.grounds :]
    places = [(row, column) for row in range(rows) for column in range(columns)]
    split = 0.25 + 0.5 * dice.random()
    cells: dict[Place, Drawn] = {}
    for row, column in places:
        if filling.by_block:
            share = (row + (column + 0.5) / columns) / rows
            which = min(int(share / split * (filling.grounds - 1)), filling.grounds - 1)
        else:
            which = int(dice.integers(0, filling.grounds))
        other = others[which % len(others)] if filling.back_grounds == "other" else None
        cells[row, column] = random_counter(dice, grounds[which], back_ground=other)
    order = [places[int(i)] for i in dice.permutation(len(places))]
    for source, target in _twos(order[: 2 * filling.copies]):
        cells[target] = cells[source]
    for place in order[2 * filling.copies : 2 * filling.copies + filling.empty]:
        del cells[place]
    return cells


def _twos(places: list[Place]) -> Iterator[tuple[Place, Place]]:
    return zip(places[::2], places[1::2], strict=False)
