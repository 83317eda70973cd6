"""Find the playing area: the hexes that are printed, beside charts, margins and the table.

A printed map is a rectangle of hexes, its straight lines of hexes along two edges and broken ones
along the others. The rectangle is taken that holds most hexes with a visible grid and least
without.
"""

import math

import numpy as np
import numpy.typing as npt

from mapkit.grid import Grid
from mapkit.hexes import Hex
from mapkit.scan.honeycomb import CORNERS, SIDES, STEPS, MarkInk, Marks
from mapkit.scan.ink import Ink, ink_pictures
from mapkit.scan.sheet import Pixels
from mapkit.scan.tiling import PITCH_PX, mix_inks

Numbers = npt.NDArray[np.float64]

_ENOUGH = 0.15  # of what well-printed hexes show: a pale or busy one shows little, margins none
# What an edge shows of a grid beside what lies within, along straight and along broken edges: one
# with less is none, a line beyond with so much belongs to the map. A broken edge has fewer sides;
# in doubt it stays: a hex too many is easier to take away than one too few is to add.
_EDGE = (0.43, 0.2)
_BEYOND = (0.6, 0.45)
_MOST_TRIMMED = 4
_ALONG = (0.4, 0.5, 0.6)  # away from the corners, where lines of neighbours end
_WORKING_PITCH_PX = 56.0  # thin lines are still seen at this pitch


def find_area(pixels: Pixels, grid: Grid, marks: Marks = SIDES) -> tuple[Hex, ...]:
    """Return the hexes of the playing area on a flattened picture, row by row."""
    hexes = covering(grid, pixels.shape[1], pixels.shape[0])
    shown = _shown(pixels, grid, marks, np.array(hexes, float))
    smooth = _with_neighbours(hexes, shown)
    enough = _ENOUGH * float(np.quantile(smooth, 0.85))
    lines = np.array([line_and_place(hex_, grid) for hex_ in hexes])
    low, high = _best_rectangle(lines, smooth - enough)
    low, high = _trimmed(lines, shown, low, high)
    inside = np.all((lines >= low) & (lines <= high), axis=1)
    return tuple(hex_ for hex_, is_in in zip(hexes, inside, strict=True) if is_in)


def covering(grid: Grid, width: int, height: int) -> list[Hex]:
    """Return all hexes whose centre lies on a picture of this size, in order."""
    corners = [grid.from_pixel(x, y) for x in (0, width) for y in (0, height)]
    qs, rs = zip(*corners, strict=True)
    found = [
        Hex(q, r)
        for r in range(math.floor(min(rs)), math.ceil(max(rs)) + 1)
        for q in range(math.floor(min(qs)), math.ceil(max(qs)) + 1)
    ]
    centres = [grid.centre(hex_) for hex_ in found]
    return [
        hex_
        for hex_, (x, y) in zip(found, centres, strict=True)
        if 0 < x < width and 0 < y < height
    ]


def line_and_place(hex_: Hex, grid: Grid) -> tuple[int, int]:
    """Return which straight line of hexes one is on, and its place along it in half hexes."""
    if grid.orientation == "pointy":
        return hex_.r, 2 * hex_.q + hex_.r
    return hex_.q, 2 * hex_.r + hex_.q


def _shown(pixels: Pixels, grid: Grid, marks: Marks, hexes: Numbers) -> Numbers:
    """Return how much of a grid is seen around each hex, in deviations of what is no grid."""
    import cv2

    pitch = grid.pitch_px(Hex(0, 0))
    reduced = min(1.0, _WORKING_PITCH_PX / pitch)
    working = pixels
    if reduced < 1:
        working = np.asarray(
            cv2.resize(pixels, None, fx=reduced, fy=reduced, interpolation=cv2.INTER_AREA), np.uint8
        )
    basis = np.array(grid.homography)[:2, :2] * (PITCH_PX / pitch)
    ink, _ = mix_inks(ink_pictures(working), basis, pitch * reduced, marks=marks)
    lines = marks.shown(ink, basis)
    means = _line_means if marks is SIDES else _dots
    first = np.array(grid.homography)[:2, 2] * (PITCH_PX / pitch)
    real = means(lines, basis, first, hexes)
    unreal = np.concatenate(
        [means(lines, basis, first, hexes + shift) for shift in ((0.5, 0.0), (0.0, 0.5))]
    )
    return np.asarray((real - unreal.mean()) / (unreal.std() + 1e-6))


def _line_means(lines: MarkInk, basis: Numbers, first: Numbers, hexes: Numbers) -> Numbers:
    """Return what is seen along the three poorest sides: those beyond the edge share the others."""
    sides = np.zeros((6, len(hexes)))
    for side in range(6):
        for t in _ALONG:
            at = hexes + CORNERS[side] * t + CORNERS[side - 1] * (1 - t)
            sides[side] += _seen(lines[side % 3], at @ basis.T + first) / len(_ALONG)
    return np.asarray(np.sort(sides, axis=0)[:3].mean(axis=0))


def _dots(spots: MarkInk, basis: Numbers, first: Numbers, hexes: Numbers) -> Numbers:
    return _seen(spots[0], hexes @ basis.T + first)


def _seen(ink: Ink, points: Numbers) -> Numbers:
    """Return what a picture has at some points, nothing beyond its edge."""
    height, width = ink.shape
    x, y = points.T.astype(int)
    inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    seen = ink[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
    return np.asarray(np.where(inside, seen, 0.0), float)


def _with_neighbours(hexes: list[Hex], shown: Numbers) -> Numbers:
    value = dict(zip(hexes, shown, strict=True))
    around = [Hex(int(q), int(r)) for q, r in STEPS]
    means = []
    for hex_ in hexes:
        beside = (Hex(hex_.q + step.q, hex_.r + step.r) for step in around)
        means.append(4 * value[hex_] + sum(value.get(one, 0.0) for one in beside))
    return np.array(means) / 10


def _best_rectangle(lines: Numbers, gains: Numbers) -> tuple[Numbers, Numbers]:
    """Return the lowest and highest line and place of the rectangle with the greatest gain."""
    low = lines.min(axis=0)
    table = np.zeros(lines.max(axis=0) - low + 1)
    np.add.at(table, tuple((lines - low).T), gains)
    sums = np.concatenate([np.zeros((1, table.shape[1])), np.cumsum(table, axis=0)])
    best, found = -math.inf, (0, 0, 0, 0)
    for start in range(table.shape[0]):
        for end in range(start + 1, table.shape[0] + 1):
            gain, left, right = _best_run(sums[end] - sums[start])
            if gain > best:
                best, found = gain, (start, left, end - 1, right)
    return low + np.array(found[:2]), low + np.array(found[2:])


def _trimmed(
    lines: Numbers, shown: Numbers, low: Numbers, high: Numbers
) -> tuple[Numbers, Numbers]:
    """Take lines off the edges that show far less of a grid than those within, or add some.

    Ground may hide the grid on a whole part of the sheet: each edge is held against its own.
    """
    low, high = low.copy(), high.copy()
    for axis in (0, 1):
        for end, inward in ((low, 1), (high, -1)):
            for _ in range(_MOST_TRIMMED):
                if _edge_share(lines, shown, low, high, axis, end[axis], inward) >= _EDGE[axis]:
                    break
                end[axis] += inward
            else:
                continue
            for _ in range(_MOST_TRIMMED):
                beyond = end[axis] - inward
                if _edge_share(lines, shown, low, high, axis, beyond, inward) < _BEYOND[axis]:
                    break
                end[axis] = beyond
    return low, high


def _edge_share(
    lines: Numbers, shown: Numbers, low: Numbers, high: Numbers, axis: int, at: int, inward: int
) -> float:
    """Return what a line shows, as a share of what the next few lines within show."""
    other = 1 - axis
    across = (lines[:, other] >= low[other]) & (lines[:, other] <= high[other])
    depth = (lines[:, axis] - at) * inward
    edge, within = across & (depth == 0), across & (depth > 0) & (depth <= 4)
    if not edge.any() or not within.any():
        return 0.0
    return float(shown[edge].mean() / max(float(shown[within].mean()), 1e-6))


def _best_run(gains: Numbers) -> tuple[float, int, int]:
    """Return the greatest sum of a run of numbers, its first and its last place."""
    sums = np.concatenate([[0.0], np.cumsum(gains)])
    lowest = np.minimum.accumulate(sums[:-1])
    right = int((sums[1:] - lowest).argmax())
    left = int(sums[: right + 1].argmin())
    return float(sums[right + 1] - sums[left]), left, right
