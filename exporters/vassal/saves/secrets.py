"""Passwords out of the commands of a saved game: players are known to the engine by them."""

import re
from collections.abc import Iterable, Iterator

from exporters.model import ExportError
from exporters.vassal.saves.pieces import is_stack, owned, read_piece, write_piece
from exporters.vassal.sequence import TAB, join, nest, split, unnest

LOGGED = f"LOG{TAB}"
PLAYER = f"PLAYER{TAB}"
_PRIVATE = (f"PNOTES{TAB}", f"PYREMOVE{TAB}")


def public(commands: Iterable[str]) -> Iterator[str]:
    """Yield the commands without passwords; one that cannot be cleaned is left out.

    >>> list(public(["PLAYER\\thush\\tAnna\\tRed", "M/7/Map/1/2/null/Map/3/4/null/hush"]))
    ['PLAYER\\t\\tAnna\\tRed', 'M/7/Map/1/2/null/Map/3/4/null/']
    """
    listed = list(commands)
    known = {split(TAB, _bare(one))[1] for one in listed if _bare(one).startswith(PLAYER)} - {""}
    signs = "[;,/\t\\\\]"
    words = "|".join(re.escape(word) for word in known)
    tells = re.compile(rf"(?:^|{signs})(?:{words})(?:$|{signs})") if known else None
    types: dict[str, list[str]] = {}
    for command in listed:
        logged = LOGGED if command.startswith(LOGGED) else ""
        cleaned = _cleaned(_bare(command), types, tells)
        if cleaned is not None:
            yield logged + cleaned


def _cleaned(
    command: str, types: dict[str, list[str]], tells: re.Pattern[str] | None
) -> str | None:
    if command.startswith(PLAYER):
        _, _, *words = split(TAB, command)
        return join(TAB, ["PLAYER", "", *words[:2]])
    if command.startswith("+/") and not is_stack(command):
        return _cleaned_piece(command, types)
    if command.startswith("D/"):
        return _cleaned_change(command, types)
    if command.startswith("M/"):
        return join("/", [*split("/", command)[:10], ""])
    secret = tells is not None and tells.search(command) is not None
    return None if secret or command.startswith(_PRIVATE) else command


def _cleaned_piece(command: str, types: dict[str, list[str]]) -> str:
    parts = split("/", command)
    if len(parts) > 2 and parts[2].startswith("deck;"):
        return command
    piece = read_piece(command)  # leaves the owners out
    types[piece.id] = [one.type for one in piece.traits]
    return write_piece(piece)


def _cleaned_change(command: str, types: dict[str, list[str]]) -> str | None:
    """Return a change of state; one of a piece nobody added is left out."""
    parts = split("/", command)
    known = types.get(parts[1]) if len(parts) > 2 else None
    if known is None:
        return None
    states = unnest(TAB, parts[2])
    if len(states) != len(known):
        raise ExportError(f"the state of piece {parts[1]} does not fit its traits")
    kept = ["" if owned(type_) else state for type_, state in zip(known, states, strict=True)]
    return join("/", ["D", parts[1], nest(TAB, kept)])


def _bare(command: str) -> str:
    return command.removeprefix(LOGGED)
