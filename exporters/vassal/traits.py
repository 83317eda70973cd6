"""Pieces as the engine writes them: traits around a basic piece, each a type and a state.

The outermost trait comes first. Commands are named, not keys, so that they clash with nobody's.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from exporters.vassal.sequence import TAB, join, nest, split

BOX_X, BOX_Y = "BoxX", "BoxY"
"""Where in any box a piece has its own place, in pixels from where the box begins."""

_NAMED = 57348
"""The key code that says: what follows is the name of a command, not a key."""


@dataclass(frozen=True, slots=True)
class Trait:
    """One trait: what it is, and in what state."""

    type: str
    state: str = ""


INNERMOST = Trait("piece;;;;", "null;0;0;;0")
"""What a prototype has where a piece has its basic piece: nothing of its own."""


def trait(id_: str, *fields: object, state: str = "") -> Trait:
    """Return a trait by its id and the fields that follow."""
    return Trait(join(";", [id_, *map(_written, fields)]), state)


def command(name: str) -> str:
    """Return a command of that name, as a field of its own."""
    return f"{_NAMED},0,{name}"


def listed(*texts: str) -> str:
    """Return texts as a list in one field."""
    return join(",", texts)


def basic_piece(name: str, image: str, gpid: str) -> Trait:
    """Return the innermost trait: a name and a picture."""
    return trait("piece", "", "", image, name, state=join(";", ["null", "0", "0", gpid, "0"]))


def piece_text(traits: Sequence[Trait]) -> str:
    """Return the command that makes a piece: the text of a slot or a prototype."""
    types = nest(TAB, [one.type for one in traits])
    states = nest(TAB, [one.state for one in traits])
    return join("/", ["+", "null", types, states])


def mark(**values: str) -> Trait:
    """Return fixed properties of a piece."""
    return trait("mark", listed(*values), state=listed(*values.values()))


def marks_of(traits: Iterable[Trait]) -> dict[str, str]:
    """Return the fixed properties of a piece; the outermost of a name counts."""
    found: dict[str, str] = {}
    for one in traits:
        if one.type.startswith("mark;"):
            names = split(",", split(";", one.type)[1])
            for name, value in zip(names, split(",", one.state), strict=False):
                found.setdefault(name, value)
    return found


def prototype(name: str) -> Trait:
    """Return the trait that stands for all traits of a prototype."""
    return trait("prototype", name)


def delete(menu: str, key: str = "68,130") -> Trait:
    """Return the command that takes a piece off the board: Ctrl+D where no other key is given."""
    return trait("delete", menu, key, "")


def calculated(name: str, expression: str) -> Trait:
    """Return a property that the engine works out whenever it is asked for."""
    return trait("calcProp", name, f"{{{expression}}}", "")


def report(name: str, text: str) -> Trait:
    """Return what is told in the chat after a named command."""
    return report_keys([command(name)], text)


def report_keys(keys: Sequence[str], text: str) -> Trait:
    """Return what is told in the chat after one of several keys or commands."""
    return trait("report", listed(*keys), text, "", "", "", True, state="-1")


def send_to(
    menu: str, key: str, map_name: str, at: tuple[int, int], back: tuple[str, str] = ("", "")
) -> Trait:
    """Return the command that sends a piece to its own place in a box, and the one *back*.

    *at* is where the box begins; how far from there its place is, the piece says by `BoxX` and
    `BoxY`. All such traits of a piece remember one and the same place to go back to.
    """
    own_place = [f"${BOX_X}$", f"${BOX_Y}$", 1, 1]
    fields = [menu, key, map_name, "", *at, *back, *own_place, "", "L", "", "", "", ""]
    return trait("sendto", *fields, state=";;")


def trigger(name: str, menu: str) -> Trait:
    """Return a menu entry that gives a named command and does nothing else by itself."""
    fields = ["", menu, command(name), "", "", "", False, "", "", "counted"]
    return trait("macro", *fields, "", "", "", False, "", 1, 1)


def outline(corners: Sequence[tuple[float, float]], image: str = "") -> Trait:
    """Return where a piece takes a click, whatever else is drawn around it.

    The engine asks it instead of joining the shapes of all layers. *image* is what its editor
    shows beside it; the engine needs the word before it, though there be none.
    """
    path = " L ".join(f"{x} {y}" for x, y in corners)
    return trait("nonRect2", "1.0", f"d M {path} Z N {image}")


def sub_menu(title: str, entries: Sequence[str]) -> Trait:
    """Return a menu in the menu that takes up the entries of these names."""
    return trait("submenu", title, listed(*entries), "")


def set_property(name: str, *commands: tuple[str, str, str]) -> Trait:
    """Return commands that set a property of the module: menu, command's name, new value."""
    entries = [join(":", [menu, command(key), listed("P", value)]) for menu, key, value in commands]
    limits = listed("false", "0", "100", "false")
    level = "Current Zone/Current Map/Module"
    return trait("setprop", name, limits, listed(*entries), "", level, "")


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
