"""The picture of a drawn line: the outlines it meets or passes, coloured by the verdict."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from lxml import etree

from mapkit.depiction.answers import DepictedSight, Verdict
from mapkit.depiction.sight import Depiction
from mapkit.drawing import ALL_LAYERS, Drawing, TextOverlay, draw_map, load_style
from mapkit.drawing.lines import stroke
from mapkit.drawing.overlays import CornerOfMap
from mapkit.drawing.svg import NAMESPACE, Value, circle, number, polygons, polyline
from mapkit.grid import Point
from mapkit.model import HexMap
from mapkit.sheets import crop
from mapkit.texts import say

COLOURS: Mapping[Verdict, str] = {
    "clear": "#2e7d32",
    "blocked": "#d7263d",
    "too_close": "#c77700",
}
_PASSED, _PAPER = "#3c5a78", "#fffdf6"
_AROUND = 3  # hexes of land shown about the line


def draw_depicted_sight(
    depiction: Depiction, sight: DepictedSight, *, style: str, hex_px: float
) -> Drawing:
    """Return the land around a line with the outlines that decide, and the line on top.

    Green is clear, red blocked, orange too close to call. The stretches inside an outline are
    thick; a dashed line leads to the nearest outline passed.
    """
    map_ = depiction.map_
    drawing = draw_map(
        _land_around(map_, sight),
        load_style(style),
        layers=ALL_LAYERS - {"title", "legend", "scale", "compass"},
        overlays=[TextOverlay(tuple(_told(sight)), _free_corner(sight))],
        hex_px=hex_px,
    )
    root = etree.fromstring(drawing.svg.encode())
    group = etree.SubElement(root, f"{{{NAMESPACE}}}g", id="depiction")
    for words in root.iterfind(f"{{{NAMESPACE}}}g[@id='overlays']"):
        words.addprevious(group)
    for path, attributes in _strokes(depiction, sight, drawing, hex_px):
        element = etree.SubElement(group, f"{{{NAMESPACE}}}path", d=path)
        for name, value in attributes.items():
            if value is not None:
                said = value if isinstance(value, str) else number(value)
                element.set(name.replace("_", "-"), said)
    return replace(drawing, svg=etree.tostring(root, encoding="unicode"))


def _strokes(
    depiction: Depiction, sight: DepictedSight, drawing: Drawing, pitch: float
) -> Iterable[tuple[str, dict[str, Value]]]:
    """What is drawn, from below to above: a path and how it looks."""
    given = depiction.map_.grid

    def here(points: Iterable[Point]) -> list[Point]:
        return [drawing.grid.to_pixel(*given.from_pixel(x, y)) for x, y in points]

    colour = COLOURS[sight.verdict]
    met = {id(found.shape) for found in sight.met}
    marked = met | {id(found.shape) for found in sight.near}
    for outline in depiction.outlines:
        if id(outline.shape) in marked:
            rings = [
                here(depiction.canvas.to_pixel(x, y) for x, y in ring) for ring in outline.rings
            ]
            ink = colour if id(outline.shape) in met else _PASSED
            fill: dict[str, Value] = {"fill": ink, "fill_opacity": 0.18, "fill_rule": "evenodd"}
            yield polygons(rings), stroke(ink, 0.025, pitch) | fill
    line = polyline(here(sight.line_px))
    yield line, stroke(_PAPER, 0.1, pitch) | {"stroke_opacity": 0.85}
    yield line, stroke(colour, 0.035, pitch)
    for found in sight.met:
        for run in found.runs_px:
            yield polyline(here(run)), stroke(colour, 0.1, pitch, cap="butt")
    for passed in sight.near[: 0 if sight.met else 1]:
        yield polyline(here(passed.between_px)), stroke(colour, 0.04, pitch, (0.06, 0.06))
    for x, y in here(sight.line_px):
        yield circle(x, y, 0.1 * pitch), {"fill": colour, "stroke": _PAPER, "stroke_width": 2.0}


def _told(sight: DepictedSight) -> Iterable[str]:
    margin = sight.margin_px
    px = "" if margin is None else f"{margin:.1f}"
    if sight.verdict == "blocked":
        yield say("mapkit.depiction.blocked", px=px)
    elif sight.verdict == "clear" and margin is None:
        yield say("mapkit.depiction.clear_far")
    elif sight.verdict == "clear":
        yield say("mapkit.depiction.clear", px=px)
    elif sight.met:
        yield say("mapkit.depiction.close_inside", px=px)
    else:
        yield say("mapkit.depiction.close_outside", px=px)
    yield say("mapkit.depiction.uncertainty", px=f"{float(sight.uncertainty_px):g}")


def _land_around(map_: HexMap, sight: DepictedSight) -> HexMap:
    position = map_.numbering.position
    ends = [map_.grid.hex_at(*xy) for xy in sight.line_px]
    columns, rows = zip(*map(position, ends), strict=True)
    return crop(
        map_,
        {
            hex_
            for hex_ in map_.hexes
            for column, row in [position(hex_)]
            if min(columns) - _AROUND <= column <= max(columns) + _AROUND
            and min(rows) - _AROUND <= row <= max(rows) + _AROUND
        },
    )


def _free_corner(sight: DepictedSight) -> CornerOfMap:
    """A corner that the line does not run to."""
    (ax, ay), (bx, by) = sight.line_px
    return "top-right" if (bx - ax) * (by - ay) > 0 else "top-left"
