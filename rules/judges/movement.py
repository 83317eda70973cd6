"""The judge of movement: how far a unit comes, at what cost, what it meets, and why not farther."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Any

from mapkit.bitboards import Bits
from mapkit.hexes import Hex, Hexside, neighbours
from mapkit.kinds import UNKNOWN
from mapkit.traces import Movement as Moving
from mapkit.traces import Network, Reach, Toll, Way, Why, movement_reach, moves_to, refused
from mapkit.traces.network import Cost as StepCost
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.judges.infiltration import DrawnFire, drawn_fire
from rules.judges.stacking import StackingJudge
from rules.judges.step_costs import Points, StepCosts, standing
from rules.judges.weather import is_weather
from rules.judges.zones import ZoneJudge, assumed_zones, classes_of
from rules.ruling import Reason, Ruling
from rules.schema.forces import classes_in
from rules.schema.movement import Movement, MoveMode, WeatherMove
from rules.schema.zones import ZoneEffects
from rules.standing import Standing


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
            assumptions=self.field.pack.assumptions_about("movement", "zones")
            if self.enemies
            else (),
            missing=(*unpriced, *self._not_known(), *assumed_zones(self.field, self.enemies)),
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

    def fire(self, to: Hex) -> tuple[DrawnFire, ...]:
        """Return the steps of the cheapest way past the same enemy, and who fires at them."""
        return drawn_fire(self.field, self.unit.side, self.way(to), self._about, self.weather)

    @property
    def _mode(self) -> MoveMode:
        return self.rules.modes[self.mode]

    @cached_property
    def costs(self) -> StepCosts:
        """What a step costs this unit."""
        near = frozenset(hex_ for enemy in self._about for hex_ in neighbours(enemy.hex))
        return StepCosts(self.field, self.unit.class_, self.rules, self.weather, near)

    @cached_property
    def _about(self) -> tuple[Standing, ...]:
        """The enemies that count: some hinder nobody."""
        none = classes_in(self.rules.no_influence, self.field.pack.classes)
        return tuple(one for one in self.enemies if not (one.class_ and one.class_ in none))

    @cached_property
    def _others(self) -> tuple[Standing, ...]:
        """The friends about, the unit itself left out."""
        return tuple(one for one in self.friends if one.name != self.unit.name)

    def _is(self, groups: tuple[str, ...]) -> bool:
        return self.costs.is_in(groups)

    def _require_leave(self) -> None:
        """Raise RulesError where the unit may not move, or not in this mode."""
        name, mode = self.unit.class_.replace("_", " "), self.mode.replace("_", " ")
        for groups, cite in self.rules.immobile.items():
            if self._is((groups,)):
                raise RulesError(f"{name}: it does not move [{cite}]")
        for status, cite in self.rules.still.items():
            if self.unit.statuses.get(status):
                raise RulesError(f"{name}: it does not move while {_spoken(status)} [{cite}]")
        chosen = self._mode
        if chosen.units and not self._is(chosen.units):
            raise RulesError(f"{mode} is not for {self.unit.class_} [{chosen.cite}]")
        if self._is(chosen.not_for):
            cite = chosen.not_for_cite or chosen.cite
            raise RulesError(f"{mode} is not for {self.unit.class_} [{cite}]")
        for status in chosen.not_in:
            if self.unit.statuses.get(status):
                state = _spoken(status)
                raise RulesError(f"{mode} is not for a unit that is {state} [{chosen.cite}]")
        points, threshold = self._disorganization
        if chosen.room is not None and threshold is not None and threshold - points < chosen.room:
            raise RulesError(
                f"{mode}: with {points} points of disorganization the unit is too near its "
                f"threshold of {threshold} [{chosen.cite}]"
            )

    @property
    def _disorganization(self) -> tuple[int, Points | None]:
        """The points the unit has, and the printed value they must not reach; None: not known."""
        effect = self.field.pack.supply.effect if self.field.pack.supply else None
        if effect is None or effect.status is None or effect.surrenders_at is None:
            return 0, None
        return self.unit.statuses.get(effect.status, 0), self.unit.value(effect.surrenders_at)

    def _not_known(self) -> Iterator[Reason]:
        """What the counter prints and nobody told, where this way of moving asks for it."""
        if self._mode.room is not None and self._disorganization[1] is None:
            values: dict[str, str | int] = {"n": self._mode.room, "mode": self.mode}
            yield Reason("rules.movement.no_threshold", values, self._mode.cite)
        for ruling in self._on_roads.values():
            if ruling.verdict == "unknown":
                yield ruling.reasons[0]

    def _weather_moves(self) -> Iterator[WeatherMove]:
        for name, weather in self.field.pack.weather.items():
            if is_weather(self.field, name, self.weather):
                for group, change in weather.moves.items():
                    if self._is((group,)):
                        yield change

    def _moving(self) -> Moving:
        board = self.field.board
        zones = 0 if self._effects is None else board.of(self._zones)
        closed = [hex_ for hex_, one in self._on_roads.items() if one.verdict == "closed"]
        roads = board.everything & ~board.of(closed)
        if self.rules.roads.lost_in_enemy_zone:
            roads &= ~zones
        stops = zones if self._effects and self._effects.on_entry == "stop" else 0
        return Moving(
            (
                Way("country", Network.build(board, self.costs.country)),
                Way("road", Network.build(board, self.costs.road), into=roads),
                *self._along_works(),
            ),
            self.points,
            tolls=tuple(self._tolls(zones)),
            stops=stops,
            minimum_move=self.rules.minimum_move,
        )

    def _along_works(self) -> Iterator[Way]:
        """The way through one's own trenches, which no friend closes."""
        works = self.rules.roads.works
        rate = None if works is None else self.costs.price(self.field.pack.links[works.as_link])
        if works is None or not isinstance(rate, int | Fraction):
            return

        def owned(hex_: Hex) -> bool:
            return any(
                one.kind == works.feature and self.field.owner(one) == self.unit.side
                for one in self.field.ground[hex_].features
            )

        def step(here: Hex, there: Hex) -> StepCost:
            sides = standing(self.field.ground.hexsides.get(Hexside.between(here, there), ()))
            both = owned(here) and owned(there)
            crossed = bool(sides & set(works.not_over))
            return self.costs.in_weather(rate, there) if both and not crossed else None

        yield Way("works", Network.build(self.field.board, step))

    @property
    def _effects(self) -> ZoneEffects | None:
        """What zones do to this unit; None where the game has none, or it ignores them."""
        zones = self.field.pack.zones
        return None if zones is None or self._is(zones.effects.ignored_by) else zones.effects

    @cached_property
    def _zones(self) -> frozenset[Hex]:
        return ZoneJudge(self.field, self.weather).zones(self._about)

    @cached_property
    def _on_roads(self) -> dict[Hex, Ruling]:
        """What stacking says of each hex with friends: whether one may come there by road."""
        if self.field.pack.stacking is None or self.field.pack.stacking.roads is None:
            return {}
        judge = StackingJudge(self.field, self._others, self.weather)
        hexes = {one.hex for one in self._others} - {self.unit.hex}
        return {hex_: judge.rule_road(hex_, self.unit.side) for hex_ in sorted(hexes)}

    def _belongs(self, unit: Standing, groups: tuple[str, ...]) -> bool:
        return bool(classes_of(self.field, unit) & classes_in(groups, self.field.pack.classes))

    def _tolls(self, zones: Bits) -> Iterator[Toll]:
        board = self.field.board
        occupied = board.of({enemy.hex for enemy in self._about if not self._may_enter(enemy)})
        yield Toll("enemy_unit", None, entering=occupied)
        if self._effects is not None and self._effects.cost_to_leave:
            together = self._effects.free_beside
            free = board.of({one.hex for one in self._others if self._belongs(one, together)})
            yield Toll("leaving_zone", self._effects.cost_to_leave, leaving=zones & ~free)
        entry = self.rules.zone_entry
        if entry is not None and self._is(entry.units):
            beside = board.of({one.hex for one in self._others if self._belongs(one, entry.beside)})
            yield Toll("enemy_zone", None, entering=board.of(self._zones) & ~beside)
        if not self._mode.may_enter_enemy_zone:
            yield Toll("enemy_zone", None, entering=board.of(self._zones))
        if self._mode.from_enemy is not None:
            near = board.dilated(
                board.of({enemy.hex for enemy in self._about}), self._mode.from_enemy - 1
            )
            yield Toll("too_near", None, entering=near)
            yield Toll("too_near", None, leaving=near)

    def _may_enter(self, enemy: Standing) -> bool:
        """Whether an enemy may be entered: such as guns, when nobody stands with them."""
        alone = all(
            self._belongs(other, self.rules.enter_lone)
            for other in self._about
            if other.hex == enemy.hex
        )
        return alone and self._mode.may_enter_lone

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
            yield from (fire.told(self.field) for fire in self.fire(to))
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
            if hex_ != self.unit.hex and self.costs.hex_cost(hex_) is None
        }
        for places, kinds in ((ground.hexsides, pack.hexsides), (ground.links, pack.links)):
            words |= {
                feature.kind
                for place, features in places.items()
                if near.issuperset(place) and not self.costs.bars(*place)
                for feature in features
                if feature.kind not in self.rules.sides
                and self.costs.price(kinds.get(feature.kind)) is None
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
            "draws_fire": []
            if to is None or reach.arrival(to) is None
            else [fire.as_data(self.field) for fire in self.fire(to)],
        }

    def _not_in_sources(self) -> Ruling:
        reason = Reason("rules.movement.not_in_sources", {"game": self.field.pack.title})
        working = {"hex": self.field.label(self.unit.hex), "reach": [], "refused": [], "path": []}
        return Ruling("movement", "unknown", (reason,), (), working, missing=(reason,))


def _is_chart(keys: tuple[str, ...]) -> bool:
    return any(key.startswith("terrain.") for key in keys)


def _spoken(word: str) -> str:
    return word.replace("_", " ")
