"""Ways told apart by their looks, learnt from labels of which some are wrong."""

import numpy as np
import pytest

from mapkit.scan.line_judges import BARE, OPEN, SHOWN, judged

pytest.importorskip("sklearn")


def _told(count: int, middle: float, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(middle, 1, (count, 6)).astype(np.float32)


def test_a_line_that_was_taken_for_ground_is_found_all_the_same() -> None:
    drawn = np.concatenate((_told(60, 3, 1), _told(60, 0, 2)))
    drawn_known = np.repeat([SHOWN, BARE], 60).astype(np.int8)
    asked = np.concatenate((_told(20, 3, 3), _told(180, 0, 4)))
    chances = judged(drawn, drawn_known, asked, np.full(200, BARE, np.int8), seed=0)
    assert chances is not None
    assert np.median(chances[:20]) > 0.5
    assert np.quantile(chances[20:], 0.95) < 0.2


def test_what_nothing_is_known_about_is_judged_by_both_halves() -> None:
    asked = np.concatenate((_told(80, 3, 5), _told(80, 0, 6)))
    known = np.repeat([SHOWN, BARE], 80).astype(np.int8)
    known[[0, 1, 158, 159]] = OPEN
    chances = judged(asked[:0], known[:0], asked, known, seed=0)
    assert chances is not None
    assert chances[[0, 1]].min() > 0.5 > chances[[158, 159]].max()


def test_too_few_teach_nothing() -> None:
    asked, known = _told(30, 0, 7), np.full(30, BARE, np.int8)
    known[:5] = SHOWN
    assert judged(asked[:0], known[:0], asked, known, seed=0) is None
