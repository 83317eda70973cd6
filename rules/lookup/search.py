"""Find rules by number and by words: an index in memory, made anew for every use.

What is found comes in this order: the rule of that number and its sub-rules; what holds all the
words, the owner's notes before titles before texts; then what holds fewer of them. A word may
be English, German or Italian, mistyped, or only begun.
"""

import sqlite3
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Final, Literal, Self

from mapkit.errors import MapkitError
from rules.lookup.query import folded
from rules.lookup.readings import TOKENS, Reader, Wanted, joined, matching_rows
from rules.lookup.rule_numbers import (
    Key,
    clean_number,
    find_number,
    is_rule_number,
    is_under,
    nearest_numbers,
    number_key,
)
from rules.lookup.rulebook import Synonyms
from rules.lookup.snippets import Marked, snippet

Kind = Literal["rule", "note", "house_rule", "book"]
Because = Literal["number", "section", "note", "title", "text", "book"]

_WEIGHTS: Final = "4.0, 8.0, 3.0, 1.0"  # number, title, tags, text


class SearchError(MapkitError):
    """The rules cannot be searched on this machine."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One thing that can be found: a rule, a note of the owner's, a section of their book."""

    kind: Kind
    id: str
    number: str
    title: str
    text: str
    tags: tuple[str, ...] = ()
    book: str = ""
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that was found, why, and the part of its text that shows it."""

    passage: Passage
    because: Because
    snippet: Marked


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a query: the best hits, and how the words were taken."""

    query: str
    hits: tuple[Hit, ...]
    total: int
    read_as: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Words that stand nowhere, with those that were looked for instead."""
    unknown: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    """Where nothing was found: words or numbers that come near."""


class RuleSearch:
    """The index over the passages of one game; close it, or use it in a `with`."""

    def __init__(self, passages: Iterable[Passage], words: Mapping[str, Synonyms]) -> None:
        self._passages = tuple(map(_composed, passages))
        self._database = sqlite3.connect(":memory:")
        try:
            self._fill()
            self._reader = Reader(self._database, self._texts(), words)
        except sqlite3.OperationalError as error:
            self._database.close()
            raise SearchError(
                f"this Python's SQLite ({sqlite3.sqlite_version}) cannot search texts: {error};"
                " install a Python whose SQLite has FTS5"
            ) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let the index go."""
        self._database.close()

    def find(self, query: str, *, limit: int | None = None) -> Found:
        """Return what answers *query*, the best first; any text is a query."""
        wanted, unknown = self._reader.read(query)
        ranked = self._by_number(query)
        known = {at for at, _ in ranked}
        ranked += [(at, why) for at, why in self._by_words(wanted) if at not in known]
        shown = ranked if limit is None else ranked[:limit]
        marks = self._marked_words(wanted, [at for at, _ in shown])
        hits = tuple(
            Hit(self._passages[at], why, snippet(self._passages[at].text, marks.get(at, ())))
            for at, why in shown
        )
        read_as = tuple((want.typed, want.instead) for want in wanted if want.instead)
        nearest = () if hits else self._nearest(query, (*unknown, *(w.typed for w in wanted)))
        return Found(query, hits, len(ranked), read_as, unknown, nearest)

    def _texts(self) -> list[str]:
        return [text for p in self._passages for text in (p.title, p.text, *p.tags)]

    def _nearest(self, query: str, unknown: Sequence[str]) -> tuple[str, ...]:
        if is_rule_number(clean_number(query)):
            return nearest_numbers(query, {p.number for p in self._passages if p.number})
        return self._reader.nearest(unknown)

    def _fill(self) -> None:
        self._database.execute(
            f"CREATE VIRTUAL TABLE passage USING fts5(number, title, tags, text, {TOKENS})"
        )
        parts = ((p.number, p.title, " ".join(p.tags), p.text) for p in self._passages)
        self._database.executemany(
            "INSERT INTO passage(rowid, number, title, tags, text) VALUES (?, ?, ?, ?, ?)",
            [(at, *map(joined, part)) for at, part in enumerate(parts, 1)],
        )

    def _by_number(self, query: str) -> list[tuple[int, Because]]:
        """Return the rule of that number, the notes on it, and its section in order."""
        ids = [p.id if p.kind == "rule" else p.number for p in self._passages]
        number = find_number(query, (*(i for i in ids if i), *(p.number for p in self._passages)))
        section = number or clean_number(query)
        exact = [at for at, p in enumerate(self._passages) if number and number in (p.number, p.id)]
        under = (
            [at for at, p in enumerate(self._passages) if is_under(p.number, section)]
            if is_rule_number(section)
            else []
        )
        exact.sort(key=lambda at: _KIND_ORDER[self._passages[at].kind])
        under.sort(key=self._place)
        both: list[tuple[int, Because]] = [(at, "number") for at in exact]
        both += [(at, "section") for at in under]
        listed = {self._passages[at].number for at, _ in both if self._passages[at].kind == "rule"}
        return [
            (at, why)
            for at, why in both
            if self._passages[at].kind != "book" or self._passages[at].number not in listed
        ]

    def _place(self, at: int) -> tuple[Key, int]:
        passage = self._passages[at]
        return number_key(passage.number), _KIND_ORDER[passage.kind]

    def _by_words(self, wanted: Sequence[Wanted]) -> list[tuple[int, Because]]:
        if not wanted:
            return []
        anywhere = [matching_rows(self._database, want) for want in wanted]
        in_title = [matching_rows(self._database, want, column="title") for want in wanted]
        every = Wanted("", tuple(phrase for want in wanted for phrase in want.phrases))
        rank = f"SELECT rowid, bm25(passage, {_WEIGHTS}) FROM passage WHERE passage MATCH ?"
        ranked: list[tuple[tuple[int, int, int, float, int], Because]] = []
        for row, score in self._database.execute(rank, (every.match,)):
            at = row - 1
            missed = sum(row not in rows for rows in anywhere)
            titled = sum(row in rows for rows in in_title) == len(wanted) - missed
            why = _because(self._passages[at], titled=titled)
            # Of two titles with the word, the shorter one is more about it.
            length = len(folded(self._passages[at].title)) if why == "title" else 0
            ranked.append(((missed, _WORD_ORDER[why], length, score, at), why))
        return self._without_doubles([(key[-1], why) for key, why in sorted(ranked)])

    def _without_doubles(self, ranked: list[tuple[int, Because]]) -> list[tuple[int, Because]]:
        """Leave out a section of the owner's book whose rule stands above it."""
        kept: list[tuple[int, Because]] = []
        seen: set[str] = set()
        for at, why in ranked:
            passage = self._passages[at]
            if passage.kind != "book" or passage.number not in seen:
                kept.append((at, why))
            if passage.kind in ("rule", "book"):
                seen.add(passage.number)
        return kept

    def _marked_words(
        self, wanted: Sequence[Wanted], shown: Sequence[int]
    ) -> Mapping[int, tuple[int, ...]]:
        """Return which words of each passage's text were looked for, counted from 0."""
        every = Wanted("", tuple(phrase for want in wanted for phrase in want.phrases))
        if not wanted or not shown:
            return {}
        rows = ", ".join(str(at + 1) for at in shown)
        query = (
            "SELECT rowid, highlight(passage, 3, '<', '>') FROM passage"
            f" WHERE passage MATCH ? AND rowid IN ({rows})"
        )
        found: dict[int, tuple[int, ...]] = {}
        for row, text in self._database.execute(query, (every.match,)):
            marked, inside = [], False
            for at, word in enumerate(text.split(" ")):
                if inside or "<" in word:
                    marked.append(at)
                inside = word.rfind("<") > word.rfind(">") or (inside and ">" not in word)
            found[row - 1] = tuple(marked)
        return found


_KIND_ORDER: Final[Mapping[Kind, int]] = {"rule": 0, "house_rule": 1, "note": 2, "book": 3}
_WORD_ORDER: Final[Mapping[Because, int]] = {
    "number": 0,
    "section": 0,
    "note": 1,
    "title": 2,
    "text": 3,
    "book": 4,
}


def _because(passage: Passage, *, titled: bool) -> Because:
    if passage.kind in ("note", "house_rule"):
        return "note"
    if passage.kind == "book":
        return "book"
    return "title" if titled else "text"


def _composed(passage: Passage) -> Passage:
    """Return the passage with its accents composed, so that a letter is one sign."""
    return replace(
        passage,
        title=unicodedata.normalize("NFC", passage.title),
        text=unicodedata.normalize("NFC", passage.text),
    )
