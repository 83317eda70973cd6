"""Do units stand where the scenario lets them? What number, map and position can tell."""

from collections.abc import Iterator
from dataclasses import dataclass

from mapkit.hexes import Hex, distance
from mapkit.numbering import Numbering
from rules.battlefield import Battlefield
from rules.judges.zones import zone_of
from rules.positions.position import Piece, Position
from rules.scenarios.placements import Fit, fit
from rules.schema.forces import classes_in
from rules.schema.placement import (
    Constraint,
    FromEnemies,
    InArea,
    NearFormation,
    NoEnemyZone,
    OneEach,
    OwnedHex,
    Placement,
    WithinUnits,
)
from rules.standing import Standing


@dataclass(frozen=True)
class SetUp:
    """The units on a map, and the position they belong to: what constraints are held against."""

    field: Battlefield
    position: Position
    standings: tuple[Standing, ...]
    area: tuple[Constraint, ...] = ()  # the playing area of the scenario; none is the whole map

    def fit(self, placement: Placement, unit: Standing) -> Fit:
        """Return how a unit's hex fits its placement; of several ways in, the best.

        *unchecked* keeps only what neither number, map nor position can tell.
        """
        ways = [placement.all_of, *(other.all_of for other in placement.or_else)]
        found = [self._fit(placement, way, unit) for way in ways]
        best = min(found, key=lambda one: (len(one.broken), len(one.unchecked)))
        if placement.outside_area or not self.area:
            return best
        inside = self._fit(placement, self.area, unit)
        return Fit((*best.broken, *inside.broken), best.unchecked)

    def _fit(self, placement: Placement, way: tuple[Constraint, ...], unit: Standing) -> Fit:
        label = self.field.label(unit.hex)
        alone = placement.model_copy(update={"all_of": way, "or_else": ()})
        by_number = fit(alone, label, self._numbering)
        answers = [(one, self._holds(one, unit)) for one in by_number.unchecked]
        shared = [one for one in way if isinstance(one, OneEach) and self._is_shared(unit)]
        return Fit(
            (*by_number.broken, *shared, *(one for one, holds in answers if holds is False)),
            tuple(one for one, holds in answers if holds is None),
        )

    def _is_shared(self, unit: Standing) -> bool:
        """Tell whether another unit of the same placement stands in its hex."""
        pieces = self.position.pieces
        mine = pieces[unit.name].placement
        return any(
            other.name != unit.name and pieces[other.name].placement == mine
            for other in self._in(unit.hex)
        )

    def _in(self, hex_: Hex) -> Iterator[Standing]:
        return (unit for unit in self.standings if unit.hex == hex_)

    @property
    def _numbering(self) -> Numbering:
        own = self.field.map.numbering
        return own if isinstance(own, Numbering) else self.field.pack.layout.any_numbering()

    def _holds(self, constraint: Constraint, unit: Standing) -> bool | None:
        """Tell what the number alone does not; None where a look at the printed map decides."""
        holds: bool | None = None
        match constraint:
            case WithinUnits(n=n):
                holds = _is_near(unit, n, list(self._named(constraint, unit)))
            case NearFormation(n=n):
                others = [one for one in self._friends(unit) if one.formation == unit.formation]
                holds = _is_near(unit, n, others)
            case FromEnemies(n=n):
                holds = all(distance(one.hex, unit.hex) >= n for one in self._enemies(unit))
            case NoEnemyZone():
                holds = not any(unit.hex in self._zone(one) for one in self._enemies(unit))
            case InArea(area=area):
                areas = [one for one in self.field.map.areas if _word(one.name) == area]
                known = any(one.hexes for one in areas)
                holds = any(unit.hex in one.hexes for one in areas) if known else None
            case OwnedHex(hex=label, side=side):
                owner = self.position.control.get(label)
                holds = None if owner is None else owner == side
        return holds

    def _named(self, constraint: WithinUnits, unit: Standing) -> Iterator[Standing]:
        classes = classes_in(constraint.groups, self.field.pack.classes)
        for one in self._friends(unit):
            by_name = one.name in constraint.units or one.formation in constraint.formations
            if by_name or one.class_ in classes:
                yield one

    def _zone(self, unit: Standing) -> frozenset[Hex]:
        weather = self.position.weather
        return zone_of(self.field, unit, weather if weather in self.field.pack.weather else None)

    def _friends(self, unit: Standing) -> Iterator[Standing]:
        return (one for one in self.standings if one.side == unit.side and one.name != unit.name)

    def _enemies(self, unit: Standing) -> Iterator[Standing]:
        return (one for one in self.standings if one.side != unit.side)


def is_bound(piece: Piece, position: Position) -> bool:
    """Tell whether a unit's placement holds it now: at set-up, or in the turn it arrives in.

    A unit that has moved since then is free; a position does not remember who has.
    """
    if not piece.placement:
        return False
    clock = position.clock
    before_play = clock.turn == 1 and not clock.phase and not clock.done
    return before_play if piece.due == 0 else piece.due == clock.turn and not clock.done


def _is_near(unit: Standing, n: int, others: list[Standing]) -> bool | None:
    """Tell whether one of some units is near; None while none of them has a place."""
    return any(distance(one.hex, unit.hex) <= n for one in others) if others else None


def _word(name: str) -> str:
    return name.strip().casefold().replace(" ", "_").replace("-", "_")
