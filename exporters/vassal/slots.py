"""The pieces that a module offers: what lies in its slots, as the engine makes it from them."""

from collections.abc import Iterator

from exporters.model import ExportError
from exporters.vassal.binding import UnitKeys
from exporters.vassal.elements import Element
from exporters.vassal.saves.pieces import SavedPiece, expanded, read_piece
from exporters.vassal.standing import CONTROL, MARKER, SIDE

ID = "Id"
"""The fixed property by which a piece tells which counter of the game it is."""

_SLOT = "VASSAL.build.widget.PieceSlot"
_PROTOTYPE = "VASSAL.build.module.PrototypeDefinition"


class Slots:
    """The slots of a module's build file, found by what the pieces in them are.

    Every piece comes with the traits of its prototypes in their place.
    """

    def __init__(self, root: Element, keys: UnitKeys | None = None) -> None:
        keys = keys or UnitKeys(mark=ID)
        self._prototypes = dict(_prototypes(root))
        self._units: dict[str, SavedPiece] = {}
        self._markers: dict[tuple[str, str], SavedPiece] = {}
        self._control: dict[str, SavedPiece] = {}
        for piece in slots_of(root):
            marks = piece.marks()
            if MARKER in marks:
                self._markers.setdefault((marks[MARKER], marks.get(SIDE, "")), piece)
            elif CONTROL in marks:
                self._control.setdefault(marks[CONTROL], piece)
            else:
                unit = keys.unit_of(marks, piece.gpid, piece.name)
                if unit is not None:
                    self._units.setdefault(unit, piece)

    def unit(self, id_: str) -> SavedPiece | None:
        """Return the counter of a unit; None where the module has none."""
        return self._made(self._units.get(id_))

    def marker(self, kind: str, side: str) -> SavedPiece | None:
        """Return the marker of a kind: the side's own, else nobody's."""
        return self._made(self._markers.get((kind, side)) or self._markers.get((kind, "")))

    def control(self, side: str) -> SavedPiece | None:
        """Return the marker that tells that a side holds a hex."""
        return self._made(self._control.get(side))

    def _made(self, piece: SavedPiece | None) -> SavedPiece | None:
        return None if piece is None else expanded(piece, self._prototypes)


def slots_of(root: Element) -> Iterator[SavedPiece]:
    """Yield what lies in the slots of a module; one that does not read is passed over."""
    for slot in root.iter(_SLOT):
        try:
            yield read_piece((slot.text or "").strip())
        except ExportError:
            continue  # the engine shows an empty slot: no unit comes from it


def _prototypes(root: Element) -> Iterator[tuple[str, SavedPiece]]:
    for one in root.iter(_PROTOTYPE):
        try:
            yield one.get("name", ""), read_piece((one.text or "").strip())
        except ExportError:
            continue
