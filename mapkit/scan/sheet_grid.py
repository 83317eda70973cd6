"""The grid of a sheet: looked for as the picture is, and again laid straight by its outline.

A sheet that lies aslant shows its far hexes smaller and its lines at other angles; straightened,
its grid is often found better, and what lies off the sheet no longer disturbs. Which of the two
answers to trust is asked of the picture: at the centres of which grid more of the printed one is
seen, beyond what is seen beside them.
"""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from mapkit.progress import OnProgress, ignore, part_of
from mapkit.scan.find_grid import NoGridError, find_grid, working_picture
from mapkit.scan.found_grid import FoundGrid
from mapkit.scan.growth import seen_at
from mapkit.scan.homographies import project
from mapkit.scan.honeycomb import MARKS
from mapkit.scan.ink import ink_pictures
from mapkit.scan.page_outline import PageOutline, find_page
from mapkit.scan.pointed_grid import grid_within_corners, straightened
from mapkit.scan.sheet import Pixels
from mapkit.scan.tiling import PITCH_PX, mix_inks
from mapkit.texts import say

Numbers = npt.NDArray[np.float64]

_UPRIGHT = 0.015  # of the longer side: corners so near to a rectangle's need no second look
_UNSURE = 0.8  # a grid less sure than this, which the second look does not find, is none
_AS_GOOD = 0.97  # of what is seen of the other grid
_ALIKE = 0.12  # the logarithm of two pitches of one lattice


def find_sheet_grid(
    picture: Pixels, *, hex_px: float | None = None, on_progress: OnProgress = ignore
) -> FoundGrid:
    """Return the grid of a scan with the outline of its sheet, where that is seen.

    Raises:
        NoGridError: none stands out enough, neither as the picture is nor straightened.
    """
    page = find_page(picture)
    if page is None or _is_upright(page):
        return replace(find_grid(picture, hex_px=hex_px, on_progress=on_progress), page=page)
    first = _tried(
        lambda: find_grid(picture, hex_px=hex_px, on_progress=part_of(on_progress, 0.0, 0.5))
    )
    working, reduced = working_picture(picture)
    small = page.scaled(reduced)
    second = _tried(
        lambda: grid_within_corners(
            working,
            small.corners,
            hex_px=hex_px and hex_px * reduced,
            on_progress=part_of(on_progress, 0.5, 0.9),
        )
    )
    on_progress(0.9, say("mapkit.scan.stage.outline"))
    if isinstance(second, NoGridError):
        if isinstance(first, NoGridError):
            raise first
        if first.confidence < _UNSURE:
            raise second
        return replace(first, page=page)
    size = (picture.shape[1], picture.shape[0])
    straight = replace(second.scaled(1 / reduced), size=size, page=page)
    if isinstance(first, NoGridError):
        return straight
    if not _are_alike(first, straight):
        return max(straight, replace(first, page=page), key=lambda one: one.confidence)
    shown = _shown_of(working, np.array(small.corners), second, first.scaled(reduced))
    return straight if shown > _AS_GOOD else replace(first, page=page)


def _tried(look: Callable[[], FoundGrid]) -> FoundGrid | NoGridError:
    """Return what a look finds, or why it refuses."""
    try:
        return look()
    except NoGridError as error:
        return error


def _is_upright(page: PageOutline) -> bool:
    """Tell whether a sheet lies as straight as on a scanner."""
    at = np.array(page.corners)
    left, top = at.min(axis=0)
    right, bottom = at.max(axis=0)
    box = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    return float(np.abs(at - box).max()) < _UPRIGHT * float((at.max(axis=0) - at.min(axis=0)).max())


def _are_alike(one: FoundGrid, other: FoundGrid) -> bool:
    """Tell whether two grids are of one lattice, however exactly each lies."""
    return (
        one.grid.orientation == other.grid.orientation
        and one.marks == other.marks
        and abs(math.log(one.pitch_px / other.pitch_px)) < _ALIKE
    )


def _shown_of(picture: Pixels, corners: Numbers, found: FoundGrid, other: FoundGrid) -> float:
    """Return what is seen of a grid on the straightened sheet, as a share of another's."""
    even, matrix = straightened(picture, corners)
    inks, marks = ink_pictures(even), MARKS[found.marks]
    height, width = even.shape[:2]
    middle = project(np.asarray(np.linalg.inv(matrix), float), np.array([(width / 2, height / 2)]))
    first = np.round(found.from_scan(middle))
    _, steps = _laid(found, matrix, first)
    pitch = math.sqrt(abs(float(np.linalg.det(steps[0]))) * 2 / math.sqrt(3))
    scale = PITCH_PX / pitch
    ink, _ = mix_inks(inks, steps[0] * scale, pitch, marks=marks)
    lines = marks.shown(ink, steps[0] * scale)
    sums = []
    for grid in (found, other):
        reach = np.arange(-math.ceil(max(even.shape) / pitch), math.ceil(max(even.shape) / pitch))
        around = np.stack([part.ravel() for part in np.meshgrid(reach, reach)], axis=1)
        centres, steps = _laid(grid, matrix, np.round(grid.from_scan(middle)) + around)
        inside = np.all((centres > pitch) & (centres < (width - pitch, height - pitch)), axis=1)
        seen = seen_at(lines, centres[inside] * scale, steps[inside] * scale, marks)
        sums.append(float(seen.sum()))
    return sums[0] / max(sums[1], 1e-6)


def _laid(found: FoundGrid, matrix: Numbers, hexes: Numbers) -> tuple[Numbers, Numbers]:
    """Return where some hexes lie on a straightened sheet, and the steps of q and r at each."""
    centres, along_q, along_r = (
        project(matrix, found.to_scan(hexes + np.array(step)))
        for step in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
    )
    return centres, np.stack([along_q - centres, along_r - centres], axis=2)
