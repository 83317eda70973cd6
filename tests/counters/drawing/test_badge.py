"""Badges and chips: letters that read on their ground, and stay inside."""

import io

import numpy as np
import pytest
from PIL import Image

from counters.drawing.badge import BADGE_GROUNDS, BADGE_PX, draw_arrow, draw_badge, draw_chip
from counters.drawing.contrast import SMALL, contrast
from counters.symbols import find_symbol
from mapkit.drawing.raster import rasterise


def pixels(picture):
    image = Image.open(io.BytesIO(rasterise(picture))).convert("RGBA")
    return np.asarray(image, dtype=int)


@pytest.mark.parametrize("ground", BADGE_GROUNDS)
def test_white_letters_read_on_every_ground(ground):
    assert contrast("#ffffff", ground) >= SMALL


def test_grounds_are_told_apart():
    assert len(set(BADGE_GROUNDS)) == len(BADGE_GROUNDS)


@pytest.mark.parametrize("words", ["A", "x", "!", "Q", "D12", "O1", "-3", "Ω", "", " "])
@pytest.mark.parametrize("wide", [False, True])
def test_letters_are_big_and_stay_inside(words, wide):
    shown = pixels(draw_badge(words, "#000000", wide=wide))
    height, width = shown.shape[:2]
    assert (height, width == BADGE_PX) == (BADGE_PX, not wide)
    rim = 12
    inner = shown[rim:-rim, rim:-rim, :3].min(axis=2) > 200
    edge = np.concatenate([inner[0], inner[-1], inner[:, 0], inner[:, -1]])
    if wide:
        assert not edge.any()
    rows = np.flatnonzero(inner[:, 20:-20].any(axis=1))
    if words in ("A", "Q", "!"):
        assert rows[-1] - rows[0] >= 50


def test_a_word_the_font_lacks_is_a_question_mark():
    assert draw_badge("Ω", "#000000").svg == draw_badge("?", "#000000").svg


def test_a_chip_shows_its_symbol_or_its_sign():
    trench = draw_chip("T", "#a9c184", "#1a1a1a", symbol=find_symbol("trench"))
    letter = draw_chip("T", "#a9c184", "#1a1a1a")
    assert trench.svg != letter.svg
    for picture in (trench, letter):
        assert (pixels(picture)[BADGE_PX // 2, 12:-12, :3] < 60).all(axis=1).any()


def test_what_lies_outside_the_shape_is_clear():
    assert pixels(draw_badge("A", BADGE_GROUNDS[0]))[0, 0, 3] == 0
    assert pixels(draw_arrow("#000000"))[5, 5, 3] == 0
