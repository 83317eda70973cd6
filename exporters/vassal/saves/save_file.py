"""A saved game or a log as a file: a small archive, read with nothing trusted, and written.

Players are known to the engine by their passwords, which stand in the file in clear. They stop
here: no command that this module hands out holds one.
"""

import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO

from lxml import etree

from exporters.archives import pack_zip
from exporters.model import ExportError, GivenFile, OutFile
from exporters.vassal.metadata import metadata
from exporters.vassal.obfuscation import unveil, veil
from exporters.vassal.saves.command_tree import leaves, together
from exporters.vassal.saves.pieces import (
    SavedPiece,
    SavedStack,
    is_stack,
    read_piece,
    read_stack,
    write_piece,
    write_stack,
)
from exporters.vassal.saves.secrets import public
from exporters.vassal.sequence import TAB, join, split

BEGIN, END = "begin_save", "end_save"
SETUP_STACK = f"SETUP_STACK{TAB}"
"""Tells the engine that this is no new game: else it would lay out its stacks at start."""

_PICKER = "BoardPicker"
_MOST_BYTES = 200_000_000
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, KeyError)


@dataclass(frozen=True, slots=True)
class SavedGame:
    """What a saved game holds: the boards of each map window, pieces, stacks, and all the rest.

    *boards* are by map window (board, column, row). *others* are the remaining commands of the
    restored game, *logged* those of a log that follow it, in order.
    """

    module: str
    module_version: str
    comment: str = ""
    boards: Mapping[str, tuple[tuple[str, int, int], ...]] = field(default_factory=dict)
    pieces: tuple[SavedPiece, ...] = ()
    stacks: tuple[SavedStack, ...] = ()
    others: tuple[str, ...] = ()
    logged: tuple[str, ...] = ()


def read_save(file: GivenFile) -> SavedGame:
    """Return what a .vsav or .vlog holds, without passwords and private notes.

    Raises:
        ExportError: it is no saved game, too big, or half written.
    """
    try:
        with zipfile.ZipFile(BytesIO(file.data)) as archive:
            names = archive.namelist()
            if "savedGame" not in names:
                raise _refused(file, "it holds no savedGame: it is no save or log of VASSAL")
            veiled = _unpacked(file, archive, "savedGame")
            about = [
                _texts(_unpacked(file, archive, name)) if name in names else {}
                for name in ("moduledata", "savedata")
            ]
    except _BROKEN as error:
        raise _refused(file, f"it is no whole zip archive ({error})") from None
    try:
        return _read(unveil(veiled), about[0], about[1])
    except ExportError as error:
        raise ExportError(f"{file.name}: {error}") from None


def write_save(game: SavedGame, module_data: bytes) -> bytes:
    """Return a saved game as the bytes of its file; *module_data* is the module's own metadata.

    Every piece must be expanded: the engine reads no prototype in a save.
    """
    placed = [write_piece(one) for one in game.pieces] + [write_stack(one) for one in game.stacks]
    boards = [_laid_command(map_, laid) for map_, laid in game.boards.items()]
    text = together([BEGIN, "", together(["", *placed]), *boards, SETUP_STACK, *game.others, END])
    files = [
        OutFile("savedGame", veil(text)),
        OutFile("savedata", metadata(game.module_version, game.comment)),
        OutFile("moduledata", module_data),
    ]
    return pack_zip(files)


def _read(text: str, module: Mapping[str, str], save: Mapping[str, str]) -> SavedGame:
    boards: dict[str, tuple[tuple[str, int, int], ...]] = {}
    pieces: list[SavedPiece] = []
    stacks: list[SavedStack] = []
    others: list[str] = []
    logged: list[str] = []
    restored = False
    for leaf in public(leaves(text)):
        if restored:
            logged.append(leaf)
        elif leaf == END:
            restored = True
        elif is_stack(leaf):
            stacks.append(read_stack(leaf))
        elif leaf.startswith("+/"):
            if not _is_deck(leaf):
                pieces.append(read_piece(leaf))
        elif (laid := _laid(leaf)) is not None:
            boards[laid[0]] = laid[1]
        elif leaf not in (BEGIN, SETUP_STACK):
            others.append(leaf)
    if not restored:
        raise ExportError("the saved game breaks off before its end; save it again in VASSAL")
    name, version = module.get("name", ""), module.get("version", "")
    comment = save.get("description", "")
    restored_game = (tuple(pieces), tuple(stacks), tuple(others), tuple(logged))
    return SavedGame(name, version, comment, boards, *restored_game)


def _is_deck(leaf: str) -> bool:
    return split("/", leaf)[2:3] != [] and split("/", leaf)[2].startswith("deck;")


def _laid_command(map_: str, laid: tuple[tuple[str, int, int], ...]) -> str:
    """Return the command that lays boards; "/" in a name would else begin how one is turned."""
    words = (word for board, *place in laid for word in (join("/", [board]), *map(str, place)))
    return join(TAB, [f"{map_}{_PICKER}", *words])


def _laid(leaf: str) -> tuple[str, tuple[tuple[str, int, int], ...]] | None:
    """Return a map window and its boards (name, column, row), where a command tells them."""
    name, *words = split(TAB, leaf)
    if not name.endswith(_PICKER) or len(words) % 3:
        return None
    threes = zip(words[::3], words[1::3], words[2::3], strict=True)
    try:
        laid = tuple((split("/", board)[0], int(column), int(row)) for board, column, row in threes)
    except ValueError:
        return None
    return name.removesuffix(_PICKER), laid


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
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError:
        return {}
    return {str(one.tag): one.text or "" for one in root.iter(tag=etree.Element)}
