"""Where pieces of a module stand, in words of the project: a hex of a map, or a box."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from exporters.vassal.binding import Binding
from exporters.vassal.engine_hexes import Pixel
from exporters.vassal.foreign_grids import ForeignBoard
from exporters.vassal.games.spots import Boards, Nowhere, Places
from exporters.vassal.importing.names import plain_name
from exporters.vassal.saves.pieces import Spot
from mapkit.model import HexMap
from rules.positions.places import OFF_MAP, format_place
from rules.positions.position import Place


@dataclass(frozen=True, slots=True)
class SetUpPlaces:
    """The windows of a module tied to the maps of a project, and its boards as they were read."""

    binding: Binding
    maps: Mapping[str, HexMap]
    boards: Sequence[ForeignBoard]

    def of_spot(self, spot: Spot, laid: Boards) -> str:
        """Return the place of a piece, written; what is no place of a map is a box by its name."""
        if not spot.map:
            return format_place(OFF_MAP)
        place = Places(self.binding, self.maps, laid).at(spot)
        if isinstance(place, Nowhere):
            place = Place("box", plain_name(self._called(spot, laid), otherwise="beside"))
        return format_place(place)

    def spot_of_stack(self, window: str, words: Mapping[str, str]) -> Spot:
        """Return where a stack at start lies: pixels of its board, or what its grid calls it."""
        bound = self.binding.window(window)
        laid = [one for name, _, _ in bound.laid if (one := bound.board(name))] if bound else []
        named = bound.board(words.get("owningBoard", "")) if bound else None
        board = named or next(iter([*laid, *(bound.boards if bound else ())]), None)
        at = (_whole(words.get("x", "")), _whole(words.get("y", "")))
        if bound is None or board is None:
            return Spot(window, *at)
        if words.get("useGridLocation") == "true":
            at = self._looked_for(window, board.name, words.get("location", "")) or at
        shown = bound.in_window(board.name, at, bound.laid or ((board.name, 0, 0),))
        return Spot(window, *(shown or at))

    def _called(self, spot: Spot, laid: Boards) -> str:
        window = self.binding.window(spot.map)
        here = window.on_board(spot.x, spot.y, laid.get(spot.map, ())) if window else None
        part = here.board.part_at(here.x, here.y) if here else None
        return (part.name if part else "") or spot.map

    def _looked_for(self, window: str, board: str, location: str) -> Pixel | None:
        """Return where the engine looks for a place by its name."""
        for one in self.boards:
            if (one.map_name, one.name) == (window, board):
                places = (place for part in one.parts for place in part.locations)
                named = (place.at for place in places if location in (place.name, place.bare))
                at = next(named, None)
                return at and (round(at[0]), round(at[1]))
        return None


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.removeprefix("-").isdecimal() else 0
