"""How sure a line is that was read: what counts against it, beside how well it is seen.

A line may be seen plainly and yet be another thing: the shore of a lake is as blue as a river,
but there is more of it; a dashed border is as dark as a stream, but there is less; and where a
second kind is seen as well, it may be that one. The constants were fitted on sheets in colours
that are in no other measurement: see docs/scan-accuracy.md.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from mapkit.scan.line_evidence import Seen
from mapkit.scan.line_teaching import LineKind
from mapkit.scan.side_patches import Floats

_USUAL = 0.2  # the logarithm of how much more or less of a kind may be there than usual
_UNUSUAL = 3.0  # the weight of more or less than that
_BESIDE = 0.3  # of what is expected of another kind may be seen
_RIVAL = 3.0  # the weight of more than that
_PLAINEST = 5.0  # the log odds of what is seen as plainly as can be
_CROSSING = (1.04, 1.47)  # log odds of bridges and fords: they are surer than they look
_LEAST = 0.05  # of the patch, to be measured at all

Indices = npt.NDArray[np.intp]
Chances = npt.NDArray[np.float64]


def counts_against(
    kinds: Sequence[LineKind], seen: Seen, strength: Floats, usual: Floats
) -> dict[LineKind, Floats]:
    """Return for every kind and hexside what counts against it, as log odds.

    *strength* is how much is seen on the ways of each kind beside what is expected; *usual* how
    much of each is in a patch as a rule.
    """
    found = {}
    for index, kind in enumerate(kinds):
        rivals = [
            other
            for other, one in enumerate(kinds)
            if other != index and (one.group == "links") == (kind.group == "links")
        ]
        beside = strength[:, rivals].max(axis=1) if rivals else np.zeros(len(strength))
        ratio = seen.around[:, index] / max(float(usual[index]), 1e-3)
        unusual = np.maximum(0, np.abs(np.log(np.clip(ratio, _LEAST, 5.0))) - _USUAL)
        rival = np.clip(beside, _BESIDE, 2.0) - _BESIDE
        found[kind] = np.asarray(_UNUSUAL * unusual + _RIVAL * rival, np.float32)
    return found


def usual_share(
    kinds: Sequence[LineKind],
    seen: Seen,
    own: Mapping[LineKind, Indices],
    drawn: Seen | None = None,
    labels: Indices | None = None,
) -> Floats:
    """Return how much of each kind is in a patch that shows it: *drawn*, or the sheet's *own*."""
    usual = np.zeros(len(kinds), np.float32)
    for index, kind in enumerate(kinds):
        some = [seen.around[own[kind], index]] if len(own.get(kind, ())) else []
        if drawn is not None and labels is not None and (labels == index).any():
            some.append(drawn.around[labels == index, index])
        usual[index] = max((float(np.median(one)) for one in some), default=0.0)
    return usual


def sureness(chance: float, against: float) -> float:
    """Return how sure a line is that was read with a chance."""
    held = min(max(chance, 1e-4), 1 - 1e-4)
    odds = min(float(np.log(held / (1 - held))), _PLAINEST) - against
    return float(1 / (1 + np.exp(-odds)))


def crossing_sureness(chance: float) -> float:
    """Return how sure a bridge, a ford or the like is that was read with a chance."""
    held = min(max(chance, 1e-4), 1 - 1e-4)
    odds = _CROSSING[0] + _CROSSING[1] * float(np.log(held / (1 - held)))
    return float(1 / (1 + np.exp(-odds)))
