"""Where the owner's own material lies: notes and books, on their disk and nowhere else.

Each game has a folder of its own in MAPKIT_BOOKS, else in the platform's place for data.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from mapkit.errors import MapkitError
from mapkit.store.files import locked, refusal
from rules import pack_files

LOCK_WAIT_S: Final = 10.0


class OwnFileError(MapkitError):
    """A note or book of the owner's does not exist, or its file does not read."""


class OwnModel(BaseModel):
    """A part of an own file: unknown keys are errors, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def own_folder(game: str) -> Path:
    """Return the folder of the owner's material on a game; *game* is the id of a pack."""
    named = os.environ.get("MAPKIT_BOOKS")
    if named:
        return Path(named) / game
    from platformdirs import user_data_path

    return user_data_path("mapkit", appauthor=False) / "books" / game


@contextmanager
def changing(path: Path, *, what: str) -> Iterator[None]:
    """Hold the lock of *path* while it is read, changed and written; its folder is made.

    Raises:
        StoreError: the folder cannot be made, or another process holds the lock.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refusal(f"make the folder of the {what}", path.parent, error) from error
    with locked(path, what=what, wait_s=LOCK_WAIT_S):
        yield


def told_faults(path: Path, error: ValidationError) -> OwnFileError:
    """Return the error that names the file and every key that is wrong in it."""
    return OwnFileError(f"{path}: {pack_files.told_faults(error)}; mend the file or delete it")
