"""Ground between neighbours that are alike: where no water runs, it is drawn as one.

Brooks cut along hexsides, all of them, down to those too small to be drawn. Left as they are,
these cuts would ring every hex at a valley's head with lower ground: a honeycomb, and single
hexes like dots. Here they are filled up again, and strips of terrain that make an island of a
single hex are opened, for the drawing alone: no centre changes.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from mapkit.grid import Point
from mapkit.hexes import Hex, Hexside, neighbours, vertices
from sample_maps.fields import fractal, settled
from sample_maps.land import Field, Land

Span = tuple[Hex, ...]  # two neighbours, or three around a vertex

BREADTH = 0.22  # hexes to either side of the line from centre to centre
NECK = 0.12  # the same, where an island is joined: other ground keeps its own joins
SWAY = 0.1  # hexes by which noise widens and narrows it
BANK = 0.3  # hexes beside drawn water that stay as they are, give or take
BANK_SWAY = 0.16
_WINDOW = 1.0
_SEED = 4711


@dataclass(frozen=True)
class Water:
    """The drawn watercourses: their hexsides, and the distance to their lines.

    Beyond the widest bank the distance is not told.
    """

    sides: Collection[Hexside]
    away: Field

    @classmethod
    def of(
        cls, land: Land, sides: Collection[Hexside], lines: Sequence[Sequence[Point]]
    ) -> "Water":
        """Return the water of some hexsides and lines; lines are in pixels."""
        widest = BANK + BANK_SWAY
        away = np.full_like(land.x, widest)
        for line in lines:
            for a, b in pairwise(land.to_hexes(point) for point in line):
                there = land.window((a, b), widest)
                away[there] = np.minimum(away[there], _from_segment(land, there, a, b))
        return cls(frozenset(sides), away)


def filled(
    land: Land,
    field: Field,
    spans: Mapping[Span, float],
    water: Water,
    *,
    steep: float,
    breadth: float = BREADTH,
) -> Field:
    """Return the field, raised between the centres of each span to the value it needs.

    The raised ground falls off by *steep* for each hex of distance, and never reaches the
    banks of the *water*.
    """
    raised = field.copy()
    sway = SWAY * np.clip(fractal(land.x, land.y, _SEED, wave=0.9, octaves=2), -1, 1)
    bank = BANK + BANK_SWAY * np.clip(fractal(land.x, land.y, _SEED + 7, wave=2.0), -1, 1)
    bank = 6 * steep * np.maximum(bank - water.away, 0)
    for hexes, value in spans.items():
        centres = [land.to_hexes(land.grid.centre(hex_)) for hex_ in hexes]
        there = land.window(centres, _WINDOW)
        off = _from_segment if len(centres) == 2 else _from_triangle
        away = np.maximum(off(land, there, *centres) - breadth - sway[there], 0)
        raised[there] = np.maximum(raised[there], value - steep * away - bank[there])
    return settled(raised)


def dips(land: Land, field: Field, least: Mapping[Hex, float], water: Water) -> dict[Span, float]:
    """Return the pairs and threes of hexes between which the field dips, and no water runs.

    *least* holds the hexes that may be joined, with the value below which their ground must
    not dip; a span needs the lowest of its hexes.
    """
    sides = _dry_sides(least, water)
    needs = {tuple(side): min(least[hex_] for hex_ in side) for side in sides}
    low = {
        side: value < needs[tuple(side)]
        for side, value in zip(sides, _at_middles(land, field, sides), strict=True)
    }
    found: dict[Span, float] = {tuple(s): needs[tuple(s)] for s in sides if low[s]}
    threes = sorted(
        {
            three
            for hex_ in least
            for three in vertices(hex_)
            if all(side in low for side in three.hexsides)
        }
    )
    depths = land.sample(field, (land.grid.corner(three) for three in threes))
    for three, value in zip(threes, depths, strict=True):
        need = min(least[hex_] for hex_ in three)
        if value < need or any(low[side] for side in three.hexsides):
            found[tuple(three)] = need
    return found


def islands(land: Land, field: Field, kind_of: Mapping[Hex, str], water: Water) -> list[Span]:
    """Return one pair for every hex that ground above nought cuts off from all hexes alike.

    *kind_of* holds the hexes where the field is below nought. The pair is where the field is
    lowest between.
    """
    alike = [side for side in _dry_sides(kind_of, water) if kind_of[side.a] == kind_of[side.b]]
    ways: dict[Hex, list[tuple[float, Hexside]]] = defaultdict(list)
    for side, value in zip(alike, _at_middles(land, field, alike), strict=True):
        for hex_ in side:
            ways[hex_].append((value, side))
    lowest = (min(found) for found in ways.values())
    return sorted({tuple(side) for value, side in lowest if value > 0})


def _dry_sides(hexes: Collection[Hex], water: Water) -> list[Hexside]:
    """Return the hexsides between some hexes, without those that water runs along."""
    sides = {
        Hexside.between(hex_, other)
        for hex_ in hexes
        for other in neighbours(hex_)
        if other in hexes
    }
    return sorted(sides - set(water.sides))


def _at_middles(land: Land, field: Field, sides: Sequence[Hexside]) -> list[float]:
    middles = []
    for side in sides:
        (ax, ay), (bx, by) = (land.grid.centre(hex_) for hex_ in side)
        middles.append(((ax + bx) / 2, (ay + by) / 2))
    return land.sample(field, middles)


def _from_segment(land: Land, there: tuple[slice, slice], a: Point, b: Point) -> Field:
    x, y = land.x[there], land.y[there]
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    t = np.clip(((x - a[0]) * dx + (y - a[1]) * dy) / length, 0, 1) if length else 0.0
    ox, oy = x - a[0] - t * dx, y - a[1] - t * dy
    return np.sqrt(ox * ox + oy * oy)


def _from_triangle(land: Land, there: tuple[slice, slice], a: Point, b: Point, c: Point) -> Field:
    """Return how far outside a triangle each point lies; nought or less within."""
    x, y = land.x[there], land.y[there]
    away = np.full_like(x, -np.inf)
    for (px, py), (qx, qy), (ox, oy) in ((a, b, c), (b, c, a), (c, a, b)):
        dx, dy = qx - px, qy - py
        turn = (ox - px) * dy - (oy - py) * dx
        length = float(np.sqrt(dx * dx + dy * dy)) * (1 if turn < 0 else -1)
        away = np.maximum(away, ((x - px) * dy - (y - py) * dx) / length)
    return away
