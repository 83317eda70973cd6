"""Pictures opened: one limit for the whole process, whoever opened one before."""

import warnings

import pytest
from PIL import Image

from mapkit.pictures import MOST_PX, opened_picture


def head(width, height):
    """Return the first line of a picture, which says how big it is; its pixels are missing."""
    return f"P6 {width} {height} 255\n".encode()


@pytest.fixture
def low_limit(monkeypatch):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 1000)


@pytest.mark.usefixtures("low_limit")
@pytest.mark.parametrize("side", [30, 40, 15_000])
def test_a_picture_that_pillow_would_call_a_bomb_opens_without_a_warning(side):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with opened_picture(head(side, side)) as image:
            assert image.size == (side, side)


@pytest.mark.usefixtures("low_limit")
def test_more_than_the_biggest_sheet_is_refused_before_a_pixel_is_read():
    width = MOST_PX // 10_000 + 1
    with pytest.raises(Image.DecompressionBombError), opened_picture(head(width, 10_000)):
        pass
