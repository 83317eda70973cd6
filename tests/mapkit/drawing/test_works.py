"""Works on hexsides: the level of a trench stands clear of the hex number."""

from dataclasses import replace

import pytest
from lxml import etree

from mapkit.drawing import draw_map, load_style, style_names
from mapkit.hexes import hexsides
from mapkit.model import Feature
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
