"""Where each counter lies on paper, front and back, in millimetres.

Everything is measured from the top left corner of the page, to the right and down. A back lies
where its front is once the paper is turned over, like the page of a book ("long", over the long
edge) or of a wall calendar ("short").
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from mapkit.drawing.errors import SizeError
from mapkit.drawing.printing import EDGE_MM, PAPERS_MM

Duplex = Literal["long", "short", "off"]
Side = Literal["front", "back"]

MOST_PAGES = 400
MOST_BLEED_MM = 5.0
MOST_GUTTER_MM = 30.0


@dataclass(frozen=True, slots=True)
class Edges:
    """How far a picture runs over its counter on each side, in millimetres."""

    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0


@dataclass(frozen=True, slots=True)
class Placed:
    """One side of a counter on a page. *index* tells which counter of the list it is."""

    index: int
    x_mm: float
    y_mm: float
    size_mm: float
    bleed: Edges = Edges()


@dataclass(frozen=True, slots=True)
class PrintPage:
    """One side of a sheet of paper; the sheets are counted from 1."""

    sheet: int
    side: Side
    placed: tuple[Placed, ...]


@dataclass(frozen=True, slots=True)
class SheetPlan:
    """All pages, front after front with its back behind it where there are backs."""

    paper_mm: tuple[float, float]
    size_mm: float
    rows: int
    columns: int
    bleed_mm: float
    duplex: Duplex
    pages: tuple[PrintPage, ...]


def plan_sheets(
    has_back: Sequence[bool],
    size_mm: float,
    paper: str = "A4",
    *,
    gutter_mm: float = 0.0,
    bleed_mm: float = 0.0,
    duplex: Duplex = "long",
) -> SheetPlan:
    """Lay out as many counters as *has_back* has entries, row by row, sheet after sheet.

    Between two counters the bleed takes at most half of the gutter; outside it is whole.

    Raises:
        SizeError: no counter fits on the paper, or there are too many of them.

    >>> plan = plan_sheets([True] * 300, 12.7)
    >>> plan.columns, plan.rows, len(plan.pages)
    (14, 21, 4)
    """
    if not 0 <= bleed_mm <= MOST_BLEED_MM:
        raise SizeError(f"a bleed of {bleed_mm:g} mm; give 0 to {MOST_BLEED_MM:g}")
    if not 0 <= gutter_mm <= MOST_GUTTER_MM:
        raise SizeError(f"a gutter of {gutter_mm:g} mm; give 0 to {MOST_GUTTER_MM:g}")
    paper_mm = PAPERS_MM[paper]
    columns, rows = (_fitting(side, size_mm, gutter_mm) for side in paper_mm)
    if not columns or not rows:
        raise SizeError(f"no counter of {size_mm:g} mm fits on {paper}; take bigger paper")
    sheets = math.ceil(len(has_back) / (columns * rows))
    if sheets > MOST_PAGES:
        raise SizeError(
            f"{len(has_back)} counters need {sheets} sheets; the limit is {MOST_PAGES}: "
            "print fewer at once"
        )
    grid = _Grid(paper_mm, size_mm, gutter_mm, bleed_mm, columns, rows)
    pages: list[PrintPage] = []
    for sheet in range(sheets):
        first = sheet * columns * rows
        last = min(first + columns * rows, len(has_back))
        fronts = grid.placed(first, last)
        pages.append(PrintPage(sheet + 1, "front", fronts))
        backs = tuple(turned(one, paper_mm, duplex) for one in fronts if has_back[one.index])
        if backs and duplex != "off":
            pages.append(PrintPage(sheet + 1, "back", backs))
    return SheetPlan(paper_mm, size_mm, rows, columns, bleed_mm, duplex, tuple(pages))


def turned(placed: Placed, paper_mm: tuple[float, float], duplex: Duplex) -> Placed:
    """Return where a counter lies on the other side of the paper."""
    bleed = placed.bleed
    if duplex == "short":
        y_mm = paper_mm[1] - placed.y_mm - placed.size_mm
        return replace(placed, y_mm=y_mm, bleed=replace(bleed, top=bleed.bottom, bottom=bleed.top))
    x_mm = paper_mm[0] - placed.x_mm - placed.size_mm
    return replace(placed, x_mm=x_mm, bleed=replace(bleed, left=bleed.right, right=bleed.left))


def _fitting(side_mm: float, size_mm: float, gutter_mm: float) -> int:
    room = side_mm - 2 * EDGE_MM
    return max(math.floor((room + gutter_mm) / (size_mm + gutter_mm) + 1e-9), 0)


@dataclass(frozen=True, slots=True)
class _Grid:
    paper_mm: tuple[float, float]
    size_mm: float
    gutter_mm: float
    bleed_mm: float
    columns: int
    rows: int

    def placed(self, first: int, last: int) -> tuple[Placed, ...]:
        """Place some counters in the middle of the page, the rows filled from the top."""
        step = self.size_mm + self.gutter_mm
        left = (self.paper_mm[0] - self.columns * step + self.gutter_mm) / 2
        top = (self.paper_mm[1] - self.rows * step + self.gutter_mm) / 2
        inner = min(self.bleed_mm, self.gutter_mm / 2)
        cells = {divmod(index - first, self.columns): index for index in range(first, last)}

        def bleed(row: int, column: int) -> float:
            return inner if (row, column) in cells else self.bleed_mm

        return tuple(
            Placed(
                index,
                left + column * step,
                top + row * step,
                self.size_mm,
                Edges(
                    bleed(row, column - 1),
                    bleed(row - 1, column),
                    bleed(row, column + 1),
                    bleed(row + 1, column),
                ),
            )
            for (row, column), index in cells.items()
        )
