"""What saved games are read against: the binding, and what the project knows."""

from collections.abc import Mapping
from dataclasses import dataclass

from counters.model import Unit
from exporters.vassal.binding import Binding
from mapkit.model import HexMap
from rules.pack import Pack
from rules.positions.position import Position

_COPY = "#"
"""Between the id of a unit and the number of its copy, where a game has it more than once."""


@dataclass(frozen=True)
class Known:
    """A project tied to a module.

    *markers* are ids of counters that are no units. *before* is a position that goes on: what a
    saved game cannot tell is as it was there.
    """

    binding: Binding
    game: str
    maps: Mapping[str, HexMap]
    units: Mapping[str, Unit]
    markers: frozenset[str] = frozenset()
    pack: Pack | None = None
    before: Position | None = None

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides of the game; without one, those that units have."""
        if self.pack is not None:
            return tuple(self.pack.sides)
        return tuple(dict.fromkeys(unit.side for unit in self.units.values()))


def copy_id(id_: str, number: int) -> str:
    """Return the id of a copy of a unit: its own for the first, then with a number behind it."""
    return id_ if number == 1 else f"{id_}{_COPY}{number}"


def unit_of_copy(id_: str) -> str:
    """Return the id of the unit that a copy is one of: its own where it is the first."""
    head, sign, number = id_.rpartition(_COPY)
    return head if sign and number.isdecimal() else id_
