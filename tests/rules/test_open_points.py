"""What the rules leave open and our sources lack: a contract over all packs, and rulings on it."""

import re
import tomllib
from pathlib import Path

import pytest
from pydantic import BaseModel, TypeAdapter

from rules.cases import AnyCase, SightCase, SupplyCase, rule_case
from rules.owner import OwnerFile, is_empty, key_type, pack_with_owner
from rules.pack import load_pack
from rules.registry import find_pack, pack_folder, pack_names
from rules.scenarios.scenario_files import find_scenarios, scenarios_of
from rules.told import told_ruling

DOSSIERS = Path(__file__).parents[3] / "shared" / "dossiers"

# What the dossiers list as ambiguous, in their order. Further reading may add to the packs.
LISTED = {
    "strafexpedition": """
        hexside-terrain sight-beyond-six height-in-bad-weather overcast-level-five
        observer-beside-friends observer-behind-a-blocked-range command-range-die
        guns-beside-the-road adjacent-over-crags weather-and-defensive-fire quarter-of-the-guns
        guns-of-short-range forced-march-in-rain surrender-threshold rally-after-forced-march
        fortress-morale-zero campaign-guns-of-v-corps campaign-fortresses campaign-length foza
        regiments-223-and-224 entry-of-brigades-11-and-12 entry-of-alessandria entry-of-sesia
        battalions-of-the-2nd-gebirgs rovereto first-points-of-scenario-3 too-many-assault-units
        sommo ratio-columns rule-24-inside-scenario-5 ordinals guns-and-command-range
        bids-for-initiative after-a-reaction captured-guns threshold-of-guns
        threshold-of-fortresses brigades-of-iii-corps trench-speed victory-total names-of-alpini
    """,
    "caporetto-1917": """
        near light-guns higher-than-either-end height-and-ten-hexes sight-through-fog
        height-in-bad-weather price-of-a-barrage heading-of-phase-10 step-of-the-preparation
        longer-retreat who-counter-assaults wrong-references exactly-ninety german-words
        steps-of-the-assault-on-the-move road-under-fire lowest-trench order-of-losses
        supply-after-movement english-words other-rounding observers-in-any-hex
        italian-support-fire wings cividale-twice who-may-rally depots-lost-twice
        lowering-own-trenches first-turn-of-scenario-2
    """,
    "durchbruch": """
        odd-types dates-at-the-front too-many-at-set-up strength-over-the-isonzo automatic-loss
        ooc1-exception machine-guns-on-level-4 halved-and-rounded bombardment-shifts-of-terrain
        stacking-pictures rows-listed-twice date-to-turn spelling-and-mountain-troops
        guns-off-the-road bridges-as-streams ends-of-the-tables scatter
    """,
}

ASSUMPTIONS = [
    pytest.param(game, name, id=f"{game}: {name}")
    for game in pack_names()
    for name in find_pack(game).assumptions
]
ALTERNATIVES = [
    pytest.param(game, name, answer, id=f"{game}: {name} = {answer}")
    for game in pack_names()
    for name, one in find_pack(game).assumptions.items()
    for answer in one.alternatives
]
MISSING = [
    pytest.param(game, name, id=f"{game}: {name}")
    for game in pack_names()
    for name in find_pack(game).missing
]


@pytest.mark.parametrize("game", LISTED)
def test_every_ambiguity_of_the_dossier_has_an_entry(game):
    assert set(LISTED[game].split()) <= set(find_pack(game).assumptions)


@pytest.mark.parametrize("game", LISTED)
def test_an_entry_names_a_rule_that_the_dossier_names_for_it(game):
    """It proves that the entry is about that ambiguity; some of the dossier name no rule."""
    dossier = DOSSIERS / f"{game}.md"
    if not dossier.is_file():
        pytest.skip(f"{dossier} is not on this machine")
    section = re.search(r"^## G\..*?(?=^## H\.)", dossier.read_text("utf-8"), re.M | re.S)
    assert section is not None
    known = rule_numbers(game)
    told_there = re.findall(r"^\d+\. (.*)", section[0], re.M)
    for told, name in zip(told_there, LISTED[game].split(), strict=True):
        rules = known & {
            *re.findall(r"\d+(?:\.\d+)+", told),
            *(f"Scenario {number}" for number in re.findall(r"\bS(\d)\b", told)),
        }
        assert not rules or rules & set(find_pack(game).assumptions[name].cites), name


@pytest.mark.parametrize(("game", "name"), ASSUMPTIONS)
def test_a_question_is_asked_and_answered(game, name):
    one = find_pack(game).assumptions[name]
    assert re.fullmatch(r"[A-Z][^?!]*\?", one.question)
    for says in (one.we_assume, *(other.says for other in one.alternatives.values())):
        assert re.fullmatch(r"[A-Z0-9].*\.", says)
        assert len(re.findall(r"[a-z)0-9]\. [A-Z]", says)) <= 1, "at most two sentences"


@pytest.mark.parametrize(("game", "name"), ASSUMPTIONS)
def test_every_cite_is_an_entry_of_the_rules_at_hand(game, name):
    assert set(find_pack(game).assumptions[name].cites) <= rule_numbers(game)


@pytest.mark.parametrize(("game", "name"), ASSUMPTIONS)
def test_what_it_is_about_exists(game, name):
    pack = find_pack(game)
    assert [part for part in pack.assumptions[name].about if not exists(pack, part)] == []


@pytest.mark.parametrize(("game", "name", "answer"), ALTERNATIVES)
def test_another_answer_gives_another_pack(game, name, answer):
    plain = find_pack(game)
    changes = plain.assumptions[name].alternatives[answer].set
    other = load_pack(pack_folder(game), game, {name: answer})
    assert other.assumptions[name].chosen == answer
    read = other.model_copy(update={"assumptions": plain.assumptions})
    assert (read != plain) == bool(changes)
    for part in changes:
        assert any(
            part == about or part.startswith(f"{about}.") for about in plain.assumptions[name].about
        ), f"{part} is changed, but no ruling on it would name the question"


@pytest.mark.parametrize(("game", "name", "answer"), ALTERNATIVES)
def test_another_answer_gives_other_scenarios(game, name, answer):
    """Just those that it names change, and each of them lists the question among its own."""
    plain, changes = find_scenarios(game), find_pack(game).assumptions[name].alternatives[answer]
    other = scenarios_of(load_pack(pack_folder(game), game, {name: answer}))
    pairs = zip(other.scenarios, plain.scenarios, strict=True)
    assert {one.id for one, was in pairs if one != was} == set(changes.scenarios)
    assert (other.scoring != plain.scoring) == any(changes.scoring.values())
    resting = {one.id for one in plain.scenarios if name in one.file.assumptions}
    assert set(changes.scenarios) <= resting
    assert resting or not changes.touches_scenarios


@pytest.mark.parametrize(("game", "name"), MISSING)
def test_what_is_missing_is_empty_and_has_a_place_in_the_schema(game, name):
    pack = find_pack(game)
    for key in pack.missing[name].keys:
        assert key_type(key) is not None
        assert is_empty(pack, key)


@pytest.mark.parametrize("game", LISTED)
def test_a_pack_with_layout_unconfirmed_asks_for_it(game):
    pack = find_pack(game)
    asked = [key for one in pack.missing.values() for key in one.keys]
    assert ("layout.confirmed" in asked) == (not pack.layout.confirmed)


def test_a_path_that_leads_nowhere_is_seen():
    pack = find_pack("strafexpedition")
    assert exists(pack, "sight.weather.overcast.limits.0")
    for part in ("sight.weather.snow", "sight.rich", "supply.legs.7", "levels.lowest.deep"):
        assert not exists(pack, part)


# Who sees whom, and what that rests on. Labels lie as the game's own layout lies.


def sight(game, choice, **case):
    owner = OwnerFile("an owner file", game, choice)
    asked = SightCase(judge="sight", id="asked", cite="3.0", expect={}, **case)
    pack = pack_with_owner(game, owner)
    return pack, rule_case(pack, asked)


DOWN = {"observer": "1010", "target": "1018", "ground": "clear 1", "hexes": {"1010": "clear 8"}}


@pytest.mark.parametrize(
    ("choice", "verdict", "allowed"),
    [
        pytest.param({}, "clear", 13, id="ours: six and seven levels"),
        pytest.param({"sight-beyond-six": "six"}, "out_of_range", 6, id="never beyond six"),
        pytest.param({"sight-beyond-six": "ten"}, "clear", 10, id="ten at most"),
    ],
)
def test_how_far_one_sees_downhill_is_a_question(choice, verdict, allowed):
    _, ruling = sight("strafexpedition", choice, **DOWN)
    assert (ruling.verdict, ruling.working["range"]) == (verdict, allowed)
    assert ruling.working["distance"] == 8
    assert "sight-beyond-six" in ruling.assumptions
    assert "height-in-bad-weather" not in ruling.assumptions


def test_a_ruling_tells_the_answer_the_owner_chose():
    plain, ruling = sight("strafexpedition", {}, **DOWN)
    assert plain.assumptions["sight-beyond-six"].we_assume in told_ruling(plain, ruling)
    chosen, ruling = sight("strafexpedition", {"sight-beyond-six": "six"}, **DOWN)
    says = plain.assumptions["sight-beyond-six"].alternatives["six"].says
    assert says in told_ruling(chosen, ruling)
    assert plain.assumptions["sight-beyond-six"].we_assume not in told_ruling(chosen, ruling)


@pytest.mark.parametrize(
    ("choice", "verdict"),
    [
        ({}, "out_of_range"),
        ({"overcast-level-five": "observer"}, "out_of_range"),
        ({"overcast-level-five": "target"}, "clear"),
        ({"overcast-level-five": "both-ends"}, "clear"),
        ({"height-in-bad-weather": "bonus-stays"}, "out_of_range"),
    ],
)
def test_four_hexes_from_level_five_under_overcast(choice, verdict):
    _, ruling = sight(
        "strafexpedition",
        choice,
        observer="1010",
        target="1014",
        weather="overcast",
        hexes={"1010": "clear 5"},
    )
    assert ruling.verdict == verdict
    assert {"overcast-level-five", "height-in-bad-weather"} <= set(ruling.assumptions)
    assert "sight-beyond-six" not in ruling.assumptions


@pytest.mark.parametrize(
    ("choice", "allowed"), [({}, 2), ({"height-in-bad-weather": "bonus-stays"}, 4)]
)
@pytest.mark.parametrize(
    ("game", "weather"), [("strafexpedition", "rain"), ("caporetto-1917", "light_rain")]
)
def test_height_in_rain_is_a_question_of_both_games(game, weather, choice, allowed):
    _, ruling = sight(
        game, choice, observer="1010", target="1014", weather=weather, hexes={"1010": "clear 3"}
    )
    assert ruling.working["range"] == allowed
    assert ruling.verdict == ("clear" if allowed == 4 else "out_of_range")


@pytest.mark.parametrize(
    ("choice", "verdict"), [({}, "clear"), ({"higher-than-either-end": "either-end"}, "blocked")]
)
def test_a_hill_higher_than_one_end_only(choice, verdict):
    _, ruling = sight(
        "caporetto-1917",
        choice,
        observer="1010",
        target="1014",
        hexes={"1010": "clear 3", "1012": "clear 2"},
    )
    assert ruling.verdict == verdict
    assert "higher-than-either-end" in ruling.assumptions


@pytest.mark.parametrize(
    ("choice", "verdict"),
    [({}, "out_of_supply"), ({"guns-beside-the-road": "zones-only"}, "in_supply")],
)
def test_a_lone_gun_beside_the_road_is_a_question(choice, verdict):
    game = "strafexpedition"
    pack = pack_with_owner(game, OwnerFile("an owner file", game, choice))
    case = SupplyCase(
        judge="supply",
        id="a gun beside the road",
        cite="10.2.2",
        unit="1010",
        side="it",
        enemies=("1123:field_artillery",),
        links={"road": ("-".join(str(label) for label in range(1010, 1025)),)},
        hexes={"1024": "clear 1 supply_source:it"},
        expect={},
    )
    ruling = rule_case(pack, case)
    assert ruling.verdict == verdict
    assert {"guns-beside-the-road", "adjacent-over-crags"} <= set(ruling.assumptions)


# Another answer changes the ruling as it says. What a chart prints is entered for the case.

LONG_ROAD = {"road": ("-".join(f"05{row:02}" for row in range(1, 21)),)}
FAR_SOURCE = {"unit": "0501", "hexes": {"0520": "clear 1 supply_source:it"}, "links": LONG_ROAD}
CRAGS_ON_THE_WAY = {"judge": "supply", "side": "it", "hexsides": {"crags": ("0515/0516",)}}
# 0506 and 0507 with a road between them, and water all round.
SHORE = tuple(
    f"{here}/{there}"
    for here, around in (("0506", "0505 0405 0406 0605 0606"), ("0507", "0508 0406 0407 0606 0607"))
    for there in around.split()
)
ISLAND = {"links": {"road": ("0506-0507",)}, "hexes": {"0507": "clear 1 supply_source:it"}}
TO_THE_ISLAND = {"judge": "supply", "side": "it", "unit": "0505", **ISLAND}
MARCH = {"judge": "movement", "unit": "0504:infantry", "path": ("0504", "0505"), "narrow": True}
LOOK = {"judge": "sight", "observer": "0505"}
STACK = {"judge": "stacking", "side": "it", "hex": "0505"}
COMPANIES = ("machine_guns:company", "machine_guns:company")

S, C = "strafexpedition", "caporetto-1917"
READINGS = [
    pytest.param(game, {question: answer}, case, *verdicts, id=f"{game}: {question} = {answer}")
    for game, question, answer, case, verdicts in (
        (
            S,
            "roads-over-crags",
            "road-opens",
            CRAGS_ON_THE_WAY | FAR_SOURCE,
            ("out_of_supply", "in_supply"),
        ),
        (
            C,
            "supply-roads-over-crags",
            "road-opens",
            CRAGS_ON_THE_WAY | FAR_SOURCE,
            ("out_of_supply", "in_supply"),
        ),
        (
            S,
            "roads-over-crags",
            "road-opens",
            MARCH | {"allowance": 6, "links": LONG_ROAD, "hexsides": {"crags": ("0504/0505",)}},
            ("not_reached", "reached"),
        ),
        (
            C,
            "supply-over-rivers",
            "never",
            TO_THE_ISLAND | {"hexsides": {"river": SHORE}},
            ("in_supply", "out_of_supply"),
        ),
        (
            C,
            "supply-over-footbridges",
            "never",
            TO_THE_ISLAND | {"hexsides": {"isonzo": SHORE, "footbridge": ("0505/0506",)}},
            ("in_supply", "out_of_supply"),
        ),
        (
            C,
            "entering-a-zone-unactivated",
            "barred",
            MARCH | {"allowance": 5, "mode": "non_activated", "enemies": ("0506:infantry",)},
            ("reached", "not_reached"),
        ),
        (
            C,
            "climb-of-two-levels",
            "each-level",
            MARCH | {"allowance": 2, "hexes": {"0505": "clear 3"}},
            ("reached", "not_reached"),
        ),
        (
            C,
            "village-as-town",
            "alike",
            LOOK | {"target": "0509", "hexes": {"0507": "clear 1 village"}},
            ("clear", "blocked"),
        ),
        (
            C,
            "height-above-the-fog",
            "bonus-stays",
            LOOK
            | {"target": "0512", "weather": "fog", "ground": "clear 3"}
            | {"hexes": {"0505": "clear 5"}},
            ("out_of_range", "clear"),
        ),
        (
            C,
            "second-machine-gun-company",
            "never-count",
            STACK | {"units": ("infantry:battalion:1/I", "infantry:battalion:2/I", *COMPANIES)},
            ("over", "within"),
        ),
        (
            C,
            "emplaced-guns-in-high-mountain",
            "two",
            STACK | {"units": ("light_artillery:fire",) * 2, "ground": "high_mountain 6"},
            ("over", "within"),
        ),
    )
]


@pytest.mark.parametrize(("game", "choice", "asked", "ours", "theirs"), READINGS)
def test_another_reading_gives_another_verdict(game, choice, asked, ours, theirs):
    case = a_case({"ground": "clear 1"} | asked)
    prices = {"terrain.clear.costs.infantry": 1, "links.road.costs.infantry": 1}
    for answers, verdict in (({}, ours), (choice, theirs)):
        pack = pack_with_owner(game, OwnerFile("an owner file", game, answers, prices))
        assert rule_case(pack, case).verdict == verdict


@pytest.mark.parametrize(
    ("game", "answer", "points"),
    [
        ("strafexpedition", "three-times", "12"),
        ("strafexpedition", "each-from-the-printed", "10"),
        ("caporetto-1917", None, "12"),
        ("caporetto-1917", "each-from-the-printed", "10"),
    ],
)
def test_how_far_four_points_go_when_both_marches_are_joined(game, answer, points):
    choice = {"strategic-and-forced-march": answer} if answer else {}
    asked = {"judge": "movement", "unit": "0505:infantry", "mode": "strategic_forced_march"}
    case = a_case(asked | {"allowance": 4})
    pack = pack_with_owner(game, OwnerFile("an owner file", game, choice))
    assert rule_case(pack, case).working["points"] == points


def a_case(asked):
    return TypeAdapter(AnyCase).validate_python(
        {"id": "asked", "cite": "3.0", "expect": {}} | asked
    )


def rule_numbers(game):
    """Every rule, table and scenario at hand."""
    file = pack_folder(game) / "rules.toml"
    return {rule["number"] for rule in tomllib.loads(file.read_text("utf-8"))["rule"]}


def exists(pack, path):
    """Walk a dotted path through the pack itself, and say whether it leads somewhere."""
    here = pack
    for part in path.split("."):
        if isinstance(here, BaseModel):
            if part not in type(here).model_fields:
                return False
            here = getattr(here, part)
        elif isinstance(here, dict) and part in here:
            here = here[part]
        elif isinstance(here, tuple) and part.isdecimal() and int(part) < len(here):
            here = here[int(part)]
        else:
            return False
    return True
