"""A project's owner file reaches every command that reads scenarios."""

import json

import pytest

from mapkit.maps import save_map
from rules.registry import find_pack
from rules.scenarios.scenario_files import _by_choices, find_scenarios
from tests.rules.judges.test_victory_judge import printed
from tests.rules.scenarios.test_scenario_answers import ANSWER, OPEN
from tests.rules.scenarios.test_scenario_files import PACK, SCENARIO

SE, C17 = "strafexpedition", "caporetto-1917"


@pytest.fixture
def project(tmp_path):
    """A folder whose project is of a game, with some answers of its owner."""

    def make(game, **answers):
        chosen = "".join(f'{name.replace("_", "-")} = "{one}"\n' for name, one in answers.items())
        (tmp_path / "mine.owner.toml").write_text(
            f'format = "mapkit-owner/1"\ngame = "{game}"\n[assumptions]\n{chosen}', encoding="utf-8"
        )
        (tmp_path / "project.toml").write_text(
            f'format = "mapkit-project/1"\nname = "Mine"\ngame = "{game}"\n'
            'owner = "mine.owner.toml"\n',
            encoding="utf-8",
        )
        return tmp_path

    return make


def json_of(mapkit_cli, *args):
    ran = mapkit_cli("rules", *map(str, args), "--json")
    assert ran.exit_code == 0, ran.stderr
    return json.loads(ran.stdout)


def test_the_sheet_and_the_calendar_of_a_project(mapkit_cli, project):
    mine = project(SE, entry_of_sesia="as-scenario-1", campaign_length="no-last-turn")
    for game, turn, open_end in ((SE, 2, False), (mine, 4, True)):
        calendar = json_of(mapkit_cli, "calendar", game, "s5")
        coming = [one["turn"] for one in calendar["turns"] if "it-sesia-202-i" in one["arrivals"]]
        assert (coming, calendar["open_end"]) == ([turn], open_end)
        assert {"entry-of-sesia", "campaign-length"} <= set(calendar["assumptions"])
        sheet = json_of(mapkit_cli, "scenario", game, "s5")
        [sesia] = [one for one in sheet["units"] if one["id"] == "it-sesia-202-i"]
        assert sesia["turn"] == turn
    told = mapkit_cli("rules", "scenario", str(mine), "s5").stdout
    assert "By the list of Scenario 1 in both." in told
    assert (
        mapkit_cli("rules", "sequence", str(mine), "--scenario", "s5", "--turn", "33").exit_code
        == 0
    )
    assert mapkit_cli("rules", "sequence", SE, "--scenario", "s5", "--turn", "33").exit_code == 1


def test_a_game_begun_and_kept_in_a_project(mapkit_cli, project, tmp_path):
    """What stands beside a position holds for it: its set-up, its turns, its changes."""
    mine = project(SE, campaign_fortresses="left-out", campaign_length="no-last-turn")
    file, plain = mine / "a.position.json", tmp_path / "elsewhere" / "a.position.json"
    plain.parent.mkdir()
    ran = mapkit_cli("rules", "position", "new", str(mine), "--scenario", "s5", "-o", str(file))
    assert "No: what the list does not name is not there." in ran.stderr
    mapkit_cli("rules", "position", "new", SE, "--scenario", "s5", "-o", str(plain))
    ids = [
        {one["id"] for one in json_of(mapkit_cli, "position", "show", path)["units"]}
        for path in (file, plain)
    ]
    assert ids[1] - ids[0] == {"ah-fort-lusern", "ah-fort-verle", "ah-fort-spitz-vezzena"}
    for path, code in ((file, 0), (plain, 1)):
        assert mapkit_cli("rules", "position", "turn", str(path), "33").exit_code == code
    assert "June 16 (open end)" in mapkit_cli("rules", "turn", "show", str(file)).stdout
    assert "June 16" in mapkit_cli("rules", "position", "show", str(file)).stdout


@pytest.mark.parametrize(
    ("answers", "verdict"), [({}, "draw"), ({"exactly_ninety": "italian"}, "it")]
)
def test_who_wins_by_the_owners_reading(mapkit_cli, project, answers, verdict):
    """And a saved ruling is verified by the same reading."""
    mine = project(C17, **answers)
    save_map(mine / "m.hexmap.json", printed(C17, {"0101": 1}))
    with (mine / "project.toml").open("a", encoding="utf-8") as file:
        file.write('[[maps]]\nid = "m"\nfile = "m.hexmap.json"\n')
    at = mine / "a.position.json"
    mapkit_cli("rules", "position", "new", str(mine), "--scenario", "s2", "-o", str(at))
    mapkit_cli("rules", "position", "points", str(at), "ahg", "vp", "90")
    saved = mine / "r.ruling.json"
    ruling = json_of(mapkit_cli, "victory", mine, at, "--final", "--save", saved)
    assert ruling["verdict"] == verdict
    assert "exactly-ninety" in ruling["assumptions"]
    told = mapkit_cli("rules", "victory", str(mine), str(at), "--final").stdout
    assert "exactly 90 points" in told, "another answer would change it, and it says so"
    assert mapkit_cli("rules", "verify", str(saved)).exit_code == 0


def test_the_check_counts_what_a_pack_offers(mapkit_cli):
    ran = mapkit_cli("rules", "pack", "check", C17)
    assert ran.exit_code == 0
    assert "answers to open questions can be chosen, and all fit" in ran.stdout
    data = json_of(mapkit_cli, "pack", "check", C17)
    assert data["faults"] == []
    assert data["with_values"] > 20


@pytest.fixture
def own_pack(tmp_path, monkeypatch):
    """A game of one's own whose only other answer is broken in three places."""
    folder = tmp_path / "packs" / "skirmish"
    (folder / "scenarios").mkdir(parents=True)
    monkeypatch.setenv("MAPKIT_PACKS", str(folder.parent))
    (folder / "pack.toml").write_text(PACK, encoding="utf-8")
    (folder / "scenarios" / "ford.toml").write_text(SCENARIO, encoding="utf-8")
    broken = """
[@.scenarios.ford.set]
number = "one"
"turns.length" = 3
[@.scenarios.bridge.set]
title = "x"
"""
    text = OPEN + broken.replace("@", ANSWER)
    (folder / "open_points.toml").write_text(text, encoding="utf-8")
    yield folder
    for kept in (find_pack, find_scenarios, _by_choices):
        kept.cache_clear()


@pytest.mark.parametrize("what", ["owner file", "pack"])
def test_a_broken_answer_is_told_with_every_fault(mapkit_cli, project, own_pack, what):
    mine = project("skirmish", who="blue") / "mine.owner.toml"
    checked = str(mine) if what == "owner file" else "skirmish"
    ran = mapkit_cli("rules", "pack", "check", checked)
    assert ran.exit_code == 1
    assert "3 faults" in ran.stdout
    for place in ("scenarios.ford.number", "scenarios.ford.turns.length", "scenarios.bridge"):
        assert f"{ANSWER}.{place}: " in ran.stdout
    ran = mapkit_cli("rules", "scenario", str(mine.parent), "ford")
    assert (ran.exit_code, "Traceback" in ran.stderr) == (1, False)
