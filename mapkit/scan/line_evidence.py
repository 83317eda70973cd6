"""How sure it is that a line of each kind lies at each hexside, from its own patch alone."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mapkit.scan import line_paths
from mapkit.scan.line_pixels import PixelReader
from mapkit.scan.line_paths import Paths
from mapkit.scan.side_patches import Floats, Patches, U, V, batches

MARKS = line_paths.MARKS + 4  # numbers that describe a kind in a patch
STRENGTH, OFF = 0, MARKS - 1  # of them how much is seen, and how far off the hexside
_STEEP = 9.0
_SURE = 0.7
_FEWEST = 5
_EVEN_WEIGHT = 0.5
ASIDE = tuple(range(-9, 10))


def describe(reader: PixelReader, patches: Patches, reaches: Sequence[int | None]) -> Floats:
    """Return what is seen in every patch of every kind: n × numbers.

    *reaches* says of each kind of the reader how far it goes into either hex.
    """
    found = np.empty((len(patches), len(reaches) * MARKS), np.float32)
    for batch in batches(len(patches), 60):
        likelihoods = reader.likelihoods(patches[batch])
        for index, reach in enumerate(reaches):
            paths = line_paths.find(likelihoods[:, index + 1], reach)
            colours = profile(paths, patches[batch], crosswise=reach is not None)
            off = paths.places.mean(axis=1, keepdims=True)
            at = slice(index * MARKS, (index + 1) * MARKS)
            found[batch, at] = np.hstack((paths.marks(), _sides(colours), off))
    return found


def profile(paths: Paths, patches: Patches, *, crosswise: bool) -> Floats:
    """Return the mean colour along each path and along others beside it: n × places × colour."""
    half = paths.met.shape[1] // 2
    steps = np.arange(-half, half + 1)[None] + (V if crosswise else U)
    every = np.arange(len(patches))[:, None]
    middle = U if crosswise else V
    found = np.empty((len(patches), len(ASIDE), 3), np.float32)
    for index, off in enumerate(ASIDE):
        aside = np.clip(paths.places + off + middle, 0, 2 * middle)
        row, column = (steps, aside) if crosswise else (aside, steps)
        found[:, index] = patches[every, row, column].mean(axis=1)
    return found


def _sides(colours: Floats) -> Floats:
    """Return how a line differs from either side, and they from each other; first the nearer."""
    line, one, other = colours[:, len(ASIDE) // 2], colours[:, 0], colours[:, -1]
    apart = [np.linalg.norm(a - b, axis=1) for a, b in ((line, one), (line, other), (one, other))]
    return np.stack((np.minimum(apart[0], apart[1]), np.maximum(apart[0], apart[1]), apart[2]), 1)


def line_width(patches: Patches, likelihood: Floats, reach: int | None) -> float:
    """Return the usual width of the lines in some patches, in samples.

    Told by colour: how far that of the line reaches before it is the ground's.
    """
    paths = line_paths.find(likelihood, reach)
    colours = profile(paths, patches, crosswise=reach is not None)
    ground = (colours[:, 0] + colours[:, -1]) / 2
    apart = np.linalg.norm(colours - ground[:, None], axis=2)
    return float(np.median(apart.sum(axis=1) / np.maximum(apart.max(axis=1), 1)))


def judge(
    seen: Floats,
    strength: Floats,
    usual: float,
    yes: Sequence[int],
    no: Sequence[int],
    *,
    seed: int,
) -> npt.NDArray[np.float64]:
    """Return for every patch how likely it shows one kind.

    *seen* describes all patches, *strength* is how much of the kind is seen in each and *usual*
    how much where it surely is; *yes* numbers patches that show it, *no* some that do not. Of
    the others most do not, but nobody says which: a forest tells what is like *yes* from what
    is common elsewhere, lettering or a coast, though it be as strong.
    """
    chance = _two_heaps(strength, usual)
    sure = np.zeros(len(seen), bool)
    sure[list(yes)] = True
    if sure.sum() >= _FEWEST:
        for round_ in range(2):
            like = _alike(seen, sure, no, seed=seed + round_)
            both = _sigmoid(0.5 * (_logit(like) + _logit(chance)))
            sure = both > _SURE
            sure[list(no)] = False
            if sure.sum() < _FEWEST:
                break
        chance = both
    chance[list(no)] = 0.0
    return chance


def _two_heaps(strength: Floats, usual: float) -> npt.NDArray[np.float64]:
    """Part patches with the line from those without by how much of it is seen."""
    low, high = float(np.median(strength)), usual
    even = usual / 2
    for _ in range(12):
        even = min(max((low + high) / 2, 0.25 * usual), 0.75 * usual)
        with_line = strength > even
        if not with_line.any() or with_line.all():
            break
        low, high = float(strength[~with_line].mean()), float(strength[with_line].mean())
    return _sigmoid(_STEEP / max(high - low, 0.1) * (strength - even).astype(float))


def _alike(
    seen: Floats, sure: npt.NDArray[np.bool_], no: Sequence[int], *, seed: int
) -> npt.NDArray[np.float64]:
    """Return how like the sure ones every patch is, judged by trees that were not taught it."""
    from sklearn.ensemble import ExtraTreesClassifier

    weights = np.ones(len(seen))
    weights[list(no)] = 3.0
    weights[sure] = weights[~sure].sum() / sure.sum() * _EVEN_WEIGHT
    trees = ExtraTreesClassifier(
        150, min_samples_leaf=max(6, int(sure.sum()) // 6), random_state=seed, n_jobs=2
    ).fit(seen, sure, sample_weight=weights)
    found: npt.NDArray[np.float64] = trees.predict_proba(seen)[:, 1]
    return found


def _logit(chance: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    near = np.clip(chance, 0.004, 0.996)
    return np.log(near / (1 - near))


def _sigmoid(odds: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-odds)))
