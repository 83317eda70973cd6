"""One piece of a saved game in the words of a project: a unit, a marker, or what it is not.

Texts of the saved game are shown only where no password is in them, and none gets into a
position: its words are the project's own.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from counters.model import Unit
from exporters.vassal.games.counter_states import StateRead, shown_by, state_read
from exporters.vassal.games.known import Known, unit_of_copy
from exporters.vassal.games.spots import Nowhere, Places
from exporters.vassal.saves.pieces import SavedPiece
from exporters.vassal.saves.secrets import Secrets
from exporters.vassal.standing import MarkerState
from rules.positions.position import Marker, Piece, Place

_MOST_POINTS, _MOST_STEPS = 99, 999  # what the file of a position takes


@dataclass(frozen=True, slots=True)
class Note:
    """Something that is not in the position: the last word of a text's key, and its values."""

    why: str
    values: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class PieceRead:
    """What a piece is: at most one of a unit, a marker, and who holds a hex; and what is not."""

    unit: Piece | None = None
    marker: Marker | None = None
    control: tuple[str, str] | None = None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class PieceReader:
    """Reads pieces of one game, whose boards lie as *places* has them."""

    known: Known
    places: Places
    secrets: Secrets

    def read(self, piece: SavedPiece, id_: str | None) -> PieceRead:
        """Return what a piece is; *id_* is the unit it is, None where it is none."""
        shown = shown_by(piece.traits)
        if shown.marker is not None:
            return self._marker(piece, shown.marker)
        if shown.control is not None:
            return self._control(piece, shown.control)
        if id_ is None:
            return PieceRead(notes=(self._stranger(piece),))
        place = self.places.at(piece.spot)
        if isinstance(place, Nowhere):
            return PieceRead(notes=(self._nowhere(piece, id_, place),))
        return self._unit(piece, id_, place)

    def _unit(self, piece: SavedPiece, id_: str, place: Place) -> PieceRead:
        base = id_ if id_ in self.known.units else unit_of_copy(id_)
        was = self.known.before.pieces.get(id_) if self.known.before else None
        state = state_read(piece.traits, self.known.binding.layers, was)
        statuses, unknown = self._statuses(state, was)
        notes = [] if id_ == base else [_note("copy", unit=base)]
        notes += [_note("layer", layer=self.secrets.told(name)) for name in state.foreign]
        notes += [_note("status", word=self.secrets.told(word)) for word in unknown]
        if piece.hidden_by and piece.hidden_by not in self.known.binding.sides:
            notes.append(_note("hidden"))
        unit = Piece(
            unit=was.unit if was is not None else _copy(self.known.units[base], id_),
            place=place,
            statuses=statuses,
            steps_lost=min(state.steps_lost, _MOST_STEPS),
            facing=state.facing,
            hidden_from=tuple(self._hidden_from(piece)),
            due=was.due if was is not None else 0,
            placement=was.placement if was is not None else "",
        )
        return PieceRead(unit, notes=tuple(notes))

    def _statuses(self, state: StateRead, was: Piece | None) -> tuple[dict[str, int], list[str]]:
        """Return the states that the game has, and the words of those it does not."""
        words = {*self.known.binding.layers.values(), *(was.statuses if was else ())}
        if self.known.pack is not None:
            words = set(self.known.pack.statuses)
        fits = {
            word: n for word, n in state.statuses.items() if word in words and n <= _MOST_POINTS
        }
        return fits, [word for word in state.statuses if word not in fits]

    def _hidden_from(self, piece: SavedPiece) -> Iterator[str]:
        """Yield the sides that may not look: all but the one that hides it."""
        if piece.hidden_by:
            owner = self.known.binding.sides.get(piece.hidden_by)
            yield from (side for side in self.known.sides if side != owner)

    def _marker(self, piece: SavedPiece, marker: MarkerState) -> PieceRead:
        kind = self.secrets.told(marker.kind)
        pack = self.known.pack
        sides = ("", *self.known.sides)
        if pack is None or marker.kind not in pack.markers or marker.side not in sides:
            return PieceRead(notes=(_note("marker_kind", kind=kind),))
        at = self._marker_place(piece, pack.markers[marker.kind].on)
        if at is None:
            return PieceRead(notes=(_note("marker_place", kind=kind),))
        return PieceRead(marker=Marker(marker.kind, *at, marker.side, marker.n))

    def _marker_place(self, piece: SavedPiece, on: tuple[str, ...]) -> tuple[str, str] | None:
        """Return the place of a marker and its map; a hexside first, where it may lie on one."""
        if "hexside" in on:
            side = self.places.hexside_at(piece.spot)
            if side is not None or "hex" not in on:
                return side
        place = self.places.at(piece.spot)
        found = place if isinstance(place, Place) and place.kind == "hex" else None
        return None if found is None else (found.at, found.map)

    def _control(self, piece: SavedPiece, side: str) -> PieceRead:
        place = self.places.at(piece.spot)
        if isinstance(place, Place) and place.kind == "hex" and side in self.known.sides:
            return PieceRead(control=(place.at, side))
        return PieceRead(notes=(_note("control"),))

    def _stranger(self, piece: SavedPiece) -> Note:
        """Return the note of a piece that is no unit; what not all may look at is not named."""
        told, binding = self.secrets.told, self.known.binding
        counter = binding.units.unit_of(shown_by(piece.traits).marks, piece.gpid, piece.name)
        if binding.window(piece.spot.map) is None:
            return _note("window", window=told(piece.spot.map))
        if piece.hidden_by:
            return _note("hidden_stranger")
        if counter in self.known.markers:
            return _note("counter")
        return _note("stranger", name=told(piece.name), gpid=told(piece.gpid))

    def _nowhere(self, piece: SavedPiece, id_: str, place: Nowhere) -> Note:
        spot = piece.spot
        if place.why in ("window", "no_map"):
            return _note(place.why, window=self.secrets.told(spot.map))
        return _note(place.why, unit=id_, window=spot.map, x=spot.x, y=spot.y)


def _note(why: str, **values: object) -> Note:
    return Note(why, tuple(values.items()))


def _copy(unit: Unit, id_: str) -> Unit:
    return unit if unit.id == id_ else replace(unit, id=id_)
