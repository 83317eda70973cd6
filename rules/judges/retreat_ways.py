"""Retreats of several hexes: each hex the best of those that are open, to the very end."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import islice, product
from typing import Literal

from mapkit.hexes import Hex, Hexside, Link, distance, neighbours
from mapkit.traces import NoWay
from rules.battlefield import Battlefield
from rules.judges.step_costs import StepCosts, never_enters, price_for, standing
from rules.ruling import Reason
from rules.schema.retreat import Course, Criterion, Retreat
from rules.standing import Standing

Doubt = Literal["zone", "room", "cost", "barred"]
Values = dict[str, str | int]
MOST_WAYS = 200  # that are listed: through wide zones there can be very many


@dataclass(frozen=True, slots=True)
class Way:
    """A way that a retreat may take, from the hex it begins in to the one it ends in.

    *passed* are hexes where it was too many and went on, *doubts* what nobody can tell of it.
    """

    path: tuple[Hex, ...]
    passed: tuple[Hex, ...] = ()
    doubts: frozenset[Doubt] = frozenset()


@dataclass(frozen=True)
class CourseFinder:
    """Finds the ways of one unit, *length* hexes long and longer where it has no room.

    *markers* are the hexes assaults come from, *zone* the enemy zones or None where nobody knows
    them; *fits* tells of a hex whether the unit has room there. *first* are the only hexes its
    first step may go to, None for any.

    One that withdraws has an *order* of its own. It goes on till it is *out_of_zones*, or its
    first step leads *away_from* a hex, by the rule *first_cite*; by the rule *zones_shut* it
    enters no enemy zone at all.
    """

    field: Battlefield
    unit: Standing
    rules: Retreat
    course: Course
    length: int
    between: int
    markers: frozenset[Hex]
    enemies: frozenset[Hex]
    zone: frozenset[Hex] | None
    fits: Callable[[Hex], str]
    first: frozenset[Hex] | None = None
    weather: str | None = None
    order: tuple[Criterion, ...] | None = None
    out_of_zones: bool = False
    away_from: Hex | None = None
    first_cite: str | None = None
    zones_shut: str | None = None

    @cached_property
    def ways(self) -> tuple[Way, ...]:
        """The ways that the rule leaves open: all, unless there are very many."""
        return self._found[:MOST_WAYS]

    @property
    def there_are_more(self) -> bool:
        """Whether more ways are open than are listed."""
        return len(self._found) > MOST_WAYS

    @cached_property
    def _found(self) -> tuple[Way, ...]:
        return tuple(islice(self._grown(Way((self.unit.hex,))), MOST_WAYS + 1))

    @cached_property
    def turned_down(self) -> dict[Hex, Reason]:
        """The hexes next to the beginning that no way goes to, each with the reason."""
        start = (self.unit.hex,)
        open_ = self._open(start)
        best, _ = self._best(start, open_)
        found: dict[Hex, Reason] = {}
        for hex_ in neighbours(self.unit.hex):
            if hex_ not in self.field.map or hex_ in best:
                continue
            reason = self._barred(start, hex_)
            if reason is None and hex_ not in open_:
                reason = Reason("rules.retreat.dead_end", self._at(hex_), self.course.cite)
            found[hex_] = reason or self._beaten(hex_, best[0])
        return found

    def _grown(self, way: Way) -> Iterator[Way]:
        """Yield the ways that go on from where one has come."""
        far = len(way.path) - 1
        room = self._room(way.path[-1]) if far else "within"
        if self._is_far_enough(way.path) and room != "over":
            unsure: set[Doubt] = {"room"} if room == "unknown" else set()
            yield Way(way.path, way.passed, way.doubts | unsure)
            return
        passed = (*way.passed, way.path[-1]) if far and room == "over" else way.passed
        best, doubts = self._best(way.path, self._open(way.path))
        for hex_ in best:
            unsure = {"barred"} if self._may_be_barred(way.path[-1], hex_) else set()
            yield from self._grown(Way((*way.path, hex_), passed, way.doubts | doubts | unsure))

    def _open(self, path: tuple[Hex, ...]) -> list[Hex]:
        """The hexes a way may go on to; where the rule looks ahead, only such as lead to an end."""
        near = [hex_ for hex_ in neighbours(path[-1]) if hex_ in self.field.map]
        free = [hex_ for hex_ in near if self._barred(path, hex_) is None]
        if not self.course.looks_ahead:
            return free
        return [hex_ for hex_ in free if self._finishes((*path, hex_))]

    def _finishes(self, path: tuple[Hex, ...]) -> bool:
        """Tell whether a way can be finished from where it has come."""
        if self._is_far_enough(path) and self._room(path[-1]) != "over":
            return True
        if self.out_of_zones:
            return self._leads_out(path)
        return any(
            self._finishes((*path, hex_))
            for hex_ in neighbours(path[-1])
            if hex_ in self.field.map and self._barred(path, hex_) is None
        )

    def _leads_out(self, path: tuple[Hex, ...]) -> bool:
        """Tell whether some way leads out of the zones: then one leads there without a loop."""
        seen, reached = set(path), [path[-1]]
        for here in reached:
            for hex_ in neighbours(here):
                if hex_ in seen or hex_ not in self.field.map:
                    continue
                if self._barred((*path, here), hex_) is None:
                    if self._is_far_enough((*path, hex_)) and self._room(hex_) != "over":
                        return True
                    seen.add(hex_)
                    reached.append(hex_)
        return False

    def _is_far_enough(self, path: tuple[Hex, ...]) -> bool:
        """Whether a way may end here, but for room."""
        in_zone = self.out_of_zones and self.zone is not None and path[-1] in self.zone
        return len(path) > self.length and not in_zone

    def _barred(self, path: tuple[Hex, ...], hex_: Hex) -> Reason | None:
        """Return why a way may not go on to a hex."""
        rule, cite, at = self.course.cite, self.rules.impassable_cite, self._at(hex_)
        if len(path) == 1 and (key := self._wrong_way(hex_)):
            return Reason(f"rules.retreat.{key}", at, self.first_cite or rule)
        if self.zones_shut is not None and hex_ in (self.zone or ()):
            return Reason("rules.retreat.zone_shut", at, self.zones_shut)
        there = {"twice": path, "assault_from": self.markers, "enemy_there": self.enemies}
        for key, hexes in there.items():
            if hex_ in hexes:
                return Reason(f"rules.retreat.{key}", at, cite)
        word = never_enters(self.field, self.unit.class_, path[-1], hex_, self.weather)
        if word is not None:
            return Reason("rules.retreat.no_way", {**at, "what": word.replace("_", " ")}, cite)
        if len(path) >= self.length and not self._is_away(hex_):
            return Reason("rules.retreat.too_near", {**at, "n": self.between}, rule)
        return None

    def _wrong_way(self, hex_: Hex) -> str:
        """Why the first step may not go to a hex; "" where it may."""
        if self.first is not None and hex_ not in self.first:
            return "not_rear"
        here, enemy = self.unit.hex, self.away_from
        leads_away = enemy is None or distance(hex_, enemy) > distance(here, enemy)
        return "" if leads_away else "not_away"

    def _is_away(self, hex_: Hex) -> bool:
        return all(distance(hex_, one) > self.between for one in self.markers)

    def _room(self, hex_: Hex) -> str:
        if hex_ not in self._rooms:
            self._rooms[hex_] = self.fits(hex_)
        return self._rooms[hex_]

    @cached_property
    def _rooms(self) -> dict[Hex, str]:
        return {}

    def _best(self, path: tuple[Hex, ...], hexes: list[Hex]) -> tuple[list[Hex], frozenset[Doubt]]:
        """Return the best of some hexes, and what would have to be known to choose among them."""
        return self._ranked(path[-1], hexes, self._order_from(path))

    def _order_from(self, path: tuple[Hex, ...]) -> tuple[Criterion, ...]:
        """What makes a hex better; who goes on for want of room does so as in any retreat."""
        for_room = len(path) > 1 and self._is_far_enough(path)
        return self.course.order if self.order is None or for_room else self.order

    def _ranked(
        self, here: Hex, hexes: list[Hex], order: tuple[Criterion, ...]
    ) -> tuple[list[Hex], frozenset[Doubt]]:
        """Return the best by what is left of the order; what nobody knows is tried both ways."""
        if len(hexes) < 2 or not order:
            return hexes, frozenset()
        word, rest = order[0], order[1:]
        marks = {hex_: self._mark(word, here, hex_) for hex_ in hexes}
        unknown = [hex_ for hex_ in hexes if marks[hex_] is None]
        if unknown and word == "cost":
            alike = self._are_alike(here, hexes)
            return self._ranked(here, hexes, rest) if alike else (hexes, frozenset({word}))
        found = [
            self._ranked(here, _least(marks | dict(zip(unknown, tried, strict=True))), rest)
            for tried in product((0, 1), repeat=len(unknown))
        ]
        if all(one == found[0] for one in found):
            return found[0]
        possible = {hex_ for best, _ in found for hex_ in best}
        doubts = frozenset(doubt for _, doubts in found for doubt in doubts)
        return [hex_ for hex_ in hexes if hex_ in possible], doubts | {word}

    def _mark(self, word: str, here: Hex, there: Hex) -> Fraction | int | None:
        """How good a hex is in one respect, less being better; None where nobody knows."""
        if word == "zone":
            return None if self.zone is None else int(there in self.zone)
        if word == "room":
            return {"within": 0, "over": 1}.get(self._room(there))
        return self._cost(here, there)

    def _cost(self, here: Hex, there: Hex) -> Fraction | int | None:
        rules, class_ = self.field.pack.movement, self.unit.class_
        if rules is None:
            # How ground, hexsides and roads add up is then not known either.
            plain = not (self._on_side(here, there) or self._along(here, there))
            word = self.field.ground[there].terrain
            price = price_for(self.field, class_, "terrain", word, self.weather) if plain else None
            return price if isinstance(price, int | Fraction) else None
        costs = StepCosts(self.field, class_, rules, self.weather)
        ways = (costs.country(here, there), costs.road(here, there))
        if any(isinstance(one, NoWay) and one.why == "unpriced" for one in ways):
            return None
        return min((one for one in ways if isinstance(one, int | Fraction)), default=None)

    def _are_alike(self, here: Hex, hexes: list[Hex]) -> bool:
        """Whether steps cost the same, whatever they cost: over like ground and hexsides."""
        return len({self._kind_of_step(here, hex_) for hex_ in hexes}) == 1

    def _kind_of_step(self, here: Hex, there: Hex) -> tuple[object, ...]:
        ground = self.field.ground[there]
        features = frozenset(one.kind for one in ground.features)
        sides, links = self._on_side(here, there), self._along(here, there)
        return ground.terrain, ground.level, features, frozenset(sides), links

    def _may_be_barred(self, here: Hex, there: Hex) -> bool:
        """Whether something lies between that is crossed at certain places only, by rules we lack.

        A step that has a price, or is barred for good, is in no doubt.
        """
        words = self._on_side(here, there)
        kinds = [self.field.pack.hexsides[word] for word in words]
        unopened = any(one.crossed_by and words.isdisjoint(one.crossed_by) for one in kinds)
        return unopened and self._cost(here, there) is None

    def _on_side(self, here: Hex, there: Hex) -> set[str]:
        return standing(self.field.ground.hexsides.get(Hexside.between(here, there), ()))

    def _along(self, here: Hex, there: Hex) -> frozenset[str]:
        links = self.field.ground.links.get(Link.between(here, there), ())
        return frozenset(one.kind for one in links)

    def _beaten(self, hex_: Hex, best: Hex) -> Reason:
        """Tell in what another hex is better."""
        here = self.unit.hex
        words = self._order_from((here,))
        worse = [
            word for word in words if self._mark(word, here, hex_) != self._mark(word, here, best)
        ]
        values: Values = {**self._at(hex_), "to": self.field.label(best)}
        return Reason(f"rules.retreat.worse_{worse[0]}", values, self.course.cite)

    def _at(self, hex_: Hex) -> Values:
        return {"hex": self.field.label(hex_)}


def _least(marks: Mapping[Hex, Fraction | int | None]) -> list[Hex]:
    """Return the hexes with the lowest mark."""
    known = {hex_: mark for hex_, mark in marks.items() if mark is not None}
    least = min(known.values())
    return [hex_ for hex_, mark in known.items() if mark == least]
