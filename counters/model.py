"""The one unit class of the house: who it is, whose it is, and what its counter prints.

A value that nobody has read off the counter yet is None: unknown, which is not zero.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import TypeAlias

Value: TypeAlias = int | Fraction | None


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a counter: its name ("front", "reduced", "fire") and the values printed there.

    The values keep the order they were given in. None is a value nobody knows yet.

    >>> Face("front", {"combat": 3, "morale": None}).known
    {'combat': 3}
    """

    name: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))

    def __hash__(self) -> int:
        return hash((self.name, frozenset(self.values.items())))

    def __reduce__(self) -> tuple[type["Face"], tuple[str, dict[str, Value]]]:
        return Face, (self.name, dict(self.values))  # a read-only mapping does not pickle

    @property
    def known(self) -> dict[str, int | Fraction]:
        """The values that are known."""
        return {name: value for name, value in self.values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Unit:
    """One counter of the game.

    *class_* is the game's word for its kind, *formation* the id of what it belongs to. A text
    that is "" and *steps* that are None are not known, or do not apply.
    """

    id: str
    name: str
    side: str
    nationality: str = ""
    formation: str = ""
    class_: str = ""
    echelon: str = ""
    steps: int | None = None
    faces: tuple[Face, ...] = ()

    def face(self, name: str) -> Face | None:
        """Return the face of that name, or None where nobody has described it."""
        return next((face for face in self.faces if face.name == name), None)

    def value(self, name: str, face: str) -> Value:
        """Return a value of one face; None where it is not known."""
        found = self.face(face)
        return found.values.get(name) if found else None
