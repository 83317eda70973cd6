from itertools import pairwise

import numpy as np
import pytest
from shapely import LineString, Point

from mapkit.grid import Grid
from mapkit.hexes import Hex, Hexside
from mapkit.scan.line_traces import Trace, joined, trace
from mapkit.scan.sheet import FlatSheet
from tests.mapkit.scan.printed import hexes_within

GRID = Grid.regular("pointy", pitch_px=44, first_px=(60, 60))
SHEET = FlatSheet(np.zeros((300, 400, 3), np.uint8), GRID, tuple(hexes_within(GRID, 6, 5)))
STRAIGHT = np.zeros(31, np.int8)


def road(a: Hex, b: Hex, places=STRAIGHT, kind: str = "road", sure: float = 0.9) -> Trace:
    side = Hexside.between(a, b)
    return trace(SHEET, side, places, kind=kind, family="way", crosses=True, confidence=sure)


def test_a_way_over_a_hexside_runs_from_hex_to_hex():
    one = road(Hex(0, 0), Hex(1, 0))
    assert one.points[0] == pytest.approx((60 + 7, 60))
    assert one.points[-1] == pytest.approx((60 + 37, 60))
    assert one.ends == (Hex(0, 0), Hex(1, 0))
    aside = road(Hex(0, 0), Hex(1, 0), np.full(31, 4, np.int8))
    assert np.abs(aside.points[:, 1] - 60).tolist() == pytest.approx([4.0] * 31)


def test_a_way_along_a_hexside_ends_at_its_vertices():
    side = Hexside.between(Hex(0, 0), Hex(1, 0))
    along = trace(
        SHEET, side, np.zeros(25, np.int8),
        kind="river", family="water", crosses=False, confidence=0.8,
    )  # fmt: skip
    assert along.points[:, 0] == pytest.approx(np.full(25, 82))
    for place, point in zip(along.ends, along.points[[0, -1]], strict=True):
        corner = np.mean([GRID.centre(hex_) for hex_ in place], axis=0)
        assert np.linalg.norm(corner - point) < 15


def test_what_goes_on_is_one_line_and_branches_meet():
    chain = [Hex(0, 0), Hex(1, 0), Hex(2, 0), Hex(3, 0)]
    traces = [road(a, b) for a, b in pairwise(chain)]
    [line] = joined(traces, 44.0)
    assert line.kind == "road"
    assert line.form == "line"
    assert line.provenance.confidence == 0.9
    assert len(line.rings[0]) == 2  # straight: no more points than that
    branch = road(Hex(1, 0), Hex(0, 1), kind="trail", sure=0.6)
    lines = joined([*traces, branch], 44.0)
    assert sorted(shape.kind for shape in lines) == ["road", "road", "trail"]
    drawn = [LineString(shape.rings[0]) for shape in lines]
    assert all(one.distance(other) < 0.2 for one in drawn for other in drawn)


def test_a_ring_is_closed():
    around = [Hex(1, 0), Hex(0, 1), Hex(1, 1)]
    traces = [road(around[i], around[(i + 1) % 3]) for i in range(3)]
    [ring] = joined(traces, 44.0)
    assert ring.rings[0][0] == ring.rings[0][-1]
    line = LineString(ring.rings[0])
    assert all(line.distance(Point(GRID.centre(hex_))) < 20 for hex_ in around)
