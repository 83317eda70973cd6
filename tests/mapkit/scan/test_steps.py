"""Levels weighed with those of the neighbours."""

from types import SimpleNamespace

import numpy as np

from mapkit.scan.sampling import HexSamples
from mapkit.scan.steps import weigh_levels
from mapkit.scan.verdicts import Verdicts

SIDE = 16


def grid_of(levels: np.ndarray) -> tuple[HexSamples, np.ndarray]:
    """A square board whose steps between neighbours are seen a little."""
    at = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)
    pairs = np.concatenate(
        [
            np.column_stack((at[:, :-1].ravel(), at[:, 1:].ravel())),
            np.column_stack((at[:-1].ravel(), at[1:].ravel())),
        ]
    )
    true = levels.ravel()
    differ = (true[pairs[:, 0]] != true[pairs[:, 1]]).astype(float)
    between = differ[:, None] + np.random.default_rng(1).normal(0, 0.25, (len(pairs), 2))
    return SimpleNamespace(pairs=pairs, between=between), true  # type: ignore[return-value]


def shown(true: np.ndarray, plainly: float) -> np.ndarray:
    likely = np.full((len(true), 3), (1 - plainly) / 2)
    likely[np.arange(len(true)), true] = plainly
    return likely


LEVELS = np.repeat(np.array([0, 1, 2]), (5, 6, 5))[None].repeat(SIDE, axis=0)


def test_neighbours_tell_a_level_that_no_tint_shows():
    samples, true = grid_of(LEVELS)
    likely = shown(true, 0.95)
    hidden = np.arange(len(true)) % 7 == 3
    likely[hidden] = 1 / 3
    found = weigh_levels(samples, Verdicts(("0", "1", "2"), likely), np.zeros(len(true), int))
    assert (found.likely.argmax(axis=1)[hidden] == true[hidden]).mean() > 0.9
    assert np.allclose(found.likely.sum(axis=1), 1)


def test_a_terrain_whose_tints_deceive_is_believed_less():
    samples, true = grid_of(LEVELS)
    terrain = np.arange(len(true)) % 2  # every second column is woods
    wrong = np.where(true == 0, 1, true - 1)
    deceived = (terrain == 1) & (np.random.default_rng(2).random(len(true)) < 0.25)
    likely = shown(np.where(deceived, wrong, true), 0.95)
    found = weigh_levels(samples, Verdicts(("0", "1", "2"), likely), terrain)
    sure = found.likely.max(axis=1)
    right = found.likely.argmax(axis=1) == true
    assert right.mean() > 1 - deceived.mean()
    assert sure[(terrain == 1) & ~deceived].mean() < sure[terrain == 0].mean()
    assert sure[~right].mean() < sure[right].mean()
