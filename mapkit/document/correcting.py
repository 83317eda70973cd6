"""What a person corrects at one place, as an edit; words the map does not know are refused."""

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

from mapkit.document.edits import (
    Edit,
    change_ground,
    change_hexside,
    change_kinds,
    change_link,
    corrected,
    in_one,
)
from mapkit.errors import NotationError
from mapkit.feature_notation import parse_features
from mapkit.hexes import Hex, Hexside, Link, Place
from mapkit.kinds import Group
from mapkit.model import CONFIRMED, CORRECTED, Feature, HexMap, Value
from mapkit.notation import parse_place


def correction(
    map_: HexMap,
    place: str,
    *,
    terrain: str | None = None,
    level: int | None = None,
    name: str | None = None,
    features: str | None = None,
    new_words: bool = False,
) -> Edit:
    """Return the one edit that sets these values at a place; None leaves a value alone.

    Words the map does not know are refused, or declared first where *new_words* is given.

    Raises:
        NotationError: nothing to set, or something that such a place does not have.
        UnknownHexError: the place is not on the map.
    """
    there = parse_place(place, map_.numbering)
    if new_words:
        return _with_new_words(map_, there, place, terrain, level, name, features)
    wanted: dict[Value, str | int | None] = {"terrain": terrain, "level": level, "name": name}
    given = {value: content for value, content in wanted.items() if content is not None}
    if not given and features is None:
        raise NotationError(
            f"nothing to set at {place}: give --terrain, --level, --name or --features"
        )
    if isinstance(there, Hex):
        return _ground_edit(map_, there, given, features)
    if given:
        raise NotationError(f"{place} is no hex: it has features, but no {', '.join(given)}")
    map_.require(next((hex_ for hex_ in there if hex_ in map_), there[0]))
    if isinstance(there, Hexside):
        old = map_.hexsides.get(there, ())
        return change_hexside(map_, there, _known_features(map_, "hexsides", features or "", old))
    if isinstance(there, Link):
        old = map_.links.get(there, ())
        return change_link(map_, there, _known_features(map_, "links", features or "", old))
    raise NotationError(f"{place} is a vertex: nothing stands there; name a hex, hexside or link")


def _with_new_words(
    map_: HexMap,
    there: Place,
    place: str,
    terrain: str | None,
    level: int | None,
    name: str | None,
    features: str | None,
) -> Edit:
    """Declare what the map does not know yet, then correct; both are one edit."""
    kinds = map_.kinds.with_ids("terrain", iter([terrain] if terrain else []))
    group = _group_of(there)
    words = [feature.kind for feature in parse_features(features or "", map_.numbering)]
    kinds = kinds.with_ids(group, iter(words))
    known = replace(map_, kinds=kinds)
    edit = correction(known, place, terrain=terrain, level=level, name=name, features=features)
    return edit if kinds == map_.kinds else in_one([change_kinds(kinds), edit])


def _group_of(there: Place) -> Group:
    if isinstance(there, Hexside):
        return "hexsides"
    return "links" if isinstance(there, Link) else "features"


def _ground_edit(
    map_: HexMap, hex_: Hex, given: dict[Value, str | int], features: str | None
) -> Edit:
    ground = map_[hex_]
    if "terrain" in given:
        _require_known(map_, "terrain", str(given["terrain"]))
    for value, content in given.items():
        ground = corrected(ground, value, content)
    if features is not None:
        known = _known_features(map_, "features", features, ground.features)
        ground = replace(ground, features=known)
    return change_ground(map_, hex_, ground)


def _known_features(
    map_: HexMap, group: Group, text: str, old: Sequence[Feature]
) -> tuple[Feature, ...]:
    """What is there from now on; what was there already is confirmed, the rest corrected."""
    features = parse_features(text, map_.numbering)
    for feature in features:
        _require_known(map_, group, feature.kind)
    there = {replace(feature, provenance=None) for feature in old}
    return tuple(
        replace(feature, provenance=CONFIRMED if feature in there else CORRECTED)
        for feature in features
    )


def _require_known(map_: HexMap, group: Group, word: str) -> None:
    known = map_.kinds.ids(group)
    if word not in known:
        close = get_close_matches(word.casefold(), known, n=1)
        meant = f"did you mean {close[0]}? " if close else ""
        raise NotationError(
            f"the map {map_.named} knows no '{word}' among its {group}; {meant}there is: "
            f"{', '.join(sorted(known)) or 'none'} (--new declares a new one)"
        )
