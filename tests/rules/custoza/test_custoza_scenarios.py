"""Custoza's eight scenarios against the lists they come from: who, when, where, in what state."""

import csv
import re
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from rules.judges.victory import rule_victory
from rules.positions.position import Position
from rules.positions.set_up import set_up
from rules.registry import find_pack
from rules.scenarios.deployment import SET_UP
from rules.scenarios.scenario_files import find_scenarios

GAME = "custoza"
SOURCE = Path(__file__).parents[4] / "shared" / "dossiers" / "data" / "custoza_units.csv"
LISTED_AS = {
    "23.1": "small-1",
    "23.2": "small-2",
    "23.3": "small-3",
    "24": "s1",
    "25": "s2",
    "26": "s3",
    "27": "s4",
    "28": "s5",
}
COUNTS = {
    "small-1": {"it": 14, "ah": 25},
    "small-2": {"it": 16, "ah": 15},
    "small-3": {"it": 11, "ah": 7},
    "s1": {"it": 50, "ah": 59},
    "s2": {"it": 50, "ah": 59},
    "s3": {"it": 97, "ah": 62},
    "s4": {"it": 97, "ah": 62},
    "s5": {"it": 43, "ah": 59},
}
FIRST_TURN = {"small-1": 5, "small-2": 5, "small-3": 11, "s1": 4, "s2": 3, "s3": 3, "s4": 1}
FIRST_TURN["s5"] = 11
LAST_TURN = {"small-1": 7, "small-2": 7, "small-3": 15, "s1": 17, "s2": 17, "s3": 18, "s4": 18}
LAST_TURN["s5"] = 17


def scenario_of(name):
    return find_scenarios(GAME).find(name)


@pytest.mark.parametrize(("name", "counts"), COUNTS.items())
def test_the_counts_of_the_dossier(name, counts):
    assert Counter(one.unit.side for one in scenario_of(name).listed) == counts


def test_all_rows_are_there():
    assert sum(len(one.listed) for one in find_scenarios(GAME).scenarios) == 726


@pytest.mark.parametrize("name", COUNTS)
def test_a_turn_is_an_hour_and_the_first_of_a_day_is_at_four(name):
    turns = scenario_of(name).file.turns
    assert turns.moment(1).hour == 3 + FIRST_TURN[name]
    assert turns.moment(turns.count).hour == 3 + LAST_TURN[name]


def test_the_ninth_game_turn_is_at_noon():  # CU-H11
    turns = scenario_of("s1").file.turns
    noon = turns.moment(9 - FIRST_TURN["s1"] + 1)
    assert (noon.date, noon.hour) == (date(1848, 7, 23), 12)


def test_a_counter_is_the_same_in_every_scenario():
    seen = {}
    for scenario in find_scenarios(GAME).scenarios:
        for one in scenario.deployed:
            unit = one.unit
            told = (unit.name, unit.side, unit.formation, unit.class_)
            assert seen.setdefault(unit.id, told) == told
    assert len(seen) == 268


@pytest.mark.parametrize("name", COUNTS)
def test_it_sets_up_whole(name):
    position = set_up(GAME, name)
    assert len(position.pieces) == len(scenario_of(name).deployed)


def test_units_of_a_formation_on_march_are_not_on_the_map():
    position = set_up(GAME, "s3")
    on_map = {piece.unit.class_ for piece in position.pieces.values() if piece.place.kind == "hex"}
    assert on_map == {"commander", "overall_commander"}
    marching = [one for one in scenario_of("s3").deployed if one.unit.class_ == "commander"]
    assert all("on_march" in {status.kind for status in one.statuses} for one in marching)


# ------------------------------------------------------------------ against the lists


@pytest.fixture(scope="module")
def pairs():
    """Each row of the lists with our unit: both keep the order of the rulebook."""
    if not SOURCE.is_file():
        pytest.skip(f"{SOURCE} is not on this machine")
    with SOURCE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = []
    for theirs, ours in LISTED_AS.items():
        listed = [row for row in rows if row["scenario"] == theirs]
        found += zip([ours] * len(listed), listed, scenario_of(ours).listed, strict=True)
    assert len(found) == 726
    return found


def test_side_class_and_hour_of_every_row(pairs):
    pack = find_pack(GAME)
    for name, row, one in pairs:
        assert one.unit.side == row["side"].lower()
        assert row["type"] in pack.classes[one.unit.class_].codes
        if row["when"] == "setup":
            assert one.turn == SET_UP
            continue
        day, hour = re.fullmatch(r"GT\d+\+?(?: Jul (\d+))? \((\d\d)\.00\)", row["when"]).groups()
        moment = scenario_of(name).file.turns.moment(one.turn)
        when = date(1848, 7, int(day)) if day else date(1866, 6, 24)
        assert (moment.date, moment.hour) == (when, int(hour))


OTHER_NAMES = {
    "66 G.D.Tosc.": "66 Granduca di Toscana",
    "15 Bayern K.": "15 Koenig von Bayern",
    "39 D.Miguel": "39 Don Miguel",
    "4 K.Jaeger": "4 KaiserJaeger",
    "1/11 Hussars": "I/11 Hussars",
    "1/30": "1/30 Nugent",
}


def test_the_name_and_formation_of_every_row(pairs):
    formations = find_scenarios(GAME).formations
    together = {}
    for name, row, one in pairs:
        assert one.unit.name == OTHER_NAMES.get(row["unit"], row["unit"])
        listed = row["formation"].partition(", ")[0]
        if listed in ("Overall", "Fortress"):
            assert one.unit.formation == ""
            continue
        year = scenario_of(name).file.turns.first.date.year
        assert together.setdefault((year, listed), one.unit.formation) == one.unit.formation
        assert f"{year % 100}" in one.unit.formation
        assert formations[one.unit.formation].side == one.unit.side
    assert len(set(together.values())) == len(together) == len(formations) == 30


def test_every_hex_and_distance_of_the_lists_is_kept(pairs):
    for name, row, one in pairs:
        text, placement = row["placement"], scenario_of(name).placements[one.placement]
        if one.placement.startswith("with-") and name == "s3":
            commander = next(
                other
                for other in scenario_of(name).deployed
                if other.unit.class_ == "commander" and other.unit.formation == one.unit.formation
            )
            placement = scenario_of(name).placements[commander.placement]
        hexes = set(re.findall(r"\b[1-7]\d{3}\b", text))
        if text == "same hex as GT9 arrival":
            hexes = {"2533", "4434"}
        if text.startswith("map edge 2533"):
            (columns,) = [part for part in placement.all_of if part.kind == "columns"]
            assert (columns.first, columns.last) == (25, 48)
            hexes = set()
        assert set(placement.hexes) == hexes, text
        near = {int(n) for n in re.findall(r"#(\d)|within (\d)", text) for n in n if n}
        assert {part.n for part in placement.all_of if hasattr(part, "n")} == near, text


STATES = {
    "-1 SP": ["sp_lost 1"],
    "March Movement": ["march_movement"],
    "Shaken": ["status_level 1"],
    "Reserve unit": ["reserve_unit"],
    "Formation Fatigue 4": ["fatigue 4"],
    "already deployed as bridge": ["reserve_unit", "pontoon_side"],
}


def test_the_state_of_every_row(pairs):
    for name, row, one in pairs:
        marching = ["on_march"] if name == "s3" and row["type"] == "COMMANDER" else []
        assert [str(status) for status in one.statuses] == STATES.get(row["note"], marching)
        if row["note"] and row["note"] not in STATES:
            assert one.note, "what the list says besides stands in the note"


# ------------------------------------------------------------------ who wins

TAIL = ["4420", "4422", "4323", "4122", "4516", "4913", "4914", "5014"]
TIONE = ["2713", "2913", "2915", "2617", "3318", "3119", "3321"]


def held(hexes, n):
    """The Italians hold the first *n* of some hexes, the Austro-Hungarians the others."""
    return {hex_: "it" if at < n else "ah" for at, hex_ in enumerate(hexes)}


@pytest.mark.parametrize(
    ("scenario", "control", "winner"),
    [
        ("small-1", held(TIONE, 4), "it"),
        ("small-1", held(TIONE, 3), "ah"),
        ("small-3", held(TAIL, 5), "it"),
        ("small-3", held(TAIL, 4), "draw"),
        ("small-3", held(TAIL, 3), "ah"),
        ("small-1", {}, "unknown"),
    ],
)
def test_most_hexes_win_a_small_scenario(scenario, control, winner):
    assert rule_victory(Position(GAME, scenario, control=control), over=True).verdict == winner
