"""Does every table, procedure and result of a pack fit the others? Told line by line."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rules.combat.result_words import parse_result, pieces_of
from rules.errors import RulesError
from rules.schema.results import Grammar
from rules.schema.tables import Table

if TYPE_CHECKING:
    from rules.pack import Pack

BETWEEN_SIDES = "|"  # what parts the attacker's half of a cell from the defender's


def table_faults(pack: "Pack") -> Iterator[str]:
    """Yield a line for everything in the pack's tables that does not fit together."""
    for name, grammar in pack.results.items():
        yield from _grammar_faults(pack, name, grammar)
    for name, table in pack.tables.items():
        place = f"tables.{name}"
        if table.results is not None and table.results not in pack.results:
            yield f"{place}.results: the pack has no results '{table.results}'"
        elif table.results is not None:
            yield from _cell_faults(place, table, pack.results[table.results])
    for name, procedure in pack.combat.items():
        if procedure.table not in pack.tables:
            yield f"combat.{name}.table: the pack has no table '{procedure.table}'"
        elif bool(procedure.defend) != (pack.tables[procedure.table].kind == "ratio"):
            yield f"combat.{name}: a ratio has a defender's strength, a table of factors has none"


def halves(table: Table, cell: str) -> tuple[str, ...]:
    """Return the parts of a cell: the attacker's and the defender's, or the one there is.

    Raises:
        RulesError: a two-sided cell has not two parts.
    """
    if not table.two_sided:
        return (cell,)
    parts = tuple(part.strip() for part in cell.split(BETWEEN_SIDES))
    if len(parts) != 2 or not all(parts):
        raise RulesError(f"'{cell}': write attacker {BETWEEN_SIDES} defender")
    return parts


def _grammar_faults(pack: "Pack", name: str, grammar: Grammar) -> Iterator[str]:
    for one in grammar.forms:
        try:
            pieces_of(one.form)
        except RulesError as error:
            yield f"results.{name}.forms: {error}"
    for word, effect in grammar.effects.items():
        if effect.does in ("reroll", "check") and effect.check is None:
            yield f"results.{name}.effects.{word}: it names no check"
        if effect.check is not None and effect.check not in pack.checks:
            yield f"results.{name}.effects.{word}.check: the pack has no check '{effect.check}'"
        for procedure in (*effect.only_in, *effect.not_in):
            if procedure not in pack.combat:
                yield f"results.{name}.effects.{word}: the pack has no combat '{procedure}'"


def _cell_faults(place: str, table: Table, grammar: Grammar) -> Iterator[str]:
    cells = [
        (f"{place}.rows.{row}", cell)
        for row, row_cells in (table.rows or {}).items()
        for cell in row_cells
    ]
    for where, cell in cells:
        try:
            for half in halves(table, cell):
                parse_result(grammar, half)
        except RulesError as error:
            yield f"{where}: {error}"
    for edge, beyond in (("below", table.below), ("above", table.above)):
        if beyond is not None and beyond.result is not None:
            try:
                parse_result(grammar, beyond.result)
            except RulesError as error:
                yield f"{place}.{edge}: {error}"
