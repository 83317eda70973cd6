"""Counters drawn simply, for sheets whose truth is known: ground, box with a symbol, figures."""

from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import as_file, files

import numpy as np
from PIL import Image, ImageDraw, ImageFont

Colour = tuple[int, int, int]
Dice = np.random.Generator

PAPER: Colour = (250, 249, 246)
GROUNDS: tuple[Colour, ...] = (
    (196, 214, 170), (205, 183, 142), (164, 190, 214), (222, 196, 196), (186, 176, 206),
    (232, 214, 130), (150, 168, 150), (236, 232, 222),
)  # fmt: skip
SYMBOLS = 8
FINE = 4  # a counter is drawn so many times too big, and reduced


@dataclass(frozen=True)
class Print:
    """What one side of a counter shows; *blank* is bare ground.

    *bar* is the colour of a formation along the left side; *free* draws, instead of box and
    figures, a picture that no other counter has.
    """

    ground: Colour
    symbol: int
    factors: str
    name: str
    stripe: bool = False
    blank: bool = False
    bar: Colour | None = None
    free: int = 0


@dataclass(frozen=True)
class Drawn:
    """A counter of a drawn sheet: its two sides."""

    front: Print
    back: Print


def random_counter(dice: Dice, ground: Colour, *, back_ground: Colour | None = None) -> Drawn:
    """Return a counter of one side; its back is reduced, on the same ground or on another."""
    attack, defence, move = (int(value) for value in dice.integers(2, 10, 3))
    front = Print(
        ground,
        int(dice.integers(0, SYMBOLS)),
        f"{attack}-{defence}-{move}",
        f"{int(dice.integers(1, 99))}/{'I' * int(dice.integers(1, 4))}",
    )
    reduced = f"{max(attack - 2, 1)}-{max(defence - 1, 1)}-{move}"
    back = replace(front, factors=reduced, stripe=True, ground=back_ground or ground)
    return Drawn(front, back)


def draw_print(print_: Print, size_px: tuple[float, float]) -> Image.Image:
    """Return one side of a counter, FINE times its size."""
    width, height = (round(side * FINE) for side in size_px)
    picture = Image.new("RGB", (width, height), print_.ground)
    if print_.blank:
        return picture
    pen = ImageDraw.Draw(picture)
    side = min(width, height)
    if print_.bar:
        pen.rectangle((0, 0, round(width * 0.12), height), fill=print_.bar)
    if print_.free:
        _free(pen, print_.free, width, height)
        return picture
    if print_.stripe:
        pen.rectangle((0, round(height * 0.66), width, round(height * 0.72)), fill=(170, 40, 40))
    left, right = width / 2 - side * 0.24, width / 2 + side * 0.24
    top, bottom = height / 2 - side * 0.2, height / 2 + side * 0.1
    stroke = max(1, round(side * 0.022))
    pen.rectangle(
        (left, top, right, bottom), fill=(246, 246, 240), outline=(20, 20, 20), width=stroke
    )
    _symbol(pen, print_.symbol, (left, top, right, bottom), stroke)
    ink = (20, 20, 20)
    pen.text((width / 2, height / 2 + side * 0.34), print_.factors, ink, _font(side * 0.23), "mm")
    pen.text((width / 2, height / 2 - side * 0.36), print_.name, ink, _font(side * 0.15), "mm")
    return picture


def _free(pen: ImageDraw.ImageDraw, seed: int, width: int, height: int) -> None:
    """Draw a few strokes and a word, as on markers."""
    dice = np.random.Generator(np.random.PCG64(seed))
    ink = tuple(int(value) for value in dice.integers(10, 150, 3))
    for _ in range(int(dice.integers(2, 5))):
        spots = 0.15 + 0.6 * dice.random((3, 2))
        pen.polygon([(x * width, y * height) for x, y in spots], fill=ink)
    word = "".join(chr(65 + int(letter)) for letter in dice.integers(0, 26, 5))
    pen.text((width / 2, height * 0.84), word, (20, 20, 20), _font(height * 0.17), "mm")


def _symbol(
    pen: ImageDraw.ImageDraw, symbol: int, box: tuple[float, float, float, float], stroke: int
) -> None:
    left, top, right, bottom = box
    x, y, r = (left + right) / 2, (top + bottom) / 2, (bottom - top) * 0.28
    ink = (20, 20, 20)
    if symbol in (0, 1, 5):
        pen.line((left, bottom, right, top), ink, stroke)
    if symbol in (0, 5):
        pen.line((left, top, right, bottom), ink, stroke)
    if symbol in (2, 6):
        pen.ellipse((x - r, y - r, x + r, y + r), fill=ink)
    if symbol in (3, 7):
        pen.ellipse((x - 1.7 * r, y - r, x + 1.7 * r, y + r), outline=ink, width=stroke)
    if symbol in (4, 5, 6, 7):
        pen.line((x, top, x, bottom), ink, stroke)


@cache
def _font(size: float) -> ImageFont.FreeTypeFont:
    with as_file(files("mapkit") / "drawing" / "fonts" / "Cabin-Bold.otf") as path:
        return ImageFont.truetype(path, max(6, round(size)))
