"""What the board shows about a task: ground, enemies, zones, ways and supply around one unit.

Every look needs a map; a question that the map leaves open is answered with None.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from mapkit.hexes import Hex, Hexside, Link, distance, neighbours
from mapkit.model import Feature
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.judges.supply import SupplyJudge
from rules.judges.task_situation import Situation
from rules.judges.zones import ZoneJudge
from rules.ruling import Ruling
from rules.schema.forces import classes_in
from rules.schema.tasks import At, EnemyWithin, FreePath, Level, NearGround, SideThere
from rules.standing import Standing

_STATES = {"any": (True, False), "standing": (False,), "blown": (True,)}  # may it be blown?


@dataclass(frozen=True)
class TaskBoard:
    """The board as one task needs it. Its zones and rulings on supply are worked out once."""

    now: Situation

    @property
    def field(self) -> Battlefield:
        """The map with its game."""
        if self.now.battlefield is None:
            raise RulesError("this needs a map: name one instead of the game")
        return self.now.battlefield

    @cached_property
    def zones(self) -> frozenset[Hex]:
        """All hexes in an enemy zone of control."""
        return ZoneJudge(self.field, self.now.weather).zones(self.now.enemies)

    @cached_property
    def supply(self) -> dict[Hex, Ruling]:
        """The rulings on supply that were asked for so far."""
        return {}

    def places(self, at: At) -> tuple[Hex, ...]:
        """Return the hexes meant: a hexside has two, and one opposite the unit."""
        if at == "unit":
            return (self.now.unit.hex,)
        target = self.target
        if isinstance(target, Hex):
            return (target,)
        if at == "opposite":
            return tuple(hex_ for hex_ in target if hex_ != self.now.unit.hex)
        return tuple(target)

    @property
    def target(self) -> Hex | Hexside:
        """What the task is aimed at."""
        if self.now.target is None:
            raise RulesError("name what it is aimed at with --target")
        return self.now.target

    def away(self) -> int:
        """Return how far the target is from the unit."""
        return min(distance(self.now.unit.hex, hex_) for hex_ in self.places("target"))

    def words_in(self, hex_: Hex) -> frozenset[str]:
        """Return the terrain and the features of a hex."""
        ground = self.field.ground[hex_]
        return frozenset({ground.terrain, *(feature.kind for feature in ground.features)})

    def level(self, condition: Level) -> int | None:
        """Return the level on the map: 0 where there is none, None where it has no number."""
        words = self.now.pack.markers[condition.marker].features
        if condition.at == "target" and isinstance(self.target, Hexside):
            features = self._on_side(self.target)
        else:
            features = self.field.ground[self.places(condition.at)[0]].features
        there = [one for one in features if one.kind in words]
        return there[0].value if there else 0

    def enemies_near(self, condition: EnemyWithin) -> tuple[Standing, ...]:
        """Return the enemies that count and are near enough."""
        places = self.places(condition.at)
        return tuple(
            one
            for one in self._counted(condition)
            if any(distance(one.hex, hex_) <= condition.n for hex_ in places)
        )

    def has_free_path(self, condition: FreePath) -> bool:
        """Tell whether some way leads there, all hexes between free; the ends may be held."""
        held = {one.hex for one in self.now.enemies}
        friends = {one.hex for one in self.now.friends} if condition.friend_negates_zone else set()
        shut = held | (self.zones - friends)
        start, goals = self.now.unit.hex, set(self.places("target"))
        reached = {start}
        for _ in range(condition.n):
            free = {hex_ for hex_ in reached if hex_ == start or hex_ not in shut}
            around = {near for hex_ in free for near in neighbours(hex_)}
            reached |= {hex_ for hex_ in around if hex_ in self.field.map}
        return bool(reached & goals)

    def is_supplied(self, hex_: Hex) -> bool | None:
        """Tell whether a unit of the side would be in supply there."""
        if hex_ not in self.supply:
            now = self.now
            judge = SupplyJudge(
                self.field, now.unit.side, now.friends, now.enemies, weather=now.weather
            )
            self.supply[hex_] = judge.rule(hex_)
        verdict = self.supply[hex_].verdict
        return None if verdict == "unknown" else verdict == "in_supply"

    def is_on_side(self, condition: SideThere) -> bool:
        """Tell whether something is on the hexside meant, and nothing opens it."""
        target = self.target
        if isinstance(target, Hex):
            if distance(self.now.unit.hex, target) != 1:
                return False
            target = Hexside.between(self.now.unit.hex, target)
        features = self._on_side(target)
        standing = {one.kind for one in features if one.stands}
        linked = condition.unless_linked and bool(self.field.ground.links.get(Link(*target)))
        if linked or not standing.isdisjoint(condition.opened_by):
            return False
        states = _STATES[condition.state]
        return any(one.kind in condition.words and (not one.stands) in states for one in features)

    def stands_with(self, groups: tuple[str, ...]) -> bool:
        """Tell whether a friend of some groups stands in the unit's hex."""
        wanted = classes_in(groups, self.now.pack.classes)
        here = self.now.unit.hex
        return any(one.hex == here and one.class_ in wanted for one in self.now.friends)

    @cached_property
    def comrades(self) -> tuple[Standing, ...]:
        """Units of the same formation; those named on the spot are taken for such."""
        own = ("", self.now.unit.formation)
        return tuple(one for one in self.now.friends if one.formation in own)

    def is_near(self, condition: NearGround) -> bool | None:
        """Tell whether the hex is near the ground that is nearest to a supplied comrade."""
        places = [hex_ for hex_ in self.field.map.hexes if self._is_own(hex_, condition.ground)]
        if not places or not self.comrades:
            return None
        open_ = False
        for comrade in self.comrades:
            least = min(distance(comrade.hex, place) for place in places)
            nearest = [place for place in places if distance(comrade.hex, place) == least]
            if any(distance(self.now.unit.hex, place) <= condition.n for place in nearest):
                supplied = self.is_supplied(comrade.hex)
                if supplied:
                    return True
                open_ = open_ or supplied is None
        return None if open_ else False

    def counts_as_seen(self, fire: str) -> bool:
        """Tell whether the target counts as observed in one kind of fire, seen or not."""
        sight = self.now.pack.sight
        if sight is None or sight.observers is None:
            return False
        rule = sight.observers.unseen[fire]
        guns = classes_in(rule.units, self.now.pack.classes)
        links = self.field.ground.links
        for hex_ in self.places("target"):
            around = neighbours(hex_)
            if (
                not self.words_in(hex_).isdisjoint(rule.ground)
                or any(one.hex == hex_ and one.class_ in guns for one in self.now.enemies)
                or _has(rule.hexsides, (self._on_side(Hexside.between(hex_, x)) for x in around))
                or _has(rule.links, (links.get(Link.between(hex_, x), ()) for x in around))
            ):
                return True
        return False

    def _counted(self, condition: EnemyWithin) -> Iterator[Standing]:
        known = self.now.pack.classes
        wanted = classes_in(condition.who, known)
        ignored = classes_in(condition.not_counting, known)
        left_out = self.places("target") if condition.but_target else ()
        for one in self.now.enemies:
            if one.hex in left_out or one.class_ in ignored:
                continue
            named = classes_in((one.class_,), known)
            if not wanted or not named or not named.isdisjoint(wanted):
                yield one

    def _is_own(self, hex_: Hex, words: tuple[str, ...]) -> bool:
        ground, side = self.field.ground[hex_], self.now.unit.side
        return ground.terrain in words or any(
            one.kind in words and self.field.owner(one) in (None, side) for one in ground.features
        )

    def _on_side(self, side: Hexside) -> tuple[Feature, ...]:
        return self.field.ground.hexsides.get(side, ())


def _has(words: tuple[str, ...], places: Iterator[tuple[Feature, ...]]) -> bool:
    return any(one.kind in words for features in places for one in features)
