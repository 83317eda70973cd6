"""A page that shows what a scan has read: grid, terrain, levels, samples of each kind, doubts.

One HTML file with its pictures beside it, to be looked at once and thrown away.
"""

import html
from collections import defaultdict
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mapkit.hexes import Hex
from mapkit.kinds import UNKNOWN
from mapkit.model import HexMap
from mapkit.scan.doubts import Doubt, doubts
from mapkit.scan.scan_map import ScannedMap
from mapkit.scan.sheet import FlatSheet
from mapkit.store.files import refusal, require_free, write_whole
from mapkit.texts import say

if TYPE_CHECKING:
    from PIL import Image

_WIDEST_PX = 2000
_CROP_PX = 96
_CROPS = 24
_DOUBTS = 60
_PALETTE = (
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb", "#e69f00",
    "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#999933", "#882255",
)  # fmt: skip


def report_page(folder: Path, *, force: bool = False) -> Path:
    """Return the page in a folder that is made where it was not; refuse one that is there.

    Raises:
        StoreError: there is such a page, or no folder can be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refusal("make the folder", folder, error) from None
    page = folder / "report.html"
    require_free(page, force=force)
    return page


def write_report(
    folder: Path, scanned: ScannedMap, map_: HexMap, *, force: bool = False
) -> list[Path]:
    """Write the page and its pictures into a folder, and return the files."""
    page = report_page(folder, force=force)
    files = []
    shown = []
    for name, title, picture in _pictures(scanned.sheet, map_):
        packed = BytesIO()
        picture.convert("RGB").save(packed, "JPEG", quality=85)
        write_whole(folder / f"{name}.jpg", packed.getvalue(), what="picture of the report")
        files.append(folder / f"{name}.jpg")
        shown.append((name, title))
    write_whole(page, _page(scanned, map_, shown).encode(), what="report")
    return [page, *files]


def _pictures(sheet: FlatSheet, map_: HexMap) -> Iterable[tuple[str, str, "Image.Image"]]:
    yield "grid", say("mapkit.scan.report.grid"), _overlay(sheet, map_)
    terrain = {hex_: ground.terrain for hex_, ground in map_.hexes.items()}
    if any(word != UNKNOWN for word in terrain.values()):
        yield "terrain", say("mapkit.scan.report.terrain"), _painted(sheet, terrain)
        yield "kinds", say("mapkit.scan.report.kinds"), _contact_sheet(sheet, terrain)
    levels = {hex_: str(ground.level) for hex_, ground in map_.hexes.items()}
    if any(ground.level is not None for ground in map_.hexes.values()):
        yield "levels", say("mapkit.scan.report.levels"), _painted(sheet, levels)
    if map_.hexsides or map_.links:
        yield "lines", say("mapkit.scan.report.lines"), _lines(sheet, map_)


def _reduced(sheet: FlatSheet) -> tuple["Image.Image", float]:
    from PIL import Image

    picture = Image.fromarray(sheet.pixels)
    factor = min(1.0, _WIDEST_PX / max(picture.size))
    size = (round(picture.width * factor), round(picture.height * factor))
    return picture.resize(size, Image.Resampling.BOX), factor


def _outline(sheet: FlatSheet, hex_: Hex, factor: float) -> list[tuple[float, float]]:
    return [(x * factor, y * factor) for x, y in sheet.grid.polygon(hex_)]


def _overlay(sheet: FlatSheet, map_: HexMap) -> "Image.Image":
    from PIL import ImageDraw

    picture, factor = _reduced(sheet)
    pen = ImageDraw.Draw(picture)
    for hex_ in sheet.hexes:
        pen.polygon(_outline(sheet, hex_, factor), outline=(220, 0, 0))
    for hex_ in sheet.hexes[:: max(1, len(sheet.hexes) // 60)]:
        x, y = sheet.grid.centre(hex_)
        pen.text((x * factor, y * factor), map_.label(hex_), fill=(0, 0, 200), anchor="mm")
    return picture


def _painted(sheet: FlatSheet, words: dict[Hex, str]) -> "Image.Image":
    """The sheet with every hex in the colour of its word, and the words beside."""
    from PIL import Image, ImageDraw

    picture, factor = _reduced(sheet)
    paint = picture.copy()
    pen = ImageDraw.Draw(paint)
    colours = _colours(words.values())
    for hex_, word in words.items():
        pen.polygon(_outline(sheet, hex_, factor), fill=colours[word])
    mixed = Image.blend(picture, paint, 0.6)
    pen = ImageDraw.Draw(mixed)
    for row, (word, colour) in enumerate(colours.items()):
        pen.rectangle([8, 8 + 22 * row, 30, 26 + 22 * row], fill=colour, outline="black")
        pen.text((36, 10 + 22 * row), word, fill="black", stroke_width=2, stroke_fill="white")
    return mixed


def _colours(words: Iterable[str]) -> dict[str, str]:
    return {
        word: _PALETTE[number % len(_PALETTE)] for number, word in enumerate(sorted(set(words)))
    }


def _contact_sheet(sheet: FlatSheet, words: dict[Hex, str]) -> "Image.Image":
    """A row of hexes for every kind: what does not belong there is seen at once."""
    from PIL import Image, ImageDraw

    rows: dict[str, list[Hex]] = defaultdict(list)
    for hex_, word in words.items():
        rows[word].append(hex_)
    whole = Image.new("RGB", (120 + _CROPS * _CROP_PX, len(rows) * _CROP_PX), "white")
    pen = ImageDraw.Draw(whole)
    for row, (word, hexes) in enumerate(sorted(rows.items())):
        pen.text((6, row * _CROP_PX + 40), f"{word} ({len(hexes)})", fill="black")
        for column, hex_ in enumerate(hexes[:: max(1, len(hexes) // _CROPS)][:_CROPS]):
            whole.paste(_crop(sheet, hex_), (120 + column * _CROP_PX, row * _CROP_PX))
    return whole


def _crop(sheet: FlatSheet, hex_: Hex) -> "Image.Image":
    from PIL import Image

    x, y = sheet.grid.centre(hex_)
    half = round(0.6 * sheet.pitch_px)
    top, left = max(0, round(y) - half), max(0, round(x) - half)
    part = sheet.pixels[top : round(y) + half, left : round(x) + half]
    return Image.fromarray(np.ascontiguousarray(part)).resize((_CROP_PX - 4, _CROP_PX - 4))


def _lines(sheet: FlatSheet, map_: HexMap) -> "Image.Image":
    from PIL import ImageDraw

    picture, factor = _reduced(sheet)
    pen = ImageDraw.Draw(picture)
    found = [*map_.hexsides.values(), *map_.links.values()]
    colours = _colours(feature.kind for features in found for feature in features)
    for side, features in map_.hexsides.items():
        ends = [sheet.grid.corner(corner) for corner in side.vertices]
        for feature in features:
            pen.line([(x * factor, y * factor) for x, y in ends], colours[feature.kind], 3)
    for link, features in map_.links.items():
        ends = [sheet.grid.centre(hex_) for hex_ in link]
        for feature in features:
            pen.line([(x * factor, y * factor) for x, y in ends], colours[feature.kind], 3)
    for row, (word, colour) in enumerate(colours.items()):
        pen.rectangle([8, 8 + 22 * row, 30, 26 + 22 * row], fill=colour, outline="black")
        pen.text((36, 10 + 22 * row), word, fill="black", stroke_width=2, stroke_fill="white")
    return picture


def _page(scanned: ScannedMap, map_: HexMap, shown: list[tuple[str, str]]) -> str:
    title = html.escape(map_.title or say("mapkit.scan.report.title"))
    facts = "".join(f"<li>{html.escape(line)}</li>" for line in told_scan(scanned, map_))
    figures = "".join(
        f'<h2>{html.escape(heading)}</h2><p><img src="{name}.jpg" alt="{html.escape(heading)}"></p>'
        for name, heading in shown
    )
    open_points = doubts(map_)
    rows = "".join(_row(doubt, map_) for doubt in open_points[:_DOUBTS])
    heading = html.escape(say("mapkit.scan.report.doubts", n=len(open_points)))
    return (
        f'<!doctype html><html><head><meta charset="utf-8"><title>{title}</title><style>'
        "body{font-family:sans-serif;max-width:80rem;margin:1rem auto;padding:0 1rem}"
        "img{max-width:100%}td,th{padding:.15rem .8rem;text-align:left}</style></head><body>"
        f"<h1>{title}</h1><ul>{facts}</ul>{figures}<h2>{heading}</h2><table>{rows}</table>"
        "</body></html>\n"
    )


def _row(doubt: Doubt, map_: HexMap) -> str:
    data = doubt.as_data(map_)
    cells = (data["place"], data["what"], data["value"], f"{data['confidence']:.0%}")
    last = "" if data["runner_up"] is None else str(data["runner_up"])
    return "<tr>" + "".join(f"<td>{html.escape(str(c))}</td>" for c in (*cells, last)) + "</tr>"


def told_scan(scanned: ScannedMap, map_: HexMap) -> list[str]:
    """Return what was read, in a few lines."""
    found = scanned.flattened.found
    lines = [
        say(
            "mapkit.scan.told.grid",
            n=len(map_.hexes),
            pitch=f"{found.pitch_px:.0f}",
            sure=f"{found.confidence:.0%}",
        )
    ]
    numbers = scanned.numbers
    if numbers is not None and not numbers.undecided:
        labels = sorted(map_.label(hex_) for hex_ in map_.hexes)
        share = f"{numbers.share:.0%}"
        lines.append(say("mapkit.scan.told.numbers", first=labels[0], last=labels[-1], share=share))
    lines += map_.notes
    lines.append(say("mapkit.scan.told.lines", sides=len(map_.hexsides), links=len(map_.links)))
    return lines
