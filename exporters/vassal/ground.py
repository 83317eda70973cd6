"""A map window as pieces stand on it: the engine's own pixel of each hex."""

import math
from dataclasses import dataclass
from functools import cached_property

from exporters.vassal.board_elements import engine_centres
from exporters.vassal.boards import Board
from mapkit.errors import MapkitError
from mapkit.hexes import Hex
from mapkit.notation import parse_hexside

Pixel = tuple[int, int]


@dataclass(frozen=True)
class Ground:
    """A board by the name of its window; labels lead to pixels."""

    map_id: str
    board: Board

    @property
    def window(self) -> str:
        """The name of the map window, and of its board."""
        return self.board.name

    @property
    def pitch_px(self) -> float:
        """The least way between neighbouring hexes."""
        lattice = self.board.lattice
        return min(lattice.along_px, math.hypot(lattice.across_px, lattice.along_px / 2))

    def hex_px(self, label: str) -> Pixel | None:
        """Return where a piece stands in a hex; None where the map has no such hex."""
        try:
            return self._centres.get(self.board.map.hex(label))
        except MapkitError:
            return None

    def hexside_px(self, notation: str) -> Pixel | None:
        """Return the middle of a hexside; None where neither of its hexes is on the map."""
        try:
            side = parse_hexside(notation, self.board.map.numbering)
        except MapkitError:
            return None
        if not any(hex_ in self.board.map for hex_ in side):
            return None
        points = [self.board.lattice.centre(hex_) for hex_ in side]
        x, y = (sum(values) / 2 for values in zip(*points, strict=True))
        return round(x), round(y)

    @cached_property
    def _centres(self) -> dict[Hex, Pixel]:
        return engine_centres(self.board)
