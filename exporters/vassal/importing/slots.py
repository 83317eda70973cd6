"""The pieces that a module holds ready: in its palettes, its stacks at start and its decks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from exporters.model import Dropped, ExportError
from exporters.vassal.elements import Element
from exporters.vassal.foreign import ForeignModule, refused, tags
from exporters.vassal.saves.pieces import SavedPiece, expanded, read_piece
from exporters.vassal.sequence import split

Where = Literal["palette", "stack", "deck"]

_SLOTS = ("VASSAL.build.widget.PieceSlot", "VASSAL.build.widget.CardSlot")
_STACK, _DECK = "VASSAL.build.module.map.SetupStack", "VASSAL.build.module.map.DrawPile"
_PROTOTYPE = "VASSAL.build.module.PrototypeDefinition"
_NAMES = ("entryName", "name", "mapName", "chartName")
_LONGEST = 1_000_000  # no engine would open a piece with so many traits
_MOST_SLOTS = 100_000


@dataclass(frozen=True, slots=True)
class Slot:
    """One piece of a module: as it is written, and with its prototypes in their place.

    *path* are the names of the palettes it lies in, the outermost first; *holder* is the element
    of its stack or deck.
    """

    gpid: str
    name: str
    where: Where
    path: tuple[str, ...]
    written: SavedPiece
    piece: SavedPiece
    window: str = ""
    holder: Element | None = None

    @property
    def prototypes(self) -> tuple[str, ...]:
        """The prototypes that it names itself."""
        found = (split(";", one.type) for one in self.written.traits)
        return tuple(one[1] for one in found if one[0] == "prototype" and len(one) > 1)


@dataclass(frozen=True, slots=True)
class Slots:
    """All slots of a module in its order, and those that do not read."""

    slots: tuple[Slot, ...]
    lost: tuple[Dropped, ...] = ()


def read_slots(module: ForeignModule) -> Slots:
    """Return the pieces of a module; one that does not read is lost, and why is told.

    Raises:
        ExportError: there are more than in any module.
    """
    lost: list[Dropped] = []
    prototypes = dict(_prototypes(module, lost))
    slots = []
    elements = [one for one in tags(module.root) if one.tag in _SLOTS]
    if len(elements) > _MOST_SLOTS:
        raise refused(module.file, f"it holds {len(elements)} pieces; {_MOST_SLOTS} are read")
    for one in elements:
        try:
            slots.append(_slot(one, prototypes))
        except ExportError as error:
            lost.append(_lost(one.get("entryName", ""), error))
    return Slots(tuple(slots), tuple(lost))


def _prototypes(module: ForeignModule, lost: list[Dropped]) -> Iterator[tuple[str, SavedPiece]]:
    for one in tags(module.root):
        if one.tag == _PROTOTYPE:
            try:
                yield one.get("name", ""), _read(one)
            except ExportError as error:
                lost.append(_lost(one.get("name", ""), error))


def _slot(one: Element, prototypes: Mapping[str, SavedPiece]) -> Slot:
    written = _read(one)
    above = list(one.iterancestors())
    holder = next((over for over in above if over.tag in (_STACK, _DECK)), None)
    where: Where = "palette"
    if holder is not None:
        where = "stack" if holder.tag == _STACK else "deck"
    window = next((name for over in above if (name := over.get("mapName"))), "")
    piece = expanded(written, prototypes)
    return Slot(
        one.get("gpid") or written.gpid,
        written.name or one.get("entryName", ""),
        where,
        tuple(_path(above[:-1])),
        written,
        piece,
        window,
        holder,
    )


def _path(above: list[Element]) -> Iterator[str]:
    """Yield what lies around a slot, the outermost first, without the module itself."""
    for over in reversed(above):
        name = next((text for key in _NAMES if (text := over.get(key))), "")
        if name:
            yield name.strip()


def _read(one: Element) -> SavedPiece:
    text = (one.text or "").strip()
    if len(text) > _LONGEST:
        raise ExportError(f"it is written in {len(text)} letters, more than any piece")
    return read_piece(text)


def _lost(name: str, error: ExportError) -> Dropped:
    return Dropped("exporters.import.lost.piece", {"name": name, "why": str(error)})
