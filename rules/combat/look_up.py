"""A table looked up: the column with its shifts, the rows with their modifiers, every face.

What the pack lacks is never guessed: the look-up goes as far as it can and says what to read.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from rules.combat.columns import Between, Column, find_column, named_column, shifted
from rules.combat.modifiers import Said, Sum, add_up
from rules.combat.odds import Face, faces, odds
from rules.combat.result_words import parse_result
from rules.combat.table_check import BETWEEN_SIDES, halves
from rules.errors import RulesError
from rules.pack import Pack
from rules.schema.spans import span_of
from rules.schema.tables import Beyond, Check, Modifier, NaturalRoll, Table

BARE = ""  # the one column of a table that has no line of columns


@dataclass(frozen=True, slots=True)
class LookUp:
    """A table entered.

    *start* is the column found, *final* the one after all shifts, *used* the printed one whose
    cells count. *automatic* is the result off the edge, without a roll. *faces* are None where the
    cells are not known. *cell* is what a chart says that nobody rolls on.
    """

    table: Table
    start: Column | Between | None
    shifts: Sum
    drms: Sum
    final: Column | None
    used: str | None
    automatic: Beyond | None
    faces: tuple[Face, ...] | None
    fixed_cite: str | None = None
    cell: str | None = None


def look_up(
    table: Table,
    *,
    number: Fraction | None = None,
    column: str | None = None,
    said: Said,
    procedure: str | None = None,
    no_defender: bool = False,
) -> LookUp:
    """Enter a table with a ratio, a total of factors, or a column by name.

    Raises:
        RulesError: the column is none of the table's, or a modifier lacks its number.
    """
    shifts = add_up(
        table.shifts, said, groups=table.groups, cap=table.shift_cap, procedure=procedure
    )
    drms = add_up(table.drms, said, groups=table.groups, cap=table.drm_cap, procedure=procedure)
    start, fixed = _start(table, number, column, no_defender=no_defender)
    final = _final(table, start, shifts, fixed=fixed is not None)
    used, automatic = _used(table, final)
    shown = cell = None
    if used is not None and automatic is None and not drms.unread:
        rows = column_rows(table, used)
        if rows is not None and table.die is not None:
            shown = faces(table.die, rows, drms.total)
        elif rows is not None and not table.rolled:
            (cell,) = rows.values()
    return LookUp(table, start, shifts, drms, final, used, automatic, shown, fixed, cell)


def column_rows(table: Table, column: str) -> dict[str, str] | None:
    """Return the cells of one column by row; None where the table is not entered."""
    if table.rows is None:
        return None
    index = 0 if table.columns is None else table.columns.index(column)
    return {row: cells[index] for row, cells in table.rows.items()}


def look_up_check(
    check: Check, said: Said, *, number: int | None = None, by: str | None = None
) -> tuple[tuple[Face, ...] | None, Sum]:
    """Return what each total of a check brings, and its modifiers; no faces while one is unread.

    Raises:
        RulesError: the check asks for a number or a word that was not given.
    """
    unsaid = dict.fromkeys(word for word, one in check.drms.items() if _holds_unsaid(one))
    drms = add_up(check.drms, {**unsaid, **said}, groups=check.groups, cap=check.drm_cap)
    changes = number_changes(check, said)
    if drms.unread or changes.unread:
        return None, drms
    if check.threshold is None:
        return _with_natural(check, said, faces(check.die, check.outcomes, drms.total)), drms
    limit = threshold_of(check, number=number, by=by) + changes.total
    success, failure = check.success, check.failure
    if check.threshold.passes == "at_most":
        rows = {f"<={limit}": success, f">={limit + 1}": failure}
    else:
        rows = {f">={limit}": success, f"<={limit - 1}": failure}
    return _with_natural(check, said, faces(check.die, rows, drms.total)), drms


def number_changes(check: Check, said: Said) -> Sum:
    """Return what changes the number that a check is held against."""
    changes = check.threshold.changes if check.threshold else {}
    return add_up(changes, said, groups=check.groups, cap=None)


def natural_roll(check: Check, said: Said, rolled: int) -> NaturalRoll | None:
    """Return what a roll brings as it falls; None where it counts like any other."""
    for one in check.natural:
        holds = all(word in said for word in one.only_with)
        if holds and not any(word in said for word in one.unless) and span_of((one.on,), rolled):
            return one
    return None


def threshold_of(check: Check, *, number: int | None, by: str | None) -> int:
    """Return the number a check is held against."""
    threshold = check.threshold
    if threshold is None:
        raise RulesError(f"{check.title} has no threshold")
    if threshold.number is not None:
        return threshold.number
    if threshold.by:
        if by is not None and by in threshold.by:
            return threshold.by[by]
        if by is not None and by.lstrip("-").isdecimal():
            spans = tuple(text for text in threshold.by if text[:1].isdecimal())
            if span := span_of(spans, int(by)):
                return threshold.by[span]
        known = ", ".join(threshold.by)
        raise RulesError(f"{check.title} depends on one of: {known}; give --by WORD")
    if number is None:
        word = f"{threshold.asks}=" if threshold.asks else ""
        raise RulesError(f"{check.title} is held against a number: give --value {word}N")
    return number


def _holds_unsaid(one: Modifier) -> bool:
    return one.always and one.amount is not None and not one.each and not one.valued


def _with_natural(check: Check, said: Said, shown: tuple[Face, ...]) -> tuple[Face, ...]:
    natural = [natural_roll(check, said, face.rolled) for face in shown]
    return tuple(
        face if roll is None else replace(face, result=roll.result)
        for face, roll in zip(shown, natural, strict=True)
    )


def settled_odds(pack: Pack, table: Table, shown: tuple[Face, ...]) -> dict[str, Fraction]:
    """Return the odds with every re-roll in them followed to its end."""
    sums: dict[str, Fraction] = {}
    for cell, chance in odds(shown).items():
        for text, share in _settled(pack, table, cell).items():
            sums[text] = sums.get(text, Fraction(0)) + chance * share
    return sums


def expected(pack: Pack, table: Table, settled: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return the mean of every number in the results: `attacker.steps`, or `steps`."""
    if table.results is None:
        return {}
    grammar = pack.results[table.results]
    means: dict[str, Fraction] = {}
    for cell, chance in settled.items():
        parts = halves(table, cell)
        for side, half in zip(("attacker.", "defender."), parts, strict=False):
            for slot, number in parse_result(grammar, half).numbers.items():
                name = f"{side}{slot}" if table.two_sided else slot
                means[name] = means.get(name, Fraction(0)) + chance * number
    return means


def reroll_of(pack: Pack, table: Table, half: str) -> str | None:
    """Return the check that half a cell sends to, None where it stands as it is."""
    if table.results is None:
        return None
    grammar = pack.results[table.results]
    for word in parse_result(grammar, half).effects:
        if grammar.effects[word].does == "reroll":
            return grammar.effects[word].check
    return None


def reroll_die(pack: Pack, table: Table) -> str | None:
    """Return the dice of a second roll: those of the check that a result sends to."""
    grammar = pack.results.get(table.results or "")
    for effect in grammar.effects.values() if grammar else ():
        if effect.does == "reroll" and effect.check is not None:
            return pack.checks[effect.check].die
    return table.die


def _settled(pack: Pack, table: Table, cell: str) -> dict[str, Fraction]:
    """One cell's results: itself, or what its re-roll brings."""
    sums = {BARE: Fraction(1)}
    for half in halves(table, cell):
        check = reroll_of(pack, table, half)
        ends = {half: Fraction(1)}
        if check is not None:
            ends = odds(look_up_check(pack.checks[check], {})[0] or ())
        sums = {
            f"{text} {BETWEEN_SIDES} {end}" if text else end: chance * share
            for text, chance in sums.items()
            for end, share in ends.items()
        }
    return sums


def _start(
    table: Table, number: Fraction | None, column: str | None, *, no_defender: bool
) -> tuple[Column | Between | None, str | None]:
    """Where the look-up begins; and the rule that fixes the column, where one does."""
    if table.kind == "single":
        return Column(BARE, 0, 0, BARE, "inside"), None
    if column is not None:
        found = named_column(table, column)
        if found is None:
            known = ", ".join(table.columns or (table.known.columns if table.known else ()))
            raise RulesError(
                f"the {table.title} has no column '{column}' that we know; there is: "
                f"{known or 'none entered yet'}"
            )
        return found, None
    if no_defender and table.zero_defender is not None:
        return named_column(table, table.zero_defender.column), table.zero_defender.cite
    if number is None:
        raise RulesError(f"the {table.title} needs a column, a ratio or a number of factors")
    return find_column(table, number), None


def _final(
    table: Table, start: Column | Between | None, shifts: Sum, *, fixed: bool
) -> Column | None:
    if not isinstance(start, Column):
        return None
    if fixed or table.kind == "single":
        return start
    if shifts.unread:
        return None
    return shifted(table, start, shifts.total)


def _used(table: Table, final: Column | None) -> tuple[str | None, Beyond | None]:
    """The printed column that counts, or the automatic result past the edge."""
    if final is None or not final.known:
        return None, None
    if final.side == "inside":
        return final.name, None
    edge = table.below if final.side == "below" else table.above
    if edge is not None and edge.result is not None:
        return None, edge
    if edge is None and final.side == "below":
        return None, None
    return final.anchor, None
