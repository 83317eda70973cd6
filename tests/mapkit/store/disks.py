"""Disks for tests: one writes down what is done to it, one fills up, one loses power.

And a toy document, notes by label, so that the store is tested without the map.
"""

import errno
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path

from mapkit.errors import DocumentError
from mapkit.store import Edit
from mapkit.store.files import Disk

Notes = Mapping[str, str]


class NotesCodec:
    """Notes by label: `{"set": label, "to": text}`, or None to erase one that is there."""

    what = "notebook"

    def decode(self, data: bytes, path: Path) -> Notes:
        try:
            notes = json.loads(data)
        except ValueError as error:
            raise DocumentError(f"{path} is no notebook: {error}") from error
        if not isinstance(notes, dict):
            raise DocumentError(f"{path} is no notebook")
        return notes

    def encode(self, value: Notes) -> bytes:
        return json.dumps(value, sort_keys=True, indent=0).encode() + b"\n"

    def apply(self, value: Notes, edit: Edit) -> Notes:
        match edit:
            case {"set": str(label), "to": str(text)}:
                return {**value, label: text}
            case {"set": str(label), "to": None} if label in value:
                return {other: text for other, text in value.items() if other != label}
        raise DocumentError(f"no such edit can be done: {edit}")

    def invert(self, value: Notes, edit: Edit) -> Edit:
        return note(str(edit["set"]), value.get(str(edit["set"])))


NOTES = NotesCodec()


def note(label: str, text: str | None) -> Edit:
    return {"set": label, "to": text}


class NotesSubject:
    """What `kill_child` edits: any document that can hold texts by label."""

    codec = NOTES

    def blank(self) -> Notes:
        return {}

    def change(self, label: str, text: str) -> Edit:
        return note(label, text)

    def texts(self, value: Notes) -> dict[str, str]:
        return dict(value)


SUBJECT = NotesSubject()


class StepDisk(Disk):
    """A disk that calls `step` before each thing done to it; subclasses see and may refuse it."""

    def step(self, act: str, name: str, data: bytes = b"", file: FileIO | None = None) -> None:
        """Called before the thing is done."""

    def create(self, path: Path, mode: int | None) -> FileIO:
        self.step("create", path.name)
        return super().create(path, mode)

    def write(self, file: FileIO, data: bytes) -> None:
        self.step("write", Path(str(file.name)).name, data, file)
        super().write(file, data)

    def truncate(self, file: FileIO, size: int) -> None:
        self.step("truncate", Path(str(file.name)).name)
        super().truncate(file, size)

    def sync(self, file: FileIO) -> None:
        self.step("sync", Path(str(file.name)).name)
        super().sync(file)

    def replace(self, source: Path, target: Path) -> None:
        self.step("replace", f"{source.name}\n{target.name}")
        super().replace(source, target)

    def remove(self, path: Path) -> None:
        self.step("remove", path.name)
        super().remove(path)

    def sync_folder(self, folder: Path) -> None:
        self.step("sync_folder", "")
        super().sync_folder(folder)


class RecordingDisk(StepDisk):
    """Writes down what is done to it; the test adds what was acknowledged."""

    def __init__(self) -> None:
        self.events: list[tuple[str, str]] = []

    def step(self, act: str, name: str, data: bytes = b"", file: FileIO | None = None) -> None:
        self.events.append((act, name))

    def acknowledged(self) -> None:
        self.events.append(("acknowledged", ""))


def faults_of_order(events: list[tuple[str, str]]) -> list[str]:
    """Return where something was acknowledged, or took its name, before it was on the disk."""
    faults: list[str] = []
    unsynced: set[str] = set()
    written = 0
    for place, (act, name) in enumerate(events):
        match act:
            case "create" | "write" | "truncate":
                unsynced.add(name)
                written += 1
            case "sync":
                unsynced.discard(name)
            case "replace":
                source, _ = name.split("\n")
                if source in unsynced:
                    faults.append(f"{place}: {source} took its name before it was synced")
                unsynced.discard(source)
                unsynced.add("the folder")
            case "sync_folder":
                unsynced.discard("the folder")
            case "acknowledged":
                if unsynced or not written:
                    faults.append(f"{place}: acknowledged without {sorted(unsynced) or 'a write'}")
                written = 0
    return faults


class FullDisk(StepDisk):
    """Fails at step *fails_at*, half of a write done; once, or from then on."""

    def __init__(
        self, fails_at: int, *, for_good: bool = False, number: int = errno.ENOSPC
    ) -> None:
        self.steps = 0
        self.number = number
        self.fails_at = fails_at
        self.for_good = for_good

    def step(self, act: str, name: str, data: bytes = b"", file: FileIO | None = None) -> None:
        self.steps += 1
        if self.steps == self.fails_at or (self.for_good and self.steps > self.fails_at):
            if file is not None:
                file.write(data[: len(data) // 2])
            raise OSError(self.number, os.strerror(self.number))


@dataclass
class Inode:
    now: bytes = b""
    synced: bytes = b""

    def torn(self) -> bytes:
        """Half of what was not synced arrived, a hole of zeros before it."""
        if not self.now.startswith(self.synced):
            return self.synced
        fresh = self.now[len(self.synced) :]
        return self.synced + bytes(len(fresh) // 2) + fresh[len(fresh) // 2 :]


@dataclass
class PowerCutDisk(Disk):
    """Knows, after each step, what a power cut could leave: see `survivors`."""

    folder: Path
    names: dict[str, Inode] = field(default_factory=dict)
    synced_names: dict[str, Inode] = field(default_factory=dict)
    cuts: list[list[dict[str, bytes]]] = field(default_factory=list)
    open_files: dict[FileIO, Inode] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for path in self.folder.iterdir():
            self.names[path.name] = Inode(path.read_bytes(), path.read_bytes())
        self.synced_names = dict(self.names)

    def survivors(self) -> Iterator[dict[str, bytes]]:
        """Yield folders that may be found: names and contents may each be old or new."""
        for names in (self.synced_names, self.names):
            yield {name: inode.synced for name, inode in names.items()}
            yield {name: inode.now for name, inode in names.items()}
            yield {name: inode.torn() for name, inode in names.items()}

    def take_cuts(self) -> list[list[dict[str, bytes]]]:
        """Return, and forget, what was left after each step so far."""
        cuts, self.cuts = self.cuts, []
        return cuts

    def create(self, path: Path, mode: int | None) -> FileIO:
        file = super().create(path, mode)
        self.open_files[file] = self.names[path.name] = Inode()
        return self._cut(file)

    def open(self, path: Path) -> FileIO:
        file = super().open(path)
        self.open_files[file] = self.names[path.name]
        return file

    def write(self, file: FileIO, data: bytes) -> None:
        super().write(file, data)
        self.open_files[file].now += data
        self._cut(file)

    def truncate(self, file: FileIO, size: int) -> None:
        super().truncate(file, size)
        self.open_files[file].now = self.open_files[file].now[:size]
        self._cut(file)

    def sync(self, file: FileIO) -> None:
        super().sync(file)
        self.open_files[file].synced = self.open_files[file].now
        self._cut(file)

    def replace(self, source: Path, target: Path) -> None:
        super().replace(source, target)
        self.names[target.name] = self.names.pop(source.name)
        self.cuts.append(list(self.survivors()))

    def remove(self, path: Path) -> None:
        super().remove(path)
        del self.names[path.name]
        self.cuts.append(list(self.survivors()))

    def sync_folder(self, folder: Path) -> None:
        super().sync_folder(folder)
        self.synced_names = dict(self.names)
        self.cuts.append(list(self.survivors()))

    def _cut(self, file: FileIO) -> FileIO:
        self.cuts.append(list(self.survivors()))
        return file
