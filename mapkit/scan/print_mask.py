"""Hex numbers and other print that stands in every hex: found by its want of symmetry, and masked.

A grid looks the same after a turn by 60° about a hex's centre; a number does not. What repeats
from hex to hex and is lost in the turn is print, and it would pull the lattice towards itself.
"""

import numpy as np
import numpy.typing as npt

from mapkit.scan.honeycomb import CELL
from mapkit.scan.ink import Ink

Numbers = npt.NDArray[np.float64]

_SHARE = 0.35  # of the strongest print: what is weaker may be anything
_MUCH = 2.0  # deviations of the grid itself: less print than that does no harm


def print_mask(ink: Ink, axial: Numbers) -> npt.NDArray[np.bool_]:
    """Return where a picture shows what stands in every hex and is not the grid.

    *axial* are the axial coordinates of every pixel, rows × columns × 2.
    """
    cells = np.floor((axial % 1.0) * CELL).astype(np.intp) % CELL
    bins = cells[..., 0] * CELL + cells[..., 1]
    total = np.bincount(bins.ravel(), ink.ravel(), CELL * CELL)
    mean = total / np.maximum(np.bincount(bins.ravel(), minlength=CELL * CELL), 1)
    symmetric = np.median([mean[turned] for turned in _TURNED], axis=0)
    lost = mean - symmetric
    if lost.max() < _MUCH * float(symmetric.std()):
        return np.zeros(ink.shape, np.bool_)
    return np.asarray(_widened(lost > _SHARE * float(lost.max()))[bins])


def _turns() -> list[npt.NDArray[np.intp]]:
    """For each bin of a cell, which bin it comes to after each of six turns about (0, 0)."""
    middle = (np.arange(CELL) + 0.5) / CELL
    q, r = (part.ravel() for part in np.meshgrid(middle, middle, indexing="ij"))
    turns = []
    for _ in range(6):
        i, j = (np.floor((part % 1.0) * CELL).astype(np.intp) % CELL for part in (q, r))
        turns.append(i * CELL + j)
        q, r = -r, q + r
    return turns


def _widened(printed: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The bins and those beside them: a number's edge is print too."""
    cell = printed.reshape(CELL, CELL)
    steps = ((0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, -1), (-1, 1))
    grown = np.any([np.roll(cell, step, axis=(0, 1)) for step in steps], axis=0)
    return np.asarray(grown).ravel()


_TURNED = _turns()
