"""What a straight line meets on the hex grid, decided in whole numbers.

Hex centres and vertices are the integer points of one triangular lattice:

    u = 2q + r      v = -q - 2r      w = r - q      (u + v + w = 0)

A point is a hex centre where (u - v) is divisible by 3, else one of the two kinds of vertex.
Every hexside lies on a line u = k, v = k or w = k, and a hex is all points within 1 of its
centre in each of the three. So a line changes what it meets only where one of the three passes
an integer; between two such places it lies inside one hex, or runs along one hexside. No
orientation, stretch or turn of the sheet enters: the answer is the same for every picture.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import lcm
from typing import Literal, NamedTuple

from mapkit.hexes import ORIGIN, Hex, Vertex

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
    line = _Line.between(a, b)
    times = line.times()
    stretches = _merged([line.stretch(start, end) for start, end in pairwise(times)])
    events: list[Event] = []
    before: _Stretch | None = None
    for after in [*stretches, None]:
        time = line.steps if after is None else after.start
        events += _between(before, after, line.hexes_at(2 * time), Fraction(time, line.steps))
        if after is not None:
            events.append(after.event(line.steps))
        before = after
    return tuple(events)


def _standing(point: LinePoint) -> tuple[Event, ...]:
    """A line without length lies in its one hex, or touches those that meet at its point."""
    scale = lcm(point.q.denominator, point.r.denominator)
    hexes = _hexes_at([int(x * scale) for x in _lattice(point)], scale)
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


class _Stretch(NamedTuple):
    """Where a line lies in one hex, or runs along one hexside (its left hex, its right hex)."""

    hexes: tuple[Hex, ...]
    start: int
    end: int

    def event(self, steps: int) -> Event:
        kind: EventKind = "through" if len(self.hexes) == 1 else "along"
        return Event(kind, self.hexes, Fraction(self.start, steps), Fraction(self.end, steps))


@dataclass(frozen=True, slots=True)
class _Line:
    """A line in whole numbers: lattice coordinates times *scale*, time in *steps* equal parts.

    The steps are so many that the line passes every integer of u, v and w at a whole one.
    """

    start: tuple[int, ...]
    way: tuple[int, ...]
    scale: int
    steps: int

    @classmethod
    def between(cls, a: LinePoint, b: LinePoint) -> "_Line":
        scale = lcm(*(number.denominator for number in (*a, *b)))
        start = tuple(int(x * scale) for x in _lattice(a))
        end = tuple(int(x * scale) for x in _lattice(b))
        way = tuple(there - here for here, there in zip(start, end, strict=True))
        return cls(start, way, scale, lcm(*(abs(x) for x in way if x)))

    def times(self) -> list[int]:
        """When one of u, v, w passes an integer; with both ends."""
        times = {0, self.steps}
        for here, way in zip(self.start, self.way, strict=True):
            if way:
                low, high = sorted((here, here + way))
                first = -(-low // self.scale) * self.scale
                times.update(
                    (line - here) * self.steps // way for line in range(first, high + 1, self.scale)
                )
        return sorted(times)

    def hexes_at(self, half_steps: int) -> tuple[Hex, ...]:
        """The hexes that hold the point of the line after so many half steps."""
        double = 2 * self.steps
        point = [
            here * double + way * half_steps for here, way in zip(self.start, self.way, strict=True)
        ]
        return _hexes_at(point, self.scale * double)

    def stretch(self, start: int, end: int) -> _Stretch:
        """What the line meets between two neighbouring times: one hex, or one hexside."""
        hexes = self.hexes_at(start + end)
        if len(hexes) == 1:
            return _Stretch(hexes, start, end)
        one, other = hexes
        return _Stretch((one, other) if self._is_left(one) else (other, one), start, end)

    def _is_left(self, hex_: Hex) -> bool:
        """Whether a hex lies left of the way from start to end, on a sheet with y down."""
        u, v, _ = self.start
        du, dv, _ = self.way
        hex_u, hex_v = 2 * hex_.q + hex_.r, -hex_.q - 2 * hex_.r
        return du * (hex_v * self.scale - v) - dv * (hex_u * self.scale - u) > 0


def _merged(stretches: list[_Stretch]) -> list[_Stretch]:
    merged = stretches[:1]
    for stretch in stretches[1:]:
        last = merged[-1]
        if stretch.hexes == last.hexes:
            merged[-1] = last._replace(end=stretch.end)
        else:
            merged.append(stretch)
    return merged


def _between(
    before: _Stretch | None, after: _Stretch | None, here: tuple[Hex, ...], time: Fraction
) -> Iterator[Event]:
    """The point events where one stretch gives way to the next, or at an end of the line."""
    known = {hex_ for stretch in (before, after) if stretch is not None for hex_ in stretch.hexes}
    touched = [hex_ for hex_ in here if hex_ not in known]
    for hex_ in touched:
        yield Event("touch", (hex_,), time, time)
    if before is None or after is None or len(before.hexes) + len(after.hexes) > 2:
        return
    passing = before.hexes + after.hexes
    if touched:
        yield Event("cross_at_vertex", (*passing, *touched), time, time)
    else:
        yield Event("cross", passing, time, time)


def _hexes_at(point: Sequence[int], scale: int) -> tuple[Hex, ...]:
    """The hexes that hold a point: one inside, two on a hexside, three at a vertex; sorted."""
    # The centre q is a third of u - w: within one of it, and of r, lie all hexes that can hold it.
    u, v, w = point
    q, r = (u - w) // (3 * scale), (w - v) // (3 * scale)
    return tuple(
        Hex(x, y)
        for x in (q, q + 1)
        for y in (r, r + 1)
        if abs(u - (2 * x + y) * scale) <= scale
        and abs(v + (x + 2 * y) * scale) <= scale
        and abs(w - (y - x) * scale) <= scale
    )


def _lattice(point: LinePoint) -> tuple[Fraction, Fraction, Fraction]:
    return 2 * point.q + point.r, -point.q - 2 * point.r, point.r - point.q
