"""Worked examples of a game as data: a small map, a question, and what the rules answer.

A pack's `cases.toml` holds them, each with its cite; the tests put every one to the judges. Beside
it `second_cases.toml` holds those that were drawn from the rulebook's text without a look at the
pack: where they and the judges differ, one of the two has misread the rule.
"""

from importlib.abc import Traversable
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from mapkit.hexes import Hex
from rules.battlefield import Battlefield
from rules.case_maps import CaseHead, CaseMap, case_field, places_of
from rules.case_units import placed_units
from rules.combat_cases import (
    CombatCase,
    CombatCases,
    FightCase,
    LossCase,
    TableCase,
    WeakenedCase,
    rule_combat_case,
)
from rules.errors import PackError
from rules.judges.activation import Order, activation_cost
from rules.judges.command import CommandJudge
from rules.judges.sight import SightJudge
from rules.judges.stacking import StackingJudge
from rules.judges.supply import SupplyJudge
from rules.judges.supply_ground import leg_name
from rules.move_cases import MoveCase, MoveCases, ZoneCase, rule_move_case
from rules.owner import OwnerFile, pack_with_owner
from rules.pack import Pack
from rules.pack_files import read_toml, told_faults
from rules.retreat_cases import LeavingCase, RetreatCases, rule_retreat_case
from rules.ruling import Ruling
from rules.schema.cites import Strict, Word
from rules.spelt_units import spelt_units
from rules.task_cases import AskedTask, rule_task_case

FILES = ("cases.toml", "second_cases.toml")


class SightCase(CaseHead, CaseMap):
    """Who sees whom."""

    judge: Literal["sight"]
    observer: str
    target: str
    weather: Word | None = None


class SupplyCase(CaseHead, CaseMap):
    """Whether a unit is in supply; where its class is told, what is due to it as well."""

    judge: Literal["supply"]
    unit: str
    side: str
    friends: tuple[str, ...] = ()
    enemies: tuple[str, ...] = ()
    weather: Word | None = None


class StackingCase(CaseHead, CaseMap):
    """Whether units may all stand in a hex; each as `infantry:battalion:87/II`."""

    judge: Literal["stacking"]
    hex: str
    side: str
    units: tuple[str, ...] = ()
    enemies: tuple[str, ...] = ()
    scenario: str = ""
    set_up: bool = False


class CommandCase(CaseHead, CaseMap):
    """Whether a unit is in command of a headquarters; with *place*, whether that may stand there.

    *unit* is then a unit of its own formation.
    """

    judge: Literal["command"]
    headquarters: str
    side: str
    range: int | None = None
    unit: str
    place: bool = False
    friends: tuple[str, ...] = ()
    enemies: tuple[str, ...] = ()
    weather: Word | None = None


class ActivationCase(CaseHead):
    """What it costs to activate a formation."""

    judge: Literal["activation"]
    side: str
    guns: int = 0
    unplanned: bool = False
    held: int | None = None
    initiative: int | None = None
    own_units: int | None = None
    independents: tuple[str, ...] = ()
    of_other_divisions: tuple[str, ...] = ()


class TaskCase(CaseMap, AskedTask):
    """Whether a unit may do something besides moving and fighting."""


MapCases = SightCase | SupplyCase | StackingCase | CommandCase
AnyCase = MapCases | MoveCases | RetreatCases | ActivationCase | TaskCase | CombatCases
Case = Annotated[AnyCase, Field(discriminator="judge")]


class Cases(Strict):
    """All cases of a game."""

    case: tuple[Case, ...] = ()


def load_cases(folder: Traversable) -> tuple[AnyCase, ...]:
    """Return the cases of a pack; none where it has none yet.

    Raises:
        PackError: a file does not read; the message names the key.
    """
    found: list[AnyCase] = []
    for name in FILES:
        file = folder / name
        try:
            found += Cases.model_validate(read_toml(file) or {}).case
        except ValidationError as error:
            raise PackError(f"{file}: {told_faults(error)}") from None
    return tuple(found)


def rule_case(pack: Pack, case: AnyCase) -> Ruling:
    """Put a case to the judge it is for; what it enters itself counts for it alone.

    Raises:
        RulesError: the judge refuses the question.
    """
    if case.values:
        pack = pack_with_owner(pack.id, OwnerFile(case.id, pack.id, values=case.values))
    if isinstance(case, TaskCase):
        return rule_task_case(pack, case, lambda at: case_field(pack, case, at))
    if isinstance(case, CombatCase | FightCase | TableCase | LossCase | WeakenedCase):
        return rule_combat_case(pack, case)
    if isinstance(case, ZoneCase | MoveCase):
        return rule_move_case(pack, case)
    if isinstance(case, LeavingCase):
        return rule_retreat_case(pack, case)
    return _rule_activation(pack, case) if isinstance(case, ActivationCase) else _rule(pack, case)


def unmet(case: AnyCase, ruling: Ruling) -> dict[str, Any]:
    """Return what a ruling answers otherwise than a case expects: by key the ruling's answer.

    A key is the verdict or a part of the working, deeper ones with dots: `shifts.total`. Besides
    there is of supply *off_road*, the hexes to the road; of movement what the way *spent* and the
    hexes it was *fired_at* in; of a retreat the *kind* of its hexes, the points each costs and
    where it is *fired_at*.
    """
    answers = {"verdict": ruling.verdict, **ruling.working, **_counted(ruling)}
    found = {key: _part(answers, key) for key in case.expect}
    return {key: answer for key, answer in found.items() if answer != case.expect[key]}


def _rule(pack: Pack, case: MapCases) -> Ruling:
    """Put a question about a map to its judge."""
    if isinstance(case, StackingCase):
        return _rule_stacking(pack, case)
    if isinstance(case, SightCase):
        field = case_field(pack, case, (case.observer, case.target))
        judge = SightJudge(field, case.weather)
        return judge.rule(field.hex(case.observer), field.hex(case.target))
    return _rule_with_enemies(pack, case)


def _rule_activation(pack: Pack, case: ActivationCase) -> Ruling:
    order = Order(
        case.side,
        case.guns,
        "unplanned_reaction" if case.unplanned else "planned",
        case.held,
        case.initiative,
        case.own_units,
        spelt_units(pack, case.side, Hex(0, 0), case.independents),
        of_others=spelt_units(pack, case.side, Hex(0, 0), case.of_other_divisions),
    )
    return activation_cost(pack, order)


def _rule_stacking(pack: Pack, case: StackingCase) -> Ruling:
    field = case_field(pack, case, (case.hex,))
    ours, theirs = _two_sides(field, case.side)
    here = field.hex(case.hex)
    units = spelt_units(pack, ours, here, case.units)
    names = [unit.name for unit in units]
    others = spelt_units(pack, theirs, here, case.enemies, taken=names)
    return StackingJudge(field, (*units, *others), None, case.scenario, case.set_up).rule(here)


def _rule_with_enemies(pack: Pack, case: SupplyCase | CommandCase) -> Ruling:
    """Put a question to its judge for which friends and enemies stand about."""
    field = case_field(pack, case, (*_named(case), *places_of((*case.friends, *case.enemies))))
    ours, theirs = _two_sides(field, case.side)
    friends = placed_units(field, ours, case.friends)
    enemies = placed_units(field, theirs, case.enemies)
    supply = SupplyJudge(field, ours, friends, enemies, weather=case.weather)
    if isinstance(case, SupplyCase):
        (unit,) = placed_units(field, ours, [case.unit])
        return supply.rule_unit(unit) if unit.class_ else supply.rule(unit.hex)
    at = field.hex(case.headquarters)
    judge = CommandJudge(field, ours, at, case.range, friends, enemies, case.weather)
    if not case.place:
        return judge.rule(field.hex(case.unit))
    return judge.rule_placement([field.hex(case.unit)], supply)


def _named(case: SupplyCase | CommandCase) -> tuple[str, ...]:
    """Every hex a case names besides its counters."""
    here = tuple(places_of([case.unit]))
    return here if isinstance(case, SupplyCase) else (case.headquarters, *here)


def _two_sides(field: Battlefield, name: str) -> tuple[str, str]:
    ours = field.side(name)
    return ours, field.pack.enemy_of(ours)


def _counted(ruling: Ruling) -> dict[str, Any]:
    """What players count in a ruling that does not stand in its working as a number."""
    work = ruling.working
    if ruling.question == "supply" and work["path"]:
        off_road = [one for one in work["path"] if one["leg"] == leg_name(1) and one["cost"]]
        return {"off_road": len(off_road)}
    if ruling.question == "movement" and work["path"]:
        arrivals = {one["hex"]: one["spent"] for one in work["reach"]}
        fired_at = [one["to"] for one in work["draws_fire"] if not one["spared_by"]]
        return {"spent": arrivals[work["path"][-1]], "fired_at": fired_at}
    if ruling.question == "retreat" and work["escapes"]:
        taken = [one for one in work["escapes"] if one["hex"] in work["to"]]
        return {
            "kind": taken[0]["priority"],
            "points": [one["disorganization"] for one in taken],
            "fired_at": [one["hex"] for one in taken if one["fire"]],
        }
    return {}


def _part(answers: Any, key: str) -> Any:
    """The answer under a key with dots; None where there is none."""
    for word in key.split("."):
        if isinstance(answers, list):
            answers = answers[int(word)] if word.isdecimal() and int(word) < len(answers) else None
        else:
            answers = answers.get(word) if isinstance(answers, dict) else None
    return answers
