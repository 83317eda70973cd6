"""Marks to cut by around a block of counters: short strokes at the ends of every cut.

Where they stand all around, they tell rows, columns and room between counters whatever the
counters show: a white bar along an edge, bare cells, a last row that is not full.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from counters.slicing.lattice import Lattice
from counters.slicing.lattice_fit import Sides
from counters.slicing.upright import Mask, Numbers, Upright

_LEAST_PX, _MOST_PX = 9, 64  # how long a mark is on the upright picture
_THIN_PX = 7
_DARKER = 30.0  # shades than paper
_SLIM = 2.5  # times longer than wide
_ALIKE = 0.35  # marks of one row differ less in length
_LEVEL_PX, _SLOPE = 4.0, 0.02  # how far off its neighbour a mark of one row may stand
_EVEN = 0.08  # of a step: so far off its place a mark may stand
_ALL = 0.7  # of the marks are seen on each side
_ONE_PX = 3.5  # marks that face each other are off by less
_REACH = 0.35  # of a counter: so far from the frame print may end
_SHORT = 0.15  # of a mark's length is left out at either end
_LEAST_STEP_PX = 14.0


@dataclass(frozen=True, eq=False)
class Marked:
    """A block within marks: where its cells lie on the upright picture, and where the marks are.

    *above* to *right* tell from where to where the marks of each side reach, in counters away
    from the block.
    """

    lattice: Lattice
    reaches: tuple[tuple[float, float], ...]  # above, below, left, right

    def sides(self, lattice: Lattice) -> Sides:
        """Return the marks as pieces of sides, where a lattice expects them."""
        wide, high = lattice.extent
        rows: list[tuple[float, float, float, float, int, bool]] = []
        for axis in (0, 1):
            across = high if axis == 0 else wide
            first, last = self.reaches[2 * axis], self.reaches[2 * axis + 1]
            ends = ((-first[1], -first[0]), (across + last[0], across + last[1]))
            for at, far in _cuts(lattice, axis):
                for start, end in ends:
                    points = (at, start, at, end) if axis == 0 else (start, at, end, at)
                    rows.append((*points, axis, far))
        table = np.array(rows, float).reshape(-1, 6)
        outer = np.ones(len(table), bool)
        return Sides(table[:, :2], table[:, 2:4], table[:, 4], outer, table[:, 5] > 0)


def _cuts(lattice: Lattice, axis: int) -> list[tuple[float, bool]]:
    """Return the cuts of one direction, and which are the right or lower sides of counters."""
    count = lattice.rows if axis else lattice.columns
    share = lattice.share[axis]
    if share > 0.999:
        return [(float(cut), False) for cut in range(count + 1)]
    return [cut for i in range(count) for cut in ((float(i), False), (i + share, True))]


def find_marked(upright: Upright) -> list[Marked]:
    """Return the blocks of counters that have marks to cut by on all four sides."""
    # Marks beside each other run together where the softest of their edges counts.
    dark = np.mean(upright.paper.colour) - upright.pixels.mean(axis=2) > _DARKER
    bare = upright.paper.bare | ~dark
    above, beside = (_rows_of_marks(bare, axis) for axis in (0, 1))
    found = []
    for top, bottom in _pairs(above):
        for left, right in _pairs(beside):
            marked = _framed(top, bottom, left, right)
            if marked is not None and _is_full(upright, marked.lattice):
                found.append(marked)
    return found


@dataclass(frozen=True, eq=False)
class _Row:
    """Marks that stand in a row: *at* along it, *level* across it, where each begins and ends."""

    at: Numbers
    level: Numbers
    begin: float
    end: float


def _rows_of_marks(bare: Mask, axis: int) -> list[_Row]:
    """Return the rows of upright strokes (axis 0), or of level ones."""
    import cv2

    ink = np.ascontiguousarray((~bare if axis == 0 else ~bare.T).astype(np.uint8))
    _, _, boxes, middles = cv2.connectedComponentsWithStats(ink, connectivity=8)
    wide, high = boxes[:, 2], boxes[:, 3]
    is_mark = (high >= _LEAST_PX) & (high <= _MOST_PX) & (wide <= _THIN_PX) & (high > _SLIM * wide)
    x, y = (middles[is_mark] + 0.5).T
    top, long = boxes[is_mark, 1].astype(float), high[is_mark].astype(float)
    order = np.argsort(x)
    waiting, rows = order.tolist(), []
    while waiting:
        row = [waiting.pop(0)]
        for other in list(waiting):
            last = row[-1]
            near = abs(y[other] - y[last]) < _LEVEL_PX + _SLOPE * (x[other] - x[last])
            alike = abs(long[other] - long[last]) < _ALIKE * max(long[other], long[last])
            if near and alike:
                row.append(other)
                waiting.remove(other)
        if len(row) > 1:
            begin = float(np.median(top[row] - y[row]))
            end = float(np.median(top[row] + long[row] - y[row]))
            rows.append(_Row(x[row], y[row], begin, end))
    return rows


def _pairs(rows: Sequence[_Row]) -> list[tuple[_Row, _Row]]:
    """Return the rows that stand on both sides of something, the same marks in each."""
    found = []
    for first in rows:
        for second in rows:
            if float(second.level.mean() - first.level.mean()) < 2 * _LEAST_STEP_PX:
                continue
            ends = abs(first.at[0] - second.at[0]), abs(first.at[-1] - second.at[-1])
            if max(ends) < _SLOPE * 2 * float(np.ptp(first.at)) + _LEVEL_PX:
                found.append((first, second))
    return found


def _framed(top: _Row, bottom: _Row, left: _Row, right: _Row) -> Marked | None:
    """Return the block within four rows of marks, if these stand around one."""
    across, down = _comb(top, bottom), _comb(left, right)
    if across is None or down is None:
        return None
    (columns, wide), (rows, high) = across, down
    if columns * rows < 2:
        return None  # marks at the corners alone tell nothing of what is between
    # Lines of x and y through marks that face each other meet in the corners of the block.
    uprights = [((top.at[i], top.level[i]), (bottom.at[i], bottom.level[i])) for i in (0, -1)]
    levels = [((left.level[i], left.at[i]), (right.level[i], right.at[i])) for i in (0, -1)]
    pairs = ((0, 0), (1, 0), (1, 1), (0, 1))
    corners = np.array([_meeting(uprights[i], levels[j]) for i, j in pairs])
    lattice = _lattice(corners, rows, columns, (wide, high))
    step = lattice.pitch_px
    gaps = (
        float(np.mean(corners[:2, 1])) - top.level.mean(),
        bottom.level.mean() - float(np.mean(corners[2:, 1])),
        float(np.mean(corners[[0, 3], 0])) - left.level.mean(),
        right.level.mean() - float(np.mean(corners[1:3, 0])),
    )
    if min(gaps) < 0 or min(step) < _LEAST_STEP_PX:
        return None
    reaches = []
    for number, (gap, row) in enumerate(zip(gaps, (top, bottom, left, right), strict=True)):
        half = (row.end - row.begin) * (0.5 - _SHORT)
        if gap - half > max(step):
            return None  # too far away to belong to it
        pitch = step[1 if number < 2 else 0]
        reaches.append((float(gap - half) / pitch, float(gap + half) / pitch))
    return Marked(lattice, tuple(reaches))


def _comb(first: _Row, second: _Row) -> tuple[int, float] | None:
    """Return how many counters stand between marks, and the share of a step that each takes.

    What one side lacks, a mark under dirt or run into the next, the other side has.
    """
    slope = np.ptp(first.at) / max(float(np.ptp(second.at)), 1.0)
    there = first.at[0] + (second.at - second.at[0]) * slope
    every = np.sort(np.concatenate([first.at, there]))
    new = np.concatenate([[True], np.diff(every) > _ONE_PX])
    at = np.array([group.mean() for group in np.split(every, np.flatnonzero(new)[1:])])
    if min(len(first.at), len(second.at)) < _ALL * len(at):
        return None
    for touching in (True, False):
        count = _teeth(at, touching=touching)
        if count is not None:
            return count, 1.0 if touching else _share(at)
    return None


def _teeth(at: Numbers, *, touching: bool) -> int | None:
    """Return how many counters evenly spaced marks stand for; None where they are not even."""
    if not touching:
        if len(at) < 4 or len(at) % 2:
            return None
        even = [_teeth(at[start::2], touching=True) for start in (0, 1)]
        return even[0] + 1 if even[0] is not None and even[0] == even[1] else None
    step = float(np.median(np.diff(at)))
    if step < _LEAST_STEP_PX:
        return None
    places = np.concatenate([[0], np.cumsum(np.rint(np.diff(at) / step))])
    # A slanting sheet has steps that grow a little: a curve takes that up.
    terms = np.vander(places, min(3, len(at)))
    off = at - terms @ np.linalg.lstsq(terms, at, rcond=None)[0]
    steps = np.diff(at) / np.maximum(np.diff(places), 1) / step
    count = int(places[-1])
    is_even = float(np.abs(off).max()) < _EVEN * step and float(np.abs(steps - 1).max()) < _EVEN
    return count if is_even and len(at) >= _ALL * (count + 1) else None


def _share(at: Numbers) -> float:
    wide, gap = np.diff(at)[::2].mean(), np.diff(at)[1::2].mean()
    return float(wide / (wide + gap))


def _lattice(corners: Numbers, rows: int, columns: int, share: tuple[float, float]) -> Lattice:
    import cv2

    across, down = columns - 1 + share[0], rows - 1 + share[1]
    source = np.array([(0, 0), (across, 0), (across, down), (0, down)], np.float32)
    matrix = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    return Lattice(np.asarray(matrix, float), rows, columns, share)


_Point = tuple[float, float]


def _meeting(one: tuple[_Point, _Point], other: tuple[_Point, _Point]) -> Numbers:
    """Return where two lines meet."""
    (a, b), (c, d) = np.array(one, float), np.array(other, float)
    way, across = b - a, d - c
    t = np.linalg.solve(np.column_stack([way, -across]), c - a)[0]
    return np.asarray(a + t * way)


def _is_full(upright: Upright, lattice: Lattice) -> bool:
    """Say whether print reaches to all four sides of a frame, and not beyond."""
    wide, high = lattice.extent
    step = min(lattice.pitch_px)
    side = 6
    size = (max(2, round(wide * side)), max(2, round(high * side)))
    u, v = np.meshgrid((np.arange(size[0]) + 0.5) / side, (np.arange(size[1]) + 0.5) / side)
    spots = np.floor(lattice.at(np.column_stack([u.ravel(), v.ravel()]))).astype(int)
    height, width = upright.paper.bare.shape
    inside = np.all((spots >= 0) & (spots < (width, height)), axis=1)
    if not inside.all() or step < _LEAST_STEP_PX:
        return False
    ink = ~upright.paper.bare[spots[:, 1], spots[:, 0]].reshape(size[::-1])
    edge = max(1, round(_REACH * side))
    sides = (ink[:edge], ink[-edge:], ink[:, :edge], ink[:, -edge:])
    return all(bool(one.any()) for one in sides)
