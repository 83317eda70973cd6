"""Command: whom a headquarters reaches, where it may be placed, and what a range obeys."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest

from mapkit.hexes import distance, neighbours
from rules.battlefield import battlefield
from rules.judges.command import CommandJudge
from rules.judges.supply import SupplyJudge
from rules.project import Project
from rules.registry import find_pack
from rules.schema.command import RangeCost
from rules.schema.supply import SideUse
from rules.standing import named_on_the_spot
from tests.boards import board
from tests.boards import field as rows
from tests.rules.judges.positions import Lot, random_field, random_units
from tests.rules.judges.slow_rules import slow_zone

S, C = find_pack("strafexpedition"), find_pack("caporetto-1917")


def on(pack, map_=None):
    return battlefield(Project(Path(), "x"), map_ or board(*rows(12, 9, word=".2")), pack)


def judge(field, at="0304", reach=3, friends=(), enemies=(), **about):
    return CommandJudge(
        field,
        "it",
        field.hex(at),
        reach,
        named_on_the_spot(field, "it", list(friends)),
        named_on_the_spot(field, list(field.pack.sides)[1], list(enemies)),
        **about,
    )


def ruled(unit, pack=S, map_=None, **about):
    field = on(pack, map_)
    return judge(field, **about).rule(field.hex(unit))


@pytest.mark.parametrize("pack", [S, C], ids=lambda pack: pack.id)
@pytest.mark.parametrize(
    ("unit", "verdict"),
    [
        pytest.param("0304", "in_command", id="in the headquarters' hex"),
        pytest.param("0604", "in_command", id="three hexes"),
        pytest.param("0704", "out_of_command", id="four are too many"),
    ],
)
def test_the_headquarters_hex_does_not_count(pack, unit, verdict):
    assert ruled(unit, pack).verdict == verdict


def test_terrain_does_not_matter():
    map_ = board(*rows(8, 8, word="?9"), hexsides={"crags": "0304/0404 0304/0303 0304/0305"})
    assert ruled("0604", map_=map_).verdict == "in_command"


def test_not_through_an_enemy_but_round_it():
    ruling = ruled("0504", reach=2, enemies=["0404:artillery"])
    assert ruling.verdict == "in_command"  # the other hex of the two between is free
    ring = ["0303:artillery", "0305:artillery", "0404:artillery", "0403:artillery"]
    ruling = ruled("0504", reach=4, enemies=[*ring, "0204:artillery", "0203:artillery"])
    assert ruling.verdict == "out_of_command"


def test_a_zone_asks_for_a_roll_and_a_friend_spares_it():
    ruling = ruled("0604", enemies=["0503", "0505"])
    assert ruling.verdict == "depends_on_roll"
    assert ruling.working["path"][-1] == "0604"
    assert "0604" not in ruling.working["rolls"]  # the unit itself negates the zone there
    friends = ruling.working["path"][1:-1]
    helped = ruled("0604", enemies=["0503", "0505"], friends=friends)
    assert helped.verdict == "in_command"
    told = next(one for one in ruling.reasons if one.key == "rules.command.roll")
    assert (told.values["blocked"], told.values["open"]) == ("1–3", "4–6")
    assert "command-range-die" in ruling.assumptions


def test_a_way_round_without_a_roll_is_better_than_a_short_one():
    near = ruled("0504", reach=2, enemies=["0405", "0503"])
    far = ruled("0504", reach=6, enemies=["0405", "0503"])
    assert near.verdict == "depends_on_roll"
    assert len(far.working["rolls"]) <= len(near.working["rolls"])


def test_guns_and_headquarters_have_no_zone():
    assert ruled("0604", enemies=["0503:artillery"]).verdict == "in_command"
    blocked = ["0303", "0305", "0404", "0403", "0204", "0203"]
    held = [f"{label}:headquarters" for label in blocked]
    assert ruled("0504", reach=2, enemies=held).verdict == "in_command"


def test_fog_keeps_a_zone_away():
    map_ = board(*rows(8, 8, word=".1"))
    clear = ruled("0604", C, map_, enemies=["0503", "0505"])
    assert clear.verdict == "depends_on_roll"
    assert ruled("0604", C, map_, enemies=["0503", "0505"], weather="fog").verdict == "in_command"


def test_without_the_printed_range_nobody_can_tell():
    ruling = ruled("0604", reach=None)
    assert ruling.verdict == "unknown"
    assert "HQ counters" in ruling.missing[0].told()
    ruling = ruled("0604", S.model_copy(update={"command": None}))
    assert [one.key for one in ruling.missing] == ["rules.command.not_in_sources"]


@pytest.mark.parametrize(
    ("friends", "verdict"),
    [
        pytest.param((), "unknown", id="an enemy zone may lie between"),
        pytest.param(("0404", "0504"), "in_command", id="friends negate any zone"),
    ],
)
def test_zones_that_our_sources_lack_are_not_taken_for_none(friends, verdict):
    lacking = S.model_copy(update={"zones": None})
    about = {"friends": friends, "enemies": ["0806"]}
    assert ruled("0604", lacking, **about).verdict == verdict
    assert ruled("0604", lacking, friends=friends).verdict == "in_command"
    assert ruled("0804", lacking, **about).verdict == "out_of_command"


def test_open_ranges_mind_no_zones():
    range_ = S.command.range.model_copy(update={"zones": "open"})
    command = S.command.model_copy(update={"range": range_})
    lacking = S.model_copy(update={"zones": None, "command": command})
    assert ruled("0604", lacking, enemies=["0806"]).verdict == "in_command"


def test_what_it_means_to_be_out_of_command():
    keys = {one.key for one in ruled("0804", C).reasons}
    assert {"rules.command.may_not", "rules.command.halves", "rules.command.moves_in"} <= keys
    assert "rules.command.halves" not in {one.key for one in ruled("0804", S).reasons}


# Where a headquarters may be placed.


@pytest.mark.parametrize(
    ("about", "own", "verdict"),
    [
        pytest.param({}, ["0404"], "legal", id="in supply, a unit near"),
        pytest.param({}, ["0904"], "illegal", id="nobody obeys"),
        pytest.param({}, [], "unknown", id="whose is it"),
        pytest.param({"enemies": ["0304:artillery"]}, ["0404"], "illegal", id="with an enemy"),
        pytest.param({"enemies": ["0503", "0505"]}, ["0604"], "depends_on_roll", id="a roll"),
        pytest.param({"enemies": ["0305"]}, ["0304"], "legal", id="in an enemy zone it may be"),
    ],
)
def test_placing_a_headquarters(about, own, verdict):
    map_ = board(*rows(12, 9, word=".2"), links={"road": "0302-0303-0304"})
    field = on(S, map_)
    asked = judge(field, **about)
    source = (field.hex("0304"),)
    supply = SupplyJudge(field, "it", asked.friends, asked.enemies, source)
    ruling = asked.rule_placement([field.hex(label) for label in own], supply)
    assert ruling.verdict == verdict


def test_off_the_line_of_supply_it_may_not_stand():
    map_ = board(*rows(12, 9, word=".2"), links={"road": "0101-0201"})
    field = on(S, map_)
    asked = judge(field, enemies=["0202"])
    supply = SupplyJudge(field, "it", (), asked.enemies, (field.hex("0101"),))
    ruling = asked.rule_placement([field.hex("0404")], supply)
    assert ruling.verdict == "illegal"
    assert "rules.command.no_line" in {one.key for one in ruling.reasons}


# Parameters that other games need.


def with_range(**changes):
    range_ = S.command.range.model_copy(update=changes)
    return S.model_copy(update={"command": S.command.model_copy(update={"range": range_})})


def test_a_hex_with_a_road_may_count_half():
    """Three road hexes and two others are 3½: within a range of four."""
    pack = with_range(hexes=4, costs=(RangeCost(links=("road",), cost="1/2", cite="4.2"),))
    map_ = board(*rows(12, 9, word=".2"), links={"road": "0104-0204-0304-0404"})
    ruling = ruled("0604", pack, map_, at="0104", reach=None)
    assert (ruling.verdict, ruling.working["distance"]) == ("in_command", str(Fraction(7, 2)))
    assert ruled("0704", pack, map_, at="0104", reach=None).verdict == "out_of_command"


def test_a_zone_may_shut_the_range_and_a_river_too():
    pack = with_range(hexes=2, zones="shut")
    assert ruled("0504", pack, enemies=["0405", "0403"], reach=None).verdict == "out_of_command"
    sides = {"river": SideUse(rule="never", opened_by=("bridge",), cite="4.2")}
    pack = with_range(hexes=1, sides=sides)
    rivers = {"river": "0304/0404"}
    map_ = board(*rows(8, 8), hexsides=rivers)
    assert ruled("0404", pack, map_, reach=None).verdict == "out_of_command"
    map_ = board(*rows(8, 8), hexsides={**rivers, "bridge": "0304/0404"})
    assert ruled("0404", pack, map_, reach=None).verdict == "in_command"


# Against every path there is, and properties.


def slow_command(field, hq, unit, reach, friends, enemies):
    """Walk every path of the range and keep the fewest hexes to roll for; None: no path."""
    held = {one.hex for one in enemies if one.class_ != "headquarters"}
    zones = {hex_ for one in enemies for hex_ in slow_zone(field, one)}
    zones -= {friend.hex for friend in friends}
    best = None

    def walk(here, left, rolls):
        nonlocal best
        if here == unit:
            best = rolls if best is None else min(best, rolls)
            return
        rolls += here != hq and here in zones
        if best is not None and rolls >= best:
            return
        for near in neighbours(here):
            if near in field.map and near not in held and distance(near, unit) < left:
                walk(near, left - 1, rolls)

    walk(hq, reach, 0)
    return best


@pytest.mark.no_cover
@pytest.mark.parametrize("pack", [S, C], ids=lambda pack: pack.id)
def test_it_agrees_with_walking_every_path(pack):
    drawn = Counter()
    for seed in range(250):
        rng = Random(seed)
        field = random_field(rng, pack, Lot((6, 8), (5, 7), trenches=0, crags=3, rivers=20))
        enemies = random_units(rng, field, list(pack.sides)[1], rng.randint(8, 12), set())
        taken = {one.hex for one in enemies}
        friends = random_units(rng, field, "it", rng.randint(0, 2), taken)
        free = [hex_ for hex_ in sorted(field.map.hexes) if hex_ not in taken]
        hq, reach = rng.choice(free), rng.randint(2, 4)
        near = [hex_ for hex_ in free if 1 < distance(hq, hex_) <= reach + 1]
        asked = CommandJudge(field, "it", hq, reach, friends, enemies)
        for unit in rng.sample(near, min(4, len(near))):
            slow = slow_command(field, hq, unit, reach, friends, enemies)
            ruling = asked.rule(unit)
            drawn[ruling.verdict] += 1
            reached = "depends_on_roll" if slow else "in_command"
            assert ruling.verdict == ("out_of_command" if slow is None else reached), seed
            assert len(ruling.working["rolls"]) == (slow or 0), seed
    assert len(drawn) == 3
    assert min(drawn.values()) >= 0.2 * drawn.total(), drawn


@pytest.mark.parametrize("pack", [S, C], ids=lambda pack: pack.id)
def test_a_range_grows_with_its_length_and_shrinks_with_enemies(pack):
    for seed in range(60):
        rng = Random(seed)
        field = random_field(rng, pack, Lot((6, 9), (5, 8)))
        enemies = random_units(rng, field, list(pack.sides)[1], 5, set())
        free = [hex_ for hex_ in sorted(field.map.hexes) if all(hex_ != e.hex for e in enemies)]
        hq = rng.choice(free)
        covers = {
            (reach, n): sure_and_rolled(CommandJudge(field, "it", hq, reach, (), enemies[:n]))
            for reach, n in product((2, 3), (3, 5))
        }
        for n in (3, 5):
            assert covers[2, n][0] <= covers[3, n][0]
            assert covers[2, n][1] <= covers[3, n][1]
        for reach in (2, 3):
            assert covers[reach, 5][0] <= covers[reach, 3][0]
            assert covers[reach, 5][1] <= covers[reach, 3][1]


def sure_and_rolled(asked):
    return {hex_ for hex_, way in asked.covered.items() if not way.rolls}, set(asked.covered)


def test_the_whole_range_is_told():
    field = on(S)
    ruling = judge(field, enemies=["0503"]).rule_range()
    assert ruling.verdict == "range"
    assert "0304" in ruling.working["covers"]
    for label, rolls in ruling.working["after_roll"].items():
        assert rolls
        assert judge(field, enemies=["0503"]).rule(field.hex(label)).verdict == "depends_on_roll"
    assert replace(judge(field), reach=None).rule_range().verdict == "unknown"
