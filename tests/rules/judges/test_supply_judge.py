"""Rulings on supply: the way, the culprits, bridges, sources, and what is taken for granted."""

from dataclasses import replace
from pathlib import Path

import pytest

from mapkit.hexes import Hexside
from mapkit.model import Feature
from rules.battlefield import battlefield
from rules.errors import RulesError
from rules.judges.supply import SupplyJudge
from rules.project import Project
from rules.registry import find_pack
from rules.standing import named_on_the_spot
from tests.boards import board

STRAFEXPEDITION = find_pack("strafexpedition")
CAPORETTO = find_pack("caporetto-1917")
ROWS = [". . . . . . . .S"] + [". . . . . . . ."] * 3
ROAD = "0102-0201-0302-0401-0502-0601-0702-0801"


def judge(map_, pack=STRAFEXPEDITION, side="it", friends=(), enemies=(), sources=()):
    field = battlefield(Project(Path(), "x"), map_, pack)
    ours = field.side(side)
    theirs = next(other for other in pack.sides if other != ours)
    return SupplyJudge(
        field,
        ours,
        named_on_the_spot(field, ours, list(friends)),
        named_on_the_spot(field, theirs, list(enemies)),
        tuple(map(field.hex, sources)),
    )


def ruled(map_, hex_, *args, **more):
    one = judge(map_, *args, **more)
    return one.rule(one.field.hex(hex_))


def test_the_way_with_its_running_cost():
    ruling = ruled(board(*ROWS, links={"road": ROAD}), "0104")
    assert ruling.verdict == "in_supply"
    path = ruling.working["path"]
    assert path[0] == {"hex": "0104", "leg": "leg 1", "cost": 0}
    assert path[-1]["hex"] == "0801"
    assert [step["cost"] for step in path if step["leg"] == "leg 2"][-1] >= 1
    assert set(ruling.cites) >= {"10.2", "10.2.3"}


def test_the_culprit_is_named_and_the_price():
    map_ = board(*ROWS, links={"road": ROAD})
    ruling = ruled(map_, "0101", CAPORETTO, enemies=["0802"])
    assert ruling.verdict == "out_of_supply"
    assert ruling.working["culprits"] == [["0802"]]
    assert "restored if 0802 would go [9.2.1]" in [reason.told() for reason in ruling.reasons]
    assert any(reason.key == "rules.supply.effect" for reason in ruling.reasons)


def test_two_must_go_where_two_cut():
    map_ = board(*ROWS, links={"road": ROAD})
    ruling = ruled(map_, "0101", enemies=["0802", "0701"])
    assert ruling.working["culprits"] == [["0802", "0701"]]


@pytest.mark.parametrize(
    ("bridge", "verdict"),
    [
        (Feature("bridge"), "in_supply"),
        (Feature("bridge", state="blown"), "out_of_supply"),
        (Feature("footbridge"), "out_of_supply"),
    ],
)
def test_roads_over_bridges_of_every_kind(bridge, verdict):
    map_ = board(
        *[". . . . . . . . . .S"],
        links={"road": "0101-0201-0301-0401-0501-0601-0701-0801-0901-1001"},
    )
    side = Hexside.between(map_.hex("0801"), map_.hex("0901"))
    map_ = replace(map_, hexsides={side: (Feature("river"), bridge)})
    field = battlefield(Project(Path(), "x"), map_, CAPORETTO)
    ground = replace(field.ground, hexsides=map_.hexsides)
    one = SupplyJudge(replace(field, ground=ground), "it")
    assert one.rule(field.hex("0101")).verdict == verdict


def test_an_enemys_source_and_none_at_all():
    owned = board(*ROWS, links={"road": ROAD})
    source = owned.hex("0801")
    theirs = replace(owned[source], features=(Feature("supply_source", owner="AH"),))
    owned = replace(owned, hexes={**owned.hexes, source: theirs})
    ruling = ruled(owned, "0101")
    assert ruling.verdict == "unknown"
    assert ruling.missing[0].key == "rules.supply.no_source"
    assert ruled(owned, "0101", side="AH").verdict == "in_supply"
    assert ruled(owned, "0101", sources=["0702"]).verdict == "in_supply"


def test_what_is_taken_for_granted_is_said():
    map_ = board(*ROWS, links={"road": ROAD})
    ruling = ruled(map_, "0101", enemies=["0804"])
    told = " ".join(reason.told() for reason in ruling.missing)
    assert "taken to have a zone of control: 0804" in told
    assert "source 0801 has no owner" in told
    named = ruled(map_, "0101", enemies=["0804:artillery"])
    assert "zone of control" not in " ".join(reason.told() for reason in named.missing)


def test_what_the_game_does_not_know_is_said():
    map_ = board(*ROWS)
    with pytest.raises(RulesError, match="no side 'french'; there is: it, ah"):
        judge(map_, side="french")
    with pytest.raises(RulesError, match="no units 'tanks'"):
        judge(map_, enemies=["0101:tanks"])
    assert (
        ruled(
            map_, "0101", find_pack("custoza").model_copy(update={"sides": STRAFEXPEDITION.sides})
        ).verdict
        == "unknown"
    )


def test_two_counters_in_one_hex_are_two_culprits():
    map_ = board(*ROWS, links={"road": ROAD})
    ruling = ruled(map_, "0101", enemies=["0802", "0802:artillery"])
    assert ruling.working["culprits"] == [["0802", "0802:artillery"]]


def test_weather_nobody_knows_is_said():
    field = battlefield(Project(Path(), "x"), board(*ROWS), CAPORETTO)
    with pytest.raises(RulesError, match="no weather 'hail'"):
        SupplyJudge(field, "it", weather="hail")


def test_a_source_of_somebody_else_serves_nobody():
    map_ = board(*ROWS, links={"road": ROAD})
    source = map_.hex("0801")
    strange = replace(map_[source], features=(Feature("supply_source", owner="Itlian"),))
    map_ = replace(map_, hexes={**map_.hexes, source: strange})
    ruling = ruled(map_, "0101", sources=["0702"])
    assert "belongs to Itlian" in " ".join(reason.told() for reason in ruling.missing)
    assert ruled(map_, "0101").verdict == "unknown"


def test_a_road_under_another_name_leaves_the_answer_open():
    map_ = board(*ROWS, links={"main_road": ROAD})
    ruling = ruled(map_, "0101")
    assert ruling.verdict == "unknown"
    assert "main_road" in " ".join(reason.told() for reason in ruling.missing)
