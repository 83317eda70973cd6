"""A scan tested on its own sheet."""

import numpy as np

from mapkit.scan.self_test import held_out, try_on_itself
from mapkit.scan.verdicts import Verdicts

DICE = np.random.default_rng(4)


def views(rows: int, apart: float) -> list[np.ndarray]:
    """Rows of which every second is of the other kind, so far *apart*."""
    kinds = np.arange(rows) % 2
    return [np.column_stack((kinds * apart, np.zeros(rows))) + DICE.normal(0, 0.1, (rows, 2))]


def known(rows: int) -> dict[int, str]:
    return {row: ("clear", "woods")[row % 2] for row in range(rows)}


def test_every_example_is_held_back_once():
    trials = list(held_out("terrain", views(20, 5.0), known(20)))
    assert len(trials) == 20
    assert all(one.right for one in trials)


def test_examples_that_tell_nothing_are_not_called_sure_and_right():
    trials = list(held_out("terrain", views(40, 0.0), known(40)))
    assert 0.2 < np.mean([one.right for one in trials]) < 0.8


def test_a_value_with_a_single_example_is_left_out():
    taught = known(8) | {8: "lake"}
    trials = list(held_out("terrain", views(9, 5.0), taught))
    assert len(trials) == 8


class Reading:
    """What of a reading is looked at here."""

    samples = None
    levels = None
    known = {"terrain": {0: "clear"}, "level": {}}  # noqa: RUF012

    def __init__(self, *ways: list[list[float]]) -> None:
        self.ways = {"terrain": tuple(Verdicts(("clear", "woods"), np.array(w)) for w in ways)}
        self.terrain = Verdicts(("clear", "woods"), np.mean([np.array(w) for w in ways], axis=0))


def test_two_ways_of_reading_agree_or_not():
    reading = Reading([[1, 0], [0.9, 0.1], [0.9, 0.1]], [[1, 0], [0.7, 0.3], [0.3, 0.7]])
    tested = try_on_itself(reading)
    assert [(round(one.confidence, 2), one.right) for one in tested.agreeing] == [
        (0.8, True),
        (0.6, False),
    ]  # the first hex was taught
    assert not tested.held_out
