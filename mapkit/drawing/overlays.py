"""What a ruling draws over the map: hexes, lines, paths with costs, profiles, text.

Each overlay is a small frozen value, so that a ruling can carry it anywhere; `draw_overlays`
puts it on a drawing of the same map.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal

from mapkit.drawing.fonts import text_attributes, text_width, written
from mapkit.drawing.frame import Frame
from mapkit.drawing.lines import stroke
from mapkit.drawing.style import Letters, Style
from mapkit.drawing.svg import Sheet, circle, polygon, polyline
from mapkit.grid import Point, axial_point
from mapkit.hexes import Hex, Place, Vertex

# Panels *below* stand under the map and hide nothing of it; the sheet grows for them.
CornerOfMap = Literal["top-left", "top-right", "bottom-left", "bottom-right", "below"]


@dataclass(frozen=True, slots=True)
class HexOverlay:
    """Hexes laid under a colour, and outlined; *label* is written in each."""

    hexes: tuple[Hex, ...]
    colour: str = "#d7263d"
    opacity: float = 0.35
    label: str = ""


@dataclass(frozen=True, slots=True)
class LineOverlay:
    """A straight line from place to place: a line of sight."""

    start: Place
    end: Place
    colour: str = "#d7263d"
    dashed: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True)
class PathOverlay:
    """A way from hex to hex, with what is written at each step: the running cost."""

    hexes: tuple[Hex, ...]
    costs: tuple[str, ...] = ()
    colour: str = "#1b6ec2"


@dataclass(frozen=True, slots=True)
class ProfilePoint:
    """A point of the ground under a line: how far along (0 to 1), how high, what it is."""

    along: float
    height: float
    label: str = ""
    blocks: bool = False


@dataclass(frozen=True, slots=True)
class ProfileOverlay:
    """The ground along a line of sight, in a panel; *sight* is the line's height at its ends."""

    points: tuple[ProfilePoint, ...]
    sight: tuple[float, float] | None = None
    title: str = ""
    corner: CornerOfMap = "bottom-right"


@dataclass(frozen=True, slots=True)
class TextOverlay:
    """Lines of text in a box."""

    lines: tuple[str, ...]
    corner: CornerOfMap = "top-left"


Overlay = HexOverlay | LineOverlay | PathOverlay | ProfileOverlay | TextOverlay

_INK, _PAPER, _CLEAR, _BLOCKED = "#1d1c1a", "#fffdf6", "#2e7d32", "#d7263d"
_EARTH, _EDGE = "#c9b48d", "#6d5836"
_GAP = 0.3  # hexes between panels
_TEXT = 0.26  # hexes that a line of a text panel is high
_EYE = 0.13  # hexes that the line of sight is drawn above the ground, or level ones would hide it
_MOST_MARKS = 5  # levels named beside a profile


def panels_below(
    style: Style, overlays: Sequence[Overlay], land_px: float, pitch: float
) -> tuple[float, float]:
    """Return how wide and high the panels under a map are that is *land_px* wide; 0 for none.

    They stand side by side where the land is as wide as they are, else one below the other.
    """
    sizes = [_panel_size(style, one, pitch) for one in overlays if _is_below(one)]
    if not sizes:
        return 0.0, 0.0
    gap = _GAP * pitch
    row = sum(width for width, _ in sizes) + gap * (len(sizes) - 1)
    if row <= land_px:
        return row, max(height for _, height in sizes) + 2 * gap
    return max(width for width, _ in sizes), sum(height + gap for _, height in sizes) + gap


def draw_overlays(sheet: Sheet, frame: Frame, style: Style, overlays: Sequence[Overlay]) -> None:
    """Draw overlays in their order; panels that share a corner stand below each other."""
    used: dict[CornerOfMap, float] = {}
    foot = _places_below(frame, style, overlays)
    for overlay in overlays:
        match overlay:
            case HexOverlay():
                _draw_hexes(sheet, frame, style, overlay)
            case LineOverlay():
                _draw_line(sheet, frame, style, overlay)
            case PathOverlay():
                _draw_path(sheet, frame, style, overlay)
            case ProfileOverlay() | TextOverlay():
                size = _panel_size(style, overlay, frame.pitch)
                place = next(foot) if _is_below(overlay) else _corner(frame, overlay, size, used)
                if isinstance(overlay, ProfileOverlay):
                    _draw_profile(sheet, frame, style, overlay, place, size)
                else:
                    _draw_text(sheet, frame, style, overlay, place, size)


def place_point(frame: Frame, place: Place) -> Point:
    """Return where a hex, hexside, link or vertex lies on the drawing."""
    if isinstance(place, Hex):
        return frame.grid.centre(place)
    if isinstance(place, Vertex):
        return frame.grid.to_pixel(*axial_point(place))
    return frame.middle(place)


def _letters(style: Style, *, bold: bool = False) -> Letters:
    return style.letters["text"].model_copy(
        update={"bold": bold, "colour": _INK, "halo": _PAPER, "halo_width": 0.05}
    )


def _draw_hexes(sheet: Sheet, frame: Frame, style: Style, overlay: HexOverlay) -> None:
    pitch = frame.pitch
    for hex_ in overlay.hexes:
        x, y = frame.grid.centre(hex_)
        inner = [(x + (px - x) * 0.94, y + (py - y) * 0.94) for px, py in frame.polygon(hex_)]
        sheet.path(
            polygon(inner),
            fill=overlay.colour,
            fill_opacity=overlay.opacity,
            stroke=overlay.colour,
            stroke_width=0.05 * pitch,
            stroke_linejoin="round",
        )
        if overlay.label:
            size = 0.28 * pitch
            words = written(overlay.label, _letters(style))
            attributes = text_attributes(_letters(style, bold=True), size)
            sheet.text(words, x, y + 0.42 * pitch, **attributes)


def _draw_line(sheet: Sheet, frame: Frame, style: Style, overlay: LineOverlay) -> None:
    pitch = frame.pitch
    start, end = place_point(frame, overlay.start), place_point(frame, overlay.end)
    line = polyline([start, end])
    sheet.path(line, stroke_opacity=0.85, **stroke(_PAPER, 0.12, pitch))
    dash = (0.18, 0.12) if overlay.dashed else ()
    sheet.path(line, **stroke(overlay.colour, 0.06, pitch, dash))
    for x, y in (start, end):
        sheet.path(circle(x, y, 0.1 * pitch), fill=overlay.colour, stroke=_PAPER, stroke_width=2)
    if overlay.label:
        size = 0.28 * pitch
        x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        words = written(overlay.label, _letters(style))
        attributes = text_attributes(_letters(style, bold=True), size)
        sheet.text(words, x, y - 0.14 * pitch, **attributes)


def _draw_path(sheet: Sheet, frame: Frame, style: Style, overlay: PathOverlay) -> None:
    pitch = frame.pitch
    points = [frame.grid.centre(hex_) for hex_ in overlay.hexes]
    if len(points) > 1:
        line = polyline(points)
        sheet.path(line, stroke_opacity=0.85, **stroke(_PAPER, 0.17, pitch))
        sheet.path(line, **stroke(overlay.colour, 0.09, pitch))
        for (x0, y0), (x1, y1) in pairwise(points):
            sheet.path(_arrow((x0, y0), (x1, y1), pitch), fill=overlay.colour)
    letters = _letters(style, bold=True).model_copy(update={"halo": None})
    size = 0.24 * pitch
    for (x, y), cost in zip(points, overlay.costs, strict=False):
        words = written(cost, letters)
        half = max(text_width(words, letters, size) / 2 + 0.07 * pitch, 0.17 * pitch)
        sheet.add(
            "rect",
            x=x - half,
            y=y - 0.17 * pitch,
            width=2 * half,
            height=0.34 * pitch,
            rx=0.17 * pitch,
            fill=_PAPER,
            stroke=overlay.colour,
            stroke_width=0.03 * pitch,
        )
        sheet.text(words, x, y + size * 0.35, **text_attributes(letters, size))


def _arrow(start: Point, end: Point, pitch: float) -> str:
    """An arrowhead in the middle of a step."""
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    size = 0.14 * pitch
    corners = [(angle, size), (angle + 2.4, size), (angle - 2.4, size)]
    return polygon([(x + math.cos(a) * r, y + math.sin(a) * r) for a, r in corners])


def _is_below(overlay: Overlay) -> bool:
    return isinstance(overlay, ProfileOverlay | TextOverlay) and overlay.corner == "below"


def _panel_size(style: Style, overlay: Overlay, pitch: float) -> tuple[float, float]:
    if not isinstance(overlay, TextOverlay):
        return 7.0 * pitch, 2.9 * pitch
    letters, size = _letters(style), _TEXT * pitch
    widths = [text_width(written(line, letters), letters, size) for line in overlay.lines]
    return max(widths, default=0) + 0.5 * pitch, len(widths) * size * 1.35 + 0.35 * pitch


def _places_below(frame: Frame, style: Style, overlays: Sequence[Overlay]) -> Iterator[Point]:
    """Where the panels under the map stand, in their order."""
    left, _, right, bottom = frame.land
    gap = _GAP * frame.pitch
    width, _ = panels_below(style, overlays, right - left, frame.pitch)
    sizes = [_panel_size(style, one, frame.pitch) for one in overlays if _is_below(one)]
    in_a_row = sum(size[0] for size in sizes) + gap * (len(sizes) - 1) <= right - left
    x, y = left - max(width - (right - left), 0.0) / 2, bottom + gap
    for size in sizes:
        yield x, y
        x, y = (x + size[0] + gap, y) if in_a_row else (x, y + size[1] + gap)


def _corner(
    frame: Frame,
    overlay: ProfileOverlay | TextOverlay,
    size: tuple[float, float],
    used: dict[CornerOfMap, float],
) -> Point:
    """Find the panel's top-left corner, beyond what stands in that corner already."""
    left, top, right, bottom = frame.land
    gap = _GAP * frame.pitch
    offset = used.get(overlay.corner, gap)
    used[overlay.corner] = offset + size[1] + gap
    x = left + gap if overlay.corner.endswith("left") else right - gap - size[0]
    y = top + offset if overlay.corner.startswith("top") else bottom - offset - size[1]
    return x, y


def _panel(sheet: Sheet, place: Point, size: tuple[float, float], pitch: float) -> None:
    sheet.add(
        "rect",
        x=place[0],
        y=place[1],
        width=size[0],
        height=size[1],
        rx=0.12 * pitch,
        fill=_PAPER,
        fill_opacity=0.94,
        stroke=_INK,
        stroke_width=0.025 * pitch,
    )


def _draw_profile(
    sheet: Sheet,
    frame: Frame,
    style: Style,
    overlay: ProfileOverlay,
    place: Point,
    size: tuple[float, float],
) -> None:
    """The ground from left to right, the line of sight over it, what blocks in red."""
    pitch = frame.pitch
    _panel(sheet, place, size, pitch)
    letters = _letters(style).model_copy(update={"halo": None})
    text_px = 0.22 * pitch
    words = written(overlay.title, letters)
    attributes = text_attributes(letters.model_copy(update={"bold": True}), text_px, anchor="start")
    sheet.text(words, place[0] + 0.2 * pitch, place[1] + 0.36 * pitch, **attributes)
    if not overlay.points:
        return
    # A level more below, so that the lowest ground is ground too, and level ground no mere line.
    heights = [point.height for point in overlay.points] + list(overlay.sight or ())
    low, high = min(heights) - 1, max(heights)
    x0, width = place[0] + 0.75 * pitch, size[0] - 1.1 * pitch
    base, tall = place[1] + size[1] - 0.5 * pitch, size[1] - 1.3 * pitch
    tall = min(tall, (high - low) * tall / 2)  # one level alone does not fill the panel

    def at(along: float, height: float) -> Point:
        return x0 + along * width, base - (height - low) / (high - low) * tall

    ground = [at(point.along, point.height) for point in overlay.points]
    below = [(ground[0][0], base), *ground, (ground[-1][0], base)]
    sheet.path(polygon(below), fill=_EARTH, stroke=_EDGE, stroke_width=0.025 * pitch)
    for start, end in _stretches(overlay.points):
        peak = min(y for _, y in (*ground, at(0.0, max(overlay.sight or (high,)))))
        top = peak - 2 * _EYE * pitch  # up through the line, though it be no higher than the ends
        column = [(ground[start][0], base), (ground[start][0], top)]
        column += [(ground[end][0], top), (ground[end][0], base)]
        sheet.path(polygon(column), fill=_BLOCKED, fill_opacity=0.3)
    _draw_marks(sheet, letters, overlay, (x0 - 0.15 * pitch, at), pitch)
    if overlay.sight is not None:
        blocked = any(point.blocks for point in overlay.points)
        colour = _BLOCKED if blocked else _CLEAR
        ends = [at(0.0, overlay.sight[0]), at(1.0, overlay.sight[1])]
        line = [(x, y - _EYE * pitch) for x, y in ends]
        sheet.path(polyline(line), **stroke(colour, 0.05, pitch))
        for x, y in line:
            sheet.path(circle(x, y, 0.08 * pitch), fill=colour)
    for point, (x, _) in zip(overlay.points, ground, strict=True):
        if point.label:
            attributes = text_attributes(letters, text_px * 0.85)
            sheet.text(written(point.label, letters), x, base + 0.26 * pitch, **attributes)


def _draw_marks(
    sheet: Sheet,
    letters: Letters,
    overlay: ProfileOverlay,
    axis: tuple[float, Callable[[float, float], Point]],
    pitch: float,
) -> None:
    """The heights beside the ground: all of them, or the lowest and the highest of many."""
    x, at = axis
    heights = sorted({point.height for point in overlay.points})
    shown = heights if len(heights) <= _MOST_MARKS else [heights[0], heights[-1]]
    for height in shown:
        _, y = at(0.0, height)
        attributes = text_attributes(letters, 0.2 * pitch, anchor="end")
        sheet.text(written(f"{height:g}", letters), x, y + 0.07 * pitch, **attributes)


def _stretches(points: Sequence[ProfilePoint]) -> Iterator[tuple[int, int]]:
    """The first and the last point of each stretch of ground that blocks."""
    for blocks, group in groupby(range(len(points)), key=lambda index: points[index].blocks):
        stretch = list(group)
        if blocks:
            yield stretch[0], stretch[-1]


def _draw_text(
    sheet: Sheet,
    frame: Frame,
    style: Style,
    overlay: TextOverlay,
    place: Point,
    box: tuple[float, float],
) -> None:
    pitch = frame.pitch
    letters = _letters(style).model_copy(update={"halo": None})
    size = _TEXT * pitch
    _panel(sheet, place, box, pitch)
    for index, line in enumerate(overlay.lines):
        baseline = place[1] + 0.12 * pitch + size * (1.0 + 1.35 * index)
        attributes = text_attributes(letters, size, anchor="start")
        sheet.text(written(line, letters), place[0] + 0.25 * pitch, baseline, **attributes)
