"""The judge of movement: how far a unit comes, at what cost, what it meets, and why not farther."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from mapkit.hexes import Hex, Hexside, Link, neighbours
from mapkit.kinds import UNKNOWN, Group
from mapkit.model import Feature
from mapkit.traces import Refusal, Why, refused
from rules.errors import RulesError
from rules.judges.mover import Mover
from rules.judges.zones import assumed_zones
from rules.ruling import Reason, Ruling
from rules.schema.movement import EntryCheck

_BY_MODE = ("enemy_zone", "too_near", "no_enemy_zone", "second_hex")  # refusals of a way to move


@dataclass(frozen=True)
class MovementJudge(Mover):
    """Rules on one unit's move."""

    def rule(self, to: Hex | None = None) -> Ruling:
        """Return where the unit can go; with *to* whether it comes there, and by which way.

        Raises:
            RulesError: a unit of its class never moves, or not in this mode.
        """
        if self.field.pack.movement is None:
            return self._not_in_sources()
        self._require_leave()
        unpriced = self._unpriced()
        reasons = list(self._told(to))
        if unpriced:
            place = {"hex": self.field.label(self.unit.hex)}
            reasons.insert(0, Reason("rules.movement.unknown", place, self.rules.cite))
        return Ruling(
            question="movement",
            verdict=self._verdict(to, missing=bool(unpriced)),
            reasons=tuple(reasons),
            cites=tuple(dict.fromkeys(one.cite for one in reasons if one.cite)),
            working=self._working(to),
            assumptions=self.field.pack.assumptions_about(*self._leans_on()),
            missing=(
                *unpriced,
                *self._not_known(),
                *assumed_zones(self.field, self.enemies, self.weather),
            ),
        )

    def _require_leave(self) -> None:
        """Raise RulesError where the unit may not move, or not in this mode."""
        name, mode = self.unit.class_.replace("_", " "), self.mode_word.replace("_", " ")
        for groups, cite in self.rules.immobile.items():
            if self.is_in((groups,)):
                raise RulesError(f"{name}: it does not move [{cite}]")
        for status, cite in self.rules.still.items():
            if self.unit.statuses.get(status):
                raise RulesError(f"{name}: it does not move while {_spoken(status)} [{cite}]")
        chosen = self.chosen
        if chosen.units and not self.is_in(chosen.units):
            raise RulesError(f"{mode} is not for {self.unit.class_} [{chosen.cite}]")
        if self.is_in(chosen.not_for):
            cite = chosen.not_for_cite or chosen.cite
            raise RulesError(f"{mode} is not for {self.unit.class_} [{cite}]")
        for status in chosen.not_in:
            if self.unit.statuses.get(status):
                state = _spoken(status)
                raise RulesError(f"{mode} is not for a unit that is {state} [{chosen.cite}]")
        points, threshold = self.disorganization
        if chosen.room is not None and threshold is not None and threshold - points < chosen.room:
            raise RulesError(
                f"{mode}: with {points} points of disorganization the unit is too near its "
                f"threshold of {threshold} [{chosen.cite}]"
            )

    def _not_known(self) -> Iterator[Reason]:
        """What the counter prints and nobody told, where this way of moving asks for it."""
        if self.chosen.room is not None and self.disorganization[1] is None:
            values: dict[str, str | int] = {"n": self.chosen.room, "mode": self.mode_word}
            yield Reason("rules.movement.no_threshold", values, self.chosen.cite)
        for ruling in self.on_roads.values():
            if ruling.verdict == "unknown":
                yield ruling.reasons[0]

    def _leans_on(self) -> Iterator[str]:
        """The parts of the pack this move makes use of: only their open questions are told."""
        yield f"movement.modes.{self.mode_word}"
        near = self._near
        if len({self.field.ground[hex_].level for hex_ in near}) > 1:
            yield "movement.levels"
        words = {one.kind for _, features in self._sides for one in features}
        yield from (f"movement.sides.{word}" for word in sorted(words))
        kinds = {one.kind for hex_ in near for one in self.field.ground[hex_].features}
        for name, works in self.rules.works.items():
            if not kinds.isdisjoint(works.features):
                yield f"movement.works.{name}"
        if self._links:
            yield "movement.roads"
        if (step := self.rules.step_up) is not None and self.is_in(step.units):
            yield "movement.step_up"
        if self.zones & near:
            yield "zones"

    @cached_property
    def _near(self) -> frozenset[Hex]:
        """The hexes of the reach and those next to them."""
        board = self.field.board
        return frozenset(board.hexes(board.neighbours(self.reach.hexes) | self.reach.hexes))

    @cached_property
    def _sides(self) -> list[tuple[Hexside, tuple[Feature, ...]]]:
        """What lies on the hexsides between these hexes."""
        near, sides = self._near, self.field.sides_by_hex
        return [one for hex_ in near for one in sides.get(hex_, ()) if one[0].b in near]

    @cached_property
    def _links(self) -> list[tuple[Link, tuple[Feature, ...]]]:
        """The roads, tracks and railways between these hexes."""
        near, links = self._near, self.field.links_by_hex
        return [one for hex_ in near for one in links.get(hex_, ()) if one[0].b in near]

    def _verdict(self, to: Hex | None, *, missing: bool) -> str:
        if to is None:
            return "unknown" if missing else "reach"
        if self.reach.arrival(to) is not None:
            return "reached"
        return "unknown" if missing else "not_reached"

    def _told(self, to: Hex | None) -> Iterator[Reason]:
        label = self.field.label
        values: dict[str, str | int] = {
            "hex": label(self.unit.hex),
            "n": self.reach.hexes.bit_count() - 1,
            "points": str(self.points),
        }
        yield Reason("rules.movement.reach", values, self.rules.cite)
        if self.chosen.factor != 1:
            word, by = self.mode_word, str(self.chosen.factor)
            factor: dict[str, str | int] = {"mode": word, "factor": by}
            yield Reason("rules.movement.mode", factor, self.chosen.cite)
        if self.chosen.disorganization:
            points: dict[str, str | int] = {"n": self.chosen.disorganization}
            yield Reason("rules.movement.disorganized", points, self.chosen.cite)
        if self.is_hopping:
            yield Reason("rules.movement.hops", {"hex": label(self.unit.hex)}, self.chosen.cite)
        if to is None:
            return
        yield from self._no_bridges(to)
        arrival = self.reach.arrival(to)
        if arrival is not None:
            way = " ".join(map(label, self.way(to)))
            told: dict[str, str | int] = {
                "hex": label(to),
                "spent": str(arrival.spent),
                "way": way,
            }
            yield Reason("rules.movement.reached", told, self.rules.cite)
            yield from (fire.told(self.field) for fire in self.fire(to))
            for one in self.swept(to):
                place: dict[str, str | int] = {"hex": label(one.hex), "name": one.name}
                cite = self.chosen.overruns_cite or self.chosen.cite
                yield Reason("rules.movement.overrun", place, cite)
            for hex_, check in self._checks(to):
                title = self.field.pack.checks[check.check].title
                yield Reason(
                    "rules.movement.check", {"hex": label(hex_), "check": title}, check.cite
                )
        else:
            yield from self._why_not(to)

    @cached_property
    def _refused(self) -> dict[Hex, Refusal]:
        """The nearest miss of every hex just beyond the reach."""
        return refused(self.reach)

    def _checks(self, to: Hex) -> Iterator[tuple[Hex, EntryCheck]]:
        """The checks that the unit makes on the cheapest way, where it makes them."""
        for hex_ in self.way(to)[1:]:
            features = self.field.ground[hex_].features
            kinds = {one.kind for one in features}
            for rule in self.rules.checks:
                theirs = [
                    one
                    for one in features
                    if one.kind in rule.features
                    and not (rule.of_enemy and self.field.owner(one) in (None, self.unit.side))
                ]
                if theirs and kinds.isdisjoint(rule.unless):
                    yield hex_, rule

    def _why_not(self, to: Hex) -> Iterator[Reason]:
        refusal = self._refused.get(to)
        if refusal is None:
            yield Reason("rules.movement.too_far", {"hex": self.field.label(to)}, self.rules.cite)
            return
        values: dict[str, str | int] = {
            "hex": self.field.label(to),
            "from": self.field.label(refusal.came_from),
            "needs": str(refusal.needs if refusal.needs is not None else "–"),
            "left": str(refusal.left if refusal.left is not None else "–"),
            "what": refusal.name.replace("_", " "),
        }
        yield Reason(f"rules.movement.why_{refusal.why.value}", values, self._cite_of(refusal))

    def _no_bridges(self, to: Hex) -> Iterator[Reason]:
        """Tell which bridges on the way, or to the hex that is asked for, help nobody."""
        way = self.way(to) if self.reach.arrival(to) is not None else ()
        steps = list(pairwise(way)) or [(near, to) for near in neighbours(to) if near in self._near]
        for here, there in steps:
            if self.costs.is_no_help(here, there):
                ends: dict[str, str | int] = {
                    "a": self.field.label(here),
                    "b": self.field.label(there),
                }
                side = self.field.ground.hexsides[Hexside.between(here, there)]
                rules = [self.rules.sides[one.kind] for one in side if one.kind in self.rules.sides]
                cite = next(one.held_cite or one.cite for one in rules if one.opened_when_held)
                yield Reason("rules.movement.bridge_not_held", ends, cite)

    def _cite_of(self, refusal: Refusal) -> str:
        """The rule that forbids a step: of the zone, of the hexside, of the mode, of movement."""
        if self.field.pack.zones is not None:
            effects = self.field.pack.zones.effects
            if refusal.why is Why.MUST_STOP:
                return effects.on_entry_cite
            if refusal.why is Why.PINNED:
                return effects.pins_cite or effects.on_entry_cite
        if (side := self.rules.sides.get(refusal.name)) is not None:
            return side.cite
        entry = self.rules.zone_entry
        if refusal.name == "enemy_zone" and entry is not None and self.is_in(entry.units):
            return entry.cite
        return self.chosen.cite if refusal.name in _BY_MODE else self.rules.cite

    def _unpriced(self) -> list[Reason]:
        """What the chart of the physical game would have to say for the hexes about the reach."""
        hexes, near = self.field.ground.hexes, self._near
        bare = (hex_ for hex_ in near if self.costs.works_in(hex_) is None)
        grounds = {hexes[hex_].terrain for hex_ in bare if hex_ != self.unit.hex}
        words = {word for word in grounds if self.costs.ground_cost(word) is None}
        words |= set(self._unpriced_between("hexsides", self._sides))
        words |= set(self._unpriced_between("links", self._links))
        unbound = list(self.field.unbound_words("terrain")) if UNKNOWN in words else []
        words.discard(UNKNOWN)
        unbound += self._works_of_nobody()
        if not words:
            return unbound
        where = next(
            (one.printed_on for one in self.field.pack.missing.values() if _is_chart(one.keys)),
            "TEC",
        )
        entry = f"terrain.{min(words)}.costs.{self.unit.class_}"
        values: dict[str, str | int] = {
            "words": ", ".join(sorted(words)),
            "where": where,
            "entry": entry,
        }
        return [Reason("rules.movement.unpriced", values), *unbound]

    def _works_of_nobody(self) -> list[Reason]:
        """The works about the reach of which nobody knows whose they are."""
        found = {hex_: self.costs.works_of_nobody(hex_) for hex_ in sorted(self._near)}
        hexes = [self.field.label(hex_) for hex_, one in found.items() if one is not None]
        if not hexes:
            return []
        kinds = sorted({one.kind.replace("_", " ") for one in found.values() if one is not None})
        values: dict[str, str | int] = {"hexes": ", ".join(hexes), "what": ", ".join(kinds)}
        return [Reason("rules.movement.whose", values)]

    def _unpriced_between(
        self, group: Group, places: Iterable[tuple[Hexside | Link, tuple[Feature, ...]]]
    ) -> Iterator[str]:
        for place, features in places:
            for one in features:
                unruled = one.kind not in self.rules.sides
                unpriced = unruled and self.costs.price(group, one.kind) is None
                if unpriced and not self.costs.bars(*place):
                    yield one.kind

    def _working(self, to: Hex | None) -> dict[str, Any]:
        label = self.field.label
        reach = self.reach
        return {
            "hex": label(self.unit.hex),
            "class": self.unit.class_,
            "mode": self.mode_word,
            "points": str(self.points),
            "reach": [
                {"hex": label(one.hex), "spent": str(one.spent), "how": one.how}
                for one in reach.arrivals()
            ],
            "refused": [
                {
                    "hex": label(hex_),
                    "from": label(one.came_from),
                    "why": one.why.value,
                    "needs": None if one.needs is None else str(one.needs),
                    "left": None if one.left is None else str(one.left),
                    "what": one.name,
                }
                for hex_, one in sorted(self._refused.items())
            ],
            "path": []
            if to is None or reach.arrival(to) is None
            else [label(hex_) for hex_ in self.way(to)],
            "draws_fire": []
            if to is None or reach.arrival(to) is None
            else [fire.as_data(self.field) for fire in self.fire(to)],
            "overrun": []
            if to is None or reach.arrival(to) is None
            else [one.name for one in self.swept(to)],
            "checks": []
            if to is None or reach.arrival(to) is None
            else [{"hex": label(hex_), "check": one.check} for hex_, one in self._checks(to)],
        }

    def _not_in_sources(self) -> Ruling:
        reason = Reason("rules.movement.not_in_sources", {"game": self.field.pack.title})
        working = {"hex": self.field.label(self.unit.hex), "reach": [], "refused": [], "path": []}
        return Ruling("movement", "unknown", (reason,), (), working, missing=(reason,))


def _is_chart(keys: tuple[str, ...]) -> bool:
    return any(key.startswith("terrain.") for key in keys)


def _spoken(word: str) -> str:
    return word.replace("_", " ")
