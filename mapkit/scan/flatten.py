"""Flatten a scan: lay it out so that all hexes are regular, upright, alike and evenly lit.

The new picture shows the whole sheet, not the playing area alone: legends and charts stay readable.
Where the outline of the sheet was seen, what lies around it is left out, else the whole scan stays.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mapkit.grid import Grid
from mapkit.hexes import Hex
from mapkit.progress import OnProgress, ignore
from mapkit.scan.even_light import even_light, find_light
from mapkit.scan.found_grid import FoundGrid
from mapkit.scan.page_outline import Corners
from mapkit.scan.sheet import Pixels, Points
from mapkit.texts import say

Numbers = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]

_NODE_PX = 16  # between these pixels where the scan lies is as good as linear
_BAND_PX = 512
_MARGIN = 0.02
_BESIDE = 0.25  # in pitches: a centre so far off the sheet may be on it, for its edge may be bent
_LARGEST = 1.35  # the flattened picture is at most so many times the scan: a horizon has no end


@dataclass(frozen=True, eq=False)
class Flattened:
    """A flattened picture and its regular grid; hexes keep the numbers they had on the scan."""

    pixels: Pixels
    grid: Grid
    found: FoundGrid

    def from_scan(self, points: Points) -> Points:
        """Return where pixels of the scan lie on the flattened picture."""
        axial = self.found.from_scan(np.asarray(points, float))
        return _to_pixels(self.grid, axial)

    def on_page(self, hexes: tuple[Hex, ...]) -> tuple[Hex, ...]:
        """Return those of some hexes whose centres lie on the sheet, as far as it is seen."""
        if self.found.page is None or not hexes:
            return hexes
        within_px = _BESIDE * self.found.pitch_px
        held = self.found.page.holds(self.found.centres(hexes), within_px=within_px)
        return tuple(hex_ for hex_, is_on in zip(hexes, held, strict=True) if is_on)


def flatten(
    picture: Pixels,
    found: FoundGrid,
    *,
    pitch_px: float | None = None,
    on_progress: OnProgress = ignore,
) -> Flattened:
    """Return the scan laid out regularly, hexes *pitch_px* apart (as on the scan), evenly lit."""
    import cv2

    grid, (width, height) = _laid_out(found, pitch_px or found.pitch_px)
    flat = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, _BAND_PX):
        rows = min(_BAND_PX, height - top)
        x, y = _places(found, grid, width, top, rows)
        # Pixels beyond the scan show its edge, not black: a border would look like a line.
        flat[top : top + rows] = cv2.remap(
            picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        on_progress(0.9 * (top + rows) / height, say("mapkit.scan.stage.flatten"))
    even_light(flat, find_light(flat, grid))
    return Flattened(flat, grid, found)


def _laid_out(found: FoundGrid, pitch_px: float) -> tuple[Grid, tuple[int, int]]:
    """Return a regular grid on which the whole sheet has room, and the size it takes."""
    grid = Grid.regular(found.grid.orientation, pitch_px=pitch_px, first_px=(0.0, 0.0))
    width, height = (float(length) for length in found.size)
    whole: Corners = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    edge = _to_pixels(grid, found.from_scan(_outline(found.page.corners if found.page else whole)))
    middle = _to_pixels(grid, found.from_scan(np.array([[found.size[0] / 2, found.size[1] / 2]])))[
        0
    ]
    reach = np.array(found.size) * _LARGEST / 2 * (pitch_px / found.pitch_px)
    low = np.floor(np.maximum(edge.min(axis=0), middle - reach))
    high = np.ceil(np.minimum(edge.max(axis=0), middle + reach))
    left, top = (float(value) for value in low)
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    placed = Grid.regular(found.grid.orientation, pitch_px=pitch_px, first_px=(-left, -top))
    return placed, size


def _outline(corners: Corners) -> Numbers:
    """Return points all along the sides between four corners: they may be bent."""
    at = np.array(corners)
    t = np.linspace(0.0, 1.0, 9)[:, None]
    return np.concatenate([at[i] * (1 - t) + at[(i + 1) % 4] * t for i in range(4)])


def _places(found: FoundGrid, grid: Grid, width: int, top: int, rows: int) -> tuple[Floats, Floats]:
    """Return which pixel of the scan each pixel of a band shows, for OpenCV."""
    import cv2

    columns, lines = math.ceil(width / _NODE_PX) + 2, math.ceil(rows / _NODE_PX) + 2
    # Nodes lie in the middle of their squares, one square beyond the band on every side.
    x = (np.arange(columns) - 0.5) * _NODE_PX
    y = (np.arange(lines) - 0.5) * _NODE_PX + top
    nodes = np.stack([part.ravel() for part in np.meshgrid(x, y)], axis=1)
    back = np.linalg.inv(np.array(grid.homography))
    axial = (np.column_stack([nodes, np.ones(len(nodes))]) @ back.T)[:, :2]
    at = found.to_scan(axial).reshape(lines, columns, 2)
    size = (columns * _NODE_PX, lines * _NODE_PX)
    maps = []
    for part in (at[..., 0], at[..., 1]):
        whole = cv2.resize(np.ascontiguousarray(part), size, interpolation=cv2.INTER_LINEAR)
        cut = whole[_NODE_PX : _NODE_PX + rows, _NODE_PX : _NODE_PX + width]
        maps.append(np.ascontiguousarray(cut - 0.5, np.float32))
    return maps[0], maps[1]


def _to_pixels(grid: Grid, axial: Numbers) -> Numbers:
    matrix = np.array(grid.homography)
    return np.asarray(axial @ matrix[:2, :2].T + matrix[:2, 2])
