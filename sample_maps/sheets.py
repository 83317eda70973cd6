"""Sample maps as printed sheets: the map, its furniture and charts, and where everything lies."""

from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any

import numpy as np
from lxml import etree

from mapkit.drawing.fonts import written
from mapkit.drawing.legend import SWATCH, plan_legend
from mapkit.drawing.picture import Drawing, draw_map
from mapkit.drawing.raster import rasterise
from mapkit.drawing.style import Looks, Style, load_style
from mapkit.drawing.svg import NAMESPACE
from mapkit.drawing.terrain import level_range
from mapkit.errors import MapkitError
from mapkit.grid import Grid
from mapkit.model import HexMap
from sample_maps.charts import draw_charts
from sample_maps.transforms import Pixels, product

DEFAULT_HEX_PX = 60.0

# Of the legend, in its own unit: from the sample to its words, and how high the sample is.
_BESIDE = 0.2
_HEIGHT = 0.6
_TINTS_HEIGHT = 0.44

Rect = tuple[float, float, float, float]  # x, y, width, height in pixels


@dataclass(frozen=True, slots=True)
class Swatch:
    """One sample of the printed legend; levels have a swatch each, in the group `levels`."""

    group: str
    kind: str
    title: str
    rect: Rect


@dataclass(frozen=True, eq=False)
class PrintedSheet:
    """The picture of a sheet, and where its hexes, its legend and its charts lie."""

    style: str
    pixels: Pixels
    grid: Grid
    legend: tuple[Swatch, ...]
    map_rect: Rect
    charts_rect: Rect

    def record(self) -> dict[str, Any]:
        """Return what is worth writing beside the picture, as plain JSON values."""
        height, width = self.pixels.shape[:2]
        return {
            "style": self.style,
            "size": [width, height],
            "grid": dump_grid(self.grid),
            "map_rect": list(self.map_rect),
            "charts_rect": list(self.charts_rect),
            "legend": [
                {"group": s.group, "kind": s.kind, "title": s.title, "rect": list(s.rect)}
                for s in self.legend
            ],
        }


def print_sheet(map_: HexMap, style: str, *, hex_px: float = DEFAULT_HEX_PX) -> PrintedSheet:
    """Print a map in one of the styles, with a column of charts beside it.

    The charts stand on the right of a pointy-top map and on the left of a flat-top one.
    """
    look = load_style(style)
    drawing = draw_map(map_, look, hex_px=hex_px)
    charts = draw_charts(map_, look, height_px=drawing.height_px, hex_px=hex_px)
    width, height = drawing.width_px + charts.width_px, drawing.height_px
    left = charts.width_px if map_.grid.orientation == "flat" else 0
    charts_left = 0 if left else drawing.width_px
    pixels = np.empty((height, width, 3), np.uint8)
    pixels[:, left : left + drawing.width_px] = _pixels(drawing)
    pixels[:, charts_left : charts_left + charts.width_px] = _pixels(charts)
    moved = product(((1, 0, left), (0, 1, 0), (0, 0, 1)), drawing.grid.homography)
    return PrintedSheet(
        style=style,
        pixels=pixels,
        grid=replace(drawing.grid, homography=moved),
        legend=_legend(map_, look, drawing, hex_px, left),
        map_rect=(float(left), 0.0, float(drawing.width_px), float(height)),
        charts_rect=(float(charts_left), 0.0, float(charts.width_px), float(height)),
    )


def dump_grid(grid: Grid) -> dict[str, Any]:
    """Return a grid as plain JSON values."""
    return {
        "orientation": grid.orientation,
        "homography": [list(row) for row in grid.homography],
    }


def _pixels(drawing: Drawing) -> Pixels:
    from PIL import Image

    with Image.open(BytesIO(rasterise(drawing))) as picture:
        return np.asarray(picture.convert("RGB"))


def _legend(
    map_: HexMap, style: Style, drawing: Drawing, hex_px: float, left: float
) -> tuple[Swatch, ...]:
    """Find the samples by their words, which stand in the drawing in the legend's order."""
    looks, letters = Looks(style, map_.kinds), style.letters["text"]
    entries = plan_legend(map_, looks, drawing.width_px, hex_px).entries
    words = _legend_words(drawing)
    if len(words) != len(entries):
        raise MapkitError(f"the legend has {len(words)} lines where {len(entries)} are expected")
    found: list[Swatch] = []
    for entry, text in zip(entries, words, strict=True):
        size = float(text.get("font-size", ""))
        unit = size / letters.size  # wide sheets have a bigger legend
        x = left + float(text.get("x", "")) - (SWATCH + _BESIDE) * unit
        y = float(text.get("y", "")) - 0.34 * size
        title = written(entry.title, letters)
        if entry.group is None:
            found += _tints(map_, title, (x, y), unit)
        else:
            rect = _rounded(x, y - _HEIGHT / 2 * unit, SWATCH * unit, _HEIGHT * unit)
            found.append(Swatch(entry.group, entry.kind, title, rect))
    return tuple(found)


def _legend_words(drawing: Drawing) -> list[etree._Element]:
    svg = etree.fromstring(drawing.svg, etree.XMLParser(huge_tree=True))
    legend = svg.find(f".//{{{NAMESPACE}}}g[@id='legend']")
    texts = () if legend is None else legend.iter(f"{{{NAMESPACE}}}text")
    return [text for text in texts if text.get("text-anchor") == "start"]


def _tints(map_: HexMap, title: str, place: tuple[float, float], unit: float) -> list[Swatch]:
    lowest, highest = level_range(map_) or (0, 0)
    x, y = place
    step = SWATCH * unit / (highest - lowest + 1)
    return [
        Swatch(
            "levels",
            str(level),
            title,
            _rounded(x + index * step, y - _TINTS_HEIGHT / 2 * unit, step, _TINTS_HEIGHT * unit),
        )
        for index, level in enumerate(range(lowest, highest + 1))
    ]


def _rounded(x: float, y: float, width: float, height: float) -> Rect:
    return round(x, 2), round(y, 2), round(width, 2), round(height, 2)
