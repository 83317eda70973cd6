"""Procedures of combat: what is added up, what halves it, which table is read."""

from typing import Literal, Self

from pydantic import Field, model_validator

from rules.schema.cites import Cite, Cited, Exact, Strict, Word
from rules.schema.forces import Groups
from rules.schema.spans import SpanText
from rules.schema.tables import Where

Rounds = Literal["down", "up", "keep"]


class Limit(Cited):
    """The most a term may add: as much as another term is printed with, and at least *least*."""

    by: Word
    least: int = 0
    lifted_by: tuple[Word, ...] = ()
    lifted_cite: Cite | None = None


class Reach(Cited):
    """How far off a unit may be to bring its factors: *most* hexes, and no more than it prints."""

    most: int | None = Field(None, ge=0)
    printed: Word | None = Field(None, description="The value of the counter: range")
    printed_cite: Cite | None = None


class Taken(Strict):
    """Units that a term takes for their state, or for what they cross; all that is given is so.

    One of *statuses* is on them, one of *hexsides* is between them and the target (a river that is
    *opened_by* a bridge is not), and no unit *without* is in their stack. *spared* are units that
    are not meant, in hexes of some ground or, where none is named, anywhere.
    """

    statuses: tuple[Word, ...] = ()
    hexsides: tuple[Word, ...] = ()
    opened_by: tuple[Word, ...] = ()
    without: Groups = ()
    spared: dict[Word, tuple[Word, ...]] = Field(default_factory=dict)


class Term(Cited):
    """One kind of factor that is added up: the counters' value, and the part of it that counts.

    *units* are who brings it; all of a stack where it is empty. A term with *takes* is for those
    only, and whom it takes brings the same value to no term after it.
    """

    value: Word = Field(description="The value of the counter: combat, bombardment")
    title: str
    units: Groups = ()
    not_by: Groups = ()
    takes: tuple[Taken, ...] = ()
    factor: Exact = 1
    rounding: Rounds = "keep"
    printed: bool = Field(False, description="As printed, whatever disorganization takes off")
    within: Reach | None = None
    limit: Limit | None = None


class Change(Cited):
    """What halves or doubles factors: weather, being out of command.

    With *status* it changes each unit that is in that state, and only those.
    """

    title: str
    of: tuple[Word, ...] = Field(min_length=1, description="Terms it changes")
    side: Literal["attack", "defend"] = "attack"
    factor: Exact = 1
    rounding: Rounds = "down"
    status: Word | None = None
    where: Where | None = None


class OnDie(Cited):
    """Something more that a natural roll brings, beside the result."""

    title: str
    unless: tuple[Word, ...] = ()


class Pick(Cited):
    """Some throw several dice and take one of them; the same number on all means something."""

    title: str
    dice: int = Field(2, ge=2, le=4)
    double: str = Field(description="What a double brings, in our words")


class Procedure(Cited):
    """One kind of combat, from the counters to the column.

    *defend* is empty where a table is entered with factors. *cap_cite* is where this procedure
    itself limits the shifts; *notes* are cautions in our words.
    """

    title: str
    table: Word
    attack: dict[Word, Term] = Field(min_length=1)
    defend: dict[Word, Term] = Field(default_factory=dict)
    changes: dict[Word, Change] = Field(default_factory=dict)
    changes_rounding: Literal["each", "once"] = Field("each", description="Round after each, once")
    on_die: dict[SpanText, OnDie] = Field(default_factory=dict)
    picks: dict[Word, Pick] = Field(default_factory=dict, description="By the circumstance")
    cap_cite: Cite | None = None
    hexside_works: Literal["crossed", "strongest", "weakest"] = Field(
        "crossed",
        description="Which works on hexsides shield the target: those crossed, or one all round",
    )
    hexside_works_cite: Cite | None = None
    notes: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _terms_are_known(self) -> Self:
        for side, terms in (("attack", self.attack), ("defend", self.defend)):
            for name, term in terms.items():
                if term.limit is not None and term.limit.by not in terms:
                    raise ValueError(f"{side}.{name}.limit.by: there is no term '{term.limit.by}'")
        for name, change in self.changes.items():
            terms = self.attack if change.side == "attack" else self.defend
            for word in change.of:
                if word not in terms:
                    raise ValueError(f"changes.{name}.of: {change.side} has no term '{word}'")
        return self
