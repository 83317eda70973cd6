"""How sure it is that an icon is there."""

from hypothesis import given
from hypothesis import strategies as st

from mapkit.hexes import Hex
from mapkit.scan.icon_verdicts import sureness_of


def test_what_weighs_less_than_its_kind_is_doubted():
    weights = {Hex(q, 0): 2.0 for q in range(9)} | {Hex(0, 9): 0.8}
    sure = sureness_of(weights)
    assert min(sure[Hex(q, 0)] for q in range(9)) > 0.95
    assert sure[Hex(0, 9)] < 0.75


@given(st.lists(st.floats(0.7, 9), min_size=1, max_size=20))
def test_the_heavier_is_never_less_sure(weights):
    sure = sureness_of({Hex(q, 0): weight for q, weight in enumerate(weights)})
    order = sorted(range(len(weights)), key=weights.__getitem__)
    found = [sure[Hex(q, 0)] for q in order]
    assert found == sorted(found)
