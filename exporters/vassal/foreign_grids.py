"""What the engine calls each place of an author's board: his grids, zones, regions and formats."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from exporters.vassal.elements import Element
from exporters.vassal.engine_hexes import Cell, EngineHexes, holds
from exporters.vassal.foreign import ForeignModule, refused, tags
from mapkit.grid import Point

_PARTS = "VASSAL.build.module.map.boardPicker.board"
_BOARD = "VASSAL.build.module.map.boardPicker.Board"
_MOST_CELLS = 1_000_000
_PROPERTY = re.compile(r"\$([^$]+)\$")
_Outline = list[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Location:
    """A place that the engine names: its name in full, by its grid alone, and where it lies.

    *cell* is the engine's count of a hex; None for a named point.
    """

    name: str
    bare: str
    at: Point
    cell: Cell | None = None


@dataclass(frozen=True, slots=True)
class ForeignPart:
    """A zone of a board, or what lies below all zones: its outline, its grid and its places.

    *inherits* tells that the zone has no grid of its own but that below; *hexes* is None where
    its places are points, or it has none.
    """

    name: str
    outline: tuple[tuple[float, float], ...]
    inherits: bool
    hexes: EngineHexes | None
    locations: tuple[Location, ...]


@dataclass(frozen=True, slots=True)
class ForeignBoard:
    """A board of an author's map window, and its parts: a pixel is of the first that holds it."""

    map_name: str
    name: str
    window: Element
    size_px: tuple[int, int]
    parts: tuple[ForeignPart, ...]

    @property
    def groups(self) -> tuple[tuple[Location, ...], ...]:
        """Its locations, grid by grid."""
        return tuple(part.locations for part in self.parts)


@dataclass(frozen=True)
class _Zone:
    """A part of a board with a name format; the whole board is the last of them."""

    name: str
    form: str
    outline: _Outline
    grid: Element | None
    size: tuple[float, float]
    inherits: bool = False


@dataclass(frozen=True)
class _Reader:
    module: ForeignModule
    board: str
    size: tuple[int, int]
    zones: list[_Zone] = field(default_factory=list)

    def parts(self) -> Iterator[ForeignPart]:
        for zone in self.zones:
            grid, hexes = zone.grid, None
            places: tuple[Location, ...] = ()
            if grid is not None and grid.tag == f"{_PARTS}.HexGrid":
                hexes = self._engine_hexes(grid)
                places = tuple(self._hexes(zone, grid))
            elif grid is not None and grid.tag == f"{_PARTS}.RegionGrid":
                places = tuple(self._regions(zone, grid))
            yield ForeignPart(zone.name, tuple(zone.outline), zone.inherits, hexes, places)

    def _engine_hexes(self, grid: Element) -> EngineHexes:
        dy = self._number(grid, "dy", 64.0)
        dx = self._number(grid, "dx", dy * math.sqrt(3) / 2)
        x0, y0 = (int(self._number(grid, name, usual)) for name, usual in (("x0", 0), ("y0", 32)))
        if min(dx, dy) <= 0:
            raise refused(self.module.file, f"the hexes of board {self.board} have no size")
        edges = "true" in (grid.get("edgesLegal"), grid.get("cornersLegal"))
        return EngineHexes(grid.get("sideways") == "true", x0, y0, dx, dy, edges)

    def _hexes(self, zone: _Zone, grid: Element) -> Iterator[Location]:
        numbering = next((one for one in grid if str(one.tag).endswith(".HexGridNumbering")), None)
        if numbering is None:
            return
        rule = self._rule(grid, numbering, zone.size)
        for column, row, at in rule.cells(self.size):
            if self._zone_at(at) is not zone:
                continue
            words = rule.words(column, row)
            inner = _filled(numbering.get("locationFormat", "$gridLocation$"), words)
            name = _filled(zone.form, {"gridLocation": inner or "", "name": zone.name})
            if inner is not None and name:
                yield Location(name, words["gridLocation"], at, (column, row))

    def _regions(self, zone: _Zone, grid: Element) -> Iterator[Location]:
        for one in grid:
            if one.tag != f"{_PARTS}.Region":
                continue
            at = (self._number(one, "originx", 0), self._number(one, "originy", 0))
            bare = one.get("name", "")
            name = _filled(zone.form, {"gridLocation": bare, "name": zone.name})
            if bare and name and self._zone_at(at) is zone:
                yield Location(name, bare, at)

    def _zone_at(self, at: Point) -> _Zone | None:
        """Return the zone that names a place: the first that holds the pixel of a piece there."""
        x, y = math.floor(at[0]), math.floor(at[1])
        return next((zone for zone in self.zones if holds(zone.outline, x, y)), None)

    def _number(self, one: Element, name: str, default: float) -> float:
        text = one.get(name)
        try:
            value = float(text) if text else default
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            where = f"{str(one.tag).rpartition('.')[2]} of board {self.board}"
            raise refused(self.module.file, f"{where} has {name}='{text}', which is no number")
        return value

    def _rule(self, grid: Element, numbering: Element, size: tuple[float, float]) -> "_Rule":
        def flag(name: str, *, default: bool = False) -> bool:
            return bool(numbering.get(name, str(default).lower()) == "true")

        def axis(letter: str) -> "_Axis":
            leading, offset = (
                int(self._number(numbering, f"{letter}{name}", 1)) for name in ("Leading", "Off")
            )
            type_ = numbering.get(f"{letter}Type", "N")[:1]
            return _Axis(type_, leading, offset, flag(f"{letter}Descend"))

        dy = self._number(grid, "dy", 64.0)
        made = _Rule(
            grid.get("sideways") == "true",
            (self._number(grid, "x0", 0), self._number(grid, "y0", 32)),
            (self._number(grid, "dx", dy * math.sqrt(3) / 2), dy),
            size,
            axis("h"),
            axis("v"),
            numbering.get("first", "H")[:1] != "V",
            numbering.get("sep", ""),
            flag("stagger", default=True),
        )
        width, height = self.size
        if min(made.steps) <= 0 or width * height / (made.steps[0] * made.steps[1]) > _MOST_CELLS:
            raise refused(self.module.file, f"the hexes of board {self.board} have no size")
        return made


def boards_of(module: ForeignModule) -> Iterator[ForeignBoard]:
    """Yield the boards of a module whose size is known, with every place the engine names.

    Raises:
        ExportError: a grid holds what is no number.
    """
    for window in module.maps:
        for board in (one for one in tags(window) if one.tag == _BOARD):
            size = _size(module, board)
            if size is None:
                continue
            reader = _Reader(module, board.get("name", ""), size)
            reader.zones.extend(_zones(board, size))
            parts = tuple(reader.parts())
            yield ForeignBoard(window.get("mapName", ""), reader.board, window, size, parts)


def _size(module: ForeignModule, board: Element) -> tuple[int, int] | None:
    if board.get("image"):
        return module.picture_size(board.get("image", ""))
    texts = board.get("width", "500"), board.get("height", "500")
    width, height = (int(text) if text.isdecimal() else 0 for text in texts)
    return (width, height) if width and height else None


def _zones(board: Element, size: tuple[int, int]) -> Iterator[_Zone]:
    whole: _Outline = [(0, 0), (size[0], 0), size, (0, size[1])]
    grid = next((one for one in board if str(one.tag).endswith("Grid")), None)
    if grid is not None and grid.tag == f"{_PARTS}.ZonedGrid":
        parts, grid = grid, next((one for one in grid if str(one.tag).endswith("Grid")), None)
        for zone in (one for one in parts if one.tag == f"{_PARTS}.mapgrid.Zone"):
            outline = _outline(zone.get("path", ""))
            own = next((one for one in zone if str(one.tag).endswith("Grid")), None)
            parent = zone.get("useParentGrid") == "true"
            bounds = size if parent or not outline else _bounds(outline)
            form = zone.get("locationFormat", "$name$")
            used = grid if parent else own
            yield _Zone(zone.get("name", ""), form, outline, used, bounds, inherits=parent)
    yield _Zone("", "$gridLocation$", whole, grid, size)


@dataclass(frozen=True, slots=True)
class _Axis:
    type: str
    leading: int
    offset: int
    descend: bool

    def written(self, number: int) -> str:
        number += self.offset
        sign, size = ("-", -number) if number < 0 else ("", number)
        if self.type == "A":
            return sign + chr(ord("A") + size % 26) * (size // 26 + 1)
        return sign + str(size).rjust(self.leading + 1, "0")


@dataclass(frozen=True, slots=True)
class _Rule:
    """A HexGrid with its numbering, as the engine counts; sideways, x and y change places."""

    sideways: bool
    first: tuple[float, float]
    steps: tuple[float, float]
    size: tuple[float, float]
    h: _Axis
    v: _Axis
    columns_first: bool
    separator: str
    stagger: bool

    def cells(self, board: tuple[int, int]) -> Iterator[tuple[int, int, Point]]:
        """Yield column, row and centre of the hexes whose centres lie on a board."""
        wide, tall = board[::-1] if self.sideways else board
        (x0, y0), (dx, dy) = self.first, self.steps
        for column in range(math.floor(-x0 / dx) - 1, math.ceil((wide - x0) / dx) + 2):
            lower = dy / 2 if column % 2 else 0.0
            for row in range(math.floor(-y0 / dy) - 2, math.ceil((tall - y0) / dy) + 2):
                x, y = x0 + column * dx, y0 + row * dy + lower
                if 0 <= x < wide and 0 <= y < tall:
                    yield column, row, (y, x) if self.sideways else (x, y)

    def words(self, column: int, row: int) -> dict[str, str]:
        """Return what a location format may speak of: the label and its two parts."""
        most_columns = math.floor(self.size[0] / self.steps[1] + 0.5)
        most_rows = math.floor(self.size[1] / self.steps[0] + 0.5)
        # Sideways the engine takes the direction of its columns from vDescend, and the other way.
        falls = (self.h.descend, self.v.descend)
        if self.sideways:
            most_columns, most_rows, falls = most_rows, most_columns, falls[::-1]
        c = most_columns - column if falls[0] else column
        r = most_rows - row if falls[1] else row
        if self.stagger and column % 2:
            r += -1 if falls[1] else 1
        parts = {"column": self.h.written(c), "row": self.v.written(r)}
        order = ("column", "row") if self.columns_first else ("row", "column")
        return parts | {"gridLocation": self.separator.join(parts[one] for one in order)}


def _filled(form: str, words: dict[str, str]) -> str | None:
    """Return a format with its words put in; None where it speaks of what we cannot know."""
    if form.startswith("{") or any(one not in words for one in _PROPERTY.findall(form)):
        return None
    return _PROPERTY.sub(lambda match: words[match[1]], form)


def _outline(path: str) -> _Outline:
    points = [pair.split(",") for pair in path.split(";")]
    try:
        return [(float(x), float(y)) for x, y in points]
    except ValueError:
        return []  # the engine passes over what it cannot read: such a zone holds nothing


def _bounds(outline: _Outline) -> tuple[float, float]:
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return max(xs) - min(xs), max(ys) - min(ys)
