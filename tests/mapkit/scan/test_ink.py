import numpy as np
import pytest

from mapkit.scan.ink import halve


def place_of_the_dot(picture: np.ndarray) -> np.ndarray:
    """Return its centre of mass, from the corner of the first pixel."""
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]] + 0.5
    return np.array([(x * picture).sum(), (y * picture).sum()]) / picture.sum()


@pytest.mark.parametrize("size", [(240, 320), (241, 321), (243, 322)])
@pytest.mark.parametrize("corner", [(4, 7), (130, 201), (237, 317)])
def test_all_lies_at_half_its_place_when_halved(size, corner):
    sheet = np.zeros(size, np.float32)
    sheet[corner[0] : corner[0] + 2, corner[1] : corner[1] + 2] = 100
    assert place_of_the_dot(halve(sheet)) == pytest.approx(place_of_the_dot(sheet) / 2, abs=1e-3)
