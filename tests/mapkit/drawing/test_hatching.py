"""Hatching: straight lines, evenly apart, all of them within their terrain."""

import itertools
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import box
from shapely.geometry import LineString, MultiPolygon, Point

from mapkit.drawing.hatching import draw_hatching
from mapkit.drawing.style import Hatch
from mapkit.drawing.svg import Sheet

LINE = re.compile(r"M([-\d.]+) ([-\d.]+)L([-\d.]+) ([-\d.]+)")


def lines(area, *, spacing=0.1, angle_deg=30.0, pitch=60.0):
    sheet = Sheet(800, 800)
    hatch = Hatch(colour="#123456", spacing=spacing, angle_deg=angle_deg)
    draw_hatching(sheet, hatch, area, pitch)
    return [tuple(map(float, found)) for found in LINE.findall(sheet.to_text())]


@given(st.floats(-90, 90), st.floats(20, 200), st.floats(0.05, 0.5))
def test_lines_lie_within_and_cover_the_whole_area(angle_deg, radius, spacing):
    area = Point(300, 300).buffer(radius)
    drawn = lines(area, spacing=spacing, angle_deg=angle_deg)
    for x0, y0, x1, y1 in drawn:
        assert LineString([(x0, y0), (x1, y1)]).within(area.buffer(0.2))
    step = spacing * 60
    assert sum(math.dist(d[:2], d[2:]) for d in drawn) == pytest.approx(
        area.area / step, rel=0.35, abs=4 * radius
    )


def test_lines_are_evenly_apart_and_run_on_from_part_to_part():
    drawn = lines(MultiPolygon([box(0, 0, 100, 100), box(150, 0, 250, 100)]), angle_deg=0.0)
    heights = sorted({y0 for _, y0, _, _ in drawn})
    assert [round(b - a, 1) for a, b in itertools.pairwise(heights)] == [6.0] * (len(heights) - 1)
    assert len(drawn) == 2 * len(heights)


def test_a_hole_stays_empty_and_nothing_gives_nothing():
    ring = box(0, 0, 200, 200).difference(box(50, 50, 150, 150))
    assert lines(ring)
    hole = box(51, 51, 149, 149)
    assert not [d for d in lines(ring) if LineString([d[:2], d[2:]]).intersects(hole)]
    assert lines(MultiPolygon()) == []
