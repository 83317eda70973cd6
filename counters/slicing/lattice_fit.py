"""A lattice laid exactly over the cuts of a scan: one joint fit to all edges or cut lines.

Along every side of every cell the scan is looked at across: where is the edge, or the thin line?
Each answer binds the lattice in one direction only; together they bind all of it.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from counters.slicing.lattice import Lattice
from counters.slicing.upright import Floats, Mask, Numbers
from mapkit.scan.homographies import project
from mapkit.scan.sheet import Pixels

_ALONG = 10  # places along a piece of a side that are averaged
PIECES = ((0.12, 0.38), (0.38, 0.62), (0.62, 0.88))  # of a side; corners may be round
_STEP_PX = 0.5
_EDGE = 4.0  # shades from pixel to pixel that make an edge, when averaged
_LINE = 5.0  # shades by which a cut line is darker, or lighter, than both its sides
_LINED = 0.6  # of the sides: then the cuts are lines
_ALL_AROUND = 0.85  # of the outer sides, where lines mark the cuts
_REACH = (0.09, 0.06, 0.04, 0.03, 0.03)  # of a step: how far to look, round by round
_OUTER_ROUNDS = 3
_LEAST_REACH_PX = 3.0


@dataclass(frozen=True, eq=False)
class Sides:
    """Pieces of cell sides: their ends in the section, which way they bind, which are outer.

    *axis* is 0 where a piece runs down and binds x. *far* says whether it is the right or lower
    side of its cell: such a side moves with the width of the cells.
    """

    starts: Numbers
    ends: Numbers
    axis: Numbers
    outer: Mask
    far: Mask


@dataclass(frozen=True, eq=False)
class Fit:
    """A lattice fitted to a scan, and how well the scan bears it out.

    *lined* tells that thin lines mark the cuts. *outer* and *inner* are the shares of outer and
    inner pieces of side at which something was seen, *rms_px* how far off these are as a rule.
    """

    lattice: Lattice
    lined: bool
    outer: float
    inner: float
    rms_px: float


def fit_lattice(picture: Pixels, lattice: Lattice, occupied: Collection[tuple[int, int]]) -> Fit:
    """Return the lattice moved, tilted and slanted to where the cuts are.

    *occupied* are the cells that hold print: only their sides can be seen. Figures near the cuts
    may look like cut lines; where these do not run all around, the edges of the print count.
    """
    lined, dark = _is_lined(picture, lattice, sides_of(lattice, occupied))
    by_edges = partial(_fitted, picture, lattice, occupied)
    if not lined:
        return by_edges(lined=False, dark=True)
    fit = by_edges(lined=True, dark=dark)
    if fit.outer >= _ALL_AROUND and fit.inner >= _LINED:
        return fit
    other = by_edges(lined=False, dark=True)
    return max(fit, other, key=lambda one: one.outer)


def _fitted(
    picture: Pixels,
    lattice: Lattice,
    occupied: Collection[tuple[int, int]],
    *,
    lined: bool,
    dark: bool,
) -> Fit:
    """Fit to lines, or to edges."""
    sides = sides_of(lattice, occupied)
    found: Numbers = np.zeros(len(sides.axis))
    seen: Numbers = np.zeros(len(sides.axis))
    for number, reach in enumerate(_REACH):
        reach_px = max(reach * min(lattice.pitch_px), _LEAST_REACH_PX)
        sides = sides_of(lattice, occupied)  # they move with the width of the cells
        profile, t = look_across(picture, lattice, sides, reach_px)
        found, seen = _lines(profile, t, dark, lattice) if lined else _edges(profile, t)
        if lined and not dark:
            found, seen = _or_edges(found, seen, sides, _edges(profile, t))
        if not lined and number < _OUTER_ROUNDS and _is_bound(sides, seen):
            seen = seen * sides.outer  # figures near inner cuts look like edges from afar
        if (seen > 0).sum() < 8:
            break
        lattice = _moved(lattice, sides, found, seen)
    good = seen > 0
    rms = float(np.sqrt(np.median(found[good] ** 2)) * 1.48) if good.any() else float("inf")
    outer, inner = sides.outer, ~sides.outer
    return Fit(
        lattice,
        lined,
        float(good[outer].mean()) if outer.any() else 0.0,
        float(good[inner].mean()) if inner.any() else 0.0,
        rms,
    )


def fit_marks(picture: Pixels, lattice: Lattice, sides_at: Callable[[Lattice], Sides]) -> Fit:
    """Return the lattice moved to where marks to cut by stand; *sides_at* tells where to look."""
    sides = sides_at(lattice)
    found: Numbers = np.zeros(len(sides.axis))
    seen: Numbers = np.zeros(len(sides.axis))
    for reach in _REACH[1:]:
        sides = sides_at(lattice)
        reach_px = max(reach * min(lattice.pitch_px), _LEAST_REACH_PX)
        profile, t = look_across(picture, lattice, sides, reach_px + _line_px(lattice))
        found, seen = _lines(profile, t, True, lattice)
        if (seen > 0).sum() < 8:
            break
        lattice = _moved(lattice, sides, found, seen)
    good = seen > 0
    rms = float(np.sqrt(np.median(found[good] ** 2)) * 1.48) if good.any() else float("inf")
    return Fit(lattice, False, float(good.mean()) if len(good) else 0.0, 0.0, rms)


def _is_bound(sides: Sides, seen: Numbers) -> bool:
    """Say whether the outer sides alone bind a lattice: all four of them are seen."""
    return all(
        float((seen[sides.outer & (sides.axis == axis) & (sides.far == far)] > 0).sum()) >= 4
        for axis in (0, 1)
        for far in (False, True)
    )


def sides_of(
    lattice: Lattice,
    occupied: Collection[tuple[int, int]],
    pieces: Sequence[tuple[float, float]] = PIECES,
) -> Sides:
    """Return the *pieces* of all sides at which print may end; a shared side comes once."""
    held = set(occupied)
    wide, high = lattice.share
    touching = (wide > 0.999, high > 0.999)
    rows: list[tuple[float, float, float, float, int, bool, bool]] = []
    for row, column in sorted(held):
        for axis, (down, right) in ((0, (0, 1)), (1, (1, 0))):
            for far in (False, True):
                sign = 1 if far else -1
                has_next = (row + sign * down, column + sign * right) in held
                if far and touching[axis] and has_next:
                    continue  # it is the near side of the next cell
                outer = not touching[axis] or not has_next
                for start, end in pieces:
                    along = wide if axis else high
                    if axis == 0:
                        x = column + (wide if far else 0.0)
                        ends = (x, row + start * along, x, row + end * along)
                    else:
                        y = row + (high if far else 0.0)
                        ends = (column + start * along, y, column + end * along, y)
                    rows.append((*ends, axis, outer, far))
    table = np.array(rows, float).reshape(-1, 7)
    return Sides(table[:, :2], table[:, 2:4], table[:, 4], table[:, 5] > 0, table[:, 6] > 0)


def look_across(
    picture: Pixels, lattice: Lattice, sides: Sides, reach_px: float
) -> tuple[Floats, Numbers]:
    """Return the colours across every piece of side, averaged along it, and how far off they lie.

    Positive is to the right of a side that runs down, and below one that runs across.
    """
    import cv2

    a, b = lattice.at(sides.starts), lattice.at(sides.ends)
    normal = _normals(a, b, sides.axis)
    count = int(np.ceil(reach_px / _STEP_PX))
    t = np.arange(-count, count + 1) * _STEP_PX
    along = (np.arange(_ALONG) + 0.5) / _ALONG
    spots = a[:, None] + (b - a)[:, None] * along[None, :, None]
    places = spots[:, :, None] + normal[:, None, None] * t[None, None, :, None] - 0.5
    flat = places.reshape(-1, len(t), 2).astype(np.float32)
    parts = [
        cv2.remap(
            picture,
            np.ascontiguousarray(flat[begin : begin + 16_000, :, 0]),
            np.ascontiguousarray(flat[begin : begin + 16_000, :, 1]),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        for begin in range(0, len(flat), 16_000)
    ]
    colours = np.concatenate(parts).astype(np.float32)
    averaged = colours.reshape(len(a), _ALONG, len(t), 3).mean(axis=1)
    return np.asarray(averaged, np.float32), np.asarray(t, float)


def _normals(a: Numbers, b: Numbers, axis: Numbers) -> Numbers:
    way = b - a
    way /= np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
    right = np.column_stack([way[:, 1], -way[:, 0]])  # of a side that runs down
    return np.where(axis[:, None] == 0, right, -right)


def _edges(profile: Floats, t: Numbers) -> tuple[Numbers, Numbers]:
    """Return where the strongest edge of every profile lies, and how strong it is (0: none)."""
    two = round(1.0 / _STEP_PX)
    slope = np.zeros(profile.shape[:2])
    change = profile[:, 2 * two :] - profile[:, : -2 * two]
    slope[:, two:-two] = np.linalg.norm(change, axis=2) / 2
    return _peaks(slope, t, _EDGE)


def _lines(profile: Floats, t: Numbers, dark: bool, lattice: Lattice) -> tuple[Numbers, Numbers]:
    """Return where a thin line lies in every profile, and how strong it is (0: none)."""
    return _peaks(_ridges(profile, dark, _line_px(lattice)), t, _LINE)


def _or_edges(
    found: Numbers, seen: Numbers, sides: Sides, edges: tuple[Numbers, Numbers]
) -> tuple[Numbers, Numbers]:
    """Take edges at outer sides without a line: a light one does not show beside light paper."""
    unseen = sides.outer & (seen == 0)
    return np.where(unseen, edges[0], found), np.where(unseen, edges[1], seen)


def _line_px(lattice: Lattice) -> float:
    return float(np.clip(0.025 * min(lattice.pitch_px), 2.0, 6.0))


def _ridges(profile: Floats, dark: bool, half_px: float) -> Numbers:
    """Return by how much every place is darker (or lighter) than both places *half_px* off."""
    grey = profile.mean(axis=2).astype(float)
    grey = grey if dark else 255.0 - grey
    off = max(1, round(half_px / _STEP_PX))
    ridge: Numbers = np.zeros(grey.shape)
    sides = np.minimum(grey[:, : -2 * off], grey[:, 2 * off :])
    ridge[:, off:-off] = np.maximum(sides - grey[:, off:-off], 0.0)
    return ridge


def _peaks(strength: Numbers, t: Numbers, least: float) -> tuple[Numbers, Numbers]:
    """Return the centre of the strongest peak of each row; near ones are preferred a little."""
    near = 1.0 - 0.35 * (np.abs(t) / max(float(t[-1]), 1e-9)) ** 2
    best = (strength * near).argmax(axis=1)
    rows = np.arange(len(strength))
    height = strength[rows, best]
    half = 3
    window = np.clip(best[:, None] + np.arange(-half, half + 1), 0, len(t) - 1)
    weight = np.maximum(strength[rows[:, None], window] - 0.3 * height[:, None], 0.0)
    centre = (weight * t[window]).sum(axis=1) / np.maximum(weight.sum(axis=1), 1e-9)
    inside = (best > half) & (best < len(t) - 1 - half)
    return centre, np.where((height >= least) & inside, height, 0.0)


def _is_lined(picture: Pixels, lattice: Lattice, sides: Sides) -> tuple[bool, bool]:
    """Say whether thin lines mark the cuts, and whether they are dark."""
    inner = ~sides.outer
    if not inner.any():
        return False, True
    reach_px = _REACH[0] * min(lattice.pitch_px) + _line_px(lattice)
    profile, _ = look_across(picture, lattice, sides, reach_px)
    shares = {
        dark: float((_ridges(profile[inner], dark, _line_px(lattice)).max(axis=1) > _LINE).mean())
        for dark in (True, False)
    }
    dark = shares[True] >= shares[False]
    return shares[dark] >= _LINED, dark


def _moved(lattice: Lattice, sides: Sides, found: Numbers, seen: Numbers) -> Lattice:
    """Return the lattice after one step of least squares, far-off answers counting little."""
    middle = (sides.starts + sides.ends) / 2
    good = seen > 0
    weight = np.minimum(seen, 40.0) * good
    jacobian = _jacobian(lattice, sides, middle)
    free = [True] * 8 + [share < 0.999 for share in lattice.share]
    jacobian = jacobian[:, free]
    change: Numbers = np.zeros(jacobian.shape[1])
    for _ in range(8):
        off = found - jacobian @ change
        spread = max(1.48 * float(np.median(np.abs(off[good]))), 0.25)
        robust = weight / (1 + (off / (2 * spread)) ** 2) ** 2
        normal = jacobian.T @ (jacobian * robust[:, None])
        normal += np.eye(len(normal)) * 1e-6 * float(np.trace(normal)) / len(normal)
        change = np.asarray(np.linalg.solve(normal, jacobian.T @ (found * robust)), float)
    whole = np.zeros(10)
    whole[free] = change
    return _changed(lattice, whole)


def _jacobian(lattice: Lattice, sides: Sides, middle: Numbers) -> Numbers:
    """Return by how many pixels, along its normal, each piece of side moves with each unknown."""
    a, b = lattice.at(sides.starts), lattice.at(sides.ends)
    normal = _normals(a, b, sides.axis)
    here = lattice.at(middle)
    small = 1e-5
    columns = []
    for index in range(8):
        change = np.zeros(10)
        change[index] = small
        there = _changed(lattice, change).at(middle)
        columns.append(((there - here) * normal).sum(axis=1) / small)
    for axis in (0, 1):
        step = np.zeros(2)
        step[axis] = small
        moves = (sides.axis == axis) & sides.far
        there = lattice.at(middle + np.where(moves[:, None], step, 0.0))
        columns.append(((there - here) * normal).sum(axis=1) / small)
    return np.column_stack(columns)


def _changed(lattice: Lattice, change: Numbers) -> Lattice:
    """Return the lattice with its homography and its shares changed by ten small numbers."""
    half = np.array([lattice.columns, lattice.rows]) / 2
    unit = np.diag([*(1 / half), 1.0]) @ np.array([[1, 0, -half[0]], [0, 1, -half[1]], [0, 0, 1]])
    turn = np.eye(3) + np.append(change[:8], 0.0).reshape(3, 3)
    matrix = lattice.matrix @ np.linalg.inv(unit) @ turn @ unit
    share = (lattice.share[0] + float(change[8]), lattice.share[1] + float(change[9]))
    return replace(lattice, matrix=matrix / matrix[2, 2], share=share)


def lattice_through(
    middles: dict[tuple[int, int], Numbers], sizes: Numbers, shape: tuple[int, int]
) -> Lattice:
    """Return the lattice through the middles of separate counters, whose *sizes* are known."""
    from mapkit.scan.homographies import fit_homography

    rows, columns = shape
    places = np.array([(column + 0.5, row + 0.5) for row, column in middles], float)
    images = np.array(list(middles.values()), float)
    matrix = _affine(places, images)
    if len(places) >= 8 and rows > 1 and columns > 1:
        matrix = fit_homography(places, images, np.ones(len(places)), spread_px=1.0)
    centre = np.array([[columns / 2, rows / 2]])
    steps = [
        float(np.linalg.norm(project(matrix, centre + by) - project(matrix, centre)))
        for by in (np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    ]
    wide, high = (min(float(size) / step, 1.0) for size, step in zip(sizes, steps, strict=True))
    # So far a cell's middle is half a step in; it shall be half a cell.
    shift = np.array([[1, 0, 0.5 - wide / 2], [0, 1, 0.5 - high / 2], [0, 0, 1]])
    return Lattice(matrix @ shift, rows, columns, (wide, high))


def _affine(places: Numbers, images: Numbers) -> Numbers:
    """Fit an affine map; of a single row the other direction is taken to stand upright on it."""
    rows = np.column_stack([places, np.ones(len(places))])
    flat = [axis for axis in (0, 1) if np.ptp(places[:, axis]) < 0.5]
    if not flat:
        found = np.linalg.lstsq(rows, images, rcond=None)[0].T
        return np.vstack([found, (0, 0, 1)])
    [axis] = flat[:1]
    along = 1 - axis
    slope, start = (
        np.polyfit(places[:, along], images, 1)
        if np.ptp(places[:, along]) > 0.5
        else (np.eye(2)[along], images[0])
    )
    across = np.array([-slope[1], slope[0]]) if along == 0 else np.array([slope[1], -slope[0]])
    found = np.zeros((3, 3))
    found[:2, along], found[:2, axis] = slope, across
    found[:2, 2] = start - across * places[0, axis]
    found[2, 2] = 1
    return found
