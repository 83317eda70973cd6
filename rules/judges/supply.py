"""The judge of supply: the line with its running cost, or who cuts it, and what that does."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from mapkit.bitboards import Bits
from mapkit.hexes import Hex, neighbours
from mapkit.traces import Block, Blockade, Culprits, Obstacle
from rules.battlefield import Battlefield
from rules.judges.interdiction import Commanded, GunsOverRoads
from rules.judges.supply_cuts import MOST_REMOVED, Feeding
from rules.judges.supply_effects import due_now, told_due
from rules.judges.supply_ground import SupplyGround, leg_name
from rules.judges.supply_lines import Line
from rules.judges.zones import ZoneJudge, assumed_zones, classes_of
from rules.ruling import Reason, Ruling
from rules.schema.forces import classes_in
from rules.schema.supply import Supply
from rules.standing import Standing

_OF_LINES = ("supply.legs", "supply.sources", "zones")  # parts of the pack every line makes use of


@dataclass(frozen=True, slots=True)
class Fed:
    """How a hex is fed: its line to a source, or who cuts it.

    *more_than* is how many enemies would not be enough to remove, where nobody looked further.
    """

    hex: Hex
    line: Line | None = None
    culprits: Culprits | None = None
    more_than: int = 0


@dataclass(frozen=True)
class SupplyJudge:
    """Rules on supply of one side, with these units about; many questions share its work.

    *control* says who holds a hex, by label: some sources belong to whoever does. *shared* is the
    map as another judge has compiled it already; `with_units` hands it on.
    """

    field: Battlefield
    side: str
    friends: tuple[Standing, ...] = ()
    enemies: tuple[Standing, ...] = ()
    more_sources: tuple[Hex, ...] = ()
    weather: str | None = None
    control: Mapping[str, str] | None = None
    shared: SupplyGround | None = None

    def __post_init__(self) -> None:
        self.field.require_weather(self.weather)

    def with_units(
        self, friends: tuple[Standing, ...], enemies: tuple[Standing, ...]
    ) -> "SupplyJudge":
        """Return the judge of another moment on the same map, which is not compiled anew."""
        return replace(self, friends=friends, enemies=enemies, shared=self.ground)

    def rule(self, hex_: Hex) -> Ruling:
        """Return whether a unit of the side in this hex is in supply."""
        return self.rule_each([hex_])[0]

    def rule_each(self, hexes: Sequence[Hex]) -> tuple[Ruling, ...]:
        """Return the rulings of several hexes, each with all culprits that can be found."""
        self.field.map.require(*hexes)
        if (unknown := self._cannot_tell(hexes)) is not None:
            return unknown
        return tuple(self._ruling(self._fed(self._feeding, hex_)) for hex_ in hexes)

    def rule_unit(self, unit: Standing) -> Ruling:
        """Return whether a unit is in supply, what is due to it, and who interdicts its line."""
        self.field.map.require(unit.hex)
        if (unknown := self._cannot_tell([unit.hex])) is not None:
            return unknown[0]
        fed = self._fed(self._feeding, unit.hex)
        cut = self.rules.interdiction
        if cut is not None and fed.line is not None and self._is(unit, cut.line_of):
            return self._ruling_of_headquarters(unit, fed.line)
        return self._ruling(fed, unit)

    def rule_side(self, units: Sequence[Standing] | None = None) -> tuple[Ruling, ...]:
        """Return the rulings of many units, all friends unless named, in one go.

        Culprits are named up to two at a time; where more would have to go, ask for the unit
        alone. So is the interdiction of headquarters.
        """
        asked = self.friends if units is None else units
        hexes = [unit.hex for unit in asked]
        self.field.map.require(*hexes)
        if (unknown := self._cannot_tell(hexes)) is not None:
            return unknown
        lines, index = self._feeding.lines, self.field.board.index
        found = {hex_: Fed(hex_, lines.line(index(hex_))) for hex_ in set(hexes)}
        starved = {index(hex_): hex_ for hex_, fed in found.items() if fed.line is None}
        cuts = self._feeding.cuts.by_few(starved) if starved else {}
        for number, hex_ in starved.items():
            more = 0 if number in cuts else MOST_REMOVED
            found[hex_] = Fed(hex_, culprits=cuts.get(number), more_than=more)
        return tuple(self._ruling(found[unit.hex], unit) for unit in asked)

    @cached_property
    def ground(self) -> SupplyGround:
        """The map as lines of supply see it."""
        return self.shared or SupplyGround(self.field)

    @property
    def rules(self) -> Supply:
        """The game's rule of supply."""
        return self.ground.rules

    @cached_property
    def sources(self) -> Bits:
        """The hexes where lines of this side may end."""
        own = self.ground.sources_of(self.side, self.control or {})
        return self.ground.bits(own | frozenset(self.more_sources))

    @cached_property
    def blockade(self) -> Blockade:
        """The legs of a line on this map, with the enemies laid on them."""
        friends = self.ground.bits(frozenset(unit.hex for unit in self.friends))
        exempt = {
            leg_name(number): friends
            for number, leg in enumerate(self.ground.legs, 1)
            if leg.friend_negates_zone
        }
        return Blockade(self.ground.route, tuple(self._obstacles()), exempt)

    @cached_property
    def _in_the_way(self) -> tuple[Standing, ...]:
        """The enemies that count: some have no influence at all."""
        none = classes_in(self.rules.no_influence, self.field.pack.classes)
        return tuple(one for one in self.enemies if not (one.class_ and one.class_ in none))

    @cached_property
    def _enemies_in(self) -> dict[Hex, list[str]]:
        found: dict[Hex, list[str]] = {}
        for enemy in self._in_the_way:
            found.setdefault(enemy.hex, []).append(enemy.name)
        return found

    def _is(self, unit: Standing, groups: tuple[str, ...]) -> bool:
        found = classes_of(self.field, unit)
        return bool(found) and found <= classes_in(groups, self.field.pack.classes)

    def _obstacles(self) -> Iterator[Obstacle]:
        """Each enemy with all it cuts, leg by leg: it goes or stays as a whole."""
        zones, bits = ZoneJudge(self.field, self.weather), self.ground.bits
        board = self.field.board
        for enemy in self._in_the_way:
            here, zone = board.bit(enemy.hex), bits(zones.zone(enemy))
            around = board.neighbours(here)
            blocks = []
            for number, leg in enumerate(self.ground.legs, 1):
                occupied = here if "enemy_unit" in leg.cut_by else 0
                occupied |= around if "next_to_enemy" in leg.cut_by else 0
                zone_here = zone if "enemy_zone" in leg.cut_by else 0
                blocks.append(Block(occupied, zone_here, legs=(leg_name(number),)))
            yield Obstacle(enemy.name, tuple(blocks))

    @cached_property
    def _feeding(self) -> Feeding:
        return Feeding(self.blockade, self.sources)

    def _fed(self, feeding: Feeding, hex_: Hex) -> Fed:
        """Return how a hex is fed, with all culprits that can be found."""
        index = self.field.board.index(hex_)
        line = feeding.lines.line(index)
        return Fed(hex_, line, None if line else feeding.culprits(index))

    def _ruling_of_headquarters(self, unit: Standing, line: Line) -> Ruling:
        """Rule on a line that enemy guns may interdict although it is open."""
        cut, guns = self.rules.interdiction, self._guns
        if cut is None or guns is None:
            return self._ruling(Fed(unit.hex, line), unit)
        nation = unit.unit.nationality if unit.unit else ""
        if guns.guns and guns.immune(nation):
            values: dict[str, str | int] = {"name": unit.name, "nation": nation.replace("_", " ")}
            immune = Reason("rules.supply.immune", values, cut.cite)
            return self._ruling(Fed(unit.hex, line), unit, [immune])
        over = self._commanded
        missing = [*guns.not_known(), *self._unseen(over)]
        if not any(one.hexes for one in over):
            return self._ruling(Fed(unit.hex, line), unit, missing=missing)
        safe = self._fed(self._feeding_under_fire, unit.hex)
        if safe.line is not None:
            clear = Reason("rules.supply.not_interdicted", {"name": unit.name}, cut.cite)
            return self._ruling(safe, unit, [clear], missing=missing)
        told = list(self._told_fire(line, over))
        return self._ruling(safe, unit, told, missing=missing, verdict="interdicted")

    @cached_property
    def _guns(self) -> GunsOverRoads | None:
        cut = self.rules.interdiction
        if cut is None:
            return None
        return GunsOverRoads(self.field, cut, self.enemies, self.weather)

    @cached_property
    def _commanded(self) -> tuple[Commanded, ...]:
        """What each gun commands of the roads: the same for every headquarters."""
        if self._guns is None:
            return ()
        roads = self.ground.route.legs[self._guns.rule.leg - 1].where_it_joins
        return tuple(self._guns.commanded(self.field.board.hexes(roads)))

    @cached_property
    def _feeding_under_fire(self) -> Feeding:
        cut = self.rules.interdiction
        legs = (leg_name(cut.leg),) if cut else ()
        fire = tuple(
            Obstacle(f"{one.gun.name} (fire)", (Block(self.ground.bits(one.hexes), legs=legs),))
            for one in self._commanded
            if one.hexes
        )
        under = replace(self.blockade, obstacles=(*self.blockade.obstacles, *fire))
        return Feeding(under, self.sources)

    def _unseen(self, over: Sequence[Commanded]) -> Iterator[Reason]:
        for one in over:
            if one.unknown:
                values: dict[str, str | int] = {"gun": one.gun.name, "n": len(one.unknown)}
                yield Reason("rules.supply.gun_sight", values)

    def _told_fire(self, line: Line, over: Sequence[Commanded]) -> Iterator[Reason]:
        """Tell which gun commands which hexes of the line that is open but for the guns."""
        cut = self.rules.interdiction
        if cut is None:
            return
        before = [index for leg in line.legs[: cut.leg - 1] for index in leg]
        joins = before[-1] if before else line.start
        on_leg = {joins, *line.legs[cut.leg - 1]}
        for one in over:
            hexes = [hex_ for hex_ in one.hexes if self.field.board.index(hex_) in on_leg]
            if hexes:
                values: dict[str, str | int] = {
                    "gun": one.gun.name,
                    "hexes": ", ".join(sorted(map(self.field.label, hexes))),
                }
                yield Reason("rules.supply.interdicts", values, cut.cite)

    def _ruling(
        self,
        fed: Fed,
        unit: Standing | None = None,
        more: Sequence[Reason] = (),
        *,
        missing: Sequence[Reason] = (),
        verdict: str = "",
    ) -> Ruling:
        verdict = verdict or ("in_supply" if fed.line is not None else "out_of_supply")
        if verdict == "out_of_supply" and self.field.unbound.get("links"):
            verdict = "unknown"  # a road under another name may lead to a source
        values = self._values(fed.hex)
        reasons = [Reason(f"rules.supply.{verdict}", values, self.rules.cite), *more]
        reasons += self._told_cut(fed) if fed.line is None else self._told_line(fed.line)
        working = self._working(fed)
        if unit is not None and verdict == "out_of_supply":
            effect = self.rules.effect
            beside = [
                name for hex_ in neighbours(unit.hex) for name in self._enemies_in.get(hex_, ())
            ]
            due = due_now(self.field, effect, unit, tuple(beside))
            reasons += told_due(effect, self.rules.phase, unit, due)
            working |= {"unit": unit.name, "due": due.as_data()}
        elif verdict == "out_of_supply":
            reasons += self._told_effect()
        return Ruling(
            question="supply",
            verdict=verdict,
            reasons=tuple(reasons),
            cites=tuple(dict.fromkeys(reason.cite for reason in reasons if reason.cite)),
            working=working,
            assumptions=self._open_points(starves=verdict != "in_supply"),
            missing=(*missing, *self._assumed),
        )

    def _open_points(self, *, starves: bool) -> tuple[str, ...]:
        return self._points[starves] if self.enemies else ()

    @cached_property
    def _points(self) -> dict[bool, tuple[str, ...]]:
        about = self.field.pack.assumptions_about
        starved = about(*_OF_LINES, "supply.effect", "supply.phase")
        return {False: about(*_OF_LINES), True: starved}

    def _values(self, hex_: Hex) -> dict[str, str | int]:
        side = self.field.pack.sides[self.side].title
        return {"hex": self.ground.label(self.field.board.index(hex_)), "side": side}

    def _told_line(self, line: Line) -> Iterator[Reason]:
        values: dict[str, str | int]
        for leg, gone in zip(self.ground.legs, line.legs, strict=True):
            hexes = len(gone)
            if leg.links and hexes:
                yield Reason("rules.supply.on_road", {"n": hexes}, leg.cite)
            elif not leg.links:
                limit = "–" if leg.limit is None else str(leg.limit)
                values = {"n": hexes, "limit": limit}
                yield Reason("rules.supply.off_road", values, leg.cite)
        values = {"hex": self.ground.label(line.end)}
        yield Reason("rules.supply.at_source", values, self.rules.sources.cite)

    def _told_cut(self, fed: Fed) -> Iterator[Reason]:
        cite = self.ground.legs[0].cut_cite
        if fed.more_than:
            yield Reason("rules.supply.more_than", {"n": fed.more_than}, cite)
        elif fed.culprits is None:
            yield Reason("rules.supply.no_way", {}, self.rules.cite)
        else:
            for names in fed.culprits:
                told = {"names": " + ".join(names)}
                if fed.culprits.proven_smallest:
                    yield Reason("rules.supply.culprits", told, cite)
                else:
                    yield Reason("rules.supply.culprits_not_proven", told, cite)

    def _told_effect(self) -> Iterator[Reason]:
        effect = self.rules.effect
        if effect.disorganization:
            values: dict[str, str | int] = {"n": effect.disorganization, "phase": self.rules.phase}
            yield Reason("rules.supply.effect", values, effect.cite)

    @cached_property
    def _assumed(self) -> tuple[Reason, ...]:
        """What the question left open, and how it was taken."""
        return tuple(self._told_assumed())

    def _told_assumed(self) -> Iterator[Reason]:
        yield from self.field.unbound_words("hexsides", "links", "features")
        yield from assumed_zones(self.field, self.enemies, self.weather)
        held = self.control or {}
        for hex_, owner in self.ground.sources:
            place: dict[str, str | int] = {"hex": self.field.label(hex_)}
            if owner is not None and owner not in self.field.pack.sides:
                yield Reason("rules.supply.source_of_stranger", {**place, "owner": owner})
            elif self.ground.may_change_hands(hex_) and place["hex"] not in held:
                cite = self.rules.sources.cite
                yield Reason("rules.supply.source_of_either", place, cite)
            elif self.ground.owner_now(hex_, owner, held) is None:
                yield Reason("rules.supply.source_of_nobody", place)

    def _working(self, fed: Fed) -> dict[str, Any]:
        culprits = fed.culprits
        return {
            "hex": self.ground.label(self.field.board.index(fed.hex)),
            "side": self.side,
            "weather": self.weather,
            "path": [] if fed.line is None else self._told_path(fed.line),
            "culprits": [list(one) for one in culprits or ()],
            "proven_smallest": not fed.more_than and (culprits is None or culprits.proven_smallest),
        }

    def _told_path(self, line: Line) -> list[dict[str, str | int]]:
        here, leg = self.ground.label(line.start), leg_name(line.first + 1)
        path: list[dict[str, str | int]] = [{"hex": here, "leg": leg, "cost": 0}]
        for number, hexes in enumerate(line.legs, 1):
            if hexes:
                path += self._told_leg(number, hexes)
        return path

    def _told_leg(self, number: int, hexes: tuple[int, ...]) -> list[dict[str, str | int]]:
        """Return the hexes of one leg as data; lines that share a road share them."""
        if (number, hexes) not in self._told_legs:
            label, name = self.ground.label, leg_name(number)
            self._told_legs[number, hexes] = [
                {"hex": label(index), "leg": name, "cost": cost}
                for cost, index in enumerate(hexes, 1)
            ]
        return self._told_legs[number, hexes]

    @cached_property
    def _told_legs(self) -> dict[tuple[int, tuple[int, ...]], list[dict[str, str | int]]]:
        return {}

    def _cannot_tell(self, hexes: Sequence[Hex]) -> tuple[Ruling, ...] | None:
        """Return the rulings where there is no rule or no source to rule by; else None."""
        if self.field.pack.supply is None:
            reason = Reason("rules.supply.not_in_sources", {"game": self.field.pack.title})
            return tuple(self._unknown(hex_, reason) for hex_ in hexes)
        if not self.ground.legs:
            own = self.ground.sources_of(self.side, self.control or {})
            reason = self.ground.lacking_legs(own | frozenset(self.more_sources))
            return tuple(self._unknown(hex_, reason, reason.cite) for hex_ in hexes)
        if not self.sources:
            cite = self.rules.sources.cite
            reason = Reason("rules.supply.no_source", {}, cite)
            return tuple(self._unknown(hex_, reason, cite) for hex_ in hexes)
        return None

    def _unknown(self, hex_: Hex, missing: Reason, *cites: str) -> Ruling:
        reason = Reason("rules.supply.unknown", self._values(hex_))
        working = {"hex": self.field.label(hex_), "side": self.side, "path": [], "culprits": []}
        return Ruling("supply", "unknown", (reason,), cites, working, missing=(missing,))
