"""Room in boxes: where pieces lie that stand on no hex, side by side while there is room."""

from collections.abc import Iterator
from itertools import cycle, islice

from exporters.vassal.binding import BoardPart, BoundBoard, BoundWindow
from exporters.vassal.engine_hexes import Pixel
from exporters.vassal.games.spots import Places
from exporters.vassal.saves.pieces import Spot

_MOST = 2_000
"""So many places in a box are enough: after them pieces lie on each other."""


def box_spots(places: Places, word: str, side: str, cell_px: int) -> Iterator[Spot]:
    """Yield places in the boxes of a word, without end; none where the module has no such box.

    A side has its own box where the module says so; else the box is everybody's.
    """
    found = list(islice(_own_first(places, word, side, cell_px), _MOST))
    return cycle(found)


def _own_first(places: Places, word: str, side: str, cell_px: int) -> Iterator[Spot]:
    for owner in dict.fromkeys((side, "")):
        spots = list(_in_parts(places, word, owner, cell_px))
        if spots:
            yield from spots
            return
    for window, laid in places.laid():
        if window.box == word:
            for name, _, _ in laid:
                board = window.board(name)
                if board is not None:
                    yield from _shown(places, window, board, _free_cells(board, cell_px))


def _in_parts(places: Places, word: str, side: str, cell_px: int) -> Iterator[Spot]:
    for window, laid in places.laid():
        for name, _, _ in laid:
            board = window.board(name)
            for part in board.parts if board is not None else ():
                if board is not None and (part.box, part.side) == (word, side):
                    yield from _shown(places, window, board, _cells(board, part, cell_px))


def _shown(
    places: Places, window: BoundWindow, board: BoundBoard, cells: Iterator[Pixel]
) -> Iterator[Spot]:
    laid = places.boards.get(window.name) or window.laid
    for at in cells:
        shown = window.in_window(board.name, at, laid)
        if shown is not None:
            yield Spot(window.name, *shown)


def _cells(board: BoundBoard, part: BoardPart, cell_px: int) -> Iterator[Pixel]:
    """Yield pixels of a part in rows, the lowest first: a box's name stands at its head."""
    xs, ys = [x for x, _ in part.outline], [y for _, y in part.outline]
    half = cell_px // 2
    rows = range(max(ys) - half, min(ys), -cell_px) if ys else ()
    cells = [(x, y) for y in rows for x in range(min(xs) + half, max(xs), cell_px)]
    middle = (sum(xs) // len(xs), sum(ys) // len(ys)) if xs else (0, 0)
    within = [at for at in cells if board.is_at(part, at)]
    yield from within or ([middle] if board.is_at(part, middle) else [])


def _free_cells(board: BoundBoard, cell_px: int) -> Iterator[Pixel]:
    """Yield pixels of a board where no part of it is a box or a map of its own."""
    width, height = board.size_px
    for y in range(cell_px, max(height, cell_px + 1), cell_px):
        for x in range(cell_px, max(width, cell_px + 1), cell_px):
            part = board.part_at(x, y)
            if part is None or not (part.box or part.map):
                yield min(x, width - 1), min(y, height - 1)
