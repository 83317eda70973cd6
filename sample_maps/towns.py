"""Towns, villages and forts: where people settle, and the outline of their houses."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from mapkit.hexes import Hex, distance, neighbours
from sample_maps.fields import fractal
from sample_maps.land import Field, Land
from sample_maps.outlines import Rings, outlines


@dataclass(frozen=True)
class Place:
    """One town, village or farm: its hexes, the first one its centre."""

    kind: str
    name: str
    hexes: tuple[Hex, ...]
    value: int | None = None
    owner: str = ""


def settle(
    land: Land,
    worth: Callable[[Hex], int | None],
    *,
    count: int,
    apart: int,
    taken: Iterable[Hex],
) -> list[Hex]:
    """Return up to *count* hexes worth living in, best first, at least *apart* from each other.

    *worth* returns None where nobody settles; *taken* hexes keep newcomers away too.
    """
    valued = sorted((-value, hex_) for hex_ in land.hexes if (value := worth(hex_)) is not None)
    found: list[Hex] = []
    others = list(taken)
    for _, hex_ in valued:
        if len(found) == count:
            break
        if all(distance(hex_, other) >= apart for other in others):
            found.append(hex_)
            others.append(hex_)
    return found


def outline(land: Land, place: Place, seed: int, *, radius: float) -> list[Rings]:
    """Return the built-up ground of a place; its hexes' centres lie within.

    *radius* counts in hexes; hexes of one town that touch grow together.
    """
    centres = [land.to_hexes(land.grid.centre(hex_)) for hex_ in place.hexes]
    rows, columns = land.window(centres, radius + 0.6)
    x, y = land.x[rows, columns], land.y[rows, columns]
    away = np.full_like(x, np.inf)
    for index, (ax, ay) in enumerate(centres):
        ends = [
            centres[other]
            for other in range(index)
            if place.hexes[other] in neighbours(place.hexes[index])
        ] or [(ax, ay)]
        for bx, by in ends:
            dx, dy = bx - ax, by - ay
            length = dx * dx + dy * dy
            t = np.clip(((x - ax) * dx + (y - ay) * dy) / length, 0, 1) if length else 0 * x
            ox, oy = x - ax - t * dx, y - ay - t * dy
            away = np.minimum(away, np.sqrt(ox * ox + oy * oy))
    ragged = fractal(x, y, seed, wave=0.45, octaves=2)
    grown: Field = np.full_like(land.x, -1.0)
    grown[rows, columns] = radius * (1 + 0.35 * ragged) - away
    return outlines(land, grown, smallest_px=60.0)
