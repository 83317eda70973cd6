"""Where the level changes between neighbouring hexes, and what that makes of levels unseen.

Under opaque terrain no tint tells the level, but contour lines, hachures or shading still show
where it changes. What such a step looks like is learned on the sheet itself, from neighbours
whose levels are plain; then the levels of all hexes are weighed together, each with what its
own colours say and with the steps between it and its neighbours.
"""

import numpy as np
import numpy.typing as npt

from mapkit.scan.sampling import Floats, HexSamples, Whole
from mapkit.scan.verdicts import Verdicts

_PLAIN = 0.9  # a level so likely teaches what a step looks like
_FEW = 40  # pairs of either sort: less teaches nothing
_ROUNDS = 25
_DAMPING = 0.4
TRUSTS = (0.5, 1.0)  # in a neighbour: six of them may not be six witnesses


def weigh_levels(
    samples: HexSamples, levels: Verdicts, terrain: npt.NDArray[np.intp], *, trust: float = 1.0
) -> Verdicts:
    """Return the levels of all hexes, weighed with their neighbours'.

    *terrain* numbers the terrain of every hex: a step is learned apart from its edges. *trust*
    is the weight of the neighbours.
    """
    if len(samples.pairs) == 0 or len(levels.values) < 2:
        return levels
    likely = np.clip(levels.likely, 1e-4, 1)
    differs = _step_chances(samples, likely, terrain)
    stay, go = _transitions(samples.pairs, likely)
    tables = ((1 - differs)[:, None, None] * stay + differs[:, None, None] * go) ** trust
    return Verdicts(levels.values, _believed(likely, samples.pairs, tables))


def leaps(samples: HexSamples, levels: Verdicts) -> float:
    """Return the share of neighbours that lie two levels apart or more: land has few of them."""
    best = levels.likely.argmax(axis=1)
    a, b = samples.pairs.T
    return float(np.mean(np.abs(best[a] - best[b]) > 1)) if len(a) else 0.0


def _step_chances(samples: HexSamples, likely: Floats, terrain: Whole) -> Floats:
    """How likely the level differs between the two hexes of every pair."""
    from sklearn.ensemble import RandomForestClassifier

    a, b = samples.pairs.T
    best, sure = likely.argmax(axis=1), likely.max(axis=1) / likely.sum(axis=1)
    plain = (sure[a] > _PLAIN) & (sure[b] > _PLAIN)
    same = terrain[a] == terrain[b]
    differ = best[a] != best[b]
    usual = (differ[plain].sum() + 1) / (plain.sum() + 4)
    chances = np.full(len(a), float(usual))
    for kind in (same, ~same):
        taught = plain & kind
        if min(differ[taught].sum(), (~differ[taught]).sum()) < _FEW or not kind.any():
            continue
        rows = np.flatnonzero(taught)
        rows = rows[:: max(1, len(rows) // 3000)]
        trees = RandomForestClassifier(60, min_samples_leaf=8, random_state=0)
        trees.fit(samples.between[rows], differ[rows])
        chances[kind] = trees.predict_proba(samples.between[kind])[:, 1]
    return np.asarray(np.clip(chances, 0.01, 0.99), float)


def _transitions(pairs: Whole, likely: Floats) -> tuple[Floats, Floats]:
    """What neighbours have where nothing lies between them, and across a step."""
    count = likely.shape[1]
    share = likely / likely.sum(axis=1, keepdims=True)
    seen = share[pairs[:, 0]].T @ share[pairs[:, 1]]
    across = (seen + seen.T) * (1 - np.eye(count))
    apart = np.abs(np.subtract.outer(np.arange(count), np.arange(count)))
    across = across + 0.02 * across.sum() / count**2 * (apart == 1) + 1e-6
    np.fill_diagonal(across, 0.0)
    across /= across.sum(axis=1, keepdims=True)
    # Balanced both ways, so that a pair weighs the same whichever hex comes first.
    return np.eye(count) + 1e-4, (across + across.T) / 2


def _believed(likely: Floats, pairs: Whole, tables: Floats) -> Floats:
    """Pass messages along the pairs until they settle (loopy belief propagation)."""
    count, levels = likely.shape
    heads = np.concatenate((pairs[:, 1], pairs[:, 0]))
    tails = np.concatenate((pairs[:, 0], pairs[:, 1]))
    both = np.concatenate((tables, tables.transpose(0, 2, 1)))
    back = np.concatenate((np.arange(len(pairs)) + len(pairs), np.arange(len(pairs))))
    messages = np.full((len(heads), levels), 1.0 / levels)
    own = np.log(likely)
    for _ in range(_ROUNDS):
        belief = own.copy()
        logs = np.log(messages + 1e-12)
        np.add.at(belief, heads, logs)
        out = belief[tails] - logs[back]
        out = np.exp(out - out.max(axis=1, keepdims=True))
        sent = np.einsum("ml,mlk->mk", out, both)
        sent /= sent.sum(axis=1, keepdims=True)
        messages = _DAMPING * messages + (1 - _DAMPING) * sent
    belief = own.copy()
    np.add.at(belief, heads, np.log(messages + 1e-12))
    result = np.exp(belief - belief.max(axis=1, keepdims=True))
    result /= result.sum(axis=1, keepdims=True)
    return np.asarray(result, float).reshape(count, levels)
