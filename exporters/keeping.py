"""What was made once and need not be made again: kept in the platform's cache folder.

A renderer is pure: it asks whoever keeps for the bytes of a name, and the name is the fingerprint
of all they are made from. Kept or made, the bytes are the same. Only the edge knows a folder.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mapkit.errors import StoreError
from mapkit.store.files import read_if_there, write_whole

Make = Callable[[], bytes]
Reads = Callable[[bytes], object]  # raises ValueError where the bytes are spoilt
Keep = Callable[[str, Make, Reads], bytes]

MOST_BYTES = 400_000_000
"""The folder is kept below this: what was not used longest goes first."""


def make_anew(name: str, make: Make, reads: Reads) -> bytes:
    """Keep nothing: the default of whoever may ask a keeper."""
    return make()


@dataclass(frozen=True, slots=True)
class KeptFiles:
    """Keeps bytes as files of a folder. A folder that cannot be used costs time, never an error."""

    folder: Path

    def __call__(self, name: str, make: Make, reads: Reads) -> bytes:
        """Return what was kept under a name, or make it and keep it."""
        path = self.folder / name
        kept = self._read(path)
        if kept is not None:
            try:
                reads(kept)
            except (ValueError, KeyError, TypeError):
                pass  # spoilt: made anew
            else:
                return kept
        data = make()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(path, data, what="kept file")
            self._drop_oldest()
        except (OSError, StoreError):
            pass  # a full or locked disk: the export itself is not touched by it
        return data

    def _read(self, path: Path) -> bytes | None:
        try:
            data = read_if_there(path, what="kept file")
            if data is not None:
                path.touch()
        except (OSError, StoreError):
            return None
        return data

    def _drop_oldest(self) -> None:
        files = [(one.stat().st_mtime, one.stat().st_size, one) for one in self.folder.iterdir()]
        left = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if left <= MOST_BYTES:
                return
            path.unlink(missing_ok=True)
            left -= size


def cache_folder() -> Path:
    """Return where kept files lie: MAPKIT_CACHE, else the platform's folder for caches."""
    named = os.environ.get("MAPKIT_CACHE")
    if named:
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("mapkit", appauthor=False)
