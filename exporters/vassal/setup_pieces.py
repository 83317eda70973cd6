"""The pieces of a set-up: units and markers of a position, each at its place and in its state."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from exporters.vassal.boxes import Boxes
from exporters.vassal.ground import Ground, Pixel
from exporters.vassal.palette import Palette, Slot
from exporters.vassal.saves.pieces import SavedPiece, SavedStack, Spot
from exporters.vassal.sequence import split
from exporters.vassal.standing import beside, in_state, marker_in_state, untold
from exporters.vassal.windows import LAYERS
from rules.positions.position import Marker, Place, Position

_NO_STACK = "immob;"
_HELD = "control"


@dataclass
class Laid:
    """The pieces laid so far, numbered in their order; those of one place lie on each other.

    *without_counter* are units that the module has no counter for, *unshown* the states that
    counters cannot show with how many units are in them, *unlaid* markers without piece or place.
    """

    palette: Palette | None
    grounds: Sequence[Ground]
    pieces: list[SavedPiece] = field(default_factory=list)
    without_counter: list[str] = field(default_factory=list)
    unshown: dict[str, int] = field(default_factory=dict)
    unlaid: list[Marker] = field(default_factory=list)

    def add_units(self, position: Position, spots: Mapping[str, Spot]) -> None:
        """Lay the units of a position at their spots, in the state in which they are."""
        for id_, piece in position.pieces.items():
            slot = self.palette.units.get(id_) if self.palette else None
            if self.palette is None or slot is None:
                self.without_counter.append(id_)
                continue
            made = self.palette.made(slot)
            for word in untold(made.traits, piece):
                self.unshown[word] = self.unshown.get(word, 0) + 1
            self._add(replace(made, traits=in_state(made.traits, piece)), spots[id_])

    def add_markers(self, position: Position) -> None:
        """Lay the markers of a position; one on a hexside lies in its middle."""
        for marker in position.markers:
            slots = self.palette.markers if self.palette else {}
            slot = slots.get((marker.kind, marker.side)) or slots.get((marker.kind, ""))
            self._add_marker(marker, slot)

    def add_control(self, position: Position) -> None:
        """Lay who holds which hex."""
        for label, side in position.control.items():
            slot = self.palette.controls.get(side) if self.palette else None
            self._add_marker(Marker(_HELD, label, side=side), slot)

    def _add_marker(self, marker: Marker, slot: Slot | None) -> None:
        spot = marker_spot(marker, self.grounds)
        if self.palette is None or slot is None or spot is None:
            self.unlaid.append(marker)
            return
        made = self.palette.made(slot)
        if not is_hexside(marker):
            (pitch,) = (one.pitch_px for one in self.grounds if one.window == spot.map)
            over, down = beside(made.traits, pitch)
            spot = replace(spot, x=spot.x + over, y=spot.y + down)
        self._add(replace(made, traits=marker_in_state(made.traits, marker)), spot)

    def stacks(self) -> Iterator[SavedStack]:
        """Yield the stacks, numbered after the pieces; every piece that can lies in one."""
        piles: dict[tuple[Spot, int], list[str]] = {}
        for piece in self.pieces:
            if not _stands_alone(piece):
                piles.setdefault((piece.spot, _layer(piece)), []).append(piece.id)
        for number, ((spot, layer), members) in enumerate(piles.items(), len(self.pieces) + 1):
            yield SavedStack(str(number), spot, tuple(members), layer)

    def _add(self, piece: SavedPiece, spot: Spot) -> None:
        self.pieces.append(replace(piece, id=str(len(self.pieces) + 1), spot=spot))


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


def _layer(piece: SavedPiece) -> int:
    """Return the engine's number of the layer a piece is drawn in; the topmost if it has none."""
    name = piece.marks().get("Layer")
    return LAYERS.index(name) if name in LAYERS else len(LAYERS)
