"""`mapkit rules turn …` and `mapkit rules victory`: the keeper from the command line."""

import json
from dataclasses import replace

import pytest

from mapkit.kinds import Kind
from mapkit.maps import save_map
from mapkit.model import Feature
from rules.positions.position_store import load_position
from tests.boards import board


@pytest.fixture
def game(mapkit_cli, tmp_path):
    path = tmp_path / "game.position.json"
    ran = mapkit_cli("rules", "position", "new", "strafexpedition", "--scenario", "s4", "-o", path)
    assert ran.exit_code == 0
    return path


def ok(ran):
    assert ran.exit_code == 0, ran.stderr
    return ran


def test_a_turn_from_the_command_line(mapkit_cli, game):
    assert "the turn has not begun" in ok(mapkit_cli("rules", "turn", "show", game)).stdout
    for _ in range(3):
        told = ok(mapkit_cli("rules", "turn", "next", game)).stdout
    assert "phase 3, Initiative" in told
    assert "who has the initiative?" in told
    ok(mapkit_cli("rules", "turn", "initiative", game, "ah"))
    for _ in range(5):
        told = ok(mapkit_cli("rules", "turn", "next", game)).stdout
    assert "phase 8, Action of the player with the initiative – Austro-Hungarian" in told
    told = ok(mapkit_cli("rules", "turn", "activate", game, "58th KJ Brigade")).stdout
    assert "step A, Tactical movement" in told
    ok(mapkit_cli("rules", "turn", "goto", game, "8.I"))
    told = ok(mapkit_cli("rules", "turn", "react", game, "cagliari")).stdout
    assert "reacting: Cagliari Brigade" in told
    for _ in range(8):
        told = ok(mapkit_cli("rules", "turn", "next", game)).stdout
    assert "have acted: 58th KJ Brigade, Cagliari Brigade" in told
    data = json.loads(ok(mapkit_cli("rules", "turn", "pass", game, "--json")).stdout)
    assert (data["phase"]["id"], data["active"], data["passed"]) == ("9", "it", ["ah"])


def test_every_step_can_be_taken_back(mapkit_cli, game):
    steps = [
        ("next",),
        ("goto", "8"),
        ("initiative", "ah"),
        ("activate", "ancona"),
        ("next",),
        ("react", "58th KJ Brigade", "--failed"),
        ("take", "ah", "1234", "1235"),
        ("pass",),
        ("goto", "1", "--turn", "2"),
        ("end",),
    ]
    before = [load_position(game)]
    for verb, *words in steps:
        ok(mapkit_cli("rules", "turn", verb, game, *words))
        before.append(load_position(game))
    assert before[-1].clock.over
    for expected in reversed(before[:-1]):
        ok(mapkit_cli("rules", "position", "undo", game))
        assert load_position(game) == expected


def test_objections_are_told_beside_the_result(mapkit_cli, game):
    ok(mapkit_cli("rules", "turn", "goto", game, "5"))
    ran = ok(mapkit_cli("rules", "turn", "activate", game, "cagliari"))
    assert "in this phase no formation acts" in ran.stderr
    assert "acting: Cagliari Brigade" in ran.stdout


def test_the_log(mapkit_cli, game):
    for _ in range(4):
        ok(mapkit_cli("rules", "turn", "next", game))
    ok(mapkit_cli("rules", "position", "note", game, "the Alpini hold"))
    told = ok(mapkit_cli("rules", "turn", "log", game)).stdout.splitlines()
    assert told[0] == "turn 1"
    assert told[2] == "     1  phase 1: Reinforcement"
    assert told[-1].endswith("the Alpini hold")
    page = ok(mapkit_cli("rules", "turn", "log", game, "--last", "2")).stdout
    assert len(page.splitlines()) == 4
    data = json.loads(ok(mapkit_cli("rules", "turn", "log", game, "--json")).stdout)
    assert data[0]["text"] == "turn 1 begins"


def test_the_log_in_german(mapkit_cli, game):
    ok(mapkit_cli("rules", "turn", "next", game))
    assert "Zug 1 beginnt" in mapkit_cli("--lang", "de", "rules", "turn", "log", game).stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("goto", "99"), "there is no place '99' in the turn"),
        (("activate", "nobody"), "has no formation 'nobody'"),
        (("pass",), "nobody can pass"),
        (("initiative", "fr"), "has no side 'fr'; there is: "),
        (("take", "ah", "99"), "'99'"),
    ],
)
def test_what_is_refused_in_one_line(mapkit_cli, game, words, told):
    verb, *rest = words
    ran = mapkit_cli("rules", "turn", verb, game, *rest)
    assert ran.exit_code == 1
    assert told in ran.stderr
    assert len(ran.stderr.strip().splitlines()) == 1
    assert load_position(game).log == ()


@pytest.fixture
def map_file(tmp_path):
    path = tmp_path / "points.hexmap.json"
    drawn = board(". . .", ". . .")
    hex_ = drawn.hex("0201")
    marked = replace(drawn[hex_], features=(Feature("victory", value=6),))
    kinds = replace(drawn.kinds, features=(*drawn.kinds.features, Kind("victory")))
    save_map(path, replace(drawn, hexes={**drawn.hexes, hex_: marked}, kinds=kinds))
    return path


def test_victory_from_a_map(mapkit_cli, map_file, tmp_path):
    path = tmp_path / "game.position.json"
    ok(mapkit_cli("rules", "position", "new", "strafexpedition", "--scenario", "s1", "-o", path))
    told = ok(mapkit_cli("rules", "victory", map_file, path)).stdout
    assert told.startswith("nobody has won yet")
    assert "16 more victory points (now 0)" in told
    ok(mapkit_cli("rules", "turn", "take", path, "ah", "0201"))
    told = ok(mapkit_cli("rules", "victory", map_file, path)).stdout
    assert "Austro-Hungarian: 6 points for places (0201 6)" in told
    data = json.loads(
        ok(mapkit_cli("rules", "victory", map_file, path, "--final", "--json")).stdout
    )
    assert (data["verdict"], data["points"]) == ("it", {"ah": 6})


def test_victory_in_a_position_of_another_game_is_refused(mapkit_cli, map_file, game, tmp_path):
    folder = tmp_path / "isonzo"
    ok(mapkit_cli("project", "new", folder, "--game", "caporetto-1917", "--map", map_file))
    refused = mapkit_cli("rules", "victory", folder, game)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "a position of strafexpedition, but the project" in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_a_hex_that_is_not_on_the_map_is_not_taken(mapkit_cli, map_file, game):
    refused = mapkit_cli("rules", "turn", "take", game, "ah", "9999", "--on", map_file)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "there is no hex 9999" in refused.stderr


def test_the_game_ends_early(mapkit_cli, game):
    told = ok(mapkit_cli("rules", "turn", "end", game)).stdout
    assert told.endswith("the game is over\n")
