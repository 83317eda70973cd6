"""Combats on a map and with units: what the ground tells, what counters bring, what is unknown."""

from dataclasses import replace
from fractions import Fraction

import pytest

from counters.model import Face, Unit
from mapkit.hexes import Hexside, neighbours
from mapkit.model import Feature, Ground
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.judges.combat import CombatJudge, Fight
from rules.judges.combat_desk import Spot, fight_there
from rules.judges.combat_ground import CombatGround
from rules.registry import find_pack
from rules.standing import Standing
from tests.boards import board
from tests.rules.combat.invented import ENTERED, entered


def field_of(game, hexes, sides=None, pack=None):
    """A battlefield in the pack's own words; hexes are by their place in a row, 0 the target."""
    map_ = board(". . . .", ". . . .", ". . . .")
    target = sorted(map_.hexes)[5]
    around = [hex_ for hex_ in neighbours(target) if hex_ in map_.hexes]
    places = [target, *around]
    ground = {hex_: Ground("clear", 1) for hex_ in map_.hexes}
    for place, here in hexes.items():
        ground[places[place]] = here
    works = {Hexside(places[place], target): features for place, features in (sides or {}).items()}
    map_ = replace(map_, hexes=ground, hexsides=works)
    return Battlefield(map_, pack or find_pack(game), map_), places


def said(game, procedure, hexes, *, sides=None, sources=(1,), weather=None, holder=None):
    field, places = field_of(game, hexes, sides)
    origins = tuple(places[place] for place in sources)
    return CombatGround(field, places[0], origins, weather, holder).said(procedure)


SE, C17 = "strafexpedition", "caporetto-1917"


@pytest.mark.parametrize(
    ("game", "procedure", "setting", "expected"),
    [
        pytest.param(SE, "assault", {"hexes": {}}, {}, id="nothing on clear ground"),
        pytest.param(
            SE, "assault", {"hexes": {0: Ground("woods", 1)}}, {"woods": None}, id="woods"
        ),
        pytest.param(
            SE, "assault", {"hexes": {1: Ground("woods", 1)}}, {}, id="not the attacker's"
        ),
        pytest.param(
            SE,
            "assault",
            {"hexes": {0: Ground("clear", 4), 2: Ground("clear", 2)}, "sources": (1, 2)},
            {"uphill": 2},
            id="all climb, the least of them",
        ),
        pytest.param(
            SE,
            "assault",
            {"hexes": {0: Ground("clear", 4), 2: Ground("clear", 4)}, "sources": (1, 2)},
            {},
            id="one of them does not climb",
        ),
        pytest.param(
            SE,
            "assault",
            {"hexes": {0: Ground("clear", 4), 2: Ground("clear", 6)}, "sources": (1, 2)},
            {},
            id="one of them comes down",
        ),
        pytest.param(
            SE,
            "assault",
            {
                "hexes": {},
                "sides": {1: (Feature("river"),), 2: (Feature("river"),)},
                "sources": (1, 2),
            },
            {"river": None},
            id="all cross the river",
        ),
        pytest.param(
            SE,
            "assault",
            {"hexes": {}, "sides": {1: (Feature("river"),)}, "sources": (1, 2)},
            {},
            id="one does not cross it",
        ),
        pytest.param(
            SE,
            "assault",
            {"hexes": {}, "sides": {1: (Feature("bridge", state="blown"),)}},
            {},
            id="a blown bridge is none",
        ),
        pytest.param(
            SE,
            "assault",
            {"hexes": {0: Ground("clear", 1, (Feature("trench", 2),))}},
            {"trench": 2},
            id="a trench with its level",
        ),
        pytest.param(
            C17,
            "assault",
            {
                "hexes": {0: Ground("clear", 1, (Feature("trench", 2, owner="ahg"),))},
                "holder": "it",
            },
            {},
            id="an enemy's trench does not help",
        ),
        pytest.param(
            C17,
            "assault",
            {"hexes": {}, "sides": {1: (Feature("trench", 1),)}},
            {"trench": 1},
            id="a trench on the hexside they cross",
        ),
        pytest.param(SE, "assault", {"hexes": {}, "weather": "rain"}, {"rain": None}, id="rain"),
        pytest.param(
            SE,
            "bombardment",
            {"hexes": {0: Ground("clear", 5)}, "weather": "overcast"},
            {"overcast_high": None},
            id="overcast at level 5",
        ),
        pytest.param(
            SE,
            "bombardment",
            {"hexes": {0: Ground("clear", 4)}, "weather": "overcast"},
            {},
            id="overcast below it",
        ),
        pytest.param(
            SE,
            "defensive_fire",
            {"hexes": {1: Ground("clear", 3, (Feature("trench", 1),))}},
            {"uphill": 2, "firer_trench": 1},
            id="fire from a trench above",
        ),
        pytest.param(
            C17,
            "defensive_fire",
            {"hexes": {1: Ground("clear", 3)}, "weather": "fog"},
            {"fog": None},
            id="into the fog",
        ),
        pytest.param(
            C17,
            "defensive_fire",
            {"hexes": {0: Ground("clear", 3), 1: Ground("clear", 3)}, "weather": "fog"},
            {},
            id="above the fog",
        ),
    ],
)
def test_what_the_map_tells(game, procedure, setting, expected):
    assert said(game, procedure, **setting) == expected


def fought(pack, field, places, procedure="assault", *, units=(), without=(), **fight):
    spot = Spot(field, places[0], (places[1],), units=units)
    return CombatJudge(pack).rule(
        fight_there(pack, Fight(procedure, **fight), spot, without=without)
    )


TYPED = {"attack": {"combat": Fraction(5)}, "defend": {"combat": Fraction(1)}}


def test_what_is_typed_goes_before_what_the_map_tells():
    pack = entered()
    field, places = field_of(SE, {0: Ground("woods", 1, (Feature("trench", 2),))}, pack=pack)
    assert fought(pack, field, places, **TYPED).verdict == "1:1"
    assert fought(pack, field, places, **TYPED, said={"trench": 1}).verdict == "2:1"
    assert fought(pack, field, places, **TYPED, without=["woods", "trench"]).verdict == "5:1"


def test_a_level_nobody_knows_leaves_the_verdict_open_until_it_is_said():
    pack = entered(values=ENTERED | {"tables.assault.shifts.uphill.by_value": {"1+": -1}})
    field, places = field_of(SE, {0: Ground("clear", None)}, pack=pack)
    open_ = fought(pack, field, places, **TYPED, rolls=(3,))
    assert open_.verdict == "unknown"
    assert "faces" not in open_.working
    assert "uphill" in " ".join(reason.told() for reason in open_.missing)
    assert fought(pack, field, places, **TYPED, without=["uphill"]).verdict == "5:1"
    assert fought(pack, field, places, **TYPED, said={"uphill": 1}).verdict == "3.5:1"


def test_the_ruling_rests_on_the_values_of_the_map():
    pack = entered()
    field, places = field_of(SE, {}, pack=pack)
    ruling = fought(pack, field, places, **TYPED)
    hexes = {field.label(places[0]), field.label(places[1])}
    assert {one.place for one in ruling.rests_on} == hexes


def counter(name, side, hex_, values, class_="infantry", **more):
    unit = Unit(name, name, side, class_=class_, steps=2, faces=(Face("front", values),))
    return Standing(name, side, hex_, class_, unit, steps=2, **more)


def test_units_bring_their_factors_and_suffer_the_result():
    pack = entered()
    field, places = field_of(SE, {}, pack=pack)
    units = (
        counter("a", "it", places[1], {"combat": 6, "morale": 5}),
        counter("b", "it", places[1], {"combat": 4, "morale": 5}),
        counter("far", "it", places[2], {"combat": 9, "morale": 5}),
        counter("d", "ah", places[0], {"combat": 2, "morale": 3}, statuses={"disorganization": 2}),
    )
    ruling = fought(pack, field, places, units=units, attack={}, rolls=(4,))
    assert (ruling.verdict, ruling.working["ratio"]) == ("5:1", "5")
    assert ruling.working["result"] == "- | 1D2R"
    assert ruling.working["units"]["d"]["fate"] == "surrendered"
    assert ruling.working["units"]["a"]["fate"] == "stays"


def test_the_best_morale_of_each_side_is_taken_as_the_one_used():
    morale = {"<=3": 0, "4+": 1}
    values = {
        "tables.assault.shifts.attacker_morale.by_value": morale,
        "tables.assault.shifts.defender_morale.by_value": {"0-9": 0},
    }
    pack = entered(values=ENTERED | values)
    field, places = field_of(SE, {}, pack=pack)
    units = (
        counter(
            "tired", "it", places[1], {"combat": 2, "morale": 6}, statuses={"disorganization": 3}
        ),
        counter("fresh", "it", places[1], {"combat": 2, "morale": 5}),
        counter("d", "ah", places[0], {"combat": 2, "morale": 4}),
    )
    ruling = fought(pack, field, places, units=units, attack={}, rolls=(1,))
    lines = {line["word"]: line["amount"] for line in ruling.working["shifts"]["lines"]}
    assert lines == {"attacker_morale": 1, "defender_morale": 0}
    assert ruling.verdict == "3.5:1"
    typed = fought(pack, field, places, units=units, attack={}, said={"attacker_morale": 3})
    assert typed.verdict == "2:1"


def test_a_value_nobody_has_read_leaves_the_verdict_open():
    pack = entered()
    field, places = field_of(SE, {}, pack=pack)
    units = (
        counter("a", "it", places[1], {"combat": None}),
        counter("d", "ah", places[0], {"combat": 2, "morale": 3}),
    )
    ruling = fought(pack, field, places, units=units, attack={})
    assert ruling.verdict == "unknown"
    assert any("a: its combat is not known" in reason.told() for reason in ruling.missing)


def test_only_some_of_them_attack():
    field, places = field_of(SE, {})
    units = tuple(counter(name, "it", places[1], {}) for name in "ab")
    spot = Spot(field, places[0], (places[1],), units=units, only=("b",))
    assert [unit.name for unit in spot.attackers()] == ["b"]
    with pytest.raises(RulesError, match="'c' is not among those who could attack: a, b"):
        Spot(field, places[0], (places[1],), units=units, only=("c",)).attackers()


def test_states_weaken_guns_and_machine_guns():
    pack = entered(C17, {})
    field, places = field_of(C17, {}, pack=pack)
    out = {"out_of_command": 1}
    units = (
        counter("a", "it", places[1], {"mg": 3}, statuses=out),
        counter("b", "it", places[1], {"mg": 1}, statuses=out),
        counter("gun", "it", places[1], {"bombardment": 20}, "medium_artillery"),
        counter(
            "spent",
            "it",
            places[1],
            {"bombardment": 8},
            "light_artillery",
            statuses={"disorganization": 2},
        ),
        counter("heavy", "it", places[1], {"bombardment": 40}, "heavy_artillery"),
    )
    ruling = fought(pack, field, places, "defensive_fire", units=units, attack={})
    terms = {one["term"]: one for one in ruling.working["attack"]["terms"]}
    assert terms["mg"]["counts"] == "3"  # 3 and 1, each halved and rounded up
    assert terms["bombardment"]["given"] == "20"
    assert terms["bombardment"]["counts"] == "4"  # limited by the printed 4


def test_an_assault_comes_from_an_adjacent_hex():
    field, places = field_of(SE, {})
    far = next(hex_ for hex_ in field.map.hexes if hex_ not in places)
    with pytest.raises(RulesError, match="does not touch"):
        CombatGround(field, places[0], (far,)).said("assault")
