"""The units of scenarios as counters: every piece once, every value its faces print."""

import pytest
from pydantic import ValidationError

from counters.counter_cells import is_blank
from counters.model import Colours, Face, Unit
from counters.units_table import dump_units, load_units
from rules.errors import RulesError
from rules.printed import counter_of, printed_words, with_printed_faces
from rules.registry import find_pack, pack_names
from rules.scenarios.scenario_files import find_scenarios
from rules.scenarios.unit_tables import fill_units, told_filled, unit_counters
from rules.schema.counters import PrintedCounter

GAMES = [game for game in pack_names() if any(s.deployed for s in find_scenarios(game).scenarios)]

every_game = pytest.mark.parametrize("game", GAMES)


@every_game
def test_the_whole_game_has_each_unit_of_each_scenario_once(game):
    scenarios = find_scenarios(game)
    whole = [unit.id for unit in unit_counters(scenarios, "all")]
    assert len(whole) == len(set(whole))
    listed = {one.unit.id for scenario in scenarios.scenarios for one in scenario.deployed}
    assert listed <= set(whole)
    for scenario in scenarios.scenarios:
        mine = {unit.id for unit in unit_counters(scenarios, scenario.id)}
        assert {one.unit.id for one in scenario.deployed} <= mine <= set(whole)


@every_game
def test_a_table_of_them_comes_back_whole(game):
    units = unit_counters(find_scenarios(game), "all")
    again = load_units(dump_units(units), source="units.csv")
    assert [(one.id, one.class_, one.formation) for one in again] == [
        (one.id, one.class_, one.formation) for one in units
    ]
    for unit, back in zip(units, again, strict=True):
        assert [(face.name, face.known) for face in back.faces] == [
            (face.name, face.known) for face in unit.faces
        ]


@pytest.mark.parametrize("game", pack_names())
def test_classes_say_what_they_print_or_are_listed_here(game):
    """Support units, flamethrowers, scouts and Rommel: our sources do not tell."""
    pack = find_pack(game)
    silent = {name for name in pack.classes if counter_of(pack, name) is None}
    assert silent <= {"flamethrower", "artillery", "air", "naval", "scout", "leader"}


@pytest.mark.parametrize("game", pack_names())
def test_the_value_a_unit_moves_by_is_printed(game):
    pack = find_pack(game)
    printed = {word for one in pack.counters for face in one.faces.values() for word in face.values}
    assert pack.allowance in printed & printed_words(pack)


def test_values_come_from_the_list_then_from_the_rules_and_else_are_unknown():
    pack = find_pack("strafexpedition")
    gun = with_printed_faces(
        pack, Unit("a", "A", "it", class_="field_artillery", faces=(Face("fire", {"range": 8}),))
    )
    assert gun.faces == (
        Face("front", {"bombardment": 0, "range": None, "movement": None}),
        Face("fire", {"bombardment": None, "range": 8, "movement": 0}),
    )
    assert with_printed_faces(pack, Unit("a", "A", "it")) == Unit("a", "A", "it")


def test_a_headquarters_for_every_brigade_and_for_nobody_else():
    units = unit_counters(find_scenarios("strafexpedition"), "s4")
    brigades = {unit.formation for unit in units if unit.class_ == "headquarters"}
    kinds = find_scenarios("strafexpedition").formations
    assert brigades == {
        unit.formation
        for unit in units
        if unit.formation and kinds[unit.formation].kind == "brigade"
    }


def test_a_game_without_lists_says_where_they_are_printed():
    with pytest.raises(RulesError, match="mapkit rules missing caporetto-1917"):
        unit_counters(find_scenarios("caporetto-1917"), "s1")


def test_an_owner_fills_what_is_empty_and_changes_nothing():
    known = Unit("a", "A", "it", faces=(Face("front", {"combat": 3, "morale": None}),))
    entered = [
        Unit(
            "a",
            "",
            "",
            steps=2,
            faces=(Face("front", {"combat": 4, "morale": 5}), Face("reduced", {}, "a.png")),
            symbol="alpini",
            colours=Colours(ground="#00ff00"),
            copies=2,
        ),
        Unit("b", "", ""),
    ]
    filled = fill_units([known], entered)
    assert filled.units == (
        Unit(
            "a",
            "A",
            "it",
            steps=2,
            faces=(Face("front", {"combat": 3, "morale": 5}), Face("reduced", {}, "a.png")),
            symbol="alpini",
            colours=Colours(ground="#00ff00"),
            copies=2,
        ),
    )
    assert filled.unknown == ("b",)
    assert filled.contradictions == ("a: front.combat",)
    assert list(told_filled(filled)) == [
        "an id that no unit has: b",
        "left as our sources state it, though the table says otherwise: a: front.combat",
        "1 counter, 0 of its 2 values empty",
    ]


def test_an_empty_face_stays_a_face():
    (first, *_) = unit_counters(find_scenarios("strafexpedition"), "s4")
    assert [face.name for face in first.faces] == ["front", "reduced"]
    assert all(map(is_blank, first.faces))


def test_a_rule_may_only_state_what_the_face_prints():
    entry = {"groups": ["guns"], "cite": "1.1"}
    faces = {"front": {"values": ["range"], "always": {"speed": 0}}}
    with pytest.raises(ValidationError, match="no value of this face: speed"):
        PrintedCounter.model_validate(entry | {"faces": faces})
