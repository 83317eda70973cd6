"""The light that fell on a sheet, evened out: shadows, darker corners, a lamp from one side.

Nobody knows what is white on a printed map, and large woods or seas must keep their colours. But
neighbouring hexes are often printed alike, and differ then by the light alone: so what is small
in the steps from hex to hex, and goes on in one direction over the sheet, is light.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mapkit.grid import Grid
from mapkit.scan.sheet import Pixels

Numbers = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]

_PER_PITCH = 8  # pixels of the small picture from hex to hex
_SMALL_PX = 2_000_000
_DEGREE = 4
_STEPS = ((1, 0), (0, 1), (1, -1), (2, -1), (1, 1), (-1, 2))  # in hexes
_DARK = 20.0
_LIGHT = 252.0  # what is overexposed tells nothing
_ALIKE = 0.012  # in logarithms: what neighbours that are printed alike may differ by
_ROUNDS = 6
_CALM = 1e-4  # of the samples' weight: keeps what nothing is known of even
_MOST = 0.7  # in logarithms: no lamp is so bright
_BAND_PX = 512


@dataclass(frozen=True, eq=False)
class Light:
    """How bright the light is over a picture of *size*: logarithms, terms × colours."""

    size: tuple[int, int]
    terms: Numbers

    def at(self, x: Numbers, y: Numbers) -> Floats:
        """Return the logarithm of the light on all *y* by all *x*, in pixels."""
        width, height = self.size
        across, down = _powers(2 * x / width - 1), _powers(2 * y / height - 1)
        found = np.zeros((len(y), len(x), 3), np.float32)
        for term, (i, j) in zip(self.terms, _EXPONENTS, strict=True):
            found += (down[j][:, None] * across[i])[..., None] * term
        return np.clip(found, -_MOST, _MOST)


def find_light(picture: Pixels, grid: Grid) -> Light:
    """Return the light on a flattened picture, whose grid is regular."""
    import cv2

    height, width = picture.shape[:2]
    matrix = np.array(grid.homography)
    pitch = float(np.hypot(*matrix[:2, 0]))
    scale = min(1.0, _PER_PITCH / pitch, (_SMALL_PX / (width * height)) ** 0.5)
    size = (max(round(width * scale), 8), max(round(height * scale), 8))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    # Medians let grid lines, numbers and roads go.
    seen = cv2.medianBlur(np.asarray(small, np.uint8), 5).astype(np.float32)
    usable = (seen.min(axis=2) > _DARK) & (seen.max(axis=2) < _LIGHT)
    tones = np.log(np.maximum(seen, 1.0))
    rows, steps = [], []
    for step in _STEPS:
        by = matrix[:2, :2] @ np.array(step, float) * (size[0] / width)
        row, difference = _steps(tones, usable, by)
        rows.append(row)
        steps.append(difference)
    return Light((width, height), _fitted(np.vstack(rows), np.vstack(steps)))


def even_light(picture: Pixels, light: Light) -> None:
    """Change a picture to what it would be in even light, as bright as before on the whole.

    It is changed where it stands: a second one of its size might not fit. A cast that is the same
    all over stays: a legend on the same sheet has it too, and paper may be coloured.
    """
    height, width = picture.shape[:2]
    coarse = light.at(np.linspace(0, width, 40), np.linspace(0, height, 40))
    full = np.median(coarse.reshape(-1, 3), axis=0).astype(np.float32)
    for top, gain in _bands(light, full, (width, height)):
        band = picture[top : top + len(gain)] * gain
        picture[top : top + len(gain)] = np.clip(np.rint(band), 0, 255)


def _bands(light: Light, full: Floats, size: tuple[int, int]) -> Iterator[tuple[int, Floats]]:
    import cv2

    width, height = size
    nodes = np.arange(0, width + 64, 64.0) + 32
    for top in range(0, height, _BAND_PX):
        rows = min(_BAND_PX, height - top)
        lines = np.arange(top, top + rows + 64, 64.0) + 32
        gain = np.exp(full - light.at(nodes, lines)).astype(np.float32)
        whole = cv2.resize(gain, (len(nodes) * 64, len(lines) * 64))
        yield top, np.asarray(whole[:rows, :width], np.float32)


def _steps(tones: Floats, usable: npt.NDArray[np.bool_], by: Numbers) -> tuple[Numbers, Numbers]:
    """Return how the polynomials and the tones change from places to those one step on."""
    height, width = usable.shape
    x, y = np.meshgrid(np.arange(0, width, 2), np.arange(0, height, 2))
    u, v = x + round(by[0]), y + round(by[1])
    good = (u >= 0) & (u < width) & (v >= 0) & (v < height)
    x, y, u, v = (part[good] for part in (x, y, u, v))
    good = usable[y, x] & usable[v, u]
    x, y, u, v = (part[good] for part in (x, y, u, v))
    change = np.asarray(tones[v, u] - tones[y, x], float)
    alike = np.abs(change).max(axis=1) < 5 * _ALIKE
    size = (width, height)
    row = _polynomial(u[alike], v[alike], size) - _polynomial(x[alike], y[alike], size)
    return row, change[alike]


def _fitted(rows: Numbers, steps: Numbers) -> Numbers:
    """Return the terms of the light; steps from one kind of print to another lose their say."""
    terms: Numbers = np.zeros((rows.shape[1], 3))
    if len(rows) < 50 * rows.shape[1]:
        return terms
    calm = np.eye(rows.shape[1]) * _CALM * len(rows)
    for _ in range(_ROUNDS):
        off = np.abs(rows @ terms - steps).max(axis=1)
        weight = (1 / (1 + (off / _ALIKE) ** 2) ** 2)[:, None]
        normal = rows.T @ (rows * weight) + calm * float(weight.mean())
        terms = np.asarray(np.linalg.solve(normal, rows.T @ (steps * weight)), float)
    return terms


_EXPONENTS = [(i, total - i) for total in range(1, _DEGREE + 1) for i in range(total, -1, -1)]


def _polynomial(x: npt.NDArray[np.int_], y: npt.NDArray[np.int_], size: tuple[int, int]) -> Numbers:
    across, down = _powers(2 * x / size[0] - 1), _powers(2 * y / size[1] - 1)
    return np.column_stack([across[i] * down[j] for i, j in _EXPONENTS])


def _powers(values: Numbers) -> list[Numbers]:
    return [values**power for power in range(_DEGREE + 1)]
