"""Small drawings strewn over terrain: trees, tufts, rocks, vines, waves.

A glyph is a path in relative commands that begins at its foot; one unit is its size. So all
marks of one size share one tail of text, and thousands of them cost little.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.drawing.frame import Frame, Numbers, noises
from mapkit.drawing.style import Marks
from mapkit.drawing.svg import Sheet
from mapkit.grid import Point

_TILE = 6.0  # hexes: a path of marks that lie close together is rasterised much faster
_SIZES = (0.82, 1.0, 1.16)
_NUMBER = re.compile(r"-?\d*\.?\d+")


@dataclass(frozen=True)
class GlyphPath:
    """What is filled, what is only a line, and what catches the light (or lies in shade)."""

    body: str = ""
    lines: str = ""
    light: str = ""
    middle: float = 0.0  # how far above its foot the body has its centre


_ROUND = "@0 -.34 .42"  # a circle: its centre and radius
_DOT = "@0 0 .5"

GLYPHS: dict[str, GlyphPath] = {
    "block": GlyphPath("m-.42 -.3h.84v.6h-.84z"),
    "conifer": GlyphPath("m0 -.8l-.32 .86h.64z", light="m0 -.8l-.32 .86h.26z", middle=0.28),
    "crag": GlyphPath(lines="m-.4 -.3l.08 .5m.18 -.62l.04 .66m.26 -.58l-.02 .5m.24 -.36l-.08 .3"),
    "dash": GlyphPath(lines="m-.5 0h1"),
    "dot": GlyphPath(_DOT),
    "furrow": GlyphPath(lines="m-.5 .06c.3 -.12 .7 -.12 1 0"),
    "hillock": GlyphPath(lines="m-.5 0c.12 -.42 .84 -.5 1 .04m-.3 -.2l.06 .18m-.22 -.26l.04 .2"),
    "mound": GlyphPath("m-.5 .1c.12 -.56 .84 -.64 1 .04c-.3 .1 -.7 .1 -1 -.04z"),
    "peak": GlyphPath(
        "m-.5 .3l.18 -.3l.1 .05l.26 -.52l.14 .22l.06 -.04l.28 .6c-.3 .08 -.7 .08 -1.02 -.01z",
        lines="m-.5 .3l.18 -.3l.1 .05l.26 -.52l.14 .22l.06 -.04l.28 .6",
        light="m.04 -.47l.14 .22l.06 -.04l.28 .6l-.3 .04l-.1 -.3l.02 -.2z",
    ),
    "reed": GlyphPath(lines="m-.5 0h1m-.5 0v-.5m-.2 .5l-.12 -.36m.52 .36l.12 -.36"),
    "rock": GlyphPath(
        "m-.46 .14l.12 -.36l.3 -.16l.32 .14l.2 .38z", light="m-.34 -.22l.3 -.16l.06 .3l-.22 .14z"
    ),
    "tree": GlyphPath(
        _ROUND, light="m-.3 -.4c.02 -.18 .2 -.28 .34 -.24c-.06 .1 -.2 .2 -.34 .24z", middle=0.34
    ),
    "tuft": GlyphPath(lines="m-.36 -.34l.2 .34m.14 -.5v.5m.38 -.34l-.2 .34"),
    "vine": GlyphPath(lines="m0 .4v-.8m0 .06c-.3 .06 -.3 .34 0 .36m0 -.22c.3 .04 .3 .3 0 .34"),
    "wave": GlyphPath(lines="m-.5 0c.14 -.18 .3 -.18 .5 0c.2 .18 .36 .18 .5 0"),
}


@dataclass(frozen=True)
class Clearings:
    """Where no mark may stand: near lines, on symbols, under hex numbers.

    Of *contours* they only keep so far that the line shows between them: who stands in a wood
    must see how high.
    """

    lines: tuple[BaseGeometry, ...] = ()
    contours: tuple[BaseGeometry, ...] = ()
    discs: tuple[tuple[float, float, float], ...] = ()  # x, y, radius
    number_y: float | None = None  # from the centre of a hex, in pitches

    def keep(self, frame: Frame, x: Numbers, y: Numbers, reach: float) -> Numbers:
        """Return which of the points stay, as an array of truths."""
        stays = np.ones(len(x), dtype=bool)
        if self.number_y is not None:
            q, r = frame.hexes_at(x, y)
            (a, b, c), (d, e, f), _ = frame.grid.homography
            dx, dy = x - (a * q + b * r + c), y - (d * q + e * r + f) - self.number_y * frame.pitch
            stays &= (abs(dx) > 0.25 * frame.pitch + reach * 0.4) | (
                abs(dy - reach * 0.3) > 0.08 * frame.pitch + reach * 0.45
            )
        points = shapely.points(x, y)
        # A mark is drawn from its foot up: its body hides a contour that lies above its point.
        bodies = shapely.points(x, y - reach * 0.3)
        for lines, middles, gap in (
            (self.lines, points, 0.07),
            (self.contours, bodies, 0.015),
        ):
            if lines and len(x):
                near = shapely.STRtree(lines).query(
                    middles, predicate="dwithin", distance=gap * frame.pitch + reach * 0.4
                )
                stays[near[0]] = False
        if self.discs and len(x):
            centres = np.array(self.discs)
            tree = shapely.STRtree(shapely.points(centres[:, 0], centres[:, 1]))
            reaches = centres[:, 2]
            found = tree.query(points, predicate="dwithin", distance=float(reaches.max()) + reach)
            off = np.hypot(x[found[0]] - centres[found[1], 0], y[found[0]] - centres[found[1], 1])
            stays[found[0][off < reaches[found[1]] + reach * 0.4]] = False
        result: Numbers = stays
        return result


def strewn(
    frame: Frame, area: BaseGeometry, marks: Marks, clearings: Clearings, salt: int
) -> list[Point]:
    """Return where the marks stand: on one lattice for the whole sheet, each a little off it."""
    if area.is_empty:
        return []
    step_x = marks.spacing * frame.pitch
    step_y = step_x * 0.866
    left, top, right, bottom = area.bounds
    across, down = np.meshgrid(
        np.arange(int(left / step_x) - 1, int(right / step_x) + 2),
        np.arange(int(top / step_y) - 1, int(bottom / step_y) + 2),
    )
    i, j = across.ravel().astype(np.int64), down.ravel().astype(np.int64)
    x = (i + 0.5 * (j % 2) + (noises(i, j, salt) - 0.5) * marks.jitter) * step_x
    y = (j + (noises(i, j, salt + 1) - 0.5) * marks.jitter) * step_y
    stays = noises(i, j, salt + 2) < marks.share
    x, y = x[stays], y[stays]
    shapely.prepare(area)
    inside = shapely.contains_xy(area, x, y)
    x, y = x[inside], y[inside]
    stays = clearings.keep(frame, x, y, marks.size * frame.pitch).astype(bool)
    order = np.lexsort((x[stays], y[stays]))
    return list(zip(x[stays][order].tolist(), y[stays][order].tolist(), strict=True))


def draw_marks(sheet: Sheet, frame: Frame, marks: Marks, points: Sequence[Point]) -> None:
    """Draw one glyph at every point: outlines first, then bodies, then light."""
    tiles: dict[tuple[int, int], list[Point]] = defaultdict(list)
    size = _TILE * frame.pitch
    for x, y in points:
        tiles[int(y // size), int(x // size)].append((x, y))
    for _, group in sorted(tiles.items()):
        draw_group(sheet, marks, group, frame.pitch)


def draw_group(sheet: Sheet, marks: Marks, points: Sequence[Point], pitch: float) -> None:
    """Draw the marks of one tile."""
    glyph = GLYPHS[marks.glyph]
    size, width = marks.size * pitch, marks.width * pitch
    if glyph.body:
        if marks.line:
            # A bigger body below is an outline for a tenth of what a stroke costs.
            more = 2.3 * width
            low = [(x, y + glyph.middle * more) for x, y in points]
            sheet.path(_repeated(glyph.body, low, size + more, points), fill=marks.line)
        sheet.path(_repeated(glyph.body, points, size, points), fill=marks.colour)
    if glyph.lines:
        stroke = (marks.line or marks.colour) if glyph.body else marks.colour
        sheet.path(
            _repeated(glyph.lines, points, size, points),
            fill="none",
            stroke=stroke,
            stroke_width=width,
            stroke_linecap="round",
            stroke_linejoin="round",
        )
    if glyph.light and marks.light:
        sheet.path(_repeated(glyph.light, points, size, points), fill=marks.light)


def _repeated(glyph: str, points: Sequence[Point], size: float, chosen_by: Sequence[Point]) -> str:
    """The glyph at every point; which of three sizes it takes depends on *chosen_by*."""
    tails = [_scaled(glyph, round(size * factor, 2)) for factor in _SIZES]
    return "".join(
        [
            f"M{x:.1f} {y:.1f}{tails[int(a * 7 + b * 3) % 3]}"
            for (x, y), (a, b) in zip(points, chosen_by, strict=True)
        ]
    )


@cache
def _scaled(glyph: str, size: float) -> str:
    numbers = [float(text) * size for text in _NUMBER.findall(glyph)]
    if glyph.startswith("@"):
        x, y, r = numbers
        arc = f"a{r:.1f} {r:.1f} 0 1 0"
        return f"m{x - r:.1f} {y:.1f}{arc} {2 * r:.1f} 0{arc} {-2 * r:.1f} 0z"
    scaled = iter(numbers)
    return _NUMBER.sub(lambda _: f" {next(scaled):.1f}", glyph)
