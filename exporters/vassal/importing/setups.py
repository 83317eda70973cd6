"""The set-ups of a module as tables: which counter stands in which hex when a game begins."""

import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from io import BytesIO

from counters.model import Counter, Face, Unit
from counters.units_table import UnitRow, dump_unit_rows
from exporters.model import Dropped, ExportError, GivenFile, OutFile
from exporters.vassal.binding import UnitKeys
from exporters.vassal.foreign import BROKEN, ForeignModule, tags
from exporters.vassal.importing.counters import ImportedCounters
from exporters.vassal.importing.names import FreeNames, plain_name
from exporters.vassal.importing.places import Places
from exporters.vassal.importing.slots import Slot
from exporters.vassal.saves.save_file import SavedGame, read_save
from mapkit.kinds import UNKNOWN
from mapkit.tables.spreadsheet import Table, write_csv

FOLDER = "setups"
AT_START = "at-start"

_SETUP = "VASSAL.build.module.PredefinedSetup"
_MOST_BYTES = 100_000_000
_PLACE = "place"


@dataclass(frozen=True, slots=True)
class Standing:
    """A counter on its place; one that no slot of the module holds has only a name."""

    counter: Counter
    place: str


@dataclass(frozen=True, slots=True)
class SetUp:
    """One set-up: its name, and who stands where in it."""

    name: str
    standing: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class SetUps:
    """All set-ups of a module, and what of them did not read."""

    setups: tuple[SetUp, ...] = ()
    lost: tuple[Dropped, ...] = ()


def read_setups(
    module: ForeignModule,
    slots: tuple[Slot, ...],
    counters: ImportedCounters,
    keys: UnitKeys,
    places: Places,
) -> SetUps:
    """Return the set-ups of a module: its stacks at start, and each saved game it begins with."""
    by_id = {one.id: one for one in counters.counters}
    found: list[SetUp] = []
    at_start = tuple(
        Standing(by_id[counters.by_slot[number]], places.of_stack(slot.window, dict(holder.attrib)))
        for number, slot in enumerate(slots)
        if slot.where == "stack" and (holder := slot.holder) is not None
    )
    if at_start:
        found.append(SetUp(AT_START, at_start))
    lost: list[Dropped] = []
    for name, file in _files(module):
        try:
            game = read_save(_unpacked(module, file))
        except ExportError as error:
            words = {"name": name, "why": str(error)}
            lost.append(Dropped("exporters.import.lost.setup", words))
            continue
        found.append(SetUp(name, tuple(_standing(game, by_id, keys, places))))
    return SetUps(tuple(found), tuple(lost))


def setup_files(setups: Iterable[SetUp]) -> Iterator[tuple[SetUp, list[OutFile]]]:
    """Yield each set-up with its files: units as `mapkit rules position new --units` takes them.

    Markers have no side, so they stand in a table of their own beside.
    """
    names = FreeNames()
    for setup in setups:
        stem = names.take(plain_name(setup.name, otherwise="setup"))
        ids = FreeNames()
        rows, markers = [], []
        for one in setup.standing:
            id_ = ids.take(one.counter.id)
            if isinstance(one.counter, Unit):
                bare = replace(one.counter, id=id_, copies=1, faces=_without_pictures(one.counter))
                rows.append(UnitRow(bare, {_PLACE: one.place}))
            else:
                markers.append((id_, one.counter.name, one.place))
        files = [OutFile(f"{FOLDER}/{stem}.csv", dump_unit_rows(rows, (_PLACE,)))]
        if markers:
            table = Table("markers", ("id", "name", _PLACE), markers)
            files.append(OutFile(f"{FOLDER}/{stem}-markers.csv", write_csv(table)))
        yield setup, files


def _without_pictures(unit: Unit) -> tuple[Face, ...]:
    """Return the faces with values only: a table in another folder would not find pictures."""
    return tuple(replace(face, picture="") for face in unit.faces if face.known)


def _files(module: ForeignModule) -> Iterator[tuple[str, str]]:
    """Yield name and file of each set-up that begins with a saved game."""
    for one in tags(module.root):
        if one.tag == _SETUP and one.get("isMenu") != "true" and one.get("useFile") != "false":
            file = one.get("file", "")
            if file:
                yield one.get("name", "") or file, file


def _unpacked(module: ForeignModule, file: str) -> GivenFile:
    try:
        with zipfile.ZipFile(BytesIO(module.file.data)) as archive, archive.open(file) as packed:
            data = packed.read(_MOST_BYTES + 1)
    except (KeyError, *BROKEN):
        raise ExportError(f"{file} is not in the module, or does not unpack") from None
    if len(data) > _MOST_BYTES:
        raise ExportError(f"{file} unpacks to more than {_MOST_BYTES // 1_000_000} MB")
    return GivenFile(file, data)


def _standing(
    game: SavedGame, by_id: Mapping[str, Counter], keys: UnitKeys, places: Places
) -> Iterator[Standing]:
    for piece in game.pieces:
        id_ = keys.unit_of(piece.marks(), piece.gpid, piece.name)
        counter = by_id.get(id_ or "")
        if counter is None:
            name = piece.name or piece.gpid or "piece"
            counter = Unit(plain_name(name, otherwise="piece"), name, UNKNOWN)
        yield Standing(counter, places.of_spot(piece.spot, game.boards))
