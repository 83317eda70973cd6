"""What conditions of victory see on the map: banks, crossings, whole corps, hexes occupied.

Each answer is yes, no, or None where nobody can tell; what players record goes first.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from mapkit.errors import MapkitError
from mapkit.hexes import Hex, Hexside, neighbours
from mapkit.model import HexMap
from rules.positions.position import Piece, Position
from rules.scenarios.scenario_files import Scenarios
from rules.schema.forces import classes_in
from rules.schema.victory import (
    Bank,
    ControlsCrossings,
    CorpsBeyond,
    CorpsGone,
    Observed,
    Occupies,
    Recorded,
)


@dataclass(frozen=True)
class Sightings:
    """A position and its maps (in the pack's words), for conditions that need a look at them."""

    scenarios: Scenarios
    position: Position
    maps: Sequence[HexMap]
    control: Mapping[str, str]

    def holds(self, condition: Observed) -> bool | None:
        """Tell whether a condition holds; None where neither record, units nor map tell."""
        recorded = self.position.points.get(condition.side, {}).get(condition.by_hand)
        if recorded is not None:
            return recorded > 0
        match condition:
            case Occupies():
                return self._occupied(condition)
            case CorpsBeyond():
                return self._beyond(condition)
            case CorpsGone():
                return self._gone(condition)
            case ControlsCrossings():
                return self._crossings(condition)
            case Recorded():
                return None

    def _occupied(self, condition: Occupies) -> bool | None:
        if not self.position.pieces:
            return None
        ours = self._pieces(condition.side, condition.not_by)
        there = {piece.place.at for piece in ours if piece.place.kind == "hex"}
        return there.issuperset(condition.hexes)

    def _beyond(self, condition: CorpsBeyond) -> bool | None:
        """Look for one corps of which no unit on the map stands elsewhere."""
        found: list[bool | None] = [False] if self.position.pieces else [None]
        for pieces in self._corps(condition):
            on_map = [piece.place.at for piece in pieces if piece.place.kind == "hex"]
            where = [self._on_bank(label, condition.bank) for label in on_map]
            if where:
                found.append(_every(where))
        return _any(found)

    def _gone(self, condition: CorpsGone) -> bool | None:
        """Tell that no corps has left; where one has, only players know over which hexes."""
        if not self.position.pieces:
            return None
        for pieces in self._corps(condition):
            surviving = [
                piece.place
                for piece in pieces
                if not (piece.place.kind == "box" and piece.place.at in condition.spared_boxes)
            ]
            left = [place.kind == "edge" and place.at == condition.edge for place in surviving]
            if left and all(left):
                return None
        return False

    def _crossings(self, condition: ControlsCrossings) -> bool | None:
        ends = list(self._ends(condition))
        if not ends or None in ends:  # no map, none with the river, or one that does not part it
            return None
        held = [self.control.get(label or "") for label in ends]
        return _every([None if whose is None else whose == condition.side for whose in held])

    def _ends(self, condition: ControlsCrossings) -> Iterator[str | None]:
        """Yield the hex at the bank of every crossing; None where the map does not tell it."""
        wanted, river = set(condition.crossings), set(condition.bank.hexsides)
        for map_ in self.maps:
            for hexside, features in map_.hexsides.items():
                kinds = {feature.kind for feature in features}
                if wanted & kinds and river & kinds:
                    here = [
                        map_.label(hex_)
                        for hex_ in hexside
                        if self._on_bank(map_.label(hex_), condition.bank)
                    ]
                    yield here[0] if len(here) == 1 else None

    def _on_bank(self, label: str, bank: Bank) -> bool | None:
        here, there = self._banks(bank)
        if label in here and label not in there:
            return True
        return False if label in there and label not in here else None

    def _banks(self, bank: Bank) -> tuple[frozenset[str], frozenset[str]]:
        if bank not in self._known_banks:
            ends = (bank.here, bank.there)
            here, there = (_joined(self.maps, bank, one) for one in ends)
            self._known_banks[bank] = here, there
        return self._known_banks[bank]

    @cached_property
    def _known_banks(self) -> dict[Bank, tuple[frozenset[str], frozenset[str]]]:
        return {}

    def _corps(self, condition: CorpsBeyond | CorpsGone) -> Iterator[list[Piece]]:
        """Yield the units of each corps of a side that is not in the state that spoils it."""
        formations = self.scenarios.formations
        corps: dict[str, set[str]] = {}
        for name, formation in formations.items():
            if formation.kind == "corps" and formation.side == condition.side:
                corps.setdefault(formation.corps or name, set()).add(name)
        for names in corps.values():
            whole = self._pieces(condition.side, ())
            members = [piece for piece in whole if piece.unit.formation in names]
            if any(piece.statuses.get(condition.unless) for piece in members):
                continue
            spared = classes_in(condition.not_by, self.scenarios.pack.classes)
            yield [piece for piece in members if piece.unit.class_ not in spared]

    def _pieces(self, side: str, not_by: tuple[str, ...]) -> list[Piece]:
        spared = classes_in(not_by, self.scenarios.pack.classes)
        every = self.position.pieces.values()
        return [one for one in every if one.unit.side == side and one.unit.class_ not in spared]


def _joined(maps: Sequence[HexMap], bank: Bank, start: str) -> frozenset[str]:
    """Return the hexes that a hex is joined to without crossing the river."""
    found: set[str] = set()
    river = set(bank.hexsides)
    for map_ in maps:
        try:
            first = map_.hex(start)
        except MapkitError:
            continue
        if first in map_.hexes and any(
            feature.kind in river for features in map_.hexsides.values() for feature in features
        ):
            found |= {map_.label(hex_) for hex_ in _flood(map_, river, first)}
    return frozenset(found)


def _flood(map_: HexMap, river: set[str], first: Hex) -> set[Hex]:
    seen, edge = {first}, [first]
    while edge:
        hex_ = edge.pop()
        for other in neighbours(hex_):
            if other in seen or other not in map_.hexes:
                continue
            between = map_.hexsides.get(Hexside.between(hex_, other), ())
            if not any(feature.kind in river for feature in between):
                seen.add(other)
                edge.append(other)
    return seen


def _every(answers: Sequence[bool | None]) -> bool | None:
    return False if False in answers else None if None in answers else True


def _any(answers: Sequence[bool | None]) -> bool | None:
    return True if True in answers else None if None in answers else False
