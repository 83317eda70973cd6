"""What a retreat of several hexes comes to: its ways, whom it passes, who reacts to it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from mapkit.hexes import Hex, neighbours
from rules.battlefield import Battlefield
from rules.judges.retreat_ways import CourseFinder, Doubt, Values, Way
from rules.judges.zones import ZoneJudge, assumed_zones, lacking_zones, may_have_zone
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
        if self.target is not None and self.course.rear is None:
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
        head = Reason(f"rules.retreat.{key}", values, self.course.hexes_cite)
        told = [head, *(reason for way in ways for reason in self._told(way))]
        told += self._reactions(ways)
        if self.rules.split:
            cite = self.rules.split_cite or self.rules.impassable_cite
            told.append(Reason("rules.retreat.split", {}, cite))
        return self._ruling(verdict, told, tuple(self._lacking(doubts)))

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
            self._zone,
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

    @cached_property
    def _zone(self) -> frozenset[Hex] | None:
        """All hexes in enemy zones; None where our sources lack the rule and it matters."""
        if self.field.pack.zones is None:
            matters = any(may_have_zone(self.field, one) for one in self.enemies)
            return None if matters else frozenset()
        return ZoneJudge(self.field, self.weather).zones(self.enemies)

    @property
    def _values(self) -> Values:
        return {"name": self.unit.name, "hex": self.field.label(self.unit.hex)}

    def _told(self, way: Way) -> Iterator[Reason]:
        label, cite = self.field.label, self.course.cite
        yield Reason("rules.retreat.way", {"way": " ".join(map(label, way.path))}, cite)
        losses = self.field.pack.losses
        status = losses.status if losses and losses.status else ""
        for hex_ in way.passed:
            what = status.replace("_", " ")
            passed: Values = {"hex": label(hex_), "n": self.course.passed, "what": what}
            yield Reason("rules.retreat.passes", passed, self.course.goes_on_cite)

    def _reactions(self, ways: tuple[Way, ...]) -> Iterator[Reason]:
        """Tell whose zones the ways lead into; who fought in this combat does not react."""
        judge = ZoneJudge(self.field, self.weather)
        fought = {self.unit.hex, *self.origins, *([self.target] if self.target else [])}
        on_the_way = dict.fromkeys(hex_ for way in ways for hex_ in way.path[1:])
        for hex_ in on_the_way:
            names = [
                one.name
                for one in self.enemies
                if one.hex not in fought and hex_ in judge.zone(one)
            ]
            if names:
                values: Values = {"to": self.field.label(hex_), "names": ", ".join(names)}
                yield Reason("rules.retreat.reaction", values, self.course.reaction_cite)

    def _lacking(self, doubts: set[Doubt]) -> Iterator[Reason]:
        """Tell what would have to be known, and where it is printed if the pack says so."""
        for word in sorted(doubts):
            if word == "zone":
                yield replace(lacking_zones(self.field), cite=self.course.cite)
            else:
                yield Reason(f"rules.retreat.doubt_{word}", {}, self.course.cite)

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
        label = self.field.label
        lacks_rear = self.target is not None and self.course.rear is None
        ways = () if lacks_rear else self.finder.ways
        barred = {} if lacks_rear else self.finder.turned_down
        reasons = [*reasons, *barred.values()]
        zones = assumed_zones(self.field, self.enemies, self.weather)
        return Ruling(
            question="retreat",
            verdict=verdict,
            reasons=tuple(reasons),
            cites=tuple(dict.fromkeys(one.cite for one in reasons if one.cite)),
            working={
                "hex": label(self.unit.hex),
                "side": self.unit.side,
                "class": self.unit.class_,
                "from": list(map(label, self.origins)),
                "to": sorted({label(way.path[-1]) for way in ways}),
                "ways": [list(map(label, way.path)) for way in ways],
                "passed": sorted({label(hex_) for way in ways for hex_ in way.passed}),
                "escapes": [],
                "barred": {label(hex_): one.told() for hex_, one in barred.items()},
            },
            assumptions=self.field.pack.assumptions_about(*self._leans_on(reasons)),
            missing=(*missing, *zones),
        )
