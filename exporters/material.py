"""A project with everything an exporter may need, read from the disk once and checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as made_by
from pathlib import Path

from mapkit.model import HexMap
from mapkit.store.files import read_if_there, sha256
from rules.battlefield import Battlefield, battlefield
from rules.pack import Pack
from rules.project import Project, load_project


@dataclass(frozen=True, slots=True)
class MapMaterial:
    """One map of the project, with the bytes of its picture where that lies beside it.

    *picture* is None where the map names none; *changed* tells that the one found is not the
    one the map was made from. *field* is the map as the game reads it, where there is a game.
    """

    id: str
    map: HexMap
    picture: bytes | None = None
    changed: bool = False
    field: Battlefield | None = None


@dataclass(frozen=True, slots=True)
class Material:
    """What exporters render: plain values, no path among them."""

    name: str
    maps: Mapping[str, MapMaterial] = made_by(default_factory=dict)
    pack: Pack | None = None


def load_material(path: Path) -> Material:
    """Return the project at a path (a folder, a project.toml, a bare map) with its files read.

    Raises:
        ProjectError: it is no project.
        MapkitError: one of its files does not read.
    """
    project = load_project(path)
    pack = project.pack
    maps = {name: _map_material(project, name, pack) for name in project.maps}
    return Material(project.name, maps, pack)


def _map_material(project: Project, name: str, pack: Pack | None) -> MapMaterial:
    map_ = project.map(name)
    field = None if pack is None else battlefield(project, map_, pack)
    if map_.picture is None:
        return MapMaterial(name, map_, field=field)
    file = project.maps[name].parent / map_.picture.path
    data = read_if_there(file, what="picture")
    changed = data is not None and sha256(data) != map_.picture.sha256
    return MapMaterial(name, map_, data, changed, field)
