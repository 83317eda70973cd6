"""Named points that stand where the hexes of a map do: the lattice through them, or none.

Authors set points by hand, on scans that lie askew: each may be off by a part of a hex. One is
found from the next, so that only all of them together must lie on a plane.
"""

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mapkit.grid import Grid, Orientation, Point
from mapkit.hexes import DIRECTIONS, ORIGIN, Hex

Numbers = npt.NDArray[np.float64]

_FEWEST = 12  # fewer are boxes or towns, not a map
_SAMPLE = 300
_REACH = 1.5  # nearest neighbours, also of stretched hexes, are no farther apart than this
_ASTRAY_DEG = 14.0
_UPRIGHT = 0.8  # of the ways to neighbours must run as those of one kind of hexes do
_NEAR = 0.3  # of a hex: what lies farther from where a neighbour should be is none
_HELD = 0.9  # of the points must be found from each other
_FIRST_DEG: dict[Orientation, float] = {"flat": 30.0, "pointy": 0.0}


@dataclass(frozen=True, slots=True)
class PointLattice:
    """A grid through points, and which hex each of them is; a point beside it is not there."""

    grid: Grid
    hexes: dict[int, Hex]


def lattice_through(points: Sequence[Point]) -> PointLattice | None:
    """Return the hexes that points are the centres of; None where they are not."""
    at = np.array(points, float).reshape(-1, 2)
    if len(at) < _FEWEST:
        return None
    ways = _ways_to_neighbours(at)
    found = max((_basis(ways, orientation) for orientation in _FIRST_DEG), key=lambda one: one[1])
    (orientation, basis), share = found
    if share < _UPRIGHT:
        return None
    hexes = _walked(at, basis)
    if len(hexes) < max(_HELD * len(at), _FEWEST):
        return None
    grid = _fitted(at, hexes, orientation)
    if grid is None:
        return None
    pitch = grid.pitch_px(ORIGIN)
    off = max(math.dist(grid.centre(hex_), at[n]) for n, hex_ in hexes.items())
    return PointLattice(grid, hexes) if off <= _NEAR * pitch else None


def _ways_to_neighbours(at: Numbers) -> Numbers:
    """Return the steps from some points to those around them."""
    some = at[:: max(1, len(at) // _SAMPLE)]
    steps = at[None, :, :] - some[:, None, :]
    far = np.hypot(steps[..., 0], steps[..., 1])
    far[far < 1e-9] = math.inf
    pitch = float(np.median(far.min(axis=1)))
    return np.asarray(steps[far <= _REACH * pitch])


def _basis(ways: Numbers, orientation: Orientation) -> tuple[tuple[Orientation, Numbers], float]:
    """Return the steps of q and r for hexes that stand so, and how many of the ways run so."""
    angle = np.degrees(np.arctan2(ways[:, 1], ways[:, 0])) - _FIRST_DEG[orientation]
    sector = np.round(angle / 60.0)
    fits = np.abs(angle - 60.0 * sector) <= _ASTRAY_DEG
    steps = []
    for wanted in (0, 1):  # the way of q, and the way of r a sixth of a turn on
        same = fits & (sector % 3 == wanted)
        if not same.any():
            return (orientation, np.eye(2)), 0.0
        back = np.where(sector[same] % 6 == wanted, 1.0, -1.0)
        steps.append(np.median(ways[same] * back[:, None], axis=0))
    return (orientation, np.array(steps)), float(fits.mean())


def _walked(at: Numbers, basis: Numbers) -> dict[int, Hex]:
    """Return the points that are reached from one in the middle, hex by hex."""
    pitch = float(np.hypot(*basis.T).mean())
    tiles: dict[tuple[int, int], list[int]] = {}
    for n, (x, y) in enumerate(at):
        tiles.setdefault((math.floor(x / pitch), math.floor(y / pitch)), []).append(n)

    def nearest(x: float, y: float) -> int | None:
        column, row = math.floor(x / pitch), math.floor(y / pitch)
        around = [(column + c, row + r) for c in (-1, 0, 1) for r in (-1, 0, 1)]
        close = [(math.dist(at[n], (x, y)), n) for tile in around for n in tiles.get(tile, ())]
        off, found = min(close, default=(math.inf, -1))
        return found if off <= _NEAR * pitch else None

    middle = int(np.hypot(*(at - np.median(at, axis=0)).T).argmin())
    found, taken = {middle: ORIGIN}, {ORIGIN}
    waiting = deque([middle])
    while waiting:
        here = waiting.popleft()
        for step in DIRECTIONS:
            hex_ = found[here].moved(step)
            if hex_ in taken:
                continue
            x, y = at[here] + step.q * basis[0] + step.r * basis[1]
            there = nearest(float(x), float(y))
            if there is not None and there not in found:
                found[there] = hex_
                taken.add(hex_)
                waiting.append(there)
    return found


def _fitted(at: Numbers, hexes: dict[int, Hex], orientation: Orientation) -> Grid | None:
    axial = np.array([(*hexes[n], 1.0) for n in hexes], float)
    solved, _, rank, _ = np.linalg.lstsq(axial, at[list(hexes)], rcond=None)
    if rank < 3:
        return None
    (qx, qy), (rx, ry), (x0, y0) = solved.tolist()
    return Grid(orientation, ((qx, rx, x0), (qy, ry, y0), (0.0, 0.0, 1.0)))
