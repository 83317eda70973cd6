"""The pieces of a sheet that was too big for the scanner, and what of each can be found again.

A piece is looked at twice: small, to find where it lies beside the others; whole, when the sheet
is put together.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mapkit.errors import MapkitError
from mapkit.scan.sheet import Pixels

Numbers = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
Shades = npt.NDArray[np.uint8]  # rows × columns

LEAST_PIECES, MOST_PIECES = 2, 16
GLANCE_PX = 1_500_000  # the small picture of a piece: 120 dpi for A4, and numbers stay legible

_MARKS = 3000
_FAINT = 0.02  # pale print on pale paper is enough to be found again


class PiecesError(MapkitError):
    """Pieces do not make one sheet; the message names the file and says what to do."""


@dataclass(frozen=True, eq=False)
class Piece:
    """One scan of a part of a sheet."""

    name: str
    pixels: Pixels
    dpi: float | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.pixels.shape[1], self.pixels.shape[0]


@dataclass(frozen=True, eq=False)
class Glance:
    """What is remembered of a piece while its place is sought.

    *marks* are places that can be told from others, in pixels of the whole piece, n × 2, each with
    a row of *looks*; *colours* is the piece reduced to *scale*, *shades* the same in grey.
    """

    name: str
    size: tuple[int, int]
    scale: float
    colours: Pixels
    shades: Shades
    marks: Numbers
    looks: Floats

    @property
    def corners(self) -> Numbers:
        """The corners of the piece, clockwise from the upper left."""
        width, height = self.size
        return np.array([(0, 0), (width, 0), (width, height), (0, height)], float)


def glance_at(piece: Piece, *, scale: float) -> Glance:
    """Look for the marks of a piece, at a *scale* that all pieces share."""
    import cv2

    colours = piece.pixels
    if scale < 1:
        size = (round(piece.size[0] * scale), round(piece.size[1] * scale))
        colours = np.asarray(cv2.resize(colours, size, interpolation=cv2.INTER_AREA), np.uint8)
    shades = np.asarray(cv2.cvtColor(colours, cv2.COLOR_RGB2GRAY), np.uint8)
    finder = cv2.SIFT.create(
        nfeatures=_MARKS, contrastThreshold=_FAINT, enable_precise_upscale=True
    )
    found, described = finder.detectAndCompute(shades, None)
    looks = np.zeros((0, 128), np.float32) if not found else np.asarray(described, np.float32)
    marks = (np.array([mark.pt for mark in found], float).reshape(-1, 2) + 0.5) / scale
    # Roots of shares: looks are then compared by the angle between them, which suits histograms.
    shares = looks / np.maximum(looks.sum(axis=1, keepdims=True), 1e-6)
    return Glance(
        piece.name, piece.size, scale, colours, shades, marks, np.sqrt(shares).astype(np.float32)
    )


def glance_scale(sizes: list[tuple[int, int]]) -> float:
    """Return the scale at which the largest piece has GLANCE_PX."""
    largest = max(width * height for width, height in sizes)
    return min(1.0, math.sqrt(GLANCE_PX / largest))
