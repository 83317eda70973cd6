"""The pieces of a position: units and markers, each at its place and in its state."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from exporters.vassal.boxes import Boxes
from exporters.vassal.ground import Ground, Pixel
from exporters.vassal.palette import Palette, Slot
from exporters.vassal.saves.pieces import SavedPiece, SavedStack, Spot
from exporters.vassal.sequence import split
from exporters.vassal.standing import beside, in_state, marker_in_state, untold
from exporters.vassal.windows import LAYERS
from rules.positions.position import Marker, Place, Position

Drawn = tuple[str, tuple[str, ...]]
"""By which property pieces of a window are drawn one above the other: its values, lowest first."""

OURS: Drawn = ("Layer", LAYERS)

HELD = "control"
"""The kind of the marker that tells who holds a hex."""

_NO_STACK = "immob;"


class Offered(Protocol):
    """Where pieces come from: the palette of a module in the making, or the slots of one."""

    def unit(self, id_: str) -> SavedPiece | None:
        """Return the counter of a unit; None where there is none."""
        ...

    def marker(self, kind: str, side: str) -> SavedPiece | None:
        """Return the marker of a kind: the side's own, else nobody's."""
        ...

    def control(self, side: str) -> SavedPiece | None:
        """Return the marker that tells that a side holds a hex."""
        ...


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

    def add_units(self, position: Position, offered: Offered, spots: Mapping[str, Spot]) -> None:
        """Lay the units of a position at their spots, in the state in which they are."""
        for id_, piece in position.pieces.items():
            made = offered.unit(id_)
            if made is None:
                self.without_counter.append(id_)
                continue
            for word in untold(made.traits, piece):
                self.unshown[word] = self.unshown.get(word, 0) + 1
            self.add(replace(made, traits=in_state(made.traits, piece)), spots[id_])

    def add_markers(
        self, position: Position, offered: Offered, spot_of: Callable[[Marker], Spot | None]
    ) -> None:
        """Lay the markers of a position; one on a hexside lies in its middle."""
        for marker in position.markers:
            made = offered.marker(marker.kind, marker.side)
            spot = spot_of(marker)
            if made is None or spot is None:
                self.unlaid.append(marker)
            else:
                self.add(replace(made, traits=marker_in_state(made.traits, marker)), spot)

    def add_control(
        self, position: Position, offered: Offered, spot_of: Callable[[Marker], Spot | None]
    ) -> None:
        """Lay who holds which hex."""
        for label, side in position.control.items():
            told = Marker(HELD, label, side=side)
            made, spot = offered.control(side), spot_of(told)
            if made is None or spot is None:
                self.unlaid.append(told)
            else:
                self.add(made, spot)

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


@dataclass(frozen=True)
class FromPalette:
    """The pieces of a module in the making, and where its markers lie: beside the units there."""

    palette: Palette | None
    grounds: Sequence[Ground]

    def unit(self, id_: str) -> SavedPiece | None:
        """Return the counter of a unit; None where there is none."""
        return self._made(self.palette.units.get(id_) if self.palette else None)

    def marker(self, kind: str, side: str) -> SavedPiece | None:
        """Return the marker of a kind: the side's own, else nobody's."""
        return self._made(self._marker_slot(kind, side))

    def control(self, side: str) -> SavedPiece | None:
        """Return the marker that tells that a side holds a hex."""
        return self._made(self._marker_slot(HELD, side))

    def marker_spot(self, marker: Marker) -> Spot | None:
        """Return where a marker is laid; None where no map has the place."""
        spot, slot = marker_spot(marker, self.grounds), self._marker_slot(marker.kind, marker.side)
        if spot is None or slot is None or is_hexside(marker):
            return spot
        (pitch,) = (one.pitch_px for one in self.grounds if one.window == spot.map)
        over, down = beside(slot.traits, pitch)
        return replace(spot, x=spot.x + over, y=spot.y + down)

    def _marker_slot(self, kind: str, side: str) -> Slot | None:
        if self.palette is None:
            return None
        if kind == HELD:
            return self.palette.controls.get(side)
        slots = self.palette.markers
        return slots.get((kind, side)) or slots.get((kind, ""))

    def _made(self, slot: Slot | None) -> SavedPiece | None:
        return None if slot is None or self.palette is None else self.palette.made(slot)


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
    if not is_hexside(marker):
        return on_map(Place("hex", marker.at, marker.map), grounds)
    return _first(
        (ground, ground.hexside_px(marker.at))
        for ground in grounds
        if marker.map in ("", ground.map_id)
    )


def is_hexside(marker: Marker) -> bool:
    """Tell whether a marker lies on a hexside."""
    return "/" in marker.at


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
