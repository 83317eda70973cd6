"""Layers: pictures over a counter of which one shows, or none; what shows steps and states."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from exporters.vassal.sequence import split
from exporters.vassal.traits import Trait, listed, trait

_ID = "emb2;"
_OFF = "-1"
_IMAGES, _NAME, _ALWAYS = 16, 19, 26  # fields of a layer
_VERSION = 1  # keys may be named commands
_LEGACY = 2  # modifiers of keys as older engines wrote them: never read, always there


@dataclass(frozen=True, slots=True)
class Order:
    """A line of a counter's menu: what it says, and the key or named command it gives."""

    menu: str = ""
    key: str = ""


NOTHING = Order()


def switched(
    name: str, image: str, switch: Order, at: tuple[int, int] = (0, 0), *, words: str = ""
) -> Trait:
    """Return a layer of one picture that an order shows and hides; it is hidden at first.

    *words* are what it adds to the piece's name while it is shown.
    """
    return _layer(name, [image], [_added(words)], at, switch=switch)


def stepped(
    name: str,
    images: Sequence[str],
    names: Sequence[str] = (),
    at: tuple[int, int] = (0, 0),
    *,
    more: Order = NOTHING,
    less: Order = NOTHING,
    first: Order = NOTHING,
    loop: bool = False,
    level: int = 1,
) -> Trait:
    """Return a layer that is always at one of its levels; an image "" shows nothing.

    *more* and *less* go on and back, *first* goes to the first level. *names* are what each level
    adds to the piece's name. *level* is where it stands, counted from 1.
    """
    told = [_added(words) for words in names] or [""] * len(images)
    return _layer(name, images, told, at, more=more, less=less, first=first, loop=loop, level=level)


def layer_name(one: Trait) -> str:
    """Return the name of a layer; "" where it has none, or the trait is no layer."""
    if not one.type.startswith(_ID):
        return ""
    fields = _fields(one.type)
    return fields[_NAME] if len(fields) > _NAME else ""


def is_stepped(one: Trait) -> bool:
    """Tell whether a layer is always at one of its levels; else it is shown or hidden."""
    fields = _fields(one.type)
    return len(fields) > _ALWAYS and fields[_ALWAYS] == "true"


def level_count(one: Trait) -> int:
    """Return how many levels a layer has."""
    return len(split(",", _fields(one.type)[_IMAGES]))


def level_of(one: Trait) -> int:
    """Return the level a layer shows, counted from 1; 0 where it is hidden.

    The engine keeps the level of a hidden layer below 0. What is no number of its own counts as
    hidden, for so the engine reads it.
    """
    text = split(";", one.state)[0]
    level = int(text) if text.isascii() and text.removeprefix("-").isdecimal() else -1
    return min(max(level, 0), level_count(one))


def at_level(one: Trait, level: int) -> Trait:
    """Return the layer at a level; 0 hides it."""
    return Trait(one.type, str(level) if level else _OFF)


@lru_cache(maxsize=4096)
def _fields(type_: str) -> tuple[str, ...]:
    """Return the fields of a layer: counters of a class have the same layers, by the hundred."""
    return tuple(split(";", type_))


def _added(words: str) -> str:
    """Return how a level adds words to the piece's name: the engine's sign for it is a plus."""
    return f"+ ({words.replace('+', '')})" if words else ""


def _layer(
    name: str,
    images: Sequence[str],
    names: Sequence[str],
    at: tuple[int, int],
    *,
    switch: Order = NOTHING,
    more: Order = NOTHING,
    less: Order = NOTHING,
    first: Order = NOTHING,
    loop: bool = True,
    level: int = 0,
) -> Trait:
    orders = [switch.menu, _LEGACY, "", more.menu, _LEGACY, "", less.menu, _LEGACY, ""]
    reset = [first.menu, first.key, 1, False]
    pictures = [*at, listed(*images), listed(*names), loop, name, "", ""]
    follows = [False, "", 1]
    keys = [level > 0, switch.key, more.key, less.key]
    rest = ["", "1.0", "", True]
    state = str(level) if level else _OFF
    return trait("emb2", *orders, *reset, *pictures, *follows, _VERSION, *keys, *rest, state=state)
