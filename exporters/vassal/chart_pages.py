"""What the charts of a module say: the game's tables as pages of grids and notes, not yet drawn.

Only what the pack, or the owner's file, holds is shown as a value. What they lack is told with the
place where the game prints it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mapkit.kinds import Group
from mapkit.texts import say
from rules.errors import RulesError
from rules.pack import KindEntry, Pack
from rules.scenarios.scenario_files import Scenario, scenarios_of
from rules.scenarios.scenario_words import told_turn
from rules.scenarios.sequences import Asked, Line, checklist, find_sequence
from rules.schema.tables import Check, Modifier, Table
from rules.spoken import spoken

_UNKNOWN = "?"
_GROUND: tuple[Group, ...] = ("terrain", "features", "hexsides", "links")


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows under a heading; where *cells* is set all but the first column are narrow and alike."""

    heading: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    cells: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """A line of words; *lacking* tells that it stands for something we do not have."""

    words: str
    lacking: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """One chart: under which tab, its title, and what stands on it."""

    tab: str
    title: str
    blocks: tuple[Grid | Note, ...]


def chart_pages(pack: Pack) -> tuple[Page, ...]:
    """Return the pages of a game, in the order of their tabs."""
    return (
        *(_table_page(pack, table) for table in pack.tables.values()),
        *_checks_page(pack),
        *_events_pages(pack),
        *_ground_page(pack),
        *_sequence_page(pack),
        *(_calendar_page(pack, one) for one in scenarios_of(pack).scenarios),
        *_missing_page(pack),
    )


def _table_page(pack: Pack, table: Table) -> Page:
    rule = f"{table.die or _UNKNOWN} · {table.cite}" if table.rolled else table.cite
    blocks: list[Grid | Note] = [Note(rule)]
    if table.rows is not None and (table.columns is not None or table.kind == "single"):
        header = (say("exporters.vassal.chart.roll"), *(table.columns or ("",)))
        rows = tuple((name, *cells) for name, cells in table.rows.items())
        blocks.append(Grid("", header, rows, cells=True))
    else:
        card = spoken(pack, table.card)
        blocks.append(Note(say("exporters.vassal.chart.printed", where=card), lacking=True))
        if table.known is not None:
            columns = ", ".join(table.known.columns)
            words = say("exporters.vassal.chart.known", columns=columns, cite=table.known.cite)
            blocks.append(Note(words))
    blocks += _modifiers(pack, "shifts", table.shifts)
    blocks += _modifiers(pack, "drms", table.drms)
    blocks += _results(pack, table)
    return Page(say("exporters.vassal.chart.tables"), spoken(pack, table.title), tuple(blocks))


def _modifiers(pack: Pack, heading: str, given: Mapping[str, Modifier]) -> Iterator[Grid]:
    if given:
        rows = tuple(
            (spoken(pack, one.title), told_amount(one), one.cite) for one in given.values()
        )
        yield Grid(
            say(f"exporters.vassal.chart.{heading}"), _header("what", "amount", "rule"), rows
        )


def told_amount(one: Modifier) -> str:
    """Return what a modifier comes to; a question mark where only the card prints it."""
    if one.by_value:
        return ", ".join(f"{span}: {amount:+d}" for span, amount in one.by_value.items())
    if one.amount is None:
        return _UNKNOWN
    return (
        say("exporters.vassal.chart.each", n=f"{one.amount:+d}") if one.each else f"{one.amount:+d}"
    )


def _results(pack: Pack, table: Table) -> Iterator[Grid]:
    grammar = pack.results.get(table.results or "")
    if grammar is not None and grammar.effects:
        rows = tuple((spoken(pack, one.title), one.cite) for one in grammar.effects.values())
        yield Grid(say("exporters.vassal.chart.results"), _header("what", "rule"), rows)


def _checks_page(pack: Pack) -> Iterator[Page]:
    if not pack.checks:
        return
    blocks: list[Grid | Note] = []
    for check in pack.checks.values():
        heading = f"{spoken(pack, check.title)} ({check.die}, {check.cite})"
        rows = (*_outcomes(pack, check), *_check_modifiers(pack, check))
        blocks.append(Grid(heading, _header("roll", "what", "rule"), rows))
    yield Page(
        say("exporters.vassal.chart.tables"), say("exporters.vassal.chart.checks"), tuple(blocks)
    )


def _outcomes(pack: Pack, check: Check) -> Iterator[tuple[str, str, str]]:
    for roll in check.natural:
        yield (
            say("exporters.vassal.chart.natural", roll=roll.on),
            _with_words(pack, roll.result, roll.only_with),
            roll.cite,
        )
    for span, result in check.outcomes.items():
        yield span, spoken(pack, result), check.cite
    rule = check.threshold
    if rule is not None:
        sign = "≤" if rule.passes == "at_most" else "≥"
        named = ", ".join(f"{_plain(pack, word)} {number}" for word, number in rule.by.items())
        number = str(rule.number) if rule.number is not None else named
        number = number or _plain(pack, rule.asks or _UNKNOWN)
        yield f"{sign} {number}", spoken(pack, check.success), rule.cite
        yield say("exporters.vassal.chart.else"), spoken(pack, check.failure), rule.cite


def _check_modifiers(pack: Pack, check: Check) -> Iterator[tuple[str, str, str]]:
    for one in check.drms.values():
        amount = say("exporters.vassal.chart.to_roll", n=told_amount(one))
        yield amount, spoken(pack, one.title), one.cite
    for one in (check.threshold.changes if check.threshold else {}).values():
        amount = say("exporters.vassal.chart.to_number", n=told_amount(one))
        yield amount, spoken(pack, one.title), one.cite


def _with_words(pack: Pack, result: str, only_with: Iterable[str]) -> str:
    words = ", ".join(_plain(pack, word) for word in only_with)
    return f"{words}: {spoken(pack, result)}" if words else spoken(pack, result)


def _events_pages(pack: Pack) -> Iterator[Page]:
    for table in pack.events.tables.values() if pack.events else ():
        found = (
            [(span, pack.events.events.get(word)) for span, word in table.rows.items()]
            if pack.events
            else []
        )
        rows = tuple(
            (span, spoken(pack, one.title), one.says, one.cite) for span, one in found if one
        )
        header = _header("roll", "event", "what", "rule")
        blocks = (Note(f"{table.die} · {table.cite}"), Grid("", header, rows))
        more = tuple(_modifiers(pack, "drms", table.drms))
        title = spoken(pack, table.title)
        yield Page(say("exporters.vassal.chart.tables"), title, (*blocks, *more))


def _ground_page(pack: Pack) -> Iterator[Page]:
    blocks: list[Grid | Note] = []
    for group in _GROUND:
        kinds: Mapping[str, KindEntry] = getattr(pack, group)
        if kinds:
            rows = tuple(
                (_plain(pack, word), _told_costs(pack, kind), kind.cite)
                for word, kind in kinds.items()
            )
            heading = say(f"exporters.vassal.chart.{group}")
            blocks.append(Grid(heading, _header("what", "costs", "rule"), rows))
    blocks += [Note(words, lacking=True) for words in _lacking(pack, _GROUND)]
    if blocks:
        title = say("exporters.vassal.chart.ground")
        yield Page(title, title, tuple(blocks))


def _told_costs(pack: Pack, kind: KindEntry) -> str:
    told = []
    for units, cost in kind.costs.items():
        named = {"never": "never", "whole": "whole"}.get(str(cost))
        words = say(f"exporters.vassal.chart.{named}") if named else str(cost)
        told.append(f"{_plain(pack, units)} {words}")
    return ", ".join(told) or _UNKNOWN


def _lacking(pack: Pack, parts: Iterable[str]) -> Iterator[str]:
    """Yield what our sources lack of some parts of the pack, and where it is printed."""
    below = tuple(f"{part}." for part in parts)
    for one in pack.missing.values():
        if any(key in parts or key.startswith(below) for key in one.keys):
            yield _told_missing(one.what, one.printed_on)


def _sequence_page(pack: Pack) -> Iterator[Page]:
    try:
        lines = checklist(find_sequence(pack.id), pack, Asked())
    except RulesError:
        return
    rows = tuple((line.id, _told_line(line), line.cite) for line in lines)
    grid = Grid("", _header("part", "what", "rule"), rows)
    tab = say("exporters.vassal.turn")
    yield Page(tab, say("exporters.vassal.chart.sequence"), (grid,))


def _told_line(line: Line) -> str:
    who = f" – {', '.join(line.who)}" if line.who else ""
    notes = "".join(f"; {note}" for note in line.only)
    return f"{line.text}{who}{notes}"


def _calendar_page(pack: Pack, scenario: Scenario) -> Page:
    rows = []
    for turn in scenario.file.turns.numbers:
        weather = scenario.file.weather.on(turn)
        told = _UNKNOWN if weather is None else spoken(pack, pack.weather[weather].title, "weather")
        rows.append((told_turn(scenario, turn), told))
    grid = Grid("", _header("turn", "weather"), tuple(rows))
    cite = Note(scenario.file.cite)
    return Page(say("exporters.vassal.turn"), spoken(pack, scenario.file.title), (cite, grid))


def _missing_page(pack: Pack) -> Iterator[Page]:
    title = say("exporters.vassal.chart.missing")
    rows = tuple((one.what, one.printed_on) for one in pack.missing.values())
    if rows:
        yield Page(title, title, (Grid("", _header("what", "where"), rows),))


def _told_missing(what: str, where: str) -> str:
    return f"{what}. {say('exporters.vassal.chart.printed', where=where)}"


def _header(*words: str) -> tuple[str, ...]:
    return tuple(say(f"exporters.vassal.chart.{word}") for word in words)


def _plain(pack: Pack, word: str) -> str:
    return spoken(pack, word.replace("_", " "))
