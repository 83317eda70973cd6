"""Where the cells of a section lie on its scan: one homography, and the room between counters."""

from dataclasses import dataclass

import numpy as np

from counters.model import Quad
from counters.slicing.upright import Numbers
from mapkit.scan.homographies import project


@dataclass(frozen=True, eq=False)
class Lattice:
    """Rows and columns of equal cells, seen in perspective.

    *matrix* takes places in the section to pixels of the scan: cell (row, column) begins at
    x = column, y = row, and is *share* of a step wide and high; the rest is gutter.
    """

    matrix: Numbers
    rows: int
    columns: int
    share: tuple[float, float] = (1.0, 1.0)

    @property
    def extent(self) -> tuple[float, float]:
        """How far the last cell reaches, in steps."""
        return self.columns - 1 + self.share[0], self.rows - 1 + self.share[1]

    def at(self, places: Numbers) -> Numbers:
        """Return where places of the section lie on the scan."""
        return project(self.matrix, np.asarray(places, float).reshape(-1, 2))

    def cell(self, row: int, column: int) -> Numbers:
        """Return the corners of a cell on the scan, from its upper left clockwise."""
        x, y = float(column), float(row)
        right, bottom = x + self.share[0], y + self.share[1]
        return self.at(np.array([(x, y), (right, y), (right, bottom), (x, bottom)]))

    @property
    def corners(self) -> Numbers:
        """The outer corners of the section on the scan, from its upper left clockwise."""
        width, height = self.extent
        return self.at(np.array([(0, 0), (width, 0), (width, height), (0, height)]))

    @property
    def quad(self) -> Quad:
        """The corners as the model keeps them, to hundredths of a pixel."""
        a, b, c, d = ((round(float(x), 2), round(float(y), 2)) for x, y in self.corners)
        return a, b, c, d

    @property
    def pitch_px(self) -> tuple[float, float]:
        """The mean distance from cell to cell on the scan, across and down."""
        a, b, c, d = self.corners
        width, height = self.extent
        across = (np.linalg.norm(b - a) + np.linalg.norm(c - d)) / 2 / width
        down = (np.linalg.norm(d - a) + np.linalg.norm(c - b)) / 2 / height
        return float(across), float(down)

    @property
    def cell_px(self) -> tuple[float, float]:
        """The mean size of a cell on the scan."""
        across, down = self.pitch_px
        return across * self.share[0], down * self.share[1]


def lattice_on(corners: Numbers, rows: int, columns: int) -> Lattice:
    """Return touching cells that fill four corners."""
    import cv2

    source = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32)
    matrix = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    return Lattice(np.asarray(matrix, float), rows, columns)
