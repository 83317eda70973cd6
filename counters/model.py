"""The one unit class of the house, and the counter and sheet it is printed on.

A value that nobody has read off the counter yet is None: unknown, which is not zero. A text
that is "" is not known, or does not apply.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import TypeAlias

Value: TypeAlias = int | Fraction | None


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a counter: its name ("front", "reduced", "fire") and the values printed there.

    The values keep the order they were given in. None is a value nobody knows yet. *picture* is
    where its picture lies, relative to the file that names it.

    >>> Face("front", {"combat": 3, "morale": None}).known
    {'combat': 3}
    """

    name: str
    values: Mapping[str, Value] = field(default_factory=dict)
    picture: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))

    def __hash__(self) -> int:
        return hash((self.name, frozenset(self.values.items()), self.picture))

    def __reduce__(self) -> tuple[type["Face"], tuple[str, dict[str, Value], str]]:
        # A read-only mapping does not pickle.
        return Face, (self.name, dict(self.values), self.picture)

    @property
    def known(self) -> dict[str, int | Fraction]:
        """The values that are known."""
        return {name: value for name, value in self.values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one counter as "#rrggbb"; what is "" the style decides.

    *ground* is the counter's own colour, *ink* that of its figures, *bar* that of its formation.
    """

    ground: str = ""
    ink: str = ""
    bar: str = ""


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit of the game, and what its counter prints.

    *class_* is the game's word for its kind, *formation* the id of what it belongs to. A text
    that is "" and *steps* that are None are not known, or do not apply. *symbol* names the
    drawing on the counter where it is not the one of the class; *badges* are the small marks
    beside it, as printed: a turn of arrival, a division's number.
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
    symbol: str = ""
    badges: tuple[str, ...] = ()
    colours: Colours = Colours()
    copies: int = 1

    def face(self, name: str) -> Face | None:
        """Return the face of that name, or None where nobody has described it."""
        return next((face for face in self.faces if face.name == name), None)

    def value(self, name: str, face: str) -> Value:
        """Return a value of one face; None where it is not known."""
        found = self.face(face)
        return found.values.get(name) if found else None


@dataclass(frozen=True, slots=True)
class Marker:
    """A counter that is no unit: it notes a state ("Disorganized") or a place on a track."""

    id: str
    name: str
    faces: tuple[Face, ...] = ()
    symbol: str = ""
    badges: tuple[str, ...] = ()
    colours: Colours = Colours()
    copies: int = 1


Counter: TypeAlias = Unit | Marker


class Flip(StrEnum):
    """How a sheet is turned over from its front to its back."""

    COLUMNS = "columns"  # like the page of a book: the columns change order
    ROWS = "rows"  # like the page of a wall calendar: the rows change order


Corner: TypeAlias = tuple[float, float]
Quad: TypeAlias = tuple[Corner, Corner, Corner, Corner]
"""The corners of a section in its scan, in pixels: top left, top right, bottom right, bottom left.

"Top left" is the outer corner of the section's first counter as one reads the sheet, wherever
the scan has it.
"""


@dataclass(frozen=True, slots=True)
class Section:
    """A block of counters of one size, in rows and columns.

    *front* and *back* say where its corners lie in the two scans; None is a side that is not
    there. *cells* names the counter at each row and column of the front, counted from 0; a cell
    without a name is empty. Several cells with one name are copies of one counter.
    *gutter_mm* is the room between two columns, and between two rows.
    """

    name: str
    rows: int
    columns: int
    front: Quad | None = None
    back: Quad | None = None
    counter_mm: tuple[float, float] | None = None
    gutter_mm: tuple[float, float] = (0.0, 0.0)
    flip: Flip = Flip.COLUMNS
    cells: Mapping[tuple[int, int], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", MappingProxyType(dict(self.cells)))

    def __hash__(self) -> int:
        return hash((self.name, self.rows, self.columns, frozenset(self.cells.items())))

    def back_cell(self, row: int, column: int) -> tuple[int, int]:
        """Return where, as one reads the back, the back of a counter lies.

        >>> Section("A", rows=2, columns=5).back_cell(0, 1)
        (0, 3)
        >>> Section("A", rows=2, columns=5, flip=Flip.ROWS).back_cell(0, 1)
        (1, 1)
        """
        if self.flip is Flip.COLUMNS:
            return row, self.columns - 1 - column
        return self.rows - 1 - row, column


@dataclass(frozen=True, slots=True)
class Sheet:
    """A printed sheet of counters: its two scans and the sections on it.

    *front* and *back* are paths relative to the file that names them; "" is a side without a
    picture. *dpi* is None where nobody knows it.
    """

    name: str
    front: str = ""
    back: str = ""
    dpi: float | None = None
    sections: tuple[Section, ...] = ()
