"""The judge of withdrawal: the ways by which a unit leaves enemy zones without a fight."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from mapkit.hexes import Hex
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.judges.retreat_told import (
    framed,
    in_the_way,
    require_class,
    room_beside,
    told_doubts,
    told_reactions,
    told_ways,
    ways_data,
    zones_in_the_way,
)
from rules.judges.retreat_ways import CourseFinder, Values
from rules.judges.zones import assumed_zones, lacking_zones
from rules.ruling import Reason, Ruling
from rules.schema.forces import classes_in
from rules.schema.retreat import Course, Retreat, Withdrawal
from rules.standing import Standing


@dataclass(frozen=True)
class WithdrawalJudge:
    """Rules on the withdrawal of one unit.

    *friends* and *enemies* are the units about, *markers* the hexes that assaults come from. A
    *scenario* may let more stand in a hex.
    """

    field: Battlefield
    unit: Standing
    friends: tuple[Standing, ...] = ()
    enemies: tuple[Standing, ...] = ()
    weather: str | None = None
    markers: tuple[Hex, ...] = ()
    scenario: str = ""

    def __post_init__(self) -> None:
        self.field.require_weather(self.weather)
        require_class(self.field, self.unit)

    def rule(self) -> Ruling:
        """Return the ways out of all enemy zones, for a unit that may not stay in one."""
        if (answered := self._answered_before()) is not None:
            return answered
        if self._zone is None:
            lacks = replace(lacking_zones(self.field), cite=self.rules.cite)
            unknown = Reason("rules.withdrawal.unknown", self._values, self.rules.cite)
            return self._ruling("unknown", [unknown], missing=(lacks,))
        if self.unit.hex not in self._zone:
            stays = Reason("rules.withdrawal.in_no_zone", self._values, self.rules.cite)
            return self._ruling("stays", [stays])
        if (bound := self._bound()) is not None:
            return bound
        return self._rule_by(self._finder(1, out_of_zones=True), self.rules.cite)

    def rule_reaction(self, enemy: Hex) -> Ruling:
        """Return where a unit goes that withdraws from an enemy it reacts to.

        Raises:
            RulesError: the enemy is in its own hex: no step leads away more than another.
        """
        if enemy == self.unit.hex:
            raise RulesError(f"nobody reacts to an enemy in {self.field.label(enemy)}, his own hex")
        if (answered := self._answered_before() or self._bound(must=False)) is not None:
            return answered
        finder = self._finder(self.rules.reaction, away_from=enemy)
        return self._rule_by(finder, self.rules.reaction_cite, must=False)

    def rule_after_check(self) -> Ruling:
        """Return where a unit goes that failed a check in its own action."""
        if (answered := self._answered_before() or self._bound()) is not None:
            return answered
        finder = self._finder(self.rules.after_check)
        ruling = self._rule_by(finder, self.rules.after_check_cite)
        about = self.field.pack.assumptions_about("retreat.withdrawal.after_check")
        return replace(ruling, assumptions=tuple(dict.fromkeys((*ruling.assumptions, *about))))

    def _rule_by(self, finder: CourseFinder, cite: str, *, must: bool = True) -> Ruling:
        """Return the ruling where ways decide; who need not withdraw is not lost by staying."""
        if not finder.ways:
            verdict, why = self._without_way(must=must, cite=cite)
            return self._ruling(verdict, [why], finder)
        if self._is_night and self._zone is None:
            lacks = replace(lacking_zones(self.field), cite=self.rules.zones_shut_cite or cite)
            unknown = Reason("rules.withdrawal.unknown", self._values, cite)
            return self._ruling("unknown", [unknown], missing=(lacks,))
        doubts = {one for way in finder.ways for one in way.doubts}
        key = "unknown" if doubts else "out_of_zones" if finder.out_of_zones else "goes"
        values: Values = {**self._values, "n": finder.length}
        told = [Reason(f"rules.withdrawal.{key}", values, cite), *self._told(finder)]
        unsure = tuple(told_doubts(self.field, self.course, doubts))
        return self._ruling("unknown" if doubts else "withdraws", told, finder, unsure)

    def _told(self, finder: CourseFinder) -> Iterator[Reason]:
        """Tell the ways, and what holds on all of them."""
        rules = self.rules
        yield from told_ways(self.field, self.course, finder)
        enemies = in_the_way(self.field, self.enemies)
        yield from told_reactions(self.field, self.course, finder.ways, enemies, self.weather)
        yield Reason("rules.withdrawal.like_retreat", {}, rules.like_retreat_cite)
        if not rules.order:
            yield Reason("rules.withdrawal.as_one_likes", {}, rules.order_cite)
        if rules.keeps_facing:
            yield Reason("rules.withdrawal.facing", {}, rules.cite)
        if self.retreat.split:
            cite = self.retreat.split_cite or self.retreat.impassable_cite
            yield Reason("rules.retreat.split", {}, cite)

    def _answered_before(self) -> Ruling | None:
        """Return the ruling where no way is looked for: no rule, or a unit that never moves."""
        if self.field.pack.retreat is None or self.field.pack.retreat.withdrawal is None:
            return self._not_in_sources()
        for group, cite in self.retreat.ignores.items():
            if self.unit.class_ in classes_in((group,), self.field.pack.classes):
                never = Reason("rules.withdrawal.never", self._values, cite)
                return self._ruling("stays", [never])
        return None

    def _bound(self, *, must: bool = True) -> Ruling | None:
        """Return the ruling on a unit that its state keeps from moving; None for any other."""
        for state, cite in self.rules.not_in.items():
            if self.unit.statuses.get(state):
                verdict, why = self._without_way(must=must, cite=self.rules.reaction_cite)
                bound: Values = {**self._values, "what": state.replace("_", " ")}
                return self._ruling(verdict, [why, Reason("rules.withdrawal.bound", bound, cite)])
        return None

    def _finder(
        self, length: int, *, out_of_zones: bool = False, away_from: Hex | None = None
    ) -> CourseFinder:
        enemies = in_the_way(self.field, self.enemies)
        return CourseFinder(
            self.field,
            self.unit,
            self.retreat,
            self.course,
            length,
            0,
            frozenset(self.markers) - {self.unit.hex},
            frozenset(one.hex for one in enemies),
            self._zone,
            room_beside(self.field, self.unit, self.friends, self.weather, self.scenario),
            weather=self.weather,
            order=self.rules.order,
            out_of_zones=out_of_zones,
            away_from=away_from,
            first_cite=None if away_from is None else self.rules.reaction_cite,
            zones_shut=self.rules.zones_shut_cite if self._is_night else None,
        )

    @property
    def retreat(self) -> Retreat:
        """The game's rule of retreat."""
        if self.field.pack.retreat is None:
            raise RulesError(f"{self.field.pack.title}: our sources hold no rule of retreat")
        return self.field.pack.retreat

    @property
    def rules(self) -> Withdrawal:
        """The game's rule of withdrawal."""
        if self.retreat.withdrawal is None:
            raise RulesError(f"{self.field.pack.title}: our sources hold no rule of withdrawal")
        return self.retreat.withdrawal

    @property
    def course(self) -> Course:
        """How a retreat of this game runs, hex by hex."""
        assert self.retreat.course is not None, "the schema asks for a course"
        return self.retreat.course

    @cached_property
    def _zone(self) -> frozenset[Hex] | None:
        return zones_in_the_way(self.field, in_the_way(self.field, self.enemies), self.weather)

    @property
    def _is_night(self) -> bool:
        return self.weather in self.rules.zones_shut_in

    @property
    def _values(self) -> Values:
        return {"name": self.unit.name, "hex": self.field.label(self.unit.hex)}

    def _without_way(self, *, must: bool, cite: str) -> tuple[str, Reason]:
        """Return the verdict on a unit that cannot go: lost if it has to, else it stays."""
        if not must:
            return "stays", Reason("rules.withdrawal.cannot", self._values, cite)
        lost = self.rules.nowhere
        return lost, Reason(f"rules.withdrawal.{lost}", self._values, self.rules.nowhere_cite)

    def _leans_on(self, reasons: list[Reason], finder: CourseFinder | None) -> Iterator[str]:
        """The parts of the rule this withdrawal makes use of."""
        keys = {one.key.rpartition(".")[2] for one in reasons}
        if finder is not None:
            yield "retreat.withdrawal.order"
        if "bound" in keys:
            yield "retreat.withdrawal.not_in"
        if self._is_night:
            yield "retreat.withdrawal.zones_shut_in"
        if "dead_end" in keys:
            yield "retreat.course.looks_ahead"
        if "passes" in keys:
            yield "retreat.course.passed"

    def _ruling(
        self,
        verdict: str,
        reasons: list[Reason],
        finder: CourseFinder | None = None,
        missing: tuple[Reason, ...] = (),
    ) -> Ruling:
        barred = {} if finder is None else finder.turned_down
        told = [*reasons, *barred.values()]
        zones = assumed_zones(self.field, self.enemies, self.weather)
        return framed(
            self.field,
            self.unit,
            verdict,
            told,
            ways_data(self.field, () if finder is None else finder.ways),
            barred=barred,
            about=self._leans_on(told, finder),
            missing=(*missing, *zones),
            question="withdrawal",
        )

    def _not_in_sources(self) -> Ruling:
        reason = Reason("rules.withdrawal.not_in_sources", {"game": self.field.pack.title})
        working: dict[str, Any] = {"hex": self.field.label(self.unit.hex), "to": [], "ways": []}
        return Ruling("withdrawal", "unknown", (reason,), (), working, missing=(reason,))
