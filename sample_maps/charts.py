"""The charts printed beside a map: a turn record, tables, boxes to lay counters in.

They belong to no game. They are there because every printed sheet has some, and who looks for
the hexes of a scan must not take their boxes for the map.
"""

from collections.abc import Sequence

from mapkit.drawing.fonts import text_attributes, text_width, written
from mapkit.drawing.picture import Drawing
from mapkit.drawing.style import Style
from mapkit.drawing.svg import Sheet, rectangle
from mapkit.grid import Grid
from mapkit.kinds import STANDING_WATER
from mapkit.model import HexMap

WIDTH = 6.6  # all lengths in hex pitches
_PAD = 0.45
_HEAD = 0.75
_ROW = 0.56
_BOX = 1.3
_TURNS = 20
_TURNS_IN_ROW = 4
_ODDS = ("Die", "1:2", "1:1", "2:1", "3:1", "4:1")
_RESULTS = ("A2", "A1", "A1", "EX", "–", "–", "D1", "D1", "D2", "DR", "DE")


def draw_charts(map_: HexMap, style: Style, *, height_px: int, hex_px: float) -> Drawing:
    """Draw a column of charts, as high as the map beside it; what has no room is left out."""
    width_px = round(WIDTH * hex_px)
    sheet = Sheet(width_px, height_px)
    sheet.add("rect", x=0, y=0, width=width_px, height=height_px, fill=style.sheet.paper)
    column = _Column(sheet, style, hex_px, height_px)
    column.table("Combat results", _results())
    column.table("Terrain", _terrain(map_))
    column.turn_record()
    column.holding_boxes("Reinforcements", "Eliminated units")
    grid = Grid.regular(map_.grid.orientation, pitch_px=hex_px)
    return Drawing(sheet.to_text(), width_px, height_px, grid)


class _Column:
    """Boxes one below the other."""

    def __init__(self, sheet: Sheet, style: Style, hex_px: float, height_px: int) -> None:
        self._sheet, self._style, self._pitch = sheet, style, hex_px
        self._left, self._width = _PAD, WIDTH - 2 * _PAD
        self._y, self._bottom = 0.9, height_px / hex_px - 0.6

    def turn_record(self) -> None:
        rows = _TURNS // _TURNS_IN_ROW
        if not self._begin("Turn record", rows * _BOX):
            return
        step = self._width / _TURNS_IN_ROW
        for turn in range(_TURNS):
            row, column = divmod(turn, _TURNS_IN_ROW)
            x, y = self._left + column * step, self._y + row * _BOX
            self._box(x, y, step, _BOX)
            self._words(str(turn + 1), x + 0.12, y + 0.3, anchor="start")
        self._y += rows * _BOX + 2 * _PAD

    def table(self, title: str, rows: Sequence[Sequence[str]]) -> None:
        if not rows or not self._begin(title, len(rows) * _ROW):
            return
        first = self._width * (0.5 if len(rows[0]) < 5 else 1 / len(rows[0]))
        step = (self._width - first) / (len(rows[0]) - 1)
        for row in rows:
            for index, words in enumerate(row):
                x = self._left + (first + (index - 1) * step if index else 0.0)
                width = step if index else first
                self._box(x, self._y, width, _ROW)
                self._words(words, x + width / 2, self._y + _ROW / 2 + 0.08, room=width - 0.1)
            self._y += _ROW
        self._y += 2 * _PAD

    def holding_boxes(self, *titles: str) -> None:
        """Share what room is left."""
        height = (self._bottom - self._y) / len(titles) - _HEAD - _PAD
        for title in titles:
            if height > 2 and self._begin(title, height):
                self._box(self._left, self._y, self._width, height)
                self._y += height + _PAD

    def _begin(self, title: str, height: float) -> bool:
        """Write a heading, where the box below it fits the sheet."""
        if self._y + _HEAD + height > self._bottom:
            return False
        pitch, letters = self._pitch, self._style.letters["town"]
        attributes = text_attributes(letters, 0.4 * pitch, anchor="start", halo=False)
        y = (self._y + 0.42) * pitch
        self._sheet.text(written(title, letters), self._left * pitch, y, **attributes)
        self._y += _HEAD
        return True

    def _box(self, x: float, y: float, width: float, height: float) -> None:
        pitch, look = self._pitch, self._style.sheet
        shape = rectangle(x * pitch, y * pitch, width * pitch, height * pitch)
        self._sheet.path(shape, fill=look.paper, stroke=look.ink, stroke_width=0.02 * pitch)

    def _words(
        self, words: str, x: float, y: float, *, anchor: str = "middle", room: float = 9.0
    ) -> None:
        pitch, letters = self._pitch, self._style.letters["text"]
        size = min(0.24, 0.24 * room / max(text_width(words, letters, 0.24), 0.01))
        attributes = text_attributes(letters, size * pitch, anchor=anchor)
        self._sheet.text(words, x * pitch, y * pitch, **attributes)


def _results() -> list[tuple[str, ...]]:
    return [
        _ODDS,
        *((str(die), *_RESULTS[die - 1 : die + len(_ODDS) - 2]) for die in range(1, 7)),
    ]


def _terrain(map_: HexMap) -> list[tuple[str, ...]]:
    kinds = sorted(map_.kinds.terrain, key=lambda kind: kind.role in STANDING_WATER)
    rows = [
        (kind.title or kind.id, "–" if kind.role in STANDING_WATER else str(index + 1))
        for index, kind in enumerate(kinds)
    ]
    return [("Terrain", "To enter"), *rows]
