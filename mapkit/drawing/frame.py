"""Where everything lies on the drawing: the regular grid, the sheet around it, its own noise."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mapkit.drawing.errors import SizeError
from mapkit.grid import Grid, Point
from mapkit.hexes import DIRECTIONS, Hex, Hexside, Link
from mapkit.model import HexMap

Corner = tuple[int, int]  # a vertex as three times its axial coordinates: whole numbers
Numbers = npt.NDArray[np.float64]

LARGEST_SIDE_PX = 60_000
LARGEST_AREA_PX = 400_000_000


@dataclass(frozen=True)
class Frame:
    """A map laid out on a sheet of *width_px* by *height_px*, hexes *pitch* pixels wide."""

    map_: HexMap
    grid: Grid
    pitch: float
    width_px: int
    height_px: int
    land: tuple[float, float, float, float]  # left, top, right, bottom of all hexes

    @classmethod
    def around(
        cls,
        map_: HexMap,
        *,
        hex_px: float,
        margin: float,
        foot_px: float = 0.0,
        least_px: float = 0.0,
    ) -> "Frame":
        """Lay the map's hexes out regularly, *margin* hexes of sheet around, a foot below.

        The sheet has room for *least_px* between its margins, however few hexes there are.

        Raises:
            SizeError: the map is empty, or the picture would be too big.
        """
        if not map_.hexes:
            raise SizeError(f"the map {map_.named} has no hexes: there is nothing to draw")
        if not 4 <= hex_px <= 2000:
            raise SizeError(f"hexes of {hex_px:g} px cannot be drawn; give 4 to 2000")
        given = map_.grid
        first = Grid.regular(given.orientation, pitch_px=hex_px, first_px=(0.0, 0.0))
        left, top, right, bottom = _bounds(first, map_.hexes)
        space = margin * hex_px
        # A few hexes stand in the middle of a sheet that has room for title and legend.
        side = space + max(least_px - (right - left), 0.0) / 2
        width, height = right - left + 2 * side, bottom - top + 2 * space + foot_px
        require_size(width, height)
        grid = Grid.regular(
            given.orientation,
            pitch_px=hex_px,
            first_px=(side - left, space - top),
            hex_mm=given.hex_mm,
            north_deg=given.north_deg,
        )
        land = (side, space, side + right - left, space + bottom - top)
        return cls(map_, grid, hex_px, math.ceil(width), math.ceil(height), land)

    @cached_property
    def centres(self) -> dict[Hex, Point]:
        """The centre of every hex of the map."""
        return {hex_: self.grid.centre(hex_) for hex_ in self.map_.hexes}

    @cached_property
    def _corners(self) -> dict[Corner, Point]:
        return {}

    def corner(self, corner: Corner) -> Point:
        """Return where a vertex lies."""
        found = self._corners.get(corner)
        if found is None:
            found = self._corners[corner] = self.grid.to_pixel(corner[0] / 3, corner[1] / 3)
        return found

    def polygon(self, hex_: Hex) -> list[Point]:
        """Return the six corners of a hex."""
        return [self.corner(corner) for corner in corners(hex_)]

    def ends(self, side: Hexside) -> tuple[Point, Point]:
        """Return the two ends of a hexside."""
        one, other = side_corners(side)
        return self.corner(one), self.corner(other)

    def middle(self, pair: Hexside | Link) -> Point:
        """Return the middle of a hexside, which is also the middle of the link across it."""
        a, b = pair
        return self.grid.to_pixel((a.q + b.q) / 2, (a.r + b.r) / 2)

    def from_map(self, points: Sequence[Point]) -> Numbers:
        """Return pixels of the map's picture as pixels of this drawing."""
        return _apply(self._from_map, points)

    @cached_property
    def _from_map(self) -> Numbers:
        back = np.linalg.inv(np.array(self.map_.grid.homography, dtype=float))
        ours: Numbers = np.array(self.grid.homography, dtype=float) @ back
        return ours

    def hexes_at(self, x: Numbers, y: Numbers) -> tuple[Numbers, Numbers]:
        """Return q and r of the hex under each point, as `Grid.hex_at` does for one."""
        back = np.linalg.inv(np.array(self.grid.homography, dtype=float))
        q, r = (row[0] * x + row[1] * y + row[2] for row in back[:2])
        s = -q - r
        rq, rr, rs = np.round(q), np.round(r), np.round(s)
        dq, dr, ds = abs(rq - q), abs(rr - r), abs(rs - s)
        rq = np.where((dq > dr) & (dq > ds), -rr - rs, rq)
        rr = np.where((dr >= dq) & (dr > ds), -rq - rs, rr)
        return rq, rr


def require_size(width: float, height: float) -> None:
    """Raise SizeError for a picture beyond what is set as the limit on purpose."""
    if max(width, height) > LARGEST_SIDE_PX or width * height > LARGEST_AREA_PX:
        raise SizeError(
            f"a picture of {width:.0f} × {height:.0f} px is too big: the limit is "
            f"{LARGEST_AREA_PX / 1e6:.0f} megapixels and {LARGEST_SIDE_PX} px a side; "
            "take fewer pixels per hex"
        )


def moved_to(map_: HexMap, grid: Grid) -> HexMap:
    """Return the map with its shapes in the pixels of another grid of the same hexes."""
    back = np.linalg.inv(np.array(map_.grid.homography, dtype=float))
    matrix: Numbers = np.array(grid.homography, dtype=float) @ back
    shapes = tuple(
        replace(
            shape,
            rings=tuple(
                tuple((float(x), float(y)) for x, y in _apply(matrix, ring)) for ring in shape.rings
            ),
        )
        for shape in map_.shapes
    )
    return replace(map_, grid=grid, shapes=shapes, picture=None)


def corners(hex_: Hex) -> tuple[Corner, ...]:
    """Return the six vertices of a hex, in the order of `mapkit.hexes.vertices`."""
    q, r = 3 * hex_.q, 3 * hex_.r
    return tuple((q + dq, r + dr) for dq, dr in _AROUND)


def side_corners(side: Hexside) -> tuple[Corner, Corner]:
    """Return the two vertices of a hexside; the first hex lies on the left, seen on the sheet."""
    a, b = side
    direction = DIRECTIONS.index(Hex(b.q - a.q, b.r - a.r))
    all_six = corners(a)
    return all_six[direction - 1], all_six[direction]


def corner_hexes(corner: Corner) -> tuple[Hex, Hex, Hex]:
    """Return the three hexes that meet at a vertex."""
    q, r = corner
    if (q % 3, r % 3) == (2, 2):
        a, b = (q - 2) // 3, (r - 2) // 3
        return Hex(a, b + 1), Hex(a + 1, b), Hex(a + 1, b + 1)
    if (q % 3, r % 3) == (1, 1):
        a, b = (q - 1) // 3, (r - 1) // 3
        return Hex(a, b), Hex(a + 1, b), Hex(a, b + 1)
    raise ValueError(f"{corner} is no vertex")


def noise(*numbers: int) -> float:
    """Return a number from 0 to 1 that depends on *numbers* alone: the same on every machine.

    >>> noise(3, 5) == noise(3, 5), 0 <= noise(7) < 1
    (True, True)
    """
    mixed = 0x9E3779B97F4A7C15
    for value in numbers:
        mixed = ((mixed ^ (value & _MASK)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed ^= mixed >> 29
    mixed = (mixed * 0x94D049BB133111EB) & _MASK
    return ((mixed ^ (mixed >> 31)) & 0xFFFFFFFF) / 4294967296.0


_MASK = 0xFFFFFFFFFFFFFFFF


def noises(i: npt.NDArray[np.int64], j: npt.NDArray[np.int64], salt: int) -> Numbers:
    """Return `noise` for many pairs of numbers at once (another sequence, as fixed)."""
    with np.errstate(over="ignore"):
        mixed = i.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= j.astype(np.uint64) * np.uint64(0xC2B2AE3D27D4EB4F) + np.uint64(salt * 7919 + 1)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(31)
    numbers: Numbers = (mixed >> np.uint64(11)).astype(np.float64) / 2.0**53
    return numbers


def _bounds(grid: Grid, hexes: Iterable[Hex]) -> tuple[float, float, float, float]:
    centres = np.array([grid.centre(hex_) for hex_ in hexes])
    x0, y0 = grid.centre(Hex(0, 0))
    around = np.array(grid.polygon(Hex(0, 0))) - (x0, y0)
    left, top = centres.min(axis=0) + around.min(axis=0)
    right, bottom = centres.max(axis=0) + around.max(axis=0)
    return float(left), float(top), float(right), float(bottom)


def _apply(matrix: Numbers, points: Sequence[Point]) -> Numbers:
    xy = np.asarray(points, dtype=float).reshape(-1, 2)
    moved = np.column_stack((xy, np.ones(len(xy)))) @ matrix.T
    result: Numbers = moved[:, :2] / moved[:, 2:]
    return result


# The six vertices of hex (0, 0), times three: between directions i and i + 1.
_AROUND = tuple(
    (DIRECTIONS[i].q + DIRECTIONS[(i + 1) % 6].q, DIRECTIONS[i].r + DIRECTIONS[(i + 1) % 6].r)
    for i in range(6)
)
