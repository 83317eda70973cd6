"""How sure a line is that was read: what counts against it, beside how well it is seen.

A line may be seen plainly and yet be another thing: the shore of a lake is as blue as a river,
but there is more of it; and where a second kind is seen along a hexside as well, it may be that
one. The constants were fitted on sheets in colours that are in no other measurement: see
docs/scan-accuracy.md.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from mapkit.scan.line_evidence import Seen
from mapkit.scan.line_teaching import LineKind
from mapkit.scan.side_patches import Floats

_USUAL = 0.2  # the logarithm of how much more of a kind may be there than usual
_MORE = 3.0  # the weight of more than that
_BESIDE = 0.3  # of what is expected of another kind may be seen
_RIVAL = 3.0  # the weight of more than that: along hexsides, as roads do meet and join
_MOST = 5.0  # times as much as usual does not tell more
# From log odds to those that are said: what was read all the same is not so doubtful, and what is
# seen as plainly as can be may yet be something else.
_ODDS, _SAID = (-10.0, 0.0, 3.0, 10.0), (-3.0, 0.0, 3.0, 5.1)
_CROSSING = (1.04, 1.47)  # log odds of bridges and fords: they are surer than they look

Indices = npt.NDArray[np.intp]


def counts_against(
    kinds: Sequence[LineKind], seen: Seen, strength: Floats, usual: Floats
) -> dict[LineKind, Floats]:
    """Return for every kind and hexside what counts against it, as log odds.

    *strength* is how much is seen on the ways of each kind beside what is expected; *usual* how
    much of each is in a patch as a rule.
    """
    found = {}
    for index, kind in enumerate(kinds):
        ratio = seen.around[:, index] / max(float(usual[index]), 1e-3)
        against = _MORE * np.maximum(0, np.log(np.clip(ratio, 1.0, _MOST)) - _USUAL)
        rivals = [i for i, one in enumerate(kinds) if i != index and one.group != "links"]
        if kind.group != "links" and rivals:
            against += _RIVAL * (np.clip(strength[:, rivals].max(axis=1), _BESIDE, 2.0) - _BESIDE)
        found[kind] = np.asarray(against, np.float32)
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
    return _chance(float(np.interp(_odds(chance) - against, _ODDS, _SAID)))


def crossing_sureness(chance: float) -> float:
    """Return how sure a bridge, a ford or the like is that was read with a chance."""
    start, slope = _CROSSING
    return _chance(start + slope * _odds(chance))


def _odds(chance: float) -> float:
    held = min(max(chance, 1e-4), 1 - 1e-4)
    return math.log(held / (1 - held))


def _chance(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))
