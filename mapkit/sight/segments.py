"""Straight lines in whole numbers, and how far hexes and hexsides lie from them.

Distances are measured on a regular grid with hex centres one apart. Between points with rational
coordinates the *square* of a distance is rational; all squares from one line share a denominator,
so they are kept and compared as whole *parts* of it.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

from mapkit.hexes import ORIGIN, Hex, Hexside, vertices
from mapkit.lines import LinePoint

Point = tuple[int, int]


@dataclass(frozen=True)
class Segment:
    """A line in whole numbers: axial coordinates times *scale*, in which vertices are whole too."""

    start: Point
    end: Point
    scale: int

    @classmethod
    def between(cls, a: LinePoint, b: LinePoint) -> "Segment":
        """Return the line between two exact points."""
        scale = lcm(3, *(number.denominator for number in (*a, *b)))
        return cls(
            (int(a.q * scale), int(a.r * scale)), (int(b.q * scale), int(b.r * scale)), scale
        )

    def corners(self, place: Hex | Hexside) -> tuple[Point, ...]:
        """Return the vertices of a hex in their order, or the two ends of a hexside."""
        third = self.scale // 3
        if isinstance(place, Hex):
            q, r = place.q * self.scale, place.r * self.scale
            return tuple([(q + x * third, r + y * third) for x, y in _HEX_CORNERS])
        return tuple(
            ((a.q + b.q + c.q) * third, (a.r + b.r + c.r) * third) for a, b, c in place.vertices
        )

    def turn(self, point: Point) -> int:
        """Return the side of the line a point lies on: positive, negative, or 0 on it."""
        (q, r), (x, y) = self._way, minus(point, self.start)
        return q * y - r * x

    def squared_offset(self, point: Point) -> Fraction:
        """Return the squared distance of a point from the line without ends, in hexes."""
        return Fraction(3 * self.turn(point) ** 2, 2 * self._length * self.scale**2)

    def squared_distance(self, place: Hex | Hexside) -> Fraction:
        """Return the squared distance of the segment and a hex or hexside, in hexes."""
        return self.in_hexes(self.parts_to(place))

    def in_hexes(self, parts: int) -> Fraction:
        """Return what `parts_to` has found as the square of hexes."""
        return Fraction(parts, 4 * (self.scale // 3) ** 2 * self._length * self.scale**2)

    def parts_to(self, place: Hex | Hexside) -> int:
        """Return the squared distance of a hex or hexside in parts; 0 where they touch.

        Of two that do not meet, the shortest way leads from a corner of one of them: from a
        corner of the place to the line, or from an end of the line to a side of the place.
        """
        (q, r), whole, unit = self._way, self._length, (self.scale // 3) ** 2
        near = [minus(corner, self.start) for corner in self.corners(place)]
        turns = [q * y - r * x for x, y in near]
        alongs = [(2 * q + r) * x + (q + 2 * r) * y for x, y in near]
        least = min(
            6 * unit * turn * turn
            if 0 < along < whole
            else 2 * unit * whole * (_square(x, y) if along <= 0 else _square(x - q, y - r))
            for (x, y), turn, along in zip(near, turns, alongs, strict=True)
        )
        beside = min(turns) > 0 or max(turns) < 0
        if beside and min(alongs) > 0 and max(alongs) < whole:
            return least  # wholly between the ends, on one side
        for number, one in enumerate(near):
            before, after = (
                _beyond(near[number - 1], one, (0, 0)),
                _beyond(near[number - 1], one, (q, r)),
            )
            if _apart(turns[number - 1], turns[number]) and _apart(before[0], after[0]):
                return 0  # the line crosses this side
            # A side is as long as a hex is wide, by √3: twice its square is 6 units.
            for turn, along in (before, after):
                if 0 < along < 6 * unit:
                    least = min(least, whole * turn * turn)
        return least

    @cached_property
    def _way(self) -> Point:
        return minus(self.end, self.start)

    @cached_property
    def _length(self) -> int:
        """Twice the square of its length."""
        return _square(*self._way)


def minus(one: Point, other: Point) -> Point:
    """Return the way from *other* to *one*."""
    return one[0] - other[0], one[1] - other[1]


def dot(one: Point, other: Point) -> int:
    """Return twice the product of two ways: axes stand at 60 degrees, so it has halves in it."""
    (x, y), (q, r) = one, other
    return (2 * q + r) * x + (q + 2 * r) * y


def _square(x: int, y: int) -> int:
    return 2 * (x * x + y * y + x * y)


def _beyond(one: Point, other: Point, point: Point) -> tuple[int, int]:
    """On which side of a side a point lies, and how far along it."""
    way, aside = minus(other, one), minus(point, one)
    return way[0] * aside[1] - way[1] * aside[0], dot(aside, way)


def _apart(one: int, other: int) -> bool:
    return one < 0 < other or other < 0 < one


# The vertices of the hex in the middle, in thirds.
_HEX_CORNERS = tuple((a.q + b.q + c.q, a.r + b.r + c.r) for a, b, c in vertices(ORIGIN))
