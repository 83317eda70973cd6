"""The store: reading, saving, editing, undo; and files that were edited outside."""

import itertools
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mapkit.errors import DocumentError, FileChangedError, JournalError, LockedError, StoreError
from mapkit.store import Edit, EditSession, OnConflict, open_session, read, save
from mapkit.store.files import DISK, Files, sha256
from tests.mapkit.store.disks import NOTES, FullDisk, Notes, NotesCodec, note

START = {"0101": "clear"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return new_notebook(tmp_path)


def new_notebook(folder: Path) -> Path:
    path = folder.resolve() / "notes.json"
    path.write_bytes(NOTES.encode(START))
    return path


def open_notes(
    path: Path, *, on_conflict: OnConflict = "refuse", files: Files = DISK
) -> EditSession[Notes]:
    return open_session(path, NOTES, on_conflict=on_conflict, files=files)


def edit_and_leave(path: Path, **notes: str) -> None:
    """Edit without saving, as a kill would leave it."""
    with open_notes(path) as session:
        for label, text in notes.items():
            session.edit(note(label, text))


def edit_outside(path: Path, **notes: str) -> None:
    path.write_bytes(NOTES.encode({**json.loads(path.read_bytes()), **notes}))


def journal_of(path: Path) -> Path:
    return path.with_name("notes.json.journal")


def names(path: Path) -> list[str]:
    return sorted(entry.name for entry in path.parent.iterdir())


# Reading and saving whole documents


def test_a_new_document_is_saved_and_read(tmp_path: Path) -> None:
    path = tmp_path.resolve() / "new.json"
    version = save(path, {"a": "1"}, NOTES, replacing=None)
    loaded = read(path, NOTES)
    assert (loaded.value, loaded.version, loaded.path) == ({"a": "1"}, version, path)
    assert version == sha256(path.read_bytes())


def test_a_new_document_does_not_replace_one(path: Path) -> None:
    with pytest.raises(FileChangedError, match=r"the notebook .* is there already; choose"):
        save(path, {}, NOTES, replacing=None)
    assert read(path, NOTES).value == START


def test_of_two_savers_one_wins_and_the_other_is_told(path: Path) -> None:
    first, second = read(path, NOTES), read(path, NOTES)
    save(path, {"a": "first"}, NOTES, replacing=first.version)
    with pytest.raises(FileChangedError, match="changed since it was loaded; load it again"):
        save(path, {"a": "second"}, NOTES, replacing=second.version)
    assert read(path, NOTES).value == {"a": "first"}


def test_a_deleted_file_is_not_brought_back_unasked(path: Path) -> None:
    loaded = read(path, NOTES)
    path.unlink()
    with pytest.raises(FileChangedError, match="was deleted since it was loaded"):
        save(path, loaded.value, NOTES, replacing=loaded.version)
    save(path, loaded.value, NOTES, replacing=None)
    assert read(path, NOTES) == loaded


def test_force_saves_over_anything_and_sets_unsaved_edits_aside(path: Path) -> None:
    edit_and_leave(path, a="1")
    save(path, {"b": "2"}, NOTES, replacing=None, force=True)
    assert read(path, NOTES).value == {"b": "2"}
    assert "notes.json.journal.kept-1" in names(path)
    assert not journal_of(path).exists()


def test_read_shows_the_unsaved_edits_and_writes_nothing(path: Path) -> None:
    edit_and_leave(path, a="1", b="2")
    before = {entry: entry.read_bytes() for entry in path.parent.iterdir()}
    loaded = read(path, NOTES)
    assert (loaded.value, loaded.unsaved) == ({**START, "a": "1", "b": "2"}, 2)
    assert read(path, NOTES, with_journal=False).value == START
    assert before == {entry: entry.read_bytes() for entry in path.parent.iterdir()}


def test_read_needs_no_lock_while_another_edits(path: Path) -> None:
    with open_notes(path) as session:
        session.edit(note("a", "1"))
        assert read(path, NOTES).value == session.value
        session.save()
        assert read(path, NOTES).value == session.value
        session.undo()
        assert read(path, NOTES).value == session.value == START


def test_saving_what_was_read_with_its_journal_takes_the_edits_in(path: Path) -> None:
    edit_and_leave(path, a="1")
    loaded = read(path, NOTES)
    save(path, {**loaded.value, "b": "2"}, NOTES, replacing=loaded.version)
    assert read(path, NOTES).value == {**START, "a": "1", "b": "2"}
    assert names(path) == ["notes.json", "notes.json.lock"]


def test_saving_refuses_when_the_journal_grew_since(path: Path) -> None:
    edit_and_leave(path, a="1")
    without, loaded = read(path, NOTES, with_journal=False), read(path, NOTES)
    edit_and_leave(path, b="2")
    for version in (without.version, loaded.version):
        with pytest.raises(FileChangedError):
            save(path, {}, NOTES, replacing=version)
    assert read(path, NOTES).value == {**START, "a": "1", "b": "2"}


def test_saving_refuses_in_a_conflict(path: Path) -> None:
    edit_and_leave(path, a="1")
    edit_outside(path, b="2")
    version = read(path, NOTES, with_journal=False).version
    with pytest.raises(JournalError, match="both are kept"):
        save(path, {}, NOTES, replacing=version)


def test_a_new_document_in_the_place_of_a_deleted_one_keeps_the_old_edits(path: Path) -> None:
    edit_and_leave(path, a="1")
    path.unlink()
    save(path, {"new": "x"}, NOTES, replacing=None)
    assert read(path, NOTES).value == {"new": "x"}
    assert "notes.json.journal.kept-1" in names(path)


def test_not_a_document(path: Path) -> None:
    path.write_bytes(b"{")
    with pytest.raises(DocumentError, match="is no notebook"):
        read(path, NOTES)
    with pytest.raises(DocumentError, match="is no notebook"):
        open_notes(path)
    path.write_bytes(NOTES.encode(START))
    open_notes(path).close()


def test_the_limit(path: Path) -> None:
    with pytest.raises(StoreError, match="too big for a notebook"):
        read(path, NOTES, limit_bytes=5)
    with pytest.raises(StoreError, match="too big for a notebook"):
        open_session(path, NOTES, limit_bytes=5)


def test_a_wrong_name_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot read the notebook .*: no such file"):
        open_notes(tmp_path / "nowhere.json")
    with pytest.raises(StoreError, match="there is no folder .*; make it first"):
        save(tmp_path / "no" / "where.json", {}, NOTES, replacing=None)
    assert not list(tmp_path.iterdir())


def test_a_link_is_followed_not_replaced(path: Path) -> None:
    link = path.with_name("link.json")
    try:
        link.symlink_to(path)
    except OSError:
        pytest.skip("this system makes no links")
    with open_notes(link) as session:
        session.edit(note("a", "1"))
        session.save()
    assert link.is_symlink()
    assert read(path, NOTES).value == {**START, "a": "1"}


def test_reading_loads_nothing_heavy() -> None:
    heavy = "{'numpy', 'shapely', 'pydantic', 'typer', 'filelock'}"
    check = f"import sys, mapkit.store; sys.exit(len({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


# Editing


def test_edits_are_numbered_and_survive_without_a_save(path: Path) -> None:
    with open_notes(path) as session:
        assert [session.edit(note("a", text)) for text in "xyz"] == [1, 2, 3]
        assert session.unsaved == 3
    assert path.read_bytes() == NOTES.encode(START)
    with open_notes(path) as session:
        assert session.value == {**START, "a": "z"}
        assert session.edit(note("b", "1")) == 4


def test_undo_and_redo_survive_save_and_reopening(path: Path) -> None:
    edit_and_leave(path, a="1", b="2")
    with open_notes(path) as session:
        session.save()
        assert (session.unsaved, session.can_undo, session.can_redo) == (0, True, False)
    with open_notes(path) as session:
        assert session.undo() == 2
        assert session.value == {**START, "a": "1"}
    with open_notes(path) as session:
        assert session.undo() == 1
        session.save()
    assert json.loads(path.read_bytes()) == START
    with open_notes(path) as session:
        assert [session.redo(), session.redo()] == [1, 2]
        assert session.value == {**START, "a": "1", "b": "2"}


def test_a_new_edit_ends_what_could_be_redone(path: Path) -> None:
    edit_and_leave(path, a="1")
    with open_notes(path) as session:
        session.undo()
        session.edit(note("b", "2"))
        assert not session.can_redo
        with pytest.raises(StoreError, match="there is nothing to redo in the notebook"):
            session.redo()


def test_nothing_to_undo(path: Path) -> None:
    with open_notes(path) as session, pytest.raises(StoreError, match="nothing to undo"):
        session.undo()


def test_an_edit_that_does_not_fit_changes_nothing(path: Path) -> None:
    with open_notes(path) as session:
        session.edit(note("a", "1"))
        before = journal_of(path).read_bytes()
        with pytest.raises(DocumentError):
            session.edit(note("not there", None))
        assert session.value == {**START, "a": "1"}
    assert journal_of(path).read_bytes() == before


def test_saving_without_edits_touches_nothing(path: Path) -> None:
    path.write_bytes(b' {"0101":    "clear"}')
    with open_notes(path, files=FullDisk(1)) as session:
        assert session.save() == sha256(path.read_bytes())
    assert path.read_bytes() == b' {"0101":    "clear"}'


def test_edits_that_cancel_out_leave_the_file(path: Path) -> None:
    before = path.read_bytes()
    with open_notes(path) as session:
        session.edit(note("a", "1"))
        session.edit(note("a", None))
        session.save()
        assert (session.unsaved, session.can_undo) == (0, True)
    assert path.read_bytes() == before


def test_a_closed_session_takes_no_edit(path: Path) -> None:
    session = open_notes(path)
    session.close()
    session.close()
    for act in (lambda: session.edit(note("a", "1")), session.undo, session.redo, session.save):
        with pytest.raises(StoreError, match="is closed; open it again"):
            act()


def test_closing_lets_go_even_when_the_body_raised(path: Path) -> None:
    def fails_in_the_body() -> None:
        with open_notes(path):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails_in_the_body()
    with closing(open_notes(path)) as session:
        assert session.value == START


def test_one_editor_at_a_time(path: Path) -> None:
    with open_notes(path):
        with pytest.raises(LockedError, match="is being edited elsewhere"):
            open_notes(path)
        with pytest.raises(LockedError):
            save(path, {}, NOTES, replacing=None, force=True, wait_s=0.02)
    open_notes(path).close()


def test_stale_temporary_files_are_cleaned_up(path: Path) -> None:
    stale = [".notes.json.part-00000000", ".notes.json.journal.part-00000000"]
    cleaners: list[Callable[[], None]] = [lambda: open_notes(path).close(), lambda: force(path)]
    for clean in cleaners:
        for name in stale:
            path.with_name(name).write_bytes(b"half")
        clean()
        assert not set(stale) & set(names(path))


def force(path: Path) -> None:
    save(path, START, NOTES, replacing=None, force=True)


moves = st.lists(st.sampled_from(["edit", "edit", "edit", "undo", "redo", "save", "reopen"]))


@settings(max_examples=60, deadline=None)
@given(moves, st.randoms(use_true_random=False))
def test_undo_and_redo_agree_with_a_list_of_states(moves: list[str], random: Random) -> None:
    with TemporaryDirectory() as folder:
        path = new_notebook(Path(folder))
        session = open_notes(path)
        states, at = [dict(START)], 0
        for move in moves:
            if move == "edit":
                label = random.choice("abc")
                erase = label in states[at] and random.random() < 0.3
                session.edit(note(label, None if erase else str(len(states))))
                states = [*states[: at + 1], dict(session.value)]
                at += 1
            elif move == "undo" and at > 0:
                session.undo()
                at -= 1
            elif move == "redo" and at < len(states) - 1:
                session.redo()
                at += 1
            elif move == "save":
                session.save()
                assert json.loads(path.read_bytes()) == states[at]
            elif move == "reopen":
                session.close()
                session = open_notes(path)
            assert session.value == states[at]
            assert session.value == read(path, NOTES).value
            assert (session.can_undo, session.can_redo) == (at > 0, at < len(states) - 1)
        session.close()


def test_an_edit_in_the_journal_that_the_codec_no_longer_knows(path: Path) -> None:
    class Forgetful(NotesCodec):
        def apply(self, value: Notes, edit: Edit) -> Notes:
            raise DocumentError("unknown edit")

    edit_and_leave(path, a="1")
    with pytest.raises(JournalError, match="does not fit the file: unknown edit; both are kept"):
        read(path, Forgetful())
    assert read(path, NOTES).value == {**START, "a": "1"}


# Edited outside


def test_an_outside_edit_is_refused_and_both_are_kept(path: Path) -> None:
    edit_and_leave(path, a="1", b="2")
    edit_outside(path, c="3")
    before = {entry: entry.read_bytes() for entry in path.parent.iterdir()}
    for attempt in (lambda: open_notes(path), lambda: read(path, NOTES)):
        with pytest.raises(JournalError, match=r"not saved \(2\); both are kept: `mapkit "):
            attempt()
    assert before == {entry: entry.read_bytes() for entry in path.parent.iterdir()}


def test_keep_file_sets_the_journal_aside(path: Path) -> None:
    for turn in ("1", "2"):
        edit_and_leave(path, a=turn)
        edit_outside(path, c=turn)
        journal = journal_of(path).read_bytes()
        with open_notes(path, on_conflict="keep_file") as session:
            assert session.value == {**START, "c": turn}
            assert not session.can_undo
        kept = path.with_name(f"notes.json.journal.kept-{turn}")
        assert kept.read_bytes() == journal
    assert read(path, NOTES).value == {**START, "c": "2"}


def test_replay_does_the_edits_again_on_the_changed_file(path: Path) -> None:
    edit_and_leave(path, a="1", b="2")
    edit_outside(path, a="outside", c="3")
    outside, journal = path.read_bytes(), journal_of(path).read_bytes()
    with open_notes(path, on_conflict="replay") as session:
        assert session.value == {**START, "a": "1", "b": "2", "c": "3"}
        assert path.read_bytes() == outside, "the file is not touched before a save"
    with open_notes(path) as session:
        assert [session.undo(), session.undo()] == [4, 3]
        assert session.value == json.loads(outside), "undo leads back to the changed file"
    assert path.with_name("notes.json.journal.kept-1").read_bytes() == journal


def test_replay_takes_back_what_was_undone_since_the_save(path: Path) -> None:
    with open_notes(path) as session:
        session.edit(note("a", "1"))
        session.save()
        session.undo()
    edit_outside(path, c="3")
    with open_notes(path, on_conflict="replay") as session:
        assert session.value == {**START, "c": "3"}


def test_a_replay_that_does_not_fit_changes_nothing(path: Path) -> None:
    with open_notes(path) as session:
        session.edit(note("0101", None))
    path.write_bytes(NOTES.encode({"other": "x"}))
    before = {entry: entry.read_bytes() for entry in path.parent.iterdir()}
    with pytest.raises(JournalError, match=r"does not fit the file: .*; both are kept"):
        open_notes(path, on_conflict="replay")
    assert before == {entry: entry.read_bytes() for entry in path.parent.iterdir()}
    open_notes(path, on_conflict="keep_file").close()


def test_a_damaged_journal_is_refused_and_can_be_set_aside(path: Path) -> None:
    edit_and_leave(path, a="1", b="2")
    data = bytearray(journal_of(path).read_bytes())
    data[data.index(b"edit")] ^= 1
    journal_of(path).write_bytes(data)
    attempts: list[Callable[[], object]] = [
        lambda: read(path, NOTES),
        lambda: open_notes(path),
        lambda: open_notes(path, on_conflict="replay"),
    ]
    for attempt in attempts:
        with pytest.raises(JournalError, match=r"line 2 of the journal .* is damaged"):
            attempt()
    assert journal_of(path).read_bytes() == data
    assert path.read_bytes() == NOTES.encode(START)
    with open_notes(path, on_conflict="keep_file") as session:
        assert session.value == START
    assert path.with_name("notes.json.journal.kept-1").read_bytes() == data


def test_when_all_was_saved_an_outside_edit_is_simply_read(path: Path) -> None:
    with open_notes(path) as session:
        session.edit(note("a", "1"))
        session.save()
    edit_outside(path, c="3")
    assert read(path, NOTES).value == {**START, "a": "1", "c": "3"}
    with open_notes(path) as session:
        assert (session.value, session.can_undo) == ({**START, "a": "1", "c": "3"}, False)
        session.edit(note("d", "4"))
    assert read(path, NOTES).value == {**START, "a": "1", "c": "3", "d": "4"}


@pytest.mark.parametrize("happening", ["changed", "deleted"])
def test_a_session_does_not_save_over_an_outside_edit(path: Path, happening: str) -> None:
    with open_notes(path) as session:
        session.edit(note("a", "1"))
        if happening == "changed":
            edit_outside(path, c="3")
        else:
            path.unlink()
        with pytest.raises(FileChangedError, match=f"was {happening} by another program"):
            session.save()
        assert session.edit(note("b", "2")) == 2, "the edits go on, safe in the journal"
    if happening == "changed":
        with open_notes(path, on_conflict="replay") as session:
            assert session.value == {**START, "a": "1", "b": "2", "c": "3"}


def test_a_file_put_back_to_an_older_save_is_an_outside_edit(path: Path) -> None:
    with open_notes(path) as session:
        session.edit(note("a", "1"))
        session.save()
        older = path.read_bytes()
        session.edit(note("a", "2"))
        session.save()
        session.edit(note("a", "3"))
        path.write_bytes(older)
        with pytest.raises(FileChangedError):
            session.save()


def test_a_save_between_two_looks_is_no_conflict(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process saves between the reader's look at the file and at the journal."""
    edit_and_leave(path, a="1")
    looks: Iterator[int] = itertools.count()
    original = Path.open

    def saves_meanwhile(self: Path, *args: object, **options: object) -> object:
        if self == path and args == ("rb",) and next(looks) == 0:
            file = original(self, "rb")
            with open_notes(path) as session:
                session.edit(note("b", "2"))
                session.save()
                session.edit(note("c", "3"))
            return file
        return original(self, *args, **options)  # type: ignore[call-overload]  # passed on

    monkeypatch.setattr(Path, "open", saves_meanwhile)
    assert read(path, NOTES).value == {**START, "a": "1", "b": "2", "c": "3"}
