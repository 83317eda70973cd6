"""The judge of retreat: the hexes a beaten unit may go to, at what price, and under whose fire."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from mapkit.hexes import Hex, Hexside, Link, are_neighbours, neighbours
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.judges.infiltration import drawn_fire
from rules.judges.retreat_bound import who_is_bound
from rules.judges.retreat_course import CourseJudge
from rules.judges.retreat_told import framed, in_the_way, require_class, room_beside
from rules.judges.step_costs import never_enters, standing
from rules.judges.zones import ZoneJudge, assumed_zones, lacking_zones
from rules.ruling import Reason, Ruling
from rules.schema.forces import classes_in
from rules.schema.retreat import Priority, Retreat, RetreatFire
from rules.standing import Standing

Values = dict[str, str | int]


@dataclass(frozen=True, slots=True)
class Escape:
    """A hex a unit may retreat to: how preferred, at what price, and who fires at it.

    *busy* are enemies who would fire but for what they are in the middle of. *doubtful* is a hex
    of friends of which nobody can tell whether one more fits in. *gives_up* tells that the way
    there brings the unit to its threshold; None where that is not known.
    """

    hex: Hex
    priority: Priority
    disorganization: int = 0
    over: str = ""
    fire: tuple[str, ...] = ()
    busy: tuple[str, ...] = ()
    doubtful: bool = False
    gives_up: bool | None = False


@dataclass(frozen=True)
class RetreatJudge:
    """Rules on the retreat of one unit out of an assaulted hex.

    *origins* are the hexes that its assault came from, *others* those of other assaults in the
    same activation; *friends* and *enemies* are the units about, the assaulters among the enemies
    where the game has them. A *scenario* may let more stand in a hex.
    """

    field: Battlefield
    unit: Standing
    origins: tuple[Hex, ...]
    friends: tuple[Standing, ...] = ()
    enemies: tuple[Standing, ...] = ()
    weather: str | None = None
    others: tuple[Hex, ...] = ()
    scenario: str = ""

    def __post_init__(self) -> None:
        self.field.require_weather(self.weather)
        require_class(self.field, self.unit)
        for origin in self.origins:
            if not are_neighbours(origin, self.unit.hex):
                names = self.field.label(origin), self.field.label(self.unit.hex)
                raise RulesError(f"no assault comes from {names[0]}: it is not next to {names[1]}")

    def rule(self) -> Ruling:
        """Return where a beaten defender goes: the hexes of the best kind that is there."""
        if self.field.pack.retreat is None:
            return self._not_in_sources()
        if (bound := who_is_bound(self.field, self.rules, self.unit, self.friends)) is not None:
            return self._ruling(*bound, None if self.rules.course is None else {})
        if self.rules.course is not None:
            return self._course(self.unit, self.origins, None).rule()
        return self._rule_by_kind()

    def _rule_by_kind(self) -> Ruling:
        """Return the hexes of the best kind, where kinds decide."""
        if self._minds_zones and self.field.pack.zones is None and self._in_the_way:
            lacks = replace(lacking_zones(self.field), cite=self.rules.cite)
            unknown = Reason("rules.retreat.unknown", self._values, self.rules.cite)
            return self._ruling("unknown", [unknown, lacks])
        if not self.escapes:
            cite, lost = self.rules.nowhere_cite, self.rules.nowhere
            return self._ruling(lost, [Reason(f"rules.retreat.{lost}", self._values, cite)])
        told = [reason for one in self.choices for reason in self._told(one)]
        if all(one.gives_up for one in self.choices):
            told.sort(key=lambda one: one.key != "rules.retreat.gives_up")
            return self._ruling("surrenders", told)
        verdict = "unknown" if all(one.doubtful for one in self.choices) else "retreats"
        reasons = [Reason(f"rules.retreat.{verdict}", self._values, self.rules.cite), *told]
        if self.rules.split:
            cite = self.rules.split_cite or self.rules.impassable_cite
            reasons.append(Reason("rules.retreat.split", {}, cite))
        if (further := self.rules.further) is not None:
            points: Values = {"n": further.disorganization}
            reasons.append(Reason(f"rules.retreat.further_{further.loses}", points, further.cite))
        return self._ruling(verdict, reasons)

    def rule_attacker(self, origin: Hex) -> Ruling:
        """Return what befalls a beaten attacker: he goes back to where he came from, or further."""
        if self.field.pack.retreat is None:
            return self._not_in_sources()
        if self.rules.course is not None:
            return self._course(replace(self.unit, hex=origin), (), self.unit.hex).rule()
        if self.rules.attacker == "never":
            never = Reason("rules.retreat.attacker_stays", self._values, self.rules.attacker_cite)
            return self._ruling("no_retreat", [never], {"to": [], "escapes": []})
        values: Values = {**self._values, "to": self.field.label(origin)}
        reasons = [Reason("rules.retreat.goes_back", values, self.rules.attacker_cite)]
        if self.rules.thrown_out_cite is not None:
            reasons.append(Reason("rules.retreat.thrown_out", {}, self.rules.thrown_out_cite))
        fire = self.rules.fire
        names = self._firing(origin, fire) if fire is not None and fire.at_attackers else ()
        if names and fire is not None:
            told: Values = {"to": values["to"], "names": ", ".join(names)}
            reasons.append(Reason("rules.retreat.fire", told, fire.cite))
        return self._ruling("origin", reasons, {"to": values["to"], "fire": list(names)})

    def _course(self, unit: Standing, origins: tuple[Hex, ...], target: Hex | None) -> CourseJudge:
        """Return who judges a retreat of several hexes."""
        assert self.rules.course is not None, "a course is asked for where the game has one"
        return CourseJudge(
            self.field,
            unit,
            self.rules,
            self.rules.course,
            origins,
            self.others,
            tuple(self._in_the_way),
            self._room,
            self.weather,
            target,
        )

    @cached_property
    def rules(self) -> Retreat:
        """The game's rule of retreat."""
        if self.field.pack.retreat is None:
            raise RulesError(f"{self.field.pack.title}: our sources hold no rule of retreat")
        return self.field.pack.retreat

    @cached_property
    def escapes(self) -> tuple[Escape, ...]:
        """Every hex that is no way barred, the most preferred first."""
        found = [self._escape(hex_) for hex_ in self._free_hexes]
        order = {one.id: at for at, one in enumerate(self.rules.priorities)}
        return tuple(
            sorted(
                filter(None, found),
                key=lambda one: (order[one.priority.id], self.field.label(one.hex)),
            )
        )

    @cached_property
    def choices(self) -> tuple[Escape, ...]:
        """The hexes of the best kind: one of them must be taken."""
        best = self.escapes[0].priority.id if self.escapes else None
        return tuple(one for one in self.escapes if one.priority.id == best)

    @cached_property
    def barred(self) -> dict[Hex, Reason]:
        """The neighbours that no retreat goes to, each with the reason."""
        found: dict[Hex, Reason] = {}
        for hex_ in neighbours(self.unit.hex):
            if hex_ not in self.field.map:
                continue
            place: Values = {"hex": self.field.label(hex_)}
            if hex_ in self._closed:
                found[hex_] = Reason("rules.retreat.assault_from", place, self.rules.cite)
            elif any(enemy.hex == hex_ for enemy in self._in_the_way):
                found[hex_] = Reason("rules.retreat.enemy_there", place, self.rules.cite)
            elif (word := self._bars(hex_)) is not None:
                what: Values = {**place, "what": word.replace("_", " ")}
                found[hex_] = Reason("rules.retreat.no_way", what, self.rules.impassable_cite)
        return found

    @cached_property
    def _unfit(self) -> dict[Hex, Reason]:
        """The hexes that nothing bars, but that are of no kind a retreat may end in."""
        found: dict[Hex, Reason] = {}
        fit = {one.hex for one in self.escapes}
        for hex_ in self._free_hexes:
            if hex_ not in fit:
                held = any(one.hex == hex_ for one in self.friends)
                key = "no_room" if held else "in_zone"
                place: Values = {"hex": self.field.label(hex_)}
                found[hex_] = Reason(f"rules.retreat.{key}", place, self.rules.cite)
        return found

    @property
    def _minds_zones(self) -> bool:
        return any(one.in_enemy_zone is not None for one in self.rules.priorities)

    @cached_property
    def _enemy_zone(self) -> frozenset[Hex]:
        if not self._minds_zones or self.field.pack.zones is None:
            return frozenset()
        return ZoneJudge(self.field, self.weather).zones(self._in_the_way)

    @property
    def _closed(self) -> tuple[Hex, ...]:
        """The hexes no retreat goes to because of assaults that came from there."""
        if self.rules.closed_by == "none":
            return ()
        return (*self.origins, *(self.others if self.rules.closed_by == "activation" else ()))

    @property
    def _in_the_way(self) -> list[Standing]:
        return in_the_way(self.field, self.enemies)

    @property
    def _free_hexes(self) -> list[Hex]:
        here = neighbours(self.unit.hex)
        return [hex_ for hex_ in here if hex_ in self.field.map and hex_ not in self.barred]

    @property
    def _values(self) -> Values:
        return {"name": self.unit.name, "hex": self.field.label(self.unit.hex)}

    def _is_of(self, groups: tuple[str, ...]) -> bool:
        return self.unit.class_ in classes_in(groups, self.field.pack.classes)

    @cached_property
    def _room(self) -> Callable[[Hex], str]:
        """What tells whether the unit has room in a hex; friends about may change that."""
        return room_beside(self.field, self.unit, self.friends, self.weather, self.scenario)

    def _bars(self, hex_: Hex) -> str | None:
        """What keeps the unit from a neighbour; a hexside some may take at a price does not."""
        here = self.unit.hex
        for word, side in self._priced_sides(hex_):
            if not self._is_of(side.only):
                return word
        barrier = never_enters(self.field, self.unit.class_, here, hex_, self.weather)
        return None if barrier in dict(self._priced_sides(hex_)) else barrier

    def _priced_sides(self, hex_: Hex) -> Iterator[tuple[str, Any]]:
        here, ground = self.unit.hex, self.field.ground
        words = standing(ground.hexsides.get(Hexside.between(here, hex_), ()))
        moves = self.field.pack.movement.sides if self.field.pack.movement else {}
        for word, side in self.rules.sides.items():
            rule = moves.get(word)
            linked = Link.between(here, hex_) in ground.links
            opened = rule is not None and rule.unless_linked and linked
            if word in words and not opened:
                yield word, side

    def _escape(self, hex_: Hex) -> Escape | None:
        there = tuple(one for one in self.friends if one.hex == hex_)
        fits = self._room(hex_)
        for priority in self.rules.priorities:
            if not self._is_kind(priority, hex_, bool(there), fits):
                continue
            priced = list(self._priced_sides(hex_))
            price = sum(side.disorganization for _, side in priced)
            fire = self._firing(hex_, self.rules.fire) if self.rules.fire else ()
            busy = self._firing(hex_, self.rules.fire, busy=True) if self.rules.fire else ()
            points = priority.disorganization + price
            over = ", ".join(word for word, _ in priced)
            lost = self._gives_up(price) if any(side.gives_up for _, side in priced) else False
            doubtful = fits == "unknown"
            return Escape(hex_, priority, points, over, fire, busy, doubtful, lost)
        return None

    def _gives_up(self, price: int) -> bool | None:
        """Whether some points more bring the unit to its threshold; None: look on the counter."""
        losses = self.field.pack.losses
        surrender = None if losses is None else losses.surrender
        if losses is None or losses.status is None or surrender is None:
            return None
        printed = None if surrender.at is None else self.unit.value(surrender.at)
        threshold = surrender.number if surrender.number is not None else printed
        if threshold is None:
            return None
        return self.unit.statuses.get(losses.status, 0) + price >= threshold

    def _is_kind(self, priority: Priority, hex_: Hex, held: bool, fits: str) -> bool:
        if priority.away and hex_ not in self._away:
            return False
        if priority.in_enemy_zone not in (None, hex_ in self._enemy_zone):
            return False
        if priority.holds == "nobody":
            return not held
        return held and (fits == "over") == (priority.holds == "too_many_friends")

    @cached_property
    def _away(self) -> frozenset[Hex]:
        """The hexes opposite those assaults came from, and the neighbours next to such a hex."""
        here = self.unit.hex
        opposite = {Hex(2 * here.q - one.q, 2 * here.r - one.r) for one in self.origins}
        beside = {hex_ for one in opposite for hex_ in neighbours(one)}
        return frozenset(opposite | (beside & set(neighbours(here))))

    def _firing(self, hex_: Hex, fire: RetreatFire, *, busy: bool = False) -> tuple[str, ...]:
        """Return the names of the enemies that may fire at a retreat to a hex, or of the *busy*."""
        here = self.unit.hex
        quiet = {here, *(self.origins if fire.assaulters == "at_origin" else ())}
        others = [
            enemy
            for enemy in self.enemies
            if enemy.hex not in quiet and enemy.statuses.keys().isdisjoint(fire.not_in) != busy
        ]
        drawn = drawn_fire(self.field, self.unit.side, (here, hex_), others, self.weather)
        return tuple(name for one in drawn if not one.spared_by for name in one.firers)

    @property
    def _is_watched(self) -> bool:
        """Whether an enemy who stays stands next to a hex that may be retreated to."""
        stay = [one.hex for one in self.enemies if one.hex not in (self.unit.hex, *self.origins)]
        return any(are_neighbours(hex_, one.hex) for hex_ in stay for one in self.choices)

    def _told(self, one: Escape) -> Iterator[Reason]:
        priority: Values = {"to": self.field.label(one.hex), "id": one.priority.id}
        yield Reason(f"rules.retreat.to_{one.priority.holds}", priority, one.priority.cite)
        if one.priority.disorganization:
            all_pay: Values = {"n": one.priority.disorganization, "to": priority["to"]}
            yield Reason("rules.retreat.all_pay", all_pay, one.priority.cite)
        if one.over:
            price = one.disorganization - one.priority.disorganization
            paid: Values = {"n": price, "to": priority["to"], "what": one.over}
            yield Reason("rules.retreat.over", paid, self.rules.impassable_cite)
        if one.gives_up is not False:
            key = "gives_up" if one.gives_up else "may_give_up"
            told: Values = {"name": self.unit.name, "to": priority["to"]}
            yield Reason(f"rules.retreat.{key}", told, self.rules.impassable_cite)
        if one.fire and self.rules.fire is not None:
            names: Values = {"to": priority["to"], "names": ", ".join(one.fire)}
            yield Reason("rules.retreat.fire", names, self.rules.fire.cite)
        if one.busy and self.rules.fire is not None:
            spared: Values = {"to": priority["to"], "names": ", ".join(one.busy)}
            cite = self.rules.fire.not_in_cite or self.rules.fire.cite
            yield Reason("rules.retreat.busy", spared, cite)

    def _ruling(
        self, verdict: str, reasons: list[Reason], more: dict[str, Any] | None = None
    ) -> Ruling:
        label = self.field.label
        verdicts = ("retreats", "unknown", "surrenders", self.rules.nowhere)
        moves = verdict in verdicts and more is None  # an attacker brings his own working
        barred = {**self.barred, **(self._unfit if moves else {})}
        told = [*reasons, *(barred.values() if moves else ())]
        zones = assumed_zones(self.field, self.enemies, self.weather) if moves else ()
        working = {
            "from": list(map(label, self.origins)),
            "to": [label(one.hex) for one in self.choices] if moves else [],
            "escapes": [self._data(one) for one in self.escapes] if moves else [],
            **(more or {}),
        }
        return framed(
            self.field,
            self.unit,
            verdict,
            told,
            working,
            barred=barred,
            about=self._leans_on(verdict, reasons[0], moves=moves),
            missing=(*self._lacking(told, moves=moves), *zones),
        )

    def _lacking(self, reasons: list[Reason], *, moves: bool) -> Iterator[Reason]:
        """What would have to be known: room in a hex, a mode, the rule of zones."""
        for one in self.choices if moves else ():
            if one.doubtful:
                yield Reason("rules.retreat.doubtful", {"hex": self.field.label(one.hex)})
        lacking = ("rules.stacking.no_mode", "rules.zones.not_in_sources", "rules.zones.printed_on")
        yield from (one for one in reasons if one.key in lacking)

    def _leans_on(self, verdict: str, first: Reason, *, moves: bool) -> Iterator[str]:
        """The parts of the rule this retreat makes use of: only their open questions are told."""
        if verdict == "retreats":
            yield "retreat.further"
        if verdict == "stays":
            yield "retreat.stays"
        if first.key == "rules.retreat.alone":
            yield "retreat.alone"
        if moves and self._is_watched:
            yield "retreat.fire"

    def _data(self, one: Escape) -> dict[str, Any]:
        return {
            "hex": self.field.label(one.hex),
            "priority": one.priority.id,
            "disorganization": one.disorganization,
            "fire": list(one.fire),
            "doubtful": one.doubtful,
            "gives_up": one.gives_up,
        }

    def _not_in_sources(self) -> Ruling:
        pack = self.field.pack
        reason = Reason("rules.retreat.not_in_sources", {"game": pack.title})
        if (entry := pack.missing.get("retreat")) is not None:
            lacks: Values = {"what": entry.what, "where": entry.printed_on}
            reason = Reason("rules.retreat.lacks", lacks)
        working = {"hex": self.field.label(self.unit.hex), "to": [], "escapes": [], "barred": {}}
        return Ruling("retreat", "unknown", (reason,), (), working, missing=(reason,))
