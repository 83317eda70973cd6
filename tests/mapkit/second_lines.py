"""Line events a second time, the slow and plain way: the judge of `mapkit.lines` in tests.

Nothing is shared with the module it judges but the class `Hex`. The proof is short:

- In the cube coordinates u = 2q+r, v = -q-2r, w = r-q a closed hex is where all three differ
  from the centre's by at most 1. It is convex, so the line meets it in one stretch of t (the
  part of 0 to 1 that survives six cuts), in one point, or not at all.
- A stretch of some length lies inside the hex, or wholly on one hexside: on a hexside means
  that one coordinate stands still, at distance 1 from the centre's.
- Every point of the sheet lies in one hex (inside), two (on a hexside) or three (a vertex).
"""

from fractions import Fraction
from itertools import pairwise, product
from math import ceil, floor

from mapkit.hexes import Hex

AxialPoint = tuple[Fraction, Fraction]
Cube = tuple[Fraction, Fraction, Fraction]
SecondEvent = tuple[str, tuple[Hex, ...], Fraction, Fraction]

NOUGHT, ONE = Fraction(0), Fraction(1)


def second_events(a: AxialPoint, b: AxialPoint) -> list[SecondEvent]:
    """Return what the line from *a* to *b* meets, in order, by clipping it to every hex near.

    Point events that share one place come in the order of their kinds' names.
    """
    if a == b:
        return _standing_still(a)
    inside: list[SecondEvent] = []
    on_border: dict[tuple[Fraction, Fraction], list[Hex]] = {}
    events: list[SecondEvent] = []
    from_cube, to_cube = _cube(*a), _cube(*b)
    for hex_ in _hexes_near(a, b):
        part = _clip(hex_, from_cube, to_cube)
        if part is None:
            continue
        start, end = part
        if start == end:
            events.append(("touch", (hex_,), start, end))
        elif _runs_on_border(hex_, from_cube, to_cube):
            on_border.setdefault(part, []).append(hex_)
        else:
            inside.append(("through", (hex_,), start, end))
    events += inside
    events += [("along", _left_right(pair, a, b), *part) for part, pair in on_border.items()]
    events += _crossings(sorted(inside, key=lambda event: event[2]), a, b)
    return sorted(events, key=lambda event: (event[2], event[3], event[0], event[1]))


def _standing_still(at: AxialPoint) -> list[SecondEvent]:
    holders = _holders(at)
    if len(holders) == 1:
        return [("through", (holders[0],), NOUGHT, ONE)]
    return [("touch", (hex_,), NOUGHT, NOUGHT) for hex_ in holders]


def _crossings(runs: list[SecondEvent], a: AxialPoint, b: AxialPoint) -> list[SecondEvent]:
    found: list[SecondEvent] = []
    for (_, (before,), _, left_at), (_, (after,), entered_at, _) in pairwise(runs):
        if left_at != entered_at:
            continue  # a hexside lies between the two
        holders = _holders(_point_at(a, b, left_at))
        third = [hex_ for hex_ in holders if hex_ not in (before, after)]
        kind = "cross_at_vertex" if third else "cross"
        found.append((kind, (before, after, *third), left_at, left_at))
    return found


def _clip(hex_: Hex, a: Cube, b: Cube) -> tuple[Fraction, Fraction] | None:
    """Return the part of the line in the closed hex: from where to where, or None."""
    start, end = NOUGHT, ONE
    for at_a, at_b, middle in zip(a, b, _middle(hex_), strict=True):
        low, high = middle - 1, middle + 1
        if (at_a < low and at_b < low) or (at_a > high and at_b > high):
            return None
        if at_a != at_b:  # low <= at_a + t * (at_b - at_a) <= high
            bounds = sorted(((low - at_a) / (at_b - at_a), (high - at_a) / (at_b - at_a)))
            start, end = max(start, bounds[0]), min(end, bounds[1])
    return (start, end) if start <= end else None


def _runs_on_border(hex_: Hex, a: Cube, b: Cube) -> bool:
    return any(
        at_a == at_b and abs(at_a - middle) == 1
        for at_a, at_b, middle in zip(a, b, _middle(hex_), strict=True)
    )


def _left_right(pair: list[Hex], a: AxialPoint, b: AxialPoint) -> tuple[Hex, ...]:
    """Order the two hexes of a hexside as seen on the way from *a* to *b*.

    On both kinds of sheet the step r lies clockwise of the step q and y runs down, so what is
    clockwise of the way, on its right hand, has the greater product.
    """
    one, other = pair

    def rightness(hex_: Hex) -> Fraction:
        return (b[0] - a[0]) * (hex_.r - a[1]) - (b[1] - a[1]) * (hex_.q - a[0])

    assert rightness(one) * rightness(other) < 0
    return (one, other) if rightness(one) < rightness(other) else (other, one)


def _holders(at: AxialPoint) -> list[Hex]:
    """Return the closed hexes that hold a point: one, two or three."""
    found = [
        hex_
        for hex_ in _hexes_near(at, at)
        if all(abs(x - middle) <= 1 for x, middle in zip(_cube(*at), _middle(hex_), strict=True))
    ]
    assert 1 <= len(found) <= 3
    return found


def _hexes_near(a: AxialPoint, b: AxialPoint) -> list[Hex]:
    """Return every hex that could hold a point of the line: none reaches further than 2/3."""
    columns, rows = (
        range(floor(min(one, other)) - 1, ceil(max(one, other)) + 2)
        for one, other in zip(a, b, strict=True)
    )
    return [Hex(q, r) for q, r in product(columns, rows)]


def _point_at(a: AxialPoint, b: AxialPoint, t: Fraction) -> AxialPoint:
    return a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])


def _cube(q: Fraction, r: Fraction) -> Cube:
    return 2 * q + r, -q - 2 * r, r - q


def _middle(hex_: Hex) -> tuple[int, int, int]:
    """Return the cube coordinates of a hex's centre."""
    return 2 * hex_.q + hex_.r, -hex_.q - 2 * hex_.r, hex_.r - hex_.q
