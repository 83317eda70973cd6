"""What the engine calls each place of an author's board: his grids, zones, regions and formats."""

import math
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypedDict

from exporters.model import ExportError
from exporters.vassal.elements import Element
from exporters.vassal.engine_hexes import Cell, EngineHexes, Pixel, holds
from exporters.vassal.engine_numbers import CountedAxis, EngineNumbers
from exporters.vassal.foreign import ForeignModule, refused, tags
from exporters.vassal.foreign_pictures import picture_size
from mapkit.grid import Point
from mapkit.numbering import Order
from mapkit.numbering_rule import Parts, allowed_separator

_PARTS = "VASSAL.build.module.map.boardPicker.board"
BOARD = "VASSAL.build.module.map.boardPicker.Board"
_MOST_CELLS = 100_000  # more are no hexes of a game: authors lay them to set pieces freely
_MOST, _LEAST = 1_000_000_000, 0.01
_MOST_DIGITS, _MOST_OFFSET = 20, 100_000  # no author counts so far: letters are doubled after Z
_USUAL_DY = 64.0
_USUAL_DX = math.sqrt(3) / 2 * _USUAL_DY
_PROPERTY = re.compile(r"\$([^$]+)\$")
_Outline = list[tuple[float, float]]


class _Looks(TypedDict, total=False):
    """How labels of a grid look on our maps."""

    numbered: bool
    order: Order
    separator: str


@dataclass(frozen=True, slots=True)
class Location:
    """A place that the engine names: its name in full, by its grid alone, and where it lies.

    *name* is "" where its format speaks of what we cannot know. *cell* is the engine's count of a
    hex, *parts* the texts of its column and its row as our maps count them; None for a named
    point. *label* is what a map of ours calls it: signs that have another use there are dots.
    """

    name: str
    bare: str
    at: Point
    cell: Cell | None = None
    parts: Parts | None = None
    label: str = ""
    zone: str = ""

    @property
    def calls(self) -> tuple[str, str, str, str]:
        """All that a map may call it, its zone's word before its own label at last."""
        label = self.label or self.bare
        return self.name, self.bare, label, f"{prefix_of(self.zone)}:{label}"


@dataclass(frozen=True, slots=True)
class ForeignPart:
    """A zone of a board, or what lies below all zones: its outline, its grid and its places.

    *kind* is the class of its grid, *inherits* tells that this is not its own but the one below;
    *hexes* is None where its places are points, or it has none. Where hexes are *numbered*,
    *order* and *separator* are those of their labels on our maps. *properties* are what the author
    says of all places in it.
    """

    name: str
    outline: tuple[tuple[float, float], ...]
    inherits: bool
    hexes: EngineHexes | None
    locations: tuple[Location, ...]
    kind: str = ""
    numbered: bool = False
    order: Order = "CCRR"
    separator: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ForeignBoard:
    """A board of an author's map window, and its parts: a pixel is of the first that holds it."""

    map_name: str
    name: str
    window: Element
    size_px: tuple[int, int]
    parts: tuple[ForeignPart, ...]
    image: str = ""

    @property
    def groups(self) -> tuple[tuple[Location, ...], ...]:
        """The locations whose names are known, grid by grid."""
        return tuple(tuple(one for one in part.locations if one.name) for part in self.parts)

    def part_at(self, at: Pixel) -> ForeignPart | None:
        """Return the part that a pixel belongs to."""
        return next((part for part in self.parts if holds(part.outline, *at)), None)


def places_called(places: Iterable[Location], labels: Container[str]) -> dict[str, Location]:
    """Return places by labels of a map: by whole names, or as the grid or a zone calls them."""
    ways: list[dict[str, Location]] = [{}, {}, {}, {}]
    for place in places:
        for way, word in zip(ways, place.calls, strict=True):
            if word in labels:
                way[word] = place
    return max(ways, key=len)


def prefix_of(zone: str) -> str:
    """Return what stands before the labels of a zone on our maps: its letters and digits.

    >>> prefix_of("North-West 2")
    'NorthWest2'
    """
    return "".join(sign for sign in zone if sign.isalnum())


@dataclass(frozen=True)
class _Zone:
    """A part of a board with a name format; the whole board is the last of them."""

    name: str
    form: str
    outline: _Outline
    grid: Element | None
    size: tuple[float, float]
    inherits: bool = False
    properties: dict[str, str] = field(default_factory=dict)

    @cached_property
    def _box(self) -> tuple[float, float, float, float]:
        xs, ys = [x for x, _ in self.outline], [y for _, y in self.outline]
        return (min(xs), min(ys), max(xs), max(ys)) if xs else (0.0, 0.0, -1.0, -1.0)

    def holds(self, x: int, y: int) -> bool:
        """Tell whether a pixel lies in it; most zones of a board with many are far off."""
        left, top, right, bottom = self._box
        return left <= x <= right and top <= y <= bottom and holds(self.outline, x, y)


@dataclass(frozen=True)
class _Reader:
    size: tuple[int, int]
    zones: list[_Zone]

    def parts(self) -> Iterator[ForeignPart]:
        named = {
            id(grid): self._of_grid(grid)
            for grid in dict.fromkeys(zone.grid for zone in self.zones)
            if grid is not None and _kind(grid) == "HexGrid"
        }
        for zone in self.zones:
            grid = zone.grid
            part = ForeignPart(
                zone.name,
                tuple(zone.outline),
                zone.inherits,
                None,
                (),
                _kind(grid),
                properties=zone.properties,
            )
            if id(grid) in named:
                hexes, places, looks = named[id(grid)]
                yield replace(part, hexes=hexes, locations=tuple(places.get(id(zone), ())), **looks)
            elif grid is not None and part.kind == "RegionGrid":
                yield replace(part, locations=tuple(self._regions(zone, grid)))
            else:
                yield part

    def _of_grid(self, grid: Element) -> tuple[EngineHexes, dict[int, list[Location]], _Looks]:
        """Return a grid, its places by the zone that they are in, and how labels look there."""
        hexes = self._engine_hexes(grid)
        numbering = next((one for one in grid if str(one.tag).endswith(".HexGridNumbering")), None)
        if numbering is None or hexes.count_on(self.size) > _MOST_CELLS:
            return hexes, {}, {}
        form = numbering.get("locationFormat", "$gridLocation$")
        rules: dict[int, EngineNumbers] = {}
        found: list[tuple[_Zone, Location]] = []
        for cell in hexes.cells_on(self.size):
            zone = self._zone_at(hexes.centre(cell))
            if zone is not None and zone.grid is grid:
                if id(zone) not in rules:
                    rules[id(zone)] = self._rule(hexes, numbering, zone.size)
                found.append((zone, _location(zone, rules[id(zone)], form, cell)))
        order: Order = (
            "CCRR" if (numbering.get("first", "H")[:1] != "V") != hexes.sideways else "RRCC"
        )
        sayable = (one.parts for _, one in found if one.parts and "-" not in "".join(one.parts))
        separator = allowed_separator(numbering.get("sep", ""), sayable, order)
        turn = 1 if order == "CCRR" else -1
        places: dict[int, list[Location]] = {}
        for zone, one in found:
            label = separator.join((one.parts or ())[::turn])
            places.setdefault(id(zone), []).append(replace(one, label=label))
        return hexes, places, {"numbered": True, "order": order, "separator": separator}

    def _engine_hexes(self, grid: Element) -> EngineHexes:
        dy = self._number(grid, "dy", _USUAL_DY)
        dx = self._number(grid, "dx", _USUAL_DX)
        if dx == _USUAL_DX:  # the engine takes it for not given, and makes the hexes regular
            dx = dy * math.sqrt(3) / 2
        x0, y0 = (int(self._number(grid, name, usual)) for name, usual in (("x0", 0), ("y0", 32)))
        if min(dx, dy) < _LEAST:
            raise ExportError("its hexes have no size")
        edges = "true" in (grid.get("edgesLegal"), grid.get("cornersLegal"))
        return EngineHexes(grid.get("sideways") == "true", x0, y0, dx, dy, edges)

    def _regions(self, zone: _Zone, grid: Element) -> Iterator[Location]:
        for one in grid:
            if one.tag != f"{_PARTS}.Region":
                continue
            at = (self._number(one, "originx", 0), self._number(one, "originy", 0))
            bare = one.get("name", "")
            name = _filled(zone.form, {"gridLocation": bare, "name": zone.name})
            if bare and self._zone_at((math.floor(at[0]), math.floor(at[1]))) is zone:
                yield Location(name or "", bare, at, zone=zone.name)

    def _zone_at(self, at: Pixel) -> _Zone | None:
        """Return the zone that names a place: the first that holds the pixel of a piece there."""
        return next((zone for zone in self.zones if zone.holds(*at)), None)

    def _number(self, one: Element, name: str, default: float, most: float = _MOST) -> float:
        text = one.get(name)
        try:
            value = float(text) if text else default
        except ValueError:
            value = math.nan
        if not abs(value) < most:
            what = str(one.tag).rpartition(".")[2]
            why = "which is no number" if math.isnan(value) else "which no map needs"
            raise ExportError(f"its {what} has {name}='{text}', {why}")
        return value

    def _rule(
        self, hexes: EngineHexes, numbering: Element, size: tuple[float, float]
    ) -> EngineNumbers:
        def flag(name: str, *, default: bool = False) -> bool:
            return bool(numbering.get(name, str(default).lower()) == "true")

        def axis(letter: str) -> CountedAxis:
            leading = int(self._number(numbering, f"{letter}Leading", 1, _MOST_DIGITS))
            offset = int(self._number(numbering, f"{letter}Off", 1, _MOST_OFFSET))
            type_ = numbering.get(f"{letter}Type", "N")[:1]
            return CountedAxis(type_, leading, offset, flag(f"{letter}Descend"))

        return EngineNumbers(
            hexes,
            size,
            axis("h"),
            axis("v"),
            numbering.get("first", "H")[:1] != "V",
            numbering.get("sep", ""),
            flag("stagger", default=True),
        )


def boards_of(module: ForeignModule) -> Iterator[ForeignBoard]:
    """Yield the boards of a module whose size is known, with every place the engine names.

    A board that does not read is passed over: the map may be on another.

    Raises:
        ExportError: none reads; it names the module.
    """
    broken, read = "", 0
    for window, board in board_elements(module):
        try:
            found = read_board(module, window, board)
        except ExportError as error:
            broken = broken or f"board {board.get('name', '')}: {error}"
            continue
        if found is not None:
            read += 1
            yield found
    if broken and not read:
        raise refused(module.file, broken)


def board_elements(module: ForeignModule) -> Iterator[tuple[Element, Element]]:
    """Yield each board of a module after the map window that it is of."""
    for window in module.maps:
        yield from ((window, one) for one in tags(window) if one.tag == BOARD)


def read_board(module: ForeignModule, window: Element, board: Element) -> ForeignBoard | None:
    """Return a board with its places; None where its picture, and so its size, is not known.

    Raises:
        ExportError: a grid holds what is no number.
    """
    size = _size(module, board)
    if size is None:
        return None
    reader = _Reader(size, list(_zones(board, size)))
    names = (window.get("mapName", ""), board.get("name", ""))
    return ForeignBoard(*names, window, size, tuple(reader.parts()), board.get("image", ""))


def _size(module: ForeignModule, board: Element) -> tuple[int, int] | None:
    if board.get("image"):
        return picture_size(module, board.get("image", ""))
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
            yield _Zone(
                zone.get("name", ""),
                zone.get("locationFormat", "$name$"),
                outline,
                grid if parent else own,
                bounds,
                parent,
                {
                    one.get("name", ""): one.get("initialValue", "")
                    for one in zone
                    if str(one.tag).endswith(".ZoneProperty")
                },
            )
    yield _Zone("", "$gridLocation$", whole, grid, size)


def _location(zone: _Zone, rule: EngineNumbers, form: str, cell: Cell) -> Location:
    words = rule.words(*cell)
    inner = _filled(form, words)
    known = {"name": zone.name} | ({} if inner is None else {"gridLocation": inner})
    column, row = words["column"], words["row"]
    return Location(
        _filled(zone.form, known) or "",
        words["gridLocation"],
        rule.hexes.exact_centre(cell),
        cell,
        (row, column) if rule.hexes.sideways else (column, row),
        zone=zone.name,
    )


def _kind(grid: Element | None) -> str:
    return "" if grid is None else str(grid.tag).removeprefix(f"{_PARTS}.")


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
