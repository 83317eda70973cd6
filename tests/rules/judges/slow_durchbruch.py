"""Durchbruch a second time, slow and plain: movement and stacking by its cards, in tests.

Written from the cards and not from the pack. T is the line of the terrain chart, N a note below it.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from mapkit.hexes import Hex, Hexside, Link, neighbours
from mapkit.model import Feature
from rules.battlefield import Battlefield
from rules.standing import Standing

MOUNTAIN = ("mountain_infantry", "mountain_machine_guns")  # Table 3: Alpini, Gebirgsbrigaden
SPECIAL = ("assault", "machine_guns", "mountain_machine_guns", "engineers")  # Table 1
FOOT = ("infantry", "mountain_infantry", *SPECIAL)
FREE = ("headquarters", "leader")  # Table 1: HQs do not count
TRENCHES = ("trench", "first_line_trench")


def slow_reach(
    field: Battlefield, unit: Standing, printed: int, mode: str, enemies: Sequence[Standing]
) -> dict[Hex, Fraction | None] | None:
    """Return the hexes the unit comes to and the points spent; None where it may not move so.

    A hex whose price hangs on who owns its trench, which nobody knows, is left out.
    """
    cut_off = bool({"ooc1", "ooc2"} & set(unit.statuses))
    if mode == "march" and cut_off:
        return None
    points = Fraction(ceil(Fraction(printed, 2)) if mode != "march" else printed)  # Table 1
    # T "Enemy Zoc"; Table 1: OOC2 units have none. Artillery and HQs are no combat units.
    fighters = [one for one in enemies if one.class_ in FOOT and "ooc2" not in one.statuses]
    zones = {near for one in fighters for near in neighbours(one.hex)}
    occupied = {one.hex for one in enemies}
    best: dict[Hex, Fraction | None] = {unit.hex: Fraction(0)}
    paid, done = {unit.hex: Fraction(0)}, set[Hex]()
    whole: set[Hex] = set()
    while open_ := [hex_ for hex_ in paid if hex_ not in done]:
        here = min(open_, key=lambda hex_: paid[hex_])
        done.add(here)
        for there in _near(field, here):
            if there in occupied:
                continue
            leaving = 1 if here in zones else 0
            for cost in _costs(field, unit, here, there):
                if cost == "whole":
                    if paid[here] == 0 and not leaving and points:
                        whole.add(there)
                elif paid[here] + cost + leaving <= points:
                    now = paid[here] + cost + leaving
                    paid[there] = min(paid.get(there, now), now)
    best.update(paid)
    best.update({there: points for there in whole if there not in paid})
    return best


def _costs(field: Battlefield, unit: Standing, here: Hex, there: Hex) -> list[Fraction | str]:
    """Return what a step may cost: along the road, over the country, or all a gun has."""
    sides = field.ground.hexsides.get(Hexside.between(here, there), ())
    water = _water(unit, sides)
    if water is None:
        return []
    houses = sum(one.kind in ("village", "town") for one in field.ground.hexes[there].features)
    found: list[Fraction | str] = []
    ground = _ground(field, unit, here, there)
    terrain = field.ground.hexes[there].terrain
    blown = any(one.state == "blown" for one in sides)
    for link in field.ground.links.get(Link.between(here, there), ()):
        barred = terrain == "rocky" and ground is None  # N @; Table 1: no guns on rocky hexes
        if not blown and not barred:
            rate = Fraction(1, 2)  # T "Main Road"
            if link.kind == "trail" and unit.class_ != "mountain_infantry":
                rate = Fraction(1)  # T "Trail"
            found.append(rate + water + houses)  # T "Village", "Town", "Stream": +1 to enter
    if isinstance(ground, int):
        found.append(Fraction(ground) + water + houses)
    up = terrain == "hill" and field.ground.hexes[here].terrain == "plain"
    if ground is None and unit.class_ == "artillery" and up:
        found.append("whole")  # N **
    return found


def _water(unit: Standing, sides: Sequence[Feature]) -> int | None:
    """What crossing costs; None where it is prohibited."""
    there = {one.kind for one in sides if one.state != "blown"}
    if "bridge" in there:
        return 0  # T "Bridge hexside"
    if "pontoon_bridge" in there:
        return None if unit.class_ == "artillery" else 1  # T "Pontoon bridge"
    price = 3 if "isonzo" in there else 1 if "stream" in there else 0  # T
    return None if price and unit.class_ == "artillery" else price


def _ground(field: Battlefield, unit: Standing, here: Hex, there: Hex) -> int | str | None:
    """What the ground costs off the road; None where it is closed, "?" where nobody can tell."""
    ground = field.ground.hexes[there]
    gun = unit.class_ == "artillery"
    if any(one.kind == "passage" for one in ground.features):
        return None if gun else 1  # T "Passage Marker"
    for word in TRENCHES:
        for one in ground.features:
            if one.kind == word:
                return _trench(field, unit, here, one)
    if gun:
        return None  # Table 1: only by roads and tracks
    if ground.terrain == "mountain":
        return 2 if unit.class_ in (*MOUNTAIN, "assault") else 3  # N °
    if ground.terrain == "rocky":
        return None if unit.class_ == "infantry" else 3  # N @, Table 1 for machine guns
    return {"plain": 1, "hill": 2}[ground.terrain]  # T


def _trench(field: Battlefield, unit: Standing, here: Hex, trench: Feature) -> int | str | None:
    if unit.class_ == "artillery":
        return None  # T: only road and trail
    if trench.owner == "":
        return "?"
    if trench.owner == unit.side:
        return 1  # T "Friendly Trenches"
    behind = field.ground.hexes[here].features
    along = any(one.kind in TRENCHES and one.owner == trench.owner for one in behind)
    return 1 if along else 2  # T "Enemy Trenches" and N ***


def slow_stack(field: Battlefield, hex_: Hex, classes: Sequence[str]) -> str:
    """Table 1; its two pictures are taken for levels 1 and 2, and 3 and 4."""
    ground = field.ground.hexes[hex_]
    guns = classes.count("artillery")
    regiments = [one for one in classes if one in ("infantry", "mountain_infantry")]
    special = sum(one in SPECIAL for one in classes)
    rocky, high = ground.terrain == "rocky", ground.terrain in ("mountain", "rocky")
    trench = any(one.kind in TRENCHES for one in ground.features)
    legal = guns <= (0 if rocky else 1) and len(regiments) <= 1
    if regiments:
        most = 1 if high and regiments[0] == "infantry" else 3
        legal = legal and special <= most
    if rocky and "infantry" in regiments and not trench:
        legal = False  # N @
    return "within" if legal else "over"


def _near(field: Battlefield, hex_: Hex) -> list[Hex]:
    return [near for near in neighbours(hex_) if near in field.ground.hexes]
