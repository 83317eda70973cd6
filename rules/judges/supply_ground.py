"""The map as lines of supply see it: the ways of every leg and the sources, compiled once."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

from mapkit.bitboards import Bits
from mapkit.hexes import Hex, Hexside, Link
from mapkit.traces import Leg, Network, Route
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.ruling import Reason
from rules.schema.supply import SideUse, Supply, SupplyLeg


@dataclass(frozen=True)
class SupplyGround:
    """One map under one rule of supply; nothing here changes when units move."""

    field: Battlefield

    @cached_property
    def rules(self) -> Supply:
        """The game's rule of supply."""
        if self.field.pack.supply is None:
            raise RulesError(f"{self.field.pack.title}: our sources hold no rule of supply")
        return self.field.pack.supply

    @cached_property
    def route(self) -> Route:
        """The legs of a line on this map."""
        return Route(tuple(self._leg(number, leg) for number, leg in enumerate(self.legs, 1)))

    @property
    def legs(self) -> tuple[SupplyLeg, ...]:
        """How a line runs; none where our sources lack it and nobody has entered it."""
        return self.rules.legs or ()

    @cached_property
    def sources(self) -> tuple[tuple[Hex, str | None], ...]:
        """Every source of the map with its owner; None where the map names none."""
        words = set(self.rules.sources.features)
        named = self._named
        drawn = (
            (hex_, self.field.owner(feature))
            for hex_, ground in sorted(self.field.ground.hexes.items(), key=itemgetter(0))
            for feature in ground.features
            if feature.kind in words and hex_ not in named
        )
        return (*drawn, *named.items())

    @property
    def _named(self) -> dict[Hex, str]:
        """The sources that the rules name by their hexes, so far as they are on this map."""
        owners = {
            label: side for side, labels in self.rules.sources.hexes.items() for label in labels
        }
        if not owners:
            return {}
        labels = ((hex_, self.field.label(hex_)) for hex_ in sorted(self.field.map.hexes))
        return {hex_: owners[label] for hex_, label in labels if label in owners}

    def sources_of(self, side: str, control: Mapping[str, str]) -> frozenset[Hex]:
        """Return the sources that serve a side; one that nobody owns serves both."""
        return frozenset(
            hex_
            for hex_, owner in self.sources
            if self.owner_now(hex_, owner, control) in (side, None)
        )

    def owner_now(self, hex_: Hex, owner: str | None, control: Mapping[str, str]) -> str | None:
        """Return whose a source is: some belong to whoever controls them."""
        if self.may_change_hands(hex_):
            held = control.get(self.field.label(hex_))
            return owner if held is None else self.field.side(held)
        return owner

    def may_change_hands(self, hex_: Hex) -> bool:
        """Tell whether a source belongs to either side, as the scenario says."""
        return self.field.label(hex_) in self.rules.sources.either_side

    def lacking_legs(self, ends: frozenset[Hex]) -> Reason:
        """Tell that our sources lack how lines run, where it is printed, and where they end."""
        pack, entry = self.field.pack, self.field.pack.missing.get("supply")
        values: dict[str, str | int] = {
            "game": pack.title,
            "where": "–" if entry is None else entry.printed_on,
            "hexes": ", ".join(sorted(map(self.field.label, ends))) or "–",
        }
        return Reason("rules.supply.no_legs", values, self.rules.sources.cite)

    def label(self, index: int) -> str:
        """Return the label of the hex with this bit."""
        if index not in self._labels:
            (hex_,) = self.field.board.at((index,))
            self._labels[index] = self.field.label(hex_)
        return self._labels[index]

    @cached_property
    def _labels(self) -> dict[int, str]:
        return {}

    def _leg(self, number: int, leg: SupplyLeg) -> Leg:
        board = self.field.board
        joins = board.of(self._on_links(leg)) if leg.links else None
        first = None
        if any(use.rule == "first_only" for use in leg.sides.values()):
            first = self._network(leg, first=True)
        later = self._network(leg, first=False)
        return Leg(leg_name(number), later, most_hexes=leg.limit, joins=joins, first=first)

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
        on_side = {feature.kind for feature in features if feature.stands}
        if not on_side.isdisjoint(leg.not_over):
            return True
        if leg.links and not all(feature.stands for feature in features):
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

    def bits(self, hexes: frozenset[Hex]) -> Bits:
        """Return a few hexes as a set; cheaper for a handful than `Board.of`."""
        found, index = 0, self.field.board.index
        for hex_ in hexes:
            found |= 1 << index(hex_)
        return found


def leg_name(number: int) -> str:
    """Return the name of a leg by its number, counted from 1."""
    return f"leg {number}"


def _is_shut(use: SideUse, on_side: set[str], *, first: bool) -> bool:
    if not on_side.isdisjoint(use.opened_by):
        return False
    return use.rule == "never" or not first
