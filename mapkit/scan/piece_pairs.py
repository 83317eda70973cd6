"""Which pieces of a sheet overlap, and how: marks found on both, held against the pixels.

A hex grid repeats, and so do its icons: a few marks may agree one hex beside the truth. So no
overlap is believed before the two pictures look alike all over it, and clearly less alike when
they are shifted.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mapkit.scan.homographies import project
from mapkit.scan.pieces import Glance, Numbers, Shades

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

NEAR_PX = 3.0  # on the small picture: how far a mark may be from where its partner says

_RIVAL = 0.8  # the second best look must be so much farther away
_LEAST_MARKS = 8
_TRIES = 3
_SCALES = (0.5, 2.0)
_ALIKE = 0.6  # true overlaps reach 0.9 and more
_SURE = 2.0  # less trust, and the place is anybody's guess
_CLEARLY = 0.02
_LEAST_OVERLAP_PX = 2500  # on the small picture
_EDGE_PX = 3
_SOFT_PX = 5.0
_STRONGEST = 40.0
_LEAST_CONTRAST = 2.5
_AROUND = 0.3  # of a piece: by less than this a shift by one hex is looked for


@dataclass(frozen=True, eq=False)
class Pair:
    """Two pieces that overlap: the marks *of_first* and *of_second* are the same on the sheet.

    *matrix* takes pixels of the second piece to pixels of the first; *trust* tells how many times
    worse the pictures would agree if they were shifted.
    """

    first: int
    second: int
    of_first: Numbers
    of_second: Numbers
    matrix: Numbers
    trust: float = 1.0


def find_pair(glances: Sequence[Glance], first: int, second: int) -> Pair | None:
    """Return how two pieces overlap; None where that is not sure.

    Marks may agree on a false place first: then the rest of them is asked.
    """
    one, other = glances[first], glances[second]
    here, there = _like_marks(one, other)
    for _ in range(_TRIES):
        fit = _moved_on(here, there, near_px=NEAR_PX / one.scale)
        if fit is None:
            return None
        matrix, good = fit
        alike = likeness(one, other, matrix, shifted=True)
        if alike is not None and alike.is_sure:
            return Pair(first, second, here[good], there[good], matrix, alike.trust)
        here, there = here[~good], there[~good]
    return None


def _moved_on(here: Numbers, there: Numbers, *, near_px: float) -> tuple[Numbers, Mask] | None:
    """Return how most marks of the second piece are moved onto those of the first, and which."""
    import cv2

    if len(here) < _LEAST_MARKS:
        return None
    matrix, fits = cv2.estimateAffinePartial2D(
        there,
        here,
        method=cv2.RANSAC,
        ransacReprojThreshold=near_px,
        maxIters=5000,
        confidence=0.999,
    )
    good = np.asarray(fits).ravel().astype(bool)
    if matrix is None or good.sum() < _LEAST_MARKS:
        return None
    if not _SCALES[0] < float(np.hypot(matrix[0, 0], matrix[1, 0])) < _SCALES[1]:
        return None
    return np.vstack([matrix, (0.0, 0.0, 1.0)]), good


def find_pair_near(
    glances: Sequence[Glance], first: int, second: int, matrix: Numbers
) -> tuple[Numbers, Numbers]:
    """Return the marks that two pieces share, where it is known how the second lies on the first.

    Near the right place the nearest look will do, so that many more are found.
    """
    from scipy.spatial import cKDTree

    one, other = glances[first], glances[second]
    none = np.zeros((0, 2))
    if not len(one.marks) or not len(other.marks):
        return none, none
    moved = project(matrix, other.marks)
    beside = min(8, len(one.marks))
    far, at = cKDTree(one.marks).query(
        moved, k=beside, distance_upper_bound=1.5 * NEAR_PX / one.scale
    )
    far, at = far.reshape(-1, beside), at.reshape(-1, beside)
    looks = np.vstack([one.looks, np.zeros((1, one.looks.shape[1]), np.float32)])
    alike = np.einsum("nkd,nd->nk", looks[at], other.looks)
    alike[~np.isfinite(far)] = 0.0
    best = alike.argmax(axis=1)
    rows = np.flatnonzero(alike[np.arange(len(best)), best] > 0.9)
    return one.marks[at[rows, best[rows]]], other.marks[rows]


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two pictures are where they overlap, up to 1, and at best when shifted."""

    here: float
    shifted: float = 0.0

    @property
    def trust(self) -> float:
        """How many times more is left unexplained when shifted: a grid fits itself everywhere."""
        return (1 - self.shifted) / max(1 - self.here, 1e-6)

    @property
    def is_sure(self) -> bool:
        """Whether they show the same, and would not when shifted."""
        return self.here > _ALIKE and self.trust > _SURE and self.here - self.shifted > _CLEARLY


def likeness(
    one: Glance, other: Glance, matrix: Numbers, *, shifted: bool = False
) -> Likeness | None:
    """Compare two pieces where they overlap; None where too little is printed there."""
    both = _overlap(one, other, matrix, around=_AROUND if shifted else 0.0)
    if both is None:
        return None
    a, b, of_a, of_b = both
    inside = of_a & of_b
    energy = [float(np.sum(part[inside] ** 2, dtype=float)) for part in (a, b)]
    if min(energy) < _LEAST_CONTRAST**2 * np.count_nonzero(inside):
        return None
    here = float(np.sum((a * b)[inside], dtype=float)) / math.sqrt(energy[0] * energy[1])
    if not shifted or here <= _ALIKE:
        return Likeness(here)
    return Likeness(here, _best_shifted(a, b, of_a, of_b))


def _like_marks(one: Glance, other: Glance) -> tuple[Numbers, Numbers]:
    """Return the marks of two pieces that look alike, and like no other mark."""
    if len(one.marks) < 2 or len(other.marks) < 2:
        return np.zeros((0, 2)), np.zeros((0, 2))
    alike = one.looks @ other.looks.T
    rows, best, back = np.arange(len(alike)), alike.argmax(axis=1), alike.argmax(axis=0)
    nearest = 2 - 2 * alike[rows, best]
    alike[rows, best] = -1.0
    second = 2 - 2 * alike.max(axis=1)
    good = (nearest < _RIVAL**2 * second) & (back[best] == rows)
    return one.marks[good], other.marks[best[good]]


def _overlap(
    one: Glance, other: Glance, matrix: Numbers, *, around: float
) -> tuple[Floats, Floats, Mask, Mask] | None:
    """Return the fine print of both pieces as they lie on the first, and where each has some.

    The part is that of the overlap, and as much *around* it as a share of the piece says.
    """
    shrink = np.diag([one.scale, one.scale, 1.0])
    small = shrink @ matrix @ np.linalg.inv(shrink)
    height, width = one.shades.shape
    corners = project(small, other.corners * other.scale)
    room = around * max(width, height)
    left, top = np.floor(np.maximum(corners.min(axis=0), 0) - room).astype(int).tolist()
    right, bottom = np.ceil(np.minimum(corners.max(axis=0), (width, height)) + room).tolist()
    size = (int(right) - left, int(bottom) - top)
    if min(size) <= 2 * room:
        return None
    shift = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]])
    a, of_a = _seen_from(one, shift, size)
    b, of_b = _seen_from(other, shift @ small, size)
    if np.count_nonzero(of_a & of_b) < _LEAST_OVERLAP_PX:
        return None
    return a * of_a, b * of_b, of_a, of_b


def _seen_from(glance: Glance, matrix: Numbers, size: tuple[int, int]) -> tuple[Floats, Mask]:
    import cv2

    at = for_pixels(matrix)
    whole = np.full(glance.shades.shape, 255, np.uint8)
    whole[:_EDGE_PX] = whole[-_EDGE_PX:] = whole[:, :_EDGE_PX] = whole[:, -_EDGE_PX:] = 0
    fine = np.asarray(cv2.warpAffine(_fine(glance.shades), at, size), np.float32)
    return fine, np.asarray(cv2.warpAffine(whole, at, size, flags=cv2.INTER_NEAREST)) > 0


def for_pixels(matrix: Numbers) -> Numbers:
    """Return the 2×3 matrix for OpenCV, which counts from the middle of the first pixel."""
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
    return np.asarray((np.linalg.inv(half) @ matrix @ half)[:2])


def _fine(shades: Shades) -> Floats:
    """Return print without the light that falls on it; nothing is so black that it rules alone."""
    import cv2

    grey = shades.astype(np.float32)
    # A little blur, so that half a pixel between two scans of a thin line does not count.
    fine = cv2.GaussianBlur(grey, (0, 0), 1.0) - cv2.GaussianBlur(grey, (0, 0), _SOFT_PX)
    return np.asarray(np.clip(fine, -_STRONGEST, _STRONGEST), np.float32)


def _best_shifted(a: Floats, b: Floats, of_a: Mask, of_b: Mask) -> float:
    """Return how alike two pictures are at best when one is shifted by more than its blur."""
    from scipy.fft import irfft2, next_fast_len, rfft2

    reach = [round(_AROUND * length) for length in a.shape]
    shape = [next_fast_len(n + more, real=True) for n, more in zip(a.shape, reach, strict=True)]

    def summed(here: Any, there: Any) -> Any:
        return irfft2(here * np.conj(there), shape)

    one, other = rfft2(of_a.astype(np.float32), shape), rfft2(of_b.astype(np.float32), shape)
    shared = summed(one, other)
    energy = summed(rfft2(a * a, shape), other) * summed(one, rfft2(b * b, shape))
    product = summed(rfft2(a, shape), rfft2(b, shape))
    enough = (shared > 0.5 * shared[0, 0]) & (energy > 0)
    alike = np.where(enough, product / np.sqrt(np.where(enough, energy, 1.0)), 0.0)
    near = round(_SOFT_PX)
    alike[np.ix_(*(np.arange(-near, near + 1) for _ in range(2)))] = 0.0
    return _at_peak(alike)


def _at_peak(alike: Numbers) -> float:
    """Return the highest value between the pixels: thin lines do not care for whole ones."""
    row, column = divmod(int(alike.argmax()), alike.shape[1])
    best = value = float(alike[row, column])
    height, width = alike.shape
    for before, after in (
        (alike[row - 1, column], alike[(row + 1) % height, column]),
        (alike[row, column - 1], alike[row, (column + 1) % width]),
    ):
        slope, bend = float(after - before), float(after - 2 * value + before)
        if bend < 0:
            best -= slope**2 / (8 * bend)
    return min(best, 1.0)
