"""Scenarios as data: a contract over all packs, and ours against the lists they come from."""

import csv
import re
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from rules.errors import RulesError
from rules.lookup.rulebook import load_rulebook
from rules.registry import find_pack, pack_folder, pack_names
from rules.scenarios.deployment import SET_UP
from rules.scenarios.scenario_files import find_scenarios
from rules.schema.cites import Cited

SOURCE = Path(__file__).parents[4] / "shared" / "dossiers" / "data" / "strafexpedition_units.csv"
SCENARIOS = [
    pytest.param(game, scenario.id, id=f"{game} {scenario.id}")
    for game in pack_names()
    for scenario in find_scenarios(game).scenarios
]
COUNTS = {
    "s1": {"it": 77, "ah": 102},
    "s2": {"it": 75, "ah": 68},
    "s3": {"it": 18, "ah": 26},
    "s4": {"it": 15, "ah": 23},
    "s5": {"it": 309, "ah": 221},
}


def scenario_of(game, name):
    return find_scenarios(game).find(name)


# ------------------------------------------------------------------ the contract, for every pack


def test_the_scenarios_are_there():
    assert len(find_scenarios("strafexpedition").scenarios) == 5
    assert len(find_scenarios("caporetto-1917").scenarios) == 4


@pytest.mark.parametrize(("game", "name"), SCENARIOS)
def test_every_hex_is_one_of_the_game(game, name):
    scenario = scenario_of(game, name)
    numbering = find_pack(game).layout.any_numbering()
    labels = {label for one in scenario.placements.values() for label in one.hexes}
    labels |= {label for trench in scenario.trenches for label in trench.hexes}
    for label in labels:
        assert numbering.format_label(numbering.parse_label(label)) == label


@pytest.mark.parametrize(("game", "name"), SCENARIOS)
def test_every_unit_has_an_id_a_class_and_a_place(game, name):
    scenarios, scenario = find_scenarios(game), scenario_of(game, name)
    ids = Counter(one.unit.id for one in scenario.deployed)
    assert [unit for unit, n in ids.items() if n > 1] == []
    for one in scenario.deployed:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", one.unit.id)
        assert one.unit.class_ in scenarios.pack.classes
        assert one.unit.side in scenarios.pack.sides
        assert one.unit.nationality in scenarios.pack.sides[one.unit.side].nationalities
        assert one.placement in scenario.placements
        assert SET_UP <= one.turn <= scenario.file.turns.count
    if not scenario.deployed:
        assert "units" in scenario.file.missing, "no units, and nobody says that they are missing"


@pytest.mark.parametrize(("game", "name"), SCENARIOS)
def test_every_placement_is_used(game, name):
    """A placement nobody refers to, in its own scenario or in one that shares it, is dead."""
    scenarios = find_scenarios(game)
    used = {one.placement for other in scenarios.scenarios for one in other.deployed}
    used |= {one.placement for other in scenarios.scenarios for one in other.file.exchanges}
    assert set(scenario_of(game, name).file.placements) - used == set()


def cited(value):
    """Yield every part that cites a rule."""
    if isinstance(value, Cited):
        yield value
    if isinstance(value, dict):
        value = tuple(value.values())
    if hasattr(type(value), "model_fields"):
        value = tuple(getattr(value, name) for name in type(value).model_fields)
    if isinstance(value, tuple):
        for one in value:
            yield from cited(one)


@pytest.mark.parametrize("game", [game for game in pack_names() if find_scenarios(game).scenarios])
def test_every_cite_is_a_rule_at_hand(game):
    scenarios = find_scenarios(game)
    book = load_rulebook(pack_folder(game))
    parts = [*(scenario.file for scenario in scenarios.scenarios), scenarios.scoring]
    found = [one for part in parts for one in cited(part)]
    found += [*scenarios.formations.values()]
    assert len(found) > (90 if len(scenarios.scenarios) > 1 else 40)
    assert {one.cite for one in found if not book.find(one.cite)} == set()
    for scenario in scenarios.scenarios:
        for rule in scenario.file.special:
            assert book.find(f"{rule.cite} {rule.term}".strip()), rule


@pytest.mark.parametrize("game", [game for game in pack_names() if find_scenarios(game).scenarios])
def test_every_formation_is_named_by_somebody(game):
    scenarios = find_scenarios(game)
    used = {one.unit.formation for other in scenarios.scenarios for one in other.deployed}
    files = [scenario.file for scenario in scenarios.scenarios]
    used |= {name for file in files for one in file.restrictions for name in one.formations}
    assert set(scenarios.formations) - used == (
        {"vicenza"} if game == "caporetto-1917" else set()  # named in 24.3, for reading
    )


def test_a_counter_is_the_same_in_every_scenario():
    seen = {}
    for scenario in find_scenarios("strafexpedition").scenarios:
        for one in scenario.deployed:
            unit = one.unit
            told = (unit.name, unit.side, unit.formation, unit.class_, unit.echelon, unit.faces)
            assert seen.setdefault(unit.id, told) == told
    assert len(seen) == 544


# ------------------------------------------------------------------ against the lists


@pytest.mark.parametrize(("name", "counts"), COUNTS.items())
def test_the_counts_of_the_dossier(name, counts):
    scenario = scenario_of("strafexpedition", name)
    assert Counter(one.unit.side for one in scenario.listed) == counts


def test_all_rows_are_there():
    scenarios = find_scenarios("strafexpedition").scenarios
    assert sum(len(scenario.listed) for scenario in scenarios) == 934
    borrowed = {one.unit.id for one in set(scenarios[4].deployed) - set(scenarios[4].listed)}
    assert borrowed == {"ah-fort-lusern", "ah-fort-verle", "ah-fort-spitz-vezzena"}


@pytest.fixture(scope="module")
def source_rows():
    if not SOURCE.is_file():
        pytest.skip(f"{SOURCE} is not on this machine")
    with SOURCE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def pairs(source_rows):
    """Each row of the lists with our unit: both keep the order of the rulebook."""
    found = []
    for name in COUNTS:
        theirs = [row for row in source_rows if row["scenario"].lower() == name]
        ours = scenario_of("strafexpedition", name).listed
        found += zip([name] * len(theirs), theirs, ours, strict=True)
    assert len(found) == 934
    return found


def test_side_class_and_date_of_every_row(pairs):
    pack = find_pack("strafexpedition")
    months = {"May": 5, "Jun": 6}
    for name, row, one in pairs:
        turns = scenario_of("strafexpedition", name).file.turns
        assert one.unit.side == row["side"].lower()
        assert row["type"] in pack.classes[one.unit.class_].codes
        if row["when"] == "setup":
            assert one.turn == SET_UP
        else:
            month, day = row["when"].split()
            assert turns.moment(one.turn).date == date(1916, months[month], int(day))


def test_the_unit_and_formation_of_every_row(pairs):
    """Numbers and names of the lists stand in our names; guns and militia are only counted."""
    formations = find_scenarios("strafexpedition").formations
    for _, row, one in pairs:
        if row["type"] not in ("MILITIA", "RGF") and not row["type"].startswith("ART"):
            plain = re.sub(r"\W|\bVal\b|BersCicl|Bers$", "", row["unit"]).casefold()
            assert plain[-4:] in re.sub(r"\W", "", one.unit.name).casefold()
        numbers = set(re.findall(r"\d+|\b[IVX]+\b", re.sub(r"\(.*\)", "", row["formation"])))
        title = formations[one.unit.formation].title if one.unit.formation else row["formation"]
        assert numbers <= set(re.findall(r"\d+|\b[IVX]+\b", title.replace("1A", "1 A")))


# Each form of a placement in the lists, and the constraints that say it.
FORMS = {
    r"hex \d{4}( \([^)]*\))?": ["hexes"],
    r"hex 1468 \(Marostica\) \[or 2872 .* one turn later\]": ["hexes", "or hexes later"],
    r"hex (\d{4}.*(, | or )){1,2}\d{4}( \(\w+\))?(, split freely)?": ["hexes"],
    r"hex 0238 .*1468 \(Marostica\), player choice": ["hexes", "or hexes later"],
    r"2443 \(with Trench L1\), 2543 or 2644": ["hexes"],
    r"hexes 3202,3302,3303": ["one_each"],
    r"hexes 3502,3603,3604 \(Rovereto\)": ["hexes"],
    r"(AH|IT) frontline \d{4}\.\.\d{4} incl\.": ["on_front_line"],
    r"behind (AH )?frontline \d{4}\.\.\d{4} incl\.": ["behind_front_line"],
    r"behind AH frontline and behind the \w+ Corps units": ["behind_front_line", "behind_units"],
    r"behind AH frontline in the two III Corps sectors above": [
        "behind_front_line",
        "or behind_front_line",
    ],
    r"behind IT frontline between .*, within 3 hexes of any infantry": [
        "behind_front_line",
        "within_units",
        "can_fire",
    ],
    r"behind IT frontline, hexrow 38xx \(incl\.\) to north map edge": [
        "behind_front_line",
        "rows",
        "can_fire",
    ],
    r"behind IT frontline, within 1 hex of 207/I-III, .*": [
        "behind_front_line",
        "within_units",
        "can_fire",
    ],
    r"behind frontline in scenario area": ["behind_front_line", "playing_area"],
    r"behind the IT lines": ["behind_front_line"],
    r"East Sector, behind AH frontline, >=2 hexes from it, in column xx28 or .*": [
        "area",
        "behind_front_line",
        "from_front_line",
        "columns",
    ],
    r"any road hex between .*, >=3 hexes from any enemy unit": [
        "on_way",
        "behind_front_line",
        "from_enemies",
    ],
    r"any road hex between .*, not in enemy ZoC": ["on_way", "behind_front_line", "no_enemy_zone"],
    r"any west map-edge hex behind the IT (frontline|lines)": ["map_edge", "behind_front_line"],
    r"between 2243 and 2250 incl\.": ["span"],
    r"between 2743 and 2747 incl\., or north of that line": ["span", "or beyond"],
    r"on the (road|track) .*\d{4}.*\.\.\d{4}.* incl\.": ["on_way"],
    r"road 1349\.\.1947 incl\., any hex without enemy units": ["on_way", "from_enemies"],
    r"within \d hexes of \d{4}( \([\w ]+\))?": ["within_hexes"],
    r"within 3 hexes of 1201 if .*, else Recoaro 0225/0226": [
        "within_hexes",
        "owned_hex",
        "otherwise hexes",
    ],
}
OTHER_HEXES = {  # where we say more, or other hexes, than the list
    "hex 3768 (Foza, sic; elsewhere 3772)": {"3772"},
    "behind AH frontline in the two III Corps sectors above": {"4230", "4336", "4437", "5135"},
    "hex 0238 (Schio), 0146 (Thiene) or 1468 (Marostica), player choice": {
        "0238",
        "0146",
        "1468",
        "2872",
    },
}


def kinds(placement):
    found = [one.kind for one in placement.all_of]
    for other in placement.or_else:
        word = "otherwise" if other.only_otherwise else "or"
        later = " later" if other.turns_later else ""
        found += [f"{word} {one.kind}{later}" for one in other.all_of]
    return found


def test_every_placement_of_the_lists_is_typed(pairs):
    texts = {row["placement"] for _, row, _ in pairs}
    assert len(texts) == 101
    for name, row, one in pairs:
        text, placement = row["placement"], scenario_of("strafexpedition", name).placements
        forms = [told for form, told in FORMS.items() if re.fullmatch(form, text)]
        assert kinds(placement[one.placement]) in forms, text


def test_every_hex_and_number_of_the_lists_is_kept(pairs):
    for name, row, one in pairs:
        text = row["placement"]
        placement = scenario_of("strafexpedition", name).placements[one.placement]
        said = OTHER_HEXES.get(text, set(re.findall(r"\b\d{4}\b", text)))
        assert set(placement.hexes) == said, text
        numbers = [int(n) for n in re.findall(r"(?:within |>=)(\d)\b", text)]
        assert [part.n for part in placement.all_of if hasattr(part, "n")] == (
            numbers or ([1] if "without enemy" in text else [])
        )
        for side in re.findall(r"\b(AH|IT) (?:frontline|lines)", text):
            assert {part.side for part in placement.all_of if "front_line" in part.kind} == {
                side.lower()
            }


STATES = {
    "fire mode": ["fire_mode"],
    "S1: may fire, may not move": ["no_move"],
    "may not move; may be outside scenario area": ["no_move"],
    "Movement Allowance halved": ["half_movement"],
    "2 Disorganization each; may not move this turn": ["disorganization 2", "no_move_on_arrival"],
    "2 Disorganization each": ["disorganization 2"],
    "starts reduced": ["reduced"],
}


def test_the_state_of_every_row(pairs):
    for name, row, one in pairs:
        assert [str(status) for status in one.statuses] == STATES.get(row["note"], [])
        if match := re.fullmatch(r"printed (\d)-(\d)-(\d)", row["note"]):
            front = one.unit.face("front").values
            assert tuple(map(str, front.values())) == match.groups()
        if row["note"] == "with Trench L1":
            scenario = scenario_of("strafexpedition", name)
            (hex_,) = scenario.placements[one.placement].hexes
            assert any(hex_ in trench.hexes and trench.level == 1 for trench in scenario.trenches)


# ------------------------------------------------------------------ points, turns, weather

LOGISTICS = {  # start, then turn by turn
    ("s1", "it"): (0, [0, 5, 5, 5, 5]),
    ("s1", "ah"): (35, [0, 10, 10, 10, 10]),
    ("s2", "it"): (2, [0, 5, 5, 5, 5]),
    ("s2", "ah"): (20, [0, 10, 10, 10, 10]),
    ("s3", "it"): (1, [0, 1, 1, 1, 1, 1, 1]),
    ("s3", "ah"): (4, [3] * 7),
    ("s4", "it"): (5, [0, 0]),
    ("s4", "ah"): (7, [0, 0]),
    ("s5", "it"): (0, [0] + [5] * 5 + [10] * 11 + [15] * 15),
    ("s5", "ah"): (50, [0] + [10] * 21 + [5] * 10),
}


@pytest.mark.parametrize(("name", "side"), LOGISTICS)
def test_logistics_points(name, side):
    file = scenario_of("strafexpedition", name).file
    (pool,) = [pool for pool in file.points if pool.side == side]
    assert (pool.start, [pool.gained(turn) for turn in file.turns.numbers]) == LOGISTICS[name, side]


def test_half_days():
    turns = scenario_of("caporetto-1917", "s1").file.turns
    told = [(turns.moment(turn).date.day, turns.moment(turn).part) for turn in turns.numbers]
    assert told[:3] == [(24, "morning"), (24, "evening"), (25, "morning")]
    assert told[-1] == (27, "evening")


def test_weather_where_it_is_known():
    told = scenario_of("caporetto-1917", "s2").file.weather
    known = ["first_turn", "light_rain", "clear", "clear"]
    assert [told.on(turn) for turn in (1, 2, 3, 8)] == known
    assert scenario_of("strafexpedition", "s1").file.weather.on(1) is None


def test_a_scenario_is_found_by_id_or_number():
    scenarios = find_scenarios("strafexpedition")
    assert scenarios.find("s3") is scenarios.find("3") is scenarios.find("S3")
    with pytest.raises(RulesError, match="no scenario 's9'; there is: s1, s2, s3, s4, s5"):
        scenarios.find("s9")
