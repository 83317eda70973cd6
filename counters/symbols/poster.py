"""The poster of all symbols: every drawing with its name, the marks of all sizes below."""

from counters.symbols.symbol import (
    UNKNOWN,
    Box,
    draw_echelon,
    draw_symbol,
    echelon_title,
    echelon_width,
    echelons,
    symbol_title,
    symbols,
)
from mapkit.drawing.outlines import advance, outline
from mapkit.drawing.picture import Picture
from mapkit.drawing.svg import Sheet
from mapkit.texts import say

PAPER, INK, FILL, RULE = "#f6f1e3", "#1d1d1b", "#fffdf6", "#b9ad92"

_COLUMNS = 8
_CELL, _ROW = 176, 140  # pixels
_MARGIN, _HEAD, _TITLE = 44, 64, 92
_SYMBOL = Box(28, 12, 120, 80)


def draw_poster() -> Picture:
    """Draw all symbols in their groups, and the echelons; the words are in the language in use."""
    sections = _sections()
    rows = sum(-(-len(names) // _COLUMNS) for _, names in sections)
    marks = -(-len(echelons()) // _COLUMNS)
    width = 2 * _MARGIN + _COLUMNS * _CELL
    height = _TITLE + (len(sections) + 1) * _HEAD + rows * _ROW + marks * 84 + _MARGIN
    sheet = Sheet(width, height)
    sheet.add("rect", x=0, y=0, width=width, height=height, fill=PAPER)
    _write(sheet, say("counters.symbols.poster"), _MARGIN, 66, 40)
    y = float(_TITLE)
    for title, names in sections:
        y = _head(sheet, title, y, width)
        for i, name in enumerate(names):
            _symbol(sheet, name, i, y)
        y += -(-len(names) // _COLUMNS) * _ROW
    y = _head(sheet, say("counters.symbols.echelons"), y, width)
    for i, name in enumerate(echelons()):
        _echelon(sheet, name, i, y)
    return Picture(sheet.to_text(), width, height)


def _sections() -> list[tuple[str, list[str]]]:
    named: dict[str, list[str]] = {}
    for name, symbol in symbols().items():
        group = "command" if symbol.group in ("hq", "leader", "fortress") else symbol.group
        group = "icon" if name == UNKNOWN else group
        named.setdefault(group, []).append(name)
    return [(say(f"counters.symbols.group.{group}"), names) for group, names in named.items()]


def _head(sheet: Sheet, title: str, y: float, width: int) -> float:
    _write(sheet, title, _MARGIN, y + 40, 21)
    start = _MARGIN + advance(title, 21) + 14
    sheet.path(f"M{start:.1f} {y + 33:.1f}H{width - _MARGIN}", stroke=RULE, stroke_width=1.5)
    return y + _HEAD


def _symbol(sheet: Sheet, name: str, i: int, y: float) -> None:
    left = _MARGIN + i % _COLUMNS * _CELL
    top = y + i // _COLUMNS * _ROW
    box = Box(left + _SYMBOL.x, top + _SYMBOL.y, _SYMBOL.width, _SYMBOL.height)
    draw_symbol(sheet, name, box, ink=INK, fill=FILL)
    _under(sheet, symbol_title(name), left, top + 114)


def _echelon(sheet: Sheet, name: str, i: int, y: float) -> None:
    echelon = echelons()[name]
    left, top = _MARGIN + i % _COLUMNS * _CELL, y + i // _COLUMNS * 84
    high = 22.0 if not echelon.bar else 30.8
    wide = echelon_width(echelon) * 22 / 20
    box = Box(left + (_CELL - wide) / 2, top + 28 - high, wide, high)
    draw_echelon(sheet, name, box, ink=INK)
    _under(sheet, echelon_title(name), left, top + 54)


def _under(sheet: Sheet, words: str, left: float, y: float) -> None:
    size = min(16.0, 164 / advance(words, 1.0, "regular"))
    x = left + (_CELL - advance(words, size, "regular")) / 2
    sheet.path(outline(words, x, y, size, "regular").d, fill=INK)


def _write(sheet: Sheet, words: str, x: float, y: float, size: float) -> None:
    sheet.path(outline(words, x, y, size).d, fill=INK)
