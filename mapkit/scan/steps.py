"""Where the level changes between neighbouring hexes, and what that makes of levels unseen.

Under opaque terrain no tint tells the level, but contour lines, hachures or shading still show
where it changes. What such a step looks like is learned on the sheet itself, from neighbours
whose levels are plain; then the levels of all hexes are weighed together, each with what its
own colours say and with the steps between it and its neighbours.

That is done several times, each time trusting neighbours and colours otherwise, and all of it
is averaged: a level that hangs on how far they are trusted is as doubtful as it should be, and
the average is oftener right than any one of them.
"""

import numpy as np
import numpy.typing as npt

from mapkit.scan.sampling import Floats, HexSamples, Whole
from mapkit.scan.verdicts import Verdicts

_PLAIN = 0.9  # a level so likely teaches what a step looks like
_FEW = 40  # pairs of either sort: less teaches nothing
_ROUNDS = 25
_DAMPING = 0.4
_TRUSTS = (0.5, 1.0)  # in a neighbour: six of them may not be six witnesses
_TELLS = 0.7  # how sure a hex must be by its own colours to be held against its neighbours
_FIRST = (2, 20)  # contradictions in so many hexes, before any was looked at
_FAR = 0.1  # how often colours deceive by two levels or more, beside by one


def weigh_levels(samples: HexSamples, levels: Verdicts, terrain: npt.NDArray[np.intp]) -> Verdicts:
    """Return the levels of all hexes, weighed with their neighbours'.

    *terrain* numbers the terrain of every hex: a step is learned apart from its edges.
    """
    if len(samples.pairs) == 0 or len(levels.values) < 2:
        return levels
    own = np.clip(levels.likely, 1e-4, 1)
    believed = _weighed(samples, own, terrain)
    doubted = _with_doubt(own, _contradicted(own, believed[0], terrain))
    believed += _weighed(samples, doubted, terrain)
    return Verdicts(levels.values, np.mean(believed, axis=0))


def _weighed(samples: HexSamples, own: Floats, terrain: Whole) -> list[Floats]:
    """The levels by what hexes show themselves and by their neighbours, for every trust."""
    differs = _step_chances(samples, own, terrain)
    stay, go = _transitions(samples.pairs, own)
    tables = (1 - differs)[:, None, None] * stay + differs[:, None, None] * go
    return [_believed(own, samples.pairs, tables**trust) for trust in _TRUSTS]


def _contradicted(own: Floats, believed: Floats, terrain: Whole) -> Floats:
    """How often hexes of each terrain show another level than their neighbours let expect.

    The sheet tells so itself how far tints seen through woods can be relied on.
    """
    others = believed / own
    others /= others.sum(axis=1, keepdims=True)
    plain = (others.max(axis=1) > _PLAIN) & (own.max(axis=1) / own.sum(axis=1) > _TELLS)
    differ = plain & (others.argmax(axis=1) != own.argmax(axis=1))
    count = int(terrain.max()) + 1
    found = np.bincount(terrain, differ, count) + _FIRST[0]
    seen = np.bincount(terrain, plain, count) + _FIRST[1]
    shares: Floats = (found / seen)[terrain]
    return shares


def _with_doubt(own: Floats, shares: Floats) -> Floats:
    """What hexes show, if a share of it deceives: mostly by one level."""
    count = own.shape[1]
    apart = np.abs(np.subtract.outer(np.arange(count), np.arange(count)))
    near = np.where(apart > 1, _FAR, 1.0)
    near /= near.sum(axis=1, keepdims=True)
    doubted: Floats = (1 - shares)[:, None] * own + shares[:, None] * (own @ near)
    return np.clip(doubted, 1e-4, 1)


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
