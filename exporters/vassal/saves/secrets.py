"""What nobody else may read in a saved game: passwords, by which the engine knows its players.

They stand in clear in the roster, behind every move, in notes and in whoever hides a piece. Here
they are found, so that the sides of players can be told and no text that holds one is ever shown.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from exporters.vassal.saves.pieces import owners_in
from exporters.vassal.sequence import TAB, split, unnest

LOGGED = f"LOG{TAB}"
HIDDEN_WORDS = "…"

_PLAYER = f"PLAYER{TAB}"
_NAMING = {_PLAYER: (1,), f"PYREMOVE{TAB}": (1,), f"PNOTE{TAB}": (1,), f"SNOTE{TAB}": (2,)}
"""Commands that name a player, and which of their words does."""

_ALLOWING = f"UNMASK{TAB}"
_MOVER = 10
_NOBODY = "null"


@dataclass(frozen=True, slots=True)
class Secrets:
    """The passwords of a saved game, kept while it is read and told to nobody."""

    _owners: dict[str, str] = field(default_factory=dict, repr=False)
    _words: frozenset[str] = field(default_factory=frozenset, repr=False)

    @property
    def sides(self) -> dict[str, str]:
        """The sides of players by their passwords."""
        return dict(self._owners)

    def told(self, text: str) -> str:
        """Return a text of the saved game if it may be shown, else only that there is one."""
        folded = text.casefold()
        return HIDDEN_WORDS if any(word in folded for word in self._words) else text


def secrets_of(commands: Iterable[str]) -> Secrets:
    """Return the passwords that stand in the commands of a saved game or log, logged or not."""
    owners: dict[str, str] = {}
    words: set[str] = set()
    types: dict[str, list[str]] = {}
    for command in commands:
        bare = command.removeprefix(LOGGED)
        words.update(_named(bare, types))
        if bare.startswith(_PLAYER):
            _, id_, _, side = (*split(TAB, bare), "", "", "")[:4]
            owners[id_] = side
    return Secrets(owners, frozenset(word.casefold() for word in words - {"", _NOBODY}))


def _named(command: str, types: dict[str, list[str]]) -> Iterator[str]:
    """Yield the players that a command names; *types* keeps the traits of pieces by their ids."""
    for head, places in _NAMING.items():
        if command.startswith(head):
            tokens = split(TAB, command)
            yield from (tokens[place] for place in places if place < len(tokens))
    if command.startswith(_ALLOWING):
        yield from split(TAB, command)[1:]
    if command[:2] not in ("M/", "+/", "D/"):
        return
    sort, *parts = split("/", command)
    if sort == "M":
        yield from parts[_MOVER - 1 :]
    elif sort == "+" and len(parts) > 2:
        types[parts[0]] = unnest(TAB, parts[1])
        yield from _owners(types[parts[0]], parts[2])
    elif sort == "D" and parts[0] in types:
        for state in parts[1:3]:
            yield from _owners(types[parts[0]], state)


def _owners(types: list[str], state: str) -> Iterator[str]:
    for pair in zip(types, unnest(TAB, state, len(types)), strict=False):
        yield from owners_in(*pair)
