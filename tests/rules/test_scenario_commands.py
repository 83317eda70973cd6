"""`mapkit rules packs|scenario|calendar|sequence|units`."""

import json

import pytest

from counters.units_table import load_units
from mapkit.texts import LANGUAGES
from rules.registry import find_pack, pack_names
from rules.scenarios.scenario_files import find_scenarios

ASSUMED = find_pack("strafexpedition").assumptions
ALL = [
    pytest.param(game, scenario.id, id=f"{game} {scenario.id}")
    for game in pack_names()
    for scenario in find_scenarios(game).scenarios
]


def test_packs_as_a_matrix(mapkit_cli):
    ran = mapkit_cli("rules", "packs")
    assert ran.exit_code == 0
    head, *rows = ran.stdout.splitlines()
    assert head.split() == list(pack_names())
    cells = {row.split()[0]: row.split()[1:] for row in rows[: rows.index("")]}
    assert cells["units"][-2:] == ["complete", "934"]
    assert cells["layout"][-1] == "partial"
    assert "strafexpedition: Strafexpedition 1916" in ran.stdout
    assert f"{len(ASSUMED)} questions left open by the rules" in ran.stdout
    assert "weather-calendar" in ran.stdout


def test_packs_as_data(mapkit_cli):
    packs = {pack["id"]: pack for pack in json.loads(mapkit_cli("rules", "packs", "--json").stdout)}
    assert set(packs) == set(pack_names())
    ours, other = packs["strafexpedition"], packs["caporetto-1917"]
    assert ours["parts"]["units"] == {"state": "complete", "n": 934}
    assert ours["parts"]["scenarios"] == {"state": "partial", "n": 5}
    assert ours["parts"]["sight"] == {"state": "complete"}
    assert ours["parts"]["levels"]["state"] == "partial"
    assert ours["parts"]["victory"]["state"] == "partial", "the map prints the points"
    assert other["parts"]["units"] == {"state": "missing", "n": 0}
    assert other["parts"]["sequence"] == {"state": "complete"}
    assert ours["assumptions"] == len(ASSUMED)
    assert "front-lines" in ours["missing"]


def test_the_list_of_scenarios(mapkit_cli):
    told = mapkit_cli("rules", "scenario", "strafexpedition").stdout
    assert "s1  Drive on Pasubio\n    5 turns, May 15 – May 19\n" in told
    assert "units: Italian 77, Austro-Hungarian 102" in told
    data = json.loads(mapkit_cli("rules", "scenario", "caporetto-1917", "--json").stdout)
    assert [one["id"] for one in data["scenarios"]] == ["s1", "s2", "s3", "s4"]
    assert data["scenarios"][0]["missing"]["units"] == "set-up"


def test_a_sheet_by_hex(mapkit_cli):
    told = mapkit_cli("rules", "scenario", "strafexpedition", "4", "--by", "hex").stdout
    assert (
        "  1232\n    Cagliari Brigade: 64/I – reduced\n  1234\n    Ancona Brigade: 70/II\n" in told
    )
    places = [line.strip() for line in told.splitlines() if line.strip().isdigit()]
    italian = places[: places.index("1432")]
    assert italian == sorted(italian)


def test_a_sheet_by_formation(mapkit_cli):
    told = mapkit_cli("rules", "scenario", "strafexpedition", "s1").stdout
    assert "SET-UP, Italian: 52 units" in told
    assert "  Taro Brigade\n    207/I, 207/II, 207/III – 3202, 3302, 3303, one in each" in told
    assert "ARRIVALS, Italian: 25 units\n  turn 2, May 16\n" in told
    assert "Mountain artillery V 1–5, " in told
    assert "on the fire side" in told
    assert "trenches of level 2: 3122, 3225, 3326, 3728" in told
    assert "Austro-Hungarian wins: Austro-Hungarian has 16 victory points or more" in told
    assert "Open in the rules: Does the Fortress Sommo lie behind its own front, in 3318?" in told


@pytest.mark.parametrize("by", ["hex", "formation"])
def test_every_unit_stands_on_both_sheets(mapkit_cli, by):
    told = mapkit_cli("rules", "scenario", "strafexpedition", "s3", "--by", by).stdout
    for one in find_scenarios("strafexpedition").find("s3").deployed:
        if "artillery" not in one.unit.name:  # those are counted in one word
            assert one.unit.name in told


def test_a_sheet_as_data(mapkit_cli):
    ran = mapkit_cli("rules", "scenario", "strafexpedition", "s4", "--json")
    data = json.loads(ran.stdout)
    assert len(data["units"]) == 38
    (reduced,) = [unit for unit in data["units"] if unit["statuses"]]
    assert (reduced["id"], reduced["statuses"]) == ("it-cagliari-64-i", ["reduced"])
    assert data["placements"][reduced["placement"]]["says"] == "1232"
    assert data["turns"]["first"] == {"date": "1916-06-12"}


def test_a_calendar(mapkit_cli):
    told = mapkit_cli("rules", "calendar", "strafexpedition", "s5").stdout
    assert "at the start: Italian 0 Logistics Points, Austro-Hungarian 50 Logistics Points" in told
    june = told.partition("turn 18, June 1: ")[2].partition("turn 19, ")[0]
    assert june.startswith("weather not in our sources, see: Turn Record Track\n")
    assert "Italian +15 Logistics Points, Austro-Hungarian +10 Logistics Points" in june
    assert "11th Gebirgs Brigade, 12th Gebirgs Brigade: taken off and put back rebuilt" in june
    assert "Alpini Cenischia, Alpini Saccarello – Lusiana: 1864" in june
    first = told.partition("turn 1, ")[2].partition("turn 2, ")[0]
    assert "roll for an event" not in first
    assert "Italian, artillery: no change of mode – turn 1 [Scenario 5]" in first


def test_a_calendar_with_weather(mapkit_cli):
    told = mapkit_cli("rules", "calendar", "caporetto-1917", "1").stdout
    assert "turn 2, October 24, evening: Light rain\n" in told
    assert "Italian, left +2 Logistics Points" in told
    data = json.loads(mapkit_cli("rules", "calendar", "caporetto-1917", "1", "--json").stdout)
    assert [turn["weather"] for turn in data["turns"]] == ["first_turn", "light_rain"] + [
        "clear"
    ] * 6
    assert data["turns"][1]["points"][0] == {"side": "it", "wing": "left", "gained": 2}


def test_every_arrival_is_in_the_calendar(mapkit_cli):
    ran = mapkit_cli("rules", "calendar", "strafexpedition", "s5", "--json")
    arriving = [unit for turn in json.loads(ran.stdout)["turns"] for unit in turn["arrivals"]]
    scenario = find_scenarios("strafexpedition").find("s5")
    assert sorted(arriving) == sorted(one.unit.id for one in scenario.deployed if one.turn)


def test_a_checklist(mapkit_cli):
    told = mapkit_cli("rules", "sequence", "strafexpedition").stdout
    assert "[ ] 1 Reinforcement – both [4.0]\n    [ ] Place this turn's arrivals" in told
    assert "↺ phases 8, 9 again, until none is left to activate or both pass one after" in told
    ran = mapkit_cli(
        "rules", "sequence", "caporetto-1917", "--scenario", "s1", "--turn", "1", "--json"
    )
    assert json.loads(ran.stdout)["lines"][0]["id"] == "6"


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["scenario", "chess"], "no rules pack 'chess'; there is: caporetto-1917, "),
        (["scenario", "strafexpedition", "s9"], "no scenario 's9'; there is: s1, s2, s3, s4, s5"),
        (["calendar", "caporetto-1917", "x"], "no scenario 'x'; there is: s1, s2, s3, s4"),
        (["sequence", "chess"], "no rules pack 'chess'; there is: "),
        (["sequence", "strafexpedition", "--scenario", "7"], "no scenario '7'; there is: s1, "),
        (["sequence", "strafexpedition", "--scenario", "4", "--turn", "3"], "has no turn 3"),
    ],
)
def test_what_is_not_there_is_told_in_a_line(mapkit_cli, args, told):
    ran = mapkit_cli("rules", *args)
    assert ran.exit_code == 1
    assert told in ran.stderr
    assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "name"), ALL)
def test_everything_can_be_told_in_every_language(mapkit_cli, game, name, language):
    for args in (["scenario", game, name], ["calendar", game, name]):
        ran = mapkit_cli("--lang", language, "rules", *args)
        assert ran.exit_code == 0
        assert "{" not in ran.stdout


def test_the_counters_of_a_scenario_as_a_table(mapkit_cli, tmp_path):
    table, mine = tmp_path / "s4.csv", tmp_path / "mine.csv"
    ran = mapkit_cli("rules", "units", "strafexpedition", "s4", "-o", table)
    assert (ran.exit_code, ran.stdout) == (0, "")
    before = load_units(table.read_bytes(), source="s4.csv")
    mine.write_text(f"id,front.combat,reduced.combat\n{before[0].id},5,3\nnobody,1,\n")
    again = tmp_path / "filled.xlsx"
    ran = mapkit_cli("rules", "units", "strafexpedition", "s4", "-o", again, "--values", mine)
    assert ran.exit_code == 0
    assert "an id that no unit has: nobody" in ran.stderr
    after = load_units(again.read_bytes(), source="filled.xlsx")
    assert (after[0].value("combat", "front"), after[0].value("combat", "reduced")) == (5, 3)
    assert [unit.id for unit in after] == [unit.id for unit in before]


def test_the_tables_of_a_project_fill_in_values(mapkit_cli, tmp_path):
    mapkit_cli("project", "new", tmp_path / "p", "--game", "strafexpedition")
    file = tmp_path / "p" / "project.toml"
    file.write_text(file.read_text() + '\nunits = ["mine.csv"]\n')
    (tmp_path / "p" / "mine.csv").write_text("id,front.morale\nit-ancona-70-i,6\n")
    table = tmp_path / "s4.csv"
    assert mapkit_cli("rules", "units", tmp_path / "p", "4", "-o", table).exit_code == 0
    units = {unit.id: unit for unit in load_units(table.read_bytes(), source="s4.csv")}
    assert units["it-ancona-70-i"].value("morale", "front") == 6


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["strafexpedition", "s9", "-o", "u.csv"], "has no scenario 's9'"),
        (["strafexpedition", "s1", "-o", "u.txt"], "ends in .csv or .xlsx"),
        (["caporetto-1917", "s1", "-o", "u.csv"], "our sources list no units"),
        (["strafexpedition", "s1", "-o", "u.csv", "--values", "no.csv"], "no.csv"),
    ],
)
def test_a_table_that_cannot_be_made(mapkit_cli, tmp_path, monkeypatch, words, told):
    monkeypatch.chdir(tmp_path)
    ran = mapkit_cli("rules", "units", *words)
    assert ran.exit_code == 1
    assert told in ran.stderr
    assert list(tmp_path.iterdir()) == []
