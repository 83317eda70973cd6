"""Which column a ratio or a number of factors falls into, and where shifts lead from there.

Columns past the printed ones may count while shifting, one for each whole ratio: with 5:1 the last,
7:1 shifted one to the left is 6:1. Where the owner has not entered the columns, what is known of
them often decides all the same; where not, the answer says from which printed column to count.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Literal

from rules.schema.ratios import is_open, ratio_of
from rules.schema.tables import Table, column_start

Side = Literal["inside", "below", "above", "unread"]


@dataclass(frozen=True, slots=True)
class Column:
    """A place on the top line of a table: *offset* columns to the right of *anchor*.

    *index* counts from 0 and may lie outside the table; it is None where the columns between are
    not known. *name* is None where nobody can name the place.
    """

    anchor: str
    offset: int
    index: int | None
    name: str | None
    side: Side

    @property
    def known(self) -> bool:
        """Whether the place is certain."""
        return self.side != "unread"


@dataclass(frozen=True, slots=True)
class Between:
    """A ratio that falls between two columns we know, with others on the card perhaps."""

    low: str
    high: str


def find_column(table: Table, number: Fraction) -> Column | Between:
    """Return the column of a ratio or a total of factors; *Between* where only the card tells."""
    if table.columns is not None:
        return _found(table, table.columns, number)
    if table.known is None:
        return Between("", "")
    return _found_by_what_is_known(table, table.known.columns, number)


def named_column(table: Table, name: str) -> Column | None:
    """Return the column of that name; None where the table has none, or nobody knows it."""
    names = table.columns or (table.known.columns if table.known else ())
    wanted = name.replace(" ", "")
    for one in names:
        if one.replace(" ", "") == wanted:
            return find_column_named(table, names, one)
    return None


def find_column_named(table: Table, names: tuple[str, ...], name: str) -> Column:
    """Return the column of a name that is among *names*."""
    index = names.index(name)
    return Column(name, 0, index if table.columns else None, name, "inside")


def shifted(table: Table, column: Column, by: int) -> Column:
    """Return the column so many to the right, or to the left where *by* is negative."""
    names = table.columns
    if names is not None and column.index is not None:
        return _at(table, names, column.index + by)
    if table.known is None:
        return Column(column.anchor, column.offset + by, None, None, "unread")
    lowest, highest = table.known.columns[0], table.known.columns[-1]
    offset = column.offset + by
    if offset == 0:
        return Column(column.anchor, 0, None, column.anchor, "inside")
    if column.anchor == highest and offset > 0:
        return Column(highest, offset, None, _name_above(table, highest, offset), "above")
    if column.anchor == lowest and offset < 0:
        return Column(lowest, offset, None, _name_below(table, lowest, -offset), "below")
    return Column(column.anchor, offset, None, None, "unread")


def _found(table: Table, names: tuple[str, ...], number: Fraction) -> Column:
    starts = [column_start(table.kind, name) for name in names]
    if number < starts[0]:
        return _at(table, names, -_steps_below(table, names[0], number))
    last = max(index for index, start in enumerate(starts) if start <= number)
    if last == len(names) - 1:
        return _at(table, names, last + _steps_above(table, names[-1], number))
    if table.rounding == "up" and number > starts[last] and table.kind == "ratio":
        return _at(table, names, last + 1)
    if table.rounding == "nearest" and table.kind == "ratio":
        nearer = starts[last + 1] - number < number - starts[last]
        return _at(table, names, last + int(nearer))
    return _at(table, names, last)


def _at(table: Table, names: tuple[str, ...], index: int) -> Column:
    """The place at an index, inside the table or past its ends."""
    if 0 <= index < len(names):
        return Column(names[index], 0, index, names[index], "inside")
    if index < 0:
        name = _name_below(table, names[0], -index)
        return Column(names[0], index, index, name, "below")
    past = index - len(names) + 1
    return Column(names[-1], past, index, _name_above(table, names[-1], past), "above")


def _steps_below(table: Table, lowest: str, number: Fraction) -> int:
    """How many columns below the lowest; a ratio of nothing counts as the first below it."""
    if table.kind != "ratio" or table.beyond == "nothing" or number <= 0:
        return int(table.rounding != "up")
    times = floor(1 / number) if table.rounding == "up" else ceil(1 / number)
    return max(times - floor(1 / ratio_of(lowest)), 0)


def _steps_above(table: Table, highest: str, number: Fraction) -> int:
    if table.kind != "ratio" or table.beyond == "nothing" or is_open(highest):
        return 0
    whole = floor(ratio_of(highest))
    if table.rounding == "up" and number > ratio_of(highest):
        return ceil(number) - whole
    return floor(number) - whole


def _name_below(table: Table, lowest: str, steps: int) -> str | None:
    if table.kind != "ratio" or table.beyond == "nothing":
        return None
    return f"1:{floor(1 / ratio_of(lowest)) + steps}"


def _name_above(table: Table, highest: str, steps: int) -> str | None:
    if table.kind != "ratio" or table.beyond == "nothing" or is_open(highest):
        return None
    return f"{floor(ratio_of(highest)) + steps}:1"


def _found_by_what_is_known(
    table: Table, names: tuple[str, ...], number: Fraction
) -> Column | Between:
    starts = [column_start(table.kind, name) for name in names]
    if number < starts[0]:
        steps = _steps_below(table, names[0], number)
        return Column(names[0], -steps, None, _name_below(table, names[0], steps), "below")
    last = max(index for index, start in enumerate(starts) if start <= number)
    here = names[last]
    if last == len(names) - 1:
        steps = _steps_above(table, here, number)
        if steps:
            return Column(here, steps, None, _name_above(table, here, steps), "above")
        return Column(here, 0, None, here, "inside")
    free = table.known.free if table.known else ()
    if number == starts[last] or any(
        low == here and number <= ratio_of(high) for low, high in free
    ):
        return Column(here, 0, None, here, "inside")
    return Between(here, names[last + 1])
