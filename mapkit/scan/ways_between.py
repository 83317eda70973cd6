"""What lies on the way from one hex to the next: a contour between them, or nothing.

Every pair of neighbours is looked at along lanes side by side, from centre to centre. A contour
cuts all of them; a number, a road or tufts of grass only some, and one can go around. So beside
the straight lanes the freest way counts, that bends wherever there is less to cross: what even it
has to cross is a line across the whole way. Pictures are looked at as they are, and for what is
neither colour of the two hexes: where a tint ends tells nothing in woods or on rocks, but the
line, the light and the shade along it are printed there too.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mapkit.scan.sheet import Pixels

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
_Strips = npt.NDArray[np.float32]  # pairs × lanes × steps along

_LANES = np.arange(-9, 10, dtype=np.float32) * np.float32(0.04)  # how far aside, in pitches
_STRAIGHT = [4, 7, 9, 11, 14]  # of the lanes
_STEPS = 40
_BINS = 8
_MOST = 40.0  # of brightness; more is a sign or a name
_MOST_APART = 60.0
_BESIDE = 25.0  # what it costs to leave both hexes
_CHUNK = 1000  # pairs at a time
_GREY = np.array([0.3, 0.59, 0.11], np.float32)


class _Lanes(NamedTuple):
    """Where the lanes of some pairs run, which of it counts (no rim, no number), and what is in
    either hex."""

    points: npt.NDArray[np.int32]
    counted: Mask
    within: Mask


def look_between(
    reduced: Pixels, corners: Whole, pairs: Whole, masks: tuple[Mask, Mask], tones: Floats
) -> Floats:
    """Describe what lies between the two hexes of every pair.

    *corners* are those of the squares around the hexes; of such a square *masks* say what is
    clear of rim and number, and what lies in the hex. *tones* (hexes × some × red, green, blue)
    are the colours of every hex; those not there are far off all others.
    """
    import cv2

    if len(pairs) == 0:
        return np.zeros((0, 0))
    layers = _lines_and_edges(reduced)
    soft = np.asarray(cv2.GaussianBlur(reduced, (0, 0), 0.7), np.uint8)
    found = []
    for part in _parts(pairs):
        lanes = _lanes(corners, part, masks, reduced.shape[:2])
        x, y = lanes.points[..., 0], lanes.points[..., 1]
        plain = [layer[y, x].astype(np.float32) for layer in layers]
        colours = np.concatenate((tones[part[:, 0]], tones[part[:, 1]]), axis=1)
        unlike, apart = _unlike(soft[y, x].astype(np.float32), colours.astype(np.float32))
        darker, lighter = np.clip(-unlike, 0, _MOST), np.clip(unlike, 0, _MOST)
        costs = (darker, lighter, np.minimum(apart, _MOST_APART), *plain)
        columns = [_on_straight_lanes(layer, lanes) for layer in plain]
        columns += [_on_straight_lanes(_blurred(one), lanes) for one in (lighter, darker)]
        columns += [_along(one, lanes) for one in (lighter, darker)]
        columns += [_on_freest_way(cost, lanes) for cost in costs]
        # Light falls from one side of the sheet: what a step looks like hangs on the direction.
        step = (corners[part[:, 1]] - corners[part[:, 0]]).astype(float)
        columns.append(step / np.linalg.norm(step, axis=1, keepdims=True))
        found.append(np.hstack(columns))
    return np.concatenate(found)


def _parts(pairs: Whole) -> Iterator[Whole]:
    for start in range(0, len(pairs), _CHUNK):
        yield pairs[start : start + _CHUNK]


def _lines_and_edges(reduced: Pixels) -> list[npt.NDArray[np.float32]]:
    """The sheet as dark lines, as light lines, and as edges of areas."""
    import cv2

    grey = cv2.cvtColor(reduced, cv2.COLOR_RGB2GRAY)
    ring = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7))
    smooth = cv2.GaussianBlur(cv2.medianBlur(grey, 5), (0, 0), 1.0)
    layers = (
        cv2.morphologyEx(grey, cv2.MORPH_BLACKHAT, ring),
        cv2.morphologyEx(grey, cv2.MORPH_TOPHAT, ring),
        np.hypot(cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)),
    )
    return [np.asarray(layer, np.float32) for layer in layers]


def _lanes(
    corners: Whole, pairs: Whole, masks: tuple[Mask, Mask], shape: tuple[int, ...]
) -> _Lanes:
    side = len(masks[0])
    starts, ends = ((corners[pairs[:, end]] + side // 2).astype(np.float32) for end in (0, 1))
    along = ends - starts
    across = np.column_stack((-along[:, 1], along[:, 0]))
    shares = np.linspace(0.0, 1.0, _STEPS, dtype=np.float32)
    exact = (
        starts[:, None, None]
        + along[:, None, None] * shares[None, None, :, None]
        + across[:, None, None] * _LANES[None, :, None, None]
    )
    points = np.rint(exact).astype(np.int32)
    counted, within = (np.zeros(points.shape[:3], bool) for _ in masks)
    for centre in (starts, ends):
        inside = points - centre[:, None, None].astype(np.int32) + side // 2
        on_square = ((inside >= 0) & (inside < side)).all(axis=-1)
        inside = np.clip(inside, 0, side - 1)
        counted |= on_square & masks[0][inside[..., 1], inside[..., 0]]
        within |= on_square & masks[1][inside[..., 1], inside[..., 0]]
    return _Lanes(np.clip(points, 0, [shape[1] - 1, shape[0] - 1]), counted, within)


def _unlike(seen: npt.NDArray[np.float32], tones: npt.NDArray[np.float32]) -> tuple[_Strips, ...]:
    """How much lighter (or darker: below nothing) than the nearest tone, and how far off it."""
    nearest = np.full(seen.shape[:3], np.inf, np.float32)
    unlike = np.zeros_like(nearest)
    for place in range(tones.shape[1]):
        off = seen - tones[:, place, None, None, :]
        apart = np.einsum("plsc,plsc->pls", off, off)
        nearer = apart < nearest
        nearest = np.where(nearer, apart, nearest)
        unlike = np.where(nearer, off @ _GREY, unlike)
    return unlike, np.sqrt(nearest)


def _on_straight_lanes(layer: _Strips, lanes: _Lanes) -> Floats:
    """The strongest place on every straight lane: of the weakest, middle and strongest lane."""
    seen = np.where(lanes.counted, layer, 0.0)[:, _STRAIGHT]
    ordered: Floats = np.sort(seen.max(axis=2), axis=1)[:, [0, 2, 4]].astype(float)
    return ordered


def _blurred(layer: _Strips) -> _Strips:
    """Three steps along as one."""
    padded = np.pad(layer, ((0, 0), (0, 0), (1, 1)))
    blurred: _Strips = (padded[..., :-2] + padded[..., 1:-1] + padded[..., 2:]) / np.float32(3)
    return blurred


def _along(layer: _Strips, lanes: _Lanes) -> Floats:
    """How much there is on the straight lanes together, from the one centre to the other."""
    shape = (len(layer), len(_STRAIGHT), _BINS, _STEPS // _BINS)
    counted = lanes.counted[:, _STRAIGHT].reshape(shape)
    seen = np.where(counted, layer[:, _STRAIGHT].reshape(shape), 0.0).sum(axis=(1, 3))
    shares: Floats = (seen / np.maximum(counted.sum(axis=(1, 3)), 1)).astype(float)
    return shares


def _on_freest_way(layer: _Strips, lanes: _Lanes) -> Floats:
    """What a way must cross in all, and its hardest place, where it bends to meet least of it.

    Under a number stands what the other lanes show beside it; or else it would be a gate.
    """
    counted = np.maximum(lanes.counted.sum(axis=1, keepdims=True), 1)
    beside = np.where(lanes.counted, layer, 0).sum(axis=1, keepdims=True) / counted
    cost = np.where(lanes.counted, layer, beside) + np.float32(_BESIDE) * ~lanes.within
    total, hardest = cost[:, :, 0], cost[:, :, 0]
    for step in range(1, _STEPS):
        total = _least_beside(total) + cost[:, :, step]
        hardest = np.maximum(_least_beside(hardest), cost[:, :, step])
    return np.column_stack((total.min(axis=1), hardest.min(axis=1))).astype(float)


def _least_beside(costs: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The least of every lane and the two beside it."""
    least = costs.copy()
    least[:, 1:] = np.minimum(least[:, 1:], costs[:, :-1])
    least[:, :-1] = np.minimum(least[:, :-1], costs[:, 1:])
    return least
