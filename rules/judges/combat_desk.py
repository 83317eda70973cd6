"""The combat desk: a fight from typed factors, from a place on the map, or from units there."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from mapkit.hexes import Hex
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.judges.combat import Fight
from rules.judges.combat_ground import CombatGround
from rules.judges.combat_units import Brought, best_morale, brought, targets_of
from rules.pack import Pack
from rules.ruling import Reason
from rules.schema.combat import Procedure
from rules.standing import Standing


@dataclass(frozen=True)
class Spot:
    """Where a fight is: *at* the hex that is hit, *sources* where the attack or fire comes from.

    *units* are all counters on the map; *only* limits who attacks or fires to some of them.
    """

    field: Battlefield
    at: Hex
    sources: tuple[Hex, ...]
    weather: str | None = None
    units: tuple[Standing, ...] = ()
    only: tuple[str, ...] = ()

    @property
    def hit(self) -> tuple[Standing, ...]:
        """The units in the hex that is hit."""
        return tuple(unit for unit in self.units if unit.hex == self.at)

    @property
    def holder(self) -> str | None:
        """The side that holds that hex, where units tell it."""
        sides = {unit.side for unit in self.hit}
        return sides.pop() if len(sides) == 1 else None

    def attackers(self) -> tuple[Standing, ...]:
        """Return who attacks or fires: all enemies of the target in the source hexes.

        Raises:
            RulesError: one of those named is not there.
        """
        there = [u for u in self.units if u.hex in self.sources and u.side != self.holder]
        missing = [name for name in self.only if name not in {unit.name for unit in there}]
        if missing:
            known = ", ".join(unit.name for unit in there) or "nobody"
            raise RulesError(f"'{missing[0]}' is not among those who could attack: {known}")
        return tuple(unit for unit in there if not self.only or unit.name in self.only)


def fight_there(pack: Pack, fight: Fight, spot: Spot, *, without: Sequence[str] = ()) -> Fight:
    """Return a fight with all that the map and the units tell; what was typed goes before it.

    *without* strikes out what the map tells: the players know better.
    """
    ground = CombatGround(
        spot.field,
        spot.at,
        spot.sources,
        spot.weather,
        spot.holder,
        _factors_from(pack.combat[fight.procedure], spot),
        spot.attackers() if spot.units else (),
        spot.hit,
    )
    struck = {word.replace("-", "_") for word in without}
    told = {
        w: n for w, n in ground.said(fight.procedure).items() if w not in struck | {*fight.said}
    }
    reasons = [
        reason
        for reason in ground.reasons(fight.procedure)
        if str(reason.values["what"]).partition("=")[0] in told
    ]
    fight = replace(
        fight,
        said={**told, **fight.said},
        rests_on=ground.evidence(),
        more_reasons=(*fight.more_reasons, *reasons),
        unsettled=(
            *fight.unsettled,
            *(
                reason
                for word, reason in ground.unsure(fight.procedure).items()
                if word not in struck | {*fight.said}
            ),
        ),
    )
    return _with_units(pack, fight, spot) if spot.units else fight


def _factors_from(procedure: Procedure, spot: Spot) -> dict[Hex, Fraction] | None:
    """Return what attacks from each hex; None where a counter is still to be read, or nobody is."""
    found: dict[Hex, Fraction] = {}
    attackers = spot.attackers() if spot.units else ()
    for hex_ in dict.fromkeys(unit.hex for unit in attackers):
        here = [unit for unit in attackers if unit.hex == hex_]
        given = brought(spot.field, procedure, "attack", here, spot.at, spot.units)
        if given.unknown:
            return None
        found[hex_] = sum(given.counts.values(), Fraction(0))
    return {hex_: n for hex_, n in found.items() if n} or None


def _with_units(pack: Pack, fight: Fight, spot: Spot) -> Fight:
    procedure = pack.combat[fight.procedure]
    two_sided = pack.tables[procedure.table].two_sided
    attackers = spot.attackers()
    given = brought(spot.field, procedure, "attack", attackers, spot.at, spot.units)
    defence = brought(spot.field, procedure, "defend", spot.hit, spot.at, spot.units)
    units = dict(fight.units)
    hit = "defender" if two_sided else "target"
    if spot.hit and hit not in units:
        units[hit] = targets_of(pack, spot.hit)
    if two_sided and attackers and "attacker" not in units:
        units["attacker"] = targets_of(pack, attackers)
    fight = _with_morale(pack, replace(fight, units=units))
    used = [one for one, typed in ((given, fight.attack), (defence, fight.defend)) if not typed]
    return replace(
        fight,
        attack=fight.attack or _given(given),
        defend=fight.defend or _given(defence),
        printed=fight.printed or ({} if fight.attack else given.printed),
        more_reasons=(*fight.more_reasons, *(reason for one in used for reason in one.reasons)),
        unsettled=(*fight.unsettled, *(reason for one in used for reason in one.unknown)),
    )


def _with_morale(pack: Pack, fight: Fight) -> Fight:
    """Take the best morale of each side as the one used, where nobody said another."""
    table = pack.tables[pack.combat[fight.procedure].table]
    said, first, reasons = dict(fight.said), dict(fight.first), list(fight.more_reasons)
    for side, units in fight.units.items():
        best = best_morale(pack, units)
        if best is None:
            continue
        first.setdefault(side, best[0])
        for word, one in table.shifts.items():
            if one.where is not None and one.where.morale_of == side and word not in said:
                said[word] = best[1]
                values: dict[str, str | int] = {"name": best[0], "n": best[1]}
                reasons.append(Reason("rules.combat.morale_used", values, one.cite))
    return replace(fight, said=said, first=first, more_reasons=tuple(reasons))


def _given(side: Brought) -> dict[str, Fraction]:
    return dict(side.counts)
