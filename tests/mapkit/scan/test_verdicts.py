import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mapkit.scan.verdicts import Verdicts, called, learn, sharpened


def clusters(seed: int = 0) -> tuple[np.ndarray, list[str]]:
    dice = np.random.default_rng(seed)
    middles = {"a": (0, 0, 0, 0), "b": (4, 0, 0, 4), "c": (0, 4, 4, 0)}
    rows = [(name, dice.normal(middles[name], 0.7)) for name in "abc" for _ in range(60)]
    return np.array([row for _, row in rows]), [name for name, _ in rows]


def test_few_examples_teach_the_rest():
    view, truth = clusters()
    found = learn([view], {row: truth[row] for row in (0, 1, 2, 60, 61, 62, 120, 121, 122)})
    best = np.array(found.values)[found.likely.argmax(axis=1)]
    assert np.mean(best == np.array(truth)) > 0.97
    assert np.allclose(found.likely.sum(axis=1), 1)


def test_parts_are_learned_one_by_one():
    dice = np.random.default_rng(1)
    woods, stream = dice.random(200) < 0.5, dice.random(200) < 0.5
    view = np.column_stack((woods * 3.0, stream * 3.0)) + dice.normal(0, 0.3, (200, 2))
    names = {
        (False, False): "clear",
        (True, False): "woods",
        (False, True): "stream",
        (True, True): "stream+woods",
    }
    truth = [names[bool(w), bool(s)] for w, s in zip(woods, stream, strict=True)]
    known = {truth.index(name) + 0: name for name in names.values()}
    known |= {len(truth) - 1 - truth[::-1].index(name): name for name in names.values()}
    found = learn([view], known)
    best = [found.values[i] for i in found.likely.argmax(axis=1)]
    assert np.mean([a == b for a, b in zip(best, truth, strict=True)]) > 0.95


def test_one_value_is_all_there_can_be():
    view, _ = clusters()
    assert learn([view], {0: "a"}).best(5) == ("a", 1.0, None)


def test_the_runner_up_is_the_second_best():
    verdicts = Verdicts(("a", "b", "c"), np.array([[0.2, 0.7, 0.1]]))
    assert verdicts.best(0) == ("b", 0.7, "a")
    assert verdicts.margins()[0] == np.float64(0.7) - np.float64(0.2)


def test_sharpening_keeps_the_order_and_the_sum():
    likely = np.array([[0.5, 0.3, 0.2]])
    sharp = sharpened(likely, 2.0)
    assert sharp[0, 0] > 0.5 > sharp[0, 1] > sharp[0, 2]
    assert np.isclose(sharp.sum(), 1)


@given(st.lists(st.floats(0.01, 1), min_size=2, max_size=5), st.floats(0, 1))
def test_the_best_stays_the_best_whatever_it_is_called(weights, sure):
    likely = np.array([weights]) / sum(weights)
    found = called(Verdicts(tuple("abcde")[: len(weights)], likely), np.array([sure]))
    assert np.isclose(found.likely.sum(), 1)
    assert found.likely[0].argmax() == likely[0].argmax()
    share = found.likely[0, likely[0].argmax()]
    assert share >= min(sure, 0.995) - 1e-9
    others = np.delete(found.likely[0], likely[0].argmax())
    before = np.delete(likely[0], likely[0].argmax())
    assert np.allclose(others / others.sum(), before / before.sum())
