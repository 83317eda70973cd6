"""The steps of a combat as reasons: each number in its order, with the rule it stands on."""

from collections.abc import Iterator
from fractions import Fraction

from rules.combat.columns import Between, Column, shifted
from rules.combat.consequences import Consequence
from rules.combat.look_up import LookUp
from rules.combat.modifiers import Line, Said, Sum
from rules.combat.strengths import Strength
from rules.pack import Pack
from rules.ruling import Reason
from rules.schema.tables import Table


def told_number(number: Fraction) -> str:
    """Return a number as players write it: 3, 1/2, 3 1/2.

    >>> told_number(Fraction(7, 2))
    '3 1/2'
    """
    whole, rest = divmod(number.numerator, number.denominator)
    if not rest:
        return str(whole)
    part = f"{rest}/{number.denominator}"
    return f"{whole} {part}" if whole else part


def told_ratio(ratio: Fraction) -> str:
    """Return a ratio to one, cut after two places as rulebooks do: 3.66:1; or 1:1.66.

    >>> told_ratio(Fraction(11, 3)), told_ratio(Fraction(3, 5))
    ('3.66:1', '1:1.66')
    """
    if ratio <= 0:
        return "0:1"
    return f"{_cut(ratio)}:1" if ratio >= 1 else f"1:{_cut(1 / ratio)}"


def signed(amount: int) -> str:
    """Return a number with its sign, as tables print it: +2, −1, 0."""
    return f"+{amount}" if amount > 0 else str(amount).replace("-", "−")


def strength_reasons(side: Strength) -> Iterator[Reason]:
    """Yield what a side brings, term by term, with all that changes it."""
    for term in side.terms:
        if not term.given and len(side.terms) > 1:
            continue
        values = {"title": term.title, "n": told_number(term.given)}
        yield Reason("rules.combat.term", values, term.cite)
        for step in term.steps:
            becomes = told_number(step.becomes)
            if step.kind == "part":
                part = {"part": step.title, "becomes": becomes}
                yield Reason("rules.combat.part", part, step.cite)
            elif step.kind == "limit":
                yield Reason("rules.combat.limit", {"becomes": becomes}, step.cite)
            elif step.kind == "lifted":
                yield Reason("rules.combat.limit_lifted", {"becomes": becomes}, step.cite)
            else:
                changed = {"title": step.title, "becomes": becomes}
                yield Reason("rules.combat.change", changed, step.cite)


def entry_reasons(found: LookUp, attack: Fraction, defend: Fraction | None) -> Iterator[Reason]:
    """Yield how the strengths become a column."""
    table = found.table
    if found.fixed_cite is not None and isinstance(found.start, Column):
        column = {"column": found.start.name or ""}
        yield Reason("rules.combat.no_defender", column, found.fixed_cite)
        return
    if defend is not None and defend > 0:
        ratio = attack / defend
        values = {
            "attack": told_number(attack),
            "defend": told_number(defend),
            "ratio": told_ratio(ratio),
        }
        yield Reason("rules.combat.ratio", values, table.cite)
    elif defend is None and table.kind == "factors":
        yield Reason("rules.combat.factors", {"total": told_number(attack)}, table.cite)
    yield from column_reasons(table, found.start)


def column_reasons(table: Table, start: Column | Between | None) -> Iterator[Reason]:
    """Yield the column a look-up begins in."""
    cite = table.rounding_cite or table.cite
    if isinstance(start, Between) and start.low:
        between: dict[str, str | int] = {"low": start.low, "high": start.high}
        yield Reason("rules.combat.between", between, cite)
    elif isinstance(start, Column) and start.side == "inside" and start.name:
        yield Reason("rules.combat.column", {"column": start.name}, cite)
    elif isinstance(start, Column) and start.name:
        past: dict[str, str | int] = {"column": start.name, "edge": start.anchor}
        yield Reason("rules.combat.past_the_table", past, table.beyond_cite or table.cite)


def shift_reasons(found: LookUp, cap_cite: str | None) -> Iterator[Reason]:
    """Yield every shift with the column after it: those for the defender first."""
    if found.fixed_cite is not None:
        return
    table, here = found.table, found.start
    for line in _in_order(found.shifts):
        if not line.counts or line.amount is None:
            yield _idle(line, table.card)
            continue
        if isinstance(here, Column):
            here = shifted(table, here, line.amount)
        yield Reason("rules.combat.shift", _values(line, here), line.cite)
    yield from _sum_reasons(found.shifts, cap_cite, several=len(found.shifts.lines) > 1)


def drm_reasons(drms: Sum, card: str, cap_cite: str | None = None) -> Iterator[Reason]:
    """Yield every die-roll modifier, and what they come to."""
    for line in _in_order(drms):
        if not line.counts or line.amount is None:
            yield _idle(line, card)
        else:
            values: dict[str, str | int] = {"title": line.title, "amount": signed(line.amount)}
            yield Reason("rules.combat.drm", values, line.cite)
    if drms.is_capped and drms.cap is not None:
        values = {"most": drms.cap.most, "total": signed(drms.total)}
        yield Reason("rules.combat.drm_cap", values, cap_cite or drms.cap.cite)
    elif len(drms.lines) > 1:
        yield Reason("rules.combat.drm_sum", {"total": signed(drms.total)})


def number_reasons(changes: Sum, card: str) -> Iterator[Reason]:
    """Yield what changes the number that a check is held against."""
    for line in _in_order(changes):
        if not line.counts or line.amount is None:
            yield _idle(line, card)
        else:
            values: dict[str, str | int] = {"title": line.title, "amount": signed(line.amount)}
            yield Reason("rules.combat.number_change", values, line.cite)


def final_reasons(found: LookUp) -> Iterator[Reason]:
    """Yield what becomes of a column past the edge of the table."""
    final, table = found.final, found.table
    if final is None or final.side in ("inside", "unread") or found.automatic is not None:
        return
    edge = table.below if final.side == "below" else table.above
    if found.used:
        cite = edge.cite if edge else table.cite
        yield Reason("rules.combat.edge_column", {"column": found.used}, cite)


def unsaid(found: LookUp, said: Said, procedure: str | None) -> Iterator[Reason]:
    """Yield the shifts that hold in any case and that nobody gave the number of."""
    if found.fixed_cite is not None:
        return
    for word, one in found.table.shifts.items():
        for_this = not one.procedures or procedure is None or procedure in one.procedures
        if one.always and word not in said and for_this:
            yield Reason("rules.combat.unsaid", {"title": one.title}, one.cite)


def to_read(found: LookUp) -> Iterator[Reason]:
    """Yield what has to be read off a card, where the pack cannot go on."""
    card = found.table.card
    if found.automatic is not None:
        return
    if isinstance(found.start, Between):
        yield Reason("rules.combat.read_column", {"card": card}, found.table.cite)
    if found.shifts.unread and found.fixed_cite is None:
        words = ", ".join(line.title for line in found.shifts.unread)
        yield Reason("rules.combat.read_shifts", {"titles": words, "card": card})
    if found.final is not None and found.final.side == "unread":
        values: dict[str, str | int] = {"anchor": found.final.anchor, "card": card}
        values["n"] = abs(found.final.offset)
        way = "left" if found.final.offset < 0 else "right"
        key = "rules.combat.count_left" if way == "left" else "rules.combat.count_right"
        yield Reason(key, values, found.table.cite)
    if found.final is not None and found.final.known and found.used is None:
        yield Reason("rules.combat.read_below", {"card": card}, found.table.cite)
    yield from drms_to_read(found.drms, card)
    if found.table.rolled and found.table.die is None:
        yield Reason("rules.combat.read_dice", {"card": card}, found.table.cite)
    elif found.used and not found.table.is_complete:
        yield Reason("rules.combat.read_cells", {"column": found.used, "card": card})


def drms_to_read(drms: Sum, card: str) -> Iterator[Reason]:
    """Yield which die-roll modifiers have to be read, and where."""
    if drms.unread:
        words = ", ".join(line.title for line in drms.unread)
        yield Reason("rules.combat.read_shifts", {"titles": words, "card": card})


def _in_order(modifiers: Sum) -> list[Line]:
    """What favours the defender first, then what favours the attacker, then what is unread."""
    return sorted(modifiers.lines, key=lambda line: (line.amount is None, (line.amount or 0) > 0))


def _idle(line: Line, card: str) -> Reason:
    """A modifier that counts for nothing here: it gave way, or only the card tells it."""
    if not line.counts:
        amount = "?" if line.amount is None else signed(line.amount)
        values: dict[str, str | int] = {"title": line.title, "amount": amount}
        values["word"] = line.instead or ""
        return Reason("rules.combat.gave_way", values, line.cite)
    return Reason("rules.combat.unread", {"title": line.title, "card": card}, line.cite)


def _values(line: Line, here: Column | Between | None) -> dict[str, str | int]:
    values: dict[str, str | int] = {"title": line.title, "amount": signed(line.amount or 0)}
    if isinstance(here, Column):
        values["column"] = here.name or _counted(here)
    else:
        values["column"] = "?"
    return values


def _counted(column: Column) -> str:
    return f"{column.anchor} {signed(column.offset)}" if column.anchor else "?"


def _sum_reasons(shifts: Sum, cap_cite: str | None, *, several: bool) -> Iterator[Reason]:
    if several:
        values: dict[str, str | int] = {
            "against": signed(shifts.against),
            "favour": signed(shifts.in_favour),
            "net": signed(shifts.net),
        }
        yield Reason("rules.combat.net", values)
    if shifts.cap is None:
        return
    if shifts.is_capped:
        values = {"most": shifts.cap.most, "total": signed(shifts.total)}
        yield Reason("rules.combat.cap", values, cap_cite or shifts.cap.cite)
    elif shifts.cap_lifted:
        cite = shifts.cap.lifted_cite or shifts.cap.cite
        yield Reason("rules.combat.cap_lifted", {"most": shifts.cap.most}, cite)


def _cut(number: Fraction) -> str:
    hundredths = number.numerator * 100 // number.denominator
    whole, rest = divmod(hundredths, 100)
    return str(whole) if not rest else f"{whole}.{rest:02d}".rstrip("0")


def effect_reasons(pack: Pack, one: Consequence) -> Iterator[Reason]:
    """Tell what a result does to a side, and by which check."""
    yield Reason(f"rules.combat.effect_{one.side}", {"what": one.told}, one.effect.cite)
    if one.effect.does == "check" and one.effect.check is not None:
        check = pack.checks[one.effect.check]
        yield Reason("rules.combat.checked_by", {"table": check.title}, check.cite)
