"""Words and figures made to fit their place: shrunk first, then shortened, and then told of."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from counters.model import Value
from mapkit.drawing.outlines import Face, advance, has_letter

CAP = 0.7
"""How high capitals and figures stand, of the size of the letters."""

LEADING = 1.08
"""How far the lines of a text stand apart, of its size."""

_FRACTIONS = {(1, 2): "½", (1, 4): "¼", (3, 4): "¾"}
_LONGEST = 80  # letters; what runs over that is no name
_SHORTEST = 3  # letters of a word that was cut, before its full stop


@dataclass(frozen=True, slots=True)
class Fitted:
    """A text in its lines at the size that fits, and whether it had to be shortened."""

    lines: tuple[str, ...]
    size: float
    shortened: bool = False


def figure(value: int | Fraction) -> str:
    """Return a value as it is printed.

    >>> figure(3), figure(Fraction(3, 2)), figure(Fraction(2, 3)), figure(-1)
    ('3', '1½', '2/3', '−1')
    """
    sign, size = ("−" if value < 0 else ""), abs(Fraction(value))
    whole, rest = divmod(size, 1)
    if not rest:
        return f"{sign}{whole}"
    printed = _FRACTIONS.get((rest.numerator, rest.denominator))
    if printed is None:
        return f"{sign}{size}"
    return f"{sign}{whole or ''}{printed}"


def known(value: Value, fixed: int | None) -> str:
    """Return what a place prints: the counter's value, else what the rules fix, else nothing."""
    told = fixed if value is None else value
    return "" if told is None else figure(told)


def in_font(words: str, face: Face) -> tuple[str, str]:
    """Return a text in the letters that the font has, and those that were replaced.

    >>> in_font("Čížek", "bold"), in_font("Ω", "bold")
    (('Čížek', ''), ('?', 'Ω'))
    """
    plain = " ".join("".join(c if c.isprintable() else " " for c in words).split())
    there = [(c, has_letter(c, face)) for c in unicodedata.normalize("NFC", plain)]
    missing = "".join(dict.fromkeys(c for c, found in there if not found))
    return "".join(c if found else "?" for c, found in there), missing


def fit(
    words: str, width: float, height: float, *, size: float, least: float, lines: int, face: Face
) -> Fitted:
    """Return a text that fits into a place, in at most *lines* lines.

    The size shrinks down to *least*; where that does not do, the longest words are cut short.
    """
    if len(words) > _LONGEST:
        cut = fit(
            words[: _LONGEST - 1] + "…",
            width,
            height,
            size=size,
            least=least,
            lines=lines,
            face=face,
        )
        return replace(cut, shortened=True)
    found = _biggest(words, width, height, size, lines, face)
    if found.size >= least or not words:
        return found
    for shorter in _shortened(words):
        found = _biggest(shorter, width, height, size, lines, face)
        if found.size >= least:
            break
    return Fitted(found.lines, max(found.size, least * 0.5), shortened=True)


@lru_cache(maxsize=4096)
def _biggest(
    words: str, width: float, height: float, size: float, lines: int, face: Face
) -> Fitted:
    """Return the arrangement in lines that allows the biggest letters; fewer lines of equals."""
    best = Fitted((words,), 0.0)
    for arranged in _arranged(words.split(" "), lines):
        widest = max(advance(line, 1.0, face) for line in arranged)
        high = CAP + LEADING * (len(arranged) - 1)
        fits = min(size, width / max(widest, 1e-6), height / high)
        if fits > best.size + 1e-6:
            best = Fitted(tuple(arranged), fits)
    return best


def _arranged(words: list[str], lines: int) -> Iterator[list[str]]:
    yield [" ".join(words)]
    if lines == 1:
        return
    for first in range(1, len(words)):
        for rest in _arranged(words[first:], lines - 1):
            yield [" ".join(words[:first]), *rest]


def _shortened(words: str) -> Iterator[str]:
    """Yield ever shorter forms: the longest word loses letters first."""
    parts = words.split(" ")
    while True:
        longest = max(parts, key=lambda part: len(part.rstrip(".")))
        letters = longest.rstrip(".")
        if len(letters) <= _SHORTEST:
            break
        parts[parts.index(longest)] = letters[:-1] + "."
        yield " ".join(parts)
    for count in range(len(words) - 1, 0, -1):
        yield words[:count].rstrip() + "…"
