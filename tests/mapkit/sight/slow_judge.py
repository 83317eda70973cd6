"""Lines of sight a second time, the slow and plain way: the judge of `mapkit.sight` in tests.

Of the package it judges it uses only the vocabulary (the policy's dataclasses), and of the line
only `second_lines`. It asks every question of every rule at every place anew and in the order in
which the rules are told, in the three values of Kleene: True, False, and None for "perhaps".
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations
from math import floor
from operator import eq, ge, gt, le, lt, ne

from mapkit.hexes import Hex, Hexside, Place, Vertex, distance, neighbours
from mapkit.kinds import UNKNOWN
from mapkit.model import HexMap
from mapkit.sight.comparisons import Comparison, Height
from mapkit.sight.policy import Obstacle, RangeLimit, SideObstacle, SightPolicy
from tests.mapkit.second_lines import SecondEvent, second_events

Perhaps = bool | None
Interval = tuple[int, int]  # the least and the most it can be

FAR = 10**9  # farther than any map: "without limit"
NOTHING: Interval = (0, 0)
OPERATORS = {">": gt, ">=": ge, "=": eq, "!=": ne, "<": lt, "<=": le}


@dataclass(frozen=True, slots=True)
class SlowSight:
    """A verdict, the least and most hindrance of the line, the places that block for certain."""

    verdict: str
    hindrance: Interval = NOTHING
    blockers: frozenset[Place] = frozenset()


@dataclass(frozen=True, slots=True)
class Met:
    """A place on the line: whether it blocks, and what it adds to the hindrance."""

    place: Place
    blocks: Perhaps
    hinders: Interval


@dataclass(frozen=True, slots=True)
class Way:
    """The stretch of the line at which rules are asked."""

    start: Fraction
    end: Fraction


def slow_verdict(map_: HexMap, a: Hex, b: Hex, policy: SightPolicy) -> str:
    return slow_sight(map_, a, b, policy).verdict


def slow_sight(map_: HexMap, a: Hex, b: Hex, policy: SightPolicy) -> SlowSight:
    judge = _Judge(map_, a, b, policy)
    met = list(judge.all_met())
    hindrance = _added(place.hinders for place in met)
    blockers = frozenset(place.place for place in met if place.blocks)
    enough = FAR if policy.hindrance_blocks is None else policy.hindrance_blocks
    least, most = judge.reach()
    far = distance(a, b)
    if far > most:
        verdict = "out_of_range"
    elif blockers or hindrance[0] >= enough:
        verdict = "blocked"
    elif far > least or hindrance[1] >= enough or any(place.blocks is None for place in met):
        verdict = "unknown"
    else:
        verdict = "clear"
    return SlowSight(verdict, hindrance, blockers)


@dataclass(frozen=True)
class _Judge:
    map_: HexMap
    a: Hex
    b: Hex
    policy: SightPolicy

    # What the line meets.

    def all_met(self) -> Iterator[Met]:
        far = distance(self.a, self.b)
        if far == 0 or (far == 1 and self.policy.adjacent_clear):
            return
        events = _line(self.a, self.b)
        for kind, hexes, start, end in events:
            way = Way(start, end)
            if kind == "through":
                yield self.hex_met(hexes[0], self.policy.obstacles, way)
            elif kind == "along":
                yield from self.along(hexes[0], hexes[1], way)
            elif kind == "touch":
                yield from self.touched(hexes[0], way)
            elif kind == "cross":
                side = Hexside.between(hexes[0], hexes[1])
                yield self.sides_met(side, [[side]], self.policy.sides, way)
            else:
                yield from self.crossed_at_vertex(hexes, way)
        yield from self.vertices_of_runs(events)

    def along(self, left: Hex, right: Hex, way: Way) -> Iterator[Met]:
        side = Hexside.between(left, right)
        met = [self.hex_met(hex_, self.policy.obstacles, way) for hex_ in (left, right)]
        if self.policy.along == "either_blocks":
            yield Met(side, _any(one.blocks for one in met), _most(one.hinders for one in met))
        else:
            yield Met(side, _all(one.blocks for one in met), _least(one.hinders for one in met))
            for hex_ in (left, right):
                yield self.hex_met(hex_, self.inherent, way)
        yield self.sides_met(
            side, [[side]], [rule for rule in self.policy.sides if rule.lying], way
        )

    def touched(self, hex_: Hex, way: Way) -> Iterator[Met]:
        everything = self.policy.touch == "blocks"
        yield self.hex_met(hex_, self.policy.obstacles if everything else self.inherent, way)

    def crossed_at_vertex(self, hexes: tuple[Hex, ...], way: Way) -> Iterator[Met]:
        before, after, third = hexes
        round_ = [Hexside.between(before, third), Hexside.between(third, after)]
        corner = Vertex.between(before, after, third)
        yield from self.corner(corner, [Hexside.between(before, after)], round_, way)

    def vertices_of_runs(self, events: Iterable[SecondEvent]) -> Iterator[Met]:
        """Where the line leaves a hex to run along a hexside, or ends such a run in a hex."""
        runs = [event for event in events if event[0] == "along"]
        inside = [event for event in events if event[0] == "through"]
        for _, (left, right), start, end in runs:
            for _, (hex_,), entered, left_at in inside:
                if left_at == start or entered == end:
                    at = start if left_at == start else end
                    one, other = Hexside.between(hex_, left), Hexside.between(hex_, right)
                    corner = Vertex.between(hex_, left, right)
                    yield from self.corner(corner, [one], [other], Way(at, at))

    def corner(
        self, vertex: Vertex, straight: list[Hexside], round_: list[Hexside], way: Way
    ) -> Iterator[Met]:
        """The ends of hexsides. Obstacles that leave no way round only together are met too."""
        loose = [rule for rule in self.policy.sides if rule.at_vertex == "any"]
        strict = [rule for rule in self.policy.sides if rule.at_vertex == "both_ways"]
        yield self.sides_met(vertex, [[*straight, *round_]], loose, way)
        yield self.sides_met(vertex, [straight, round_], strict, way)

    @property
    def inherent(self) -> list[Obstacle]:
        return [rule for rule in self.policy.obstacles if rule.inherent]

    # What a hex or some hexsides do.

    def hex_met(self, hex_: Hex, rules: Sequence[Obstacle], way: Way) -> Met:
        if hex_ in (self.a, self.b) or hex_ not in self.map_.hexes:
            return Met(hex_, False, NOTHING)
        level = self.level(hex_)
        held = [
            (rule, _all([self.stands_on(hex_, rule.ground), self.hold(rule, (hex_,), level, way)]))
            for rule in rules
        ]
        blocks = _any(holds for rule, holds in held if rule.hinders is None)
        return Met(hex_, blocks, _hindrance(held))

    def sides_met(
        self,
        place: Place,
        ways: Sequence[Sequence[Hexside]],
        rules: Sequence[SideObstacle],
        way: Way,
    ) -> Met:
        """Every way must be shut; one hexside shuts its way."""
        met = [[self.side_met(side, rules, way) for side in sides] for sides in ways]
        return Met(
            place,
            _all(_any(side.blocks for side in sides) for sides in met),
            _least(_most(side.hinders for side in sides) for sides in met),
        )

    def side_met(self, side: Hexside, rules: Sequence[SideObstacle], way: Way) -> Met:
        kinds = {feature.kind for feature in self.map_.hexsides.get(side, ())}
        levels = [self.level(hex_) for hex_ in side if hex_ in self.map_.hexes]
        known = [level for level in levels if level is not None]
        level = max(known) if known and len(known) == len(levels) else None
        held = [(rule, self.hold(rule, side, level, way)) for rule in rules if kinds & rule.kinds]
        blocks = _any(holds for rule, holds in held if rule.hinders is None)
        return Met(side, blocks, _hindrance(held))

    def hold(
        self, rule: Obstacle | SideObstacle, at: Sequence[Hex], level: int | None, way: Way
    ) -> Perhaps:
        top = None if level is None else level + rule.height
        return _all(self.holds(comparison, at, level, top, way) for comparison in rule.when)

    def holds(
        self,
        comparison: Comparison,
        at: Sequence[Hex],
        level: int | None,
        top: Height | None,
        way: Way,
    ) -> Perhaps:
        left = self.quantity(comparison.left, at, level, top, way)
        right = self.quantity(comparison.right, at, level, top, way)
        if left is None or right is None:
            return None
        return bool(OPERATORS[comparison.operator](left, right))

    def quantity(  # noqa: PLR0911, PLR0912 - one line for each word of the language
        self, name: str, at: Sequence[Hex], level: int | None, top: Height | None, way: Way
    ) -> Height | None:
        near = min(distance(self.a, hex_) for hex_ in at)
        far = min(distance(self.b, hex_) for hex_ in at)
        observer, target = self.heights
        match name:
            case "level":
                return level
            case "top":
                return top
            case "from_observer":
                return near
            case "from_target":
                return far
            case "distance":
                return distance(self.a, self.b)
            case "observer":
                return observer
            case "target":
                return target
        if name[-1].isdigit():
            return Fraction(name)
        if observer is None or target is None:
            return None
        high_near, low_near = (near, far) if observer > target else (far, near)
        if observer == target:
            high_near = low_near = min(near, far)
        match name:
            case "higher_end":
                return max(observer, target)
            case "lower_end":
                return min(observer, target)
            case "from_higher_end":
                return high_near
            case "from_lower_end":
                return low_near
            case "dead_zone":
                return Fraction(2 * observer + 2 * target + low_near - high_near) / 4
        if name == "sight_line":
            from_a = sum(distance(self.a, hex_) for hex_ in at)
            from_b = sum(distance(self.b, hex_) for hex_ in at)
            return observer + (target - observer) * Fraction(from_a, from_a + from_b)
        at_start = observer + (target - observer) * way.start
        at_end = observer + (target - observer) * way.end
        if name == "sight_line_lowest":
            return min(at_start, at_end)
        assert name == "sight_line_middle"
        return (at_start + at_end) / 2

    # The ground.

    def stands_on(self, hex_: Hex, kinds: frozenset[str]) -> Perhaps:
        ground = self.map_.hexes[hex_]
        if not kinds or ground.terrain in kinds:
            return True
        if any(feature.kind in kinds for feature in ground.features):
            return True
        return None if ground.terrain == UNKNOWN else False

    def level(self, hex_: Hex) -> int | None:
        for rule in self.policy.borrowed:
            stands = self.stands_on(hex_, rule.ground)
            if stands is None:
                return None
            if stands:
                return self.borrowed_level(hex_, rule.neighbour)
        return self.map_.hexes[hex_].level

    def borrowed_level(self, hex_: Hex, kinds: frozenset[str]) -> int | None:
        """The one level it takes whichever of the doubtful neighbours lend theirs, or None."""
        around = [self.map_.hexes[other] for other in neighbours(hex_) if other in self.map_.hexes]
        lends = [
            self.stands_on(other, kinds) for other in neighbours(hex_) if other in self.map_.hexes
        ]
        sure = [ground.level for ground, here in zip(around, lends, strict=True) if here]
        maybe = [ground.level for ground, here in zip(around, lends, strict=True) if here is None]
        outcomes: set[int | None] = set()
        for count in range(len(maybe) + 1):
            for some in combinations(maybe, count):
                lent = [*sure, *some]
                known = [level for level in lent if level is not None]
                if len(known) < len(lent):
                    outcomes.add(None)
                else:
                    outcomes.add(max(known, default=self.map_.hexes[hex_].level))
        return outcomes.pop() if len(outcomes) == 1 else None

    @cached_property
    def heights(self) -> tuple[Height | None, Height | None]:
        return self.height(self.a), self.height(self.b)

    def height(self, end: Hex) -> Height | None:
        level = self.level(end)
        if level is None:
            return None
        height: Height = Fraction(level) + self.policy.eye
        for rule in self.policy.ends:
            stands = self.stands_on(end, rule.ground)
            if stands is None:
                return None
            if stands:
                height = Fraction(height) + rule.height
        return height

    # The range.

    def reach(self) -> Interval:
        """The least and the most hexes that the observer may see."""
        reach = self.policy.reach
        least = most = FAR if reach.hexes is None else reach.hexes
        observer, target = self.heights
        if reach.per_level and (observer is None or target is None):
            levels = [here.level for here in self.map_.hexes.values() if here.level is not None]
            if levels:
                floors = sum(Fraction(abs(rule.height)) for rule in self.policy.ends)
                most += reach.per_level * floor(max(levels) - min(levels) + floors)
            else:
                most = FAR
        elif observer is not None and target is not None:
            higher = Fraction(observer) - target
            if reach.bonus_for == "either":
                higher = abs(higher)
            bonus = reach.per_level * max(floor(higher), 0)
            least, most = least + bonus, most + bonus
        cap = FAR if reach.cap is None else reach.cap
        least, most = min(least, cap), min(most, cap)
        for limit in reach.limits:
            applies = self.limit_applies(limit)
            if applies is not False:
                least = min(least, limit.hexes)
            if applies:
                most = min(most, limit.hexes)
        return least, most

    def limit_applies(self, limit: RangeLimit) -> Perhaps:
        at_observer, at_target = self.limited(self.a, limit), self.limited(self.b, limit)
        match limit.ends:
            case "observer":
                return at_observer
            case "target":
                return at_target
            case "either":
                return _any([at_observer, at_target])
            case "both":
                return _all([at_observer, at_target])

    def limited(self, end: Hex, limit: RangeLimit) -> Perhaps:
        level = self.level(end)
        told: list[Perhaps] = [self.stands_on(end, limit.ground)]
        if limit.level_from is not None:
            told.append(None if level is None else level >= limit.level_from)
        if limit.level_to is not None:
            told.append(None if level is None else level <= limit.level_to)
        return _all(told)


def _line(a: Hex, b: Hex) -> list[SecondEvent]:
    """The line from *a* to *b*; lines are the same everywhere, so each is traced only once."""
    return [
        (kind, tuple(hex_.moved(a) for hex_ in hexes), start, end)
        for kind, hexes, start, end in _line_from_origin(b.q - a.q, b.r - a.r)
    ]


@cache
def _line_from_origin(q: int, r: int) -> tuple[SecondEvent, ...]:
    origin = (Fraction(0), Fraction(0))
    return tuple(second_events(origin, (Fraction(q), Fraction(r))))


def _all(told: Iterable[Perhaps]) -> Perhaps:
    values = list(told)
    if any(value is False for value in values):
        return False
    return None if any(value is None for value in values) else True


def _any(told: Iterable[Perhaps]) -> Perhaps:
    values = list(told)
    if any(values):
        return True
    return None if any(value is None for value in values) else False


def _hindrance(held: Iterable[tuple[Obstacle | SideObstacle, Perhaps]]) -> Interval:
    return _added(
        (rule.hinders if holds else 0, 0 if holds is False else rule.hinders)
        for rule, holds in held
        if rule.hinders is not None
    )


def _added(intervals: Iterable[Interval]) -> Interval:
    told = list(intervals)
    return sum(least for least, _ in told), sum(most for _, most in told)


def _least(intervals: Iterable[Interval]) -> Interval:
    told = list(intervals)
    return min(least for least, _ in told), min(most for _, most in told)


def _most(intervals: Iterable[Interval]) -> Interval:
    told = list(intervals)
    return max(least for least, _ in told), max(most for _, most in told)
