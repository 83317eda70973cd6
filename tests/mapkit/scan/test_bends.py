import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.scan.bends import fit_bend
from mapkit.scan.homographies import fit_homography, project


@given(
    st.lists(st.floats(-0.2, 0.2), min_size=4, max_size=4),
    st.lists(st.floats(-2e-4, 2e-4), min_size=2, max_size=2),
    st.integers(0, 1000),
)
def test_a_homography_is_found_among_strays(turn, slant, seed):
    dice = np.random.default_rng(seed)
    matrix = np.array([[40 + turn[0], turn[1], 300], [turn[2], 40 + turn[3], 200], [*slant, 1.0]])
    points = dice.uniform(-8, 8, (60, 2))
    images = project(matrix, points)
    images[:12] += dice.uniform(30, 60, (12, 2))
    found = fit_homography(points, images, np.ones(60), spread_px=0.5)
    assert np.abs(project(found, points) - project(matrix, points)).max() < 0.5


@pytest.mark.parametrize("bulge", [0.0, 4.0, -9.0])
def test_a_bulge_is_followed_and_a_stray_is_not(bulge):
    y, x = np.mgrid[20:700:30, 20:900:30].astype(float)
    straight = np.stack([x.ravel(), y.ravel()], axis=1)
    from_middle = (straight - (450, 350)) / 450
    far = (from_middle**2).sum(axis=1, keepdims=True)
    seen = straight + bulge * from_middle * far
    strays = seen.copy()
    strays[200] += (20, -20)
    bend = fit_bend(straight, strays, np.ones(len(straight)), size=(900, 720), pitch_px=30)
    assert np.abs(straight + bend.at(straight) - seen).max() < 0.6


def test_a_kink_is_followed():
    y, x = np.mgrid[20:700:30, 20:900:30].astype(float)
    straight = np.stack([x.ravel(), y.ravel()], axis=1)
    kink = np.maximum(0, 4 - np.abs(straight[:, 0] - 400) / 40)
    seen = straight + np.stack([kink, 0 * kink], axis=1)
    bend = fit_bend(straight, seen, np.ones(len(straight)), size=(900, 720), pitch_px=30)
    assert np.abs(straight + bend.at(straight) - seen).max() < 2.0  # of four
