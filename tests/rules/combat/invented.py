"""Invented tables and packs for the tests of combat: no figure here is of any printed game."""

from rules.owner import OwnerFile, pack_with_owner
from rules.schema.tables import Table

COLUMNS = ("1:2", "1:1.75", "1:1", "2:1", "3.5:1", "5:1")
ROWS = {
    "1": ("1D1R | -", "1D1R | -", "D1R | -", "D1 | -", "- | -", "- | D1"),
    "2": ("1D1R | -", "D1R | -", "D1 | -", "- | -", "- | D1", "- | D1R"),
    "3": ("D1R | -", "D1 | -", "- | -", "- | D1", "- | D1R", "- | 1D1R"),
    "4": ("D1 | -", "- | -", "- | D1", "- | D1R", "- | 1D1R", "- | 1D2R"),
    "5": ("- | -", "- | D1", "- | D1R", "- | 1D1R", "- | 1D2R", "- | 2D2R"),
    "6": ("- | D1", "- | D1R", "- | 1D1R", "- | 1D2R", "- | 2D2R", "- | 2D3R"),
}
FIRE_COLUMNS = ("1", "2-3", "4-6", "7+")
FIRE_ROWS = {
    "1-2": ("-", "-", "*", "D1"),
    "3-4": ("-", "*", "D1", "1D1"),
    "5": ("*", "D1", "1D1", "1D2T"),
    "6": ("D1", "1D1", "1D2T", "2D2T"),
}
ENTERED = {
    "tables.assault.columns": list(COLUMNS),
    "tables.assault.rows": {row: list(cells) for row, cells in ROWS.items()},
    "tables.assault.shifts.woods.amount": -1,
    "tables.assault.shifts.trench.by_value": {"1": -1, "2": -2, "3": -3},
    "tables.assault.shifts.attacker_morale.by_value": {"<=9": 0},
    "tables.assault.shifts.defender_morale.by_value": {"<=9": 0},
    "tables.fire.columns": list(FIRE_COLUMNS),
    "tables.fire.rows": {row: list(cells) for row, cells in FIRE_ROWS.items()},
    "tables.fire.shifts.woods.amount": -1,
}


def entered(game="strafexpedition", values=ENTERED, **assumptions):
    """Return the pack of a game with the invented tables entered by its owner."""
    answers = {name.replace("_", "-"): answer for name, answer in assumptions.items()}
    return pack_with_owner(game, OwnerFile("mine", game, answers, values))


def ratio_table(columns, **more):
    """Return a table of ratios without cells of interest."""
    given = {
        "title": "A table",
        "card": "a card",
        "die": "1d6",
        "kind": "ratio",
        "columns": columns,
        "beyond": "whole_ratios",
        "cite": "1.0",
    }
    return Table.model_validate(given | more)
