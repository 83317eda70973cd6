"""The hexes of a board, lattice by lattice, and the rule that calls them as the engine does.

Zones with grids of their own may continue one lattice or lie on another one. Each lattice becomes
a map; where its zones number their hexes each for itself, the labels bear the zone's word, and
where even that cannot be told from the labels, each zone becomes a map.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from exporters.vassal.engine_hexes import EngineHexes
from exporters.vassal.foreign_grids import ForeignBoard, ForeignPart, Location, prefix_of
from exporters.vassal.importing.point_lattice import lattice_through
from mapkit.errors import NumberingError
from mapkit.grid import Grid
from mapkit.hexes import Hex
from mapkit.numbering import AnyNumbering, Numbering, SheetNumbering, SheetPart
from mapkit.numbering_rule import counted_numbering, numbering_by_rule, numbering_of_labels

LEAST_PITCH_PX = 8.0
"""Hexes nearer to each other are no print: authors lay such grids to set pieces freely."""

MOST_HEXES = 100_000
"""Nor are more of them."""

_BELOW_ZERO = "-"
_SAME = 0.15  # of a hex: centres nearer than this are those of one lattice


@dataclass(frozen=True)
class HexField:
    """Hexes of a board on one lattice: what the engine calls each, and what a map will.

    A place is None where the engine has no name for it. *ruled* tells that the labels are the
    engine's own, *unnumbered* how many hexes were left out because their numbers are below zero.
    """

    grid: Grid
    places: Mapping[Hex, Location | None]
    numbering: AnyNumbering
    ruled: bool = True
    unnumbered: int = 0
    zone: str = ""


@dataclass
class _Lattice:
    """Hexes that lie on one lattice, part by part."""

    grid: Grid
    parts: list[tuple[ForeignPart, dict[Hex, Location | None]]] = field(default_factory=list)
    taken: set[Hex] = field(default_factory=set)

    def add(self, part: ForeignPart, places: dict[Hex, Location | None]) -> None:
        self.parts.append((part, {h: one for h, one in places.items() if h not in self.taken}))
        self.taken.update(places)


def fields_of(board: ForeignBoard) -> Iterator[HexField]:
    """Yield the hexes of a board, a map's worth at a time."""
    for lattice in _lattices(board):
        yield from _numbered(lattice)
    for part in board.parts:
        if part.hexes is None and part.locations:
            found = _of_points(part)
            if found is not None:
                yield found


def _lattices(board: ForeignBoard) -> list[_Lattice]:
    """Return the hexes of all grids, those of one lattice together; the largest part leads."""
    found: list[_Lattice] = []
    parts = [
        (part, hexes)
        for part in board.parts
        if (hexes := part.hexes) is not None and is_printed(hexes, board.size_px)
    ]
    cells = {id(part): _cells(board, part, hexes) for part, hexes in parts}
    for part, hexes in sorted(parts, key=lambda one: -len(cells[id(one[0])])):
        own = cells[id(part)]
        if not own:
            continue
        for lattice in found:
            moved = _moved(lattice.grid, own, hexes)
            if moved is not None:
                lattice.add(part, moved)
                break
        else:
            found.append(_Lattice(grid_of(hexes)))
            found[-1].add(part, own)
    return found


def is_printed(hexes: EngineHexes, size_px: tuple[int, int]) -> bool:
    """Tell whether hexes may be those of a printed map."""
    return min(hexes.dx, hexes.dy) >= LEAST_PITCH_PX and hexes.count_on(size_px) <= MOST_HEXES


def _cells(
    board: ForeignBoard, part: ForeignPart, hexes: EngineHexes
) -> dict[Hex, Location | None]:
    """Return the hexes of one grid by our count, (0, 0) where the engine counts (0, 0)."""
    if part.numbered:
        named = {one.cell: one for one in part.locations if one.cell is not None}
        return {hexes.hex_of(cell, (0, 0)): one for cell, one in named.items()}
    own = (cell for cell in hexes.cells_on(board.size_px))
    return {
        hexes.hex_of(cell, (0, 0)): None
        for cell in own
        if board.part_at(hexes.centre(cell)) is part
    }


def grid_of(hexes: EngineHexes) -> Grid:
    """Return a grid of the engine's as ours: its (0, 0) is our hex (0, 0)."""
    dx, dy = hexes.dx, hexes.dy
    if hexes.sideways:
        rows = ((dy, dy / 2, hexes.y0), (0.0, dx, hexes.x0), (0.0, 0.0, 1.0))
        return Grid("pointy", rows)
    return Grid("flat", ((dx, 0.0, hexes.x0), (dy / 2, dy, hexes.y0), (0.0, 0.0, 1.0)))


def _moved(
    grid: Grid, own: dict[Hex, Location | None], hexes: EngineHexes
) -> dict[Hex, Location | None] | None:
    """Return hexes of another grid as hexes of this one; None where they lie otherwise."""
    other = grid_of(hexes)
    if other.orientation != grid.orientation:
        return None
    near = _SAME * min(hexes.dx, hexes.dy)
    moved: dict[Hex, Location | None] = {}
    for hex_, place in own.items():
        at = other.centre(hex_)
        here = grid.hex_at(*at)
        if math.dist(grid.centre(here), at) > near:
            return None
        moved[here] = place
    return moved if len(moved) == len(own) else None


def _numbered(lattice: _Lattice) -> Iterator[HexField]:
    """Yield the hexes of a lattice with the numbering that calls them as the engine does."""
    whole = _by_one_rule(lattice.grid, lattice.parts)
    if whole is None and len(lattice.parts) > 1:
        whole = _by_zones(lattice)
    if whole is not None:
        yield whole
        return
    if len(lattice.parts) > 1:
        yield from _apart(lattice)
        return
    ((part, places),) = lattice.parts
    numbering = counted_numbering(tuple(places), lattice.grid.orientation)
    yield HexField(lattice.grid, places, numbering, ruled=False, zone=part.name)


def _apart(lattice: _Lattice) -> Iterator[HexField]:
    """Yield the zones by one rule without what lies below them, else each part for itself."""
    zones = [(part, places) for part, places in lattice.parts if part.name or part.inherits]
    rest = [(part, places) for part, places in lattice.parts if not (part.name or part.inherits)]
    together = _by_one_rule(lattice.grid, zones) if zones and rest else None
    if together is not None:
        yield together
    for one in rest if together is not None else lattice.parts:
        yield from _numbered(_Lattice(lattice.grid, [one]))


def _by_one_rule(
    grid: Grid, parts: Sequence[tuple[ForeignPart, dict[Hex, Location | None]]]
) -> HexField | None:
    """Return the hexes by one numbering, without those it has no label for."""
    looks = {(part.order, part.separator) for part, places in parts if any(places.values())}
    if len(looks) != 1:
        return None
    ((order, separator),) = looks
    places = {hex_: one for _, own in parts for hex_, one in own.items() if one is not None}
    sayable = {
        hex_: one.parts
        for hex_, one in places.items()
        if one.parts is not None and _BELOW_ZERO not in "".join(one.parts)
    }
    numbering = numbering_by_rule(sayable, grid.orientation, order=order, separator=separator)
    if numbering is None:
        return None
    kept = {hex_: places[hex_] for hex_ in sayable}
    left_out = sum(len(own) for _, own in parts) - len(kept)
    zone = parts[0][0].name if len(parts) == 1 else ""
    return HexField(grid, kept, numbering, unnumbered=left_out, zone=zone)


def _by_zones(lattice: _Lattice) -> HexField | None:
    """Return the hexes with each zone's word before its own labels, `A:0305`."""
    single = [_by_one_rule(lattice.grid, [one]) for one in lattice.parts]
    fields = [one for one in single if one is not None]
    if len(fields) < len(lattice.parts):
        return None
    try:
        numbering = SheetNumbering(tuple(map(_sheet_part, fields)))
    except NumberingError:
        return None  # a zone without a name, or two of one
    kept = {hex_: one for field_ in fields for hex_, one in field_.places.items()}
    try:
        alike = all(
            one is not None and numbering.format_label(hex_) == one.calls[-1]
            for hex_, one in kept.items()
        )
    except NumberingError:
        return None
    left_out = sum(one.unnumbered for one in fields)
    return HexField(lattice.grid, kept, numbering, unnumbered=left_out) if alike else None


def _sheet_part(field_: HexField) -> SheetPart:
    numbering = field_.numbering
    if not isinstance(numbering, Numbering):
        raise NumberingError("a sheet of joined sheets")
    columns, rows = zip(*(numbering.position(hex_) for hex_ in field_.places), strict=True)
    spans = ((min(columns), max(columns)), (min(rows), max(rows)))
    return SheetPart(prefix_of(field_.zone), numbering, *spans)


def _of_points(part: ForeignPart) -> HexField | None:
    """Return named points as hexes, where they stand as such; those beside them are left out."""
    lattice = lattice_through([one.at for one in part.locations])
    if lattice is None:
        return None
    places: dict[Hex, Location | None] = {
        hex_: part.locations[n] for n, hex_ in sorted(lattice.hexes.items())
    }
    labels = {hex_: one.bare for hex_, one in places.items() if one is not None}
    numbering = numbering_of_labels(labels, lattice.grid.orientation)
    if numbering is not None:
        return HexField(lattice.grid, places, numbering, zone=part.name)
    counted = counted_numbering(tuple(places), lattice.grid.orientation)
    return HexField(lattice.grid, places, counted, ruled=False, zone=part.name)
