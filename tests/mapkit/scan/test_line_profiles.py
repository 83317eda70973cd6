"""Lines laid straight along their way: what they look like across, and what repeats along."""

import numpy as np
import pytest

from mapkit.scan.line_profiles import HALF, mean_form, profiles, straightened
from mapkit.scan.side_patches import U, V

pytest.importorskip("cv2")

GROUND, INK = 200, 40


def _patches(count: int = 1) -> np.ndarray:
    return np.full((count, 2 * V + 1, 2 * U + 1, 3), GROUND, np.uint8)


def _wave() -> np.ndarray:
    return np.array([[round(4 * np.sin(u / 7)) for u in range(-12, 13)]], np.int8)


def _dashed(period: int, start: int) -> np.ndarray:
    patches = _patches()
    for u in range(-U, U + 1):
        if (u + start) % period < period / 2:
            patches[0, V, U + u] = INK
    return patches


def test_a_wavy_line_lies_straight() -> None:
    patches, wave = _patches(), _wave()
    for u, off in zip(range(-12, 13), wave[0], strict=True):
        patches[0, V + off - 1 : V + off + 2, U + u] = INK
    laid = straightened(patches, wave, crosswise=False)[0, 2:-2, :, 0]
    assert laid[:, HALF].max() < 100
    assert laid[:, [0, 1, -2, -1]].min() > 190


def test_a_way_across_is_laid_straight_as_well() -> None:
    patches = _patches()
    patches[0, :, U + 3] = INK
    laid = straightened(patches, np.full((1, 31), 3, np.int8), crosswise=True)[0, :, :, 0]
    assert laid[:, HALF].max() == INK
    assert laid[:, HALF + 3].min() == GROUND


def test_where_a_dash_begins_does_not_matter_but_how_long_it_is_does() -> None:
    way = np.zeros((1, 25), np.int8)
    forms = {
        (period, start): mean_form(profiles(_dashed(period, start), way, crosswise=False))
        for period, start in ((6, 0), (6, 3), (10, 0))
    }
    same = np.linalg.norm(forms[6, 0] - forms[6, 3])
    other = np.linalg.norm(forms[6, 0] - forms[10, 0])
    assert other > 2 * same


def test_no_patch_looks_into_the_next() -> None:
    patches = _patches(2)
    patches[1] = INK
    edge = np.full((2, 25), -V, np.int8)
    laid = straightened(patches, edge, crosswise=False)
    assert (laid[0] == GROUND).all()
    assert (laid[1] == INK).all()


def test_no_patches_tell_nothing_and_that_is_no_error() -> None:
    one = profiles(_patches(), np.zeros((1, 25), np.int8), crosswise=False)
    none = profiles(_patches(0), np.zeros((0, 25), np.int8), crosswise=False)
    assert none.shape == (0, one.shape[1])
