"""The flattened picture of a map: what every stage after the grid works on."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mapkit.grid import Grid
from mapkit.hexes import Hex

Pixels = npt.NDArray[np.uint8]  # rows × columns × red, green, blue
Points = npt.NDArray[np.float64]  # n × 2: x to the right, y down


@dataclass(frozen=True, eq=False)
class FlatSheet:
    """A picture on which the hexes lie regularly, upright and all alike, and which hexes it shows.

    Whatever was askew, bent or slanting has been taken out: *grid* is regular, one pitch all over
    the sheet. The origin is the top-left corner of the top-left pixel.
    """

    pixels: Pixels
    grid: Grid
    hexes: tuple[Hex, ...]

    @property
    def pitch_px(self) -> float:
        """The distance from a hex's centre to its neighbours'."""
        return self.grid.pitch_px(self.hexes[0])

    def centres(self, hexes: Iterable[Hex] | None = None) -> Points:
        """Return the centres of some hexes, or of all of them, in pixels."""
        wanted = self.hexes if hexes is None else tuple(hexes)
        return np.array([self.grid.centre(hex_) for hex_ in wanted], float).reshape(-1, 2)
