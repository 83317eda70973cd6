"""Infiltration fire: which steps past an enemy draw his fire, from whom, and what forbids it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from mapkit.hexes import Hex, Hexside, are_neighbours, neighbours
from rules.battlefield import Battlefield
from rules.judges.weather import covers
from rules.judges.zones import ZoneJudge, classes_of
from rules.ruling import Reason
from rules.schema.forces import classes_in
from rules.schema.zones import Infiltration
from rules.standing import Standing

Step = tuple[Hex, Hex]


@dataclass(frozen=True, slots=True)
class DrawnFire:
    """One step past a unit or stack: who fires, from which hex, and with what printed factors.

    *factors* is None where the factor of one of them is not known. *spared_by* is what forbids
    the fire: the mover's trench, crags between, fog; "" where he is fired at.
    """

    step: Step
    firers_hex: Hex
    firers: tuple[str, ...]
    factors: int | Fraction | None
    cite: str
    spared_by: str = ""

    def as_data(self, field: Battlefield) -> dict[str, Any]:
        """Return it as JSON-able data."""
        return {
            "from": field.label(self.step[0]),
            "to": field.label(self.step[1]),
            "firers": list(self.firers),
            "in": field.label(self.firers_hex),
            "factors": None if self.factors is None else str(self.factors),
            "spared_by": self.spared_by or None,
            "cite": self.cite,
        }

    def told(self, field: Battlefield) -> Reason:
        """Return it as a reason."""
        values: dict[str, str | int] = {
            "from": field.label(self.step[0]),
            "to": field.label(self.step[1]),
            "names": ", ".join(self.firers),
        }
        if self.spared_by:
            values["what"] = self.spared_by.replace("_", " ")
            return Reason("rules.movement.spared_fire", values, self.cite)
        values["factors"] = "?" if self.factors is None else str(self.factors)
        return Reason("rules.movement.draws_fire", values, self.cite)


def drawn_fire(
    field: Battlefield,
    side: str,
    way: Sequence[Hex],
    enemies: Sequence[Standing],
    weather: str | None = None,
) -> tuple[DrawnFire, ...]:
    """Return the steps of a unit's way past the same enemy unit or stack, in order.

    A stack fires as one. Steps that something forbids to fire at are told too, with what it is.
    """
    rule = field.pack.zones.infiltration if field.pack.zones else None
    if rule is None:
        return ()
    zones = ZoneJudge(field, weather)
    able = classes_in(rule.by, field.pack.classes)
    beside = {near for hex_ in way for near in neighbours(hex_)}
    firers = [
        one
        for one in enemies
        if one.hex in beside and (not one.class_ or classes_of(field, one) & able)
    ]
    return tuple(
        fire for step in pairwise(way) for fire in _at_step(zones, rule, side, step, firers)
    )


def _at_step(
    zones: ZoneJudge, rule: Infiltration, side: str, step: Step, firers: list[Standing]
) -> Iterator[DrawnFire]:
    stacks: dict[Hex, list[Standing]] = {}
    for enemy in firers:
        if _passes(zones, rule, enemy, step):
            stacks.setdefault(enemy.hex, []).append(enemy)
    shelter = _shelter(zones.field, rule, side, step) if stacks else None
    for hex_, stack in sorted(stacks.items()):
        names, factors = tuple(enemy.name for enemy in stack), _total(rule, stack)
        if shelter:
            yield DrawnFire(step, hex_, names, factors, rule.works_cite or rule.cite, shelter)
        else:
            spared = _between(zones, rule, hex_, step)
            yield DrawnFire(step, hex_, names, factors, rule.cite, spared or "")


def _passes(zones: ZoneJudge, rule: Infiltration, enemy: Standing, step: Step) -> bool:
    beside = all(are_neighbours(enemy.hex, hex_) for hex_ in step)
    if rule.between == "zones":
        return beside and zones.zone(enemy).issuperset(step)
    return beside


def _between(zones: ZoneJudge, rule: Infiltration, firers: Hex, step: Step) -> str | None:
    """Return what between firer and mover forbids it: one hexside or one hex is enough."""
    for hex_ in step:
        for feature in zones.field.ground.hexsides.get(Hexside.between(firers, hex_), ()):
            if feature.kind in rule.not_over:
                return feature.kind
    return covers(zones.field, rule.weather, zones.weather, firers, *step)


def _shelter(field: Battlefield, rule: Infiltration, side: str, step: Step) -> str | None:
    """Return the works that shelter the mover: in the hex he enters, or in both."""
    ours = (side,) if rule.own_works_only else (side, None)
    found: str | None = None
    for hex_ in step[1:] if rule.works_in == "entered" else step:
        features = field.ground[hex_].features
        own = [one.kind for one in features if one.kind in rule.works and field.owner(one) in ours]
        if not own:
            return None
        found = own[0]
    return found


def _total(rule: Infiltration, stack: list[Standing]) -> int | Fraction | None:
    total: int | Fraction = 0
    for enemy in stack:
        factor = enemy.value(rule.factor)
        if factor is None:
            return None
        total += factor
    return total
