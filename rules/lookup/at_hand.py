"""The rules of a game at hand: our summaries, the owner's notes and books, together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules import registry
from rules.errors import PackError
from rules.lookup.book_sections import Section
from rules.lookup.books import Book, read_books
from rules.lookup.notes import Note, read_notes
from rules.lookup.rule_numbers import (
    clean_number,
    find_number,
    is_rule_number,
    is_under,
    nearest_numbers,
    number_key,
)
from rules.lookup.rulebook import Rulebook, RuleEntry, load_rulebook
from rules.lookup.search import Passage, RuleSearch
from rules.pack import Pack


@dataclass(frozen=True, slots=True)
class Named:
    """A rule that another one points at: its id and, where it is known, its title."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class RuleAtHand:
    """All there is on one number."""

    number: str
    entries: tuple[RuleEntry, ...]
    see: tuple[Named, ...]
    referred_to_by: tuple[Named, ...]
    sub_rules: tuple[Named, ...]
    notes: tuple[Note, ...]
    in_books: tuple[tuple[Book, Section], ...]


@dataclass(frozen=True, slots=True)
class AtHand:
    """Everything that can be looked up on a game."""

    pack: Pack
    rulebook: Rulebook
    notes: tuple[Note, ...] = ()
    books: tuple[Book, ...] = ()

    def numbers(self) -> tuple[str, ...]:
        """Return every number and id there is, in the order of the book."""
        found = {part.number: None for book in self.books for part in book.sections}
        for entry in self.rulebook.rules:
            found |= {entry.number: None, entry.id: None}
        return tuple(sorted(found, key=number_key))

    def search(self) -> RuleSearch:
        """Return the index over all of it; close it, or use it in a `with`."""
        return RuleSearch(self._passages(), self.rulebook.words)

    def rule(self, typed: str) -> RuleAtHand:
        """Return all there is on the rule that *typed* means.

        Raises:
            PackError: there is no such rule; the message names the nearest.
        """
        number = self.find(typed)
        entries = self.rulebook.find(number)
        own = {entry.number for entry in entries} | {number}
        seen = dict.fromkeys(other for entry in entries for other in entry.see)
        return RuleAtHand(
            number,
            entries,
            tuple(map(self._named, seen)),
            tuple(
                Named(other.id, other.title)
                for other in self.rulebook.rules
                if own & set(other.see) and other not in entries
            ),
            tuple(self._below(number)),
            tuple(note for note in self.notes if note.rule in own),
            tuple((book, part) for book in self.books if (part := book.section(number))),
        )

    def find(self, typed: str) -> str:
        """Return the number that *typed* means: of a rule, a table, or a whole section.

        Raises:
            PackError: there is none; the message names the nearest.
        """
        numbers = self.numbers()
        number = find_number(typed, numbers)
        if number is None:
            section = clean_number(typed)
            if is_rule_number(section) and any(is_under(other, section) for other in numbers):
                return section  # a chapter without a text of its own
            raise self._unknown(typed)
        return number

    def split_note(self, words: Sequence[str]) -> tuple[str, str]:
        """Return the rule that a note is on, "" for none, and its text.

        The rule is named by the first word alone, or the first two: 13.2, Table 2.

        Raises:
            PackError: the first word is the number of a rule that does not exist.
        """
        numbers = self.numbers()
        for count in (2, 1):
            number = find_number(" ".join(words[:count]), numbers)
            if number is not None and len(words) > count:
                return number, " ".join(words[count:])
        if numbers and len(words) > 1 and is_rule_number(clean_number(words[0])):
            return self.find(words[0]), " ".join(words[1:])
        return "", " ".join(words)

    def _unknown(self, typed: str) -> PackError:
        near = ", ".join(nearest_numbers(typed, self.numbers()))
        if not near:
            return PackError(
                f"there are no rules of {self.pack.id} to look up yet;"
                f" `mapkit rules book {self.pack.id} FILE` adds your own rulebook"
            )
        if not is_rule_number(clean_number(typed)):
            return PackError(
                f"{self.pack.id} has no rule of the number '{typed}';"
                f" `mapkit rules search {self.pack.id} …` looks for words"
            )
        return PackError(f"{self.pack.id} has no rule {clean_number(typed)}; nearest: {near}")

    def _named(self, number: str) -> Named:
        found = self.rulebook.find(number)
        return Named(number, found[0].title if len(found) == 1 else "")

    def _below(self, section: str) -> list[Named]:
        ours = [entry for entry in self.rulebook.rules if is_under(entry.number, section)]
        below = [(number_key(entry.number), Named(entry.id, entry.title)) for entry in ours]
        listed = {key for key, _ in below}
        for part in (part for book in self.books for part in book.sections):
            key = number_key(part.number)
            if is_under(part.number, section) and key not in listed:
                listed.add(key)
                below.append((key, Named(part.number, part.title)))
        return [named for _, named in sorted(below, key=lambda one: one[0])]

    def _passages(self) -> Iterator[Passage]:
        titles = {number_key(entry.number): entry.title for entry in self.rulebook.rules}
        for entry in self.rulebook.rules:
            tags = tuple(
                f"phase {tag}" if kind == "phases" else tag
                for kind, some in tags_of(entry)
                for tag in some
            )
            yield Passage("rule", entry.id, entry.number, entry.title, entry.summary, tags)
        for note in self.notes:
            title = titles.get(number_key(note.rule), "") if note.rule else ""
            yield Passage(note.kind, str(note.id), note.rule, title, note.text)
        for book in self.books:
            for part in book.sections:
                title = titles.get(number_key(part.number), part.title)
                yield Passage(
                    "book", part.number, part.number, title, part.text, (), book.name, part.page
                )


def rules_at_hand(game: str) -> AtHand:
    """Return everything there is on a game.

    Raises:
        PackError: no such game, or its files do not read.
        OwnFileError: the owner's notes or books do not read.
    """
    pack = registry.find_pack(game)
    return AtHand(
        pack, load_rulebook(registry.pack_folder(game)), read_notes(game), read_books(game)
    )


def tags_of(entry: RuleEntry) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return what an entry is about, by kind of tag, in words; kinds without any are left out."""
    kinds = {
        "phases": entry.phases,
        "units": entry.units,
        "terrain": entry.terrain,
        "hexsides": entry.hexsides,
        "tables": entry.tables,
    }
    return tuple(
        (kind, tuple(tag.replace("_", " ") for tag in tags)) for kind, tags in kinds.items() if tags
    )
