"""Boards of titled boxes where counters wait: what stands in them, and where, not yet drawn.

Each side has a column of boxes. A box is a named place for the engine; in it the counters lie in
rows, so that all can be seen.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from exporters.vassal.chart_drawing import wrapped
from exporters.vassal.elements import Element, add, element

EDGE, GAP, PAD = 24, 16, 12
HEAD, SIDE, NAME, WORDS = 30.0, 24.0, 19.0, 17.0
"""How high letters are: of the board's head, a side's, a box's name, and what it says."""

_LEADING = 1.35
_ROOM_PX = 768  # a row of counters is about so long
_LEAST = 4
_BETWEEN = 0.36  # of a counter's side: badges of two neighbours may touch, and hide nothing
_OVERHANG = 0.27  # so far do badges reach beyond a counter

_BOARD = "build.module.map.boardPicker.Board"
_PARTS = "build.module.map.boardPicker.board"

Rectangle = tuple[int, int, int, int]
"""Left, top, width, height in pixels."""


@dataclass(frozen=True, slots=True)
class Group:
    """Counters of a box that share something, in words; "" where the box's title says it all.

    *captions* are what stands below each of them; none where there is nothing to say.
    """

    members: tuple[str, ...]
    words: str = ""
    captions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Box:
    """A box: what the engine calls it, what its head says, and who lies in it.

    *rows* of counters have room below those that lie there.
    """

    name: str
    title: str
    groups: tuple[Group, ...] = ()
    rows: int = 0


@dataclass(frozen=True, slots=True)
class Column:
    """The boxes of one side, below each other."""

    title: str
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Lettering:
    """A line of words on a board: where its letters stand, and how high they are."""

    words: str
    x: int
    y: int
    size: float


@dataclass(frozen=True, slots=True)
class LaidBox:
    """A box on its board; *free* is the left upper corner of its free rows."""

    name: str
    bounds: Rectangle
    free: tuple[int, int]


@dataclass(frozen=True)
class Tray:
    """A board of boxes: its size, what is drawn on it, and the middle of each counter by id."""

    name: str
    size_px: tuple[int, int]
    heads: tuple[Rectangle, ...]
    boxes: tuple[LaidBox, ...]
    letterings: tuple[Lettering, ...]
    spots: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def box(self, name: str) -> LaidBox:
        """Return the box of that name."""
        return next(one for one in self.boxes if one.name == name)


def capitalised(words: str) -> str:
    """Return words as a title begins: the rest of them stay as they are."""
    return words[:1].upper() + words[1:]


def cell_px(counter_px: int) -> int:
    """Return how far apart counters lie in a box."""
    return counter_px + 2 * round(_BETWEEN * counter_px / 2)


def across(counter_px: int) -> int:
    """Return how many counters lie in a row."""
    return max(_ROOM_PX // cell_px(counter_px), _LEAST)


def lay_out(name: str, title: str, columns: Sequence[Column], counter_px: int) -> Tray:
    """Return the columns of boxes beside each other on one board."""
    laying = _Laying(counter_px)
    wide = laying.wide
    laying.write(title, EDGE, EDGE, HEAD, max(len(columns), 1) * (wide + GAP) - GAP)
    top = laying.y + GAP
    lowest = top
    for number, column in enumerate(columns):
        laying.y = top
        laying.add_column(column, EDGE + number * (wide + GAP))
        lowest = max(lowest, laying.y)
    size = (2 * EDGE + max(len(columns), 1) * (wide + GAP) - GAP, lowest + EDGE)
    parts = (tuple(laying.heads), tuple(laying.boxes), tuple(laying.letterings))
    return Tray(name, size, *parts, laying.spots)


class _Laying:
    """A board in the making: goes down a column and keeps what was laid."""

    def __init__(self, counter_px: int) -> None:
        self.cell = cell_px(counter_px)
        self.clear = max(round(_OVERHANG * counter_px) - (self.cell - counter_px) // 2, 0)
        self.across = across(counter_px)
        self.wide = self.across * self.cell + 2 * PAD
        self.y = 0
        self.heads: list[Rectangle] = []
        self.boxes: list[LaidBox] = []
        self.letterings: list[Lettering] = []
        self.spots: dict[str, tuple[int, int]] = {}

    def write(self, words: str, x: int, y: int, size: float, room_px: int) -> None:
        """Write words in as many lines as they need, and go on below them."""
        self.y = y
        bold = size > WORDS
        for line in wrapped(words, room_px, size, bold=bold) if words else ():
            self.letterings.append(Lettering(line, x, round(self.y + size), size))
            self.y += round(size * _LEADING)

    def add_column(self, column: Column, left: int) -> None:
        top = self.y
        self.write(column.title, left + PAD, top + PAD // 2, SIDE, self.wide - 2 * PAD)
        self.y += PAD // 2
        self.heads.append((left, top, self.wide, self.y - top))
        for box in column.boxes:
            self.y += GAP // 2
            self._add_box(box, left)

    def _add_box(self, box: Box, left: int) -> None:
        top, room = self.y, self.wide - 2 * PAD
        self.write(box.title, left + PAD, top + PAD // 2, NAME, room)
        for group in box.groups:
            self.write(group.words, left + PAD, self.y + PAD // 4, WORDS, room)
            self._add_rows(group, left + PAD)
        free = (left + PAD, self.y)
        self.y += box.rows * self.cell + PAD
        self.boxes.append(LaidBox(box.name, (left, top, self.wide, self.y - top), free))

    def _add_rows(self, group: Group, left: int) -> None:
        line = round(WORDS * _LEADING) if group.captions else 0
        top, tall = self.y + self.clear, self.cell + line
        for number, id_ in enumerate(group.members):
            row, at = divmod(number, self.across)
            x, y = left + at * self.cell, top + row * tall
            self.spots[id_] = (x + self.cell // 2, y + self.cell // 2)
            if group.captions:
                self.write(group.captions[number], x + PAD // 2, y + self.cell, WORDS, self.cell)
        self.y = top - (-len(group.members) // self.across) * tall


def tray_element(tray: Tray, file: str) -> Element:
    """Return a board whose boxes are places of the engine."""
    made = element(_BOARD, name=tray.name, image=file, reversible=False)
    zoned = add(made, f"{_PARTS}.ZonedGrid")
    for box in tray.boxes:
        path = ";".join(f"{x},{y}" for x, y in _corners(box.bounds))
        more = {"useParentGrid": False, "useHighlight": False, "highlightProperty": ""}
        location = {"path": path, "locationFormat": "$name$"}
        add(zoned, f"{_PARTS}.mapgrid.Zone", name=box.name, **location, **more)
    return made


def _corners(bounds: Rectangle) -> Iterator[tuple[int, int]]:
    left, top, width, height = bounds
    yield from ((left, top), (left + width, top))
    yield from ((left + width, top + height), (left, top + height))
