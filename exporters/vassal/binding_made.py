"""The binding of a module, worked out from its own grids: boards are tied to maps by their labels.

Nothing is guessed: a board is a map where nearly all its labels are in one lattice with the map's,
and of two maps that fit alike the one that bears its name. Else the board stays untied.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from exporters.model import ExportError
from exporters.vassal.binding import Binding, BoardPart, BoundBoard, BoundWindow, UnitKeys
from exporters.vassal.elements import Element
from exporters.vassal.engine_hexes import Cell, EngineHexes, Pixel, holds
from exporters.vassal.fitting import LEAST_SHARE
from exporters.vassal.foreign import ForeignModule, tags
from exporters.vassal.foreign_grids import (
    BOARD,
    ForeignBoard,
    ForeignPart,
    Location,
    board_elements,
    places_called,
    read_board,
)
from exporters.vassal.saves.table import Laid
from exporters.vassal.sequence import TAB, split
from mapkit.hexes import Hex
from mapkit.model import HexMap

Maps = Mapping[str, HexMap]
BoardMaps = Mapping[tuple[str, str], tuple[str, ...]]
"""Which maps a board may be, one for each of its zones, by the names of its window and its own."""

_FEWEST = 2  # one label alone may be chance
_NEAR_PX = 2.0


@dataclass(frozen=True, slots=True)
class _Tie:
    """A part of a board on a map: how many of its places are hexes of the map, and how they lie."""

    map: str
    n: int
    first: Cell = (0, 0)
    points: tuple[tuple[str, Pixel], ...] = ()


def bind(
    module: ForeignModule,
    maps: Maps,
    *,
    boards: BoardMaps | None = None,
    units: UnitKeys | None = None,
    sides: Mapping[str, str] | None = None,
    side_mark: str = "",
    boxes: Mapping[str, str] | None = None,
) -> Binding:
    """Return what ties a module to the maps of a project.

    *boards* says which maps a board may be, where that is known; else it is found by its labels.
    A board whose grid does not read stays untied.
    *boxes* are words of boxes by the name of a window or zone, in lower case.
    """
    words = {name.casefold(): word for name, word in (boxes or {}).items()}
    found: dict[str, list[ForeignBoard]] = {}
    for board in _readable(module):
        found.setdefault(board.map_name, []).append(board)
    windows = []
    for window in module.maps:
        name = window.get("mapName", "")
        own = found.get(name, [])
        tied = tuple(_board(one, _candidates(one, maps, boards), words) for one in own)
        box = "" if any(_is_tied(one) for one in tied) else words.get(name.casefold(), "")
        windows.append(BoundWindow(name, _edge(window), tied, _laid(window), box))
    kept = _covered(windows, maps)
    return Binding(module.name, module.version, kept, units or UnitKeys(), sides or {}, side_mark)


def _readable(module: ForeignModule) -> Iterator[ForeignBoard]:
    for window, element in board_elements(module):
        with suppress(ExportError):
            board = read_board(module, window, element)
            if board is not None:
                yield board


def _candidates(board: ForeignBoard, maps: Maps, known: BoardMaps | None) -> Maps:
    if known is None:
        return maps
    names = known.get((board.map_name, board.name), ())
    return {name: maps[name] for name in names if name in maps}


def _board(board: ForeignBoard, maps: Maps, boxes: Mapping[str, str]) -> BoundBoard:
    """Return a board with its parts tied; zones that only lie on the grid below are left out.

    That is the engine's way too: the grid counts, whichever zone of it a pixel is in. One that
    lies before a zone of another kind stays, for it keeps that zone off.
    """
    *zones, ground = board.parts
    shared = [
        one for part in board.parts if part.inherits or part is ground for one in part.locations
    ]
    kept = [one for one in zones if not one.inherits or boxes.get(one.name.casefold())]
    last = zones.index(kept[-1]) if kept else -1
    made = []
    for part in (*zones[: last + 1], ground):
        own = not part.inherits and part is not ground
        places, hexes = (part.locations, part.hexes) if own else (shared, ground.hexes)
        tie = _tie(board, hexes, places, maps, () if part is ground else part.outline)
        made.append(_part(part, hexes, tie, boxes, whole=part is ground))
    return BoundBoard(board.name, board.size_px, tuple(made))


def _part(
    part: ForeignPart,
    hexes: EngineHexes | None,
    tie: _Tie | None,
    boxes: Mapping[str, str],
    *,
    whole: bool,
) -> BoardPart:
    outline = () if whole else tuple((round(x), round(y)) for x, y in part.outline)
    box = "" if whole else boxes.get(part.name.casefold(), "")
    if box or tie is None:
        return BoardPart(part.name, outline, box=box)
    grid = None if tie.points else hexes
    return BoardPart(part.name, outline, tie.map, grid, tie.first, dict(tie.points))


def _tie(
    board: ForeignBoard,
    hexes: EngineHexes | None,
    places: Sequence[Location],
    maps: Maps,
    outline: Sequence[tuple[float, float]],
) -> _Tie | None:
    """Return the map that places are of; None where none fits, or several alike."""
    ties = []
    for id_, map_ in maps.items():
        tie = _by_labels(id_, map_, hexes, places) or _by_pixels(id_, map_, hexes)
        if tie is not None:
            ties.append(tie)
    most = max((tie.n for tie in ties), default=0)
    best = [tie for tie in ties if tie.n == most]
    if len(best) > 1:  # two zones may call their hexes alike: then it counts where they lie
        lying = [one for one in best if _lies_in(maps[one.map], hexes, outline)]
        best = lying if len(lying) == 1 else best
    if len(best) > 1:
        names = {board.name.casefold(), board.map_name.casefold()}
        best = [tie for tie in best if names & {tie.map.casefold(), maps[tie.map].title.casefold()}]
    return best[0] if len(best) == 1 else None


def _by_labels(
    id_: str, map_: HexMap, hexes: EngineHexes | None, places: Sequence[Location]
) -> _Tie | None:
    """Return a map by what its hexes are called: by whole names, else by those of the grid."""
    labels = {map_.label(hex_): hex_ for hex_ in map_.hexes}
    matched = places_called(places, labels)
    if len(matched) < _FEWEST:
        return None
    if hexes is None:
        points = tuple(
            (name, (round(one.at[0]), round(one.at[1]))) for name, one in matched.items()
        )
        return _Tie(id_, len(points), points=points)
    if hexes.sideways != (map_.grid.orientation == "pointy"):
        return None
    votes = Counter(_first(hexes, labels[name], one) for name, one in matched.items())
    ((first, n),) = votes.most_common(1)
    return _Tie(id_, n, first) if n >= LEAST_SHARE * len(matched) else None


def _by_pixels(id_: str, map_: HexMap, hexes: EngineHexes | None) -> _Tie | None:
    """Return a map by where its hexes lie, where its picture is the board's own."""
    if hexes is None or hexes.sideways != (map_.grid.orientation == "pointy") or not map_.hexes:
        return None
    start = next(iter(map_.hexes))
    x, y = map_.grid.centre(start)
    cell = hexes.cell_at(round(x), round(y))
    zero = hexes.hex_of(cell, (0, 0))
    first = hexes.cell_of(Hex(zero.q - start.q, zero.r - start.r), (0, 0))
    for hex_ in map_.hexes:
        at_x, at_y = hexes.centre(hexes.cell_of(hex_, first))
        x, y = map_.grid.centre(hex_)
        if max(abs(at_x - x), abs(at_y - y)) > _NEAR_PX:
            return None
    return _Tie(id_, len(map_.hexes), first)


def _lies_in(
    map_: HexMap, hexes: EngineHexes | None, outline: Sequence[tuple[float, float]]
) -> bool:
    """Tell whether a map's hexes lie on those of a zone and, most of them, in it."""
    if _by_pixels("", map_, hexes) is None:
        return False
    centres = [map_.grid.centre(hex_) for hex_ in map_.hexes]
    return not outline or sum(holds(outline, *at) for at in centres) >= LEAST_SHARE * len(centres)


def _first(hexes: EngineHexes, hex_: Hex, place: Location) -> Cell:
    """Return the engine's count of our (0, 0), were a hex at this place."""
    at = hexes.hex_of(place.cell or (0, 0), (0, 0))
    return hexes.cell_of(Hex(at.q - hex_.q, at.r - hex_.r), (0, 0))


def _covered(windows: Sequence[BoundWindow], maps: Maps) -> tuple[BoundWindow, ...]:
    """Return the windows without ties to maps of which too few hexes are there at all."""
    found: dict[str, set[Hex]] = {id_: set() for id_ in maps}
    for window in windows:
        for board in window.boards:
            for id_ in {part.map for part in board.parts if part.map}:
                on_it = (h for h in maps[id_].hexes if board.pixel(id_, h, maps[id_].label(h)))
                found[id_].update(on_it)
    lacking = {id_ for id_, map_ in maps.items() if len(found[id_]) < LEAST_SHARE * len(map_.hexes)}
    return tuple(
        replace(window, boards=tuple(_untied(board, lacking) for board in window.boards))
        for window in windows
    )


def _untied(board: BoundBoard, maps: Collection[str]) -> BoundBoard:
    parts = (
        BoardPart(part.name, part.outline) if part.map in maps else part for part in board.parts
    )
    return replace(board, parts=tuple(parts))


def _is_tied(board: BoundBoard) -> bool:
    return any(part.map for part in board.parts)


def _edge(window: Element) -> tuple[int, int]:
    width, height = (window.get(name, "0") for name in ("edgeWidth", "edgeHeight"))
    return (int(width) if width.isdecimal() else 0, int(height) if height.isdecimal() else 0)


def _laid(window: Element) -> tuple[Laid, ...]:
    """Return the boards that a new game begins with: as the author chose them, or the only one."""
    setup = next((one.text or "" for one in tags(window) if one.tag == "setup"), "")
    _, *words = split(TAB, setup)
    threes = zip(words[::3], words[1::3], words[2::3], strict=False)
    laid = tuple((name, int(c), int(r)) for name, c, r in threes if c.isdecimal() and r.isdecimal())
    boards = [one.get("name", "") for one in tags(window) if one.tag == BOARD]
    return laid or (((boards[0], 0, 0),) if len(boards) == 1 else ())
