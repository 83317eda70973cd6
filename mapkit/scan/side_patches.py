"""The ground about every hexside, each cut out alike: straightened, and as big.

    v (columns run over u)
    ▲          · a            The middle of a patch is the middle of its hexside. u runs along
    │    ───────────── u      the hexside and v from hex a across it to hex b, both in steps of
    ▼          · b            1/44 of the pitch.

A river is then a line from left to right, a road one from top to bottom, however the sheet and
the hexside lie.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from mapkit.hexes import Hexside, neighbours
from mapkit.scan.sheet import FlatSheet, Pixels

STEPS = 44  # samples to a pitch
U = 16  # a patch reaches so many samples to either side
V = 18
SIDE = 12  # of them half a hexside, its ends left out: other lines meet there

Patches = npt.NDArray[np.uint8]  # n × (2V + 1) × (2U + 1) × L, a, b
Floats = npt.NDArray[np.float32]

_BATCH = 400


def all_sides(sheet: FlatSheet) -> tuple[Hexside, ...]:
    """Return every hexside that has hexes of the sheet on both sides, in a fixed order."""
    known = set(sheet.hexes)
    return tuple(
        Hexside(hex_, other)
        for hex_ in sorted(known)
        for other in neighbours(hex_)
        if hex_ < other and other in known
    )


def shrunk(sheet: FlatSheet) -> tuple[Pixels, float]:
    """Return the picture no finer than patches need it, and by how much it is smaller."""
    import cv2

    scale = min(1.0, 1.25 * STEPS / sheet.pitch_px)
    if scale > 0.9:
        return sheet.pixels, 1.0
    size = (round(sheet.pixels.shape[1] * scale), round(sheet.pixels.shape[0] * scale))
    small: Pixels = np.asarray(
        cv2.resize(sheet.pixels, size, interpolation=cv2.INTER_AREA), np.uint8
    )
    return small, scale


def cut_patches(sheet: FlatSheet, sides: Sequence[Hexside]) -> Patches:
    """Cut the ground about some hexsides out of the sheet."""
    import cv2

    pixels, scale = shrunk(sheet)
    found = np.empty((len(sides), 2 * V + 1, 2 * U + 1, 3), np.uint8)
    a = sheet.centres(side.a for side in sides) * scale
    b = sheet.centres(side.b for side in sides) * scale
    v, u = np.mgrid[-V : V + 1, -U : U + 1].astype(np.float32) / STEPS
    for batch in batches(len(sides)):
        middle = ((a[batch] + b[batch]) / 2 - 0.5).astype(np.float32)[:, :, None, None]
        across = (b[batch] - a[batch]).astype(np.float32)[:, :, None, None]
        x = middle[:, 0] + across[:, 0] * v + across[:, 1] * u
        y = middle[:, 1] + across[:, 1] * v - across[:, 0] * u
        rows = x.reshape(-1, 2 * U + 1), y.reshape(-1, 2 * U + 1)
        cut = cv2.remap(pixels, *rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        found[batch] = cv2.cvtColor(cut, cv2.COLOR_RGB2LAB).reshape((*x.shape, 3))
    return found


def batches(count: int, size: int = _BATCH) -> Iterator[slice]:
    """Yield slices that cover so many things, a few at a time."""
    for start in range(0, count, size):
        yield slice(start, min(start + size, count))
