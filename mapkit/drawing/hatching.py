"""Hatching: parallel lines cut to the shape of a terrain.

Drawn as lines, not as an SVG pattern: renderers resample a turned pattern pixel by pixel, which
took half the time of a whole picture and blurred it.
"""

import math
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry import MultiLineString, Polygon
from shapely.geometry.base import BaseGeometry

from mapkit.drawing.style import Hatch
from mapkit.drawing.svg import Sheet

_TILE = 6.0  # hexes: short paths that lie close together are rasterised much faster
_LEAST_STEP_PX, _LEAST_WIDTH_PX = 2.0, 0.4


def draw_hatching(sheet: Sheet, hatch: Hatch, area: BaseGeometry, pitch: float) -> None:
    """Hatch an area; the lines of two areas with one hatch meet."""
    for path in _tiles(hatch, area, pitch):
        sheet.path(
            path,
            fill="none",
            stroke=hatch.colour,
            stroke_width=max(hatch.width * pitch, _LEAST_WIDTH_PX),
        )


def _tiles(hatch: Hatch, area: BaseGeometry, pitch: float) -> Iterator[str]:
    """Yield the lines as paths, each of lines that lie close together."""
    size = _TILE * pitch
    tiles: dict[tuple[int, int], list[str]] = defaultdict(list)
    for part in shapely.get_parts(area):
        if not isinstance(part, Polygon) or part.is_empty:
            continue
        cut = shapely.get_parts(shapely.intersection(_rays(hatch, part, pitch), part))
        lines = cut[shapely.get_dimensions(cut) == 1]  # a ray may also touch a corner
        ends = [shapely.get_coordinates(shapely.get_point(lines, end)) for end in (0, -1)]
        for x0, y0, x1, y1 in np.hstack(ends).tolist():
            key = int((y0 + y1) / 2 // size), int((x0 + x1) / 2 // size)
            tiles[key].append(f"M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}")
    for _, paths in sorted(tiles.items()):
        yield "".join(sorted(paths))


def _rays(hatch: Hatch, part: Polygon, pitch: float) -> MultiLineString:
    """Return the lines of the hatch across everything a polygon may cover.

    They are counted from the drawing's origin, so that neighbouring parts share them.
    """
    left, top, right, bottom = part.bounds
    angle = math.radians(hatch.angle_deg)
    dx, dy = math.cos(angle), math.sin(angle)
    corners = [(left, top), (right, top), (left, bottom), (right, bottom)]
    along = [x * dx + y * dy for x, y in corners]
    aside = [y * dx - x * dy for x, y in corners]
    step = max(hatch.spacing * pitch, _LEAST_STEP_PX)
    start, end = min(along) - 1, max(along) + 1
    return MultiLineString(
        [
            [
                (start * dx - off * dy, start * dy + off * dx),
                (end * dx - off * dy, end * dy + off * dx),
            ]
            for index in range(math.floor(min(aside) / step), math.ceil(max(aside) / step) + 1)
            for off in (index * step,)
        ]
    )
