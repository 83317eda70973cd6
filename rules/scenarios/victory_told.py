"""Conditions of victory in words."""

from mapkit.texts import say
from rules.pack import Pack
from rules.schema.victory import Condition, Controls, ControlsMost, Points


def told_condition(condition: Condition, pack: Pack) -> str:
    """Return a condition in words."""
    values = condition.model_dump(exclude={"kind", "hexes", "counts", "side"})
    if side := getattr(condition, "side", None):
        values["side"] = pack.sides[side].title
    if hexes := getattr(condition, "hexes", ()):
        values["hexes"] = ", ".join(hexes)
    if isinstance(condition, ControlsMost) and condition.counts:
        values["hexes"] += "".join(f"; {hex_} ×{n}" for hex_, n in condition.counts.items())
    return say(f"rules.victory.{_key(condition)}", **values)


def _key(condition: Condition) -> str:
    match condition:
        case Controls(at_least=None):
            return "controls_all"
        case Points(at_most=None):
            return "points_at_least"
        case Points(at_least=None):
            return "points_at_most"
    return condition.kind
