"""A line across the way from hex to hex is told from whatever one can go around."""

import numpy as np
from PIL import Image, ImageDraw

from mapkit.grid import Grid
from mapkit.hexes import Hex
from mapkit.scan.sampling import sample_hexes
from mapkit.scan.sheet import FlatSheet

PITCH_PX = 58.0
ROCKS = (168, 156, 150)
ROWS, COLUMNS = 8, 12


def rocks(*, line: bool) -> FlatSheet:
    """Opaque ground strewn with strokes as dark as the line, which runs between two rows."""
    grid = Grid.regular("pointy", pitch_px=PITCH_PX, first_px=(60.0, 60.0))
    hexes = tuple(Hex(c - r // 2, r) for r in range(ROWS) for c in range(COLUMNS))
    picture = Image.new("RGB", (round(PITCH_PX * (COLUMNS + 2)), 520), ROCKS)
    draw = ImageDraw.Draw(picture)
    dice = np.random.default_rng(7)
    for x, y in dice.uniform((0, 0), picture.size, (700, 2)):
        draw.line((x, y, x + 2, y - 7), fill=(110, 98, 92), width=2)
    if line:
        y = (grid.centre(Hex(0, 3))[1] + grid.centre(Hex(0, 4))[1]) / 2
        at = [(x, y - 14 + 5 * np.sin(x / 30)) for x in range(0, picture.size[0] + 8, 8)]
        draw.line(at, fill=(110, 98, 92), width=2)
    grain = dice.normal(0, 2, (picture.size[1], picture.size[0], 3))
    pixels = np.clip(np.asarray(picture, float) + grain, 0, 255).astype(np.uint8)
    return FlatSheet(pixels, grid, hexes)


def across(sheet: FlatSheet) -> tuple[np.ndarray, np.ndarray]:
    """What is seen between the third row and the fourth, and between all others."""
    samples = sample_hexes(sheet)
    rows = np.sort(np.array([hex_.r for hex_ in samples.hexes])[samples.pairs], axis=1)
    between = (rows == (3, 4)).all(axis=1)
    return samples.between[between], samples.between[~between]


def stands_out(*, line: bool) -> np.ndarray:
    """How often a column is higher between the two rows than elsewhere."""
    there, elsewhere = across(rocks(line=line))
    return (there[:, None] > elsewhere[None]).mean(axis=(0, 1))


def test_a_line_is_told_from_tufts_that_are_as_dark():
    found = stands_out(line=True)
    assert found.max() > 0.97
    # Straight lanes over the picture as it is: they all run into some of the tufts.
    assert found[:9].max() < 0.9


def test_without_a_line_nothing_stands_out():
    assert stands_out(line=False).max() < 0.8


def test_a_sheet_of_one_hex_has_no_ways():
    sheet = rocks(line=False)
    assert sample_hexes(FlatSheet(sheet.pixels, sheet.grid, sheet.hexes[:1])).between.size == 0
