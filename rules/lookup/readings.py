"""How a query is taken: words in three languages, expressions, beginnings and slips."""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Final

from rules.lookup.query import (
    STOP_WORDS,
    Term,
    fold,
    folded,
    nearest_words,
    spellings,
    split_query,
    without_stop_words,
    words_within,
)
from rules.lookup.rulebook import Synonyms

Phrase = tuple[str, ...]

LONGEST_ALIAS: Final = 4
MOST_BEGUN: Final = 20
TOKENS: Final = "tokenize = 'porter unicode61'"
"""Words are compared by their stem: supply finds supplied. They are folded before, by `joined`."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A term as it is looked for: any of these phrases will do."""

    typed: str
    phrases: tuple[Phrase, ...]
    instead: tuple[str, ...] = ()
    """What is looked for where the typed word stands nowhere."""

    @property
    def match(self) -> str:
        """The query for SQLite."""
        # Folded words are letters and digits only: nothing in them is FTS5 syntax.
        return " OR ".join(f'"{" ".join(phrase)}"' for phrase in self.phrases)


def joined(text: str) -> str:
    """Return the words of a text as they go into an index, one space between two."""
    return " ".join(folded(text))


def matching_rows(
    database: sqlite3.Connection, want: Wanted, *, column: str = ""
) -> frozenset[int]:
    """Return the rows of the table `passage` in which a term stands."""
    match = f"{column} : ({want.match})" if column else want.match
    rows = database.execute("SELECT rowid FROM passage WHERE passage MATCH ?", (match,))
    return frozenset(row for (row,) in rows)


class Reader:
    """Takes queries on the passages of a game by the words of that game."""

    def __init__(
        self, database: sqlite3.Connection, texts: Sequence[str], words: Mapping[str, Synonyms]
    ) -> None:
        self._database = database
        self._texts = texts
        self._words = words
        self._groups = tuple(_phrases(word, group) for word, group in words.items())
        self._aliases = [(phrase, at) for at, group in enumerate(self._groups) for phrase in group]
        database.execute(f"CREATE VIRTUAL TABLE alias USING fts5(phrase, {TOKENS})")
        database.executemany(
            "INSERT INTO alias(rowid, phrase) VALUES (?, ?)",
            [(at, " ".join(phrase)) for at, (phrase, _) in enumerate(self._aliases, 1)],
        )

    def read(self, query: str) -> tuple[tuple[Wanted, ...], tuple[str, ...]]:
        """Return what to look for, and the words nothing is known of."""
        plain: list[Term] = []
        for term in split_query(query):
            whole = term.form != "phrase" or self._exists(term.words)
            plain += [term] if whole else _single(term)
        readings = {term: self._readings(term) for term in plain}
        wanted, loose = self._expressions(plain, readings)
        kept = [t for t in loose if set(t.words) - STOP_WORDS] if wanted else loose
        kept = list(without_stop_words(kept))
        wanted += [self._widened(term, readings[term]) for term in kept if readings[term]]
        return tuple(wanted), tuple(term.typed for term in kept if not readings[term])

    def nearest(self, unknown: Sequence[str]) -> tuple[str, ...]:
        """Return known words that look a little like words nothing is known of."""
        near: list[str] = []
        for word in unknown:
            close = get_close_matches(fold(word), self._vocabulary, n=3, cutoff=0.6)
            near += [self._spelled[other] for other in close]
        return tuple(dict.fromkeys(near))[:5]

    def _expressions(
        self, terms: Sequence[Term], readings: Mapping[Term, tuple[Phrase, ...]]
    ) -> tuple[list[Wanted], list[Term]]:
        """Return the synonyms of several words among the terms, and the terms in none of them."""
        wanted: list[Wanted] = []
        loose: list[Term] = []
        at = 0
        while at < len(terms):
            taken = self._expression(terms[at:], readings)
            if taken:
                wanted.append(taken[0])
            else:
                loose.append(terms[at])
            at += taken[1] if taken else 1
        return wanted, loose

    def _readings(self, term: Term) -> tuple[Phrase, ...]:
        """Return what the term may stand for: itself where it exists, else what comes near."""
        if term.form != "word" or set(term.words) <= STOP_WORDS or self._exists(term.words):
            return (term.words,)
        (word,) = term.words
        begun = [known for known in self._vocabulary if known.startswith(word)][:MOST_BEGUN]
        near = (
            (begun if len(word) >= 3 else [])
            or nearest_words(word, self._vocabulary)
            or words_within(word, self._vocabulary)
        )
        return tuple((other,) for other in near)

    def _expression(
        self, terms: Sequence[Term], readings: Mapping[Term, tuple[Phrase, ...]]
    ) -> tuple[Wanted, int] | None:
        """Return the longest synonym of several words that the terms begin with, and its length."""
        for length in range(min(LONGEST_ALIAS, len(terms)), 1, -1):
            some = terms[:length]
            if any(term.form != "word" or len(readings[term]) != 1 for term in some):
                continue
            phrase = tuple(word for term in some for word in readings[term][0])
            groups = self._meanings(phrase)
            if groups:
                typed = " ".join(term.typed for term in some)
                corrected = phrase != tuple(word for term in some for word in term.words)
                instead = (self._as_spelled(phrase),) if corrected else ()
                return Wanted(typed, (phrase, *groups), instead), length
        return None

    def _widened(self, term: Term, readings: tuple[Phrase, ...]) -> Wanted:
        phrases = dict.fromkeys(readings)
        for reading in readings:
            phrases |= dict.fromkeys(self._meanings(reading))
        if not matching_rows(self._database, Wanted("", tuple(phrases))):
            for reading in readings:
                phrases |= dict.fromkeys(self._meanings(reading, whole=False))
        corrected = readings != (term.words,) and not any(
            reading[0].startswith(term.words[0]) for reading in readings
        )
        instead = tuple(map(self._as_spelled, readings)) if corrected else ()
        return Wanted(term.typed, tuple(phrases), instead)

    def _meanings(self, phrase: Phrase, *, whole: bool = True) -> tuple[Phrase, ...]:
        """Return all synonyms of a phrase; with *whole* off, of any that it is a part of."""
        match = Wanted("", (phrase,)).match
        rows = self._database.execute("SELECT rowid FROM alias WHERE alias MATCH ?", (match,))
        found = [self._aliases[at - 1] for (at,) in rows]
        groups = {at for known, at in found if not whole or len(known) == len(phrase)}
        return tuple(other for at in sorted(groups) for other in self._groups[at])

    def _exists(self, phrase: Phrase) -> bool:
        want = Wanted("", (phrase,))
        if matching_rows(self._database, want):
            return True
        match = "SELECT 1 FROM alias WHERE alias MATCH ? LIMIT 1"
        return self._database.execute(match, (want.match,)).fetchone() is not None

    def _as_spelled(self, phrase: Phrase) -> str:
        return " ".join(self._spelled.get(word, word) for word in phrase)

    @cached_property
    def _vocabulary(self) -> Mapping[str, int]:
        """Every word of all texts, and how often it stands; made only for a word that is none."""
        return Counter(word for word, _ in self._spelled_words())

    @cached_property
    def _spelled(self) -> Mapping[str, str]:
        return dict(reversed(list(self._spelled_words())))

    def _spelled_words(self) -> Iterator[tuple[str, str]]:
        for names in self._words.values():
            for name in (*names.en, *names.de, *names.it):
                yield from spellings(name)
        for text in self._texts:
            yield from spellings(text)


def _phrases(word: str, group: Synonyms) -> tuple[Phrase, ...]:
    names = (word.replace("_", " "), *group.en, *group.de, *group.it)
    return tuple(dict.fromkeys(filter(None, map(folded, names))))


def _single(term: Term) -> list[Term]:
    """Return the words of a phrase that stands nowhere, each for itself."""
    return [Term((word,), word) for word in term.words]
