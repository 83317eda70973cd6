"""Areas: a line on the hexsides between two of them, drawn once and seen, beside any water."""

from dataclasses import replace

import numpy as np
import pytest
from lxml import etree

from mapkit.drawing import Looks, draw_map, load_style, style_names
from mapkit.grid import Grid
from mapkit.hexes import Hexside, neighbours
from mapkit.kinds import Kind
from mapkit.model import Area, Feature, Ground, HexMap
from tests.mapkit.drawing.landscapes import NUMBERINGS, all_kinds

COLUMNS, ROWS, CUT = 10, 8, 5
SVG = "{http://www.w3.org/2000/svg}"


def two_sectors(kind="sector"):
    numbering = NUMBERINGS["pointy"]
    at = {numbering.hex_at(c, r): c for c in range(COLUMNS) for r in range(ROWS)}
    west, east = (
        tuple(hex_ for hex_ in sorted(at) if (at[hex_] < CUT) == is_west) for is_west in (1, 0)
    )
    hexes = {hex_: Ground("woods") for hex_ in at}
    areas = (Area("West", kind, hexes=west), Area("East", kind, hexes=east))
    return HexMap(Grid.regular("pointy", pitch_px=60), numbering, hexes, all_kinds(), areas=areas)


def between(map_):
    west = set(map_.areas[0].hexes)
    return {
        Hexside.between(a, b)
        for a in west
        for b in neighbours(a)
        if b in map_.hexes and b not in west
    }


def lines(drawing, group):
    root = etree.fromstring(drawing.svg.encode())
    found = root.find(f".//{SVG}g[@id='{group}']")
    return [] if found is None else found.findall(f"{SVG}path")


@pytest.mark.parametrize("name", style_names())
def test_the_line_between_two_sectors_is_seen_at_every_hexside(name, pixels):
    map_, style = two_sectors(), load_style(name)
    with_it = draw_map(map_, style, hex_px=60, layers={"terrain", "texture", "grid", "areas"})
    without = draw_map(map_, style, hex_px=60, layers={"terrain", "texture", "grid"})
    changed = np.abs(pixels(with_it) - pixels(without)).max(axis=2)
    colours = [style.areas["sector"].colour, style.areas["sector"].casing]
    wanted = [np.array([int(c[i : i + 2], 16) for i in (1, 3, 5)]) for c in colours]
    picture = pixels(with_it)
    sides = between(map_)
    assert len(sides) == 2 * ROWS - 1
    for side in sides:
        x, y = (
            sum(axis) / 2
            for axis in zip(*(with_it.grid.centre(hex_) for hex_ in side), strict=True)
        )
        here = picture[round(y), round(x)]
        assert changed[round(y), round(x)] > 30, side
        # Crisp: the pixel is a mix of the line and its casing, through no veil.
        mixes = [wanted[0] + (wanted[1] - wanted[0]) * step / 20 for step in range(21)]
        assert min(np.abs(here - colour).max() for colour in mixes) < 25, side
    far = [
        with_it.grid.centre(hex_) for hex_ in map_.hexes if not any(hex_ in side for side in sides)
    ]
    assert all(changed[round(y), round(x)] == 0 for x, y in far)


@pytest.mark.parametrize("name", style_names())
def test_two_neighbours_share_one_line(name):
    map_, style = two_sectors(), load_style(name)
    both = lines(draw_map(map_, style, hex_px=40), "area-lines")
    west = lines(draw_map(replace(map_, areas=map_.areas[:1]), style, hex_px=40), "area-lines")
    assert [path.get("d") for path in both] == [path.get("d") for path in west]
    assert len(both) == 2  # its casing and itself: one chain, so that dashes run on


def test_countries_keep_a_band_each():
    map_, style = two_sectors("country"), load_style("plain")
    drawing = draw_map(map_, style, hex_px=40)
    assert lines(drawing, "area-lines") == []
    assert len(lines(drawing, "areas")) == 2


def test_the_edge_of_the_map_is_no_edge_of_a_sector():
    map_ = two_sectors()
    whole = replace(map_, areas=(Area("All", "sector", hexes=tuple(map_.hexes)),))
    assert lines(draw_map(whole, load_style("plain"), hex_px=40), "area-lines") == []


def test_a_country_has_no_band_along_the_sea():
    map_ = two_sectors("country")
    sea = {hex_: Ground("sea") for hex_ in map_.areas[1].hexes}
    coast = replace(map_, hexes={**map_.hexes, **sea}, areas=map_.areas[:1])
    assert lines(draw_map(coast, load_style("plain"), hex_px=40), "areas") == []
    inland = replace(map_, areas=map_.areas[:1])
    assert len(lines(draw_map(inland, load_style("plain"), hex_px=40), "areas")) == 1


WATER = ["great_river", "river", "stream"]


def along_water(water, kind="front_line", **more):
    """Return a map on which a front line runs along a river, and the hexsides of both."""
    map_ = two_sectors()
    sides = tuple(sorted(between(map_)))
    feature = (Feature(water),)
    area = Area("Front", kind, hexsides=sides)
    return replace(map_, areas=(area,), hexsides=dict.fromkeys(sides, feature), **more), sides


def middle(drawing, side):
    return drawing.grid.to_pixel((side.a.q + side.b.q) / 2, (side.a.r + side.b.r) / 2)


@pytest.mark.parametrize("name", style_names())
@pytest.mark.parametrize("water", WATER)
@pytest.mark.parametrize("kind", ["front_line", "sector"])
def test_a_line_along_a_river_leaves_its_water_as_it_is(name, water, kind, pixels):
    map_, sides = along_water(water, kind)
    style, layers = load_style(name), {"terrain", "water", "grid", "areas"}
    with_it = draw_map(map_, style, hex_px=60, layers=layers)
    picture = pixels(with_it)
    before = pixels(draw_map(map_, style, hex_px=60, layers=layers - {"areas"}))
    changed = np.abs(picture - before).max(axis=2)
    colour = np.array([int(style.hexsides[water].colour[i : i + 2], 16) for i in (1, 3, 5)])
    wet = np.abs(before - colour).max(axis=2) <= 12
    for side in sides[1:-1]:
        x, y = (round(v) for v in middle(with_it, side))
        near = np.s_[y - 10 : y + 11, x - 10 : x + 11]
        assert wet[near].sum() >= 3, side
        assert (changed[near][wet[near]] > 8).mean() < 0.1, side
        assert (changed[near] > 15).sum() > 30, side  # the line itself is there, beside the water


@pytest.mark.parametrize("name", style_names())
def test_a_band_that_crosses_a_river_is_cut_there(name, pixels):
    map_ = two_sectors("country")
    row_ = [NUMBERINGS["pointy"].hex_at(c, 3) for c in range(COLUMNS)]
    across = {
        Hexside.between(hex_, other): (Feature("great_river"),)
        for hex_ in row_
        for other in neighbours(hex_)
        if other in map_.hexes and other.r == hex_.r + 1
    }
    map_ = replace(map_, hexsides=across)
    style, layers = load_style(name), {"terrain", "water", "areas"}
    with_it = pixels(draw_map(map_, style, hex_px=60, layers=layers))
    before = pixels(draw_map(map_, style, hex_px=60, layers=layers - {"areas"}))
    colour = np.array([int(style.hexsides["great_river"].colour[i : i + 2], 16) for i in (1, 3, 5)])
    wet = np.abs(before - colour).max(axis=2) <= 2
    assert wet.sum() > 2000
    assert not np.abs(with_it - before)[wet].any()
    assert np.abs(with_it - before).max() > 15


@pytest.mark.parametrize("name", style_names())
def test_two_kinds_of_one_role_look_different_on_the_map_and_in_the_legend(name, pixels):
    map_ = two_sectors()
    kinds = replace(
        map_.kinds,
        areas=(Kind("front", "Front line", "front_line"), Kind("rear", "Rear", "front_line")),
    )
    sides = sorted(between(map_))
    areas = (Area("A", "front", hexsides=sides[:4]), Area("B", "rear", hexsides=sides[-4:]))
    looks = Looks(load_style(name), kinds)
    assert looks.area("front") != looks.area("rear")
    drawing = draw_map(replace(map_, kinds=kinds, areas=areas), looks.style, hex_px=60)
    picture = pixels(drawing)
    samples = {}
    for entry in drawing.legend:
        if entry.group == "areas":
            x, y, width, height = (round(v) for v in entry.rect)
            samples[entry.kind] = picture[y : y + height, x : x + width]
    assert (np.abs(samples["front"] - samples["rear"]).max(axis=2) > 30).mean() > 0.05


@pytest.mark.parametrize("name", style_names())
@pytest.mark.parametrize("water", WATER)
def test_a_trench_on_the_bank_leaves_the_water_free(name, water, pixels):
    map_, sides = along_water(water)
    west = set(two_sectors().areas[0].hexes)
    dug = {
        side: (Feature(water), Feature("trench", facing=side.a if side.a in west else side.b))
        for side in sides
    }
    map_ = replace(map_, hexsides=dug, areas=())
    style, layers = load_style(name), {"terrain", "water", "trenches"}
    with_it = draw_map(map_, style, hex_px=60, layers=layers)
    before = pixels(draw_map(map_, style, hex_px=60, layers=layers - {"trenches"}))
    changed = np.abs(pixels(with_it) - before).max(axis=2)
    colour = np.array([int(style.hexsides[water].colour[i : i + 2], 16) for i in (1, 3, 5)])
    wet = np.abs(before - colour).max(axis=2) <= 12
    for side in sides[1:-1]:
        x, y = (round(v) for v in middle(with_it, side))
        near = np.s_[y - 10 : y + 11, x - 10 : x + 11]
        assert changed[y - 20 : y + 21, x - 20 : x + 21].any()
        assert wet[near].sum() >= 3
        assert (changed[near][wet[near]] > 8).mean() < 0.1
