"""A thread pulled over outlines, in whole numbers: what it enters, how deep, how near it passes.

An outline is its edges, in any order: a point is inside where the rings go round it an odd number
of times, so holes need no care. A thread lies inside only where it meets the *open* inside, with
the drawing visible on both sides of it: touching an edge, or running along one, is not inside.
"""

import heapq
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, pairwise
from typing import NamedTuple

from mapkit.depiction.canvas import CanvasPoint, ExactPoint

Edge = tuple[int, int, int, int]  # from x, y to x, y

_HALVINGS = 20
"""How often a run may be halved in the search for its deepest point."""


class Run(NamedTuple):
    """A stretch of the thread, as parts of its length: 0 at its beginning, 1 at its end."""

    start: Fraction
    end: Fraction


WHOLE = Run(Fraction(0), Fraction(1))


class Depth(NamedTuple):
    """How far the nearest edge is from a point of the thread: the square, in canvas units."""

    squared: Fraction
    at: Fraction


class Gap(NamedTuple):
    """Where thread and outline come nearest: the square in canvas units, and both places."""

    squared: Fraction
    at: Fraction
    outline: ExactPoint


@dataclass(frozen=True, slots=True)
class Thread:
    """A straight line on the canvas; *scale* makes whole numbers of its ends."""

    ax: int
    ay: int
    dx: int
    dy: int
    scale: int

    @classmethod
    def between(cls, a: ExactPoint, b: ExactPoint) -> "Thread":
        """Return the thread from *a* to *b*, which must differ."""
        scale = math.lcm(*(number.denominator for number in (*a, *b)))
        ax, ay, bx, by = (int(number * scale) for number in (*a, *b))
        return cls(ax, ay, bx - ax, by - ay, scale)

    @property
    def length_squared(self) -> int:
        """The square of the scaled length."""
        return self.dx * self.dx + self.dy * self.dy

    def point(self, at: Fraction) -> ExactPoint:
        """Return a point of the thread, on the canvas."""
        return (self.ax + at * self.dx) / self.scale, (self.ay + at * self.dy) / self.scale


def edges_of(rings: Iterable[Sequence[CanvasPoint]]) -> tuple[Edge, ...]:
    """Return the edges of closed rings (first point = last)."""
    return tuple((*p, *q) for ring in rings for p, q in pairwise(ring))


def inside_runs(thread: Thread, edges: Iterable[Edge]) -> tuple[Run, ...]:
    """Return the stretches of the thread that lie in the open inside, in order.

    Each edge that changes sides of the thread turns outside into inside. An end that lies on the
    thread itself counts as if it lay to the one side, everywhere alike: that is the thread moved
    by less than anything drawn, which changes nothing but for stretches along an edge, and these
    are known and taken out. A run ends wherever an edge is touched.
    """
    turns: list[Fraction] = []
    breaks = {Fraction(0), Fraction(1)}
    along: list[tuple[Fraction, Fraction]] = []
    ax, ay, dx, dy, scale = thread.ax, thread.ay, thread.dx, thread.dy, thread.scale
    whole = thread.length_squared
    for px, py, qx, qy in edges:
        rx, ry, sx, sy = px * scale - ax, py * scale - ay, qx * scale - ax, qy * scale - ay
        side_p, side_q = dx * ry - dy * rx, dx * sy - dy * sx
        if (side_p > 0 and side_q > 0) or (side_p < 0 and side_q < 0):
            continue
        far_p, far_q = dx * rx + dy * ry, dx * sx + dy * sy
        if side_p == side_q:
            ends = Fraction(far_p, whole), Fraction(far_q, whole)
            along.append((min(ends), max(ends)))
            breaks.update(ends)
            continue
        at = Fraction(far_p * (side_p - side_q) + (far_q - far_p) * side_p, side_p - side_q) / whole
        breaks.add(at)
        if (side_p > 0) != (side_q > 0):
            turns.append(at)
    places = sorted(place for place in breaks if 0 <= place <= 1)
    return tuple(
        Run(start, end)
        for start, end in pairwise(places)
        if sum(turn <= start for turn in turns) % 2
        and not any(low <= start and end <= high for low, high in along)
    )


def edges_within(thread: Thread, part: Run, edges: Iterable[Edge], reach: Fraction) -> list[Edge]:
    """Return the edges that may lie within *reach* units of a part of the thread, and some more."""
    (ax, ay), (bx, by) = thread.point(part.start), thread.point(part.end)
    left, right = math.floor(min(ax, bx) - reach), math.ceil(max(ax, bx) + reach)
    top, bottom = math.floor(min(ay, by) - reach), math.ceil(max(ay, by) + reach)
    return [
        (px, py, qx, qy)
        for px, py, qx, qy in edges
        if (px >= left or qx >= left)
        and (px <= right or qx <= right)
        and (py >= top or qy >= top)
        and (py <= bottom or qy <= bottom)
    ]


def gap(thread: Thread, edges: Iterable[Edge]) -> Gap:
    """Return where a thread that enters nothing comes nearest to some edges, one at least.

    Two straight lines that do not cross are nearest at an end of one of them.
    """
    ax, ay, dx, dy, scale = thread.ax, thread.ay, thread.dx, thread.dy, thread.scale
    bx, by, whole = ax + dx, ay + dy, thread.length_squared
    best, over = 0, 0  # a fraction; over nothing, it is greater than all
    at, foot = Fraction(0), (Fraction(0), Fraction(0))
    for px, py, qx, qy in edges:
        x, y, ex, ey = px * scale, py * scale, (qx - px) * scale, (qy - py) * scale
        far, square, under = _squared_to(ax, ay, dx, dy, whole, x, y)
        if square * over < best * under or not over:
            best, over = square, under
            at, foot = Fraction(far, whole), (Fraction(px), Fraction(py))
        length = ex * ex + ey * ey
        for end, (cx, cy) in ((0, (ax, ay)), (1, (bx, by))):
            far, square, under = _squared_to(x, y, ex, ey, length, cx, cy)
            if square * over < best * under:
                best, over, at = square, under, Fraction(end)
                part = Fraction(far, length or 1)
                foot = (x + part * ex) / scale, (y + part * ey) / scale
    return Gap(Fraction(best, over * scale * scale), at, foot)


def _squared_to(
    ax: int, ay: int, dx: int, dy: int, whole: int, x: int, y: int
) -> tuple[int, int, int]:
    """How far along a line, of *whole*, its point nearest to (x, y) lies; the squared distance."""
    rx, ry = x - ax, y - ay
    far = dx * rx + dy * ry
    if far <= 0:
        return 0, rx * rx + ry * ry, 1
    if far >= whole:
        return whole, (rx - dx) ** 2 + (ry - dy) ** 2, 1
    return far, (dx * ry - dy * rx) ** 2, whole


def deepest(thread: Thread, runs: Iterable[Run], edges: Sequence[Edge]) -> Depth:
    """Return the deepest point of the runs that lie inside, to within one unit of the canvas.

    The depth told is the exact one at the point told, so it is a proof: no edge is nearer. It
    may fall short of the greatest depth of the run by one unit, never exceed it.
    """
    return max(_deepest_of(thread, run, _edges_that_count(thread, run, edges)) for run in runs)


def _edges_that_count(thread: Thread, run: Run, edges: Sequence[Edge]) -> Sequence[Edge]:
    """The edges that can be the nearest: a run that ends on one is never deeper than its length.

    Only a thread with both ends inside may be deeper; then every edge counts.
    """
    if run == WHOLE:
        return edges
    squared = thread.length_squared * (run.end - run.start) ** 2 / thread.scale**2
    return edges_within(thread, run, edges, Fraction(math.isqrt(math.ceil(squared)) + 1))


def _deepest_of(thread: Thread, run: Run, edges: Sequence[Edge]) -> Depth:
    """Halve the run until no part can be more than a unit deeper than the best point seen.

    The distance to one edge is convex along the run, so between two points it never exceeds the
    greater of its values there; the depth, being the least distance to any edge, never exceeds
    the least of these. All numbers are whole: distances are rounded down.
    """
    below = math.lcm(run.start.denominator, run.end.denominator)
    first, last = int(run.start * below), int(run.end * below)
    parts = 1 << _HALVINGS
    scale = thread.scale * below * parts  # one unit of the canvas
    x0 = (thread.ax * below + thread.dx * first) * parts
    y0 = (thread.ay * below + thread.dy * first) * parts
    dx, dy = thread.dx * (last - first), thread.dy * (last - first)
    step_squared = dx * dx + dy * dy
    lines = [_Line.scaled(edge, scale) for edge in edges]
    at_start = [line.distance(x0, y0) for line in lines]
    at_end = [line.distance(x0 + parts * dx, y0 + parts * dy) for line in lines]
    best, best_at = max((min(at_start), 0), (min(at_end), parts))
    order = count()
    waiting = [(-_most(at_start, at_end), next(order), 0, parts, lines, at_start, at_end)]
    while waiting:
        most, _, low, high, lines, at_low, at_high = heapq.heappop(waiting)
        if -most <= best + scale:
            break
        if high - low < 2:
            continue
        middle = (low + high) // 2
        reach = math.isqrt(step_squared * (high - middle) ** 2) + 1
        x, y = x0 + middle * dx, y0 + middle * dy
        kept = [
            (line, near_low, here, near_high)
            for line, near_low, near_high in zip(lines, at_low, at_high, strict=True)
            for here in [line.distance(x, y)]
            if here - reach <= -most  # else it is never the nearest edge in this part
        ]
        lines, at_low, at_middle, at_high = map(list, zip(*kept, strict=True))
        if min(at_middle) > best:
            best, best_at = min(at_middle), middle
        for one, other, left, right in (
            (low, middle, at_low, at_middle),
            (middle, high, at_middle, at_high),
        ):
            entry = (-_most(left, right), next(order), one, other, lines, left, right)
            heapq.heappush(waiting, entry)
    at = run.start + (run.end - run.start) * Fraction(best_at, parts)
    return Depth(_exact_depth(thread.point(at), edges), at)


def _most(at_low: list[int], at_high: list[int]) -> int:
    return min(map(max, at_low, at_high)) + 1


def _exact_depth(point: ExactPoint, edges: Iterable[Edge]) -> Fraction:
    """The squared distance from a point to the nearest edge."""
    scale = math.lcm(point[0].denominator, point[1].denominator)
    x, y = int(point[0] * scale), int(point[1] * scale)
    best, over = 0, 0
    for px, py, qx, qy in edges:
        ex, ey = (qx - px) * scale, (qy - py) * scale
        _, square, under = _squared_to(px * scale, py * scale, ex, ey, ex * ex + ey * ey, x, y)
        if square * over < best * under or not over:
            best, over = square, under
    return Fraction(best, over * scale * scale)


class _Line(NamedTuple):
    """An edge in the fine units of one search."""

    x: int
    y: int
    dx: int
    dy: int
    whole: int

    @classmethod
    def scaled(cls, edge: Edge, scale: int) -> "_Line":
        px, py, qx, qy = edge
        dx, dy = (qx - px) * scale, (qy - py) * scale
        return cls(px * scale, py * scale, dx, dy, dx * dx + dy * dy)

    def distance(self, x: int, y: int) -> int:
        """Return the distance to a point, rounded down."""
        rx, ry = x - self.x, y - self.y
        far = self.dx * rx + self.dy * ry
        if far <= 0:
            return math.isqrt(rx * rx + ry * ry)
        if far >= self.whole:
            return math.isqrt((rx - self.dx) ** 2 + (ry - self.dy) ** 2)
        return math.isqrt((self.dx * ry - self.dy * rx) ** 2 // self.whole)
