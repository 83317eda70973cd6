"""Counters that stand apart from their section: bare cells between them, yet on its lattice."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from counters.slicing.blocks import Block
from counters.slicing.lattice import Lattice
from counters.slicing.upright import Numbers, Upright

_OFF = 0.15  # of a step: so far off a cut the side of a block may lie
_FARTHEST = 30  # rows and columns that a section has at most


def grown(lattice: Lattice, upright: Upright, blocks: Iterable[Block]) -> Lattice | None:
    """Return a lattice that takes in blocks whose sides lie on its cuts; None without such.

    Of touching counters only: a gutter leaves every counter alone, and then all are found.
    """
    if min(lattice.share) < 0.999:
        return None
    spans = [span for block in blocks if (span := _span(lattice, upright.to_scan(block.quad)))]
    left = min((span[0] for span in spans), default=0)
    top = min((span[1] for span in spans), default=0)
    right = max((span[2] for span in spans), default=0)
    bottom = max((span[3] for span in spans), default=0)
    left, top = min(left, 0), min(top, 0)
    columns, rows = max(right, lattice.columns) - left, max(bottom, lattice.rows) - top
    if (rows, columns) == (lattice.rows, lattice.columns) or max(rows, columns) > _FARTHEST:
        return None
    moved = np.array([[1, 0, left], [0, 1, top], [0, 0, 1]], float)
    return replace(lattice, matrix=lattice.matrix @ moved, rows=rows, columns=columns)


def _span(lattice: Lattice, corners: Numbers) -> tuple[int, int, int, int] | None:
    """Return from which to which column and row a block reaches; None if it lies on no cuts."""
    back = np.linalg.inv(lattice.matrix)
    there = np.column_stack([corners, np.ones(4)]) @ back.T
    places = there[:, :2] / there[:, 2:]
    whole = np.rint(places).astype(int)
    (left, top), (right, bottom) = whole[0], whole[2]
    square = whole[1].tolist() == [right, top] and whole[3].tolist() == [left, bottom]
    if (
        not square
        or float(np.abs(places - whole).max()) > _OFF
        or min(right - left, bottom - top) < 1
    ):
        return None
    return int(left), int(top), int(right), int(bottom)


def holds(lattice: Lattice, points: Sequence[Numbers]) -> list[bool]:
    """Say which points of the scan lie in a lattice."""
    import cv2

    corners = lattice.corners.astype(np.float32)
    return [
        cv2.pointPolygonTest(corners, (float(point[0]), float(point[1])), False) >= 0
        for point in points
    ]
