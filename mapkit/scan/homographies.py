"""Homographies fitted to points, some of which are wrong."""

import math

import numpy as np
import numpy.typing as npt

from mapkit.grid import Matrix

Numbers = npt.NDArray[np.float64]

_ROUNDS = 10


def project(matrix: Numbers, points: Numbers) -> Numbers:
    """Return where a homography takes some points, n × 2."""
    at = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(at[:, :2] / at[:, 2:])


def as_rows(matrix: Numbers) -> Matrix:
    """Return a 3×3 array as the rows that a grid is made of."""
    first, second, third = ((float(a), float(b), float(c)) for a, b, c in matrix)
    return first, second, third


def fit_homography(
    points: Numbers, images: Numbers, weights: Numbers, *, spread_px: float
) -> Numbers:
    """Return the homography that takes points nearest to their images.

    Points that fall far out count little, then nothing; *spread_px* is what good ones may be off.
    """
    before, after = _to_unit(points), _to_unit(images)
    a = np.column_stack([points, np.ones(len(points))]) @ before.T
    b = np.column_stack([images, np.ones(len(images))]) @ after.T
    weight = np.array(weights, float)
    matrix = np.eye(3)
    for _ in range(_ROUNDS):
        matrix = np.linalg.inv(after) @ _solve(a, b, weight) @ before
        matrix /= matrix[2, 2]
        off = np.linalg.norm(project(matrix, points) - images, axis=1)
        scale = max(1.5 * float(np.median(off)), spread_px)
        weight = weights / (1 + (off / (2 * scale)) ** 2) ** 2
    return matrix


def _solve(a: Numbers, b: Numbers, weight: Numbers) -> Numbers:
    root, none = np.sqrt(weight)[:, None], np.zeros_like(a)
    rows = np.concatenate(
        [
            np.hstack([a, none, -b[:, :1] * a]) * root,
            np.hstack([none, a, -b[:, 1:2] * a]) * root,
        ]
    )
    _, vectors = np.linalg.eigh(rows.T @ rows)
    return np.asarray(vectors[:, 0]).reshape(3, 3)


def _to_unit(points: Numbers) -> Numbers:
    """A shift and a scale after which the equations are well behaved."""
    middle = points.mean(axis=0)
    size = math.sqrt(2) / max(float(np.linalg.norm(points - middle, axis=1).mean()), 1e-9)
    return np.array([[size, 0, -size * middle[0]], [0, size, -size * middle[1]], [0, 0, 1]])
