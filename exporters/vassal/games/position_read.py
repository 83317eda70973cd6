"""A saved game as a position of a project: who stands where, in what state, and what turn it is.

What cannot be told is kept out and listed: a piece that is no unit, a spot that is no place, a
state the game does not have.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from exporters.model import Dropped, ExportError
from exporters.vassal.games.counter_states import shown_by
from exporters.vassal.games.known import Known, copy_id
from exporters.vassal.games.piece_reading import Note, PieceRead, PieceReader
from exporters.vassal.games.spots import Boards, Places
from exporters.vassal.games.turns import clock_told
from exporters.vassal.saves.pieces import SavedPiece
from exporters.vassal.saves.save_file import SavedGame
from rules.positions.position import Clock, Marker, Piece, Position, marker_order

_IN_DECK = PieceRead(notes=(Note("deck"),))
_MOST_DIGITS = 20


@dataclass(frozen=True, slots=True)
class ReadPosition:
    """A position, and what of the saved game is not in it."""

    position: Position
    untold: tuple[Dropped, ...] = ()


class PositionReader:
    """Reads the games of one table, one after the other.

    A piece is the same unit in all of them, and read again only where it changed.
    """

    def __init__(self, known: Known) -> None:
        self.known = known
        self._ids: dict[str, str] = {}
        self._taken: Counter[str] = Counter()
        self._kept: dict[str, tuple[SavedPiece, PieceRead]] = {}
        self._boards: Boards = {}
        self._tells: set[str] = set()

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
        if game.boards != self._boards:
            self._kept, self._boards = {}, game.boards
        gathering = _Gathering(self.known, self._tells)
        gathering.add(self._pieces(game))
        return gathering.position(game.turns)

    def unit_id(self, piece: SavedPiece) -> str | None:
        """Return which unit a piece is; the second of a kind has a number behind its id."""
        if piece.id not in self._ids:
            marks = shown_by(piece.traits).marks
            found = self.known.binding.units.unit_of(marks, piece.gpid, piece.name)
            if found is None or found not in self.known.units:
                return None
            self._taken[found] += 1
            self._ids[piece.id] = copy_id(found, self._taken[found])
        return self._ids[piece.id]

    def _pieces(self, game: SavedGame) -> Iterator[PieceRead]:
        places = Places(self.known.binding, self.known.maps, game.boards)
        reader = PieceReader(self.known, places, game.secrets)
        in_decks = {id_ for one in game.stacks if one.is_deck for id_ in one.members}
        for piece in sorted(game.pieces, key=_made):
            if piece.id in in_decks:
                yield _IN_DECK
                continue
            before, read = self._kept.get(piece.id, (None, _IN_DECK))
            if before is not piece:
                read = reader.read(piece, self.unit_id(piece))
                self._kept[piece.id] = (piece, read)
            yield read


class _Gathering:
    """Pieces on their way to a position: what was found, and what was not.

    *tells* keeps what the table has ever told, markers or control: from then on, none is none.
    """

    def __init__(self, known: Known, tells: set[str]) -> None:
        self.known, self.tells = known, tells
        self.pieces: dict[str, Piece] = {}
        self.markers: dict[tuple[object, ...], Marker] = {}
        self.control: dict[str, str] = {}
        self.notes: Counter[Note] = Counter()

    def add(self, pieces: Iterable[PieceRead]) -> None:
        """Add what pieces were read as."""
        for read in pieces:
            self.notes.update(read.notes)
            if read.unit is not None:
                self.pieces[read.unit.unit.id] = read.unit
            elif read.marker is not None:
                self._add_marker(read.marker)
            elif read.control is not None:
                label, side = read.control
                self.control[label] = side

    def position(self, turns: Mapping[str, str]) -> ReadPosition:
        """Return the position, and what is not in it."""
        before = self.known.before or Position(self.known.game)
        self._keep_waiting(before)
        self.tells |= {name for name in ("control", "markers") if getattr(self, name)}
        position = Position(
            game=self.known.game,
            scenario=before.scenario,
            clock=self._clock(turns),
            weather=before.weather,
            initiative=before.initiative,
            points=before.points,
            control=self.control if "control" in self.tells else before.control,
            pieces=dict(sorted(self.pieces.items())),
            markers=tuple(self.markers.values()) if "markers" in self.tells else before.markers,
            log=before.log,
        )
        return ReadPosition(position, tuple(map(self._dropped, self.notes)))

    def _add_marker(self, marker: Marker) -> None:
        key = marker_order(marker)[:4]
        if key in self.markers:
            self.notes[Note("marker_twice", (("kind", marker.kind), ("place", marker.at)))] += 1
        self.markers.setdefault(key, marker)

    def _keep_waiting(self, before: Position) -> None:
        """Keep the units that were on no hex and are not on the table; tell who is gone."""
        for id_, piece in before.pieces.items():
            if id_ in self.pieces:
                continue
            if piece.place.kind == "hex":
                self.notes[Note("gone", (("unit", id_),))] += 1
            else:
                self.pieces[id_] = piece

    def _clock(self, turns: Mapping[str, str]) -> Clock:
        before = None if self.known.before is None else self.known.before.clock
        keys = self.known.binding.turns
        state = turns.get(keys.tracker) if keys.tracker else None
        clock = None if state is None else clock_told(state, keys, before)
        if clock is None:
            self.notes[Note("turn")] += 1
        return clock or before or Clock()

    def _dropped(self, note: Note) -> Dropped:
        values = {**dict(note.values), "n": self.notes[note]}
        if note.why in ("status", "marker_kind"):
            values["game"] = self.known.pack.title if self.known.pack else self.known.game
        return Dropped(f"exporters.game.untold.{note.why}", values)


def _made(piece: SavedPiece) -> tuple[int, str]:
    """Return what pieces are sorted by: the engine counts their ids upward as they are made."""
    plain = piece.id.isascii() and piece.id.isdecimal() and len(piece.id) <= _MOST_DIGITS
    return (int(piece.id), "") if plain else (0, piece.id)
