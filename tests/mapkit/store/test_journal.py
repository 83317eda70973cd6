"""The journal: what it tells, torn and damaged lines, and how it stands to its file."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.errors import DocumentError, JournalError, StoreError
from mapkit.store.journal import FORMAT, HISTORY, Entry, History, Journal, Standing, plain
from tests.mapkit.store.disks import FullDisk, note

BASE = "a" * 64
SAVED = "b" * 64
OTHER = "c" * 64


def fill(path: Path, edits: int = 3) -> Journal:
    """Write a journal of so many edits, labelled by their number."""
    journal = Journal(path, BASE)
    for number in range(1, edits + 1):
        assert journal.edit(note(str(number), "x"), note(str(number), None)) == number
    return journal


def reopened(path: Path) -> Journal:
    return Journal.parse(path, path.read_bytes())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "map.journal"


def numbers(entries: list[Entry]) -> list[int]:
    return [entry.number for entry in entries]


def test_every_line_is_json_and_the_first_names_the_base(path: Path) -> None:
    fill(path, 2).undo()
    header, *lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert (header["format"], header["base"]) == (FORMAT, BASE)
    assert [sorted(line) for line in lines] == [
        ["edit", "inverse", "n", "sum"],
        ["edit", "inverse", "n", "sum"],
        ["sum", "undo"],
    ]


def test_nothing_is_written_before_the_first_edit(path: Path) -> None:
    Journal(path, BASE)
    assert not path.exists()


def test_what_was_written_is_read(path: Path) -> None:
    journal = fill(path)
    journal.undo()
    journal.undo()
    journal.redo()
    again = reopened(path)
    assert again.history == journal.history
    assert again.version == journal.version
    assert again.next_number == 4


def test_a_number_is_not_given_twice(path: Path) -> None:
    fill(path).undo()
    assert reopened(path).edit(note("new", "x"), note("new", None)) == 4


def test_torn_at_every_length_only_the_last_line_is_dropped(path: Path) -> None:
    fill(path)
    data = path.read_bytes()
    last = data.rindex(b"\n", 0, -1) + 1
    for length in range(last, len(data)):
        path.write_bytes(data[:length])
        torn = reopened(path)
        assert numbers(torn.history.done) == [1, 2]
        assert torn.edit(note("3", "again"), note("3", None)) == 3
        assert numbers(reopened(path).history.done) == [1, 2, 3], "the torn line is cut off"
        assert reopened(path).history.done[-1].edit == note("3", "again")


def test_a_hole_of_zeros_in_the_last_line_is_a_power_cut(path: Path) -> None:
    fill(path)
    data = bytearray(path.read_bytes())
    start = data.rindex(b"\n", 0, -1) + 1
    data[start : start + 10] = bytes(10)
    path.write_bytes(data)
    assert numbers(reopened(path).history.done) == [1, 2]


def test_a_damaged_byte_anywhere_before_the_last_line_is_noticed(path: Path) -> None:
    fill(path)
    data = path.read_bytes()
    last = data.rindex(b"\n", 0, -1) + 1
    for place in range(last):
        damaged = bytearray(data)
        damaged[place] ^= 1
        with pytest.raises(JournalError, match=r"line \d of the journal .* is damaged; .*kept"):
            Journal.parse(path, bytes(damaged))


def test_a_damaged_last_line_that_is_whole_is_not_taken_for_torn(path: Path) -> None:
    fill(path)
    data = bytearray(path.read_bytes())
    data[-5] ^= 1
    with pytest.raises(JournalError, match="line 4 of the journal"):
        Journal.parse(path, bytes(data))


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda lines: [*lines[:2], *lines[3:]], id="a line missing"),
        pytest.param(lambda lines: [*lines[:2], lines[3], lines[2]], id="two lines swapped"),
        pytest.param(lambda lines: [*lines, lines[-1]], id="a line twice"),
        pytest.param(lambda lines: lines[1:], id="no header"),
        pytest.param(lambda lines: [], id="empty"),
        pytest.param(lambda lines: [b"\xff\xfe not a journal\n"], id="something else"),
    ],
)
def test_lines_cannot_go_missing_or_move(
    path: Path, spoil: Callable[[list[bytes]], list[bytes]]
) -> None:
    fill(path)
    with pytest.raises(JournalError, match="damaged"):
        Journal.parse(path, b"".join(spoil(path.read_bytes().splitlines(keepends=True))))


def test_a_newer_journal_names_its_version(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as newer:
        newer.setattr("mapkit.store.journal.FORMAT", "mapkit-journal/2")
        fill(path)
    with pytest.raises(JournalError, match=r"'mapkit-journal/2', this Mapkit reads"):
        reopened(path)


@given(st.binary(max_size=200))
def test_no_bytes_crash_it(data: bytes) -> None:
    with pytest.raises(JournalError):
        Journal.parse(Path("map.journal"), data)


def test_standing(path: Path) -> None:
    fill(path)
    assert reopened(path).meet(BASE) is Standing.CURRENT
    assert reopened(path).meet(OTHER) is Standing.CONFLICT


def test_a_save_cut_short_before_the_file_was_replaced(path: Path) -> None:
    fill(path).announce(SAVED)
    again = reopened(path)
    assert again.meet(BASE) is Standing.CURRENT
    assert len(again.history.steps()) == 3


def test_a_save_cut_short_after_the_file_was_replaced(path: Path) -> None:
    fill(path).announce(SAVED)
    again = reopened(path)
    assert again.meet(SAVED) is Standing.CURRENT
    assert again.history.steps() == []
    assert numbers(again.history.done) == [1, 2, 3]
    again.undo()
    assert reopened(path).base == SAVED
    assert reopened(path).history.steps() == [note("3", None)]


def test_a_save_cut_short_and_then_an_edit_outside_is_a_conflict(path: Path) -> None:
    fill(path).announce(SAVED)
    assert reopened(path).meet(OTHER) is Standing.CONFLICT


def test_edits_after_a_save_that_only_seemed_to_fail(path: Path) -> None:
    journal = fill(path)
    journal.announce(SAVED)
    journal.edit(note("4", "x"), note("4", None))
    again = reopened(path)
    assert again.meet(SAVED) is Standing.CURRENT
    assert again.history.steps() == [note("4", "x")]


def test_another_document_in_place_ends_the_history(path: Path) -> None:
    fill(path).announce(SAVED, replacing=True)
    again = reopened(path)
    assert again.meet(SAVED) is Standing.CURRENT
    assert again.history == History()


def test_when_all_is_saved_a_changed_file_is_no_conflict(path: Path) -> None:
    journal = fill(path)
    journal.announce(SAVED)
    journal.saved(SAVED)
    again = reopened(path)
    assert again.meet(OTHER) is Standing.OUTDATED
    assert again.history == History()
    again.edit(note("4", "x"), note("4", None))
    assert reopened(path).base == OTHER


def test_the_history_goes_on_after_a_save_but_not_for_ever(path: Path) -> None:
    journal = fill(path, 5)
    journal.undo()
    journal.saved(SAVED)
    again = reopened(path)
    assert (numbers(again.history.done), numbers(again.history.undone)) == ([1, 2, 3, 4], [5])
    long = [Entry(number, note("x", "y"), note("x", None)) for number in range(HISTORY + 7)]
    again.history.done = long
    again.saved(SAVED)
    assert reopened(path).history.past == long[7:]


def test_a_journal_deleted_under_our_hands_is_written_again(path: Path) -> None:
    journal = fill(path)
    journal.saved(SAVED)
    journal.undo()
    path.unlink()
    journal.edit(note("4", "x"), note("4", None))
    assert reopened(path).history == journal.history


def test_a_journal_deleted_and_then_a_full_disk(path: Path) -> None:
    journal = fill(path)
    for fails_at in range(1, 6):
        path.unlink()
        journal.files = FullDisk(fails_at)
        with pytest.raises(StoreError, match="the disk is full"):
            journal.edit(note("long " * 20, "x"), note("long " * 20, None))
        journal.undo()
        journal.redo()
        assert reopened(path).history == journal.history


def test_a_journal_cut_short_under_our_hands_is_noticed(path: Path) -> None:
    journal = fill(path)
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(JournalError, match="cut short by another program"):
        journal.undo()


@pytest.mark.parametrize("for_good", [False, True])
def test_a_line_that_could_not_be_written_is_not_there(path: Path, for_good: bool) -> None:
    for fails_at in (1, 2):
        journal = fill(path)
        journal.files = FullDisk(fails_at, for_good=for_good)
        with pytest.raises(StoreError, match=r"cannot write the journal .*: the disk is full"):
            journal.undo()
        assert numbers(journal.history.done) == [1, 2, 3]
        journal.files = FullDisk(0)
        journal.edit(note("4", "x"), note("4", None))
        assert numbers(reopened(path).history.done) == [1, 2, 3, 4]


moves = st.lists(st.sampled_from(["edit", "edit", "undo", "redo", "saved"]), max_size=30)


@given(moves)
def test_the_shortest_telling_is_read_back(moves: list[str]) -> None:
    history, number = History(), 0
    for move in moves:
        if move == "edit":
            number += 1
            edit = {"edit": note("x", str(number)), "inverse": note("x", None), "n": number}
            history.take(edit)
        elif move == "undo" and history.done:
            history.take({"undo": history.done[-1].number})
        elif move == "redo" and history.undone:
            history.take({"redo": history.undone[-1].number})
        elif move == "saved":
            history.past = list(history.done)
    again = History()
    for record in history.records():
        again.take(record)
    assert again == history


def test_an_edit_is_applied_as_it_will_be_replayed() -> None:
    assert plain({"set": ("a", "b"), "to": {1: 2}}) == {"set": ["a", "b"], "to": {"1": 2}}


@pytest.mark.parametrize("value", [{1, 2}, float("nan"), b"bytes"])
def test_an_edit_that_json_cannot_say(value: object) -> None:
    with pytest.raises(DocumentError, match="cannot be written down as JSON"):
        plain({"set": value})
