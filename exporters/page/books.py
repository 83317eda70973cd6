"""The paper beside the map: the turn as a checklist, the tables, the rules in our own words."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from exporters.page.phrases import Phrases
from mapkit.texts import LANGUAGES, language, speaking
from rules.errors import PackError
from rules.lookup.at_hand import tags_of
from rules.lookup.rulebook import Rulebook, load_rulebook
from rules.pack import Pack
from rules.registry import pack_folder
from rules.scenarios.sequences import Asked, checklist, load_sequence
from rules.schema.tables import Check, Modifier
from rules.spoken import spoken

Data = dict[str, Any]


def books_data(pack: Pack | None, phrases: Phrases) -> Data:
    """Return turn, tables and rules of a game; all empty without one."""
    if pack is None:
        return {"turn": [], "tables": [], "rules": [], "synonyms": []}
    rulebook = _rulebook(pack)
    return {
        "turn": list(_turn(pack, phrases)),
        "tables": [*_tables(pack, phrases), *_checks(pack, phrases), *_events(pack, phrases)],
        "rules": _rules(rulebook),
        "synonyms": _synonyms(rulebook),
    }


def _rulebook(pack: Pack) -> Rulebook:
    try:
        return load_rulebook(pack_folder(pack.id))
    except PackError:
        return Rulebook()


def _turn(pack: Pack, phrases: Phrases) -> Iterator[Data]:
    try:
        sequence = load_sequence(pack_folder(pack.id), pack)
    except PackError:
        return
    if sequence is None:
        return
    spoken_lines = []
    for tongue in LANGUAGES:
        with speaking(tongue):
            spoken_lines.append(checklist(sequence, pack, Asked()))
    for lines in zip(*spoken_lines, strict=True):
        one = lines[0]
        said = dict(zip(LANGUAGES, lines, strict=True))
        yield {
            "depth": one.depth,
            "id": one.id,
            "text": _word(pack, phrases, one.text),
            "who": phrases.add(partial(_who, pack, said)),
            "only": phrases.add(partial(_only, said)),
            "optional": one.optional,
            "cite": one.cite,
        }


def _who(pack: Pack, said: Data) -> str:
    return ", ".join(spoken(pack, name) for name in said[language()].who)


def _only(said: Data) -> str:
    return "; ".join(said[language()].only)


def _tables(pack: Pack, phrases: Phrases) -> Iterator[Data]:
    for table in pack.tables.values():
        yield {
            "kind": "table",
            "title": _word(pack, phrases, table.title),
            "cite": table.cite,
            "card": "" if table.is_complete else table.card,
            "die": "" if table.die is None else str(table.die),
            "columns": list(table.columns or ()),
            "rows": [[name, *cells] for name, cells in (table.rows or {}).items()],
            "shifts": _modifiers(pack, phrases, table.shifts),
            "drms": _modifiers(pack, phrases, table.drms),
        }


def _checks(pack: Pack, phrases: Phrases) -> Iterator[Data]:
    for check in pack.checks.values():
        yield {
            "kind": "check",
            "title": _word(pack, phrases, check.title),
            "cite": check.cite,
            "card": "",
            "die": str(check.die),
            "columns": [],
            "rows": list(_check_rows(check)),
            "shifts": [],
            "drms": _modifiers(pack, phrases, check.drms),
        }


def _check_rows(check: Check) -> Iterator[list[str]]:
    for span, outcome in check.outcomes.items():
        yield [span, outcome]
    one = check.threshold
    if one is not None:
        sign = "≤" if one.passes == "at_most" else "≥"
        against = [str(one.number)] if one.number is not None else []
        against += [f"{number} ({word})" for word, number in one.by.items()]
        against += [one.asks.replace("_", " ")] if one.asks else []
        yield [f"{sign} {', '.join(against)}", check.success]
        yield ["–", check.failure]


def _events(pack: Pack, phrases: Phrases) -> Iterator[Data]:
    if pack.events is None:
        return
    for table in pack.events.tables.values():
        rows = []
        for span, word in table.rows.items():
            event = pack.events.events[word]
            rows.append([span, f"{event.title}: {event.says}" if event.says else event.title])
        yield {
            "kind": "events",
            "title": _word(pack, phrases, table.title),
            "cite": table.cite,
            "card": "",
            "die": str(table.die),
            "columns": [],
            "rows": rows,
            "shifts": [],
            "drms": _modifiers(pack, phrases, table.drms),
        }


def _modifiers(pack: Pack, phrases: Phrases, modifiers: dict[str, Modifier]) -> list[list[Any]]:
    """Return modifiers: title, amount, rule; "?" where only the card prints the amount."""
    return [[_word(pack, phrases, one.title), _amount(one), one.cite] for one in modifiers.values()]


def _amount(one: Modifier) -> str:
    if one.by_value:
        return ", ".join(f"{span}: {amount:+d}" for span, amount in one.by_value.items())
    if one.amount is None:
        return "?"
    return f"{one.amount:+d} ×" if one.each else f"{one.amount:+d}"


def _rules(book: Rulebook) -> list[Data]:
    """Return our summaries, which are English only, with what they are about."""
    return [
        {
            "id": one.id,
            "number": one.number,
            "title": one.title,
            "summary": one.summary,
            "tags": [tag for _, tags in tags_of(one) for tag in tags],
            "see": list(one.see),
        }
        for one in book.rules
    ]


def _synonyms(book: Rulebook) -> list[list[str]]:
    """Return what players call one thing, in all languages: any of them finds all."""
    return [[word.replace("_", " "), *one.en, *one.de, *one.it] for word, one in book.words.items()]


def _word(pack: Pack, phrases: Phrases, text: str) -> int:
    return phrases.add(lambda: spoken(pack, text))
