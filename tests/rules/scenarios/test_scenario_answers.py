"""An owner's answers change scenarios: their calendar, set-up and victory; else all stays."""

from dataclasses import replace

import pytest

from rules.errors import PackError
from rules.judges.victory import rule_victory
from rules.owner import OwnerError, OwnerFile, pack_with_owner
from rules.pack import load_pack
from rules.positions.position import Clock, Position
from rules.positions.set_up import begin_from
from rules.positions.turn_entry import enter_turn
from rules.registry import find_pack
from rules.scenarios.answer_check import faults_of_answers
from rules.scenarios.scenario_answers import answers_about, answers_about_units, choosing
from rules.scenarios.scenario_calendar import calendar_data, told_calendar
from rules.scenarios.scenario_files import find_scenarios, load_scenarios, scenarios_of
from rules.scenarios.scenario_show import told_sheet
from rules.scenarios.sequences import ask
from rules.turns.clock_work import advance, go_to
from rules.turns.due import due_now
from rules.turns.play import play_of
from rules.turns.taking import take_hex
from rules.turns.turn_told import told_now, turn_data
from tests.rules.scenarios.test_scenario_files import PACK, SCENARIO, UNITS

SE, C17 = "strafexpedition", "caporetto-1917"


def owned(game, **answers):
    named = {name.replace("_", "-"): answer for name, answer in answers.items()}
    return pack_with_owner(game, OwnerFile("mine", game, named))


def arrivals(pack, scenario, turn):
    scenarios = scenarios_of(pack)
    return calendar_data(scenarios, scenarios.find(scenario))["turns"][turn - 1]["arrivals"]


def wins(pack, scenario, **position):
    return rule_victory(Position(pack.id, scenario, **position), pack=pack, over=True).verdict


# Nothing chosen


@pytest.mark.parametrize("game", [SE, C17])
def test_who_chose_nothing_about_scenarios_plays_them_as_they_are(game):
    assert scenarios_of(find_pack(game)).scenarios is find_scenarios(game).scenarios
    other = owned(game, command_range_die="each-turn")
    assert scenarios_of(other).scenarios is find_scenarios(game).scenarios
    assert scenarios_of(other).pack is other


# Set-up and calendar


def test_where_foza_lies():
    plain, chosen = (scenarios_of(one) for one in (find_pack(SE), owned(SE, foza="hex-3768")))
    for name in ("foza", "foza-june-1"):
        hexes = [one.find("s5").placements[name].all_of[0].hexes for one in (plain, chosen)]
        assert hexes == [("3772",), ("3768",)]
    told = told_calendar(chosen, chosen.find("s5"))
    assert "Foza: 3768" in told
    assert "Foza: 3772" not in told
    assert "3768, as June 1 has it." in told, "what it rests on is told, by the owner's answer"
    assert "3772, as two of the three dates have it." in told_calendar(plain, plain.find("s5"))


def test_when_sesia_arrives_and_with_how_many_guns():
    plain, chosen = find_pack(SE), owned(SE, entry_of_sesia="as-scenario-1")
    gun = "it-1a-div-mountain-2"
    assert {"it-sesia-201-i", gun} <= set(arrivals(plain, "s5", 2))
    assert not {"it-sesia-201-i", gun} & set(arrivals(chosen, "s5", 2))
    assert {"it-sesia-201-i", gun} & set(arrivals(chosen, "s5", 4)) == {"it-sesia-201-i"}
    sesia = begin_from(chosen, "s5").pieces["it-sesia-201-i"]
    assert (sesia.due, sesia.placement) == (4, "hexes-1936-0237")
    assert begin_from(plain, "s5").pieces["it-sesia-201-i"].due == 2
    assert gun not in begin_from(chosen, "s5").pieces
    assert find_scenarios(SE).find("s1") == scenarios_of(chosen).find("s1")


def test_the_fortresses_of_the_campaign_may_stay_away():
    forts = {"ah-fort-lusern", "ah-fort-verle", "ah-fort-spitz-vezzena"}
    assert forts <= set(begin_from(find_pack(SE), "s5").pieces)
    chosen = owned(SE, campaign_fortresses="left-out")
    assert not forts & set(begin_from(chosen, "s5").pieces)
    assert forts <= set(begin_from(chosen, "s2").pieces)


def test_several_answers_hold_together():
    chosen = owned(
        SE,
        battalions_of_the_2nd_gebirgs="four",
        campaign_guns_of_v_corps="once",
        entry_of_alessandria="as-scenario-2",
        first_points_of_scenario_3="from-may-31",
    )
    plain, other = begin_from(find_pack(SE), "s5"), begin_from(chosen, "s5")
    assert len(plain.pieces) - len(other.pieces) == 1 + 12
    assert other.pieces["ah-gebirgs-2-8"].unit.name == "8 FJB"
    assert other.pieces["it-v-corps-field-1"].placement == "v-corps-guns"
    assert "no_move_on_arrival" in other.pieces["it-alessandria-155-i"].statuses
    gained = [pool.gained(1) for pool in scenarios_of(chosen).find("s3").file.points]
    assert gained == [0, 0]
    assert find_scenarios(SE).find("s3").file.points[1].gained(1) == 3


# Turns


def test_a_campaign_without_a_last_turn_goes_on():
    chosen = owned(SE, campaign_length="no-last-turn")
    position = Position(SE, "s5", clock=Clock(turn=32))
    ended, goes_on = (
        advance(go_to(position, play, last_phase(play), 32), play)
        for play in (play_of(position), play_of(position, chosen))
    )
    assert (ended.clock.over, ended.clock.turn) == (True, 32)
    assert (goes_on.clock.over, goes_on.clock.turn) == (False, 33)
    play = play_of(goes_on, chosen)
    assert "June 16 (open end)" in told_now(goes_on, play)
    assert turn_data(goes_on, play)["of"] is None
    assert ask(chosen, "s5", 40).turn == 40
    scenario = scenarios_of(chosen).find("s5")
    assert enter_turn(goes_on, 50, None, scenario).clock.turn == 50
    assert "its end is open" in told_sheet(scenarios_of(chosen), scenario, "formation")
    assert told_calendar(scenarios_of(chosen), scenario).count("Play goes on after that") == 1


def last_phase(play):
    return play.phases(32)[-1].id


def test_the_last_turn_decides_only_where_there_is_one():
    position = Position(SE, "s5", points={"ah": {"vp": 130}})
    play = play_of(position)
    check = next(one.id for one in play.sequence.phases if "victory" in one.due)
    position = go_to(position, play, check, 32)
    assert rule_victory(position).verdict == "ah"
    chosen = owned(SE, campaign_length="no-last-turn")
    assert rule_victory(position, pack=chosen).verdict == "undecided"


def test_what_is_due_names_what_it_rests_on():
    position = Position(SE, "s2")
    for pack, hex_ in (
        (find_pack(SE), "4426"),
        (owned(SE, entry_of_brigades_11_and_12="carbonare"), "4324"),
    ):
        play = play_of(position, pack)
        now = go_to(position, play, "1", 2)
        [austrian] = [one for one in due_now(now, play) if "ah-bde-11-27-i" in one.units]
        assert any(hex_ in line for line in austrian.lines)
        assert "entry-of-brigades-11-and-12" in austrian.assumptions
        assert pack.assumptions["entry-of-brigades-11-and-12"].we_assume in told_now(now, play)
    data = [one for one in turn_data(now, play)["due"] if one["assumptions"]]
    assert data


# Victory


def test_whose_points_are_compared():
    points = {"ah": {"vp": 8, "surrendered_steps": 10}}
    assert wins(find_pack(SE), "s2", points=points) == "draw"
    assert wins(owned(SE, victory_total="ah-points"), "s2", points=points) == "ah"


def test_rovereto_of_three_hexes():
    held = dict.fromkeys(["3502", "3603", "4018", "4019"], "it")
    chosen = owned(SE, rovereto="three-hexes")
    assert wins(find_pack(SE), "s1", control=held) == "it"
    assert wins(chosen, "s1", control=held, points={"ah": {"vp": 12}}) == "draw"
    assert wins(chosen, "s1", control={**held, "3604": "it"}) == "it"
    ruling = rule_victory(Position(SE, "s1", control=held), pack=chosen)
    assert "rovereto" in ruling.assumptions


def test_exactly_ninety_points():
    points = {"ahg": {"vp": 90}}
    assert wins(find_pack(C17), "s2", points=points) == "draw"
    assert wins(owned(C17, exactly_ninety="italian"), "s2", points=points) == "it"


def test_cividale_counts_once_or_twice():
    five = dict.fromkeys(["1105", "1801", "1312", "2401", "2602"], "ahg")
    rest = dict.fromkeys(["3702", "4503", "5101", "6217"], "it")
    points = {"ahg": {"vp": 100}}
    chosen = owned(C17, cividale_twice="twice")
    assert wins(find_pack(C17), "s2", control=five | rest, points=points) == "draw"
    assert wins(chosen, "s2", control=five | rest, points=points) == "ahg"
    four = five | rest | {"2602": "it"}
    assert wins(chosen, "s2", control=four, points=points) == "draw"
    ruling = rule_victory(Position(C17, "s2", control=four), pack=chosen)
    needs = [one["needs"] for one in ruling.working["outcomes"] if one["at"] == "every_check"]
    assert "2602 (×2)" in needs[0]


def test_depots_may_fall_more_than_once():
    position = Position(C17, "s2")
    plain, chosen = play_of(position), play_of(position, owned(C17, depots_lost_twice="each-time"))
    phase = next(one.id for one in plain.sequence.phases if "points" in one.due)
    for side in ("ahg", "it", "ahg"):
        position = take_hex(position, plain, "2623", side)
    once, each = (
        [one for one in due_now(go_to(position, play, phase, 3), play) if "2623" in str(one.says)]
        for play in (plain, chosen)
    )
    assert [one.says.key for one in once] == ["rules.turn.loses"]
    assert "each time 2623 fell: 2 ×" in each[0].says.told()
    assert "depots-lost-twice" in each[0].assumptions
    back = replace(position, control={"2623": "it"})
    again = [one.says.key for one in due_now(go_to(back, chosen, phase, 3), chosen)]
    assert "rules.turn.loses_each" in again, "lost is lost, whoever holds it now"
    seen = Position(C17, "s2", control={"2623": "ahg"})
    told = [one.says.told() for one in due_now(go_to(seen, chosen, phase, 3), chosen)]
    assert any("each time 2623 fell: 1 ×" in one for one in told)


# What does not fit


OPEN = """
[assumptions.who]
cites = ["9.0"]
question = "Who?"
we_assume = "Red."
[assumptions.who.alternatives.blue]
says = "Blue."
"""
ANSWER = "assumptions.who.alternatives.blue"


@pytest.fixture
def faults(tmp_path):
    (tmp_path / "pack.toml").write_text(PACK, encoding="utf-8")
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "ford.toml").write_text(SCENARIO, encoding="utf-8")
    rows = "r1,First,red,band,,,bank,reduced,\nb1,Ferry,blue,band,green,2,hex-0305,,x\n"
    (tmp_path / "scenarios" / "ford.csv").write_text(UNITS + rows, encoding="utf-8")

    def found(changes):
        text = OPEN + changes.replace("@", f"{ANSWER}.scenarios")
        (tmp_path / "open_points.toml").write_text(text, encoding="utf-8")
        pack = load_pack(tmp_path, "skirmish")
        listed = [(one.place, one.problem) for one in faults_of_answers(tmp_path, pack)]
        if listed:
            with pytest.raises(PackError):
                load_scenarios(tmp_path, choosing(pack, [("who", "blue")]))
        return [(place.removeprefix(f"{ANSWER}."), problem) for place, problem in listed]

    return found


def test_an_answer_that_fits_has_no_fault(faults):
    assert (
        faults('[@.ford.set]\n"victory.outcomes.0.winner" = "blue"\n"turns.open_end" = true') == []
    )
    assert faults('[[@.ford.units]]\nunits = ["b1"]\nturn = 3\nplacement = "bank"') == []


def test_every_fault_of_an_answer_is_told_at_once(faults):
    listed = faults(
        '[@.ford]\nempty = ["events", "turns.count"]\n[@.ford.set]\n'
        '"turn.count" = 4\n"victory.outcomes.7.winner" = "blue"\n"victory.outcomes.0" = 1\n'
        '"number" = "one"\n"title.long" = "x"\n"turns.length" = 3\n[@.bridge.set]\ntitle = "x"\n'
    )
    assert {place: problem.partition(",")[0] for place, problem in listed} == {
        "scenarios.bridge": "no scenario 'bridge'",
        "scenarios.ford.turn.count": "there is no 'turn' in turn.count",
        "scenarios.ford.victory.outcomes.7.winner": "there is no '7' in victory.outcomes.7.winner",
        "scenarios.ford.victory.outcomes.0": "victory.outcomes.0 is one of a list",
        "scenarios.ford.title.long": "there is no 'long' in title.long",
        "scenarios.ford.events": "there is no 'events' in events",
        "scenarios.ford.number": "input should be a valid integer",
        "scenarios.ford.turns.count": "field required",
        "scenarios.ford.turns.length": "extra inputs are not permitted",
    }


def test_broken_answers_to_two_questions_hide_nothing_of_each_other(faults, tmp_path):
    broken = '[assumptions.{0}.alternatives.blue.scenarios.ford.set]\n"turn.{0}" = 1\n'
    assert faults("") == []
    text = OPEN + broken.format("who") + (OPEN + broken).replace("who", "when").format("when")
    (tmp_path / "open_points.toml").write_text(text, encoding="utf-8")
    pack = load_pack(tmp_path, "skirmish")
    with pytest.raises(PackError, match=r"2 faults:\n.*turn\.who.*\n.*turn\.when") as told:
        load_scenarios(tmp_path, choosing(pack, [("who", "blue"), ("when", "blue")]))
    assert len(told.value.faults) == 2


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ('units = ["b2"]\nturn = 3', "the scenario has no unit 'b2'"),
        ('formations = ["guard"]\nleave_out = true', "the scenario has no units of 'guard'"),
        ('units = ["b1"]\nturn = 4', "no turn '4'"),
        ('units = ["b1"]\nplacement = "hill"', "no placement 'hill'"),
        ('units = ["b1"]\nstatuses = "asleep"', "'asleep' is no state"),
    ],
)
def test_a_line_of_units_that_does_not_fit(faults, changes, problem):
    [(place, said)] = faults(f"[[@.ford.units]]\n{changes}")
    assert place.startswith("scenarios.ford.units.0")
    assert problem in said


@pytest.mark.parametrize(
    "changes",
    ["turn = 3", 'units = ["b1"]', 'units = ["b1"]\nleave_out = true\nturn = 2', "colour = 1"],
)
def test_a_line_of_units_that_says_nothing_is_refused(faults, changes):
    with pytest.raises(PackError, match=r"scenarios\.ford\.units\.0"):
        faults(f"[[@.ford.units]]\n{changes}")


def test_two_answers_about_one_key_are_refused(monkeypatch):
    pack = find_pack(SE)
    rovereto = pack.assumptions["rovereto"].alternatives["three-hexes"]
    other = rovereto.model_copy(
        update={"scoring": rovereto.scoring.model_copy(
            update={"set": {"outcomes.it_breakthrough.when.hexes": ["3502"]}}
        )}
    )  # fmt: skip
    foza = pack.assumptions["foza"].model_copy(update={"alternatives": {"hex-3768": other}})
    crossed = pack.model_copy(update={"assumptions": pack.assumptions | {"foza": foza}})
    monkeypatch.setattr("rules.owner.find_pack", lambda _: crossed)
    with pytest.raises(OwnerError, match=r"give scoring\.outcomes\.it_breakthrough\.when\.hexes"):
        owned(SE, rovereto="three-hexes", foza="hex-3768")


def test_what_rests_on_an_answer():
    pack = find_pack(SE)
    assert answers_about(pack, "s5", ["turns"]) == ("campaign-length",)
    assert answers_about(pack, "s5", ["turn"]) == ()
    assert answers_about(pack, "s1", ["turns"]) == ()
    sesia = [one for one in find_scenarios(SE).find("s5").deployed if one.unit.formation == "sesia"]
    assert answers_about_units(pack, "s5", sesia) == ("entry-of-sesia",)
    assert answers_about_units(pack, "s5", ()) == ()
