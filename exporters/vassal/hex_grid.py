"""Our grid and labels in the engine's own terms: its HexGrid and HexGridNumbering.

The engine knows hexes in straight columns, odd ones half a hex lower, and numbers them by rule.
Pointy-top sheets are the same with x and y changed over ("sideways"): what it calls column then
runs down the screen. Not every printed numbering fits one such rule: lines are parted into runs
that do, each of which becomes a zone.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from mapkit.grid import Point
from mapkit.hexes import Hex
from mapkit.numbering import ALPHABET, Axis, Numbering


@dataclass(frozen=True, slots=True)
class Lattice:
    """Upright hexes on a picture: the centre of (0, 0), and the steps between centres.

    *across_px* lies between two straight lines of hexes, *along_px* between two hexes of one.
    """

    orientation: Literal["flat", "pointy"]
    first_px: Point
    across_px: float
    along_px: float

    def centre(self, hex_: Hex) -> Point:
        """Return the pixel at the centre of a hex."""
        x0, y0 = self.first_px
        if self.orientation == "flat":
            return x0 + self.across_px * hex_.q, y0 + self.along_px * (hex_.r + hex_.q / 2)
        return x0 + self.along_px * (hex_.q + hex_.r / 2), y0 + self.across_px * hex_.r


@dataclass(frozen=True, slots=True)
class AxisRule:
    """One of the engine's two numberings: type, padding, offset, direction."""

    type: Literal["N", "A"] = "N"
    leading: int = 1
    offset: int = 1
    descend: bool = False


@dataclass(frozen=True, slots=True)
class EngineGrid:
    """A HexGrid and its HexGridNumbering, as the engine's file writes them."""

    sideways: bool
    x0: int
    y0: int
    dx: float
    dy: float
    first: Literal["H", "V"] = "H"
    separator: str = ""
    h: AxisRule = AxisRule()
    v: AxisRule = AxisRule()

    def centre_near(self, point: Point) -> tuple[int, int]:
        """Return the pixel where the engine sets a piece in the hex whose centre is near a point.

        It works in whole pixels and cuts off what is left over.
        """
        x, y = reversed(point) if self.sideways else point
        column = round((x - self.x0) / self.dx)
        lower = int(self.dy / 2) if column % 2 else 0
        row = round((y - self.y0 - lower) / self.dy)
        across, along = int(self.dx * column + self.x0), int(self.dy * row + lower + self.y0)
        return (along, across) if self.sideways else (across, along)


def engine_grid(
    lattice: Lattice, numbering: Numbering, first: tuple[int, int], board_px: tuple[int, int]
) -> EngineGrid:
    """Return the engine's grid that names hexes as the numbering does, in one run of its lines.

    *first* is a column and row position of that run. *board_px* is the size of the board, or of
    the zone: numbers that fall are counted from its far edge.
    """
    flat = lattice.orientation == "flat"
    lines, along = numbering.columns, numbering.rows
    numbers = [_printed(lines, first[0]), _printed(along, first[1])]
    start = numbering.hex_at(*first)
    if not flat:
        lines, along = along, lines
        numbers.reverse()
    if _next_line_counts_higher(numbering, start, flat):
        # The engine can count every other line one higher ("stagger"), but then loses its way
        # from labels to hexes where numbers fall. One line earlier it need not.
        start = Hex(start.q - 1, start.r) if flat else Hex(start.q, start.r - 1)
        numbers[0] -= lines.step
    x, y = lattice.centre(start)
    x0, y0 = _whole_offsets(lattice, *((x, y) if flat else (y, x)))
    width, height = board_px
    most_columns = math.floor(width / lattice.along_px + 0.5)
    most_rows = math.floor(height / lattice.across_px + 0.5)
    most = (most_columns, most_rows) if flat else (most_rows, most_columns)
    return EngineGrid(
        sideways=not flat,
        x0=x0,
        y0=y0,
        dx=lattice.across_px,
        dy=lattice.along_px,
        first="H" if (numbering.order == "CCRR") == flat else "V",
        separator=numbering.separator,
        h=_axis_rule(lines, numbers[0], most[0]),
        v=_axis_rule(along, numbers[1], most[1]),
    )


def worst_px(lattice: Lattice) -> float:
    """Return how far the engine may at most set a centre beside its true place, on one axis."""
    return max(1.0, 1.0 + _cut_off(lattice) / 2)


def _whole_offsets(lattice: Lattice, across: float, along: float) -> tuple[int, int]:
    """Return the engine's x0 and y0: whole pixels, chosen so that what it cuts off evens out.

    Every centre loses its fraction, and on odd lines that of half a step as well.
    """
    return math.ceil(across), round(along + (1 + _cut_off(lattice)) / 2)


def _cut_off(lattice: Lattice) -> float:
    return lattice.along_px / 2 % 1


def runs(axis: Axis, first: int, last: int) -> list[tuple[int, int]] | None:
    """Return the stretches of line positions whose numbers the engine counts without a break.

    None means that it cannot print them at all: letters that go AA, AB, or an alphabet of
    their own.
    """
    if axis.letters and (axis.alphabet != ALPHABET or (axis.letters == "AA AB" and last > first)):
        beyond = max(axis.count(first), axis.count(last)) > len(ALPHABET) + 1
        if axis.alphabet != ALPHABET or beyond:
            return None
    return list(_runs(axis, first, last))


def _runs(axis: Axis, first: int, last: int) -> Iterator[tuple[int, int]]:
    begin = first
    for position in range(first + 1, last + 1):
        if _printed(axis, position) != _printed(axis, position - 1) + axis.step:
            yield begin, position - 1
            begin = position
    yield begin, last


def _printed(axis: Axis, position: int) -> int:
    """Return the number at a position as the engine counts: A is 0."""
    return axis.count(position) - 1 if axis.letters else int(axis.format_part(position))


def _next_line_counts_higher(numbering: Numbering, start: Hex, flat: bool) -> bool:
    """Tell whether the hex half a step down on the next line has a position one higher."""
    here = numbering.position(start)
    if flat:
        return numbering.position(Hex(start.q + 1, start.r))[1] != here[1]
    return numbering.position(Hex(start.q, start.r + 1))[0] != here[0]


def _axis_rule(axis: Axis, number: int, most: int) -> AxisRule:
    falls = axis.step == -1
    offset = number - most if falls else number
    return AxisRule("A" if axis.letters else "N", axis.digits - 1, offset, falls)
