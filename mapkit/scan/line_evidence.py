"""How sure it is that a line of each kind lies at each hexside, from its own patch alone."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mapkit.scan import line_paths
from mapkit.scan.line_paths import Paths
from mapkit.scan.line_pixels import PixelReader
from mapkit.scan.side_patches import Floats, Patches, U, V, batches

_STEEP = 9.0
_NEARNESS = 0.3  # what moving the place of even odds costs
_ASIDE = tuple(range(-9, 10))


def describe(
    reader: PixelReader, patches: Patches, reaches: Sequence[int | None]
) -> tuple[Floats, Floats]:
    """Return how much is seen of every kind in every patch, and how far off it runs: n × kinds.

    *reaches* says of each kind of the reader how far it goes into either hex.
    """
    strength = np.empty((len(patches), len(reaches)), np.float32)
    off = np.empty_like(strength)
    for batch in batches(len(patches), 60):
        likelihoods = reader.likelihoods(patches[batch])
        for index, reach in enumerate(reaches):
            paths = line_paths.find(likelihoods[:, index + 1], reach)
            strength[batch, index] = paths.strength
            off[batch, index] = paths.places.mean(axis=1)
    return strength, off


def _valley(strength: Floats, even: float, usual: float) -> float:
    """Return where fewest patches lie, of the places not far from *even* the nearest."""
    found = max(int((strength > even).sum()), 1)
    places = np.linspace(0.3, 0.85, 23) * usual
    near = [int((np.abs(strength - place) < 0.1 * usual).sum()) / found for place in places]
    cost = np.array(near) + _NEARNESS * np.abs(places - even) / usual
    return float(places[cost.argmin()])


def line_width(patches: Patches, likelihood: Floats, reach: int | None) -> float:
    """Return the usual width of the lines in some patches, in samples.

    Told by colour: how far that of the line reaches before it is the ground's.
    """
    paths = line_paths.find(likelihood, reach)
    colours = _profile(paths, patches, crosswise=reach is not None)
    ground = (colours[:, 0] + colours[:, -1]) / 2
    apart = np.linalg.norm(colours - ground[:, None], axis=2)
    return float(np.median(apart.sum(axis=1) / np.maximum(apart.max(axis=1), 1)))


def judge(strength: Floats, usual: float) -> npt.NDArray[np.float64]:
    """Return for every patch how likely it shows one kind.

    *strength* is how much of the kind is seen in each, *usual* how much where it surely is.
    Patches fall into two heaps, with the line and without it; the odds are even where fewest
    lie between them.
    """
    low, high = float(np.median(strength)), usual
    even = usual / 2
    for _ in range(12):
        even = min(max((low + high) / 2, 0.25 * usual), 0.75 * usual)
        with_line = strength > even
        if not with_line.any() or with_line.all():
            break
        low, high = float(strength[~with_line].mean()), float(strength[with_line].mean())
    even = _valley(strength, even, usual)
    odds = _STEEP / max(high - low, 0.1) * (strength - even).astype(float)
    return np.asarray(1 / (1 + np.exp(-odds)))


def _profile(paths: Paths, patches: Patches, *, crosswise: bool) -> Floats:
    """Return the mean colour along each path and along others beside it: n × places × colour."""
    half = paths.met.shape[1] // 2
    steps = np.arange(-half, half + 1)[None] + (V if crosswise else U)
    every = np.arange(len(patches))[:, None]
    middle = U if crosswise else V
    found = np.empty((len(patches), len(_ASIDE), 3), np.float32)
    for index, off in enumerate(_ASIDE):
        aside = np.clip(paths.places + off + middle, 0, 2 * middle)
        row, column = (steps, aside) if crosswise else (aside, steps)
        found[:, index] = patches[every, row, column].mean(axis=1)
    return found
