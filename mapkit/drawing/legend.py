"""The legend: a sample of every kind that the map uses, with its title."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from shapely.geometry import Point as ShapelyPoint
from shapely.geometry import Polygon

from mapkit.drawing.areas import edge_strokes
from mapkit.drawing.chains import Curve
from mapkit.drawing.fonts import text_attributes, text_width, written
from mapkit.drawing.frame import noise
from mapkit.drawing.hatching import draw_hatching
from mapkit.drawing.lines import draw_curves, stroke
from mapkit.drawing.marks import GLYPHS, draw_group
from mapkit.drawing.style import (
    AreaLook,
    Letters,
    LineLook,
    Looks,
    Marks,
    TerrainLook,
    level_tint,
    mixed,
)
from mapkit.drawing.svg import Sheet, Value, polygon, polyline, rectangle
from mapkit.drawing.symbols import draw_symbol
from mapkit.drawing.terrain import level_range
from mapkit.drawing.words import printed
from mapkit.drawing.works import draw_crossing, draw_pattern
from mapkit.grid import Grid, Point
from mapkit.hexes import Hex
from mapkit.kinds import CROSSINGS, UNKNOWN, Group
from mapkit.model import HexMap
from mapkit.texts import Language

ROW = 0.78  # heights and widths in pitches
SWATCH = 0.95
GAP = 0.45
_HEIGHT = 0.6
_TINTS_HEIGHT = 0.44

LegendGroup = Group | Literal["levels"]
Rect = tuple[float, float, float, float]  # x, y, width, height in pixels of the drawing


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One sample of the legend: what it stands for, its words, and where it lies.

    Levels have an entry each, in the group `levels`: their kind is the level.
    """

    group: LegendGroup
    kind: str
    title: str
    rect: Rect


@dataclass(frozen=True)
class Row:
    """One line of the legend as planned; the tints of all levels stand in one."""

    group: LegendGroup
    kind: str
    title: str


@dataclass(frozen=True)
class Plan:
    """How the legend fills its space: so many columns, each so wide, so many rows."""

    entries: tuple[Row, ...]
    columns: int
    column_px: float
    rows: int
    height_px: float


def plan_legend(
    map_: HexMap, looks: Looks, width_px: float, pitch: float, language: Language
) -> Plan:
    """Lay the kinds in use out in columns."""
    entries = tuple(_rows(map_, looks, language))
    letters = looks.style.letters["text"]
    size = letters.size * pitch
    widest = max((text_width(entry.title, letters, size) for entry in entries), default=0.0)
    column = min((SWATCH + 0.2 + GAP) * pitch + widest, max(width_px, 1.0))
    columns = max(int(width_px / column), 1)
    rows = -(-len(entries) // columns)
    columns = max(-(-len(entries) // rows), 1) if rows else 1
    return Plan(entries, columns, width_px / columns, rows, rows * ROW * pitch)


def draw_legend(
    sheet: Sheet,
    map_: HexMap,
    looks: Looks,
    plan: Plan,
    place: Point,
    pitch: float,
    *,
    map_pitch: float,
) -> tuple[LegendEntry, ...]:
    """Draw the legend with its top-left corner at *place*; return where its samples lie.

    Hatching and marks are as big as on the map, whose pitch is *map_pitch*.
    """
    letters = looks.style.letters["text"]
    size = letters.size * pitch
    left, top = place
    drawn: list[LegendEntry] = []
    for index, entry in enumerate(plan.entries):
        column, row = divmod(index, plan.rows)
        x = left + column * plan.column_px + SWATCH * pitch / 2
        y = top + (row + 0.5) * ROW * pitch
        if entry.group == "terrain":
            look = looks.terrain(entry.kind)
            _draw_hex(sheet, map_, looks, look, (x, y), pitch, map_pitch=map_pitch)
        else:
            _draw_swatch(sheet, map_, looks, entry, (x, y), pitch)
        attributes = text_attributes(letters, size, anchor="start")
        text_x = x + (SWATCH / 2 + 0.2) * pitch
        room = plan.column_px - (SWATCH + 0.25) * pitch
        sheet.text(
            _shortened(entry.title, letters, size, room), text_x, y + size * 0.34, **attributes
        )
        drawn += _samples(map_, entry, (x, y), pitch)
    return tuple(drawn)


def _samples(map_: HexMap, entry: Row, place: Point, pitch: float) -> Iterator[LegendEntry]:
    """Yield the samples of one line of the legend, centred on *place*."""
    left, y = place[0] - SWATCH * pitch / 2, place[1]
    heights = level_range(map_)
    if entry.group != "levels":
        rect = _rounded(left, y - _HEIGHT * pitch / 2, SWATCH * pitch, _HEIGHT * pitch)
        yield LegendEntry(entry.group, entry.kind, entry.title, rect)
    elif heights:
        step, high = SWATCH * pitch / (heights[1] - heights[0] + 1), _TINTS_HEIGHT * pitch
        for index, level in enumerate(range(heights[0], heights[1] + 1)):
            rect = _rounded(left + index * step, y - high / 2, step, high)
            yield LegendEntry("levels", str(level), entry.title, rect)


def _rounded(x: float, y: float, width: float, height: float) -> Rect:
    return round(x, 2), round(y, 2), round(width, 2), round(height, 2)


def _shortened(title: str, letters: Letters, size: float, room: float) -> str:
    while len(title) > 4 and text_width(title, letters, size) > room:
        title = title[:-2].rstrip() + "…"
    return title


def _rows(map_: HexMap, looks: Looks, language: Language) -> Iterator[Row]:
    terrain = {ground.terrain for ground in map_.hexes.values()} - {UNKNOWN}
    features = {f.kind for ground in map_.hexes.values() for f in ground.features}
    sides = {f.kind for features in map_.hexsides.values() for f in features}
    links = {f.kind for features in map_.links.values() for f in features}
    used: list[tuple[Group, set[str]]] = [
        ("terrain", terrain),
        ("features", features),
        ("hexsides", sides),
        ("links", links),
        ("areas", {area.kind for area in map_.areas if area.hexes or area.hexsides}),
    ]
    letters = looks.style.letters["text"]
    heights = level_range(map_)
    if heights:
        words = printed("mapkit.drawing.levels", language, low=heights[0], high=heights[1])
        yield Row("levels", "levels", written(words, letters))
    for group, kinds in used:
        declared = [kind.id for kind in map_.kinds.group(group)]
        for kind in [*(k for k in declared if k in kinds), *sorted(kinds - set(declared))]:
            title = looks.kind(group, kind).title or kind.replace("_", " ").capitalize()
            yield Row(group, kind, written(title, letters))


def _draw_swatch(
    sheet: Sheet, map_: HexMap, looks: Looks, entry: Row, place: Point, pitch: float
) -> None:
    x, y = place
    if entry.group == "levels":
        _draw_tints(sheet, map_, looks, place, pitch)
    elif entry.group == "features":
        look = looks.feature(entry.kind)
        look = look.model_copy(update={"size": min(look.size, 0.6)})
        draw_symbol(sheet, look, place, pitch, style=looks.style)
    elif entry.group == "areas":
        _draw_edge(sheet, looks.area(entry.kind), place, pitch)
    else:
        is_side = entry.group == "hexsides"
        look_ = looks.hexside(entry.kind) if is_side else looks.link(entry.kind)
        role = looks.role(entry.group, entry.kind)
        if role in CROSSINGS:
            water = looks.style.hexsides["river"]
            flow = [(x, y - 0.27 * pitch), (x, y + 0.27 * pitch)]
            _draw_line(sheet, water, flow, pitch)
            draw_crossing(sheet, look_, place, (0.0, 1.0), pitch=pitch, water=water.width)
        else:
            _draw_line(sheet, look_, _bow(place, pitch, look_.width), pitch)


def _draw_tints(sheet: Sheet, map_: HexMap, looks: Looks, place: Point, pitch: float) -> None:
    heights = level_range(map_)
    if heights is None:
        return
    lowest, highest = heights
    step = SWATCH * pitch / (highest - lowest + 1)
    x, y = place[0] - SWATCH * pitch / 2, place[1] - _TINTS_HEIGHT * pitch / 2
    for index, level in enumerate(range(lowest, highest + 1)):
        tint = level_tint(looks.style.levels, level, lowest, highest)
        sheet.path(rectangle(x + index * step, y, step, _TINTS_HEIGHT * pitch), fill=tint)
    outline: dict[str, Value] = {"stroke": looks.style.sheet.ink, "stroke_width": 0.012 * pitch}
    sheet.path(rectangle(x, y, SWATCH * pitch, _TINTS_HEIGHT * pitch), fill="none", **outline)


def _draw_hex(
    sheet: Sheet,
    map_: HexMap,
    looks: Looks,
    look: TerrainLook,
    place: Point,
    pitch: float,
    *,
    map_pitch: float,
) -> None:
    """A small hex of the terrain, as it lies on the lowest level."""
    heights = level_range(map_)
    fill = look.fill
    if heights:
        tint = level_tint(looks.style.levels, heights[0], *heights)
        fill = mixed(tint, look.fill, look.over_levels)
    small = Grid.regular(map_.grid.orientation, pitch_px=0.6 * pitch, first_px=place)
    corners = small.polygon(Hex(0, 0))
    sheet.path(polygon(corners), fill=fill)
    if look.hatch:
        draw_hatching(sheet, look.hatch, Polygon(corners), map_pitch)
    for index, marks in enumerate(look.marks):
        # A second kind of mark stands between the first.
        spots = _strewn(marks, corners, place, map_pitch, turned=index % 2 == 1)
        draw_group(sheet, marks, spots, map_pitch)
    outline: dict[str, Value] = {"stroke": looks.style.sheet.ink, "stroke_width": 0.014 * pitch}
    sheet.path(polygon(corners), fill="none", stroke_opacity=0.7, **outline)


def _strewn(
    marks: Marks, corners: Sequence[Point], place: Point, map_pitch: float, *, turned: bool
) -> list[Point]:
    """Return where marks stand in a sample: as close as on the map, whole, and in its middle."""
    size, step = marks.size * map_pitch, marks.spacing * map_pitch
    room = Polygon(corners).buffer(-0.55 * size)
    x, y = place
    shift = 0.5 * step if turned else 0.0
    spots = [
        (
            x + shift + (i + 0.5 * (j % 2) + 0.5 * (noise(i, j, 1) - 0.5) * marks.jitter) * step,
            y + shift + (j + 0.5 * (noise(i, j, 2) - 0.5) * marks.jitter) * 0.866 * step,
        )
        for j in range(-8, 9)
        for i in range(-8, 9)
    ]
    within = [spot for spot in spots if room.contains(ShapelyPoint(spot))] or [place]
    off_x = x - sum(spot[0] for spot in within) / len(within)
    off_y = y - sum(spot[1] for spot in within) / len(within)
    # A mark is drawn from its foot up.
    off_y += GLYPHS[marks.glyph].middle * size
    return [(spot_x + off_x, spot_y + off_y) for spot_x, spot_y in within]


def _draw_line(sheet: Sheet, look: LineLook, points: Iterable[Point], pitch: float) -> None:
    line = tuple(points)
    curve = Curve(polyline(line), line)
    if look.glow:
        glow = stroke(look.glow, look.glow_width, pitch)
        sheet.path(curve.path, stroke_opacity=look.glow_opacity, **glow)
    if look.casing and look.casing_width:
        sheet.path(curve.path, **stroke(look.casing, look.width + 2 * look.casing_width, pitch))
    if look.pattern in ("hachures", "crenels", "posts", "teeth"):
        draw_pattern(sheet, look, curve, pitch)
    else:
        draw_curves(sheet, [curve], look, pitch)


def _draw_edge(sheet: Sheet, look: AreaLook, place: Point, pitch: float) -> None:
    path = polyline(_bow(place, pitch, look.width))
    for attributes in edge_strokes(look, pitch):
        sheet.path(path, **attributes)


def _bow(place: Point, pitch: float, width: float) -> list[Point]:
    """Return a slightly bent line that fills a sample, its round ends included."""
    x, y = place
    half, bend = (SWATCH - width) * pitch / 2, 0.07 * pitch
    (x0, y0), (x1, y1), (x2, y2) = (x - half, y + bend), (x, y - bend), (x + half, y + bend)
    steps = [index / 8 for index in range(9)]
    return [
        (
            (1 - t) ** 2 * x0 + 2 * t * (1 - t) * x1 + t * t * x2,
            (1 - t) ** 2 * y0 + 2 * t * (1 - t) * y1 + t * t * y2,
        )
        for t in steps
    ]
