"""Bands of colour along hexsides, which leave the water free: a river keeps its own colour."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle
from typing import Literal

import shapely
from shapely.geometry import LineString, MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from mapkit.drawing.network import Network
from mapkit.drawing.svg import polygon
from mapkit.hexes import Hexside

_LEAST = 0.5  # pixels: a dash of no length must not hold up the walk


def band_path(
    network: Network,
    lines: Sequence[LineString],
    width: float,
    dash: Sequence[float] = (),
    *,
    wet: Iterable[Hexside] = (),
) -> str:
    """Return a band along *lines* as one path to be filled by the even-odd rule.

    Where it crosses water it is cut; *wet* hexsides it follows on both banks of their river, half
    as wide on each. Width and dashes are in pitches.
    """
    pitch = network.frame.pitch
    runs = [*((line, 0.0) for line in lines), *network.water_along(wet)]
    pieces = [
        piece.buffer(bed + width / 2 * pitch, quad_segs=4, cap_style=_cap(bed, dash))
        for line, bed in runs
        for piece in _dashes(line, [length * pitch for length in dash])
    ]
    if not pieces:
        return ""
    band = shapely.union_all(pieces)
    return "".join(_rings(band.difference(network.water_near(band))))


def _cap(bed: float, dash: Sequence[float]) -> Literal["flat", "round"]:
    """Dashes end sharply, and so does a band on the banks: round, it would spill round the end."""
    return "flat" if dash or bed else "round"


def _dashes(line: LineString, pattern: Sequence[float]) -> Iterator[LineString]:
    """Yield the dashes of a line; all of it where there is no pattern."""
    if not pattern:
        yield line
        return
    start = 0.0
    for length, is_dash in zip(cycle(pattern), cycle((True, False)), strict=False):
        if start >= line.length:
            return
        if is_dash and length:
            yield substring(line, start, min(start + length, line.length))
        start += max(length, _LEAST)


def _rings(area: BaseGeometry) -> Iterator[str]:
    parts = area.geoms if isinstance(area, MultiPolygon) else [area]
    for part in parts:
        if isinstance(part, Polygon) and not part.is_empty:
            for ring in (part.exterior, *part.interiors):
                yield polygon(list(ring.coords)[:-1])
