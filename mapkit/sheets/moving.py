"""A map under other coordinates: moved on the lattice, or turned by quarters.

Everything that names a hex follows: hexsides, links, facings, areas, labels, and the shapes
with their pixels.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from mapkit.errors import SheetError
from mapkit.grid import Grid, Matrix, Point
from mapkit.hexes import Hex, Hexside, Link
from mapkit.model import Area, Feature, HexMap
from mapkit.numbering import AnyNumbering, Numbering, SheetNumbering

Quarters = Literal[1, 2, 3]


def moved(map_: HexMap, by: Hex, onto: Grid) -> HexMap:
    """Return the map shifted by a displacement and laid on another grid of its kind."""

    def pixel(xy: Point) -> Point:
        q, r = map_.grid.from_pixel(*xy)
        return onto.to_pixel(q + by.q, r + by.r)

    return _rebuilt(
        map_,
        lambda hex_: hex_.moved(by),
        pixel,
        grid=onto,
        numbering=map_.numbering.moved(by),
    )


def turn(map_: HexMap, quarters: Quarters) -> HexMap:
    """Return the sheet turned clockwise by quarters of a full turn; labels stay on their hexes.

    The grid is that of the turned picture. The picture itself is left out: turning it is the
    caller's affair.
    """
    if not map_.hexes:
        raise SheetError(f"the map {map_.named} has no hexes: nothing to turn")
    turned = map_
    width_px, height_px = _sheet_size_px(map_)
    for _ in range(quarters):
        turned = _quarter_turn(turned, height_px)
        width_px, height_px = height_px, width_px
    return turned


def turn_numbering(numbering: Numbering, quarters: int) -> Numbering:
    """Return a numbering on a sheet turned clockwise about hex (0, 0); labels stay on their hexes.

    >>> turn_numbering(Numbering(straight="columns"), 1).format_label(Hex(-2, 2))
    '0302'
    """
    for _ in range(quarters % 4):
        flat = numbering.orientation == "flat"
        numbering = _turned_rule(numbering, _turned_flat if flat else _turned_pointy)
    return numbering


def _turned_flat(hex_: Hex) -> Hex:
    return Hex(-hex_.q - hex_.r, hex_.q)


def _turned_pointy(hex_: Hex) -> Hex:
    return Hex(-hex_.r, hex_.q + hex_.r)


def _quarter_turn(map_: HexMap, height_px: float) -> HexMap:
    """A quarter clockwise: right becomes down, down becomes left; flat becomes pointy."""
    flat = map_.grid.orientation == "flat"
    there = _turned_flat if flat else _turned_pointy
    back: Matrix = (
        ((0.0, 1.0, 0.0), (-1.0, -1.0, 0.0), (0.0, 0.0, 1.0))
        if flat
        else ((1.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    )
    old = map_.grid.renamed(back)
    top, middle, bottom = old.homography
    # (x, y) of the picture goes to (height - y, x).
    slid = tuple(height_px * w - y for y, w in zip(middle, bottom, strict=True))
    grid = replace(
        old,
        orientation="pointy" if flat else "flat",
        homography=((slid[0], slid[1], slid[2]), top, bottom),
        north_deg=(old.north_deg + 90 + 180) % 360 - 180,
    )
    turned = _rebuilt(
        map_,
        there,
        lambda xy: (height_px - xy[1], xy[0]),
        grid=grid,
        numbering=_turned_numbering(map_.numbering, there),
    )
    return replace(turned, picture=None)


def _sheet_size_px(map_: HexMap) -> Point:
    """The picture's size; without one, the map with the same margin on all sides."""
    if map_.picture is not None:
        return float(map_.picture.width_px), float(map_.picture.height_px)
    corners = [corner for hex_ in map_.hexes for corner in map_.grid.polygon(hex_)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return max(xs) + min(xs), max(ys) + min(ys)


def _turned_numbering(numbering: AnyNumbering, there: Callable[[Hex], Hex]) -> AnyNumbering:
    if isinstance(numbering, Numbering):
        return _turned_rule(numbering, there)
    return SheetNumbering(
        tuple(
            replace(
                part,
                numbering=_turned_rule(part.numbering, there),
                columns=(-part.rows[1], -part.rows[0]),
                rows=part.columns,
            )
            for part in numbering.parts
        )
    )


def _turned_rule(numbering: Numbering, there: Callable[[Hex], Hex]) -> Numbering:
    """Columns, counted to the right, become rows counted down; rows become columns to the left."""
    step: Literal[1, -1] = -1 if numbering.rows.step == 1 else 1
    return replace(
        numbering,
        straight="rows" if numbering.straight == "columns" else "columns",
        order="RRCC" if numbering.order == "CCRR" else "CCRR",
        columns=replace(numbering.rows, step=step),
        rows=numbering.columns,
        origin=there(numbering.origin),
    )


def _rebuilt(
    map_: HexMap,
    there: Callable[[Hex], Hex],
    pixel: Callable[[Point], Point],
    *,
    grid: Grid,
    numbering: AnyNumbering,
) -> HexMap:
    def facing(features: tuple[Feature, ...]) -> tuple[Feature, ...]:
        return tuple(
            replace(feature, facing=there(feature.facing)) if feature.facing else feature
            for feature in features
        )

    def hexside(side: Hexside) -> Hexside:
        return Hexside.between(there(side.a), there(side.b))

    def area(old: Area) -> Area:
        return replace(
            old,
            hexes=tuple(map(there, old.hexes)),
            hexsides=tuple(map(hexside, old.hexsides)),
        )

    return replace(
        map_,
        grid=grid,
        numbering=numbering,
        hexes={there(hex_): ground for hex_, ground in map_.hexes.items()},
        hexsides={hexside(side): facing(f) for side, f in map_.hexsides.items()},
        links={
            Link.between(there(link.a), there(link.b)): facing(features)
            for link, features in map_.links.items()
        },
        areas=tuple(map(area, map_.areas)),
        shapes=tuple(
            replace(shape, rings=tuple(tuple(map(pixel, ring)) for ring in shape.rings))
            for shape in map_.shapes
        ),
    )
