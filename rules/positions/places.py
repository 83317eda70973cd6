"""Places of units as one writes them: `1534`, `west:1534`, `box:eliminated`, `off_map`."""

from rules.positions.position import UNPLACED, Place, Position

OFF_MAP = Place("off_map")
_SEPARATOR = ":"


def parse_place(text: str) -> Place:
    """Return the place that is written; nothing, or `unplaced`, is nowhere yet.

    >>> parse_place("1534"), parse_place("box:surrendered").kind
    (Place(kind='hex', at='1534', map=''), 'box')
    >>> parse_place("west:0305").map
    'west'
    """
    words = text.strip()
    if words in ("", "unplaced"):
        return UNPLACED
    if words == "off_map":
        return OFF_MAP
    first, colon, rest = words.partition(_SEPARATOR)
    if not colon:
        return Place("hex", words)
    if first in ("box", "edge"):
        return Place("box" if first == "box" else "edge", rest.strip())
    return Place("hex", rest.strip(), first.strip())


def format_place(place: Place) -> str:
    """Return a place as one writes it: the inverse of `parse_place`."""
    if place.kind in ("off_map", "unplaced"):
        return place.kind
    if place.kind in ("box", "edge"):
        return f"{place.kind}{_SEPARATOR}{place.at}"
    return f"{place.map}{_SEPARATOR}{place.at}" if place.map else place.at


def is_on(place: Place, map_id: str) -> bool:
    """Tell whether a place is a hex of a map; without an id, of the only one there is."""
    return place.kind == "hex" and (not map_id or place.map in ("", map_id))


def by_place(position: Position) -> dict[Place, list[str]]:
    """Return the ids of the units at each place, hexes first and in their order."""
    order = {"hex": 0, "box": 1, "edge": 2, "off_map": 3, "unplaced": 4}
    found: dict[Place, list[str]] = {}
    for id_, piece in sorted(position.pieces.items()):
        found.setdefault(piece.place, []).append(id_)
    return dict(
        sorted(found.items(), key=lambda item: (order[item[0].kind], item[0].map, item[0].at))
    )
