"""The judge of supply: the line with its running cost, or who cuts it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any

from mapkit.bitboards import Bits
from mapkit.hexes import Hex, Hexside, Link, neighbours
from mapkit.traces import (
    Block,
    Blockade,
    Leg,
    Network,
    Obstacle,
    Path,
    Route,
    Trace,
    trace_each,
)
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.judges.zones import zone_of
from rules.ruling import Reason, Ruling
from rules.schema.forces import classes_in
from rules.schema.supply import SideUse, Supply, SupplyLeg
from rules.standing import Standing


@dataclass(frozen=True)
class SupplyJudge:
    """Rules on supply of one side, with these units about; many questions share its work."""

    field: Battlefield
    side: str
    friends: tuple[Standing, ...] = ()
    enemies: tuple[Standing, ...] = ()
    more_sources: tuple[Hex, ...] = ()
    weather: str | None = None

    def __post_init__(self) -> None:
        self.field.require_weather(self.weather)

    def rule(self, hex_: Hex) -> Ruling:
        """Return whether a unit of the side in this hex is in supply."""
        return self.rule_each([hex_])[0]

    def rule_each(self, hexes: Sequence[Hex]) -> tuple[Ruling, ...]:
        """Return the rulings of several hexes."""
        self.field.map.require(*hexes)
        if self.field.pack.supply is None:
            return tuple(self._not_in_sources(hex_) for hex_ in hexes)
        if not self.sources:
            return tuple(self._no_source(hex_) for hex_ in hexes)
        traces = trace_each(self.blockade, hexes, self.sources)
        return tuple(self._ruling(hex_, traces[hex_]) for hex_ in hexes)

    @cached_property
    def rules(self) -> Supply:
        """The game's rule of supply."""
        if self.field.pack.supply is None:
            raise RulesError(f"{self.field.pack.title}: our sources hold no rule of supply")
        return self.field.pack.supply

    @cached_property
    def sources(self) -> Bits:
        """The hexes where lines of this side may end."""
        return self.field.board.of({*self._own_sources, *self.more_sources})

    @cached_property
    def blockade(self) -> Blockade:
        """The legs of a line on this map, with the enemies laid on them."""
        legs = tuple(self._leg(number, leg) for number, leg in enumerate(self.rules.legs, 1))
        friends = self.field.board.of({unit.hex for unit in self.friends})
        exempt = {
            _name(number): friends
            for number, leg in enumerate(self.rules.legs, 1)
            if leg.friend_negates_zone
        }
        return Blockade(Route(legs), tuple(map(self._obstacle, self._in_the_way)), exempt)

    @property
    def _in_the_way(self) -> list[Standing]:
        """The enemies that count: some have no influence at all."""
        none = classes_in(self.rules.no_influence, self.field.pack.classes)
        return [one for one in self.enemies if not (one.class_ and one.class_ in none)]

    @cached_property
    def _all_sources(self) -> tuple[tuple[Hex, str | None], ...]:
        """Every source of the map with its owner; None where the map names none."""
        words = set(self.rules.sources.features)
        return tuple(
            (hex_, self.field.owner(feature))
            for hex_, ground in sorted(self.field.ground.hexes.items(), key=itemgetter(0))
            for feature in ground.features
            if feature.kind in words
        )

    @cached_property
    def _own_sources(self) -> frozenset[Hex]:
        return frozenset(hex_ for hex_, owner in self._all_sources if owner in (self.side, None))

    def _leg(self, number: int, leg: SupplyLeg) -> Leg:
        board = self.field.board
        joins = board.of(self._on_links(leg)) if leg.links else None
        first = None
        if any(use.rule == "first_only" for use in leg.sides.values()):
            first = self._network(leg, first=True)
        later = self._network(leg, first=False)
        return Leg(_name(number), later, most_hexes=leg.limit, joins=joins, first=first)

    def _network(self, leg: SupplyLeg, *, first: bool) -> Network:
        """The ways of a leg over this map, for its very first step or for those after it."""
        board, hexsides = self.field.board, self.field.ground.hexsides
        shut = {side for side in hexsides if self._is_shut(leg, side, first=first)}
        closed = {hex_ for hex_ in self.field.map.hexes if self._is_closed(leg, hex_)}
        if leg.links:
            ways = self._links(leg)
            return Network.along(
                board,
                (link for link in ways if Hexside(*link) not in shut and closed.isdisjoint(link)),
            )
        forbidden = {(a, b) for side in shut for a, b in (side, side[::-1])}
        return Network.build(board, lambda a, b: None if b in closed or (a, b) in forbidden else 1)

    def _is_closed(self, leg: SupplyLeg, hex_: Hex) -> bool:
        if not leg.not_through:
            return False
        ground = self.field.ground[hex_]
        words = {ground.terrain, *(feature.kind for feature in ground.features)}
        return not words.isdisjoint(leg.not_through)

    def _is_shut(self, leg: SupplyLeg, side: Hexside, *, first: bool) -> bool:
        """Whether a leg may not cross a hexside; a blown bridge carries no road."""
        features = self.field.ground.hexsides[side]
        on_side = {feature.kind for feature in features if feature.state != "blown"}
        if not on_side.isdisjoint(leg.not_over):
            return True
        if leg.links and any(feature.state == "blown" for feature in features):
            return True
        return any(
            _is_shut(use, on_side, first=first)
            for word, use in leg.sides.items()
            if word in on_side
        )

    def _links(self, leg: SupplyLeg) -> frozenset[Link]:
        return frozenset(
            link
            for link, features in self.field.ground.links.items()
            if any(feature.kind in leg.links for feature in features)
        )

    def _on_links(self, leg: SupplyLeg) -> frozenset[Hex]:
        return frozenset(
            hex_ for link in self._links(leg) for hex_ in link if hex_ in self.field.map
        )

    def _obstacle(self, enemy: Standing) -> Obstacle:
        """An enemy with all it cuts, leg by leg: it goes or stays as a whole."""
        board = self.field.board
        here, zone = board.bit(enemy.hex), board.of(zone_of(self.field, enemy, self.weather))
        around = board.of(hex_ for hex_ in neighbours(enemy.hex) if hex_ in self.field.map)
        blocks = []
        for number, leg in enumerate(self.rules.legs, 1):
            occupied = here if "enemy_unit" in leg.cut_by else 0
            if "next_to_enemy" in leg.cut_by:
                occupied |= around
            zone_here = zone if "enemy_zone" in leg.cut_by else 0
            blocks.append(Block(occupied, zone_here, legs=(_name(number),)))
        return Obstacle(enemy.name, tuple(blocks))

    def _ruling(self, hex_: Hex, trace: Trace) -> Ruling:
        verdict = "in_supply" if trace.is_open else "out_of_supply"
        if not trace.is_open and self.field.unbound.get("links"):
            verdict = "unknown"  # a road under another name may lead to a source
        values = self._values(hex_)
        reasons = [Reason(f"rules.supply.{verdict}", values, self.rules.cite)]
        if trace.path is not None:
            reasons += self._told_path(trace.path)
        else:
            reasons += self._told_cut(trace)
        cites = [reason.cite for reason in reasons if reason.cite]
        return Ruling(
            question="supply",
            verdict=verdict,
            reasons=tuple(reasons),
            cites=tuple(dict.fromkeys(cites)),
            working=self._working(hex_, trace),
            assumptions=self.field.pack.assumptions_about("supply", "zones")
            if self.enemies
            else (),
            missing=tuple(self._assumed()),
        )

    def _values(self, hex_: Hex) -> dict[str, str | int]:
        side = self.field.pack.sides[self.side].title
        return {"hex": self.field.label(hex_), "side": side}

    def _told_path(self, path: Path) -> Iterator[Reason]:
        values: dict[str, str | int]
        for number, leg in enumerate(self.rules.legs, 1):
            hexes = len(path.leg(_name(number)))
            if leg.links and hexes:
                yield Reason("rules.supply.on_road", {"n": hexes}, leg.cite)
            elif not leg.links:
                limit = "–" if leg.limit is None else str(leg.limit)
                values = {"n": hexes, "limit": limit}
                yield Reason("rules.supply.off_road", values, leg.cite)
        values = {"hex": self.field.label(path.source)}
        yield Reason("rules.supply.at_source", values, self.rules.sources.cite)

    def _told_cut(self, trace: Trace) -> Iterator[Reason]:
        if trace.culprits is None:
            yield Reason("rules.supply.no_way", {}, self.rules.cite)
        else:
            proven = trace.culprits.proven_smallest
            for names in trace.culprits:
                told = {"names": " + ".join(names)}
                cite = self.rules.legs[0].cut_cite
                if proven:
                    yield Reason("rules.supply.culprits", told, cite)
                else:
                    yield Reason("rules.supply.culprits_not_proven", told, cite)
        effect = self.rules.effect
        if effect.disorganization:
            values: dict[str, str | int] = {
                "n": effect.disorganization,
                "phase": self.rules.phase,
            }
            yield Reason("rules.supply.effect", values, effect.cite)

    def _assumed(self) -> Iterator[Reason]:
        """What the question left open, and how it was taken."""
        yield from self.field.unbound_words("hexsides", "links", "features")
        yield from assumed_zones(self.field, self.enemies)
        for hex_, owner in self._all_sources:
            place = {"hex": self.field.label(hex_)}
            if owner is None:
                yield Reason("rules.supply.source_of_nobody", place)
            elif owner not in self.field.pack.sides:
                yield Reason("rules.supply.source_of_stranger", {**place, "owner": owner})

    def _working(self, hex_: Hex, trace: Trace) -> dict[str, Any]:
        label = self.field.label
        return {
            "hex": label(hex_),
            "side": self.side,
            "weather": self.weather,
            "path": [
                {"hex": label(step.hex), "leg": step.leg, "cost": step.leg_hexes}
                for step in (trace.path.steps if trace.path else ())
            ],
            "culprits": [list(names) for names in trace.culprits or ()],
            "proven_smallest": trace.culprits is None or trace.culprits.proven_smallest,
        }

    def _not_in_sources(self, hex_: Hex) -> Ruling:
        reason = Reason("rules.supply.not_in_sources", {"game": self.field.pack.title})
        return self._unknown(hex_, reason)

    def _no_source(self, hex_: Hex) -> Ruling:
        cite = self.rules.sources.cite
        return self._unknown(hex_, Reason("rules.supply.no_source", {}, cite), cite)

    def _unknown(self, hex_: Hex, missing: Reason, *cites: str) -> Ruling:
        reason = Reason("rules.supply.unknown", self._values(hex_))
        working = {"hex": self.field.label(hex_), "side": self.side, "path": [], "culprits": []}
        return Ruling("supply", "unknown", (reason,), cites, working, missing=(missing,))


def assumed_zones(field: Battlefield, enemies: tuple[Standing, ...]) -> Iterator[Reason]:
    """Tell which enemies nobody gave a class: they are taken to have a zone of control."""
    labels = [field.label(enemy.hex) for enemy in enemies if not enemy.class_]
    if labels and field.pack.zones is not None:
        yield Reason("rules.supply.assumed_zone", {"hexes": ", ".join(labels)})


def _is_shut(use: SideUse, on_side: set[str], *, first: bool) -> bool:
    if not on_side.isdisjoint(use.opened_by):
        return False
    return use.rule == "never" or not first


def _name(number: int) -> str:
    return f"leg {number}"
