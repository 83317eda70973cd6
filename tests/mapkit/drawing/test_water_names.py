"""The names of rivers: one gentle bow, clear of the water, long enough for the letters."""

import math
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from mapkit.drawing.water_names import _beside


def sharpest_turn_deg(line):
    directions = [math.atan2(y1 - y0, x1 - x0) for (x0, y0), (x1, y1) in pairwise(line)]
    return max(math.degrees(abs(b - a)) for a, b in pairwise(directions))


heights = st.lists(st.floats(-12, 12), min_size=12, max_size=40)


@given(heights, st.sampled_from([8.0, -14.0]), st.floats(0.8, 1.5))
def test_a_name_beside_a_winding_river(heights, off, share):
    river = [(10.0 * index, 100 + height) for index, height in enumerate(heights)]
    width = share * math.dist(river[0], river[-1])
    line = _beside(river, off, width)
    assert sharpest_turn_deg(line) < 6, "letters would lean into each other"
    length = sum(math.dist(a, b) for a, b in pairwise(line))
    assert length >= width - 1e-6
    for x, y in river:
        _, beside = min((abs(x - lx), ly) for lx, ly in line)
        assert (beside < y) == (off > 0)


def test_a_name_bows_no_more_than_letters_bear():
    turns = [math.pi * (1 - index / 20) for index in range(21)]
    river = [(100 * math.cos(turn), -100 * math.sin(turn)) for turn in turns]
    assert sharpest_turn_deg(_beside(river, 8.0, 200.0)) < 3
