"""A piece as the engine keeps it: its traits, whose they are, and where it stands."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from exporters.model import ExportError
from exporters.vassal.sequence import TAB, join, nest, split, unnest
from exporters.vassal.traits import Trait, marks_of

STACK = "stack"
_BASIC = "piece;"
_LAYER = "@@"
_OFF_BOARD = "null"

_OWNED = ("restrict;", "obs;", "hide;")
"""Traits whose state names their owner by his password."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a piece stands: pixels of a map window; no map where it lies nowhere."""

    map: str = ""
    x: int = 0
    y: int = 0


@dataclass(frozen=True, slots=True)
class SavedPiece:
    """A piece: its id in the save, its traits with the outermost first, and where it stands.

    The last trait is the basic piece; its state is kept here as *spot*, *gpid* (the number of the
    slot it came from) and *extra* (how many properties the engine remembers, then each with its
    value).
    """

    id: str
    traits: tuple[Trait, ...]
    spot: Spot = Spot()
    gpid: str = ""
    extra: tuple[str, ...] = ("0",)

    @property
    def name(self) -> str:
        """The name of the basic piece, without what layers add to it."""
        return _field(self.traits[-1].type, 4)

    @property
    def image(self) -> str:
        """The picture of the basic piece; "" where layers are all there is to see."""
        return _field(self.traits[-1].type, 3)

    def marks(self) -> dict[str, str]:
        """Return the fixed properties of the piece; the outermost of a name counts."""
        return marks_of(self.traits)


@dataclass(frozen=True, slots=True)
class SavedStack:
    """Pieces that lie on each other, the lowest first."""

    id: str
    spot: Spot
    members: tuple[str, ...]
    layer: int = 0


def read_piece(text: str) -> SavedPiece:
    """Return the piece that a slot, a prototype or a saved game describes.

    Raises:
        ExportError: it is no command that adds a piece, or its traits do not read.
    """
    _, id_, type_, state = _parts(text)
    types, states = unnest(TAB, type_), unnest(TAB, state)
    if not types[-1].startswith(_BASIC):
        raise ExportError(f"a piece has no basic piece at its core but '{types[-1][:40]}'")
    states += [""] * (len(types) - len(states))  # a state may end early: what lacks is as new
    traits = tuple(_without_owner(Trait(*pair)) for pair in zip(types, states, strict=False))
    map_, x, y, gpid, count, *kept = (*split(";", states[len(types) - 1]), *[""] * 5)
    remembered = kept[: 2 * int(count)] if count.isdecimal() else []
    extra = (str(len(remembered) // 2), *remembered)
    return SavedPiece("" if id_ == "null" else id_, traits, _spot(map_, x, y), gpid, extra)


def write_piece(piece: SavedPiece) -> str:
    """Return the command that adds a piece: the inverse of `read_piece`."""
    spot = piece.spot
    where = [spot.map or _OFF_BOARD, str(spot.x), str(spot.y), piece.gpid, *piece.extra]
    states = [*(one.state for one in piece.traits[:-1]), join(";", where)]
    types = nest(TAB, [one.type for one in piece.traits])
    return join("/", ["+", piece.id or "null", types, nest(TAB, states)])


def read_stack(text: str) -> SavedStack:
    """Return the stack that a command adds.

    Raises:
        ExportError: it is none.
    """
    _, id_, _, state = _parts(text)
    map_, x, y, *members = (*split(";", state), "", "")
    layer = 0
    listed = [one for one in members if one]
    if listed and listed[-1].startswith(_LAYER):
        number = listed.pop().removeprefix(_LAYER)
        layer = int(number) if number.removeprefix("-").isdecimal() else 0
    return SavedStack(id_, _spot(map_, x, y), tuple(listed), layer)


def write_stack(stack: SavedStack) -> str:
    """Return the command that adds a stack, once its members are there."""
    where = [stack.spot.map or _OFF_BOARD, str(stack.spot.x), str(stack.spot.y)]
    state = join(";", [*where, *stack.members, f"{_LAYER}{stack.layer}"])
    return join("/", ["+", stack.id, STACK, state])


def is_stack(text: str) -> bool:
    """Tell whether a command adds a stack and no piece."""
    parts = split("/", text)
    return parts[0] == "+" and len(parts) > 2 and parts[2] == STACK


def owned(type_: str) -> bool:
    """Tell whether the state of a trait names a player, which is to say his password."""
    return type_.startswith(_OWNED)


def expanded(piece: SavedPiece, prototypes: Mapping[str, SavedPiece]) -> SavedPiece:
    """Return a piece with the traits of its prototypes in their place, as the engine makes it.

    A saved game holds no prototypes: the engine would leave them unread. One that the module
    does not define, and one that holds itself, adds nothing.
    """
    return replace(piece, traits=tuple(_expanded(piece.traits, prototypes, ())))


def _expanded(
    traits: tuple[Trait, ...], prototypes: Mapping[str, SavedPiece], within: tuple[str, ...]
) -> Iterator[Trait]:
    for one in traits:
        if not one.type.startswith("prototype;"):
            yield one
            continue
        name = _field(one.type, 1)
        if name in prototypes and name not in within:
            yield from _expanded(prototypes[name].traits[:-1], prototypes, (*within, name))


def _parts(text: str) -> list[str]:
    parts = split("/", text)
    if len(parts) < 4 or parts[0] != "+":
        raise ExportError(f"'{text[:40]}' adds no piece")
    return parts[:4]


def _spot(map_: str, x: str, y: str) -> Spot:
    try:
        return Spot("" if map_ == _OFF_BOARD else map_, int(x or 0), int(y or 0))
    except ValueError:
        raise ExportError(f"a piece stands at '{x[:20]};{y[:20]}', which is no place") from None


def _without_owner(one: Trait) -> Trait:
    return replace(one, state="") if owned(one.type) else one


def _field(type_: str, number: int) -> str:
    fields = split(";", type_)
    return fields[number] if len(fields) > number else ""
