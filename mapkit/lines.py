"""What a straight line meets on the hex grid, decided in whole numbers.

Hex centres and vertices are the integer points of one triangular lattice:

    u = 2q + r      v = -q - 2r      w = r - q      (u + v + w = 0)

A point is a hex centre where (u - v) is divisible by 3, else one of the two kinds of vertex.
Every hexside lies on a line u = k, v = k or w = k, and a hex is all points within 1 of its
centre in each of the three. So a line changes what it meets only where one of the three passes
an integer; between two such places it lies inside one hex, or runs along one hexside. No
orientation, stretch or turn of the sheet enters: the answer is the same for every picture.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor
from typing import Literal, NamedTuple

from mapkit.grid import nearest_hex
from mapkit.hexes import ORIGIN, Hex, Vertex, neighbours

EventKind = Literal["through", "along", "touch", "cross", "cross_at_vertex"]


class LinePoint(NamedTuple):
    """A point of the plane in axial coordinates, exact: a hex's centre is its own (q, r)."""

    q: Fraction
    r: Fraction

    @classmethod
    def at(cls, place: Hex | Vertex) -> "LinePoint":
        """Return the centre of a hex, or a vertex."""
        if isinstance(place, Hex):
            return cls(Fraction(place.q), Fraction(place.r))
        return cls(
            Fraction(place.a.q + place.b.q + place.c.q, 3),
            Fraction(place.a.r + place.b.r + place.c.r, 3),
        )


@dataclass(frozen=True, slots=True)
class Event:
    """One thing a line meets, from *start* to *end* (0 at its beginning, 1 at its end).

    through: *hexes* is the one hex it lies in. along: it runs on the hexside between the hex on
    its left and the one on its right. touch: it meets the hex in one point. cross: it passes
    from the first hex into the second over their hexside. cross_at_vertex: it does so through
    the point where the third hex meets them too.
    """

    kind: EventKind
    hexes: tuple[Hex, ...]
    start: Fraction
    end: Fraction

    def moved(self, by: Hex) -> "Event":
        """Return the event shifted on the map."""
        return replace(self, hexes=tuple(hex_.moved(by) for hex_ in self.hexes))

    def reversed(self) -> "Event":
        """Return the event as the line meets it from its other end."""
        hexes = self.hexes
        if self.kind in ("along", "cross"):
            hexes = hexes[::-1]
        elif self.kind == "cross_at_vertex":
            hexes = (hexes[1], hexes[0], hexes[2])
        return Event(self.kind, hexes, 1 - self.end, 1 - self.start)


def hex_line(a: Hex, b: Hex) -> tuple[Event, ...]:
    """Return what the line between two hex centres meets, both end hexes included.

    >>> [(event.kind, event.hexes) for event in hex_line(Hex(0, 0), Hex(2, -1))][1]
    ('along', (Hex(q=1, r=-1), Hex(q=1, r=0)))
    """
    return tuple(event.moved(a) for event in _template(Hex(b.q - a.q, b.r - a.r)))


def line_events(a: LinePoint, b: LinePoint) -> tuple[Event, ...]:
    """Return what the line between two exact points meets, in order, without a gap.

    Point events (touch, cross, cross_at_vertex) stand between the stretches they part.
    """
    if a == b:
        return _standing(a)
    times = _times(a, b)
    stretches = _merged([_stretch(a, b, start, end) for start, end in pairwise(times)])
    events: list[Event] = []
    before: Event | None = None
    for after in [*stretches, None]:
        time = after.start if after is not None else Fraction(1)
        events += _between(before, after, _point(a, b, time), time)
        if after is not None:
            events.append(after)
        before = after
    return tuple(events)


def _standing(point: LinePoint) -> tuple[Event, ...]:
    """A line without length lies in its one hex, or touches those that meet at its point."""
    hexes = _hexes_at(point)
    if len(hexes) == 1:
        return (Event("through", hexes, Fraction(0), Fraction(1)),)
    return tuple(Event("touch", (hex_,), Fraction(0), Fraction(0)) for hex_ in hexes)


@lru_cache(maxsize=20_000)
def _template(displacement: Hex) -> tuple[Event, ...]:
    """Only the displacement matters, and half of them: the others are met backwards."""
    if displacement < ORIGIN:
        there = _template(Hex(-displacement.q, -displacement.r))
        return tuple(event.moved(displacement).reversed() for event in reversed(there))
    return line_events(LinePoint.at(ORIGIN), LinePoint.at(displacement))


def _times(a: LinePoint, b: LinePoint) -> list[Fraction]:
    """When one of u, v, w passes an integer; with both ends."""
    times = {Fraction(0), Fraction(1)}
    for here, there in zip(_lattice(a), _lattice(b), strict=True):
        if here != there:
            low, high = sorted((here, there))
            for line in range(ceil(low), floor(high) + 1):
                times.add((line - here) / (there - here))
    return sorted(times)


def _stretch(a: LinePoint, b: LinePoint, start: Fraction, end: Fraction) -> Event:
    """What the line meets between two neighbouring times: one hex, or one hexside."""
    middle = _point(a, b, (start + end) / 2)
    hexes = _hexes_at(middle)
    if len(hexes) == 1:
        return Event("through", hexes, start, end)
    one, other = hexes
    # Of y-down sheets: positive is to the right of the way from a to b.
    side = (b.q - a.q) * (one.r - a.r) - (b.r - a.r) * (one.q - a.q)
    left_right = (one, other) if side < 0 else (other, one)
    return Event("along", left_right, start, end)


def _merged(stretches: list[Event]) -> list[Event]:
    merged = stretches[:1]
    for event in stretches[1:]:
        last = merged[-1]
        if (event.kind, event.hexes) == (last.kind, last.hexes):
            merged[-1] = replace(last, end=event.end)
        else:
            merged.append(event)
    return merged


def _between(
    before: Event | None, after: Event | None, point: LinePoint, time: Fraction
) -> Iterator[Event]:
    """The point events where one stretch gives way to the next, or at an end of the line."""
    here = _hexes_at(point)
    known = {hex_ for event in (before, after) if event is not None for hex_ in event.hexes}
    touched = [hex_ for hex_ in here if hex_ not in known]
    for hex_ in touched:
        yield Event("touch", (hex_,), time, time)
    if before is None or after is None or before.kind != "through" or after.kind != "through":
        return
    passing = before.hexes + after.hexes
    if touched:
        yield Event("cross_at_vertex", (*passing, *touched), time, time)
    else:
        yield Event("cross", passing, time, time)


def _hexes_at(point: LinePoint) -> tuple[Hex, ...]:
    """The hexes that hold a point: one inside, two on a hexside, three at a vertex; sorted."""
    near = nearest_hex(point.q, point.r)
    u, v, w = _lattice(point)
    found = []
    for hex_ in (near, *neighbours(near)):
        x, y, z = _lattice(LinePoint.at(hex_))
        if abs(u - x) <= 1 and abs(v - y) <= 1 and abs(w - z) <= 1:
            found.append(hex_)
    return tuple(sorted(found))


def _lattice(point: LinePoint) -> tuple[Fraction, Fraction, Fraction]:
    return 2 * point.q + point.r, -point.q - 2 * point.r, point.r - point.q


def _point(a: LinePoint, b: LinePoint, time: Fraction) -> LinePoint:
    return LinePoint(a.q + (b.q - a.q) * time, a.r + (b.r - a.r) * time)
