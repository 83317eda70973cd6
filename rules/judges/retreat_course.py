"""What a retreat of several hexes comes to: its ways, whom it passes, who reacts to it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from mapkit.hexes import Hex, neighbours
from rules.battlefield import Battlefield
from rules.judges.retreat_told import (
    framed,
    told_doubts,
    told_reactions,
    told_ways,
    ways_data,
    zones_in_the_way,
)
from rules.judges.retreat_ways import CourseFinder, Values
from rules.judges.zones import assumed_zones
from rules.ruling import Reason, Ruling
from rules.schema.retreat import Course, Retreat
from rules.standing import Standing


@dataclass(frozen=True)
class CourseJudge:
    """Rules on the retreat of one unit, hex by hex.

    A defender stands in the hex that was assaulted from *origins*; an attacker where he assaulted
    *target* from. *others* are the hexes that other assaults come from.
    """

    field: Battlefield
    unit: Standing
    rules: Retreat
    course: Course
    origins: tuple[Hex, ...]
    others: tuple[Hex, ...]
    enemies: tuple[Standing, ...]
    fits: Callable[[Hex], str]
    weather: str | None = None
    target: Hex | None = None

    def rule(self) -> Ruling:
        """Return all ways that are open; unknown where something would have to be known first."""
        if self._lacks_rear:
            lacks = Reason("rules.retreat.no_rear", self._values, self.course.cite)
            return self._ruling("unknown", [lacks], (lacks,))
        ways = self.finder.ways
        if not ways:
            lost, cite = self.rules.nowhere, self.rules.nowhere_cite
            return self._ruling(lost, [Reason(f"rules.retreat.{lost}", self._values, cite)])
        doubts = {one for way in ways for one in way.doubts}
        verdict = "unknown" if doubts else "retreats"
        key = "course_unknown" if doubts else "course"
        values: Values = {**self._values, "n": self.length}
        told = [Reason(f"rules.retreat.{key}", values, self.course.hexes_cite)]
        told += told_ways(self.field, self.course, self.finder)
        # Who fought in this combat does not react.
        fought = {self.unit.hex, *self.origins, *([self.target] if self.target else [])}
        others = [one for one in self.enemies if one.hex not in fought]
        told += told_reactions(self.field, self.course, ways, others, self.weather)
        if self.rules.split:
            cite = self.rules.split_cite or self.rules.impassable_cite
            told.append(Reason("rules.retreat.split", {}, cite))
        return self._ruling(verdict, told, tuple(told_doubts(self.field, self.course, doubts)))

    @cached_property
    def finder(self) -> CourseFinder:
        """What finds the ways."""
        markers = {*self.origins, *self.others} - {self.unit.hex}
        return CourseFinder(
            self.field,
            self.unit,
            self.rules,
            self.course,
            self.length,
            self.course.between if self.target is None else 0,
            frozenset(markers),
            frozenset(one.hex for one in self.enemies),
            zones_in_the_way(self.field, self.enemies, self.weather),
            self.fits,
            self._rear,
            self.weather,
        )

    @property
    def length(self) -> int:
        """How many hexes it goes at least."""
        return self.course.defender if self.target is None else self.course.attacker

    @property
    def _rear(self) -> frozenset[Hex] | None:
        """Where an attacker goes who faces the hex he assaulted."""
        if self.target is None:
            return None
        around = neighbours(self.unit.hex)
        ahead = around.index(self.target)
        return frozenset(around[(ahead + turn) % len(around)] for turn in self.course.rear or ())

    @property
    def _lacks_rear(self) -> bool:
        return self.target is not None and self.course.rear is None

    @property
    def _values(self) -> Values:
        return {"name": self.unit.name, "hex": self.field.label(self.unit.hex)}

    def _leans_on(self, reasons: list[Reason]) -> Iterator[str]:
        """The parts of the rule this retreat makes use of: only their open questions are told."""
        yield "retreat.course.between" if self.target is None else "retreat.course.rear"
        keys = {one.key for one in reasons}
        if "rules.retreat.dead_end" in keys:
            yield "retreat.course.looks_ahead"
        if "rules.retreat.passes" in keys:
            yield "retreat.course.passed"

    def _ruling(
        self, verdict: str, reasons: list[Reason], missing: tuple[Reason, ...] = ()
    ) -> Ruling:
        ways = () if self._lacks_rear else self.finder.ways
        barred = {} if self._lacks_rear else self.finder.turned_down
        reasons = [*reasons, *barred.values()]
        came_from = {"from": list(map(self.field.label, self.origins))}
        return framed(
            self.field,
            self.unit,
            verdict,
            reasons,
            came_from | ways_data(self.field, ways) | {"escapes": []},
            barred=barred,
            about=self._leans_on(reasons),
            missing=(*missing, *assumed_zones(self.field, self.enemies, self.weather)),
        )
