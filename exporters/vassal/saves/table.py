"""The game on the engine's table: commands are carried out on it as the engine does."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from exporters.vassal.saves.pieces import (
    SavedPiece,
    SavedStack,
    Spot,
    in_saved_state,
    is_stack,
    read_piece,
    read_stack,
    spot_of,
    stack_in_state,
)
from exporters.vassal.saves.secrets import LOGGED, Secrets
from exporters.vassal.sequence import TAB, split

Laid = tuple[str, int, int]
"""A board as it is laid out in a window: its name, with `TURNED` where it is; column, row."""

TURNED = "/rev"

PICKER = "BoardPicker"
"""After the name of a window: the command that lays its boards."""

TURN = "TURN"
"""Before the name of a tracker: the command that says what turn it is."""


@dataclass
class Table:
    """What lies where: pieces and stacks by their ids, boards by their windows, turns by tracker.

    What a command does that names a piece nobody added is nothing, as in the engine.
    """

    secrets: Secrets = field(default_factory=Secrets)
    pieces: dict[str, SavedPiece] = field(default_factory=dict)
    stacks: dict[str, SavedStack] = field(default_factory=dict)
    boards: dict[str, tuple[Laid, ...]] = field(default_factory=dict)
    turns: dict[str, str] = field(default_factory=dict)
    _in_stack: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._sides: Mapping[str, str] = self.secrets.sides

    def carry_out(self, command: str) -> None:
        """Do what a command says; one that concerns neither pieces, boards nor turns does nothing.

        Raises:
            ExportError: it adds or moves what does not read.
        """
        bare = command.removeprefix(LOGGED)
        match bare[:2]:
            case "+/":
                self._add(bare)
            case "-/":
                self._remove(bare[2:])
            case "D/":
                self._change(bare)
            case "M/":
                self._move(bare)
            case _:
                self._lay_or_turn(bare)

    def _add(self, command: str) -> None:
        if is_stack(command):
            self._put(read_stack(command))
        else:
            piece = read_piece(command, self._sides)
            self.pieces[piece.id] = piece

    def _put(self, stack: SavedStack) -> None:
        """Lay a stack: who lies in it lies in no other, and where it does."""
        for id_ in self.stacks.get(stack.id, stack).members:
            self._leave(id_)
        for id_ in stack.members:
            self._leave(id_)
            self._set(id_, stack.spot)
            self._in_stack[id_] = stack.id
        self.stacks[stack.id] = stack

    def _remove(self, id_: str) -> None:
        self._leave(id_)
        self.pieces.pop(id_, None)
        stack = self.stacks.pop(id_, None)
        for member in stack.members if stack else ():
            self._in_stack.pop(member, None)

    def _change(self, command: str) -> None:
        _, id_, state = (*split("/", command), "", "")[:3]
        if id_ in self.pieces:
            before = self.pieces[id_]
            self.pieces[id_] = after = in_saved_state(before, state, self._sides)
            if after.spot != before.spot:
                self._leave(id_)
        elif id_ in self.stacks:
            self._put(stack_in_state(self.stacks[id_], state))

    def _move(self, command: str) -> None:
        _, id_, map_, x, y, under = (*split("/", command), *[""] * 6)[:6]
        spot = spot_of(map_, x, y)
        if id_ in self.stacks:
            self.stacks[id_] = replace(self.stacks[id_], spot=spot)
            for member in self.stacks[id_].members:
                self._set(member, spot)
        elif id_ in self.pieces:
            self._leave(id_)
            self._set(id_, spot)
            self._join(id_, spot, under)

    def _join(self, id_: str, spot: Spot, under: str) -> None:
        """Put a piece into the stack it comes to lie in: that of *under*, else the one there.

        Without that, a move of the whole stack would leave it behind.
        """
        below = self._in_stack.get(under, under)
        here = [one for one in self.stacks.values() if one.spot == spot and spot.map]
        named = [one for one in here if one.id == below]
        for stack in (named or here)[:1]:
            self.stacks[stack.id] = replace(stack, members=(*stack.members, id_))
            self._in_stack[id_] = stack.id

    def _leave(self, id_: str) -> None:
        stack = self.stacks.get(self._in_stack.pop(id_, ""))
        if stack is None:
            return
        left = tuple(one for one in stack.members if one != id_)
        if left or stack.is_deck:
            self.stacks[stack.id] = replace(stack, members=left)
        else:  # the engine takes an empty stack off
            del self.stacks[stack.id]

    def _set(self, id_: str, spot: Spot) -> None:
        if id_ in self.pieces:
            self.pieces[id_] = replace(self.pieces[id_], spot=spot)

    def _lay_or_turn(self, command: str) -> None:
        name, *words = split(TAB, command)
        if name.endswith(PICKER):
            self._lay(name.removesuffix(PICKER), words)
        elif name.startswith(TURN) and words:
            self.turns[name.removeprefix(TURN)] = words[0]

    def _lay(self, window: str, words: list[str]) -> None:
        """Lay boards; a window whose boards do not read keeps what it has."""
        threes = list(zip(words[::3], words[1::3], words[2::3], strict=False))
        if all(one.isascii() and one.isdecimal() for _, *place in threes for one in place):
            self.boards[window] = tuple(
                ("/".join(split("/", board)), int(column), int(row))
                for board, column, row in threes
            )
