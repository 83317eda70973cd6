"""The best way for a line through a patch."""

import numpy as np

from mapkit.scan.line_paths import across, along
from mapkit.scan.side_patches import U, V


def _patch() -> np.ndarray:
    return np.full((1, 2 * V + 1, 2 * U + 1), 0.05, np.float32)


def test_a_wavy_river_is_followed_along_the_hexside() -> None:
    field = _patch()
    wave = [round(4 * np.sin(u / 6)) for u in range(-U, U + 1)]
    for column, off in enumerate(wave):
        field[0, V + off, column] = 1.0
    paths = along(field)
    assert paths.met.mean() > 0.95
    assert paths.places[0].tolist() == wave[U - 12 : U + 13]


def test_a_slanting_road_is_followed_across_the_hexside() -> None:
    field = _patch()
    for row in range(2 * V + 1):
        field[0, row, U + (row - V) // 2] = 1.0
    paths = across(field)
    assert paths.met.mean() > 0.95
    assert paths.places[0, -1] > 5 > -5 > paths.places[0, 0]


def test_a_line_that_only_runs_along_does_not_lead_across() -> None:
    field = _patch()
    field[0, V - 1 : V + 2] = 1.0
    assert along(field).met.mean() > 0.95
    assert across(field).met.mean() < 0.25
