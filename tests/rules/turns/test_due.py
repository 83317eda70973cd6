"""What is due, what is limited, what the rules object to, and all of it in words."""

import json
from dataclasses import replace

import pytest

from counters.model import Unit
from mapkit import texts
from rules.lookup.rulebook import load_rulebook
from rules.positions.position import Clock, Entry, Marker, Piece, Place, Position
from rules.positions.set_up import set_up
from rules.registry import pack_folder
from rules.scenarios.scenario_files import find_scenarios
from rules.scenarios.sequences import find_sequence
from rules.turns.clock_work import activate, advance, give_initiative, go_to, react
from rules.turns.due import due_now
from rules.turns.limits import limits_now, objections, objections_to_reaction, restrictions_now
from rules.turns.log import told_entry, told_log
from rules.turns.play import play_of
from rules.turns.taking import take_hex
from rules.turns.turn_told import tasks_now, told_moment, told_now, turn_data

SE, C17 = "strafexpedition", "caporetto-1917"


def at(game, scenario, place, turn=1, **changes):
    position = Position(game, scenario, **changes)
    play = play_of(position)
    return go_to(position, play, place, turn), play


def told(position, play, kind=None):
    found = [one for one in due_now(position, play) if kind in (None, one.kind)]
    return [one.says.told() for one in found]


def test_arrivals_with_their_places():
    position, play = at(SE, "s1", "1", turn=2)
    italian, austrian = [one for one in due_now(position, play) if one.kind == "reinforcements"]
    assert italian.says.told() == "Italian: 13 units arrive [4.0]"
    assert "it-taro-208-ii" in italian.units
    assert any("Calliano: 4306" in line for line in austrian.lines)


def test_who_is_on_the_map_has_arrived_and_who_waited_is_not_forgotten():
    position = set_up(SE, "s1")
    play = play_of(position)
    moved = replace(position.pieces["it-taro-208-ii"], place=Place("hex", "2901"))
    position = replace(position, pieces={**position.pieces, "it-taro-208-ii": moved})
    now = due_now(go_to(position, play, "1", 2), play)
    assert now[0].says.values["n"] == 12
    later = due_now(go_to(position, play, "1", 3), play)
    held = [one for one in later if one.says.key == "rules.turn.held_back"]
    assert held[0].says.values["n"] == 12
    assert "it-taro-208-ii" not in held[0].units


def test_arrivals_that_our_sources_lack():
    position, play = at(C17, "s2", "1", turn=2)
    assert told(position, play, "reinforcements")[0].startswith("not in our sources: ")


def test_points_of_the_turn():
    position, play = at(SE, "s1", "1", turn=2, points={"it": {"logistics_points": 3}})
    assert told(position, play, "points") == [
        "Italian: 5 more, Logistics Points (now 3) [Scenario 1]",
        "Austro-Hungarian: 10 more, Logistics Points (now ?) [Scenario 1]",
    ]
    position, play = at(SE, "s1", "1", turn=1)
    assert told(position, play, "points") == []
    position, play = at(C17, "s1", "1", turn=2, control={"2623": "ahg", "1516": "it"})
    lines = told(position, play, "points")
    assert lines[0].startswith("Italian, left: 2 more")
    assert lines[1].startswith("Italian, left: 5 less, Logistics Points, once, because 2623 fell")
    assert len(lines) == 3


def test_withdrawals():
    position, play = at(SE, "s5", "1", turn=18)
    assert told(position, play, "withdrawals")[0].startswith("11th Gebirgs Brigade, 12th Gebirgs")


def test_an_initiative_that_is_always_one_sides_is_told_with_its_rule():
    for scenario in ("s1", ""):
        position, play = at(C17, scenario, "3", turn=2)
        assert turn_data(position, play)["initiative_cite"] == play.initiative_cite
        phases = [one.model_copy(update={"due": ("initiative",)}) for one in play.sequence.phases]
        told_in_all = play.sequence.model_copy(update={"phases": tuple(phases)})
        play = replace(play, sequence=told_in_all)
        (initiative,) = [one for one in due_now(position, play) if one.kind == "initiative"]
        assert initiative.says.values == {"side": play.pack.sides["ahg"].title}
        assert initiative.says.cite == play.initiative_cite != ""
    assert play.initiative_cite == play.sequence.initiative_cite


def test_words_that_the_game_does_not_know_are_told_as_they_stand():
    position, play = at(SE, "s1", "4", weather="hail")
    assert "weather: hail, as the position has it" in told_now(position, play)
    position, play = at(SE, "s1", "3", initiative="pink")
    assert "pink" in told(position, play, "initiative")[0]
    for place in ("3", "8", "8.C", "9"):
        position, play = at(SE, "s1", place, initiative="pink", weather="hail")
        assert told_now(position, play)
        assert json.dumps(turn_data(position, play))
    position, play = at(SE, "s1", "8", initiative="pink")
    assert told_moment(position, play).endswith("– pink [4.0]")


def test_weather_is_read_where_we_know_it():
    position, play = at(C17, "s1", "3", turn=2)
    position = advance(position, play)
    assert position.weather == "light_rain", "the position follows the calendar"
    assert told(position, play) == ["weather: Light rain [24.11]"]
    position, play = at(SE, "s1", "4")
    assert told(position, play) == [
        "weather: not in our sources; read it on the Turn Record Track [Turn Record Track]"
    ]
    position, play = at(SE, "s1", "4", weather="rain")
    assert "weather: Rain, as the position has it" in told(position, play)[0]


def test_supply_of_all_that_are_not_exempt():
    position = set_up(SE, "s4")
    play = play_of(position)
    position = go_to(position, play, "5")
    for due in due_now(position, play):
        classes = {position.pieces[unit].unit.class_ for unit in due.units}
        assert due.units
        assert not classes & {"fortress", "headquarters"}
        assert all(position.pieces[unit].place.kind == "hex" for unit in due.units)
    assert "(not for: Fortress, Brigade headquarters)" in told(position, play)[0]


def test_events_name_what_is_missing():
    position, play = at(SE, "s1", "7", turn=2)
    roll, missing = told(position, play)
    assert roll == "roll for an event: Events Table, 1d6 [Events Table]"
    assert "Turn Record Track, on the map" in missing


def piece(name, **changes):
    unit = Unit(name, name, "it", formation="roma", class_="infantry", echelon="battalion")
    return Piece(unit, Place("hex", "3405"), **changes)


def test_rally_replacements_and_what_ends():
    tired = piece("a", statuses={"disorganization": 2, "activated": 1})
    weak = piece("b", steps_lost=1, statuses={"out_of_command": 1})
    pieces = {"a": tired, "b": weak}
    position, play = at(SE, "s1", "11", pieces=pieces)
    assert told(position, play) == [
        "Italian: 1 unit may rally [4.0]",
        "Italian: 1 unit has lost steps [4.0]",
        "take off: activated, 1 time [8.5]",
    ]
    assert due_now(position, play)[0].lines == ("a (3405): 2 Disorganization, activated",)
    position, play = at(SE, "s1", "12", pieces=pieces)
    assert "take off: out of command, 1 time [8.6]" in told(position, play), "the turn ends"
    assert told(position, play)[0].startswith("look for a victory before the end")
    position, play = at(SE, "s1", "12", turn=5)
    assert told(position, play)[0].startswith("the last turn: count up")


def test_markers_that_end():
    ends = [name for name, one in play_of(Position(C17)).pack.markers.items() if one.ends]
    for kind in ends:
        marker = Marker(kind, "1534")
        phase = play_of(Position(C17)).pack.markers[kind].ends
        position, play = at(C17, "s2", "13" if phase == "turn" else phase, markers=(marker,))
        assert any(one.data.get("markers") == ["1534"] for one in due_now(position, play))


def test_who_has_not_acted():
    position = set_up(SE, "s4")
    play = play_of(position)
    position = go_to(give_initiative(position, play, "ah"), play, "8")
    (due,) = [one for one in due_now(position, play) if one.kind == "formations"]
    assert due.lines == ("58th KJ Brigade", "180th KJ Brigade")


@pytest.mark.parametrize("game", [SE, C17])
def test_every_limit_stands_on_a_rule_at_hand(game):
    book = load_rulebook(pack_folder(game))
    sequence = find_sequence(game)
    assert len(sequence.limits) >= 10
    assert [one.cite for one in sequence.limits if not book.find(one.cite)] == []
    rounds = [one.rounds.cite for one in sequence.repeats if one.rounds]
    assert all(book.find(cite) for cite in rounds)


@pytest.mark.parametrize(
    ("game", "scenario", "place", "cite"),
    [
        (SE, "s1", "8.B", "13.2.4"),
        (SE, "s1", "9.C", "13.3.8"),
        (SE, "s1", "8", "8.5"),
        (SE, "s1", "8.A", "18.2"),
        (C17, "s2", "7.B", "12.1.2"),
        (C17, "s2", "6.2", "12.1.2"),
        (C17, "s2", "8.C", "12.2.7"),
        (C17, "s1", "7.I", "24.4"),
    ],
)
def test_reminders_where_they_matter(game, scenario, place, cite):
    assert cite in [one.cite for one in limits_now(*at(game, scenario, place))]


def test_reminders_stay_away_elsewhere():
    assert "24.4" not in [one.cite for one in limits_now(*at(C17, "s2", "7.I"))]
    assert "13.2.4" not in [one.cite for one in limits_now(*at(SE, "s1", "8.C"))]
    assert limits_now(*at(SE, "s1", "4")) == ()


def test_restrictions_of_the_turn():
    assert len(restrictions_now(*at(C17, "s1", "6", turn=1))) > len(
        restrictions_now(*at(C17, "s1", "6", turn=6))
    )


def test_objections_are_told_but_stop_nobody():
    position, play = at(C17, "s1", "8", turn=1)
    keys = [one.key for one in objections(position, play, "salerno")]
    assert keys == ["rules.turn.restricted"]
    position = activate(position, play, ("salerno",))
    assert position.clock.formation == "salerno"
    position = go_to(position, play, "8", 1)
    assert "rules.turn.acted_already" in [one.key for one in objections(position, play, "salerno")]
    position, play = at(SE, "s1", "8", initiative="ah")
    assert [one.key for one in objections(position, play, "roma")] == ["rules.turn.not_its_phase"]
    position, play = at(SE, "s1", "5")
    assert [one.key for one in objections(position, play, "roma")] == ["rules.turn.no_action_phase"]


def test_objections_to_a_reaction():
    position, play = at(SE, "s1", "8", initiative="ah")
    assert objections_to_reaction(position, play, "roma")[0].key == "rules.turn.no_reaction_now"
    position = go_to(position, play, "8.I")
    assert objections_to_reaction(position, play, "roma") == ()
    reacting = react(position, play, "roma", success=True)
    found = objections_to_reaction(reacting, play, "taro")
    assert found[0].key == "rules.turn.reaction_to_reaction"


def test_hexes_that_change_hands():
    position, play = at(SE, "s1", "8.D", initiative="ah")
    position = take_hex(position, play, "2415", "ah")
    assert position.control == {"2415": "ah"}
    assert position.log[-1].data["taken_by"] == "ah"
    assert position.log[-1].text == "Austro-Hungarian takes 2415"


def test_the_moment_in_words():
    position, play = at(SE, "s1", "8", initiative="ah")
    position = activate(position, play, (_ah(),))
    assert told_moment(position, play) == (
        "phase 8, Action of the player with the initiative, step A, "
        "Tactical movement and assault declaration – Austro-Hungarian [11.1]"
    )
    position = react(go_to(position, play, "8.I"), play, "roma", success=True)
    text = told_now(position, play)
    assert "reacting: Roma Brigade" in text
    assert "Open in the rules: Who goes on after a Reaction" in text


def _ah():
    formations = find_scenarios(SE).formations.items()
    return next(name for name, one in formations if one.side == "ah" and one.kind == "brigade")


def test_the_checklist_of_the_moment():
    position, play = at(SE, "s1", "8", initiative="ah")
    assert [line.cite for line in tasks_now(position, play)] == ["8.5", "8.4"]
    position = go_to(activate(position, play, (_ah(),)), play, "8.H")
    assert position.clock.formation == _ah(), "it goes along to another step of its action"
    assert advance(position, play).clock.step == "I"
    assert [line.text for line in tasks_now(position, play)][-1] == "Turn the HQ over"
    position, play = at(C17, "s2", "6.1")
    assert [line.cite for line in tasks_now(position, play)] == ["17.6"]


def test_before_and_after_the_game():
    position = Position(SE, "s4")
    play = play_of(position)
    assert "the turn has not begun" in told_now(position, play)
    over = replace(position, clock=Clock(turn=2, over=True))
    assert told_now(over, play).endswith("the game is over")
    assert turn_data(over, play)["over"] is True


@pytest.mark.parametrize("language", texts.LANGUAGES)
@pytest.mark.parametrize("game", [SE, C17])
def test_every_moment_is_told_in_every_language(game, language):
    position = set_up(game, "s1")
    play = play_of(position)
    texts.use(language)
    try:
        for _ in range(40):
            position = advance(position, play)
            assert told_now(position, play)
            json.dumps(turn_data(position, play))
        assert told_log(position)
    finally:
        texts.use(None)


def test_the_log_speaks_the_language_in_use():
    position, play = at(SE, "s1", "8", initiative="ah")
    entry = activate(position, play, ("roma",)).log[-1]
    assert told_entry(entry) == "Italian activates Roma Brigade"
    texts.use("de")
    try:
        assert told_entry(entry) == "Italian aktiviert Roma Brigade"
    finally:
        texts.use(None)
    assert told_entry(Entry(1, "8", "the Alpini hold", {"says": "rules.turn.none"})) == (
        "the Alpini hold"
    )


def test_the_log_a_page_at_a_time():
    position, play = at(SE, "s1", "1")
    for _ in range(30):
        position = advance(position, play)
    page = told_log(position, last=5).splitlines()
    assert page[0].endswith("earlier lines)")
    assert sum(line.startswith("  ") for line in page) == 5
    assert told_log(position, turn=1).count("turn 1") == 1
    assert told_log(Position(SE)) == "nothing has happened yet"
