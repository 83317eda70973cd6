"""Into how many rows and columns a block of touching counters is divided, and how sure that is.

Two kinds of evidence: lines or changes of ground that run all along a cut, and figures that
come again from counter to counter.
"""

from dataclasses import dataclass

import numpy as np

from counters.slicing.upright import Floats, Mask, Numbers, Upright, shades_apart
from mapkit.scan.sheet import Pixels

_MOST = 30  # counters in a row
_LEAST_PX = 14.0  # of the small picture: smaller counters cannot be told apart
_EDGE = 7.0  # shades that an edge differs by at least
_NOISE = 8.0  # shades: the blocks of a JPEG repeat too
_FIGURES = 1.0  # shades by which a block with figures on it varies at least
_LONGEST_PX = 1000
_STRONG = 0.3  # weaker evidence is none
_NEARLY = 0.72  # of the best: divisors and multiples of the truth are told apart by this
_BESIDE = 7  # pixels around print that belong to it: its edge is there
_LEAST_PRINTED = 0.1  # of a side: less print than this tells little
_SQUARE = 0.06  # of a side: counters that are longer by so much are not square
_SEEN = 0.5  # evidence of a finer division that cannot be chance
_OBLONG = 0.5  # how well a pair fits that makes oblong counters, beside one that makes square ones
_UNDIVIDED = 0.3  # how well one row fits where evidence of several is strong

Pair = tuple[int, int]
"""Rows and columns."""


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


def laid_flat(upright: Upright, quad: Numbers) -> tuple[Pixels, Mask]:
    """Return a block as a rectangle, and what of it is printed."""
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
    ink = (~upright.paper.bare).astype(np.uint8)
    printed = cv2.warpPerspective(ink, matrix, size, flags=cv2.INTER_NEAREST)
    near = cv2.dilate(printed, np.ones((_BESIDE, _BESIDE), np.uint8))
    return np.asarray(flat, np.uint8), np.asarray(near > 0)


def divide(flat: Pixels, printed: Mask) -> tuple[Division, Division]:
    """Return into how many rows and columns a rectangle of counters is divided.

    Only what is *printed* counts: bare cells hold neither cuts nor figures.
    """
    import cv2

    soft = cv2.GaussianBlur(flat, (0, 0), 0.8).astype(np.float32)
    down = shades_apart(np.vstack([soft[1:], soft[-1:]]), soft)
    across = shades_apart(np.hstack([soft[:, 1:], soft[:, -1:]]), soft)
    seen = np.clip(down + across - _NOISE, 0.0, 60.0)
    shape = np.asarray(cv2.GaussianBlur(seen, (0, 0), 1.2), np.float32)
    rim = 7  # the edge of the block itself runs all along
    inner = printed.copy()
    for one, nothing in ((shape, 0.0), (inner, False)):
        one[:rim] = one[-rim:] = nothing
        one[:, :rim] = one[:, -rim:] = nothing
    rows = _divided(
        np.ascontiguousarray(down.T),
        np.ascontiguousarray(shape.T),
        np.ascontiguousarray(printed.T),
        np.ascontiguousarray(inner.T),
    )
    return rows, _divided(across, shape, printed, inner)


def jointly(
    rows: Division, columns: Division, size: tuple[float, float]
) -> tuple[Division, Division]:
    """Return the rows and columns that fit a block best together: most counters are square.

    What one side leaves open (seven, or fourteen?) the other tells; of the pairs that fit nearly
    as well the finest is meant.
    """
    fits = _pairs_that_fit(rows, columns, size)
    if not fits:
        return rows, columns
    best = max(fits.values())
    chosen = max((pair for pair in fits if fits[pair] >= _NEARLY * best), key=lambda p: p[0] * p[1])
    chosen = _finer(fits, chosen, rows, columns, size)
    others = [
        fit
        for (down, across), fit in fits.items()
        if chosen[0] % down or chosen[1] % across  # a divisor ignores cuts that are seen
    ]
    behind = min(1.0, max(others, default=0.0) / fits[chosen])
    return (
        _counted(rows, chosen[0], behind),
        _counted(columns, chosen[1], behind),
    )


def _finer(
    fits: dict[Pair, float],
    chosen: Pair,
    rows: Division,
    columns: Division,
    size: tuple[float, float],
) -> Pair:
    """Return the finest pair whose cuts are all seen, and hold all those of the chosen one.

    Where blocks of counters come again as a whole, they fit better than the counters in them.
    """
    found = [
        (down, across)
        for down, across in fits
        if not (down % chosen[0] or across % chosen[1])
        and (down == chosen[0] or rows.scores[down] >= _SEEN)
        and (across == chosen[1] or columns.scores[across] >= _SEEN)
        and _longer((down, across), size) <= max(_longer(chosen, size), _SQUARE)
    ]
    return max(found, key=lambda pair: pair[0] * pair[1], default=chosen)


def _longer(pair: Pair, size: tuple[float, float]) -> float:
    """Return how far from square the counters of a pair are, by the logarithm."""
    return abs(float(np.log(size[0] / pair[1] * pair[0] / size[1])))


def _pairs_that_fit(
    rows: Division, columns: Division, size: tuple[float, float]
) -> dict[Pair, float]:
    """Return how well pairs of counts fit, where each of the two has some evidence."""
    found = {}
    for down, row in _peaks(rows):
        for across, column in _peaks(columns):
            longer = _longer((down, across), size)
            square = _OBLONG + (1 - _OBLONG) * float(np.exp(-0.5 * (longer / _SQUARE) ** 2))
            found[down, across] = row * column * square
    return found


def _peaks(division: Division) -> list[tuple[int, float]]:
    """Return the counts that fit better than one more and one less, and one for no division."""
    scores = division.scores
    found = [
        (count, score)
        for count, score in enumerate(scores)
        if count > 1 and score >= _STRONG and score >= max(scores[count - 1 : count + 2])
    ]
    undivided = max(_UNDIVIDED, 1 - max(scores)) if found else 1.0
    return [(1, undivided), *found]


def _counted(division: Division, count: int, behind: float) -> Division:
    score = division.scores[count] if count > 1 else 1.0
    return Division(count, score, score * behind, division.scores)


def _divided(edges: Floats, shape: Floats, printed: Mask, inner: Mask) -> Division:
    """Divide along x."""
    length = shape.shape[1]
    most = min(_MOST, int(length / _LEAST_PX))
    scores = [0.0, 0.0]
    cover = _cover(edges, printed)
    for count in range(2, most + 1):
        pitch = length / count
        lines = _teeth(cover, pitch, count)
        again = _again(shape, inner, pitch)
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


def _cover(edges: Floats, printed: Mask) -> Numbers:
    """Return for every x which share of the printed height has an edge there."""
    import cv2

    wide = cv2.dilate(edges, np.ones((1, 3), np.uint8)) > _EDGE
    high = np.maximum(printed.sum(axis=0), _LEAST_PRINTED * len(printed))
    return np.asarray((wide & printed).sum(axis=0) / high, float)


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


def _again(shape: Floats, printed: Mask, pitch: float) -> float:
    """Return how much of the figures comes again one pitch further on, where both are printed."""
    if float(shape.std()) < _FIGURES:
        return 0.0
    best = 0.0
    for by in range(round(pitch * 0.985 - 0.5), round(pitch * 1.015 + 0.5) + 1):
        both = printed[:, by:] & printed[:, :-by]
        if both.sum() < _LEAST_PRINTED * both.size:
            continue
        a, b = shape[:, by:][both], shape[:, :-by][both]
        a, b = a - a.mean(), b - b.mean()
        scale = float(np.sqrt((a * a).sum() * (b * b).sum()))
        best = max(best, float((a * b).sum()) / scale if scale > 0 else 0.0)
    return best
