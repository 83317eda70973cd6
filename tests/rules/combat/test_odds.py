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
from rules.judges.combat import CombatJudge, Fight
from rules.schema.dice import totals_of
from tests.rules.combat.invented import COLUMNS, ENTERED, ROWS, entered

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


# Several dice of which one is taken.

CELLS = {"1-2": ["D1 | -"] * len(COLUMNS), "3-6": ["- | D1"] * len(COLUMNS)}
ASSAULT = {key: value for key, value in ENTERED.items() if key.startswith("tables.assault.")}
ROMMEL = {"said": {"rommel": None, "attacker_morale": 5, "defender_morale": 5}}


def picked(*rolls, aside=(), **more):
    pack = entered("caporetto-1917", {**ASSAULT, "tables.assault.rows": CELLS})
    terms = {"attack": {"combat": Fraction(4)}, "defend": {"combat": Fraction(2)}}
    fight = Fight("assault", **terms, rolls=rolls, aside=aside, **{**ROMMEL, **more})
    return CombatJudge(pack).rule(fight)


def test_the_die_that_is_taken_decides_and_the_other_is_told():
    ruling = picked(5, aside=(1,))
    assert ruling.working["result"] == "- | D1"
    other = next(one for one in ruling.reasons if one.key == "rules.combat.picked")
    assert other.values == {"taken": 5, "other": 1, "result": "D1 | -"}
    assert all("wounded" not in one.told() for one in ruling.reasons)


def test_a_double_means_something_else_besides():
    assert any("wounded" in one.told() for one in picked(5, aside=(5,)).reasons)


def test_how_often_a_result_is_there_to_be_taken():
    pairs = list(product(range(1, 7), repeat=2))
    low = sum(min(pair) <= 2 for pair in pairs)
    high = sum(max(pair) >= 3 for pair in pairs)
    told = {"D1 | -": str(Fraction(low, 36)), "- | D1": str(Fraction(high, 36))}
    ruling = picked()
    assert ruling.working["odds_to_pick"] == told
    before = next(one for one in ruling.reasons if one.key == "rules.combat.pick")
    assert before.values["chance"] == "1/6"


@pytest.mark.parametrize(
    ("fight", "told"),
    [
        pytest.param({"rolls": (5,)}, "write all 2 dice", id="one die too few"),
        pytest.param({"rolls": (5,), "aside": (1, 2)}, "write all 2 dice", id="one too many"),
        pytest.param(
            {"rolls": (5,), "aside": (1,), "said": {}}, "one die is thrown", id="not Rommel"
        ),
    ],
)
def test_as_many_dice_are_told_as_are_thrown(fight, told):
    with pytest.raises(RulesError, match=told):
        picked(*fight.pop("rolls"), **fight)
