"""Facts that tasks hang on and that players say: in three languages, that it is so and is not."""

from typing import Self

from pydantic import model_validator

from mapkit.texts import language
from rules.schema.cites import Cited, Strict, Word


class Phrase(Strict):
    """A fact in another language: that it is so, and that it is not."""

    yes: str
    no: str = ""


class Fact(Cited):
    """How things stand where no board shows it: players say it, as they say a circumstance.

    *usual* is taken for granted where nobody says anything; null: then nobody can tell. *status*
    is the state of a counter that shows it. A *counted* one has a number, `{n}` in its words.
    """

    yes: str
    no: str = ""
    de: Phrase
    it: Phrase
    usual: int | None = None
    counted: bool = False
    status: Word | None = None

    @model_validator(mode="after")
    def _has_its_words(self) -> Self:
        for phrase in (self, self.de, self.it):
            if self.counted != ("{n}" in phrase.yes) or self.counted != (not phrase.no):
                raise ValueError("a counted fact needs {n} and no second phrase, any other both")
        return self

    def told(self, n: int | str) -> str:
        """Return the fact in the language in use; 0 is that it is not so."""
        phrase = {"de": self.de, "it": self.it}.get(language(), self)
        if self.counted:
            return phrase.yes.format(n=n)
        return phrase.yes if n else phrase.no
