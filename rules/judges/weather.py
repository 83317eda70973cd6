"""Where today's weather lies: a kind of weather may be part of it, and cover some hexes only."""

from mapkit.hexes import Hex
from rules.battlefield import Battlefield


def is_weather(field: Battlefield, name: str, weather: str | None) -> bool:
    """Tell whether a kind of weather is part of today's."""
    if weather is None:
        return False
    return name == weather or name in field.pack.weather[weather].together


def lies_on(field: Battlefield, weather: str, hex_: Hex) -> bool:
    """Tell whether a kind of weather lies on a hex for sure; `may_lie_on` tells the doubts."""
    return _lies_on(field, weather, hex_) is True


def may_lie_on(field: Battlefield, weather: str, hex_: Hex) -> bool:
    """Tell whether nobody knows if a kind of weather lies on a hex: its level decides."""
    return _lies_on(field, weather, hex_) is None


def is_high(field: Battlefield, hex_: Hex) -> bool | None:
    """Tell whether a hex is high mountain by its level; None: nobody knows."""
    level, (surely, perhaps) = field.ground[hex_].level, field.high_from
    if perhaps is None:
        return False
    if level is None:
        return None
    if surely is not None:
        return level >= surely
    return None if level >= perhaps else False


def covers(
    field: Battlefield, names: tuple[str, ...], weather: str | None, *hexes: Hex
) -> str | None:
    """Return which of some kinds of weather lies today on one of the hexes, or None."""
    for name in names:
        if is_weather(field, name, weather) and any(lies_on(field, name, one) for one in hexes):
            return name
    return None


def may_cover(
    field: Battlefield, names: tuple[str, ...], weather: str | None, *hexes: Hex
) -> str | None:
    """Return which of some kinds of weather nobody knows to lie on one of the hexes, or None."""
    for name in names:
        if is_weather(field, name, weather) and any(may_lie_on(field, name, one) for one in hexes):
            return name
    return None


def _lies_on(field: Battlefield, weather: str, hex_: Hex) -> bool | None:
    rule, ground = field.pack.weather[weather], field.ground[hex_]
    if rule.ground:
        words = {ground.terrain, *(feature.kind for feature in ground.features)}
        if words.isdisjoint(rule.ground):
            return is_high(field, hex_) if rule.or_high_mountain else False
    elif rule.or_high_mountain and is_high(field, hex_):
        return True
    if rule.level_from is None and rule.level_to is None:
        return True
    if ground.level is None:
        return None
    return (rule.level_from is None or ground.level >= rule.level_from) and (
        rule.level_to is None or ground.level <= rule.level_to
    )
