"""Letters as outlines, held against two others who read the same font: Pillow and the renderer."""

import io
import re

import numpy as np
import pytest
import resvg_py
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from mapkit.drawing.fonts import font_folder, text_width
from mapkit.drawing.outlines import advance, has_letter, ink_box, outline
from mapkit.drawing.style import Letters

FACES = {
    "regular": Letters(size=1, colour="#000000"),
    "bold": Letters(size=1, colour="#000000", bold=True),
    "italic": Letters(size=1, colour="#000000", italic=True),
}
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-/.,&+½äöüÄÖÜßìòè'–"
every_face = pytest.mark.parametrize("face", sorted(FACES))


def rendered(body: str) -> np.ndarray:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="700" height="120">{body}</svg>'
    data = resvg_py.svg_to_bytes(
        svg_string=svg,
        background="#ffffff",
        skip_system_fonts=True,
        font_dirs=[str(font_folder())],
    )
    return np.asarray(Image.open(io.BytesIO(bytes(data))).convert("L"), dtype=int)


@every_face
@pytest.mark.parametrize("words", ["Bersaglieri", "0123456789", "Größe ½ & Kaiserjäger"])
def test_an_outline_is_what_the_renderer_draws_with_the_font(face, words):
    letters = FACES[face]
    attributes = f'font-weight="{700 if letters.bold else 400}"'
    attributes += ' font-style="italic"' if letters.italic else ""
    as_text = "".join(
        f'<text x="{20 + advance(words[:i], 48, face):.2f}" y="70" font-family="Cabin" '
        f'font-size="48" {attributes}>{letter.replace("&", "&amp;")}</text>'
        for i, letter in enumerate(words)
        if letter != " "
    )
    theirs = rendered(as_text)
    ours = rendered(f'<path d="{outline(words, 20, 70, 48, face).d}"/>')
    assert (theirs < 128).sum() > 500
    assert np.abs(theirs - ours).mean() < 0.15
    assert (np.abs(theirs - ours) > 100).sum() == 0


@given(st.text(LETTERS, max_size=30), st.sampled_from(sorted(FACES)))
def test_words_are_as_wide_as_pillow_measures_them(words, face):
    assert advance(words, 100, face) == pytest.approx(
        text_width(words, FACES[face], 100), abs=0.3 * len(words) + 0.01
    )


@given(st.text(LETTERS, min_size=1, max_size=12), st.floats(5, 60))
def test_the_path_stays_in_its_ink_box(words, size):
    drawn = outline(words, 10, 20, size)
    numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", drawn.d)]
    left, top, right, bottom = drawn.ink
    for x, y in zip(numbers[::2], numbers[1::2], strict=True):
        assert left - 0.01 <= x <= right + 0.01
        assert top - 0.01 <= y <= bottom + 0.01


@every_face
@pytest.mark.parametrize("letter", "őűŐčČšžřŽćńÉùÀîçñåØ")
def test_letters_of_the_armies_of_that_front_are_there(face, letter):
    assert has_letter(letter, face)
    assert outline(letter, 0, 0, 50, face).d != outline("?", 0, 0, 50, face).d


def test_an_accent_stands_above_its_letter():
    plain, accented = ink_box("c", 100), ink_box("č", 100)
    assert accented[1] < plain[1] - 5
    assert accented[3] == pytest.approx(plain[3])


def test_no_words_leave_no_ink():
    assert outline("", 5, 5, 20).d == ""
    assert ink_box(" ", 20) == (0, 0, 0, 0)
