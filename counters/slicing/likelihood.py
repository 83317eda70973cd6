"""How well two lists of counters belong together, pair by pair, measured against chance.

Chance is every other order of the backs: what fits no better than those proves nothing.
"""

from dataclasses import dataclass

import numpy as np

from counters.slicing.features import Features, shape_likeness
from counters.slicing.upright import Floats, Numbers

_ORDERS = 200
_ALIKE = 3.0  # shades: grounds that differ less are one ground
_SPREAD = 12.0  # shades over which two grounds stop being alike
_SEED = 1


@dataclass(frozen=True)
class Evidence:
    """Standard deviations above chance, by what was compared; 0 where nothing could be.

    *shape* and *colour* compare each front with its back; *likes* tells whether fronts that are
    alike have backs that are alike. *agree* is the mean likeness of shapes of a pair, *tints* the
    share of pairs of one ground.
    """

    shape: float = 0.0
    colour: float = 0.0
    likes: float = 0.0
    agree: float = 0.0
    tints: float = 0.0
    pairs: int = 0

    @property
    def total(self) -> float:
        """All of it in one number."""
        return float(np.sqrt(sum(max(one, 0.0) ** 2 for one in self.parts)))

    @property
    def parts(self) -> tuple[float, float, float]:
        """The three comparisons."""
        return self.shape, self.colour, self.likes


def evidence(fronts: Features, backs: Features) -> Evidence:
    """Return how well the fronts fit the backs in the order given; backs lie as fronts do."""
    count = len(fronts.grounds)
    if count < 3:
        return Evidence(pairs=count)
    likeness = shape_likeness(fronts.shapes, backs.shapes)
    apart = np.linalg.norm(fronts.grounds[:, None] - backs.grounds[None], axis=2)
    tint = np.exp(-0.5 * (apart / _SPREAD) ** 2)
    return Evidence(
        shape=_above_chance(likeness),
        colour=_above_chance(tint) if _differ(fronts) and _differ(backs) else 0.0,
        likes=_likes(fronts, backs),
        agree=float(np.trace(likeness)) / count,
        tints=float((np.diagonal(apart) < 2 * _SPREAD).mean()),
        pairs=count,
    )


def _differ(features: Features) -> bool:
    return float(features.grounds.std(axis=0).max()) > _ALIKE


def _above_chance(likeness: Numbers) -> float:
    """Return how far the diagonal lies above that of any other order, in standard deviations."""
    count = len(likeness)
    centred = (
        likeness
        - likeness.mean(axis=0, keepdims=True)
        - likeness.mean(axis=1, keepdims=True)
        + likeness.mean()
    )
    spread = float(np.sqrt((centred**2).sum() / (count - 1)))
    # Below a hundredth for each pair it is noise that is compared.
    return float(np.trace(centred) / max(spread, 0.02 * float(np.sqrt(count))))


def _likes(fronts: Features, backs: Features) -> float:
    """Return whether fronts alike in ground have backs alike, above chance."""
    if not (_differ(fronts) and _differ(backs)):
        return 0.0
    a, b = _among(fronts.grounds), _among(backs.grounds)
    count = len(a)
    off = ~np.eye(count, dtype=bool)
    a, b = a - a[off].mean(), b - b[off].mean()
    np.fill_diagonal(a, 0.0)
    np.fill_diagonal(b, 0.0)
    dice = np.random.default_rng(_SEED)
    here = float((a * b).sum())
    others = []
    for _ in range(_ORDERS):
        order = dice.permutation(count)
        others.append(float((a * b[np.ix_(order, order)]).sum()))
    spread = max(float(np.std(others)), 1e-3 * count)
    return float((here - float(np.mean(others))) / spread)


def _among(grounds: Numbers) -> Numbers:
    apart = np.linalg.norm(grounds[:, None] - grounds[None], axis=2)
    return np.asarray(np.exp(-0.5 * (apart / _SPREAD) ** 2), float)


def turned(shapes: Floats, quarters: int) -> Floats:
    """Return pictures turned by quarters to the left: what lay turned to the right is upright."""
    return np.ascontiguousarray(np.rot90(shapes, quarters, axes=(1, 2)))
