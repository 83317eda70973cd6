"""What a move costs one unit, and where it comes: the enemy, zones, roads, weather, modes."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, floor

from mapkit.bitboards import Bits
from mapkit.hexes import Hex, Hexside, neighbours
from mapkit.traces import Movement as Moving
from mapkit.traces import Network, Reach, Toll, Way, movement_reach, moves_to
from mapkit.traces.network import Cost as StepCost
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.judges.infiltration import DrawnFire, drawn_fire
from rules.judges.stacking import StackingJudge
from rules.judges.step_costs import Points, StepCosts, standing
from rules.judges.weather import is_weather
from rules.judges.zones import ZoneJudge, classes_of
from rules.ruling import Ruling
from rules.schema.movement import Movement, MoveMode, WeatherMove
from rules.schema.zones import ZoneEffects
from rules.standing import Standing


@dataclass(frozen=True)
class Mover:
    """One unit about to move: its class, its printed allowance, and who stands about.

    *control* says who holds a hex, by label; who does not stand there is not taken for an enemy.
    """

    field: Battlefield
    unit: Standing
    allowance: Points
    mode: str = ""  # the usual way to move where nobody names one: the pack's first
    friends: tuple[Standing, ...] = ()
    enemies: tuple[Standing, ...] = ()
    weather: str | None = None
    control: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        self.field.require_weather(self.weather)
        if self.unit.class_ not in self.field.pack.classes:
            known = ", ".join(self.field.pack.classes)
            raise RulesError(f"{self.field.pack.title} has no class '{self.unit.class_}': {known}")
        if self.field.pack.movement is not None and self.mode_word not in self.rules.modes:
            raise RulesError(
                f"{self.field.pack.title} has no movement '{self.mode}'; "
                f"there is: {', '.join(self.rules.modes)}"
            )

    @cached_property
    def rules(self) -> Movement:
        """The game's rule of movement."""
        if self.field.pack.movement is None:
            raise RulesError(f"{self.field.pack.title}: our sources hold no rule of movement")
        return self.field.pack.movement

    @cached_property
    def points(self) -> Points:
        """The allowance for this move: weather first, then the mode, rounded as that says."""
        points: Points = self.allowance
        for change in self._weather_moves():
            points = (points + change.add) * change.factor
        rounded = ceil if self.chosen.rounding == "up" else floor
        return max(rounded(points * self.chosen.factor), 0)

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
        return drawn_fire(self.field, self.unit.side, self.way(to), self.hindering, self.weather)

    @property
    def chosen(self) -> MoveMode:
        """The rule of this way to move."""
        return self.rules.modes[self.mode_word]

    @property
    def mode_word(self) -> str:
        """The pack's word for this way to move."""
        return self.mode or next(iter(self.rules.modes))

    @cached_property
    def costs(self) -> StepCosts:
        """What a step costs this unit."""
        minded = any(rate.lost_next_to_enemy for rate in self.rules.roads.rates)
        by = self.hindering if minded else ()
        near = frozenset(hex_ for enemy in by for hex_ in neighbours(enemy.hex))
        return StepCosts(
            self.field,
            self.unit.class_,
            self.rules,
            self.weather,
            near,
            self.enemy_held,
            self.unit.side,
        )

    @cached_property
    def enemy_held(self) -> frozenset[Hex]:
        """The hexes the other side holds: it stands there, or it is known to control them."""
        theirs = {label for label, side in (self.control or {}).items() if side != self.unit.side}
        hexes = self.field.map.hexes if theirs else ()
        told = {hex_ for hex_ in hexes if self.field.label(hex_) in theirs}
        taken = {one.hex for one in self.friends} | {self.unit.hex}
        return frozenset(told - taken) | {one.hex for one in self.enemies}

    @cached_property
    def is_hopping(self) -> bool:
        """Whether the unit begins in an enemy zone and may go one hex into another."""
        if not self.chosen.hops_zones:
            return False
        here, judge = self.unit.hex, ZoneJudge(self.field, self.weather)
        touching = {here, *neighbours(here)}
        return any(here in judge.zone(one) for one in self._felt if one.hex in touching)

    @cached_property
    def _felt(self) -> tuple[Standing, ...]:
        """The enemies that some rule does not leave out for good."""
        none = self.field.classes_in(self.rules.no_influence)
        return tuple(one for one in self.enemies if not (one.class_ and one.class_ in none))

    @cached_property
    def overrun(self) -> tuple[Standing, ...]:
        """The enemies that this way of moving sweeps aside, when they are alone in their hex."""
        if not self.chosen.overruns or self.is_hopping:
            return ()
        strong = {one.hex for one in self._felt if not self._belongs(one, self.chosen.overruns)}
        return tuple(one for one in self._felt if one.hex not in strong)

    def swept(self, to: Hex) -> tuple[Standing, ...]:
        """Return the enemies that the cheapest way to a hex sweeps aside: it leads past them."""
        judge, way = ZoneJudge(self.field, self.weather), frozenset(self.way(to)[1:])
        return tuple(one for one in self.overrun if way & (judge.zone(one) | {one.hex}))

    @cached_property
    def hindering(self) -> tuple[Standing, ...]:
        """The enemies that count: some hinder nobody, others not in this way of moving."""
        swept = {one.hex for one in self.overrun}
        return tuple(one for one in self._felt if one.hex not in swept)

    @cached_property
    def _others(self) -> tuple[Standing, ...]:
        """The friends about, the unit itself left out."""
        return tuple(one for one in self.friends if one.name != self.unit.name)

    @cached_property
    def _beside(self) -> tuple[Standing, ...]:
        """The friends who stand where the unit may come."""
        return tuple(one for one in self._others if one.hex in self._within)

    @cached_property
    def _facing(self) -> tuple[Standing, ...]:
        """The enemies who stand where the unit may come, or whose zone lies there."""
        return tuple(one for one in self.hindering if one.hex in self._about)

    @cached_property
    def _alone(self) -> Bits:
        """Where the unit would come with nobody about: others only forbid steps, or charge more."""
        moving = Moving(self._ways, self.points, minimum_move=self._moves_one_hex)
        return movement_reach(moving, self.unit.hex).hexes

    @cached_property
    def _within(self) -> frozenset[Hex]:
        """The hexes that a move can come to or be refused: beyond them nothing bears on it."""
        return frozenset(self.field.board.hexes(self.field.board.dilated(self._alone, 1)))

    @cached_property
    def _about(self) -> frozenset[Hex]:
        """The hexes from which an enemy bears on the move."""
        far = max(1, self.chosen.from_enemy or 0)
        return frozenset(self.field.board.hexes(self.field.board.dilated(self._alone, 1 + far)))

    def is_in(self, groups: tuple[str, ...]) -> bool:
        """Tell whether the unit belongs to one of some groups."""
        return self.costs.is_in(groups)

    @property
    def disorganization(self) -> tuple[int, Points | None]:
        """The points the unit has, and the printed value they must not reach; None: not known."""
        effect = self.field.pack.supply.effect if self.field.pack.supply else None
        if effect is None or effect.status is None or effect.surrenders_at is None:
            return 0, None
        return self.unit.statuses.get(effect.status, 0), self.unit.value(effect.surrenders_at)

    def _weather_moves(self) -> Iterator[WeatherMove]:
        for name, weather in self.field.pack.weather.items():
            if is_weather(self.field, name, self.weather):
                for group, change in weather.moves.items():
                    if self.is_in((group,)):
                        yield change

    @property
    def _moves_one_hex(self) -> bool:
        """Whether the unit may go one hex, whatever that costs."""
        return self.is_hopping or (self.rules.minimum_move and self.chosen.least_move)

    def _moving(self) -> Moving:
        board = self.field.board
        zones = 0 if self._effects is None else board.of(self.zones)
        closed = [hex_ for hex_, one in self.on_roads.items() if one.verdict == "closed"]
        roads = board.everything & ~board.of(closed)
        if self.rules.roads.lost_in_enemy_zone:
            roads &= ~zones
        stops = zones if self._effects and self._effects.on_entry == "stop" else 0
        pinned = zones if self._effects and self._effects.pins and not self.is_hopping else 0
        country, road, *works = self._ways
        return Moving(
            (country, replace(road, into=roads), *works),
            self.points,
            tolls=tuple(self._tolls(zones)),
            stops=stops,
            pinned=pinned,
            minimum_move=self._moves_one_hex,
        )

    @cached_property
    def _ways(self) -> tuple[Way, ...]:
        """The ways to move with nobody about."""
        return (
            Way("country", self._network("country", self.costs.country)),
            Way("road", self._network("road", self.costs.road)),
            *self._along_works(),
        )

    def _along_works(self) -> Iterator[Way]:
        """The way through one's own trenches, which no friend closes."""
        works = self.rules.roads.works
        rate = None if works is None else self.costs.price("links", works.as_link)
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

        yield Way("works", self._network("works", step))

    def _network(self, name: str, step: Callable[[Hex, Hex], StepCost]) -> Network:
        """Return all steps of one kind with their prices; those who move alike share them."""
        key, kept = (name, self.unit.side, *self.costs.hang_on), self.field.networks
        if key not in kept:
            kept[key] = Network.build(self.field.board, step)
        return kept[key]

    @property
    def _effects(self) -> ZoneEffects | None:
        """What zones do to this unit; None where the game has none, or it ignores them."""
        zones = self.field.pack.zones
        return None if zones is None or self.is_in(zones.effects.ignored_by) else zones.effects

    @cached_property
    def zones(self) -> frozenset[Hex]:
        """The hexes in the zones of the enemies that count, as far as the unit could come."""
        return ZoneJudge(self.field, self.weather).zones(self._facing)

    @cached_property
    def on_roads(self) -> dict[Hex, Ruling]:
        """What stacking says of each hex with friends that one could come to by road."""
        if self.field.pack.stacking is None or self.field.pack.stacking.roads is None:
            return {}
        judge = StackingJudge(self.field, self._others, self.weather)
        hexes = {one.hex for one in self._beside} & self.field.linked - {self.unit.hex}
        return {hex_: judge.rule_road(hex_, self.unit.side) for hex_ in sorted(hexes)}

    def _belongs(self, unit: Standing, groups: tuple[str, ...]) -> bool:
        return bool(classes_of(self.field, unit) & self.field.classes_in(groups))

    def _tolls(self, zones: Bits) -> Iterator[Toll]:
        board = self.field.board
        occupied = board.of({enemy.hex for enemy in self._facing if not self._may_enter(enemy)})
        yield Toll("enemy_unit", None, entering=occupied)
        if self._effects is not None and self._effects.cost_to_leave:
            together = self._effects.free_beside
            free = board.of({one.hex for one in self._beside if self._belongs(one, together)})
            yield Toll("leaving_zone", self._effects.cost_to_leave, leaving=zones & ~free)
        entry = self.rules.zone_entry
        if entry is not None and self.is_in(entry.units):
            beside = board.of({one.hex for one in self._beside if self._belongs(one, entry.beside)})
            yield Toll("enemy_zone", None, entering=board.of(self.zones) & ~beside)
        if self.is_hopping:
            yield Toll("no_enemy_zone", None, entering=board.everything & ~board.of(self.zones))
            yield Toll("second_hex", None, leaving=board.everything & ~board.of([self.unit.hex]))
        if not self.chosen.may_enter_enemy_zone:
            yield Toll("enemy_zone", None, entering=board.of(self.zones))
        if self.chosen.from_enemy is not None:
            near = board.dilated(
                board.of({enemy.hex for enemy in self._facing}), self.chosen.from_enemy - 1
            )
            yield Toll("too_near", None, entering=near)
            yield Toll("too_near", None, leaving=near)

    def _may_enter(self, enemy: Standing) -> bool:
        """Whether an enemy may be entered: such as guns, when nobody stands with them."""
        alone = all(
            self._belongs(other, self.rules.enter_lone)
            for other in self._facing
            if other.hex == enemy.hex
        )
        return alone and self.chosen.may_enter_lone
