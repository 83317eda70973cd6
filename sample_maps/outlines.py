"""From a field to its outlines: marching squares, then as few points as the eye needs."""

from collections.abc import Sequence
from itertools import pairwise, product
from math import fsum

import numpy as np
from numpy.typing import NDArray

from mapkit.grid import Point
from sample_maps.land import Field, Land
from sample_maps.tangles import tangled

Ring = tuple[Point, ...]
Rings = tuple[Ring, ...]

TOLERANCE_PX = 1.5
EXACT_PX = 10.0
SMALLEST_PX = 300.0  # square pixels; smaller scraps hold no centre (see fields.CALM)

# For every case of a square (top left 1, top right 2, bottom right 4, bottom left 8 above
# nought): from which side to which side the line runs, the higher ground on its left.
_TOP, _RIGHT, _BOTTOM, _LEFT = range(4)
_TURNS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((_LEFT, _TOP),),
    2: ((_TOP, _RIGHT),),
    3: ((_LEFT, _RIGHT),),
    4: ((_RIGHT, _BOTTOM),),
    5: ((_LEFT, _TOP), (_RIGHT, _BOTTOM)),
    6: ((_TOP, _BOTTOM),),
    7: ((_LEFT, _BOTTOM),),
    8: ((_BOTTOM, _LEFT),),
    9: ((_BOTTOM, _TOP),),
    10: ((_TOP, _RIGHT), (_BOTTOM, _LEFT)),
    11: ((_BOTTOM, _RIGHT),),
    12: ((_RIGHT, _LEFT),),
    13: ((_RIGHT, _TOP),),
    14: ((_TOP, _LEFT),),
}


def outlines(land: Land, field: Field, *, smallest_px: float = SMALLEST_PX) -> list[Rings]:
    """Return the outlines of the ground where a field is above nought, each with its holes.

    What reaches the frame is closed along it. Coordinates are pixels, to the half.
    """
    sized = [(_area(ring), ring) for ring in _contours(land, field)]
    solid = sorted((area, ring) for area, ring in sized if area >= smallest_px)
    holes: dict[int, list[Ring]] = {index: [] for index in range(len(solid))}
    for area, hole in sized:
        if area <= -smallest_px:
            around = next((i for i, (_, ring) in enumerate(solid) if _holds(ring, hole)), None)
            if around is not None:
                holes[around].append(hole)
    return sorted(_thinned_whole((ring, *holes[i])) for i, (_, ring) in enumerate(solid))


def without_scraps(land: Land, field: Field, *, smallest_px: float = SMALLEST_PX) -> Field:
    """Return the field below nought wherever it is above in scraps too small for an outline.

    Other ground may then fill them: else it would leave holes for what nobody draws.
    """
    kept = field.copy()
    for ring in _contours(land, field):
        if 0 < _area(ring) < smallest_px:
            there = land.window((land.to_hexes(point) for point in ring), 0.0)
            rows, columns = (range(part.start, part.stop) for part in there)
            for j, i in product(rows, columns):
                if _holds(ring, ((float(land.xs[i]), float(land.ys[j])),)):
                    kept[j, i] = -1 / 64
    return kept


def thinned(
    line: Sequence[Point],
    *,
    closed: bool = False,
    tolerance: float = TOLERANCE_PX,
    exact_at: Sequence[Point] = (),
) -> Ring:
    """Return the line with as few of its points as keep it within the tolerance.

    Near the places *exact_at* every point stays.
    """
    points = np.array(line, dtype=np.float64)
    if closed:
        # Two far corners part the ring into two lines.
        first = int(np.argmin(points[:-1, 0] * 8 + points[:-1, 1]))
        ring = np.concatenate([points[:-1][first:], points[:-1][: first + 1]])
        second = int(np.argmax(ring[:, 0] * 8 + ring[:, 1]))
        parts = [ring[: second + 1], ring[second:]]
    else:
        parts = [points]
    kept = np.concatenate([part[_keepers(part, tolerance, exact_at)] for part in parts])
    rounded = [(float(x), float(y)) for x, y in np.rint(kept * 2) / 2]
    return tuple(
        point for index, point in enumerate(rounded) if index == 0 or point != rounded[index - 1]
    )


def _thinned_whole(rings: Rings) -> Rings:
    """Return an outline with fewer points, but never so few that it would cross itself."""
    exact_at: list[Point] = []
    while True:
        outer, *holes = (thinned(ring, closed=True, exact_at=exact_at) for ring in rings)
        thin = (outer, *sorted(hole for hole in holes if len(hole) > 3))
        tangles = [point for point in tangled(thin) if point not in exact_at]
        if not tangles:
            return thin
        exact_at += tangles


def _contours(land: Land, field: Field) -> list[Ring]:
    # A rim of low ground at the frame itself closes every outline there.
    values = np.pad(field, 1, constant_values=-1.0)
    values = np.where(values == 0, -1e-9, values)
    xs, ys = np.pad(land.xs, 1, mode="edge"), np.pad(land.ys, 1, mode="edge")
    high = values > 0
    case = high[:-1, :-1] * 1 + high[:-1, 1:] * 2 + high[1:, 1:] * 4 + high[1:, :-1] * 8
    width = values.shape[1]
    following: dict[int, int] = {}
    for j, i in zip(*np.nonzero((case > 0) & (case < 15)), strict=True):
        for start, end in _TURNS[int(case[j, i])]:
            following[_side(int(i), int(j), start, width)] = _side(int(i), int(j), end, width)
    crossing = _Crossings(values, xs, ys)
    rings = []
    while following:
        first, here = following.popitem()
        ring = [crossing.at(first)]
        while here != first:
            ring.append(crossing.at(here))
            here = following.pop(here)
        ring.append(ring[0])
        rings.append(tuple(ring))
    return rings


def _side(i: int, j: int, side: int, width: int) -> int:
    """Return the number of a square's side: even for level ones, odd for upright ones."""
    if side == _TOP:
        return 2 * (j * width + i)
    if side == _BOTTOM:
        return 2 * ((j + 1) * width + i)
    return 2 * (j * width + i + (side == _RIGHT)) + 1


class _Crossings:
    """Where the contour cuts the sides of the squares."""

    def __init__(self, values: Field, xs: Field, ys: Field) -> None:
        self._values, self._xs, self._ys = values, xs, ys

    def at(self, side: int) -> Point:
        j, i = divmod(side // 2, self._values.shape[1])
        upright = side % 2
        a = self._values[j, i]
        b = self._values[j + upright, i + 1 - upright]
        # Never at a corner of the square, where four lines could meet in one point.
        t = min(0.9, max(0.1, a / (a - b)))
        x, y = self._xs[i], self._ys[j]
        if upright:
            return float(x), float(y + t * (self._ys[j + 1] - y))
        return float(x + t * (self._xs[i + 1] - x)), float(y)


def _keepers(
    points: NDArray[np.float64], tolerance: float, exact_at: Sequence[Point]
) -> NDArray[np.bool_]:
    """Return which points stay: those that stand out most, one after the other."""
    keep = np.zeros(len(points), dtype=bool)
    keep[0] = keep[-1] = True
    for x, y in exact_at:
        dx, dy = points[:, 0] - x, points[:, 1] - y
        keep |= dx * dx + dy * dy < EXACT_PX * EXACT_PX
    open_ = list(pairwise(np.flatnonzero(keep).tolist()))
    while open_:
        first, last = open_.pop()
        if last - first < 2:
            continue
        a, b = points[first], points[last]
        middle = points[first + 1 : last]
        dx, dy = b[0] - a[0], b[1] - a[1]
        length = np.sqrt(dx * dx + dy * dy)
        px, py = middle[:, 0] - a[0], middle[:, 1] - a[1]
        off = np.abs(px * dy - py * dx) / length if length else np.sqrt(px * px + py * py)
        worst = int(np.argmax(np.rint(off * 1024)))
        if off[worst] > tolerance:
            keep[first + 1 + worst] = True
            open_ += [(first, first + 1 + worst), (first + 1 + worst, last)]
    return keep


def _area(ring: Ring) -> float:
    """Return the area; positive where the higher ground lies within."""
    # Not sum(): Python 3.12 adds floats in another way than 3.11 did.
    return fsum(bx * ay - ax * by for (ax, ay), (bx, by) in pairwise(ring)) / 2


def _holds(ring: Ring, hole: Ring) -> bool:
    x, y = hole[0]
    inside = False
    for (ax, ay), (bx, by) in pairwise(ring):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside
