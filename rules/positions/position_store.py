"""Positions on disk, kept by the same store as maps: atomic saves, a journal with undo, a lock."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mapkit.errors import FileChangedError, JournalError
from mapkit.store import Edit, EditSession, Loaded, OnConflict, open_session, read, save
from mapkit.store.files import real_path, require_free
from rules.positions.position import Position
from rules.positions.position_edits import apply_edit, invert_edit
from rules.positions.position_file import dump_position, parse_position

SUFFIX = ".position.json"


class PositionCodec:
    """What the store must know of positions."""

    what = "position"

    def decode(self, data: bytes, path: Path) -> Position:
        """Read a position's bytes."""
        return parse_position(data, str(path))

    def encode(self, value: Position) -> bytes:
        """Return the bytes of a position's file."""
        return dump_position(value)

    def apply(self, value: Position, edit: Edit) -> Position:
        """Return the position after an edit."""
        return apply_edit(value, edit)

    def invert(self, value: Position, edit: Edit) -> Edit:
        """Return the edit that undoes *edit*."""
        return invert_edit(value, edit)


POSITIONS = PositionCodec()


def read_position(path: Path) -> Loaded[Position]:
    """Read a position with its version, which `save_position` wants back."""
    with _our_commands():
        return read(path, POSITIONS)


def load_position(path: Path) -> Position:
    """Return the position in a file, with the edits not yet saved."""
    return read_position(path).value


def save_position(
    path: Path, position: Position, *, replacing: str | None = None, force: bool = False
) -> str:
    """Save a whole position and return its new version; *replacing* is the version loaded.

    Raises:
        FileChangedError: there is another file of that name, and *force* is not given.
    """
    try:
        return save(path, position, POSITIONS, replacing=replacing, force=force)
    except FileChangedError:
        if replacing is None:
            require_free(real_path(path, what="position"), force=force, told=path)
        raise


def edit_position(
    path: Path, *, on_conflict: OnConflict = "refuse", wait_s: float = 0.0
) -> EditSession[Position]:
    """Open a position for editing: every edit is safe before it is acknowledged."""
    with _our_commands():
        return open_session(path, POSITIONS, on_conflict=on_conflict, wait_s=wait_s)


@contextmanager
def _our_commands() -> Iterator[None]:
    """Name the command that helps by its whole name: the store knows nouns only."""
    try:
        yield
    except JournalError as error:
        wrong, right = "`mapkit position ", "`mapkit rules position "
        raise JournalError(str(error).replace(wrong, right)) from error
