"""Sample maps as printed sheets: the map, its furniture and charts, and where everything lies."""

from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any

import numpy as np

from mapkit.drawing.legend import LegendEntry, Rect
from mapkit.drawing.picture import Drawing, draw_map
from mapkit.drawing.raster import rasterise
from mapkit.drawing.style import load_style
from mapkit.grid import Grid
from mapkit.model import HexMap
from mapkit.texts import Language
from sample_maps.charts import draw_charts
from sample_maps.transforms import Pixels, product

DEFAULT_HEX_PX = 60.0

LANGUAGE: Language = "en"  # of every sheet, whatever the machine speaks


@dataclass(frozen=True, eq=False)
class PrintedSheet:
    """The picture of a sheet, and where its hexes, its legend and its charts lie."""

    style: str
    pixels: Pixels
    grid: Grid
    legend: tuple[LegendEntry, ...]
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
    drawing = draw_map(map_, look, hex_px=hex_px, language=LANGUAGE)
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
        legend=tuple(_moved(entry, left) for entry in drawing.legend),
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


def _moved(entry: LegendEntry, right_px: float) -> LegendEntry:
    x, y, width, height = entry.rect
    return replace(entry, rect=(round(x + right_px, 2), y, width, height))
