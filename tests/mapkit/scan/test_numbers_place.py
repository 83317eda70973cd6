"""Texts at the same place of many hexes are found, wherever in the hex that place is."""

import math
import random

import numpy as np
import pytest

from mapkit.grid import Grid
from mapkit.hexes import Hex
from mapkit.scan.numbers_place import Place, Text, cut, places, tile_centres
from mapkit.scan.ocr import Box
from mapkit.scan.sheet import FlatSheet

PITCH = 60.0


@pytest.fixture(params=["flat", "pointy"])
def sheet(request):
    grid = Grid.regular(request.param, pitch_px=PITCH, first_px=(400, 400))
    hexes = tuple(Hex(q, r) for q in range(12) for r in range(-4, 8))
    return FlatSheet(np.zeros((1200, 1200, 3), np.uint8), grid, hexes)


def text_at(sheet, x, y, wide=26.0, high=11.0):
    box = Box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2, 0.9)
    hex_ = sheet.grid.hex_at(x, y)
    cx, cy = sheet.grid.centre(hex_)
    return Text(box, hex_, (x - cx) / PITCH, (y - cy) / PITCH)


@pytest.mark.parametrize("way_deg", range(0, 360, 30))
def test_a_place_near_the_edge_of_the_hex_is_one_place(sheet, way_deg):
    dice = random.Random(way_deg)
    dx, dy = (0.44 * PITCH * f(math.radians(way_deg)) for f in (math.cos, math.sin))
    texts = []
    for hex_ in dice.sample(sheet.hexes, 60):
        x, y = sheet.grid.centre(hex_)
        texts.append(text_at(sheet, x + dx + dice.gauss(0, 1.5), y + dy + dice.gauss(0, 1.5)))
    names = [
        text_at(sheet, dice.uniform(300, 900), dice.uniform(300, 900), 50, 17) for _ in range(20)
    ]
    found = places(sheet, texts + names)[0]
    assert math.hypot(found.dx - dx, found.dy - dy) < 2
    assert found.turns == (0, 180)
    assert len(found.texts) > 50
    for text in found.texts:
        x, y = sheet.grid.centre(text.hex_)
        middle = (text.box.left + text.box.right) / 2, (text.box.top + text.box.bottom) / 2
        assert math.hypot(middle[0] - x - dx, middle[1] - y - dy) < 8


@pytest.mark.parametrize(("out", "on_edge"), [(0.0, False), (0.44, False), (0.485, True)])
def test_a_place_on_a_hexside_is_told(sheet, out, on_edge):
    x, y = sheet.grid.centre(Hex(0, 0))
    there_x, there_y = sheet.grid.centre(Hex(0, 1))
    place = Place(out * (there_x - x), out * (there_y - y), 26, 11, ())
    assert place.is_on_edge(sheet) == on_edge


def test_texts_that_meet_nowhere_make_no_place(sheet):
    dice = random.Random(3)
    texts = [
        text_at(sheet, dice.uniform(300, 900), dice.uniform(300, 900), high=dice.uniform(5, 60))
        for _ in range(12)
    ]
    assert places(sheet, texts) == []


def test_tiles_do_not_cover_the_same_ground(sheet):
    centres = list(tile_centres(sheet))
    assert 1 <= len(centres) <= 11
    apart = [max(abs(a[0] - b[0]), abs(a[1] - b[1])) for a in centres for b in centres if a != b]
    assert min(apart, default=math.inf) > 3 * PITCH


def test_nothing_is_cut_where_the_picture_ends(sheet):
    assert cut(sheet.pixels, -20, 5, 20, 20) is None
    assert cut(sheet.pixels, 5, 1190, 45, 1205) is None
    assert cut(sheet.pixels, 5, 10, 45, 25).shape == (15, 40, 3)
