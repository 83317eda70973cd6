"""A whole turn of Custoza, moment by moment: the Basic sequence (3) and the Advanced one (14).

What is expected is written down from the rulebook: who comes first, who second, and how an
activation runs. Nothing of it is asked of the pack.
"""

import pytest

from rules.positions.set_up import set_up
from rules.turns.clock_work import activate, advance, give_initiative, go_to, let_pass, try_in_vain
from rules.turns.due import due_now
from rules.turns.limits import limits_now
from rules.turns.play import play_of

GAME = "custoza"
ACTION = ("3.2a", "3.2b", "3.2c")  # declarations, Actions, end of the activation


def played(position, play, first, orders):
    """Play to the end of the turn; *orders* are formations, ~ for a try in vain, - for a pass."""
    turn, seen = position.clock.turn, []
    waiting = iter(orders)
    while position.clock.turn == turn and not position.clock.over:
        clock = position.clock
        if clock.phase:
            seen.append((clock.phase, clock.step, clock.active))
        if clock.phase == "1" and first:
            position = give_initiative(position, play, first)
        offered = clock.step in ("3.2", "6.2")
        if not offered or clock.formation:
            position = advance(position, play)
            continue
        order = next(waiting)
        if order == "-":
            position = let_pass(position, play)
        elif order.startswith("~"):
            position = try_in_vain(position, play, order[1:])
        else:
            position = activate(position, play, (order,))
    assert next(waiting, None) is None, "all orders were given"
    return seen, position


def acts(side):
    """The moments of an activation: the try, then the three steps of the action."""
    return [("3", "3.2", side), *(("3", step, side) for step in ACTION)]


def second(*places):
    """Steps in which the player with the initiative, here the Austro-Hungarian, comes second."""
    return [(*place, side) for place in places for side in ("it", "ah")]


def test_the_basic_turn():
    """Small scenario 23.1: four Formations, and the Austro-Hungarians have the initiative."""
    position = set_up(GAME, "small-1")
    orders = ["ah66-v", "~it66-div-1", "-", "it66-div-1", "-", "-", "-"]
    seen, after = played(position, play_of(position), None, orders)
    assert seen == [
        ("1", "", ""),
        ("3", "3.1", ""),  # the Command Step comes once
        *acts("ah"),
        ("3", "3.2", "it"),  # in vain: a failed attempt is an attempt
        ("3", "3.2", "ah"),  # a pass
        *acts("it"),
        ("3", "3.2", "ah"),
        ("3", "3.2", "it"),
        ("3", "3.2", "ah"),  # the third pass in a row
        *second(("4", ""), ("5", "")),
        ("8", "", ""),
    ]
    assert (after.clock.turn, after.clock.phase, after.clock.done) == (2, "1", ())


def test_the_advanced_turn():
    """Scenario 1 of 1848, where initiative is rolled for: here the Austro-Hungarians get it."""
    position = set_up(GAME, "s1")
    orders = ["ah48-ii", "it48-i", "-", "-", "-"]
    seen, after = played(position, play_of(position), "ah", orders)
    assert seen == [
        ("1", "", ""),
        *second(*(("2", f"2.{step}") for step in range(1, 6))),
        ("3", "3.1", ""),
        *acts("ah"),
        *acts("it"),
        *(("3", "3.2", side) for side in ("ah", "it", "ah")),
        *second(("4", ""), ("5", "")),
        ("6", "6.1", ""),  # nobody marches, but Overall Commanders may move
        *(("7", f"7.{step}", "") for step in range(1, 4)),
        ("8", "", ""),
    ]
    assert (after.clock.turn, after.clock.phase, after.initiative) == (2, "1", "")


def test_formations_on_march_take_turns_in_their_own_phase():
    """Scenario 3 of 1866: all march, so the Action Phase is passed over (14, step 6)."""
    position = set_up(GAME, "s3")
    play = play_of(position)
    orders = ["it66-div-1", "~ah66-v", "-", "ah66-v", "-", "-", "-"]
    seen, _ = played(position, play, "it", orders)
    assert [place for place in seen if place[0] != "6"] == [
        ("1", "", ""),  # and no Command Phase in its first turn (26.1.6)
        ("3", "3.1", ""),
        *((phase, "", side) for phase in "45" for side in ("ah", "it")),
        *(("7", f"7.{step}", "") for step in range(1, 4)),
        ("8", "", ""),
    ]
    assert [place[1:] for place in seen if place[0] == "6"] == [
        ("6.1", ""),
        *(("6.2", "it"), ("6.2a", "it")),
        ("6.2", "ah"),  # in vain
        ("6.2", "it"),  # a pass
        *(("6.2", "ah"), ("6.2a", "ah")),
        *(("6.2", side) for side in ("it", "ah", "it")),
    ]


@pytest.mark.parametrize(
    ("place", "cites"),
    [("3.2a", {"6.2"}), ("3.2b", {"6.6", "11.3"}), ("3.2c", {"13.6.1"}), ("4", {"13.6.1"})],
)
def test_each_moment_reminds_of_its_limits(place, cites):
    position = set_up(GAME, "small-1")
    play = play_of(position)
    now = go_to(position, play, place)
    assert cites <= {one.cite for one in limits_now(now, play)}
    assert due_now(now, play) is not None
