"""The journal beside a document: every edit since the file was saved, with the way back.

One line, one JSON object. The first names the file's SHA-256, the *base* the edits start from;
then come, each written and synced before it is acknowledged:

    {"sum":"…","past":{…},"inverse":{…},"n":6}     in the base already; can be undone
    {"sum":"…","gone":{…},"inverse":{…},"n":7}     in the base already, but undone since
    {"sum":"…","edit":{…},"inverse":{…},"n":8}     an edit, and the edit that undoes it
    {"sum":"…","future":{…},"inverse":{…},"n":9}   undone; can be redone
    {"sum":"…","undo":8}                           the latest edit, taken back
    {"sum":"…","redo":8}                           the latest undo, taken back
    {"sum":"…","saving":"…"}                       the file is about to become these edits
    {"sum":"…","replacing":"…"}                    the file is about to become another document

`sum` covers the line and the sum of the line before, so that a line cannot change, move or go
missing unnoticed. Only the last line can be torn by a kill; it was not acknowledged, and is
dropped. The announced SHA-256 tells a save that was cut short from an edit by other hands.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from io import FileIO
from pathlib import Path
from typing import Final, Self

from mapkit.errors import DocumentError, JournalError, StoreError
from mapkit.store.files import DISK, Files, refusal, write_whole

FORMAT: Final = "mapkit-journal/1"

HISTORY: Final = 1000
"""How many saved edits can still be undone; older ones leave the journal at a save."""

Edit = Mapping[str, object]
"""One change of a document, in words its codec knows; anything JSON can say."""


class Standing(Enum):
    """How a journal stands to the file beside it."""

    CURRENT = "the file is the base, or what a save announced: the edits go on from there"
    OUTDATED = "the file changed, but every edit had been saved: only the undo history is void"
    CONFLICT = "the file was changed outside while there were edits not saved"


@dataclass(frozen=True, slots=True)
class Entry:
    """An edit that was acknowledged under its number, and the edit that undoes it."""

    number: int
    edit: Edit
    inverse: Edit


@dataclass(slots=True)
class History:
    """What was done and can be undone, what was undone and can be redone.

    `past` is what had been done when the file was as it is on the disk.
    """

    past: list[Entry] = field(default_factory=list)
    done: list[Entry] = field(default_factory=list)
    undone: list[Entry] = field(default_factory=list)

    def steps(self) -> list[Edit]:
        """Return the edits that lead from the file to now: first back, then forth."""
        shared = self._shared()
        back = [entry.inverse for entry in reversed(self.past[shared:])]
        return back + [entry.edit for entry in self.done[shared:]]

    def take(self, record: Edit) -> None:
        """Follow one line of the journal; ValueError when it cannot follow on what was."""
        match record:
            case {"edit": dict(edit), "inverse": dict(inverse), "n": int(number)}:
                self.done.append(Entry(number, edit, inverse))
                self.undone.clear()
            case {"past": dict(edit), "inverse": dict(inverse), "n": int(number)}:
                entry = Entry(number, edit, inverse)
                self.past.append(entry)
                self.done.append(entry)
            case {"gone": dict(edit), "inverse": dict(inverse), "n": int(number)}:
                self.past.append(Entry(number, edit, inverse))
            case {"future": dict(edit), "inverse": dict(inverse), "n": int(number)}:
                self.undone.append(Entry(number, edit, inverse))
            case {"undo": number} if self.done and self.done[-1].number == number:
                self.undone.append(self.done.pop())
            case {"redo": number} if self.undone and self.undone[-1].number == number:
                self.done.append(self.undone.pop())
            case _:
                raise ValueError("no such line can follow here")

    def records(self) -> Iterator[Edit]:
        """Yield the shortest lines that tell this history; `take` reads them back."""
        shared = self._shared()
        for kind, entries in (
            ("past", self.past[:shared]),
            ("gone", self.past[shared:]),
            ("edit", self.done[shared:]),
            ("future", self.undone),
        ):
            for entry in entries:
                yield {kind: entry.edit, "inverse": entry.inverse, "n": entry.number}

    def _shared(self) -> int:
        """Return how many of the first edits of `past` are still done."""
        pairs = zip(self.past, self.done, strict=False)
        apart = (place for place, (then, now) in enumerate(pairs) if then.number != now.number)
        return next(apart, min(len(self.past), len(self.done)))


class Journal:
    """A journal file and the history it tells. To write it, hold the document's lock."""

    def __init__(self, path: Path, base: str, *, files: Files = DISK) -> None:
        self.path = path
        self.base = base
        self.history = History()
        self.next_number = 1
        self.files = files
        self._announced: dict[str, list[Entry] | None] = {}
        self._sum = ""  # of the last whole line
        self._size = 0  # up to and with the last whole line
        self._begun = False  # whether the file at `path` tells this history, up to `_size`

    @classmethod
    def parse(cls, path: Path, data: bytes, *, files: Files = DISK) -> Self:
        """Read a journal; a last line that was cut short is left out.

        Raises:
            JournalError: a line is damaged, or a newer Mapkit wrote it.
        """
        *lines, rest = data.split(b"\n")
        journal = cls(path, "", files=files)
        for number, line in enumerate(lines or [rest], start=1):
            try:
                record, line_sum = _unseal(line, journal._sum)
                if number == 1:
                    journal._take_header(record)
                else:
                    journal._take(record)
            except (ValueError, RecursionError):
                # A power cut can leave a hole of zeros in the line that was being written.
                if 1 < number == len(lines) and not rest and b"\0" in line:
                    break
                raise JournalError(
                    f"line {number} of the journal {path} is damaged; it and the file are both "
                    "kept: choose keep_file to set the journal aside and go on without its edits"
                ) from None
            journal._sum = line_sum
            journal._size += len(line) + 1
        journal._begun = True
        return journal

    @property
    def version(self) -> str:
        """Name what file and journal tell together: changes with every edit not yet saved."""
        return f"{self.base}+{self._sum}" if self.history.steps() else self.base

    @property
    def unsettled(self) -> bool:
        """Whether it may hold an edit that no saved file holds."""
        return bool(self._announced or self.history.steps())

    def knows(self, sha: str) -> bool:
        """Tell whether the file is the base, or what a save announced."""
        return sha == self.base or sha in self._announced

    def meet(self, sha: str) -> Standing:
        """Find where the file, whose SHA-256 is *sha*, stands in this journal, and go on there."""
        if sha in self._announced:
            past = self._announced[sha]
            if past is None:
                self.history = History()
            else:
                self.history.past = past
            self._rebase(sha)
        elif sha != self.base:
            if self.unsettled:
                return Standing.CONFLICT
            self.history = History()
            self._rebase(sha)
            return Standing.OUTDATED
        return Standing.CURRENT

    def edit(self, edit: Edit, inverse: Edit) -> int:
        """Write an edit and its inverse (both `plain`) and return the edit's number."""
        number = self.next_number
        self._write({"edit": edit, "inverse": inverse, "n": number})
        return number

    def undo(self) -> int:
        """Write that the latest edit is taken back, and return its number."""
        number = self.history.done[-1].number
        self._write({"undo": number})
        return number

    def redo(self) -> int:
        """Write that the latest undo is taken back, and return the edit's number."""
        number = self.history.undone[-1].number
        self._write({"redo": number})
        return number

    def announce(self, sha: str, *, replacing: bool = False) -> None:
        """Write what the file is about to become: these edits, or another document."""
        self._write({"replacing" if replacing else "saving": sha})

    def saved(self, sha: str) -> None:
        """Begin anew: the file holds every edit and its SHA-256 is *sha*."""
        self.history.done = self.history.done[-HISTORY:]
        self.history.past = list(self.history.done)
        self._rebase(sha)
        # The save itself is done, and the old journal still tells the truth: it announced this
        # file. So a disk that is full just now is no failure; the next edit tries again.
        with suppress(StoreError):
            self.begin()

    def begin(self) -> None:
        """Write the whole journal, in one step, in place of what was there."""
        self._write_whole([])

    def _rebase(self, sha: str) -> None:
        self.base = sha
        self._announced = {}
        self._begun = False

    def _take(self, record: Edit) -> None:
        match record:
            case {"saving": str(sha)}:
                self._announced[sha] = list(self.history.done)
            case {"replacing": str(sha)}:
                self._announced[sha] = None
            case _:
                self.history.take(record)
                if isinstance(number := record.get("n"), int):
                    self.next_number = max(self.next_number, number + 1)

    def _take_header(self, header: Edit) -> None:
        if (format_ := header.get("format")) != FORMAT:
            raise JournalError(
                f"the journal {self.path} is written as {format_!r}, this Mapkit reads "
                f"{FORMAT!r}; open it with the version that wrote it"
            )
        match header:
            case {"base": str(base), "next": int(number)}:
                self.base, self.next_number = base, number
            case _:
                raise ValueError("a journal names its base")

    def _write(self, record: Edit) -> None:
        """Put one line on the disk for good, then follow it; on failure nothing has changed."""
        if self._begun and self.path.exists():
            self._append(record)
        else:
            self._write_whole([record])
        self._take(record)

    def _append(self, record: Edit) -> None:
        line, line_sum = _seal(record, self._sum)
        try:
            with self.files.open(self.path) as file:
                self._cut_back(file)
                try:
                    self.files.write(file, line)
                    self.files.sync(file)
                except BaseException:
                    # Should this fail too, the next line will try again.
                    with suppress(OSError):
                        self._cut_back(file)
                    raise
        except OSError as error:
            raise refusal("write the journal", self.path, error) from error
        self._sum = line_sum
        self._size += len(line)

    def _cut_back(self, file: FileIO) -> None:
        """Drop what stands behind the last acknowledged line."""
        size = file.seek(0, os.SEEK_END)
        if size < self._size:
            raise JournalError(
                f"the journal {self.path} was cut short by another program; "
                "save under another name to keep this work"
            )
        if size > self._size:
            self.files.truncate(file, self._size)
            self.files.sync(file)

    def _write_whole(self, records: list[Edit]) -> None:
        header = {"format": FORMAT, "base": self.base, "next": self.next_number}
        lines: list[bytes] = []
        line_sum = ""
        for record in (header, *self.history.records(), *records):
            line, line_sum = _seal(record, line_sum)
            lines.append(line)
        data = b"".join(lines)
        self._begun = False  # until the new one is known to be in place
        write_whole(self.path, data, what="journal", files=self.files)
        self._begun, self._sum, self._size = True, line_sum, len(data)


def plain(edit: Edit) -> dict[str, object]:
    """Return the edit as a journal gives it back, so that it is applied as it will be replayed.

    >>> plain({"move": ("0305", "0306")})
    {'move': ['0305', '0306']}
    """
    try:
        copy: dict[str, object] = json.loads(json.dumps(edit, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise DocumentError(f"this edit cannot be written down as JSON: {error}") from error
    return copy


def _seal(record: Edit, last_sum: str) -> tuple[bytes, str]:
    """Return the record as a line, and the line's sum."""
    body = json.dumps(record, separators=(",", ":"), allow_nan=False).encode()[1:]
    line_sum = _sum(last_sum, body)
    return b'{"sum":"%s",%s\n' % (line_sum.encode(), body), line_sum


def _unseal(line: bytes, last_sum: str) -> tuple[Edit, str]:
    """Return the record a line tells, and its sum; ValueError when the sum is wrong."""
    opening, body = line[:26], line[26:]
    line_sum = _sum(last_sum, body)
    if opening != b'{"sum":"%s",' % line_sum.encode():
        raise ValueError("the sum does not fit the line")
    record: dict[str, object] = json.loads(b"{" + body)
    return record, line_sum


def _sum(last_sum: str, body: bytes) -> str:
    return hashlib.sha256(last_sum.encode() + body).hexdigest()[:16]
