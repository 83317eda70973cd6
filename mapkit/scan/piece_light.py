"""The light that fell on each piece of a sheet, evened out so that no seam shows.

Where two pieces overlap they show the same paper: what they differ by is light. Each piece gets a
smooth gain for every colour by which all overlaps agree best, and which else changes little.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from mapkit.scan.piece_layout import Layout
from mapkit.scan.pieces import Glance, Numbers

_STEP_PX = 12  # on the small picture
_SOFT_PX = 6.0
_DARK = 24.0  # print darker than this says little about light
_TERMS = 6
_CALM = np.array([0.02, 0.02, 0.02, 0.08, 0.08, 0.08])  # samples' worth: gains stay small and even
_ROUNDS = 5
_LIKELY = 0.03  # in logarithms: what noise and neighbours' blur may make of equal paper


@dataclass(frozen=True, eq=False)
class Light:
    """The logarithm of a piece's gain: a polynomial in its place, terms × colours."""

    size: tuple[int, int]
    terms: Numbers

    def gains(self, points: Numbers) -> Numbers:
        """Return by what the colours at some pixels of the piece are multiplied, n × 3."""
        return np.asarray(np.exp(_polynomial(points, self.size) @ self.terms))


def even_light(glances: Sequence[Glance], layout: Layout) -> tuple[Light, ...]:
    """Return the gains of all pieces."""
    soft = [_softened(glance) for glance in glances]
    rows, seen = [], []
    for first, second in combinations(range(len(glances)), 2):
        here, there = _shared_points(glances, layout, first, second)
        if not len(here):
            continue
        a = _colours_at(soft[first], here * glances[first].scale)
        b = _colours_at(soft[second], there * glances[second].scale)
        good = np.minimum(a.min(axis=1), b.min(axis=1)) > _DARK
        row = np.zeros((int(good.sum()), len(glances), _TERMS))
        row[:, first] = _polynomial(here[good], glances[first].size)
        row[:, second] = -_polynomial(there[good], glances[second].size)
        rows.append(row.reshape(-1, len(glances) * _TERMS))
        seen.append(np.log(b[good]) - np.log(a[good]))
    terms = np.zeros((len(glances), _TERMS, 3))
    if rows:
        terms = _fitted(np.vstack(rows), np.vstack(seen), len(glances))
    return tuple(Light(glance.size, terms[n]) for n, glance in enumerate(glances))


def _fitted(rows: Numbers, seen: Numbers, count: int) -> Numbers:
    """Return terms for every piece and colour; samples that do not fit lose their say."""
    calm = np.diag(np.tile(_CALM, count)) * len(rows) / count
    weight = np.ones(len(rows))
    found: Numbers = np.zeros((rows.shape[1], 3))
    for _ in range(_ROUNDS):
        normal = rows.T @ (rows * weight[:, None]) + calm
        found = np.asarray(np.linalg.solve(normal, rows.T @ (seen * weight[:, None])), float)
        off = np.abs(rows @ found - seen).max(axis=1)
        weight = 1 / (1 + (off / _LIKELY) ** 2) ** 2
    return np.asarray(found.reshape(count, _TERMS, 3))


def _shared_points(
    glances: Sequence[Glance], layout: Layout, first: int, second: int
) -> tuple[Numbers, Numbers]:
    """Return points spread over an overlap, in pixels of both pieces."""
    glance = glances[first]
    step = _STEP_PX / glance.scale
    x, y = np.meshgrid(
        np.arange(step / 2, glance.size[0], step), np.arange(step / 2, glance.size[1], step)
    )
    here = np.column_stack([x.ravel(), y.ravel()])
    there = layout.from_sheet(second, layout.to_sheet(first, here))
    edge = 2 * _SOFT_PX / glance.scale  # softened colours of the very edge are half outside
    inside = np.ones(len(here), bool)
    for points, size in ((here, glance.size), (there, glances[second].size)):
        inside &= np.all((points > edge) & (points < np.array(size) - edge), axis=1)
    return here[inside], there[inside]


def _softened(glance: Glance) -> Numbers:
    import cv2

    return np.asarray(cv2.GaussianBlur(glance.colours, (0, 0), _SOFT_PX))


def _colours_at(picture: Numbers, points: Numbers) -> Numbers:
    height, width = picture.shape[:2]
    x = np.clip(points[:, 0], 0, width - 1).astype(int)
    y = np.clip(points[:, 1], 0, height - 1).astype(int)
    return np.asarray(picture[y, x], float)


def _polynomial(points: Numbers, size: tuple[int, int]) -> Numbers:
    x, y = (2 * points / np.array(size, float) - 1).T
    return np.column_stack([np.ones(len(x)), x, y, x * x, x * y, y * y])
