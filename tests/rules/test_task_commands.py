"""What a unit may do, from the command line: listed, told, as data, and what is refused."""

import json
from pathlib import Path

import pytest

from counters.model import Unit
from mapkit.maps import save_map
from rules.positions.position import Piece, Place, Position
from rules.positions.position_store import save_position
from tests.boards import board

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
GAME = ("--game", "strafexpedition")
DIG = ("build_trench", "0302", "--side", "it", "--class", "infantry", "--with", "activated")


@pytest.fixture
def map_file(tmp_path):
    path = tmp_path / "hills.hexmap.json"
    save_map(path, board(*[".2 .2 .2 .2 .2"] * 4, links={"road": "0101-0201-0301"}))
    return path


def test_the_tasks_of_a_game_are_listed(mapkit_cli):
    result = mapkit_cli("rules", "may", "strafexpedition")
    assert result.exit_code == 0
    assert "build_trench" in result.stdout
    assert "Spike a gun of your own (phase 6) [19.5]" in result.stdout
    data = json.loads(mapkit_cli("rules", "may", "caporetto-1917", "--json").stdout)
    assert {"task", "title", "phases", "who", "conditions", "cite"} <= data[0].keys()


def test_a_game_without_tasks_says_so(mapkit_cli, monkeypatch):
    monkeypatch.setenv("MAPKIT_PACKS", str(EXAMPLES))  # the documented example has none
    assert "holds no tasks yet" in mapkit_cli("rules", "may", "border-war").stdout


def test_each_condition_is_told_with_its_rule(mapkit_cli, map_file):
    result = mapkit_cli("rules", "may", str(map_file), *DIG, *GAME, "--enemy", "0304")
    assert result.exit_code == 0, result.stderr
    first, *rest = result.stdout.splitlines()
    assert first == "Dig a trench (0302): allowed [18.1]"
    assert "  + it is activated [18.1]" in rest
    assert "  effect: trench +1 [18.1]" in rest
    near = mapkit_cli("rules", "may", str(map_file), *DIG, *GAME, "--enemy", "0303")
    assert near.stdout.startswith("Dig a trench (0302): a die roll decides [18.1]")
    assert "  on 1–3: the level is dug [18.3]" in near.stdout
    moved = mapkit_cli("rules", "may", str(map_file), *DIG, *GAME, "--with", "moved")
    assert moved.stdout.startswith("Dig a trench (0302): not allowed [18.1]")
    assert "  - it has moved [18.1]" in moved.stdout


def test_as_data(mapkit_cli, map_file):
    result = mapkit_cli("rules", "may", str(map_file), *DIG, *GAME, "--enemy", "0303", "--json")
    data = json.loads(result.stdout)
    assert (data["verdict"], data["rolls"]) == ("depends_on_roll", ["trench_in_zone"])
    zone = next(one for one in data["conditions"] if one["condition"] == "enemy_zone")
    assert (zone["state"], zone["cite"]) == ("roll", "18.3")


def test_it_speaks_german_and_italian(mapkit_cli):
    words = ("rules", "may", "strafexpedition", "rally", "--side", "it", "--class", "infantry")
    german = mapkit_cli("--lang", "de", *words, "--with", "forced_march").stdout
    assert german.startswith("Sammeln: nicht erlaubt")
    assert "- sie machte in diesem Zug einen Gewaltmarsch [21.6]" in german
    italian = mapkit_cli("--lang", "it", *words, "--without", "supplied").stdout
    assert italian.startswith("Riorganizzarsi: non permesso")
    assert "- non è rifornita [21.6]" in italian


def test_what_is_open_says_what_to_say(mapkit_cli):
    words = ("rules", "may", "strafexpedition", "rally", "--side", "it", "--class", "infantry")
    result = mapkit_cli(*words)
    assert "say --with disorganization=N" in result.stdout
    assert "say --with supplied or --without supplied" in result.stdout


def test_a_work_begun_earlier(mapkit_cli):
    words = ("rules", "may", "caporetto-1917", "repair_trench", "--side", "it", "--finish")
    assert mapkit_cli(*words).stdout.startswith("Repair a trench: completed [17.1]")
    broken = mapkit_cli(*words, "--with", "assaulted").stdout
    assert broken.startswith("Repair a trench: broken off")


def test_a_unit_of_a_position(mapkit_cli, map_file, tmp_path):
    unit = Unit("it-1", "1", "it", class_="infantry")
    piece = Piece(unit, Place("hex", "0302"), {"disorganization": 1})
    file = tmp_path / "game.position.json"
    save_position(file, Position("strafexpedition", pieces={"it-1": piece}))
    words = ("rules", "may", str(map_file), "rally", "it-1", *GAME, "--position", str(file))
    assert mapkit_cli(*words, "--with", "supplied").stdout.startswith("Rally (0302): allowed")
    nobody = mapkit_cli(*words[:4], "it-2", *words[5:])
    assert (nobody.exit_code, nobody.stdout) == (1, "")
    assert "no unit 'it-2' stands on this map" in nobody.stderr
    for option in ("--friend", "--enemy"):  # counters named on the spot are added
        assert mapkit_cli(*words, option, "0303").exit_code == 0
    for option, value in (("--side", "it"), ("--class", "infantry")):
        refused = mapkit_cli(*words, option, value)
        assert (refused.exit_code, refused.stdout) == (1, "")
        assert f"{option} does not go with --position" in refused.stderr
    no_map = mapkit_cli("rules", "may", "strafexpedition", "rally", "--position", str(file))
    assert no_map.exit_code == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("strafexpedition", "fly"), "no task 'fly'; there is: build_trench"),
        (("strafexpedition", "rally"), "whose unit is it? say --side"),
        (("strafexpedition", "rally", "--side", "it", "--with", "tired"), "no circumstance"),
        (("chess", "rally"), "chess"),
    ],
)
def test_what_is_refused_is_one_line(mapkit_cli, words, message):
    result = mapkit_cli("rules", "may", *words)
    assert (result.exit_code, result.stdout) == (1, "")
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
