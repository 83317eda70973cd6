"""What a policy finds on a map: how high each end stands, what stands in a hex or on a hexside.

Everything is worked out once for a hex and kept. What the map does not know stays unknown:
a hex of unknown terrain *may* be woods, so a rule about woods neither applies nor does not (None).
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from mapkit.hexes import Hex, Hexside, neighbours
from mapkit.kinds import UNKNOWN
from mapkit.model import HexMap
from mapkit.sight.comparisons import Height, Standing
from mapkit.sight.maybe import Applies, both
from mapkit.sight.policy import RangeLimit, SightPolicy
from mapkit.sight.ranges import Allowed, End, allowed_range


class Cover(NamedTuple):
    """What could stand in the way at one place: its level, and which obstacles are there."""

    level: int | None
    present: tuple[Applies, ...]

    def standing(self, height: Height) -> Standing:
        """Return how high an obstacle of this height stands here."""
        return Standing(self.level, None if self.level is None else self.level + height)


# Terrain, features and level: hexes in which these are alike stand alike.
_Alike = tuple[str, tuple[str, ...], int | None]


@dataclass
class SightGround:
    """A map as one policy sees it. *levels* overrule the map's, for sight alone; None: unknown."""

    map: HexMap
    policy: SightPolicy
    levels: Mapping[Hex, int | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._levels: dict[Hex, int | None] = {}
        self._ends: dict[_Alike, End] = {}
        self._covers: dict[_Alike, Cover] = {}
        self._side_covers: dict[Hexside, Cover] = {}

    def level(self, hex_: Hex) -> int | None:
        """Return the level of a hex as far as sight goes; None where unknown."""
        if hex_ not in self._levels:
            self._levels[hex_] = self._find_level(hex_)
        return self._levels[hex_]

    def end(self, hex_: Hex) -> End:
        """Return how high an observer or target stands in a hex."""
        self.map.require(hex_)
        alike = self._alike(hex_)
        if alike not in self._ends:
            self._ends[alike] = self._find_end(hex_)
        return self._ends[alike]

    def alike_hexes(self) -> tuple[list[Hex], ...]:
        """Return the hexes of the map in lists of those that stand alike."""
        found: dict[_Alike, list[Hex]] = defaultdict(list)
        plain = not self.policy.borrowed and not self.levels
        for hex_, here in self.map.hexes.items():
            if plain and not here.features:
                found[here.terrain, (), here.level].append(hex_)
            else:
                found[self._alike(hex_)].append(hex_)
        return tuple(found.values())

    def allowed(self, observer: End, target: End) -> Allowed:
        """Return how far this observer sees toward this target."""
        unknown = observer.height is None or target.height is None
        spread = self._spread if unknown else None
        return allowed_range(self.policy.reach, observer, target, spread)

    def cover(self, hex_: Hex) -> Cover | None:
        """Return what could block in a hex, or None off the map: nothing blocks there."""
        if hex_ not in self.map.hexes:
            return None
        alike = self._alike(hex_)
        if alike not in self._covers:
            self._covers[alike] = Cover(
                alike[2], tuple(self._is_on(hex_, rule.ground) for rule in self.policy.obstacles)
            )
        return self._covers[alike]

    def side_cover(self, side: Hexside) -> Cover | None:
        """Return what could block on a hexside, or None where nothing stands."""
        features = self.map.hexsides.get(side)
        if not features:
            return None
        if side not in self._side_covers:
            kinds = {feature.kind for feature in features}
            present = tuple(not kinds.isdisjoint(rule.kinds) for rule in self.policy.sides)
            self._side_covers[side] = Cover(self._side_level(side), present)
        return self._side_covers[side]

    @cached_property
    def _spread(self) -> Height | None:
        """The most by which two ends can differ: an unknown level lies between those on the map.

        None where no level is known at all, or one that is not the map's.
        """
        levels = [here.level for here in self.map.hexes.values() if here.level is not None]
        other = [level for level in self.levels.values() if level is not None]
        levels += other
        if not levels or len(other) < len(self.levels):
            return None
        floors = sum((abs(Fraction(rule.height)) for rule in self.policy.ends), start=Fraction(0))
        return max(levels) - min(levels) + floors

    def _alike(self, hex_: Hex) -> _Alike:
        here = self.map.hexes[hex_]
        features = tuple([feature.kind for feature in here.features]) if here.features else ()
        return here.terrain, features, self.level(hex_)

    def _find_level(self, hex_: Hex) -> int | None:
        if hex_ in self.levels:
            return self.levels[hex_]
        for rule in self.policy.borrowed:
            lends = self._is_on(hex_, rule.ground)
            if lends is None:
                return None
            if lends:
                return self._highest_neighbour(hex_, rule.neighbour)
        return self.map[hex_].level

    def _highest_neighbour(self, hex_: Hex, ground: frozenset[str]) -> int | None:
        """The level of the highest neighbour of this ground; its own where there is none."""
        lenders = {
            other: self._is_on(other, ground) for other in neighbours(hex_) if other in self.map
        }
        sure = [self._own_level(other) for other, lends in lenders.items() if lends]
        known = [level for level in sure if level is not None]
        if len(known) < len(sure):
            return None
        maybe = [self._own_level(other) for other, lends in lenders.items() if lends is None]
        borrowed = max(known, default=self.map[hex_].level)
        # Whether those lend their level is unknown: that matters unless it comes to the same.
        if known and all(level is not None and level <= max(known) for level in maybe):
            return borrowed
        return borrowed if all(level == borrowed is not None for level in maybe) else None

    def _own_level(self, hex_: Hex) -> int | None:
        return self.levels.get(hex_, self.map[hex_].level)

    def _find_end(self, hex_: Hex) -> End:
        height: Height | None = self.level(hex_)
        if height is not None:
            height += self.policy.eye
            for rule in self.policy.ends:
                stands = self._is_on(hex_, rule.ground)
                if stands is None:
                    height = None
                    break
                height += rule.height if stands else 0
        return End(height, tuple(self._is_limited(hex_, limit) for limit in self._limits))

    @property
    def _limits(self) -> tuple[RangeLimit, ...]:
        return self.policy.reach.limits

    def _is_limited(self, hex_: Hex, limit: RangeLimit) -> Applies:
        level = self.level(hex_)
        on_levels: Applies = True
        if limit.level_from is not None or limit.level_to is not None:
            on_levels = (
                None
                if level is None
                else (
                    (limit.level_from is None or level >= limit.level_from)
                    and (limit.level_to is None or level <= limit.level_to)
                )
            )
        holds = both(on_levels, self._is_on(hex_, limit.ground))
        return None if holds and limit.in_doubt else holds

    def _is_on(self, hex_: Hex, ground: frozenset[str]) -> Applies:
        """Tell whether a hex is, or holds, one of these kinds; an empty set is any ground."""
        here = self.map[hex_]
        if not ground or here.terrain in ground:
            return True
        if any(feature.kind in ground for feature in here.features):
            return True
        return None if here.terrain == UNKNOWN else False

    def _side_level(self, side: Hexside) -> int | None:
        levels = [self.level(hex_) for hex_ in side if hex_ in self.map.hexes]
        known = [level for level in levels if level is not None]
        return max(known) if known and len(known) == len(levels) else None
