"""Guns over the roads of headquarters: mode, range, sight, other roads, and who is immune."""

from dataclasses import replace
from pathlib import Path

import pytest

from mapkit.model import Feature
from rules.battlefield import battlefield
from rules.described import described, parse_gun
from rules.errors import RulesError
from rules.judges.supply import SupplyJudge
from rules.project import Project
from rules.registry import find_pack
from rules.standing import Standing
from tests.boards import board

STRAFEXPEDITION = find_pack("strafexpedition")
CAPORETTO = find_pack("caporetto-1917")
ROWS = [".1 .1 .1 .1 .1 .1 .1 .1"] * 6
NORTH = "0101-0201-0301-0401-0501-0601-0701-0801"


def judge(guns, pack=STRAFEXPEDITION, roads=NORTH, rows=ROWS, side="it", **more):
    map_ = board(*rows, links={"road": roads})
    source = map_.hex("0801")
    fed = replace(map_[source], features=(Feature("supply_source", owner=side),))
    map_ = replace(map_, hexes={**map_.hexes, source: fed})
    map_ = replace(map_, kinds=map_.kinds.with_ids("features", iter(["supply_source"])))
    field = battlefield(Project(Path(), "x"), map_, pack)
    theirs = next(other for other in pack.sides if other != side)
    enemies = tuple(parse_gun(field, theirs, gun) if isinstance(gun, str) else gun for gun in guns)
    return SupplyJudge(field, side, (), enemies, **more)


def ruled(guns, nation="", at="0101", class_="headquarters", **more):
    one = judge(guns, **more)
    return one.rule_unit(described(one.field, one.side, at, class_, nationality=nation))


@pytest.mark.parametrize("pack", [STRAFEXPEDITION, CAPORETTO], ids=["S", "C"])
def test_a_gun_that_sees_the_road_interdicts_it(pack):
    ruling = ruled(["0706:6"], pack=pack)
    assert ruling.verdict == "interdicted"
    assert ruling.working["culprits"] == [["0706 (fire)"]]
    told = [reason.told() for reason in ruling.reasons]
    cite = "10.4.1" if pack is STRAFEXPEDITION else "9.4.1"
    assert any(line.startswith("0706 commands ") and line.endswith(f"[{cite}]") for line in told)


def test_only_headquarters_are_touched():
    assert ruled(["0706:6"], class_="infantry").verdict == "in_supply"


def test_out_of_range_or_out_of_sight_it_does_nothing():
    assert ruled(["0706:3"]).verdict == "in_supply"
    hidden = [*ROWS[:4], ".3 .3 .3 .3 .3 .3 .3 .3", ".1 .1 .1 .1 .1 .1 .1 .1"]
    assert ruled(["0706:6"], rows=hidden).verdict == "in_supply"
    assert ruled(["0706:6"], weather="rain").verdict == "in_supply"  # two hexes of sight


def test_a_road_the_gun_does_not_command_will_do():
    """A wall keeps the gun from seeing the road in the south, and its range from the source."""
    rows = [*ROWS[:1], ".4 .4 .4 .4 .4 .4 .4 _", *ROWS[2:]]
    seen = judge(["0401:2"], rows=rows, roads=NORTH)
    hq = described(seen.field, "it", "0201", "headquarters")
    assert "0401" in [step["hex"] for step in judge([], rows=rows).rule_unit(hq).working["path"]]
    avoided = seen.rule_unit(hq)
    assert avoided.verdict == "in_supply"  # off the road as far as behind the gun's range
    assert avoided.reasons[1].key == "rules.supply.not_interdicted"
    assert "0401" not in [step["hex"] for step in avoided.working["path"]]


def test_a_gun_on_its_move_side_does_nothing():
    one = judge([], pack=STRAFEXPEDITION)
    gun = parse_gun(one.field, "ah", "0706:6")
    still = replace(gun, statuses={})
    assert ruled([still]).verdict == "in_supply"
    moving = replace(gun, statuses={"move_mode": 1})
    karfreit = judge([], pack=CAPORETTO)
    assert ruled([moving], pack=CAPORETTO).verdict == "in_supply"
    # There the front of the counter is the fire side: a gun fires unless it moves.
    front = replace(parse_gun(karfreit.field, "ahg", "0706:6"), statuses={})
    assert ruled([front], pack=CAPORETTO).verdict == "interdicted"


def test_a_gun_of_unknown_range_is_to_be_looked_up():
    gun = Standing("battery", "ahg", judge([]).field.hex("0706"), "heavy_artillery")
    ruling = ruled([gun], pack=CAPORETTO)
    assert ruling.verdict == "in_supply"
    assert "the range of battery is not known" in " ".join(one.told() for one in ruling.missing)
    ruling = ruled([replace(gun, side="ah")])
    assert "battery is taken not to be ready to fire" in ruling.missing[0].told()


def test_german_headquarters_are_immune_and_austrian_are_not():
    german = ruled(["0706:6"], pack=CAPORETTO, side="ahg", nation="german")
    assert german.verdict == "in_supply"
    assert any(reason.key == "rules.supply.immune" for reason in german.reasons)
    austrian = ruled(["0706:6"], pack=CAPORETTO, side="ahg", nation="austro_hungarian")
    assert austrian.verdict == "interdicted"


def test_a_game_without_such_guns_says_so():
    field = judge([]).field
    bare = replace(field, pack=find_pack("durchbruch"))
    with pytest.raises(RulesError, match="no rule of guns that cut lines of supply"):
        parse_gun(bare, "ah", "0706:6")
    with pytest.raises(RulesError, match="number"):
        parse_gun(field, "ah", "0406")
