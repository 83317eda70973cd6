"""Which lattices of hexes a picture repeats in: pitch and angle, from the spectra of its parts.

What is printed once in every hex has power at the points of the reciprocal lattice. Its first ring
are three pairs of points, 60° apart; the spectrum is taken window by window, so that a slant or a
bulge of the whole sheet, which shifts them from part to part, does not wash them out.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mapkit.scan.ink import SMALLEST_PX, Ink, InkPicture, halve

Numbers = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]

WINDOW_PX = 512

_PITCHES = np.exp(np.arange(math.log(12.0), math.log(48.0), 0.01))
_ANGLES_DEG = np.arange(0.0, 60.0, 0.75)
_RINGS = ((1.0, 0.0), (math.sqrt(3), 30.0), (2.0, 0.0))  # how far out, and turned by how much
_WEIGHTS = (1.0, 0.5, 0.5)
_CLIP = 12.0  # one strong stripe must not pass for three directions
_STEP = 0.6
_FAINTEST = 4.0


@dataclass(frozen=True, slots=True)
class Period:
    """A lattice that a picture seems to repeat in.

    *pitch_px* and *angle_deg* (of a reciprocal vector, clockwise from the right, below 60) are of
    the working picture. *strength* counts deviations above other lattices, *first_ring* those of
    the nearest ring alone, which a lattice that is too coarse has not.
    """

    pitch_px: float
    angle_deg: float
    strength: float
    first_ring: float

    def is_like(self, other: "Period") -> bool:
        """Whether two periods mean one lattice."""
        apart = abs(self.angle_deg - other.angle_deg)
        return (
            abs(math.log(self.pitch_px / other.pitch_px)) < 0.06 and min(apart, 60.0 - apart) < 4.0
        )


def find_periods(ink: InkPicture) -> Iterator[Period]:
    """Return the lattices that the lines of a picture repeat in, of any pitch."""
    lines, halved = ink.ink, ink.halved
    if halved == 0:  # no sheet has hexes so small that this one would be needed
        lines, halved = halve(lines), 1
    while min(lines.shape) >= SMALLEST_PX:
        yield from _periods(lines, float(2**halved))
        lines, halved = halve(lines), halved + 1


def _periods(lines: Ink, scale: float) -> Iterator[Period]:
    import cv2

    scores = np.mean([_window_scores(window) for window in _windows(lines)], axis=0)
    strength, first = _deviations(np.tensordot(_WEIGHTS, scores, 1)), _deviations(scores[0])
    around = np.concatenate([strength[:, -4:], strength, strength[:, :4]], axis=1)
    highest = cv2.dilate(around.astype(np.float32), np.ones((9, 9), np.uint8))[:, 4:-4]
    for i, j in np.argwhere((strength >= highest - 1e-6) & (strength > _FAINTEST)).tolist():
        yield Period(
            float(_PITCHES[i]) * scale,
            float(_ANGLES_DEG[j]),
            float(strength[i, j]),
            float(first[i, j]),
        )


def _windows(lines: Ink) -> Iterator[Floats]:
    height, width = lines.shape
    size = min(WINDOW_PX, height, width)
    fade = np.hanning(size + 2)[1:-1].astype(np.float32)
    for top in _starts(height, size):
        for left in _starts(width, size):
            part = lines[top : top + size, left : left + size]
            yield (part - part.mean()) * np.outer(fade, fade)


def _starts(length: int, size: int) -> list[int]:
    count = max(1, math.ceil((length - size) / (size * _STEP)) + 1)
    return sorted({int(start) for start in np.linspace(0, length - size, count)})


def _window_scores(window: Floats) -> Floats:
    """For each pitch and angle, how far the three points of each ring stand out together."""
    import cv2

    spread = WINDOW_PX / window.shape[0]
    power = np.abs(np.fft.fft2(window, (WINDOW_PX, WINDOW_PX))) ** 2
    power = cv2.GaussianBlur(np.fft.fftshift(power).astype(np.float32), (0, 0), 0.7 * spread)
    box = int(25 * spread) | 1
    background = cv2.blur(power, (box, box))
    clear = np.minimum(power / (background + 1e-9 * float(power.max()) + 1e-12), _CLIP)
    # A slant moves the three points apart: each may lie a step beside its place.
    clear = cv2.dilate(clear.astype(np.float32), np.ones((3, 3), np.uint8))
    shape = (len(_PITCHES), len(_ANGLES_DEG), 3)
    rings = []
    for x, y in _ring_places():
        seen = cv2.remap(clear, x, y, cv2.INTER_LINEAR, borderValue=1.0)
        rings.append(np.cbrt(np.prod(seen.reshape(shape), axis=2)))
    return np.asarray(rings, np.float32)


def _ring_places() -> Iterator[tuple[Floats, Floats]]:
    rows = len(_PITCHES)
    for far, turned_deg in _RINGS:
        out = far * 2 / (math.sqrt(3) * _PITCHES)[:, None, None] * WINDOW_PX
        angle = np.radians(_ANGLES_DEG + turned_deg)[None, :, None]
        angle = angle + np.radians((0.0, 60.0, 120.0))
        x, y = out * np.cos(angle) + WINDOW_PX / 2, out * np.sin(angle) + WINDOW_PX / 2
        yield x.reshape(rows, -1).astype(np.float32), y.reshape(rows, -1).astype(np.float32)


def _deviations(scores: Numbers | Floats) -> Numbers:
    """How many deviations each score lies above the usual; neighbours taken together."""
    import cv2

    around = np.concatenate([scores[:, -6:], scores, scores[:, :6]], axis=1).astype(np.float32)
    smooth = np.asarray(cv2.GaussianBlur(around, (0, 0), sigmaX=1.0, sigmaY=1.5), float)[:, 6:-6]
    usual = float(np.median(smooth))
    spread = 1.48 * float(np.median(np.abs(smooth - usual))) + 1e-6
    return (smooth - usual) / spread
