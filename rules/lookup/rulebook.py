"""The rules at hand: every numbered rule, table and chart of a game, in our own words.

A pack's `rules.toml` lists them; `words.toml` holds what players call things in English,
German and Italian, so that a search finds them under any name.
"""

from importlib.abc import Traversable
from typing import Annotated, Self

from pydantic import Field, ValidationError, model_validator

from rules.errors import PackError
from rules.pack_files import read_toml, told_faults
from rules.schema.cites import Cite, Strict, Word

Words = tuple[Word, ...]
Phrase = Annotated[str, Field(min_length=2, max_length=60)]


class RuleEntry(Strict):
    """One numbered rule, table or chart, summed up in one to four sentences.

    A glossary gives many entries one number: they differ by *term*. The tags say what an entry
    is about: phases as the sequence of play numbers them, and words of the pack.
    """

    number: Cite
    term: str = Field("", description="The word a glossary entry explains")
    title: str = Field(min_length=2, max_length=80)
    summary: str = Field(min_length=10, max_length=900)
    phases: tuple[str, ...] = ()
    units: Words = ()
    terrain: Words = ()
    hexsides: Words = ()
    tables: tuple[str, ...] = ()
    see: tuple[Cite, ...] = Field((), description="Other rules it refers to")

    @property
    def id(self) -> str:
        """Number and, in a glossary, the term."""
        return f"{self.number} {self.term}".rstrip()


class Synonyms(Strict):
    """What players call one thing, language by language; any of them finds all the others."""

    en: tuple[Phrase, ...]
    de: tuple[Phrase, ...] = ()
    it: tuple[Phrase, ...] = ()


class Rulebook(Strict):
    """All entries of one game in the order of its rules, and its synonyms."""

    rules: tuple[RuleEntry, ...] = ()
    words: dict[Word, Synonyms] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        seen: set[str] = set()
        for entry in self.rules:
            if entry.id in seen:
                raise ValueError(f"the rule {entry.id} is listed twice")
            seen.add(entry.id)
        numbers = {entry.number for entry in self.rules}
        for entry in self.rules:
            lost = [number for number in entry.see if number not in numbers]
            if lost:
                raise ValueError(f"the rule {entry.id} refers to {', '.join(lost)}: not listed")
        return self

    def find(self, number: str) -> tuple[RuleEntry, ...]:
        """Return the entries of one number, or of one id; empty where there is none."""
        return tuple(entry for entry in self.rules if number in (entry.number, entry.id))


def load_rulebook(folder: Traversable) -> Rulebook:
    """Return the rules at hand of a pack; an empty one where the pack has none yet.

    Raises:
        PackError: a file does not read; the message names file and key.
    """
    rules = read_toml(folder / "rules.toml") or {}
    words = read_toml(folder / "words.toml") or {}
    try:
        return Rulebook.model_validate({"rules": rules.get("rule", []), "words": words})
    except ValidationError as error:
        faults = told_faults(error)
        raise PackError(f"{folder}: rules.toml, words.toml: {faults}") from None
