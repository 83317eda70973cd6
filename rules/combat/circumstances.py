"""Circumstances: what was said to hold, and what a table listens to."""

from collections.abc import Iterable

from rules.combat.modifiers import Said
from rules.errors import RulesError
from rules.pack import Pack
from rules.schema.tables import Table


def read_said(texts: Iterable[str]) -> dict[str, int | None]:
    """Return circumstances written as `rain` or `trench=2`.

    >>> read_said(["rain", "trench=2", "firer-trench=1"])
    {'rain': None, 'trench': 2, 'firer_trench': 1}

    Raises:
        RulesError: a number is none, or a circumstance stands twice.
    """
    said: dict[str, int | None] = {}
    for text in texts:
        word, equals, number = text.partition("=")
        word = word.strip().replace("-", "_")
        if word in said:
            raise RulesError(f"'{word}' is given twice")
        if not equals:
            said[word] = None
            continue
        try:
            said[word] = int(number)
        except ValueError:
            raise RulesError(f"'{text}': after = stands a whole number") from None
    return said


def table_words(pack: Pack, table: Table, procedure: str | None = None) -> frozenset[str]:
    """Return every circumstance that a table listens to."""
    words: set[str] = set()
    for modifiers in (table.shifts, table.drms):
        for word, one in modifiers.items():
            if not one.procedures or procedure is None or procedure in one.procedures:
                words |= {word, *one.unless}
    for cap in (table.shift_cap, table.drm_cap):
        words |= set(cap.lifted_by) if cap else set()
    if table.results is not None:
        for effect in pack.results[table.results].effects.values():
            words |= set(effect.unless)
            words |= {effect.lowers.hexside} if effect.lowers and effect.lowers.hexside else set()
    return frozenset(words)


def require_words(said: Said, known: frozenset[str], what: str) -> None:
    """Raise RulesError for a circumstance that nothing listens to."""
    for word in said:
        if word not in known:
            raise RulesError(
                f"{what} knows no circumstance '{word}'; there is: "
                f"{', '.join(sorted(known)) or 'none'}"
            )
