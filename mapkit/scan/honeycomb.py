"""What a printed grid looks like: lines along its hexsides, or a mere dot in every hex.

A hexside is long, straight and runs one of three ways; letters and numbers are short strokes, so
they hardly show once a picture has been searched for each direction by itself; ticks or dots where
hexsides meet still do. A part of the picture is folded into one cell of the lattice (all its hexes
laid on each other) and compared with the pattern. Axial coordinates throughout; a cell is the
square 0 ≤ q, r < 1.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from mapkit.scan.ink import Ink

Numbers = npt.NDArray[np.float64]
MarkInk = npt.NDArray[np.float32]  # ways × rows × columns: what shows each kind of mark
MarkName = Literal["sides", "dots"]

CELL = 24  # bins of a cell each way: four hundredths of a pitch

STEPS = np.array([(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)], float)
CORNERS = np.array([(STEPS[i] + STEPS[(i + 1) % 6]) / 3 for i in range(6)])
METRIC = np.array([[1.0, 0.5], [0.0, math.sqrt(3) / 2]])  # axial to lengths, in pitches

_LONG, _WIDE_PX = 0.17, 1.0  # of the brush that finds lines: in pitches, in pixels
_LEAST, _MOST = -0.5, 2.5
_ALONG = (0.14, 0.38, 0.62, 0.86)
_ABOUT = 0.42  # in pitches: what belongs to the same hex
_SPOT = 0.055  # how far a dot reaches, in pitches


def pitch_of(basis: Numbers) -> float:
    """Return the distance between neighbouring centres of a lattice."""
    return math.sqrt(abs(float(np.linalg.det(basis))) * 2 / math.sqrt(3))


def along_hexsides(ink: Ink, basis: Numbers) -> MarkInk:
    """Return the lines of a picture that run along each of the three kinds of hexside."""
    import cv2

    found = []
    for way in range(3):
        x, y = basis @ (CORNERS[way] - CORNERS[way - 1])
        brush = _brush(math.atan2(y, x), _LONG * pitch_of(basis))
        lines = cv2.filter2D(ink, cv2.CV_32F, brush, borderType=cv2.BORDER_REFLECT)
        spread = float(lines.std()) + 1e-6
        found.append(np.clip(lines / spread, _LEAST, _MOST))
    return np.asarray(found, np.float32)


def spots(ink: Ink, basis: Numbers) -> MarkInk:
    """Return the small round marks of a picture."""
    import cv2

    reach = _SPOT * pitch_of(basis)
    inner = cv2.GaussianBlur(ink, (0, 0), reach)
    outer = cv2.GaussianBlur(ink, (0, 0), 2 * reach)
    found = inner - outer
    spread = float(found.std()) + 1e-6
    return np.asarray(np.clip(found / spread, _LEAST, _MOST), np.float32)[None]


def fold(shown: MarkInk, weight: Ink, basis: Numbers) -> Numbers:
    """Return the mean of a part over one cell, ways × CELL × CELL, its middle at (0, 0)."""
    height, width = weight.shape
    y, x = np.mgrid[0:height, 0:width]
    places = np.stack([x.ravel() + 0.5 - width / 2, y.ravel() + 0.5 - height / 2])
    q, r = np.floor((np.linalg.inv(basis) @ places) % 1.0 * CELL).astype(np.intp) % CELL
    bins, weights = q * CELL + r, weight.ravel()
    count = np.maximum(np.bincount(bins, weights, CELL * CELL), 1e-6)
    means = [np.bincount(bins, way.ravel() * weights, CELL * CELL) / count for way in shown]
    return np.asarray(means).reshape(-1, CELL, CELL)


def likeness(cell: Numbers, pattern: Numbers) -> tuple[Numbers, float]:
    """Return how strongly a cell shows a grid about each of its points, and how the cell varies.

    The strength is a covariance with a pattern of variance 1; divided by the second value it is
    a correlation. All directions are asked for: squares or stripes have one or two of three.
    """
    varied = cell - cell.mean(axis=(1, 2), keepdims=True)
    spectrum = np.fft.fft2(varied) * np.conj(np.fft.fft2(pattern))
    ways = np.fft.ifft2(spectrum).real / CELL**2
    shown = np.minimum(ways.mean(axis=0), 2 * np.maximum(ways.min(axis=0), 0.0))
    return np.asarray(shown), float(np.sqrt((varied**2).mean())) + 1e-9


def slenderness(cell: Numbers) -> float:
    """Return how many times longer than wide the strongest mark of a cell is: a dot has 1.

    A number is wider than high, and what stands about it is not alone in its hex.
    """
    top = np.unravel_index(int(cell.argmax()), cell.shape)
    middle = (np.arange(CELL) + 0.5) / CELL - 0.5
    around = np.roll(cell, [CELL // 2 - int(at) for at in top], axis=(0, 1))
    q, r = np.meshgrid(middle, middle, indexing="ij")
    places = np.stack([q.ravel(), r.ravel()], axis=1) @ METRIC.T
    mass = np.maximum(around.ravel() - 0.25 * float(around.max()), 0.0)
    mass *= np.linalg.norm(places, axis=1) < _ABOUT
    if mass.sum() <= 0:  # bare paper
        return math.inf
    off = places - mass @ places / mass.sum()
    low, high = np.linalg.eigvalsh((mass[:, None] * off).T @ off / mass.sum())
    return float(np.sqrt(high / max(low, 1e-9)))


def _brush(angle: float, long_px: float) -> Ink:
    """A line with a dark seam on both sides: it answers to a thin line of its own direction."""
    reach = math.ceil(2.2 * long_px)
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(float)
    along = x * math.cos(angle) + y * math.sin(angle)
    across = (y * math.cos(angle) - x * math.sin(angle)) / _WIDE_PX
    brush = (1 - across**2) * np.exp(-(across**2) / 2 - (along / long_px) ** 2 / 2)
    brush -= brush.mean()
    return np.asarray(brush / np.abs(brush).sum(), np.float32)


def _pattern(ways: Sequence[Sequence[tuple[Numbers, Numbers]]]) -> Numbers:
    """The marks of each way about the centre (0, 0), each with mean 0 and variance 1.

    A mark is a stretch of line between two points; a spot is one of no length.
    """
    middle = (np.arange(CELL) + 0.5) / CELL
    cell = np.stack(np.meshgrid(middle, middle, indexing="ij"), axis=-1)
    patterns = []
    for marks in ways:
        near = np.min([_distance(cell, *ends) for ends in marks], axis=0)
        drawn = np.exp(-((near / 0.05) ** 2) / 2)
        patterns.append((drawn - drawn.mean()) / drawn.std())
    return np.array(patterns)


def _hexsides(way: int) -> list[tuple[Numbers, Numbers]]:
    return [(hex_ + CORNERS[way - 1], hex_ + CORNERS[way]) for hex_ in _hexes(2)]


def _distance(points: Numbers, start: Numbers, end: Numbers) -> Numbers:
    """How far points are from a stretch of line, in pitches."""
    a, b = METRIC @ start, METRIC @ end
    apart = points @ METRIC.T - a
    share = np.clip(apart @ (b - a) / max(float((b - a) @ (b - a)), 1e-9), 0.0, 1.0)
    return np.asarray(np.linalg.norm(apart - share[..., None] * (b - a), axis=-1))


def _hexes(radius: int) -> list[Numbers]:
    reach = range(-radius, radius + 1)
    return [np.array((q, r), float) for q in reach for r in reach if abs(q + r) <= radius]


def _patch(way: int) -> Numbers:
    """Points on the hexsides of one direction, of a hex and the eighteen around it."""
    sides = [(hex_, i) for hex_ in _hexes(2) for i in (way, way + 3)]
    points = [hex_ + CORNERS[i] * t + CORNERS[i - 1] * (1 - t) for hex_, i in sides for t in _ALONG]
    return _each_once(points)


def _each_once(points: Sequence[Numbers]) -> Numbers:
    seen = {tuple(np.round(point * 300).astype(int).tolist()): point for point in points}
    return np.array(list(seen.values()))


@dataclass(frozen=True, eq=False)
class Marks:
    """What a grid is printed with: how to see it, its pattern in a cell, its points in a patch.

    *patches* are points of the marks of a hex and the eighteen around it, one array for each way.
    """

    name: MarkName
    shown: Callable[[Ink, Numbers], MarkInk]
    pattern: Numbers
    patches: tuple[Numbers, ...]


SIDES = Marks(
    "sides",
    along_hexsides,
    _pattern([_hexsides(way) for way in range(3)]),
    tuple(_patch(way) for way in range(3)),
)
DOTS = Marks(
    "dots", spots, _pattern([[(hex_, hex_) for hex_ in _hexes(2)]]), (np.array(_hexes(2)),)
)
MARKS: dict[MarkName, Marks] = {marks.name: marks for marks in (SIDES, DOTS)}
