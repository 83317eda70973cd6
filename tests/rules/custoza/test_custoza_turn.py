"""Custoza's turn: tries by turns until three passes (3, 14), and Game Turns as printed."""

from dataclasses import replace

import pytest

from rules.errors import RulesError
from rules.positions.position_store import load_position
from rules.positions.set_up import set_up
from rules.scenarios.scenario_files import find_scenarios
from rules.scenarios.scenario_words import told_turn
from rules.scenarios.sequences import Asked, find_sequence, told_checklist
from rules.turns.clock_work import activate, advance, give_initiative, go_to, let_pass, try_in_vain
from rules.turns.due import due_now
from rules.turns.limits import objections
from rules.turns.play import formations_left, play_of
from rules.turns.turn_told import told_now, turn_data

GAME = "custoza"


def at(position):
    clock = position.clock
    return (clock.phase, clock.step, clock.active)


@pytest.fixture
def started():
    """Small scenario 23.1, where the Austro-Hungarians always have the initiative."""
    position = set_up(GAME, "small-1")
    play = play_of(position)
    return go_to(position, play, "3"), play


def test_the_command_step_comes_once_then_the_first_try(started):
    position, play = started
    position = advance(position, play)
    assert at(position)[:2] == ("3", "3.1")
    position = advance(position, play)
    assert at(position) == ("3", "3.2", "ah")
    left = [one for one in due_now(position, play) if one.kind == "formations"]
    assert left, "who may still act is told at the try itself"


def test_after_an_action_the_other_player_tries(started):
    position, play = started
    position = activate(position, play, ("ah66-v",))
    seen = [at(position)]
    while position.clock.formation:
        position = advance(position, play)
        seen.append(at(position))
    assert [step for _, step, _ in seen] == ["3.2a", "3.2b", "3.2c", "3.2"]
    assert at(position)[2] == "it"
    assert position.clock.done == ("ah66-v",)
    assert objections(position, play, "it66-div-1") == ()
    assert not turn_data(activate(position, play, ("it66-div-1",)), play)["reaction"]


def test_a_failed_try_is_the_other_players_turn(started):
    position, play = started
    position = try_in_vain(position, play, "ah66-v")
    assert at(position) == ("3", "3.2", "it")
    assert position.clock.done == (), "it may try again"
    position = try_in_vain(position, play, "it66-div-1")
    assert at(position) == ("3", "3.2", "ah")


def test_three_passes_in_a_row_end_the_phase(started):
    position, play = started
    position = advance(advance(position, play), play)
    position = let_pass(let_pass(position, play), play)
    assert at(position) == ("3", "3.2", "ah")
    assert position.clock.passed == ("ah", "it")
    position = let_pass(position, play)
    assert position.clock.phase == "4"


def test_a_try_between_passes_counts_them_anew(started):
    position, play = started
    position = advance(advance(position, play), play)
    position = let_pass(let_pass(position, play), play)
    position = try_in_vain(position, play, "ah66-v")
    assert position.clock.passed == ()
    for _ in range(2):
        position = let_pass(position, play)
        assert position.clock.phase == "3"
    assert let_pass(position, play).clock.phase == "4"


def test_without_the_initiative_known_players_still_take_turns():
    position = set_up(GAME, "s1")
    play = play_of(position)
    position = go_to(position, play, "3.2")
    seen = []
    for _ in range(2):
        position = try_in_vain(position, play, "ah48-ii" if len(seen) % 2 else "it48-i")
        seen.append(position.clock.active)
    assert len(set(seen)) == 2
    unsaid = replace(position, clock=replace(position.clock, active="initiative"))
    after = let_pass(unsaid, play)
    assert after.clock.active == "other"
    assert let_pass(after, play).clock.active == "initiative"


def test_who_marches_acts_in_the_march_phase_only():
    position = set_up(GAME, "s3")
    play = play_of(position)
    position = give_initiative(position, play, "it")
    engaged = go_to(position, play, "3.2")
    assert formations_left(play, engaged, "it") == ()
    marching = go_to(position, play, "6")
    assert "it66-div-1" in formations_left(play, marching, "it")
    assert told_now(marching, play)


def test_nobody_tries_where_no_formations_act(started):
    position, play = started
    with pytest.raises(RulesError, match="do not try by turns"):
        try_in_vain(go_to(position, play, "4"), play, "ah66-v")


def test_the_checklist_tells_of_three_passes():
    scenarios = find_scenarios(GAME)
    told = told_checklist(find_sequence(GAME), scenarios.pack, Asked(scenarios.find("s1"), 2))
    assert "3 passes came one after the other" in told


@pytest.mark.parametrize(
    ("scenario", "turn", "printed"),
    [("s1", 1, 4), ("s1", 62, 17), ("s1", 22, 1), ("s2", 1, 3), ("s3", 16, 18), ("s4", 1, 1)],
)
def test_game_turns_as_printed_begin_anew_each_day(scenario, turn, printed):
    one = find_scenarios(GAME).find(scenario)
    assert one.file.turns.printed(turn) == printed
    assert f"Game Turn {printed} " in told_turn(one, turn)


def test_other_games_print_our_numbers():
    assert find_scenarios("strafexpedition").scenarios[0].file.turns.printed(1) is None


def test_a_failed_try_from_the_command_line(mapkit_cli, tmp_path):
    path = tmp_path / "game.position.json"
    mapkit_cli("rules", "position", "new", GAME, "--scenario", "small-1", "-o", path)
    mapkit_cli("rules", "turn", "goto", path, "3")
    ran = mapkit_cli("rules", "turn", "activate", path, "ah66-v", "--failed")
    assert ran.exit_code == 0, ran.stderr
    assert load_position(path).clock.active == "it"
