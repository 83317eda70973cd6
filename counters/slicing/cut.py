"""Counters cut out of a scan: every cell of a section at one size, in the light of its paper."""

from dataclasses import dataclass

import numpy as np

from counters.slicing.sections import FoundSection, FoundSheet, Place
from counters.slicing.upright import Floats, Numbers
from mapkit.scan.sheet import Pixels

_MOST_GAIN = 1.6  # a paper that is darker than that is no paper


@dataclass(frozen=True, eq=False)
class CutSection:
    """The pictures of a section's cells as they lie on its scan, all of one size."""

    found: FoundSection
    cells: dict[Place, Pixels]  # the cells with a counter
    size_px: tuple[int, int]


def cut_section(
    sheet: FoundSheet,
    section: FoundSection,
    *,
    white: tuple[float, float, float] | None = None,
    size_px: tuple[int, int] | None = None,
) -> CutSection:
    """Return the cells of a section with print on them, sub-pixel exact.

    Paper becomes *white* all over the sheet, else the colour that it has on most of it.
    """
    import cv2

    wide, high = section.lattice.cell_px
    size = size_px or (max(1, round(wide)), max(1, round(high)))
    # The middle of the first pixel lies half a pixel within the corner.
    target = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32) - 0.5
    cells = {}
    for row, column in sorted(section.held):
        corners = section.lattice.cell(row, column)
        matrix = cv2.getPerspectiveTransform((corners - 0.5).astype(np.float32), target)
        cut = cv2.warpPerspective(
            sheet.pixels, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
        )
        gain = _gain(sheet, corners.mean(axis=0), white)
        cells[row, column] = np.clip(np.rint(cut * gain), 0, 255).astype(np.uint8)
    return CutSection(section, cells, size)


def _gain(sheet: FoundSheet, middle: Numbers, white: tuple[float, float, float] | None) -> Floats:
    """Return by what to multiply colours so that paper has the same everywhere."""
    paper = sheet.upright.paper
    seen = paper.seen_at(sheet.upright.from_scan(np.asarray(middle)[None])[0])
    wanted = np.array(white or paper.colour, np.float32)
    gain = wanted / np.maximum(seen, 1.0)
    return np.asarray(np.clip(gain, 1 / _MOST_GAIN, _MOST_GAIN), np.float32)


def rounded(picture: Pixels, radius_px: float) -> Pixels:
    """Return a counter with its corners cut round: a fourth channel tells what is left."""
    height, width = picture.shape[:2]
    radius = min(radius_px, min(width, height) / 2)
    x = np.abs(np.arange(width) + 0.5 - width / 2) - (width / 2 - radius)
    y = np.abs(np.arange(height) + 0.5 - height / 2) - (height / 2 - radius)
    away = np.hypot(np.maximum(x, 0)[None, :], np.maximum(y, 0)[:, None])
    alpha = np.clip(radius - away + 0.5, 0, 1) * 255
    return np.dstack([picture, np.rint(alpha).astype(np.uint8)])
