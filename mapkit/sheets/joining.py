"""Sheets of a map: cut one out, join two. Values, labels and distances stay true.

What a sheet's edge cuts (a river on the last hexside, a road that leaves) stays with both
pieces, so that joining them again gives the undivided map.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Literal, TypeVar

from mapkit.errors import MapkitError, SheetError
from mapkit.grid import Grid, Point
from mapkit.hexes import Hex, Hexside, Link, neighbours
from mapkit.model import Area, Feature, Ground, HexMap, Provenance, Shape, Value
from mapkit.notation import parse_hex
from mapkit.numbering import AnyNumbering, SheetNumbering, SheetPart
from mapkit.sheets.moving import moved

_Side = TypeVar("_Side", Hexside, Link)
_VALUES: tuple[Value, ...] = ("terrain", "level", "name")
_SHOWN = 5  # conflicts named in one message


def rectangle(map_: HexMap, one: Hex, other: Hex) -> frozenset[Hex]:
    """Return the hexes of the map in the rectangle of columns and rows between two corners."""
    numbering = map_.numbering
    (c1, r1), (c2, r2) = numbering.position(one), numbering.position(other)
    columns, rows = sorted((c1, c2)), sorted((r1, r2))
    return frozenset(
        hex_
        for hex_ in map_.hexes
        for column, row in [numbering.position(hex_)]
        if columns[0] <= column <= columns[1] and rows[0] <= row <= rows[1]
    )


def crop(map_: HexMap, hexes: Collection[Hex]) -> HexMap:
    """Return the part of a map that lies in some hexes, each under its old label."""
    kept = {hex_: ground for hex_, ground in map_.hexes.items() if hex_ in hexes}
    if not kept:
        raise SheetError(f"none of these hexes is on the map {map_.named}: nothing to cut out")
    return replace(
        map_,
        hexes=kept,
        hexsides=_touching(map_.hexsides, kept),
        links=_touching(map_.links, kept),
        areas=tuple(filter(None, (_cropped_area(area, kept) for area in map_.areas))),
        shapes=tuple(_shapes_over(map_.shapes, map_.grid, kept)),
    )


def offset_by_labels(first: HexMap, second: HexMap) -> Hex:
    """Return where the second sheet lies on the first, when its numbers simply go on.

    Raises:
        SheetError: the numbers do not continue; two matching hexes must be named.
    """
    hint = "say which hexes coincide, as in --match 2001=0101"
    _require_hexes(first, second)
    anchor = next(iter(second.hexes))
    try:
        offset = _between(first.numbering.parse_label(second.label(anchor)), anchor)
        continued = all(
            first.numbering.format_label(hex_.moved(offset)) == second.label(hex_)
            for hex_ in second.hexes
        )
    except MapkitError:
        continued = False
    if not continued:
        raise SheetError(
            f"the numbers of {second.named} do not continue those of {first.named}; {hint}"
        )
    return offset


def offset_by_match(first: HexMap, second: HexMap, match: tuple[str, str]) -> Hex:
    """Return where the second sheet lies when a label of the first is one of the second.

    The first label may lie beyond the edge: the sheets then touch without sharing a hex.
    """
    here = parse_hex(match[0], first.numbering)
    return _between(here, parse_hex(match[1], second.numbering))


def join(
    first: HexMap,
    second: HexMap,
    offset: Hex,
    *,
    numbering: Literal["continue", "keep"] = "continue",
    prefixes: tuple[str, str] = ("A", "B"),
) -> HexMap:
    """Return both sheets as one map on the first one's grid; shared hexes count once.

    With "continue" the first sheet's numbering names every hex; with "keep" each sheet keeps
    its labels behind a prefix. Pictures are not joined: the result has none.

    Raises:
        SheetError: the sheets disagree where they overlap, or do not touch.
    """
    _require_hexes(first, second)
    if first.grid.orientation != second.grid.orientation:
        raise SheetError("a flat-top and a pointy-top sheet do not join; turn one of them first")
    laid = moved(second, offset, first.grid)
    _require_contact(first, laid)
    stated = _stating(laid, first.provenance)
    conflicts: list[str] = []
    joined = replace(
        first,
        numbering=_joined_numbering(first, laid, numbering, prefixes),
        hexes=_merged_hexes(first, stated, conflicts),
        hexsides=_merged_sides(first, stated, first.hexsides, stated.hexsides, conflicts),
        links=_merged_sides(first, stated, first.links, stated.links, conflicts),
        kinds=first.kinds.merged(second.kinds),
        areas=_merged_areas(first.areas, stated.areas, conflicts),
        shapes=first.shapes + tuple(s for s in laid.shapes if s not in first.shapes),
        notes=tuple(dict.fromkeys(first.notes + second.notes)),
        picture=None,
    )
    if conflicts:
        more = f" and {len(conflicts) - _SHOWN} more" if len(conflicts) > _SHOWN else ""
        raise SheetError(
            f"the sheets disagree at {', '.join(conflicts[:_SHOWN])}{more}; make both alike there, "
            "or check which hexes coincide"
        )
    _require_labels(joined)
    return joined


def _require_hexes(*maps: HexMap) -> None:
    for map_ in maps:
        if not map_.hexes:
            raise SheetError(f"the map {map_.named} has no hexes: nothing to join")


def _between(a: Hex, b: Hex) -> Hex:
    return Hex(a.q - b.q, a.r - b.r)


def _touching(
    sides: Mapping[_Side, tuple[Feature, ...]], kept: Collection[Hex]
) -> dict[_Side, tuple[Feature, ...]]:
    return {side: there for side, there in sides.items() if side.a in kept or side.b in kept}


def _cropped_area(area: Area, kept: Collection[Hex]) -> Area | None:
    hexes = tuple(hex_ for hex_ in area.hexes if hex_ in kept)
    hexsides = tuple(side for side in area.hexsides if side.a in kept or side.b in kept)
    return replace(area, hexes=hexes, hexsides=hexsides) if hexes or hexsides else None


def _shapes_over(shapes: Iterable[Shape], grid: Grid, kept: Collection[Hex]) -> Iterable[Shape]:
    """The shapes whose bounding box meets that of the hexes: none that is seen is lost."""
    corners = [corner for hex_ in kept for corner in grid.polygon(hex_)]
    left, top, right, bottom = _bounds(corners)
    for shape in shapes:
        x0, y0, x1, y1 = _bounds(shape.rings[0])
        if x0 <= right and x1 >= left and y0 <= bottom and y1 >= top:
            yield shape


def _bounds(points: Collection[Point]) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _require_contact(first: HexMap, second: HexMap) -> None:
    for hex_ in second.hexes:
        if hex_ in first.hexes or any(near in first.hexes for near in neighbours(hex_)):
            return
    raise SheetError("laid so, the two sheets do not touch; check which hexes coincide")


def _stating(map_: HexMap, default: Provenance) -> HexMap:
    """Write the map's own provenance on every value that would else take another's."""
    if map_.provenance == default:
        return map_
    own = map_.provenance

    def features(there: tuple[Feature, ...]) -> tuple[Feature, ...]:
        return tuple(replace(f, provenance=f.provenance or own) for f in there)

    return replace(
        map_,
        hexes={
            hex_: replace(
                ground,
                features=features(ground.features),
                provenance=dict.fromkeys(_VALUES, own) | dict(ground.provenance),
            )
            for hex_, ground in map_.hexes.items()
        },
        hexsides={side: features(there) for side, there in map_.hexsides.items()},
        links={link: features(there) for link, there in map_.links.items()},
    )


def _merged_hexes(first: HexMap, second: HexMap, conflicts: list[str]) -> dict[Hex, Ground]:
    merged = dict(second.hexes) | dict(first.hexes)
    for hex_ in first.hexes.keys() & second.hexes.keys():
        notes = (first.hexes[hex_].note, second.hexes[hex_].note)
        note = "; ".join(dict.fromkeys(filter(None, notes)))
        merged[hex_] = replace(first.hexes[hex_], note=note)
    both = sorted(first.hexes.keys() & second.hexes.keys(), key=first.label)
    for hex_ in both:
        if _values(first.hexes[hex_]) != _values(second.hexes[hex_]):
            conflicts.append(first.label(hex_))
    return merged


def _values(ground: Ground) -> tuple[object, ...]:
    return ground.terrain, ground.level, ground.name, _kinds_of(ground.features)


def _kinds_of(features: Iterable[Feature]) -> tuple[Feature, ...]:
    """What is there, wherever it is known from."""
    return tuple(replace(feature, provenance=None, note="") for feature in features)


def _merged_sides(
    first: HexMap,
    second: HexMap,
    here: Mapping[_Side, tuple[Feature, ...]],
    there: Mapping[_Side, tuple[Feature, ...]],
    conflicts: list[str],
) -> dict[_Side, tuple[Feature, ...]]:
    for side in sorted(here.keys() | there.keys()):
        # A sheet knows what runs between its own hexes; what its edge cuts, it may lack.
        knows = side in here and side in there
        inland = all(hex_ in first.hexes and hex_ in second.hexes for hex_ in side)
        if (knows or inland) and _kinds_of(here.get(side, ())) != _kinds_of(there.get(side, ())):
            conflicts.append(first.label_place(side))
    return dict(there) | dict(here)


def _merged_areas(
    here: tuple[Area, ...], there: tuple[Area, ...], conflicts: list[str]
) -> tuple[Area, ...]:
    merged = {area.name: area for area in here}
    for area in there:
        known = merged.get(area.name)
        if known is not None and known.kind != area.kind:
            conflicts.append(f"area '{area.name}'")
        merged[area.name] = area if known is None else _both(known, area)
    return tuple(merged.values())


def _both(one: Area, other: Area) -> Area:
    return replace(
        one,
        hexes=tuple(dict.fromkeys(one.hexes + other.hexes)),
        hexsides=tuple(dict.fromkeys(one.hexsides + other.hexsides)),
    )


def _joined_numbering(
    first: HexMap, second: HexMap, how: Literal["continue", "keep"], prefixes: tuple[str, str]
) -> AnyNumbering:
    if how == "continue":
        return first.numbering
    parts = _parts(first, prefixes[0]) + _parts(second, prefixes[1])
    numbering = SheetNumbering(parts)
    for hex_ in second.hexes.keys() - first.hexes.keys():
        if any(part.covers(hex_) for part in parts[: len(_parts(first, prefixes[0]))]):
            raise SheetError(
                f"{second.label(hex_)} of the second sheet lies in a gap of the first, which would "
                "name it; join with --numbering continue"
            )
    return numbering


def _parts(map_: HexMap, prefix: str) -> tuple[SheetPart, ...]:
    if isinstance(map_.numbering, SheetNumbering):
        return map_.numbering.parts
    places = [map_.numbering.position(hex_) for hex_ in map_.hexes]
    columns, rows = [column for column, _ in places], [row for _, row in places]
    part = SheetPart(prefix, map_.numbering, (min(columns), max(columns)), (min(rows), max(rows)))
    return (part,)


def _require_labels(map_: HexMap) -> None:
    for hex_ in map_.hexes:
        try:
            map_.numbering.format_label(hex_)
        except MapkitError as error:
            raise SheetError(
                f"the first sheet's numbers do not reach over the second ({error}); "
                "join with --numbering keep"
            ) from None
