"""The language of comparisons: what reads, what does not, and what each quantity is."""

from fractions import Fraction

import pytest

from mapkit.sight.comparisons import (
    COUNTS,
    HEIGHTS,
    Comparison,
    ComparisonError,
    Situation,
    Spot,
    Standing,
    all_hold,
)

SPOT = Spot(1, 3, 4, (1, 3), Fraction(1, 8), Fraction(3, 8))
VALUES = {
    "level": 2,
    "top": 3,
    "observer": 6,
    "target": 2,
    "higher_end": 6,
    "lower_end": 2,
    "sight_line": 5,
    "sight_line_lowest": Fraction(9, 2),
    "sight_line_middle": 5,
    "dead_zone": Fraction(9, 2),
    "from_observer": 1,
    "from_target": 3,
    "from_higher_end": 1,
    "from_lower_end": 3,
    "distance": 4,
}


def compared(text, observer=6, target=2, level=2):
    standing = Standing(level, None if level is None else level + 1)
    return Comparison.parse(text).compare(standing, Situation(observer, target, SPOT))


@pytest.mark.parametrize("name", [*HEIGHTS, *COUNTS])
def test_what_each_quantity_is(name):
    result = compared(f"{name} = {VALUES[name]}")
    assert result.left == VALUES[name]
    assert result.holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("top > level", True),
        ("level >= top", False),
        ("level < top", True),
        ("top <= level", False),
        ("top != level", True),
        ("level = -1", False),
        ("level > -1", True),
        ("2 = level", True),
    ],
)
def test_the_six_operators_and_numbers(text, holds):
    assert compared(text).holds is holds


def test_with_ends_alike_the_nearer_end_counts():
    assert compared("from_lower_end = 1", observer=2).holds
    assert compared("from_higher_end = 1", observer=2).holds


@pytest.mark.parametrize(
    "text",
    ["", "top", "top >", "top > > 1", "tip > level", "top > from_observer", "1 > 2", "top > 1/0"],
)
def test_what_does_not_read_is_said(text):
    with pytest.raises(ComparisonError, match="compar|quantity"):
        Comparison.parse(text)


@pytest.mark.parametrize("text", [f"{name} > 1" for name in VALUES])
def test_writing_and_mirroring_are_their_own_inverse(text):
    comparison = Comparison.parse(text)
    assert str(comparison) == text
    assert comparison.mirrored().mirrored() == comparison


def test_what_is_unknown_is_neither_true_nor_false():
    unknown = compared("level > 1", level=None)
    assert unknown.holds is None
    assert compared("observer > 1", observer=None).holds is None
    assert compared("higher_end > 1", observer=None).holds is None
    true, false = compared("top > level"), compared("level > top")
    assert all_hold((true, unknown)) is None
    assert all_hold((false, unknown)) is False
    assert all_hold((true, true)) is True
    assert all_hold(()) is True
