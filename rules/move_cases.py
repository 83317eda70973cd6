"""Worked examples of zones of control and of movement."""

from dataclasses import replace
from typing import Any, Literal

from pydantic import Field

from rules.case_maps import CaseHead, CaseMap, case_field, places_of
from rules.case_units import placed_units
from rules.judges.movement import MovementJudge
from rules.judges.zones import ZoneJudge
from rules.pack import Pack
from rules.ruling import Ruling
from rules.schema.cites import Word


class ZoneCase(CaseHead, CaseMap):
    """Which hexes the zones of some units of one side cover together."""

    judge: Literal["zones"]
    side: str | None = None
    units: tuple[str, ...]
    weather: Word | None = None


class MoveCase(CaseHead, CaseMap):
    """Whether a unit comes along a path, at what cost, and under whose fire.

    Without a *path* only the allowance is asked for; *unit* stands in its first hex. Where a case
    is *narrow*, the map holds nothing but the hexes that are named, so that there is no other way.
    """

    judge: Literal["movement"]
    side: str | None = None
    unit: str
    allowance: int
    mode: Word | Literal[""] = ""
    path: tuple[str, ...] = ()
    narrow: bool = False
    friends: tuple[str, ...] = ()
    enemies: tuple[str, ...] = ()
    weather: Word | None = None
    control: dict[str, Word] = Field(default_factory=dict, description="Who holds which hex")


MoveCases = ZoneCase | MoveCase


def rule_move_case(pack: Pack, case: MoveCases) -> Ruling:
    """Put a case of zones or movement to the judge it is for."""
    return _rule_zones(pack, case) if isinstance(case, ZoneCase) else _rule_move(pack, case)


def _rule_zones(pack: Pack, case: ZoneCase) -> Ruling:
    """Rule on each unit; several together have one zone, and hexes are free that none covers."""
    field = case_field(pack, case, places_of(case.units))
    side = field.side(case.side) if case.side else next(iter(pack.sides))
    judge = ZoneJudge(field, case.weather)
    rulings = [judge.rule(unit) for unit in placed_units(field, side, case.units)]
    zone = sorted({hex_ for ruling in rulings for hex_ in ruling.working["zone"]})
    shut = [one for ruling in rulings for one in ruling.working["kept_out"]]
    kept: list[dict[str, Any]] = [one for one in shut if one["hex"] not in zone]
    working = {**rulings[0].working, "zone": zone, "kept_out": kept}
    verdict = "zone" if zone else rulings[0].verdict
    return replace(rulings[0], verdict=verdict, working=working)


def _rule_move(pack: Pack, case: MoveCase) -> Ruling:
    place = case.unit.partition(":")[0]
    counters = places_of((*case.friends, *case.enemies))
    named = (place, *case.path, *counters)
    field = case_field(pack, case, named, nothing_else=case.narrow)
    side = field.side(case.side) if case.side else next(iter(pack.sides))
    enemy = pack.enemy_of(side)
    unit, *friends = placed_units(field, side, (case.unit, *case.friends))
    judge = MovementJudge(
        field,
        unit,
        case.allowance,
        case.mode,
        (unit, *friends),
        placed_units(field, enemy, case.enemies),
        case.weather,
        case.control,
    )
    return judge.rule(field.hex(case.path[-1]) if case.path else None)
