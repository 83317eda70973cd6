"""The set-ups of a module as tables: which counter stands in which hex when a game begins."""

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from counters.model import Counter, Face, Unit
from counters.units_table import UnitRow, dump_unit_rows
from exporters.model import Dropped, ExportError, OutFile
from exporters.vassal.binding import UnitKeys
from exporters.vassal.foreign import ForeignModule
from exporters.vassal.games.module_setups import set_ups_of
from exporters.vassal.games.position_read import copy_id
from exporters.vassal.importing.counters import ImportedCounters
from exporters.vassal.importing.names import FreeNames, plain_name
from exporters.vassal.importing.places import SetUpPlaces
from exporters.vassal.importing.slots import Slot
from exporters.vassal.saves.save_file import SavedGame
from mapkit.kinds import UNKNOWN
from mapkit.tables.spreadsheet import Table, write_csv

FOLDER = "setups"
AT_START = "at start"

_PLACE = "place"


@dataclass(frozen=True, slots=True)
class Standing:
    """A counter on its place; one that no slot of the module holds has only a name."""

    counter: Counter
    place: str


@dataclass(frozen=True, slots=True)
class SetUp:
    """One set-up: its name, who stands where in it, and the saved game it was read from."""

    name: str
    standing: tuple[Standing, ...]
    game: SavedGame | None = None


@dataclass(frozen=True, slots=True)
class SetUps:
    """All set-ups of a module, and what of them did not read."""

    setups: tuple[SetUp, ...] = ()
    lost: tuple[Dropped, ...] = ()


def read_setups(
    module: ForeignModule,
    slots: Sequence[Slot],
    counters: ImportedCounters,
    keys: UnitKeys,
    places: SetUpPlaces,
) -> SetUps:
    """Return the set-ups of a module: its stacks at start, and each saved game it begins with."""
    by_id = {one.id: one for one in counters.counters}
    found: list[SetUp] = []
    at_start = []
    for number, slot in enumerate(slots):
        if slot.where == "stack" and slot.holder is not None:
            spot = places.spot_of_stack(slot.window, dict(slot.holder.attrib))
            counter = by_id[counters.by_slot[number]]
            at_start.append(Standing(counter, places.of_spot(spot, {})))
    if at_start:
        found.append(SetUp(AT_START, tuple(at_start)))
    lost: list[Dropped] = []
    for name, game in set_ups_of(module):
        if isinstance(game, ExportError):
            words = {"name": name, "why": str(game)}
            lost.append(Dropped("exporters.import.lost.setup", words))
        else:
            found.append(SetUp(name, tuple(_standing(game, by_id, keys, places)), game))
    return SetUps(tuple(found), tuple(lost))


def setup_files(setups: Iterable[SetUp]) -> Iterator[tuple[SetUp, list[OutFile]]]:
    """Yield each set-up with its files: units as `mapkit rules position new --units` takes them.

    Markers have no side, so they stand in a table of their own beside.
    """
    names = FreeNames()
    for setup in setups:
        stem = names.take(plain_name(setup.name, otherwise="setup"))
        copies: Tally[str] = Tally()
        rows, markers = [], []
        for one in setup.standing:
            copies[one.counter.id] += 1
            id_ = copy_id(one.counter.id, copies[one.counter.id])
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


def _standing(
    game: SavedGame, by_id: Mapping[str, Counter], keys: UnitKeys, places: SetUpPlaces
) -> Iterator[Standing]:
    """Yield who stands where; what lies in decks stands nowhere."""
    in_decks = {id_ for one in game.stacks if one.is_deck for id_ in one.members}
    for piece in game.pieces:
        if piece.id in in_decks:
            continue
        id_ = keys.unit_of(piece.marks(), piece.gpid, piece.name)
        counter = by_id.get(id_ or "")
        if counter is None:
            name = game.secrets.told(piece.name) or piece.gpid or "piece"
            counter = Unit(plain_name(name, otherwise="piece"), name, UNKNOWN)
        yield Standing(counter, places.of_spot(piece.spot, game.boards))
