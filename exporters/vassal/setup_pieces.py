"""The pieces of a position: units and markers, each at its place and in its state."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from exporters.vassal.boxes import Boxes
from exporters.vassal.ground import Ground, Pixel
from exporters.vassal.saves.pieces import SavedPiece, SavedStack, Spot
from exporters.vassal.sequence import split
from exporters.vassal.slots import Slots
from exporters.vassal.standing import in_state, marker_in_state, untold
from exporters.vassal.windows import LAYERS
from rules.positions.position import Marker, Place, Position

Drawn = tuple[str, tuple[str, ...]]
"""By which property pieces of a window are drawn one above the other: its values, lowest first."""

OURS: Drawn = ("Layer", LAYERS)

_NO_STACK = "immob;"
_HELD = "control"


@dataclass
class Laid:
    """The pieces laid so far, numbered in their order; those of one place lie on each other.

    *drawn* tells how windows draw their pieces, where it is not as in our own modules; None where
    a window knows no order. *without_counter* are units that the module has no counter for,
    *unshown* the states that counters cannot show with how many units are in them, *unlaid*
    markers without piece or place.
    """

    drawn: Mapping[str, Drawn | None] = field(default_factory=dict)
    pieces: list[SavedPiece] = field(default_factory=list)
    without_counter: list[str] = field(default_factory=list)
    unshown: dict[str, int] = field(default_factory=dict)
    unlaid: list[Marker] = field(default_factory=list)

    def add_units(self, position: Position, slots: Slots, spots: Mapping[str, Spot]) -> None:
        """Lay the units of a position at their spots, in the state in which they are."""
        for id_, piece in position.pieces.items():
            slot = slots.unit(id_)
            if slot is None:
                self.without_counter.append(id_)
                continue
            for word in untold(slot.traits, piece):
                self.unshown[word] = self.unshown.get(word, 0) + 1
            self.add(replace(slot, traits=in_state(slot.traits, piece)), spots[id_])

    def add_markers(
        self, position: Position, slots: Slots, spot_of: Callable[[Marker], Spot | None]
    ) -> None:
        """Lay the markers of a position; one on a hexside lies in its middle."""
        for marker in position.markers:
            slot = slots.marker(marker.kind, marker.side)
            spot = spot_of(marker)
            if slot is None or spot is None:
                self.unlaid.append(marker)
            else:
                self.add(replace(slot, traits=marker_in_state(slot.traits, marker)), spot)

    def add_control(
        self, position: Position, slots: Slots, spot_of: Callable[[Place], Spot | None]
    ) -> None:
        """Lay who holds which hex."""
        for label, side in position.control.items():
            slot = slots.control(side)
            spot = spot_of(Place("hex", label))
            if slot is None or spot is None:
                self.unlaid.append(Marker(_HELD, label, side=side))
            else:
                self.add(slot, spot)

    def add(self, piece: SavedPiece, spot: Spot) -> None:
        """Lay one piece."""
        self.pieces.append(replace(piece, id=str(len(self.pieces) + 1), spot=spot))

    def stacks(self) -> Iterator[SavedStack]:
        """Yield the stacks, numbered after the pieces; every piece that can lies in one."""
        piles: dict[tuple[Spot, int], list[str]] = {}
        for piece in self.pieces:
            if not _stands_alone(piece):
                layer = _layer(piece, self.drawn.get(piece.spot.map, OURS))
                piles.setdefault((piece.spot, layer), []).append(piece.id)
        for number, ((spot, layer), members) in enumerate(piles.items(), len(self.pieces) + 1):
            yield SavedStack(str(number), spot, tuple(members), layer)


def standing_spots(
    position: Position, grounds: Sequence[Ground], boxes: Boxes | None
) -> dict[str, Spot]:
    """Return where units stand that have a place: a hex of a map, or a box of the module."""
    found: dict[str, Spot] = {}
    for id_, piece in position.pieces.items():
        spot = _spot(id_, piece.place, grounds, boxes)
        if spot is not None:
            found[id_] = spot
    return found


def on_map(place: Place, grounds: Sequence[Ground]) -> Spot | None:
    """Return where a hex lies: on the map that is named, else on the first that has it."""
    return _first(
        (ground, ground.hex_px(place.at)) for ground in grounds if place.map in ("", ground.map_id)
    )


def marker_spot(marker: Marker, grounds: Sequence[Ground]) -> Spot | None:
    """Return where a marker lies; None where no map has the place."""
    if "/" not in marker.at:
        return on_map(Place("hex", marker.at, marker.map), grounds)
    return _first(
        (ground, ground.hexside_px(marker.at))
        for ground in grounds
        if marker.map in ("", ground.map_id)
    )


def _first(found: Iterator[tuple[Ground, Pixel | None]]) -> Spot | None:
    return next((Spot(ground.window, *at) for ground, at in found if at is not None), None)


def _spot(id_: str, place: Place, grounds: Sequence[Ground], boxes: Boxes | None) -> Spot | None:
    if place.kind == "hex":
        return on_map(place, grounds)
    if place.kind == "box" and boxes is not None:
        at = boxes.spot(id_, place.at)
        return None if at is None else Spot(boxes.window, *at)
    return None


def _stands_alone(piece: SavedPiece) -> bool:
    return any(
        one.type.startswith(_NO_STACK) and split(";", one.type)[3:4] == ["R"]
        for one in piece.traits
    )


def _layer(piece: SavedPiece, drawn: Drawn | None) -> int:
    """Return the engine's number of the layer a piece is drawn in; the topmost if it has none.

    Where a window knows no order, all that can be stacked lies in the second of two layers.
    """
    if drawn is None:
        return 1
    property_, order = drawn
    name = piece.marks().get(property_)
    return order.index(name) if name in order else len(order)
