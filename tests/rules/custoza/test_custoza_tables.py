"""Custoza's tables: a chart without dice, one whose dice we lack, columns of a difference."""

from fractions import Fraction

import pytest
from pydantic import ValidationError

from mapkit import texts
from rules.combat.told_tables import tables_data
from rules.combat_questions import TableQuestion
from rules.errors import RulesError
from rules.judges.tables import Entry, TableJudge
from rules.owner import OwnerFile, pack_with_owner
from rules.registry import find_pack
from rules.schema.tables import Table
from rules.spoken import spoken
from rules.told import told_ruling

GAME = "custoza"
RATIOS = {
    "tables.strength_ratio.columns": ["1-2", "1-1", "2-1"],
    "tables.strength_ratio.rows": {"1": ["-2", "0", "+2"]},
}
COHESION = {
    "tables.assault.columns": ["-2", "0", "2+"],
    "tables.assault.rows": {"2-12": ["S1W | -", "-D | -D", "- | S1W"]},
}


def entered(values):
    return TableJudge(pack_with_owner(GAME, OwnerFile("test", GAME, values=values)))


@pytest.mark.parametrize(("ratio", "modifier"), [((11, 5), "+2"), ((5, 5), "0"), ((1, 2), "-2")])
def test_a_chart_without_dice_gives_its_cell(ratio, modifier):
    ruling = entered(RATIOS).rule("strength_ratio", Entry(number=Fraction(*ratio)))
    assert ruling.verdict == ruling.working["cell"] == modifier
    assert "faces" not in ruling.working


def test_nobody_rolls_on_such_a_chart():
    judge = entered(RATIOS)
    assert judge.die_of("strength_ratio") is None
    with pytest.raises(RulesError, match="no dice of this table are known"):
        TableQuestion("strength-ratio", ratio="2:1", roll=("4",)).rule(judge.pack)


@pytest.mark.parametrize(("difference", "column"), [(-1, "-2"), (0, "0"), (1, "0"), (5, "2+")])
def test_a_difference_is_a_column(difference, column):
    ruling = entered(COHESION).rule("assault", Entry(number=Fraction(difference)))
    assert ruling.verdict == column


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_dice_that_our_sources_lack_are_asked_for(language):
    texts.use(language)
    try:
        pack = find_pack(GAME)
        ruling = TableJudge(pack).rule("initiative", Entry(said={"mood": 1}))
        assert ruling.verdict == "unknown"
        assert ruling.missing
        assert spoken(pack, pack.tables["initiative"].card) in told_ruling(pack, ruling)
        assert not next(one for one in tables_data(pack) if one["name"] == "initiative")["entered"]
    finally:
        texts.use(None)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"rolled": False, "die": "1d6"}, "has no dice"),
        ({"rolled": False, "rows": {"1": ["a"], "2": ["b"]}}, "one row, not 2"),
        ({"rows": {"1": ["a"]}}, "no dice; enter the die"),
    ],
)
def test_charts_that_cannot_be(change, fault):
    bare = {"title": "T", "card": "C", "kind": "single", "cite": "5.2"}
    with pytest.raises(ValidationError, match=fault):
        Table.model_validate({**bare, **change})
