"""How sure beside how right: bins, how far off, and the errors among the doubtful."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.scan.reliability import Bin, Trial, reliability

TRIALS = st.lists(
    st.builds(Trial, st.just("level"), st.floats(0, 1), st.booleans()), min_size=1, max_size=60
)


def level(*pairs: tuple[float, bool]) -> list[Trial]:
    return [Trial("level", sure, right) for sure, right in pairs]


def test_a_scan_that_is_right_as_often_as_it_says_is_not_off():
    table = reliability(level((0.75, True), (0.75, True), (0.75, True), (0.75, False)))["level"]
    assert table.bins == (Bin(0.7, 0.8, 4, 3, 0.75),)
    assert table.off == pytest.approx(0)
    assert table.wrong == 1


def test_one_that_is_too_sure_is_off_by_so_much():
    table = reliability(level(*((0.95, place < 7) for place in range(10))))["level"]
    assert table.off == pytest.approx(0.25)


def test_errors_among_the_doubtful_fifth():
    sure = [(0.99, True)] * 7 + [(0.97, False)]
    table = reliability(level((0.3, False), (0.4, False), *sure))["level"]
    assert (table.wrong, table.doubted) == (3, 2)


def test_where_all_are_alike_sure_errors_count_in_proportion():
    table = reliability(level(*((0.9, place % 2 == 0) for place in range(10))))["level"]
    assert table.doubted == pytest.approx(1.0)  # a fifth of five


def test_sorts_of_values_are_kept_apart():
    tables = reliability([Trial("link", 0.6, True), Trial("terrain", 1.0, False)])
    assert list(tables) == ["terrain", "link"]
    assert tables["terrain"].bins[0].high == 1.0


def test_few_values_tell_little():
    few, many = Bin(0.9, 1, 2, 2, 0.95), Bin(0.9, 1, 2000, 2000, 0.95)
    assert few.margin[0] < 0.5
    assert many.margin[0] > 0.99
    assert few.margin[1] == many.margin[1] == 1.0


@given(TRIALS)
def test_no_value_is_lost_and_shares_are_shares(trials):
    table = reliability(trials)["level"]
    assert table.count == len(trials)
    assert sum(one.right for one in table.bins) == sum(one.right for one in trials)
    assert 0 <= table.off <= 1
    assert 0 <= table.doubted <= min(table.wrong, 0.2 * len(trials)) + 1e-9
    for one in table.bins:
        assert one.low - 1e-9 <= one.said <= one.high + 1e-9
        assert one.margin[0] <= one.share + 1e-9
        assert one.share <= one.margin[1] + 1e-9
