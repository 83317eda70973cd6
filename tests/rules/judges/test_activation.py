"""What it costs to activate a formation, and when it is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.hexes import Hex
from rules.errors import RulesError
from rules.judges.activation import Order, activation_cost
from rules.owner import OwnerFile, pack_with_owner
from rules.registry import find_pack
from rules.spelt_units import spelt_units

S, C = find_pack("strafexpedition"), find_pack("caporetto-1917")


def ordered(pack, side="it", guns=0, independents=(), own_division=(), **about):
    loose = spelt_units(pack, side, Hex(0, 0), independents)
    own = spelt_units(pack, side, Hex(0, 0), own_division)
    order = Order(side, guns, independents=loose, of_division=own, **about)
    return activation_cost(pack, order)


@pytest.mark.parametrize("pack", [S, C], ids=lambda pack: pack.id)
@pytest.mark.parametrize(
    ("guns", "cost", "box"),
    [
        (0, 1, "0"),
        (1, 2, "1-5"),
        (5, 2, "1-5"),
        (6, 3, "6-10"),
        (13, 4, "11-15"),
        (15, 4, "11-15"),
    ],
)
def test_a_point_for_the_formation_and_one_for_each_five_guns(pack, guns, cost, box):
    ruling = ordered(pack, guns=guns)
    assert (ruling.verdict, ruling.working["cost"]) == ("allowed", cost)
    assert ruling.working["box"] == box


@pytest.mark.parametrize(
    ("pack", "about", "verdict"),
    [
        pytest.param(S, {"guns": 16}, "refused", id="sixteen guns"),
        pytest.param(C, {"guns": 16, "side": "ahg"}, "refused", id="sixteen guns of the Germans"),
        pytest.param(S, {"guns": 13, "held": 3}, "refused", id="not enough points"),
        pytest.param(S, {"guns": 13, "held": 4}, "allowed", id="just enough"),
        pytest.param(C, {"guns": 15, "side": "ahg", "held": 0}, "allowed", id="who pays nothing"),
        pytest.param(S, {"own_units": 0}, "refused", id="nobody on the map"),
        pytest.param(S, {"kind": "unplanned_reaction"}, "refused", id="not planned"),
        pytest.param(C, {"kind": "unplanned_reaction"}, "allowed", id="not planned, but dearer"),
        pytest.param(C, {"kind": "unplanned_reaction", "guns": 3}, "unknown", id="initiative?"),
        pytest.param(
            C, {"kind": "unplanned_reaction", "guns": 4, "initiative": 3}, "refused", id="4 guns"
        ),
        pytest.param(
            C, {"kind": "unplanned_reaction", "guns": 9, "side": "ahg"}, "allowed", id="AHG reacts"
        ),
        pytest.param(S, {"independents": ["alpini"] * 2}, "allowed", id="two Alpini"),
        pytest.param(S, {"independents": ["alpini"] * 3}, "refused", id="three"),
        pytest.param(S, {"independents": ["infantry"]}, "refused", id="infantry of a Brigade"),
        pytest.param(C, {"independents": ["infantry:battalion"] * 3}, "refused", id="3 battalions"),
        pytest.param(C, {"independents": ["infantry:company"] * 8}, "allowed", id="8 companies"),
        pytest.param(C, {"independents": ["infantry:company"] * 9}, "refused", id="9 companies"),
        pytest.param(C, {"independents": ["infantry"] * 3}, "unknown", id="of what size"),
        pytest.param(
            C, {"independents": ["machine_guns"] * 5 + ["engineers"] * 3}, "allowed", id="beyond"
        ),
        pytest.param(C, {"own_division": ["infantry:battalion"] * 5}, "allowed", id="own division"),
    ],
)
def test_when_it_is_refused(pack, about, verdict):
    assert ordered(pack, **about).verdict == verdict


@pytest.mark.parametrize(("guns", "cost"), [(0, 2), (1, 4), (5, 4)])
def test_an_unplanned_reaction_costs_double(guns, cost):
    ruling = ordered(C, guns=guns, kind="unplanned_reaction", initiative=5)
    assert (ruling.verdict, ruling.working["cost"]) == ("allowed", cost)


def test_what_the_rules_leave_open_about_guns():
    assert "guns-and-command-range" in ordered(S, guns=1).assumptions
    assert "guns-and-command-range" not in ordered(S).assumptions
    answer = {"guns-and-command-range": "no-maximum"}
    pack = pack_with_owner("strafexpedition", OwnerFile("x", "strafexpedition", answer))
    assert ordered(pack, guns=21).verdict == "allowed"
    assert ordered(pack, guns=21).working["cost"] == 6
    answer = {"guns-and-command-range": "any-distance"}
    pack = pack_with_owner("strafexpedition", OwnerFile("x", "strafexpedition", answer))
    keys = [one.key for one in ordered(pack, guns=2).reasons]
    assert "rules.activation.guns_in_range" not in keys


@given(st.integers(0, 15), st.integers(0, 15))
def test_more_guns_never_cost_less(one, other):
    few, many = sorted((one, other))
    assert ordered(S, guns=few).working["cost"] <= ordered(S, guns=many).working["cost"]


def test_a_game_whose_rule_we_lack_and_nonsense():
    assert ordered(find_pack("custoza"), side="x").verdict == "unknown"
    with pytest.raises(RulesError, match="give 0 or more"):
        ordered(S, guns=-1)
