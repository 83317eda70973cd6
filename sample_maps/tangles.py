"""Where an outline crosses or touches itself: decided in whole half-pixels, so exactly."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations, pairwise

from mapkit.grid import Point

_Whole = tuple[int, int]
_BUCKET = 64  # half-pixels


def tangled(rings: Sequence[Sequence[Point]]) -> list[Point]:
    """Return the middles of all sides that meet another side they do not follow.

    >>> tangled([[(0.0, 0.0), (9.0, 9.0), (9.0, 0.0), (0.0, 9.0), (0.0, 0.0)]])
    [(4.5, 4.5), (4.5, 4.5)]
    """
    sides: list[tuple[int, int, _Whole, _Whole]] = []
    lengths = []
    for number, ring in enumerate(rings):
        whole = [(round(x * 2), round(y * 2)) for x, y in ring]
        lengths.append(len(whole) - 1)
        sides += [(number, i, a, b) for i, (a, b) in enumerate(pairwise(whole))]
    buckets: dict[_Whole, list[int]] = defaultdict(list)
    for index, (_, _, a, b) in enumerate(sides):
        for column in range(min(a[0], b[0]) // _BUCKET, max(a[0], b[0]) // _BUCKET + 1):
            for row in range(min(a[1], b[1]) // _BUCKET, max(a[1], b[1]) // _BUCKET + 1):
                buckets[column, row].append(index)
    found = set()
    for together in buckets.values():
        for one, other in combinations(together, 2):
            (here, i, a, b), (there, j, c, d) = sides[one], sides[other]
            follows = here == there and abs(i - j) in (1, lengths[here] - 1)
            if not follows and _meet(a, b, c, d):
                found |= {one, other}
    return [
        ((a[0] + b[0]) / 4, (a[1] + b[1]) / 4) for _, _, a, b in (sides[i] for i in sorted(found))
    ]


def _meet(a: _Whole, b: _Whole, c: _Whole, d: _Whole) -> bool:
    if (
        max(a[0], b[0]) < min(c[0], d[0])
        or max(c[0], d[0]) < min(a[0], b[0])
        or max(a[1], b[1]) < min(c[1], d[1])
        or max(c[1], d[1]) < min(a[1], b[1])
    ):
        return False
    return _turn(a, b, c) * _turn(a, b, d) <= 0 and _turn(c, d, a) * _turn(c, d, b) <= 0


def _turn(a: _Whole, b: _Whole, c: _Whole) -> int:
    cross = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (cross > 0) - (cross < 0)
