"""Words in their places: they fit, or they are shortened and it is told."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counters.drawing.lettering import CAP, LEADING, figure, fit, in_font, known
from mapkit.drawing.outlines import advance, has_letter

names = st.text(
    st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzäöüìčő0123456789 /.-"),
    min_size=1,
    max_size=60,
).filter(str.strip)


@given(names, st.floats(8, 95), st.floats(6, 40), st.integers(1, 3))
def test_a_text_never_leaves_its_place(words, width, height, lines):
    plain, _ = in_font(words, "bold")
    fitted = fit(plain, width, height, size=16, least=4, lines=lines, face="bold")
    assert len(fitted.lines) <= lines
    if fitted.size > 2:  # else nothing at all would fit
        for line in fitted.lines:
            assert advance(line, fitted.size) <= width + 0.01
        assert fitted.size * (CAP + LEADING * (len(fitted.lines) - 1)) <= height + 0.01


@given(names)
def test_what_fits_is_not_changed(words):
    plain, _ = in_font(words, "bold")
    fitted = fit(plain, 1000, 100, size=10, least=8, lines=1, face="bold")
    assert not fitted.shortened
    assert fitted.lines == (plain,)
    assert fitted.size == 10


@pytest.mark.parametrize(
    ("words", "width", "lines"),
    [
        ("Com. Ferdinando di Savoia", 90, ("Com. Ferdinando di Savoia",)),
        ("Conrad mountain brigade 4", 60, ("Con. moun. brig. 4",)),
        ("Donaudampfschifffahrtsgesellschaft", 40, ("Donaudam.",)),
        ("Iiiiiiiiiiiiiiii 5", 16, ("Iiii. 5",)),
    ],
)
def test_long_names_lose_the_letters_of_their_longest_words(words, width, lines):
    fitted = fit(words, width, 11, size=13, least=7.6, lines=1, face="bold")
    assert fitted.lines == lines
    assert fitted.shortened == (lines != (words,))
    assert fitted.size >= 7.6


def test_a_word_that_cannot_be_shortened_enough_ends_in_dots():
    fitted = fit("WWW WWW WWW WWW", 20, 11, size=13, least=8, lines=1, face="bold")
    assert fitted.shortened
    assert fitted.lines[0].endswith("…")
    assert advance(fitted.lines[0], fitted.size) <= 20


def test_a_text_without_end_is_cut_and_told():
    fitted = fit("a " * 5000, 90, 30, size=13, least=1, lines=2, face="bold")
    assert fitted.shortened
    assert len(" ".join(fitted.lines)) <= 80


def test_two_lines_are_broken_where_letters_get_biggest():
    fitted = fit("Brigade Falkenstein", 50, 30, size=20, least=8, lines=2, face="bold")
    assert fitted.lines == ("Brigade", "Falkenstein")


def test_letters_no_font_of_ours_has_are_told():
    assert in_font("Ωmega\x00\tΩ", "bold") == ("?mega ?", "Ω")
    assert has_letter("…")


@pytest.mark.parametrize(
    ("value", "printed"),
    [(0, "0"), (12, "12"), (-2, "−2"), (Fraction(1, 2), "½"), (Fraction(7, 4), "1¾"),
     (Fraction(2, 3), "2/3"), (Fraction(-1, 2), "−½")],
)  # fmt: skip
def test_values_are_written_as_they_are_printed(value, printed):
    assert figure(value) == printed


def test_what_the_counter_says_goes_before_what_the_rules_fix():
    assert known(3, 0) == "3"
    assert known(0, 4) == "0"
    assert known(None, 4) == "4"
    assert known(None, None) == ""
