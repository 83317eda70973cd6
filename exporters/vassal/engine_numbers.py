"""How the engine numbers the hexes of a grid: its HexGridNumbering, quirks and all."""

import math
from dataclasses import dataclass

from exporters.vassal.engine_hexes import EngineHexes


@dataclass(frozen=True, slots=True)
class CountedAxis:
    """How lines are numbered one way: type, padding, the number of line 0, and its direction."""

    type: str
    leading: int
    offset: int
    descend: bool

    def written(self, number: int) -> str:
        """Return what the engine prints for a line: letters are doubled after Z, zeros go before.

        >>> CountedAxis("A", 1, 0, False).written(27), CountedAxis("N", 1, -3, False).written(1)
        ('BB', '-02')
        """
        number += self.offset
        sign, size = ("-", -number) if number < 0 else ("", number)
        if self.type == "A":
            return sign + chr(ord("A") + size % 26) * (size // 26 + 1)
        return sign + str(size).rjust(self.leading + 1, "0")


@dataclass(frozen=True, slots=True)
class EngineNumbers:
    """A HexGrid with its numbering, as the engine counts; *size* is that of what it lies on."""

    hexes: EngineHexes
    size: tuple[float, float]
    h: CountedAxis
    v: CountedAxis
    columns_first: bool
    separator: str
    stagger: bool

    def words(self, column: int, row: int) -> dict[str, str]:
        """Return what a location format may speak of: the label and its two parts."""
        most_columns = math.floor(self.size[0] / self.hexes.dy + 0.5)
        most_rows = math.floor(self.size[1] / self.hexes.dx + 0.5)
        # Sideways the engine takes the direction of its columns from vDescend, and the other way.
        falls = (self.h.descend, self.v.descend)
        if self.hexes.sideways:
            most_columns, most_rows, falls = most_rows, most_columns, falls[::-1]
        c = most_columns - column if falls[0] else column
        r = most_rows - row if falls[1] else row
        if self.stagger and column % 2:
            r += -1 if falls[1] else 1
        parts = {"column": self.h.written(c), "row": self.v.written(r)}
        order = ("column", "row") if self.columns_first else ("row", "column")
        return parts | {"gridLocation": self.separator.join(parts[one] for one in order)}
