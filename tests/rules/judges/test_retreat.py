"""Retreat: where beaten units go, in the rules' own order, and what it costs them."""

from pathlib import Path
from random import Random

import pytest

from mapkit.hexes import distance
from mapkit.model import Feature, Ground
from rules.battlefield import battlefield
from rules.errors import RulesError
from rules.judges.retreat import RetreatJudge
from rules.owner import OwnerFile, pack_with_owner
from rules.project import Project
from rules.registry import find_pack
from rules.schema.retreat import Priority
from rules.schema.stacking import Raised, StackingException
from rules.spelt_units import spelt_units
from rules.standing import Standing, named_on_the_spot
from tests.boards import board
from tests.boards import field as rows
from tests.rules.judges.positions import Lot, random_field, random_units

S, C = find_pack("strafexpedition"), find_pack("caporetto-1917")
HERE = "0404"  # its neighbours: 0403 0405 0304 0305 0504 0505
NORTH, SOUTH = "0403", "0405"
AWAY = {"0405", "0305", "0505"}  # opposite of the north, and next to that


def ruled(pack=S, class_="infantry", origins=(NORTH,), friends=(), enemies=(), **about):
    weather = about.pop("weather", None)
    map_ = about.pop("map_", None) or board(*rows(7, 7, word=".3"), **about)
    field = battlefield(Project(Path(), "x"), map_, pack)
    unit = spelt_units(pack, "it", field.hex(HERE), [class_])[0]
    judge = RetreatJudge(
        field,
        unit,
        tuple(map(field.hex, origins)),
        named_on_the_spot(field, "it", list(friends)),
        named_on_the_spot(field, list(pack.sides)[1], list(enemies)),
        weather,
    )
    return judge.rule()


def kinds(ruling):
    return {one["hex"]: one["priority"] for one in ruling.working["escapes"]}


def with_kinds(*kinds, zones=True, **more):
    """Return a game whose retreats know zones; the other rules stay."""
    priorities = tuple(Priority(cite="12.2", **one) for one in kinds)
    rules = S.retreat.model_copy(update={"priorities": priorities, **more})
    lacking = {} if zones else {"zones": None}
    return S.model_copy(update={"retreat": rules, **lacking})


OUT = {"id": "1", "holds": "nobody", "in_enemy_zone": False}
ANY = {"id": "2", "holds": "nobody"}
WATCHED = ["0605:infantry"]  # its zone covers 0505


def test_hexes_out_of_enemy_zones_come_first():
    ruling = ruled(with_kinds(OUT, ANY), enemies=WATCHED)
    assert kinds(ruling)["0505"] == "2"
    assert "0505" not in ruling.working["to"]


def test_a_hex_of_no_kind_is_no_way_and_it_is_told():
    ruling = ruled(with_kinds(OUT), enemies=WATCHED)
    assert "0505" not in kinds(ruling)
    assert "0505" in ruling.working["barred"]
    assert "rules.retreat.in_zone" in {one.key for one in ruling.reasons}


def test_kinds_of_one_name_are_equally_good():
    friends = {"id": "1", "holds": "friends"}
    ruling = ruled(with_kinds(OUT, friends), enemies=WATCHED, friends=["0505:infantry"])
    assert {"0505", "0405"} <= set(ruling.working["to"])


def test_zones_that_our_sources_lack_leave_a_retreat_open():
    pack = with_kinds(OUT, ANY, zones=False, fire=None)
    ruling = ruled(pack, enemies=WATCHED)
    assert ruling.verdict == "unknown"
    assert [one.key for one in ruling.missing] == ["rules.zones.not_in_sources"]
    assert ruled(pack).verdict == "retreats"


@pytest.mark.parametrize("pack", [S, C], ids=lambda pack: pack.id)
class TestOrder:
    """Both games have the same order of preference."""

    def test_away_from_the_assault_first(self, pack):
        ruling = ruled(pack)
        assert ruling.verdict == "retreats"
        assert set(ruling.working["to"]) == AWAY
        assert kinds(ruling) == {**dict.fromkeys(AWAY, "A"), "0304": "B", "0504": "B"}

    def test_then_any_empty_hex(self, pack):
        ruling = ruled(pack, friends=[f"{label}:infantry" for label in AWAY])
        assert set(ruling.working["to"]) == {"0304", "0504"}

    def test_then_friends_who_have_room(self, pack):
        everywhere = [*AWAY, "0304", "0504"]
        ruling = ruled(pack, friends=[f"{label}:infantry" for label in everywhere])
        assert set(kinds(ruling).values()) == {"C"}
        assert set(ruling.working["to"]) == set(everywhere)

    def test_never_to_where_an_assault_came_from_nor_to_enemies(self, pack):
        ruling = ruled(pack, origins=[NORTH, "0304"], enemies=["0505:infantry"])
        assert {NORTH, "0304", "0505"} == set(ruling.working["barred"])

    def test_nowhere_to_go(self, pack):
        origins = [NORTH, SOUTH, "0304", "0305", "0504", "0505"]
        ruling = ruled(pack, origins=origins)
        assert (ruling.verdict, ruling.working["to"]) == ("surrenders", [])

    def test_guns_that_fire_stay(self, pack):
        gun = "field_artillery" if pack is S else "light_artillery"
        assert ruled(pack, f"{gun}:fire").verdict == "stays"
        assert ruled(pack, f"{gun}:move").verdict == "retreats"
        assert ruled(pack, gun).verdict == "unknown"

    def test_an_attacker_goes_back(self, pack):
        field = battlefield(Project(Path(), "x"), board(*rows(7, 7)), pack)
        unit = Standing("x", "it", field.hex(HERE), "infantry")
        enemies = named_on_the_spot(field, list(pack.sides)[1], ["0304:infantry"])
        judge = RetreatJudge(field, unit, (), (), enemies)
        ruling = judge.rule_attacker(field.hex(NORTH))
        assert (ruling.verdict, ruling.working["to"]) == ("origin", NORTH)
        assert ruling.working["fire"] == (["0304"] if pack is S else [])

    def test_an_assault_comes_from_next_door(self, pack):
        with pytest.raises(RulesError, match="no assault comes from 0402"):
            ruled(pack, origins=["0402"])


def test_friends_too_many_cost_everybody_a_point():
    everywhere = [*AWAY, "0304", "0504"]
    friends = [f"{label}:infantry" for label in everywhere for _ in range(2)]
    ruling = ruled(friends=friends)
    assert set(kinds(ruling).values()) == {"D"}
    assert {one["disorganization"] for one in ruling.working["escapes"]} == {1}
    assert ruled(friends=friends[:-1]).working["to"] == [everywhere[-1]]


def test_whether_one_more_fits_may_be_unknown():
    everywhere = [*AWAY, "0304", "0504"]
    friends = [f"{label}:infantry" for label in everywhere for _ in range(2)]
    ruling = ruled(C, "infantry:battalion", friends=friends)
    assert ruling.verdict == "unknown"
    assert ruling.missing


@pytest.mark.parametrize("pack", [S, C], ids=lambda pack: pack.id)
def test_crags_are_for_mountain_troops_at_a_price(pack):
    crags = {"crags": " ".join(f"{HERE}/{label}" for label in sorted(AWAY))}
    assert set(ruled(pack, hexsides=crags).working["to"]) == {"0304", "0504"}
    ruling = ruled(pack, "mountain_infantry", hexsides=crags)
    assert set(ruling.working["to"]) == AWAY
    prices = {one["hex"]: one["disorganization"] for one in ruling.working["escapes"]}
    assert prices == {**dict.fromkeys(AWAY, 2), "0304": 0, "0504": 0}


def test_a_road_through_crags_costs_nothing_in_caporetto():
    crags = {"crags": f"{HERE}/{SOUTH}"}
    road = {"road": f"{HERE}-{SOUTH}"}
    assert SOUTH in ruled(C, hexsides=crags, links=road).working["to"]
    assert SOUTH not in ruled(S, hexsides=crags, links=road).working["to"]


def test_the_isonzo_bars_and_a_bridge_opens():
    river = {"isonzo": f"{HERE}/{SOUTH}"}
    assert SOUTH in ruled(C, hexsides=river).working["barred"]
    bridged = {**river, "bridge": f"{HERE}/{SOUTH}"}
    assert SOUTH in ruled(C, hexsides=bridged).working["to"]


def test_a_fortress_is_captured_and_a_headquarters_in_the_way_is_nobody():
    assert ruled(class_="fortress").verdict == "captured"
    assert SOUTH in ruled(enemies=[f"{SOUTH}:headquarters"]).working["to"]


def fired_at(ruling):
    return {one["hex"] for one in ruling.working["escapes"] if one["fire"]}


def test_others_fire_at_the_hexes_next_to_them():
    enemies = [f"{NORTH}:infantry", "0304:infantry"]
    assert fired_at(ruled(enemies=["0304:infantry"])) == {"0305"}
    assert fired_at(ruled(enemies=["0304:artillery"])) == set()
    # Who assaulted from the north does not fire in Caporetto, and has left there in the other game.
    assert fired_at(ruled(C, enemies=enemies)) == {"0305"}
    assert fired_at(ruled(C, enemies=[f"{NORTH}:infantry"])) == set()
    assert fired_at(ruled(S, enemies=[f"{NORTH}:infantry"])) == {"0304", "0504"}


@pytest.mark.parametrize("pack", [S, C], ids=lambda pack: pack.id)
def test_who_is_in_another_assault_does_not_fire(pack):
    field = battlefield(Project(Path(), "x"), board(*rows(7, 7, word=".3")), pack)
    unit = Standing("x", "it", field.hex(HERE), "infantry")
    other = list(pack.sides)[1]
    for statuses, fires in (({}, True), ({"assaulting": 1}, False)):
        enemy = Standing("e", other, field.hex("0304"), "infantry", statuses=statuses)
        judge = RetreatJudge(field, unit, (field.hex(NORTH),), (), (enemy,))
        assert any(one.fire for one in judge.escapes) is fires


def test_crags_and_trenches_spare_the_retreat():
    crags = {"crags": "0304/0305"}
    assert fired_at(ruled(C, enemies=["0304:infantry"], hexsides=crags)) == set()
    assert fired_at(ruled(S, enemies=["0304:infantry"], map_=trenches("0305", HERE))) == set()
    assert fired_at(ruled(S, enemies=["0304:infantry"], map_=trenches("0305"))) == {"0305"}
    assert fired_at(ruled(C, enemies=["0304:infantry"], map_=trenches("0305"))) == set()


def trenches(*labels):
    map_ = board(*rows(7, 7, word=".3"))
    trench = Ground("clear", 3, (Feature("trench", owner="IT"),))
    hexes = {**map_.hexes, **{map_.hex(label): trench for label in labels}}
    kinds_ = map_.kinds.with_ids("features", iter(["trench"]))
    return type(map_)(map_.grid, map_.numbering, hexes, kinds_)


def test_no_fire_in_the_fog():
    map_ = board(*rows(7, 7, word=".1"))
    assert fired_at(ruled(C, enemies=["0304:infantry"], map_=map_)) == {"0305"}
    assert fired_at(ruled(C, enemies=["0304:infantry"], map_=map_, weather="fog")) == set()


def test_a_hex_more_is_a_question():
    keys = {one.key for one in ruled(C).reasons}
    assert "rules.retreat.further_unit" in keys
    assert "longer-retreat" in ruled(C).assumptions
    assert "rules.retreat.further_unit" not in {one.key for one in ruled(S).reasons}
    answer = OwnerFile("x", "caporetto-1917", {"longer-retreat": "one-step"})
    pack = pack_with_owner("caporetto-1917", answer)
    assert "rules.retreat.further_step" in {one.key for one in ruled(pack).reasons}


def test_when_guns_are_captured_is_a_question():
    ruling = ruled(S, "field_artillery:fire")
    assert "captured-guns" in ruling.assumptions
    assert "rules.retreat.captured_action_phase" in {one.key for one in ruling.reasons}
    answer = OwnerFile("x", "strafexpedition", {"captured-guns": "at-once"})
    pack = pack_with_owner("strafexpedition", answer)
    keys = {one.key for one in ruled(pack, "field_artillery:fire").reasons}
    assert "rules.retreat.captured_assault" in keys


def test_a_game_whose_rule_we_lack():
    field = battlefield(Project(Path(), "x"), board(*rows(7, 7)), find_pack("durchbruch"))
    side, class_ = next(iter(field.pack.sides)), next(iter(field.pack.classes))
    unit = Standing("x", side, field.hex(HERE), class_)
    assert RetreatJudge(field, unit, ()).rule().verdict == "unknown"


@pytest.mark.parametrize("pack", [S, C], ids=lambda pack: pack.id)
def test_whatever_the_position_a_retreat_is_one_legal_step(pack):
    seen = set()
    for seed in range(250):
        rng = Random(seed)
        field = random_field(rng, pack, Lot((4, 6), (4, 6)))
        enemies = random_units(rng, field, list(pack.sides)[1], rng.randint(1, 9), set())
        held = {one.hex for one in enemies}
        friends = random_units(rng, field, "it", rng.randint(0, 14), held)
        free = [hex_ for hex_ in sorted(field.map.hexes) if hex_ not in held]
        class_ = rng.choice([one for one in pack.classes if one != "headquarters"])
        unit = Standing("beaten", "it", rng.choice(free), class_, statuses={"move_mode": 1})
        near = [hex_ for hex_ in held if distance(hex_, unit.hex) == 1]
        judge = RetreatJudge(field, unit, tuple(near), friends, enemies)
        ruling = judge.rule()
        seen |= {ruling.verdict, *(one.priority.id for one in judge.escapes)}
        assert bool(judge.escapes) == (ruling.verdict in ("retreats", "unknown")) or (
            ruling.verdict == "captured"
        )
        for one in judge.escapes:
            assert distance(one.hex, unit.hex) == 1
            assert one.hex not in held
            assert (one.priority.holds == "nobody") == all(f.hex != one.hex for f in friends)
        taken = {unit.hex, *(friend.hex for friend in friends)}
        place = rng.choice([hex_ for hex_ in free if hex_ not in taken] or [None])
        if place is not None:
            new = Standing("new", list(pack.sides)[1], place, "infantry")
            more = RetreatJudge(field, unit, tuple(near), friends, (*enemies, new))
            before, after = ({one.hex for one in one_.escapes} for one_ in (judge, more))
            assert after == before - {place}
            seen |= {"barred by the new enemy"} if place in before else set()
    assert {"retreats", "surrenders", "A", "B", "C", "D", "barred by the new enemy"} <= seen


def with_stacking(pack, **more):
    """Return a pack whose units may stand closer together by one rule more."""
    units = pack.stacking.pools["units"].model_copy(update=more.pop("pool", {}))
    pools = {**pack.stacking.pools, "units": units}
    stacking = pack.stacking.model_copy(update={"pools": pools, **more})
    return pack.model_copy(update={"stacking": stacking})


def full_of_friends(pack, *more, **about):
    field = battlefield(Project(Path(), "x"), board(*rows(7, 7, word=".3")), pack)
    everywhere = [f"{label}:infantry" for label in (*AWAY, "0304", "0504") for _ in range(2)]
    friends = named_on_the_spot(field, "it", [*everywhere, *more])
    unit = Standing("x", "it", field.hex(HERE), "infantry")
    judge = RetreatJudge(field, unit, (field.hex(NORTH),), friends, **about)
    return {field.label(one.hex) for one in judge.escapes if one.priority.holds == "friends"}


def test_friends_beside_a_hex_may_let_one_more_in():
    raised = Raised(by=("headquarters",), add=1, within=1, cite="1.0")
    pack = with_stacking(S, pool={"raised": (raised,)})
    assert full_of_friends(S, "0406:headquarters") == set()
    assert full_of_friends(pack) == set()
    assert full_of_friends(pack, "0406:headquarters") == {SOUTH}


def test_a_scenario_may_let_one_more_in():
    more = StackingException(
        scenario="s9", side="it", of="all", formations=("",), pool="units", most=3, cite="1.0"
    )
    pack = with_stacking(S, exceptions={"more": more})
    assert full_of_friends(pack) == set()
    assert full_of_friends(pack, scenario="s9") == {*AWAY, "0304", "0504"}


@pytest.mark.parametrize("pack", [S, C], ids=lambda pack: pack.id)
def test_who_would_fire_but_for_an_assault_is_told_with_the_rule(pack):
    field = battlefield(Project(Path(), "x"), board(*rows(7, 7, word=".3")), pack)
    unit = Standing("x", "it", field.hex(HERE), "infantry")
    side, statuses = list(pack.sides)[1], {"assaulting": 1}
    enemy = Standing("e", side, field.hex("0304"), "infantry", statuses=statuses)
    ruling = RetreatJudge(field, unit, (field.hex(NORTH),), (), (enemy,)).rule()
    told = [one for one in ruling.reasons if one.key == "rules.retreat.busy"]
    assert [(one.values["names"], one.cite) for one in told] == [
        ("e", pack.retreat.fire.not_in_cite)
    ]
