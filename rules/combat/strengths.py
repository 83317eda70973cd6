"""Strengths added up: what counters bring, what weather and command take, what a limit cuts."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from rules.combat.modifiers import Said
from rules.schema.combat import Change, Procedure, Rounds, Term


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that changed a number: its title, what came out, the rule."""

    title: str
    becomes: Fraction
    cite: str
    kind: str = "change"


@dataclass(frozen=True, slots=True)
class Counted:
    """One term: what the counters bring, every change in order, and what counts in the end."""

    name: str
    title: str
    given: Fraction
    steps: tuple[Step, ...]
    counts: Fraction
    cite: str


@dataclass(frozen=True, slots=True)
class Strength:
    """All terms of one side and their sum."""

    terms: tuple[Counted, ...]

    @property
    def total(self) -> Fraction:
        """What the table is entered with."""
        return sum((term.counts for term in self.terms), Fraction(0))


def strength(
    procedure: Procedure,
    side: str,
    given: Mapping[str, Fraction],
    said: Said,
    printed: Mapping[str, Fraction] | None = None,
) -> Strength:
    """Return what one side brings into a procedure; *given* holds the sums by term.

    *printed* are the sums as the counters print them, where states of units took something off.
    """
    terms = procedure.attack if side == "attack" else procedure.defend
    changes = {
        word: change
        for word, change in procedure.changes.items()
        if word in said and change.side == side
    }
    return Strength(
        tuple(
            _counted(procedure, name, term, given, printed or given, changes, said)
            for name, term in terms.items()
        )
    )


def rounded(number: Fraction, how: Rounds) -> Fraction:
    """Return a number rounded as a rule says."""
    if how == "keep":
        return number
    return Fraction(floor(number) if how == "down" else ceil(number))


def _counted(
    procedure: Procedure,
    name: str,
    term: Term,
    given: Mapping[str, Fraction],
    printed: Mapping[str, Fraction],
    changes: Mapping[str, Change],
    said: Said,
) -> Counted:
    number = brought = given.get(name, Fraction(0))
    steps: list[Step] = []
    mine = [change for change in changes.values() if name in change.of]
    once = procedure.changes_rounding == "once"
    for change in mine:
        number *= Fraction(change.factor)
        if not once or change is mine[-1]:
            number = rounded(number, change.rounding)
        steps.append(Step(change.title, number, change.cite))
    if term.factor != 1:
        number = rounded(number * Fraction(term.factor), term.rounding)
        steps.append(Step(str(Fraction(term.factor)), number, term.cite, "part"))
    limit = term.limit
    if limit is not None and number:
        most = max(printed.get(limit.by, Fraction(0)), Fraction(limit.least))
        lifted = any(word in said for word in limit.lifted_by)
        if lifted and number > most:
            steps.append(Step("", number, limit.lifted_cite or limit.cite, "lifted"))
        elif number > most:
            number = most
            steps.append(Step("", number, limit.cite, "limit"))
    return Counted(name, term.title, brought, tuple(steps), number, term.cite)
