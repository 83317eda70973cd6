"""Questions at the combat desk as players put them: tables looked up, combats worked out."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from rules.combat.circumstances import read_said
from rules.combat.inputs import read_factors, read_ratio, read_terms, read_units, thrown
from rules.combat.look_up import reroll_die
from rules.combat.odds import read_roll
from rules.combat.picks import split_pick
from rules.errors import RulesError
from rules.judges.combat import CombatJudge, Fight
from rules.judges.combat_desk import Spot, fight_there
from rules.judges.tables import Entry, TableJudge
from rules.pack import Pack
from rules.ruling import Reason, Ruling
from rules.scene import Scene

Texts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """One look-up, in the words it was asked with."""

    name: str
    column: str | None = None
    ratio: str | None = None
    factors: str | None = None
    value: str | None = None
    by: str | None = None
    procedure: str | None = None
    said: Texts = ()
    roll: Texts = ()
    seed: int | None = None

    def rule(self, pack: Pack) -> Ruling:
        """Return what the table says.

        Raises:
            RulesError: there is no such table, or it is entered in two ways at once.
        """
        judge = TableJudge(pack)
        rolls = thrown(judge.die_of(self.name), self.roll, self.seed)
        self._refuse_what_is_not_read(pack)
        number = read_ratio(self.ratio) if self.ratio else None
        number = read_factors(self.factors) if self.factors else number
        entry = Entry(
            column=self.column,
            number=number,
            said=read_said(self.said),
            roll=rolls[0] if rolls else None,
            asked=self._asked(pack),
            by=self.by,
            procedure=self.procedure and self.procedure.replace("-", "_"),
        )
        return with_unused_roll(judge.rule(self.name, entry), rolls[:1])

    def as_question(self) -> dict[str, Any]:
        """Return it with every input, as a certificate tells it."""
        return {"judge": "table", **asdict(self)}

    def _refuse_what_is_not_read(self, pack: Pack) -> None:
        """Refuse options that this table does not read, rather than pass over them."""
        word = self.name.replace("-", "_")
        table, check = pack.tables.get(word), pack.checks.get(word)
        threshold = None if check is None else check.threshold
        is_cup = pack.events is not None and word in pack.events.cups
        read = {
            "column": table is not None and table.kind != "single",
            "ratio": table is not None and table.kind == "ratio",
            "factors": table is not None and table.kind == "factors",
            "value": threshold is not None and threshold.number is None and not threshold.by,
            "by": is_cup or (threshold is not None and bool(threshold.by)),
            "procedure": table is not None,
        }
        given = [option for option in read if getattr(self, option) is not None]
        for option in given:
            if not read[option]:
                there = ", ".join(f"--{one}" for one in read if read[one]) or "only --with, --roll"
                raise RulesError(f"{self.name} does not read --{option}; there is: {there}")
        entries = [one for one in given if one in ("column", "ratio", "factors")]
        if len(entries) > 1:
            raise RulesError(f"--{entries[0]} and --{entries[1]} contradict: give one of them")
        if self.procedure and self.procedure.replace("-", "_") not in pack.combat:
            known = ", ".join(pack.combat)
            raise RulesError(f"{pack.title} has no combat '{self.procedure}'; there is: {known}")
        if len(self.roll) > 1:
            raise RulesError(f"{self.name} is rolled once; give one --roll")

    def _asked(self, pack: Pack) -> int | None:
        """Return the number that a check is held against: `4`, or `initiative=4`."""
        if self.value is None:
            return None
        word, equals, number = self.value.rpartition("=")
        check = pack.checks[self.name.replace("-", "_")]
        asks = check.threshold.asks if check.threshold else None
        if equals and word.strip() != asks:
            raise RulesError(f"{check.title} is held against no '{word}'; give --value {asks}=N")
        try:
            return int(number)
        except ValueError:
            wanted = f"--value {asks}=N" if asks else "--value N"
            raise RulesError(f"--value {self.value}: no whole number; give {wanted}") from None


@dataclass(frozen=True, slots=True)
class CombatQuestion:
    """One combat, in the words it was asked with; where it takes place is told by a spot."""

    procedure: str
    attack: Texts = ()
    defend: Texts = ()
    said: Texts = ()
    attacker: Texts = ()
    defender: Texts = ()
    by: Texts = ()
    without: Texts = ()
    roll: Texts = ()
    seed: int | None = None

    def rule(self, pack: Pack, spot: Spot | None = None) -> Ruling:
        """Return the ruling; where nothing is typed, the units of the spot bring their factors.

        Raises:
            RulesError: a word is none of the game's, or nobody attacks.
        """
        judge = CombatJudge(pack)
        rules = judge.procedure(self.procedure)
        table = pack.tables[rules.table]
        hit = "defender" if table.two_sided else "target"
        named = {"attacker": read_units(pack, self.attacker), hit: read_units(pack, self.defender)}
        units = {side: targets for side, targets in named.items() if targets}
        counted = spot is not None and bool(spot.units)
        rolls, aside = split_pick(self.roll)
        fight = Fight(
            procedure=self.procedure.replace("-", "_"),
            attack=read_terms(rules, "attack", self.attack, needed=not counted),
            defend=read_terms(rules, "defend", self.defend, needed=not counted),
            said=read_said(self.said),
            rolls=thrown(table.die, rolls, self.seed, again=reroll_die(pack, table)),
            aside=tuple(read_roll(table.die, text) for text in aside) if table.die else (),
            units=units,
            first={side: targets[0].name for side, targets in units.items()},
        )
        if spot is not None:
            _require_attackers(spot, fight, counted=counted)
            fight = fight_there(pack, fight, spot, without=self.without)
        elif fight.attack and not any(fight.attack.values()):
            raise RulesError(f"{rules.title}: nobody attacks with 0 factors; give --attack N")
        return with_unused_roll(judge.rule(fight), fight.rolls[:1])

    def spot(self, scene: Scene, at: str, sources: Texts) -> Spot:
        """Return where the combat is: the hex that is hit, and where the attack comes from."""
        hexes = tuple(map(scene.hex, sources))
        return Spot(scene.field, scene.hex(at), hexes, scene.weather, scene.units, self.by)

    def as_question(self, spot: Spot | None = None) -> dict[str, Any]:
        """Return it with every input, as a certificate tells it."""
        asked = {"judge": "combat", **asdict(self)}
        if spot is None:
            return asked
        there = {"at": spot.at, "from": spot.sources, "units": spot.units}
        return {**asked, **there, "weather": spot.weather}


def with_unused_roll(ruling: Ruling, rolls: tuple[int, ...]) -> Ruling:
    """Return a ruling that says so where a roll was given and decided nothing."""
    if not rolls or "roll" in ruling.working:
        return ruling
    key = "roll_not_needed" if ruling.verdict == "automatic" else "roll_unused"
    unused = Reason(f"rules.combat.{key}", {"roll": rolls[0]})
    return replace(ruling, reasons=(*ruling.reasons, unused))


def _require_attackers(spot: Spot, fight: Fight, *, counted: bool) -> None:
    """Refuse a combat of the position's units in which nobody attacks.

    Raises:
        RulesError: no enemy of the target stands where the attack comes from.
    """
    if not counted or fight.attack or spot.attackers():
        return
    label = spot.field.label
    if not spot.sources:
        raise RulesError(f"from where is {label(spot.at)} attacked? name --from HEX")
    where = ", ".join(map(label, spot.sources))
    raise RulesError(f"nobody attacks {label(spot.at)}: no enemy of its holder stands in {where}")
