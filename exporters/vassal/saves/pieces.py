"""A piece as the engine keeps it: its traits, whose they are, and where it stands."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from exporters.model import ExportError
from exporters.vassal.sequence import TAB, join, nest, split, unnest
from exporters.vassal.traits import Trait, marks_of

SOMEBODY = "?"
"""Who hides a piece, where nobody can tell whose side he plays."""

_BASIC, _STACK, _DECK = "piece;", "stack", "deck;"
_LAYER = "@@"
_OFF_BOARD = "null"

_OPEN = {"obs": "null", "hide": "null", "restrict": ""}
"""Traits whose state names their owner, and what it is where there is none.

He is named by his password, but by his side where the trait is given to sides.
"""

_ACCESS = {"obs": 6, "hide": 4}
"""Traits that hide a piece, and the field that says to whom they are given."""

_NOBODY = ("", "null")
_MOST_DIGITS = 9
_MOST_TRAITS = 5_000


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
    value). *hidden_by* is the side that masks it or hides it; "" where all may look.
    """

    id: str
    traits: tuple[Trait, ...]
    spot: Spot = Spot()
    gpid: str = ""
    extra: tuple[str, ...] = ("0",)
    hidden_by: str = ""

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
    """Pieces that lie on each other, the lowest first; in a deck they are in nobody's sight."""

    id: str
    spot: Spot
    members: tuple[str, ...]
    layer: int = 0
    is_deck: bool = False


def read_piece(text: str, owners: Mapping[str, str] | None = None) -> SavedPiece:
    """Return the piece that a slot, a prototype or a saved game describes.

    *owners* are the sides of players by what they are known to the engine by: that itself, which
    is a password, does not stay in the piece.

    Raises:
        ExportError: it is no command that adds a piece, or its traits do not read.
    """
    _, id_, type_, state = _parts(text)
    types = unnest(TAB, type_)
    if not types[-1].startswith(_BASIC):
        raise ExportError("a piece has no basic piece at its core")
    traits = tuple(Trait(one) for one in types)
    return in_saved_state(SavedPiece("" if id_ == "null" else id_, traits), state, owners)


def in_saved_state(
    piece: SavedPiece, state: str, owners: Mapping[str, str] | None = None
) -> SavedPiece:
    """Return a piece in the state that a saved game or a log writes for it.

    Raises:
        ExportError: it stands at what is no place.
    """
    states = unnest(TAB, state, len(piece.traits))
    states += [""] * (len(piece.traits) - len(states))  # it may end early: what lacks is as new
    traits = [Trait(one.type, text) for one, text in zip(piece.traits, states, strict=True)]
    hiding = (_hiding_side(one, owners or {}) for one in traits)
    hidden_by = next((side for side in hiding if side), "")
    map_, x, y, gpid, count, *kept = (*split(";", states[-1]), *[""] * 5)
    remembered = kept[: 2 * int(count)] if _is_count(count) else []
    extra = (str(len(remembered) // 2), *remembered)
    opened = tuple(map(_opened, traits))
    return SavedPiece(piece.id, opened, spot_of(map_, x, y), gpid, extra, hidden_by)


def write_piece(piece: SavedPiece) -> str:
    """Return the command that adds a piece: the inverse of `read_piece`."""
    spot = piece.spot
    where = [spot.map or _OFF_BOARD, str(spot.x), str(spot.y), piece.gpid, *piece.extra]
    states = [*(one.state for one in piece.traits[:-1]), join(";", where)]
    types = nest(TAB, [one.type for one in piece.traits])
    return join("/", ["+", piece.id or "null", types, nest(TAB, states)])


def read_stack(text: str) -> SavedStack:
    """Return the stack or deck that a command adds.

    Raises:
        ExportError: it is none.
    """
    _, id_, type_, state = _parts(text)
    return stack_in_state(SavedStack(id_, Spot(), (), is_deck=type_.startswith(_DECK)), state)


def stack_in_state(stack: SavedStack, state: str) -> SavedStack:
    """Return a stack or deck as its state tells it: where it lies, and who lies in it."""
    map_, x, y, *members = (*split(";", state), *[""] * 4)
    if stack.is_deck:  # whether it lies face down comes first
        members = split(",", members[1])
    layer = 0
    listed = [one for one in members if one]
    if listed and listed[-1].startswith(_LAYER):
        number = listed.pop().removeprefix(_LAYER)
        layer = int(number) if _is_count(number) else 0
    return replace(stack, spot=spot_of(map_, x, y), members=tuple(listed), layer=layer)


def write_stack(stack: SavedStack) -> str:
    """Return the command that adds a stack, once its members are there."""
    where = [stack.spot.map or _OFF_BOARD, str(stack.spot.x), str(stack.spot.y)]
    state = join(";", [*where, *stack.members, f"{_LAYER}{stack.layer}"])
    return join("/", ["+", stack.id, _STACK, state])


def is_stack(text: str) -> bool:
    """Tell whether a command adds a stack or a deck, and no piece."""
    parts = split("/", text)
    return parts[0] == "+" and len(parts) > 2 and parts[2].startswith((_STACK, _DECK))


def spot_of(map_: str, x: str, y: str) -> Spot:
    """Return a place as a command writes it.

    Raises:
        ExportError: it is none; what stands there is not quoted, for it may be anything.
    """
    if not all(_is_count(one.removeprefix("-")) or not one for one in (x, y)):
        raise ExportError("a piece stands at what is no place")
    return Spot("" if map_ == _OFF_BOARD else map_, int(x or 0), int(y or 0))


def owners_in(type_: str, state: str) -> tuple[str, ...]:
    """Return who is named in the state of a trait, the owner first: players by their passwords.

    Nobody where the trait has no owner, is given to whole sides, or is taken by no one.
    """
    named = _owner(type_, state)
    if not named or _by_side(type_):
        return ()
    options = split(";", state)[1:2] if _kind(type_) == "obs" else []
    return (named, *(one for text in options for one in split("|", text)[2:]))


def hidden_by_side(traits: Sequence[Trait], side: str) -> tuple[Trait, ...] | None:
    """Return the traits of a piece that a side hides; None where only players could.

    Those are named by their passwords, which nobody writes here.
    """
    for number, one in enumerate(traits):
        if _by_side(one.type) and _may_hide(one.type, side):
            state = join(";", [side, ""]) if _kind(one.type) == "obs" else side
            return (*traits[:number], replace(one, state=state), *traits[number + 1 :])
    return None


def expanded(piece: SavedPiece, prototypes: Mapping[str, SavedPiece]) -> SavedPiece:
    """Return a piece with the traits of its prototypes in their place, as the engine makes it.

    A saved game holds no prototypes: the engine would leave them unread. One that the module
    does not define, and one that holds itself, adds nothing.

    Raises:
        ExportError: they hold each other so often that no engine would open the piece.
    """
    return replace(piece, traits=tuple(_expanded(piece.traits, prototypes, (), count(1))))


def _expanded(
    traits: tuple[Trait, ...],
    prototypes: Mapping[str, SavedPiece],
    within: tuple[str, ...],
    steps: Iterator[int],
) -> Iterator[Trait]:
    for one in traits:
        if next(steps) > _MOST_TRAITS:
            raise ExportError(f"its prototypes unfold to more than {_MOST_TRAITS} traits")
        if not one.type.startswith("prototype;"):
            yield one
            continue
        name = _field(one.type, 1)
        if name in prototypes and name not in within:
            inner = prototypes[name].traits[:-1]
            yield from _expanded(inner, prototypes, (*within, name), steps)


def _owner(type_: str, state: str) -> str:
    kind = _kind(type_)
    named = split(";", state)[0] if kind == "obs" else state
    return "" if kind not in _OPEN or named in _NOBODY else named


def _by_side(type_: str) -> bool:
    access = _field(type_, _ACCESS[_kind(type_)]) if _kind(type_) in _ACCESS else ""
    return access.startswith(("side:", "sides:"))


def _may_hide(type_: str, side: str) -> bool:
    access = _field(type_, _ACCESS[_kind(type_)])
    return access == "side:" or side in split(":", access.removeprefix("sides:"))


def _hiding_side(one: Trait, owners: Mapping[str, str]) -> str:
    """Return the side that hides a piece by a trait; "" where it is open."""
    owner = _owner(one.type, one.state) if _kind(one.type) in _ACCESS else ""
    return owner if _by_side(one.type) or not owner else owners.get(owner, SOMEBODY)


def _opened(one: Trait) -> Trait:
    """Return a trait that nobody owns: its state must say so, for "" would be somebody."""
    kind = _kind(one.type)
    return replace(one, state=_OPEN[kind]) if kind in _OPEN else one


def _kind(type_: str) -> str:
    return type_.partition(";")[0]


def _parts(text: str) -> list[str]:
    parts = split("/", text)
    if len(parts) < 4 or parts[0] != "+":
        raise ExportError("a command adds no piece")
    return parts[:4]


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS


def _field(type_: str, number: int) -> str:
    fields = split(";", type_)
    return fields[number] if len(fields) > number else ""
