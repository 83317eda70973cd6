"""The store on a disk that fills up, forgets to sync, or loses its power at every step."""

import itertools
from collections.abc import Callable, Iterator
from io import FileIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from mapkit.errors import DocumentError, StoreError
from mapkit.store import EditSession, open_session, read, save
from mapkit.store.files import DISK, Disk, Files
from tests.mapkit.store.disks import (
    NOTES,
    FullDisk,
    Notes,
    PowerCutDisk,
    RecordingDisk,
    faults_of_order,
    note,
)

START = {"0101": "clear"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return new_notebook(tmp_path)


def new_notebook(folder: Path) -> Path:
    path = folder / "notes.json"
    path.write_bytes(NOTES.encode(START))
    return path


def open_notes(path: Path, *, files: Files = DISK) -> EditSession[Notes]:
    return open_session(path, NOTES, files=files)


def names(path: Path) -> list[str]:
    return sorted(entry.name for entry in path.parent.iterdir())


Scene = Iterator[tuple[Callable[[EditSession[Notes]], object], Notes]]


def scene() -> Scene:
    """Yield what is done in a session and what the notes are then."""
    yield lambda session: session.edit(note("a", "1")), {**START, "a": "1"}
    yield lambda session: session.edit(note("b", "2")), {**START, "a": "1", "b": "2"}
    yield lambda session: session.undo(), {**START, "a": "1"}
    yield lambda session: session.save(), {**START, "a": "1"}
    yield lambda session: session.redo(), {**START, "a": "1", "b": "2"}
    yield lambda session: session.edit(note("0101", "woods")), {"0101": "woods", "a": "1", "b": "2"}
    yield lambda session: session.save(), {"0101": "woods", "a": "1", "b": "2"}
    yield lambda session: session.undo(), {**START, "a": "1", "b": "2"}


def play_until_it_fails(path: Path, disk: Disk) -> tuple[Notes, Notes] | None:
    """Return the notes last acknowledged and those being made when the disk refused."""
    acknowledged: Notes = START
    with open_notes(path, files=disk) as session:
        for act, notes in scene():
            try:
                act(session)
            except StoreError:
                assert session.value == acknowledged
                return acknowledged, notes
            acknowledged = notes
            assert session.value == notes
    return None


@pytest.mark.parametrize("for_good", [False, True])
def test_a_disk_full_at_every_step_loses_nothing(tmp_path: Path, for_good: bool) -> None:
    refused = 0
    for fails_at in itertools.count(1):
        folder = tmp_path / str(fails_at)
        folder.mkdir()
        path = new_notebook(folder)
        disk = FullDisk(fails_at, for_good=for_good)
        outcome = play_until_it_fails(path, disk)
        if disk.steps < fails_at:
            break
        NOTES.decode(path.read_bytes(), path)
        after = read(path, NOTES).value
        if outcome is None:  # only the journal's new beginning after a save may wait
            assert after == [notes for _, notes in scene()][-1]
            continue
        refused += 1
        assert after in outcome
        with open_notes(path) as session:
            assert session.value == after
        assert not [name for name in names(path) if ".part-" in name]
    assert refused > 20


def test_after_a_full_disk_the_same_session_goes_on(tmp_path: Path) -> None:
    for fails_at in itertools.count(1):
        folder = tmp_path / str(fails_at)
        folder.mkdir()
        path = new_notebook(folder)
        disk = FullDisk(fails_at)
        with open_notes(path, files=disk) as session:
            for act, notes in scene():
                try:
                    act(session)
                except StoreError:
                    act(session)
                assert session.value == read(path, NOTES).value == notes
        with open_notes(path) as session:
            assert session.value == notes
            while session.can_undo:
                session.undo()
            assert session.value == START
        if disk.steps < fails_at:
            break
    assert fails_at > 20


@pytest.mark.parametrize("for_good", [False, True])
def test_a_disk_full_while_saving_a_whole_document(tmp_path: Path, for_good: bool) -> None:
    for fails_at in itertools.count(1):
        folder = tmp_path / str(fails_at)
        folder.mkdir()
        path = new_notebook(folder)
        with open_notes(path) as session:
            session.edit(note("a", "1"))
        loaded = read(path, NOTES)
        disk = FullDisk(fails_at, for_good=for_good)
        try:
            save(path, {"new": "x"}, NOTES, replacing=loaded.version, files=disk)
        except StoreError:
            assert read(path, NOTES).value in (loaded.value, {"new": "x"})
        else:
            assert read(path, NOTES).value == {"new": "x"}
        open_notes(path).close()
        assert not [name for name in names(path) if ".part-" in name]
        if disk.steps < fails_at:
            break
    assert fails_at > 5


def test_every_edit_is_synced_before_it_is_acknowledged(path: Path) -> None:
    disk = RecordingDisk()
    play_recorded(path, disk)
    assert faults_of_order(disk.events) == []
    assert [act for act, _ in disk.events].count("acknowledged") == len(list(scene()))


def play_recorded(path: Path, disk: RecordingDisk) -> None:
    with open_notes(path, files=disk) as session:
        for act, _ in scene():
            act(session)
            disk.acknowledged()


@pytest.mark.parametrize("forgotten", ["sync", "sync_folder"])
def test_the_check_of_the_order_notices_a_forgotten_sync(path: Path, forgotten: str) -> None:
    class Forgetful(RecordingDisk):
        def sync(self, file: FileIO) -> None:
            if forgotten != "sync":
                super().sync(file)

        def sync_folder(self, folder: Path) -> None:
            if forgotten != "sync_folder":
                super().sync_folder(folder)

    disk = Forgetful()
    play_recorded(path, disk)
    assert faults_of_order(disk.events)


def test_the_check_of_the_order_notices_an_early_acknowledgement(path: Path) -> None:
    disk = RecordingDisk()
    with open_notes(path, files=disk) as session:
        for act, _ in scene():
            disk.acknowledged()
            act(session)
    assert faults_of_order(disk.events)


def play_with_power_cuts(folder: Path, disk: PowerCutDisk) -> tuple[int, list[str]]:
    """Return how many power cuts were tried and what was lost in them."""
    path = folder / "notes.json"
    before: Notes = START
    cuts = 0
    lost: list[str] = []
    with open_notes(path, files=disk) as session:
        for step, (act, after) in enumerate(scene()):
            act(session)
            during = [(found, (before, after)) for cut in disk.take_cuts() for found in cut]
            for found, allowed in [*during, *((cut, (after,)) for cut in disk.survivors())]:
                cuts += 1
                if (notes := notes_found_in(found)) not in allowed:
                    lost.append(f"step {step}: {notes} found, {allowed} allowed")
            before = after
    return cuts, lost


def notes_found_in(found: dict[str, bytes]) -> Notes | str:
    with TemporaryDirectory() as name:
        for file, data in found.items():
            (Path(name) / file).write_bytes(data)
        try:
            with open_notes(Path(name) / "notes.json") as session:
                return session.value
        except (StoreError, DocumentError) as error:
            return str(error)


def test_a_power_cut_at_every_step_loses_nothing_acknowledged(path: Path) -> None:
    cuts, lost = play_with_power_cuts(path.parent, PowerCutDisk(path.parent))
    assert lost == []
    assert cuts > 200


@pytest.mark.parametrize("forgotten", ["sync", "sync_folder"])
def test_the_power_cuts_notice_a_forgotten_sync(path: Path, forgotten: str) -> None:
    class Forgetful(PowerCutDisk):
        def sync(self, file: FileIO) -> None:
            if forgotten != "sync":
                super().sync(file)

        def sync_folder(self, folder: Path) -> None:
            if forgotten != "sync_folder":
                super().sync_folder(folder)

    _, lost = play_with_power_cuts(path.parent, Forgetful(path.parent))
    assert lost
