"""Into how many rows and columns a block of touching counters is divided, and how sure that is.

Two kinds of evidence: lines or changes of ground that run all along a cut, and figures that
come again from counter to counter.
"""

from dataclasses import dataclass

import numpy as np

from counters.slicing.upright import Floats, Numbers, Upright, shades_apart
from mapkit.scan.sheet import Pixels

_MOST = 30  # counters in a row
_LEAST_PX = 14.0  # of the small picture: smaller counters cannot be told apart
_EDGE = 7.0  # shades that an edge differs by at least
_NOISE = 8.0  # shades: the blocks of a JPEG repeat too
_FIGURES = 1.0  # shades by which a block with figures on it varies at least
_LONGEST_PX = 1000
_STRONG = 0.3  # weaker evidence is none
_NEARLY = 0.72  # of the best: divisors and multiples of the truth are told apart by this


@dataclass(frozen=True)
class Division:
    """How many counters lie along one side, how strong the evidence is, and the runner-up's."""

    count: int
    score: float
    runner_up: float
    scores: tuple[float, ...]  # by count, from 0 on

    @property
    def margin(self) -> float:
        """How much better than the next it is, from 0 to 1."""
        return max(0.0, 1 - self.runner_up / self.score) if self.score > 0 else 0.0


def laid_flat(upright: Upright, quad: Numbers) -> Pixels:
    """Return a block as a rectangle."""
    import cv2

    a, b, c, d = quad
    wide = float(np.linalg.norm(b - a) + np.linalg.norm(c - d)) / 2
    high = float(np.linalg.norm(d - a) + np.linalg.norm(c - b)) / 2
    factor = min(1.0, _LONGEST_PX / max(wide, high))
    size = (max(8, round(wide * factor)), max(8, round(high * factor)))
    target = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform((quad - 0.5).astype(np.float32), target)
    flat = cv2.warpPerspective(
        upright.pixels, matrix, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(flat, np.uint8)


def divide(flat: Pixels) -> tuple[Division, Division]:
    """Return into how many rows and columns a rectangle of counters is divided."""
    import cv2

    soft = cv2.GaussianBlur(flat, (0, 0), 0.8).astype(np.float32)
    down = shades_apart(np.vstack([soft[1:], soft[-1:]]), soft)
    across = shades_apart(np.hstack([soft[:, 1:], soft[:, -1:]]), soft)
    seen = np.clip(down + across - _NOISE, 0.0, 60.0)
    shape = np.asarray(cv2.GaussianBlur(seen, (0, 0), 1.2), np.float32)
    rim = 7  # the edge of the block itself runs all along
    shape[:rim] = shape[-rim:] = 0.0
    shape[:, :rim] = shape[:, -rim:] = 0.0
    rows = _divided(np.ascontiguousarray(down.T), np.ascontiguousarray(shape.T))
    return rows, _divided(across, shape)


def _divided(edges: Floats, shape: Floats) -> Division:
    """Divide along x."""
    length = shape.shape[1]
    most = min(_MOST, int(length / _LEAST_PX))
    scores = [0.0, 0.0]
    cover = _cover(edges)
    for count in range(2, most + 1):
        pitch = length / count
        lines = _teeth(cover, pitch, count)
        again = _again(shape, pitch)
        scores.append(1 - (1 - lines) * (1 - again))
    best = max(scores)
    if best < _STRONG:
        return Division(1, 1 - best / _STRONG, 0.0, tuple(scores))
    chosen = max(count for count, score in enumerate(scores) if score >= _NEARLY * best)
    others = [
        score
        for count, score in enumerate(scores)
        if count != chosen and (count == 0 or chosen % count)
    ]
    return Division(chosen, scores[chosen], max(others, default=0.0), tuple(scores))


def _cover(edges: Floats) -> Numbers:
    """Return for every x which share of the block's height has an edge there."""
    import cv2

    wide = cv2.dilate(edges, np.ones((1, 3), np.uint8))
    return np.asarray((wide > _EDGE).mean(axis=0), float)


def _teeth(cover: Numbers, pitch: float, count: int) -> float:
    """Return how well lines stand at all cuts of a comb, above what stands elsewhere."""
    reach = 1 + round(0.015 * pitch)
    teeth = []
    for cut in range(1, count):
        at = round(cut * pitch)
        teeth.append(float(cover[max(at - reach, 0) : at + reach + 1].max()))
    # An edge that stands between the cuts as well (the box of a symbol) proves nothing.
    usual = float(np.quantile(cover, 0.8))
    found = (0.5 * np.mean(teeth) + 0.5 * np.min(teeth) - usual) / max(1 - usual, 0.1)
    return float(np.clip(found, 0, 1))


def _again(shape: Floats, pitch: float) -> float:
    """Return how much of the figures comes again one pitch further on."""
    if float(shape.std()) < _FIGURES:
        return 0.0
    best = 0.0
    for by in range(round(pitch * 0.985 - 0.5), round(pitch * 1.015 + 0.5) + 1):
        a, b = shape[:, by:], shape[:, :-by]
        a, b = a - a.mean(), b - b.mean()
        scale = float(np.sqrt((a * a).sum() * (b * b).sum()))
        best = max(best, float((a * b).sum()) / scale if scale > 0 else 0.0)
    return best
