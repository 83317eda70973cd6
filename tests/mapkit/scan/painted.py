"""Small painted sheets whose truth is known: filled hexes, a grid, numbers, a legend."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from mapkit.grid import Grid
from mapkit.hexes import Hex
from mapkit.scan.sheet import FlatSheet
from mapkit.scan.teaching import Example, Sample, Teaching, What

PITCH_PX = 40.0
Colour = tuple[int, int, int]
TINTS: Mapping[int, Colour] = {1: (222, 232, 195), 2: (236, 220, 174), 3: (205, 168, 122)}
FILLS: Mapping[str, Colour] = {"clear": TINTS[1], "woods": (150, 190, 130), "lake": (150, 195, 230)}
COVER: Mapping[str, float] = {"clear": 0.0, "woods": 0.6, "lake": 1.0}


@dataclass(frozen=True)
class Painted:
    """A sheet, its truth, and the legend printed below it."""

    sheet: FlatSheet
    terrain: Mapping[Hex, str]
    level: Mapping[Hex, int]
    legend: tuple[Sample, ...]

    def examples(self, what: What, count: int) -> Teaching:
        values = self.terrain if what == "terrain" else self.level
        found: dict[str, list[Example]] = {}
        for hex_, value in values.items():
            x, y = self.sheet.grid.centre(hex_)
            found.setdefault(str(value), []).append(Example(x, y, what, str(value)))
        return Teaching(
            examples=tuple(
                e for some in found.values() for e in some[:: max(1, len(some) // count)][:count]
            )
        )


def mixed(under: Colour, over: Colour, cover: float) -> Colour:
    r, g, b = (round(u + (o - u) * cover) for u, o in zip(under, over, strict=True))
    return r, g, b


def paint(
    terrain_of: Callable[[int, int], str],
    level_of: Callable[[int, int], int] = lambda column, row: 1,
    *,
    size: int = 12,
    noise: float = 2.0,
    shading: float = 0.0,
) -> Painted:
    grid = Grid.regular("pointy", pitch_px=PITCH_PX, first_px=(40.0, 40.0))
    hexes = {Hex(c - r // 2, r): (c, r) for r in range(size) for c in range(size)}
    side = round(PITCH_PX * (size + 2))
    picture = Image.new("RGB", (side, side + 60), "white")
    draw = ImageDraw.Draw(picture)
    terrain = {hex_: terrain_of(*at) for hex_, at in hexes.items()}
    level = {hex_: level_of(*at) for hex_, at in hexes.items()}
    for hex_ in hexes:
        word = terrain[hex_]
        fill = mixed(TINTS[level[hex_]], FILLS[word], COVER[word])
        draw.polygon(grid.polygon(hex_), fill=fill, outline=(90, 80, 70))
        x, y = grid.centre(hex_)
        draw.text((x - 10, y - 18), f"{hex_.q + 10:02d}{hex_.r:02d}", fill=(40, 40, 40))
    legend = []
    for place, (word, fill) in enumerate(FILLS.items()):
        legend.append(_sample(draw, "terrain", word, 20 + 50 * place, side + 10, fill, COVER))
    for place, (number, tint) in enumerate(TINTS.items()):
        legend.append(_sample(draw, "levels", str(number), 220 + 50 * place, side + 10, tint, {}))
    pixels = np.asarray(picture, float)
    dark = 1 - shading * np.linspace(0, 1, pixels.shape[1])[None, :, None]
    grain = np.random.default_rng(5).normal(0, noise, pixels.shape)
    flat = np.clip(pixels * dark + grain, 0, 255).astype(np.uint8)
    return Painted(FlatSheet(flat, grid, tuple(hexes)), terrain, level, tuple(legend))


def _sample(
    draw: ImageDraw.ImageDraw,
    group: str,
    kind: str,
    x: float,
    y: float,
    fill: Colour,
    cover: Mapping[str, float],
) -> Sample:
    shown = mixed(TINTS[1], fill, cover[kind]) if cover else fill
    draw.rectangle((x, y, x + 40, y + 30), fill=shown, outline=(0, 0, 0))
    return Sample.model_validate({"group": group, "kind": kind, "rect": (x, y, 40, 30)})
