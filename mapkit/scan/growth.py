"""A lattice grown over the whole picture from the place where it is surest.

Nodes are every second hex each way. Where a node should be is reckoned from those already placed
around it; then it is moved to where the marks of the nineteen hexes about it fit best. So the
lattice follows slant, bulge and folds, and passes over places where nothing can be seen.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mapkit.scan.bends import Bend, fit_bend
from mapkit.scan.homographies import fit_homography, project
from mapkit.scan.honeycomb import METRIC, MarkInk, Marks, pitch_of

Numbers = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]

_REACH = 0.25  # in pitches: how far a node is looked for
_SHIFTS = np.linspace(-_REACH, _REACH, 11)
_STRIDES = ((2, 0), (0, 2), (-2, 2), (-2, 0), (0, -2), (2, -2))
_NEIGHBOURS = 14
_AROUND = 4.5  # in hexes: how far neighbours count
_STIFF = 0.08  # how much a node keeps to the first lattice
_ROUNDS = ((0.6, 1), (0.35, 2), (0.2, 2))  # share of the seed's fit that is asked for, and tries
_OUTSIDE = 0.2  # in pitches: a centre nearer to the picture's edge is not looked for


@dataclass(frozen=True, eq=False)
class Growth:
    """The nodes of a lattice: hex numbers, where their centres lie, and how well each fits."""

    hexes: Numbers
    centres: Numbers
    fits: Numbers

    def __len__(self) -> int:
        return len(self.hexes)


def grow(lines: MarkInk, centre: Numbers, basis: Numbers, marks: Marks) -> Growth:
    """Return the lattice that begins with hex (0, 0) at *centre*."""
    field = _Field(lines, marks, pitch_of(basis))
    hexes, centres, basis, fit = _seed(field, centre, basis)
    nodes = {(int(q), int(r)): (x, y, fit) for (q, r), (x, y) in zip(hexes, centres, strict=True)}
    fresh = list(nodes)
    for share, tries in _ROUNDS:
        _spread(field, nodes, fresh, basis, share * fit, tries)
        fresh = list(nodes)
    placed = np.array(list(nodes.values()))
    return Growth(np.array(list(nodes), float), placed[:, :2], np.maximum(placed[:, 2], 1e-3))


def settle(lines: MarkInk, growth: Growth, basis: Numbers, marks: Marks) -> Growth:
    """Look for every node once more where the others say it is, and keep those that are there.

    A node that had slipped among letters or roads comes back or goes.
    """
    height, width = lines.shape[1:]
    field = _Field(lines, marks, pitch_of(basis))
    for _ in range(2):
        pitch = field.pitch_px
        matrix = fit_homography(growth.hexes, growth.centres, growth.fits, spread_px=0.03 * pitch)
        straight = project(matrix, growth.hexes)
        bend = fit_bend(straight, growth.centres, growth.fits, size=(width, height), pitch_px=pitch)

        def reckoned(hexes: Numbers, matrix: Numbers = matrix, bend: Bend = bend) -> Numbers:
            at = project(matrix, hexes)
            return at + bend.at(at)

        hexes = growth.hexes
        centres = reckoned(hexes)
        steps = np.stack(
            [reckoned(hexes + np.array(step)) - centres for step in ((1.0, 0.0), (0.0, 1.0))],
            axis=2,
        )
        moved, fits, found = field.fitted(centres, steps)
        near = np.linalg.norm(moved - centres, axis=1) < 0.15 * pitch
        kept = found & near & (fits > 0.2 * float(np.median(fits)))
        if kept.sum() < 7:
            return growth
        growth = Growth(hexes[kept], moved[kept], np.maximum(fits[kept], 1e-3))
    return growth


def seen_at(lines: MarkInk, centres: Numbers, steps: Numbers, marks: Marks) -> Numbers:
    """Return how much more of the marks is seen at some centres than in places around each.

    *steps* are those of q and r at every centre, n × 2 × 2.
    """
    if not len(centres):
        return np.empty(0)
    fits = _Field(lines, marks, pitch_of(steps.mean(axis=0)))._fits(centres, steps)
    middle = len(_SHIFTS) // 2
    around = np.median(fits.reshape(len(fits), -1), axis=1)
    return np.asarray(fits[:, middle, middle] - around, float)


def local_lattice(
    at: Numbers, hexes: Numbers, centres: Numbers, weights: Numbers, basis: Numbers
) -> tuple[Numbers, Numbers]:
    """Return centre and steps of the lattice at some hexes, by the placed nodes around each."""
    from scipy.spatial import cKDTree

    far, near = cKDTree(hexes @ METRIC.T).query(at @ METRIC.T, k=min(_NEIGHBOURS, len(hexes)))
    weight = np.exp(-(far**2) / (2 * _AROUND**2)) * weights[near] + 1e-9
    terms = np.concatenate([np.ones((*near.shape, 1)), hexes[near] - at[:, None, :]], axis=2)
    normal = np.einsum("nk,nki,nkj->nij", weight, terms, terms)
    wanted = np.einsum("nk,nki,nkc->nic", weight, terms, centres[near])
    stiff = _STIFF * weight.sum(axis=1)
    for axis in (0, 1):
        normal[:, axis + 1, axis + 1] += stiff
        wanted[:, axis + 1] += stiff[:, None] * basis[:, axis]
    found = np.linalg.solve(normal, wanted)
    return found[:, 0], np.stack([found[:, 1], found[:, 2]], axis=2)


@dataclass(frozen=True, eq=False)
class _Field:
    lines: MarkInk
    marks: Marks
    pitch_px: float

    def is_inside(self, centres: Numbers) -> npt.NDArray[np.bool_]:
        height, width = self.lines.shape[1:]
        edge = _OUTSIDE * self.pitch_px
        x, y = centres.T
        inside = (x > edge) & (y > edge) & (x < width - edge) & (y < height - edge)
        return np.asarray(inside)

    def fitted(
        self, centres: Numbers, steps: Numbers
    ) -> tuple[Numbers, Numbers, npt.NDArray[np.bool_]]:
        """Return the best place near each centre, how well it fits, if it lies within reach."""
        count = len(_SHIFTS)
        fits = self._fits(centres, steps)
        best = fits.reshape(len(fits), -1).argmax(axis=1)
        i, j = best // count, best % count
        each = np.arange(len(fits))
        shift = np.stack(
            [
                _between(j, lambda at: fits[each, i, at]),
                _between(i, lambda at: fits[each, at, j]),
            ],
            axis=1,
        )
        flat = fits.reshape(len(fits), -1)
        found = (i > 0) & (j > 0) & (i < count - 1) & (j < count - 1)
        good = np.asarray(flat.max(axis=1) - np.median(flat, axis=1), float)
        return centres + shift * self.pitch_px, good, found

    def _fits(self, centres: Numbers, steps: Numbers) -> Floats:
        """Return the mean of what is shown under all marks, for each centre moved a little."""
        height, width = self.lines.shape[1:]
        fits = np.zeros((len(centres), len(_SHIFTS), len(_SHIFTS)), np.float32)
        for line, patch in zip(self.lines, self.marks.patches, strict=True):
            # A rim of nothing: what lies outside is fetched from there.
            flat = np.pad(line, 1).ravel()
            sides = centres[:, None, :] + np.einsum("nij,pj->npi", steps, patch)
            columns = [_pixels(sides[..., 0] + shift * self.pitch_px, width) for shift in _SHIFTS]
            for i, shift in enumerate(_SHIFTS):
                row = _pixels(sides[..., 1] + shift * self.pitch_px, height) * (width + 2)
                for j, column in enumerate(columns):
                    fits[:, i, j] += flat.take(row + column).mean(axis=1) / len(self.lines)
        return fits


def _pixels(at: Numbers, length: int) -> npt.NDArray[np.int32]:
    """Return which pixels some places fall on, counted with a rim of one on either side."""
    return np.asarray(np.clip(np.floor(at) + 1, 0, length + 1), np.int32)


def _between(at: npt.NDArray[np.intp], value: Callable[[npt.NDArray[np.intp]], Floats]) -> Numbers:
    """Return the top of the parabola through the best shift and its two neighbours."""
    middle = np.clip(at, 1, len(_SHIFTS) - 2)
    before, here, after = value(middle - 1), value(middle), value(middle + 1)
    bend = before - 2 * here + after
    top = np.where(bend < -1e-9, 0.5 * (before - after) / np.where(bend < -1e-9, bend, -1.0), 0.0)
    step = float(_SHIFTS[1] - _SHIFTS[0])
    return np.asarray(_SHIFTS[middle] + np.clip(top, -1.0, 1.0) * step)


def _seed(
    field: _Field, centre: Numbers, basis: Numbers
) -> tuple[Numbers, Numbers, Numbers, float]:
    """Settle the first few nodes together, as one straight lattice."""
    hexes = np.array([(0, 0), *_STRIDES], float)
    fits = np.ones(len(hexes))
    for turn in range(5):
        centres = centre + hexes @ basis.T
        moved, fits, found = field.fitted(centres, np.repeat(basis[None], len(hexes), axis=0))
        weight = np.sqrt(np.maximum(fits, 1e-3) * np.where(found, 1.0, 0.05))[:, None]
        terms = np.column_stack([np.ones(len(hexes)), hexes])
        solved, *_ = np.linalg.lstsq(terms * weight, moved * weight, rcond=None)
        centre = solved[0]
        basis = (basis + solved[1:].T) / 2 if turn < 2 else solved[1:].T
    return hexes, centre + hexes @ basis.T, basis, float(np.median(fits))


def _spread(
    field: _Field,
    nodes: dict[tuple[int, int], tuple[float, float, float]],
    fresh: list[tuple[int, int]],
    basis: Numbers,
    least: float,
    tries: int,
) -> None:
    """Add nodes around the fresh ones, and around those in turn, as long as any fit."""
    tried: dict[tuple[int, int], int] = {}
    while fresh:
        front = {
            (q + dq * far, r + dr * far)
            for q, r in fresh
            for dq, dr in _STRIDES
            for far in range(1, tries + 1)
        }
        front = {at for at in front if at not in nodes and tried.get(at, 0) < 1 + tries}
        if not front:
            return
        at = np.array(sorted(front), float)
        placed = np.array(list(nodes.values()))
        known = np.array(list(nodes), float)
        centres, steps = local_lattice(at, known, placed[:, :2], placed[:, 2], basis)
        inside = field.is_inside(centres)
        for place in at[~inside]:
            tried[int(place[0]), int(place[1])] = 99
        at = at[inside]
        if not len(at):
            return
        moved, fits, found = field.fitted(centres[inside], steps[inside])
        fresh = []
        for place, (x, y), fit, is_found in zip(at, moved, fits, found, strict=True):
            key = (int(place[0]), int(place[1]))
            if is_found and fit > least:
                nodes[key] = (float(x), float(y), float(fit))
                fresh.append(key)
            else:
                tried[key] = tried.get(key, 0) + 1
