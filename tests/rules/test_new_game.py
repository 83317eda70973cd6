"""A sixth game is a folder: the documented example is played by the judges as it stands."""

import json
from pathlib import Path

import pytest

from mapkit.maps import save_map
from rules.cases import load_cases, rule_case
from rules.lookup.rulebook import load_rulebook
from rules.registry import find_pack
from tests.boards import board

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
GAME = "border-war"
CASES = load_cases(EXAMPLES / GAME)


@pytest.fixture(autouse=True)
def _own_packs(monkeypatch):
    monkeypatch.setenv("MAPKIT_PACKS", str(EXAMPLES))
    find_pack.cache_clear()
    yield
    find_pack.cache_clear()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_its_worked_examples_hold(case):
    ruling = rule_case(find_pack(GAME), case)
    got = {"verdict": ruling.verdict, **ruling.working}
    assert {key: got.get(key) for key in case.expect} == case.expect


def test_its_rules_are_at_hand(mapkit_cli):
    assert load_rulebook(EXAMPLES / GAME).find("4.4")
    found = mapkit_cli("rules", "search", GAME, "Versorgung", "--json")
    assert json.loads(found.stdout)["hits"][0]["number"] == "6.1"


def test_the_commands_of_its_page_work_on_a_map_of_its_words(mapkit_cli, tmp_path):
    path = tmp_path / "my.hexmap.json"
    map_ = board(*[".0 .0 .0 .0 .0 .0"] * 12)
    save_map(path, map_)
    bound = ["--game", GAME]
    ruling = mapkit_cli("rules", "sight", str(path), "0505", "0509", *bound, "--json")
    assert json.loads(ruling.stdout)["verdict"] == "unknown"  # "clear" is no word of the game
    folder = tmp_path / "war"
    assert mapkit_cli("project", "new", str(folder), *bound, "--map", str(path)).exit_code == 0
    project = folder / "project.toml"
    text = project.read_text(encoding="utf-8").replace('# "clear" = ""', '"clear" = "open"')
    project.write_text(text, encoding="utf-8")
    ruling = mapkit_cli("rules", "sight", str(folder), "0505", "0509", "--json")
    assert json.loads(ruling.stdout)["verdict"] == "clear"
    unit = ["--side", "red", "--class", "rifles", "--points", "2"]
    reach = json.loads(mapkit_cli("rules", "reach", str(folder), "0305", *unit, "--json").stdout)
    assert reach["verdict"] == "reach"
    assert len(reach["reach"]) == 19
