"""Units written out in a line, for questions and examples: `infantry:battalion:87/II`.

First the class; then, in any order, a size, a state of the game (`fire_mode`, or `fire` for short)
and a name with a slash, which tells the regiment.
"""

from collections.abc import Sequence

from counters.model import Unit
from mapkit.hexes import Hex
from rules.errors import RulesError
from rules.pack import Pack
from rules.positions.on_the_map import standing
from rules.scene import Scene
from rules.schema.counters import FRONT
from rules.standing import Standing


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


def stacked(
    scene: Scene, hex_: Hex, side: str | None, ours: Sequence[str], theirs: Sequence[str]
) -> tuple[Standing, ...]:
    """Return all units of a scene, with those in a hex that are written out: of two sides.

    A unit of the position that is named comes into the hex from wherever it is. Without a side,
    units written out are of the game's first.

    Raises:
        RulesError: a word is none of the game's, or the game has no sides.
    """
    pack, position = scene.field.pack, scene.position
    if not pack.sides:
        raise RulesError(f"the pack of {pack.title} holds no rules for its sides yet")
    first = next(iter(pack.sides)) if side is None else pack.side(side)
    pieces = {} if position is None else position.pieces
    come = tuple(standing(pieces[text], hex_, pack) for text in (*ours, *theirs) if text in pieces)
    names = [one.name for one in come]
    there = tuple(one for one in scene.units if one.name not in names)
    taken = [one.name for one in (*there, *come)]
    friends = spelt_units(pack, first, hex_, [t for t in ours if t not in pieces], taken=taken)
    taken += [one.name for one in friends]
    others = [text for text in theirs if text not in pieces]
    enemies = spelt_units(pack, pack.enemy_of(first), hex_, others, taken=taken)
    return (*there, *come, *friends, *enemies)


def spelt_unit_asked(scene: Scene, place: str, side: str, text: str) -> Standing:
    """Return the unit that is asked about: of the position, or written out in a hex.

    Raises:
        RulesError: it is written out though the position knows it, or not at all.
    """
    unit = scene.unit(place)
    if unit is None:
        here = scene.hex(place)
        if not text:
            raise scene.which_unit(place)
        return spelt_units(scene.field.pack, side, here, [text])[0]
    if text:
        raise RulesError(f"--class: the position tells it of {unit.name}; leave it out")
    scene.require_side(unit, side)
    return unit


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
