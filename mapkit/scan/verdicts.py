"""Learn values of hexes from a few of them: terrain, level, whether a feature is there.

A forest of random trees and a linear model vote; the forest finds the one colour that matters,
the line holds where five examples are too few for trees. Parts joined by `+` (`woods+stream`)
are learned one by one, because what makes a stream does not depend on the woods around it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mapkit.scan.sampling import Floats

TREES = 160
JOINED = "+"
_SURE = 0.995  # nothing that was only learned is surer than this
_SHARPEN = 1.6  # votes of few examples are too timid: fitted on samples in colours by a seed


@dataclass(frozen=True, eq=False)
class Verdicts:
    """How likely each value is in every row; the likelihoods of a row add up to one."""

    values: tuple[str, ...]
    likely: Floats

    def best(self, row: int) -> tuple[str, float, str | None]:
        """Return the value of a row, how sure it is, and the runner-up."""
        order = np.argsort(-self.likely[row], kind="stable")
        runner_up = self.values[order[1]] if len(order) > 1 else None
        return self.values[order[0]], float(self.likely[row, order[0]]), runner_up

    def margins(self) -> Floats:
        """Return how far the best value of every row is ahead of the second."""
        if len(self.values) < 2:
            return np.ones(len(self.likely))
        ordered = np.sort(self.likely, axis=1)
        margins: Floats = ordered[:, -1] - ordered[:, -2]
        return margins


def learn(
    views: Sequence[Floats],
    known: Mapping[int, str],
    *,
    weights: Mapping[int, float] | None = None,
    seed: int = 0,
) -> Verdicts:
    """Judge all rows by those whose value is known.

    Each of *views* describes all rows; every one has its own vote, because what is the best
    look at a hex differs from map to map.
    """
    values = tuple(sorted(set(known.values())))
    rows = np.array(sorted(known))
    count = len(views[0])
    if len(values) == 1:
        return Verdicts(values, np.ones((count, 1)))
    truth = [known[row] for row in rows]
    weight = np.array([(weights or {}).get(int(row), 1.0) for row in rows])
    parts = sorted({part for value in values for part in value.split(JOINED)})
    if len(parts) < len(values) and any(JOINED in value for value in values):
        likely = _by_parts(views, rows, truth, weight, values, parts, seed)
    else:
        likely = np.mean([_votes(view, rows, truth, weight, values, seed) for view in views], 0)
    return Verdicts(values, sharpened(likely, _SHARPEN))


def sharpened(likely: Floats, power: float) -> Floats:
    """Return likelihoods raised to a power, held off from full certainty, adding up to one."""
    raised = np.clip(likely, 1e-6, 1) ** power
    raised /= raised.sum(axis=1, keepdims=True)
    least = (1 - _SURE) / max(raised.shape[1] - 1, 1)
    held = np.clip(raised, least, _SURE)
    result: Floats = held / held.sum(axis=1, keepdims=True)
    return result


def called(verdicts: Verdicts, sure: Floats) -> Verdicts:
    """Return verdicts whose best values are as sure as said; the others share the rest as before.

    The best stay the best: where two are nearly alike, both are about even.
    """
    likely = verdicts.likely.copy()
    if likely.shape[1] < 2:
        return verdicts
    rows, best = np.arange(len(likely)), likely.argmax(axis=1)
    likely[rows, best] = 0.0
    likely /= np.maximum(likely.sum(axis=1, keepdims=True), 1e-12)
    second = likely.max(axis=1)
    held = np.clip(sure, (second + 1e-3) / (1 + second), _SURE)
    likely *= (1 - held)[:, None]
    likely[rows, best] = held
    return Verdicts(verdicts.values, likely)


def log_odds(chances: Floats) -> Floats:
    """Return the logarithms of odds; nothing is wholly sure."""
    held = np.clip(chances, 1e-4, 1 - 1e-4)
    odds: Floats = np.log(held / (1 - held))
    return odds


def _by_parts(
    views: Sequence[Floats],
    rows: np.typing.NDArray[np.intp],
    truth: Sequence[str],
    weight: Floats,
    values: Sequence[str],
    parts: Sequence[str],
    seed: int,
) -> Floats:
    """Judge every part by itself, then only such sets of parts as were seen together."""
    logs = np.zeros((len(views[0]), len(values)))
    for part in parts:
        here = ["yes" if part in value.split(JOINED) else "no" for value in truth]
        if len(set(here)) < 2:
            continue
        votes = np.mean(
            [_votes(view, rows, here, weight, ("no", "yes"), seed) for view in views], axis=0
        )
        yes = np.clip(votes[:, 1], 0.01, 0.99)
        has = np.array([part in value.split(JOINED) for value in values])
        logs += np.where(has, np.log(yes)[:, None], np.log(1 - yes)[:, None])
    likely = np.exp(logs - logs.max(axis=1, keepdims=True))
    result: Floats = likely / likely.sum(axis=1, keepdims=True)
    return result


def _votes(
    view: Floats,
    rows: np.typing.NDArray[np.intp],
    truth: Sequence[str],
    weight: Floats,
    values: Sequence[str],
    seed: int,
) -> Floats:
    from sklearn.ensemble import ExtraTreesClassifier
    from sklearn.linear_model import LogisticRegression

    counts = {value: sum(weight[i] for i, t in enumerate(truth) if t == value) for value in values}
    even = weight * np.array([weight.sum() / counts[value] for value in truth])
    even *= len(even) / even.sum()
    trees = ExtraTreesClassifier(TREES, max_features=0.35, random_state=seed)
    line = LogisticRegression(C=10.0, max_iter=300)
    first = trees.fit(view[rows], truth, even).predict_proba(view)
    second = line.fit(view[rows], truth, even).predict_proba(view)
    order = [list(trees.classes_).index(value) for value in values]
    votes: Floats = (0.75 * first + 0.25 * second)[:, order]
    return votes
