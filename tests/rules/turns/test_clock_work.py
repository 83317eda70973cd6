"""The turn stepped through: full turns of both games, loops, passes, reactions, what is skipped."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counters.model import Unit
from rules.errors import RulesError
from rules.positions.changes import turned_to
from rules.positions.position import Clock, Piece, Place, Position
from rules.positions.position_edits import apply_edit, invert_edit
from rules.positions.set_up import set_up
from rules.registry import find_pack
from rules.scenarios.scenario_files import find_scenarios
from rules.turns.clock_work import (
    activate,
    advance,
    end_game,
    give_initiative,
    go_to,
    let_pass,
    react,
    who_acts,
)
from rules.turns.limits import left_out
from rules.turns.log import told_log
from rules.turns.moments import is_reaction
from rules.turns.play import acting, formations_left, play_of
from rules.turns.turn_file import turn_edit

SE, C17 = "strafexpedition", "caporetto-1917"
ALL = [(game, one.id) for game in (SE, C17) for one in find_scenarios(game).scenarios]
STEPS = list("ABCDEFGHI")


def begin(game, scenario, turn=1, initiative=""):
    position = Position(game, scenario, Clock(turn=turn), initiative=initiative)
    return position, play_of(position)


def at(position):
    clock = position.clock
    return clock.phase, clock.step, clock.active


def moments_of_turn(position, play, limit=200):
    """Go on until the turn ends, and return every moment on the way."""
    turn, seen = position.clock.turn, []
    for _ in range(limit):
        position = advance(position, play)
        if position.clock.over or position.clock.turn != turn:
            return seen, position
        seen.append(at(position))
    raise AssertionError(f"the turn does not end: {seen[-5:]}")


def walked(position, play, n):
    for _ in range(n):
        position = advance(position, play)
    return position


def test_a_full_turn_of_strafexpedition():
    position, play = begin(SE, "s1", turn=2)
    position = walked(position, play, 3)
    assert at(position) == ("3", "", "")
    position = give_initiative(position, play, "ah")
    position = walked(position, play, 2)
    assert at(position) == ("5", "", ""), "both check supply together"
    position = walked(position, play, 2)
    assert at(position) == ("6", "", "it"), "the player with the initiative turned his guns first"
    position = walked(position, play, 2)
    assert at(position) == ("8", "", "ah"), "after the event of phase 7"

    position = activate(position, play, (_some("ah"),))
    seen = [(position.clock.step, who_acts(position, play))]
    for _ in STEPS[1:]:
        position = advance(position, play)
        seen.append((position.clock.step, who_acts(position, play)))
    assert [step for step, _ in seen] == STEPS
    assert [who for step, (who,) in seen if step in "CEGI"] == ["it"] * 4
    assert [who for step, (who,) in seen if step in "ABDFH"] == ["ah"] * 5

    position = react(position, play, _some("it"), success=False)
    assert position.clock.step == "I", "a reaction in vain changes nothing"
    position = react(position, play, _some("it"), success=True)
    assert is_reaction(position, play)
    assert (at(position), acting(position)) == (("8", "A", "it"), (_some("it"),))
    assert who_acts(advance(advance(position, play), play), play) == ("ah",), "C is the other's"
    position = walked(position, play, 7)
    assert position.clock.step == "H"
    position = advance(position, play)
    assert at(position) == ("8", "", "ah"), "nobody reacts to a reaction; back to who was cut off"
    assert position.clock.done == (_some("ah"), _some("it"))

    position = let_pass(position, play)
    assert at(position) == ("9", "", "it")
    position = activate(position, play, (_some("it", 1),))
    position = walked(position, play, 9)
    assert at(position) == ("9", "", "it"), "he may name another"
    assert position.clock.passed == (), "somebody has acted since the pass"
    position = let_pass(let_pass(position, play), play)
    assert at(position) == ("10", "", "ah"), "both have passed one after the other"
    seen, position = moments_of_turn(position, play)
    assert seen == [("10", "", "it"), ("11", "", ""), ("12", "", "")]
    assert position.clock == Clock(turn=3, phase="1")
    assert position.initiative == "", "it is won anew"


def _some(side, n=0):
    formations = find_scenarios(SE).formations.items()
    return [name for name, one in formations if one.side == side and one.kind == "brigade"][n]


def test_a_full_turn_of_caporetto_1917():
    position, play = begin(C17, "s2", turn=2)
    seen, after = moments_of_turn(position, play)
    assert seen == [
        ("1", "", ""),
        ("2", "", ""),
        ("3", "", ""),
        ("4", "", ""),
        *[("5", f"5.{n}", side) for n in (1, 2, 3, 4) for side in ("ahg", "it")],
        *[("6", f"6.{n}", side) for n in (1, 2) for side in ("ahg", "it")],
        ("7", "", "ahg"),
        ("8", "", "it"),
        ("9", "", "ahg"),
        ("9", "", "it"),
        ("10", "", "ahg"),
        ("10", "", "it"),
        ("11", "", ""),
        ("12", "", ""),
        ("13", "", ""),
    ]
    assert after.initiative == "ahg", "always"
    assert after.clock == Clock(turn=3, phase="1")


def test_the_first_turn_of_caporetto_begins_with_phase_6():
    position, play = begin(C17, "s1")
    seen, _ = moments_of_turn(position, play)
    assert seen[0] == ("6", "6.1", "ahg")
    assert ("6", "6.3", "ahg") in seen
    assert ("6", "6.3", "it") not in seen, "only one side prepares"
    assert not {phase for phase, _, _ in seen} & set("12345")


def test_a_step_that_the_turn_leaves_out():
    seen, _ = moments_of_turn(*begin(C17, "s2", turn=1))
    assert "5.3" not in {step for _, step, _ in seen}
    assert "5.4" in {step for _, step, _ in seen}


def test_one_sector_after_the_other():
    position, play = begin(C17, "s1", turn=2)
    position = go_to(position, play, "7")
    assert position.clock.round == 1
    position = activate(position, play, ("Alpenkorps",))
    position = walked(position, play, 9)
    position = let_pass(let_pass(position, play), play)
    assert (at(position), position.clock.round) == (("7", "", "ahg"), 2)
    position = let_pass(let_pass(position, play), play)
    assert (at(position), position.clock.round) == (("9", "", "ahg"), 1)
    elsewhere, other = begin(C17, "s2", turn=2)
    elsewhere = let_pass(let_pass(go_to(elsewhere, other, "7"), other), other)
    assert at(elsewhere)[0] == "9", "only scenario 1 has sectors"


def test_no_event_where_the_scenario_has_none():
    assert "7" not in {phase for phase, _, _ in moments_of_turn(*begin(SE, "s1"))[0]}
    assert "7" in {phase for phase, _, _ in moments_of_turn(*begin(SE, "s1", turn=2))[0]}


def test_the_last_turn_ends_the_game():
    position, play = begin(SE, "s4", turn=2)
    _, position = moments_of_turn(position, play)
    assert position.clock == Clock(turn=2, over=True)
    with pytest.raises(RulesError, match="the game is over"):
        advance(position, play)
    assert at(go_to(position, play, "12"))[0] == "12", "players may take it up again"


def test_an_event_ends_the_game_early():
    position, play = begin(SE, "s5", turn=9)
    position = end_game(go_to(position, play, "7"), play)
    assert position.clock.over
    assert position.clock.turn == 9


def test_without_a_scenario_turns_go_on_for_ever():
    position, play = begin(SE, "")
    assert play.last_turn is None
    _, position = moments_of_turn(replace(position, clock=Clock(turn=99)), play)
    assert position.clock.turn == 100


def test_nobody_knows_who_has_the_initiative():
    position, play = begin(SE, "s1")
    position = go_to(position, play, "8")
    assert position.clock.active == "initiative"
    position = give_initiative(position, play, "it")
    assert position.clock.active == "it", "now it is known"
    again, _ = begin(SE, "s1")
    seen, _ = moments_of_turn(again, play)
    assert ("8", "", "initiative") in seen
    assert ("9", "", "other") in seen


def test_before_the_initiative_is_known_the_opponent_has_no_name():
    position, play = begin(SE, "s1")
    assert who_acts(go_to(position, play, "8.C"), play) == ("other",)
    assert who_acts(go_to(position, play, "9.C"), play) == ("initiative",)
    known = give_initiative(position, play, "it")
    assert who_acts(go_to(known, play, "8.C"), play) == ("ah",)
    assert who_acts(go_to(known, play, "9.C"), play) == ("it",)


def test_another_turn_begins_alike_however_it_is_reached():
    start = replace(set_up(C17, "s1"), weather="storm", initiative="it")
    play = play_of(start)
    last = replace(start, clock=Clock(turn=1, phase=play.phases(1)[-1].id))
    edit = turned_to(start, play.pack, 2, "1")
    for entered in (advance(last, play), go_to(start, play, "1", 2), apply_edit(start, edit)):
        assert entered.clock == Clock(turn=2, phase="1")
        assert (entered.weather, entered.initiative) == ("light_rain", "ahg")
    won_anew = replace(set_up(SE, "s1"), weather="rain", initiative="ah")
    edit = turned_to(won_anew, find_pack(SE), 2, "1")
    gone = go_to(won_anew, play_of(won_anew), "1", 2)
    for entered in (gone, apply_edit(won_anew, edit)):
        assert (entered.weather, entered.initiative) == ("rain", "")
    assert apply_edit(apply_edit(start, edit), invert_edit(start, edit)) == start


def test_in_the_same_turn_who_has_acted_and_the_initiative_stay():
    position = replace(set_up(SE, "s1"), initiative="ah", clock=Clock(2, "8", done=("taro",)))
    for moved in (
        go_to(position, play_of(position), "5"),
        apply_edit(position, turned_to(position, find_pack(SE), 2, "5")),
    ):
        assert (moved.clock, moved.initiative) == (Clock(2, "5", done=("taro",)), "ah")


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("10", ("10", "", "ah")),
        ("8.D", ("8", "D", "ah")),
        ("9.a", ("9", "A", "it")),
        ("6", ("6", "", "ah")),
    ],
)
def test_any_place_can_be_gone_to(place, expected):
    position, play = begin(SE, "s1", initiative="ah")
    moved = go_to(position, play, place)
    assert at(moved) == expected
    assert moved.log[-1].text == f"players go to {place}"


def test_steps_with_numbers_of_their_own():
    position, play = begin(C17, "s1")
    assert at(go_to(position, play, "6.2")) == ("6", "6.2", "ahg")
    left_out = go_to(position, play, "5.3")
    assert at(left_out)[:2] == ("5", "5.3"), "this turn has no phase 5; players go there anyway"
    assert at(advance(left_out, play))[:2] in {("5", "5.3"), ("5", "5.4")}


def test_a_phase_set_by_hand_without_who_acts():
    position, play = begin(SE, "s1", initiative="ah")
    position = replace(position, clock=Clock(phase="6"))
    assert at(advance(position, play)) == ("6", "", "it")
    position = replace(position, clock=Clock(phase="8"))
    assert at(advance(position, play)) == ("9", "", "it")
    position, play = begin(C17, "s2")
    position = replace(position, clock=Clock(phase="6", step="6.2"))
    assert at(advance(position, play)) == ("6", "6.2", "it")


def test_a_place_that_is_none():
    position, play = begin(SE, "s1")
    for place in ("13", "8.Z", "A", ""):
        with pytest.raises(RulesError, match="there is no place"):
            go_to(position, play, place)
    with pytest.raises(RulesError, match="there is no turn 6; the last is 5"):
        go_to(position, play, "1", turn=6)


def test_a_formation_of_the_other_side_begins_its_phase():
    position, play = begin(SE, "s1", initiative="ah")
    position = go_to(position, play, "8")
    assert at(activate(position, play, (_some("it"),))) == ("9", "A", "it")
    before = go_to(position, play, "5")
    assert at(activate(before, play, (_some("it"),))) == ("9", "A", "it"), "never forced"


def test_two_formations_act_together():
    position, play = begin(C17, "s2", turn=2)
    position = activate(go_to(position, play, "8"), play, ("salerno", "Arno Brigade"))
    assert acting(position) == ("salerno", "arno")
    position = walked(position, play, 9)
    assert position.clock.done == ("salerno", "arno")


def test_a_formation_that_is_none():
    position, play = begin(SE, "s1")
    with pytest.raises(RulesError, match="has no formation 'tar'; there is: taro"):
        activate(position, play, ("tar",))
    with pytest.raises(RulesError, match="name the formation"):
        activate(position, play, ())
    elsewhere, other = begin(C17, "s2")
    assert acting(activate(elsewhere, other, ("Deutschmeister",))) == ("Deutschmeister",)


def test_passing_where_nobody_can_pass():
    position, play = begin(SE, "s1")
    with pytest.raises(RulesError, match="nobody can pass"):
        let_pass(go_to(position, play, "5"), play)
    with pytest.raises(RulesError, match="nobody reacts"):
        react(go_to(position, play, "5"), play, _some("it"), success=True)


def piece(name, side, formation, place="1201"):
    unit = Unit(name, name, side, formation=formation, class_="infantry", echelon="battalion")
    return Piece(unit, Place("hex", place) if place else Place("off_map"))


def test_who_has_no_formation_left_has_passed():
    ours, theirs = _some("ah"), _some("it")
    pieces = {
        "a": piece("a", "ah", ours),
        "b": piece("b", "it", theirs),
        "c": piece("c", "it", _some("it", 1), ""),
    }
    position, play = begin(SE, "s1", initiative="ah")
    position = replace(position, pieces=pieces)
    assert formations_left(play, position, "it") == (theirs,), "the other is not on the map"
    position = activate(go_to(position, play, "8"), play, (ours,))
    position = walked(position, play, 9)
    assert at(position) == ("9", "", "it"), "nobody is left for phase 8"
    position = walked(activate(position, play, (theirs,)), play, 9)
    assert at(position)[0] == "10", "nobody is left at all"
    assert "none left to activate" in told_log(position)


def test_units_still_to_be_placed_may_act():
    position = set_up(SE, "s1")
    play = play_of(position)
    left = formations_left(play, position, "it")
    assert "roma" in left, "its battalions choose their hexes"
    assert "sicilia" not in left, "it comes in turn 2"
    assert "mt-viii" not in left, "militia is independent"


@pytest.mark.parametrize(("game", "scenario"), ALL)
def test_a_whole_game_only_going_on(game, scenario):
    position, play = begin(game, scenario)
    for turn in range(1, play.last_turn + 1):
        first = [at(position)] if position.clock.phase else []
        seen, position = moments_of_turn(position, play)
        visited = list(dict.fromkeys(phase for phase, _, _ in first + seen))
        assert visited == [phase.id for phase in play.phases(turn)]
    assert position.clock.over


@given(data=st.data())
def test_whatever_players_do_the_turn_ends_and_undo_leads_back(data):
    game, scenario = data.draw(st.sampled_from(ALL))
    position, play = begin(game, scenario)
    formations = sorted(find_scenarios(game).formations)
    places = [phase.id for phase in play.sequence.phases]
    for _ in range(data.draw(st.integers(0, 12))):
        before = position
        act = data.draw(st.sampled_from(["next", "activate", "pass", "react", "goto", "side"]))
        name = data.draw(st.sampled_from(formations))
        try:
            if act == "next":
                position = advance(position, play)
            elif act == "activate":
                position = activate(position, play, (name,))
            elif act == "pass":
                position = let_pass(position, play)
            elif act == "react":
                position = react(position, play, name, success=data.draw(st.booleans()))
            elif act == "goto":
                position = go_to(position, play, data.draw(st.sampled_from(places)))
            else:
                side = data.draw(st.sampled_from(sorted(play.pack.sides)))
                position = give_initiative(position, play, side)
        except RulesError:
            assert position is before
            continue
        edit = turn_edit(before, position)
        assert apply_edit(before, edit) == position
        assert apply_edit(position, invert_edit(before, edit)) == before
    if not position.clock.over:
        turn = position.clock.turn
        seen, position = moments_of_turn(position, play)
        assert position.clock.over or position.clock.turn == turn + 1
        order = [phase.id for phase in play.sequence.phases]
        outside = [order.index(p) for p, _, _ in seen if not play.actions(play.phase(p))]
        assert outside == sorted(outside), "no phase outside the loop comes before an earlier one"


def test_who_passes_amid_an_action_is_told_what_is_left_out():
    position, play = begin(SE, "s1", initiative="ah")
    position = activate(go_to(position, play, "8"), play, (_some("ah"),))
    first = position.clock.step
    (told,) = left_out(position, play)
    assert first not in str(told.values["steps"]).split(", ")
    passed = let_pass(position, play)
    (line,) = [one for one in passed.log if one.data.get("says") == "rules.turn.log_left_out"]
    assert line.data["with"]["steps"] == told.values["steps"]
    again = activate(position, play, (_some("ah", 1),))
    assert "rules.turn.log_left_out" in {one.data.get("says") for one in again.log}


def test_who_passes_after_the_action_leaves_nothing_out():
    position, play = begin(SE, "s1", initiative="ah")
    position = activate(go_to(position, play, "8"), play, (_some("ah"),))
    while left_out(position, play):
        position = advance(position, play)
    assert "rules.turn.log_left_out" not in {one.data.get("says") for one in position.log}
    passed = let_pass(position, play)
    assert "rules.turn.log_left_out" not in {one.data.get("says") for one in passed.log}
