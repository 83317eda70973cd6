"""A position as a saved game of a module: its own pieces, on the engine's pixels, in their states.

What the module has no piece or no place for, and what a saved game cannot hold at all, is told.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from exporters.model import Dropped
from exporters.vassal.binding import TurnKeys
from exporters.vassal.foreign import ForeignModule, tags
from exporters.vassal.games.box_spots import box_spots
from exporters.vassal.games.counter_states import in_unit_state, untold_by
from exporters.vassal.games.module_setups import Waiting, waiting_as_set_up
from exporters.vassal.games.position_read import Known, unit_of_copy
from exporters.vassal.games.spots import Places, box_of_place
from exporters.vassal.saves.pieces import SavedPiece, Spot, hidden_by_side
from exporters.vassal.saves.save_file import SavedGame
from exporters.vassal.saves.table import Laid as LaidBoard
from exporters.vassal.sequence import split
from exporters.vassal.setup_pieces import Drawn, Laid
from exporters.vassal.slots import Slots
from exporters.vassal.turn_tracker import TRACKER, tracker_id, tracker_state
from mapkit.errors import MapkitError
from mapkit.notation import parse_hexside
from rules.positions.places import format_place
from rules.positions.position import Clock, Marker, Piece, Place, Position

_ORDER = "VASSAL.build.module.map.LayeredPieceCollection"
_ROSTER = "VASSAL.build.module.PlayerRoster"
_UNHELD = ("points", "weather", "initiative", "log")
_CELL_PX = 64
"""How far apart pieces lie in a box, where the module does not say how big they are."""


@dataclass(frozen=True, slots=True)
class WrittenGame:
    """A saved game, and what of the position is not in it."""

    game: SavedGame
    dropped: tuple[Dropped, ...] = ()


def write_position(position: Position, known: Known, module: ForeignModule) -> WrittenGame:
    """Return a position as a saved game of a module."""
    return _Writing(position, known, module).written()


@dataclass
class _Writing:
    """One position on its way to a saved game: pieces laid so far, and what was lost."""

    position: Position
    known: Known
    module: ForeignModule
    lost: Counter[tuple[str, str]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.slots = Slots(self.module.root, self.known.binding.units)
        self.waiting = waiting_as_set_up(self.module, self.known, self.position)
        boards = _boards(self.known, self.waiting)
        self.places = Places(self.known.binding, self.known.maps, boards)
        self.laid = Laid(_drawn(self.module))
        self._boxes: dict[tuple[str, str], Iterator[Spot]] = {}

    def written(self) -> WrittenGame:
        self.laid.add_control(self.position, self.slots, self._marker_spot)
        self.laid.add_markers(self.position, self.slots, self._marker_spot)
        for id_, piece in self.position.pieces.items():
            self._add_unit(id_, piece)
        turns = self._turns()
        game = SavedGame(
            self.module.name,
            self.module.version,
            self.position.scenario,
            {window: tuple(laid) for window, laid in self.places.boards.items()},
            tuple(self.laid.pieces),
            tuple(self.laid.stacks()),
            turns=turns,
        )
        return WrittenGame(game, tuple(self._dropped()))

    def _add_unit(self, id_: str, piece: Piece) -> None:
        slot = self.slots.unit(id_) or self.slots.unit(unit_of_copy(id_))
        if slot is None:
            self.lost["no_piece", id_] += 1
            return
        spot = self._spot(id_, piece)
        if spot is None:
            self.lost["no_place", format_place(piece.place)] += 1
            return
        layers = self.known.binding.layers
        for word in untold_by(slot.traits, piece, layers):
            self.lost["state", word] += 1
        traits = in_unit_state(slot.traits, piece, layers)
        self.laid.add(self._hidden(replace(slot, traits=traits), piece), spot)

    def _spot(self, id_: str, piece: Piece) -> Spot | None:
        if piece.place.kind == "hex":
            return self.places.hex_spot(piece.place)
        if id_ in self.waiting.spots:
            return self.waiting.spots[id_]
        key = (box_of_place(piece.place), piece.unit.side)
        if key not in self._boxes:
            self._boxes[key] = box_spots(self.places, *key, _CELL_PX)
        return next(self._boxes[key], None)

    def _hidden(self, made: SavedPiece, piece: Piece) -> SavedPiece:
        """Return a piece hidden by its side, where the module lets whole sides hide pieces."""
        if not piece.hidden_from:
            return made
        named = self._players_side(piece.unit.side)
        hidden = hidden_by_side(made.traits, named) if named else None
        if hidden is None:
            self.lost["hidden", ""] += 1
            return made
        return replace(made, traits=hidden)

    def _players_side(self, side: str) -> str:
        """Return what the module calls a side's players; "" where it has no such."""
        rosters = (one for one in tags(self.module.root) if one.tag == _ROSTER)
        named = ((entry.text or "").strip() for one in rosters for entry in one)
        sides = self.known.binding.sides
        return next((name for name in named if sides.get(name) == side), "")

    def _marker_spot(self, marker: Marker) -> Spot | None:
        if "/" not in marker.at:
            return self.places.hex_spot(_hex_place(marker))
        for id_, map_ in self.known.maps.items():
            if marker.map in ("", id_):
                try:
                    side = parse_hexside(marker.at, map_.numbering)
                except MapkitError:
                    continue
                spot = self.places.hexside_spot(side, id_)
                if spot is not None:
                    return spot
        return None

    def _turns(self) -> Mapping[str, str]:
        keys = self.known.binding.turns
        trackers = [one for one in tags(self.module.root) if one.tag == TRACKER]
        for number, tracker in enumerate(trackers):
            levels = _levels(self.position.clock, keys)
            if tracker_id(number) == keys.tracker and levels is not None:
                return {keys.tracker: tracker_state(tracker, *levels)}
        self.lost["turn", ""] += 1
        return {}

    def _dropped(self) -> Iterator[Dropped]:
        def told(why: str, **values: object) -> Dropped:
            return Dropped(f"exporters.game.lost.{why}", values)

        without = [id_ for why, id_ in self.lost if why == "no_piece"]
        if without:
            yield told("no_piece", n=len(without), units=", ".join(without))
        for (why, what), n in self.lost.items():
            if why != "no_piece":
                yield told(why, what=what, n=n)
        if self.laid.unlaid:
            places = ", ".join(f"{one.kind} {one.at}" for one in self.laid.unlaid)
            yield told("marker", n=len(self.laid.unlaid), places=places)
        unheld = [name for name in _UNHELD if getattr(self.position, name)]
        if unheld:
            yield told("unheld", what=", ".join(unheld))


def _boards(known: Known, waiting: Waiting) -> dict[str, tuple[LaidBoard, ...]]:
    """Return the boards of every window: as a set-up lays them, as at first, or the only one."""
    found: dict[str, tuple[LaidBoard, ...]] = {}
    for window in known.binding.windows:
        laid = tuple(waiting.boards.get(window.name, ()) or window.laid)
        tied = [one for one in window.boards if any(part.map or part.box for part in one.parts)]
        only = tied or window.boards
        if not laid and len(only) == 1:
            laid = ((only[0].name, 0, 0),)
        if laid:
            found[window.name] = laid
    return found


def _drawn(module: ForeignModule) -> dict[str, Drawn | None]:
    """Return how each window draws its pieces one above the other."""
    found: dict[str, Drawn | None] = {}
    for window in module.maps:
        name = window.get("mapName", "")
        found[name] = None
        for one in window:
            if one.tag == _ORDER:
                order = tuple(split(",", one.get("layerOrder", "")))
                found[name] = (one.get("property", "Layer"), order)
    return found


def _levels(clock: Clock, keys: TurnKeys) -> tuple[int, ...] | None:
    """Return where the levels of a tracker stand at a clock; None where they cannot.

    Before the first phase of a turn it stands at that phase, and at a phase's first step before
    its steps.
    """
    turn = clock.turn
    if keys.turns:
        if turn not in keys.turns:
            return None
        turn = keys.turns.index(turn)
    if not keys.phases:
        return (turn,)
    if not clock.phase:
        return turn, 0
    named = (clock.phase, clock.step)
    fits = [
        number
        for number, (phase, step) in enumerate(keys.phases)
        if named == (phase, step) or (named[0] == phase and not clock.step)
    ]
    return (turn, fits[0]) if fits else None


def _hex_place(marker: Marker) -> Place:
    return Place("hex", marker.at, marker.map)
