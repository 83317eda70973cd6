"""The figures of the rulebooks' tasks: how near, how long, how dear, in which turn."""

from pathlib import Path

import pytest

from mapkit.hexes import distance
from rules.battlefield import battlefield
from rules.judges.tasks import TaskJudge
from rules.project import Project
from rules.registry import find_pack
from rules.task_questions import TaskQuestion, situation
from tests.boards import board

FIELDS = {
    game: battlefield(Project(Path(), "x"), board(*[".3 " * 9] * 3), find_pack(game))
    for game in ("strafexpedition", "caporetto-1917")
}
SE, C17 = FIELDS
ROW = ["0102", "0202", "0302", "0402", "0502", "0602", "0702", "0802", "0902"]


def at(far, start="0102"):
    """A hex so many hexes along the row."""
    return ROW[ROW.index(start) + far]


def rule(game, task, **said):
    field = FIELDS[game]
    return TaskJudge(situation(field.pack, field, TaskQuestion(task, **said))).rule(task)


def state(ruling, name):
    return next(one["state"] for one in ruling.working["conditions"] if one["condition"] == name)


def test_the_row_is_as_long_as_it_says():
    hexes = [FIELDS[SE].hex(label) for label in ROW]
    assert [distance(hexes[0], hex_) for hex_ in hexes] == list(range(len(ROW)))


@pytest.mark.parametrize(
    ("game", "task", "condition", "most"),
    [
        (SE, "declare_assault", "next_to_target", 1),
        (SE, "counter_assault", "within_two", 2),
        (C17, "declare_assault", "next_to_target", 1),
        (C17, "counter_assault", "within_two", 2),
        (C17, "support_fire", "next_to_target", 1),
    ],
)
def test_how_near_the_target_hex_must_be(game, task, condition, most):
    for far, expected in ((most, "fulfilled"), (most + 1, "broken")):
        asked = {"place": "0102", "side": "it", "class_": "infantry", "target": at(far)}
        assert state(rule(game, task, **asked), condition) == expected


@pytest.mark.parametrize(
    ("task", "condition", "most"),
    [
        ("blow_bridge", "within_two", 2),
        ("repair_bridge", "beside", 0),
        ("build_bridge", "beside", 0),
        ("isonzo_bridge", "beside", 0),
        ("lower_hexside_trench", "beside", 0),
    ],
)
def test_how_near_the_target_hexside_must_be(task, condition, most):
    for far, expected in ((most, "fulfilled"), (most + 1, "broken")):
        side = f"{at(far)}/{at(far + 1)}"
        asked = {"place": "0102", "side": "ahg", "class_": "engineers", "target": side}
        assert state(rule(C17, task, **asked), condition) == expected


@pytest.mark.parametrize(
    ("game", "task", "condition", "target", "far"),
    [
        (SE, "rally", "next_to_enemy", None, 1),
        (SE, "replace_step", "next_to_enemy", None, 1),
        (SE, "replace_independent", "next_to_enemy", None, 1),
        (SE, "bring_back", "next_to_enemy", None, 1),
        (SE, "react", "with_enemy", None, 0),
        (C17, "react", "with_enemy", None, 0),
        (C17, "repair_bridge", "enemy_opposite", "0202/0302", 1),
        (C17, "build_bridge", "enemy_opposite", "0202/0302", 1),
    ],
)
def test_how_near_an_enemy_may_be(game, task, condition, target, far):
    """An enemy so far from 0202 is too near, one hex further he is not."""
    for away, expected in ((far, "broken"), (far + 1, "fulfilled")):
        asked = {"place": "0202", "side": "it", "target": target}
        ruling = rule(game, task, **asked, enemies=[at(away, "0202")])
        assert state(ruling, condition) == expected


@pytest.mark.parametrize("task", ["declare_assault", "counter_assault"])
@pytest.mark.parametrize("game", FIELDS)
def test_the_enemy_must_be_in_the_target_hex_itself(game, task):
    for away, expected in ((1, "fulfilled"), (2, "broken")):
        asked = {"place": "0202", "side": "it", "target": "0302"}
        ruling = rule(game, task, **asked, enemies=[at(away, "0202")])
        assert state(ruling, "enemy_there") == expected


@pytest.mark.parametrize("game", FIELDS)
def test_another_enemy_bars_a_counter_assault_next_to_the_unit_only(game):
    for label, expected in (("0201", "broken"), ("0101", "fulfilled")):
        asked = {"place": "0202", "side": "it", "target": "0402"}
        ruling = rule(game, "counter_assault", **asked, enemies=["0402", label])
        assert state(ruling, "eligible") == expected


def test_how_near_to_a_town_a_battalion_comes_back():
    pack = find_pack(SE)
    rows = [".3 " * 9, ".3 .3 .T3 .3 .3 .3 .3 .3 .S3", ".3 " * 9]
    road = {"road": "-".join(ROW)}
    field = battlefield(Project(Path(), "x"), board(*rows, links=road), pack)
    for far, expected in ((1, "fulfilled"), (2, "broken")):
        place = at(far, "0302")
        asked = TaskQuestion("bring_back", place, "it", "infantry", friends=["0102:infantry"])
        ruling = TaskJudge(situation(pack, field, asked)).rule("bring_back")
        assert state(ruling, "near_town") == expected


@pytest.mark.parametrize(
    ("task", "condition", "scenario", "side"),
    [
        ("repair_trench", "first_turn", "s1", "it"),
        ("guns_to_move", "first_turn_s1", "s1", "it"),
        ("guns_to_move", "first_turn_s2", "s2", "it"),
        ("blow_bridge", "first_turn_s1", "s1", "ahg"),
        ("blow_bridge", "first_turn_s2", "s2", "ahg"),
        ("repair_bridge", "first_turn", "s1", "ahg"),
        ("build_bridge", "first_turn", "s1", "ahg"),
        ("react", "first_turn", "s1", "it"),
    ],
)
def test_what_turn_1_forbids_turn_2_allows(task, condition, scenario, side):
    target = "0102/0202" if "bridge" in task else None
    asked = {"place": "0102", "side": side, "target": target, "scenario": scenario}
    said = {"not_said": ["formation_assaulted"]} if task == "react" else {}
    for turn, expected in ((1, "broken"), (2, "fulfilled")):
        assert state(rule(C17, task, **asked, **said, turn=turn), condition) == expected
    assert state(rule(C17, task, **asked | {"scenario": "s3"}, turn=1), condition) == "fulfilled"


@pytest.mark.parametrize("task", ["preparatory_bombardment", "gas_attack", "mine_attack"])
@pytest.mark.parametrize("scenario", ["s1", "s2"])
def test_what_belongs_to_turn_1_alone(task, scenario):
    asked = {"place": "0102", "side": "ahg", "scenario": scenario}
    asked["target"] = "0302" if task == "preparatory_bombardment" else None
    for turn, expected in ((1, "fulfilled"), (2, "broken")):
        assert state(rule(C17, task, **asked, turn=turn), "first_turn") == expected
    assert state(rule(C17, task, **asked | {"scenario": "s4"}, turn=1), "first_turn") == "broken"


@pytest.mark.parametrize(
    ("game", "task", "class_", "said", "turns"),
    [
        (SE, "build_trench", "infantry", ["trench=0"], 1),
        (SE, "build_trench", "infantry", ["trench=1"], 2),
        (SE, "build_trench", "infantry", ["trench=2"], 2),
        (SE, "guns_to_fire", "heavy_artillery", [], 2),
        (SE, "guns_to_fire", "mountain_artillery", [], 1),
        (SE, "guns_to_move", "heavy_artillery", [], 1),
        (C17, "guns_to_fire", "light_artillery", [], 1),
        (C17, "guns_to_move", "heavy_artillery", [], 1),
        (C17, "repair_trench", "engineers", ["trench_there"], 2),
    ],
)
def test_how_many_turns_it_takes(game, task, class_, said, turns):
    ruling = rule(game, task, place="0102", side="it", class_=class_, said=said)
    found = [one.values["n"] for one in ruling.reasons if one.key.startswith("rules.task.takes_")]
    assert found == [turns]


@pytest.mark.parametrize("task", ["repair_bridge", "build_bridge"])
def test_a_bridge_takes_until_the_next_engineer_phase(task):
    said = {"said": ["bridge_blown", "over_isonzo", "bridge_engineers"]}
    asked = {"place": "0102", "side": "ahg", "class_": "engineers", "target": "0102/0202"}
    ruling = rule(C17, task, **asked, **said) if task == "repair_bridge" else None
    ruling = ruling or rule(C17, task, **asked, said=["over_isonzo", "bridge_engineers"])
    found = [one.values["n"] for one in ruling.reasons if one.key.startswith("rules.task.takes_")]
    assert found == [2]


@pytest.mark.parametrize(("task", "of"), [("repair_trench", "hexes"), ("barrage", "guns")])
def test_what_the_italians_pay(task, of):
    target = "0302" if task == "barrage" else None
    said = ["trench_there"] if task == "repair_trench" else []
    ruling = rule(C17, task, place="0102", side="it", target=target, said=said)
    cost = next(one for one in ruling.reasons if one.key == f"rules.task.cost_{of}")
    assert (cost.values["n"], cost.values["each"]) == (1, 5)


def test_one_machine_gun_is_enough_for_support_fire():
    asked = {"place": "0102", "class_": "infantry", "target": "0202"}
    for guns, expected in ((1, "fulfilled"), (0, "broken")):
        ruling = rule(C17, "support_fire", **asked, said=[f"machine_guns={guns}"])
        assert state(ruling, "mg_factor") == expected
