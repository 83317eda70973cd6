"""The Italian Front a second time, slow and plain: zones, supply, movement and stacking in tests.

Written from the rulebook and not from the pack. Shared with what it judges are only the map, in the
game's words, and the counters. Each line of code that decides names its rule.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor

from mapkit.hexes import Hex, Hexside, Link, distance, neighbours
from rules.battlefield import Battlefield
from rules.standing import Standing

TROOPS = (
    "infantry",
    "assault_infantry",
    "mountain_infantry",
    "cavalry",
    "headquarters",
    "fourteenth_army_hq",
)
HEADQUARTERS = ("headquarters", "fourteenth_army_hq")
MARKERS = ("artillery", "air", "naval")  # 2.4, 8.2: support units hold no ground
COSTS = {"clear": 1, "rough": 1, "mountain": 2, "marsh": 2}  # TEC
MOST = {"clear": 4, "rough": 3, "mountain": 2, "marsh": 2, "alpine": 1, "dominant": 1}  # TEC


def slow_zone(field: Battlefield, unit: Standing, weather: str | None = None) -> frozenset[Hex]:
    """9.1: all units have one, but not in hexes which they are prohibited from entering."""
    if unit.class_ in MARKERS:
        return frozenset()
    return frozenset(
        near
        for near in _near(field, unit.hex)
        if not is_prohibited(field, unit.class_, unit.hex, near, weather)
    )


def is_prohibited(
    field: Battlefield, class_: str, here: Hex, there: Hex, weather: str | None
) -> bool:
    """Tell whether units of a class may never go from one hex to the next."""
    terrain = field.ground.hexes[there].terrain
    if terrain == "sea":
        return True  # TEC: all sea and water is not allowed
    if terrain == "alpine" and (class_ != "mountain_infantry" or _is_winter(weather)):
        return True  # 7.9; 7.11: impassable in winter
    words = _sides(field, here, there)
    if "lake" in words:
        return True  # TEC: water; 19.2 lets one division over Lake Garda, by an optional rule
    # 7.11: in winter HQs cross rivers on bridges only
    hindered = "river" in words and not _has_bridge(field, here, there)
    return hindered and _is_winter(weather) and class_ in HEADQUARTERS


def slow_supply(
    field: Battlefield, side: str, enemies: Sequence[Standing], hex_: Hex, weather: str | None
) -> str:
    """14.1: a line of any length, clear of enemies and their zones; nothing cancels a zone."""
    closed = {enemy.hex for enemy in enemies if enemy.class_ not in MARKERS}
    closed |= {near for enemy in enemies for near in slow_zone(field, enemy, weather)}
    # 7.9 shuts Alpine hexes; that nobody may be on the sea is taken to shut it too.
    closed |= {one for one, here in field.ground.hexes.items() if here.terrain in ("alpine", "sea")}
    found = {hex_}
    while True:
        if any(_is_source(field, side, one) for one in found):
            return "in_supply"
        more = {near for one in found for near in _near(field, one)} - closed - found
        if not more:
            return "out_of_supply"
        found |= more


def _is_source(field: Battlefield, side: str, hex_: Hex) -> bool:
    """14.1, 14.2: a friendly one; whose nobody knows is taken to serve both."""
    return any(
        one.kind == "supply_source" and one.owner in ("", side)
        for one in field.ground.hexes[hex_].features
    )


def slow_reach(
    field: Battlefield,
    unit: Standing,
    factor: int,
    mode: str,
    enemies: Sequence[Standing],
    weather: str | None,
    theirs: Mapping[str, str],
) -> dict[Hex, Fraction] | None:
    """Return every hex the unit comes to and the points spent; None where it may not move so.

    *theirs* says who holds a hex in which nobody stands.
    """
    if unit.class_ in MARKERS or (mode == "infiltration" and unit.class_ != "assault_infantry"):
        return None  # 2.4; 11.8
    points = Fraction(
        {
            "tactical": factor,
            "out_of_supply": floor(Fraction(factor, 2)),  # 14.3: rounded down
            "pause": ceil(Fraction(factor, 2)),  # 17.2: rounded up
            "infiltration": ceil(Fraction(factor, 2)),  # 11.8: rounded up
        }[mode]
    )
    there_first = enemies  # 3.4: what an HQ entered last is its side's, though it is swept aside
    all_zones = {near for enemy in enemies for near in slow_zone(field, enemy, weather)}
    if unit.hex in all_zones:
        if mode != "infiltration":
            return {unit.hex: Fraction(0)}  # 7.4: who begins in a zone stays
        return _hop(field, unit, points, enemies, all_zones, weather, theirs)
    if mode == "infiltration":  # 15.2: a lone HQ is swept aside, and does not stop them
        held = {one.hex for one in enemies if one.class_ not in HEADQUARTERS}
        enemies = [one for one in enemies if one.hex in held]
    zones = {near for enemy in enemies for near in slow_zone(field, enemy, weather)}
    occupied = {enemy.hex for enemy in enemies}
    best, done = {unit.hex: Fraction(0)}, set[Hex]()
    whole: set[Hex] = set()
    one_hex: set[Hex] = set()
    while open_ := [hex_ for hex_ in best if hex_ not in done]:
        here = min(open_, key=lambda hex_: best[hex_])
        done.add(here)
        if here != unit.hex and here in zones:
            continue  # 7.4: stop on entering a zone
        for there in _near(field, here):
            cost = _cost(field, unit, here, there, weather, theirs, there_first)
            if there in occupied or cost is None:
                continue  # 7.3, 8.1
            if here == unit.hex and mode != "infiltration":
                one_hex.add(there)  # 7.3: one hex in each Movement Sub-phase
            if cost == "all" and best[here] == 0:
                whole.add(there)  # 7.9: the entire MF
            elif cost != "all" and best[here] + cost <= points:
                best[there] = min(best.get(there, points), best[here] + cost)
    for there in (whole | one_hex) - set(best):
        best[there] = points
    return best


def _hop(
    field: Battlefield,
    unit: Standing,
    points: Fraction,
    enemies: Sequence[Standing],
    zones: set[Hex],
    weather: str | None,
    theirs: Mapping[str, str],
) -> dict[Hex, Fraction]:
    """11.8: infiltrators in a zone go one hex, into another zone, whatever it costs."""
    found = {unit.hex: Fraction(0)}
    for near in set(_near(field, unit.hex)) & zones - {enemy.hex for enemy in enemies}:
        cost = _cost(field, unit, unit.hex, near, weather, theirs, enemies)
        if cost is not None:
            found[near] = points if isinstance(cost, str) else min(cost, points)
    return found


def _cost(
    field: Battlefield,
    unit: Standing,
    here: Hex,
    there: Hex,
    weather: str | None,
    theirs: Mapping[str, str],
    enemies: Sequence[Standing],
) -> Fraction | str | None:
    if is_prohibited(field, unit.class_, here, there, weather):
        return None
    river = Fraction(0)
    if "river" in _sides(field, here, there):
        ends_are_ours = not any(
            _is_theirs(field, unit, end, theirs, enemies) for end in (here, there)
        )
        if not (_has_bridge(field, here, there) and ends_are_ours):  # 7.8
            if _is_winter(weather) and unit.class_ in HEADQUARTERS:
                return None  # 7.11 with 7.8: a bridge the enemy holds is none
            river = Fraction(2 if _is_winter(weather) else 1)  # TEC, 7.11
    by_rail = Link.between(here, there) in field.ground.links
    if by_rail:
        return Fraction(1, 2) + river  # 7.8: regardless of other terrain
    terrain = field.ground.hexes[there].terrain
    if terrain in ("alpine", "dominant"):
        return "all"  # TEC, 7.9
    cost = COSTS[terrain]  # a town's own point is never the highest (7.7)
    if terrain == "mountain" and _is_winter(weather):
        cost *= 2  # 7.11
    if terrain in ("clear", "rough", "marsh") and weather in ("torrential_rain", "winter_rain"):
        cost *= 2  # 7.11
    return cost + river


def _is_theirs(
    field: Battlefield,
    unit: Standing,
    hex_: Hex,
    theirs: Mapping[str, str],
    enemies: Sequence[Standing],
) -> bool:
    """3.4: the side that entered it last; who stands there was the last."""
    if any(enemy.hex == hex_ for enemy in enemies):
        return True
    return hex_ != unit.hex and theirs.get(field.label(hex_), unit.side) != unit.side


def slow_stack(field: Battlefield, hex_: Hex, units: Sequence[Standing]) -> str:
    """8.0, 8.1: so many units as the terrain holds, 8.5: of nations that stack together."""
    here = [one for one in units if one.hex == hex_ and one.class_ not in MARKERS]  # 8.2
    terrain = field.ground.hexes[hex_].terrain
    most = MOST[terrain]
    staffs = [one for one in units if one.class_ == "fourteenth_army_hq"]
    near = [one for one in staffs if distance(one.hex, hex_) == 1]
    if terrain in ("clear", "rough") and any("support_mode" in one.statuses for one in near):
        most += 1  # 8.6, 15.1.2
    nations = {one.unit.nationality for one in here if one.unit is not None}
    together = nations <= {"german", "austro_hungarian"} or nations <= {"italian", "czech"}
    return "within" if len(here) <= most and (len(nations) < 2 or together) else "over"


def _has_bridge(field: Battlefield, one: Hex, other: Hex) -> bool:
    """7.8: a river hexside that a railway crosses; a bridge may be drawn besides."""
    return Link.between(one, other) in field.ground.links or "bridge" in _sides(field, one, other)


def _is_winter(weather: str | None) -> bool:
    return weather in ("winter", "winter_rain")


def _sides(field: Battlefield, one: Hex, other: Hex) -> set[str]:
    features = field.ground.hexsides.get(Hexside.between(one, other), ())
    return {feature.kind for feature in features}


def _near(field: Battlefield, hex_: Hex) -> list[Hex]:
    return [near for near in neighbours(hex_) if near in field.ground.hexes]
