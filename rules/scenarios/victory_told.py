"""Conditions of victory in words."""

from mapkit.texts import say
from rules.pack import Pack
from rules.schema.victory import Condition, Controls, ControlsMost, Observed, Points, Recorded


def told_condition(condition: Condition, pack: Pack) -> str:
    """Return a condition in words."""
    if isinstance(condition, Observed):
        return f"{pack.sides[condition.side].title}: {told_observed(condition)}"
    values = condition.model_dump(exclude={"kind", "hexes", "counts", "side"})
    if side := getattr(condition, "side", None):
        values["side"] = pack.sides[side].title
    if hexes := getattr(condition, "hexes", ()):
        values["hexes"] = ", ".join(hexes)
    if isinstance(condition, Controls | ControlsMost) and condition.counts:
        values["hexes"] += "".join(f"; {hex_} ×{n}" for hex_, n in condition.counts.items())
    return say(f"rules.victory.{_key(condition)}", **values)


def told_observed(condition: Observed) -> str:
    """Return in words what is to be seen on the map, without whose it is."""
    if isinstance(condition, Recorded):
        return condition.says
    hexes = ", ".join(getattr(condition, "hexes", ()))
    place = getattr(condition, "name", getattr(condition, "part", ""))
    return say(f"rules.victory.{condition.kind}", place=hexes or place)


def _key(condition: Condition) -> str:
    match condition:
        case Controls(at_least=None):
            return "controls_all"
        case Points(at_most=None):
            return "points_at_least"
        case Points(at_least=None):
            return "points_at_most"
    return condition.kind
