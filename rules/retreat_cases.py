"""Worked examples of units that cannot stay where they are: retreat, withdrawal, rout."""

from typing import Literal

from pydantic import Field

from mapkit.hexes import Hex
from rules.battlefield import Battlefield
from rules.case_maps import CaseHead, CaseMap, case_field, places_of
from rules.case_units import placed_units
from rules.judges.retreat import RetreatJudge
from rules.judges.rout import RoutJudge
from rules.judges.withdrawal import WithdrawalJudge
from rules.pack import Pack
from rules.ruling import Ruling
from rules.schema.cites import Word
from rules.standing import Standing


class LeavingCase(CaseHead, CaseMap):
    """A unit in a hex, with friends and enemies about."""

    hex: str
    side: str
    unit: str
    friends: tuple[str, ...] = ()
    enemies: tuple[str, ...] = ()
    weather: Word | None = None


class RetreatCase(LeavingCase):
    """Where a beaten unit goes: one that was assaulted, or an *attacker* thrown back."""

    judge: Literal["retreat"]
    attacker: bool = False
    came_from: tuple[str, ...] = ()
    other_assaults_from: tuple[str, ...] = ()


class WithdrawalCase(LeavingCase):
    """Where a unit withdraws to: out of all zones, *reacting_to* an enemy, or after a check."""

    judge: Literal["withdrawal"]
    reacting_to: str | None = None
    failed_check: bool = False
    markers: tuple[str, ...] = ()


class RoutCase(LeavingCase):
    """Whether a routed unit is kept for later; *sources* are some more of its side."""

    judge: Literal["rout"]
    sources: tuple[str, ...] = ()
    narrow: bool = Field(False, description="The map holds nothing but the hexes that are named")


RetreatCases = RetreatCase | WithdrawalCase | RoutCase
_Units = tuple[Standing, ...]


def rule_retreat_case(pack: Pack, case: RetreatCases) -> Ruling:
    """Put a case to the judge it is for."""
    named = (case.hex, *_places(case), *places_of((*case.friends, *case.enemies)))
    narrow = isinstance(case, RoutCase) and case.narrow
    field = case_field(pack, case, named, nothing_else=narrow)
    ours = field.side(case.side)
    (unit,) = placed_units(field, ours, [f"{case.hex}:{case.unit}"])
    friends = placed_units(field, ours, case.friends)
    enemies = placed_units(field, pack.enemy_of(ours), case.enemies)
    if isinstance(case, RetreatCase):
        return _rule_retreat(field, case, unit, friends, enemies)
    if isinstance(case, WithdrawalCase):
        return _rule_withdrawal(field, case, unit, friends, enemies)
    sources = _hexes(field, case.sources)
    return RoutJudge(field, unit, friends, enemies, sources, case.weather).rule()


def _rule_retreat(
    field: Battlefield, case: RetreatCase, unit: Standing, friends: _Units, enemies: _Units
) -> Ruling:
    origins, others = _hexes(field, case.came_from), _hexes(field, case.other_assaults_from)
    judge = RetreatJudge(field, unit, origins, friends, enemies, case.weather, others)
    return judge.rule_attacker(origins[0]) if case.attacker else judge.rule()


def _rule_withdrawal(
    field: Battlefield, case: WithdrawalCase, unit: Standing, friends: _Units, enemies: _Units
) -> Ruling:
    markers = _hexes(field, case.markers)
    judge = WithdrawalJudge(field, unit, friends, enemies, case.weather, markers)
    if case.reacting_to is not None:
        return judge.rule_reaction(field.hex(case.reacting_to))
    return judge.rule_after_check() if case.failed_check else judge.rule()


def _places(case: RetreatCases) -> tuple[str, ...]:
    """Every hex a case names besides its counters."""
    if isinstance(case, RetreatCase):
        return (*case.came_from, *case.other_assaults_from)
    if isinstance(case, WithdrawalCase):
        return (*case.markers, *((case.reacting_to,) if case.reacting_to else ()))
    return case.sources


def _hexes(field: Battlefield, labels: tuple[str, ...]) -> tuple[Hex, ...]:
    return tuple(map(field.hex, labels))
