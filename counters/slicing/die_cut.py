"""How far the print lies beside the cut lines, where such lines are seen."""

from collections.abc import Collection

import numpy as np

from counters.slicing.lattice import Lattice
from counters.slicing.lattice_fit import Sides, look_across, sides_of
from counters.slicing.upright import Floats, Mask, Numbers
from mapkit.scan.sheet import Pixels

_PIECES = ((0.05, 0.1), (0.1, 0.15), (0.85, 0.9), (0.9, 0.95))  # of a side: figures are seldom here
_REACH = 0.16  # of a step, to either side of a cut
_PLATEAU = 0.11  # from here on the ground of the cell itself is seen
_CONTRAST = 18.0  # shades by which two grounds differ at least
_LINE = 0.018  # of a step: half of what a line covers
_FARTHEST = 0.6  # of the reach
_SOFT_PX = 0.9
_FOREIGN = 0.08  # of a profile, besides the two grounds
_SAME = 0.035  # of a step: so much the two outer sides may differ
_LEAST = 6  # pieces of side


def print_offset(
    picture: Pixels, lattice: Lattice, occupied: Collection[tuple[int, int]]
) -> tuple[float, float] | None:
    """Return how far the print lies right of and below the cuts, in pixels; None if unknown.

    Where two grounds meet, or a ground and paper, the print changes; the cut line between them
    is looked past.
    """
    sides = sides_of(lattice, occupied, _PIECES)
    pitch = min(lattice.pitch_px)
    profile, t = look_across(picture, lattice, sides, _REACH * pitch)
    near, far = t <= -_PLATEAU * pitch, t >= _PLATEAU * pitch
    before = np.median(profile[:, near], axis=1)
    after = np.median(profile[:, far], axis=1)
    differ = after - before
    length = np.linalg.norm(differ, axis=1)
    line = np.abs(t) <= max(_LINE * pitch, 1.75)
    clean = _only_grounds(profile[:, ~line], before, after, length)
    usable = (length > _CONTRAST) & clean
    at = np.full(len(sides.axis), np.nan)
    share = _share(profile[usable], before[usable], differ[usable])
    at[usable] = _changes(share, t, line)
    found = [_agreed(at, sides, axis, _SAME * pitch) for axis in (0, 1)]
    return None if found[0] is None or found[1] is None else (found[0], found[1])


def _agreed(at: Numbers, sides: Sides, axis: int, same_px: float) -> float | None:
    """Return what is said of one direction: by inner cuts, else by both outer sides alike.

    Print that runs beyond the outer cuts on both sides tells nothing there.
    """
    known = np.isfinite(at) & (sides.axis == axis)
    inner = at[known & ~sides.outer]
    if len(inner) >= _LEAST:
        middle = float(np.median(inner))
        return middle if float(np.median(np.abs(inner - middle))) < same_px else None
    ends = [at[known & sides.outer & (sides.far == far)] for far in (False, True)]
    if min(map(len, ends)) < _LEAST // 2:
        return None
    first, last = (float(np.median(end)) for end in ends)
    return (first + last) / 2 if abs(first - last) < same_px else None


def _only_grounds(profile: Floats, before: Floats, after: Floats, length: Floats) -> Mask:
    """Say which profiles show nothing but two grounds: figures near the cut would mislead."""
    off = np.minimum(
        np.linalg.norm(profile - before[:, None], axis=2),
        np.linalg.norm(profile - after[:, None], axis=2),
    )
    return np.asarray((off > 0.25 * length[:, None] + 5).mean(axis=1) < _FOREIGN)


def _share(profile: Floats, before: Floats, differ: Floats) -> Numbers:
    """Return how far each colour is on its way from one ground to the other, 0 to 1."""
    way = (profile - before[:, None]) * differ[:, None]
    share = way.sum(axis=2) / (differ**2).sum(axis=1)[:, None]
    return np.asarray(np.clip(share, 0, 1), float)


def _changes(share: Numbers, t: Numbers, line: Mask) -> Numbers:
    """Return where one ground goes over to the other: the step that fits best past the line."""
    steps = np.arange(-_FARTHEST, _FARTHEST + 1e-9, 0.02) * float(t[-1])
    seen, places = share[:, ~line], t[~line]
    off = np.column_stack(
        [np.abs(seen - _step(places - step)).sum(axis=1) for step in steps.tolist()]
    )
    # Within the line's breadth several fit alike: their middle is meant.
    best = off <= off.min(axis=1, keepdims=True) + 0.02
    return np.asarray((best * steps).sum(axis=1) / best.sum(axis=1))


def _step(away: Numbers) -> Numbers:
    """Return a step at 0, as soft as a scan shows it."""
    return np.asarray(1 / (1 + np.exp(-1.7 * away / _SOFT_PX)))
