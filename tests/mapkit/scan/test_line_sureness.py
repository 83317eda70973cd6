"""What counts against a line that is seen, and how sure it is then."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.scan.line_evidence import Seen
from mapkit.scan.line_sureness import counts_against, crossing_sureness, sureness, usual_share
from mapkit.scan.line_teaching import LineKind

RIVER, STREAM = LineKind("hexsides", "river"), LineKind("hexsides", "stream")
ROAD = LineKind("links", "road")
CHANCES = st.floats(0, 1)


def seen(around: list[list[float]]) -> Seen:
    return Seen(np.zeros((len(around), 1, 1, 3), np.uint8), (), (), (), np.array(around))


def against(around: list[list[float]], strength: list[list[float]], *kinds: LineKind):
    usual = np.full(len(kinds), 0.2)
    return counts_against(kinds, seen(around), np.array(strength), usual)


def test_a_shore_is_no_river():
    found = against([[0.2], [0.05], [0.8]], [[1.0]] * 3, RIVER)[RIVER]
    assert found[:2].tolist() == [0, 0]
    assert found[2] > 2


def test_a_second_kind_beside_counts_against_a_hexside_but_not_against_a_road():
    found = against([[0.2, 0.2, 0.2]], [[1.0, 0.9, 0.9]], RIVER, STREAM, ROAD)
    assert found[RIVER][0] > 1
    assert found[ROAD][0] == 0


def test_what_is_usual_is_told_by_the_sheet_and_by_what_was_drawn():
    sheet, drawn = seen([[0.1], [0.3], [0.9]]), seen([[0.2], [0.2]])
    own = {RIVER: np.array([0, 1])}
    assert usual_share([RIVER], sheet, own)[0] == pytest.approx(0.2)
    labels = np.array([0, 0])
    assert usual_share([RIVER], sheet, {}, drawn, labels)[0] == pytest.approx(0.2)


@given(CHANCES, CHANCES, st.floats(0, 9))
def test_the_likelier_is_never_less_sure(one, other, against_both):
    low, high = sorted((one, other))
    assert 0 < sureness(low, against_both) <= sureness(high, against_both) < 1
    assert crossing_sureness(low) <= crossing_sureness(high)
    assert sureness(high, against_both) <= sureness(high, 0.0)
