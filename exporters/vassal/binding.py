"""What ties a module of the engine to a project: which board is which map, which piece which unit.

Plain frozen data, kept in a project as `vassal.json` (see `binding_file`) or worked out from the
module itself (see `binding_made`). Pixels are the engine's: of a board, or of a map window with
its edge and all its boards.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from exporters.vassal.engine_hexes import Cell, EngineHexes, Pixel, holds
from exporters.vassal.saves.table import TURNED, Laid
from mapkit.hexes import Hex

_ON_CENTRE_PX = 2
"""So far from a centre may a piece lie that the engine set on it: it cuts fractions off twice."""


@dataclass(frozen=True, slots=True)
class BoardPart:
    """A zone of a board, or what lies below all zones: hexes or named points of one of our maps.

    An empty *outline* is the whole board. *first* is the engine's count of our hex (0, 0);
    *points* are by label. *box* is the word of a box, where the part is one and no ground, or
    `off_map`, or `unplaced`; *side* is whose box it is. A part that holds nothing is not known:
    what stands there is on no place of ours.
    """

    name: str = ""
    outline: tuple[Pixel, ...] = ()
    map: str = ""
    hexes: EngineHexes | None = None
    first: Cell = (0, 0)
    points: Mapping[str, Pixel] = field(default_factory=dict)
    box: str = ""
    side: str = ""

    def holds(self, x: int, y: int) -> bool:
        """Tell whether a pixel of the board lies in it."""
        return not self.outline or holds(self.outline, x, y)

    def hex_at(self, x: int, y: int) -> Hex | None:
        """Return our hex at a pixel; None where it has no hexes, or between two on purpose."""
        if self.hexes is None:
            return None
        cell = self.hexes.cell_at(x, y)
        at_x, at_y = self.hexes.centre(cell)
        if self.hexes.edges and max(abs(at_x - x), abs(at_y - y)) > _ON_CENTRE_PX:
            return None
        return self.hexes.hex_of(cell, self.first)

    def label_at(self, x: int, y: int) -> str | None:
        """Return the label of the nearest named point, as the engine finds it."""
        by_distance = ((at[0] - x) ** 2 + (at[1] - y) ** 2 for at in self.points.values())
        found = min(zip(by_distance, self.points, strict=True), default=None)
        return None if found is None else found[1]

    def pixel_of(self, hex_: Hex, label: str) -> Pixel | None:
        """Return where the engine sets a piece in one of our hexes; None where it has no such."""
        if self.hexes is not None:
            return self.hexes.centre(self.hexes.cell_of(hex_, self.first))
        return self.points.get(label)


@dataclass(frozen=True, slots=True)
class BoundBoard:
    """A board: its size, and its parts: a pixel belongs to the first that holds it."""

    name: str
    size_px: tuple[int, int]
    parts: tuple[BoardPart, ...] = ()

    def part_at(self, x: int, y: int) -> BoardPart | None:
        """Return the part that a pixel belongs to."""
        return next((part for part in self.parts if part.holds(x, y)), None)

    def is_at(self, part: BoardPart, at: Pixel) -> bool:
        """Tell whether a pixel lies on the board and belongs to a part of it."""
        width, height = self.size_px
        return 0 <= at[0] < width and 0 <= at[1] < height and self.part_at(*at) is part

    def pixel(self, map_id: str, hex_: Hex, label: str) -> Pixel | None:
        """Return where a piece stands in a hex of ours; None where the hex is not on it."""
        for part in self.parts:
            at = part.pixel_of(hex_, label) if part.map == map_id else None
            if at is not None and self.is_at(part, at):
                return at
        return None


@dataclass(frozen=True, slots=True)
class OnBoard:
    """A pixel of a window on one of its boards."""

    board: BoundBoard
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class BoundWindow:
    """A map window: the edge around its boards, its boards, and which lie there at first.

    *box* is the word of a box where the whole window is one and no map: the eliminated; or
    `off_map`, or `unplaced`.
    """

    name: str
    edge_px: tuple[int, int] = (0, 0)
    boards: tuple[BoundBoard, ...] = ()
    laid: tuple[Laid, ...] = ()
    box: str = ""

    def board(self, name: str) -> BoundBoard | None:
        """Return a board by its name, turned or not."""
        plain = name.removesuffix(TURNED)
        return next((one for one in self.boards if one.name == plain), None)

    def on_board(self, x: int, y: int, laid: Sequence[Laid] = ()) -> OnBoard | None:
        """Return the board at a pixel of the window, as they are laid; None beside them all."""
        for board, left, top, turned in self._origins(laid or self.laid):
            width, height = board.size_px
            inner_x, inner_y = x - left, y - top
            if 0 <= inner_x < width and 0 <= inner_y < height:
                if turned:
                    inner_x, inner_y = width - inner_x, height - inner_y
                return OnBoard(board, inner_x, inner_y)
        return None

    def in_window(self, board: str, at: Pixel, laid: Sequence[Laid] = ()) -> Pixel | None:
        """Return a pixel of a board as one of the window: the inverse of `on_board`."""
        plain = board.removesuffix(TURNED)
        for one, left, top, turned in self._origins(laid or self.laid):
            if one.name == plain:
                width, height = one.size_px
                x, y = (width - at[0], height - at[1]) if turned else at
                return x + left, y + top
        return None

    def _origins(self, laid: Sequence[Laid]) -> Iterator[tuple[BoundBoard, int, int, bool]]:
        """Yield each board with its corner: the engine adds up the boards before it."""
        known = [
            (board, column, row, name.endswith(TURNED))
            for name, column, row in laid
            if (board := self.board(name)) is not None
        ]
        for board, column, row, turned in known:
            before = [one.size_px[0] for one, c, r, _ in known if r == row and c < column]
            above = [one.size_px[1] for one, c, r, _ in known if c == column and r < row]
            yield board, self.edge_px[0] + sum(before), self.edge_px[1] + sum(above), turned


@dataclass(frozen=True, slots=True)
class UnitKeys:
    """Which piece is which unit: by a mark that holds its id, the slot's number, or its name.

    Asked in that order; the first that answers counts.
    """

    mark: str = ""
    gpids: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    def unit_of(self, marks: Mapping[str, str], gpid: str, name: str) -> str | None:
        """Return the id of the unit that a piece is; None where nothing tells."""
        marked = marks.get(self.mark, "") if self.mark else ""
        return marked or self.gpids.get(gpid) or self.names.get(name)


@dataclass(frozen=True, slots=True)
class TurnKeys:
    """How a turn tracker of the module tells the turn; without the name of a *tracker*, it cannot.

    Its first level counts turns, or goes through a list whose entries are the *turns* named here.
    The second goes through *phases*: ids of the pack's phases and steps.
    """

    tracker: str = ""
    turns: tuple[int, ...] = ()
    phases: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Binding:
    """A module and a project as one: windows, units, sides and turns.

    *sides* are ours by what the module calls them: its players' sides and the values of the mark
    *side_mark*. *layers* are words of the pack's statuses, or `steps_lost`, by the names of the
    author's layers, whose first level means nothing; our own layers need no entry.
    """

    module: str
    version: str
    windows: tuple[BoundWindow, ...] = ()
    units: UnitKeys = UnitKeys()
    sides: Mapping[str, str] = field(default_factory=dict)
    side_mark: str = ""
    layers: Mapping[str, str] = field(default_factory=dict)
    turns: TurnKeys = TurnKeys()

    def window(self, name: str) -> BoundWindow | None:
        """Return a map window by its name."""
        return next((one for one in self.windows if one.name == name), None)
