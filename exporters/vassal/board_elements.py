"""Boards, grids and zones as elements of the build file."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from shapely import Polygon, union_all

from exporters.model import Dropped
from exporters.vassal.boards import Board
from exporters.vassal.elements import Element, add, element
from exporters.vassal.hex_grid import EngineGrid, engine_grid, runs
from mapkit.grid import Point
from mapkit.hexes import Hex
from mapkit.numbering import Numbering, SheetNumbering

_BOARD = "build.module.map.boardPicker.Board"
_PARTS = "build.module.map.boardPicker.board"
_ROOM_PX = 2.0  # a zone reaches so far beyond its hexes: no crack lies between two


@dataclass(frozen=True)
class NumberedPart:
    """Hexes that one rule of the engine names: all of a board, or those of a zone."""

    hexes: tuple[Hex, ...]
    numbering: Numbering
    first: tuple[int, int]
    prefix: str = ""


Notices = tuple[Dropped, ...]


def board_element(board: Board, file: str) -> tuple[Element, Notices, Notices]:
    """Return a board with its grid, what the engine cannot hold of it, and what to know of it."""
    made = element(_BOARD, name=board.name, image=file, reversible=False)
    parts = numbered_parts(board.map.numbering, board.map.hexes)
    if parts is None:
        made.append(_regions(board))
        return made, (Dropped("exporters.vassal.lost.regions", {"board": board.name}),), ()
    if len(parts) == 1 and not parts[0].prefix:
        made.append(_grid_element(_engine_grid(board, parts[0], board.size_px)))
        return made, (), ()
    zoned = add(made, f"{_PARTS}.ZonedGrid")
    for number, part in enumerate(parts, start=1):
        zoned.append(_zone(board, part, part.prefix or str(number)))
    # Below the zones one grid for all: ranges are counted across them.
    zoned.append(_grid_element(_engine_grid(board, parts[0], board.size_px)))
    zones = Dropped("exporters.vassal.hint.zones", {"board": board.name, "n": len(parts)})
    return made, (), (zones,)


def engine_centres(board: Board) -> dict[Hex, tuple[int, int]]:
    """Return the pixel of a board where the engine sets a piece in each hex."""
    parts = numbered_parts(board.map.numbering, board.map.hexes)
    if parts is None:
        return {hex_: _nearest_px(board, hex_) for hex_ in board.map.hexes}
    found: dict[Hex, tuple[int, int]] = {}
    for part in parts:
        grid = _engine_grid(board, part, board.size_px)
        for hex_ in part.hexes:
            found[hex_] = grid.centre_near(board.lattice.centre(hex_))
    return found


def numbered_parts(
    numbering: Numbering | SheetNumbering, hexes: Iterable[Hex]
) -> tuple[NumberedPart, ...] | None:
    """Return the hexes parted so that the engine can name each part; None where it cannot."""
    if isinstance(numbering, Numbering):
        return _parts_of(numbering, tuple(hexes))
    found: list[NumberedPart] = []
    left = list(hexes)
    for sheet in numbering.parts:
        own = tuple(hex_ for hex_ in left if sheet.covers(hex_))
        left = [hex_ for hex_ in left if not sheet.covers(hex_)]
        parts = _parts_of(sheet.numbering, own, f"{sheet.prefix}:") if own else ()
        if parts is None:
            return None
        found += parts
    return None if left else tuple(found)


def _parts_of(
    numbering: Numbering, hexes: tuple[Hex, ...], prefix: str = ""
) -> tuple[NumberedPart, ...] | None:
    places = {hex_: numbering.position(hex_) for hex_ in hexes}
    columns, rows = zip(*places.values(), strict=True)
    spans = (
        runs(numbering.columns, min(columns), max(columns)),
        runs(numbering.rows, min(rows), max(rows)),
    )
    if spans[0] is None or spans[1] is None:
        return None
    parts = []
    for left, right in spans[0]:
        for top, bottom in spans[1]:
            own = tuple(
                hex_ for hex_, (c, r) in places.items() if left <= c <= right and top <= r <= bottom
            )
            if own:
                parts.append(NumberedPart(own, numbering, (left, top), prefix))
    return tuple(parts)


def _engine_grid(board: Board, part: NumberedPart, size_px: tuple[int, int]) -> EngineGrid:
    return engine_grid(board.lattice, part.numbering, part.first, size_px)


def _grid_element(grid: EngineGrid, location: str = "$gridLocation$") -> Element:
    made = element(
        f"{_PARTS}.HexGrid",
        sideways=grid.sideways,
        x0=grid.x0,
        y0=grid.y0,
        dx=grid.dx,
        dy=grid.dy,
        snapTo=True,
        edgesLegal=False,
        cornersLegal=False,
        visible=False,
        dotsVisible=False,
        color="0,0,0",
    )
    # Sideways the engine takes the direction of its columns from vDescend, and the other way.
    falling = (grid.v, grid.h) if grid.sideways else (grid.h, grid.v)
    add(
        made,
        f"{_PARTS}.mapgrid.HexGridNumbering",
        first=grid.first,
        sep=grid.separator,
        hType=grid.h.type,
        hLeading=grid.h.leading,
        hOff=grid.h.offset,
        hDescend=falling[0].descend,
        vType=grid.v.type,
        vLeading=grid.v.leading,
        vOff=grid.v.offset,
        vDescend=falling[1].descend,
        stagger=False,
        visible=False,
        locationFormat=location,
    )
    return made


def _zone(board: Board, part: NumberedPart, name: str) -> Element:
    outline = _outline(board, part.hexes)
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    size = (max(xs) - min(xs), max(ys) - min(ys))
    zone = element(
        f"{_PARTS}.mapgrid.Zone",
        name=name.removesuffix(":"),
        path=";".join(f"{x},{y}" for x, y in outline),
        locationFormat=f"{part.prefix}$gridLocation$",
        useParentGrid=False,
        useHighlight=False,
        highlightProperty="",
    )
    zone.append(_grid_element(_engine_grid(board, part, size)))
    return zone


def _outline(board: Board, hexes: Iterable[Hex]) -> list[tuple[int, int]]:
    """Return the outline of hexes in whole pixels; a hole in them is covered too."""
    whole = union_all([Polygon(_corners(board, hex_)).buffer(_ROOM_PX) for hex_ in hexes])
    if whole.geom_type != "Polygon":
        whole = whole.convex_hull
    shape = whole.simplify(1.0)
    return [(round(x), round(y)) for x, y in shape.exterior.coords[:-1]]


def _corners(board: Board, hex_: Hex) -> Iterator[Point]:
    x, y = board.lattice.centre(hex_)
    across, along = board.lattice.across_px, board.lattice.along_px
    flat = board.lattice.orientation == "flat"
    for over, down in ((2, 0), (1, 1.5), (-1, 1.5), (-2, 0), (-1, -1.5), (1, -1.5)):
        a, b = over * across / 3, down * along / 3
        yield (x + a, y + b) if flat else (x + b, y + a)


def _regions(board: Board) -> Element:
    """Return a named point for each hex: any label in any place, but no count of hexes."""
    made = element(f"{_PARTS}.RegionGrid", snapto=True, visible=False, fontsize=9)
    for hex_ in board.map.hexes:
        x, y = _nearest_px(board, hex_)
        add(made, f"{_PARTS}.Region", name=board.map.label(hex_), originx=x, originy=y)
    return made


def _nearest_px(board: Board, hex_: Hex) -> tuple[int, int]:
    x, y = board.lattice.centre(hex_)
    return round(x), round(y)
