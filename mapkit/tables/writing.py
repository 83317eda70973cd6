"""A map as tables for a spreadsheet; `mapkit.tables.reading` makes a map from them again.

The table `hexes` has the columns hex, terrain, level, features, name and note; `hexsides` and
`links` have the place and its features, written as in `mapkit.feature_notation`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from mapkit.feature_notation import format_features, format_word
from mapkit.hexes import Hex, Hexside, Link
from mapkit.kinds import GROUPS, UNKNOWN, known_word
from mapkit.model import Feature, HexMap
from mapkit.tables.spreadsheet import Table
from mapkit.texts import say

Role = Literal["hexes", "hexsides", "links"]
ROLES: tuple[Role, ...] = get_args(Role)

COLUMNS: dict[Role, tuple[str, ...]] = {
    "hexes": ("hex", "terrain", "level", "features", "name", "note"),
    "hexsides": ("hexside", "features"),
    "links": ("link", "features"),
}


@dataclass(frozen=True, slots=True)
class MapTables:
    """The three tables of a map, ready to be written."""

    hexes: Table
    hexsides: Table
    links: Table


def tables_from_map(map_: HexMap) -> MapTables:
    """Return a map's hexes, hexsides and links as tables, each in the order of its labels."""
    labels = _LabelsOf(map_)
    hexes = [
        (
            map_.label(hex_),
            "" if ground.terrain == UNKNOWN else format_word(ground.terrain),
            ground.level,
            format_features(ground.features, labels),
            ground.name,
            ground.note,
        )
        for hex_, ground in map_.hexes.items()
    ]
    hexes.sort(key=lambda row: row[0])
    return MapTables(
        Table("hexes", COLUMNS["hexes"], hexes),
        _sides("hexsides", map_.hexsides, labels),
        _sides("links", map_.links, labels),
    )


def left_out(map_: HexMap) -> list[str]:
    """Return what stands in none of a map's tables, as remarks for its owner."""
    lost = []
    if map_.title:
        lost.append(say("mapkit.table.title"))
    if _has_looks(map_):
        lost.append(say("mapkit.table.looks"))
    if map_.areas:
        lost.append(say("mapkit.table.areas", n=len(map_.areas)))
    if map_.shapes:
        lost.append(say("mapkit.table.shapes", n=len(map_.shapes)))
    if map_.notes:
        lost.append(say("mapkit.table.notes", n=len(map_.notes)))
    if stated := sum(bool(ground.provenance) for ground in map_.hexes.values()):
        lost.append(say("mapkit.table.sources", n=stated))
    if map_.picture:
        lost.append(say("mapkit.table.picture", picture=map_.picture.path))
    return [say("mapkit.table.left_out", what=", ".join(lost))] if lost else []


def _has_looks(map_: HexMap) -> bool:
    """Tell whether a kind is more than its plain word, which alone stands in a table."""
    return any(
        kind != known_word(group, kind.id) for group in GROUPS for kind in map_.kinds.group(group)
    )


@dataclass(frozen=True, slots=True)
class _LabelsOf:
    """A map's own labels, which it has already worked out."""

    map_: HexMap

    def format_label(self, hex_: Hex) -> str:
        return self.map_.label(hex_)

    def parse_label(self, text: str) -> Hex:
        return self.map_.hex(text)


def _sides(
    role: Role,
    content: Mapping[Hexside, tuple[Feature, ...]] | Mapping[Link, tuple[Feature, ...]],
    labels: _LabelsOf,
) -> Table:
    rows = [
        (labels.map_.label_place(place), format_features(features, labels))
        for place, features in content.items()
    ]
    return Table(role, COLUMNS[role], sorted(rows))
