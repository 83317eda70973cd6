"""The sequence of play: a contract over all packs, what a turn leaves out, and who acts."""

import json
import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from mapkit import texts
from rules.errors import PackError, RulesError
from rules.lookup.rulebook import load_rulebook
from rules.pack import load_pack
from rules.registry import find_pack, pack_folder, pack_names
from rules.scenarios.scenario_files import find_scenarios
from rules.scenarios.sequences import (
    Asked,
    ask,
    checklist,
    checklist_data,
    find_sequence,
    load_sequence,
    told_checklist,
)
from rules.schema.sequence import Sequence

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
SOURCE = Path(__file__).parents[4] / "shared" / "dossiers" / "data" / "sequences.yaml"
SE, C17 = "strafexpedition", "caporetto-1917"
GAMES = [game for game in pack_names() if load_sequence(pack_folder(game), find_pack(game))]


def lines(game, scenario=None, turn=None):
    return checklist(find_sequence(game), find_pack(game), ask(find_pack(game), scenario, turn))


def phases(game, scenario=None, turn=None):
    return [line.id for line in lines(game, scenario, turn) if line.depth == 0]


def steps(game, scenario=None, turn=None):
    return [line.id for line in lines(game, scenario, turn) if line.depth == 1 and line.id]


def test_our_two_games_have_one():
    assert {SE, C17} <= set(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_every_cite_is_a_rule_at_hand(game):
    book = load_rulebook(pack_folder(game))
    assert {line.cite for line in lines(game) if not book.find(line.cite)} == set()


@pytest.mark.parametrize("game", GAMES)
def test_every_scenario_it_names_is_one(game):
    known = {scenario.id for scenario in find_scenarios(game).scenarios}
    dump = str(find_sequence(game).model_dump())
    named = set(re.findall(r"'(s\d)'", dump))
    assert named <= known


@pytest.mark.parametrize("game", [SE, C17])
def test_the_phases_are_those_of_the_source(game):
    if not SOURCE.is_file():
        pytest.skip(f"{SOURCE} is not on this machine")
    text = re.search(rf"^{game}:\n(.*?)(?=^\w|\Z)", SOURCE.read_text("utf-8"), re.M | re.S)[1]
    listed = re.findall(r"id: (\d+)[,\n]\s*name: ([^,\n}]+)", text)
    ours = find_sequence(game).phases
    assert [phase.id for phase in ours] == [number for number, _ in listed]
    acted = re.findall(r"\b([A-I])_", text)
    assert [step.id for step in find_sequence(game).steps(_actions(game)[1])] == acted


def _actions(game):
    return [phase for phase in find_sequence(game).phases if phase.active]


@pytest.mark.parametrize("game", [SE, C17])
def test_both_sides_act_by_the_same_steps(game):
    one, other = _actions(game)
    sequence = find_sequence(game)
    assert sequence.steps(one) == sequence.steps(other)
    assert (one.active, one.opponent) == (other.opponent, other.active)


def test_who_acts_in_each_phase():
    acting = {}
    for line in lines(C17):
        acting.setdefault(line.id, line.who)
    assert acting["7"] == ("Austro-Hungarian and German",)
    found = [line.who for line in lines(C17) if line.id == "C"]
    assert found == [("Italian",), ("Austro-Hungarian and German",)]


def test_the_first_turn_begins_late():
    assert phases(C17, "s1", 1) == [str(n) for n in range(6, 14)]
    assert phases(C17, "s1", 2) == phases(C17, "s2", 1) == [str(n) for n in range(1, 14)]
    assert phases(C17, None, 1)[0] == "1", "only scenario 1 begins so"
    assert "turn 1 begins with phase 6 (s1) [24.9]" in told_checklist(
        find_sequence(C17), find_pack(C17), Asked(None, 1)
    )


def test_a_step_is_left_out():
    assert "5.3" not in steps(C17, "s2", 1)
    assert "5.3" in steps(C17, "s2", 2)
    assert {"6.3", "6.4"} <= set(steps(C17, "s1", 1))
    assert not {"6.3", "6.4"} & set(steps(C17, "s1", 2))
    assert not {"6.3", "6.4"} & set(steps(C17, "s3"))


@pytest.mark.parametrize(
    ("scenario", "turn", "rolled"),
    [("s1", 1, False), ("s1", 2, True), ("s2", 3, False), ("s4", None, False), (None, 1, True)],
)
def test_events_only_where_the_scenario_has_them(scenario, turn, rolled):
    assert ("7" in phases(SE, scenario, turn)) is rolled


def test_the_count_comes_in_the_last_turn():
    def counted(turn):
        return any("Count victory points" in line.text for line in lines(SE, "s1", turn))

    assert [counted(turn) for turn in range(1, 6)] == [False] * 4 + [True]
    assert counted(None)


def test_a_condition_that_stays_open_is_told():
    (line,) = [line for line in lines(SE) if "Roana" in line.text]
    assert line.only[0] == "only in s5"
    assert line.only[1].startswith("only if an Austro-Hungarian combat unit is 5 hexes away")
    (line,) = [line for line in lines(SE, "s5", 3) if "Roana" in line.text]
    assert len(line.only) == 1
    assert not [line for line in lines(SE, "s1") if "Roana" in line.text]


@pytest.mark.parametrize("language", texts.LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_told_in_every_language(game, language):
    texts.use(language)
    try:
        told = told_checklist(find_sequence(game), find_pack(game), Asked())
    finally:
        texts.use(None)
    boxes = [line for line in told.splitlines() if line.lstrip().startswith("[ ] ")]
    assert len(boxes) == len(lines(game))
    assert told.count("↺") == len(find_sequence(game).repeats)


def test_as_data():
    data = checklist_data(find_sequence(C17), find_pack(C17), ask(find_pack(C17), "s1", 1))
    assert (data["scenario"], data["turn"]) == ("s1", 1)
    assert data["lines"][0]["id"] == "6"
    assert data["repeats"][-1]["phases"] == ["7", "8"]


def test_a_turn_that_is_none():
    with pytest.raises(RulesError, match="'s4' has no turn 3; its last is 2"):
        ask(find_pack(SE), "s4", 3)


def test_a_game_without_a_sequence(monkeypatch):
    monkeypatch.setenv("MAPKIT_PACKS", str(EXAMPLES))  # the documented example has none
    with pytest.raises(RulesError, match="the pack of Border War.* has no sequence of play"):
        find_sequence("border-war")


PHASE = {"id": "1", "title": "All", "who": ["both"], "cite": "4.0"}


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"phases": [PHASE, PHASE]}, "listed twice"),
        ({"phases": [PHASE | {"steps_of": "2"}]}, "not at all \\['2'\\]"),
        ({"phases": [PHASE, PHASE | {"id": "2", "steps_of": "1"}]}, "takes the steps of a phase"),
        ({"starts": [{"turn": 1, "begins_with": "3", "cite": "4.0"}]}, "not at all \\['3'\\]"),
        ({"starts": [{"turn": 1, "without": ["X"], "cite": "4.0"}]}, "not at all \\['X'\\]"),
        ({"repeats": [{"phases": ["9"], "until": ["player_passes"], "cite": "4.0"}]}, "'9'"),
        ({"phases": []}, "at least 1 item"),
    ],
)
def test_a_sequence_that_names_what_is_not_there(changed, told):
    with pytest.raises(ValidationError, match=told):
        Sequence.model_validate({"phases": [PHASE], "cite": "4.0"} | changed)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('cite = "4.0"\n[[phases]]\nid = "1"\ntitle = "A"\nwho = ["pink"]\ncite = "4.0"', "pink"),
        ("cite = ", "broken TOML"),
        ('cite = "4.0"', "phases: Field required"),
    ],
)
def test_a_file_that_does_not_read(tmp_path, text, told):
    pack = load_pack(pack_folder(SE), SE)
    (tmp_path / "sequence.toml").write_text(text, encoding="utf-8")
    with pytest.raises(PackError, match=told):
        load_sequence(tmp_path, pack)


@pytest.mark.parametrize(
    ("first", "last", "told"),
    [
        pytest.param(3, None, "from turn 3 on", id="without an end"),
        pytest.param(7, 7, "only in turn 7", id="a single turn"),
        pytest.param(None, 2, "only in turns 1 to 2", id="from the start"),
        pytest.param(3, 6, "only in turns 3 to 6", id="a span"),
    ],
)
def test_the_turns_of_a_step_are_told_as_one_says_it(first, last, told):
    phase = {"id": "1", "title": "Weather", "who": ["both"], "cite": "4.0"}
    phase["when"] = {"first_turn": first, "last_turn": last}
    sequence = Sequence.model_validate_json(json.dumps({"cite": "4.0", "phases": [phase]}))
    (line,) = checklist(sequence, find_pack(SE), Asked())
    assert line.only == (told,)
