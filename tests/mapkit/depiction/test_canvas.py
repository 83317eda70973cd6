"""The canvas: hexes in whole numbers on any scan; rounding and scale are bounded as told."""

import math
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.depiction import Canvas, DepictionError
from mapkit.depiction.canvas import HEX_UNITS, ROUNDING
from mapkit.grid import Grid
from mapkit.hexes import ORIGIN, Hex, disc, vertices
from mapkit.lines import LinePoint

SLANTING = Grid("flat", ((60.0, 3.0, 400.0), (30.0, 70.0, 300.0), (0.01, 0.004, 1.0)))
GRIDS = [
    pytest.param(Grid.regular("flat", pitch_px=60), id="flat"),
    pytest.param(Grid.regular("pointy", pitch_px=200, turned_deg=7), id="pointy, turned"),
    pytest.param(Grid.regular("flat", pitch_px=40, stretch=1.3, turned_deg=90), id="stretched"),
    pytest.param(SLANTING, id="perspective"),
]


@pytest.mark.parametrize("grid", GRIDS)
def test_centres_and_vertices_are_whole_numbers_wherever_they_are_drawn(grid):
    canvas = Canvas(grid)
    for hex_ in disc(Hex(3, -2), 4):
        for place in (hex_, *vertices(hex_)):
            at = LinePoint.at(place)
            x, y = canvas.place(at)
            assert x.denominator == y.denominator == 1
            assert canvas.axial(x, y) == at
            pixel = grid.to_pixel(float(at.q), float(at.r))
            assert canvas.from_pixel(*pixel) == (x, y)
            assert canvas.to_pixel(x, y) == pytest.approx(pixel)


def test_hexes_on_the_canvas_are_regular():
    for orientation in ("flat", "pointy"):
        canvas = Canvas(Grid.regular(orientation, pitch_px=60))
        around = [canvas.place(LinePoint.at(hex_)) for hex_ in disc(ORIGIN, 1)][1:]
        lengths = [math.hypot(x, y) for x, y in around]
        assert lengths == pytest.approx([HEX_UNITS] * 6, rel=3e-7)


@given(st.floats(-3000, 3000), st.floats(-3000, 3000))
def test_registering_moves_a_point_by_no_more_than_it_says(x, y):
    grid = Grid.regular("pointy", pitch_px=90, turned_deg=-3)
    canvas = Canvas(grid)
    there = canvas.to_pixel(*canvas.from_pixel(x, y))
    moved = math.dist(there, (x, y)) * float(canvas.units_per_px((x, y, x, y)))
    assert moved <= float(ROUNDING)


@pytest.mark.parametrize("grid", GRIDS)
def test_no_pixel_spans_more_units_than_told(grid):
    canvas = Canvas(grid)
    dice = random.Random("scale")
    tightest = 0.0
    for _ in range(300):
        q, r = dice.uniform(-4, 4), dice.uniform(-4, 4)
        x, y = grid.to_pixel(q, r)
        across, down = dice.uniform(1, 40), dice.uniform(1, 40)
        told = canvas.units_per_px((x, y, x + across, y + down))
        dx, dy = dice.uniform(0, across), dice.uniform(0, down)
        one, other = canvas.from_pixel(x, y), canvas.from_pixel(x + dx, y + dy)
        units = math.dist(one, other) - 2 * float(ROUNDING)
        assert units <= told * Fraction(math.hypot(dx, dy))
        tightest = max(tightest, units / float(told) / math.hypot(dx, dy))
    assert tightest > 0.9  # and not many more


def test_on_a_regular_grid_the_scale_is_the_pitch():
    scale = Canvas(Grid.regular("flat", pitch_px=60)).units_per_px((0, 0, 9, 9))
    assert float(scale) == pytest.approx(HEX_UNITS / 60, rel=1e-6)
    assert scale * 60 >= HEX_UNITS


@pytest.mark.parametrize("pixel", [(math.nan, 0.0), (math.inf, 3.0), (1e300, 1e300)])
def test_what_is_no_pixel_is_refused(pixel):
    with pytest.raises(DepictionError):
        Canvas(Grid.regular("flat", pitch_px=60)).from_pixel(*pixel)


def test_beyond_the_horizon_lies_nothing():
    canvas = Canvas(SLANTING)
    behind = SLANTING.to_pixel(-400, -100)  # the weight is negative there
    with pytest.raises(DepictionError, match="beyond the horizon"):
        canvas.from_pixel(*behind)
    x, y = SLANTING.to_pixel(0, 0)
    with pytest.raises(DepictionError, match="smaller"):
        canvas.units_per_px((x - 1e5, y - 1e5, x + 1e5, y + 1e5))
