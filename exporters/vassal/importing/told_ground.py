"""What a module itself says of the ground: properties of its zones, or the messages of an export.

Authors who know terrain keep it in zones, as a property of that name. Modules that were made or
enriched by us tell terrain and level of every hex in words.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import replace

from exporters.vassal.foreign import ForeignModule, tags
from exporters.vassal.foreign_grids import ForeignBoard, ForeignPart, Location
from exporters.vassal.places import board_key
from exporters.vassal.terrain import MESSAGE, TERRAIN, read_told
from mapkit.hexes import Hex
from mapkit.kinds import UNKNOWN
from mapkit.model import Ground

_LEVELS = ("level", "elevation", "height")
_WHOLE = re.compile(r"-?\d{1,4}", re.ASCII)


class ToldGround:
    """Tells what a module says of the hexes of one board.

    *board* has only those places that messages tell of, where there are such: a module that tells
    of every hex says which there are.
    """

    def __init__(self, module: ForeignModule, board: ForeignBoard) -> None:
        self._by_name = _told_by_name(module, board)
        self._zoned = {id(part): ground for part in board.parts if (ground := _of_zone(part))}
        self._whole = board
        self.board = board if not self._by_name else self._restricted()

    def of(self, places: Mapping[Hex, Location | None]) -> dict[Hex, Ground]:
        """Return what is told of hexes; those of which nothing is told are not there."""
        found: dict[Hex, Ground] = {}
        for hex_, place in places.items():
            ground = None if place is None else self._by_name.get(place.name)
            if place is not None and ground is None and self._zoned:
                at = (math.floor(place.at[0]), math.floor(place.at[1]))
                ground = self._zoned.get(id(self._whole.part_at(at)))
            if ground is not None:
                found[hex_] = ground
        return found

    def _restricted(self) -> ForeignBoard:
        """Return the board with the places told of, each name once: zones lie before the rest."""
        left = set(self._by_name)
        parts = []
        for part in self._whole.parts:
            kept = tuple(one for one in part.locations if one.name in left)
            left -= {one.name for one in kept}
            parts.append(replace(part, locations=kept))
        return replace(self._whole, parts=tuple(parts))


def _told_by_name(module: ForeignModule, board: ForeignBoard) -> dict[str, Ground]:
    """Return what messages tell of a board's places, whoever made them."""
    begins = f"{TERRAIN}{board_key(board.map_name, board.name)}"
    names = {place.name for group in board.groups for place in group}
    found: dict[str, Ground] = {}
    for message, text in _messages(module).items():
        _, _, name = message.partition(begins)
        ground = read_told(text) if name in names else None
        if ground is not None:
            found.setdefault(name, ground)
    return found


def _messages(module: ForeignModule) -> dict[str, str]:
    return {
        name: one.get("initialValue", "")
        for one in tags(module.root)
        if one.tag == f"VASSAL.{MESSAGE}" and TERRAIN in (name := one.get("name", ""))
    }


def _of_zone(part: ForeignPart) -> Ground | None:
    """Return the ground that the properties of a zone name."""
    told = {name.strip().casefold(): value.strip() for name, value in part.properties.items()}
    terrain = told.get("terrain", "") or UNKNOWN
    numbers = (told.get(name, "") for name in _LEVELS)
    level = next((int(text) for text in numbers if _WHOLE.fullmatch(text)), None)
    return None if terrain == UNKNOWN and level is None else Ground(terrain, level)
