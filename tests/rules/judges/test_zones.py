"""Zones of control by the games' own exclusions."""

from dataclasses import replace
from pathlib import Path

import pytest

from mapkit.hexes import Hexside, neighbours
from mapkit.model import Feature
from rules.battlefield import battlefield
from rules.judges.zones import ZoneJudge, assumed_zones, has_zone, zone_of
from rules.owner import OwnerFile, pack_with_owner
from rules.pack import KindEntry
from rules.project import Project
from rules.registry import find_pack
from rules.standing import Standing
from tests.boards import board

STRAFEXPEDITION = find_pack("strafexpedition")
CAPORETTO = find_pack("caporetto-1917")
PLAIN = [".3 .3 .3", ".3 .3 .3", ".3 .3 .3"]


def zone(map_, pack, class_="infantry", side="it", weather=None):
    field = battlefield(Project(Path(), "x"), map_, pack)
    unit = Standing("x", side, field.hex("0202"), class_)
    return {map_.label(hex_) for hex_ in zone_of(field, unit, weather)}


ALL = {"0201", "0203", "0102", "0103", "0302", "0303"}


def test_six_hexes_around_a_unit():
    assert zone(board(*PLAIN), STRAFEXPEDITION) == ALL
    assert zone(board(*PLAIN), CAPORETTO) == ALL


@pytest.mark.parametrize(
    ("pack", "class_", "has"),
    [
        (STRAFEXPEDITION, "infantry", True),
        (STRAFEXPEDITION, "alpini", True),
        (STRAFEXPEDITION, "fortress", True),
        (STRAFEXPEDITION, "heavy_artillery", False),
        (STRAFEXPEDITION, "headquarters", False),
        (CAPORETTO, "machine_guns", True),
        (CAPORETTO, "flamethrower", False),
        (CAPORETTO, "light_artillery", False),
        (CAPORETTO, "", True),
    ],
)
def test_who_has_a_zone(pack, class_, has):
    field = battlefield(Project(Path(), "x"), board(*PLAIN), pack)
    assert has_zone(field, Standing("x", "it", field.hex("0202"), class_)) is has


def test_crags_stop_the_zone_of_all_but_mountain_troops():
    map_ = board(*PLAIN, hexsides={"crags": "0202/0201"})
    assert zone(map_, STRAFEXPEDITION) == ALL - {"0201"}
    assert zone(map_, STRAFEXPEDITION, "alpini") == ALL
    assert zone(map_, CAPORETTO, "mountain_infantry") == ALL - {"0201"}


def test_towns_and_woods_keep_a_zone_out():
    map_ = board(".3 w3 .3", ".3 .3 .T3", ".3 .3 .3")
    assert zone(map_, CAPORETTO) == ALL - {"0201", "0302"}
    assert zone(map_, STRAFEXPEDITION) == ALL


def test_a_river_does_unless_a_bridge_stands():
    map_ = board(*PLAIN, hexsides={"river": "0202/0201 0202/0302", "bridge": "0202/0302"})
    assert zone(map_, CAPORETTO) == ALL - {"0201"}
    side = Hexside.between(map_.hex("0202"), map_.hex("0302"))
    blown = (Feature("river"), Feature("bridge", state="blown"))
    assert zone(replace(map_, hexsides={**map_.hexsides, side: blown}), CAPORETTO) == ALL - {
        "0201",
        "0302",
    }


def test_a_zone_over_a_footbridge_rests_on_how_the_rule_is_read():
    map_ = board(*PLAIN, hexsides={"river": "0202/0201", "footbridge": "0202/0201"})
    assert zone(map_, CAPORETTO) == ALL
    assert "zone-over-a-footbridge" in ruled(map_).assumptions
    assert "zone-over-a-footbridge" not in ruled(board(*PLAIN)).assumptions
    assert zone(map_, owned(CAPORETTO.id, "zone-over-a-footbridge", "bridges-only")) == ALL - {
        "0201"
    }


def owned(game, question, answer):
    return pack_with_owner(game, OwnerFile("mine", game, {question: answer}))


def test_an_enemy_trench_does_and_ones_own_does_not():
    map_ = board(*PLAIN)
    trench = replace(map_[map_.hex("0201")], features=(Feature("trench", owner="AHG"),))
    map_ = replace(map_, hexes={**map_.hexes, map_.hex("0201"): trench})
    assert zone(with_trench_word(map_), CAPORETTO, side="it") == ALL - {"0201"}
    assert zone(with_trench_word(map_), CAPORETTO, side="ahg") == ALL


def with_trench_word(map_):
    return replace(map_, kinds=map_.kinds.with_ids("features", iter(["trench"])))


def test_no_zone_into_or_out_of_fog():
    map_ = board(".1 .1 .3", ".3 .3 .3", ".3 .3 .3")
    assert zone(map_, CAPORETTO, weather="fog") == ALL - {"0201"}
    low = board(".3 .3 .3", ".3 .2 .3", ".3 .3 .3")
    assert zone(low, CAPORETTO, weather="fog") == set()
    assert zone(low, CAPORETTO, weather="first_turn") == set()
    assert zone(low, CAPORETTO, weather="clear") == ALL


def test_at_the_edge_of_the_map_a_zone_ends():
    field = battlefield(Project(Path(), "x"), board(*PLAIN), STRAFEXPEDITION)
    corner = field.hex("0101")
    zone_ = zone_of(field, Standing("x", "it", corner, "infantry"))
    assert zone_ == set(neighbours(corner)) & field.map.hexes.keys()


def ruled(map_, pack=CAPORETTO, class_="infantry", weather=None):
    field = battlefield(Project(Path(), "x"), map_, pack)
    return ZoneJudge(field, weather).rule(Standing("x", "it", field.hex("0202"), class_))


def test_the_reason_for_each_hex_left_out():
    map_ = board(".3 w3 .3", ".3 .3 .T3", ".3 .3 .3", hexsides={"crags": "0202/0203"})
    ruling = ruled(map_)
    assert ruling.verdict == "zone"
    assert {one["hex"]: one["what"] for one in ruling.working["kept_out"]} == {
        "0201": "woods",
        "0302": "town",
        "0203": "crags",
    }
    assert set(ruling.working["zone"]) == ALL - {"0201", "0302", "0203"}
    assert ruling.cites == ("3.0",)
    foggy = ruled(board(".1 .1 .3", ".3 .3 .3", ".3 .3 .3"), weather="fog")
    (kept,) = foggy.working["kept_out"]
    assert (kept["what"], kept["cite"]) == ("fog", "8.1")


def test_who_has_none_is_said():
    ruling = ruled(board(*PLAIN), class_="light_artillery")
    assert ruling.verdict == "no_zone"
    assert "light artillery has no zone of control" in ruling.reasons[0].told()
    bare = ruled(board(*PLAIN), find_pack("durchbruch").model_copy(update={"zones": None}))
    assert bare.verdict == "unknown"


@pytest.mark.parametrize("must_move", [True, False])
def test_a_zone_stays_out_of_ground_its_unit_could_not_enter(must_move):
    """What the owner's chart forbids a unit to enter, its zone does not cover either."""
    lake = KindEntry(cite="TEC", costs={"infantry": "never", "mountain": 3})
    zones = STRAFEXPEDITION.zones.model_copy(update={"only_where_it_could_move": must_move})
    update = {"terrain": {**STRAFEXPEDITION.terrain, "lake": lake}, "zones": zones}
    pack = STRAFEXPEDITION.model_copy(update=update)
    map_ = board(".3 l3 .3", *PLAIN[1:])
    assert zone(map_, pack) == (ALL - {"0201"} if must_move else ALL)
    assert zone(map_, pack, "alpini") == (ALL - {"0201"} if must_move else ALL)  # infantry first
    crags = board(*PLAIN, hexsides={"crags": "0202/0201"})
    bare = pack.model_copy(update={"zones": zones.model_copy(update={"exclusions": {}})})
    assert zone(crags, bare) == (ALL - {"0201"} if must_move else ALL)
    assert zone(crags, bare, "alpini") == ALL
    assert zone(crags, bare, "") == (ALL - {"0201"} if must_move else ALL)


def test_weather_that_nobody_knows_to_lie_there_is_no_verdict():
    field = battlefield(Project(Path(), "x"), board(".3 .3 .5", ".3 .3 .3", ".3 .3 .3"), CAPORETTO)
    unit = Standing("x", "it", field.hex("0202"), "infantry")
    ruling = ZoneJudge(field, "blizzard").rule(unit)
    assert ruling.verdict == "zone"  # 0301, the high one, does not touch 0202
    high = Standing("x", "it", field.hex("0201"), "infantry")
    ruling = ZoneJudge(field, "blizzard").rule(high)
    assert ruling.verdict == "unknown"
    assert "0301" in ruling.missing[-1].told()
    assert ZoneJudge(field).rule(high).verdict == "zone"
    told = " ".join(one.told() for one in assumed_zones(field, (high,), "blizzard"))
    assert "levels.high_mountain" in told
