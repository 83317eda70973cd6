"""Columns by ratio and by factors, shifts past the edge, and what is known without the card."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.combat.columns import Between, find_column, shifted
from rules.registry import find_pack
from rules.schema.ratios import ratio_of
from rules.schema.tables import Table
from tests.rules.combat.invented import COLUMNS, ratio_table

PRINTED = sorted(
    ["1:4", "1:3", "1:2", "1:1.75", "1:1.5", "1:1", "1.5:1", "2:1", "2.5:1", "3:1", "3.5:1", "5:1"],
    key=ratio_of,
)
FAR = 60
columns = st.lists(st.sampled_from(PRINTED), min_size=1, unique=True).map(
    lambda names: tuple(sorted(names, key=ratio_of))
)
strengths = st.integers(1, 40)


def whole_ladder(names):
    """Every column with those past the ends written out: the slow way, by what the rule says."""
    low, high = ratio_of(names[0]), ratio_of(names[-1])
    below = [f"1:{m}" for m in range(FAR, 0, -1) if Fraction(1, m) < low]
    above = [f"{k}:1" for k in range(1, FAR) if k > high]
    return [*below, *names, *above]


@given(columns, strengths, strengths, st.integers(-9, 9))
def test_columns_and_shifts_agree_with_the_ladder_written_out(names, attack, defend, by):
    ladder = whole_ladder(names)
    ratio = Fraction(attack, defend)
    at = max(index for index, name in enumerate(ladder) if ratio_of(name) <= ratio)
    found = find_column(ratio_table(names), ratio)
    assert found.name == ladder[at]
    there = shifted(ratio_table(names), found, by)
    assert there.name == ladder[at + by]
    assert (there.side == "inside") == (there.name in names)


@given(columns, strengths, strengths)
def test_rounding_down_favours_the_defender_and_up_the_attacker(names, attack, defend):
    ratio = Fraction(attack, defend)
    ladder = whole_ladder(names)
    down = find_column(ratio_table(names), ratio)
    up = find_column(ratio_table(names, rounding="up"), ratio)
    assert up.name == next(name for name in ladder if ratio_of(name) >= ratio)
    near = find_column(ratio_table(names, rounding="nearest"), ratio)
    assert down.index <= near.index <= up.index
    if up.side == down.side == "inside":
        assert ratio_of(down.name) <= ratio
        assert up.index - down.index in (0, 1)


@given(columns, st.data())
def test_what_is_known_without_the_card_never_contradicts_the_card(names, data):
    """Whatever columns the card turns out to have between: a certain answer stays the answer."""
    kept = data.draw(st.sets(st.sampled_from(names)))
    known = tuple(name for name in names if name in kept | {names[0], names[-1]})
    blind = ratio_table(None, known={"columns": known, "cite": "1.0"})
    full = ratio_table(names, known={"columns": known, "cite": "1.0"})
    ratio = Fraction(data.draw(strengths), data.draw(strengths))
    by = data.draw(st.integers(-9, 9))
    guess, truth = find_column(blind, ratio), find_column(full, ratio)
    if isinstance(guess, Between):
        assert ratio_of(guess.low) <= ratio < ratio_of(guess.high)
        assert ratio_of(guess.low) <= ratio_of(truth.name) < ratio_of(guess.high)
        return
    if guess.name == names[-1] or ratio_of(guess.name) == ratio or guess.side != "inside":
        assert guess.name == truth.name
    there = shifted(blind, guess, by)
    if there.known and guess.name == truth.name:
        assert there.name == shifted(full, truth, by).name


@pytest.mark.parametrize("game", ["strafexpedition", "caporetto-1917"])
@pytest.mark.parametrize(
    ("attack", "defend", "by", "name", "side"),
    [
        pytest.param(11, 3, 0, "3.5:1", "inside", id="the rulebook's 11:3"),
        pytest.param(3, 5, 0, "1:1.75", "inside", id="the rulebook's 3:5"),
        pytest.param(7, 1, -1, "6:1", "above", id="7:1 one to the left"),
        pytest.param(1, 4, 1, "1:3", "below", id="1:4 one to the right"),
        pytest.param(7, 1, -2, "5:1", "inside", id="back on the table"),
        pytest.param(1, 2, -1, "1:3", "below", id="off the lower end"),
        pytest.param(2, 5, 0, "1:3", "below", id="a little less than 1:2"),
        pytest.param(7, 1, -3, None, "unread", id="one left of 5:1: the card knows"),
    ],
)
def test_what_the_text_settles_is_certain(game, attack, defend, by, name, side):
    table = find_pack(game).tables["assault"]
    column = shifted(table, find_column(table, Fraction(attack, defend)), by)
    assert (column.name, column.side) == (name, side)


def test_between_two_known_columns_only_the_card_tells():
    table = find_pack("strafexpedition").tables["assault"]
    assert find_column(table, Fraction(4, 1)) == Between("3.5:1", "5:1")
    assert find_column(table, Fraction(1, 1)) == Between("1:1.75", "3.5:1")


@pytest.mark.parametrize(
    ("total", "name"), [(1, "1-3"), (3, "1-3"), (4, "4-6"), (10, "7-10"), (99, "11+")]
)
def test_factors_fall_into_their_column(total, name):
    table = ratio_table(("1-3", "4-6", "7-10", "11+"), kind="factors", beyond="nothing")
    assert find_column(table, Fraction(total)).name == name


def test_factors_below_the_first_column_may_be_shifted_onto_the_table():
    table = ratio_table(("1-3", "4-6"), kind="factors", beyond="nothing")
    nothing = find_column(table, Fraction(0))
    assert (nothing.side, nothing.name) == ("below", None)
    assert shifted(table, nothing, 1).name == "1-3"


def test_an_open_last_column_takes_everything():
    table = ratio_table(("1:1", "2:1", "7:1+"))
    assert find_column(table, Fraction(30)).name == "7:1+"
    assert shifted(table, find_column(table, Fraction(30)), -1).name == "2:1"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"columns": ("2:1", "1:1")}, "'1:1' stands after '2:1', but is no higher"),
        ({"columns": ("1:1", "soon")}, "'soon' is no ratio"),
        ({"rows": {"1-6": ("-",)}}, "1 cells, but the table has 6 columns"),
        ({"rows": {"1-5": ("-",) * 6}}, "no row for a roll of 6"),
        ({"rows": {"1-4": ("-",) * 6, "4-6": ("-",) * 6}}, "'1-4' and '4-6' hold the same roll"),
        ({"columns": None, "rows": {"1-6": ("-",)}}, "rows but no columns"),
        ({"die": "d7x"}, "no dice"),
        ({"known": {"columns": ("1:2", "6:1"), "cite": "1.0"}}, "compare them with the card"),
        ({"zero_defender": {"column": "9:1", "cite": "1.0"}}, "there is no '9:1'"),
        ({"shifts": {"x": {"title": "x", "group": "y", "cite": "1.0"}}}, "no group 'y'"),
    ],
)
def test_a_table_that_is_not_whole_says_where(change, message):
    given = ratio_table(COLUMNS).model_dump() | change
    with pytest.raises(ValueError, match=message):
        Table.model_validate(given)
