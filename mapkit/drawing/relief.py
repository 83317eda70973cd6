"""Relief along the contours: light edges, shade, and the strokes of an engraver."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from shapely.geometry import LineString

from mapkit.drawing.chains import walk
from mapkit.drawing.frame import noises
from mapkit.drawing.regions import Region
from mapkit.drawing.style import Levels
from mapkit.drawing.svg import Sheet, polyline
from mapkit.drawing.terrain import Ground
from mapkit.grid import Point


def draw_relief(sheet: Sheet, ground: Ground) -> None:
    """Draw contours, lit from the north-west: light edges there, shade on the far side."""
    levels, pitch = ground.looks.style.levels, ground.frame.pitch
    for line in contours(ground):
        if levels.shade:
            _draw_shade(sheet, line, levels, pitch)
        if levels.hachures:
            for tile in _hachures(line, levels, pitch):
                sheet.path(
                    tile,
                    fill="none",
                    stroke=levels.hachures,
                    stroke_width=levels.hachure_width * pitch,
                )
        if levels.contour:
            sheet.path(
                polyline(line),
                fill="none",
                stroke=levels.contour,
                stroke_width=levels.contour_width * pitch,
                stroke_linejoin="bevel",
            )


def contours(ground: Ground) -> list[list[Point]]:
    """Return the lines between the levels, the lowest first, without the edge of the map."""
    edge = _edge_of_map(ground) if ground.levels else frozenset()
    return [line for _, region in ground.levels for line in _inner_lines(region, edge)]


def _edge_of_map(ground: Ground) -> frozenset[tuple[int, int]]:
    """The corners and middles of the outermost hexsides, to the pixel."""
    sides = [side for ring in ground.land.rings for side in pairwise(ring)]
    return frozenset(
        _rough(point) for one, other in sides for point in (one, other, _between(one, other))
    )


def _inner_lines(region: Region, edge: frozenset[tuple[int, int]]) -> Iterator[list[Point]]:
    """Yield the edges of a region without what lies on the edge of the map."""
    for ring in region.rings:
        line: list[Point] = []
        for point in ring:
            line.append(point)
            if _rough(point) in edge:
                if len(line) > 2:
                    yield line
                line = [point]
        if len(line) > 2:
            yield line


def _draw_shade(sheet: Sheet, line: Sequence[Point], levels: Levels, pitch: float) -> None:
    """Shade falls on the low side of an edge that faces away from the light."""
    width = levels.relief_width * pitch
    for lit, run in _by_light(line):
        colour = levels.light if lit else levels.shade
        if colour is None:
            continue
        off = (0.25 if lit else 0.4) * width
        smooth = LineString(run).simplify(0.012 * pitch).coords if len(run) > 4 else run
        moved = polyline([(x + off, y + off) for x, y in smooth])
        sheet.path(
            moved,
            fill="none",
            stroke=colour,
            stroke_width=width * 0.75,
            stroke_opacity=levels.relief_opacity * 1.6,
            # Round joins would be lovely and cost as much as everything else together.
            stroke_linejoin="bevel",
        )


def _by_light(ring: Sequence[Point]) -> Iterator[tuple[bool, list[Point]]]:
    """Cut a ring into the runs that face the light and those in shade; flanks are neither."""
    run: list[Point] = []
    now: bool | None = None
    for (x0, y0), (x1, y1) in pairwise(ring):
        length = math.hypot(x1 - x0, y1 - y0)
        if length == 0:
            continue
        light = _lit((x1 - x0) / length, (y1 - y0) / length)
        face = True if light > 0.3 else False if light < -0.3 else None
        if face != now:
            if now is not None and len(run) > 1:
                yield now, run
            run, now = [(x0, y0)], face
        run.append((x1, y1))
    if now is not None and len(run) > 1:
        yield now, run


def _lit(dx: float, dy: float) -> float:
    """How squarely the slope beside a contour running (dx, dy) faces the light, -1 to 1.

    The high ground lies on the left of a ring; the slope faces away from it.
    """
    return (dy - dx) / math.sqrt(2)


def _hachures(line: Sequence[Point], levels: Levels, pitch: float) -> Iterator[str]:
    """Strokes down the slope from a contour, closer set in the shade."""
    spots = np.array(walk(line, levels.hachure_spacing * pitch)).reshape(-1, 4)
    x, y, dx, dy = spots.T
    light = np.maximum((dy - dx) / math.sqrt(2), 0.0)
    chance = noises((x * 8).astype(np.int64), (y * 8).astype(np.int64), salt=3)
    length = levels.hachure_length * pitch * (0.55 + 0.45 * chance - 0.3 * light)
    ends = np.column_stack((x, y, -dy * length, dx * length))[chance >= 0.55 * light]
    strokes = [f"M{a:.1f} {b:.1f}l{c:.1f} {d:.1f}" for a, b, c, d in ends.tolist()]
    for start in range(0, len(strokes), 150):
        yield "".join(strokes[start : start + 150])


def _rough(point: Point) -> tuple[int, int]:
    return round(point[0]), round(point[1])


def _between(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
