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
    for game in _set_ups(module) if wanted else ():
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


def _set_ups(module: ForeignModule) -> Iterator[SavedGame]:
    """Yield the saved games a module begins with; one that does not read is passed over."""
    files = [one.get("file", "") for one in tags(module.root) if one.tag == _SETUP]
    for file in dict.fromkeys(files):
        data = module.unpacked(file)
        if data is None:
            continue
        try:
            yield read_save(GivenFile(file, data))
        except ExportError:
            continue
