"""Who wins a position: every scenario with an invented score, and what is still needed."""

import json

import pytest

from counters.model import Unit
from mapkit import texts
from mapkit.grid import Grid
from mapkit.hexes import neighbours
from mapkit.model import Feature, Ground, HexMap
from rules.errors import RulesError
from rules.judges.victory import rule_victory
from rules.lookup.rulebook import load_rulebook
from rules.positions.position import Clock, Piece, Place, Position
from rules.positions.set_up import set_up
from rules.registry import find_pack, pack_folder
from rules.scenarios.scenario_files import find_scenarios
from rules.told import told_ruling
from rules.turns.clock_work import go_to
from rules.turns.play import play_of
from rules.turns.taking import take_hex

SE, C17 = "strafexpedition", "caporetto-1917"
ALL = [(game, one.id) for game in (SE, C17) for one in find_scenarios(game).scenarios]
AH_GOALS = ["1468", "1469", "1470", "1471", "0146", "0247", "0238", "0239"]
MOST = ["3303", "3002", "2602", "2401", "2006", "2106", "2405", "2503"]


def unit(name, side, place, class_="infantry", echelon="battalion", formation=""):
    return Piece(Unit(name, name, side, "", formation, class_, echelon), place)


def surrendered(side, n, class_="infantry", echelon="battalion"):
    box = Place("box", "surrendered")
    return {f"{side}{class_}{i}": unit(f"{side}{class_}{i}", side, box, class_, echelon)
            for i in range(n)}  # fmt: skip


def printed(game, values):
    """Return a map of the game's numbering that prints some points."""
    numbering = find_pack(game).layout.any_numbering()
    hexes = {
        numbering.parse_label(label): Ground("clear", features=(Feature("victory", value=value),))
        for label, value in values.items()
    }
    return HexMap(grid=Grid.regular("flat", pitch_px=60), numbering=numbering, hexes=hexes)


def ruled(game, scenario, maps=(), over=True, **position):
    return rule_victory(Position(game, scenario, **position), maps, over=over)


def needs(ruling, winner, at="end"):
    return [
        one["needs"] for one in ruling.working["outcomes"]
        if (one["winner"], one["at"]) == (winner, at)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("game", "scenario", "position", "verdict"),
    [
        (SE, "s1", {"points": {"ah": {"vp": 16}}}, "ah"),
        (SE, "s1", {"points": {"ah": {"vp": 12}}}, "draw"),
        (SE, "s1", {"points": {"ah": {"vp": 11}}}, "it"),
        (SE, "s2", {"points": {"ah": {"vp": 8}}}, "ah"),
        (SE, "s2", {"points": {"ah": {"vp": 8, "surrendered_steps": 10}}}, "draw"),
        (SE, "s3", {"control": {"1741": "ah", "1744": "ah"}}, "ah"),
        (SE, "s3", {"control": {"1741": "ah"}}, "it"),
        (SE, "s4", {"control": {"1333": "ah"}}, "draw"),
        (SE, "s4", {"control": {"1333": "it"}}, "it"),
        (SE, "s5", {"points": {"ah": {"vp": 118}, "it": {"surrendered_steps": 25}}}, "ah"),
        (SE, "s5", {"control": dict.fromkeys(AH_GOALS, "ah")}, "ah"),
        (C17, "s1", {"points": {"ahg": {"vp": 0, "vp_left": 30, "vp_right": 28}}}, "ahg"),
        (C17, "s1", {"points": {"ahg": {"vp": 0, "vp_left": 28, "vp_right": 28}}}, "nobody"),
        (C17, "s2", {"points": {"ahg": {"vp": 121}}}, "ahg"),
        (C17, "s2", {"points": {"ahg": {"vp": 90}}}, "draw"),
        (C17, "s2", {"points": {"ahg": {"vp": 89}}}, "it"),
        (C17, "s3", {"control": {**dict.fromkeys(MOST, "it"), "2602": "ahg"}}, "it"),
        (C17, "s3", {"control": dict.fromkeys(MOST, "ahg")}, "ahg"),
        (C17, "s3", {"control": {"2602": "ahg"}}, "unknown"),
        (C17, "s4", {"control": dict.fromkeys(
            ["3906", "4005", "4207", "4610", "4809", "5306", "5308"], "ahg")}, "ahg"),
    ],
)  # fmt: skip
def test_every_scenario_with_an_invented_score(game, scenario, position, verdict):
    assert ruled(game, scenario, **position).verdict == verdict


@pytest.mark.parametrize(("game", "scenario"), ALL)
def test_at_the_start_nobody_has_won(game, scenario):
    ruling = rule_victory(set_up(game, scenario))
    assert ruling.verdict == "undecided"
    book = load_rulebook(pack_folder(game))
    assert [cite for cite in ruling.cites if not book.find(cite)] == []
    json.dumps(ruling.as_data())


@pytest.mark.parametrize("language", texts.LANGUAGES)
@pytest.mark.parametrize(("game", "scenario"), ALL)
def test_told_in_every_language(game, scenario, language):
    texts.use(language)
    try:
        for over in (False, True):
            assert told_ruling(find_pack(game), ruled(game, scenario, over=over))
    finally:
        texts.use(None)


def test_what_is_still_needed():
    ruling = ruled(SE, "s1", over=False, points={"ah": {"vp": 4}})
    assert needs(ruling, "ah") == ["12 more victory points (now 4)"]
    assert needs(ruling, "it") == ["no more than 7 further victory points (now 4)"]
    held = dict.fromkeys(AH_GOALS[:6], "ah")
    ruling = ruled(SE, "s1", over=False, points={"ah": {"vp": 4}}, control=held)
    assert needs(ruling, "ah", "every_check") == ["hold 0238, 0239"]
    told = told_ruling(find_pack(SE), ruling)
    assert (
        "Austro-Hungarian: at any check, hold 0238, 0239, "
        "or at the end, 12 more victory points (now 4) [23.3, Scenario 1]"
    ) in told
    assert ruling.verdict == "undecided"
    ruling = ruled(SE, "s3", over=False, control={"1741": "ah"})
    assert needs(ruling, "ah") == ["hold 1 more of 1744, 1850"]
    ruling = ruled(C17, "s2", over=False, points={"ahg": {"vp": 100}})
    assert needs(ruling, "it") == ["11 victory points fewer (now 100)"]
    ruling = ruled(C17, "s3", over=False, control={**dict.fromkeys(MOST, "it"), "2602": "ahg"})
    assert needs(ruling, "ahg")[0].startswith("hold more than the enemy (now 2 to 7)")
    ruling = ruled(C17, "s1", over=False, points={"ahg": {"vp_left": 10, "vp_right": 14}})
    assert needs(ruling, "ahg") == ["5 more victory points (now 10)", "nothing is lacking"]


def test_the_hexes_next_to_a_peak():
    numbering = find_pack(SE).layout.any_numbering()
    near = numbering.format_label(neighbours(numbering.parse_label("1235"))[0])
    ruling = ruled(SE, "s4", control={near: "ah"})
    assert ruling.verdict == "ah"
    open_ = ruled(SE, "s4", over=False, control={"1434": "it"})
    assert near in needs(open_, "ah")[0]


def test_places_score_what_the_map_prints():
    board = printed(SE, {"1201": 3, "1302": 5, "0225": 7, "0226": 7, "2038": 2})
    control = {"1201": "ah", "1302": "it", "0225": "ah"}
    ruling = ruled(SE, "s1", [board], control=control)
    assert ruling.working["points"] == {"ah": 3}, "Recoaro needs both its hexes"
    ruling = ruled(SE, "s1", [board], control={**control, "0226": "ah"})
    assert ruling.working["points"] == {"ah": 10}, "and counts once"
    assert ruling.verdict == "it"


def test_a_place_without_a_value_is_named():
    board = printed(SE, {"1201": None, "1302": 5})
    ruling = ruled(SE, "s1", [board], control={"1201": "ah"})
    assert ruling.verdict == "unknown"
    told = [one.told() for one in ruling.missing]
    assert "the map does not tell what these places score: 1201 [23.0]" in told
    ruling = ruled(SE, "s1", [board], control={"1302": "ah", "1201": "it"})
    assert ruling.working["points"] == {"ah": 5}, "what the enemy holds need not be known"


def test_without_a_map_the_missing_card_is_named():
    ruling = ruled(SE, "s1")
    assert ruling.verdict == "unknown"
    told = [one.told() for one in ruling.missing]
    assert told[0].startswith("Austro-Hungarian: what places score is not known")
    assert told[-1] == (
        "not in our sources: The value of each Victory Point hex – printed on: The map"
    )


def test_who_stands_in_a_hex_holds_it():
    board = printed(SE, {"1201": 3, "1302": 5})
    here, there = Place("hex", "1201"), Place("hex", "1302")
    pieces = {"a": unit("a", "ah", here), "b": unit("b", "ah", there, "field_artillery", "")}
    ruling = ruled(SE, "s1", [board], pieces=pieces, control={"1302": "it"})
    assert ruling.working["points"] == {"ah": 3}, "guns take no hex"
    pieces["c"] = unit("c", "it", here)
    ruling = ruled(SE, "s1", [board], pieces=pieces, control={"1201": "it", "1302": "it"})
    assert ruling.working["points"] == {"ah": 0}, "while both are there it is whose it was"


@pytest.mark.parametrize(
    ("game", "lost", "points"),
    [
        (SE, surrendered("it", 5), 1),
        (SE, surrendered("it", 4), 0),
        (SE, surrendered("it", 2, "heavy_artillery", ""), 1),
        (SE, surrendered("it", 1, "fortress", "") | surrendered("it", 3), 1),
        (SE, surrendered("ah", 5), -1),
        (SE, surrendered("ah", 9) | surrendered("it", 9), 0),
        (C17, surrendered("it", 10, "machine_guns", "company"), 1),
        (C17, surrendered("it", 10) | surrendered("ahg", 5), 1),
        (C17, surrendered("it", 1) | surrendered("ahg", 20), 0),
        (C17, surrendered("it", 10, "cavalry", ""), 1),
        (C17, surrendered("it", 4, "light_artillery", ""), 2),
    ],
)
def test_points_for_losses(game, lost, points):
    scenario, side = ("s1", "ah") if game == SE else ("s2", "ahg")
    ruling = ruled(game, scenario, pieces=lost, points={side: {"vp": 0}})
    assert ruling.working["points"] == {side: points}


def test_a_surrendered_unit_of_unknown_worth():
    lost = surrendered("it", 1, "infantry", "")
    ruling = ruled(SE, "s1", pieces=lost, points={"ah": {"vp": 20}})
    assert ruling.verdict == "unknown"
    assert "itinfantry0" in ruling.missing[0].told()


def test_formations_that_left_the_map():
    out, box = Place("edge", "SW"), Place("box", "eliminated")
    pieces = {
        "a": unit("a", "ahg", out, formation="one"),
        "b": unit("b", "ahg", box, formation="one"),
        "c": unit("c", "ahg", out, formation="other"),
        "d": unit("d", "ahg", Place("hex", "1105"), formation="other"),
        "e": unit("e", "it", out, formation="third"),
    }
    ruling = ruled(C17, "s2", pieces=pieces, points={"ahg": {"vp": 0}})
    assert ruling.working["points"] == {"ahg": 5}


def test_a_place_lost_again_in_the_same_turn_costs_double():
    position = Position(C17, "s2", Clock(turn=3))
    play = play_of(position)
    board = printed(C17, {"2602": 4, "1105": 6})
    position = take_hex(take_hex(position, play, "2602", "ahg"), play, "1105", "ahg")
    assert rule_victory(position, [board], over=True).working["points"] == {"ahg": 10}
    position = take_hex(position, play, "2602", "it")
    assert rule_victory(position, [board], over=True).working["points"] == {"ahg": 6 - 8}
    later = go_to(position, play, "7", turn=4)
    later = take_hex(later, play, "1105", "it")
    assert rule_victory(later, [board], over=True).working["points"] == {"ahg": -8}


def test_a_halted_offensive():
    position = Position(C17, "s2", Clock(turn=2))
    play = play_of(position)
    board = printed(C17, {"2602": 4, "1105": 6})
    position = take_hex(position, play, "2602", "ahg")
    check = go_to(position, play, "13", turn=3)
    ruling = rule_victory(check, [board])
    assert ruling.verdict == "undecided"
    assert ruling.working["outcomes"][1]["needs"].startswith("1 more turn without")
    ended = rule_victory(go_to(position, play, "13", turn=4), [board])
    assert ended.verdict == "it", "two turns without a hex end it, and 4 points are few"
    before = rule_victory(go_to(position, play, "7", turn=4), [board])
    assert before.verdict == "undecided", "turn 4 is not over yet"


def test_the_clock_says_when_to_count():
    position = Position(SE, "s1", points={"ah": {"vp": 20}})
    play = play_of(position)
    assert rule_victory(go_to(position, play, "12", turn=4)).verdict == "undecided"
    assert rule_victory(go_to(position, play, "11", turn=5)).verdict == "undecided"
    assert rule_victory(go_to(position, play, "12", turn=5)).verdict == "ah"


def test_what_it_rests_on():
    ruling = ruled(C17, "s2", points={"ahg": {"vp": 90}})
    assert set(ruling.assumptions) == {"exactly-ninety", "cividale-twice"}
    assert "victory-total" in ruled(SE, "s1", points={"ah": {"vp": 12}}).assumptions
    held = {"1468": "ah"}
    assert "0146" in ruled(SE, "s1", control=held).working["unrecorded"]


def test_a_position_without_a_scenario():
    with pytest.raises(RulesError, match="names no scenario"):
        rule_victory(Position(SE))
