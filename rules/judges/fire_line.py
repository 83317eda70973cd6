"""The judge of fire lines: may a gun fire at a target directly or indirectly, and how strongly."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mapkit.hexes import Hex, distance
from mapkit.sight import Sight, SightGround, sight
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.judges.observers import ObserverJudge
from rules.judges.raised import raised_levels
from rules.judges.sight import compared
from rules.ruling import Reason, Ruling
from rules.schema.sight import FireLine, GunFire, SightRules
from rules.standing import Standing

Values = dict[str, str | int]


@dataclass(frozen=True)
class FireLineJudge:
    """Rules on the fire of single guns; *observers* tells who observes for them.

    Weather plays no part in a direct line: only observation minds it.
    """

    field: Battlefield
    observers: ObserverJudge

    def rule(self, gun: Standing, target: Hex) -> Ruling:
        """Return how a gun may fire at a target: direct, indirect, or why it may not.

        Raises:
            RulesError: the class of the gun is not known to the rule.
        """
        self.field.map.require(gun.hex, target)
        if self.field.pack.sight is None or self.field.pack.sight.fire is None:
            return self._no_rule(gun, target)
        kind = self._kind(gun)
        line = sight(self._ground, gun.hex, target)
        observed = self.observers.rule(target)
        reach = gun.value(self.rules.range)
        verdict = self._verdict(kind, line, observed, gun, target)
        reasons = [
            Reason(f"rules.fire.{verdict}", self._ends(gun, target), kind.cite),
            *self._told(kind, line, gun, target),
            observed.reasons[0],
        ]
        return Ruling(
            question="fire",
            verdict=verdict,
            reasons=tuple(reasons),
            cites=tuple(dict.fromkeys(one.cite for one in reasons if one.cite)),
            working=self._working(gun, target, kind, line, observed),
            assumptions=self.field.pack.assumptions_about("sight.fire", "sight.observers"),
            missing=(*([] if reach is not None else [self._no_range(gun)]), *observed.missing),
        )

    @cached_property
    def rules(self) -> FireLine:
        """The game's rule of direct and indirect fire."""
        rules = self.field.pack.sight
        if rules is None or rules.fire is None:
            raise RulesError(f"{self.field.pack.title}: our sources hold no rule of direct fire")
        return rules.fire

    @cached_property
    def _sight_rules(self) -> SightRules:
        rules = self.field.pack.sight
        if rules is None:
            raise RulesError(f"{self.field.pack.title}: our sources hold no rule of sight")
        return rules

    @cached_property
    def _ground(self) -> SightGround:
        policy = self._sight_rules.direct_line()
        return SightGround(self.field.ground, policy, raised_levels(self.field))

    def _kind(self, gun: Standing) -> GunFire:
        if gun.class_ not in self.rules.guns:
            raise RulesError(
                f"{self.field.pack.title} has no rule of fire for '{gun.class_}'; "
                f"there is: {', '.join(self.rules.guns)}"
            )
        return self.rules.guns[gun.class_]

    def _verdict(
        self, kind: GunFire, line: Sight, observed: Ruling, gun: Standing, target: Hex
    ) -> str:
        reach = gun.value(self.rules.range)
        if reach is not None and distance(gun.hex, target) > reach:
            return "out_of_range"
        if observed.verdict == "not_observed":
            return "not_observed"
        direct = kind.direct is not None and line.verdict == "clear"
        perhaps = kind.direct is not None and line.verdict == "unknown"
        indirect = kind.indirect is not None
        if not (direct or perhaps or indirect):
            return "no_line"
        if observed.verdict != "observed" or reach is None:
            return "unknown"
        share, other = kind.direct or 0, kind.indirect or 0
        if perhaps and share > other:
            return "unknown"
        return "direct" if direct and share >= other else "indirect"

    def _told(self, kind: GunFire, line: Sight, gun: Standing, target: Hex) -> Iterator[Reason]:
        reach = gun.value(self.rules.range)
        if reach is not None:
            values: Values = {"n": distance(gun.hex, target), "range": str(reach)}
            yield Reason("rules.fire.range", values, self.rules.cite)
        yield Reason(f"rules.fire.line_{line.verdict}", self._ends(gun, target), self.rules.cite)
        for passed in line.blockers:
            for finding in passed.findings:
                if finding.holds:
                    told: Values = {
                        "place": self.field.map.label_place(finding.place),
                        "compared": compared(finding),
                    }
                    yield Reason("rules.fire.blocks", told, self.rules.cite)
        what = gun.class_.replace("_", " ")
        for way, share in (("direct", kind.direct), ("indirect", kind.indirect)):
            if share is None:
                yield Reason(f"rules.fire.never_{way}", {"what": what}, kind.cite)
            elif share != 1:
                values = {"what": what, "share": str(share)}
                yield Reason(f"rules.fire.share_{way}", values, kind.cite)

    def _no_range(self, gun: Standing) -> Reason:
        values: Values = {"gun": gun.name, "value": self.rules.range}
        return Reason("rules.supply.gun_range", values, self.rules.cite)

    def _ends(self, gun: Standing, target: Hex) -> Values:
        return {"gun": self.field.label(gun.hex), "hex": self.field.label(target)}

    def _working(
        self, gun: Standing, target: Hex, kind: GunFire, line: Sight, observed: Ruling
    ) -> dict[str, Any]:
        reach = gun.value(self.rules.range)
        return {
            **self._ends(gun, target),
            "class": gun.class_,
            "distance": distance(gun.hex, target),
            "range": None if reach is None else str(reach),
            "line": line.verdict,
            "blocked_by": [self.field.map.label_place(place) for place in line.blocked_by],
            "direct": None if kind.direct is None else str(kind.direct),
            "indirect": None if kind.indirect is None else str(kind.indirect),
            "observed": observed.verdict,
            "posts": observed.working["posts"],
        }

    def _no_rule(self, gun: Standing, target: Hex) -> Ruling:
        """A game that does not tell direct from indirect fire: range and observation decide."""
        observed = self.observers.rule(target)
        working = {**self._ends(gun, target), "observed": observed.verdict}
        reason = Reason("rules.fire.no_rule", {"game": self.field.pack.title})
        reasons = (reason, observed.reasons[0])
        return Ruling(
            "fire", "no_rule", reasons, observed.cites, working, missing=(reason, *observed.missing)
        )
