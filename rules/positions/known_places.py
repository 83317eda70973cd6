"""Places that a game and its maps really have: what a change of a position is held against."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import get_args

from mapkit.errors import MapkitError
from mapkit.model import HexMap
from rules.errors import RulesError
from rules.pack import Pack
from rules.positions.position import Place
from rules.project import FILE, load_project
from rules.registry import find_pack
from rules.scenarios.scenario_files import find_scenarios
from rules.schema.placement import Edge

Maps = Mapping[str, HexMap]


def maps_beside(position_file: Path, game: str, map_file: Path | None = None) -> Maps:
    """Return the maps a position is played on, by id: those named, or of the project beside it.

    Empty where there is no such project, or it is of another game: then nobody can tell.

    Raises:
        RulesError: the project that was named is of another game.
    """
    beside = position_file.parent / FILE
    if map_file is None and not beside.is_file():
        return {}
    project = load_project(map_file or beside)
    if project.game is not None and project.game != game:
        if map_file is None:
            return {}
        raise RulesError(
            f"the position is of '{game}', {map_file} of '{project.game}'; name its own"
        )
    return {name: project.map(name) for name in project.maps}


def pack_beside(position_file: Path, game: str) -> Pack:
    """Return a game as the owner of the project beside a position reads and completes it.

    As it is installed where there is no such project, or it is of another game.
    """
    beside = position_file.parent / FILE
    project = load_project(beside) if beside.is_file() else None
    own = project.pack if project is not None and project.game == game else None
    return own or find_pack(game)


def require_place(place: Place, pack: Pack, maps: Maps) -> None:
    """Refuse a place that the game does not have; a hex, where maps are at hand, that they lack.

    Raises:
        RulesError: there is no such hex, map, box or edge.
    """
    if place.kind == "hex":
        _require_hex(place, pack, maps)
    elif place.kind == "edge":
        _require(place.at, get_args(Edge), "edge of the map")
    elif place.kind == "box" and pack.boxes:
        words = [*pack.boxes, *display_boxes(pack)]
        formations = find_scenarios(pack.id).formations  # each has room of its own on some displays
        _require(place.at, [*words, *formations], "box", shown=words)


def display_boxes(pack: Pack) -> tuple[str, ...]:
    """Return the boxes that headquarters are laid in by their guns, as printed: 0, 1-5, 6-10."""
    rules = None if pack.command is None else pack.command.activation
    most = () if rules is None else rules.boxes
    lows = (0, *(one + 1 for one in most))
    return tuple(
        str(high) if low == high else f"{low}-{high}" for low, high in zip(lows, most, strict=False)
    )


def _require_hex(place: Place, pack: Pack, maps: Maps) -> None:
    try:
        pack.layout.any_numbering().parse_label(place.at)
    except MapkitError as error:
        raise RulesError(f"{error}; or write box:NAME, edge:N, off_map or unplaced") from None
    if not maps:
        return
    if place.map:
        _require(place.map, maps, "map")
    faults = []
    for name in [place.map] if place.map else maps:
        try:
            maps[name].hex(place.at)
            return
        except MapkitError as error:
            faults.append(str(error))
    raise RulesError(faults[0] if len(faults) == 1 else f"no map has a hex {place.at}")


def _require(word: str, known: Iterable[str], what: str, shown: Iterable[str] = ()) -> None:
    if word not in known:
        there = ", ".join(shown or known)
        raise RulesError(f"there is no {what} '{word}'; there is: {there}")
