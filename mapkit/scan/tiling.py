"""From a period to lattices: what each part of the picture shows of it, and how clearly.

A tile is ten hexes wide: enough repeats to find a pale grid, small enough that slant, bulge and
folds are straight within it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mapkit.scan.honeycomb import CELL, SIDES, Marks, fold, likeness, slenderness
from mapkit.scan.ink import Ink, InkPicture, scaled

Numbers = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

PITCH_PX = 28.0  # of the picture that tiles are cut from

_TILE_HEXES = 10.0
_SPACING = 0.5
_FFT_PX = 512
_WANDER = 0.09  # how far a reciprocal vector may lie beside its place, as a share of its length
_INK_SHARE = 0.25  # an ink that shows the grid less than so much of the best is left out
_ASTRAY = 0.12  # a basis further off than that is a stranger's


@dataclass(frozen=True, eq=False)
class Tile:
    """The lattice that a part of the picture shows: a hex's centre, and the steps of q and r.

    *strength* is how far the grid stands out, *clearness* how much like a grid it looks (a
    correlation), *slender* how many times longer than wide its strongest mark is.
    """

    centre: Numbers
    basis: Numbers
    strength: float
    clearness: float
    slender: float

    @property
    def worth(self) -> float:
        """How much to rely on it."""
        return self.strength * max(self.clearness, 0.0)


def cut_tiles(ink: Ink, basis: Numbers, *, most: int, marks: Marks = SIDES) -> list[Tile]:
    """Return the lattice of each part of a picture whose pitch is about PITCH_PX.

    *most* is how many there may be in a row, and in a column.
    """
    height, width = ink.shape
    size = int(min(_TILE_HEXES * PITCH_PX, 0.75 * height, 0.75 * width))
    middles = [_middles(length, size, most) for length in (width, height)]
    return [
        _tile(ink, np.array((x, y)), size, basis, marks) for y in middles[1] for x in middles[0]
    ]


def mix_inks(
    inks: Sequence[InkPicture],
    basis: Numbers,
    pitch_px: float,
    masked: Mask | None = None,
    marks: Marks = SIDES,
) -> tuple[Ink, tuple[Tile, ...]]:
    """Return the inks that show a lattice best as one, at PITCH_PX, and what its tiles show."""
    scale = PITCH_PX / pitch_px
    sized = [scaled(ink.ink, scale / ink.scale, blur_px=0.5) for ink in inks]
    height, width = min(ink.shape[0] for ink in sized), min(ink.shape[1] for ink in sized)
    sized = [ink[:height, :width] for ink in sized]
    if masked is not None:
        sized = [np.where(masked, np.float32(0.0), ink) for ink in sized]
    worths = np.array([worth_of(cut_tiles(ink, basis, most=2, marks=marks)) for ink in sized])
    mixed = np.zeros((height, width), np.float32)
    for ink, share in zip(sized, worths / max(float(worths.max()), 1e-9), strict=True):
        if share >= _INK_SHARE:
            mixed += ink * np.float32(share)
    return mixed, tuple(cut_tiles(mixed, basis, most=4, marks=marks))


def worth_of(tiles: Sequence[Tile]) -> float:
    """How well the better half of the tiles shows a grid: the rest may be sea, charts, table."""
    best = sorted((tile.worth for tile in tiles), reverse=True)
    return float(np.mean(best[: max(1, len(best) // 2)]))


def _peak(shown: Numbers) -> Numbers:
    """Return the highest point of a cell, between the bins."""
    i, j = np.unravel_index(int(shown.argmax()), shown.shape)
    found = []
    for axis, at in ((0, int(i)), (1, int(j))):
        line = shown[:, j] if axis == 0 else shown[i, :]
        before, here, after = line[at - 1], line[at], line[(at + 1) % CELL]
        bend = before - 2 * here + after
        shift = 0.5 * (before - after) / bend if bend < 0 else 0.0
        found.append((at + float(np.clip(shift, -0.5, 0.5))) / CELL)
    return np.array(found)


def _tile(ink: Ink, middle: Numbers, size: int, basis: Numbers, marks: Marks) -> Tile:
    height, width = ink.shape
    left = int(np.clip(middle[0] - size / 2, 0, width - size))
    top = int(np.clip(middle[1] - size / 2, 0, height - size))
    part = ink[top : top + size, left : left + size]
    fade = np.hanning(size + 2)[1:-1].astype(np.float32)
    weight = np.outer(fade, fade)
    own = _own_basis(part, weight, basis)
    cell = fold(marks.shown(part, own), weight, own)
    shown, spread = likeness(cell, marks.pattern)
    at = np.array((left + size / 2, top + size / 2))
    phase = _peak(shown)
    phase -= np.round(phase)
    strength = float(shown.max())
    return Tile(at + own @ phase, own, strength, strength / spread, slenderness(cell.sum(axis=0)))


def _own_basis(part: Ink, weight: Ink, basis: Numbers) -> Numbers:
    """Return the lattice of a tile from the three nearest peaks of its own spectrum."""
    from scipy.fft import fft2

    power = np.abs(fft2((part - part.mean()) * weight, (_FFT_PX, _FFT_PX))) ** 2
    power = np.fft.fftshift(power)
    dual = np.linalg.inv(basis)
    steps = np.array([(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) > (0, 0)])
    nearest = steps[np.argsort(np.linalg.norm(steps @ dual, axis=1))[:3]]
    places, weights = zip(*(_spectral_peak(power, step @ dual) for step in nearest), strict=True)
    sure = np.minimum(np.array(weights), 30.0)[:, None]
    found, *_ = np.linalg.lstsq(nearest * sure, np.array(places) * sure, rcond=None)
    if abs(np.linalg.det(found)) < 1e-9:
        return basis
    own = np.linalg.inv(found)
    return own if np.abs(dual @ own - np.eye(2)).max() < _ASTRAY else basis


def _spectral_peak(power: Numbers, vector: Numbers) -> tuple[Numbers, float]:
    """Return the peak near a reciprocal vector, and how far it stands out."""
    u, v = vector * _FFT_PX + _FFT_PX / 2
    i, j = round(float(v)), round(float(u))
    reach = max(2, round(_WANDER * _FFT_PX * float(np.linalg.norm(vector))))
    part = power[i - reach : i + reach + 1, j - reach : j + reach + 1]
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    likely = np.exp(-((x + j - u) ** 2 + (y + i - v) ** 2) / (2 * (0.6 * reach) ** 2))
    a, b = np.unravel_index(int((part * likely).argmax()), part.shape)
    around = (slice(max(a - 1, 0), a + 2), slice(max(b - 1, 0), b + 2))
    mass = part[around] - part[around].min() / 2
    if mass.sum() <= 0:  # bare paper, or all of it masked
        return vector, 0.0
    at = np.array(
        [(mass * x[around]).sum() + mass.sum() * j, (mass * y[around]).sum() + mass.sum() * i]
    )
    place = (at / mass.sum() - _FFT_PX / 2) / _FFT_PX
    return place, float(part.max() / (np.median(part) + 1e-12))


def _middles(length: int, size: int, most: int) -> list[float]:
    count = min(most, max(1, math.ceil((length - size) / (size * _SPACING)) + 1))
    if count == 1:
        return [length / 2]
    return [float(at) for at in np.linspace(size / 2, length - size / 2, count)]
