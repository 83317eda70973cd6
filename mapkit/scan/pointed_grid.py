"""A grid that a person pointed at: three hexes that touch, or the four corners of the page."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mapkit.grid import Grid, Point
from mapkit.progress import OnProgress, ignore
from mapkit.scan.bends import fit_bend
from mapkit.scan.find_grid import NoGridError, find_grid, lattice_basis, working_picture
from mapkit.scan.found_grid import FoundGrid
from mapkit.scan.homographies import as_rows, fit_homography, project
from mapkit.scan.honeycomb import MARKS, Marks
from mapkit.scan.ink import InkPicture, ink_pictures
from mapkit.scan.laid_grid import LaidGrid, lay_grid
from mapkit.scan.sheet import Pixels
from mapkit.scan.tiling import PITCH_PX, mix_inks

Numbers = npt.NDArray[np.float64]

_UNEVEN = 1.35  # the longest of three steps over the shortest: more is no slant but a slip
_LEAST_NODES = 8


def grid_from_three(picture: Pixels, centres: Sequence[Point]) -> FoundGrid:
    """Return the grid that shows three touching hexes at these centres.

    Raises:
        NoGridError: the three do not touch each other, or no grid goes on from them.
    """
    a, b, c = (np.array(centre, float) for centre in centres)
    steps = [float(np.linalg.norm(one - other)) for one, other in ((a, b), (b, c), (c, a))]
    if min(steps) < 8 or max(steps) > _UNEVEN * min(steps):
        told = ", ".join(f"{step:.0f}" for step in steps)
        raise NoGridError(
            f"these three hexes do not touch each other: they are {told} px apart; "
            "point at the centres of three hexes that meet in one corner"
        )
    working, reduced = working_picture(picture)
    pitch = sum(steps) / 3 * reduced
    angle = math.degrees(math.atan2(*(b - a)[::-1]))
    orientation, regular = lattice_basis(angle - 30.0)
    basis = _basis_through(b - a, c - a, regular * (pitch / reduced / PITCH_PX))
    scale = PITCH_PX / pitch * reduced
    inks = ink_pictures(working)
    laids = [_laid(inks, a * scale, basis * scale, pitch, marks) for marks in MARKS.values()]
    laid = max(laids, key=lambda one: len(one.growth) * one.agreement)
    if len(laid.growth) < _LEAST_NODES:
        raise NoGridError(
            "no grid goes on from these three hexes; point at three where its lines are clear"
        )
    return laid.on_scan(
        orientation,
        scale=scale,
        size=(picture.shape[1], picture.shape[0]),
        confidence=0.5 + 0.5 * laid.agreement,
    )


def _laid(
    inks: Sequence[InkPicture], centre: Numbers, basis: Numbers, pitch: float, marks: Marks
) -> LaidGrid:
    ink, _ = mix_inks(inks, basis, pitch, marks=marks)
    return lay_grid(ink, centre, basis, marks)


def _basis_through(first: Numbers, second: Numbers, regular: Numbers) -> Numbers:
    """Return the lattice on which both steps lead from a hex to a neighbour."""
    steps = np.stack([first, second], axis=1)
    counted = np.round(np.linalg.solve(regular, steps))
    if abs(np.linalg.det(counted)) < 0.5:
        return regular
    return np.asarray(steps @ np.linalg.inv(counted))


def grid_within_corners(
    picture: Pixels,
    corners: Sequence[Point],
    *,
    hex_px: float | None = None,
    on_progress: OnProgress = ignore,
) -> FoundGrid:
    """Return the grid of a page whose corners are given, clockwise from the upper left.

    Raises:
        NoGridError: the corners are none, or no grid is found within them.
    """
    even, matrix = straightened(picture, np.array(corners, float))
    found = find_grid(even, hex_px=hex_px, on_progress=on_progress)
    back = np.asarray(np.linalg.inv(matrix), float)
    return _seen_through(found, back, (picture.shape[1], picture.shape[0]))


def straightened(picture: Pixels, page: Numbers) -> tuple[Pixels, Numbers]:
    """Return the part of a picture between four corners as a rectangle, and what takes it there.

    Raises:
        NoGridError: these are no corners of a page, clockwise from the upper left.
    """
    import cv2

    across = (np.linalg.norm(page[1] - page[0]) + np.linalg.norm(page[2] - page[3])) / 2
    down = (np.linalg.norm(page[3] - page[0]) + np.linalg.norm(page[2] - page[1])) / 2
    side, next_side = np.roll(page, -1, axis=0) - page, np.roll(page, -2, axis=0) - page
    turns = side[:, 0] * next_side[:, 1] - side[:, 1] * next_side[:, 0]
    if min(across, down) < 100 or not np.all(turns > 0):
        raise NoGridError(
            "these are no four corners of a page: give them clockwise from the upper left"
        )
    width, height = round(float(across)), round(float(down))
    straight = np.array([(0, 0), (width, 0), (width, height), (0, height)], float)
    matrix = fit_homography(page, straight, np.ones(4), spread_px=1.0)
    even = cv2.warpPerspective(picture, _for_opencv(matrix), (width, height))
    return np.asarray(even, np.uint8), matrix


def _for_opencv(matrix: Numbers) -> Numbers:
    """OpenCV counts from the middle of the first pixel, we from its corner."""
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    return np.asarray(np.linalg.inv(half) @ matrix @ half)


def _seen_through(found: FoundGrid, matrix: Numbers, size: tuple[int, int]) -> FoundGrid:
    """Return a grid as it lies on the picture from which its own was straightened."""
    step = 2 * found.pitch_px
    width, height = found.size
    y, x = np.mgrid[0 : height + step : step, 0 : width + step : step]
    even = np.stack([x.ravel(), y.ravel()], axis=1)
    axial, seen = found.from_scan(even), project(matrix, even)
    ones = np.ones(len(axial))
    fitted = fit_homography(axial, seen, ones, spread_px=0.03 * found.pitch_px)
    bend = fit_bend(project(fitted, axial), seen, ones, size=size, pitch_px=found.pitch_px)
    grid = Grid(found.grid.orientation, as_rows(fitted))
    return FoundGrid(grid, found.confidence, size, bend, found.alternatives, found.marks)
