"""Continuous fields over the land: noise from a seed, valleys along lines, calm at hex centres.

Only sums, products, quotients and square roots are used, one numpy step each: they give the
same bits on every machine, which sines and powers do not.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mapkit.grid import Point
from mapkit.hexes import Hex, neighbours
from sample_maps.dice import Dice
from sample_maps.land import Field, Land

CALM = 0.2  # hexes around a centre where no outline may pass
EDGE_OF_CALM = 0.4
PUSH = 1.1  # hexes around a centre that move when it must change sides
GRAIN = 1 / 4096  # fields are rounded to this before anything is decided

_D = 0.70710678
_E, _F = 0.92387953, 0.38268343
_GRADIENTS = np.array(
    [(1, 0), (_E, _F), (_D, _D), (_F, _E), (0, 1), (-_F, _E), (-_D, _D), (-_E, _F),
     (-1, 0), (-_E, -_F), (-_D, -_D), (-_F, -_E), (0, -1), (_F, -_E), (_D, -_D), (_E, -_F)]
)  # fmt: skip


def noise(x: Field, y: Field, seed: int) -> Field:
    """Return gradient noise with a wavelength of one, between about -1 and 1."""
    i, j = np.floor(x), np.floor(y)
    u, v = x - i, y - j
    column, row = (i - i.min()).astype(np.int64), (j - j.min()).astype(np.int64)
    shape = (int(row.max()) + 2, int(column.max()) + 2)
    lattice = _GRADIENTS[Dice(seed).below(16, shape[0] * shape[1])].reshape(*shape, 2)

    def corner(di: int, dj: int) -> Field:
        gradient = lattice[row + dj, column + di]
        value: Field = gradient[..., 0] * (u - di) + gradient[..., 1] * (v - dj)
        return value

    fade_u, fade_v = _fade(u), _fade(v)
    upper = corner(0, 0) + fade_u * (corner(1, 0) - corner(0, 0))
    lower = corner(0, 1) + fade_u * (corner(1, 1) - corner(0, 1))
    return 1.4 * (upper + fade_v * (lower - upper))


def fractal(x: Field, y: Field, seed: int, *, wave: float, octaves: int = 4) -> Field:
    """Return noise upon noise, each half as long and half as strong; *wave* in hexes."""
    total = np.zeros_like(x)
    for octave in range(octaves):
        scale = 2**octave / wave
        total = total + noise(x * scale, y * scale, seed + 101 * octave) / 2**octave
    return total


def ridged(x: Field, y: Field, seed: int, *, wave: float, octaves: int = 4) -> Field:
    """Return mountain ridges between 0 and about 1: sharp crests where noise changes sign."""
    total, weight = np.zeros_like(x), np.ones_like(x)
    for octave in range(octaves):
        scale = 2**octave / wave
        crest = 1 - np.abs(noise(x * scale, y * scale, seed + 101 * octave))
        crest = crest * crest * weight
        total = total + crest / 2**octave
        weight = np.clip(crest * 1.6, 0, 1)
    return total / 1.8


def warped(land: Land, seed: int, *, reach: float, wave: float) -> tuple[Field, Field]:
    """Return the land's coordinates, shifted to and fro by up to about *reach* hexes."""
    x, y = land.x, land.y
    return (
        x + reach * fractal(x, y, seed, wave=wave, octaves=2),
        y + reach * fractal(x, y, seed + 7, wave=wave, octaves=2),
    )


def ramp(value: Field, low: float, high: float) -> Field:
    """Return 0 below *low*, 1 above *high*, and a smooth rise between."""
    t = np.clip((value - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def along(
    x: Field, y: Field, path: Sequence[Point], values: Sequence[float]
) -> tuple[Field, Field]:
    """Return the distance to a path, and the value that the path has at its nearest point.

    *values* stand at the path's points, or are spread evenly over it where they are fewer.
    """
    marks = _spread(values, len(path))
    best = np.full_like(x, np.inf)
    value = np.zeros_like(x)
    for (ax, ay), (bx, by), va, vb in zip(path, path[1:], marks, marks[1:], strict=False):
        dx, dy = bx - ax, by - ay
        t = np.clip(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0, 1)
        ox, oy = x - ax - t * dx, y - ay - t * dy
        square = ox * ox + oy * oy
        value = np.where(square < best, va + t * (vb - va), value)
        best = np.minimum(best, square)
    return np.sqrt(best), value


def near(land: Land, places: Sequence[Point]) -> Field:
    """Return the distance to the nearest of some places, in hexes."""
    best = np.full_like(land.x, np.inf)
    for px, py in places:
        best = np.minimum(best, (land.x - px) * (land.x - px) + (land.y - py) * (land.y - py))
    return np.sqrt(best)


def settled(field: Field) -> Field:
    """Return the field rounded to its grain, so that no last bit decides anything."""
    return np.rint(field / GRAIN) * GRAIN


def levels_at_centres(land: Land, height: Field, *, lowest: int, highest: int) -> dict[Hex, int]:
    """Return the level of every hex: height counts in levels, and 3.4 at a centre is level 3."""
    at = land.at_centres(height)
    floors = np.clip(np.floor(settled(np.array(list(at.values())))), lowest, highest)
    return {hex_: int(floor) for hex_, floor in zip(at, floors, strict=True)}


def calm_levels(
    land: Land, height: Field, levels: Mapping[Hex, int], *, away: Field | None = None
) -> Field:
    """Return the height with ground of its level at every hex centre.

    No contour passes within `CALM` hexes of a centre, so the level there is beyond dispute.
    *away* may give another distance to the centres than the true one: see `ragged`.
    """
    index, true_away = land.cover
    lowest, highest = min(levels.values()), max(levels.values())
    level = np.array([float(levels[hex_]) for hex_ in land.hexes])[index]
    low = np.where(level == lowest, -np.inf, level + 0.12)
    high = np.where(level == highest, np.inf, level + 0.88)
    wanted = np.clip(height, low, high)
    return _blend(height, wanted, true_away if away is None else away, index >= 0)


def calm_edges(land: Land, field: Field, inside: set[Hex], *, away: Field | None = None) -> Field:
    """Return the field with its sign beyond dispute at every hex centre: plus for *inside*."""
    field = pushed(land, field, inside)
    index, true_away = land.cover
    is_inside = np.array([hex_ in inside for hex_ in land.hexes])[index]
    wanted = np.where(is_inside, np.maximum(field, 0.06), np.minimum(field, -0.06))
    return _blend(field, wanted, true_away if away is None else away, index >= 0)


def pushed(land: Land, field: Field, inside: set[Hex]) -> Field:
    """Return the field pushed over the line around hexes that it would leave on the wrong side."""
    moved = field.copy()
    for hex_, value in land.at_centres(settled(field)).items():
        if (value > 0) != (hex_ in inside):
            px, py = land.to_hexes(land.grid.centre(hex_))
            there = land.window([(px, py)], PUSH)
            dx, dy = land.x[there] - px, land.y[there] - py
            bump = np.clip(1 - (dx * dx + dy * dy) / (PUSH * PUSH), 0, 1)
            moved[there] += (0.1 - value if value <= 0 else -0.1 - value) * bump * bump
    return moved


def ragged(land: Land, seed: int) -> Field:
    """Return the distance to the nearest centre, longer and shorter by up to two fifths.

    Calm ground so measured is no disc: a wood of one hex does not look like a dot. At the edge
    of the map it counts from the lines that run on outward: land comes in there from beyond.
    """
    sway = 1 + 0.4 * np.clip(fractal(land.x, land.y, seed, wave=0.8, octaves=2), -1, 1)
    index, away = land.cover
    away = away.copy()
    for number, hex_ in enumerate(land.hexes):
        centre = land.to_hexes(land.grid.centre(hex_))
        for other in neighbours(hex_):
            if other not in land.hex_set:
                there = land.window([centre], 1.0)
                path = [centre, land.to_hexes(land.grid.centre(other))]
                outward, _ = along(land.x[there], land.y[there], path, (0.0, 0.0))
                nearer = np.minimum(away[there], outward)
                away[there] = np.where(index[there] == number, nearer, away[there])
    return away * sway


def inside_at_centres(land: Land, field: Field) -> set[Hex]:
    """Return the hexes at whose centre the field is above nought."""
    return {hex_ for hex_, value in land.at_centres(settled(field)).items() if value > 0}


def _blend(field: Field, wanted: Field, away: Field, on_map: NDArray[np.bool_]) -> Field:
    share = np.where(on_map, 1 - ramp(away, CALM, EDGE_OF_CALM), 0.0)
    return settled(field + share * (wanted - field))


def _fade(t: Field) -> Field:
    return t * t * t * (t * (t * 6 - 15) + 10)


def _spread(values: Sequence[float], count: int) -> list[float]:
    if len(values) == count:
        return list(values)
    found = []
    for index in range(count):
        at = index * (len(values) - 1) / (count - 1)
        i = min(int(at), len(values) - 2)
        found.append(values[i] + (at - i) * (values[i + 1] - values[i]))
    return found
