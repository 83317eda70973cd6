"""The blocks of print on a sheet, and those of them that stand in rows and columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from counters.slicing.upright import Mask, Numbers, Upright

Indices = npt.NDArray[np.intp]

_LEAST_PX = 18  # a block whose sides are shorter is text or dirt
_RING_SHARE = 0.6  # a frame around the sheet is mostly hole
_SHEET = 0.35  # of the picture: what is framed so is no counter
_HELD = 0.45  # of a frame, that blocks within it cover
_FILLED = 0.4  # what fills less of its box is no block
_ALIKE = 0.10  # sizes of counters on one sheet differ by less
_APART = 0.6  # of a counter: more room than this is no gutter
_SLOPES = np.linspace(-0.05, 0.05, 41)
_RAGGED = 0.05  # of a side: a last row or column may hold so few counters


@dataclass(frozen=True, eq=False)
class Block:
    """One connected piece of print: its corners on the upright picture, upper left first."""

    quad: Numbers
    filled: float  # the share of its box that it covers

    @property
    def middle(self) -> Numbers:
        """The middle of its corners."""
        return np.asarray(self.quad.mean(axis=0))

    @property
    def size(self) -> tuple[float, float]:
        """Its mean width and height."""
        a, b, c, d = self.quad
        across = (np.linalg.norm(b - a) + np.linalg.norm(c - d)) / 2
        down = (np.linalg.norm(d - a) + np.linalg.norm(c - b)) / 2
        return float(across), float(down)


@dataclass(frozen=True, eq=False)
class Array:
    """Blocks of one size in rows and columns, by row and column; some places may be bare."""

    blocks: dict[tuple[int, int], Block]
    rows: int
    columns: int


def find_blocks(upright: Upright) -> list[Block]:
    """Return the blocks of print on a sheet; frames around it and loose texts are passed over."""
    import cv2

    ink = (~upright.paper.bare).astype(np.uint8)
    outlines, tree = cv2.findContours(ink, cv2.RETR_TREE, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return []
    found = []
    for index in _outermost(outlines, np.asarray(tree[0]), ink.size):
        x, y, width, height = cv2.boundingRect(outlines[index])
        if min(width, height) < _LEAST_PX:
            continue
        filled = np.zeros((height, width), np.uint8)
        cv2.drawContours(filled, outlines, index, 1, -1, offset=(-x, -y))
        share = float(filled.mean())
        if share < _FILLED:
            continue
        # What hangs on a corner by a thread (a line of text, a smudge) is cut off.
        core = cv2.morphologyEx(filled, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8)) > 0
        if core.any():
            found.append(Block(_quad(core) + np.array([x, y]), share))
    return found


def _outermost(
    outlines: Sequence[object], tree: npt.NDArray[np.int32], whole: int
) -> Iterator[int]:
    """Yield outlines of print that lie in no other, looking through frames."""
    import cv2

    areas = [cv2.contourArea(one) for one in outlines]  # type: ignore[call-overload]
    waiting = [index for index in range(len(tree)) if tree[index][3] < 0]
    while waiting:
        index = waiting.pop()
        holes = _children(tree, index)
        hole = next((h for h in holes if areas[h] > _RING_SHARE * max(areas[index], 1.0)), None)
        if hole is None:
            yield index
            continue
        held = _children(tree, hole)
        # A frame goes around the sheet, or holds blocks; that of a white counter holds figures.
        is_full = sum(areas[one] for one in held) > _HELD * areas[hole]
        if areas[index] > _SHEET * whole or is_full:
            waiting += held
        else:
            yield index


def _children(tree: npt.NDArray[np.int32], index: int) -> list[int]:
    found, child = [], int(tree[index][2])
    while child >= 0:
        found.append(child)
        child = int(tree[child][0])
    return found


def _quad(core: Mask) -> Numbers:
    """Return the corners in which the four sides of a shape meet."""
    height, width = core.shape
    left = _side(core)
    right = _side(core[:, ::-1])
    top = _side(core.T)
    bottom = _side(core.T[:, ::-1])
    across = [(top[0], top[1]), (height - bottom[0], -bottom[1])]  # y = a + b x
    down = [(left[0], left[1]), (width - right[0], -right[1])]  # x = a + b y
    corners = []
    for i, j in ((0, 0), (0, 1), (1, 1), (1, 0)):
        (ya, yb), (xa, xb) = across[i], down[j]
        y = (ya + yb * xa) / (1 - yb * xb)
        corners.append((xa + xb * y, y))
    return np.array(corners)


def _side(core: Mask) -> tuple[float, float]:
    """Return the line x = a + b y that most of a shape's left outline lies on."""
    rows = np.flatnonzero(core.any(axis=1))
    first = core[rows].argmax(axis=1).astype(float)
    y = np.asarray(rows + 0.5, float)
    best, found = -1.0, (float(first.min()), 0.0)
    for slope in _SLOPES:
        shifted = first - slope * y
        low = float(shifted.min())
        counts = np.bincount((shifted - low).astype(int))
        near = np.convolve(counts, np.ones(3), "same")
        # Of lines that hold nearly as much the outermost is the side.
        enough = np.flatnonzero(near >= 0.8 * near.max())
        at = int(enough[0])
        if near[at] > best:
            best = float(near[at])
            inliers = np.abs(shifted - low - at - 0.5) < 2.0
            found = _fitted(y[inliers], first[inliers])
    return _outermost_parallel(first, y, found)


def _outermost_parallel(
    first: Numbers, y: Numbers, side: tuple[float, float]
) -> tuple[float, float]:
    """Move a side out to where the few counters of a last row that is not full end."""
    start, slope = side
    shifted = first - slope * y
    low = float(shifted.min())
    counts = np.bincount((shifted - low).astype(int))
    near = np.convolve(counts, np.ones(3), "same")
    enough = np.flatnonzero(near >= max(_RAGGED * len(y), _LEAST_PX))
    if not len(enough) or start - (low + enough[0]) < _LEAST_PX:
        return side
    # Of the few places that make a line the best is meant, not the first.
    at = int(enough[0] + near[enough[0] : enough[0] + 4].argmax())
    inliers = np.abs(shifted - low - at - 0.5) < 2.0
    return float(np.median(shifted[inliers])), slope


def _fitted(y: Numbers, x: Numbers) -> tuple[float, float]:
    if len(y) < 3 or np.ptp(y) < 8:
        return float(np.median(x)), 0.0
    slope, start = np.polyfit(y, x, 1)
    return float(start), float(slope)


def find_arrays(blocks: Sequence[Block]) -> list[Array]:
    """Return the blocks as arrays of neighbours of one size; a lone one is an array of its own."""
    links = _links(blocks)
    found, seen = [], set[int]()
    for start in range(len(blocks)):
        if start in seen:
            continue
        places = _places(start, links)
        seen |= set(places)
        rows, columns = zip(*places.values(), strict=True)
        top, left = min(rows), min(columns)
        held: dict[tuple[int, int], Block] = {}
        for index, (row, column) in places.items():
            held.setdefault((row - top, column - left), blocks[index])
        found.append(Array(held, max(rows) - top + 1, max(columns) - left + 1))
    return found


def _links(blocks: Sequence[Block]) -> dict[int, list[tuple[int, int, int]]]:
    """Return for every block its neighbours of the same size: index, rows down, columns right."""
    links: dict[int, list[tuple[int, int, int]]] = {index: [] for index in range(len(blocks))}
    sizes = np.array([block.size for block in blocks]).reshape(-1, 2)
    middles = np.array([block.middle for block in blocks]).reshape(-1, 2)
    for i in range(len(blocks)):
        alike = np.all(np.abs(sizes - sizes[i]) < _ALIKE * sizes[i], axis=1)
        by = (middles - middles[i]) / sizes[i]
        for axis, step in ((0, (0, 1)), (1, (1, 0))):
            near = alike & (np.abs(np.abs(by[:, axis]) - 1 - _APART / 2) < _APART / 2 + 0.05)
            near &= np.abs(by[:, 1 - axis]) < 0.25
            for j in np.flatnonzero(near).tolist():
                sign = 1 if by[j, axis] > 0 else -1
                links[i].append((j, sign * step[0], sign * step[1]))
    return links


def _places(start: int, links: dict[int, list[tuple[int, int, int]]]) -> dict[int, tuple[int, int]]:
    places, waiting = {start: (0, 0)}, [start]
    while waiting:
        index = waiting.pop()
        row, column = places[index]
        for other, down, right in links[index]:
            if other not in places:
                places[other] = (row + down, column + right)
                waiting.append(other)
    return places
