"""Losses handed out: which kind comes first, who takes the first step, who gives up.

Steps that the rules leave to their owner are spread evenly here, as a proposal.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil
from typing import Literal

from rules.errors import RulesError
from rules.schema.forces import Classes, classes_in
from rules.schema.losses import FirstLoss, Hits, InSteps, Losses, Surrender, Weakens

Fate = Literal["stays", "eliminated", "surrendered", "routed", "captured", "look_up"]
STEPS = "steps"


@dataclass(frozen=True, slots=True)
class Target:
    """A unit that a result hits. *values* are what its counter prints: morale, bombardment.

    *steps* is None where nobody knows how many it has left, *whole* how many it has when whole.
    *beside* names the unit that this one is attached to.
    """

    name: str
    class_: str = ""
    steps: int | None = None
    points: int = 0
    values: Mapping[str, int] = field(default_factory=dict)
    nation: str = ""
    size: str = ""
    whole: int | None = None
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Blow:
    """What one side suffers: steps in all, points for each unit, whether it has to retreat."""

    steps: int = 0
    points: int = 0
    retreat: bool = False


@dataclass(frozen=True, slots=True)
class Occasion:
    """The fight in which a blow falls on one side.

    *first* is the unit whose morale was used: it takes the first step, unless the game names
    another. *side* is attacker or defender, where somebody said it.
    """

    procedure: str
    first: str | None = None
    enemy_adjacent: bool = True
    side: str | None = None


@dataclass(frozen=True, slots=True)
class Suffered:
    """What became of a unit, with the rules that decided it.

    *points* is where its disorganization stands afterwards. *held* tells that it would have
    given up but for a rule. Where its fate hangs on something nobody has read off the counter, it
    is to *look_up*, and *to_read* names that. *shown* tells what is done with its counter.
    """

    name: str
    steps_lost: int
    steps_left: int | None
    points: int
    fate: Fate
    cites: tuple[str, ...]
    held: bool = False
    to_read: tuple[str, ...] = ()
    shown: Literal["", "turned", "marked", "replaced"] = ""
    shown_as: str = ""


@dataclass(frozen=True, slots=True)
class _Unit:
    target: Target
    hits: int = 0
    lost: int = 0
    points: int = 0
    fate: Fate = "stays"
    cites: tuple[str, ...] = ()
    held: bool = False
    to_read: tuple[str, ...] = ()

    @property
    def left(self) -> int | None:
        return None if self.target.steps is None else max(self.target.steps - self.lost, 0)

    def asks(self, value: str) -> "_Unit":
        """Return the unit with one more thing to be read before its fate is known."""
        return replace(self, fate="look_up", to_read=(*self.to_read, value))

    def told(self, *cites: str | None) -> "_Unit":
        return replace(self, cites=(*self.cites, *(cite for cite in cites if cite)))


def suffer(
    losses: Losses,
    classes: Classes,
    targets: Sequence[Target],
    blow: Blow,
    occasion: Occasion,
) -> tuple[Suffered, ...]:
    """Return what a blow does to the units of one side, in the game's order of losses.

    A side that does not retreat from an assault has won it, which may keep it from surrender.

    Raises:
        RulesError: the first of the occasion is none of the units.
    """
    first = occasion.first
    if first is not None and first not in {target.name for target in targets}:
        raise RulesError(f"'{first}' is none of the units: {', '.join(t.name for t in targets)}")
    judge = _Judge(losses, classes, blow, occasion)
    units = [_Unit(target, points=target.points) for target in targets]
    for kind in losses.order:
        units = judge.steps(units) if kind == "steps" else [judge.points(unit) for unit in units]
    return tuple(_suffered(judge.after(judge.in_retreat(unit))) for unit in units)


def steps_of(classes: Classes, class_: str, told: int | None) -> int | None:
    """Return the steps of a unit: its own, else those of its class; None where nobody knows."""
    if told is not None or class_ not in classes:
        return told
    return classes[class_].steps


def step_rule(losses: Losses | None, nation: str, size: str) -> InSteps | None:
    """Return the rule by which a unit has a step for each point it prints; None: it has not."""
    rules = losses.in_steps if losses else ()
    return next((one for one in rules if nation in one.nations and size in one.sizes), None)


def weakening(losses: Losses, classes: Classes, class_: str, value: str) -> tuple[Weakens, ...]:
    """Return the rules by which disorganization takes something off a value of a class."""
    return tuple(
        rule
        for rule in losses.weakens
        if rule.value == value and class_ in classes_in(rule.units, classes)
    )


def weakened(
    losses: Losses, classes: Classes, class_: str, value: str, printed: int, points: int
) -> Fraction:
    """Return a printed value less what disorganization takes off it; never below 0."""
    number = Fraction(printed)
    for rule in weakening(losses, classes, class_, value):
        number -= points * (rule.minus + Fraction(rule.minus_of_printed) * printed)
    return max(number, Fraction(0))


@dataclass(frozen=True)
class _Judge:
    """The rules of losses, for one blow."""

    losses: Losses
    classes: Classes
    blow: Blow
    occasion: Occasion

    def steps(self, units: list[_Unit]) -> list[_Unit]:
        """Hand out the hits one by one, evenly, and turn them into steps."""
        units = [self._if_immune(unit) for unit in units] if self.blow.steps else units
        rule, first = self.losses.first, self.occasion.first
        if rule is not None and rule.side in (None, self.occasion.side) and self.blow.steps:
            units, first = self._by_rule(units, rule, first)
        for number in range(self.blow.steps):
            index = self._next(units, first if number == 0 else None)
            if index is None:
                break
            units[index] = self._hit(units[index], is_first=number == 0 and first is not None)
        return self._spread(units)

    def _by_rule(
        self, units: list[_Unit], rule: FirstLoss, first: str | None
    ) -> tuple[list[_Unit], str | None]:
        """Name the unit that takes the first step, where the rule has a choice to make."""
        if len(units) < 2:
            return units, first
        if rule.most is not None:
            return self._biggest(units, rule.most, rule.cite)
        bound = classes_in(rule.units, self.classes)
        mine = [unit for unit in units if unit.target.class_ in bound and unit.left != 0]
        if not mine or len(mine) == len(units):
            return units, first
        chosen = next((one for one in mine if one.left != 1), mine[0])
        return [one.told(rule.cite) if one is chosen else one for one in units], chosen.target.name

    def _biggest(self, units: list[_Unit], value: str, cite: str) -> tuple[list[_Unit], str | None]:
        """Name the unit that prints most; who prints it unread has to look it up."""
        unread = [unit for unit in units if value not in unit.target.values]
        if unread:
            asked = [unit.asks(value) if unit in unread else unit for unit in units]
            return [unit.told(cite) for unit in asked], None
        best = max(units, key=lambda unit: unit.target.values[value])
        return [one.told(cite) if one is best else one for one in units], best.target.name

    def in_retreat(self, unit: _Unit) -> _Unit:
        """Take off what a retreat costs some units: a part of what is left, rounded up."""
        if not self.blow.retreat or unit.fate not in ("stays", "look_up"):
            return unit
        for rule in self.losses.in_retreat:
            if unit.target.class_ not in classes_in(rule.units, self.classes):
                continue
            if unit.left is None:
                asks = unit if STEPS in unit.to_read else unit.asks(STEPS)
                return asks.told(rule.cite)
            unit = replace(unit, lost=unit.lost + ceil(rule.part * unit.left)).told(rule.cite)
            return replace(unit, fate="eliminated") if unit.left == 0 else unit
        return unit

    def _spread(self, units: list[_Unit]) -> list[_Unit]:
        """Name the rule that steps are spread by, where more than one unit could take them."""
        if self.blow.steps < 2 or len(units) < 2:
            return units
        cites = (self.losses.evenly_cite, self.losses.whole_first_cite)
        return [unit.told(*cites) if unit.hits else unit for unit in units]

    def points(self, unit: _Unit) -> _Unit:
        """Add the points of the blow; a unit that is gone takes none."""
        if unit.fate not in ("stays", "look_up") or not self.blow.points:
            return unit
        unit = replace(unit, points=unit.points + self.blow.points)
        surrender = self.losses.surrender
        return unit if surrender is None else self._if_it_gives_up(unit, surrender)

    def _if_it_gives_up(self, unit: _Unit, surrender: Surrender) -> _Unit:
        threshold, cite = self._threshold(unit.target, surrender)
        if isinstance(threshold, str):
            return unit.asks(threshold).told(cite)
        if unit.points < threshold:
            return unit
        won = self.procedure_is_won
        near = self.occasion.enemy_adjacent or surrender.needs == "always"
        if unit.fate == "look_up":
            return unit.told(cite)  # it may be gone already: nobody knows what is left of it
        if near and not won:
            return self._gives_up(unit, surrender).told(cite)
        why = surrender.winner_safe_cite if won else surrender.cite
        return replace(unit, points=threshold - 1, held=True).told(why)

    def _gives_up(self, unit: _Unit, surrender: Surrender) -> _Unit:
        rout = self.losses.rout
        lost = None if rout is None else rout.beyond_help(unit.target.class_, self.classes)
        if rout is None or lost is None:
            return replace(unit, fate=surrender.fate)
        return replace(unit, fate=rout.lost).told(lost)

    def after(self, unit: _Unit) -> _Unit:
        """Settle what a step or a retreat means to units that are then captured."""
        for rule in self.losses.captured:
            if unit.target.class_ not in classes_in(rule.units, self.classes):
                continue
            if self.occasion.procedure in rule.procedures and (unit.lost or self.blow.retreat):
                return replace(unit, fate="captured").told(rule.cite)
        return unit

    @property
    def procedure_is_won(self) -> bool:
        """Whether this side holds the hex after a fight for it."""
        return self._is_assault and not self.blow.retreat

    @property
    def _is_assault(self) -> bool:
        surrender = self.losses.surrender
        return (
            surrender is not None
            and surrender.winner_safe_cite is not None
            and self.occasion.procedure in surrender.won_in
        )

    def _if_immune(self, unit: _Unit) -> _Unit:
        cite = self._immune(unit.target)
        return unit.told(cite) if cite else unit

    def _immune(self, target: Target) -> str | None:
        for rule in self.losses.immune:
            if self.occasion.procedure in rule.procedures and target.class_ in classes_in(
                rule.units, self.classes
            ):
                return rule.cite
        return None

    def _rule_of_hits(self, target: Target) -> Hits | None:
        for rule in self.losses.hits:
            for_this = not rule.only_in or self.occasion.procedure in rule.only_in
            if for_this and target.class_ in classes_in(rule.units, self.classes):
                return rule
        return None

    def _next(self, units: Sequence[_Unit], first: str | None) -> int | None:
        """Who takes the next hit: the named one, else whoever has taken fewest."""
        open_ = [index for index, unit in enumerate(units) if self._may_be_hit(unit, units)]
        if self.losses.whole_first_cite is not None:
            whole = [index for index in open_ if not units[index].lost and units[index].left != 1]
            open_ = whole or open_
        named = [index for index in open_ if units[index].target.name == first]
        if named:
            return named[0]
        return min(open_, key=lambda index: (units[index].hits, index), default=None)

    def _may_be_hit(self, unit: _Unit, units: Iterable[_Unit]) -> bool:
        if unit.left == 0 or self._immune(unit.target):
            return False
        rule = self._rule_of_hits(unit.target)
        if rule is None or not rule.after:
            return True
        before = classes_in(rule.after, self.classes)
        return not any(other.target.class_ in before and other.left != 0 for other in units)

    def _hit(self, unit: _Unit, *, is_first: bool) -> _Unit:
        rule = self._rule_of_hits(unit.target)
        hits = unit.hits + 1
        lost = hits // (rule.hits_for_a_step if rule else 1)
        cite = self.losses.first_from_morale_used_cite if is_first else None
        unit = replace(unit, hits=hits, lost=lost).told(cite, rule.cite if rule else None)
        if unit.left is None and lost and STEPS not in unit.to_read:
            return unit.asks(STEPS) if unit.fate in ("stays", "look_up") else unit
        if unit.left == 0 and unit.fate == "stays":
            return replace(unit, fate="eliminated").told(self.losses.order_cite)
        return unit

    def _threshold(self, target: Target, surrender: Surrender) -> tuple[int | str, str]:
        """The points at which a unit gives up, or the value to read where nobody knows it."""
        for rule in self.losses.thresholds:
            if target.class_ in classes_in(rule.units, self.classes):
                if rule.number is not None:
                    return rule.number, rule.cite
                at = rule.at or surrender.at or ""
                return target.values.get(at, at), rule.cite
        if surrender.number is not None:
            return surrender.number, surrender.cite
        at = surrender.at or ""
        return target.values.get(at, at), surrender.cite


def _suffered(unit: _Unit) -> Suffered:
    return Suffered(
        unit.target.name,
        unit.lost,
        unit.left,
        unit.points,
        unit.fate,
        tuple(dict.fromkeys(unit.cites)),
        unit.held,
        unit.to_read,
    )
