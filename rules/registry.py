"""The rules packs that are installed: ours, a stranger's, and the user's own folder.

A pack is a package whose folder holds a pack.toml, registered under the entry-point group
`mapkit.packs`; or a folder of that name in the user's pack folder (MAPKIT_PACKS, else the
platform's place for data). One that is installed may be added to, never replaced.
"""

import logging
import os
from functools import cache
from importlib import resources
from importlib.abc import Traversable
from pathlib import Path

from mapkit import plugins
from rules.errors import PackError
from rules.pack import Pack, load_pack

GROUP = "mapkit.packs"

log = logging.getLogger(__name__)


def pack_names() -> tuple[str, ...]:
    """Return the ids of all packs, sorted; none of them is read."""
    return tuple(sorted(_folders()))


@cache
def find_pack(name: str) -> Pack:
    """Return the pack of an id.

    Raises:
        PackError: there is none of that id, or it does not read.
    """
    return load_pack(pack_folder(name), name)


def pack_folder(name: str) -> Traversable:
    """Return where the files of a pack lie.

    Raises:
        PackError: there is none of that id.
    """
    folders = _folders()
    if name not in folders:
        raise PackError(f"no rules pack '{name}'; there is: {', '.join(pack_names()) or 'none'}")
    return folders[name]


def user_folder() -> Path:
    """Return where the user's own packs are looked for."""
    named = os.environ.get("MAPKIT_PACKS")
    if named:
        return Path(named)
    from platformdirs import user_data_path

    return user_data_path("mapkit", appauthor=False) / "packs"


def _folders() -> dict[str, Traversable]:
    found: dict[str, Traversable] = {}
    for name, entry in plugins.found(GROUP).items():
        try:
            found[name] = resources.files(entry.value)
        except ModuleNotFoundError:
            continue  # a stranger's leftover: `find_pack` then says that there is no such pack
    for path in _user_packs(user_folder()):
        found.setdefault(path.name, path)
    return found


def _user_packs(folder: Path) -> list[Path]:
    try:
        return [path for path in sorted(folder.iterdir()) if (path / "pack.toml").is_file()]
    except OSError as error:
        if not isinstance(error, FileNotFoundError):
            log.warning("the folder of your own packs, %s, cannot be read: %s", folder, error)
        return []
