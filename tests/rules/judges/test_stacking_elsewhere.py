"""Stacking as other games have it: the same judge, other data.

Limits by terrain with a headquarters that raises them; pools that depend on who is beside them;
a value printed on the counters.
"""

from pathlib import Path

import pytest

from counters.model import Face, Unit
from rules.battlefield import battlefield
from rules.judges.stacking import StackingJudge
from rules.project import Project
from rules.registry import find_pack
from rules.schema.stacking import Stacking
from rules.spelt_units import spelt_units
from rules.standing import Standing
from tests.boards import board

PACK = find_pack("strafexpedition")
COMMON = {
    "checked": ["end_of_movement"],
    "checked_cite": "8.1",
    "assault_cite": "8.1",
    "cite": "8.1",
}


def ruled(rules, units, *, word=".2", beside=()):
    pack = PACK.model_copy(update={"stacking": Stacking.model_validate({**COMMON, **rules})})
    field = battlefield(Project(Path(), "x"), board(f"{word} .2", ".2 .2"), pack)
    here, near = field.hex("0101"), field.hex("0201")
    stack = spelt_units(pack, "it", here, [one for one in units if isinstance(one, str)])
    known = tuple(
        Standing(one.name, "it", here, one.class_, one) for one in units if isinstance(one, Unit)
    )
    others = spelt_units(pack, "it", near, beside, taken=[one.name for one in stack])
    return StackingJudge(field, (*stack, *known, *others)).rule(here)


BY_TERRAIN = {
    "measure": "units",
    "never": {"headquarters": "8.2"},
    "pools": {
        "units": {
            "most": None,
            "limits": [
                {"most": 4, "ground": ["clear"], "cite": "8.1"},
                {"most": 2, "ground": ["woods"], "cite": "8.1"},
            ],
            "raised": [{"by": ["headquarters"], "add": 1, "ground": ["clear"], "cite": "8.6"}],
            "cite": "8.1",
        }
    },
    "over": {"eliminated": True, "after": ["any"], "cite": "8.1"},
}


@pytest.mark.parametrize(
    ("n", "word", "beside", "verdict"),
    [
        (4, ".2", (), "within"),
        (5, ".2", (), "over"),
        (5, ".2", ("headquarters",), "within"),
        (6, ".2", ("headquarters",), "over"),
        (2, "w2", (), "within"),
        (3, "w2", ("headquarters",), "over"),
        (1, "?2", (), "unknown"),
    ],
)
def test_a_limit_for_each_terrain(n, word, beside, verdict):
    ruling = ruled(BY_TERRAIN, ["infantry"] * n, word=word, beside=beside)
    assert ruling.verdict == verdict
    keys = {reason.key for reason in ruling.reasons}
    assert ("rules.stacking.eliminated" in keys) == (verdict == "over")


POOLS = {
    "measure": "units",
    "pools": {
        "guns": {
            "who": ["artillery"],
            "most": 1,
            "limits": [{"most": 0, "level_from": 4, "cite": "8.1"}],
            "cite": "8.1",
        },
        "special": {
            "who": ["militia"],
            "most": 1,
            "limits": [
                {"most": "any", "without": ["infantry", "mountain"], "cite": "8.1"},
                {"most": 3, "beside": ["mountain"], "cite": "8.1"},
                {"most": 3, "level_to": 2, "cite": "8.1"},
            ],
            "cite": "8.1",
        },
        "regiments": {"most": 1, "cite": "8.1"},
    },
}


@pytest.mark.parametrize(
    ("units", "word", "verdict"),
    [
        (["bersaglieri", *["militia"] * 3, "field_artillery"], ".2", "within"),
        (["bersaglieri", *["militia"] * 4], ".2", "over"),
        (["bersaglieri", *["militia"] * 2], ".3", "over"),
        (["alpini", *["militia"] * 3], ".3", "within"),
        (["field_artillery"] * 2, ".2", "over"),
        (["field_artillery"], ".4", "over"),
        (["field_artillery"], ".", "unknown"),
        (["bersaglieri", "alpini"], ".2", "over"),
    ],
)
def test_pools_that_look_at_their_neighbours(units, word, verdict):
    assert ruled(POOLS, units, word=word).verdict == verdict


def test_special_units_alone_without_limit():
    alone = {**POOLS["pools"]["special"], "limits": [{"most": "any", "cite": "8.1"}]}
    rules = {"measure": "units", "pools": {"special": alone}}
    assert ruled(rules, ["militia"] * 9).verdict == "within"


PRINTED = {
    "measure": "printed",
    "printed": "stacking",
    "pools": {"all": {"most": 4, "cite": "7.0"}},
}


def unit(name, value):
    return Unit(name, name, "it", class_="infantry", faces=(Face("front", {"stacking": value}),))


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ((3, 1), "within"),
        ((3, 2), "over"),
        ((3, None), "unknown"),
        ((3, 2, None), "over"),
    ],
)
def test_a_value_printed_on_the_counter(values, verdict):
    units = [unit(f"u{at}", value) for at, value in enumerate(values)]
    ruling = ruled(PRINTED, units)
    assert ruling.verdict == verdict
    asked = "rules.stacking.no_value" in {one.key for one in ruling.missing}
    assert asked == (verdict == "unknown")


def test_a_limit_that_our_sources_lack():
    rules = {**PRINTED, "pools": {"all": {"most": None, "cite": "7.0"}}}
    ruling = ruled(rules, [unit("a", 1)])
    assert ruling.verdict == "unknown"
    assert [one.key for one in ruling.missing] == ["rules.stacking.no_limit"]
    assert ruled(rules, []).verdict == "within"
