"""The tables of a game listed: what is entered, and what is printed on which card."""

from typing import Any

from mapkit.texts import say
from rules.pack import Pack


def told_tables(pack: Pack) -> str:
    """Return the list of all tables as text."""
    rows = tables_data(pack)
    if not rows:
        return say("rules.combat.no_tables", game=pack.title)
    width = max(len(row["name"]) for row in rows)
    lines = [say("rules.combat.tables_of", game=pack.title)]
    for row in rows:
        state = say("rules.combat.entered")
        if not row["entered"]:
            state = say("rules.combat.on_card", card=row["card"])
        lines.append(f"  {row['name'].ljust(width)}  {row['title']} [{row['cite']}]: {state}")
    return "\n".join(lines)


def tables_data(pack: Pack) -> list[dict[str, Any]]:
    """Return all tables, checks, tables of events and cups as JSON-able data."""
    rows = [
        _row(name, "table", table.title, table.cite, table.card, entered=table.is_complete)
        for name, table in pack.tables.items()
    ]
    rows += [
        _row(name, "check", check.title, check.cite, "", entered=True)
        for name, check in pack.checks.items()
    ]
    rows += [
        _row(name, "events", table.title, table.cite, "", entered=True)
        for name, table in (pack.events.tables if pack.events else {}).items()
    ]
    rows += [
        _row(name, "cup", cup.title, cup.cite, "", entered=True)
        for name, cup in (pack.events.cups if pack.events else {}).items()
    ]
    return rows


def _row(
    name: str, kind: str, title: str, cite: str, card: str, *, entered: bool
) -> dict[str, Any]:
    told = {"name": name.replace("_", "-"), "kind": kind, "title": title, "cite": cite}
    return {**told, "card": card, "entered": entered}
