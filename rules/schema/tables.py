"""Printed tables: columns, rows and results, what shifts a column and what changes a die roll.

A table stands in a pack even where its cells are not in our sources: then its columns and rows are
null, `card` says where they are printed, and the owner enters them.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from rules.schema.cites import Cite, Cited, Exact, Strict, Word
from rules.schema.dice import Dice, totals_of
from rules.schema.forces import Groups
from rules.schema.ratios import ratio_of
from rules.schema.spans import SpanText, overlap, parse_span, span_of

ColumnKind = Literal["ratio", "factors", "single"]
Rounding = Literal["down", "up", "nearest"]
Role = Literal["attacker", "defender"]
Take = Literal["lowest", "highest", "strongest"]
Cell = Annotated[str, Field(min_length=1)]


class Where(Strict):
    """What on the map makes a modifier hold, so that nobody has to say it.

    All that is given must be so. *hexsides* count only where every attacker crosses one of them,
    or so much of all attacking factors as *share* asks for; one that is *opened_by* something, such
    as a bridge, is not there. *from_hexes* is from how many hexes the attack comes at least;
    *at* says whose hex is meant: the target's, the firer's or either. *value_of* are features whose
    number is meant: the level of a trench; *uphill* is how many levels all of them climb, attackers
    *to_target* or those who are shot at *to_firer*. Works in the *ground* may have to be the *own*
    ones of who is there. With *attackers* or *defenders* such units take part, and are counted.
    """

    ground: tuple[Word, ...] = Field((), description="Terrain or features of the hex")
    not_ground: tuple[Word, ...] = Field((), description="Not where the hex has one of these")
    own: bool = False
    attackers: Groups = ()
    defenders: Groups = ()
    hexsides: tuple[Word, ...] = ()
    share: Exact | None = Field(None, description="Part of the factors; null: all attackers")
    opened_by: tuple[Word, ...] = ()
    from_hexes: int | None = Field(None, ge=2)
    level_from: int | None = None
    level_to: int | None = None
    weather: tuple[Word, ...] = ()
    value_of: tuple[Word, ...] = ()
    uphill: Literal["to_target", "to_firer"] | None = None
    morale_of: Literal["attacker", "defender"] | None = Field(
        None, description="The current morale of the best unit of that side"
    )
    at: Literal["target", "firer", "either"] = "target"


class Modifier(Cited):
    """One shift or die-roll modifier: plus favours who attacks or fires, minus the target.

    *amount* is null, or *by_value* where *valued*, when only the card prints it. *each* counts it
    once for each: three machine guns. *group* are modifiers of which only one holds. One that holds
    *always* is asked for where nobody gave its number; in a check with a plain amount it counts.
    """

    title: str
    amount: int | None = None
    each: bool = False
    valued: bool = Field(False, description="Its amount depends on a number: the trench's level")
    by_value: dict[SpanText, int] | None = None
    always: bool = False
    group: Word | None = None
    procedures: tuple[Word, ...] = Field((), description="Only in these; empty: in all")
    unless: tuple[Word, ...] = Field((), description="Not where one of these holds")
    where: Where | None = None


class Group(Cited):
    """Modifiers of which only one counts: the worst for the attacker, the best, the strongest."""

    take: Take
    title: str = ""


class Cap(Cited):
    """The most that all modifiers together may come to, either way.

    Where one of *lifted_by* holds, *lifts* says which way the limit is off.
    """

    most: int = Field(ge=0)
    lifted_by: tuple[Word, ...] = ()
    lifts: Literal["plus", "minus", "both"] = "both"
    lifted_cite: Cite | None = None


class Beyond(Cited):
    """What happens off the edge of a table: an automatic result, or the outermost column."""

    result: str | None = Field(None, description="Automatic, without a roll; null: edge column")
    on: Role | None = None


class Known(Cited):
    """What is known of a table's columns before the owner enters them, from the lowest up.

    The first and the last are the ends of the table. *free* are stretches without a column: from
    one that is known to a ratio that an example rounds down to it.
    """

    columns: tuple[str, ...] = Field(min_length=1)
    free: tuple[tuple[str, str], ...] = ()


class FixedColumn(Cited):
    """A case that goes straight to one column."""

    column: str


class Table(Cited):
    """One results table.

    *beyond* tells how columns past the printed ones count while shifting: one for each whole
    ratio, or not at all. A two-sided cell is written `attacker | defender`. A chart that is not
    *rolled* has one row; of one that is, a null *die* is not in our sources.
    """

    title: str
    card: str = Field(description="Where it is printed")
    die: Dice | None = None
    rolled: bool = True
    kind: ColumnKind
    columns: tuple[str, ...] | None = None
    rows: dict[SpanText, tuple[Cell, ...]] | None = None
    results: Word | None = Field(None, description="The grammar its cells are written in")
    two_sided: bool = False
    rounding: Rounding = "down"
    rounding_cite: Cite | None = None
    beyond: Literal["whole_ratios", "nothing"] = "nothing"
    beyond_cite: Cite | None = None
    below: Beyond | None = None
    above: Beyond | None = None
    zero_defender: FixedColumn | None = None
    known: Known | None = None
    shifts: dict[Word, Modifier] = Field(default_factory=dict)
    drms: dict[Word, Modifier] = Field(default_factory=dict)
    groups: dict[Word, Group] = Field(default_factory=dict)
    shift_cap: Cap | None = None
    drm_cap: Cap | None = None

    @property
    def is_complete(self) -> bool:
        """Whether columns and cells are there."""
        cells = self.rows is not None and (self.kind == "single" or self.columns is not None)
        return cells and (self.die is not None or not self.rolled)

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        faults = (*self._column_faults(), *self._dice_faults(), *self._row_faults())
        for fault in (*faults, *self._modifier_faults()):
            raise ValueError(fault)
        return self

    def _column_faults(self) -> tuple[str, ...]:
        if self.kind == "single" and self.columns is not None:
            return ("columns: a table of a single column has no line of columns",)
        for names in (self.columns, self.known.columns if self.known else None):
            if not names:
                continue
            starts = [column_start(self.kind, name) for name in names]
            for (one, low), (other, high) in pairwise(zip(names, starts, strict=True)):
                if low >= high:
                    return (f"columns: '{other}' stands after '{one}', but is no higher",)
        if self.columns == ():
            return ("columns: there is none; write the card's first line",)
        if self.columns is not None and self.known is not None:
            ends = (self.columns[0], self.columns[-1])
            sources = (self.known.columns[0], self.known.columns[-1])
            lost = [name for name in self.known.columns if name not in self.columns]
            if ends != sources or lost:
                return (
                    f"columns: [{self.known.cite}] has {', '.join(self.known.columns)}, the first "
                    "and the last of them at the ends; compare them with the card",
                )
        fixed = self.zero_defender
        if self.columns is not None and fixed is not None and fixed.column not in self.columns:
            return (f"columns: there is no '{fixed.column}', which [{fixed.cite}] names",)
        return tuple(self._contradictions())

    def _contradictions(self) -> Iterator[str]:
        """Yield columns that stand where an example of the rules leaves no room for one."""
        for low, high in self.known.free if self.known else ():
            first, last = column_start(self.kind, low), column_start(self.kind, high)
            for name in self.columns or ():
                if self.known and first < column_start(self.kind, name) <= last:
                    yield (
                        f"columns: '{name}' contradicts [{self.known.cite}], by which {high} "
                        f"falls into the column {low}; compare it with the card"
                    )

    def _dice_faults(self) -> Iterator[str]:
        if not self.rolled and self.die is not None:
            yield "die: a chart that is not rolled on has no dice"
        if not self.rolled and self.rows is not None and len(self.rows) != 1:
            yield f"rows: a chart without dice has one row, not {len(self.rows)}"
        if self.rolled and self.rows is not None and self.die is None:
            yield "rows: there are rows but no dice; enter the die too"

    def _row_faults(self) -> tuple[str, ...]:
        if self.rows is None:
            return ()
        if self.kind != "single" and self.columns is None:
            return ("rows: there are rows but no columns; enter the columns too",)
        width = len(self.columns or ("",))
        for name, cells in self.rows.items():
            if len(cells) != width:
                return (f"rows.{name}: {len(cells)} cells, but the table has {width} columns",)
        names = tuple(self.rows)
        if twice := overlap(names):
            return (f"rows: '{twice[0]}' and '{twice[1]}' hold the same roll",)
        totals = totals_of(self.die) if self.die else ()
        lacking = [str(total) for total in totals if span_of(names, total) is None]
        if lacking:
            return (f"rows: no row for a roll of {', '.join(lacking)}",)
        return ()

    def _modifier_faults(self) -> tuple[str, ...]:
        for part, modifiers in (("shifts", self.shifts), ("drms", self.drms)):
            for name, one in modifiers.items():
                if one.group is not None and one.group not in self.groups:
                    return (f"{part}.{name}.group: the table has no group '{one.group}'",)
                if one.by_value is not None and (twice := overlap(tuple(one.by_value))):
                    return (f"{part}.{name}.by_value: {twice[0]} and {twice[1]} overlap",)
        return ()


class Threshold(Cited):
    """A check passed at or below a number, or at or above it: fixed, by word, or asked for."""

    passes: Literal["at_most", "at_least"]
    number: int | None = None
    by: dict[str, int] = Field(default_factory=dict, description="By quality, by turn: `4-10`")
    asks: Word | None = Field(None, description="The number to be given: initiative, morale")
    changes: dict[Word, Modifier] = Field(
        default_factory=dict, description="What changes the number itself, and not the roll"
    )


class NaturalRoll(Cited):
    """What the dice bring as they fall, whatever the modifiers and the number.

    Only where all of *only_with* are said to hold, and none of *unless*.
    """

    on: SpanText
    result: str
    only_with: tuple[Word, ...] = ()
    unless: tuple[Word, ...] = ()


class Check(Cited):
    """A small die roll: outcomes by span of the roll, or a threshold with success and failure.

    Of the *natural* rolls that hold, the first one counts before all else.
    """

    title: str
    die: Dice
    outcomes: dict[SpanText, str] = Field(default_factory=dict)
    threshold: Threshold | None = None
    success: str = ""
    failure: str = ""
    natural: tuple[NaturalRoll, ...] = ()
    drms: dict[Word, Modifier] = Field(default_factory=dict)
    groups: dict[Word, Group] = Field(default_factory=dict)
    drm_cap: Cap | None = None

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if bool(self.outcomes) == (self.threshold is not None):
            raise ValueError("a check has either outcomes or a threshold")
        if self.threshold is not None and not (self.success and self.failure):
            raise ValueError("a threshold needs what success and failure mean")
        names = tuple(self.outcomes)
        if twice := overlap(names):
            raise ValueError(f"outcomes: '{twice[0]}' and '{twice[1]}' hold the same roll")
        if names:
            for total in totals_of(self.die):
                if span_of(names, total) is None:
                    raise ValueError(f"outcomes: none for a roll of {total}")
        for name, one in self.drms.items():
            if one.group is not None and one.group not in self.groups:
                raise ValueError(f"drms.{name}.group: there is no group '{one.group}'")
        for roll in self.natural:
            if all(span_of((roll.on,), total) is None for total in totals_of(self.die)):
                raise ValueError(f"natural: {self.die} never shows {roll.on}")
        return self

    @property
    def words(self) -> frozenset[str]:
        """Every circumstance that can be said of it."""
        changes = self.threshold.changes if self.threshold else {}
        modifiers = {**self.drms, **changes}
        found = {word for name, one in modifiers.items() for word in (name, *one.unless)}
        found |= {word for one in self.natural for word in (*one.only_with, *one.unless)}
        return frozenset(found)


def column_start(kind: ColumnKind, name: str) -> Fraction:
    """Return where a column begins: its ratio, or its least number of factors."""
    if kind == "ratio":
        return ratio_of(name)
    low = parse_span(name).low
    if low is None:
        raise ValueError(f"columns: '{name}' has no lower end; write '0-3'")
    return Fraction(low)
