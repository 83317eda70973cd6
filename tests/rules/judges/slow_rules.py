"""The rules of two games a second time, slow and plain: the judge of `rules.judges` in tests.

Written from the rulebooks and not from the packs: what a pack says is on trial here too. Shared
with what it judges are only the map (`HexMap`, in the game's words) and the counters. Each line of
code that decides names its rule: S is Strafexpedition 1916, C is Caporetto 1917.
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from itertools import combinations

from mapkit.hexes import Hex, Hexside, Link, distance, neighbours
from mapkit.model import Feature
from rules.battlefield import Battlefield
from rules.standing import Standing
from tests.mapkit.second_lines import AxialPoint, second_events

Standings = Sequence[Standing]

# Artillery has no zone and HQs have none (S 3.0, C 3.0); nor have flamethrowers (C 3.0).
GUNS = {
    "artillery",
    "mountain_artillery",
    "field_artillery",
    "light_artillery",
    "medium_artillery",
    "heavy_artillery",
    "minenwerfer",
}
WITHOUT_ZONE = GUNS | {"headquarters", "flamethrower", "support"}
MOUNTAIN_TROOPS = {"mountain_infantry", "alpini", "mountain"}
OWNERS = {
    "it": "it",
    "italian": "it",
    "ah": "central",
    "ahg": "central",
    "austro-hungarian": "central",
    "austro_hungarian": "central",
    "german": "central",
}
ROADS = {"road", "trail", "rail"}  # S 3.0 "Railroad", C 10.0.4

ANY_RIVER = frozenset({"river", "isonzo"})


def slow_zone(field: Battlefield, unit: Standing, weather: str | None = None) -> frozenset[Hex]:
    """Return the hexes of a unit's zone of control."""
    if unit.class_ in WITHOUT_ZONE:
        return frozenset()
    reaches = _zone_reaches_s if _is_s(field) else _zone_reaches_c
    return frozenset(near for near in _near(field, unit.hex) if reaches(field, unit, near, weather))


def _zone_reaches_s(field: Battlefield, unit: Standing, near: Hex, _: str | None) -> bool:
    """S 3.0: never into hexes in which the unit cannot move; S 11.0.4: Crags."""
    return unit.class_ in MOUNTAIN_TROOPS or not _has_crags(field, unit.hex, near)


def _zone_reaches_c(field: Battlefield, unit: Standing, near: Hex, weather: str | None) -> bool:
    """C 3.0: not into town, wood or enemy trench, nor over Crags or a river; C 8.1: weather."""
    ground = field.ground.hexes[near]
    on_side = _on_side(field, unit.hex, near)
    if "town" in _kinds(ground.features) or ground.terrain == "woods":
        return False
    if any(_is_enemy_trench(unit, one) for one in (*ground.features, *on_side)):
        return False
    if _has_crags(field, unit.hex, near) or not _river_is_open(field, unit.hex, near):
        return False
    return not (_is_dim(field, unit.hex, weather) or _is_dim(field, near, weather))


def _is_enemy_trench(unit: Standing, feature: Feature) -> bool:
    owner = OWNERS.get(feature.owner.lower())
    return feature.kind == "trench" and owner not in (None, OWNERS[unit.side])


def _is_dim(field: Battlefield, hex_: Hex, weather: str | None) -> bool:
    """C 8.1: fog lies on levels 1 and 2, a blizzard on high mountains; C 24.11: both at once."""
    ground = field.ground.hexes[hex_]
    foggy = weather in ("fog", "first_turn") and ground.level in (1, 2)
    return foggy or (weather in ("blizzard", "first_turn") and ground.terrain == "high_mountain")


def _may_be_dim(field: Battlefield, hex_: Hex, weather: str | None) -> bool:
    """C 24.11: rain lies between levels 2 and high mountain, whose level only the card tells.

    A map that shows high mountain anywhere shows it everywhere.
    """
    if _is_s(field) or weather not in ("blizzard", "first_turn"):
        return False
    shown = any(ground.terrain == "high_mountain" for ground in field.ground.hexes.values())
    return not shown and (field.ground.hexes[hex_].level or 0) >= 4


def slow_supply(
    field: Battlefield,
    side: str,
    friends: Standings,
    enemies: Standings,
    hex_: Hex,
    weather: str | None = None,
) -> str:
    """Return the verdict for a unit of *side* in *hex_*; enemies never stand in that hex."""
    most = 10 if _is_s(field) else 5  # S 10.2, C 9.2
    # HQs have no influence on opposing units (S 11.0.6; C 3.0 "only the area of operations").
    about = [enemy for enemy in enemies if enemy.class_ != "headquarters"]
    held = {enemy.hex for enemy in about}
    zones = {near for enemy in about for near in slow_zone(field, enemy, weather)}
    closed_off_road = held | (zones - {friend.hex for friend in friends})  # S 10.2.2, C 9.2.1
    closed_on_road = held | {near for one in held for near in neighbours(one)}  # the same
    if _is_source(field, side, hex_) and _is_road_hex(field, hex_):
        return "in_supply"  # a line of no length meets nobody
    home = _road_home(field, side, closed_on_road)
    here = {hex_}
    for steps in range(most + 1):
        if here & home:
            return "in_supply"
        here = {
            near
            for one in here
            for near in _near(field, one)
            if near not in closed_off_road
            and (steps == 0 or not _has_crags(field, one, near))  # S 10.2.1, C 9.2.2
            and (_is_s(field) or _river_is_open(field, one, near, {"isonzo"}))  # C 19.1
        }
    # The first hexside of a line may be Crags, on the road too (S 10.2.1, C 9.2.2).
    by_road = {near for near in _near(field, hex_) if _has_road(field, hex_, near)}
    return "in_supply" if by_road & home and hex_ not in closed_on_road else "out_of_supply"


def _road_home(field: Battlefield, side: str, closed: set[Hex]) -> set[Hex]:
    """Return the road hexes from which an open road without Crags leads to a source.

    The first and the last hex of the road are part of it, so they may not be closed either.
    """
    found = {hex_ for hex_ in field.ground.hexes if _is_source(field, side, hex_)}
    found = {hex_ for hex_ in found if _is_road_hex(field, hex_)} - closed
    while True:
        more = {
            near
            for one in found
            for near in _near(field, one)
            if _has_road(field, one, near) and not _has_crags(field, one, near)
        }
        if more - closed <= found:
            return found
        found |= more - closed


def _is_source(field: Battlefield, side: str, hex_: Hex) -> bool:
    """S 10.2.3, C 9.2.3: friendly sources only; one of nobody is taken to serve both sides."""
    return any(
        one.kind == "supply_source" and OWNERS.get(one.owner.lower(), OWNERS[side]) == OWNERS[side]
        for one in field.ground.hexes[hex_].features
    )


def _is_road_hex(field: Battlefield, hex_: Hex) -> bool:
    return any(_is_linked(field, hex_, near) for near in neighbours(hex_))


def _has_road(field: Battlefield, one: Hex, other: Hex) -> bool:
    """Tell whether a line of supply may take a road from hex to hex.

    Never over a footbridge (C 9.2.1); and what is blown is not there, nor its road (C 19.2.2;
    S Scenario 5 has one bridge that may be destroyed).
    """
    bridges = _bridges(field, one, other)
    hindered = any(one.kind == "footbridge" or one.state == "blown" for one in bridges)
    return _is_linked(field, one, other) and not hindered


def slow_culprits(
    field: Battlefield,
    side: str,
    friends: Standings,
    enemies: Standings,
    hex_: Hex,
    weather: str | None = None,
    most: int = 2,
) -> frozenset[frozenset[str]]:
    """Return all smallest sets of enemies without whom the unit is in supply, up to *most*.

    Every set is tried. Nothing is returned where there is none, or none so small.
    """
    for size in range(1, most + 1):
        found = set()
        for gone in combinations(enemies, size):
            rest = [enemy for enemy in enemies if enemy not in gone]
            if slow_supply(field, side, friends, rest, hex_, weather) == "in_supply":
                found.add(frozenset(enemy.name for enemy in gone))
        if found:
            return frozenset(found)
    return frozenset()


def slow_sight(
    field: Battlefield,
    a: Hex,
    b: Hex,
    weather: str | None = None,
    start: AxialPoint | None = None,
) -> str:
    """Return the verdict for an observer in *a* who looks at *b* from *start*, else the centre."""
    high = {hex_: _level(field, hex_) for hex_ in field.ground.hexes}
    if distance(a, b) > _sees_as_far_as(field, high, a, b, weather):
        return "out_of_range"
    doubtful = _may_be_dim(field, a, weather) or _may_be_dim(field, b, weather)
    if distance(a, b) <= 1:  # S 3.0, C 3.0: a line runs between hexes that do not touch
        return "unknown" if doubtful else "clear"

    def blocks(hex_: Hex) -> bool:
        if hex_ not in high or hex_ in (a, b):
            return False
        if high[hex_] > max(high[a], high[b]):
            return True  # S 13.2.2, C 12.1.1.1
        ground = field.ground.hexes[hex_]
        if _is_s(field):
            return ground.terrain == "woods" and high[hex_] == max(high[a], high[b])  # S 13.2.3
        cover = ground.terrain == "woods" or "town" in _kinds(ground.features)
        return cover and high[hex_] in (high[a], high[b])  # C 12.1.1.3

    for met in _hexes_met(start or _centre(a), _centre(b)):
        if all(map(blocks, met)):  # S 13.2.3, C 12.1.1.4: on a hexside both must block
            return "blocked"
    return "unknown" if doubtful else "clear"


def _centre(hex_: Hex) -> AxialPoint:
    return Fraction(hex_.q), Fraction(hex_.r)


def _hexes_met(start: AxialPoint, end: AxialPoint) -> Iterator[tuple[Hex, ...]]:
    """Yield each hex the line runs through, and the two hexes of each hexside it runs along."""
    for kind, hexes, _, _ in second_events(start, end):
        if kind in ("through", "along"):
            yield hexes


def _sees_as_far_as(
    field: Battlefield, high: dict[Hex, int], a: Hex, b: Hex, weather: str | None
) -> int:
    looking_down = max(0, high[a] - high[b])
    if _is_s(field):
        if weather == "overcast":
            return 3 if max(high[a], high[b]) >= 5 else 4  # S 9.1, either end
        return 2 if weather == "rain" else 6 + looking_down  # S 9.1, 13.2.2
    if _is_dim(field, a, weather) or _is_dim(field, b, weather):
        return 0  # C 8.1
    if weather in (None, "clear"):
        return min(10, 6 + looking_down)  # C 12.1.1.2
    return {"overcast": 4, "light_rain": 2, "first_turn": 2}.get(weather, 6)  # C 8.1, 24.11


def _level(field: Battlefield, hex_: Hex) -> int:
    """Return a hex's level; a Crags hex is as high as its highest clear neighbour (S 13.2.3)."""
    ground = field.ground.hexes[hex_]
    around = [field.ground.hexes[near] for near in _near(field, hex_)]
    clear = [near.level for near in around if near.terrain == "clear" and near.level is not None]
    if ground.terrain == "crags" and clear:
        return max(clear)
    assert ground.level is not None, "slow judges want every level known"
    return ground.level


def _has_crags(field: Battlefield, one: Hex, other: Hex) -> bool:
    """Tell whether a hexside is Crags; a Crags hex has six of them (S 11.0.4)."""
    terrain = {field.ground.hexes[hex_].terrain for hex_ in (one, other)}
    return "crags" in terrain or "crags" in _kinds(_on_side(field, one, other))


def _river_is_open(
    field: Battlefield,
    one: Hex,
    other: Hex,
    rivers: AbstractSet[str] = frozenset({"river", "isonzo"}),
) -> bool:
    """Tell whether no river parts two hexes, or a bridge or footbridge leads over it.

    C 19.1.2: wherever a road crosses a river there is a bridge, drawn or not; C 19.2.2: what is
    blown is not there.
    """
    bridges = _bridges(field, one, other)
    if not rivers & set(_kinds(_on_side(field, one, other))):
        return True
    if bridges:
        return any(bridge.state != "blown" for bridge in bridges)
    return _is_linked(field, one, other)


def _bridges(field: Battlefield, one: Hex, other: Hex) -> list[Feature]:
    on_side = _on_side(field, one, other)
    return [feature for feature in on_side if feature.kind in ("bridge", "footbridge")]


def _is_linked(field: Battlefield, one: Hex, other: Hex) -> bool:
    return bool(ROADS & _kinds(field.ground.links.get(Link.between(one, other), ())))


def _near(field: Battlefield, hex_: Hex) -> list[Hex]:
    return [near for near in neighbours(hex_) if near in field.ground.hexes]


def _on_side(field: Battlefield, one: Hex, other: Hex) -> tuple[Feature, ...]:
    return field.ground.hexsides.get(Hexside.between(one, other), ())


def _kinds(features: Sequence[Feature]) -> set[str]:
    return {feature.kind for feature in features}


def _is_s(field: Battlefield) -> bool:
    return field.pack.id == "strafexpedition"
