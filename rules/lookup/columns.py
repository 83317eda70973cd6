"""Puts the words of a page in reading order: columns one after the other, headings between.

A gutter is a strip that hardly any line crosses and at whose right side lines begin. What does
cross it (a heading, a wide table) divides the page: above it all columns are read, then the
wide line, then the columns below.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

MIN_LINES: Final = 6  # fewer lines than these show no columns
CROSSED: Final = 0.12  # the share of lines that may run across a gutter
NARROWEST: Final = 0.18  # of the width of the text: less is no column but a hanging number


@dataclass(frozen=True, slots=True)
class Box:
    """A word and where it stands, in points from the top left of its page."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        """The height of its line, not of its letters."""
        return self.bottom - self.top


Line = list[Box]


@dataclass(frozen=True, slots=True)
class Strip:
    """An upright strip of the page; *middle* is that of its emptiest part."""

    left: float
    middle: float
    right: float


def page_lines(words: Iterable[Box]) -> list[str]:
    """Return the lines of a page in reading order; an empty one stands for a wider gap."""
    lines = text_lines([word for word in words if word.text])
    gutters = find_gutters(lines)
    if not gutters:
        return _told(lines)
    told: list[str] = []
    for band in _bands(lines, gutters):
        for column in band:
            told += _told(column)
    return told


def find_gutters(lines: Sequence[Line]) -> list[float]:
    """Return where the columns part, from left to right; nothing on a page of one column."""
    if len(lines) < MIN_LINES:
        return []
    left = min(word.left for line in lines for word in line)
    right = max(word.right for line in lines for word in line)
    sign = _usual_height(lines)
    found: list[Strip] = []
    for strip in _empty_strips(lines, left, right):
        edge = found[-1].right if found else left
        if strip.right - strip.left >= sign * 0.6 and _divides(lines, strip, edge, right, sign):
            found.append(strip)
    return [strip.middle for strip in found]


def _empty_strips(lines: Sequence[Line], left: float, right: float) -> list[Strip]:
    """Return the strips, in steps of a point, that hardly any line has ink in."""
    width = int(right - left) + 2
    inked = [0] * width
    for line in lines:
        columns: set[int] = set()
        for word in line:
            columns.update(range(int(word.left - left), int(word.right - left) + 1))
        for column in columns:
            inked[column] += 1
    most = max(1, int(len(lines) * CROSSED))
    strips: list[Strip] = []
    for empty, group in groupby(range(width), key=lambda column: inked[column] <= most):
        columns_here = list(group)
        if empty and columns_here[-1] < width - 1:  # the last is the margin
            # Long lines of the left column and outdented ones of the right reach into it.
            least = min(inked[column] for column in columns_here)
            cores = [
                list(core)
                for bare, core in groupby(columns_here, key=lambda column: inked[column] == least)
                if bare
            ]
            core = max(cores, key=len)
            middle = (core[0] + core[-1] + 1) / 2
            strips.append(Strip(left + columns_here[0], left + middle, left + columns_here[-1] + 1))
    return strips


def _divides(lines: Sequence[Line], strip: Strip, edge: float, right: float, sign: float) -> bool:
    """Say whether text columns stand on both sides of the strip."""
    wide = (right - edge) * NARROWEST
    if strip.left - edge < wide or right - strip.right < wide:
        return False
    before = sum(any(edge - 1 <= w.left < strip.left for w in line) for line in lines)
    firsts = [min((w.left for w in line if w.left >= strip.middle), default=None) for line in lines]
    after = [first for first in firsts if first is not None]
    flush = sum(first - strip.right < sign * 1.5 for first in after)
    few = max(3, len(lines) // 10)
    return before >= few and len(after) >= few and flush * 2 >= len(after)


def _bands(lines: Sequence[Line], gutters: Sequence[float]) -> list[list[list[Line]]]:
    """Return the page from top to bottom: in each band its columns, or one wide line alone."""
    wide: list[Line] = []
    loose: list[Box] = []
    for line in lines:
        for run in _runs(line):
            if any(run[0].left < gutter < run[-1].right for gutter in gutters):
                wide.append(run)
            else:
                loose += run
    bands: list[list[list[Line]]] = []
    for line in sorted(wide, key=lambda run: min(word.top for word in run)):
        middle = _middle(line)
        bands.append(_columns([word for word in loose if _middle([word]) < middle], gutters))
        loose = [word for word in loose if _middle([word]) >= middle]
        bands.append([[line]])
    bands.append(_columns(loose, gutters))
    return _joined(bands)


def _joined(bands: list[list[list[Line]]]) -> list[list[list[Line]]]:
    """Put wide lines that follow each other directly into one piece, so that gaps are seen."""
    kept: list[list[list[Line]]] = []
    for band in bands:
        if not any(band):
            continue
        if kept and len(band) == len(kept[-1]) == 1:
            kept[-1][0] += band[0]
        else:
            kept.append(band)
    return kept


def _columns(words: Sequence[Box], gutters: Sequence[float]) -> list[list[Line]]:
    if not words:
        return []
    columns: list[list[Box]] = [[] for _ in range(len(gutters) + 1)]
    for word in words:
        columns[sum(word.left >= gutter for gutter in gutters)].append(word)
    return [text_lines(column) for column in columns]


def text_lines(words: Sequence[Box]) -> list[Line]:
    """Return words that stand at one height as lines, from the top, each from the left."""
    lines: list[Line] = []
    for word in sorted(words, key=lambda word: (_middle([word]), word.left)):
        near = lines[-1] if lines else []
        if near and abs(_middle([word]) - _middle(near[-1:])) < word.height * 0.35:
            near.append(word)
        else:
            lines.append([word])
    return [sorted(line, key=lambda word: word.left) for line in lines]


def _runs(line: Line) -> list[Line]:
    """Return the pieces of a line that wide gaps leave."""
    runs: list[Line] = [[line[0]]]
    for word in line[1:]:
        if word.left - runs[-1][-1].right > word.height * 0.9:
            runs.append([])
        runs[-1].append(word)
    return runs


def _told(lines: Sequence[Line]) -> list[str]:
    told: list[str] = []
    last: Line = []
    for line in lines:
        height = max(word.height for word in line)
        if last and min(w.top for w in line) - max(w.bottom for w in last) > height * 0.5:
            told.append("")
        told.append(" ".join(word.text for word in line))
        last = line
    return told


def _middle(words: Sequence[Box]) -> float:
    return sum(word.top + word.bottom for word in words) / (2 * len(words))


def _usual_height(lines: Sequence[Line]) -> float:
    heights = sorted(word.height for line in lines for word in line)
    return heights[len(heights) // 2]
