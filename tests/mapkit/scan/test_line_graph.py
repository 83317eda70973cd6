"""Chances of lines, weighed against the lines they would continue."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.scan.line_graph import connected, scraps

CHAIN = [(place, place + 1) for place in range(5)]


def test_a_gap_in_a_line_is_closed() -> None:
    chances = np.array([0.98, 0.98, 0.4, 0.98, 0.98])
    assert connected(chances, CHAIN, dead_end=6.0, free=frozenset({0, 5}))[2] > 0.8


def test_a_lone_piece_is_doubted() -> None:
    chances = np.array([0.02, 0.02, 0.6, 0.02, 0.02])
    assert connected(chances, CHAIN, dead_end=6.0)[2] < 0.2


def test_at_the_edge_of_the_map_a_line_may_end() -> None:
    chances = np.array([0.6])
    ends = connected(
        chances, [("edge", "beyond")], dead_end=6.0, free=frozenset({"edge", "beyond"})
    )
    assert ends == pytest.approx(chances)


@given(st.lists(st.floats(0.01, 0.99), min_size=5, max_size=5))
def test_without_a_price_on_dead_ends_nothing_changes(chances: list[float]) -> None:
    assert connected(np.array(chances), CHAIN, dead_end=1.0) == pytest.approx(chances)


@given(st.lists(st.floats(0.02, 0.98), min_size=4, max_size=4))
def test_a_tree_is_weighed_exactly(chances: list[float]) -> None:
    # A star and a tail have no loops: there belief propagation is the sum over all pictures.
    joints = [("hub", "a"), ("hub", "b"), ("hub", "c"), ("c", "d")]
    free = frozenset({"a", "b", "d"})
    totals, with_line = 0.0, np.zeros(4)
    for bits in range(16):
        held = np.array([bits >> i & 1 for i in range(4)], bool)
        weight = float(np.prod(np.where(held, chances, 1 - np.array(chances))))
        for place in ("hub", "c"):
            met = sum(bool(h) for h, ends in zip(held, joints, strict=True) if place in ends)
            weight /= 4.0 if met == 1 else 1.0
        totals += weight
        with_line += weight * held
    got = connected(np.array(chances), joints, dead_end=4.0, free=free)
    assert got == pytest.approx(with_line / totals, abs=2e-3)


def test_scraps_hang_together_with_little_and_reach_no_edge() -> None:
    joints = [(0, 1), (1, 2), (2, 3), (5, 6), (6, 7), (9, 10), (12, 13)]
    held = np.array([True, True, True, True, True, True, False])
    found = scraps(held, joints, most=2, free=frozenset({10}))
    assert found.tolist() == [False, False, False, True, True, False, False]
