"""The judge of stacking: who counts with what, who stacks for nothing, and who is too many."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from mapkit.hexes import Hex
from mapkit.kinds import UNKNOWN
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.judges.stack_company import doubtful_friends, kept_apart, room_made
from rules.judges.stack_counting import (
    Bound,
    Counted,
    Points,
    Stack,
    Verdict,
    possible_classes,
    readings,
    ways_to_count,
)
from rules.judges.weather import is_high
from rules.ruling import Reason, Ruling
from rules.schema.forces import classes_in
from rules.schema.stacking import Limit, Pool, Stacking, StackingException
from rules.standing import Standing

Values = dict[str, str | int]


@dataclass(frozen=True)
class StackingJudge:
    """Rules on the stacks of a position; each side of a hex is counted by itself.

    *scenario* and *set_up* matter where a scenario allows more to somebody, or only then.
    """

    field: Battlefield
    standings: tuple[Standing, ...]
    weather: str | None = None
    scenario: str = ""
    set_up: bool = False

    def __post_init__(self) -> None:
        self.field.require_weather(self.weather)

    def rule(self, hex_: Hex) -> Ruling:
        """Return whether the units in a hex may all stand there."""
        self.field.map.require(hex_)
        if self.field.pack.stacking is None:
            return self._not_in_sources(hex_)
        stacks = self.stacks(hex_)
        verdict = max((stack.verdict for stack in stacks), key=_rank, default="within")
        place: Values = {"hex": self.field.label(hex_)}
        mixed = verdict == "over" and all(stack.counted != "over" for stack in stacks)
        told = "mixed" if mixed else verdict
        reasons = [Reason(f"rules.stacking.{told}", place, self.rules.cite)]
        if len(stacks) > 1:
            cite = self.rules.assault_cite or ""
            reasons.append(Reason("rules.stacking.each_side", {}, cite))
        for stack in stacks:
            reasons += self._told(stack)
        cites = [reason.cite for reason in reasons if reason.cite]
        return Ruling(
            question="stacking",
            verdict=verdict,
            reasons=tuple(reasons),
            cites=tuple(dict.fromkeys(cites)),
            working=self._working(hex_, stacks),
            assumptions=self.field.pack.assumptions_about("stacking"),
            missing=tuple(self._missing(hex_, stacks)),
        )

    def rule_all(self) -> tuple[Ruling, ...]:
        """Return a ruling for every hex that holds a unit, in the order of the map."""
        return tuple(self.rule(hex_) for hex_ in sorted({unit.hex for unit in self.standings}))

    def rule_road(self, hex_: Hex, side: str) -> Ruling:
        """Return whether others of a side may come into a hex at the road rate: open or closed."""
        self.field.map.require(hex_)
        roads = None if self.field.pack.stacking is None else self.rules.roads
        if roads is None:
            return self._not_in_sources(hex_)
        never = classes_in(roads.never, self.field.pack.classes)
        about = [unit for unit in self.standings if unit.hex == hex_ and unit.side == side]
        closing = tuple(unit for unit in about if unit.class_ not in never)
        stack = self._counted(hex_, side, closing)
        shut = {
            any(one.counts[pool] >= roads.from_ for pool in roads.pools) for one in stack.read or ()
        }
        verdict = "unknown" if len(shut) != 1 else "closed" if shut.pop() else "open"
        values: Values = {"hex": self.field.label(hex_), "names": ", ".join(_names(closing)) or "–"}
        reason = Reason(f"rules.stacking.road_{verdict}", values, roads.cite)
        missing = tuple(self._unknown_units(stack)) if verdict == "unknown" else ()
        working = {"hex": values["hex"], "side": side, "units": _names(closing)}
        return Ruling("road", verdict, (reason,), (roads.cite,), working, missing=missing)

    @cached_property
    def rules(self) -> Stacking:
        """The game's rule of stacking."""
        if self.field.pack.stacking is None:
            raise RulesError(f"{self.field.pack.title}: our sources hold no rule of stacking")
        return self.field.pack.stacking

    def stacks(self, hex_: Hex) -> tuple[Stack, ...]:
        """Return the stack of each side in a hex, counted."""
        here = [unit for unit in self.standings if unit.hex == hex_]
        return tuple(
            self._counted(hex_, side, tuple(unit for unit in here if unit.side == side))
            for side in dict.fromkeys(unit.side for unit in here)
        )

    def _counted(self, hex_: Hex, side: str, units: tuple[Standing, ...]) -> Stack:
        ways = tuple(ways_to_count(self.field.pack, self.rules, unit) for unit in units)
        bounds = {
            name: tuple(dict.fromkeys(self._bounds(name, pool, hex_, units)))
            for name, pool in self.rules.pools.items()
        }
        read = readings(self.rules, units, ways, bounds)
        apart, _ = kept_apart(self.field, self.rules, units)
        return Stack(side, units, ways, None if read is None else tuple(read), apart)

    def _bounds(
        self, name: str, pool: Pool, hex_: Hex, units: tuple[Standing, ...]
    ) -> Iterator[Bound]:
        """Yield the limits that may hold; more than one where the map does not know the ground."""
        side = units[0].side if units else ""
        room = room_made(self.field, pool, hex_, side, self.standings)
        allowed = [self._allows(one, units) for one in self._exceptions(name, units)]
        if True not in allowed:
            for bound in self._ground_bounds(pool, hex_, units):
                yield from (_raised(bound, more) for more in room)
        for one, is_meant in zip(self._exceptions(name, units), allowed, strict=True):
            if is_meant is not False:
                yield Bound(one.most, one.cite)

    def _ground_bounds(self, pool: Pool, hex_: Hex, units: tuple[Standing, ...]) -> Iterator[Bound]:
        for limit in pool.limits:
            holds = self._fits(limit, hex_, units)
            if holds is not False:
                yield Bound(limit.most, limit.cite, limit.in_units)
            if holds:
                return
        yield Bound(pool.most, pool.cite)

    def _fits(self, limit: Limit, hex_: Hex, units: tuple[Standing, ...]) -> bool | None:
        beside = any(self._is_of(unit, limit.beside) for unit in units)
        if (limit.beside and not beside) or any(self._is_of(u, limit.without) for u in units):
            return False
        return self._is_on(limit, hex_)

    def _is_on(self, limit: Limit, hex_: Hex) -> bool | None:
        """Whether a hex is the ground of a limit; None where the map does not know it."""
        ground = self.field.ground[hex_]
        words = {ground.terrain, *(feature.kind for feature in ground.features)}
        if not words.isdisjoint(limit.ground):
            return True
        high = is_high(self.field, hex_) if limit.or_high_mountain else False
        if high is not False:
            return high
        by_height = limit.or_high_mountain and self.field.high_from[1] is not None
        if limit.ground:  # where height tells it, unknown terrain does not matter
            return None if ground.terrain == UNKNOWN and not by_height else False
        low, top = limit.level_from, limit.level_to
        if low is None and top is None:
            return not limit.or_high_mountain
        if ground.level is None:
            return None
        return (low is None or ground.level >= low) and (top is None or ground.level <= top)

    def _is_of(self, unit: Standing, groups: tuple[str, ...]) -> bool:
        pack = self.field.pack
        return bool(possible_classes(pack, unit) & classes_in(groups, pack.classes))

    def _exceptions(self, pool: str, units: tuple[Standing, ...]) -> list[StackingException]:
        return [
            one
            for one in self.rules.exceptions.values()
            if one.scenario == self.scenario
            and (self.set_up or not one.set_up_only)
            and one.pool == pool
            and any(unit.side == one.side for unit in units)
        ]

    def _allows(self, one: StackingException, units: tuple[Standing, ...]) -> bool | None:
        """Whether an exception is for these units; None where nobody knows who is meant."""
        if not one.formations:
            return None
        return all(unit.formation in one.formations for unit in units)

    def _told(self, stack: Stack) -> Iterator[Reason]:
        side = self.field.pack.sides[stack.side].title
        if stack.apart is not None:
            yield stack.apart
        for pool, entry in self.rules.pools.items():
            low, high = stack.span(pool)
            if not high:
                continue
            bounds = dict.fromkeys(one.bounds[pool] for one in stack.read or ())
            limit = "/".join("–" if bound.most is None else str(bound.most) for bound in bounds)
            values: Values = {
                "side": side,
                "count": str(low) if low == high else f"{low}–{high}",
                "limit": limit,
                "what": pool.replace("_", " "),
            }
            cite = next(iter(bounds)).cite if len(bounds) == 1 else entry.cite
            yield Reason("rules.stacking.count", values, cite)
        if stack.read is not None and len(stack.read) == 1:
            yield from self._told_reading(stack, stack.read[0])

    def _told_reading(self, stack: Stack, read: Counted) -> Iterator[Reason]:
        by_cite: dict[str, list[str]] = {}
        for unit, share in zip(stack.units, read.shares, strict=True):
            if not share.pool:
                by_cite.setdefault(share.cite, []).append(unit.name)
        for cite, names in by_cite.items():
            yield Reason("rules.stacking.never", {"names": ", ".join(names)}, cite)
        for at in sorted(read.free):
            cite = self.rules.free[read.shares[at].free_by].cite
            yield Reason("rules.stacking.free", {"names": stack.units[at].name}, cite)
        for size, entry in self.rules.sizes.items():
            small = [
                at
                for at, share in enumerate(read.shares)
                if share.size == size and at not in read.free
            ]
            if entry.together > 1 and small:
                told: Values = {"names": stack.named(iter(small)), "n": entry.together}
                yield Reason("rules.stacking.together", told, entry.cite)
        if read.regiment and self.rules.one_regiment is not None:
            most = read.bounds[self.rules.one_regiment.pool].most
            excused: Values = {"regiment": read.regiment, "n": str(most)}
            yield Reason("rules.stacking.one_regiment", excused, self.rules.one_regiment.cite)
        if read.verdict == "over":
            yield from self._told_over(stack, read)

    def _told_over(self, stack: Stack, read: Counted) -> Iterator[Reason]:
        for pool in read.counts:
            if too_many := read.too_many(pool):
                inside = (at for at, share in enumerate(read.shares) if share.pool == pool)
                values: Values = {"n": str(too_many), "names": stack.named(inside)}
                yield Reason("rules.stacking.too_many", values, read.bounds[pool].cite)
        when: Values = {"when": _spoken(self.rules.checked)}
        yield Reason("rules.stacking.checked", when, self.rules.checked_cite)
        if self.rules.arrival_cite is not None:
            yield Reason("rules.stacking.arrivals", {}, self.rules.arrival_cite)
        over = self.rules.over
        if over is None:
            return
        after: Values = {"when": _spoken(over.after)}
        yield Reason("rules.stacking.due_after", after, over.after_cite or over.cite)
        due = ", ".join(self.due(stack.units))
        if over.eliminated:
            yield Reason("rules.stacking.eliminated", {"names": due}, over.cite)
        if over.disorganization:
            points: Values = {"names": due, "n": over.disorganization}
            yield Reason("rules.stacking.due", points, over.cite)
        if over.most_per_turn is not None:
            yield Reason("rules.stacking.due_at_most", {"n": over.most_per_turn}, over.cite)
        if not over.surrender:
            yield Reason("rules.stacking.no_surrender", {}, over.surrender_cite or over.cite)

    def due(self, units: tuple[Standing, ...]) -> list[str]:
        """Return the names of those who pay for an overstacked hex: also who did not count."""
        groups = self.rules.over.falls_on if self.rules.over else ()
        return [unit.name for unit in units if not groups or self._is_of(unit, groups)]

    def _missing(self, hex_: Hex, stacks: tuple[Stack, ...]) -> Iterator[Reason]:
        for stack in stacks:
            _, untold = kept_apart(self.field, self.rules, stack.units)
            if untold is not None:
                yield untold
            if stack.verdict != "unknown":
                continue
            yield from self._unknown_units(stack)
            for pool in self.rules.pools:
                bounds = {one.bounds[pool] for one in stack.read or ()}
                if any(bound.most is None for bound in bounds) and stack.span(pool)[1]:
                    lacking: Values = {"what": pool.replace("_", " ")}
                    yield Reason("rules.stacking.no_limit", lacking, self.rules.pools[pool].cite)
                for one in self._exceptions(pool, stack.units):
                    if self._allows(one, stack.units) is None and len(bounds) > 1:
                        yield Reason("rules.stacking.who_is_meant", {"of": one.of}, one.cite)
                        bounds = set()
                about = (self.rules.pools[pool], hex_, stack.side, self.standings)
                for doubt in doubtful_friends(self.field, *about):
                    yield doubt
                    bounds = set()
                if len({bound.most for bound in bounds}) > 1 and not self._may_be_high(hex_, stack):
                    place: Values = {"hex": self.field.label(hex_)}
                    yield Reason("rules.stacking.no_ground", place)
            if self._may_be_high(hex_, stack):
                yield Reason("rules.sight.no_high_mountain", {"entry": "levels.high_mountain"})

    def _may_be_high(self, hex_: Hex, stack: Stack) -> bool:
        """Whether less may stand here if it is high mountain, which no chart at hand tells."""
        level, (surely, perhaps) = self.field.ground[hex_].level, self.field.high_from
        if surely is not None or perhaps is None or (level is not None and level < perhaps):
            return False
        return any(
            limit.or_high_mountain and stack.span(name)[1]
            for name, pool in self.rules.pools.items()
            for limit in pool.limits
        )

    def _unknown_units(self, stack: Stack) -> Iterator[Reason]:
        """Tell what to read on which counter."""
        if stack.read is None:
            yield Reason("rules.stacking.too_unclear", {"n": len(stack.units)})
        for unit, ways in zip(stack.units, stack.ways, strict=True):
            name: Values = {"name": unit.name}
            if len(ways) > 1 and not unit.class_:
                yield Reason("rules.stacking.no_class", name)
            elif len({way.pool for way in ways}) > 1:
                yield Reason("rules.stacking.no_mode", name)
            if unit.class_ and len({way.size for way in ways}) > 1:
                yield Reason("rules.stacking.no_size", name)
            if any(way.points is None for way in ways):
                yield Reason("rules.stacking.no_value", name)
        if self.rules.one_regiment and any(one.verdict == "unknown" for one in stack.read or ()):
            values: Values = {"names": ", ".join(_names(stack.units))}
            yield Reason("rules.stacking.no_regiment", values, self.rules.one_regiment.cite)

    def _working(self, hex_: Hex, stacks: tuple[Stack, ...]) -> dict[str, Any]:
        return {
            "hex": self.field.label(hex_),
            "units": sum(len(stack.units) for stack in stacks),
            "sides": {stack.side: self._side_data(stack) for stack in stacks},
        }

    def _side_data(self, stack: Stack) -> dict[str, Any]:
        first = stack.read[0] if stack.read else None
        sure = first if stack.read is not None and len(stack.read) == 1 else None
        free = sure.free if sure else frozenset()
        over = self.rules.over if stack.verdict == "over" else None
        return {
            "verdict": stack.verdict,
            "pools": {
                pool: {
                    "at_least": _plain(stack.span(pool)[0]),
                    "at_most": _plain(stack.span(pool)[1]),
                    "limits": list(
                        dict.fromkeys(one.bounds[pool].most for one in stack.read or ())
                    ),
                    "too_many": _plain(sure.too_many(pool)) if sure else None,
                }
                for pool in self.rules.pools
            },
            "units": _names(stack.units),
            "free": [stack.units[at].name for at in sorted(free)],
            "never": [
                unit.name
                for unit, ways in zip(stack.units, stack.ways, strict=True)
                if all(not way.pool for way in ways)
            ],
            "regiment": sure.regiment if sure else "",
            "due": self.due(stack.units) if over else [],
            "disorganization": over.disorganization if over else 0,
        }

    def _not_in_sources(self, hex_: Hex) -> Ruling:
        reason = Reason("rules.stacking.not_in_sources", {"game": self.field.pack.title})
        working = {"hex": self.field.label(hex_), "units": 0, "sides": {}}
        return Ruling("stacking", "unknown", (reason,), (), working, missing=(reason,))


def _rank(verdict: Verdict) -> int:
    return ("within", "unknown", "over").index(verdict)


def _raised(bound: Bound, by: int) -> Bound:
    return replace(bound, most=bound.most + by) if isinstance(bound.most, int) else bound


def _names(units: tuple[Standing, ...]) -> list[str]:
    return [unit.name for unit in units]


def _spoken(words: tuple[str, ...]) -> str:
    return ", ".join(word.replace("_", " ") for word in words)


def _plain(points: Points) -> int | str:
    return points if isinstance(points, int) else str(points)
