"""Zones of control: which hexes a unit's zone covers, by the game's own exclusions."""

from mapkit.hexes import Hex, Hexside, neighbours
from rules.battlefield import Battlefield
from rules.position import Standing
from rules.schema.forces import classes_in
from rules.schema.zones import Exclusion, Zones


def has_zone(field: Battlefield, unit: Standing) -> bool:
    """Tell whether a unit exerts a zone; one whose class nobody named is taken to have one."""
    zones = field.pack.zones
    if zones is None:
        return False
    return not unit.class_ or unit.class_ in _members(field, zones.exerted_by)


def zone_of(field: Battlefield, unit: Standing, weather: str | None = None) -> frozenset[Hex]:
    """Return the hexes of a unit's zone; none where it exerts no zone."""
    zones = field.pack.zones
    if zones is None or not has_zone(field, unit):
        return frozenset()
    return frozenset(
        hex_
        for hex_ in neighbours(unit.hex)
        if hex_ in field.map and not _excluded(field, zones, unit, hex_, weather)
    )


def _excluded(
    field: Battlefield, zones: Zones, unit: Standing, hex_: Hex, weather: str | None
) -> bool:
    return any(
        _shuts_out(field, exclusion, unit, hex_, weather)
        for exclusion in zones.exclusions.values()
        if not (unit.class_ and unit.class_ in _members(field, exclusion.not_for))
    )


def _shuts_out(
    field: Battlefield, exclusion: Exclusion, unit: Standing, hex_: Hex, weather: str | None
) -> bool:
    ground = field.ground[hex_]
    in_hex = {feature.kind: field.owner(feature) for feature in ground.features}
    in_hex.setdefault(ground.terrain, None)
    if _blocks(exclusion, exclusion.into, in_hex, unit.side):
        return True
    side = field.ground.hexsides.get(Hexside.between(unit.hex, hex_), ())
    on_side = {feature.kind: field.owner(feature) for feature in side if feature.state != "blown"}
    opened = not on_side.keys().isdisjoint(exclusion.unless)
    if _blocks(exclusion, exclusion.over, on_side, unit.side) and not opened:
        return True
    return any(
        lies_on(field, name, one)
        for name in exclusion.weather
        if is_weather(field, name, weather)
        for one in (unit.hex, hex_)
    )


def _blocks(
    exclusion: Exclusion, words: tuple[str, ...], here: dict[str, str | None], side: str
) -> bool:
    """Whether one of the words is here, and of an enemy where that is asked for."""
    found = [here[word] for word in words if word in here]
    if not exclusion.enemy_owned:
        return bool(found)
    return any(owner is not None and owner != side for owner in found)


def is_weather(field: Battlefield, name: str, weather: str | None) -> bool:
    """Tell whether a kind of weather is part of today's."""
    if weather is None:
        return False
    return name == weather or name in field.pack.weather[weather].together


def lies_on(field: Battlefield, weather: str, hex_: Hex) -> bool:
    """Tell whether a kind of weather lies on a hex; an unknown level is not covered."""
    rule, ground = field.pack.weather[weather], field.ground[hex_]
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


def _members(field: Battlefield, groups: tuple[str, ...]) -> frozenset[str]:
    """Classes of some groups, and the groups themselves: a player may name either."""
    return classes_in(groups, field.pack.classes) | set(groups)
