"""The ways to turn a sheet over, and where each of them brings cells and sections."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from counters.model import Flip
from counters.slicing.cut import CutSection
from counters.slicing.sections import Place
from counters.slicing.upright import Numbers

_AS_BIG = 0.08
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


def matched_sections(
    turn: Turn, fronts: Sequence[CutSection], backs: Sequence[CutSection]
) -> tuple[int | None, ...]:
    """Return which back section lies where each front section would, its size and shape right."""
    scale = _scale(fronts, backs)
    there = _middles(backs) / scale
    here = _turned_over(turn, _middles(fronts))
    shift = _best_shift(turn, fronts, backs, here, there, scale)
    found: list[int | None] = []
    for index, front in enumerate(fronts):
        near = [
            other
            for other, back in enumerate(backs)
            if _is_alike(turn, front, back, scale)
            and np.linalg.norm(here[index] + shift - there[other]) < _NEAR * max(front.size_px)
        ]
        found.append(near[0] if near else None)
    return tuple(found)


def _best_shift(
    turn: Turn,
    fronts: Sequence[CutSection],
    backs: Sequence[CutSection],
    here: Numbers,
    there: Numbers,
    scale: float,
) -> Numbers:
    """Return the shift at which most sections have a like one in their place."""
    best, most = np.zeros(2), -1
    for i, front in enumerate(fronts):
        for j, back in enumerate(backs):
            if not _is_alike(turn, front, back, scale):
                continue
            shift = there[j] - here[i]
            apart = np.linalg.norm(here[:, None] + shift - there[None], axis=2)
            count = int((apart < _NEAR * max(front.size_px)).any(axis=1).sum())
            if count > most:
                best, most = shift, count
    return best


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
        (back.found.rows, back.found.columns) == (rows, columns)
        and abs(across / wide / scale - 1) < _AS_BIG
        and abs(down / high / scale - 1) < _AS_BIG
    )
