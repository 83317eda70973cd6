"""The judge of movement: how far a unit comes, at what cost, and why not farther."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Any, Literal

from mapkit.bitboards import Bits
from mapkit.hexes import Hex, Hexside, Link
from mapkit.kinds import UNKNOWN
from mapkit.traces import (
    WHOLE,
    Network,
    NoWay,
    Reach,
    Toll,
    Way,
    Why,
    movement_reach,
    moves_to,
    refused,
)
from mapkit.traces import Movement as Moving
from mapkit.traces.network import Cost as StepCost
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.judges.supply import assumed_zones
from rules.judges.zones import is_weather, lies_on, zone_of
from rules.pack import KindEntry
from rules.ruling import Reason, Ruling
from rules.schema.forces import classes_in
from rules.schema.movement import Movement, MoveMode, WeatherMove
from rules.standing import Standing

Points = int | Fraction
_Price = Points | Literal["never", "whole"] | None  # None: not in our sources


@dataclass(frozen=True)
class MovementJudge:
    """Rules on one unit's move: its class, its printed allowance, and who stands about."""

    field: Battlefield
    unit: Standing
    allowance: Points
    mode: str = "tactical"
    friends: tuple[Standing, ...] = ()
    enemies: tuple[Standing, ...] = ()
    weather: str | None = None

    def __post_init__(self) -> None:
        self.field.require_weather(self.weather)
        if self.unit.class_ not in self.field.pack.classes:
            known = ", ".join(self.field.pack.classes)
            raise RulesError(f"{self.field.pack.title} has no class '{self.unit.class_}': {known}")
        if self.field.pack.movement is not None and self.mode not in self.rules.modes:
            raise RulesError(
                f"{self.field.pack.title} has no movement '{self.mode}'; "
                f"there is: {', '.join(self.rules.modes)}"
            )

    def rule(self, to: Hex | None = None) -> Ruling:
        """Return where the unit can go; with *to* whether it comes there, and by which way."""
        if self.field.pack.movement is None:
            return self._not_in_sources()
        if self._mode.units and not self._is(self._mode.units):
            raise RulesError(
                f"{self.mode.replace('_', ' ')} is not for {self.unit.class_} [{self._mode.cite}]"
            )
        for groups, cite in self.rules.immobile.items():
            if self._is((groups,)):
                raise RulesError(f"{self.unit.class_.replace('_', ' ')}: it does not move [{cite}]")
        missing = self._unpriced()
        reasons = list(self._told(to))
        if missing:
            place = {"hex": self.field.label(self.unit.hex)}
            reasons.insert(0, Reason("rules.movement.unknown", place, self.rules.cite))
        verdict = self._verdict(to, missing=bool(missing))
        cites = [reason.cite for reason in reasons if reason.cite]
        return Ruling(
            question="movement",
            verdict=verdict,
            reasons=tuple(reasons),
            cites=tuple(dict.fromkeys(cites)),
            working=self._working(to),
            assumptions=self.field.pack.assumptions_about("movement", "zones")
            if self.enemies
            else (),
            missing=(*missing, *assumed_zones(self.field, self.enemies)),
        )

    @cached_property
    def rules(self) -> Movement:
        """The game's rule of movement."""
        if self.field.pack.movement is None:
            raise RulesError(f"{self.field.pack.title}: our sources hold no rule of movement")
        return self.field.pack.movement

    @cached_property
    def points(self) -> Points:
        """The allowance for this move: weather first, then the mode; parts of a point are lost."""
        points: Points = self.allowance
        for change in self._weather_moves():
            points = (points + change.add) * change.factor
        return max(floor(points * self._mode.factor), 0)

    @cached_property
    def reach(self) -> Reach:
        """Every hex the unit can come to."""
        return movement_reach(self._moving(), self.unit.hex)

    def way(self, to: Hex) -> tuple[Hex, ...]:
        """Return the hexes of the cheapest way, the start first; empty where there is none."""
        steps = moves_to(self.reach, to)
        return (self.unit.hex, *(step.hex for step in steps)) if steps else ()

    @property
    def _mode(self) -> MoveMode:
        return self.rules.modes[self.mode]

    def _is(self, groups: tuple[str, ...]) -> bool:
        return self.unit.class_ in classes_in(groups, self.field.pack.classes)

    def _weather_moves(self) -> Iterator[WeatherMove]:
        for name, weather in self.field.pack.weather.items():
            if is_weather(self.field, name, self.weather):
                for group, change in weather.moves.items():
                    if self._is((group,)):
                        yield change

    def _moving(self) -> Moving:
        board = self.field.board
        zones = board.of({one for enemy in self.enemies for one in self._zone(enemy)})
        country = Way("country", Network.build(board, self._country))
        rate = self.rules.roads
        roads = Way(
            "road",
            Network.build(board, self._road),
            into=board.everything & ~zones if rate.lost_in_enemy_zone else None,
        )
        stops = zones if self.field.pack.zones and self._zone_stops else 0
        return Moving(
            (country, roads),
            self.points,
            tolls=tuple(self._tolls(zones)),
            stops=stops,
            minimum_move=self.rules.minimum_move,
        )

    def _zone(self, enemy: Standing) -> frozenset[Hex]:
        return zone_of(self.field, enemy, self.weather)

    @property
    def _zone_stops(self) -> bool:
        zones = self.field.pack.zones
        return zones is not None and zones.effects.on_entry == "stop"

    def _tolls(self, zones: Bits) -> Iterator[Toll]:
        board = self.field.board
        occupied = board.of({enemy.hex for enemy in self.enemies if not self._may_enter(enemy)})
        yield Toll("enemy_unit", None, entering=occupied)
        effects = self.field.pack.zones.effects if self.field.pack.zones else None
        if effects is not None and effects.cost_to_leave:
            yield Toll("leaving_zone", effects.cost_to_leave, leaving=zones)
        if not self._mode.may_enter_enemy_zone:
            yield Toll("enemy_zone", None, entering=zones)
        if self._mode.from_enemy is not None:
            near = board.dilated(
                board.of({enemy.hex for enemy in self.enemies}), self._mode.from_enemy - 1
            )
            yield Toll("too_near", None, entering=near)
            yield Toll("too_near", None, leaving=near)

    def _may_enter(self, enemy: Standing) -> bool:
        """Whether an enemy may be entered: such as guns, when nobody stands with them."""
        alone = sum(other.hex == enemy.hex for other in self.enemies) == 1
        lone = classes_in(self.rules.enter_lone, self.field.pack.classes)
        return alone and enemy.class_ in lone | set(self.rules.enter_lone)

    def _country(self, here: Hex, there: Hex) -> StepCost:
        """What a step costs off the road: hex, hexside and level together."""
        side = self._side_cost(here, there)
        if isinstance(side, NoWay) or side is WHOLE:
            return side
        hex_cost = self._hex_cost(there)
        if hex_cost is None or side is None:
            return NoWay("unpriced")
        if hex_cost == "never":
            return NoWay("ground")
        if hex_cost == "whole":
            return WHOLE
        return self._in_weather(hex_cost + side + self._uphill(here, there), there)

    def _hex_cost(self, hex_: Hex) -> _Price:
        terrain = self.field.ground[hex_].terrain
        return None if terrain == UNKNOWN else self._price(self.field.pack.terrain.get(terrain))

    def _price(self, kind: KindEntry | None) -> _Price:
        """What the chart asks of this class: its own entry, or that of a group it belongs to."""
        if kind is None:
            return None
        groups = (self.unit.class_, *self.field.pack.classes[self.unit.class_].groups)
        return next((kind.costs[group] for group in groups if group in kind.costs), None)

    def _side_cost(self, here: Hex, there: Hex) -> StepCost:
        """What the hexside adds; None where the chart is not in our sources."""
        features = self.field.ground.hexsides.get(Hexside.between(here, there), ())
        total: Points = 0
        words = {feature.kind for feature in features if feature.state != "blown"}
        for word in words:
            rule = self.rules.sides.get(word)
            if rule is not None and not words.isdisjoint(rule.opened_by):
                continue
            if rule is not None:
                if not self._is(rule.only) or rule.cost == "never":
                    return NoWay(word)
                if rule.cost == "whole":
                    return WHOLE
                price: _Price = rule.cost
            else:
                price = self._price(self.field.pack.hexsides.get(word))
            if price is None or price == "whole":
                return WHOLE if price else None
            if price == "never":
                return NoWay(word)
            total += price
        return total

    def _uphill(self, here: Hex, there: Hex) -> Points:
        rule = self.rules.levels
        low, high = self.field.ground[here].level, self.field.ground[there].level
        if rule is None or low is None or high is None or self._is(rule.not_for):
            return 0
        return max(high - low, 0) * rule.up

    def _in_weather(self, cost: Points, hex_: Hex) -> Points:
        for name, weather in self.field.pack.weather.items():
            if is_weather(self.field, name, self.weather) and lies_on(self.field, name, hex_):
                for group, change in weather.moves.items():
                    if self._is((group,)):
                        cost = (cost + change.enter) * change.enter_factor
        return cost

    def _road(self, here: Hex, there: Hex) -> StepCost:
        features = self.field.ground.links.get(Link.between(here, there), ())
        if not features:
            return None
        sides = self.field.ground.hexsides.get(Hexside.between(here, there), ())
        if any(feature.state == "blown" for feature in sides):
            return NoWay("blown")
        for word in {feature.kind for feature in sides}:
            rule = self.rules.sides.get(word)
            opened = rule is not None and not {one.kind for one in sides}.isdisjoint(rule.opened_by)
            if rule is None or rule.unless_linked or opened:
                continue
            if not self._is(rule.only):
                return NoWay(word)
        rates = [self._price(self.field.pack.links.get(feature.kind)) for feature in features]
        known = [rate for rate in rates if isinstance(rate, int | Fraction)]
        if not known:
            return NoWay("unpriced")
        return self._in_weather(min(known), there)

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
        if self._mode.factor != 1:
            factor: dict[str, str | int] = {"mode": self.mode, "factor": str(self._mode.factor)}
            yield Reason("rules.movement.mode", factor, self._mode.cite)
        if self._mode.disorganization:
            points: dict[str, str | int] = {"n": self._mode.disorganization}
            yield Reason("rules.movement.disorganized", points, self._mode.cite)
        if to is None:
            return
        arrival = self.reach.arrival(to)
        if arrival is not None:
            way = " ".join(map(label, self.way(to)))
            told: dict[str, str | int] = {
                "hex": label(to),
                "spent": str(arrival.spent),
                "way": way,
            }
            yield Reason("rules.movement.reached", told, self.rules.cite)
        else:
            yield from self._why_not(to)

    def _why_not(self, to: Hex) -> Iterator[Reason]:
        refusal = refused(self.reach).get(to)
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
        cite = self.rules.cite
        if refusal.why is Why.MUST_STOP and self.field.pack.zones is not None:
            cite = self.field.pack.zones.effects.on_entry_cite
        side = self.rules.sides.get(refusal.name)
        yield Reason(
            f"rules.movement.why_{refusal.why.value}", values, cite if side is None else side.cite
        )

    def _unpriced(self) -> list[Reason]:
        """What the chart of the physical game would have to say for the hexes about the reach."""
        board, ground, pack = self.field.board, self.field.ground, self.field.pack
        near = set(board.hexes(board.neighbours(self.reach.hexes) | self.reach.hexes))
        words = {
            ground[hex_].terrain
            for hex_ in near
            if hex_ != self.unit.hex and self._hex_cost(hex_) is None
        }
        for places, kinds in ((ground.hexsides, pack.hexsides), (ground.links, pack.links)):
            words |= {
                feature.kind
                for place, features in places.items()
                if near.issuperset(place)
                for feature in features
                if feature.kind not in self.rules.sides
                and self._price(kinds.get(feature.kind)) is None
            }
        unbound = list(self.field.unbound_words("terrain")) if UNKNOWN in words else []
        words.discard(UNKNOWN)
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

    def _working(self, to: Hex | None) -> dict[str, Any]:
        label = self.field.label
        reach = self.reach
        return {
            "hex": label(self.unit.hex),
            "class": self.unit.class_,
            "mode": self.mode,
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
                for hex_, one in sorted(refused(reach).items())
            ],
            "path": []
            if to is None or reach.arrival(to) is None
            else [label(hex_) for hex_ in self.way(to)],
        }

    def _not_in_sources(self) -> Ruling:
        reason = Reason("rules.movement.not_in_sources", {"game": self.field.pack.title})
        working = {"hex": self.field.label(self.unit.hex), "reach": [], "refused": [], "path": []}
        return Ruling("movement", "unknown", (reason,), (), working, missing=(reason,))


def _is_chart(keys: tuple[str, ...]) -> bool:
    return any(key.startswith("terrain.") for key in keys)
