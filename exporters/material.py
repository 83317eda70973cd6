"""A project with everything an exporter may need, read from the disk once and checked."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as made_by
from pathlib import Path

from counters.counter_files import load_counters
from counters.drawing import (
    CounterStyle,
    cut_face,
    draw_face,
    games_with_style,
    load_counter_style,
)
from counters.model import Counter
from exporters.keeping import Keep, make_anew
from mapkit.drawing.picture import Picture
from mapkit.model import HexMap
from mapkit.store.files import read_if_there, sha256
from rules.battlefield import Battlefield, battlefield
from rules.errors import RulesError
from rules.pack import Pack
from rules.project import Project, load_project
from rules.scenarios.scenario_files import scenarios_of
from rules.scenarios.unit_tables import ALL, fill_units, unit_counters
from rules.unit_files import entered_units

_NO_GAME = "classic"


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
class CounterMaterial:
    """The counters of the project, how they look, and the titles of sides and formations.

    *cut* are the faces that have a picture of their own, by the counter's id and that picture.
    """

    counters: tuple[Counter, ...]
    style: CounterStyle
    sides: Mapping[str, str]
    formations: Mapping[str, str]
    cut: Mapping[tuple[str, str], Picture] = made_by(default_factory=dict)

    def drawn(self, counter: Counter, face_name: str) -> Picture:
        """Return a face as it was cut from a scan, or else drawn."""
        for face in counter.faces:
            if face.name == face_name and (counter.id, face.picture) in self.cut:
                return self.cut[counter.id, face.picture]
        return draw_face(counter, face_name, self.style)


@dataclass(frozen=True, slots=True)
class Material:
    """What exporters render: plain values, no path among them.

    *pieces* is None where neither the game's scenarios nor the project's tables list a counter.
    *keep* is whoever keeps what takes long to make; it changes no byte of an export.
    """

    name: str
    maps: Mapping[str, MapMaterial] = made_by(default_factory=dict)
    pack: Pack | None = None
    pieces: CounterMaterial | None = None
    keep: Keep = make_anew


def load_material(path: Path, keep: Keep = make_anew) -> Material:
    """Return the project at a path (a folder, a project.toml, a bare map) with its files read.

    Raises:
        ProjectError: it is no project.
        MapkitError: one of its files does not read.
    """
    project = load_project(path)
    pack = project.pack
    maps = {name: _map_material(project, name, pack) for name in project.maps}
    return Material(project.name, maps, pack, _pieces(project, pack), keep)


def _map_material(project: Project, name: str, pack: Pack | None) -> MapMaterial:
    map_ = project.map(name)
    field = None if pack is None else battlefield(project, map_, pack)
    if map_.picture is None:
        return MapMaterial(name, map_, field=field)
    file = project.maps[name].parent / map_.picture.path
    data = read_if_there(file, what="picture")
    changed = data is not None and sha256(data) != map_.picture.sha256
    return MapMaterial(name, map_, data, changed, field)


def _pieces(project: Project, pack: Pack | None) -> CounterMaterial | None:
    """Return every counter of the game, filled from the project's tables; else those tables."""
    if pack is None:
        listed = {path: load_counters(path) for path in project.units}
        found = tuple(counter for counters in listed.values() for counter in counters)
        cut = {key: one for path, counters in listed.items() for key, one in _cut(counters, path)}
        look = load_counter_style(_NO_GAME)
        return CounterMaterial(found, look, {}, {}, cut) if found else None
    tables = {path: entered_units(path) for path in project.units}
    entered = [unit for units in tables.values() for unit in units]
    scenarios = scenarios_of(pack)
    try:
        units = unit_counters(scenarios, ALL)
    except RulesError:
        units = ()  # our sources list none: the owner's tables are all there is
    filled = fill_units(units, entered).units
    known = {unit.id for unit in filled}
    others = (unit for unit in entered if unit.id not in known and unit.name and unit.side)
    counters = (*filled, *others)
    if not counters:
        return None
    style = load_counter_style(pack.id if pack.id in games_with_style() else _NO_GAME)
    return CounterMaterial(
        counters,
        style,
        {id_: side.title for id_, side in pack.sides.items()},
        {id_: formation.title for id_, formation in scenarios.formations.items()},
        {key: picture for path, units in tables.items() for key, picture in _cut(units, path)},
    )


def _cut(counters: Iterable[Counter], table: Path) -> Iterator[tuple[tuple[str, str], Picture]]:
    """Yield the pictures that a table of counters names, which lie beside it."""
    for counter in counters:
        for face in counter.faces:
            if face.picture:
                yield (counter.id, face.picture), cut_face(table.parent / face.picture)
