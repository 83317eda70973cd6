"""The turn of The Italian Front stepped through, against the order that 4.1 prints."""

from itertools import product

import pytest

from rules.positions.position import Clock, Position
from rules.turns.clock_work import advance, who_acts
from rules.turns.play import play_of

STEPS = ("A", "B", "C", "D", "E")  # combat, infiltration, combat, movement, supply
OPERATIONS = [(phase, step) for phase, step in product(("6a", "6b"), STEPS)]


def walk(turn: int):
    """Yield every moment of a turn with who acts, and at last the clock of what comes after."""
    position = Position("caporetto-front", "s1", Clock(turn=turn))
    play = play_of(position)
    for _ in range(60):
        position = advance(position, play)
        if position.clock.over or position.clock.turn != turn:
            yield position.clock
            return
        clock = position.clock
        yield clock.phase, clock.step, clock.active, who_acts(position, play)
    raise AssertionError("the turn does not end")


def test_a_full_turn():
    *seen, after = walk(5)
    moments = [(phase, step) for phase, step, _, _ in seen]
    assert moments == [
        ("0", ""),  # 17.0: a pause is declared before the Random Events Phase
        ("1", ""),
        ("2", ""),
        ("3", ""),
        ("4", ""),
        ("4", ""),
        ("5", ""),
        ("5", ""),
        *OPERATIONS,
        ("7", ""),
    ]
    by_side = [(phase, active) for phase, _, active, _ in seen if phase in ("4", "5")]
    # withdrawals begin with the Central Powers, strategic movement with the Allies
    assert by_side == [("4", "cp"), ("4", "allied"), ("5", "allied"), ("5", "cp")]
    assert {who for phase, _, _, who in seen if phase == "6a"} == {("cp",)}
    assert {who for phase, _, _, who in seen if phase == "6b"} == {("allied",)}
    assert after == Clock(turn=6, phase="0")


def test_the_first_turn_begins_with_the_first_combat_of_the_central_powers():
    *seen, _ = walk(1)
    assert seen[0][:2] == ("6a", "A")
    assert [one[:2] for one in seen if one[0] == "6b"] == [("6b", step) for step in "ACDE"]
    assert seen[-1][0] == "7"


@pytest.mark.parametrize("turn", [2, 3])
def test_no_pause_before_turn_3_and_no_allied_infiltration(turn):
    moments = [one[:2] for one in list(walk(turn))[:-1]]
    assert (("0", "") in moments) == (turn >= 3)
    assert (("6b", "B") in moments) == (turn >= 3)
    assert ("1", "") in moments


def test_the_game_ends_after_turn_13():
    *_, after = walk(13)
    assert after.over
