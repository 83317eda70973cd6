"""What lies in each hex, as messages that the module reads out: never saved, so never stale.

A property for each hex would be stored in every save, and a save made before a terrain was
corrected would bring the old one back. The engine's translatable messages live in the module only.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from exporters.vassal.elements import Element, add
from exporters.vassal.places import MOUSE
from mapkit.hexes import Hex
from mapkit.kinds import Group, Kinds
from mapkit.model import Ground, HexMap
from mapkit.texts import LANGUAGES, catalogue, say

TERRAIN = "Terrain|"
"""Stands in the name of every message that tells what lies in a hex, before its board."""

MESSAGE = "build.module.properties.GlobalTranslatableMessage"


def add_terrain(messages: Element, map_: HexMap, begins: str, locations: Mapping[Hex, str]) -> None:
    """Add a message for each hex of a map that has a location: what lies there, in words.

    *begins* stands before the location in the message's name.
    """
    for hex_, location in locations.items():
        name = f"{begins}{location}"
        words = ", ".join(told_hex(map_, hex_))
        add(messages, MESSAGE, name=name, initialValue=words)


def told_hex(map_: HexMap, hex_: Hex) -> Iterator[str]:
    """Yield what lies in a hex: name, terrain, level, features."""
    ground = map_[hex_]
    if ground.name:
        yield ground.name
    yield _title(map_.kinds, "terrain", ground.terrain)
    unknown = say("exporters.vassal.unknown_level")
    yield unknown if ground.level is None else say("exporters.vassal.level", level=ground.level)
    for feature in ground.features:
        words = [_title(map_.kinds, "features", feature.kind)]
        words += [str(feature.value)] if feature.value is not None else []
        words += [feature.name] if feature.name and feature.name != ground.name else []
        yield " ".join(words)


def read_told(text: str) -> Ground | None:
    """Return the name, terrain and level of a hex that `told_hex` told, in any of our languages.

    The terrain is the word that was told. Features are not read back; None is no text of ours.

    >>> told = read_told("Hill 21, Woods, level 3, Village")
    >>> told.name, told.terrain, told.level
    ('Hill 21', 'Woods', 3)
    """
    words = text.split(", ")
    for at in (1, 2):
        match = _told_levels().fullmatch(words[at]) if at < len(words) else None
        if match is not None:
            number = next((one for one in match.groups() if one), None)
            level = None if number is None else int(number)
            return Ground(words[at - 1], level, name=words[0] if at == 2 else "")
    return None


def hover_text(begins: str) -> str:
    """Return the expression of the mouse-over viewer: the label, then what lies there."""
    label = "LocationName.toString()"
    return f'{label}+"  "+GetString("{begins}"+{MOUSE}+{label})'


@cache
def _told_levels() -> re.Pattern[str]:
    """Return what matches a level in every language we speak, its number where there is one."""
    forms = []
    for language in LANGUAGES:
        texts = catalogue("exporters", language)
        forms.append(re.escape(texts["exporters.vassal.unknown_level"]))
        known = re.escape(texts["exporters.vassal.level"])
        forms.append(known.replace(re.escape("{level}"), r"(-?\d{1,4})"))
    return re.compile("|".join(forms), re.ASCII)


def _title(kinds: Kinds, group: Group, id_: str) -> str:
    kind = next((kind for kind in kinds.group(group) if kind.id == id_), None)
    return (kind.title if kind else "") or id_.replace("_", " ")
