"""Told apart by their looks: whether what lies on a way is the kind that was looked for."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mapkit.scan.side_patches import Floats

_TREES = 90
_LEAF = 2
_FEW = 12  # of either sort: less teaches nothing

Told = Floats  # n × numbers: all that ways tell, see `line_evidence.Seen.told`


def judged(
    shown: Sequence[Told], bare: Sequence[Told], asked: Told, *, seed: int
) -> npt.NDArray[np.float64] | None:
    """Return how likely each of the ways asked about shows a kind, or None where too few teach it.

    *shown* are ways of which is known that they do, *bare* those that show the ground, lettering
    or another kind.
    """
    from sklearn.ensemble import ExtraTreesClassifier

    yes, no = sum(map(len, shown)), sum(map(len, bare))
    if min(yes, no) < _FEW or not len(asked):
        return None
    trees = ExtraTreesClassifier(
        _TREES, min_samples_leaf=_LEAF, class_weight="balanced", random_state=seed
    )
    trees.fit(
        np.concatenate([told for told in (*shown, *bare) if len(told)]),
        np.repeat([1, 0], (yes, no)),
    )
    return np.asarray(trees.predict_proba(asked)[:, 1], float)
