"""Symbols: every one stays in its box, differs from the others, and is found by its names."""

import io
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from PIL import Image

from counters.symbols import (
    HEIGHT,
    WIDTH,
    Box,
    draw_echelon,
    draw_symbol,
    echelons,
    find_echelon,
    find_symbol,
    symbols,
)
from mapkit.drawing.picture import Picture
from mapkit.drawing.raster import rasterise
from mapkit.drawing.svg import Sheet
from mapkit.texts import LANGUAGES, speaking

MARGIN = 20
# These lean on purpose.
LEANING = {
    "armoured_reconnaissance", "cavalry", "flag", "heavy_cavalry", "horse_artillery",
    "mountain_cavalry", "reconnaissance", "signals",
}  # fmt: skip
every_symbol = pytest.mark.parametrize("name", sorted(symbols()))


@cache
def ink(name: str, width: float = WIDTH) -> np.ndarray:
    """Where a symbol leaves ink, with room around its box to see what runs over it."""
    height = width * HEIGHT / WIDTH
    sheet = Sheet(round(width) + 2 * MARGIN, round(height) + 2 * MARGIN)
    draw_symbol(sheet, name, Box(MARGIN, MARGIN, width, height), ink="#000000", fill="#ffffff")
    picture = Picture(sheet.to_text(), round(width) + 2 * MARGIN, round(height) + 2 * MARGIN)
    return np.asarray(Image.open(io.BytesIO(rasterise(picture))))


@every_symbol
def test_its_ink_stays_in_its_box(name):
    alpha = ink(name)[..., 3].copy()
    assert (alpha > 128).sum() > 500
    alpha[MARGIN:-MARGIN, MARGIN:-MARGIN] = 0
    assert alpha.max() == 0


@pytest.mark.parametrize("name", sorted(set(symbols()) - LEANING))
def test_it_stands_in_the_middle_from_left_to_right(name):
    """Optically: the ink within the frame weighs as much on either side."""
    picture = ink(name).astype(float)
    dark = picture[..., 3] * (255 - picture[..., 0])
    across = np.arange(dark.shape[1])
    centre = (dark.sum(axis=0) * across).sum() / dark.sum()
    assert centre == pytest.approx((dark.shape[1] - 1) / 2, abs=4)


def test_no_two_symbols_look_alike_at_32_pixels():
    def small(name):
        picture = ink(name, 32.0).astype(float)
        return picture[..., :3].mean(axis=2) * (picture[..., 3] / 255)

    frames = [name for name, symbol in symbols().items() if symbol.frame]
    for one, other in combinations(frames, 2):
        seen = np.abs(small(one) - small(other))
        assert (seen > 60).sum() >= 6, f"{one} and {other} are too near"


def test_every_name_means_one_symbol():
    told = [(word, name) for name, symbol in symbols().items() for word in (name, *symbol.also)]
    assert len({word for word, _ in told}) == len(told)
    for word, name in told:
        assert find_symbol(word) == name
        assert find_symbol(word.replace("_", " ").upper()) == name


def test_every_echelon_is_found_by_name_and_mark():
    for name, echelon in echelons().items():
        assert find_echelon(name) == name
        assert find_echelon(echelon.mark) == ("division" if name == "group" else name)


@pytest.mark.parametrize("name", sorted(echelons()))
def test_a_mark_fills_its_box_and_no_more(name):
    sheet = Sheet(200, 60)
    draw_echelon(sheet, name, Box(20, 20, 160, 20), ink="#000000")
    alpha = np.asarray(Image.open(io.BytesIO(rasterise(Picture(sheet.to_text(), 200, 60)))))[..., 3]
    rows, columns = np.nonzero(alpha > 60)
    assert rows.min() >= 20
    assert rows.max() < 40
    assert columns.min() + columns.max() == pytest.approx(199, abs=2)
    assert rows.max() - rows.min() >= 14


def test_what_nobody_draws_is_not_found():
    assert find_symbol("wizards") is None
    assert find_echelon("legion") is None
    assert find_symbol("") is None


def test_the_command_lists_and_draws_them(mapkit_cli, tmp_path):
    listed = mapkit_cli("counters", "symbols")
    assert listed.exit_code == 0
    assert "mountain_infantry" in listed.stdout
    told = mapkit_cli("counters", "symbols", "--json")
    assert '"mark": "XXXXX"' in told.stdout
    poster = tmp_path / "poster.png"
    assert mapkit_cli("counters", "symbols", "-o", poster).exit_code == 0
    with Image.open(poster) as image:
        assert image.width > 1000
    again = mapkit_cli("counters", "symbols", "-o", poster)
    assert again.exit_code == 1
    assert "--force" in again.stderr


def test_the_poster_speaks_three_languages():
    from counters.symbols.poster import draw_poster

    posters = set()
    for language in LANGUAGES:
        with speaking(language):
            posters.add(draw_poster().svg)
    assert len(posters) == 3
