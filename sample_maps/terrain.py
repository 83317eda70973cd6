"""The shapes of land that several maps share: troughs, plains, woods on slopes."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from mapkit.grid import Point
from sample_maps.fields import along, fractal, ramp
from sample_maps.land import Field, Land


@dataclass(frozen=True)
class Valley:
    """A valley along labels; *floors* are heights in levels, *wide* and *flat* count in hexes."""

    labels: str
    floors: tuple[float, ...]
    wide: float = 4.0
    flat: float = 0.5


def valleys_cut(land: Land, top: Field, x: Field, y: Field, valleys: Sequence[Valley]) -> Field:
    """Return the land with valleys cut into it: flat floors, steep sides, soft shoulders.

    *x* and *y* are the land's coordinates, warped so that valleys wind.
    """
    cut = top
    for valley in valleys:
        away, floor = along(x, y, land.path(valley.labels), valley.floors)
        t = np.clip((away - valley.flat) / valley.wide, 0, 1)
        side = t * (2 - t) * 0.55 + t * t * (3 - 2 * t) * 0.45
        cut = np.minimum(cut, floor + (np.maximum(top, floor) - floor) * side)
    return cut


def line_across(x: Field, points: Sequence[Point]) -> Field:
    """Return the height of a broken line over x, level beyond its ends."""
    value = np.full_like(x, points[0][1])
    for (ax, ay), (bx, by) in pairwise(points):
        value = value + (by - ay) * np.clip((x - ax) / (bx - ax), 0, 1)
    return value


def woods(
    land: Land,
    height: Field,
    seed: int,
    *,
    low: float,
    high: float,
    share: float = 0.0,
    wave: float = 6.0,
) -> Field:
    """Return where trees stand: above nought on moist ground between two heights.

    The outline is ragged: the last octaves of the noise are short. *share* moves the tree
    line of all woods; more gives more.
    """
    moist = fractal(land.x, land.y, seed, wave=wave, octaves=5)
    belt = ramp(height, low - 0.5, low + 0.5) * (1 - ramp(height, high - 0.6, high + 0.6))
    return moist + share + 0.8 * belt - 0.75


def slope(land: Land, height: Field) -> Field:
    """Return how steep the land is, in levels per hex."""
    dy, dx = (
        _differences(height, axis) / (_differences(along_axis, axis))
        for axis, along_axis in ((0, land.y), (1, land.x))
    )
    return np.sqrt(dx * dx + dy * dy)


def _differences(field: Field, axis: int) -> Field:
    edged = np.pad(field, [(1, 1) if a == axis else (0, 0) for a in (0, 1)], mode="edge")
    ahead = edged[2:] if axis == 0 else edged[:, 2:]
    behind = edged[:-2] if axis == 0 else edged[:, :-2]
    return ahead - behind
