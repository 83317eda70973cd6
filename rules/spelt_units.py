"""Units written out in a line, for questions and examples: `infantry:battalion:87/II`.

First the class; then, in any order, a size, a state of the game (`fire_mode`, or `fire` for short)
and a name with a slash, which tells the regiment.
"""

from collections.abc import Sequence

from counters.model import Unit
from mapkit.hexes import Hex
from rules.errors import RulesError
from rules.pack import Pack
from rules.standing import FRONT, Standing


def spelt_units(
    pack: Pack, side: str, hex_: Hex, texts: Sequence[str], *, taken: Sequence[str] = ()
) -> tuple[Standing, ...]:
    """Return the units written in *texts*, all in one hex; each gets a name of its own.

    Raises:
        RulesError: a word is none of the game's.
    """
    found: list[Standing] = []
    for text in texts:
        names = {*taken, *(one.name for one in found)}
        found.append(_spelt(pack, side, hex_, text, names))
    return tuple(found)


def _spelt(pack: Pack, side: str, hex_: Hex, text: str, taken: set[str]) -> Standing:
    class_, *words = text.split(":")
    if class_ and class_ not in pack.groups:
        raise RulesError(
            f"{pack.title} has no units '{class_}'; there is: {', '.join(sorted(pack.groups))}"
        )
    name, echelon, statuses = "", "", {}
    sizes = pack.stacking.sizes if pack.stacking else {}
    for word in words:
        status = next((one for one in (word, f"{word}_mode") if one in pack.statuses), None)
        if "/" in word:
            name = word
        elif word in sizes or (word and not sizes and status is None):
            echelon = word  # a game that counts units does not ask for their size
        elif status is not None:
            statuses[status] = 1
        else:
            known = ", ".join([*sizes, *pack.statuses])
            raise RulesError(f"{pack.title} has no size or state '{word}'; there is: {known}")
    shown = name or class_ or "?"
    number = 1
    while shown in taken:
        number += 1
        shown = f"{name or class_ or '?'} {number}"
    unit = Unit(shown, name or shown, side, class_=class_, echelon=echelon)
    face = next((entry.face for one in statuses if (entry := pack.statuses[one]).face), FRONT)
    told = bool(name or echelon or statuses)
    return Standing(shown, side, hex_, class_, unit if told else None, statuses, face)
