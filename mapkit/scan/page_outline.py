"""The outline of the printed sheet on a photo: where the paper ends and the table begins.

Each side of the sheet is a long line, nearly straight, on whose inner side it is lighter: paper on
a table, a floor, the black of a scanner. Of the lines that may be a side, those four are taken
along which most of the paper's edge is seen between their corners. Where what lies around is as
light as the sheet, a printed frame looks like an edge: then no outline is the answer.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from mapkit.grid import Point
from mapkit.scan.sheet import Pixels

Numbers = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
Corners = tuple[Point, Point, Point, Point]

SURE = 0.5  # below this there is no outline

_COARSE_PX, _FINE_PX = 800, 1800  # the longer side where lines are looked for, and are placed
_BESIDE_PX = 2  # so far to either side of an edge light is compared
_AROUND_PX = 14  # and out to here nothing is as light: beside a printed frame there is paper again
_PLAIN, _CLEAR = 18.0, 7.0  # steps of brightness, of 100: an edge beyond doubt, and one at all
_DEPTH = 0.42  # of the picture: how far from its own edge a side is looked for
_LEAN = 0.3  # of its length: how far a side may lean
_SLACK_PX = 2  # a side is not quite straight
_LINES = 7  # that may be one side
_SAMPLES = 64  # along a side
_SMALLEST = 0.2  # of the picture: a sheet covers more
_LARGER = 0.4  # what the whole picture would be worth
_RIM = 0.002  # of the longer side: nearer to the edge of the picture nothing is seen beside a sheet
_REACH = 0.012  # of the longer side: how far from the straight line the edge itself may lie
_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class PageOutline:
    """The corners of a sheet in pixels of the scan, clockwise from the upper left."""

    corners: Corners
    confidence: float

    def scaled(self, factor: float) -> "PageOutline":
        """Return the outline on the same scan at another size."""
        return page_of([(x * factor, y * factor) for x, y in self.corners], self.confidence)

    def holds(self, points: Numbers, *, within_px: float = 0.0) -> npt.NDArray[np.bool_]:
        """Tell which of some points, n × 2, lie on the sheet, or so many pixels beside it."""
        corners = np.array(self.corners)
        along = np.roll(corners, -1, axis=0) - corners
        off = points[:, None, :] - corners
        depth = (along[:, 0] * off[..., 1] - along[:, 1] * off[..., 0]) / np.linalg.norm(
            along, axis=1
        )
        return np.asarray((depth >= -within_px).all(axis=1))


def page_of(corners: Iterable[Iterable[float]], confidence: float) -> PageOutline:
    """Return the outline with these corners."""
    upper_left, upper_right, lower_right, lower_left = ((float(x), float(y)) for x, y in corners)
    return PageOutline((upper_left, upper_right, lower_right, lower_left), confidence)


def find_page(picture: Pixels) -> PageOutline | None:
    """Return the outline of the sheet that a picture shows, or None where that is not sure."""
    coarse = _brightness(picture, _COARSE_PX)
    steps = _inward_steps(coarse)
    lines = [_likely_lines(step) for step in steps]
    if not all(len(found) for found in lines):
        return None
    corners = _best_corners(steps, lines)
    if corners is None:
        return None
    fine = _brightness(picture, _FINE_PX)
    size = np.array(picture.shape[1::-1], float)
    grown = np.array(fine.shape[::-1]) / np.array(coarse.shape[::-1])
    edges = [_edge(fine, *ends) for ends in _sides(corners * grown)]
    confidence = _confidence([edge.seen for edge in edges])
    if confidence < SURE:
        return None
    at = _met(edges) * size / np.array(fine.shape[::-1])
    if not _is_page(at, size):
        return None
    return page_of(at.tolist(), round(confidence, 3))


def _brightness(picture: Pixels, longer_px: int) -> Floats:
    """Return how light a picture is, from 0 to 100, reduced to a size."""
    import cv2

    height, width = picture.shape[:2]
    scale = min(1.0, longer_px / max(height, width))
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    light = cv2.cvtColor(small, cv2.COLOR_RGB2LAB)[..., 0].astype(np.float32) * (100 / 255)
    return np.asarray(cv2.GaussianBlur(light, (0, 0), 0.7), np.float32)


def _inward_steps(light: Floats) -> list[Floats]:
    """Return by how much it gets lighter inward: for the upper, right, lower and left side.

    Each is turned so that its side is on the left and runs upward to downward.
    """
    turned = [light.T, light[:, ::-1], light.T[:, ::-1], light]
    return [_steps(np.ascontiguousarray(one)) for one in turned]


def _steps(light: Floats) -> Floats:
    import cv2

    soft = np.asarray(cv2.blur(light, (3, 3)), np.float32)
    padded = np.pad(soft, ((0, 0), (_AROUND_PX, _BESIDE_PX)), mode="edge")
    # The lightest of all pixels outward, up to so many.
    window = np.ones((1, _AROUND_PX - _BESIDE_PX + 1), np.uint8)
    beyond = cv2.dilate(padded, window, anchor=(0, 0))[:, : light.shape[1]]
    step = padded[:, _AROUND_PX + _BESIDE_PX :] - beyond
    slack = np.ones((1, 2 * _SLACK_PX + 1), np.uint8)
    return np.asarray(cv2.dilate(np.clip(step / _PLAIN, 0.0, 1.0), slack), np.float32)


def _likely_lines(steps: Floats) -> Numbers:
    """Return the lines that show most of an edge on the left of a picture: x at either end."""
    height, width = steps.shape
    depth = int(_DEPTH * width)
    rows = np.linspace(0, height - 1, 2 * _SAMPLES).astype(int)
    along = np.linspace(0.0, 1.0, len(rows))
    places = np.arange(0, depth, _SLACK_PX)
    found, sums = [], []
    for start in places.tolist():
        ends = places[np.abs(places - start) < _LEAN * height]
        x = np.rint(start + (ends[:, None] - start) * along).astype(int)
        found.append(np.column_stack([np.full(len(ends), start), ends]))
        sums.append(steps[rows, x].mean(axis=1))
    lines, shown = np.concatenate(found).astype(float), np.concatenate(sums)
    kept: list[int] = []
    for at in np.argsort(-shown, kind="stable").tolist():
        if len(kept) == _LINES or shown[at] < 0.15:
            break
        apart = np.abs(lines[kept] - lines[at]).max(axis=1) if kept else np.array([np.inf])
        if apart.min() > 4 * _SLACK_PX:
            kept.append(at)
    return lines[kept]


def _best_corners(steps: list[Floats], lines: list[Numbers]) -> Numbers | None:
    """Return where the four lines meet along which most of an edge is seen."""
    width, height = steps[0].shape[0], steps[1].shape[0]
    size = np.array((width, height), float)
    ends = [[_on_picture(side, line, size) for line in found] for side, found in enumerate(lines)]
    best, corners = 0.0, None
    for four in product(*(range(len(found)) for found in lines)):
        upper, right, lower, left = (ends[side][which] for side, which in enumerate(four))
        at = np.stack(
            [_crossing(left, upper), _crossing(upper, right), _crossing(right, lower),
             _crossing(lower, left)]
        )  # fmt: skip
        if not _is_page(at, size):
            continue
        shown = [_shown(steps[side], side, *pair, size) for side, pair in enumerate(_sides(at))]
        # Of two outlines with three sides in common the weaker side tells; if both are seen well
        # the larger is the sheet, and the smaller ends at a fold or a shadow.
        worth = sum(shown) / 4 + min(shown) + _LARGER * _area(at) / float(size[0] * size[1])
        if worth > best:
            best, corners = worth, at
    return corners


def _on_picture(side: int, line: Numbers, size: Numbers) -> Numbers:
    """Return both ends of a line in the pixels of the picture, from its place on a turned one."""
    width, height = size
    start, end = line + 0.5
    return np.array(
        (
            ((0.0, start), (width, end)),
            ((width - start, 0.0), (width - end, height)),
            ((0.0, height - start), (width, height - end)),
            ((start, 0.0), (end, height)),
        )[side]
    )


def _shown(steps: Floats, side: int, a: Numbers, b: Numbers, size: Numbers) -> float:
    """Return how much of an edge is seen from one corner to the next."""
    t = np.linspace(0.02, 0.98, _SAMPLES)[:, None]
    x, y = (a * (1 - t) + b * t).T
    row, column = ((x, y), (y, size[0] - x), (x, size[1] - y), (y, x))[side]
    i = np.clip(row, 0, steps.shape[0] - 1).astype(int)
    j = np.clip(column, 0, steps.shape[1] - 1).astype(int)
    return float(steps[i, j].mean())


def _sides(corners: Numbers) -> list[tuple[Numbers, Numbers]]:
    """Return the ends of the upper, right, lower and left side, clockwise."""
    return [(corners[at], corners[(at + 1) % 4]) for at in range(4)]


def _crossing(one: Numbers, other: Numbers) -> Numbers:
    """Return where two lines, each through two points, meet."""
    along, beside = one[1] - one[0], other[1] - other[0]
    turn = along[0] * beside[1] - along[1] * beside[0]
    if abs(turn) < 1e-9:
        return np.full(2, np.inf)
    apart = other[0] - one[0]
    return np.asarray(one[0] + along * ((apart[0] * beside[1] - apart[1] * beside[0]) / turn))


def _is_page(corners: Numbers, size: Numbers) -> bool:
    """Tell whether four corners lie well on the picture, clockwise, and hold enough of it."""
    rim = _RIM * size.max()
    if not np.isfinite(corners).all() or (corners < rim).any() or (corners > size - rim).any():
        return False
    side, next_side = (np.roll(corners, -n, axis=0) - corners for n in (1, 2))
    turns = side[:, 0] * next_side[:, 1] - side[:, 1] * next_side[:, 0]
    if (turns <= 0).any():
        return False
    return _area(corners) > _SMALLEST * float(size[0] * size[1])


def _area(corners: Numbers) -> float:
    x, y = corners.T
    return abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2


@dataclass(frozen=True, eq=False)
class _Edge:
    """The edge of the paper from near one corner to the next, bent as lens and folds bend it.

    *off* are the numbers of a parabola: how far beside the straight line it runs; *seen* is the
    share of its length where an edge is seen.
    """

    start: Numbers
    end: Numbers
    off: Numbers
    seen: float

    def at(self, t: float) -> Numbers:
        """Return the point *t* of the way along."""
        along = self.end - self.start
        outward = np.array((along[1], -along[0])) / np.linalg.norm(along)
        return np.asarray(self.start + t * along + np.polyval(self.off, t) * outward)

    def tangent(self, near: Numbers) -> Numbers:
        """Return two points of the line that touches the edge nearest to a point."""
        along = self.end - self.start
        t = float((near - self.start) @ along / (along @ along))
        return np.stack([self.at(t - 1e-3), self.at(t + 1e-3)])


def _edge(light: Floats, start: Numbers, end: Numbers) -> _Edge:
    """Find the edge itself beside the straight line from corner to corner."""
    import cv2

    along = end - start
    outward = np.array((along[1], -along[0])) / np.linalg.norm(along)
    reach = math.ceil(_REACH * max(light.shape))
    t = np.linspace(0.01, 0.99, 3 * _SAMPLES)
    away = round(_AROUND_PX * max(light.shape) / _COARSE_PX)
    beside = np.arange(-reach - away, reach + away + 1)
    at = start + t[:, None] * along
    x, y = (at[:, None, axis] + beside * outward[axis] - 0.5 for axis in (0, 1))
    seen = cv2.remap(
        light, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    sharp, wide = np.asarray(seen, float), np.asarray(cv2.blur(seen, (5, 1)), float)

    def aside(profile: Numbers, by: int) -> Numbers:
        return profile[:, away + by : profile.shape[1] - away + by]

    # Lighter inside than anywhere on the table beside it; and exactly where.
    beyond = np.max([aside(wide, by) for by in range(3, away + 1, 2)], axis=0)
    step = aside(wide, -3) - beyond
    best = (step + aside(sharp, -1) - aside(sharp, 1)).argmax(axis=1)
    shown = step[np.arange(len(t)), best]
    off = _parabola(t, best - float(reach), np.clip(shown / _PLAIN, 0.0, 1.0))
    fair = np.abs(np.polyval(off, t) - (best - reach)) < 3.0
    return _Edge(start, end, off, float(np.mean(fair & (shown > _CLEAR))))


def _parabola(t: Numbers, off: Numbers, weights: Numbers) -> Numbers:
    """Fit a parabola to places, of which those that fall far out count little."""
    terms = np.stack([t**2, t, np.ones_like(t)], axis=1)
    weight = weights + 1e-6
    found = np.zeros(3)
    for _ in range(_ROUNDS):
        root = np.sqrt(weight)[:, None]
        # A side without any edge stays straight.
        hold = np.diag((1e-2, 1e-3, 1e-3))
        found = np.linalg.lstsq(
            np.vstack([terms * root, hold]), np.append(off * root[:, 0], np.zeros(3)), rcond=None
        )[0]
        away = off - terms @ found
        weight = weights / (1 + (away / 2.0) ** 2) ** 2 + 1e-6
    return np.asarray(found)


def _met(edges: list[_Edge]) -> Numbers:
    """Return where each edge meets the one before it."""
    corners = []
    for which, edge in enumerate(edges):
        before = edges[which - 1]
        at = edge.start
        for _ in range(4):
            at = _crossing(before.tangent(at), edge.tangent(at))
        corners.append(at)
    return np.stack(corners)


def _confidence(seen: list[float]) -> float:
    """From how much of the edge is seen on every side, on the poorest above all."""
    return 1 / (1 + math.exp(-(12.0 * (min(seen) - 0.6) + 6.0 * (sum(seen) / 4 - 0.75))))
