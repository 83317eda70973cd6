"""The process that `test_kills` kills: edits one document for ever, saying what it does.

    kill_child.py DOCUMENT BOARD NAME SUBJECT FAULT

It begins when it is told its slot, a line on stdin. On stdout, line by line: `open`;
`? edit LABEL TEXT`, `? undo`, `? redo`, `? save` before a thing is begun; `= NUMBER` when it was
acknowledged. The slot's byte of BOARD says where it is: see `Place`.
"""

import contextlib
import importlib
import mmap
import random
import sys
import time
from collections.abc import Iterator
from enum import IntEnum
from io import FileIO
from pathlib import Path
from typing import Any, Protocol

from mapkit.errors import LockedError
from mapkit.store import Codec, Edit, EditSession, open_session
from mapkit.store.files import Disk

LABELS = 4
"""So many labels has each child, its own; so some edits are new texts and some are changes."""


class Place(IntEnum):
    """Where a child is, for the board."""

    WAITING = 0  # for the lock, or starting up
    HOLDING = 1  # the lock
    WRITING = 2  # inside a write, sync, rename or removal


class Subject(Protocol):
    """The kind of document to edit, given as `module:name`."""

    codec: Codec[Any]

    def blank(self) -> Any: ...
    def change(self, label: str, text: str) -> Edit: ...
    def texts(self, value: Any) -> dict[str, str]: ...


def find_subject(name: str) -> Subject:
    module, _, attribute = name.partition(":")
    subject: Subject = getattr(importlib.import_module(module), attribute)
    return subject


class SlowDisk(Disk):
    """The real disk, a little slower, with a light that is on while it works."""

    def __init__(self, board: mmap.mmap, slot: int) -> None:
        self.board = board
        self.slot = slot

    @contextlib.contextmanager
    def _working(self) -> Iterator[None]:
        before = self.board[self.slot]
        self.board[self.slot] = Place.WRITING
        time.sleep(0.0005)
        yield
        time.sleep(0.0005)
        self.board[self.slot] = before

    def write(self, file: FileIO, data: bytes) -> None:
        with self._working():
            middle = len(data) // 2
            super().write(file, data[:middle])
            time.sleep(0.001)
            super().write(file, data[middle:])

    def truncate(self, file: FileIO, size: int) -> None:
        with self._working():
            super().truncate(file, size)

    def sync(self, file: FileIO) -> None:
        with self._working():
            super().sync(file)

    def replace(self, source: Path, target: Path) -> None:
        with self._working():
            super().replace(source, target)

    def remove(self, path: Path) -> None:
        with self._working():
            super().remove(path)

    def sync_folder(self, folder: Path) -> None:
        with self._working():
            super().sync_folder(folder)


class InPlaceDisk(SlowDisk):
    """A fault to be found: the new file is written over the old one instead of renamed."""

    def replace(self, source: Path, target: Path) -> None:
        with target.open("wb", buffering=0) as file:
            self.write(file, source.read_bytes())
        source.unlink()


class Editor:
    """One child: opens, edits, saves, closes, for ever."""

    def __init__(self, document: Path, subject: Subject, disk: SlowDisk, name: str) -> None:
        self.document = document
        self.subject = subject
        self.disk = disk
        self.name = name
        self.texts = 0
        self.done = 0  # by itself, in this session: it takes back nobody else's edits
        self.undone = 0

    def run(self, chance: random.Random) -> None:
        while True:
            with contextlib.suppress(LockedError), self.open() as session:
                self.disk.board[self.disk.slot] = Place.HOLDING
                say("open")
                self.done = self.undone = 0
                for _ in range(chance.randint(1, 6)):
                    self.step(session, chance)
                self.disk.board[self.disk.slot] = Place.WAITING
            time.sleep(chance.uniform(0.001, 0.03))  # the other one's turn

    def open(self) -> EditSession[Any]:
        return open_session(self.document, self.subject.codec, wait_s=5, files=self.disk)

    def step(self, session: EditSession[Any], chance: random.Random) -> None:
        acts = ["edit", "edit", "edit", "save"]
        acts += ["undo"] * min(self.done, 1) + ["redo"] * min(self.undone, 1)
        match chance.choice(acts):
            case "edit":
                self.texts += 1
                label = f"{self.name}.{chance.randrange(LABELS)}"
                say(f"? edit {label} {self.texts}")
                say(f"= {self.edit(session, self.subject.change(label, str(self.texts)))}")
                self.done, self.undone = self.done + 1, 0
            case "undo":
                say("? undo")
                say(f"= {session.undo()}")
                self.done, self.undone = self.done - 1, self.undone + 1
            case "redo":
                say("? redo")
                say(f"= {session.redo()}")
                self.done, self.undone = self.done + 1, self.undone - 1
            case "save":
                say("? save")
                session.save()
                say("= 0")

    def edit(self, session: EditSession[Any], edit: Edit) -> int:
        return session.edit(edit)


class HastyEditor(Editor):
    """A fault to be found: acknowledges an edit before it is in the journal."""

    def edit(self, session: EditSession[Any], edit: Edit) -> int:
        say("= 0")
        time.sleep(0.005)
        return session.edit(edit)


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(document: str, board: str, name: str, subject: str, fault: str) -> None:
    found = find_subject(subject)
    slot = int(sys.stdin.readline())
    with Path(board).open("r+b") as file:
        light = mmap.mmap(file.fileno(), 0)
    disk = InPlaceDisk(light, slot) if fault == "in_place" else SlowDisk(light, slot)
    editor = HastyEditor if fault == "hasty" else Editor
    editor(Path(document), found, disk, name).run(random.Random(name))


if __name__ == "__main__":
    import filelock  # noqa: F401  # slow to load: done before the start, not at the first lock

    main(*sys.argv[1:])
