"""Counters of a worked example with all that is told of them.

0506:heavy_artillery:fire:range=8           a hex, a class, a state, what the counter prints
0505:infantry:disorganization=2:morale=4    points of a status, and printed values
0501:headquarters:of=german                 a nationality
"""

from collections.abc import Sequence
from dataclasses import replace

from counters.model import Face, Unit
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.spelt_units import spelt_units
from rules.standing import Standing

_NATIONALITY = "of"


def placed_units(field: Battlefield, side: str, texts: Sequence[str]) -> tuple[Standing, ...]:
    """Return the counters, each called by its hex: the second of a stack gets a name of its own.

    Raises:
        RulesError: a word is none of the game's.
    """
    found: list[Standing] = []
    for text in texts:
        place, _, rest = text.partition(":")
        words = [word for word in rest.split(":") if "=" not in word]
        told = dict(_told(text, part) for part in rest.split(":") if "=" in part)
        (unit,) = spelt_units(field.pack, side, field.hex(place), [":".join(words)])
        name, taken = place, {one.name for one in found}
        if name in taken and unit.class_:
            name = f"{name}:{unit.class_}"
        while name in taken:
            name += "+"
        found.append(_with(field, replace(unit, name=name), told))
    return tuple(found)


def _with(field: Battlefield, unit: Standing, told: dict[str, str]) -> Standing:
    """Return a unit with its nationality, points of statuses and printed values."""
    if not told:
        return unit
    nationality = told.pop(_NATIONALITY, "")
    numbers = {name: int(number) for name, number in told.items()}
    points = {name: n for name, n in numbers.items() if name in field.pack.statuses}
    printed = {name: n for name, n in numbers.items() if name not in points}
    base = unit.unit or Unit(unit.name, unit.name, unit.side, class_=unit.class_)
    faces = (Face(unit.face, printed),)
    return replace(
        unit,
        unit=replace(base, nationality=nationality, faces=faces),
        statuses={**unit.statuses, **points},
    )


def _told(text: str, part: str) -> tuple[str, str]:
    name, _, value = part.partition("=")
    if name != _NATIONALITY and not value.isdecimal():
        raise RulesError(f"'{text}': after '{name}=' stands a whole number")
    return name, value
