"""Custoza's pack: layout, open questions, turn, command range, and what it says that it lacks."""

import re
from pathlib import Path

import pytest

from mapkit.hexes import are_neighbours, distance
from rules.case_maps import CaseMap, case_field
from rules.case_units import placed_units
from rules.cases import load_cases, rule_case
from rules.judges.command import CommandJudge
from rules.judges.sight import SightJudge
from rules.judges.stacking import StackingJudge
from rules.judges.supply import SupplyJudge
from rules.judges.zones import ZoneJudge
from rules.lookup.rulebook import load_rulebook
from rules.owner import OwnerError, OwnerFile, is_empty, pack_with_owner, parse_owner
from rules.owner_told import owner_template
from rules.positions.set_up import set_up
from rules.registry import find_pack, pack_folder
from rules.scenarios.sequences import Asked, ask, checklist, find_sequence, phases_in_play
from rules.standing import Standing
from rules.turns.clock_work import advance
from rules.turns.play import play_of

GAME = "custoza"
PACK = find_pack(GAME)
CASES = load_cases(pack_folder(GAME))
SHARED = Path(__file__).parents[4] / "shared" / "dossiers"
OPEN = {"terrain.clear.cite": "TEC"}  # a word for open ground: the chart is not in our sources

# What the dossier lists as open or misprinted, in its order. Further reading added to it.
LISTED = """
    sommacampagna peschiera rule-4-4 optional-reinforcements-of-1848 size-of-formations-of-1848
    two-rules-6-2 who-counterattacks failed-reaction-withdrawal reluctance-and-the-six
    mincio-hexes-or-hexsides range-of-the-overall-commander recovery-in-a-zone
    custoza-one-hex-or-two names-of-units arrival-of-the-3rd-division dice-of-fatigue
    within-4-written-two-ways arrivals-of-scenario-5 reference-to-14-2-3 column-borders
    deployed-is-engaged distance-before-reserve choice-of-hexes objective-of-scenario-5
    villafranca-of-objective-3 move-of-the-overall-commander
""".split()  # noqa: SIM905 - a list of quoted words would fill a page
ADDED = {
    *("turns-of-a-day", "deploying-at-will", "arrivals-of-game-turn-3", "order-markers"),
    *("units-of-a-whole-corps", "retreat-between-assaults", "retreat-into-a-dead-end"),
    *("friends-passed-in-retreat", "facing-of-assaulters", "guns-beside-a-commander"),
    *("choice-of-the-way-out", "withdrawal-at-night", "square-that-has-to-withdraw"),
    *("uncontested-zones", "supply-routes-of-a-rout", "height-of-peschiera"),
    "who-withdraws-after-a-failed-check",
}


# ------------------------------------------------------------------ the layout


@pytest.mark.parametrize(
    ("one", "other", "far"),
    [
        ("1705", "7004", 53),
        ("4913", "5029", 16),
        ("4014", "4913", 9),
        ("4914", "5014", 1),
        *((("1705"), near, 1) for near in ("1606", "1704", "1805")),
        ("2529", "2430", 1),
        ("2315", "2115", 2),
    ],
)
def test_distances_of_the_presumed_layout(one, other, far):
    parse = PACK.layout.any_numbering().parse_label
    assert distance(parse(one), parse(other)) == far
    assert are_neighbours(parse(one), parse(other)) == (far == 1)


def test_the_layout_is_asked_for():
    assert not PACK.layout.confirmed
    assert "layout.confirmed" in [key for one in PACK.missing.values() for key in one.keys]


# ------------------------------------------------------------------ open questions


def test_every_ambiguity_of_the_dossier_has_an_entry():
    assert len(LISTED) == 26
    assert set(PACK.assumptions) == {*LISTED, *ADDED}


def test_an_entry_names_a_rule_that_the_dossier_names_for_it():
    dossier = SHARED / "custoza.md"
    if not dossier.is_file():
        pytest.skip(f"{dossier} is not on this machine")
    section = re.search(r"^## G\..*?(?=^## H\.)", dossier.read_text("utf-8"), re.M | re.S)
    known = {entry.number for entry in load_rulebook(pack_folder(GAME)).rules}
    told_there = re.findall(r"^\d+\. (.*)", section[0], re.M)
    for told, name in zip(told_there, LISTED, strict=True):
        rules = known & set(re.findall(r"\d+(?:\.\d+)+", told))
        assert not rules or rules & set(PACK.assumptions[name].cites), name


# ------------------------------------------------------------------ the turn


def ids(scenario=None, turn=None):
    return [one.id for one in phases_in_play(find_sequence(GAME), ask(PACK, scenario, turn))]


def names_in(section):
    source = SHARED / "data" / "sequences.yaml"
    if not source.is_file():
        pytest.skip(f"{source} is not on this machine")
    text = re.search(rf"^{section}:\n(.*?)(?=^\w|\Z)", source.read_text("utf-8"), re.M | re.S)[1]
    return re.findall(r"^  - \{id: (\d+)", text, re.M)


def test_the_advanced_game_has_eight_phases_and_the_basic_game_five():
    assert ids("s1", 2) == names_in("custoza_advanced")
    assert ids("small-1", 1) == ["1", "3", "4", "5", "8"]
    assert len(ids("small-1", 1)) == len(names_in("custoza_basic"))


def test_scenario_3_begins_without_a_command_phase():
    assert "2" not in ids("s3", 1)
    assert "2" in ids("s3", 2)
    assert "2" in ids("s4", 1)


def test_reluctance_is_a_matter_of_scenario_3_alone():
    def told(scenario):
        lines = checklist(find_sequence(GAME), PACK, ask(PACK, scenario, None))
        return any(line.cite == "26.1.3" for line in lines)

    assert [told(name) for name in ("s3", "s4", "s1", "small-1")] == [True, False, False, False]


def test_the_player_with_the_initiative_comes_second_where_he_does():
    second = {one.id for one in find_sequence(GAME).phases if one.who == ("other", "initiative")}
    assert second == {"2", "4", "5"}
    assert [line.id for line in checklist(find_sequence(GAME), PACK, Asked()) if line.depth == 0]


# ------------------------------------------------------------------ command range
# What needs no enemy stands in the cases.


def commander(at="2710", friends=(), enemies=(), links=()):
    pack = pack_with_owner(GAME, OwnerFile("open ground", GAME, values=OPEN))
    drawn = CaseMap(links={"road": tuple(links)})
    field = case_field(pack, drawn, (at, "2715"))
    ours, theirs = (
        placed_units(field, side, units) for side, units in (("it", friends), ("ah", enemies))
    )
    return CommandJudge(field, "it", field.hex(at), None, ours, theirs)


def test_eight_hexes_by_road_and_no_more():
    judge = commander(links=["-".join(f"27{row}" for row in range(10, 20))])
    assert judge.rule(judge.field.hex("2718")).verdict == "in_command"
    assert judge.rule(judge.field.hex("2719")).verdict == "out_of_command"


def test_a_range_among_enemies_asks_for_the_rule_of_zones():
    """It is on a page that our sources lack: no enemy zone would be a guess."""
    judge = commander(enemies=["2813:infantry"])
    for ruling in (judge.rule_range(), judge.rule(judge.field.hex("2712"))):
        assert ruling.verdict == "unknown"
        assert [one.key for one in ruling.missing] == ["rules.zones.printed_on"]
        assert ruling.missing[0].values["where"] == PACK.missing["zones"].printed_on


def test_without_enemies_nobody_asks_for_zones():
    ruling = commander().rule_range()
    assert (ruling.verdict, ruling.missing) == ("range", ())
    assert len(ruling.working["covers"]) > 1


def test_a_unit_next_to_its_commander_is_in_command_whatever_zones_there_are():
    judge = commander(enemies=["2810:infantry", "2611:infantry"])
    assert judge.rule(judge.field.hex("2711")).verdict == "in_command"


def test_who_is_out_of_command_moves_in_his_own_phase():
    judge = commander()
    told = {one.key: one for one in judge.rule(judge.field.hex("2715")).reasons}
    assert told["rules.command.moves_in"].values == {"phase": "5"}
    assert told["rules.command.moves_in"].cite == "4.1"


def test_where_a_commander_is_placed_is_not_in_our_sources():
    judge = commander()
    ruling = judge.rule_placement([], SupplyJudge(judge.field, "it"))
    assert ruling.verdict == "unknown"
    assert [one.key for one in ruling.missing] == ["rules.command.no_placement"]


# ------------------------------------------------------------------ stacking


@pytest.mark.parametrize(("values", "verdict"), [((3, 2), "within"), ((3, 3), "over")])
def test_a_limit_that_the_owner_enters_counts_stacking_values(values, verdict):
    entered = {**OPEN, "stacking.pools.units.most": 5}
    pack = pack_with_owner(GAME, OwnerFile("the limit", GAME, values=entered))
    field = case_field(pack, CaseMap(), ("2710",))
    units = [f"2710:infantry:stacking_value={value}" for value in values]
    judge = StackingJudge(field, placed_units(field, "it", units))
    assert judge.rule(field.hex("2710")).verdict == verdict


@pytest.mark.parametrize(("side", "ends"), [("it", "2533"), ("ah", "–")])
def test_a_line_of_communications_ends_at_the_sources_of_its_side(side, ends):
    pack = pack_with_owner(GAME, OwnerFile("open ground", GAME, values=OPEN))
    field = case_field(pack, CaseMap(), ("2532",))
    ruling = SupplyJudge(field, side).rule(field.hex("2532"))
    assert ruling.verdict == "unknown"
    assert [one.key for one in ruling.missing][:1] == ["rules.supply.no_legs"]
    assert ruling.missing[0].values["hexes"] == ends


LEGS = [{"limit": 2, "cut_by": ["enemy_unit"], "cut_cite": "20", "cite": "20"}]


def test_an_owner_enters_how_a_line_of_communications_runs():
    """Through the file to fill in, as an owner would; and sources feed their own side alone."""
    leg = '{ limit = 2, cut_by = ["enemy_unit"], cut_cite = "20", cite = "20" }'
    entered = f'supply.legs = [{leg}]\nterrain.clear.cite = "TEC"'
    (line,) = (
        one for one in owner_template(PACK).splitlines() if one.startswith("# supply.legs =")
    )
    for word in ("cut_by", "cut_cite", "links", "limit"):
        assert word in line
    owner = parse_owner(owner_template(PACK).replace(line, entered).encode(), "mine")
    assert owner.values["supply.legs"] == LEGS
    pack = pack_with_owner(GAME, owner)
    drawn = CaseMap(hexes={"2533": "clear 1 supply_source"})  # the map says of it what it will
    field = case_field(pack, drawn, ("2531",))
    verdicts = {
        (side, label): SupplyJudge(field, side).rule(field.hex(label)).verdict
        for side, label in (("it", "2531"), ("it", "2530"), ("ah", "2531"))
    }
    assert list(verdicts.values()) == ["in_supply", "out_of_supply", "unknown"]


def test_no_legs_at_all_are_no_way_to_run():
    """Unknown is null; an empty list says that a line runs nowhere, which no rule does."""
    assert PACK.supply.legs is None
    assert is_empty(PACK, "supply.legs")
    with pytest.raises(OwnerError, match=r"values.supply.legs: .*at least 1 item"):
        pack_with_owner(GAME, OwnerFile("mine", GAME, values={"supply.legs": []}))
    other = OwnerFile("mine", "strafexpedition", values={"supply.legs": LEGS})
    with pytest.raises(OwnerError, match="our sources state it"):
        pack_with_owner("strafexpedition", other)


# ------------------------------------------------------------------ the cases


def test_every_vector_of_the_dossier_is_a_case_or_a_test():
    """H7, H8 and H9 have no judge: the rules at hand state them. H11 is a test of the scenarios."""
    vectors = {case.id for case in CASES if case.id.startswith("CU-H")}
    assert vectors == {f"CU-H{n}" for n in (1, 2, 3, 4, 5, 6, 10, 12, 13)}
    assert len(CASES) >= 8 + 15


REFUSED = [
    one
    for one in CASES
    if one.judge == "task" and one.text_line is None and one.expect["verdict"] == "not_allowed"
]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.id)
def test_a_refusal_has_one_reason_and_it_is_the_rule_of_the_case(case):
    """Else a case could pass for a reason that it is not about."""
    ruling = rule_case(PACK, case)
    found = {one["condition"]: one["state"] for one in ruling.working["conditions"]}
    broken = [name for name, state in found.items() if state == "broken"]
    assert len(broken) == 1
    assert "unknown" not in found.values() or broken == ["class"]


def test_what_our_sources_lack_is_said_and_not_guessed():
    pack = pack_with_owner(GAME, OwnerFile("open ground", GAME, values=OPEN))
    field = case_field(pack, CaseMap(), ("2713", "2716"))
    here, there = field.hex("2713"), field.hex("2716")
    seen = SightJudge(field).rule(here, there)
    zone = ZoneJudge(field).rule(Standing("a", "it", here, "infantry"))
    assert (seen.verdict, zone.verdict) == ("unknown", "unknown")
    assert seen.missing
    assert zone.missing


@pytest.mark.parametrize("name", ["small-1", "s3"])
def test_the_turn_keeper_comes_to_the_end(name):
    position = set_up(GAME, name)
    play = play_of(position)
    places = []
    for _ in range(60 * play.last_turn):
        position = advance(position, play)
        places.append((position.clock.turn, position.clock.phase))
        if position.clock.over:
            break
    assert position.clock.over
    assert {turn for turn, _ in places} == set(range(1, play.last_turn + 1))
    assert ((1, "2") in places, (2, "2") in places) == (False, name == "s3")
