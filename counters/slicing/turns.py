"""The ways to turn a sheet over, and where each of them brings cells and sections."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from counters.model import Flip
from counters.slicing.cut import CutSection
from counters.slicing.sections import Place
from counters.slicing.upright import Numbers

_AS_BIG = 0.08
_LEAST_BACK = 0.5  # of the rows, and of the columns, that a back has at least
_NEAR = 0.8  # of a counter: so far off its place a section may lie


@dataclass(frozen=True, slots=True)
class Turn:
    """How a sheet was turned over, and by how many quarters to the right its back lies scanned."""

    flip: Flip
    quarters: int

    def back_place(self, place: Place, shape: tuple[int, int]) -> Place:
        """Return where on the scan of the back the back of a front's cell lies.

        >>> Turn(Flip.COLUMNS, 0).back_place((0, 1), (2, 5))
        (0, 3)
        >>> Turn(Flip.COLUMNS, 2).back_place((0, 1), (2, 5))
        (1, 1)
        """
        row, column = place
        rows, columns = shape
        if self.flip is Flip.COLUMNS:
            column = columns - 1 - column
        else:
            row = rows - 1 - row
        for _ in range(self.quarters):
            row, column, rows, columns = column, rows - 1 - row, columns, rows
        return row, column


TURNS = tuple(Turn(flip, quarters) for quarters in range(4) for flip in Flip)


@dataclass(frozen=True, slots=True)
class Behind:
    """The back section behind a front section, and which of the front's cells it begins at.

    Rows or columns that are bare on the back are not seen there: its section is smaller, and
    its first cell lies at *row* and *column* of the front as it was turned.
    """

    back: int
    row: int = 0
    column: int = 0

    def place(self, turn: Turn, front: CutSection, place: Place) -> Place:
        """Return which cell of the back section lies behind a cell of the front."""
        row, column = turn.back_place(place, (front.found.rows, front.found.columns))
        return row - self.row, column - self.column


Match = tuple[Behind | None, ...]


def matched_sections(
    turn: Turn, fronts: Sequence[CutSection], backs: Sequence[CutSection]
) -> tuple[Match, ...]:
    """Return which back section lies where each front section would, its cells as big.

    There are several answers where a back section is smaller than what it belongs to.
    """
    scale = _scale(fronts, backs)
    here = _turned_over(turn, _middles(fronts))
    there = [
        [(behind, _middle(turn, front, backs[behind.back], behind) / scale)
         for behind in _candidates(turn, front, backs, scale)]
        for front in fronts
    ]  # fmt: skip
    shifts = [at - here[i] for i, some in enumerate(there) for _, at in some]
    matches = dict.fromkeys(_match_at(shift, fronts, here, there) for shift in shifts)
    most = max((_count(match) for match in matches), default=0)
    found = tuple(match for match in matches if _count(match) == most)
    return found or ((None,) * len(fronts),)


def _count(match: Match) -> int:
    return sum(behind is not None for behind in match)


def _match_at(
    shift: Numbers,
    fronts: Sequence[CutSection],
    here: Numbers,
    there: Sequence[Sequence[tuple[Behind, Numbers]]],
) -> Match:
    """Return for each front section the back section that lies nearest to its place."""
    found: list[Behind | None] = []
    for index, front in enumerate(fronts):
        off = [float(np.linalg.norm(here[index] + shift - at)) for _, at in there[index]]
        best = int(np.argmin(off)) if off else -1
        near = best >= 0 and off[best] < _NEAR * max(front.size_px)
        found.append(there[index][best][0] if near else None)
    return tuple(found)


def _candidates(
    turn: Turn, front: CutSection, backs: Sequence[CutSection], scale: float
) -> list[Behind]:
    rows, columns = front.found.rows, front.found.columns
    if turn.quarters % 2:
        rows, columns = columns, rows
    return [
        Behind(index, row, column)
        for index, back in enumerate(backs)
        if _is_alike(turn, front, back, scale)
        for row in range(rows - back.found.rows + 1)
        for column in range(columns - back.found.columns + 1)
    ]


def _middle(turn: Turn, front: CutSection, back: CutSection, behind: Behind) -> Numbers:
    """Return where on the back's scan the middle of the whole section lies, bare cells too."""
    wide, high = front.found.lattice.extent
    if turn.quarters % 2:
        wide, high = high, wide
    x, y = wide / 2 - behind.column, high / 2 - behind.row
    return np.asarray(back.found.lattice.at(np.array([(x, y)]))[0])


def _middles(sections: Sequence[CutSection]) -> Numbers:
    middles = [one.found.lattice.corners.mean(axis=0) for one in sections]
    return np.array(middles, float).reshape(-1, 2)


def _turned_over(turn: Turn, points: Numbers) -> Numbers:
    mirror = np.array([-1, 1]) if turn.flip is Flip.COLUMNS else np.array([1, -1])
    moved: Numbers = points * mirror
    for _ in range(turn.quarters):
        moved = np.column_stack([-moved[:, 1], moved[:, 0]])  # to the right: y runs down
    return moved


def _scale(fronts: Sequence[CutSection], backs: Sequence[CutSection]) -> float:
    """How much bigger the back was scanned, by the nearest sizes of counters."""
    sizes = [float(np.sqrt(np.prod(one.found.lattice.cell_px))) for one in fronts]
    others = [float(np.sqrt(np.prod(one.found.lattice.cell_px))) for one in backs]
    return float(np.median(others) / np.median(sizes)) if others and sizes else 1.0


def _is_alike(turn: Turn, front: CutSection, back: CutSection, scale: float) -> bool:
    rows, columns = front.found.rows, front.found.columns
    wide, high = front.found.lattice.cell_px
    if turn.quarters % 2:
        rows, columns, wide, high = columns, rows, high, wide
    across, down = back.found.lattice.cell_px
    return (
        _LEAST_BACK * rows <= back.found.rows <= rows
        and _LEAST_BACK * columns <= back.found.columns <= columns
        and abs(across / wide / scale - 1) < _AS_BIG
        and abs(down / high / scale - 1) < _AS_BIG
    )
