"""From a module on the disk to a project on the disk: read, import, write."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exporters.exporting import read_given
from exporters.vassal.importing.maps import ImportedMap
from exporters.vassal.importing.module_import import ModuleImport, import_module
from exporters.writing import require_safe, write_files
from mapkit.kinds import UNKNOWN
from mapkit.maps import save_map, shapes_path
from mapkit.progress import OnProgress, ignore
from mapkit.store.files import require_free
from mapkit.texts import say
from mapkit.typed_commands import typed


@dataclass(frozen=True, slots=True)
class Imported:
    """What was written, and what was found in the module."""

    folder: Path
    found: ModuleImport

    def as_data(self) -> dict[str, Any]:
        """Return it as JSON-able data."""
        found = self.found
        return {
            "project": str(self.folder),
            "module": found.name,
            "maps": [
                {
                    "map": one.id,
                    "file": str(self.folder / one.file),
                    "window": one.window,
                    "board": one.board,
                    "hexes": len(one.map.hexes),
                    "picture": one.map.picture and str(self.folder / one.map.picture.path),
                }
                for one in found.maps
            ],
            "sides": list(found.sides),
            "units": found.units,
            "markers": found.markers,
            "setups": {one.name: len(one.standing) for one in found.setups},
            "files": len(found.files) + len(found.maps),
            "lost": [one.told for one in found.lost],
            "hints": [one.told for one in found.hints],
        }

    def told(self) -> list[str]:
        """Return it in a few lines, the commands that read the ground last."""
        found = self.found
        words = {"folder": self.folder, "units": found.units, "markers": found.markers}
        lines = [say("exporters.import.told.project", **words)]
        for one in found.maps:
            size = {"map": one.id, "n": len(one.map.hexes), "board": one.board}
            lines.append(say("exporters.import.told.map", **size))
        for setup in found.setups:
            values = {"name": setup.name, "n": len(setup.standing)}
            lines.append(say("exporters.import.told.setup", **values))
        unread = [one for one in found.maps if one.map.picture is not None and _is_unread(one)]
        if unread:
            lines.append(say("exporters.import.told.crop"))
            lines += map(self._crop, unread)
            lines.append(say("exporters.import.told.next"))
        return [*lines, *map(self._scan, unread)]

    def _crop(self, one: ImportedMap) -> str:
        """Return the command that keeps the hexes between two corners, here the outermost."""
        map_file = str(self.folder / one.file)
        first, last = _corners(one)
        words = ["mapkit", "map", "crop", map_file, "--from", first, "--to", last]
        return f"  {typed([*words, '-o', map_file, '--force'])}"

    def _scan(self, one: ImportedMap) -> str:
        picture = one.map.picture
        map_file, image = self.folder / one.file, self.folder / (picture.path if picture else "")
        words = ["mapkit", "map", "scan", str(image), "--grid", str(map_file)]
        words += ["--legend", "legend.toml", "-o", str(map_file), "--force"]
        return f"  {typed(words)}"


def _corners(one: ImportedMap) -> tuple[str, str]:
    """Return the hexes nearest to the upper left and the lower right of the picture."""
    grid, hexes = one.map.grid, one.map.hexes
    first, *_, last = sorted((*hexes, *hexes), key=lambda hex_: sum(grid.centre(hex_)))
    return one.map.label(first), one.map.label(last)


def _is_unread(one: ImportedMap) -> bool:
    return any(ground.terrain == UNKNOWN for ground in one.map.hexes.values())


def import_to(
    module: Path,
    folder: Path,
    *,
    sides: list[str] | None = None,
    game: str | None = None,
    force: bool = False,
    on_progress: OnProgress = ignore,
) -> Imported:
    """Make a project in a folder out of a module.

    Raises:
        ExportError: it is no module, or none of its boards can be a map.
        FileChangedError: something would be overwritten, and *force* is not given.
        MapkitError: there is no such game, or the disk refused.
    """
    given = read_given(module, what="module")
    found = import_module(given, sides=sides or (), game=game, on_progress=on_progress)
    require_safe([*(one.path for one in found.files), *(one.file for one in found.maps)])
    for one in found.maps:
        target = folder / one.file
        # Shapes or edits of another map would become part of this one.
        for beside in (target, shapes_path(target), target.with_name(f"{target.name}.journal")):
            require_free(beside, force=force)
    write_files(folder, found.files, force=force)
    for one in found.maps:
        save_map(folder / one.file, one.map, force=force)
    return Imported(folder, found)
