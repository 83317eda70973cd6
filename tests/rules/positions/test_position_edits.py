"""Edits of positions: each can be undone, in memory and on the disk."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counters.model import Unit
from mapkit.errors import DocumentError, JournalError, StoreError
from mapkit.store.journal import plain
from rules.positions.position import Entry, Piece, Place, Position
from rules.positions.position_edits import (
    add_entry,
    apply_edit,
    change_piece,
    invert_edit,
    move_piece,
    set_points,
    set_weather,
)
from rules.positions.position_store import (
    edit_position,
    load_position,
    read_position,
    save_position,
)
from tests.rules.positions.random_positions import edits, positions

POSITION = Position("strafexpedition", pieces={"a": Piece(Unit("a", "A", "it"))})


@given(positions(), st.data())
def test_any_edits_undone_give_the_start_back(position, data):
    now, back = position, []
    for _ in range(data.draw(st.integers(0, 6))):
        edit = plain(data.draw(edits(now)))
        back.append(plain(invert_edit(now, edit)))
        now = apply_edit(now, edit)
    for inverse in reversed(back):
        now = apply_edit(now, inverse)
    assert now == position


@settings(max_examples=15)
@given(positions(), st.data())
def test_the_store_undoes_and_redoes_them(tmp_path_factory, position, data):
    path = tmp_path_factory.mktemp("store") / "game.position.json"
    save_position(path, position)
    done = [position]
    with edit_position(path) as session:
        for _ in range(data.draw(st.integers(1, 4))):
            session.edit(data.draw(edits(session.value)))
            done.append(session.value)
            if data.draw(st.booleans()):
                session.save()
    assert load_position(path) == done[-1]
    with edit_position(path) as session:
        for before in reversed(done[:-1]):
            session.undo()
            assert session.value == before
        for after in done[1:]:
            session.redo()
            assert session.value == after
        session.save()
    assert read_position(path).unsaved == 0


@pytest.mark.parametrize(
    "edit",
    [
        {"what": "unit", "at": "a", "entry": {"id": "b", "name": "B", "side": "it"}},
        {"what": "unit", "at": "a", "entry": {"id": "a", "name": "A"}},
        {"what": "unit", "at": "a"},
        {"what": "luck", "at": "", "entry": 6},
        {"what": "log", "at": 3, "entry": {"turn": 1, "phase": "", "text": "x"}},
        {"what": "points", "at": ["it"], "entry": 3},
        {"what": "clock", "at": "", "entry": {"turn": "one"}},
    ],
)
def test_an_edit_that_does_not_fit_is_refused(edit):
    with pytest.raises(DocumentError):
        apply_edit(POSITION, edit)


def test_points_that_are_taken_away_leave_no_trace():
    more = apply_edit(POSITION, set_points("it", "lp", 4))
    assert more.points == {"it": {"lp": 4}}
    assert apply_edit(more, set_points("it", "lp", None)) == POSITION


def test_a_move_keeps_the_rest_of_the_unit():
    piece = Piece(Unit("a", "A", "it"), statuses={"activated": 1}, steps_lost=1)
    moved = apply_edit(POSITION, move_piece(piece, Place("hex", "0305"))).pieces["a"]
    assert (moved.place.at, moved.statuses, moved.steps_lost) == ("0305", {"activated": 1}, 1)


def test_a_file_changed_outside_names_our_own_command(tmp_path):
    path = tmp_path / "game.position.json"
    save_position(path, POSITION)
    with edit_position(path) as session:
        session.edit(set_weather("rain"))
    path.write_bytes(path.read_bytes().replace(b'"initiative": ""', b'"initiative": "it"'))
    with pytest.raises(JournalError, match="`mapkit rules position recover`"):
        load_position(path)
    with edit_position(path, on_conflict="replay") as session:
        session.save()
    both = load_position(path)
    assert (both.weather, both.initiative) == ("rain", "it")


def test_a_position_that_is_there_is_not_overwritten(tmp_path):
    path = tmp_path / "game.position.json"
    save_position(path, POSITION)
    with pytest.raises(StoreError, match="--force"):
        save_position(path, POSITION)
    save_position(path, apply_edit(POSITION, add_entry(POSITION, Entry(1, "", "x"))), force=True)
    assert load_position(path).log[0].text == "x"


def test_an_edit_is_held_to_the_letter_of_the_file():
    piece = Piece(Unit("a", "A", "it"), statuses={"activated": 0})
    with pytest.raises(DocumentError, match="greater than or equal to 1"):
        apply_edit(POSITION, change_piece(piece))
