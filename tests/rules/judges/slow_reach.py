"""Movement of two games a second time, hex by hex: the judge of `rules.judges.movement` in tests.

Written from the rulebooks. The costs of the Terrain Effects Chart are in no source of ours, so an
invented chart is handed in; all else is here. S is Strafexpedition 1916, C is Caporetto 1917.
"""

from collections.abc import Mapping
from fractions import Fraction

from mapkit.hexes import Hex, Link, distance
from mapkit.model import Feature
from rules.battlefield import Battlefield
from rules.standing import Standing
from tests.rules.judges.slow_rules import (
    GUNS,
    MOUNTAIN_TROOPS,
    Standings,
    _bridges,
    _has_crags,
    _is_linked,
    _is_s,
    _kinds,
    _near,
    _on_side,
    slow_zone,
)

Chart = Mapping[str, Mapping[str, int | Fraction]]  # ground, hexsides, links: points by word
COMBAT_C = {
    "infantry",
    "mountain_infantry",
    "assault_infantry",
    "bersaglieri",
    "cyclists",
    "cavalry",
    "machine_guns",
    "engineers",
}
FLAT_GUNS_C = {"medium_artillery", "heavy_artillery", "minenwerfer"}
INFANTRY_S = {"infantry", "mountain_infantry", "alpini", "bersaglieri", "militia", "border_guards"}


def slow_reach(
    field: Battlefield,
    unit: Standing,
    points: int,
    mode: str,
    friends: Standings,
    enemies: Standings,
    weather: str | None,
    chart: Chart,
) -> dict[Hex, Fraction] | None:
    """Return every hex the unit comes to and the points spent; None where it may not move so."""
    if not _may_move(field, unit, mode):
        return None
    about = [enemy for enemy in enemies if enemy.class_ != "headquarters"]
    allowance = _allowance(field, unit, points, mode, weather)
    zones = {hex_ for enemy in about for hex_ in slow_zone(field, enemy, weather)}
    ignores = not _is_s(field) and unit.class_ == "assault_infantry"  # C 21.5.1
    best: dict[Hex, Fraction] = {unit.hex: Fraction(0)}
    done: set[Hex] = set()
    spent_all: set[Hex] = set()
    while open_ := [hex_ for hex_ in best if hex_ not in done]:
        here = min(open_, key=lambda hex_: best[hex_])
        done.add(here)
        if here != unit.hex and here in zones and not _is_s(field) and not ignores:
            continue  # C 10.1.1: stop on entering a zone
        for there in _near(field, here):
            if not _may_step(field, mode, here, there, about, zones) or (
                there in zones and _needs_company(field, unit, there, friends)
            ):
                continue
            extra = _to_leave(field, unit, here, zones, friends, ignores)
            for cost in _costs(field, unit, here, there, zones, weather, chart, about):
                if cost == "whole":
                    if best[here] == 0 and not extra and allowance > 0:
                        spent_all.add(there)  # S 11.0.4, C 10.0.9
                elif best[here] + cost + extra <= allowance:
                    now = best[here] + cost + extra
                    if there not in best or now < best[there]:
                        best[there] = now
    for there in spent_all - set(best):
        best[there] = Fraction(allowance)
    return best


def _may_move(field: Battlefield, unit: Standing, mode: str) -> bool:
    if unit.class_ in ("headquarters", "fortress"):
        return False  # S 8.5, 20.1; C 7.6
    if unit.class_ in GUNS and mode == "tactical":
        return False  # S 19.1, C 18.1
    if not _is_s(field) and mode in ("artillery", "non_activated"):
        return (unit.class_ in GUNS) == (mode == "artillery")  # C 18.1: guns in their own phase
    if "forced" in mode:
        if _is_s(field):
            return unit.class_ in INFANTRY_S  # S 11.3
        return unit.class_ not in GUNS  # C 10.4
    return True


def _allowance(
    field: Battlefield, unit: Standing, points: int, mode: str, weather: str | None
) -> int:
    allowed = Fraction(points)
    if _is_s(field) and weather == "rain":  # S 9.1
        if unit.class_ in INFANTRY_S:
            allowed -= 1
        elif unit.class_ in GUNS:
            allowed /= 2
    factor = {"strategic": 2, "forced_march": Fraction(3, 2), "strategic_forced_march": 3}
    return max(int(allowed * factor.get(mode, 1) // 1), 0)


def _may_step(
    field: Battlefield, mode: str, here: Hex, there: Hex, enemies: Standings, zones: set[Hex]
) -> bool:
    stack = [enemy for enemy in enemies if enemy.hex == there]
    if stack and not all(enemy.class_ in GUNS for enemy in stack):
        return False  # S 11.0.6, C 10.0.5
    if stack and mode == "non_activated" and not _is_s(field):
        return False  # C 10.3.1
    if _is_s(field) and mode in ("non_activated", "strategic") and there in zones:
        return False  # S 11.2.1
    if mode.startswith("strategic"):
        keep = 4 if _is_s(field) else 3  # S 11.2.2, C 10.3.2
        return all(distance(enemy.hex, hex_) >= keep for enemy in enemies for hex_ in (here, there))
    return True


def _needs_company(field: Battlefield, unit: Standing, there: Hex, friends: Standings) -> bool:
    """C 18.4: guns enter a zone only where a combat unit of their own stands."""
    company = {one.class_ for one in friends if one.hex == there}
    return not _is_s(field) and unit.class_ in GUNS and not company & COMBAT_C


def _to_leave(
    field: Battlefield,
    unit: Standing,
    here: Hex,
    zones: set[Hex],
    friends: Standings,
    ignores: bool,
) -> int:
    """S 11.1.1: a point to leave a zone; C 10.1.1: not where another combat unit stays behind."""
    if here not in zones or ignores:
        return 0
    others = [one for one in friends if one.hex == here and one.name != unit.name]
    if not _is_s(field) and any(one.class_ in COMBAT_C for one in others):
        return 0
    return 1


def _costs(
    field: Battlefield,
    unit: Standing,
    here: Hex,
    there: Hex,
    zones: set[Hex],
    weather: str | None,
    chart: Chart,
    enemies: Standings,
) -> list[Fraction | str]:
    """Return what the step may cost: over the country, along the road, or the whole allowance."""
    found: list[Fraction | str] = []
    country = _country(field, unit, here, there, chart)
    if country == "whole":
        found.append(country)
    elif country is not None:
        found.append(_in_weather(field, unit, Fraction(country), there, weather))
    road = _road(field, unit, here, there, chart)
    if road is not None and unit.class_ == "cyclists":
        away = all(distance(enemy.hex, there) != 1 for enemy in enemies)
        road = road / 2 if away else road  # C 21.8
    if not _is_s(field) and _along_trench(field, unit, here, there):
        trail = Fraction(chart["links"]["trail"])  # C 17.7, 17.7.2
        found.append(_in_weather(field, unit, trail, there, weather))
    lost = _is_s(field) and there in zones  # S 11.0.5
    if road is not None and not lost:
        found.append(_in_weather(field, unit, road, there, weather))
    return found


def _country(
    field: Battlefield, unit: Standing, here: Hex, there: Hex, chart: Chart
) -> Fraction | str | None:
    if _has_crags(field, here, there):
        return "whole" if unit.class_ in MOUNTAIN_TROOPS else None  # S 11.0.4, C 10.0.9
    on_side = [one for one in _on_side(field, here, there) if one.state != "blown"]
    words = _kinds(on_side)
    if "isonzo" in words and not words & _carries(unit):
        return None  # C 19.1
    total = Fraction(chart["terrain"][field.ground.hexes[there].terrain])
    for word in words - {"isonzo"}:
        total += chart["hexsides"][word]  # S 11.0.2, C 10.0.2
    climb = _climb(field, unit, here, there)
    return None if climb is None else total + climb


def _carries(unit: Standing) -> set[str]:
    """What carries a unit over the great river: C 19.1, and 19.1.2 for guns."""
    return {"bridge"} if unit.class_ in GUNS else {"bridge", "footbridge"}


def _along_trench(field: Battlefield, unit: Standing, here: Hex, there: Hex) -> bool:
    """C 17.7: from one trench of one's own to the next, never across a river."""
    water = {"river", "isonzo"} & _kinds(_on_side(field, here, there))
    side = field.pack.sides[unit.side]
    ours = {word.casefold() for word in (unit.side, side.title, *side.codes, *side.nationalities)}
    return not water and all(
        any(
            one.kind == "trench" and one.owner.casefold() in ours
            for one in field.ground.hexes[hex_].features
        )
        for hex_ in (here, there)
    )


def _climb(field: Battlefield, unit: Standing, here: Hex, there: Hex) -> int | None:
    low, high = field.ground.hexes[here].level or 0, field.ground.hexes[there].level or 0
    if _is_s(field):
        return max(high - low, 0)  # S 11.0.8: each level
    if low != high and unit.class_ in FLAT_GUNS_C:
        return None  # C 10.0.7
    if unit.class_ in MOUNTAIN_TROOPS:
        return 0  # C 10.0.7
    peak = "peak" in _kinds(field.ground.hexes[there].features)
    stream = "stream" in _kinds(field.ground.hexes[here].features)
    along = stream and "stream" in _kinds(field.ground.hexes[there].features)
    return int(high > low or peak or (stream and not along))  # C 10.0.7, 10.0.10


def _road(
    field: Battlefield, unit: Standing, here: Hex, there: Hex, chart: Chart
) -> Fraction | None:
    if not _is_linked(field, here, there):
        return None
    if any(bridge.state == "blown" for bridge in _bridges(field, here, there)):
        return None  # C 19.2.2
    words = _kinds(_on_side(field, here, there))
    if _is_s(field) and _has_crags(field, here, there) and unit.class_ not in MOUNTAIN_TROOPS:
        return None  # S 11.0.4: impassable for every purpose
    if "isonzo" in words and not words & _carries(unit):
        return None
    links = _kinds(_links(field, here, there))
    return min(Fraction(chart["links"][word]) for word in links)


def _links(field: Battlefield, here: Hex, there: Hex) -> tuple[Feature, ...]:
    return field.ground.links.get(Link.between(here, there), ())


def _in_weather(
    field: Battlefield, unit: Standing, cost: Fraction, there: Hex, weather: str | None
) -> Fraction:
    """C 8.1: into a blizzard infantry pays one more, guns twice."""
    high = field.ground.hexes[there].terrain == "high_mountain"
    if _is_s(field) or weather not in ("blizzard", "first_turn") or not high:
        return cost
    if unit.class_ in GUNS:
        return cost * 2
    foot = COMBAT_C - {"cavalry"}  # C 21.1, 21.3: engineers and machine guns are infantry
    return cost + 1 if unit.class_ in foot else cost
