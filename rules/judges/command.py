"""The judge of command: whom a headquarters reaches, through which hexes, on which rolls."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from typing import Any

from mapkit.hexes import Hex, Hexside, Link, neighbours
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.judges.supply import SupplyJudge
from rules.judges.zones import assumed_zones, lacking_zones, may_have_zone, zone_of
from rules.ruling import Reason, Ruling
from rules.schema.command import Command, Placement
from rules.schema.forces import classes_in
from rules.standing import Standing

Points = int | Fraction
Values = dict[str, str | int]


@dataclass(frozen=True, slots=True)
class Reached:
    """The best way of a range to a hex: fewest rolls first, then shortest.

    *path* begins with the headquarters' hex, *rolls* are its hexes that a die decides about.
    """

    path: tuple[Hex, ...]
    cost: Points
    rolls: tuple[Hex, ...] = ()


@dataclass(frozen=True)
class CommandJudge:
    """Rules on the range of one headquarters. *reach* is its printed range, None if not known."""

    field: Battlefield
    side: str
    headquarters: Hex
    reach: Points | None = None
    friends: tuple[Standing, ...] = ()
    enemies: tuple[Standing, ...] = ()
    weather: str | None = None

    def __post_init__(self) -> None:
        self.field.require_weather(self.weather)
        self.field.map.require(self.headquarters)

    def rule(self, hex_: Hex) -> Ruling:
        """Return whether a unit of the side in this hex is in command."""
        self.field.map.require(hex_)
        if missing := self._unanswerable():
            return self._unknown(hex_, missing)
        found = self.reached(hex_)
        if found is not None and self._minds_zones and (missing := self.lacking_zones()):
            found = self._reached_in_any_case.get(hex_)
            if found is None:
                return self._unknown(hex_, missing)
        unpriced = tuple(self._unpriced()) if found is None else ()
        verdict = "out_of_command" if found is None else "in_command"
        if found is not None and found.rolls:
            verdict = "depends_on_roll"
        if unpriced:
            verdict = "unknown"
        reasons = [Reason(f"rules.command.{verdict}", self._values(hex_), self.rules.range.cite)]
        reasons += self._told(found) if found else self._told_out()
        about = ["command.range.roll"] if found is None or found.rolls else []
        zones = ["zones"] if self.enemies else []
        return Ruling(
            question="command",
            verdict=verdict,
            reasons=tuple(reasons),
            cites=tuple(dict.fromkeys(one.cite for one in reasons if one.cite)),
            working=self._working(hex_, found),
            assumptions=self.field.pack.assumptions_about(*about, *zones) if self.enemies else (),
            missing=(*unpriced, *assumed_zones(self.field, self.enemies, self.weather)),
        )

    def rule_range(self) -> Ruling:
        """Return all hexes that the range covers, and those it covers only after a roll."""
        if missing := self._unanswerable():
            return self._unknown(self.headquarters, missing)
        if self._minds_zones and (missing := self.lacking_zones()):
            return self._unknown(self.headquarters, missing)
        label = self.field.label
        sure = sorted(hex_ for hex_, one in self.covered.items() if not one.rolls)
        after_roll = sorted(hex_ for hex_, one in self.covered.items() if one.rolls)
        values: Values = {**self._values(self.headquarters), "n": len(sure)}
        cite = self.rules.range.cite
        reasons = [Reason("rules.command.covers", values, cite)]
        if after_roll:
            reasons.append(Reason("rules.command.covers_rolled", {"n": len(after_roll)}, cite))
        return Ruling(
            question="command",
            verdict="range",
            reasons=tuple(reasons),
            cites=(cite,),
            working={
                "headquarters": label(self.headquarters),
                "side": self.side,
                "range": str(self.length),
                "covers": list(map(label, sure)),
                "after_roll": {
                    label(hex_): list(map(label, self.covered[hex_].rolls)) for hex_ in after_roll
                },
            },
            assumptions=self.field.pack.assumptions_about("command.range.roll", "zones")
            if self.enemies
            else (),
            missing=(*self._unpriced(), *assumed_zones(self.field, self.enemies, self.weather)),
        )

    def rule_placement(self, own: Sequence[Hex], supply: SupplyJudge) -> Ruling:
        """Return whether the headquarters may be placed here; *own* are its units' hexes."""
        if missing := self._unanswerable():
            return self._unknown(self.headquarters, missing)
        if (rules := self.rules.placement) is None:
            return self._never_placed()
        minds_zones = self._minds_zones or not rules.in_enemy_zone
        if minds_zones and (missing := self.lacking_zones()):
            return self._unknown(self.headquarters, missing)
        faults = list(self._faults(rules, own, supply))
        verdicts = {verdict for verdict, _ in faults}
        order = ("illegal", "unknown", "depends_on_roll", "legal")
        verdict = next(one for one in order if one in verdicts or one == "legal")
        place = self._values(self.headquarters)
        reasons = (
            Reason(f"rules.command.placement_{verdict}", place, rules.cite),
            *(reason for _, reason in faults),
        )
        return Ruling(
            question="placement",
            verdict=verdict,
            reasons=reasons,
            cites=tuple(dict.fromkeys(one.cite for one in reasons if one.cite)),
            working={"headquarters": place["hex"], "side": self.side, "own": len(own)},
            assumptions=self.field.pack.assumptions_about("command.range", "command.placement")
            if self.enemies
            else (),
            missing=tuple(reason for verdict, reason in faults if verdict == "unknown"),
        )

    @cached_property
    def rules(self) -> Command:
        """The game's rule of command."""
        if self.field.pack.command is None:
            raise RulesError(f"{self.field.pack.title}: our sources hold no rule of command")
        return self.field.pack.command

    @cached_property
    def length(self) -> Points | None:
        """The range that is counted: the one given, or the game's own."""
        return self.rules.range.hexes if self.reach is None else self.reach

    def reached(self, hex_: Hex) -> Reached | None:
        """Return the best way of the range to a hex; None where it does not come there."""
        return self.covered.get(hex_)

    @cached_property
    def covered(self) -> dict[Hex, Reached]:
        """The best way to every hex in range; zones that our sources lack are taken for none."""
        if self.length is None:
            return {}
        return self._grown(self._rolled_for, self._shut, self.length)

    def spanned(self, shut: frozenset[Hex], length: Points | None = None) -> dict[Hex, Reached]:
        """Return the best way to every hex that a span comes to; it never goes on from *shut* ones.

        *length* None is any length.
        """
        return self._grown(frozenset(), shut, length)

    @cached_property
    def _reached_in_any_case(self) -> dict[Hex, Reached]:
        """The ways that hold wherever enemy zones lie: from friend to friend."""
        return {} if self.length is None else self.spanned(self.wherever_zones_lie, self.length)

    @property
    def wherever_zones_lie(self) -> frozenset[Hex]:
        """The hexes that enemy zones may shut, where nobody knows them: all without a friend."""
        friends = {friend.hex for friend in self.friends}
        negated = friends if self.rules.range.friend_negates_zone else set()
        return frozenset(self.field.map.hexes) - negated

    def _grown(
        self, rolled_for: frozenset[Hex], shut: frozenset[Hex], length: Points | None
    ) -> dict[Hex, Reached]:
        """Return the best way to every hex in range, grown roll by roll and then hex by hex.

        A unit's own hex needs no roll, for the unit negates the zone there: a roll is owed when
        the way goes on from a hex, not when it ends in it.
        """
        start = Reached((self.headquarters,), 0)
        found: dict[Hex, Reached] = {}
        least: dict[Hex, Points] = {}  # the cost of the ways with fewer rolls
        heap: list[tuple[int, Points, tuple[Hex, ...], Reached]] = [(0, 0, start.path, start)]
        while heap:
            _, _, _, way = heappop(heap)
            here = way.path[-1]
            if here in least and least[here] <= way.cost:
                continue
            least[here] = way.cost
            found.setdefault(here, way)
            rolls = way.rolls
            if here != self.headquarters and here in rolled_for:
                rolls = (*rolls, here)
            if here != self.headquarters and here in shut:
                continue
            for near in neighbours(here):
                step = self._step(here, near)
                if step is not None and (length is None or way.cost + step <= length):
                    further = Reached((*way.path, near), way.cost + step, rolls)
                    heappush(heap, (len(rolls), further.cost, further.path, further))
        return found

    def _step(self, here: Hex, near: Hex) -> Points | None:
        """What a step counts; None where the range does not go on."""
        range_ = self.rules.range
        if near not in self.field.map or (near in self._enemy_hexes and not range_.through_enemies):
            return None
        features = self.field.ground.hexsides.get(Hexside.between(here, near), ())
        on_side = {feature.kind for feature in features if feature.stands}
        for word, use in range_.sides.items():
            first = here == self.headquarters and use.rule == "first_only"
            if word in on_side and on_side.isdisjoint(use.opened_by) and not first:
                return None
        return self._hex_cost(near)

    def _hex_cost(self, hex_: Hex) -> Points | None:
        range_ = self.rules.range
        for cost in range_.costs:
            if any(
                feature.kind in cost.links
                for near in neighbours(hex_)
                for feature in self.field.ground.links.get(Link.between(hex_, near), ())
            ):
                return cost.cost
        if range_.in_points is None:
            return 1
        kind = self.field.pack.terrain.get(self.field.ground[hex_].terrain)
        price = None if kind is None else kind.costs.get(range_.in_points.of)
        return price if isinstance(price, int | Fraction) else None

    @cached_property
    def _enemy_hexes(self) -> frozenset[Hex]:
        return frozenset(enemy.hex for enemy in self._in_the_way)

    @cached_property
    def _in_the_way(self) -> tuple[Standing, ...]:
        none = classes_in(self.rules.range.no_influence, self.field.pack.classes)
        return tuple(one for one in self.enemies if not (one.class_ and one.class_ in none))

    @cached_property
    def zone_hexes(self) -> frozenset[Hex]:
        """The hexes of enemy zones that no friend negates."""
        zones = {
            one for enemy in self._in_the_way for one in zone_of(self.field, enemy, self.weather)
        }
        friends = {friend.hex for friend in self.friends}
        return frozenset(zones - friends if self.rules.range.friend_negates_zone else zones)

    @property
    def _rolled_for(self) -> frozenset[Hex]:
        return self.zone_hexes if self.rules.range.zones == "roll" else frozenset()

    @property
    def _shut(self) -> frozenset[Hex]:
        return self.zone_hexes if self.rules.range.zones == "shut" else frozenset()

    def _told(self, found: Reached) -> Iterator[Reason]:
        label, range_ = self.field.label, self.rules.range
        values: Values = {
            "n": str(found.cost),
            "range": str(self.length),
            "way": " ".join(map(label, found.path)),
        }
        yield Reason("rules.command.way", values, range_.cite)
        if found.rolls and range_.roll is not None:
            told: Values = {
                "hexes": ", ".join(map(label, found.rolls)),
                "blocked": f"1–{range_.roll.blocked_to}",
                "open": f"{range_.roll.blocked_to + 1}–{range_.roll.die}",
            }
            yield Reason("rules.command.roll", told, range_.roll.cite)

    def _told_out(self) -> Iterator[Reason]:
        out = self.rules.out_of_command
        key = "no_way" if self._in_the_way else "too_far"
        yield Reason(f"rules.command.{key}", {"range": str(self.length)}, self.rules.range.cite)
        if out is None:
            return
        if out.moves_in is not None:
            yield Reason("rules.command.moves_in", {"phase": out.moves_in}, out.cite)
        if out.may_not:
            yield Reason("rules.command.may_not", {"what": _spoken(out.may_not)}, out.cite)
        if out.halves:
            yield Reason("rules.command.halves", {"what": _spoken(out.halves)}, out.cite)

    def _faults(
        self, rules: Placement, own: Sequence[Hex], supply: SupplyJudge
    ) -> Iterator[tuple[str, Reason]]:
        hex_ = self.headquarters
        if not rules.with_enemy and any(enemy.hex == hex_ for enemy in self.enemies):
            yield "illegal", Reason("rules.command.with_enemy", self._values(hex_), rules.cite)
        if not rules.in_enemy_zone and hex_ in self.zone_hexes:
            yield "illegal", Reason("rules.command.in_zone", self._values(hex_), rules.cite)
        if rules.on_supply_line:
            ruling = supply.rule(hex_)
            if ruling.verdict == "out_of_supply":
                yield "illegal", Reason("rules.command.no_line", self._values(hex_), rules.cite)
            elif ruling.verdict == "unknown":
                why = ruling.missing[0] if ruling.missing else ruling.reasons[0]
                yield "unknown", why
        if not own:
            yield "unknown", Reason("rules.command.whose", {}, rules.cite)
            return
        ways = [self.covered.get(one) for one in own]
        values: Values = {"n": rules.own_in_command}
        if sum(way is not None for way in ways) < rules.own_in_command:
            yield "illegal", Reason("rules.command.nobody", values, rules.cite)
        elif sum(way is not None and not way.rolls for way in ways) < rules.own_in_command:
            yield "depends_on_roll", Reason("rules.command.nobody_yet", values, rules.cite)

    def _values(self, hex_: Hex) -> Values:
        side = self.field.pack.sides[self.side].title
        return {"hex": self.field.label(hex_), "side": side}

    def _working(self, hex_: Hex, found: Reached | None) -> dict[str, Any]:
        label = self.field.label
        return {
            "hex": label(hex_),
            "headquarters": label(self.headquarters),
            "side": self.side,
            "range": None if self.length is None else str(self.length),
            "distance": None if found is None else str(found.cost),
            "path": [] if found is None else list(map(label, found.path)),
            "rolls": [] if found is None else list(map(label, found.rolls)),
        }

    def _unpriced(self) -> Iterator[Reason]:
        """What a range in points would have to know of the ground next to what it covers."""
        if self.rules.range.in_points is None:
            return
        near = {one for hex_ in self.covered for one in neighbours(hex_) if one in self.field.map}
        words = {self.field.ground[hex_].terrain for hex_ in near if self._hex_cost(hex_) is None}
        if words:
            yield Reason("rules.command.unpriced", {"words": ", ".join(sorted(words))})

    def _unanswerable(self) -> Reason | None:
        if self.field.pack.command is None:
            return Reason("rules.command.not_in_sources", {"game": self.field.pack.title})
        if self.length is None:
            where = self.rules.range.printed_on
            return Reason("rules.command.no_range", {"where": where}, self.rules.range.cite)
        return None

    @property
    def _minds_zones(self) -> bool:
        return self.rules.range.zones != "open"

    def lacking_zones(self) -> Reason | None:
        """Tell that enemies may have zones of which our sources lack the rule."""
        if self.field.pack.zones is not None:
            return None
        if not any(may_have_zone(self.field, one) for one in self._in_the_way):
            return None
        return replace(lacking_zones(self.field), cite=self.rules.range.cite)

    def _never_placed(self) -> Ruling:
        """Answer for a game whose headquarters move, or whose rule of placing we lack."""
        pack = self.field.pack
        working = {"headquarters": self.field.label(self.headquarters), "side": self.side}
        if cite := pack.no_rule.get("placement"):
            reason = Reason("rules.command.never_placed", {"game": pack.title}, cite)
            return Ruling("placement", "no_rule", (reason,), (cite,), working)
        lacks = Reason("rules.command.no_placement", {"game": pack.title})
        place = Reason("rules.command.placement_unknown", self._values(self.headquarters))
        return Ruling("placement", "unknown", (place,), (), working, missing=(lacks,))

    def _unknown(self, hex_: Hex, missing: Reason) -> Ruling:
        reason = Reason("rules.command.unknown", self._values(hex_))
        cites = (missing.cite,) if missing.cite else ()
        working = {
            "hex": self.field.label(hex_),
            "headquarters": self.field.label(self.headquarters),
            "side": self.side,
            "path": [],
            "rolls": [],
            "covers": [],
            "after_roll": {},
        }
        return Ruling("command", "unknown", (reason,), cites, working, missing=(missing,))


def _spoken(words: tuple[str, ...]) -> str:
    return ", ".join(word.replace("_", " ") for word in words)
