"""The judge of routs: whether a unit that runs away is kept for later or lost for good."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from mapkit.hexes import Hex
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.judges.command import CommandJudge, Reached
from rules.judges.supply_ground import SupplyGround
from rules.judges.zones import assumed_zones, zone_of
from rules.ruling import Reason, Ruling
from rules.schema.losses import RoutTrace
from rules.standing import Standing

Values = dict[str, str | int]


@dataclass(frozen=True)
class RoutJudge:
    """Rules on one routed unit by the span of command from its hex to a source of its side.

    *more_sources* are sources that neither map nor rules name; *control* tells who holds those
    that change hands, by their label.
    """

    field: Battlefield
    unit: Standing
    friends: tuple[Standing, ...] = ()
    enemies: tuple[Standing, ...] = ()
    more_sources: tuple[Hex, ...] = ()
    weather: str | None = None
    control: Mapping[str, str] | None = None

    def rule(self) -> Ruling:
        """Return whether the unit is kept among the routed ones, and by which way."""
        answered = self._not_in_sources() or self._beyond_help() or self._without_source()
        if answered is not None:
            return answered
        sure = self._way(self._shut)
        if (lacks := self.command.lacking_zones()) is None:
            return self._kept(sure) if sure is not None else self._lost()
        if sure is not None:
            return self._kept(sure)
        if self._way(frozenset()) is None:  # no way even if no enemy had a zone
            return self._lost()
        unknown_reason = Reason("rules.rout.unknown", self._values, self.rules.cite)
        return self._ruling("unknown", [unknown_reason], missing=(lacks,))

    @property
    def rules(self) -> RoutTrace:
        """The game's rule of what saves a routed unit."""
        losses = self.field.pack.losses
        if losses is None or losses.rout is None:
            raise RulesError(f"{self.field.pack.title}: our sources hold no rule of routed units")
        return losses.rout

    @cached_property
    def command(self) -> CommandJudge:
        """The judge of the span, which runs as a command range does."""
        about = (self.friends, self.enemies, self.weather)
        return CommandJudge(self.field, self.unit.side, self.unit.hex, None, *about)

    @cached_property
    def sources(self) -> frozenset[Hex]:
        """Where the span may end."""
        ground = SupplyGround(self.field)
        return ground.sources_of(self.unit.side, self.control or {}) | frozenset(self.more_sources)

    @cached_property
    def _shut(self) -> frozenset[Hex]:
        """The hexes that uncontested enemy zones shut; where nobody knows them, all they might."""
        if self.command.lacking_zones() is not None:
            return self.command.wherever_zones_lie
        shut = self.command.zone_hexes
        if self.rules.contested_by == "friend":
            return shut
        contested = (zone_of(self.field, one, self.weather) for one in self.friends)
        return shut.difference(*contested)

    def _way(self, shut: frozenset[Hex]) -> Reached | None:
        """The shortest span to a source that is open itself."""
        found = self.command.spanned(shut, self.rules.length)
        ends = [found[one] for one in self.sources if one in found and self._is_open(one, shut)]
        return min(ends, key=lambda one: (one.cost, one.path), default=None)

    def _is_open(self, hex_: Hex, shut: frozenset[Hex]) -> bool:
        return hex_ == self.unit.hex or hex_ not in shut

    def _kept(self, way: Reached) -> Ruling:
        label = self.field.label
        told: Values = {"n": str(way.cost), "way": " ".join(map(label, way.path))}
        reasons = [
            Reason("rules.rout.routed", self._values, self.rules.cite),
            Reason("rules.rout.way", told, self.command.rules.range.cite),
            Reason("rules.supply.at_source", {"hex": label(way.path[-1])}, self._sources_cite),
        ]
        return self._ruling("routed", reasons, way)

    def _lost(self) -> Ruling:
        lost = self.rules.lost
        reasons = [Reason(f"rules.rout.{lost}", self._values, self.rules.cite)]
        without = CommandJudge(self.field, self.unit.side, self.unit.hex)
        free = without.spanned(frozenset(), self.rules.length)
        key = "cut" if self.sources & free.keys() else "no_way"
        hexes = ", ".join(sorted(map(self.field.label, self.sources)))
        reasons.append(Reason(f"rules.rout.{key}", {"hexes": hexes}, self._sources_cite))
        return self._ruling(lost, reasons)

    def _not_in_sources(self) -> Ruling | None:
        """Return the ruling where there is no rule to go by."""
        pack = self.field.pack
        has_rule = pack.losses is not None and pack.losses.rout is not None
        if has_rule and pack.command is not None and pack.supply is not None:
            return None
        reason = Reason("rules.rout.not_in_sources", {"game": pack.title})
        working: dict[str, Any] = {"hex": self.field.label(self.unit.hex), "path": []}
        return Ruling("rout", "unknown", (reason,), (), working, missing=(reason,))

    def _beyond_help(self) -> Ruling | None:
        """Return the ruling on a unit that no span saves; None for any other."""
        cite = self.rules.beyond_help(self.unit.class_, self.field.pack.classes)
        if cite is None:
            return None
        lost = self.rules.lost
        told = [Reason(f"rules.rout.{lost}", self._values, cite)]
        return replace(self._ruling(lost, told), assumptions=(), missing=())

    def _without_source(self) -> Ruling | None:
        """Return the ruling where there is nothing to go to."""
        if self.sources:
            return None
        unknown = Reason("rules.rout.unknown", self._values, self.rules.cite)
        lacks = Reason("rules.supply.no_source", {}, self._sources_cite)
        return self._ruling("unknown", [unknown], missing=(lacks,))

    @property
    def _sources_cite(self) -> str:
        assert self.field.pack.supply is not None, "a rout is judged where there are sources"
        return self.field.pack.supply.sources.cite

    @property
    def _values(self) -> Values:
        return {"name": self.unit.name, "hex": self.field.label(self.unit.hex)}

    def _ruling(
        self,
        verdict: str,
        reasons: list[Reason],
        way: Reached | None = None,
        missing: tuple[Reason, ...] = (),
    ) -> Ruling:
        label = self.field.label
        zones = assumed_zones(self.field, self.enemies, self.weather)
        return Ruling(
            question="rout",
            verdict=verdict,
            reasons=tuple(reasons),
            cites=tuple(dict.fromkeys(one.cite for one in reasons if one.cite)),
            working={
                "hex": label(self.unit.hex),
                "side": self.unit.side,
                "class": self.unit.class_,
                "sources": sorted(map(label, self.sources)),
                "distance": None if way is None else str(way.cost),
                "path": [] if way is None else list(map(label, way.path)),
            },
            assumptions=self.field.pack.assumptions_about("losses.rout"),
            missing=(*missing, *zones),
        )
