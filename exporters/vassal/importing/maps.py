"""The boards of a module as map documents: grid and labels the engine's own, the ground unknown."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from exporters.model import Dropped, ExportError, OutFile
from exporters.vassal.elements import Element
from exporters.vassal.foreign import ForeignModule
from exporters.vassal.foreign_grids import ForeignBoard, board_elements, read_board
from exporters.vassal.foreign_pictures import ForeignPicture, ForeignPictures
from exporters.vassal.importing.fields import (
    LEAST_PITCH_PX,
    MOST_HEXES,
    HexField,
    fields_of,
    is_printed,
)
from exporters.vassal.importing.names import FreeNames, plain_name
from exporters.vassal.importing.told_ground import ToldGround
from mapkit.hexes import Hex
from mapkit.kinds import Kinds
from mapkit.maps import SUFFIX
from mapkit.model import IMPORTED, Ground, HexMap, Picture
from mapkit.store.files import sha256
from mapkit.texts import say

_SQUARE = "SquareGrid"


@dataclass(frozen=True, slots=True)
class ImportedMap:
    """A map and where it comes from: a window of the module, and a board in it."""

    id: str
    map: HexMap
    window: str
    board: str

    @property
    def file(self) -> str:
        """The name of its file in the project."""
        return f"{self.id}{SUFFIX}"


@dataclass
class ImportedBoards:
    """The maps of a module, their pictures, what was not imported and why, and what to know.

    *boards* are all that read, also those that are no maps.
    """

    maps: list[ImportedMap] = field(default_factory=list)
    boards: list[ForeignBoard] = field(default_factory=list)
    files: list[OutFile] = field(default_factory=list)
    lost: list[Dropped] = field(default_factory=list)
    hints: list[Dropped] = field(default_factory=list)


def import_boards(module: ForeignModule, pictures: ForeignPictures) -> ImportedBoards:
    """Return every board with hexes as a map; the others with the reason why not.

    Raises:
        ExportError: the pictures unpack to more than any module holds.
    """
    made = _Boards(module, pictures)
    for window, element in board_elements(module):
        made.add(window, element)
    return made.told()


class _Boards:
    def __init__(self, module: ForeignModule, pictures: ForeignPictures) -> None:
        self.done = ImportedBoards()
        self._module = module
        self._pictures = pictures
        self._ids = FreeNames()
        self._written: dict[str, Picture] = {}
        self._not_maps: dict[str, list[str]] = {}

    def add(self, window: Element, element: Element) -> None:
        name, image = element.get("name", ""), element.get("image", "")
        try:
            board = read_board(self._module, window, element)
        except ExportError as error:
            self._lose(name, str(error))
            return
        if board is None:
            self._lose(name, self._why_unsized(image).told)
            return
        self.done.boards.append(board)
        ground = ToldGround(self._module, board)
        fields = [one for one in fields_of(ground.board) if one.places]
        if not fields:
            self._lose(name, _why_not(board).told)
            return
        for field_ in fields:
            self._add_map(board, field_, ground, alone=len(fields) == 1)

    def _why_unsized(self, image: str) -> Dropped:
        if not image:
            return Dropped("exporters.import.why.no_size")
        found = self._pictures.find(image)
        broken = Dropped("exporters.import.why.broken", {"image": image})
        return found if isinstance(found, Dropped) else broken

    def _add_map(
        self, board: ForeignBoard, field_: HexField, ground: ToldGround, *, alone: bool
    ) -> None:
        title = board.name or board.map_name
        if not alone and field_.zone:
            title = f"{title}, {field_.zone}"
        id_ = self._ids.take(plain_name(title, otherwise="map"))
        told = ground.of(field_.places)
        map_ = HexMap(
            grid=field_.grid,
            numbering=field_.numbering,
            hexes=_grounds(field_, told),
            kinds=Kinds().with_ids("terrain", (one.terrain for one in told.values())),
            title=title,
            notes=(self._note(board),),
            picture=self._picture(id_, board),
            provenance=IMPORTED,
        )
        made = ImportedMap(id_, map_, board.map_name, board.name)
        self.done.maps.append(made)
        self.done.hints += _hints(made, field_, told)

    def _picture(self, id_: str, board: ForeignBoard) -> Picture | None:
        """Return the picture of a board, written once for all maps of it."""
        if not board.image:
            return None
        if board.image not in self._written:
            found = self._pictures.find(board.image)
            if not isinstance(found, ForeignPicture) or found.size_px != board.size_px:
                why = found if isinstance(found, Dropped) else Dropped("exporters.import.why.size")
                values = {"board": board.name, "why": why.told}
                self.done.lost.append(Dropped("exporters.import.lost.picture", values))
                return None
            path = f"{id_}{found.suffix}"
            self.done.files.append(OutFile(path, found.data))
            self._written[board.image] = Picture(path, sha256(found.data), *found.size_px)
        return self._written[board.image]

    def _note(self, board: ForeignBoard) -> str:
        module = self._module
        words = {"board": board.name, "module": module.name, "version": module.version}
        return say("exporters.import.note", **words)

    def told(self) -> ImportedBoards:
        """Return what was made; boards that are no maps for one reason are told in one line."""
        for why, names in self._not_maps.items():
            words = {"n": len(names), "board": ", ".join(names), "why": why}
            self.done.lost.append(Dropped("exporters.import.lost.board", words))
        return self.done

    def _lose(self, board: str, why: str) -> None:
        names = self._not_maps.setdefault(why, [])
        if board not in names:
            names.append(board)


def _why_not(board: ForeignBoard) -> Dropped:
    """Return why a board is no map: what its grids are, zone by zone."""
    return next(_faults(board), Dropped("exporters.import.why.no_grid"))


def _faults(board: ForeignBoard) -> Iterator[Dropped]:
    for part in board.parts:
        hexes = part.hexes
        if hexes is not None and min(hexes.dx, hexes.dy) < LEAST_PITCH_PX:
            pitch = f"{min(hexes.dx, hexes.dy):g}"
            yield Dropped(
                "exporters.import.why.small", {"px": pitch, "least": f"{LEAST_PITCH_PX:g}"}
            )
        elif hexes is not None and not is_printed(hexes, board.size_px):
            yield Dropped("exporters.import.why.many", {"most": MOST_HEXES})
        elif hexes is not None:
            yield Dropped("exporters.import.why.beside")
        elif part.locations:
            yield Dropped("exporters.import.why.points", {"n": len(part.locations)})
        elif part.kind == _SQUARE:
            yield Dropped("exporters.import.why.square")
        elif part.kind and part.kind != "RegionGrid":
            yield Dropped("exporters.import.why.own_grid", {"name": part.kind})


def _grounds(field_: HexField, told: Mapping[Hex, Ground]) -> dict[Hex, Ground]:
    """Return what lies in each hex; names that follow no rule are kept as those of the hexes."""
    grounds = {hex_: told.get(hex_, Ground()) for hex_ in field_.places}
    if field_.ruled:
        return grounds
    return {
        hex_: replace(grounds[hex_], name=place.bare) if place is not None else grounds[hex_]
        for hex_, place in field_.places.items()
    }


def _hints(made: ImportedMap, field_: HexField, told: Mapping[Hex, Ground]) -> Iterator[Dropped]:
    """Yield what the user should know of a map before he works with it."""
    named = [one for one in field_.places.values() if one is not None]
    values = {"map": made.id}
    if not field_.ruled:
        key = "renamed" if named else "unnamed"
        yield Dropped(f"exporters.import.hint.{key}", values)
    elif named and named[0].bare not in made.map.label(next(iter(field_.places))):
        labels = {"engine": named[0].bare, "label": made.map.label(next(iter(field_.places)))}
        yield Dropped("exporters.import.hint.spelt", values | labels)
    if field_.unnumbered:
        yield Dropped("exporters.import.hint.below_zero", values | {"n": field_.unnumbered})
    if told:
        yield Dropped("exporters.import.hint.ground", values | {"n": len(told)})
