"""An author's module as the files of a project; `exporters.importing` writes them."""

from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from counters.markers_table import dump_markers
from counters.model import Marker
from counters.units_table import dump_units
from exporters.material import Material
from exporters.model import Dropped, ExportError, GivenFile, OutFile
from exporters.vassal.binding import Binding, UnitKeys
from exporters.vassal.binding_file import FILE as BINDING_FILE
from exporters.vassal.binding_file import dump_binding
from exporters.vassal.binding_found import known_boxes, turn_keys
from exporters.vassal.binding_made import bind
from exporters.vassal.foreign import ForeignModule, read_module, tags
from exporters.vassal.foreign_pictures import ForeignPictures
from exporters.vassal.games.known import Known
from exporters.vassal.games.position_read import PositionReader
from exporters.vassal.importing.account import account_of
from exporters.vassal.importing.counters import ImportedCounters, import_counters
from exporters.vassal.importing.maps import ImportedBoards, ImportedMap, import_boards
from exporters.vassal.importing.names import plain_name
from exporters.vassal.importing.places import SetUpPlaces
from exporters.vassal.importing.setups import SetUp, read_setups, setup_files
from exporters.vassal.importing.sides import Sides, read_sides, sides_by_roster
from exporters.vassal.importing.slots import Slot, read_slots
from exporters.vassal.traits import BOX_X, BOX_Y
from mapkit.errors import MapkitError
from mapkit.kinds import UNKNOWN
from mapkit.progress import OnProgress, ignore
from mapkit.texts import say
from rules.pack import Pack
from rules.positions.position_file import dump_position
from rules.positions.set_up import begin_from
from rules.project import FILE as PROJECT_FILE
from rules.project_new import project_text
from rules.registry import find_pack

UNITS, MARKERS = "units.csv", "markers.csv"

_DRAWN_IN_ORDER = "VASSAL.build.module.map.LayeredPieceCollection"
_REASONS = 3  # why boards are no maps: the first few are told


@dataclass(frozen=True)
class ModuleImport:
    """What a module becomes: its maps, all other files, and an account of what was lost."""

    name: str
    maps: tuple[ImportedMap, ...]
    files: tuple[OutFile, ...]
    sides: tuple[str, ...] = ()
    units: int = 0
    markers: int = 0
    setups: tuple[SetUp, ...] = ()
    lost: tuple[Dropped, ...] = ()
    hints: tuple[Dropped, ...] = ()


def import_module(
    file: GivenFile,
    *,
    sides: Sequence[str] = (),
    game: str | None = None,
    on_progress: OnProgress = ignore,
) -> ModuleImport:
    """Return a module as the files of a project.

    *sides* are words of the module that tell whose a piece is, written WORD=SIDE. With a *game*,
    set-ups whose units are all of its sides and classes become positions too.

    Raises:
        ExportError: it is no module, or none of its boards can be a map.
        PackError: there is no such game.
    """
    pack = None if game is None else find_pack(game)
    module = read_module(file)
    told = read_sides(module, sides, pack)
    pictures = ForeignPictures(module)
    on_progress(0.1, say("exporters.import.stage.boards"))
    boards = import_boards(module, pictures)
    if not boards.maps:
        raise _no_maps(file, boards)
    on_progress(0.5, say("exporters.import.stage.pieces"))
    read = read_slots(module)
    counters = import_counters(
        read.slots, told, pictures, passed_over=[*_orders_of_drawing(module), BOX_X, BOX_Y]
    )
    binding = _binding(module, boards, read.slots, counters, told, pack)
    on_progress(0.9, say("exporters.import.stage.setups"))
    places = SetUpPlaces(binding, {one.id: one.map for one in boards.maps}, boards.boards)
    setups = read_setups(module, read.slots, counters, binding.units, places)
    set_up, positions, kept_tables = _setup_files(setups.setups, pack, places, counters)
    tables = _counter_tables(counters)
    text = project_text(
        module.name,
        game,
        [one.file for one in boards.maps],
        units=[table.path for table in tables],
        positions=[one.path for one in positions],
    )
    return ModuleImport(
        module.name,
        tuple(boards.maps),
        (
            OutFile(PROJECT_FILE, text.encode()),
            OutFile(BINDING_FILE, dump_binding(binding)),
            account_of(module, told.names, boards, read, counters),
            *boards.files,
            *tables,
            *counters.files,
            *set_up,
            *positions,
        ),
        told.names,
        len(counters.units),
        len(counters.counters) - len(counters.units),
        setups.setups,
        (*boards.lost, *read.lost, *counters.lost, *setups.lost),
        (*boards.hints, *_doubtful_sides(told, counters, pack), *kept_tables),
    )


def _no_maps(file: GivenFile, boards: ImportedBoards) -> ExportError:
    if not boards.lost:
        return ExportError(f"{file.name}: the module has no board, so there is no map to make")
    reasons = "; ".join(one.told for one in boards.lost[:_REASONS])
    return ExportError(f"{file.name}: no board of it can be a map: {reasons}")


def _orders_of_drawing(module: ForeignModule) -> Iterator[str]:
    """Yield the marks by which maps draw their pieces one above the other."""
    for one in tags(module.root):
        if one.tag == _DRAWN_IN_ORDER:
            yield one.get("property", "Layer")


def _binding(
    module: ForeignModule,
    boards: ImportedBoards,
    slots: Sequence[Slot],
    counters: ImportedCounters,
    sides: Sides,
    pack: Pack | None,
) -> Binding:
    maps: dict[tuple[str, str], tuple[str, ...]] = {}
    for one in boards.maps:
        key = (one.window, one.board)
        maps[key] = (*maps.get(key, ()), one.id)
    ids: dict[str, set[str]] = {}
    for number, slot in enumerate(slots):
        ids.setdefault(slot.name, set()).add(counters.by_slot[number])
    keys = UnitKeys(
        counters.id_mark,
        {slot.gpid: counters.by_slot[n] for n, slot in enumerate(slots) if slot.gpid},
        {name: next(iter(own)) for name, own in ids.items() if name and len(own) == 1},
    )
    made = bind(
        module,
        {one.id: one.map for one in boards.maps},
        boards=maps,
        units=keys,
        sides=sides_by_roster(slots, sides),
        side_mark=_side_mark(slots),
        boxes=_boxes(module, boards, pack),
    )
    return replace(made, turns=turn_keys(module.root, pack))


def _boxes(module: ForeignModule, boards: ImportedBoards, pack: Pack | None) -> dict[str, str]:
    """Return the words of boxes: the game's own, else what the author calls zones and windows."""
    if pack is not None:
        known = known_boxes(Material(module.name, pack=pack))
        return {name: word for name, (word, _) in known.items()}
    zones = [
        part.name
        for board in boards.boards
        for part in board.parts
        if part.name and part.hexes is None and not part.locations
    ]
    windows = [one.get("mapName", "") for one in module.maps]
    return {name: plain_name(name, otherwise="box") for name in (*zones, *windows) if name}


def _side_mark(slots: Sequence[Slot]) -> str:
    """Return the mark that tells whose a piece is, as its author writes it."""
    names = Tally(
        name for slot in slots for name in slot.piece.marks() if name.strip().casefold() == "side"
    )
    return names.most_common(1)[0][0] if names else ""


def _counter_tables(counters: ImportedCounters) -> list[OutFile]:
    units = counters.units
    markers = [one for one in counters.counters if isinstance(one, Marker)]
    tables = [OutFile(UNITS, dump_units(units))] if units else []
    return [*tables, OutFile(MARKERS, dump_markers(markers))] if markers else tables


def _setup_files(
    setups: Sequence[SetUp], pack: Pack | None, places: SetUpPlaces, counters: ImportedCounters
) -> tuple[list[OutFile], list[OutFile], list[Dropped]]:
    """Return the tables of set-ups, those that are positions of a game, and why others are not."""
    tables: list[OutFile] = []
    positions: list[OutFile] = []
    kept: list[Dropped] = []
    for setup, files in setup_files(setups):
        tables += files
        if pack is None:
            continue
        first = files[0]
        try:
            position = begin_from(pack, None, first.data, source=first.path)
            if setup.game is not None:  # it tells states and the turn too
                units = {unit.id: unit for unit in counters.units}
                known = Known(
                    places.binding, pack.id, places.maps, units, pack=pack, before=position
                )
                position = PositionReader(known).read(setup.game).position
        except MapkitError as error:
            words = {"name": setup.name, "why": _first_fault(error)}
            kept.append(Dropped("exporters.import.hint.table", words))
            continue
        path = PurePosixPath(first.path).with_suffix(".position.json")
        positions.append(OutFile(str(path), dump_position(position)))
    return tables, positions, kept


def _first_fault(error: MapkitError) -> str:
    """Return an error in one line: of many bad cells how many there are, and the first."""
    return " ".join(line.strip() for line in str(error).splitlines()[:2])


def _doubtful_sides(
    sides: Sides, counters: ImportedCounters, pack: Pack | None
) -> Iterator[Dropped]:
    """Yield what the user must say of sides before the units can play."""
    unknown = sum(unit.side == UNKNOWN for unit in counters.units)
    if unknown:
        yield Dropped("exporters.import.hint.sides", {"n": unknown})
    if pack is None:
        return
    said = dict.fromkeys((*sides.names, *(unit.side for unit in counters.units)))
    others = [side for side in said if side not in pack.sides and side != UNKNOWN]
    if others:
        values = {"n": len(others), "names": ", ".join(others), "game": pack.title}
        choice = ", ".join(f"{id_} ({one.title})" for id_, one in pack.sides.items())
        yield Dropped("exporters.import.hint.other_sides", values | {"sides": choice})
