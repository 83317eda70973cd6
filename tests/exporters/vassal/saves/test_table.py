"""Commands carried out as the engine does: who lies where after each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporters.model import ExportError
from exporters.vassal.saves.pieces import SavedPiece, SavedStack, Spot, write_piece, write_stack
from exporters.vassal.saves.table import Table
from exporters.vassal.traits import Trait, mark

BASIC = Trait("piece;;;a.png;A")
HERE, THERE, BEYOND = Spot("Main", 30, 40), Spot("Main", 90, 40), Spot("Main", 150, 40)


def put(table, *ids, at=HERE, stack=None):
    for id_ in ids:
        table.carry_out(write_piece(SavedPiece(id_, (mark(Step="1"), BASIC), at, "5")))
    if stack:
        table.carry_out(write_stack(SavedStack(stack, at, ids, 2)))


def move(id_, spot, under="null"):
    return f"M/{id_}/{spot.map}/{spot.x}/{spot.y}/{under}/Main/0/0/null/hush"


def spots(table):
    return {id_: piece.spot for id_, piece in table.pieces.items()}


def test_a_piece_goes_where_it_is_moved_and_leaves_its_stack():
    table = Table()
    put(table, "1", "2", stack="9")
    table.carry_out(f"LOG\t{move('1', THERE)}")
    assert spots(table) == {"1": THERE, "2": HERE}
    assert table.stacks["9"].members == ("2",)
    table.carry_out(move("2", THERE))
    assert "9" not in table.stacks  # the engine takes an empty stack off


def test_a_stack_moves_with_all_that_came_to_lie_in_it():
    table = Table()
    put(table, "1", "2", stack="9")
    put(table, "3", at=THERE)
    table.carry_out(move("3", HERE, under="2"))
    put(table, "4", at=THERE)
    table.carry_out(move("4", HERE))
    table.carry_out(move("9", BEYOND))
    assert set(spots(table).values()) == {BEYOND}
    table.carry_out(move("1", HERE))
    table.carry_out(move("9", THERE))
    assert spots(table) == {"1": HERE, "2": THERE, "3": THERE, "4": THERE}


def test_of_two_stacks_on_a_spot_a_piece_joins_the_one_it_is_put_on():
    table = Table()
    put(table, "1", stack="8")
    put(table, "2", stack="9")
    put(table, "3", at=THERE)
    table.carry_out(move("3", HERE, under="2"))
    table.carry_out(move("9", BEYOND))
    assert spots(table) == {"1": HERE, "2": BEYOND, "3": BEYOND}


def test_a_change_of_a_stack_says_anew_who_lies_in_it():
    table = Table()
    put(table, "1", "2", stack="9")
    put(table, "3", at=THERE)
    table.carry_out("D/9/Main;90;40;2;3;@@2/Main;30;40;1;2;@@2")
    assert spots(table) == {"1": HERE, "2": THERE, "3": THERE}
    table.carry_out(move("9", BEYOND))
    assert spots(table) == {"1": HERE, "2": BEYOND, "3": BEYOND}


def test_a_change_of_a_piece_sets_its_states_and_place():
    table = Table()
    put(table, "1", stack="9")
    table.carry_out("D/1/2\tMain;90;40;5;0/1\tMain;30;40;5;0")
    assert table.pieces["1"].traits[0].state == "2"
    assert (table.pieces["1"].spot, "9" in table.stacks) == (THERE, False)


def test_what_is_taken_off_and_put_back_is_there_again():
    table = Table()
    put(table, "1", "2", stack="9")
    before = spots(table)
    added = write_piece(table.pieces["1"])
    for command in ("-/1", "UNDO\ttrue", added, "D/9/Main;30;40;1;2;@@2", "UNDO\tfalse"):
        table.carry_out(f"LOG\t{command}")
    assert (spots(table), table.stacks["9"].members) == (before, ("1", "2"))


def test_a_piece_put_into_a_deck_lies_in_it():
    table = Table()
    put(table, "1", "2")
    table.carry_out("+/9/deck;false;x/Main;30;40;true;1,2")
    put(table, "3", at=THERE)
    table.carry_out(move("3", HERE))
    assert table.stacks["9"].is_deck
    assert table.stacks["9"].members == ("1", "2", "3")
    table.carry_out(move("1", THERE))
    assert table.stacks["9"].members == ("2", "3")


def test_boards_and_turns_are_told():
    table = Table()
    table.carry_out("MainBoardPicker\tEast\t0\t0\tA\\/B/rev\t1\t0")
    table.carry_out("LOG\tTURNTurnTracker0\t0|3;0;false;-1")
    assert table.boards == {"Main": (("East", 0, 0), ("A/B/rev", 1, 0))}
    assert table.turns == {"TurnTracker0": "0|3;0;false;-1"}
    table.carry_out("MainBoardPicker\tEast\tzero\t0")
    assert table.boards["Main"][0] == ("East", 0, 0)


@pytest.mark.parametrize("command", ["M/1/Main/here/0/null", "+/1/piece;;;;x", "D/1/2\tMain;x;1;5"])
def test_what_does_not_read_is_an_error_that_quotes_nothing(command):
    table = Table()
    put(table, "1")
    with pytest.raises(ExportError) as told:
        table.carry_out(command)
    assert "here" not in str(told.value)


commands = st.one_of(
    st.builds(
        move,
        st.sampled_from("1234589"),
        st.sampled_from([HERE, THERE, BEYOND]),
        st.sampled_from(["null", *"12349"]),
    ),
    st.sampled_from("12349").map(lambda id_: f"-/{id_}"),
    st.lists(st.sampled_from("1234"), unique=True).map(
        lambda ids: write_stack(SavedStack("9", THERE, tuple(ids)))
    ),
)


@given(st.lists(commands, max_size=30))
def test_whoever_lies_in_a_stack_lies_where_it_does_and_in_no_other(given_):
    table = Table()
    put(table, "1", "2", stack="8")
    put(table, "3", "4", at=THERE, stack="9")
    for command in given_:
        table.carry_out(command)
    members = [id_ for stack in table.stacks.values() for id_ in stack.members]
    assert len(members) == len(set(members))
    for stack in table.stacks.values():
        assert all(
            table.pieces[id_].spot == stack.spot for id_ in stack.members if id_ in table.pieces
        )
