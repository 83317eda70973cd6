"""How sure it is that a line of each kind lies at each hexside, from its own patch alone."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mapkit.scan import line_paths
from mapkit.scan.line_pixels import PixelReader
from mapkit.scan.line_paths import MARKS
from mapkit.scan.line_teaching import LineKind
from mapkit.scan.side_patches import Floats, Patches, batches

_CROSSING_LENGTH = 8
_STEEP = 9.0


def describe(
    reader: PixelReader, patches: Patches, kinds: Sequence[LineKind], crossings: frozenset[LineKind]
) -> Floats:
    """Return what is seen in every patch of every kind: n × numbers."""
    found = np.empty((len(patches), len(kinds) * MARKS), np.float32)
    for batch in batches(len(patches), 60):
        likelihoods = reader.likelihoods(patches[batch])
        for index, kind in enumerate(kinds):
            field = likelihoods[:, index + 1]
            if kind in crossings:
                paths = line_paths.across(field, length=_CROSSING_LENGTH)
            elif kind.group == "links":
                paths = line_paths.across(field)
            else:
                paths = line_paths.along(field)
            at = slice(index * MARKS, (index + 1) * MARKS)
            found[batch, at] = paths.marks()
    return found


def line_width(kind: LineKind, likelihood: Floats) -> float:
    """Return the mean width of the lines found, in samples."""
    find = line_paths.across if kind.group == "links" else line_paths.along
    return float(find(likelihood).width.mean())


def judge(
    seen: Floats, shown: Floats, yes: Sequence[int], no: Sequence[int]
) -> npt.NDArray[np.float64]:
    """Return for every patch how likely it shows one kind.

    *seen* is how much of the kind is seen in each patch, *shown* how much in patches that surely
    show it; *yes* and *no* number the patches known by example.
    """
    usual = float(np.median(shown))
    low, high = float(np.median(seen)), usual
    for _ in range(12):
        # Patches fall into two heaps, with the line and without it.
        even = min(max((low + high) / 2, 0.25 * usual), 0.75 * usual)
        with_line = seen > even
        if not with_line.any() or with_line.all():
            break
        low, high = float(seen[~with_line].mean()), float(seen[with_line].mean())
    steep = _STEEP / max(high - low, 0.1)
    chance: npt.NDArray[np.float64] = 1 / (1 + np.exp(-steep * (seen - even).astype(float)))
    chance[list(yes)], chance[list(no)] = 1.0, 0.0
    return chance
