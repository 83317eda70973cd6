"""A saved game or a log as a file: a small archive, read with nothing trusted, and written.

Players are known to the engine by their passwords, which stand in the file in clear. They stop
here: nothing that this module hands out holds one, and no error quotes the file.
"""

import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from io import BytesIO

from lxml import etree

from exporters.archives import pack_zip
from exporters.model import ExportError, GivenFile, OutFile
from exporters.vassal.foreign import BROKEN, BUILD_FILES, parsed_untrusted
from exporters.vassal.metadata import metadata
from exporters.vassal.obfuscation import unveil, veil
from exporters.vassal.saves.command_tree import steps, together
from exporters.vassal.saves.pieces import SavedPiece, SavedStack, write_piece, write_stack
from exporters.vassal.saves.secrets import Secrets, secrets_of
from exporters.vassal.saves.table import PICKER, TURN, TURNED, Laid, Table
from exporters.vassal.sequence import TAB, join

BEGIN, END = "begin_save", "end_save"
SETUP_STACK = f"SETUP_STACK{TAB}"
"""Tells the engine that this is no new game: else it would lay out its stacks at start."""

_MOST_BYTES = 200_000_000


@dataclass(frozen=True, slots=True)
class SavedGame:
    """What a saved game holds: the boards of each map window, pieces, stacks, and turns.

    *turns* are the states of turn trackers by name. *others* are further commands to be written:
    none is read. *secrets* knows what of the texts may be shown.
    """

    module: str
    module_version: str
    comment: str = ""
    boards: Mapping[str, tuple[Laid, ...]] = field(default_factory=dict)
    pieces: tuple[SavedPiece, ...] = ()
    stacks: tuple[SavedStack, ...] = ()
    others: tuple[str, ...] = ()
    turns: Mapping[str, str] = field(default_factory=dict)
    secrets: Secrets = field(default_factory=Secrets, repr=False, compare=False)


def read_save(file: GivenFile) -> SavedGame:
    """Return what a .vsav holds, or a .vlog where it begins, without what is secret.

    Raises:
        ExportError: it is no saved game, too big, or half written.
    """
    return next(read_log(file))


def read_log(file: GivenFile) -> Iterator[SavedGame]:
    """Yield the game where a log begins, and after each of its steps; a .vsav has none.

    Raises:
        ExportError: it is no saved game, too big, or half written.
    """
    text, about = _opened(file)
    number, restored = 0, False
    try:
        listed = list(steps(text))
        secrets = secrets_of(one for step in listed for one in step)
        table = Table(secrets)
        comment = secrets.told(about.comment)
        game = SavedGame(about.module, about.version, comment, secrets=secrets)
        for step in listed:
            number += restored
            for command in step:
                table.carry_out(command)
                restored = restored or command == END
            if restored:
                yield _snapshot(game, table)
    except ExportError as error:
        where = f"step {number} of the log: " if number else ""
        raise ExportError(f"{file.name}: {where}{error}; save it again in VASSAL") from None
    if not restored:
        why = "the saved game breaks off before its end; save it again in VASSAL"
        raise ExportError(f"{file.name}: {why}")


def write_save(game: SavedGame, module_data: bytes) -> bytes:
    """Return a saved game as the bytes of its file; *module_data* is the module's own metadata.

    Every piece must be expanded: the engine reads no prototype in a save.
    """
    placed = [write_piece(one) for one in game.pieces] + [write_stack(one) for one in game.stacks]
    boards = [_laid_command(map_, laid) for map_, laid in game.boards.items()]
    turns = [join(TAB, [f"{TURN}{name}", state]) for name, state in game.turns.items()]
    tail = [SETUP_STACK, *turns, *game.others, END]
    text = together([BEGIN, "", together(["", *placed]), *boards, *tail])
    files = [
        OutFile("savedGame", veil(text)),
        OutFile("savedata", metadata(game.module_version, game.comment)),
        OutFile("moduledata", module_data),
    ]
    return pack_zip(files)


@dataclass(frozen=True, slots=True)
class _About:
    module: str
    version: str
    comment: str


def _opened(file: GivenFile) -> tuple[str, _About]:
    """Return the text of a saved game, and what stands beside it of module and save."""
    try:
        with zipfile.ZipFile(BytesIO(file.data)) as archive:
            names = archive.namelist()
            if "savedGame" not in names:
                what = "a module" if set(names) & set(BUILD_FILES) else "no save or log of VASSAL"
                raise _refused(file, f"it holds no savedGame: it is {what}")
            veiled = _unpacked(file, archive, "savedGame")
            module, save = (
                _texts(_unpacked(file, archive, name)) if name in names else {}
                for name in ("moduledata", "savedata")
            )
    except (KeyError, *BROKEN):
        raise _refused(file, "it is no whole zip archive") from None
    about = _About(module.get("name", ""), module.get("version", ""), save.get("description", ""))
    try:
        return unveil(veiled), about
    except ExportError as error:
        raise ExportError(f"{file.name}: {error}") from None


def _snapshot(game: SavedGame, table: Table) -> SavedGame:
    return replace(
        game,
        boards=dict(table.boards),
        pieces=tuple(table.pieces.values()),
        stacks=tuple(table.stacks.values()),
        turns=dict(table.turns),
    )


def _laid_command(map_: str, laid: tuple[Laid, ...]) -> str:
    """Return the command that lays boards; "/" in a name would else begin how one is turned."""
    words: list[str] = []
    for board, column, row in laid:
        turned = [TURNED[1:]] if board.endswith(TURNED) else []
        words += [join("/", [board.removesuffix(TURNED), *turned]), str(column), str(row)]
    return join(TAB, [f"{map_}{PICKER}", *words])


def _refused(file: GivenFile, why: str) -> ExportError:
    return ExportError(f"{file.name}: {why}; give a .vsav or .vlog as VASSAL wrote it")


def _unpacked(file: GivenFile, archive: zipfile.ZipFile, entry: str) -> bytes:
    """Return an entry; what its head says of its size is not believed."""
    with archive.open(entry) as packed:
        data = packed.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise _refused(file, f"its {entry} unpacks to more than {_MOST_BYTES // 1_000_000} MB")
    return data


def _texts(data: bytes) -> dict[str, str]:
    """Return the texts of a metadata file by tag; nothing where it does not read."""
    try:
        root = parsed_untrusted(data)
    except etree.XMLSyntaxError:
        return {}
    return {str(one.tag): one.text or "" for one in root.iter(tag=etree.Element)}
