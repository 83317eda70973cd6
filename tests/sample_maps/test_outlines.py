"""Outlines: what marching squares finds is what shapely would."""

import numpy as np
import pytest
import shapely
from shapely import Polygon

from mapkit.numbering import Numbering
from sample_maps.fields import fractal, near
from sample_maps.land import Land
from sample_maps.outlines import outlines, thinned, without_scraps
from sample_maps.tangles import tangled

LAND = Land.of(Numbering(straight="rows"), 8, 7)


def whole_frame():
    left, top, right, bottom = LAND.frame
    return shapely.box(left, top, right, bottom)


def test_a_disc_is_round():
    (rings,) = outlines(LAND, 2.0 - near(LAND, [(4.0, 3.0)]))
    polygon = Polygon(rings[0])
    assert polygon.area == pytest.approx(np.pi * 128**2, rel=0.01)
    assert len(rings) == 1


def test_a_ring_has_a_hole():
    away = near(LAND, [(4.0, 3.0)])
    (rings,) = outlines(LAND, np.minimum(2.0 - away, away - 1.0))
    assert len(rings) == 2
    assert Polygon(rings[0], rings[1:]).area == pytest.approx(np.pi * (128**2 - 64**2), rel=0.01)


def test_ground_at_the_frame_is_closed_along_it():
    (rings,) = outlines(LAND, np.ones_like(LAND.x))
    assert Polygon(rings[0]).equals(whole_frame())


@pytest.mark.parametrize("seed", range(6))
def test_ground_and_its_opposite_make_the_whole(seed):
    field = fractal(LAND.x, LAND.y, seed, wave=2.0, octaves=5)
    sides = [
        [Polygon(rings[0], rings[1:]) for rings in outlines(LAND, sign * field, smallest_px=60.0)]
        for sign in (1, -1)
    ]
    assert all(polygon.is_valid for side in sides for polygon in side)
    high, low = (shapely.union_all(side) for side in sides)
    assert high.area + low.area == pytest.approx(whole_frame().area, rel=0.002)
    assert high.intersection(low).area < 0.005 * whole_frame().area


def test_what_is_too_small_to_be_drawn_leaves_no_hole():
    patch, scrap = near(LAND, [(3.0, 3.0)]), near(LAND, [(6.0, 3.0)])
    field = np.maximum(0.5 - patch, 0.12 - scrap)
    kept = without_scraps(LAND, field)
    assert (kept[patch < 0.4] == field[patch < 0.4]).all()
    assert field[scrap < 0.08].min() > 0 > kept[scrap < 0.3].max()
    assert outlines(LAND, kept) == outlines(LAND, field)


def test_thinning_stays_within_its_tolerance():
    line = [(float(x), float(x * x % 7)) for x in range(60)]
    thin = thinned(line, tolerance=2.0)
    assert len(thin) < len(line)
    assert shapely.hausdorff_distance(shapely.LineString(line), shapely.LineString(thin)) <= 7
    assert all(shapely.LineString(thin).distance(shapely.Point(p)) <= 2.5 for p in line)


def test_sides_that_cross_or_touch_are_found():
    square = [(0.0, 0.0), (8.0, 0.0), (8.0, 8.0), (0.0, 8.0), (0.0, 0.0)]
    assert tangled([square]) == []
    touching = [(8.0, 2.0), (12.0, 2.0), (12.0, 4.0), (8.0, 2.0)]
    assert (8.0, 4.0) in tangled([square, touching])
