"""Edits of a map as JSON-able values: what the journal keeps and undo walks back.

An edit replaces one entry of the document (a hex, a hexside, a link, an area, the head) by
another, or removes it where the entry is null. Its inverse is the edit that puts the old entry
back, so every edit can be undone by the same few lines.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from mapkit.document.fileformat import AreaEntry, HexEntry, HexsideEntry, LinkEntry, Text
from mapkit.document.reading import area_from, features_from, ground_fault, ground_from, side_fault
from mapkit.document.writing import area_entry, hex_entry, hexside_entry, link_entry, sparse
from mapkit.errors import DocumentError, MapkitError
from mapkit.hexes import Hex, Hexside, Link
from mapkit.kinds import Kinds
from mapkit.model import CONFIRMED, CORRECTED, Area, Feature, Ground, HexMap, Value
from mapkit.notation import parse_hexside, parse_link

Edit = Mapping[str, Any]

_Key = TypeVar("_Key")
_Entry = TypeVar("_Entry")


def apply_edit(map_: HexMap, edit: Edit) -> HexMap:
    """Return the map with one entry replaced, added or removed.

    Raises:
        DocumentError: the edit does not fit this map.
    """
    try:
        return _APPLY[edit["what"]](map_, edit["at"], edit["entry"], edit.get("index"))
    except KeyError as missing:
        raise DocumentError(f"an edit without {missing}, or of an unknown sort") from None
    except ValidationError as error:
        reason = error.errors()[0]["msg"]
    except (TypeError, ValueError, MapkitError) as error:
        reason = str(error)
    raise DocumentError(f"this edit of {_told(map_, edit)} does not fit the map: {reason}")


def invert_edit(map_: HexMap, edit: Edit) -> Edit:
    """Return the edit that undoes *edit*, made from the map as it is before."""
    what, at = edit["what"], edit["at"]
    if what == "several":
        return _invert_several(map_, edit["entry"])
    inverse = {"what": what, "at": at, "entry": _current_entry(map_, what, at)}
    if what == "area" and inverse["entry"] is not None:
        inverse["index"] = [area.name for area in map_.areas].index(at)
    return inverse


def change_ground(map_: HexMap, hex_: Hex, ground: Ground) -> Edit:
    """Return the edit that puts new ground into a hex."""
    map_.require(hex_)
    changed = replace(map_, hexes={hex_: ground})
    return {"what": "hex", "at": list(hex_), "entry": hex_entry(changed, hex_)}


def correct(map_: HexMap, hex_: Hex, value: Value, content: str | int | None) -> Edit:
    """Return the edit by which a person sets one value of a hex."""
    return change_ground(map_, hex_, corrected(map_[hex_], value, content))


def corrected(ground: Ground, value: Value, content: str | int | None) -> Ground:
    """Return the ground after a person set one value; setting what is there confirms it."""
    touch = CONFIRMED if getattr(ground, value) == content else CORRECTED
    if value == "terrain":
        ground = replace(ground, terrain=str(content))
    elif value == "name":
        ground = replace(ground, name=str(content))
    else:
        ground = replace(ground, level=None if content is None else int(content))
    return replace(ground, provenance={**ground.provenance, value: touch})


def change_hexside(map_: HexMap, hexside: Hexside, features: Sequence[Feature]) -> Edit:
    """Return the edit that sets all that runs along a hexside; no features clears it."""
    changed = replace(map_, hexsides={hexside: tuple(features)})
    entry = hexside_entry(changed, hexside) if features else None
    return {"what": "hexside", "at": map_.label_place(hexside), "entry": entry}


def change_link(map_: HexMap, link: Link, features: Sequence[Feature]) -> Edit:
    """Return the edit that sets all that runs over a link; no features clears it."""
    changed = replace(map_, links={link: tuple(features)})
    entry = link_entry(changed, link) if features else None
    return {"what": "link", "at": map_.label_place(link), "entry": entry}


def change_area(map_: HexMap, name: str, area: Area | None) -> Edit:
    """Return the edit that sets, or removes, the area of a name."""
    return {"what": "area", "at": name, "entry": area and area_entry(map_, area)}


def change_kinds(kinds: Kinds) -> Edit:
    """Return the edit that gives the map another vocabulary."""
    return {"what": "kinds", "at": "", "entry": sparse(kinds)}


def in_one(edits: Sequence[Edit]) -> Edit:
    """Return edits that are done, and undone, as one."""
    return {"what": "several", "at": "", "entry": list(edits)}


def change_title(title: str) -> Edit:
    """Return the edit that gives the map another title."""
    return {"what": "title", "at": "", "entry": title}


def _current_entry(map_: HexMap, what: str, at: Any) -> object:
    if what == "hex":
        hex_ = Hex(*at)
        return hex_entry(map_, hex_) if hex_ in map_ else None
    if what == "hexside":
        hexside = parse_hexside(at, map_.numbering)
        return hexside_entry(map_, hexside) if hexside in map_.hexsides else None
    if what == "link":
        link = parse_link(at, map_.numbering)
        return link_entry(map_, link) if link in map_.links else None
    if what == "area":
        found = [area for area in map_.areas if area.name == at]
        return area_entry(map_, found[0]) if found else None
    if what == "kinds":
        return sparse(map_.kinds)
    return map_.title


def _invert_several(map_: HexMap, edits: Sequence[Edit]) -> Edit:
    inverses: list[Edit] = []
    for edit in edits:
        inverses.insert(0, invert_edit(map_, edit))
        map_ = apply_edit(map_, edit)
    return in_one(inverses)


def _apply_hex(map_: HexMap, at: Any, entry: Any, _: Any) -> HexMap:
    hex_ = Hex(*at)
    if entry is None:
        _require_unused(map_, hex_)
        return replace(map_, hexes=_with(map_.hexes, hex_, None))
    line = _checked(_HEX, entry)
    if (line.q, line.r) != hex_ or line.label != map_.label(hex_):
        raise DocumentError(f"the entry is of {line.label} ({line.q},{line.r})")
    ground = ground_from(line, map_.numbering)
    _require_none(ground_fault(ground))
    return replace(map_, hexes=_with(map_.hexes, hex_, ground))


def _apply_hexside(map_: HexMap, at: Any, entry: Any, _: Any) -> HexMap:
    hexside = parse_hexside(at, map_.numbering)
    features = entry and features_from(_checked(_HEXSIDE, entry).features, map_.numbering)
    _require_none(side_fault(hexside, features or (), map_.hexes))
    return replace(map_, hexsides=_with(map_.hexsides, hexside, features))


def _apply_link(map_: HexMap, at: Any, entry: Any, _: Any) -> HexMap:
    link = parse_link(at, map_.numbering)
    features = entry and features_from(_checked(_LINK, entry).features, map_.numbering)
    _require_none(side_fault(link, features or (), map_.hexes))
    return replace(map_, links=_with(map_.links, link, features))


def _apply_area(map_: HexMap, at: Any, entry: Any, index: Any) -> HexMap:
    area = entry and area_from(_checked(_AREA, entry), map_.numbering)
    if area and area.name != at:
        raise DocumentError(f"the entry is of area '{area.name}'; remove one, then add the other")
    if area:
        map_.require(*area.hexes)
    names = [old.name for old in map_.areas]
    areas = list(map_.areas)
    if at in names:
        place = names.index(at)
        areas[place : place + 1] = [area] if area else []
    elif area:
        areas.insert(len(areas) if index is None else int(index), area)
    return replace(map_, areas=tuple(areas))


def _apply_title(map_: HexMap, _: Any, entry: Any, __: Any) -> HexMap:
    return replace(map_, title=_checked(_TITLE, entry))


def _apply_kinds(map_: HexMap, _: Any, entry: Any, __: Any) -> HexMap:
    return replace(map_, kinds=_checked(_KINDS, entry))


def _apply_several(map_: HexMap, _: Any, entry: Any, __: Any) -> HexMap:
    for edit in entry:
        map_ = apply_edit(map_, edit)
    return map_


def _require_none(fault: str | None) -> None:
    if fault is not None:
        raise DocumentError(fault)


def _require_unused(map_: HexMap, hex_: Hex) -> None:
    """A hex goes only when nothing would be left that names it alone."""
    rest = map_.hexes.keys() - {hex_}
    sides: list[Hexside | Link] = [*map_.hexsides, *map_.links]
    for side in sides:
        if hex_ in side and side_fault(side, (), rest):
            raise DocumentError(f"{map_.label_place(side)} still leads there; clear it first")
    for area in map_.areas:
        if hex_ in area.hexes:
            raise DocumentError(f"the area '{area.name}' still holds it; change that first")


def _told(map_: HexMap, edit: Edit) -> str:
    what, at = edit.get("what"), edit.get("at")
    if what == "hex" and isinstance(at, list) and len(at) == 2:
        return f"hex {map_.label(Hex(*at))}"
    return f"{what} {at}"


def _checked(form: TypeAdapter[_Entry], entry: object) -> _Entry:
    # By way of JSON, so that an edit is held to the very letter of the file format.
    return form.validate_json(json.dumps(entry))


def _with(old: Mapping[_Key, _Entry], key: _Key, entry: _Entry | None) -> dict[_Key, _Entry]:
    changed = dict(old)
    if entry is None:
        changed.pop(key, None)
    else:
        changed[key] = entry
    return changed


_HEX = TypeAdapter(HexEntry)
_HEXSIDE = TypeAdapter(HexsideEntry)
_LINK = TypeAdapter(LinkEntry)
_AREA = TypeAdapter(AreaEntry)
_TITLE = TypeAdapter(Text)
_KINDS = TypeAdapter(Kinds)
_APPLY = {
    "hex": _apply_hex,
    "hexside": _apply_hexside,
    "link": _apply_link,
    "area": _apply_area,
    "title": _apply_title,
    "kinds": _apply_kinds,
    "several": _apply_several,
}
