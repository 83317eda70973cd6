"""What was read comes apart into the numbers it may stand for."""

import pytest

from mapkit.scan.numbers_form import FORMS, Form, Part, is_near, may_be_label, skeleton

PLAIN = Form(Part(2), Part(2))
BOARD = Form(Part(letters="AA BB"), Part())
PARTED = Form(Part(), Part(), parted=True)


@pytest.mark.parametrize(
    ("form", "text", "pairs"),
    [
        (PLAIN, "0305", {(3, 5)}),
        (PLAIN, "O3o5", {(3, 5)}),
        (PLAIN, "305", set()),
        (BOARD, "A12", {(1, 12)}),
        (BOARD, "BB7", {(28, 7), (2, 87)}),  # B87, misread
        (BOARD, "AB7", {(1, 87)}),  # no letter is doubled: the B may be an 8
        (BOARD, "15", {(9, 5), (12, 5)}),  # I5 or L5
        (PARTED, "12.07", {(12, 7)}),
        (PARTED, "1.05", {(1, 5)}),
        (PARTED, "105", {(1, 5), (10, 5)}),  # the sign was lost
    ],
)
def test_pairs(form, text, pairs):
    assert form.pairs(text) == pairs


@pytest.mark.parametrize("text", ["0101", "A1", "GG10", "12.07", "7:03", "101", "10C", "120340"])
def test_labels_of_many_kinds_may_be_labels(text):
    assert may_be_label(text)


@pytest.mark.parametrize("text", ["", "4", "Sibret", "1234567", "A", "ABCD12"])
def test_names_and_single_signs_are_no_labels(text):
    assert not may_be_label(text)


def test_no_form_stands_twice():
    assert len(set(FORMS)) == len(FORMS)


def test_signs_that_look_alike_have_one_skeleton():
    assert skeleton("I0.S") == skeleton("l0 5") == "105"


@pytest.mark.parametrize("text", ["0206", "025", "02055", "020S5"])
def test_one_sign_misread_lost_or_added_is_near(text):
    assert is_near(text, "0205")


@pytest.mark.parametrize("text", ["0205", "0216", "05", ""])
def test_the_same_and_the_far_are_not_near(text):
    assert not is_near(text, "0205")
