"""Where pieces of a module stand, in words of the project: a hex of a map, or a box."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from exporters.vassal.binding import Binding, BoundBoard, Laid
from exporters.vassal.foreign_grids import ForeignBoard
from exporters.vassal.saves.pieces import Spot
from mapkit.model import HexMap
from rules.positions.places import OFF_MAP, format_place
from rules.positions.position import Place


@dataclass(frozen=True, slots=True)
class Places:
    """The windows of a module tied to the maps of a project."""

    binding: Binding
    maps: Mapping[str, HexMap]
    boards: Sequence[ForeignBoard]

    def of_spot(self, spot: Spot, laid: Mapping[str, tuple[Laid, ...]]) -> str:
        """Return the place of a piece in a saved game, whose boards lie as it says."""
        if not spot.map:
            return format_place(OFF_MAP)
        window = self.binding.window(spot.map)
        here = window.on_board(spot.x, spot.y, laid.get(spot.map, ())) if window else None
        if here is None:
            return _box(spot.map)
        return self._on_board(here.board, here.x, here.y) or _box(spot.map)

    def of_stack(self, window: str, words: Mapping[str, str]) -> str:
        """Return the place of a stack at start: pixels of its board, or what its grid calls it."""
        bound = self.binding.window(window)
        if bound is None:
            return _box(window)
        laid = [one for name, _, _ in bound.laid if (one := bound.board(name)) is not None]
        named = bound.board(words.get("owningBoard", ""))
        board = named or next(iter([*laid, *bound.boards]), None)
        if board is None:
            return _box(window)
        at = (_whole(words.get("x", "")), _whole(words.get("y", "")))
        if words.get("useGridLocation") == "true":
            at = self._called(window, board.name, words.get("location", "")) or at
        return self._on_board(board, *at) or _box(window)

    def _on_board(self, board: BoundBoard, x: int, y: int) -> str | None:
        part = board.part_at(x, y)
        if part is None:
            return None
        if part.map:
            map_ = self.maps[part.map]
            hex_ = part.hex_at(x, y)
            label = part.label_at(x, y) if hex_ is None else None
            if hex_ is not None and hex_ in map_:
                label = map_.label(hex_)
            if label is not None:
                only = len(self.maps) == 1
                return format_place(Place("hex", label, "" if only else part.map))
        return _box(part.box or part.name) if part.box or part.name else None

    def _called(self, window: str, board: str, location: str) -> tuple[int, int] | None:
        """Return where the engine looks for a place by its name."""
        for one in self.boards:
            if (one.map_name, one.name) == (window, board):
                places = [place for part in one.parts for place in part.locations]
                named = (place.at for place in places if location in (place.name, place.bare))
                at = next(named, None)
                return at and (round(at[0]), round(at[1]))
        return None


def _box(name: str) -> str:
    return format_place(Place("box", name.replace(":", " ").strip()))


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.removeprefix("-").isdecimal() else 0
