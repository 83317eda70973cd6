"""How a scan departs from a plane sheet: the bulge of a lens, the kinks of folds.

The departure from the homography is given on a square lattice of nodes over the picture, bilinear
in between. It is fitted twice: as a smooth bulge by all centres at once, then around each node by
the centres near it. A centre that departs from all around it is left out.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]

NODE_PITCHES = 3.0  # from node to node

_LEAST_FOR_BULGE = 40
_ROUNDS = 8
_AROUND = 1.2  # nodes: how far centres count for one
_CALM = 1.0  # as many centres' worth of no departure, so that far from all there is none
_NOISE = 4.0  # a departure is followed by half when it is twice what chance would make


@dataclass(frozen=True, eq=False)
class Bend:
    """Departures in pixels on the nodes of a lattice, rows × columns × 2."""

    step_px: float
    departures: Numbers

    def at(self, points: Numbers) -> Numbers:
        """Return the departures at some pixels; beyond the lattice those of its edge."""
        rows, columns = self.departures.shape[:2]
        j, s = _cells(points[:, 0] / self.step_px, columns)
        i, t = _cells(points[:, 1] / self.step_px, rows)
        s, t = s[:, None], t[:, None]
        above = self.departures[i, j] * (1 - s) + self.departures[i, j + 1] * s
        below = self.departures[i + 1, j] * (1 - s) + self.departures[i + 1, j + 1] * s
        return np.asarray(above * (1 - t) + below * t)

    def nodes(self) -> Numbers:
        """Return the pixels of all nodes, row by row."""
        return _lattice(self.departures.shape[0], self.departures.shape[1], self.step_px)


def fit_bend(
    straight: Numbers,
    seen: Numbers,
    weights: Numbers,
    *,
    size: tuple[float, float],
    pitch_px: float,
) -> Bend:
    """Return the bend that takes *straight* pixels to where they were *seen*.

    *size* is the width and height of the picture.
    """
    step = NODE_PITCHES * pitch_px
    columns, rows = (max(2, int(np.ceil(length / step)) + 1) for length in size)
    nodes = _lattice(rows, columns, step)
    off = seen - straight
    bulge, at_nodes = _bulge(straight, off, weights, nodes, size, 0.02 * pitch_px)
    left = off - bulge
    alone = np.linalg.norm(left - _around(straight, left, weights, straight, step), axis=1)
    kept = weights / (1 + (alone / max(3 * float(np.median(alone)), 0.03 * pitch_px)) ** 2) ** 2
    rest = _around(straight, left, kept, nodes, step, noise_px=float(np.median(alone)))
    return Bend(step, (at_nodes + rest).reshape(rows, columns, 2))


def _bulge(
    at: Numbers,
    off: Numbers,
    weights: Numbers,
    nodes: Numbers,
    size: tuple[float, float],
    px: float,
) -> tuple[Numbers, Numbers]:
    """Fit a smooth bulge; return it at the centres and at the nodes."""
    degree = 3 if len(at) >= _LEAST_FOR_BULGE else 0
    terms, kept = _terms(at, size, degree), np.array(weights)
    solved: Numbers = np.zeros((terms.shape[1], 2))
    for _ in range(_ROUNDS):
        root = np.sqrt(kept)[:, None]
        solved = np.asarray(np.linalg.lstsq(terms * root, off * root, rcond=None)[0], float)
        left = np.linalg.norm(off - terms @ solved, axis=1)
        scale = max(1.5 * float(np.median(left)), px)
        kept = np.asarray(weights / (1 + (left / (2 * scale)) ** 2) ** 2)
    return terms @ solved, _terms(nodes, size, degree) @ solved


def _terms(at: Numbers, size: tuple[float, float], degree: int) -> Numbers:
    half = max(size) / 2
    # Beyond the picture a cubic runs away: it is held at the edge.
    x = np.clip((at[:, 0] - size[0] / 2) / half, -1.1, 1.1)
    y = np.clip((at[:, 1] - size[1] / 2) / half, -1.1, 1.1)
    powers = [(i, j) for i in range(degree + 1) for j in range(degree + 1 - i)]
    return np.stack([x**i * y**j for i, j in powers], axis=1)


def _around(
    at: Numbers,
    off: Numbers,
    weights: Numbers,
    nodes: Numbers,
    step: float,
    *,
    noise_px: float = 0.0,
) -> Numbers:
    """Return the mean departure about each node; what may be mere noise is followed less."""
    found = np.zeros_like(nodes)
    mean = max(float(weights.mean()), 1e-9)
    for start in range(0, len(nodes), 256):
        part = slice(start, start + 256)
        far = np.linalg.norm(nodes[part, None, :] - at[None], axis=2) / step
        near = np.exp(-((far / _AROUND) ** 2) * 2) * weights
        total = near.sum(axis=1)[:, None]
        departure = near @ off / (total + _CALM * mean)
        seen, chance = (
            (departure**2).sum(axis=1, keepdims=True),
            noise_px**2 * mean / (total + mean),
        )
        found[part] = departure * seen / (seen + _NOISE * chance + 1e-12)
    return found


def _lattice(rows: int, columns: int, step: float) -> Numbers:
    y, x = np.mgrid[0:rows, 0:columns]
    return np.stack([x.ravel(), y.ravel()], axis=1) * step


def _cells(at: Numbers, count: int) -> tuple[npt.NDArray[np.intp], Numbers]:
    inside = np.clip(at, 0.0, count - 1.0)
    first = np.minimum(inside.astype(np.intp), count - 2)
    return first, inside - first
