"""Works on hexsides: the level of a trench stands clear of hex number and symbols."""

import math
from dataclasses import replace

import pytest
from lxml import etree
from shapely.geometry import LineString, Point

from mapkit.drawing import Looks, draw_map, load_style, style_names
from mapkit.drawing.frame import Frame
from mapkit.drawing.network import Network
from mapkit.drawing.regions import from_hexes
from mapkit.hexes import hexsides
from mapkit.model import Feature, Shape
from tests.mapkit.drawing.landscapes import NUMBERINGS, landscape

SVG = "{http://www.w3.org/2000/svg}"
PITCH = 60


def texts(drawing, *groups):
    root = etree.fromstring(drawing.svg.encode())
    for group in groups:
        for text in root.find(f".//{SVG}g[@id='{group}']").iter(f"{SVG}text"):
            yield text.text, float(text.get("x")), float(text.get("y"))


@pytest.mark.parametrize("name", style_names())
@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_no_level_of_a_trench_is_written_over_a_hex_number(name, orientation):
    map_ = landscape(orientation, columns=6, rows=6)
    ringed = NUMBERINGS[orientation].hex_at(3, 3)
    trenches = {side: (Feature("trench", value=2, facing=ringed),) for side in hexsides(ringed)}
    drawing = draw_map(replace(map_, hexsides=trenches), load_style(name), hex_px=PITCH)
    numbers = list(texts(drawing, "numbers"))
    levels = list(texts(drawing, "trench-levels"))
    assert len(levels) == 6
    wide, high = 0.2 * PITCH, 0.09 * PITCH
    over = [
        (level, number)
        for level in levels
        for number in numbers
        if abs(level[1] - number[1]) < wide and abs(level[2] - number[2]) < high
    ]
    assert over == []
    assert len({(round(x), round(y)) for _, x, y in levels}) == 6


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_no_level_of_a_trench_is_written_over_a_victory_point(orientation):
    map_ = landscape(orientation, columns=6, rows=6)
    ringed = NUMBERINGS[orientation].hex_at(3, 3)
    town = replace(map_[ringed], features=(Feature("town"), Feature("victory", value=8)))
    trenches = {side: (Feature("trench", value=2, facing=ringed),) for side in hexsides(ringed)}
    map_ = replace(map_, hexes={**map_.hexes, ringed: town}, hexsides=trenches)
    style = load_style("plain")
    drawing = draw_map(map_, style, hex_px=PITCH)
    (star,) = [(x, y) for words, x, y in texts(drawing, "symbols") if words == "8"]
    levels = [(x, y) for _, x, y in texts(drawing, "trench-levels")]
    assert len(levels) == 6
    looks = Looks(style, map_.kinds)
    radius = looks.feature("victory").size * PITCH / 2
    assert [level for level in levels if math.dist(level, star) < radius] == []


def test_a_road_ends_where_the_hexes_end():
    map_ = landscape("flat", columns=6, rows=6)
    at = [map_.grid.centre(NUMBERINGS["flat"].hex_at(c, 2)) for c in (-1, 1, 3, 6)]
    road = Shape("road", "line", rings=(tuple(at),))
    map_ = replace(map_, shapes=(road,), links={})
    frame = Frame.around(map_, hex_px=PITCH, margin=0.5)
    (curve,) = Network(frame, Looks(load_style("plain"), map_.kinds)).roads["road"]
    land = from_hexes(frame, map_.hexes, lambda _: 0, soft=False, wander=0.0).geometry
    assert land.buffer(0.01).contains(LineString(curve.points))
    assert all(
        land.boundary.distance(Point(end)) < 0.01 for end in curve.points[:: len(curve.points) - 1]
    )
