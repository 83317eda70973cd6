"""The contrast ratio, held against values that others published, and against its own laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counters.drawing.contrast import BIG, SMALL, contrast, luminance, needed, reads_best

colours = st.integers(0, 0xFFFFFF).map(lambda n: f"#{n:06x}")


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        pytest.param("#000000", "#ffffff", 21.0, id="black on white"),
        pytest.param("#767676", "#ffffff", 4.54, id="the lightest grey that passes on white"),
        pytest.param("#777777", "#ffffff", 4.48, id="the darkest grey that fails"),
        pytest.param("#ff0000", "#ffffff", 4.00, id="red"),
        pytest.param("#0000ff", "#ffffff", 8.59, id="blue"),
        pytest.param("#008000", "#ffffff", 5.14, id="green"),
        pytest.param("#ffff00", "#ffffff", 1.07, id="yellow"),
    ],
)
def test_published_ratios(one, other, ratio):
    assert contrast(one, other) == pytest.approx(ratio, abs=0.005)


@given(colours, colours)
def test_a_ratio_is_the_same_both_ways_and_from_1_to_21(one, other):
    assert contrast(one, other) == contrast(other, one)
    assert 1 <= contrast(one, other) <= 21.0001
    assert contrast(one, one) == 1


@given(colours)
def test_black_or_white_reads_on_every_ground(ground):
    best = reads_best(ground, ("#000000", "#ffffff"))
    assert contrast(best, ground) >= 4.58
    assert 0 <= luminance(ground) <= 1


def test_big_bold_figures_may_be_fainter():
    assert needed(31, bold=True) == BIG
    assert needed(31, bold=False) == SMALL
    assert needed(12, bold=True) == SMALL
