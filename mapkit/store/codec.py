"""What the store must know of a kind of document, and how it does its edits again."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from mapkit.errors import JournalError, MapkitError
from mapkit.store.journal import Edit, plain

T = TypeVar("T")


class Codec(Protocol[T]):
    """One kind of document: its file and its edits. Values are never changed in place."""

    @property
    def what(self) -> str:
        """Return the word for it in messages: "map"."""
        ...

    def decode(self, data: bytes, path: Path) -> T:
        """Read a file's bytes; *path* is for the message of a DocumentError."""
        ...

    def encode(self, value: T) -> bytes:
        """Return the file's bytes: the same value, the same bytes."""
        ...

    def apply(self, value: T, edit: Edit) -> T:
        """Return the document after *edit*; raise a MapkitError when it does not fit."""
        ...

    def invert(self, value: T, edit: Edit) -> Edit:
        """Return the edit that leads back to *value*, which *edit* is about to change."""
        ...


def replay(value: T, edits: Sequence[Edit], codec: Codec[T], journal_path: Path) -> T:
    """Do the journal's edits again, in order.

    Raises:
        JournalError: one of them does not fit; the message names *journal_path*.
    """
    try:
        for edit in edits:
            value = codec.apply(value, edit)
    except MapkitError as error:
        raise _no_fit(codec.what, journal_path, error) from error
    return value


def replay_anew(
    value: T, edits: Sequence[Edit], codec: Codec[T], journal_path: Path
) -> tuple[T, list[tuple[Edit, Edit]]]:
    """Do edits on a document they were not made for; return each with its inverse there."""
    done: list[tuple[Edit, Edit]] = []
    try:
        for edit in edits:
            done.append((edit, plain(codec.invert(value, edit))))
            value = codec.apply(value, edit)
    except MapkitError as error:
        raise _no_fit(codec.what, journal_path, error) from error
    return value, done


def _no_fit(what: str, journal_path: Path, error: MapkitError) -> JournalError:
    return JournalError(
        f"an edit in the journal {journal_path} does not fit the file: {error}; both are kept: "
        f"`mapkit {what} recover --choose keep_file` sets the journal aside and goes on without it"
    )
