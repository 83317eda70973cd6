"""The dice that a game throws, as buttons: as its tables and checks name them, no others."""

from collections.abc import Iterator

from exporters.vassal.elements import Element, add
from mapkit.texts import say
from rules.pack import Pack
from rules.schema.dice import parse_dice


def add_dice(root: Element, pack: Pack | None) -> None:
    """Add a button for each throw of the game, the fewest dice first."""
    for count, sides in thrown(pack) if pack else ():
        name = f"{count}d{sides}"
        add(
            root,
            "build.module.DiceButton",
            name=name,
            text=name,
            tooltip=say("exporters.vassal.throw", dice=name),
            icon="/images/die.gif",
            nDice=count,
            nSides=sides,
            plus=0,
            addToTotal=0,
            reportTotal=True,
            prompt=False,
            reportFormat="** $name$ = $result$ *** <$PlayerName$>",
        )


def thrown(pack: Pack) -> list[tuple[int, int]]:
    """Return what is thrown in a game: how many dice, of how many faces.

    >>> from rules.registry import find_pack
    >>> thrown(find_pack("custoza"))
    [(1, 6), (2, 6)]
    """
    return sorted(set(map(parse_dice, _named(pack))))


def _named(pack: Pack) -> Iterator[str]:
    tables = pack.events.tables.values() if pack.events else ()
    for one in (*pack.tables.values(), *pack.checks.values(), *tables):
        if one.die is not None:
            yield one.die
