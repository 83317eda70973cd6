"""Zones of control: which hexes a unit's zone covers, and what keeps it out of the others."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mapkit.hexes import Hex, Hexside, neighbours
from mapkit.model import Feature
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.judges.step_costs import never_enters
from rules.judges.weather import covers, is_weather, lies_on, may_cover
from rules.ruling import Reason, Ruling
from rules.schema.forces import classes_in
from rules.schema.zones import Exclusion, Zones
from rules.standing import Standing

__all__ = [
    "Kept",
    "ZoneJudge",
    "assumed_zones",
    "classes_of",
    "has_zone",
    "is_weather",
    "lacking_zones",
    "lies_on",
    "may_have_zone",
    "zone_of",
]

_OFF_MAP = "off_map"


def has_zone(field: Battlefield, unit: Standing) -> bool:
    """Tell whether a unit exerts a zone; one whose class nobody named is taken to have one."""
    zones = field.pack.zones
    if zones is None:
        return False
    return not unit.class_ or not classes_of(field, unit).isdisjoint(
        classes_in(zones.exerted_by, field.pack.classes)
    )


def may_have_zone(field: Battlefield, unit: Standing) -> bool:
    """Tell whether no state of a unit takes its zone away."""
    return _zoneless(field, unit) is None


def _zoneless(field: Battlefield, unit: Standing) -> str | None:
    """Return the state that takes a unit's zone away, or None."""
    known, states = field.pack.statuses, (word for word, n in unit.statuses.items() if n)
    return next((word for word in states if word in known and not known[word].zone), None)


def zone_of(field: Battlefield, unit: Standing, weather: str | None = None) -> frozenset[Hex]:
    """Return the hexes of a unit's zone; none where it exerts no zone."""
    return ZoneJudge(field, weather).zone(unit)


def classes_of(field: Battlefield, unit: Standing) -> frozenset[str]:
    """Return the classes a unit may be of: a player may name a group of them."""
    return field.classes_in((unit.class_,))


def assumed_zones(
    field: Battlefield, units: tuple[Standing, ...], weather: str | None = None
) -> Iterator[Reason]:
    """Tell what is taken for granted of zones: of units without a class, in doubtful weather."""
    if field.pack.zones is None:
        return
    labels = [field.label(unit.hex) for unit in units if not unit.class_]
    if labels:
        yield Reason("rules.supply.assumed_zone", {"hexes": ", ".join(labels)})
    if weather is None:
        return
    judge = ZoneJudge(field, weather)
    doubts = {hex_: kind for unit in units for hex_, kind in judge.doubts(unit).items()}
    if doubts:
        yield judge.told_doubt(doubts)


def lacking_zones(field: Battlefield) -> Reason:
    """Tell that our sources lack the rule of zones, and where it is printed if that is known.

    That is told by the entry of the pack's `missing` that has the name of the part.
    """
    pack = field.pack
    if (entry := pack.missing.get("zones")) is None:
        return Reason("rules.zones.not_in_sources", {"game": pack.title})
    values: dict[str, str | int] = {"game": pack.title, "where": entry.printed_on}
    return Reason("rules.zones.printed_on", values)


@dataclass(frozen=True, slots=True)
class Kept:
    """A hex next to a unit that its zone does not cover: by which rule, and what is there."""

    hex: Hex
    rule: str
    what: str = ""
    cite: str = ""


@dataclass(frozen=True)
class ZoneJudge:
    """Rules on zones over one map under one weather; many units share its work."""

    field: Battlefield
    weather: str | None = None

    def __post_init__(self) -> None:
        self.field.require_weather(self.weather)

    def zone(self, unit: Standing) -> frozenset[Hex]:
        """Return the hexes of a unit's zone; none where it exerts no zone."""
        if not may_have_zone(self.field, unit):
            return frozenset()
        key, kept = (unit.hex, unit.class_, unit.side, self.weather), self.field.zones
        if key not in kept:
            kept[key] = self._zone(unit)
        return kept[key]

    def _zone(self, unit: Standing) -> frozenset[Hex]:
        if self.field.pack.zones is None or not (rules := self._rules(unit)).has_zone:
            return frozenset()
        here, hexes, sides = unit.hex, self.field.ground.hexes, self.field.ground.hexsides
        return frozenset(
            hex_
            for hex_ in neighbours(here)
            if hex_ in hexes
            and (
                (rules.minds_sides_only and _side(here, hex_) not in sides)
                or self._kept_out(unit, hex_) is None
            )
        )

    def zones(self, units: Iterable[Standing]) -> frozenset[Hex]:
        """Return all hexes in the zone of at least one unit."""
        return frozenset(hex_ for unit in units for hex_ in self.zone(unit))

    def kept_out(self, unit: Standing, hex_: Hex) -> Kept | None:
        """Return what keeps a unit's zone out of a neighbouring hex; None: it lies in the zone."""
        if hex_ not in self.field.map:
            return Kept(hex_, _OFF_MAP)
        return self._kept_out(unit, hex_)

    def doubts(self, unit: Standing) -> dict[Hex, str]:
        """Return the hexes of a zone that weather may keep it out of, nobody knows, and which."""
        if self.weather is None or not (rules := self._rules(unit)).has_zone:
            return {}
        names = tuple(name for _, rule in rules.exclusions for name in rule.weather)
        found = {
            hex_: may_cover(self.field, names, self.weather, unit.hex, hex_)
            for hex_ in (self.zone(unit) if names else ())
        }
        return {hex_: weather for hex_, weather in sorted(found.items()) if weather}

    def told_doubt(self, doubts: dict[Hex, str]) -> Reason:
        """Tell that weather may lie on hexes, and what would settle it."""
        hexes = ", ".join(map(self.field.label, doubts))
        kinds = dict.fromkeys(self.field.pack.weather[name].title for name in doubts.values())
        return Reason("rules.zones.weather_in_doubt", {"hexes": hexes, "what": ", ".join(kinds)})

    def rule(self, unit: Standing) -> Ruling:
        """Return a unit's zone, and for each hex left out the reason."""
        pack, label = self.field.pack, self.field.label
        if (state := _zoneless(self.field, unit)) is not None:
            entry = pack.statuses[state]
            values: dict[str, str | int] = {"hex": label(unit.hex), "what": entry.told()}
            told = Reason("rules.zones.none_in_state", values, entry.cite)
            working = self._working(unit, [], [])
            return Ruling("zones", "no_zone", (told,), (entry.cite,), working)
        if pack.zones is None:
            lacks = lacking_zones(self.field)
            working = {"hex": label(unit.hex), "zone": [], "kept_out": []}
            return Ruling("zones", "unknown", (lacks,), (), working, missing=(lacks,))
        here: dict[str, str | int] = {"hex": label(unit.hex)}
        zone = sorted(map(label, self.zone(unit)))
        if not has_zone(self.field, unit):
            what = unit.class_.replace("_", " ")
            reasons = [Reason("rules.zones.none", {**here, "what": what}, pack.zones.cite)]
            kept: list[Kept] = []
        else:
            reasons = [Reason("rules.zones.zone", {**here, "n": len(zone)}, pack.zones.cite)]
            around = (self.kept_out(unit, hex_) for hex_ in neighbours(unit.hex))
            kept = [one for one in around if one is not None and one.rule != _OFF_MAP]
            reasons += [self._told(one) for one in kept]
        missing = list(self.field.unbound_words("terrain", "features", "hexsides"))
        if doubts := self.doubts(unit):
            missing.append(self.told_doubt(doubts))
        return Ruling(
            question="zones",
            verdict="unknown" if doubts else "zone" if zone else "no_zone",
            reasons=tuple(reasons),
            cites=tuple(dict.fromkeys(one.cite for one in reasons if one.cite)),
            working=self._working(unit, zone, kept),
            assumptions=pack.assumptions_about("zones.exerted_by", *self._leans_on(unit, kept)),
            missing=tuple(missing),
        )

    def _leans_on(self, unit: Standing, kept: list[Kept]) -> Iterator[str]:
        """The exclusions that kept the zone out, and those that a bridge or the like opened."""
        yield from (f"zones.exclusions.{one.rule}" for one in kept)
        for name, rule in self._rules(unit).exclusions:
            for hex_ in neighbours(unit.hex):
                there = self.field.ground.hexsides.get(_side(unit.hex, hex_), ())
                words = {one.kind for one in there if one.stands}
                if words & set(rule.over) and words & set(rule.unless):
                    yield f"zones.exclusions.{name}"

    def _told(self, kept: Kept) -> Reason:
        values: dict[str, str | int] = {
            "hex": self.field.label(kept.hex),
            "what": kept.what.replace("_", " "),
        }
        return Reason("rules.zones.kept_out", values, kept.cite)

    def _working(self, unit: Standing, zone: list[str], kept: list[Kept]) -> dict[str, Any]:
        return {
            "hex": self.field.label(unit.hex),
            "side": unit.side,
            "class": unit.class_,
            "weather": self.weather,
            "zone": zone,
            "kept_out": [
                {"hex": self.field.label(one.hex), "what": one.what, "cite": one.cite}
                for one in kept
            ],
        }

    @cached_property
    def _by_class(self) -> dict[str, "_ClassRules"]:
        return {}

    def _rules(self, unit: Standing) -> "_ClassRules":
        if unit.class_ not in self._by_class:
            self._by_class[unit.class_] = _ClassRules.of(self.field, unit, self.weather)
        return self._by_class[unit.class_]

    def _kept_out(self, unit: Standing, hex_: Hex) -> Kept | None:
        rules = self._rules(unit)
        here = unit.hex
        on_side = self.field.ground.hexsides.get(_side(here, hex_), ())
        for name, exclusion in rules.exclusions:
            what = (
                (exclusion.into and self._in_hex(exclusion, unit, hex_))
                or (on_side and exclusion.over and self._on_side(exclusion, unit, on_side))
                or (
                    exclusion.weather
                    and covers(self.field, exclusion.weather, self.weather, here, hex_)
                )
            )
            if what:
                return Kept(hex_, name, what, exclusion.cite)
        if rules.must_move and (on_side or rules.priced):
            barred = [
                never_enters(self.field, one, here, hex_, self.weather) for one in rules.classes
            ]
            if any(barred):
                what = next(filter(None, barred), "")
                return Kept(hex_, "only_where_it_could_move", what, rules.zones.cite)
        return None

    def _in_hex(self, rule: Exclusion, unit: Standing, hex_: Hex) -> str | None:
        """Return what in a hex shuts a zone out by one rule, or None."""
        ground = self.field.ground.hexes[hex_]
        if ground.terrain in rule.into and not rule.enemy_owned:
            return ground.terrain
        for feature in ground.features:
            if feature.kind in rule.into and self._counts(rule, feature, unit.side):
                return feature.kind
        return None

    def _on_side(
        self, rule: Exclusion, unit: Standing, features: tuple[Feature, ...]
    ) -> str | None:
        """Return what on a hexside shuts a zone out by one rule, or None."""
        there = [one for one in features if one.stands]
        if any(one.kind in rule.unless for one in there):
            return None
        for feature in there:
            if feature.kind in rule.over and self._counts(rule, feature, unit.side):
                return feature.kind
        return None

    def _counts(self, rule: Exclusion, feature: Feature, side: str) -> bool:
        """Whether a feature counts: any, or where that is asked for one of the enemy's."""
        return not rule.enemy_owned or self.field.owner(feature) not in (None, side)


@dataclass(frozen=True, slots=True)
class _ClassRules:
    """What the rule of zones says about one class of units today."""

    zones: Zones
    has_zone: bool
    exclusions: tuple[tuple[str, Exclusion], ...]
    classes: tuple[str, ...]
    must_move: bool
    priced: bool  # whether the chart holds ground that nobody of some class may enter
    minds_sides_only: bool  # whether nothing but what lies on a hexside keeps the zone out

    @classmethod
    def of(cls, field: Battlefield, unit: Standing, weather: str | None) -> "_ClassRules":
        pack = field.pack
        if pack.zones is None:
            raise RulesError(f"{pack.title}: our sources hold no rule of zones")
        found = classes_of(field, unit)
        exclusions = tuple(
            (name, rule)
            for name, rule in pack.zones.exclusions.items()
            if not (found and found <= classes_in(rule.not_for, pack.classes))
            and (
                rule.into
                or rule.over
                or any(is_weather(field, one, weather) for one in rule.weather)
            )
        )
        charts = [kind.costs for kind in pack.terrain.values()]
        charts += [
            costs
            for name, one in pack.weather.items()
            if is_weather(field, name, weather)
            for costs in one.chart.values()
        ]
        never = any("never" in costs.values() for costs in charts)
        must_move = pack.zones.only_where_it_could_move
        return cls(
            pack.zones,
            has_zone(field, unit),
            exclusions,
            (unit.class_,) if unit.class_ in pack.classes else tuple(sorted(found)) or ("",),
            must_move,
            never,
            not never and not any(one.into or one.weather for _, one in exclusions),
        )


def _side(one: Hex, other: Hex) -> Hexside:
    """Return the hexside of two hexes that are known to touch; quicker than asking again."""
    return Hexside(one, other) if one < other else Hexside(other, one)
