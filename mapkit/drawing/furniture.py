"""What stands around the map: border, title, legend strip, scale bar, compass."""

import math
from dataclasses import dataclass

from mapkit.drawing.fonts import text_attributes, text_width, written
from mapkit.drawing.frame import Frame
from mapkit.drawing.legend import LegendEntry, Plan, draw_legend, plan_legend
from mapkit.drawing.style import Letters, Looks
from mapkit.drawing.svg import Sheet, Value, polygon, rectangle
from mapkit.drawing.words import printed
from mapkit.grid import Point
from mapkit.model import HexMap
from mapkit.texts import Language

FURNITURE = frozenset({"title", "legend", "scale", "compass"})
_LINE = 1.35  # of the size of the letters
_INSTRUMENTS = 2.0  # pitches: the height of scale bar and compass


@dataclass(frozen=True)
class Foot:
    """The strip below the map: what goes where, in pixels from its own top-left corner."""

    height_px: float
    width_px: float
    title_px: float
    title_lines: tuple[str, ...]
    note_lines: tuple[str, ...]
    title_room: float
    legend: Plan | None
    legend_at: Point
    instruments_at: Point
    parts: frozenset[str]
    language: Language


def plan_foot(
    map_: HexMap,
    looks: Looks,
    width_px: float,
    pitch: float,
    parts: frozenset[str],
    language: Language,
) -> Foot:
    """Lay out the strip: title left, legend in the middle, scale and compass right.

    On a narrow map they stand one below the other.
    """
    pitch = foot_unit(width_px, pitch)
    pad = 0.5 * pitch
    has_legend = "legend" in parts
    wide = width_px > 20 * pitch
    right_px = 5.4 * pitch if parts & {"scale", "compass"} else 0.0
    title = looks.style.letters["title"]
    size = title.size * pitch * min(max(width_px / (24 * pitch), 0.55), 1.5)
    # A title takes what room the legend leaves it.
    room = width_px * 0.27 if wide and has_legend else width_px - right_px
    title_lines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    if "title" in parts and map_.title.strip():
        title_lines, size = _fitted(written(map_.title, title), title, size, room)
        text = looks.style.letters["text"]
        notes = tuple(
            line
            for note in map_.notes[:3]
            for line in _wrapped(written(note, text), text, text.size * pitch, room)[:3]
        )
    title_room = room if title_lines else 0.0
    note_px = looks.style.letters["text"].size * pitch * _LINE
    title_height = len(title_lines) * size * 1.12 + len(notes) * note_px
    top = max(title_height, _INSTRUMENTS * pitch if right_px else 0.0)
    legend: Plan | None = None
    legend_at, height = (0.0, 0.0), top
    if has_legend and wide:
        left = title_room + (pad if title_room else 0)
        legend = plan_legend(map_, looks, width_px - left - right_px - pad, pitch, language)
        legend_at, height = (left, 0.0), max(top, legend.height_px)
    elif has_legend:
        legend = plan_legend(map_, looks, width_px, pitch, language)
        gap = 0.2 * pitch if top and legend.entries else 0.0
        legend_at, height = (0.0, top + gap), top + gap + legend.height_px
    return Foot(
        height + (2 * pad if height else 0.0),
        width_px,
        size,
        title_lines,
        notes,
        title_room,
        legend,
        legend_at,
        (width_px - right_px, 0.0),
        parts,
        language,
    )


def foot_unit(width_px: float, pitch: float) -> float:
    """Return the pitch at which the strip is drawn: wide sheets are read from farther away."""
    return pitch * min(max(width_px / (42 * pitch), 1.0), 1.6)


def draw_border(sheet: Sheet, frame: Frame, looks: Looks) -> None:
    """Draw the rules around the sheet."""
    look = looks.style.sheet
    inset = 0.0
    for width, gap in zip(look.rules, look.rule_gaps, strict=False):
        inset += gap * frame.pitch
        half = width * frame.pitch / 2
        sheet.path(
            rectangle(
                inset + half,
                inset + half,
                frame.width_px - 2 * (inset + half),
                frame.height_px - 2 * (inset + half),
            ),
            fill="none",
            stroke=look.ink,
            stroke_width=width * frame.pitch,
        )
        inset += width * frame.pitch


def draw_foot(
    sheet: Sheet, frame: Frame, looks: Looks, foot: Foot, top: float
) -> tuple[LegendEntry, ...]:
    """Draw the strip with its upper edge at *top*; return the samples of its legend."""
    legend: tuple[LegendEntry, ...] = ()
    pitch, style = foot_unit(foot.width_px, frame.pitch), looks.style
    left = (frame.width_px - foot.width_px) / 2
    y = top + 0.5 * pitch
    if "title" in foot.parts:
        with sheet.group("title"):
            _draw_title(sheet, looks, foot, (left, y), pitch)
    if foot.legend is not None:
        with sheet.group("legend"):
            place = (left + foot.legend_at[0], y + foot.legend_at[1])
            legend = draw_legend(
                sheet, frame.map_, looks, foot.legend, place, pitch, map_pitch=frame.pitch
            )
    x, y = left + foot.instruments_at[0], y + foot.instruments_at[1]
    if "compass" in foot.parts:
        with sheet.group("compass"):
            place = (x + 4.6 * pitch, y + 1.05 * pitch)
            draw_compass(sheet, looks, place, pitch, frame.grid.north_deg, foot.language)
    if "scale" in foot.parts:
        with sheet.group("scale"):
            place = (x + 0.1 * pitch, y + 1.2 * pitch)
            draw_scale(
                sheet,
                looks,
                place,
                frame.pitch,
                frame.grid.hex_mm,
                unit=pitch,
                language=foot.language,
            )
    sheet.path(
        f"M{left:.1f} {top:.1f}H{left + foot.width_px:.1f}",
        stroke=style.sheet.ink,
        stroke_width=0.02 * pitch,
        fill="none",
    )
    return legend


def draw_compass(
    sheet: Sheet, looks: Looks, place: Point, pitch: float, north_deg: float, language: Language
) -> None:
    """Draw a star of eight points; its long dark one shows north."""
    look = looks.style.sheet
    x, y = place
    radius = 0.72 * pitch

    def at(angle_deg: float, length: float) -> Point:
        angle = math.radians(angle_deg + north_deg - 90)
        return x + math.cos(angle) * length, y + math.sin(angle) * length

    line: dict[str, Value] = {
        "stroke": look.ink,
        "stroke_width": 0.012 * pitch,
        "stroke_linejoin": "round",
    }
    sheet.add("circle", cx=x, cy=y, r=radius * 0.62, fill="none", **line)
    for start, length, waist in ((45, 0.6, 0.14), (0, 1.0, 0.16)):
        for quarter in range(4):
            angle = start + 90 * quarter
            tip = at(angle, radius * length)
            for side, fill in ((-45, look.paper), (45, look.ink)):
                flank = at(angle + side, radius * waist)
                sheet.path(polygon([(x, y), tip, flank]), fill=fill, **line)
    letters = looks.style.letters["town"].model_copy(update={"halo": None, "colour": look.ink})
    size = 0.36 * pitch
    nx, ny = at(0, radius + 0.24 * pitch)
    sheet.text(
        printed("mapkit.drawing.north", language),
        nx,
        ny + size * 0.34,
        **text_attributes(letters, size),
    )


def draw_scale(
    sheet: Sheet,
    looks: Looks,
    place: Point,
    pitch: float,
    hex_mm: float | None,
    *,
    unit: float,
    language: Language,
) -> None:
    """Draw a bar of three hexes or more, and what a hex measures on paper.

    *unit* is the pitch at which the strip around it is drawn.
    """
    look = looks.style.sheet
    letters = looks.style.letters["text"]
    x, y = place
    line: dict[str, Value] = {"stroke": look.ink, "stroke_width": 0.016 * unit}
    size = 0.2 * unit
    count = max(int(3.2 * unit / pitch), 3)
    for index in range(count):
        fill = look.ink if index % 2 == 0 else look.paper
        sheet.path(rectangle(x + index * pitch, y, pitch, 0.11 * unit), fill=fill, **line)
    for index in range(count + 1):
        words = str(index)
        if index == count:
            words = printed("mapkit.drawing.scale", language, n=count)
        sheet.text(words, x + index * pitch, y - 0.1 * unit, **text_attributes(letters, size))
    if hex_mm is not None:
        words = printed("mapkit.drawing.hex_mm", language, mm=f"{hex_mm:g}")
        middle = x + count / 2 * pitch
        sheet.text(words, middle, y + 0.36 * unit, **text_attributes(letters, size))


def _draw_title(sheet: Sheet, looks: Looks, foot: Foot, place: Point, pitch: float) -> None:
    left, y = place
    letters = looks.style.letters["title"]
    attributes = text_attributes(letters, foot.title_px, anchor="start")
    for line in foot.title_lines:
        y += foot.title_px * 0.86
        sheet.text(line, left, y, **attributes)
        y += foot.title_px * 0.26
    text = looks.style.letters["text"]
    size = text.size * pitch
    for line in foot.note_lines:
        y += size * _LINE
        sheet.text(line, left, y, **text_attributes(text, size, anchor="start"))


def _fitted(
    words: str, letters: Letters, size: float, room: float
) -> tuple[tuple[str, ...], float]:
    """Break a title into at most two lines, then make it smaller until it fits."""
    lines = _wrapped(words, letters, size, room)
    while len(lines) > 2 or max(text_width(line, letters, size) for line in lines) > room:
        size *= 0.92
        lines = _wrapped(words, letters, size, room)
        if size < 2:
            break
    if len(lines) == 2:
        lines = _evened(words.split(" "), letters, size)
    return tuple(lines[:2]), size


def _evened(words: list[str], letters: Letters, size: float) -> list[str]:
    """Break words into two lines of about one length, never longer than the longer was."""
    ways = [[" ".join(words[:cut]), " ".join(words[cut:])] for cut in range(1, len(words))]
    return min(ways, key=lambda way: max(text_width(line, letters, size) for line in way))


def _wrapped(words: str, letters: Letters, size: float, room: float) -> list[str]:
    lines = [""]
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, letters, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
