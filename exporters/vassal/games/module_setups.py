"""The set-ups that a module brings: where it lays the units that stand on no hex."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from exporters.model import ExportError, GivenFile
from exporters.vassal.foreign import ForeignModule, tags
from exporters.vassal.games.position_read import Known, PositionReader
from exporters.vassal.saves.pieces import Spot
from exporters.vassal.saves.save_file import SavedGame, read_save
from exporters.vassal.saves.table import Laid
from rules.positions.position import Position

_SETUP = "VASSAL.build.module.PredefinedSetup"


@dataclass(frozen=True, slots=True)
class Waiting:
    """Boards of windows as a set-up lays them, and spots of units that wait there."""

    boards: Mapping[str, Sequence[Laid]] = field(default_factory=dict)
    spots: Mapping[str, Spot] = field(default_factory=dict)


def waiting_as_set_up(module: ForeignModule, known: Known, position: Position) -> Waiting:
    """Return where the module's own set-ups lay those who wait: of several, the one that most fits.

    A unit lies there only where it waits for the same: the set-up's place for it is its own.
    """
    wanted = {
        id_: piece.place for id_, piece in position.pieces.items() if piece.place.kind != "hex"
    }
    best = Waiting()
    for _, game in set_ups_of(module) if wanted else ():
        if isinstance(game, ExportError):
            continue
        reader = PositionReader(known)
        try:
            found = reader.read(game).position.pieces
        except ExportError:
            continue
        at = {id_: piece.spot for piece in game.pieces if (id_ := reader.unit_id(piece))}
        spots = {
            id_: at[id_]
            for id_, place in wanted.items()
            if id_ in found and found[id_].place == place
        }
        if len(spots) > len(best.spots):
            best = Waiting(game.boards, spots)
    return best


def set_ups_of(module: ForeignModule) -> Iterator[tuple[str, SavedGame | ExportError]]:
    """Yield the saved games that a module begins with, by their names; else why one does not read.

    A file that several set-ups name is read once.
    """
    named: dict[str, str] = {}
    for one in tags(module.root):
        if one.tag == _SETUP and one.get("useFile") != "false" and one.get("file"):
            named.setdefault(one.get("file", ""), one.get("name", "") or one.get("file", ""))
    for file, name in named.items():
        try:
            yield name, read_save(_unpacked(module, file))
        except ExportError as error:
            yield name, error


def _unpacked(module: ForeignModule, file: str) -> GivenFile:
    data = module.unpacked(file)
    if data is None:
        raise ExportError(f"{file} is not in the module, or does not unpack")
    return GivenFile(file, data)
