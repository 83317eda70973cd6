"""Zones of control: which hexes a unit's zone covers, by the game's own exclusions."""

from mapkit.hexes import Hex, Hexside, neighbours
from rules.battlefield import Battlefield
from rules.schema.forces import classes_in
from rules.schema.zones import Exclusion, Zones
from rules.standing import Standing


def has_zone(field: Battlefield, unit: Standing) -> bool:
    """Tell whether a unit exerts a zone; one whose class nobody named is taken to have one."""
    zones = field.pack.zones
    if zones is None:
        return False
    return not unit.class_ or not classes_of(field, unit).isdisjoint(
        classes_in(zones.exerted_by, field.pack.classes)
    )


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
        if not _is_all(field, unit, exclusion.not_for)
    )


def _shuts_out(
    field: Battlefield, exclusion: Exclusion, unit: Standing, hex_: Hex, weather: str | None
) -> bool:
    ground = field.ground[hex_]
    in_hex = [(feature.kind, field.owner(feature)) for feature in ground.features]
    if _blocks(exclusion, exclusion.into, [(ground.terrain, None), *in_hex], unit.side):
        return True
    side = field.ground.hexsides.get(Hexside.between(unit.hex, hex_), ())
    on_side = [(one.kind, field.owner(one)) for one in side if one.state != "blown"]
    opened = any(kind in exclusion.unless for kind, _ in on_side)
    if _blocks(exclusion, exclusion.over, on_side, unit.side) and not opened:
        return True
    return any(
        lies_on(field, name, one)
        for name in exclusion.weather
        if is_weather(field, name, weather)
        for one in (unit.hex, hex_)
    )


def _blocks(
    exclusion: Exclusion, words: tuple[str, ...], here: list[tuple[str, str | None]], side: str
) -> bool:
    """Whether one of the words is here, and of an enemy where that is asked for."""
    owners = [owner for kind, owner in here if kind in words]
    if not exclusion.enemy_owned:
        return bool(owners)
    return any(owner is not None and owner != side for owner in owners)


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


def _is_high(field: Battlefield, hex_: Hex) -> bool:
    """Tell whether a hex is high mountain by its level, where that level is known."""
    level, levels = field.ground[hex_].level, field.pack.levels
    lowest = None if levels is None else levels.high_mountain
    return lowest is not None and level is not None and level >= lowest


def classes_of(field: Battlefield, unit: Standing) -> frozenset[str]:
    """Return the classes a unit may be of: a player may name a group of them."""
    return classes_in((unit.class_,), field.pack.classes)


def _is_all(field: Battlefield, unit: Standing, groups: tuple[str, ...]) -> bool:
    """Whether a unit belongs to some groups whichever of its classes it is."""
    found = classes_of(field, unit)
    return bool(found) and found <= classes_in(groups, field.pack.classes)
