"""What lack of supply does this time: points, surrender, one point below, or what to look up."""

from pathlib import Path

import pytest

from rules.battlefield import battlefield
from rules.described import described
from rules.judges.supply import SupplyJudge
from rules.project import Project
from rules.registry import find_pack
from rules.standing import named_on_the_spot
from tests.boards import board

STRAFEXPEDITION = find_pack("strafexpedition")
CAPORETTO = find_pack("caporetto-1917")
ROWS = ["." + " ." * 7] * 3
ROAD = "0801-0802"


def due(pack, enemies=(), class_="infantry", points=0, at="0101", **printed):
    map_ = board(*ROWS, links={"road": ROAD})
    field = battlefield(Project(Path(), "x"), map_, pack)
    theirs = next(side for side in pack.sides if side != "it")
    judge = SupplyJudge(
        field,
        "it",
        (),
        named_on_the_spot(field, theirs, list(enemies)),
        (field.hex("0802"),),
    )
    states = {"disorganization": points}
    unit = described(field, "it", at, class_, statuses=states, values=printed)
    return judge.rule_unit(unit)


CUT = ["0801:infantry", "0802:infantry"]  # nobody is fed


@pytest.mark.parametrize("pack", [STRAFEXPEDITION, CAPORETTO], ids=["S", "C"])
@pytest.mark.parametrize(
    ("points", "morale", "beside", "what", "after"),
    [
        pytest.param(0, 3, False, "points", 1, id="one point more"),
        pytest.param(1, 3, True, "points", 2, id="not there yet"),
        pytest.param(2, 3, True, "surrenders", 3, id="at its morale beside an enemy"),
        pytest.param(3, 3, True, "surrenders", 4, id="beyond it"),
        pytest.param(2, 3, False, "one_below", 2, id="at its morale, alone"),
        pytest.param(0, 1, False, "one_below", 0, id="with a morale of one"),
    ],
)
def test_points_and_surrender(pack, points, morale, beside, what, after):
    enemies = [*CUT, *(["0102:infantry"] if beside else [])]
    ruling = due(pack, enemies, points=points, morale=morale)
    assert ruling.verdict == "out_of_supply"
    found = ruling.working["due"]
    assert (found["what"], found["points_after"]) == (what, after)
    assert found["next_to"] == (["0102"] if beside else [])
    cite = "10.3" if pack is STRAFEXPEDITION else "9.3"
    assert ruling.reasons[-1].cite == cite
    assert ruling.reasons[-1].told()


def test_what_is_not_known_is_to_be_looked_up():
    alone = due(STRAFEXPEDITION, CUT, points=1)
    assert alone.working["due"]["what"] == "look_up"
    assert "look up its morale" in alone.reasons[-1].told()
    assert "one point below" in alone.reasons[-1].told()
    beside = due(STRAFEXPEDITION, [*CUT, "0201:artillery"], points=1)
    assert "it surrenders, for it stands next to 0201" in beside.reasons[-1].told()


def test_an_enemy_headquarters_next_door_makes_nobody_surrender():
    ruling = due(STRAFEXPEDITION, [*CUT, "0102:headquarters"], points=2, morale=3)
    assert ruling.working["due"]["what"] == "one_below"


def test_whom_it_does_not_touch():
    assert due(STRAFEXPEDITION, CUT, "fortress").working["due"]["what"] == "not_affected"
    assert due(STRAFEXPEDITION, CUT, "headquarters").working["due"]["what"] == "not_affected"
    assert due(CAPORETTO, CUT, "headquarters").working["due"]["what"] == "not_affected"


def test_nothing_is_due_to_a_unit_in_supply():
    fed = due(STRAFEXPEDITION, points=2, morale=3)
    assert fed.verdict == "in_supply"
    assert "due" not in fed.working
