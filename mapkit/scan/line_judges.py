"""Told apart by their looks: whether what lies on a way is the kind that was looked for."""

import numpy as np
import numpy.typing as npt

from mapkit.scan.side_patches import Floats

SHOWN, BARE, OPEN = 1, 0, -1  # what is known about a way

_TREES = 60  # in either half
_LEAF = 2
_FEW = 12  # of either sort: less teaches nothing

Told = Floats  # n × numbers: all that ways tell, see `line_evidence.Seen.told`
Known = npt.NDArray[np.int8]


def judged(
    drawn: Told, drawn_known: Known, asked: Told, known: Known, *, seed: int
) -> npt.NDArray[np.float64] | None:
    """Return how likely each of the ways asked about shows a kind, or None where too few teach it.

    Learnt from *drawn* ways, and from those asked about of which something is *known*. That may
    be wrong: ground may hide a line that nobody has found yet. So no way is judged by what was
    learnt from itself: one half of the sheet is judged by the other.
    """
    from sklearn.ensemble import ExtraTreesClassifier

    half = np.arange(len(asked)) % 2
    total, votes = np.zeros(len(asked)), np.zeros(len(asked))
    for this in (0, 1):
        learnt = (known != OPEN) & (half == this)
        labels = np.concatenate((drawn_known, known[learnt]))
        if min((labels == SHOWN).sum(), (labels == BARE).sum()) < _FEW:
            return None
        trees = ExtraTreesClassifier(
            _TREES, min_samples_leaf=_LEAF, class_weight="balanced", random_state=seed, n_jobs=2
        )
        trees.fit(np.concatenate((drawn, asked[learnt])), labels)
        if not learnt.all():
            total[~learnt] += trees.predict_proba(asked[~learnt])[:, 1]
            votes += ~learnt
    return np.asarray(total / np.maximum(votes, 1))
