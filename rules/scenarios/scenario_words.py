"""What set-up sheets and calendars share: dates, limits, and units with their places in words."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Literal, TypeVar

from mapkit.texts import say
from rules.scenarios.deployment import Deployed
from rules.scenarios.placements import told_area, told_placement
from rules.scenarios.scenario_files import Scenario, Scenarios
from rules.schema.placement import InHexes
from rules.schema.scenario import Moment, Restriction, Withdrawal
from rules.spoken import told_open_point

By = Literal["hex", "formation"]

_Key = TypeVar("_Key")


def told_moment(moment: Moment) -> str:
    """Return a date as players say it: May 16, October 24 in the morning."""
    month = say(f"rules.calendar.month_{moment.date.month}")
    told = say("rules.calendar.date", month=month, day=moment.date.day)
    if moment.part:
        told = say(f"rules.calendar.{moment.part}", date=told)
    if moment.hour is not None:
        told = say("rules.calendar.hour", date=told, hour=moment.hour)
    return told


def told_turn(scenario: Scenario, turn: int) -> str:
    """Return a turn by number and date, with the number that the game prints if it differs."""
    turns = scenario.file.turns
    printed = turns.printed(turn)
    number = say("rules.calendar.turn", turn=turn)
    if printed is not None:
        number = say("rules.calendar.turn_printed", turn=turn, printed=printed)
    return f"{number}, {told_moment(turns.moment(turn))}"


def told_assumptions(scenarios: Scenarios, names: Iterable[str]) -> Iterator[str]:
    """Yield open questions, each with the answer that holds."""
    for name in names:
        question, answer = told_open_point(scenarios.pack, name)
        yield say("rules.ruling.assumes", question=question, answer=answer)


def told_withdrawal(one: Withdrawal, scenario: Scenario, scenarios: Scenarios) -> str:
    """Return who leaves, in words: a unit by name, or so many of a class."""
    if one.unit is not None:
        names = {row.unit.id: row.unit.name for row in scenario.deployed}
        return names.get(one.unit, one.unit)
    nation = f" ({one.nationality.replace('_', ' ')})" if one.nationality else ""
    return f"{one.n} × {told_group(one.who or '', scenarios)}{nation}"


def told_restriction(one: Restriction, scenarios: Scenarios) -> str:
    """Return a restriction in words, with its turns."""
    whom = [scenarios.pack.sides[one.side].title]
    whom += [told_group(group, scenarios) for group in one.groups]
    whom += [scenarios.formations[name].title for name in one.formations]
    if one.corps:
        whom.append(say("rules.restriction.corps", corps=one.corps))
    if one.area:
        whom.append(say("rules.placement.area", area=told_area(one.area)))
    what = [say(f"rules.restriction.{word}") for word in one.forbids]
    if one.against_area:
        what.append(say("rules.restriction.against", area=told_area(one.against_area)))
    if one.except_corps:
        what.append(say("rules.restriction.except_corps", corps=one.except_corps))
    if one.last is None:
        when = say("rules.restriction.always")
    elif one.first == one.last:
        when = say("rules.calendar.turn", turn=one.first)
    else:
        when = say("rules.restriction.turns", first=one.first, last=one.last)
    if one.ends_when:
        when += f", {say('rules.restriction.ends_when', what=one.ends_when)}"
    told = say("rules.restriction.may_not", who=", ".join(whom), what=", ".join(what), when=when)
    return f"{told} [{one.cite}]"


def told_missing(scenarios: Scenarios, scenario: Scenario) -> Iterator[str]:
    """Yield what our sources lack of a scenario, and where it is printed."""
    for part, name in scenario.file.missing.items():
        entry = scenarios.pack.missing[name]
        yield say("rules.scenario.missing", part=part, what=entry.what, where=entry.printed_on)


def told_units(
    scenarios: Scenarios, scenario: Scenario, units: Iterable[Deployed], by: By
) -> Iterator[str]:
    """Yield units grouped by formation or by place, those that share all in one line."""
    if by == "hex":
        groups = _grouped(units, lambda one: one.placement)
        for name, group in sorted(groups.items(), key=lambda item: _place_order(scenario, item[0])):
            yield told_place(scenarios, scenario, name)
            for belongs, members in _grouped(group, _belongs).items():
                for line in _told_members(members, scenarios):
                    yield f"  {_formation(scenarios, *belongs)}: {line}"
    else:
        for belongs, group in _grouped(units, _belongs).items():
            yield _formation(scenarios, *belongs)
            for name, members in _grouped(group, lambda one: one.placement).items():
                place = told_place(scenarios, scenario, name)
                yield from (f"  {line} – {place}" for line in _told_members(members, scenarios))


def told_place(scenarios: Scenarios, scenario: Scenario, name: str) -> str:
    """Return one of a scenario's placements in words."""
    units = {one.unit.id: one.unit for one in scenario.deployed}
    return told_placement(scenario.placements[name], scenarios.pack, units, scenarios.formations)


def _place_order(scenario: Scenario, name: str) -> tuple[bool, str]:
    """Single hexes first, by number; then all other places as the scenario lists them."""
    placement = scenario.placements[name]
    first = placement.all_of[0]
    fixed = isinstance(first, InHexes) and len(placement.all_of) == 1
    return (not fixed, first.hexes[0] if isinstance(first, InHexes) else "")


def _belongs(one: Deployed) -> tuple[str, str]:
    """Return the formation of a unit; of an independent one, its class."""
    return (one.unit.formation, "" if one.unit.formation else one.unit.class_)


def _formation(scenarios: Scenarios, formation: str, class_: str) -> str:
    if not formation:
        return told_group(class_, scenarios)
    one = scenarios.formations[formation]
    corps = say("rules.restriction.corps", corps=one.corps) if one.corps else ""
    return ", ".join(filter(None, (one.title, corps)))


def told_group(name: str, scenarios: Scenarios) -> str:
    """Return the title of a class; groups of classes have none but their word."""
    classes = scenarios.pack.classes
    return classes[name].title if name in classes else name


def _told_members(members: list[Deployed], scenarios: Scenarios) -> Iterator[str]:
    """Yield the names of units, those in the same state in one line."""
    for (states, note), group in _grouped(members, lambda one: (one.statuses, one.note)).items():
        told = [scenarios.pack.statuses[one.kind].told(one.n) for one in states]
        told += [note] if note else []
        names = ", ".join(in_runs([one.unit.name for one in group]))
        yield f"{names} – {'; '.join(told)}" if told else names


def in_runs(names: list[str]) -> Iterator[str]:
    """Yield names; three or more that only count on are one.

    >>> list(in_runs(["Field gun 1", "Field gun 2", "Field gun 3", "6", "7", "8"]))
    ['Field gun 1–3', '6', '7', '8']
    """

    def run(item: tuple[int, str]) -> tuple[str, int]:
        at, name = item
        stem, _, number = name.rpartition(" ")
        counts_on = bool(stem) and number.isascii() and number.isdigit()
        return (stem, int(number) - at) if counts_on else (name, at)

    for _, group in groupby(enumerate(names), key=run):
        members = [name for _, name in group]
        if len(members) >= 3:
            yield f"{members[0]}–{members[-1].rpartition(' ')[2]}"
        else:
            yield from members


def _grouped(
    units: Iterable[Deployed], key: Callable[[Deployed], _Key]
) -> dict[_Key, list[Deployed]]:
    found: dict[_Key, list[Deployed]] = {}
    for one in units:
        found.setdefault(key(one), []).append(one)
    return found
