"""The printed sheets: truth and picture agree, and the record says where everything lies."""

import json
from dataclasses import dataclass
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

import sample_maps
from mapkit import texts
from mapkit.drawing.layers import ALL_LAYERS
from mapkit.drawing.picture import draw_map
from mapkit.drawing.raster import rasterise
from mapkit.drawing.style import Looks, level_tint, load_style, style_names
from mapkit.drawing.terrain import ground_colour, level_range
from mapkit.hexes import Hexside, hexsides, neighbours
from mapkit.kinds import WATERCOURSES
from mapkit.model import HexMap
from mapkit.sheets import crop
from sample_maps.sheets import PrintedSheet, print_sheet

PITCH = 60.0
# A part of each map: its first column and row, and how many.
PATCHES = {
    "alpine": (28, 28, 14, 12),
    "front": (16, 12, 14, 13),
    "hills": (30, 8, 12, 12),
    "valley": (24, 8, 14, 12),
}
CONTRAST = 20  # of 255: what the eye tells from its surroundings


def patch(name, size=None):
    map_ = sample_maps.load(name)
    left, top, columns, rows = PATCHES[name] if size is None else (0, 0, *size)
    kept = [
        hex_
        for hex_ in map_.hexes
        for column, row in [map_.numbering.position(hex_)]
        if left <= column < left + columns and top <= row < top + rows
    ]
    return crop(map_, kept)


@dataclass(frozen=True)
class Printed:
    map_: HexMap
    looks: Looks
    sheet: PrintedSheet

    def without(self, *layers):
        """Return where the sheet would look different without some layers."""
        drawing = draw_map(self.map_, self.looks.style, layers=ALL_LAYERS - {*layers}, hex_px=PITCH)
        left, _, width, _ = map(int, self.sheet.map_rect)
        with_ = self.sheet.pixels[:, left : left + width].astype(int)
        off = np.zeros(self.sheet.pixels.shape[:2], int)
        off[:, left : left + width] = np.abs(with_ - raster(drawing)).max(axis=2)
        return off >= CONTRAST


@pytest.fixture(scope="module", params=PATCHES)
def printed(request):
    map_ = patch(request.param)
    looks = Looks(load_style("plain"), map_.kinds)
    return Printed(map_, looks, print_sheet(map_, "plain", hex_px=PITCH))


def raster(drawing):
    return np.asarray(Image.open(BytesIO(rasterise(drawing))).convert("RGB"))


def rgb(colour):
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])


def shows(pixels, places, colour, tolerance):
    """Tell whether any of these places has a colour."""
    x, y = np.floor(np.asarray(places)).astype(int).reshape(-1, 2).T
    off = pixels[y, x].astype(int) - rgb(colour)
    return bool((np.abs(off).max(axis=1) <= tolerance).any())


def crosses(marked, grid, side, reach, ends=0.02):
    """Tell whether anything is marked along a hexside, up to *reach* pitches beside it."""
    a, b = (np.array(grid.corner(corner)) for corner in side.vertices)
    across = np.array([a[1] - b[1], b[0] - a[0]])
    across = across / np.hypot(*across) * PITCH
    t = np.linspace(ends, 1 - ends, 40)[:, None, None]
    s = np.linspace(-reach, reach, 1 + int(2 * reach * PITCH))[None, :, None]
    x, y = np.floor(a + t * (b - a) + s * across).astype(int).reshape(-1, 2).T
    return int(marked[y, x].sum()) >= 3


def inner_sides(map_):
    """Return the hexsides between two hexes of the map."""
    return {side for hex_ in map_.hexes for side in hexsides(hex_) if {*side} <= map_.hexes.keys()}


@pytest.mark.slow
@pytest.mark.parametrize("name", sample_maps.names())
@pytest.mark.parametrize("style", style_names())
def test_the_ground_of_every_centre_has_the_colour_of_its_terrain(name, style):
    check_centres(sample_maps.load(name), style)


@pytest.mark.parametrize("style", style_names())
def test_the_ground_of_every_centre_of_a_part_has_the_colour_of_its_terrain(style):
    for name in PATCHES:
        check_centres(patch(name), style)


def check_centres(map_, style):
    looks = Looks(load_style(style), map_.kinds)
    drawing = draw_map(map_, looks.style, layers={"levels", "terrain"}, hex_px=30)
    pixels = raster(drawing)
    # The lines that engravers draw along a shore may pass through a centre: look beside it, too.
    beside, at = np.mgrid[-2:3, -2:3].reshape(2, -1).T, np.zeros((1, 2))
    wrong = [
        map_.label(hex_)
        for hex_, ground in map_.hexes.items()
        if not ground.features  # the outline of a town lies on the terrain
        and not shows(
            pixels,
            drawing.grid.centre(hex_) + (beside if looks.terrain(ground.terrain).lining else at),
            ground_colour(map_, looks, hex_),
            3,
        )
    ]
    assert wrong == []


def test_almost_every_centre_can_be_seen_on_the_sheet(printed):
    map_, looks, sheet = printed.map_, printed.looks, printed.sheet
    around = np.mgrid[-6:7, -6:7].reshape(2, -1).T
    seen = [
        shows(sheet.pixels, sheet.grid.centre(hex_) + around, ground_colour(map_, looks, hex_), 10)
        for hex_, ground in map_.hexes.items()
        if not ground.features
    ]
    assert np.mean(seen) >= 0.98  # names cover a few


def test_roads_are_seen_where_the_truth_has_them_and_nowhere_else(printed):
    map_, grid = printed.map_, printed.sheet.grid
    drawn = printed.without("roads", "bridges")
    linked = {Hexside(*link) for link in map_.links}
    seen = {side: crosses(drawn, grid, side, 0.1) for side in inner_sides(map_) & linked}
    assert len(seen) > 20
    assert np.mean([*seen.values()]) >= 0.99
    strays = [crosses(drawn, grid, side, 0.01, 0.1) for side in inner_sides(map_) - linked]
    assert np.mean(strays) <= 0.01


def test_rivers_are_seen_where_the_truth_has_them_and_nowhere_else(printed):
    map_, looks, grid = printed.map_, printed.looks, printed.sheet.grid
    drawn = printed.without("water")
    wet = {
        side
        for side, features in map_.hexsides.items()
        if any(looks.role("hexsides", feature.kind) in WATERCOURSES for feature in features)
    }
    seen = [crosses(drawn, grid, side, 0.3) for side in inner_sides(map_) & wet]
    assert len(seen) > 10
    assert np.mean(seen) >= 0.99
    beside = {hex_ for side in wet for hex_ in side}
    strays = [
        crosses(drawn, grid, side, 0.3)
        for side in inner_sides(map_)
        if not beside & {*side, *neighbours(side.a), *neighbours(side.b)}
    ]
    assert np.mean([0, *strays]) <= 0.01


@pytest.mark.parametrize("name", ["alpine", "hills"])
def test_the_record_finds_hexes_and_legend(name):
    map_ = patch(name, (14, 8))
    sheet = print_sheet(map_, "plain", hex_px=40)
    record = json.loads(json.dumps(sheet.record()))
    assert record["size"] == [sheet.pixels.shape[1], sheet.pixels.shape[0]]
    assert record["grid"]["orientation"] == map_.grid.orientation
    x, y, width, height = record["map_rect"]
    assert all(
        x < cx < x + width and y < cy < y + height
        for cx, cy in (sheet.grid.centre(hex_) for hex_ in map_.hexes)
    )
    terrains = {ground.terrain for ground in map_.hexes.values()}
    listed = {(entry["group"], entry["kind"]) for entry in record["legend"]}
    assert terrains == {kind for group, kind in listed if group == "terrain"}
    assert {kind for group, kind in listed if group == "levels"}


@pytest.mark.parametrize(
    ("style", "name", "hex_px"),
    [*((style, "valley_guns", 40) for style in style_names()), ("plain", "front", 20)],
)
def test_every_swatch_holds_its_sample(style, name, hex_px):
    map_, look = sample_maps.load(name), load_style(style)
    sheet = print_sheet(map_, style, hex_px=hex_px)
    for swatch in sheet.legend:
        x, y, width, height = swatch.rect
        inside = sheet.pixels[int(y) : int(y + height), int(x) : int(x + width)].astype(int)
        assert (np.abs(inside - rgb(look.sheet.paper)).max(axis=2) > CONTRAST).mean() > 0.03
        if swatch.group == "levels":
            tint = level_tint(look.levels, int(swatch.kind), *level_range(map_))
            assert shows(sheet.pixels, [(x + width / 2, y + height / 2)], tint, 2), swatch
        else:
            gap = sheet.pixels[int(y) : int(y + height), int(x - 0.2 * width)].astype(int)
            assert np.abs(gap - rgb(look.sheet.paper)).max() <= CONTRAST, swatch


def test_the_charts_stand_beside_the_map():
    for name, left in (("alpine", False), ("hills", True)):
        sheet = print_sheet(patch(name, (14, 8)), "plain", hex_px=24)
        x, _, width, _ = sheet.charts_rect
        assert (x == 0) is left
        column = sheet.pixels[:, int(x) : int(x + width)]
        assert (column.min(axis=2) < 120).mean() > 0.003


def test_a_sheet_is_the_same_whatever_language_the_machine_speaks(monkeypatch):
    map_ = sample_maps.load("valley_guns")
    english = print_sheet(map_, "plain", hex_px=24)
    monkeypatch.setenv("MAPKIT_LANG", "it")
    assert texts.language() == "it"
    italian = print_sheet(map_, "plain", hex_px=24)
    assert (english.pixels == italian.pixels).all()
    assert english.record() == italian.record()
    assert any(entry.title.startswith("Levels") for entry in italian.legend)
