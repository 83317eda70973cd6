"""Caporetto, the Italian Front: points off the tracks, Venezia, who leaves, morale that falls."""

from dataclasses import replace

import pytest

from mapkit import texts
from rules.judges.victory import rule_victory
from rules.positions.position import Clock, Place, Position
from rules.positions.set_up import set_up
from rules.registry import find_pack
from rules.scenarios.scenario_calendar import calendar_data, told_calendar
from rules.scenarios.scenario_files import find_scenarios
from rules.scenarios.scenario_show import told_sheet
from rules.told import told_ruling
from rules.turns.clock_work import go_to
from rules.turns.due import due_now
from rules.turns.play import play_of

GAME = "caporetto-front"
TRACKS = {"allied": {"mobilizations": 0, "alpini_tactics": 0}, "cp": {"austro_hungarian_morale": 0}}


def scored(allied, cp, **more):
    points = {side: dict(words) for side, words in TRACKS.items()}
    points["allied"] |= {"vp": allied}
    points["cp"] |= {"vp": cp}
    for word, n in more.items():
        side = "cp" if word in ("austro_hungarian_morale", "venezia_roll") else "allied"
        points[side][word] = n
    return points


@pytest.mark.parametrize(
    ("points", "total", "winner"),
    [
        pytest.param(scored(10, 2), 8, "allied", id="8 more are enough"),
        pytest.param(scored(9, 2), 7, "cp", id="7 more are not"),
        pytest.param(scored(9, 2, austro_hungarian_morale=-3), 8, "allied", id="broken morale"),
        pytest.param(scored(9, 2, austro_hungarian_morale=-2), 7, "cp", id="low morale"),
        pytest.param(scored(10, 2, mobilizations=2), 6, "cp", id="two mobilizations"),
        pytest.param(scored(10, 2, alpini_tactics=1), 6, "cp", id="Alpini tactics"),
    ],
)
def test_points_of_places_and_tracks(points, total, winner):
    ruling = rule_victory(Position(GAME, "s1", points=points), over=True)
    assert ruling.working["points"] == {"allied": total}
    assert ruling.verdict == winner


def test_a_track_that_nobody_keeps_leaves_the_total_open():
    points = scored(10, 2)
    del points["cp"]["austro_hungarian_morale"]
    ruling = rule_victory(Position(GAME, "s1", points=points), over=True)
    assert ruling.verdict == "unknown"
    assert any("austro_hungarian_morale" in one.told() for one in ruling.missing)


def venezia(turn, holder, **more):
    return rule_victory(
        Position(GAME, "s1", Clock(turn=turn), points=scored(0, 0, **more),
                 control={"1911": holder}),
        over=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("ruling", "verdict"),
    [
        (venezia(1, "cp"), "cp"),
        (venezia(2, "cp"), "cp"),
        (venezia(2, "allied"), "undecided"),
        (venezia(3, "cp"), "undecided"),
        (venezia(3, "cp", venezia_roll=1), "cp"),
        (venezia(3, "cp", venezia_roll=0), "undecided"),
        (venezia(3, "allied", venezia_roll=1), "undecided"),
    ],
)
def test_venezia_wins_at_once_or_by_a_roll(ruling, verdict):
    assert ruling.verdict == verdict


def test_the_roll_for_venezia_is_asked_for():
    ruling = venezia(4, "cp")
    needs = {one["needs"] for one in ruling.working["outcomes"] if one["at"] == "every_check"}
    assert any("venezia_roll" in one for one in needs)
    assert any("only up to turn 2" in one for one in needs)


def on_map(position):
    pieces = {
        name: replace(piece, place=Place("hex", "2515")) for name, piece in position.pieces.items()
    }
    return replace(position, pieces=pieces)


def leaving(turn, change=lambda position: position):
    position = change(on_map(set_up(GAME, "s1")))
    play = play_of(position)
    position = go_to(position, play, "4", turn)
    return [one for one in due_now(position, play) if one.kind == "withdrawals"]


@pytest.mark.parametrize(
    ("turn", "demands"),
    [(2, 1), (3, 2), (4, 4), (5, 4), (6, 2), (7, 0), (8, 0), (9, 2), (10, 0), (11, 1), (12, 0)],
)
def test_who_leaves_in_which_turn(turn, demands):
    assert len(leaving(turn)) == demands


def test_a_nation_gives_its_own_units():
    german, italian = leaving(3)
    assert german.units
    assert all(name.startswith("ge-") for name in german.units)
    assert italian.units
    assert all(name.startswith("it-") for name in italian.units)


def test_a_headquarters_that_is_lost_does_not_leave():  # CF-H11
    def lost(position):
        hq = position.pieces["ge-14th-army-hq"]
        gone = {"ge-14th-army-hq": replace(hq, place=Place("box", "eliminated"))}
        return replace(position, pieces={**position.pieces, **gone})

    there = {one.says.key for one in leaving(5) if "14th" in str(one.says.values["what"])}
    gone = {one.says.key for one in leaving(5, lost) if "14th" in str(one.says.values["what"])}
    assert (there, gone) == ({"rules.turn.withdraws"}, {"rules.turn.withdraws_not"})


@pytest.mark.parametrize(
    ("casualties", "morale", "then"),
    [(7, 0, None), (8, 0, -1), (11, 0, -1), (12, 0, -2), (20, -3, -4), (12, -4, -4)],
)
def test_morale_falls_with_the_casualties_of_the_turn(casualties, morale, then):  # CF-H2
    position = set_up(GAME, "s1")
    points = {side: dict(words) for side, words in position.points.items()}
    points["allied"] |= {"italian_casualties": casualties, "italian_morale": morale}
    play = play_of(position)
    position = go_to(replace(position, points=points), play, "7")
    tracks = [one for one in due_now(position, play) if one.kind == "tracks"]
    assert [one.data["then"] for one in tracks if one.data] == ([] if then is None else [then])
    assert sum(one.says.key == "rules.turn.resets" for one in tracks) == 1


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_all_of_it_is_told(language):
    texts.use(language)
    try:
        scenarios = find_scenarios(GAME)
        sheet = told_sheet(scenarios, scenarios.find("s1"), "formation")
        assert "3299" in sheet
        assert "1911" in sheet
        assert "2nd Isonzo HQ" in told_calendar(scenarios, scenarios.find("s1"))
        assert told_ruling(find_pack(GAME), venezia(3, "cp"))
    finally:
        texts.use(None)
    assert calendar_data(scenarios, scenarios.find("s1"))["turns"][3]["withdrawals"]
