"""Worked examples of combat as data: a fight, a table, losses, a weakened gun."""

from fractions import Fraction
from typing import Literal

from pydantic import Field

from rules.case_maps import CaseHead, CaseMap, case_field, places_of
from rules.case_units import placed_units
from rules.combat.circumstances import read_said
from rules.combat.inputs import read_units
from rules.combat.losses import Blow, Occasion
from rules.judges.combat import CombatJudge, Fight
from rules.judges.combat_desk import Spot, fight_there
from rules.judges.losses import rule_losses, rule_weakened
from rules.judges.tables import Entry, TableJudge
from rules.pack import Pack
from rules.ruling import Ruling
from rules.schema.cites import Exact, Word


class CombatCase(CaseHead):
    """A combat from typed factors; *said* are circumstances such as `trench=2`."""

    judge: Literal["combat"]
    procedure: Word
    attack: dict[Word, Exact]
    defend: dict[Word, Exact] = Field(default_factory=dict)
    said: tuple[str, ...] = ()
    rolls: tuple[int, ...] = ()
    aside: tuple[int, ...] = Field((), description="Dice thrown beside the first and not taken")


class FightCase(CaseHead, CaseMap):
    """A combat of units on a map; their counters print the factors: `0504:infantry:machine_guns=2`.

    *side* attacks or fires, *hex* is where the others are hit.
    """

    judge: Literal["fight"]
    procedure: Word
    side: str
    hex: str
    units: tuple[str, ...]
    enemies: tuple[str, ...]
    said: tuple[str, ...] = ()
    weather: Word | None = None


class TableCase(CaseHead):
    """A look-up in a table, a check or a table of events; *by* is the word or turn it hangs on."""

    judge: Literal["table"]
    table: Word
    said: tuple[str, ...] = ()
    roll: int | None = None
    value: int | None = None
    by: str | None = None


class LossCase(CaseHead):
    """Losses of some units, written as at the combat desk; the first one's morale was used."""

    judge: Literal["losses"]
    units: tuple[str, ...] = Field(min_length=1)
    procedure: Word
    steps: int = 0
    points: int = 0
    retreat: bool = False
    enemy_adjacent: bool = True
    side: Literal["attacker", "defender"] | None = None


class WeakenedCase(CaseHead):
    """A printed value with points of disorganization on the unit."""

    judge: Literal["value"]
    unit: Word
    value: Word
    has: int = Field(description="What the counter prints")
    points: int


CombatCases = CombatCase | FightCase | TableCase | LossCase | WeakenedCase


def rule_combat_case(pack: Pack, case: CombatCases) -> Ruling:
    """Put a case of combat to the judge it is for."""
    if isinstance(case, FightCase):
        return _rule_fight(pack, case)
    if isinstance(case, CombatCase):
        fight = Fight(
            case.procedure,
            {name: Fraction(number) for name, number in case.attack.items()},
            {name: Fraction(number) for name, number in case.defend.items()},
            read_said(case.said),
            case.rolls,
            aside=case.aside,
        )
        return CombatJudge(pack).rule(fight)
    if isinstance(case, TableCase):
        entry = Entry(said=read_said(case.said), roll=case.roll, asked=case.value, by=case.by)
        return TableJudge(pack).rule(case.table, entry)
    if isinstance(case, WeakenedCase):
        return rule_weakened(pack, case.unit, case.value, case.has, case.points)
    units = read_units(pack, case.units)
    blow = Blow(case.steps, case.points, case.retreat)
    occasion = Occasion(case.procedure, units[0].name, case.enemy_adjacent, case.side)
    return rule_losses(pack, units, blow, occasion)


def _rule_fight(pack: Pack, case: FightCase) -> Ruling:
    field = case_field(pack, case, (case.hex, *places_of((*case.units, *case.enemies))))
    ours = field.side(case.side)
    theirs = pack.enemy_of(ours)
    units = placed_units(field, ours, case.units)
    enemies = placed_units(field, theirs, case.enemies)
    sources = tuple(dict.fromkeys(unit.hex for unit in units))
    spot = Spot(field, field.hex(case.hex), sources, case.weather, (*units, *enemies))
    fight = Fight(case.procedure, {}, said=read_said(case.said))
    return CombatJudge(pack).rule(fight_there(pack, fight, spot))
