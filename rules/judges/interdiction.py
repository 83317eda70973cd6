"""Interdiction: the road hexes that enemy guns command with their own eyes."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from mapkit.hexes import Hex, distance
from mapkit.sight import Lookout
from rules.battlefield import Battlefield
from rules.judges.sight import SightJudge
from rules.judges.zones import classes_of
from rules.ruling import Reason
from rules.schema.forces import classes_in
from rules.schema.supply import Interdiction
from rules.standing import Standing


@dataclass(frozen=True, slots=True)
class Commanded:
    """What one gun commands of some hexes, and those of which nobody can tell."""

    gun: Standing
    hexes: frozenset[Hex]
    unknown: frozenset[Hex]


@dataclass(frozen=True)
class GunsOverRoads:
    """The guns that may cut lines of headquarters on one map under one weather."""

    field: Battlefield
    rule: Interdiction
    enemies: tuple[Standing, ...]
    weather: str | None = None

    @cached_property
    def guns(self) -> tuple[Standing, ...]:
        """The guns that are ready to fire."""
        return tuple(gun for gun in self._all_guns if self._is_ready(gun))

    def commanded(self, roads: Iterable[Hex]) -> Iterator[Commanded]:
        """Yield what each gun of known range sees of these hexes within it."""
        hexes = tuple(roads)
        for gun in self.guns:
            reach = gun.value(self.rule.range)
            if reach is not None:
                near = [hex_ for hex_ in hexes if distance(gun.hex, hex_) <= reach]
                yield self._seen(gun, near)

    def immune(self, nationality: str) -> bool:
        """Tell whether the headquarters of a nation are not touched."""
        return nationality in self.rule.immune

    def not_known(self) -> Iterator[Reason]:
        """What must be looked up on the counters: ranges, and which side is up."""
        for gun in self._all_guns:
            values: dict[str, str | int] = {"gun": gun.name, "value": self.rule.range}
            if self._is_ready(gun) and gun.value(self.rule.range) is None:
                yield Reason("rules.supply.gun_range", values, self.rule.cite)
            elif not self._is_ready(gun) and gun.unit is None and not gun.statuses:
                yield Reason("rules.supply.gun_mode", {"gun": gun.name}, self.rule.cite)

    @cached_property
    def _sight(self) -> SightJudge:
        return SightJudge(self.field, self.weather)

    @cached_property
    def _lookout(self) -> Lookout:
        return Lookout.over(self._sight.ground)

    @property
    def _all_guns(self) -> Iterator[Standing]:
        able = classes_in(self.rule.by, self.field.pack.classes)
        return (one for one in self.enemies if one.class_ and classes_of(self.field, one) <= able)

    def _is_ready(self, gun: Standing) -> bool:
        """Whether a gun is in the state asked for, also where that holds by itself."""
        if gun.statuses.get(self.rule.in_status):
            return True
        status = self.field.pack.statuses.get(self.rule.in_status)
        unless = status.unless if status else ()
        return bool(unless) and not any(gun.statuses.get(one) for one in unless)

    def _seen(self, gun: Standing, hexes: list[Hex]) -> Commanded:
        if self.field.pack.sight is None:
            return Commanded(gun, frozenset(), frozenset(hexes))
        view = self._lookout.field(gun.hex)
        seen = {gun.hex, *view.clear}.intersection(hexes)
        unknown = set(view.unknown).intersection(hexes)
        if self._sight.may_choose_start(gun.hex):
            seen |= {
                hex_
                for hex_ in hexes
                if hex_ not in seen and self._sight.look(gun.hex, hex_).sight.clear
            }
        return Commanded(gun, frozenset(seen), frozenset(unknown - seen))
