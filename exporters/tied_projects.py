"""A project with what ties it to a module of the engine: kept in it, or worked out."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from counters.counter_files import load_counters
from counters.model import Marker, Unit
from exporters.material import Material, load_material
from exporters.model import ExportError, GivenFile
from exporters.vassal.binding import Binding
from exporters.vassal.binding_file import FILE, parse_binding
from exporters.vassal.binding_found import find_binding
from exporters.vassal.foreign import ForeignModule, read_module
from exporters.vassal.games.known import Known
from exporters.vassal.metadata import metadata
from mapkit.model import HexMap
from mapkit.store.files import read_if_there
from rules.pack import Pack
from rules.positions.position import Position
from rules.project import load_project


@dataclass(frozen=True)
class TiedProject:
    """A project, the binding, and the module where it is at hand."""

    material: Material
    binding: Binding
    module: ForeignModule | None = None
    markers: frozenset[str] = frozenset()  # counters of its tables that are no units

    @property
    def pack(self) -> Pack | None:
        """The game, as its owner completed it."""
        return self.material.pack

    @property
    def game(self) -> str:
        """The id of the game; without one, the project's name, as an id is written."""
        if self.pack is not None:
            return self.pack.id
        return re.sub(r"[^a-z0-9]+", "-", self.material.name.casefold()).strip("-") or "no-game"

    @property
    def maps(self) -> Mapping[str, HexMap]:
        """The maps by id."""
        return {id_: one.map for id_, one in self.material.maps.items()}

    def known(self, before: Position | None = None) -> Known:
        """Return what saved games are read against."""
        counters = self.material.pieces.counters if self.material.pieces else ()
        return Known(
            self.binding,
            self.game,
            self.maps,
            {one.id: one for one in counters if isinstance(one, Unit)},
            self.markers,
            self.pack,
            before,
        )

    def require_module(self) -> ForeignModule:
        """Return the module.

        Raises:
            ExportError: it was not named.
        """
        if self.module is None:
            raise ExportError("name the module: --module X.vmod")
        return self.module

    def module_data(self) -> bytes:
        """Return the module's own metadata, which its saved games repeat."""
        module = self.require_module()
        own = module.unpacked("moduledata")
        return own if own is not None else metadata(module.version, "", module.name)


def load_tied(path: Path, module: GivenFile | None = None) -> TiedProject:
    """Return a project with its binding: the one kept in it, where it is of the module named.

    Raises:
        ExportError: there is neither a binding nor a module, or no board of it is a map here.
        DocumentError: the binding that is kept does not read.
        MapkitError: the project does not read.
    """
    project = load_project(path)
    kept = project.folder / FILE
    data = read_if_there(kept, what="binding")
    binding = None if data is None else parse_binding(data, str(kept))
    read = None if module is None else read_module(module)
    material = load_material(path)
    if read is not None and (binding is None or binding.module != read.name):
        binding = find_binding(read, material)
    if binding is None:
        raise ExportError(
            f"{path} is tied to no module: it has no {FILE}; name its module with --module X.vmod"
        )
    tied = {part.map for window in binding.windows for one in window.boards for part in one.parts}
    if not tied & material.maps.keys():
        raise ExportError(
            f"no board of the module '{binding.module}' is a map of {path}; name the module of"
            " this project, or correct the map's numbering"
        )
    listed = (one for table in project.units for one in load_counters(table))
    markers = frozenset(one.id for one in listed if isinstance(one, Marker))
    return TiedProject(material, binding, read, markers)
