"""A saved game as a position of a project: who stands where, in what state, and what turn it is.

What cannot be told is kept out and listed: a piece that is no unit, a spot that is no place, a
state the game does not have. Texts of the saved game are shown only where no password is in them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from counters.model import Unit
from exporters.model import Dropped, ExportError
from exporters.vassal.binding import Binding
from exporters.vassal.games.counter_states import StateRead, shown_by, state_read
from exporters.vassal.games.spots import Nowhere, Places
from exporters.vassal.games.turns import clock_told
from exporters.vassal.saves.pieces import SOMEBODY, SavedPiece
from exporters.vassal.saves.save_file import SavedGame
from exporters.vassal.standing import MarkerState
from mapkit.model import HexMap
from rules.pack import Pack
from rules.positions.position import Clock, Marker, Piece, Place, Position, marker_order

_COPY = "#"
"""Between the id of a unit and the number of its copy, where a game has it more than once."""


@dataclass(frozen=True)
class Known:
    """What saved games are read against: the binding, and what the project knows.

    *markers* are ids of counters that are no units. *before* is a position that goes on: what a
    saved game cannot tell is as it was there.
    """

    binding: Binding
    game: str
    maps: Mapping[str, HexMap]
    units: Mapping[str, Unit]
    markers: frozenset[str] = frozenset()
    pack: Pack | None = None
    before: Position | None = None

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides of the game; without one, those that units have."""
        if self.pack is not None:
            return tuple(self.pack.sides)
        return tuple(dict.fromkeys(unit.side for unit in self.units.values()))


@dataclass(frozen=True, slots=True)
class ReadPosition:
    """A position, and what of the saved game is not in it."""

    position: Position
    untold: tuple[Dropped, ...] = ()


class PositionReader:
    """Reads the games of one table; a piece is the same unit in all of them."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self._ids: dict[str, str] = {}
        self._taken: Counter[str] = Counter()

    def read(self, game: SavedGame) -> ReadPosition:
        """Return the position of a saved game.

        Raises:
            ExportError: it is of another module.
        """
        module = self.known.binding.module
        if game.module and game.module != module:
            other = game.secrets.told(game.module)
            raise ExportError(
                f"the saved game is of the module '{other}', the project is tied to '{module}';"
                " give its own, or the module with --module"
            )
        return _Reading(self, game).read()

    def unit_id(self, piece: SavedPiece) -> str | None:
        """Return which unit a piece is; the second of a kind has a number behind its id."""
        if piece.id in self._ids:
            return self._ids[piece.id]
        found = self.known.binding.units.unit_of(
            shown_by(piece.traits).marks, piece.gpid, piece.name
        )
        if found is None or found not in self.known.units:
            return None
        self._taken[found] += 1
        copy = self._taken[found]
        self._ids[piece.id] = copy_id(found, copy)
        return self._ids[piece.id]


def copy_id(id_: str, number: int) -> str:
    """Return the id of one of several copies of a unit; the first has the unit's own."""
    return id_ if number == 1 else f"{id_}{_COPY}{number}"


def unit_of_copy(id_: str) -> str:
    """Return the id of the unit that a copy is one of: the inverse of `copy_id`."""
    head, sign, number = id_.rpartition(_COPY)
    return head if sign and number.isdecimal() else id_


@dataclass
class _Reading:
    """One saved game on its way to a position: what was found, and what was not."""

    reader: PositionReader
    game: SavedGame
    pieces: dict[str, Piece] = field(default_factory=dict)
    markers: list[Marker] = field(default_factory=list)
    control: dict[str, str] = field(default_factory=dict)
    untold: Counter[tuple[str, tuple[tuple[str, object], ...]]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.known = self.reader.known
        self.places = Places(self.known.binding, self.known.maps, self.game.boards)
        decks = (one for one in self.game.stacks if one.is_deck)
        self.in_decks = {id_ for deck in decks for id_ in deck.members}

    def read(self) -> ReadPosition:
        for piece in sorted(self.game.pieces, key=_made):
            self._read_piece(piece)
        before = self.known.before or Position(self.known.game)
        self._keep_waiting(before)
        position = Position(
            game=self.known.game,
            scenario=before.scenario,
            clock=self._clock(),
            weather=before.weather,
            initiative=before.initiative,
            points=before.points,
            control=self.control if self._tells_control() else before.control,
            pieces=dict(sorted(self.pieces.items())),
            markers=tuple(self.markers) if self._tells_markers() else before.markers,
            log=before.log,
        )
        return ReadPosition(position, tuple(self._dropped()))

    def _read_piece(self, piece: SavedPiece) -> None:
        if piece.id in self.in_decks:
            self._tell("deck")
            return
        shown, id_ = shown_by(piece.traits), self.reader.unit_id(piece)
        if shown.marker is not None:
            self._read_marker(piece, shown.marker)
        elif shown.control is not None:
            self._read_control(piece, shown.control)
        elif id_ is None:
            self._tell_stranger(piece)
        else:
            place = self.places.at(piece.spot)
            if isinstance(place, Nowhere):
                self._tell_nowhere(piece, id_, place)
            else:
                self._add_unit(piece, id_, place)

    def _add_unit(self, piece: SavedPiece, id_: str, place: Place) -> None:
        base = unit_of_copy(id_) if id_ not in self.known.units else id_
        was = self.known.before.pieces.get(id_) if self.known.before else None
        unit = was.unit if was is not None else _copy(self.known.units[base], id_)
        if id_ != base:
            self._tell("copy", unit=base)
        state = state_read(piece.traits, self.known.binding.layers, was)
        self.pieces[id_] = Piece(
            unit=unit,
            place=place,
            statuses=self._known_statuses(state),
            steps_lost=state.steps_lost,
            facing=state.facing,
            hidden_from=self._hidden_from(piece),
            due=was.due if was is not None else 0,
            placement=was.placement if was is not None else "",
        )

    def _known_statuses(self, state: StateRead) -> dict[str, int]:
        for name in state.foreign:
            self._tell("layer", layer=self.game.secrets.told(name))
        pack = self.known.pack
        if pack is None:
            return dict(state.statuses)
        for word in state.statuses.keys() - pack.statuses.keys():
            self._tell("status", word=self.game.secrets.told(word), game=pack.title)
        return {word: n for word, n in state.statuses.items() if word in pack.statuses}

    def _hidden_from(self, piece: SavedPiece) -> tuple[str, ...]:
        if not piece.hidden_by:
            return ()
        owner = self.known.binding.sides.get(piece.hidden_by)
        if piece.hidden_by == SOMEBODY or owner is None:
            self._tell("hidden")
        return tuple(side for side in self.known.sides if side != owner)

    def _read_marker(self, piece: SavedPiece, marker: MarkerState) -> None:
        pack = self.known.pack
        if pack is not None and marker.kind not in pack.markers:
            word = self.game.secrets.told(marker.kind)
            self._tell("marker_kind", kind=word, game=pack.title)
            return
        places = ("hex", "hexside") if pack is None else pack.markers[marker.kind].on
        at = self._marker_place(piece, places)
        if at is None:
            self._tell("marker_place", kind=self.game.secrets.told(marker.kind))
            return
        made = Marker(marker.kind, at[0], at[1], marker.side, marker.n)
        key = marker_order(made)[:4]
        if any(marker_order(one)[:4] == key for one in self.markers):
            self._tell("marker_twice", kind=self.game.secrets.told(marker.kind), place=at[0])
        else:
            self.markers.append(made)

    def _marker_place(self, piece: SavedPiece, places: tuple[str, ...]) -> tuple[str, str] | None:
        if "hexside" in places:
            side = self.places.hexside_at(piece.spot)
            if side is not None or "hex" not in places:
                return side
        place = self.places.at(piece.spot)
        is_hex = isinstance(place, Place) and place.kind == "hex"
        return (place.at, place.map) if isinstance(place, Place) and is_hex else None

    def _read_control(self, piece: SavedPiece, side: str) -> None:
        place = self.places.at(piece.spot)
        if isinstance(place, Place) and place.kind == "hex" and side in self.known.sides:
            self.control[place.at] = side
        else:
            self._tell("control")

    def _tells_control(self) -> bool:
        return any(shown_by(one.traits).control is not None for one in self.game.pieces)

    def _tells_markers(self) -> bool:
        return any(shown_by(one.traits).marker is not None for one in self.game.pieces)

    def _keep_waiting(self, before: Position) -> None:
        """Keep the units that were on no hex and are not on the table; tell who is gone."""
        for id_, piece in before.pieces.items():
            if id_ in self.pieces:
                continue
            if piece.place.kind == "hex":
                self._tell("gone", unit=id_)
            else:
                self.pieces[id_] = piece

    def _clock(self) -> Clock:
        before = None if self.known.before is None else self.known.before.clock
        keys = self.known.binding.turns
        state = self.game.turns.get(keys.tracker) if keys.tracker else None
        clock = None if state is None else clock_told(state, keys, before)
        if clock is None:
            self._tell("turn")
        return clock or before or Clock()

    def _tell_stranger(self, piece: SavedPiece) -> None:
        """Tell of a piece that is no unit; one that not all may look at is not named."""
        told = self.game.secrets.told
        binding = self.known.binding
        counter = binding.units.unit_of(shown_by(piece.traits).marks, piece.gpid, piece.name)
        if binding.window(piece.spot.map) is None:
            self._tell("window", window=told(piece.spot.map))
        elif piece.hidden_by:
            self._tell("hidden_stranger")
        elif counter in self.known.markers:
            self._tell("counter")
        else:
            self._tell("stranger", name=told(piece.name), gpid=told(piece.gpid))

    def _tell_nowhere(self, piece: SavedPiece, id_: str, place: Nowhere) -> None:
        spot = piece.spot
        if place.why in ("window", "no_map"):
            self._tell(place.why, window=self.game.secrets.told(spot.map))
            return
        self._tell(place.why, unit=id_, window=spot.map, x=spot.x, y=spot.y)

    def _tell(self, why: str, **values: object) -> None:
        self.untold[why, tuple(values.items())] += 1

    def _dropped(self) -> Iterator[Dropped]:
        for (why, values), n in self.untold.items():
            yield Dropped(f"exporters.game.untold.{why}", {**dict(values), "n": n})


def _copy(unit: Unit, id_: str) -> Unit:
    return unit if unit.id == id_ else replace(unit, id=id_)


def _made(piece: SavedPiece) -> tuple[int, str]:
    """Return what pieces are sorted by: the engine counts their ids upward as they are made."""
    return (int(piece.id), "") if piece.id.isascii() and piece.id.isdecimal() else (0, piece.id)
