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
from mapkit.scan.honeycomb import CORNERS, STEPS, along_hexsides
from mapkit.scan.ink import ink_pictures
from mapkit.scan.sheet import Pixels
from mapkit.scan.tiling import PITCH_PX, mix_inks

Numbers = npt.NDArray[np.float64]

_ENOUGH = 0.4  # of what well-printed hexes show
_ALONG = (0.2, 0.4, 0.6, 0.8)
_WORKING_PITCH_PX = 56.0  # thin lines are still seen at this pitch


def find_area(pixels: Pixels, grid: Grid) -> tuple[Hex, ...]:
    """Return the hexes of the playing area on a flattened picture, row by row."""
    hexes = covering(grid, pixels.shape[1], pixels.shape[0])
    shown = _shown(pixels, grid, np.array(hexes, float))
    smooth = _with_neighbours(hexes, shown)
    enough = _ENOUGH * float(np.quantile(smooth, 0.85))
    lines = np.array([_line_and_place(hex_, grid) for hex_ in hexes])
    low, high = _best_rectangle(lines, smooth - enough)
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


def _line_and_place(hex_: Hex, grid: Grid) -> tuple[int, int]:
    """Return which straight line of hexes one is on, and its place along it in half hexes."""
    if grid.orientation == "pointy":
        return hex_.r, 2 * hex_.q + hex_.r
    return hex_.q, 2 * hex_.r + hex_.q


def _shown(pixels: Pixels, grid: Grid, hexes: Numbers) -> Numbers:
    """Return how much of a grid is seen around each hex, in deviations of what is no grid.

    A hex beyond the edge shares sides with printed ones: its three poorest sides count.
    """
    import cv2

    pitch = grid.pitch_px(Hex(0, 0))
    reduced = min(1.0, _WORKING_PITCH_PX / pitch)
    working = pixels
    if reduced < 1:
        working = np.asarray(
            cv2.resize(pixels, None, fx=reduced, fy=reduced, interpolation=cv2.INTER_AREA), np.uint8
        )
    basis = np.array(grid.homography)[:2, :2] * (PITCH_PX / pitch)
    ink, _ = mix_inks(ink_pictures(working), basis, pitch * reduced)
    lines = along_hexsides(ink, basis)
    first = np.array(grid.homography)[:2, 2] * (PITCH_PX / pitch)
    real = _line_means(lines, basis, first, hexes)
    unreal = np.concatenate(
        [_line_means(lines, basis, first, hexes + shift) for shift in ((0.5, 0.0), (0.0, 0.5))]
    )
    return np.asarray((real - unreal.mean()) / (unreal.std() + 1e-6))


def _line_means(
    lines: npt.NDArray[np.float32], basis: Numbers, first: Numbers, hexes: Numbers
) -> Numbers:
    height, width = lines.shape[1:]
    sides = np.zeros((6, len(hexes)))
    for side in range(6):
        for t in _ALONG:
            at = hexes + CORNERS[side] * t + CORNERS[side - 1] * (1 - t)
            x, y = (at @ basis.T + first).T.astype(int)
            inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
            seen = lines[side % 3, np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
            sides[side] += np.where(inside, seen, 0.0) / len(_ALONG)
    return np.asarray(np.sort(sides, axis=0)[:3].mean(axis=0))


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


def _best_run(gains: Numbers) -> tuple[float, int, int]:
    """Return the greatest sum of a run of numbers, its first and its last place."""
    sums = np.concatenate([[0.0], np.cumsum(gains)])
    lowest = np.minimum.accumulate(sums[:-1])
    right = int((sums[1:] - lowest).argmax())
    left = int(sums[: right + 1].argmin())
    return float(sums[right + 1] - sums[left]), left, right
