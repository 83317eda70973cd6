"""What a player types, taken apart: words without accents, phrases, near misses."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

MOST_WORDS: Final = 12
LONGEST_WORD: Final = 64

_WORD = re.compile(r"[^\W_]+")
_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»″", '"'))
# A piece is a phrase in quotes (the last may be left open), a rule number, or a word.
_PIECE = re.compile(r'"([^"]*)"?|(\d+(?:\.\d+)+)|([^\W_]+)')

STOP_WORDS: Final = frozenset(
    """
    a an and are as at be by can do does for from has have how if in into is it its may my near
    not of on or that the their then there they this to was what when where which who will with
    aber am auf aus bei beim das dem den der des die ein eine einem einen einer es fur hat ich
    im ist kann mit nach oder sind um und von wann was wenn wer wie wird wo zu zum zur
    al alla che chi come con cosa da dal dei del della delle di dove e gli i il in la le lo nel
    nella o per puo quando quanto si sono su sul un una uno
    """.split()  # noqa: SIM905 - a list of quoted words would fill a page
)


@dataclass(frozen=True, slots=True)
class Span:
    """A word of a text: as it is compared, and where it stands."""

    word: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Term:
    """One thing asked for: a word, a rule number, or a phrase in quotes."""

    words: tuple[str, ...]
    typed: str
    form: Literal["word", "phrase", "number"] = "word"


@lru_cache(maxsize=20_000)  # a rulebook says the same few thousand words again and again
def fold(word: str) -> str:
    """Return a word as it is compared: small letters, no accents, letters and digits only.

    >>> fold("Höhenstraße"), fold("città")
    ('hohenstrasse', 'citta')
    """
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(sign for sign in plain.casefold() if sign.isalnum())


def spans(text: str) -> list[Span]:
    """Return the words of *text* with their places; *text* has its accents composed (NFC)."""
    found = (
        Span(fold(match.group()), match.start(), match.end()) for match in _WORD.finditer(text)
    )
    return [span for span in found if span.word]


def folded(text: str) -> tuple[str, ...]:
    """Return the words of *text* as they are compared, as many as `spans` finds."""
    words = _WORD.findall(unicodedata.normalize("NFC", text))
    return tuple(filter(None, map(fold, words)))


def spellings(text: str) -> list[tuple[str, str]]:
    """Return the words of *text* as they are compared, each with its spelling there."""
    return [(fold(word), word) for word in _WORD.findall(text) if fold(word)]


def split_query(text: str) -> tuple[Term, ...]:
    """Return what is asked for, in its order; anything can be typed, nothing is refused.

    >>> [term.words for term in split_query('"line of sight" 13.2 Höhe AND -(')]
    [('line', 'of', 'sight'), ('13', '2'), ('hohe',), ('and',)]
    """
    terms = []
    for match in _PIECE.finditer(unicodedata.normalize("NFC", text).translate(_QUOTES)):
        phrase, number, word = match.groups()
        typed = (phrase or number or word or "").strip()[: LONGEST_WORD * MOST_WORDS]
        words = tuple(part[:LONGEST_WORD] for part in folded(typed))[:MOST_WORDS]
        if words:
            many = len(words) > 1
            terms.append(Term(words, typed, "number" if number else "phrase" if many else "word"))
        if len(terms) == MOST_WORDS:
            break
    return tuple(terms)


def without_stop_words(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Leave out words that every text is full of, unless nothing else is asked for."""
    every = tuple(terms)
    telling = tuple(term for term in every if set(term.words) - STOP_WORDS)
    return telling or every


def edits(one: str, other: str, *, most: int) -> int:
    """Count the letters to add, drop, change or swap with a neighbour; *most* + 1 means more.

    >>> edits("suply", "supply", most=2), edits("forset", "forest", most=2)
    (1, 1)
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, sign in enumerate(one, 1):
        last, before, row = before, row, [i]
        for j, against in enumerate(other, 1):
            cost = min(before[j] + 1, row[-1] + 1, before[j - 1] + (sign != against))
            if i > 1 and j > 1 and sign == other[j - 2] and one[i - 2] == against:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


def nearest_words(word: str, known: Mapping[str, int], *, most: int = 3) -> tuple[str, ...]:
    """Return the known words that *word* may be a slip of; *known* counts how often each stands.

    Short words forgive nothing, middling ones one slip, long ones two. Only the nearest are
    returned: a word one slip away leaves out all that are two away.

    >>> nearest_words("artilery", {"artillery": 9, "cavalry": 2})
    ('artillery',)
    """
    forgiven = 0 if len(word) < 4 else 1 if len(word) < 7 else 2
    if not forgiven or word.isdigit():
        return ()
    found: list[tuple[int, bool, int, str]] = []
    for other, count in known.items():
        if len(other) >= 4 and not other.isdigit():
            slips = edits(word, other, most=forgiven)
            if slips <= forgiven:
                # The first letter is seldom the wrong one.
                found.append((slips, other[0] != word[0], -count, other))
    best = min(found, default=(0, False, 0, ""))[:2]
    return tuple(other for *rank, _, other in sorted(found) if tuple(rank) == best)[:most]


def words_within(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the longest known word that a compound begins or ends with: Versorgungslinie.

    >>> words_within("versorgungslinie", ["versorgung", "sorge"])
    ('versorgung',)
    """
    parts = [part for part in known if len(part) >= 5 and len(part) < len(word)]
    fitting = [part for part in parts if word.startswith(part) or word.endswith(part)]
    return tuple(sorted(fitting, key=lambda part: (-len(part), part))[:1])
