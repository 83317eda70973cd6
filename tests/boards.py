"""Maps drawn in letters: the picture is the case.

    board(". w .",
          ". T3 .")

One word is one hex: a sign for the terrain, capital letters for features, a number for the
level; each part may be left out (`.T3`, `T`, `3` and `T3` are all clear ground). `_` is no hex.
Hexes are called by column and row, from 0101 at the top left.

    flat: even columns stand half a hex lower     pointy: even rows stand half a hex to the right

        0101      0301                                0101  0201  0301
             0201                                        0102  0202  0302
        0102      0302                                0103  0203  0303
             0202
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import TypeVar

from mapkit.grid import Grid, Orientation
from mapkit.hexes import Link
from mapkit.kinds import UNKNOWN, Kinds
from mapkit.model import Feature, Ground, HexMap
from mapkit.notation import parse_hexside
from mapkit.numbering import Numbering

TERRAIN = {
    ".": "clear",
    "w": "woods",
    "h": "hills",
    "m": "marsh",
    "r": "rough",
    "l": "lake",
    "s": "sea",
    "t": "town",
    "?": UNKNOWN,
}
FEATURES = {"T": "town", "V": "village", "F": "fort", "P": "peak", "S": "supply_source"}
NO_HEX = "_"

_Place = TypeVar("_Place")
_WORD = re.compile(r"([^A-Z\d-]?)([A-Z]*)(-?\d+)?")


def board(
    *rows: str,
    layout: Orientation = "flat",
    links: Mapping[str, str] | None = None,
    hexsides: Mapping[str, str] | None = None,
) -> HexMap:
    """Return the map drawn in *rows*, with roads and rivers given by their places.

    *links* takes chains of hexes, `{"road": "0101-0201-0301 0202-0203"}`; *hexsides* takes
    hexsides, `{"river": "0101/0201 0201/0102"}`. Every word becomes a declared kind, with the
    role that mapmakers know it by.
    """
    numbering = Numbering(straight="columns" if layout == "flat" else "rows")
    hexes = {
        numbering.hex_at(column, row): _ground(word)
        for row, line in enumerate(rows)
        for column, word in enumerate(line.split())
        if word != NO_HEX
    }
    over = {kind: list(_links(text, numbering)) for kind, text in (links or {}).items()}
    along = {
        kind: [parse_hexside(place, numbering) for place in text.split()]
        for kind, text in (hexsides or {}).items()
    }
    terrain = (ground.terrain for ground in hexes.values())
    features = (feature.kind for ground in hexes.values() for feature in ground.features)
    kinds = Kinds().with_ids("terrain", terrain).with_ids("features", features)
    return HexMap(
        grid=Grid.regular(layout, pitch_px=60),
        numbering=numbering,
        hexes=hexes,
        kinds=kinds.with_ids("hexsides", iter(along)).with_ids("links", iter(over)),
        hexsides=_by_place(along),
        links=_by_place(over),
        title="a board",
    )


def field(columns: int, rows: int, *, word: str = ".") -> tuple[str, ...]:
    """Return the rows of a board that is all alike.

    >>> field(3, 2)
    ('. . .', '. . .')
    """
    return (" ".join([word] * columns),) * rows


def _ground(word: str) -> Ground:
    parts = _WORD.fullmatch(word)
    if not parts or (parts[1] and parts[1] not in TERRAIN):
        raise ValueError(f"'{word}' is no hex: terrain {' '.join(TERRAIN)}, features, level")
    return Ground(
        terrain=TERRAIN[parts[1] or "."],
        level=int(parts[3]) if parts[3] else None,
        features=tuple(Feature(FEATURES[letter]) for letter in parts[2]),
    )


def _links(chains: str, numbering: Numbering) -> Iterator[Link]:
    for chain in chains.split():
        for one, other in pairwise(map(numbering.parse_label, chain.split("-"))):
            yield Link.between(one, other)


def _by_place(kinds: Mapping[str, Iterable[_Place]]) -> dict[_Place, tuple[Feature, ...]]:
    found: dict[_Place, tuple[Feature, ...]] = {}
    for kind, places in kinds.items():
        for place in places:
            found[place] = (*found.get(place, ()), Feature(kind))
    return found
