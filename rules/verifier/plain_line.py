"""What a straight line meets: the line clipped against one hexagon after the other.

In axial coordinates a hexagon is all points for which each of 2q + r, q + 2r and q - r differs by
at most 1 from that of its centre. So a line lies in a hexagon between two exact moments, 0 at its
start and 1 at its end; two hexagons with the same moments have the line on their common side.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import floor
from typing import NamedTuple

from rules.verifier.plain_map import Hex

Point = tuple[Fraction, Fraction]
_FORMS = ((2, 1), (1, 2), (1, -1))


class Met(NamedTuple):
    """Hexes a line meets: it goes through one, along the side of two, or touches one."""

    kind: str
    hexes: tuple[Hex, ...]
    start: Fraction
    end: Fraction


def meetings(a: Point, b: Point) -> list[Met]:
    """Return what the line from *a* to *b* meets, in order; along has its left hex first."""
    spans: dict[tuple[Fraction, Fraction], list[Hex]] = {}
    for hex_ in _near(a, b):
        if span := clip(a, b, hex_):
            spans.setdefault(span, []).append(hex_)
    found: list[Met] = []
    for (start, end), hexes in sorted(spans.items()):
        if start == end:
            found += [Met("touch", (hex_,), start, end) for hex_ in sorted(hexes)]
        else:
            hexes.sort(key=lambda hex_: _turn(a, b, hex_))
            kind = "through" if len(hexes) == 1 else "along"
            found.append(Met(kind, tuple(hexes), start, end))
    return found


def clip(a: Point, b: Point, hex_: Hex) -> tuple[Fraction, Fraction] | None:
    """Return from when to when the line lies in a hexagon, its rim included; None: never."""
    start, end = Fraction(0), Fraction(1)
    for x, y in _FORMS:
        here = x * (a[0] - hex_[0]) + y * (a[1] - hex_[1])
        way = x * (b[0] - a[0]) + y * (b[1] - a[1])
        if way == 0 and abs(here) > 1:
            return None
        if way:
            enters, leaves = sorted(((-1 - here) / way, (1 - here) / way))
            start, end = max(start, enters), min(end, leaves)
    return (start, end) if start <= end else None


def _near(a: Point, b: Point) -> Iterator[Hex]:
    """Yield the hexes about a line, along its longer axis; some of them it does not meet."""
    long = 0 if abs(b[0] - a[0]) >= abs(b[1] - a[1]) else 1
    way = b[long] - a[long]
    slope = (b[1 - long] - a[1 - long]) / way if way else Fraction(0)
    for here in range(floor(min(a[long], b[long])) - 1, floor(max(a[long], b[long])) + 2):
        across = floor(a[1 - long] + (here - a[long]) * slope)
        for there in range(across - 1, across + 3):
            yield (here, there) if long == 0 else (there, here)


def _turn(a: Point, b: Point, hex_: Hex) -> Fraction:
    """How far right of the way a hex lies, on a sheet with y down."""
    return (b[0] - a[0]) * (hex_[1] - a[1]) - (b[1] - a[1]) * (hex_[0] - a[0])
