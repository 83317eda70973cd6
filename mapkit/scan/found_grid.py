"""The grid that was found on a scan: where hexes lie, how sure that is, what else it may be."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from mapkit.grid import Grid, Orientation
from mapkit.hexes import Hex
from mapkit.scan.bends import Bend
from mapkit.scan.homographies import as_rows, project
from mapkit.scan.honeycomb import MARKS, MarkName
from mapkit.scan.page_outline import PageOutline, page_of

Numbers = npt.NDArray[np.float64]

_ROUNDS = 20


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another lattice that the picture also shows, and how sure that would be."""

    pitch_px: float
    orientation: Orientation
    confidence: float


@dataclass(frozen=True, eq=False)
class FoundGrid:
    """Where hexes lie on a scan, in its pixels.

    The homography of *grid* fits the whole sheet as one plane; *bend*, where there is one, is how
    the scan departs from it. *size* is the width and height of the scan, *marks* what the grid
    is printed with, *page* the outline of the sheet where one was seen.
    """

    grid: Grid
    confidence: float
    size: tuple[int, int]
    bend: Bend | None = None
    alternatives: tuple[Alternative, ...] = ()
    marks: MarkName = "sides"
    page: PageOutline | None = None

    @property
    def pitch_px(self) -> float:
        """The distance between neighbouring centres in the middle of the scan."""
        middle = self.grid.hex_at(self.size[0] / 2, self.size[1] / 2)
        return self.grid.pitch_px(middle)

    def to_scan(self, axial: Numbers) -> Numbers:
        """Return the pixels of some axial points, n × 2."""
        straight = project(np.array(self.grid.homography), axial)
        return straight if self.bend is None else straight + self.bend.at(straight)

    def from_scan(self, points: Numbers) -> Numbers:
        """Return the axial points at some pixels: the inverse of `to_scan`."""
        straight = np.array(points, float)
        if self.bend is not None:
            for _ in range(_ROUNDS):
                straight = points - self.bend.at(straight)
        return project(np.linalg.inv(np.array(self.grid.homography)), straight)

    def centres(self, hexes: tuple[Hex, ...]) -> Numbers:
        """Return the pixels of the centres of some hexes."""
        return self.to_scan(np.array(hexes, float).reshape(-1, 2))

    def scaled(self, factor: float) -> "FoundGrid":
        """Return the grid on the same scan at another size."""
        if factor == 1:
            return self
        matrix = np.diag([factor, factor, 1.0]) @ np.array(self.grid.homography)
        grid = Grid(self.grid.orientation, as_rows(matrix))
        bend = self.bend
        if bend is not None:
            bend = Bend(bend.step_px * factor, bend.departures * factor)
        width, height = self.size
        size = (round(width * factor), round(height * factor))
        others = tuple(replace(one, pitch_px=one.pitch_px * factor) for one in self.alternatives)
        page = self.page and self.page.scaled(factor)
        return FoundGrid(grid, self.confidence, size, bend, others, self.marks, page)

    def as_data(self) -> dict[str, Any]:
        """Return the grid as plain JSON values; `found_grid_of` reads them back."""
        return {
            "orientation": self.grid.orientation,
            "homography": [list(row) for row in self.grid.homography],
            "confidence": round(self.confidence, 3),
            "alternatives": [
                {
                    "pitch_px": round(one.pitch_px, 2),
                    "orientation": one.orientation,
                    "confidence": round(one.confidence, 3),
                }
                for one in self.alternatives
            ],
            "size": list(self.size),
            "marks": self.marks,
            "page": self.page and [[round(x, 2), round(y, 2)] for x, y in self.page.corners],
            "page_confidence": self.page and self.page.confidence,
            "warp": self._warp(),
        }

    def _warp(self) -> dict[str, Any] | None:
        """Control points: the axial point (q, r) lies at pixel (x, y) of the scan."""
        if self.bend is None:
            return None
        nodes = self.bend.nodes()
        axial = project(np.linalg.inv(np.array(self.grid.homography)), nodes)
        at = nodes + self.bend.at(nodes)
        rows, columns = self.bend.departures.shape[:2]
        points = np.column_stack([axial, at]).round(5).tolist()
        return {
            "step_px": self.bend.step_px,
            "rows": rows,
            "columns": columns,
            "control_points": points,
        }


def found_grid_of(data: dict[str, Any]) -> FoundGrid:
    """Return the grid that plain JSON values hold."""
    grid = Grid(data["orientation"], as_rows(np.array(data["homography"], float)))
    bend = None
    if warp := data.get("warp"):
        shape = (int(warp["rows"]), int(warp["columns"]), 2)
        at = np.array(warp["control_points"], float)[:, 2:].reshape(shape)
        flat = Bend(float(warp["step_px"]), np.zeros(shape))
        bend = Bend(flat.step_px, at - flat.nodes().reshape(shape))
    width, height = data["size"]
    return FoundGrid(
        grid,
        float(data.get("confidence", 1.0)),
        (int(width), int(height)),
        bend,
        tuple(Alternative(**one) for one in data.get("alternatives", ())),
        MARKS[data.get("marks", "sides")].name,
        page_of(data["page"], float(data["page_confidence"])) if data.get("page") else None,
    )
