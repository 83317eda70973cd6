"""Does a pack know all the words its rules use? A slip of the pen must not silence a rule."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mapkit.kinds import ROLES, Group

if TYPE_CHECKING:
    from rules.pack import Pack

_Used = tuple[str, frozenset[str], tuple[str, ...]]  # where, what is known there, what is used
_GROUPS: tuple[Group, ...] = ("terrain", "features", "hexsides", "links")


def unknown_words(pack: "Pack") -> Iterator[str]:
    """Yield a line for every word a rule uses that the pack does not define."""
    for part in (_kinds, _weather, _sight, _zones, _supply, _movement):
        for place, known, words in part(pack):
            for word in words:
                if word not in known:
                    yield f"{place}: the pack has no word '{word}'"


def _ground(pack: "Pack") -> frozenset[str]:
    return pack.words("terrain") | pack.words("features")


def _kinds(pack: "Pack") -> Iterator[_Used]:
    for group in _GROUPS:
        for name, kind in getattr(pack, group).items():
            yield f"{group}.{name}.costs", pack.groups, tuple(kind.costs)
            implied = [word for word in (kind.all_round, kind.bridge) if word]
            sides = (*implied, *kind.crossed_by)
            yield f"{group}.{name}", pack.words("hexsides"), sides
            yield f"{group}.{name}.role", frozenset(ROLES[group]), (kind.role,) if kind.role else ()


def _weather(pack: "Pack") -> Iterator[_Used]:
    for name, weather in pack.weather.items():
        yield f"weather.{name}.ground", _ground(pack), weather.ground
        yield f"weather.{name}.together", frozenset(pack.weather), weather.together
        yield f"weather.{name}.moves", pack.groups, tuple(weather.moves)


def _sight(pack: "Pack") -> Iterator[_Used]:
    if pack.sight is None:
        return
    for name, obstacle in pack.sight.obstacles.items():
        yield f"sight.obstacles.{name}.ground", _ground(pack), obstacle.ground
    for name, side in pack.sight.sides.items():
        yield f"sight.sides.{name}.ground", pack.words("hexsides"), side.ground
    for borrowed in pack.sight.borrowed:
        yield "sight.borrowed", _ground(pack), (*borrowed.ground, *borrowed.neighbour)
    yield "sight.weather", frozenset(pack.weather), tuple(pack.sight.weather)
    for reach in (pack.sight.reach, *pack.sight.weather.values()):
        for limit in reach.limits:
            yield "sight.reach.limits", _ground(pack), limit.ground
    if pack.sight.start is not None:
        start = pack.sight.start
        yield "sight.start", _ground(pack), (*start.anywhere_in, *start.from_point_of)


def _zones(pack: "Pack") -> Iterator[_Used]:
    if pack.zones is None:
        return
    yield "zones.exerted_by", pack.groups, pack.zones.exerted_by
    for name, exclusion in pack.zones.exclusions.items():
        place = f"zones.exclusions.{name}"
        yield f"{place}.into", _ground(pack), exclusion.into
        yield f"{place}.over", pack.words("hexsides"), (*exclusion.over, *exclusion.unless)
        yield f"{place}.weather", frozenset(pack.weather), exclusion.weather
        yield f"{place}.not_for", pack.groups, exclusion.not_for


def _supply(pack: "Pack") -> Iterator[_Used]:
    if pack.supply is None:
        return
    for number, leg in enumerate(pack.supply.legs):
        place = f"supply.legs.{number}"
        yield f"{place}.links", pack.words("links"), leg.links
        yield f"{place}.sides", pack.words("hexsides"), tuple(leg.sides)
        yield f"{place}.not_over", pack.words("hexsides"), leg.not_over
        yield f"{place}.not_through", _ground(pack), leg.not_through
    yield "supply.sources", pack.words("features"), pack.supply.sources.features
    yield "supply.effect.not_for", pack.groups, pack.supply.effect.not_for
    yield "supply.no_influence", pack.groups, pack.supply.no_influence
    if pack.supply.interdiction is not None:
        yield "supply.interdiction.by", pack.groups, pack.supply.interdiction.by


def _movement(pack: "Pack") -> Iterator[_Used]:
    if pack.movement is None:
        return
    yield "movement.sides", pack.words("hexsides"), tuple(pack.movement.sides)
    yield "movement.enter_lone", pack.groups, pack.movement.enter_lone
    for name, side in pack.movement.sides.items():
        yield f"movement.sides.{name}.only", pack.groups, side.only
        yield f"movement.sides.{name}.opened_by", pack.words("hexsides"), side.opened_by
    yield "movement.immobile", pack.groups, tuple(pack.movement.immobile)
    for name, mode in pack.movement.modes.items():
        yield f"movement.modes.{name}.units", pack.groups, mode.units
    if pack.movement.levels is not None:
        yield "movement.levels.not_for", pack.groups, pack.movement.levels.not_for
