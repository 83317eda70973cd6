"""Where today's weather lies: a kind of weather may be part of it, and cover some hexes only."""

from mapkit.hexes import Hex
from rules.battlefield import Battlefield


def is_weather(field: Battlefield, name: str, weather: str | None) -> bool:
    """Tell whether a kind of weather is part of today's."""
    if weather is None:
        return False
    return name == weather or name in field.pack.weather[weather].together


def lies_on(field: Battlefield, weather: str, hex_: Hex) -> bool:
    """Tell whether a kind of weather lies on a hex; an unknown level is not covered."""
    rule, ground = field.pack.weather[weather], field.ground[hex_]
    if rule.or_high_mountain and _is_high(field, hex_):
        return True
    if rule.ground:
        words = {ground.terrain, *(feature.kind for feature in ground.features)}
        if words.isdisjoint(rule.ground):
            return False
    if rule.level_from is None and rule.level_to is None:
        return True
    return ground.level is not None and (
        (rule.level_from is None or ground.level >= rule.level_from)
        and (rule.level_to is None or ground.level <= rule.level_to)
    )


def covers(
    field: Battlefield, names: tuple[str, ...], weather: str | None, *hexes: Hex
) -> str | None:
    """Return which of some kinds of weather lies today on one of the hexes, or None."""
    for name in names:
        if is_weather(field, name, weather) and any(lies_on(field, name, one) for one in hexes):
            return name
    return None


def _is_high(field: Battlefield, hex_: Hex) -> bool:
    """Tell whether a hex is high mountain by its level, where that level is known."""
    level, levels = field.ground[hex_].level, field.pack.levels
    lowest = None if levels is None else levels.high_mountain
    return lowest is not None and level is not None and level >= lowest
