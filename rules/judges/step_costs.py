"""What one step costs a class of units: hex, hexside, level, link and weather together."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

from mapkit.hexes import Hex, Hexside, Link
from mapkit.kinds import UNKNOWN, Group
from mapkit.model import Feature
from mapkit.traces import WHOLE, NoWay
from mapkit.traces.network import Cost as StepCost
from rules.battlefield import Battlefield
from rules.judges.weather import is_weather, lies_on, may_lie_on
from rules.schema.forces import classes_in
from rules.schema.movement import Costs, Movement, SideMove, WorksPrice

Points = int | Fraction
Price = Points | Literal["never", "whole"] | None  # None: not in our sources


def price_for(
    field: Battlefield,
    class_: str,
    group: Group,
    word: str,
    weather: str | None = None,
) -> Price:
    """Return what the chart asks of a class for a kind: its own entry, or that of its group."""
    costs = weather_costs(field, word, weather)
    if costs is None:
        kind = getattr(field.pack, group).get(word)
        costs = {} if kind is None else kind.costs
    return price_of(costs, class_, field.pack.classes[class_].groups)


def price_of(costs: Costs, class_: str, groups: tuple[str, ...]) -> Price:
    """Return what a line of the chart asks of a class: its own entry, or that of its group."""
    return next((costs[group] for group in (class_, *groups) if group in costs), None)


def weather_costs(field: Battlefield, word: str, weather: str | None) -> Costs | None:
    """Return what today's weather makes of a line of the chart; None where it leaves it."""
    for name, rule in field.pack.weather.items():
        if word in rule.chart and is_weather(field, name, weather):
            return rule.chart[word]
    return None


def standing(features: tuple[Feature, ...]) -> set[str]:
    """Return the words for what lies on a hexside and is not blown."""
    return {feature.kind for feature in features if feature.stands}


def never_enters(
    field: Battlefield, class_: str, here: Hex, there: Hex, weather: str | None = None
) -> str | None:
    """Return the word for what bars a class from a neighbour for good, or None.

    *class_* "" is a unit of which nobody knows what it is: what only some may cross stops it.
    What the chart of the physical game would forbid counts once its owner has entered it.
    """
    rules, pack = field.pack.movement, field.pack
    on_side = field.ground.hexsides.get(Hexside.between(here, there), ())
    words = standing(on_side)
    whole = all(feature.stands for feature in on_side)  # a blown bridge closes its road
    linked = whole and Link.between(here, there) in field.ground.links
    for word in sorted(words):
        rule = rules.sides.get(word) if rules else None
        price = price_for(field, class_, "hexsides", word, weather) if class_ else None
        if rule is None:
            if price == "never" and not linked:
                return word
        elif not (opens(field, class_, rule, words) or (rule.unless_linked and linked)) and (
            "never" in (rule.cost, price) or class_ not in classes_in(rule.only, pack.classes)
        ):
            return word
    terrain = field.ground[there].terrain
    opened = linked and not (rules and terrain in rules.roads.not_into)
    if not class_ or opened:
        return None
    return terrain if price_for(field, class_, "terrain", terrain, weather) == "never" else None


def opens(field: Battlefield, class_: str, rule: SideMove, words: set[str]) -> bool:
    """Tell whether something on a hexside opens it to a class: a footbridge not to guns."""
    return any(
        class_ not in classes_in(rule.closed_to.get(word, ()), field.pack.classes)
        for word in words & set(rule.opened_by)
    )


@dataclass(frozen=True)
class StepCosts:
    """The costs of one class of units on one map in one weather."""

    field: Battlefield
    class_: str
    rules: Movement
    weather: str | None = None
    next_to_enemy: frozenset[Hex] = frozenset()
    enemy_held: frozenset[Hex] = frozenset()
    side: str = ""

    def is_in(self, groups: tuple[str, ...]) -> bool:
        """Tell whether the class belongs to one of some groups."""
        return not self._own_groups.isdisjoint(groups)

    @cached_property
    def _own_groups(self) -> frozenset[str]:
        class_ = self.field.pack.classes.get(self.class_)
        return frozenset((self.class_, *class_.groups) if class_ else ())

    @property
    def hang_on(self) -> tuple[object, ...]:
        """What the prices hang on: movers for whom that is alike share their networks."""
        rates = self.rules.roads.rates
        spoilt = any(one.lost_next_to_enemy and self.is_in(one.units) for one in rates)
        held = any(one.opened_when_held for one in self.rules.sides.values())
        near, theirs = self.next_to_enemy if spoilt else None, self.enemy_held if held else None
        return self.class_, self.weather, near, theirs

    def country(self, here: Hex, there: Hex) -> StepCost:
        """Return what a step costs off the road; None where the chart is not in our sources."""
        side = self._side_cost(here, there)
        if isinstance(side, NoWay) or side is WHOLE:
            return side
        hex_cost = self.hex_cost(there, here)
        if hex_cost is None or side is None:
            return NoWay("unpriced")
        if hex_cost == "never":
            return WHOLE if self._steps_up(here, there) else NoWay("ground")
        if hex_cost == "whole":
            return WHOLE
        uphill = self._uphill(here, there)
        if isinstance(uphill, NoWay):
            return uphill
        return self.in_weather(hex_cost + side + uphill, there)

    def road(self, here: Hex, there: Hex) -> StepCost:
        """Return what a step costs along a link; None where there is none."""
        features = self.field.ground.links.get(Link.between(here, there), ())
        if not features:
            return None
        if (shut := self._shut_road(here, there)) is not None:
            return shut
        rates = [self.price("links", feature.kind) for feature in features]
        known = [rate for rate in rates if isinstance(rate, int | Fraction)]
        if not known:
            return NoWay("unpriced")
        besides = self._besides_the_link(here, there)
        if not isinstance(besides, int | Fraction):
            return besides
        return self.in_weather(min(known) * self._road_factor(there) + besides, there)

    def _shut_road(self, here: Hex, there: Hex) -> NoWay | None:
        """What closes a link: a blown bridge, a hexside it does not open, ground beyond it."""
        sides = self.field.ground.hexsides.get(Hexside.between(here, there), ())
        if not all(feature.stands for feature in sides):
            return NoWay("blown")
        words = {one.kind for one in sides}
        for word in words:
            rule = self.rules.sides.get(word)
            if rule is None or rule.unless_linked or opens(self.field, self.class_, rule, words):
                continue
            if not self.is_in(rule.only):
                return NoWay(word)
        closed = self.field.ground[there].terrain in self.rules.roads.not_into
        return NoWay("ground") if closed and self.hex_cost(there, here) == "never" else None

    def _besides_the_link(self, here: Hex, there: Hex) -> StepCost:
        """What a link does not spare: in some games the climb, and a river no bridge helps over."""
        pays = self.rules.roads.pays
        crossed = "hexsides" in pays or self.is_no_help(here, there)
        past = self._side_cost(here, there) if crossed else 0
        climb = 0 if self._roads_level else self._uphill(here, there)
        houses = self._with_features(0, there) if "features" in pays else 0
        if past is None:
            return NoWay("unpriced")
        if isinstance(climb, NoWay) or not isinstance(past, int | Fraction):
            return climb if isinstance(climb, NoWay) else past
        if not isinstance(houses, int | Fraction):
            return NoWay("ground" if houses else "unpriced")
        return climb + past + houses

    def is_no_help(self, here: Hex, there: Hex) -> bool:
        """Tell whether a bridge there opens nothing, for the enemy holds one of its ends."""
        words = standing(self.field.ground.hexsides.get(Hexside.between(here, there), ()))
        rules = [rule for word in words if (rule := self.rules.sides.get(word)) is not None]
        return any(
            self._is_enemy_held(rule, here, there) and opens(self.field, self.class_, rule, words)
            for rule in rules
        )

    def _is_enemy_held(self, rule: SideMove, here: Hex, there: Hex) -> bool:
        return rule.opened_when_held and not self.enemy_held.isdisjoint((here, there))

    def bars(self, here: Hex, there: Hex) -> bool:
        """Tell whether a rule bars the class from crossing a hexside, whatever the chart says."""
        words = standing(self.field.ground.hexsides.get(Hexside.between(here, there), ()))
        linked = Link.between(here, there) in self.field.ground.links
        return any(
            not self.is_in(rule.only)
            and not opens(self.field, self.class_, rule, words)
            and not (rule.unless_linked and linked)
            for word in words
            if (rule := self.rules.sides.get(word)) is not None
        )

    def hex_cost(self, hex_: Hex, here: Hex | None = None) -> Price:
        """Return what the ground of a hex costs who comes from *here*; None where nobody knows."""
        works = self.works_in(hex_)
        if works is not None:
            return self._with_features(self._works_price(*works, here), hex_)
        return self._with_features(self.ground_cost(self.field.ground[hex_].terrain), hex_)

    def ground_cost(self, terrain: str) -> Price:
        """Return what a kind of ground costs; None where nobody knows."""
        return None if terrain == UNKNOWN else self.price("terrain", terrain)

    def works_of_nobody(self, hex_: Hex) -> Feature | None:
        """Return works that price a hex by whose they are, where nobody knows that."""
        works = self.works_in(hex_)
        return works[1] if works and self._works_price(*works, None) is None else None

    def works_in(self, hex_: Hex) -> tuple[WorksPrice, Feature] | None:
        """Return the works that price a hex in the place of its terrain."""
        features = self.field.ground[hex_].features if self.rules.works else ()
        for rule in self.rules.works.values():
            for one in features:
                if one.kind in rule.features:
                    return rule, one
        return None

    def _works_price(self, rule: WorksPrice, works: Feature, here: Hex | None) -> Price:
        owner = self.field.owner(works)
        if rule.anybody:
            return self._of_group(rule.anybody)
        if owner is None:  # no matter whose where all pay the same
            own, enemy = self._of_group(rule.own), self._of_group(rule.enemy)
            return own if own == enemy else None
        if owner == self.side:
            return self._of_group(rule.own)
        along = here is not None and any(
            one.kind in rule.features and self.field.owner(one) == owner
            for one in self.field.ground[here].features
        )
        return self._of_group(rule.along if along and rule.along else rule.enemy)

    def _of_group(self, costs: Costs) -> Price:
        return price_of(costs, self.class_, self.field.pack.classes[self.class_].groups)

    def _with_features(self, price: Price, hex_: Hex) -> Price:
        """A price with what the features of a hex make of it: they add to it, or are dearer."""
        how = self.rules.features
        if how is None or price is None or isinstance(price, str):
            return price
        priced = [one.kind for one in self.field.ground[hex_].features]
        for word in dict.fromkeys(priced):
            more = self.price("features", word)
            if isinstance(more, str):
                return more
            if more is not None:
                price = price + more if how == "add" else max(price, more)
        return price

    def _steps_up(self, here: Hex, there: Hex) -> bool:
        rule, ground = self.rules.step_up, self.field.ground
        return (
            rule is not None
            and self.is_in(rule.units)
            and ground[here].terrain in rule.leaving
            and ground[there].terrain in rule.entering
        )

    def price(self, group: Group, word: str) -> Price:
        """Return what the chart asks of this class."""
        if (group, word) not in self._prices:
            price = price_for(self.field, self.class_, group, word, self.weather)
            self._prices[group, word] = price
        return self._prices[group, word]

    @cached_property
    def _prices(self) -> dict[tuple[Group, str], Price]:
        return {}

    def _road_factor(self, there: Hex) -> Points:
        """Some ride at a better rate, away from the enemy."""
        factor: Points = 1
        for rate in self.rules.roads.rates:
            spoilt = rate.lost_next_to_enemy and there in self.next_to_enemy
            if self.is_in(rate.units) and not spoilt:
                factor *= rate.factor
        return factor

    @property
    def _roads_level(self) -> bool:
        return self.rules.levels is None or self.rules.levels.cancelled_by_links

    def _side_cost(self, here: Hex, there: Hex) -> StepCost:
        """What the hexside adds; None where the chart is not in our sources."""
        total: Points = 0
        words = standing(self.field.ground.hexsides.get(Hexside.between(here, there), ()))
        for word in sorted(words):
            rule = self.rules.sides.get(word)
            if (
                rule is not None
                and opens(self.field, self.class_, rule, words)
                and not self._is_enemy_held(rule, here, there)
            ):
                continue
            if rule is not None:
                if not self.is_in(rule.only) or rule.cost == "never":
                    return NoWay(word)
                charted = weather_costs(self.field, word, self.weather) is not None
                price: Price = self.price("hexsides", word) if charted else rule.cost
            else:
                price = self.price("hexsides", word)
            if price is None or price == "whole":
                return WHOLE if price else None
            if price == "never":
                return NoWay(word)
            total += price
        return total

    def _uphill(self, here: Hex, there: Hex) -> Points | NoWay:
        """What going up costs; some units never change level off the road."""
        rule = self.rules.levels
        low, high = self.field.ground[here].level, self.field.ground[there].level
        if rule is None:
            return 0
        if low is not None and high is not None and low != high and self.is_in(rule.never_for):
            return NoWay("level")
        if self.is_in(rule.not_for):
            return 0
        levels = 0 if low is None or high is None else max(high - low, 0)
        if not levels and self._is_always_up(here, there):
            levels = 1
        return (levels if rule.each_level else min(levels, 1)) * rule.up

    def _is_always_up(self, here: Hex, there: Hex) -> bool:
        """Whether a step counts as uphill by what lies in the hexes: to a peak, out of a stream.

        Along a stream, from one of its hexes to the next, levels decide.
        """
        rule = self.rules.levels
        if rule is None:
            return False
        left, entered = self._features(here), self._features(there)
        return bool(entered & set(rule.always_into) or (left - entered) & set(rule.always_out_of))

    def _features(self, hex_: Hex) -> set[str]:
        return {feature.kind for feature in self.field.ground[hex_].features}

    @cached_property
    def _dearer(self) -> list[tuple[str, int, Points]]:
        """The kinds of weather that make hexes dearer today: what they add, and the factor."""
        return [
            (name, change.enter, change.enter_factor)
            for name, weather in self.field.pack.weather.items()
            if is_weather(self.field, name, self.weather)
            for group, change in weather.moves.items()
            if self.is_in((group,))
        ]

    def in_weather(self, cost: Points, hex_: Hex) -> Points | NoWay:
        """Return a cost as the weather of a hex makes it; unpriced where nobody knows it."""
        for name, more, factor in self._dearer:
            if may_lie_on(self.field, name, hex_):
                return NoWay("unpriced")
            if lies_on(self.field, name, hex_):
                cost = (cost + more) * factor
        return cost
