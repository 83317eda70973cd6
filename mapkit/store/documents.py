"""Documents on disk: read, saved whole or not at all, edited with nothing acknowledged lost.

    read(path, codec)                    the document with its unsaved edits; takes no lock
    save(path, value, codec, …)          a whole document, new or in place of a known version
    open_session(path, codec)            edits, undo, redo, save; one editor at a time

Beside `NAME` stand `NAME.journal` (edits, see `mapkit.store.journal`), `NAME.lock`, and, where a
person had to choose, `NAME.journal.kept-1`. Kept files are never deleted.
"""

from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Generic, Literal, Self, TypeVar

from mapkit.errors import FileChangedError, JournalError, StoreError
from mapkit.store.codec import Codec, replay, replay_anew
from mapkit.store.files import (
    DISK,
    LIMIT_BYTES,
    Files,
    locked,
    name_for_kept,
    read_file,
    read_if_there,
    real_path,
    remove_stale,
    require_file,
    require_free,
    set_aside,
    sha256,
    write_whole,
)
from mapkit.store.journal import Edit, Entry, Journal, Standing, plain

T = TypeVar("T")

OnConflict = Literal["refuse", "keep_file", "replay"]

_READ_TRIES: Final = 50


@dataclass(frozen=True, slots=True)
class Loaded(Generic[T]):
    """A document as it was on the disk, and what to call that version when saving over it."""

    value: T
    path: Path
    version: str  # the file's SHA-256; with edits in the journal, that and their sum
    unsaved: int = 0  # how many steps of the journal are in the value but not in the file


def read(
    path: Path, codec: Codec[T], *, with_journal: bool = True, limit_bytes: int = LIMIT_BYTES
) -> Loaded[T]:
    """Read a document with the edits that are in its journal, changing and locking nothing.

    Raises:
        StoreError: the file cannot be read.
        JournalError: the file was changed outside while its journal held edits, or the journal
            is damaged.
        DocumentError: it is not such a document (from the codec).
    """
    path = real_path(path, what=codec.what)
    if not with_journal:
        data = read_file(path, what=codec.what, limit_bytes=limit_bytes)
        return Loaded(codec.decode(data, path), path, sha256(data))
    data, raw = _read_both(path, codec.what, limit_bytes)
    value, sha = codec.decode(data, path), sha256(data)
    if raw is None:
        return Loaded(value, path, sha)
    journal = Journal.parse(_journal_path(path), raw)
    if journal.meet(sha) is Standing.CONFLICT:
        raise _conflict(path, codec.what, journal)
    steps = journal.history.steps()
    return Loaded(replay(value, steps, codec, journal.path), path, journal.version, len(steps))


def save(
    path: Path,
    value: T,
    codec: Codec[T],
    *,
    replacing: str | None,
    force: bool = False,
    beside: Mapping[Path, bytes | None] | None = None,
    wait_s: float = 2.0,
    files: Files = DISK,
) -> str:
    """Save a whole document and return its version, the SHA-256 of the file.

    *replacing* is the `version` of what was loaded, or None for a new file. With *force* it is
    not looked at: whatever is there is overwritten, and edits in a journal are set aside. The
    undo history ends here; to keep it, edit in a session. Files that belong to the document are
    given as *beside* and written under the same lock, just before it; None sets one aside.

    Raises:
        FileChangedError: the file, or its journal, is no longer that version; nothing is written.
        LockedError: someone is editing it, and still was after *wait_s* seconds.
        StoreError: the disk refused; what was there before is still there.
    """
    path = real_path(path, what=codec.what)
    if not path.parent.is_dir():
        raise StoreError(f"{path}: there is no folder {path.parent}; make it first")
    data = codec.encode(value)
    new, journal_path = sha256(data), _journal_path(path)
    with locked(path, what=codec.what, wait_s=wait_s):
        remove_stale(path, files=files)
        old = _sha_on_disk(path, codec.what)
        journal = None if force else _require_version(path, codec.what, old, replacing, files)
        _write_beside(beside or {}, fresh=replacing is None and not force, files=files)
        if new != old:
            if journal is not None and journal.history.steps():
                journal.announce(new, replacing=True)
            write_whole(path, data, what=codec.what, files=files)
        if journal is None and _holds_edits(journal_path):
            set_aside(journal_path, what="journal", files=files)
        elif journal_path.exists():
            # Every edit in it is in the file, or void: what cannot be deleted does no harm.
            with suppress(OSError):
                files.remove(journal_path)
    return new


def open_session(
    path: Path,
    codec: Codec[T],
    *,
    on_conflict: OnConflict = "refuse",
    wait_s: float = 0.0,
    limit_bytes: int = LIMIT_BYTES,
    files: Files = DISK,
) -> "EditSession[T]":
    """Open a document to edit it, with the edits that are in its journal.

    When the file was changed outside while the journal held edits, *on_conflict* says what to
    do. "refuse": raise, both stay as they are. "keep_file": go on from the file; the journal is
    set aside. "replay": do the journal's edits again on the changed file; a copy of the old
    journal is kept, the file stays as it is until the next save, and undo leads back to it.
    A damaged journal can only be set aside.

    Raises:
        LockedError: another process is editing it, and still was after *wait_s* seconds.
        JournalError: as above; also when a "replay" finds an edit that no longer fits.
        StoreError: the file cannot be read, or its folder cannot be written to.
        DocumentError: it is not such a document (from the codec).
    """
    path = real_path(path, what=codec.what)
    require_file(path, what=codec.what, limit_bytes=limit_bytes)  # a wrong name leaves no lock
    with ExitStack() as held:
        held.enter_context(locked(path, what=codec.what, wait_s=wait_s))
        remove_stale(path, files=files)
        data = read_file(path, what=codec.what, limit_bytes=limit_bytes)
        value, sha = codec.decode(data, path), sha256(data)
        journal = Journal(_journal_path(path), sha, files=files)
        raw = read_if_there(journal.path, what="journal", limit_bytes=limit_bytes)
        if raw is not None:
            value, journal = _catch_up(
                journal, raw, path=path, value=value, codec=codec, on_conflict=on_conflict
            )
        return EditSession(path, codec, value, journal=journal, held=held.pop_all())


class EditSession(Generic[T]):
    """A document being edited: every edit is safe on the disk before its method returns.

    Holds the document's lock until `close`. For one thread at a time. An error leaves the value
    and the journal as they were, and the session usable.
    """

    def __init__(
        self,
        path: Path,
        codec: Codec[T],
        value: T,
        *,
        journal: Journal,
        held: ExitStack,
    ) -> None:
        self.path = path
        self._codec = codec
        self._value = value
        self._journal = journal
        self._held = held
        self._open = True

    @property
    def value(self) -> T:
        """The document with all edits."""
        return self._value

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit to take back; those saved before count."""
        return bool(self._journal.history.done)

    @property
    def can_redo(self) -> bool:
        """Whether there is an undo to take back."""
        return bool(self._journal.history.undone)

    @property
    def unsaved(self) -> int:
        """How many steps lead from the file to the value."""
        return len(self._journal.history.steps())

    def edit(self, edit: Edit) -> int:
        """Change the document and return the edit's number: from then on no kill loses it."""
        self._require_open()
        edit = plain(edit)
        inverse = plain(self._codec.invert(self._value, edit))
        value = self._codec.apply(self._value, edit)
        number = self._journal.edit(edit, inverse)
        self._value = value
        return number

    def undo(self) -> int:
        """Take back the latest edit and return its number."""
        self._require_open()
        if not self.can_undo:
            raise StoreError(f"there is nothing to undo in the {self._codec.what} {self.path}")
        value = self._codec.apply(self._value, self._journal.history.done[-1].inverse)
        number = self._journal.undo()
        self._value = value
        return number

    def redo(self) -> int:
        """Take back the latest undo and return the number of the edit done again."""
        self._require_open()
        if not self.can_redo:
            raise StoreError(f"there is nothing to redo in the {self._codec.what} {self.path}")
        value = self._codec.apply(self._value, self._journal.history.undone[-1].edit)
        number = self._journal.redo()
        self._value = value
        return number

    def save(self) -> str:
        """Write the document to its file and return the file's SHA-256; undo goes on working.

        Raises:
            FileChangedError: the file was changed outside since it was opened. The edits are
                safe in the journal; open again with *on_conflict* to choose.
            StoreError: the disk refused; file and edits are as they were.
        """
        self._require_open()
        what, path = self._codec.what, self.path
        on_disk = _sha_on_disk(path, what)
        if on_disk is None or not self._journal.knows(on_disk):
            happened = "deleted" if on_disk is None else "changed"
            raise FileChangedError(
                f"the {what} {path} was {happened} by another program since it was opened; your "
                "edits are safe in its journal: put the file back, or open it again and choose"
            )
        if on_disk == self._journal.base and not self.unsaved:
            return on_disk
        data = self._codec.encode(self._value)
        new = sha256(data)
        if new != on_disk:
            self._journal.announce(new)
            try:
                write_whole(path, data, what=what, files=self._journal.files)
            except StoreError as refused:
                raise StoreError(f"{refused} (your edits are safe in its journal)") from refused
        self._journal.saved(new)
        return new

    def close(self) -> None:
        """Let go of the lock. Edits not saved stay in the journal for the next open."""
        self._open = False
        self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _require_open(self) -> None:
        if not self._open:
            raise StoreError(f"the {self._codec.what} {self.path} is closed; open it again to edit")


def _write_beside(beside: Mapping[Path, bytes | None], *, fresh: bool, files: Files) -> None:
    """Write or set aside what belongs to a document; for a new one nothing may be there yet."""
    for path, data in beside.items():
        there = read_if_there(path, what="file")
        if there == data:
            continue
        if there is not None and fresh:
            require_free(path)
        if data is None:
            set_aside(path, what="file", files=files)
        else:
            write_whole(path, data, what="file", files=files)


def _journal_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.journal")


def _sha_on_disk(path: Path, what: str) -> str | None:
    data = read_if_there(path, what=what)
    return None if data is None else sha256(data)


def _read_both(path: Path, what: str, limit_bytes: int) -> tuple[bytes, bytes | None]:
    """Read a file and its journal as they stood at one moment, though another process saves.

    A journal that only grew between two looks belongs to the file read in between; a new one
    may not, so look again.
    """
    journal_path = _journal_path(path)
    before = read_if_there(journal_path, what="journal", limit_bytes=limit_bytes)
    for _ in range(_READ_TRIES):
        data = read_file(path, what=what, limit_bytes=limit_bytes)
        after = read_if_there(journal_path, what="journal", limit_bytes=limit_bytes)
        if before is None and after is None:
            return data, None
        if before is not None and after is not None and after.startswith(before):
            return data, after
        before = after
    raise StoreError(f"the {what} {path} is being saved over and over; try again in a moment")


def _require_version(
    path: Path, what: str, old: str | None, replacing: str | None, files: Files
) -> Journal | None:
    """Refuse unless *replacing* is what is on the disk; return the journal that is part of it."""
    if replacing is None or old is None:
        if replacing == old:
            return None
        happened = "is there already" if old is not None else "was deleted since it was loaded"
        raise FileChangedError(f"the {what} {path} {happened}; choose another name, or force it")
    raw = read_if_there(_journal_path(path), what="journal")
    journal = None if raw is None else Journal.parse(_journal_path(path), raw, files=files)
    if journal is not None and journal.meet(old) is Standing.CONFLICT:
        raise _conflict(path, what, journal)
    if replacing != (old if journal is None else journal.version):
        raise FileChangedError(
            f"the {what} {path} changed since it was loaded; load it again, or force it"
        )
    return journal


def _holds_edits(journal_path: Path) -> bool:
    """Tell whether a journal may hold the only copy of an edit."""
    raw = read_if_there(journal_path, what="journal")
    if raw is None:
        return False
    try:
        return Journal.parse(journal_path, raw).unsettled
    except JournalError:
        return True


def _catch_up(
    fresh: Journal,
    raw: bytes,
    *,
    path: Path,
    value: T,
    codec: Codec[T],
    on_conflict: OnConflict,
) -> tuple[T, Journal]:
    """Bring a document to where its journal ends; return the journal that goes on from there."""
    try:
        journal = fresh.parse(fresh.path, raw, files=fresh.files)
        if journal.meet(fresh.base) is not Standing.CONFLICT:
            return replay(value, journal.history.steps(), codec, journal.path), journal
        if on_conflict != "replay":
            raise _conflict(path, codec.what, journal)
    except JournalError:
        if on_conflict != "keep_file":
            raise
        set_aside(fresh.path, what="journal", files=fresh.files)
        return value, fresh
    value, done = replay_anew(value, journal.history.steps(), codec, journal.path)
    fresh.history.done = [
        Entry(number, edit, inverse)
        for number, (edit, inverse) in enumerate(done, start=journal.next_number)
    ]
    fresh.next_number = journal.next_number + len(done)
    write_whole(name_for_kept(fresh.path), raw, what="journal", files=fresh.files)
    fresh.begin()
    return value, fresh


def _conflict(path: Path, what: str, journal: Journal) -> JournalError:
    return JournalError(
        f"the {what} {path} was changed by another program while its journal held edits not "
        f"saved ({len(journal.history.steps())}); both are kept: `mapkit {what} recover` with "
        "--choose keep_file sets the journal aside, with replay does its edits again on the file"
    )
