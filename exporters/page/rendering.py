"""A project as one HTML file: its maps in tiles, its lines of sight, its rules at hand."""

import hashlib
from collections.abc import Callable
from typing import Any

from exporters.material import MapMaterial, Material
from exporters.model import Dropped, ExportError, ExportResult, OutFile
from exporters.page.books import books_data
from exporters.page.ground import GroundWords, grid_data
from exporters.page.html import page_file
from exporters.page.offline_page import PageOptions
from exporters.page.phrases import Phrases
from exporters.page.sight import sight_data
from exporters.page.tiles import Pyramid, cut_tiles, dump_pyramid, encoder, load_pyramid
from exporters.page.words import page_words
from mapkit.drawing import ALL_LAYERS, draw_map, load_style, rasterise
from mapkit.grid import Grid
from mapkit.progress import OnProgress
from mapkit.texts import language, say

FORMAT = "mapkit-page/1"

BIG_BYTES = 20_000_000
"""Above this a phone is slow to open the page."""

MOST_SKEW = 0.01
"""By how much width to height may differ in a picture that was made smaller."""


def render_page(material: Material, options: PageOptions, on_progress: OnProgress) -> ExportResult:
    """Return the page as one file.

    Raises:
        ExportError: there is no map, its picture does not open, or an option is out of bounds.
    """
    if not 1 <= options.quality <= 100:
        raise ExportError(f"a picture has no quality {options.quality}; give 1 to 100")
    if not material.maps:
        raise ExportError(f"the project '{material.name}' has no map; add one under [[maps]]")
    phrases = Phrases()
    blobs: dict[str, bytes] = {}
    dropped: list[Dropped] = []
    hints: list[Dropped] = []
    maps = []
    for number, one in enumerate(material.maps.values()):
        share, half = number / len(material.maps), 0.5 / len(material.maps)
        on_progress(0.95 * share, say("exporters.page.cutting", map=one.id))
        data = _map_data(material, one, options, phrases, blobs, number)
        if one.picture is None and one.map.picture is not None and options.art == "auto":
            named: dict[str, str | int] = {"map": one.id, "file": one.map.picture.path}
            hints.append(Dropped("exporters.page.hint.no_picture", named))
        if one.changed:
            hints.append(Dropped("exporters.vassal.hint.changed", {"map": one.id}))
        if options.sight and one.field is not None:
            on_progress(0.95 * (share + half), say("exporters.page.working_out_sight", map=one.id))
            packed = sight_data(one.field, phrases)
            dropped += packed.dropped
            if packed.data:
                data["sight"] = packed.data
                blobs[f"sight-{number}"] = packed.outcomes
        maps.append(data)
    on_progress(0.95, say("exporters.page.packing"))
    data = {
        "format": FORMAT,
        "name": material.name,
        "game": material.pack.title if material.pack else "",
        "language": language(),
        "maps": maps,
        **books_data(material.pack, phrases),
        "words": page_words(phrases),
    }
    data["phrases"] = phrases.as_data()
    page = page_file(material.name, data, blobs)
    if len(page) > BIG_BYTES:
        values = {"mb": round(len(page) / 1e6), "quality": max(options.quality - 20, 20)}
        hints.append(Dropped("exporters.page.hint.big", values))
    made = OutFile(f"{material.name}.html", page)
    return ExportResult((made,), tuple(dropped), tuple(hints))


def _map_data(
    material: Material,
    one: MapMaterial,
    options: PageOptions,
    phrases: Phrases,
    blobs: dict[str, bytes],
    number: int,
) -> dict[str, Any]:
    pyramid, grid, size = _pictured(material, one, options)
    for depth, level in enumerate(pyramid.levels):
        for at, tile in enumerate(level.tiles):
            blobs[f"tile-{number}-{depth}-{at}"] = tile
    ground = GroundWords(one.map, material.pack, phrases)
    return {
        "id": one.id,
        "title": one.map.title or one.id,
        "levels": pyramid.about(),
        **grid_data(grid, pyramid.levels[0].width / size),
        "hexes": ground.hexes(),
        "between": ground.between(),
        "outside": ground.outside(),
    }


def _pictured(
    material: Material, one: MapMaterial, options: PageOptions
) -> tuple[Pyramid, Grid, float]:
    """Return the tiles of a map, where its hexes lie, and how wide the picture was for that."""
    if not one.map.hexes:
        raise ExportError(f"the map {one.id} has no hexes: there is nothing to export")
    if options.art == "scan" and one.picture is None:
        raise ExportError(
            f"the map {one.id} has no picture beside it; put it back, or export with --art drawing"
        )
    if options.art == "drawing" or one.picture is None:
        layers = ALL_LAYERS - {"title", "legend", "scale", "compass"}
        style = load_style(options.style)
        drawing = draw_map(one.map, style, layers=layers, hex_px=float(options.hex_px))
        pyramid = _tiles(
            material, one.id, drawing.svg.encode(), options.quality, lambda: rasterise(drawing)
        )
        return pyramid, drawing.grid, float(drawing.width_px)
    picture = one.picture
    pyramid = _tiles(material, one.id, picture, options.quality, lambda: picture)
    return pyramid, one.map.grid, _known_width(one, pyramid)


def _known_width(one: MapMaterial, pyramid: Pyramid) -> float:
    """Return how wide the picture was that the grid lies on: the same one may come smaller."""
    whole, known = pyramid.levels[0], one.map.picture
    if known is None:
        return float(whole.width)
    if abs(whole.width / whole.height / (known.width_px / known.height_px) - 1) > MOST_SKEW:
        raise ExportError(
            f"the picture of the map {one.id}, {known.path}, has {whole.width} × {whole.height} px,"
            f" but the map was made on one of {known.width_px} × {known.height_px}; put the right"
            " file back, or export with --art drawing"
        )
    return float(known.width_px)


def _tiles(
    material: Material, of: str, made_from: bytes, quality: int, picture: Callable[[], bytes]
) -> Pyramid:
    """Return the tiles of a picture, kept from another time where somebody keeps them."""
    key = hashlib.sha256(made_from)
    key.update(f"|{FORMAT}|{quality}|{encoder()}".encode())
    name = f"tiles-{key.hexdigest()}"

    def make() -> bytes:
        return dump_pyramid(cut_tiles(picture(), quality, of=of))

    return load_pyramid(material.keep(name, make, load_pyramid))
