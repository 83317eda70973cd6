"""A project: one folder with maps, game, units and pictures, described by `project.toml`.

All paths are relative and stay inside the folder, so that it can be zipped, moved and shared. A
bare `*.hexmap.json` counts as a project too: one map and no game.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mapkit.kinds import Group, Kind
from mapkit.maps import SUFFIX, load_map
from mapkit.model import HexMap
from mapkit.store.files import read_file, require_file
from rules.errors import ProjectError
from rules.owner import load_owner, pack_with_owner
from rules.pack import KindEntry, Pack
from rules.pack_files import told_faults
from rules.registry import find_pack, pack_names

FILE = "project.toml"
FORMAT = "mapkit-project/1"

Words = dict[str, str]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class MapEntry(_Strict):
    """One map of the project."""

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+$", description="What commands call it")]
    file: str


class JoinEntry(_Strict):
    """How two maps of the project lie beside each other."""

    first: str
    second: str
    match: str = Field("", description="A hex of the first is one of the second: 3701=0101")


class BindingEntry(_Strict):
    """The map's words on the left, the game's on the right; "" binds to nothing on purpose."""

    terrain: Words = {}
    features: Words = {}
    hexsides: Words = {}
    links: Words = {}


class ProjectFile(_Strict):
    """A project.toml."""

    format: Literal["mapkit-project/1"]
    name: Annotated[str, Field(min_length=1)]
    game: str | None = Field(None, description="Id of a rules pack")
    maps: list[MapEntry] = []
    joins: list[JoinEntry] = []
    binding: BindingEntry = BindingEntry()
    owner: str | None = Field(None, description="What the owner of the game entered: *.owner.toml")
    units: list[str] = Field([], description="Tables of units: *.csv, *.xlsx")
    sheets: list[str] = Field([], description="Counter sheets: *.sheet.toml")
    scenarios: list[str] = Field([], description="Ids of the pack's scenarios, or files")
    positions: list[str] = Field([], description="Who stands where: *.position.json")
    pictures: list[str] = []


@dataclass(frozen=True)
class Project:
    """A folder as its project.toml describes it; files are read when they are asked for."""

    folder: Path
    name: str
    game: str | None = None
    maps: Mapping[str, Path] = field(default_factory=dict)
    joins: tuple[JoinEntry, ...] = ()
    binding: BindingEntry = field(default_factory=BindingEntry)
    owner: Path | None = None
    units: tuple[Path, ...] = ()
    sheets: tuple[Path, ...] = ()
    scenarios: tuple[str, ...] = ()
    positions: tuple[Path, ...] = ()
    pictures: tuple[Path, ...] = ()

    @property
    def pack(self) -> Pack | None:
        """The rules pack of its game, as its owner file reads and completes it; None: no game.

        Raises:
            OwnerError: the owner file does not fit the game.
        """
        if self.game is None:
            return None
        if self.owner is None:
            return find_pack(self.game)
        return pack_with_owner(self.game, load_owner(self.owner))

    def map(self, name: str | None = None) -> HexMap:
        """Return one map by its id; without an id, the only one.

        Raises:
            ProjectError: no map of that id, or several and none named.
        """
        known = ", ".join(self.maps) or "none"
        if name is None:
            if len(self.maps) != 1:
                raise ProjectError(
                    f"the project '{self.name}' has {len(self.maps)} maps; name one: {known}"
                )
            name = next(iter(self.maps))
        if name not in self.maps:
            raise ProjectError(f"the project '{self.name}' has no map '{name}'; there is: {known}")
        return load_map(self.maps[name])

    @property
    def files(self) -> tuple[Path, ...]:
        """Every file the project names."""
        owner = () if self.owner is None else (self.owner,)
        return (
            *self.maps.values(),
            *owner,
            *self.units,
            *self.sheets,
            *self.positions,
            *self.pictures,
        )


def load_project(path: Path) -> Project:
    """Return the project in a folder, in a project.toml, or around a bare map.

    Raises:
        ProjectError: it does not read, or a path leads out of the folder.
    """
    if path.name.endswith(SUFFIX):
        require_file(path, what="map")
        title = path.name.removesuffix(SUFFIX)
        return Project(path.parent, title, maps={title: path})
    source = path / FILE if path.is_dir() else path
    if not source.exists():
        raise ProjectError(
            f"{path} is no project: there is no {FILE}; `mapkit project new {path}` makes one"
        )
    return parse_project(read_file(source, what="project file"), source)


def pack_named(name: str) -> Pack:
    """Return a game by its id, or the game of a project as its owner completed it.

    Raises:
        PackError: there is no such game.
        ProjectError: the project names none.
    """
    if name in pack_names() or not Path(name).exists():
        return find_pack(name)
    pack = load_project(Path(name)).pack
    if pack is None:
        known = ", ".join(pack_names())
        raise ProjectError(f"the project {name} names no game; there is: {known}")
    return pack


def parse_project(data: bytes, source: Path) -> Project:
    """Return the project that the bytes of a project.toml describe."""
    file = _read(data, source)
    folder = source.parent

    def here(key: str, text: str) -> Path:
        return inside(folder, text, f"{source}: {key}")

    def all_here(key: str, texts: list[str]) -> tuple[Path, ...]:
        return tuple(here(key, text) for text in texts)

    ids = [entry.id for entry in file.maps]
    for name in ids:
        if ids.count(name) > 1:
            raise ProjectError(f"{source}: two maps have the id '{name}'; rename one")
    for entry in file.joins:
        for name in (entry.first, entry.second):
            if name not in ids:
                raise ProjectError(f"{source}: joins: there is no map '{name}'; correct the id")
    return Project(
        folder=folder,
        name=file.name,
        game=file.game,
        maps={entry.id: here("maps", entry.file) for entry in file.maps},
        joins=tuple(file.joins),
        binding=file.binding,
        owner=None if file.owner is None else here("owner", file.owner),
        units=all_here("units", file.units),
        sheets=all_here("sheets", file.sheets),
        scenarios=tuple(file.scenarios),
        positions=all_here("positions", file.positions),
        pictures=all_here("pictures", file.pictures),
    )


def _read(data: bytes, source: Path) -> ProjectFile:
    try:
        content = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ProjectError(f"{source}: not UTF-8 text; save it as UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise ProjectError(f"{source}: broken TOML: {error}; mend that line") from None
    version = content.get("format")
    if version != FORMAT:
        raise ProjectError(
            f"{source}: its format is {version!r}, this Mapkit reads '{FORMAT}'; "
            "correct it, or install a newer Mapkit"
        )
    try:
        return ProjectFile.model_validate(content)
    except ValidationError as error:
        raise ProjectError(f"{source}: {told_faults(error)}; correct it") from None


def inside(folder: Path, text: str, place: str) -> Path:
    """Follow a relative path, refusing every way out of the folder, on any system.

    *place* says in the message where the path was written.
    """
    parts = PurePosixPath(text.replace("\\", "/"))
    ways_out = parts.is_absolute() or bool(PureWindowsPath(text).drive) or ".." in parts.parts
    if not text.strip() or ways_out or "\0" in text:
        raise ProjectError(f"{place}: '{text}' leads out of the project's folder; move it inside")
    path = folder / Path(*parts.parts)
    try:
        resolved, root = path.resolve(), folder.resolve()
    except (OSError, RuntimeError):
        raise ProjectError(f"{place}: the links of '{text}' run in a circle; mend them") from None
    if not resolved.is_relative_to(root):
        raise ProjectError(f"{place}: '{text}' is a link out of the project's folder; copy it in")
    return path


def bound_word(project: Project, group: Group, kind: Kind, pack: Pack) -> str | None:
    """Return the game's word for a map's kind; "" where it is bound to nothing on purpose.

    The project's table comes first; a kind whose own word, or whose role, the game has too
    binds by itself, and so does one whose role a single word of the game plays.
    """
    if group == "areas":
        return None
    table: Words = getattr(project.binding, group)
    if kind.id in table:
        return table[kind.id]
    spelled = kind.id.strip().casefold().replace(" ", "_").replace("-", "_")
    named = next((word for word in (spelled, kind.role) if word in pack.words(group)), None)
    if named is not None or kind.role is None:
        return named
    entries: Mapping[str, KindEntry] = getattr(pack, group)
    players = [word for word, entry in entries.items() if entry.role == kind.role]
    return players[0] if len(players) == 1 else None
