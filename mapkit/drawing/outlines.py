"""Letters as outlines: a word becomes one path, the same in every viewer, with no font needed.

Reads the Compact Font Format inside our OpenType files (Adobe Technical Notes 5176, the file, and
5177, the outlines). What those files do not use is not read: they hold no CID fonts and no hints
that move a point. There is no kerning: words are as wide as `mapkit.drawing.fonts` measures them.
"""

import struct
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Literal

from mapkit.drawing.fonts import font_folder

Face = Literal["regular", "bold", "italic"]
Box = tuple[float, float, float, float]

_FILES = {"regular": "Cabin-Regular.otf", "bold": "Cabin-Bold.otf", "italic": "Cabin-Italic.otf"}
# Combining accents, and the accents of the font that stand alone.
_ACCENTS = {
    "\u0301": "´", "\u0302": "ˆ", "\u0304": "¯", "\u0306": "˘", "\u0307": "˙", "\u030a": "˚",
    "\u030b": "´´", "\u030c": "ˇ", "\u0327": "¸", "\u0328": "˛",
}  # fmt: skip
_CHARSTRINGS, _PRIVATE, _SUBROUTINES = 17, 18, 19  # operators of a DICT, Note 5176, tables 9 and 23


@dataclass(frozen=True, slots=True)
class Glyph:
    """One letter on an em of 1: its contours, y down from the baseline, and its advance.

    A contour is a start and what follows: a line by one point, a curve by three.
    """

    contours: tuple[tuple[tuple[float, ...], ...], ...]
    advance: float


@dataclass(frozen=True, slots=True)
class Outline:
    """A line of text as a path, and the box of its ink: left, top, right, bottom."""

    d: str
    ink: Box


def advance(words: str, size: float, face: Face = "bold") -> float:
    """Return how far a line of text runs at a size of the em."""
    return sum(_glyph(face, letter).advance for letter in words) * size


def ink_box(words: str, size: float, face: Face = "bold") -> Box:
    """Return where the ink of a line lies that starts at 0, 0: left, top, right, bottom.

    Curves are boxed by their control points, which for these letters is the ink itself: their
    curves have points at the extremes.
    """
    points = list(_points(words, size, face, 0.0, 0.0))
    if not points:
        return 0.0, 0.0, 0.0, 0.0
    return (
        min(x for x, _ in points),
        min(y for _, y in points),
        max(x for x, _ in points),
        max(y for _, y in points),
    )


def outline(words: str, x: float, y: float, size: float, face: Face = "bold") -> Outline:
    """Return a line of text that starts at *x* on the baseline *y*."""
    parts, at = [], x
    for letter in words:
        glyph = _glyph(face, letter)
        parts += [_written(contour, at, y, size) for contour in glyph.contours]
        at += glyph.advance * size
    left, top, right, bottom = ink_box(words, size, face)
    return Outline("".join(parts), (x + left, y + top, x + right, y + bottom))


def has_letter(letter: str, face: Face = "bold") -> bool:
    """Say whether the font has a letter, or a letter and an accent to make it of.

    >>> has_letter("ő"), has_letter("Č"), has_letter("Ω")
    (True, True, False)
    """
    return ord(letter) in _font(face).numbers or _in_parts(face, letter) is not None


def _in_parts(face: Face, letter: str) -> tuple[str, str] | None:
    """Return the letter and the accent that make a letter; None where the font lacks one."""
    parts = unicodedata.normalize("NFD", letter)
    if len(parts) != 2 or parts[1] not in _ACCENTS:
        return None
    made = parts[0], _ACCENTS[parts[1]]
    return made if all(ord(sign) in _font(face).numbers for sign in "".join(made)) else None


def _points(
    words: str, size: float, face: Face, x: float, y: float
) -> Iterator[tuple[float, float]]:
    for letter in words:
        glyph = _glyph(face, letter)
        for contour in glyph.contours:
            for step in contour:
                for i in range(0, len(step), 2):
                    yield x + step[i] * size, y + step[i + 1] * size
        x += glyph.advance * size


def _written(contour: tuple[tuple[float, ...], ...], x: float, y: float, size: float) -> str:
    words = []
    for i, step in enumerate(contour):
        sign = "M" if i == 0 else "L" if len(step) == 2 else "C"
        placed = (x + v * size if k % 2 == 0 else y + v * size for k, v in enumerate(step))
        words.append(sign + " ".join(f"{value:.2f}".rstrip("0").rstrip(".") for value in placed))
    return "".join(words) + "Z"


@cache
def _font(face: Face) -> "_Font":
    return _Font((font_folder() / _FILES[face]).read_bytes())


@cache
def _glyph(face: Face, letter: str) -> Glyph:
    font = _font(face)
    parts = None if ord(letter) in font.numbers else _in_parts(face, letter)
    if parts is not None:
        glyph = _glyph(face, parts[0])
        accent = _glyph(face, parts[1][0])
        for again in range(1, len(parts[1])):  # two strokes over ő
            accent = _beside(accent, _glyph(face, parts[1][0]), 0.14 * again)
        return _accented(glyph, accent)
    number = font.numbers.get(ord(letter), 0)
    pen = _Pen(font)
    pen.run(font.glyphs[number])
    per_em = font.per_em
    contours = tuple(
        tuple(
            tuple((v if k % 2 == 0 else -v) / per_em for k, v in enumerate(step))
            for step in contour
        )
        for contour in pen.contours
    )
    return Glyph(contours, font.advances[min(number, len(font.advances) - 1)] / per_em)


def _accented(letter: Glyph, accent: Glyph) -> Glyph:
    """Set an accent over the middle of a letter, clear of its top; below it stays where it is."""
    left, top, right, _ = _ink(letter)
    over_left, _, over_right, over_low = _ink(accent)
    across = (left + right - over_left - over_right) / 2
    down = min(0.0, top - 0.05 - over_low) if over_low < 0 else 0.0
    return _beside(letter, accent, across, down)


def _beside(one: Glyph, other: Glyph, across: float, down: float = 0.0) -> Glyph:
    moved = tuple(
        tuple(
            tuple(v + (across if k % 2 == 0 else down) for k, v in enumerate(step))
            for step in contour
        )
        for contour in other.contours
    )
    return Glyph((*one.contours, *moved), one.advance)


def _ink(glyph: Glyph) -> Box:
    steps = [step for contour in glyph.contours for step in contour]
    xs = [v for step in steps for v in step[::2]]
    ys = [v for step in steps for v in step[1::2]]
    return min(xs), min(ys), max(xs), max(ys)


class _Font:
    """The parts of a font file that outlines need."""

    def __init__(self, data: bytes) -> None:
        tables = {}
        for i in range(struct.unpack_from(">H", data, 4)[0]):
            tag, _, start, length = struct.unpack_from(">4sIII", data, 12 + 16 * i)
            tables[tag] = data[start : start + length]
        self.per_em = struct.unpack_from(">H", tables[b"head"], 18)[0]
        count = struct.unpack_from(">H", tables[b"hhea"], 34)[0]
        self.advances = [struct.unpack_from(">H", tables[b"hmtx"], 4 * i)[0] for i in range(count)]
        self.numbers = _glyph_numbers(tables[b"cmap"])
        cff = tables[b"CFF "]
        _, at = _index(cff, cff[2])  # the fonts' names
        tops, at = _index(cff, at)
        _, at = _index(cff, at)  # strings
        self.common, _ = _index(cff, at)
        top = _dict(tops[0])
        self.glyphs, _ = _index(cff, int(top[_CHARSTRINGS][0]))
        size, start = map(int, top[_PRIVATE])
        private = _dict(cff[start : start + size])
        own = private.get(_SUBROUTINES)
        self.own = _index(cff, start + int(own[0]))[0] if own else []


def _index(data: bytes, at: int) -> tuple[list[bytes], int]:
    """Return the entries of an INDEX and where it ends (Note 5176, 5)."""
    (count,) = struct.unpack_from(">H", data, at)
    if not count:
        return [], at + 2
    wide = data[at + 2]
    first = at + 3
    offsets = [
        int.from_bytes(data[first + i * wide : first + (i + 1) * wide], "big")
        for i in range(count + 1)
    ]
    base = first + (count + 1) * wide - 1
    entries = [data[base + a : base + b] for a, b in pairwise(offsets)]
    return entries, base + offsets[-1]


def _dict(data: bytes) -> dict[int, list[float]]:
    """Return the entries of a DICT by operator; reals are passed over as 0 (Note 5176, 4)."""
    found: dict[int, list[float]] = {}
    stack: list[float] = []
    at = 0
    while at < len(data):
        first = data[at]
        if first <= 21:
            if first == 12:
                at += 1
                first = 1200 + data[at]
            found[first], stack = stack, []
            at += 1
        elif first == 30:
            while data[at] & 0x0F != 0x0F and data[at] >> 4 != 0x0F:
                at += 1
            stack.append(0.0)
            at += 1
        elif first in (28, 29):
            wide = 2 if first == 28 else 4
            stack.append(int.from_bytes(data[at + 1 : at + 1 + wide], "big", signed=True))
            at += 1 + wide
        else:
            value, at = _small(data, at)
            stack.append(value)
    return found


def _small(data: bytes, at: int) -> tuple[int, int]:
    """Return the whole number of one or two bytes, and where the next word starts."""
    first = data[at]
    if first <= 246:
        return first - 139, at + 1
    if first <= 250:
        return (first - 247) * 256 + data[at + 1] + 108, at + 2
    return -(first - 251) * 256 - data[at + 1] - 108, at + 2


def _glyph_numbers(table: bytes) -> dict[int, int]:
    """Return the glyph of each letter by the table of format 4: Unicode's first plane."""
    for i in range(struct.unpack_from(">H", table, 2)[0]):
        (start,) = struct.unpack_from(">I", table, 8 + 8 * i)
        if struct.unpack_from(">H", table, start)[0] == 4:
            return dict(_format_4(table[start:]))
    return {}


def _format_4(table: bytes) -> Iterator[tuple[int, int]]:
    count = struct.unpack_from(">H", table, 6)[0] // 2
    ends = struct.unpack_from(f">{count}H", table, 14)
    starts = struct.unpack_from(f">{count}H", table, 16 + 2 * count)
    deltas = struct.unpack_from(f">{count}h", table, 16 + 4 * count)
    ranges_at = 16 + 6 * count
    ranges = struct.unpack_from(f">{count}H", table, ranges_at)
    for i in range(count):
        for code in range(starts[i], min(ends[i], 0xFFFE) + 1):
            glyph = code
            if ranges[i]:
                at = ranges_at + 2 * i + ranges[i] + 2 * (code - starts[i])
                (glyph,) = struct.unpack_from(">H", table, at)
            if glyph and (glyph + deltas[i]) % 65536:
                yield code, (glyph + deltas[i]) % 65536


class _Pen:
    """Runs the outline program of one glyph (Note 5177, 4)."""

    def __init__(self, font: _Font) -> None:
        self.contours: list[list[tuple[float, ...]]] = []
        self._font = font
        self._stack: list[float] = []
        self._x = self._y = 0.0
        self._hints = 0
        self._ended = False

    def run(self, program: bytes) -> None:
        at = 0
        while at < len(program) and not self._ended:
            first = program[at]
            if first == 28:
                self._stack.append(int.from_bytes(program[at + 1 : at + 3], "big", signed=True))
                at += 3
            elif first == 255:
                fixed = int.from_bytes(program[at + 1 : at + 5], "big", signed=True)
                self._stack.append(fixed / 65536)
                at += 5
            elif first >= 32:
                value, at = _small(program, at)
                self._stack.append(value)
            else:
                at += 1
                if first in (19, 20):  # masks of hints: their bytes are skipped
                    self._count_hints()
                    at += (self._hints + 7) // 8
                elif first == 11:
                    return
                elif first in (10, 29):
                    self._call(self._font.own if first == 10 else self._font.common)
                else:
                    self._do(first)

    def _call(self, programs: list[bytes]) -> None:
        bias = 107 if len(programs) < 1240 else 1131 if len(programs) < 33900 else 32768
        self.run(programs[int(self._stack.pop()) + bias])

    def _count_hints(self) -> None:
        self._hints += len(self._stack) // 2
        self._stack = []

    def _do(self, operator: int) -> None:
        args, self._stack = self._stack, []
        if operator in (1, 3, 18, 23):
            self._hints += len(args) // 2
        elif operator == 14:
            self._ended = True
        elif operator in (21, 22, 4):  # rmoveto, hmoveto, vmoveto; a width may come first
            dx, dy = {21: args[-2:], 22: [args[-1], 0.0], 4: [0.0, args[-1]]}[operator]
            self._x, self._y = self._x + dx, self._y + dy
            self.contours.append([(self._x, self._y)])
        else:
            self._draw(operator, args)

    def _draw(self, operator: int, args: list[float]) -> None:
        if operator == 5:
            self._lines(args)
        elif operator in (6, 7):
            across = operator == 6
            for value in args:
                self._lines([value, 0.0] if across else [0.0, value])
                across = not across
        elif operator == 8:
            self._curves(args)
        elif operator == 24:
            self._curves(args[:-2])
            self._lines(args[-2:])
        elif operator == 25:
            self._lines(args[:-6])
            self._curves(args[-6:])
        elif operator in (26, 27):
            self._flat_curves(args, upright=operator == 26)
        elif operator in (30, 31):
            self._swinging_curves(args, across=operator == 31)

    def _lines(self, args: list[float]) -> None:
        for i in range(0, len(args) - 1, 2):
            self._x, self._y = self._x + args[i], self._y + args[i + 1]
            self.contours[-1].append((self._x, self._y))

    def _curves(self, args: list[float]) -> None:
        for i in range(0, len(args) - 5, 6):
            step: list[float] = []
            for k in range(0, 6, 2):
                self._x, self._y = self._x + args[i + k], self._y + args[i + k + 1]
                step += [self._x, self._y]
            self.contours[-1].append(tuple(step))

    def _flat_curves(self, args: list[float], *, upright: bool) -> None:
        """Curves that start and end upright (vvcurveto) or level (hhcurveto)."""
        extra = args.pop(0) if len(args) % 4 else 0.0
        for i in range(0, len(args), 4):
            a, b, c, d = args[i : i + 4]
            self._curves([extra, a, b, c, 0.0, d] if upright else [a, extra, b, c, d, 0.0])
            extra = 0.0

    def _swinging_curves(self, args: list[float], *, across: bool) -> None:
        """Curves that start level and end upright, and the other way round, in turn."""
        last = args.pop() if len(args) % 4 else 0.0
        for i in range(0, len(args), 4):
            a, b, c, d = args[i : i + 4]
            end = last if i + 4 == len(args) else 0.0
            self._curves([a, 0.0, b, c, end, d] if across else [0.0, a, b, c, d, end])
            across = not across
