"""Which open points bear on a ruling: those to which another answer changes it."""

from pathlib import Path

import pytest

from rules.battlefield import battlefield
from rules.bearing import Bearing
from rules.judges.sight import SightJudge
from rules.judges.supply import SupplyJudge
from rules.owner import OwnerFile, pack_with_owner
from rules.project import Project
from rules.registry import find_pack
from rules.ruling import Ruling
from tests.boards import board

GAME = "strafexpedition"


def field_of(map_, pack):
    return battlefield(Project(Path(), "x"), map_, pack)


def sight_of(pack, rows, a, b, weather=None):
    field = field_of(board(*rows, layout="pointy"), pack)

    def ask(over) -> Ruling:
        return SightJudge(over, weather).rule(over.hex(a), over.hex(b))

    ruling = ask(field)
    return ruling, Bearing(field).of(ruling, ask)


@pytest.mark.parametrize(
    ("rows", "changing"),
    [
        pytest.param(["5 1 1 1 1 1 1 1 1"], ("six",), id="downhill, eight hexes: six is too short"),
        pytest.param(["9 1 1 1 1 1 1 1 1 1 1 1 1"], ("six", "ten"), id="twelve hexes: ten too"),
    ],
)
def test_an_answer_that_changes_the_ruling_is_named(rows, changing) -> None:
    last = f"{len(rows[0].split()):02}01"
    ruling, bearing = sight_of(find_pack(GAME), rows, "0101", last)
    assert ruling.verdict == "clear"
    assert bearing["sight-beyond-six"] == changing


def test_an_answer_that_changes_nothing_is_known_to() -> None:
    ruling, bearing = sight_of(find_pack(GAME), ["1 1 1 1"], "0101", "0401")
    assert "sight-beyond-six" in ruling.assumptions
    assert bearing["sight-beyond-six"] == ()


def test_an_answer_the_pack_cannot_hold_leaves_it_open() -> None:
    _, bearing = sight_of(find_pack(GAME), ["1 1 1 1"], "0101", "0401")
    assert bearing["hexside-terrain"] is None


def test_the_answer_the_owner_chose_is_not_tried_against_itself() -> None:
    owner = OwnerFile("test", GAME, {"sight-beyond-six": "six"})
    ruling, bearing = sight_of(pack_with_owner(GAME, owner), ["5 1 1 1 1 1 1 1 1"], "0101", "0901")
    assert ruling.verdict == "out_of_range"
    assert bearing["sight-beyond-six"] == ("ten",)


def test_supply_is_weighed_too() -> None:
    field = field_of(board("1 1 1", "1 1 1", layout="pointy"), find_pack(GAME))

    def ask(over) -> Ruling:
        return SupplyJudge(over, "it", (), (), (over.hex("0301"),)).rule(over.hex("0101"))

    ruling = ask(field)
    assert set(Bearing(field).of(ruling, ask)) == set(ruling.assumptions)
