"""Odds against counting every roll; modifiers on the die; rolls as players tell them."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.combat.look_up import column_rows, expected, look_up, settled_odds
from rules.combat.odds import faces, odds, read_roll, throw, told_fraction
from rules.errors import RulesError
from rules.schema.dice import totals_of
from tests.rules.combat.invented import ROWS, entered

DICE = st.sampled_from(["1d6", "2d6", "3d6", "1d10"])
results = st.sampled_from(["-", "*", "D1", "1D1", "X"])


@given(DICE, st.data(), st.integers(-5, 5))
def test_odds_agree_with_counting_every_roll(die, data, modifier):
    totals = totals_of(die)
    rows = {str(total): data.draw(results) for total in totals}
    count, sides = map(int, die.split("d"))
    counted = Counter()
    for roll in product(range(1, sides + 1), repeat=count):
        total = min(max(sum(roll) + modifier, totals[0]), totals[-1])
        counted[rows[str(total)]] += 1
    found = odds(faces(die, rows, modifier))
    assert found == {text: Fraction(n, sides**count) for text, n in counted.items()}
    assert sum(found.values()) == 1
    for text, chance in found.items():
        assert told_fraction(chance, die) == f"{counted[text]}/{sides**count}"


def test_rolling_again_is_followed_to_its_end():
    pack = entered()
    table = pack.tables["fire"]
    shown = look_up(table, number=Fraction(5), said={}).faces
    counted = Counter()
    cells = column_rows(table, "4-6")
    for first, second in product(range(1, 7), repeat=2):
        row = next(r for r in cells if first in range(int(r[0]), int(r[-1]) + 1))
        cell = cells[row]
        if cell == "*":
            cell = "D1" if second <= 3 else "-"
        counted[cell] += 1
    settled = settled_odds(pack, table, shown)
    assert settled == {cell: Fraction(n, 36) for cell, n in counted.items()}
    points = {"-": 0, "D1": 1, "1D1": 1, "1D2T": 2}
    mean = sum(Fraction(n, 36) * points[cell] for cell, n in counted.items())
    assert expected(pack, table, settled)["points"] == mean


def test_two_sided_results_are_averaged_side_by_side():
    pack = entered()
    table = pack.tables["assault"]
    found = look_up(table, column="5:1", said={})
    means = expected(pack, table, settled_odds(pack, table, found.faces))
    cells = [ROWS[str(roll)][-1] for roll in range(1, 7)]
    assert cells[5] == "- | 2D3R"
    assert means == {
        "defender.points": Fraction(1 + 1 + 1 + 2 + 2 + 3, 6),
        "defender.steps": Fraction(0 + 0 + 1 + 1 + 2 + 2, 6),
    }


@given(DICE, st.integers(0, 10**9))
def test_a_seed_throws_the_same_dice_each_time(die, seed):
    assert throw(die, seed) == throw(die, seed)
    assert sum(throw(die, seed)) in totals_of(die)


@pytest.mark.parametrize(
    ("die", "text", "total"), [("1d6", "4", 4), ("2d6", "3+4", 7), ("2d6", "11", 11)]
)
def test_rolls_are_read_as_players_tell_them(die, text, total):
    assert read_roll(die, text) == total


@pytest.mark.parametrize(
    ("die", "text"), [("1d6", "7"), ("1d6", "0"), ("2d6", "7+1"), ("2d6", "1"), ("1d6", "six")]
)
def test_a_roll_the_dice_cannot_show_is_refused(die, text):
    with pytest.raises(RulesError, match=die):
        read_roll(die, text)
