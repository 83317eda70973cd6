"""Where the engine sets pieces on its hex grids: the arithmetic of its snapping, in whole pixels.

The engine counts hexes in straight columns, odd ones half a hex lower; sideways, x and y change
places first. Centres lose their fractions, and its hexagons have rounded corners: a piece near a
hexside belongs where the engine would put it.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mapkit.grid import Point
from mapkit.hexes import Hex

Cell = tuple[int, int]
"""A column and a row as the engine counts them, from (0, 0) at the offset of its grid."""

Pixel = tuple[int, int]

_EVEN = ((-1, -1), (-1, 0), (1, -1), (1, 0))
_ODD = ((-1, 0), (-1, 1), (1, 0), (1, 1))


@dataclass(frozen=True, slots=True)
class EngineHexes:
    """A HexGrid without its numbers.

    *edges* tells that pieces may stand on hexsides or corners as well, where no hex holds them.
    """

    sideways: bool
    x0: int
    y0: int
    dx: float
    dy: float
    edges: bool = False

    def centre(self, cell: Cell) -> Pixel:
        """Return the pixel where the engine sets a piece in a hex."""
        x, y = self._centre(*cell)
        return (y, x) if self.sideways else (x, y)

    def exact_centre(self, cell: Cell) -> Point:
        """Return where a hex lies before its centre loses fractions."""
        column, row = cell
        x = self.x0 + self.dx * column
        y = self.y0 + self.dy * (row + (0.5 if column % 2 else 0.0))
        return (y, x) if self.sideways else (x, y)

    def count_on(self, size_px: tuple[int, int]) -> int:
        """Return about how many hexes lie on a board."""
        return round(size_px[0] * size_px[1] / (self.dx * self.dy))

    def cells_on(self, size_px: tuple[int, int]) -> Iterator[Cell]:
        """Yield the hexes whose centres lie on a board, line by line."""
        wide, tall = size_px[::-1] if self.sideways else size_px
        for column in range(
            math.floor(-self.x0 / self.dx), math.ceil((wide - self.x0) / self.dx) + 1
        ):
            for row in range(
                math.floor(-self.y0 / self.dy) - 1, math.ceil((tall - self.y0) / self.dy) + 1
            ):
                x, y = self.exact_centre((column, row))
                if 0 <= x < size_px[0] and 0 <= y < size_px[1]:
                    yield column, row

    def cell_at(self, x: int, y: int) -> Cell:
        """Return the hex that a piece dropped at a pixel goes to."""
        if self.sideways:
            x, y = y, x
        column = math.floor((x - self.x0 + self.dx / 2) / self.dx)
        row = math.floor((y - self.y0 + (0 if column % 2 else self.dy / 2)) / self.dy)
        if self._holds((column, row), x, y):
            return column, row
        beside = _ODD if column % 2 else _EVEN
        cells = ((column + over, row + down) for over, down in beside)
        return next((one for one in cells if self._holds(one, x, y)), (column, row))

    def cell_of(self, hex_: Hex, first: Cell) -> Cell:
        """Return the engine's count of one of our hexes; *first* is that of (0, 0)."""
        line, along = (hex_.r, hex_.q) if self.sideways else (hex_.q, hex_.r)
        column = first[0] + line
        return column, first[1] + along + (line + first[0] % 2 - column % 2) // 2

    def hex_of(self, cell: Cell, first: Cell) -> Hex:
        """Return our hex that the engine counts so: the inverse of `cell_of`."""
        line = cell[0] - first[0]
        along = cell[1] - first[1] - (line + first[0] % 2 - cell[0] % 2) // 2
        return Hex(along, line) if self.sideways else Hex(line, along)

    def _centre(self, column: int, row: int) -> Pixel:
        lower = int(self.dy / 2) if column % 2 else 0
        return int(self.dx * column + self.x0), int(self.dy * row + lower + self.y0)

    def _holds(self, cell: Cell, x: int, y: int) -> bool:
        """Tell whether the engine's hexagon holds a pixel: right and lower corners lie one on."""
        at_x, at_y = self._centre(*cell)
        reach, half = 2 * self.dx / 3, self.dy / 2
        left, right = _rounded(at_x - reach / 2), _rounded(at_x + reach / 2) + 1
        top, bottom = _rounded(at_y - half), _rounded(at_y + half) + 1
        corners = [
            (_rounded(at_x - reach), at_y),
            (left, top),
            (right, top),
            (_rounded(at_x + reach) + 1, at_y),
            (right, bottom),
            (left, bottom),
        ]
        return holds(corners, x, y)


def holds(outline: Sequence[tuple[float, float]], x: float, y: float) -> bool:
    """Tell whether an outline holds a point, by the even-odd rule."""
    inside = False
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], *outline[:1]), strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
    return inside


def _rounded(value: float) -> int:
    return math.floor(value + 0.5)
