"""Shifts and die-roll modifiers added up: which hold, which give way, and what a limit cuts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from rules.errors import RulesError
from rules.schema.spans import span_of
from rules.schema.tables import Cap, Group, Modifier

Said = Mapping[str, int | None]  # circumstances that hold, with their number where one was given


@dataclass(frozen=True, slots=True)
class Line:
    """One modifier that was said to hold. *amount* is None where only the card prints it.

    *instead* names what it gave way to; it then counts for nothing.
    """

    word: str
    title: str
    amount: int | None
    cite: str
    value: int | None = None
    group: str | None = None
    instead: str | None = None

    @property
    def counts(self) -> bool:
        """Whether it is part of the sum."""
        return self.instead is None


@dataclass(frozen=True, slots=True)
class Sum:
    """All modifiers of one kind: those against the attacker first, then those for him.

    *net* is what they come to before the limit, *total* after it. Both leave out what is *unread*.
    """

    lines: tuple[Line, ...]
    net: int
    total: int
    cap: Cap | None = None
    cap_lifted: bool = False

    @property
    def unread(self) -> tuple[Line, ...]:
        """The modifiers that only the card tells."""
        return tuple(line for line in self.lines if line.counts and line.amount is None)

    @property
    def against(self) -> int:
        """All that favours the defender, as a negative number."""
        return sum(min(line.amount or 0, 0) for line in self.lines if line.counts)

    @property
    def in_favour(self) -> int:
        """All that favours the attacker."""
        return self.net - self.against

    @property
    def is_capped(self) -> bool:
        """Whether the limit changed the sum."""
        return self.net != self.total


def add_up(
    modifiers: Mapping[str, Modifier],
    said: Said,
    *,
    groups: Mapping[str, Group],
    cap: Cap | None,
    procedure: str | None = None,
) -> Sum:
    """Return what the modifiers that hold come to.

    Raises:
        RulesError: one of them needs a number that nobody gave, or its table has none for it.
    """
    lines = tuple(
        _line(word, one, said)
        for word, one in modifiers.items()
        if word in said and _is_for(one, procedure)
    )
    lines = tuple(_given_way(line, modifiers[line.word], said) for line in lines)
    for name, group in groups.items():
        lines = _one_of(lines, name, group)
    net = sum(line.amount or 0 for line in lines if line.counts)
    total, lifted = _capped(net, cap, said)
    return Sum(lines, net, total, cap, lifted)


def _is_for(one: Modifier, procedure: str | None) -> bool:
    return not one.procedures or procedure is None or procedure in one.procedures


def _line(word: str, one: Modifier, said: Said) -> Line:
    value = said[word]
    amount = one.amount
    if one.each and amount is not None:
        amount *= 1 if value is None else value
    if one.valued and one.by_value is not None:
        if value is None:
            raise RulesError(f"'{word}' needs a number: --with {word}=N")
        span = span_of(tuple(one.by_value), value)
        if span is None:
            known = ", ".join(one.by_value)
            raise RulesError(f"'{word}' is told for {known}, not for {value}")
        amount = one.by_value[span]
    return Line(word, one.title, amount, one.cite, value, one.group)


def _given_way(line: Line, one: Modifier, said: Said) -> Line:
    rival = next((word for word in one.unless if word in said), None)
    return line if rival is None else replace(line, instead=rival)


def _one_of(lines: tuple[Line, ...], name: str, group: Group) -> tuple[Line, ...]:
    """Keep one line of a group; where one of them is unread, nobody can tell which it is."""
    rivals = [line for line in lines if line.group == name and line.counts]
    if len(rivals) < 2 or any(line.amount is None for line in rivals):
        return lines
    best = _pick(rivals, group.take)
    return tuple(
        replace(line, instead=best.word) if line in rivals and line is not best else line
        for line in lines
    )


def _pick(rivals: Iterable[Line], take: Literal["lowest", "highest", "strongest"]) -> Line:
    if take == "lowest":
        return min(rivals, key=lambda line: line.amount or 0)
    if take == "highest":
        return max(rivals, key=lambda line: line.amount or 0)
    return max(rivals, key=lambda line: abs(line.amount or 0))


def _capped(net: int, cap: Cap | None, said: Said) -> tuple[int, bool]:
    if cap is None:
        return net, False
    lifted = any(word in said for word in cap.lifted_by)
    plus_off = lifted and cap.lifts in ("plus", "both")
    minus_off = lifted and cap.lifts in ("minus", "both")
    if net > cap.most and not plus_off:
        return cap.most, False
    if net < -cap.most and not minus_off:
        return -cap.most, False
    return net, abs(net) > cap.most
