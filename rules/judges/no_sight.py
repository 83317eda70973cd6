"""Sight in a game without a rule of it: none at all, or one that our sources lack."""

from mapkit.hexes import Hex, distance
from rules.battlefield import Battlefield
from rules.judges.raised import told_raised
from rules.ruling import Reason, Ruling


def rule_without_sight(field: Battlefield, weather: str | None, a: Hex, b: Hex) -> Ruling:
    """Return what can be told all the same: that it is too dark, how high an end counts."""
    pack = field.pack
    working = {"from": field.label(a), "to": field.label(b)}
    if "sight" in pack.no_rule:
        cite = pack.no_rule["sight"]
        reason = Reason("rules.sight.no_rule", {"game": pack.title}, cite)
        return Ruling("sight", "no_rule", (reason,), (cite,), working)
    today = pack.weather.get(weather or "")
    far = distance(a, b)
    if today is not None and today.sees_to is not None and far > today.sees_to:
        ends: dict[str, str | int] = {"a": field.label(a), "b": field.label(b)}
        range_: dict[str, str | int] = {"n": far, "range": today.sees_to}
        told = (
            Reason("rules.sight.out_of_range", ends, today.cite),
            Reason("rules.sight.range", range_, today.cite),
        )
        return Ruling("sight", "out_of_range", told, (today.cite,), working)
    reason = Reason("rules.sight.not_in_sources", {"game": pack.title})
    raised = tuple(told_raised(field, (a, b)))
    cites = tuple(dict.fromkeys(one.cite for one in raised))
    about = pack.assumptions_about("levels.raised") if raised else ()
    return Ruling("sight", "unknown", (reason, *raised), cites, working, about, missing=(reason,))
