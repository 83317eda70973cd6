"""A lattice laid over a whole picture: grown from one place, fitted by a homography and a bend."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mapkit.grid import Grid, Orientation
from mapkit.scan.bends import Bend, fit_bend
from mapkit.scan.found_grid import Alternative, FoundGrid
from mapkit.scan.growth import Growth, grow, settle
from mapkit.scan.homographies import as_rows, fit_homography, project
from mapkit.scan.honeycomb import SIDES, MarkName, Marks
from mapkit.scan.ink import Ink
from mapkit.scan.print_mask import print_mask
from mapkit.scan.tiling import PITCH_PX, Mask

Numbers = npt.NDArray[np.float64]

_NODE_PX = 8


@dataclass(frozen=True, eq=False)
class LaidGrid:
    """Where hexes lie on a picture whose pitch is PITCH_PX, and the growth that says so."""

    growth: Growth
    matrix: Numbers
    bend: Bend
    marks: MarkName = "sides"

    @property
    def agreement(self) -> float:
        """The share of nodes that lie where the fit says."""
        straight = project(self.matrix, self.growth.hexes)
        off = np.linalg.norm(straight + self.bend.at(straight) - self.growth.centres, axis=1)
        return float(np.mean(off < 0.08 * PITCH_PX))

    def print_on(self, ink: Ink) -> Mask:
        """Return where numbers and the like stand in every hex of the picture."""
        import cv2

        height, width = ink.shape
        rows, columns = (-(-length // _NODE_PX) for length in ink.shape)
        y, x = np.mgrid[0:rows, 0:columns]
        # Nodes lie in the middle of their squares; between them all is as good as linear.
        nodes = (np.stack([x.ravel(), y.ravel()], axis=1) + 0.5) * _NODE_PX
        straight = np.asarray(nodes - self.bend.at(nodes), float)
        axial = project(np.asarray(np.linalg.inv(self.matrix), float), straight)
        size = (columns * _NODE_PX, rows * _NODE_PX)
        whole = cv2.resize(axial.reshape(rows, columns, 2), size, interpolation=cv2.INTER_LINEAR)
        return print_mask(ink, np.asarray(whole[:height, :width], float))

    def on_scan(
        self,
        orientation: Orientation,
        *,
        scale: float,
        size: tuple[int, int],
        confidence: float,
        alternatives: tuple[Alternative, ...] = (),
    ) -> FoundGrid:
        """Return the grid in pixels of the scan, of which the picture is *scale* times as large."""
        matrix = np.diag([1 / scale, 1 / scale, 1.0]) @ self.matrix
        return FoundGrid(
            Grid(orientation, as_rows(matrix / matrix[2, 2])),
            confidence,
            size,
            Bend(self.bend.step_px / scale, self.bend.departures / scale),
            alternatives,
            self.marks,
        )


def lay_grid(ink: Ink, centre: Numbers, basis: Numbers, marks: Marks = SIDES) -> LaidGrid:
    """Return the lattice that shows hex (0, 0) at *centre*, over the whole picture."""
    shown = marks.shown(ink, basis)
    growth = settle(shown, grow(shown, centre, basis, marks), basis, marks)
    matrix = fit_homography(growth.hexes, growth.centres, growth.fits, spread_px=0.03 * PITCH_PX)
    height, width = ink.shape
    bend = fit_bend(
        project(matrix, growth.hexes),
        growth.centres,
        growth.fits,
        size=(width, height),
        pitch_px=PITCH_PX,
    )
    return LaidGrid(growth, matrix, bend, marks.name)
