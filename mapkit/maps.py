"""Map documents on disk: loaded with their shapes and unsaved edits, saved safely, edited.

A map is `NAME.hexmap.json`; its shapes stand beside it in `NAME.shapes.geojson`. The store does
the rest: atomic saves, the journal, the lock.
"""

from dataclasses import replace
from pathlib import Path

from mapkit.document.edits import apply_edit, invert_edit
from mapkit.document.reading import parse_map
from mapkit.document.shapes import dump_shapes, parse_shapes
from mapkit.document.writing import dump_map
from mapkit.errors import FileChangedError
from mapkit.model import HexMap
from mapkit.store import Edit, EditSession, Loaded, OnConflict, open_session, read, save
from mapkit.store.files import DISK, Files, read_if_there, real_path, require_free

SUFFIX = ".hexmap.json"


class MapCodec:
    """What the store must know of maps. Shapes are read along, never journalled."""

    what = "map"

    def decode(self, data: bytes, path: Path) -> HexMap:
        """Read a map's bytes, and the shapes beside it."""
        map_ = parse_map(data, str(path))
        beside = shapes_path(path)
        shapes = read_if_there(beside, what="shapes file")
        if shapes is None:
            return map_
        return replace(map_, shapes=parse_shapes(shapes, str(beside)))

    def encode(self, value: HexMap) -> bytes:
        """Return the bytes of a map's own file."""
        return dump_map(value)

    def apply(self, value: HexMap, edit: Edit) -> HexMap:
        """Return the map after an edit."""
        return apply_edit(value, edit)

    def invert(self, value: HexMap, edit: Edit) -> Edit:
        """Return the edit that undoes *edit*."""
        return invert_edit(value, edit)


MAPS = MapCodec()


def read_map(path: Path) -> Loaded[HexMap]:
    """Read a map with its version, which `save_map` wants back."""
    return read(path, MAPS)


def load_map(path: Path) -> HexMap:
    """Return the map in a file, with its shapes and the edits not yet saved."""
    return read_map(path).value


def save_map(
    path: Path,
    map_: HexMap,
    *,
    replacing: str | None = None,
    force: bool = False,
    files: Files = DISK,
) -> str:
    """Save a map and its shapes, and return its new version.

    *replacing* is the version that was loaded, None for a new file; *force* overwrites
    whatever is there. A shapes file that the map no longer needs is set aside, not deleted.
    """
    real = real_path(path, what="map")
    shapes = dump_shapes(map_.shapes) if map_.shapes else None
    try:
        return save(
            path,
            map_,
            MAPS,
            replacing=replacing,
            force=force,
            beside={shapes_path(real): shapes},
            files=files,
        )
    except FileChangedError:
        if replacing is None:
            require_free(real, force=force, told=path)
        raise


def edit_map(
    path: Path, *, on_conflict: OnConflict = "refuse", wait_s: float = 0.0
) -> EditSession[HexMap]:
    """Open a map for editing: every edit is safe before it is acknowledged."""
    return open_session(path, MAPS, on_conflict=on_conflict, wait_s=wait_s)


def shapes_path(path: Path) -> Path:
    """Return where the shapes of a map stand.

    >>> shapes_path(Path("alps.hexmap.json")).name
    'alps.shapes.geojson'
    """
    return path.with_name(f"{path.name.removesuffix(SUFFIX)}.shapes.geojson")
