"""Fields: noise that repeats, paths, and calm ground at the centres."""

import numpy as np
import pytest

from mapkit.numbering import Numbering
from sample_maps import fields, terrain
from sample_maps.land import Land

LAND = Land.of(Numbering(straight="columns"), 6, 5)


def test_noise_repeats_with_its_seed_and_changes_with_it():
    one, again, other = (fields.noise(LAND.x, LAND.y, seed) for seed in (3, 3, 4))
    assert (one == again).all()
    assert (one != other).any()
    assert np.abs(one).max() <= 1.4


def test_noise_is_nought_at_its_lattice_points():
    x, y = np.meshgrid(np.arange(4.0), np.arange(4.0))
    assert (fields.noise(x, y, 1) == 0).all()


def test_a_path_knows_its_distance_and_its_value():
    x, y = np.array([[0.0, 5.0, 12.0]]), np.array([[3.0, 4.0, 0.0]])
    away, value = fields.along(x, y, [(0.0, 0.0), (5.0, 0.0), (10.0, 0.0)], (1.0, 3.0))
    assert away.tolist() == [[3.0, 4.0, 2.0]]
    assert value.tolist() == [[1.0, 2.0, 3.0]]


def test_a_ramp_is_flat_at_both_ends():
    assert fields.ramp(np.array([0.0, 1.0, 1.5, 2.0, 3.0]), 1, 2).tolist() == [0, 0, 0.5, 1, 1]


def test_levels_are_beyond_dispute_at_every_centre():
    height = 1 + LAND.x * 0.77 + 0.3 * fields.noise(LAND.x, LAND.y, 5)
    levels = fields.levels_at_centres(LAND, height, lowest=1, highest=5)
    assert set(levels.values()) == {1, 2, 3, 4}
    after = LAND.at_centres(fields.calm_levels(LAND, height, levels))
    for hex_, level in levels.items():
        assert level + 0.1 <= after[hex_] or level == 1
        assert after[hex_] <= level + 0.9 or level == 4


@pytest.mark.parametrize("seed", range(4))
def test_edges_keep_to_the_side_they_are_told(seed):
    area = fields.noise(LAND.x / 2, LAND.y / 2, seed)
    wanted = set(LAND.hexes[::3])
    assert fields.inside_at_centres(LAND, fields.calm_edges(LAND, area, wanted)) == wanted


def test_the_raster_knows_which_hex_covers_each_point():
    index, away = LAND.cover
    for j in range(0, len(LAND.ys), 7):
        for i in range(0, len(LAND.xs), 7):
            hex_ = LAND.grid.hex_at(LAND.xs[i], LAND.ys[j])
            if away[j, i] < 0.5:
                assert (LAND.hexes[index[j, i]] if index[j, i] >= 0 else None) == (
                    hex_ if hex_ in LAND.hex_set else None
                )


def test_a_slope_is_measured_in_levels_per_hex():
    steep = terrain.slope(LAND, 3 * LAND.x + 4 * LAND.y)
    assert steep == pytest.approx(np.full_like(steep, 5))


def test_a_valley_is_as_low_as_its_floor():
    top = np.full_like(LAND.x, 6.0)
    valley = terrain.Valley("0103 0603", (2.0, 1.0))
    cut = terrain.valleys_cut(LAND, top, LAND.x, LAND.y, [valley])
    assert cut.min() == pytest.approx(1.0)
    assert cut.max() <= 6.0
