"""Shifts added up: both sides, groups of which one counts, limits and what lifts them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.combat.modifiers import add_up
from rules.errors import RulesError
from rules.registry import find_pack
from rules.schema.tables import Cap, Group, Modifier


def modifier(amount, **more):
    return Modifier.model_validate({"title": "x", "amount": amount, "cite": "1.0"} | more)


def cap(most, **more):
    return Cap.model_validate({"most": most, "cite": "1.0"} | more)


amounts = st.lists(st.integers(-5, 5), max_size=6)


@given(amounts, st.integers(0, 4))
def test_the_net_is_the_plain_sum_and_the_limit_cuts_both_ways(given_amounts, most):
    modifiers = {f"m{n}": modifier(amount) for n, amount in enumerate(given_amounts)}
    said = dict.fromkeys(modifiers)
    free = add_up(modifiers, said, groups={}, cap=None)
    assert free.net == free.total == sum(given_amounts)
    assert free.against == sum(a for a in given_amounts if a < 0)
    assert free.in_favour == sum(a for a in given_amounts if a > 0)
    held = add_up(modifiers, said, groups={}, cap=cap(most))
    assert held.total == max(-most, min(most, sum(given_amounts)))
    assert held.is_capped == (abs(sum(given_amounts)) > most)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=5), st.sampled_from(["lowest", "highest"]))
def test_of_a_group_only_one_counts(given_amounts, take):
    modifiers = {f"m{n}": modifier(a, group="cover") for n, a in enumerate(given_amounts)}
    group = Group(take=take, cite="1.0")
    found = add_up(modifiers, dict.fromkeys(modifiers), groups={"cover": group}, cap=None)
    assert found.total == (min if take == "lowest" else max)(given_amounts)
    assert sum(line.counts for line in found.lines) == 1


def test_what_is_not_said_does_not_count():
    assert add_up({"rain": modifier(-1)}, {}, groups={}, cap=None).lines == ()


def test_so_much_for_each_and_by_number():
    modifiers = {
        "guns": modifier(2, each=True),
        "trench": modifier(None, valued=True, by_value={"1": -1, "2-3": -2}),
    }
    found = add_up(modifiers, {"guns": 3, "trench": 3}, groups={}, cap=None)
    assert [line.amount for line in found.lines] == [6, -2]
    with pytest.raises(RulesError, match="needs a number: --with trench=N"):
        add_up(modifiers, {"trench": None}, groups={}, cap=None)
    with pytest.raises(RulesError, match="is told for 1, 2-3, not for 4"):
        add_up(modifiers, {"trench": 4}, groups={}, cap=None)


def test_one_gives_way_to_another():
    modifiers = {"trench": modifier(-2, unless=("cavalry",)), "cavalry": modifier(1)}
    found = add_up(modifiers, {"trench": None, "cavalry": None}, groups={}, cap=None)
    assert found.total == 1
    assert found.lines[0].instead == "cavalry"


def test_an_amount_only_the_card_knows_is_left_open():
    found = add_up({"woods": modifier(None)}, {"woods": None}, groups={}, cap=None)
    assert [line.word for line in found.unread] == ["woods"]
    assert found.total == 0


@pytest.mark.parametrize(
    ("net", "lifted", "total"), [(5, False, 3), (5, True, 5), (-5, False, -3), (-5, True, -3)]
)
def test_german_superiority_lifts_the_limit_upward_only(net, lifted, total):
    limit = find_pack("caporetto-1917").tables["assault"].shift_cap
    said = {"m": None} | ({"all_german_infiltration": None} if lifted else {})
    found = add_up({"m": modifier(net)}, said, groups={}, cap=limit)
    assert found.total == total


def test_fog_and_blizzard_are_not_added_up():
    table = find_pack("caporetto-1917").tables["fire"]
    found = add_up(
        table.shifts,
        {"fog": None, "blizzard": None},
        groups=table.groups,
        cap=table.shift_cap,
        procedure="defensive_fire",
    )
    assert found.total == -2


def test_strafexpedition_has_no_limit_on_shifts():
    tables = find_pack("strafexpedition").tables
    assert tables["assault"].shift_cap is tables["fire"].shift_cap is None
