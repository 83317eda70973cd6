"""Whether figures keep their place from row to row: what outer edges cannot tell.

Edges of a pale ground are fainter than the figures beside them. A lattice that took figures for
its edge fits them perfectly, and is stretched: then what is printed wanders through its cells.
"""

from collections.abc import Collection, Iterator
from itertools import combinations
from statistics import median

import numpy as np

from counters.slicing.lattice import Lattice
from counters.slicing.upright import Floats, Numbers
from mapkit.scan.sheet import Pixels

_CELL_PX = 96
_REACH_PX = 12  # figures are looked for so far from their place
_ALIKE = 0.6  # how well the figures of two rows agree at least, to tell anything


def wander(picture: Pixels, lattice: Lattice, held: Collection[tuple[int, int]]) -> float:
    """Return how far figures wander, from the first row or column to the last, in cells.

    It is 0 where nothing comes again: that proves nothing, for or against.
    """
    cells = _figures(picture, lattice, held)
    rows = [_mean(cells, row=row) for row in range(lattice.rows)]
    columns = [_mean(cells, column=column) for column in range(lattice.columns)]
    return max(abs(_slope(rows, down=True)), abs(_slope(columns, down=False)))


def _figures(
    picture: Pixels, lattice: Lattice, held: Collection[tuple[int, int]]
) -> dict[tuple[int, int], Floats]:
    """Return the edges of what is printed on each cell, all of one size."""
    import cv2

    wide, high = lattice.columns * _CELL_PX, lattice.rows * _CELL_PX
    grow = np.diag([1 / _CELL_PX, 1 / _CELL_PX, 1.0])
    middles: Numbers = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]], float)
    matrix = middles @ lattice.matrix @ grow @ np.linalg.inv(middles)
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(grey, matrix, (wide, high), flags=flags)
    soft = cv2.GaussianBlur(flat, (0, 0), 1.5)
    edges = np.hypot(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1))
    size = _CELL_PX
    return {
        (row, column): edges[row * size :, column * size :][:size, :size] for row, column in held
    }


def _mean(
    cells: dict[tuple[int, int], Floats], *, row: int | None = None, column: int | None = None
) -> Floats | None:
    """Return what the cells of a row, or of a column, have in common."""
    found = [edges for (r, c), edges in cells.items() if row == r or column == c]
    return np.asarray(np.mean(found, axis=0), np.float32) if found else None


def _slope(lines: list[Floats | None], *, down: bool) -> float:
    """Return how far figures shift along all lines, the middle of what far pairs say."""
    said = sorted(_shifts(lines, down=down))
    return median(said) * (len(lines) - 1) if said else 0.0


def _shifts(lines: list[Floats | None], *, down: bool) -> Iterator[float]:
    """Yield by how much of a cell the figures of two lines are apart, a line."""
    import cv2

    for (i, one), (j, other) in combinations(enumerate(lines), 2):
        if one is None or other is None or 2 * (j - i) < len(lines) - 1:
            continue
        inner = one[_REACH_PX:-_REACH_PX, _REACH_PX:-_REACH_PX]
        fits = cv2.matchTemplate(other, inner, cv2.TM_CCOEFF_NORMED)
        y, x = np.unravel_index(int(np.argmax(fits)), fits.shape)
        if fits[y, x] >= _ALIKE:
            yield (float(y if down else x) - _REACH_PX) / _CELL_PX / (j - i)
