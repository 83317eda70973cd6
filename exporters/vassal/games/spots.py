"""Where pieces stand, in the words of a project: pixels of a window to places, and back."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from exporters.vassal.binding import Binding, BoardPart, BoundBoard, BoundWindow
from exporters.vassal.engine_hexes import EngineHexes, Pixel
from exporters.vassal.saves.pieces import Spot
from exporters.vassal.saves.table import Laid
from mapkit.errors import MapkitError
from mapkit.hexes import Hex, Hexside, neighbours
from mapkit.model import HexMap
from rules.positions.places import OFF_MAP
from rules.positions.position import UNPLACED, Place

Boards = Mapping[str, Sequence[Laid]]
"""How the boards of each window are laid in a saved game."""

_NEAR = 0.2
"""So far from the middle of a hexside, as part of the way from hex to hex, may a marker lie."""


@dataclass(frozen=True, slots=True)
class Nowhere:
    """A spot that is no place of the project, and why: the last word of a text's key."""

    why: str


@dataclass(frozen=True, slots=True)
class OnPart:
    """A pixel of a board in one of its parts that is tied to a map."""

    part: BoardPart
    hexes: EngineHexes | None
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Places:
    """The places of a project on the boards of a module, as a saved game lays them."""

    binding: Binding
    maps: Mapping[str, HexMap]
    boards: Boards

    def at(self, spot: Spot) -> Place | Nowhere:
        """Return the place at a spot."""
        found = self._found(spot)
        if not isinstance(found, OnPart):
            return found
        label = self._label(found)
        if label is None:
            between = found.hexes is not None and found.part.hex_at(found.x, found.y) is None
            return Nowhere("hexside" if between else "no_hex")
        return Place("hex", label, self._map_word(found.part.map))

    def hexside_at(self, spot: Spot) -> tuple[str, str] | None:
        """Return the hexside in whose middle a spot lies, and its map; None where in none."""
        found = self._found(spot)
        if not isinstance(found, OnPart) or found.hexes is None:
            return None
        map_ = self.maps[found.part.map]
        here = found.hexes.hex_of(found.hexes.cell_at(found.x, found.y), found.part.first)
        off, other = min((_off_middle(found, here, other), other) for other in neighbours(here))
        if off > _NEAR or not (here in map_ or other in map_):
            return None
        return map_.label_place(Hexside.between(here, other)), self._map_word(found.part.map)

    def hex_spot(self, place: Place) -> Spot | None:
        """Return where the engine sets a piece in a hex; None where the module has no such hex."""
        for id_, map_ in self._maps_named(place.map):
            if _has(map_, place.at):
                spot = self._spot(id_, map_.hex(place.at), place.at)
                if spot is not None:
                    return spot
        return None

    def hexside_spot(self, hexside: Hexside, map_id: str = "") -> Spot | None:
        """Return the middle of a hexside; None where neither of its hexes is on a board.

        One of them may lie beyond the edge of the map.
        """
        for id_, _ in self._maps_named(map_id):
            for here, other in (hexside, hexside[::-1]):
                for window, laid, board, part in self._parts(id_):
                    first, second = (part.pixel_of(hex_, "") for hex_ in (here, other))
                    if first is None or second is None or not board.is_at(part, first):
                        continue
                    middle = ((first[0] + second[0]) // 2, (first[1] + second[1]) // 2)
                    shown = window.in_window(board.name, middle, laid)
                    if shown is not None:
                        return Spot(window.name, *shown)
        return None

    def laid(self) -> Iterator[tuple[BoundWindow, Sequence[Laid]]]:
        """Yield the windows with their boards: as the saved game lays them, else as at first."""
        for window in self.binding.windows:
            yield window, self.boards.get(window.name) or window.laid

    def _found(self, spot: Spot) -> Place | Nowhere | OnPart:
        window = self.binding.window(spot.map)
        if window is None:
            return Nowhere("window" if spot.map else "no_map")
        here = window.on_board(spot.x, spot.y, self.boards.get(window.name, ()))
        part = here.board.part_at(here.x, here.y) if here is not None else None
        if part is not None and part.map in self.maps and here is not None:
            return OnPart(part, part.hexes, here.x, here.y)
        box = (part.box if part is not None else "") or window.box
        if box:
            return place_of_box(box)
        return Nowhere("no_board" if here is None else "no_hex")

    def _label(self, found: OnPart) -> str | None:
        map_ = self.maps[found.part.map]
        if found.hexes is not None:
            hex_ = found.part.hex_at(found.x, found.y)
            return map_.label(hex_) if hex_ is not None and hex_ in map_ else None
        label = found.part.label_at(found.x, found.y)
        return label if label is not None and _has(map_, label) else None

    def _map_word(self, map_id: str) -> str:
        return "" if len(self.maps) == 1 else map_id

    def _maps_named(self, map_id: str) -> Iterator[tuple[str, HexMap]]:
        return ((id_, map_) for id_, map_ in self.maps.items() if map_id in ("", id_))

    def _spot(self, map_id: str, hex_: Hex, label: str) -> Spot | None:
        for window, laid, board, part in self._parts(map_id):
            at = part.pixel_of(hex_, label)
            shown = window.in_window(board.name, at, laid) if at and board.is_at(part, at) else None
            if shown is not None:
                return Spot(window.name, *shown)
        return None

    def _parts(
        self, map_id: str
    ) -> Iterator[tuple[BoundWindow, Sequence[Laid], BoundBoard, BoardPart]]:
        """Yield what of the laid boards is tied to a map."""
        for window, laid in self.laid():
            for name, _, _ in laid:
                board = window.board(name)
                for part in board.parts if board is not None else ():
                    if board is not None and part.map == map_id:
                        yield window, laid, board, part


def place_of_box(word: str) -> Place:
    """Return the place that the word of a box in a binding stands for."""
    return {"off_map": OFF_MAP, "unplaced": UNPLACED}.get(word, Place("box", word))


def box_of_place(place: Place) -> str:
    """Return the word of a box for a place that is no hex: the inverse of `place_of_box`."""
    return place.at if place.kind == "box" else place.kind


def _off_middle(found: OnPart, here: Hex, other: Hex) -> float:
    """Return how far a pixel lies from the middle between two hexes, as part of the way."""
    ends: list[Pixel] = []
    for hex_ in (here, other):
        ends.append(found.part.pixel_of(hex_, "") or (0, 0))
    (ax, ay), (bx, by) = ends
    way = math.dist(*ends) or 1.0
    return math.dist(((ax + bx) / 2, (ay + by) / 2), (found.x, found.y)) / way


def _has(map_: HexMap, label: str) -> bool:
    try:
        return map_.hex(label) in map_
    except MapkitError:
        return False
