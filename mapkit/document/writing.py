"""The map document from model to bytes: JSON, one hex per line, in a stable order.

`dump_map` is the inverse of `parse_map` in `reading`, and the same map always gives the same bytes,
so that a diff shows what changed and nothing else.
"""

import dataclasses
import json
from functools import lru_cache
from typing import Any

from mapkit.hexes import Hex, Hexside, Link
from mapkit.model import Area, Feature, HexMap, Provenance
from mapkit.numbering import AnyNumbering, Numbering

FORMAT = "mapkit-map/1"

Entry = dict[str, object]


def dump_map(map_: HexMap) -> bytes:
    """Return the bytes of a map's file. Shapes stand in a file of their own."""
    head: Entry = {"format": FORMAT} | head_entry(map_)
    lists = {
        "hexes": sorted((hex_entry(map_, hex_) for hex_ in map_.hexes), key=_place),
        "hexsides": sorted((hexside_entry(map_, side) for side in map_.hexsides), key=_place),
        "links": sorted((link_entry(map_, link) for link in map_.links), key=_place),
        "areas": [area_entry(map_, area) for area in map_.areas],
    }
    parts = [f'"{key}": {_json(value)}' for key, value in head.items()]
    for key, entries in lists.items():
        lines = ",\n".join(map(_json, entries))
        parts.append(f'"{key}": [\n{lines}\n]' if lines else f'"{key}": []')
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def head_entry(map_: HexMap) -> Entry:
    """Return what stands above the hexes: title, grid, numbering, picture, kinds."""
    entry: Entry = {
        "title": map_.title,
        "notes": list(map_.notes),
        "provenance": sparse(map_.provenance),
        "grid": sparse(map_.grid),
    }
    entry |= numbering_entry(map_.numbering)
    if map_.picture is not None:
        entry["picture"] = sparse(map_.picture)
    entry["kinds"] = sparse(map_.kinds)
    return entry


def numbering_entry(numbering: AnyNumbering) -> Entry:
    """Return the key and value under which a numbering is written."""
    if isinstance(numbering, Numbering):
        return {"numbering": sparse(numbering)}
    return {"sheets": [sparse(part) for part in numbering.parts]}


def hex_entry(map_: HexMap, hex_: Hex) -> Entry:
    """Return the line of one hex."""
    ground = map_.hexes[hex_]
    entry: Entry = {
        "label": map_.label(hex_),
        "q": hex_.q,
        "r": hex_.r,
        "terrain": ground.terrain,
        "level": ground.level,
    }
    if ground.features:
        entry["features"] = _features(map_, ground.features)
    if ground.name:
        entry["name"] = ground.name
    if ground.note:
        entry["note"] = ground.note
    if ground.provenance:
        stated = sorted(ground.provenance.items())
        entry["provenance"] = {value: _source(provenance) for value, provenance in stated}
    return entry


def hexside_entry(map_: HexMap, hexside: Hexside) -> Entry:
    """Return the line of one hexside."""
    place = map_.label_place(hexside)
    return {"hexside": place, "features": _features(map_, map_.hexsides[hexside])}


def link_entry(map_: HexMap, link: Link) -> Entry:
    """Return the line of one link."""
    place = map_.label_place(link)
    return {"link": place, "features": _features(map_, map_.links[link])}


def area_entry(map_: HexMap, area: Area) -> Entry:
    """Return the line of one area."""
    entry = sparse(dataclasses.replace(area, hexes=(), hexsides=()))
    if area.hexes:
        entry["hexes"] = [map_.label(hex_) for hex_ in area.hexes]
    if area.hexsides:
        entry["hexsides"] = [map_.label_place(side) for side in area.hexsides]
    return entry


def sparse(value: Any) -> Entry:
    """Return a dataclass as JSON-able data, without what stands at its default."""
    entry = {}
    for name, default in _fields(type(value)):
        content = getattr(value, name)
        if content != default:
            entry[name] = _plain(content)
    return entry


def _features(map_: HexMap, features: tuple[Feature, ...]) -> list[Entry]:
    entries = []
    for feature in features:
        entry = sparse(feature)
        if feature.facing is not None:
            entry["facing"] = map_.label(feature.facing)
        entries.append(entry)
    return entries


@lru_cache(maxsize=4096)
def _source(provenance: Provenance) -> Entry:
    # A scan states few different confidences over thousands of hexes.
    return sparse(provenance)


def _plain(content: object) -> object:
    if dataclasses.is_dataclass(content):
        return sparse(content)
    if isinstance(content, tuple):
        return [_plain(item) for item in content]
    return content


def _fields(kind: type[Any]) -> tuple[tuple[str, object], ...]:
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(
            (field.name, field.default_factory())
            if field.default_factory is not dataclasses.MISSING
            else (field.name, field.default)  # MISSING differs from every value: always written
            for field in dataclasses.fields(kind)
        )
    return _FIELDS[kind]


_FIELDS: dict[type[Any], tuple[tuple[str, object], ...]] = {}


def _place(entry: Entry) -> str:
    return str(next(iter(entry.values())))


# One encoder for all lines: json.dumps would make a new one for each.
_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
