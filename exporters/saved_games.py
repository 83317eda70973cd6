"""From saved games on the disk to positions on the disk, and back: read, turn over, write."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from exporters.exporting import read_given
from exporters.model import Dropped, ExportError, OutFile
from exporters.tied_projects import TiedProject, load_tied
from exporters.vassal.games.position_read import PositionReader, ReadPosition
from exporters.vassal.games.position_written import write_position
from exporters.vassal.saves.save_file import read_log, write_save
from exporters.writing import write_files, write_single
from mapkit.progress import OnProgress, ignore
from mapkit.store.files import require_folder, require_free
from mapkit.texts import say
from rules.pack import Pack
from rules.positions.position import Position
from rules.positions.position_diff import Difference, differences
from rules.positions.position_file import dump_position
from rules.positions.position_store import SUFFIX, load_position, save_position
from rules.project import FILE as PROJECT_FILE

CHANGES = "changes.txt"
"""The list of what changed in a log, step by step."""

_IN_PLAY = ("place", "statuses", "steps_lost", "facing", "hidden_from")


@dataclass(frozen=True, slots=True)
class Source:
    """What to read: a saved game or log, the project, and its module where that is named.

    *onto* is a position that goes on: what a saved game cannot tell is taken from it.
    """

    file: Path
    project: Path
    module: Path | None = None
    onto: Path | None = None


@dataclass(frozen=True, slots=True)
class ImportedSave:
    """A position that was written, and what of the saved game is not in it.

    *steps* follow in a log, of which only the beginning was taken.
    """

    written: Path
    position: Position
    untold: tuple[Dropped, ...]
    steps: int = 0

    def as_data(self) -> dict[str, object]:
        """Return it as JSON-able data."""
        return {
            "written": str(self.written),
            "units": len(self.position.pieces),
            "markers": len(self.position.markers),
            "turn": self.position.clock.turn,
            "phase": self.position.clock.phase,
            "steps": self.steps,
            "untold": [_data(one) for one in self.untold],
        }


@dataclass(frozen=True, slots=True)
class LoggedStep:
    """A step of a log that changed the position: its number, what changed, and its file."""

    number: int
    changes: tuple[Difference, ...]
    written: Path


@dataclass(frozen=True, slots=True)
class ImportedLog:
    """The positions of a log: where it begins, and after each step that changed something."""

    first: Path
    steps: tuple[LoggedStep, ...]
    of: int
    untold: tuple[Dropped, ...]
    listed: Path

    def as_data(self) -> dict[str, object]:
        """Return it as JSON-able data."""
        changed = [
            {
                "step": step.number,
                "position": str(step.written),
                "changes": [one.as_data() for one in step.changes],
            }
            for step in self.steps
        ]
        return {
            "first": str(self.first),
            "changed": changed,
            "list": str(self.listed),
            "steps": self.of,
            "untold": [_data(one) for one in self.untold],
        }


def import_save(source: Source, out: Path, *, force: bool = False) -> ImportedSave:
    """Write the position of a saved game, or of a log where it begins.

    Raises:
        ExportError: it is no saved game, or of another module; or *out* has another ending.
        FileChangedError: *out* exists, and *force* is not given.
        MapkitError: the project does not read, or the disk refused.
    """
    if not out.name.endswith(SUFFIX):
        raise ExportError(f"{out}: name a file that ends in {SUFFIX}")
    require_folder(out)
    require_free(out, force=force)
    first, *later = _positions(source, _tied(source))
    save_position(out, first.position, force=force)
    return ImportedSave(out, first.position, first.untold, len(later))


def import_log(
    source: Source, folder: Path, *, force: bool = False, on_progress: OnProgress = ignore
) -> ImportedLog:
    """Write the positions of a log, numbered by its steps, and a list of what changed.

    A step that changes nothing in the position (a word, a throw of dice) has no file.

    Raises:
        ExportError: it is no log, or of another module.
        FileChangedError: a file exists, and *force* is not given.
        MapkitError: the project does not read, or the disk refused.
    """
    tied = _tied(source)
    on_progress(0.1, say("exporters.game.stage.steps"))
    history = _History()
    for read in _positions(source, tied):
        history.add(read, tied)
    on_progress(0.9, say("exporters.game.stage.writing"))
    told = history.told(source.file.name).encode()
    first, *_ = write_files(folder, [*history.files, OutFile(CHANGES, told)], force=force)
    steps = tuple(LoggedStep(n, found, folder / name) for n, name, found in history.changed)
    return ImportedLog(first, steps, history.number, history.untold, folder / CHANGES)


@dataclass(frozen=True, slots=True)
class ExportedSave:
    """A saved game that was written, and what of the position is not in it."""

    written: Path
    pieces: int
    lost: tuple[Dropped, ...]

    def as_data(self) -> dict[str, object]:
        """Return it as JSON-able data."""
        lost = [_data(one) for one in self.lost]
        return {"written": str(self.written), "pieces": self.pieces, "lost": lost}


def export_save(
    position: Path, module: Path, out: Path, *, project: Path | None = None, force: bool = False
) -> ExportedSave:
    """Write a position as a saved game of a module; its project is the one around it.

    Raises:
        ExportError: it is no module, not tied to the project, or *out* has another ending.
        FileChangedError: *out* exists, and *force* is not given.
        MapkitError: position or project do not read, or the disk refused.
    """
    if out.suffix.casefold() != ".vsav":
        raise ExportError(f"{out}: name a file that ends in .vsav")
    require_folder(out)
    require_free(out, force=force)
    read = load_position(position)
    tied = load_tied(project or _around(position), read_given(module, what="module"))
    if read.game != tied.game:
        raise ExportError(
            f"{position}: the position is of '{read.game}', the project of '{tied.game}';"
            " name its own with --project"
        )
    made = write_position(read, tied.known(), tied.require_module())
    data = write_save(made.game, tied.module_data())
    write_single(out, OutFile(out.name, data), force=force)
    return ExportedSave(out, len(made.game.pieces), made.dropped)


def _around(position: Path) -> Path:
    """Return the folder of the project that a position lies in: its own, or one above it."""
    own = position.parent
    above = position.absolute().parents
    return next((one for one in (own, *above) if (one / PROJECT_FILE).is_file()), own)


def _tied(source: Source) -> TiedProject:
    module = None if source.module is None else read_given(source.module, what="module")
    return load_tied(source.project, module)


def _positions(source: Source, tied: TiedProject) -> Iterator[ReadPosition]:
    """Yield the position where a game or log begins, and after each step."""
    before = None if source.onto is None else load_position(source.onto)
    if before is not None and before.game != tied.game:
        raise ExportError(
            f"{source.onto}: the position is of '{before.game}', the project of '{tied.game}';"
            " name a position of this project"
        )
    reader = PositionReader(tied.known(before))
    for game in read_log(read_given(source.file, what="saved game")):
        try:
            yield reader.read(game)
        except ExportError as error:
            raise ExportError(f"{source.file.name}: {error}") from None


@dataclass
class _History:
    """The positions of a log so far: files of those that differ, and the differences."""

    files: list[OutFile] = field(default_factory=list)
    changed: list[tuple[int, str, tuple[Difference, ...]]] = field(default_factory=list)
    number: int = -1
    _last: Position | None = None
    _untold: dict[tuple[object, ...], Dropped] = field(default_factory=dict)

    @property
    def untold(self) -> tuple[Dropped, ...]:
        """All that any of the positions leaves out, each once."""
        return tuple(self._untold.values())

    def add(self, read: ReadPosition, tied: TiedProject) -> None:
        """Add the position after one more step."""
        self.number += 1
        for one in read.untold:
            key = (one.key, *((name, one.values[name]) for name in one.values if name != "n"))
            self._untold[key] = one
        changes: tuple[Difference, ...] = ()
        if self._last is not None:
            changes = tuple(_news(self._last, read.position, tied.pack))
        if self._last is None or changes:
            name = f"step-{self.number:04d}{SUFFIX}"
            self.files.append(OutFile(name, dump_position(read.position)))
            if changes:
                self.changed.append((self.number, name, changes))
        self._last = read.position

    def told(self, file: str) -> str:
        """Return what changed, step by step, as a text to read."""
        lines = [say("exporters.game.log.head", file=file, n=self.number)]
        for number, name, changes in self.changed:
            lines += ["", say("exporters.game.log.step", step=number, file=name)]
            lines += [f"  {one.told()}" for one in changes]
        return "\n".join(lines) + "\n"


def _news(before: Position, after: Position, pack: Pack | None) -> Iterator[Difference]:
    """Yield what a step changed; what a unit is, is no news when it comes or goes."""
    same = {id_ for id_, piece in after.pieces.items() if before.pieces.get(id_) is piece}
    both = before.pieces.keys() & after.pieces.keys()
    changed = differences(_without(before, same), _without(after, same), pack)
    for one in changed:
        if one.what != "unit" or one.at in both or one.value in _IN_PLAY:
            yield one


def _without(position: Position, ids: Collection[str]) -> Position:
    left = {id_: piece for id_, piece in position.pieces.items() if id_ not in ids}
    return replace(position, pieces=left)


def _data(one: Dropped) -> dict[str, object]:
    return {"what": one.key.rpartition(".")[2], **one.values, "text": one.told}
