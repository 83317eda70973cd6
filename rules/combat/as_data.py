"""Combats and look-ups as JSON-able data: exact numbers as text, in the order they came up."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rules.combat.columns import Between, Column
from rules.combat.look_up import LookUp, expected, settled_odds
from rules.combat.modifiers import Sum
from rules.combat.odds import Face, odds, told_fraction
from rules.combat.strengths import Strength
from rules.pack import Pack


def look_up_data(pack: Pack, found: LookUp) -> dict[str, Any]:
    """Return a look-up as JSON-able data: every number in its order."""
    data: dict[str, Any] = {
        "table": found.table.title,
        "card": found.table.card,
        "column_before": _column_data(found.start),
        "shifts": sum_data(found.shifts),
        "column": found.used,
        "column_after": _column_data(found.final),
        "drms": sum_data(found.drms),
    }
    if found.automatic is not None:
        data["automatic"] = {"result": found.automatic.result, "on": found.automatic.on}
    if found.cell is not None:
        data["cell"] = found.cell
    if found.faces is not None and found.table.die is not None:
        data |= faces_data(found.table.die, found.faces)
        settled = settled_odds(pack, found.table, found.faces)
        if settled != odds(found.faces):
            data["odds_after_rerolls"] = odds_data(settled, found.table.die)
        means = expected(pack, found.table, settled)
        data["expected"] = {name: str(mean) for name, mean in means.items()}
    return data


def faces_data(die: str, shown: tuple[Face, ...]) -> dict[str, Any]:
    """Return what every face brings, and the odds."""
    return {
        "die": die,
        "faces": [
            {
                "roll": face.rolled,
                "modified": face.modified,
                "result": face.result,
                "chance": told_fraction(face.chance, die),
            }
            for face in shown
        ],
        "odds": odds_data(odds(shown), die),
    }


def odds_data(chances: Mapping[str, Fraction], die: str) -> dict[str, str]:
    """Return odds as fractions in words: 7/36."""
    return {result: told_fraction(chance, die) for result, chance in chances.items()}


def sum_data(modifiers: Sum) -> dict[str, Any]:
    """Return modifiers as data."""
    return {
        "lines": [
            {
                "word": line.word,
                "title": line.title,
                "amount": line.amount,
                "cite": line.cite,
                "counts": line.counts and line.amount is not None,
                **({"instead": line.instead} if line.instead else {}),
            }
            for line in modifiers.lines
        ],
        "against": modifiers.against,
        "in_favour": modifiers.in_favour,
        "net": modifiers.net,
        "total": modifiers.total,
        "to_read": [line.word for line in modifiers.unread],
    }


def _column_data(column: Column | Between | None) -> dict[str, Any] | None:
    if column is None:
        return None
    if isinstance(column, Between):
        return {"between": [column.low, column.high]}
    return {"name": column.name, "from": column.anchor, "offset": column.offset}


def strength_data(side: Strength) -> dict[str, Any]:
    """Return a strength with every change in its order."""
    return {
        "terms": [
            {
                "term": term.name,
                "given": str(term.given),
                "steps": [
                    {
                        "what": step.title or step.kind,
                        "becomes": str(step.becomes),
                        "cite": step.cite,
                    }
                    for step in term.steps
                ],
                "counts": str(term.counts),
            }
            for term in side.terms
        ],
        "total": str(side.total),
    }
