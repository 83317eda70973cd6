"""Where every point of a printed sheet lies on its scan, exactly, and back again.

Points are pixels, the origin at the top-left corner of the top-left pixel, y down. A scan is
made by asking for each of its pixels which point of the sheet it shows:

    scan (u, v) ── + bend(u, v) ──▶ straightened scan ── homography⁻¹ ──▶ sheet (x, y)

The bend (lens, folds in the paper) is given on a square lattice of nodes and bilinear between
them: that is its definition, so the record is exact and not a fit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mapkit.grid import Matrix

Numbers = npt.NDArray[np.float64]
Points = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
Pixels = npt.NDArray[np.uint8]  # rows × columns × red, green, blue
Size = tuple[int, int]

_BEND_STEP = 1 / 256  # of a pixel: a node's bend is a whole number of these on every machine
_ROUNDS = 40


@dataclass(frozen=True, eq=False)
class Lattice:
    """Numbers on the nodes of a square lattice from the origin on, bilinear in between."""

    step_px: int
    values: Numbers  # rows × columns × channels

    @classmethod
    def nodes(cls, size: Size, step_px: int) -> tuple[Numbers, Numbers]:
        """Return x and y of every node that a picture of *size* needs."""
        columns, rows = (-(-length // step_px) + 1 for length in size)
        y, x = np.mgrid[0:rows, 0:columns].astype(float) * step_px
        return x, y

    def at(self, points: Points) -> Numbers:
        """Return the values at some points; beyond the lattice those of its edge."""
        rows, columns = self.values.shape[:2]
        j, s = _cells(points[:, 0] / self.step_px, columns)
        i, t = _cells(points[:, 1] / self.step_px, rows)
        s, t = s[:, None], t[:, None]
        above = self.values[i, j] * (1 - s) + self.values[i, j + 1] * s
        below = self.values[i + 1, j] * (1 - s) + self.values[i + 1, j + 1] * s
        found: Numbers = above * (1 - t) + below * t
        return found

    def over(self, x: Numbers, y: Numbers) -> Floats:
        """Return the values on the tile of all *y* by all *x*, channels first."""
        rows, columns = self.values.shape[:2]
        j, s = _cells(x / self.step_px, columns)
        i, t = _cells(y / self.step_px, rows)
        v: Floats = self.values.astype(np.float32).transpose(2, 0, 1)
        right, down = s.astype(np.float32), t.astype(np.float32)[:, None]
        lines = v[:, i] + (v[:, i + 1] - v[:, i]) * down
        found: Floats = lines[:, :, j] + (lines[:, :, j + 1] - lines[:, :, j]) * right
        return found


@dataclass(frozen=True, eq=False)
class Transform:
    """How a sheet lies on a scan: *homography* takes sheet pixels to straightened scan pixels."""

    homography: Matrix
    sheet_px: Size
    scan_px: Size
    bend: Lattice | None = None

    def to_scan(self, points: Sequence[tuple[float, float]] | Points) -> Points:
        """Return where points of the sheet lie on the scan: the inverse of `from_scan`."""
        straight = project(self.homography, points)
        if self.bend is None:
            return straight
        # A bend changes by far less than a pixel from one pixel to the next, so this converges.
        found = straight - self.bend.at(straight)
        for _ in range(_ROUNDS):
            better = straight - self.bend.at(found)
            if np.abs(better - found).max(initial=0.0) < 1e-9:
                break
            found = better
        return found

    def from_scan(self, points: Sequence[tuple[float, float]] | Points) -> Points:
        """Return which points of the sheet some points of the scan show."""
        at = as_points(points)
        if self.bend is not None:
            at = at + self.bend.at(at)
        return project(inverse(self.homography), at)

    def dump(self) -> dict[str, Any]:
        """Return the transform as plain JSON values; `load_transform` reads them back."""
        bend = None
        if self.bend is not None:
            rows, columns, _ = self.bend.values.shape
            bend = {
                "step": self.bend.step_px,
                "columns": columns,
                "rows": rows,
                "dx": self.bend.values[:, :, 0].ravel().tolist(),
                "dy": self.bend.values[:, :, 1].ravel().tolist(),
            }
        return {
            "homography": [list(row) for row in self.homography],
            "sheet_size": list(self.sheet_px),
            "size": list(self.scan_px),
            "bend": bend,
        }


def load_transform(data: dict[str, Any]) -> Transform:
    """Return the transform that a record holds."""
    bend = None
    if data["bend"] is not None:
        shape = (data["bend"]["rows"], data["bend"]["columns"])
        values = [np.array(data["bend"][axis]).reshape(shape) for axis in ("dx", "dy")]
        bend = Lattice(data["bend"]["step"], np.stack(values, axis=-1))
    return Transform(
        as_matrix(data["homography"]), _size(data["sheet_size"]), _size(data["size"]), bend
    )


def bend_of(step_px: int, dx: Numbers, dy: Numbers) -> Lattice:
    """Return a bend from what its nodes should have, rounded so that it is written exactly."""
    values = np.stack((dx, dy), axis=-1)
    return Lattice(step_px, np.round(values / _BEND_STEP) * _BEND_STEP + 0.0)


def as_matrix(rows: Any) -> Matrix:
    """Return a 3×3 array as rows of plain numbers, the last one 1, to twelve digits."""
    m = np.asarray(rows, dtype=float)
    m = m / m[2, 2]
    a, b, c = (tuple(float(f"{value:.12g}") for value in row) for row in m)
    return (a[0], a[1], a[2]), (b[0], b[1], b[2]), (c[0], c[1], c[2])


def product(*matrices: Any) -> Matrix:
    """Return one matrix that does what these do, the last one first."""
    result = np.eye(3)
    for matrix in matrices:
        result = result @ np.asarray(matrix, dtype=float)
    return as_matrix(result)


def inverse(matrix: Matrix) -> Numbers:
    """Return the matrix that undoes this one."""
    back: Numbers = np.linalg.inv(np.array(matrix, dtype=float))
    return back


def project(matrix: Any, points: Sequence[tuple[float, float]] | Points) -> Points:
    """Return points moved by a 3×3 matrix.

    >>> project(((2, 0, 1), (0, 2, 0), (0, 0, 1)), [(3, 4)]).tolist()
    [[7.0, 8.0]]
    """
    xy = as_points(points)
    moved = np.column_stack((xy, np.ones(len(xy)))) @ np.asarray(matrix, dtype=float).T
    found: Points = moved[:, :2] / moved[:, 2:]
    return found


def as_points(points: Sequence[tuple[float, float]] | Points) -> Points:
    """Return points as rows of x and y."""
    return np.asarray(points, dtype=float).reshape(-1, 2)


def _cells(place: Numbers, nodes: int) -> tuple[npt.NDArray[np.intp], Numbers]:
    """The cell of each place along an axis, and how far into it, from 0 to 1."""
    cell = np.clip(np.floor(place), 0, nodes - 2).astype(np.intp)
    return cell, np.clip(place - cell, 0.0, 1.0)


def _size(pair: Sequence[int]) -> Size:
    width, height = pair
    return width, height
