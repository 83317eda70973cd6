"""The sheet a sample map lies on: its hexes, its frame in pixels, the raster of its fields."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mapkit.grid import Grid, Point
from mapkit.hexes import Hex
from mapkit.numbering import Numbering

Field = NDArray[np.float64]

PITCH_PX = 64
HEX_MM = 16.0
MARGIN_PX = 2 * PITCH_PX
LEGEND_PX = 5 * PITCH_PX  # below the land: title block, legend strip, scale bar
CELL_PX = PITCH_PX / 10  # of the raster


@dataclass(frozen=True)
class Land:
    """A rectangle of hexes and the continuous land below it.

    Fields are rasters over the frame, the smallest rectangle of whole pixels that holds all
    hexes; lengths in fields count in hexes (one pitch).
    """

    grid: Grid
    numbering: Numbering
    columns: int
    rows: int

    @classmethod
    def of(cls, numbering: Numbering, columns: int, rows: int, *, north_deg: float = 0.0) -> "Land":
        """Return the land of a sheet whose top-left hex bears the numbering's first numbers."""
        grid = Grid.regular(
            numbering.orientation,
            pitch_px=PITCH_PX,
            first_px=(MARGIN_PX + PITCH_PX, MARGIN_PX + PITCH_PX),
            hex_mm=HEX_MM,
            north_deg=north_deg,
        )
        return cls(grid, numbering, columns, rows)

    @cached_property
    def hexes(self) -> tuple[Hex, ...]:
        """All hexes, in rising order."""
        return tuple(
            sorted(
                self.numbering.hex_at(column, row)
                for column in range(self.columns)
                for row in range(self.rows)
            )
        )

    @cached_property
    def hex_set(self) -> frozenset[Hex]:
        """All hexes, to ask whether one is there."""
        return frozenset(self.hexes)

    @cached_property
    def frame(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom of the land in pixels."""
        corners = [corner for hex_ in self.hexes for corner in self.grid.polygon(hex_)]
        xs, ys = zip(*corners, strict=True)
        return int(min(xs)), int(min(ys)), int(max(xs)) + 1, int(max(ys)) + 1

    @property
    def picture_px(self) -> tuple[int, int]:
        """Width and height of the whole picture, with room for title and legend."""
        _, _, right, bottom = self.frame
        return right + MARGIN_PX, bottom + LEGEND_PX

    @cached_property
    def xs(self) -> Field:
        """The raster's columns, in pixels."""
        left, _, right, _ = self.frame
        return _steps(left, right)

    @cached_property
    def ys(self) -> Field:
        """The raster's rows, in pixels."""
        _, top, _, bottom = self.frame
        return _steps(top, bottom)

    @cached_property
    def x(self) -> Field:
        """How far east every point of the raster lies, in hexes from the frame's left."""
        return np.repeat(self._in_hexes(self.xs, self.frame[0])[None, :], len(self.ys), axis=0)

    @cached_property
    def y(self) -> Field:
        """How far down the sheet every point of the raster lies, in hexes from its top."""
        return np.repeat(self._in_hexes(self.ys, self.frame[1])[:, None], len(self.xs), axis=1)

    def place(self, label: str) -> Point:
        """Return where a label's centre lies, in hexes from the frame's top-left corner.

        A label may lie off the map by a few hexes, to let a valley come in from outside.
        """
        return self.to_hexes(self.grid.centre(self.numbering.parse_label(label)))

    def path(self, labels: str) -> list[Point]:
        """Return the places of several labels, written with blanks between."""
        return [self.place(label) for label in labels.split()]

    def labelled(self, labels: str) -> list[Hex]:
        """Return the hexes of several labels, written with blanks between."""
        return [self.numbering.parse_label(label) for label in labels.split()]

    def to_hexes(self, pixel: Point) -> Point:
        """Return a pixel as hexes from the frame's top-left corner."""
        left, top, _, _ = self.frame
        return (pixel[0] - left) / PITCH_PX, (pixel[1] - top) / PITCH_PX

    def window(self, points: Iterable[Point], margin: float) -> tuple[slice, slice]:
        """Return the raster's rows and columns within *margin* hexes of some places."""
        xs, ys = zip(*points, strict=True)
        rows, columns = (
            slice(*(int(i) for i in np.searchsorted(steps, [low - margin, high + margin])))
            for steps, low, high in (
                (self.y[:, 0], min(ys), max(ys)),
                (self.x[0], min(xs), max(xs)),
            )
        )
        return rows, columns

    def sample(self, field: Field, pixels: Iterable[Point]) -> list[float]:
        """Return a field's values at some pixels, straight between the raster's points."""
        left, top, right, bottom = self.frame
        points = np.array(list(pixels), dtype=np.float64).reshape(-1, 2)
        u = np.clip((points[:, 0] - left) / (right - left), 0, 1) * (len(self.xs) - 1)
        v = np.clip((points[:, 1] - top) / (bottom - top), 0, 1) * (len(self.ys) - 1)
        i = np.minimum(u.astype(np.int64), len(self.xs) - 2)
        j = np.minimum(v.astype(np.int64), len(self.ys) - 2)
        u, v = u - i, v - j
        upper = field[j, i] * (1 - u) + field[j, i + 1] * u
        lower = field[j + 1, i] * (1 - u) + field[j + 1, i + 1] * u
        return [float(value) for value in upper * (1 - v) + lower * v]

    def at_centres(self, field: Field) -> dict[Hex, float]:
        """Return a field's value at the centre of every hex."""
        centres = (self.grid.centre(hex_) for hex_ in self.hexes)
        return dict(zip(self.hexes, self.sample(field, centres), strict=True))

    @cached_property
    def cover(self) -> tuple[NDArray[np.int64], Field]:
        """For every point of the raster: the index of its hex, and how far its centre is.

        Points outside all hexes have the index -1. The distance counts in hexes.
        """
        (a, b, c), (d, e, f), _ = self.grid.homography
        det = a * e - b * d
        x, y = self.xs[None, :] - c, self.ys[:, None] - f
        q, r = (e * x - b * y) / det, (a * y - d * x) / det
        rq, rr, rs = np.rint(q), np.rint(r), np.rint(-q - r)
        dq, dr, ds = np.abs(rq - q), np.abs(rr - r), np.abs(rs + q + r)
        mend_q = (dq > dr) & (dq > ds)
        mend_r = ~mend_q & (dr > ds)
        rq, rr = np.where(mend_q, -rr - rs, rq), np.where(mend_r, -rq - rs, rr)
        off_x, off_y = a * (rq - q) + b * (rr - r), d * (rq - q) + e * (rr - r)
        away: Field = np.sqrt(off_x * off_x + off_y * off_y) / PITCH_PX
        return self._indices(rq.astype(np.int64), rr.astype(np.int64)), away

    def _indices(self, q: NDArray[np.int64], r: NDArray[np.int64]) -> NDArray[np.int64]:
        q0, r0 = int(q.min()), int(r.min())
        table = np.full((int(q.max()) - q0 + 1, int(r.max()) - r0 + 1), -1, dtype=np.int64)
        for index, hex_ in enumerate(self.hexes):
            table[hex_.q - q0, hex_.r - r0] = index
        found: NDArray[np.int64] = table[q - q0, r - r0]
        return found

    def _in_hexes(self, pixels: Field, first: int) -> Field:
        return (pixels - first) / PITCH_PX


def _steps(first: int, last: int) -> Field:
    count = int((last - first) / CELL_PX) + 1
    return first + np.arange(count + 1, dtype=np.float64) * ((last - first) / count)
