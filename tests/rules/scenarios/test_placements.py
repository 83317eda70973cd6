"""Placements: what a hex number alone can tell, and every kind in every language."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from mapkit import texts
from mapkit.errors import NumberingError
from mapkit.hexes import distance
from rules.registry import find_pack
from rules.scenarios.placements import fit, told_constraints, told_placement
from rules.scenarios.scenario_files import find_scenarios
from rules.schema.placement import Constraint, Placement
from rules.spoken import spoken

PACK = find_pack("strafexpedition")
NUMBERING = PACK.layout.numbering()
labels = st.builds("{:02}{:02}".format, st.integers(1, 60), st.integers(1, 80))


def placement(*all_of, **more):
    return Placement.model_validate({"all_of": all_of, "cite": "5.0"} | more)


def fits(place, label):
    return fit(place, label, NUMBERING).fits


@pytest.mark.parametrize(
    ("constraint", "inside", "outside"),
    [
        ({"kind": "hexes", "hexes": ["0305", "0306"]}, ["0305", "0306"], ["0307", "0505"]),
        ({"kind": "one_each", "hexes": ["0305"]}, ["0305"], ["0306"]),
        ({"kind": "within_hexes", "n": 1, "hexes": ["3603"]}, ["3603", "3502", "3604"], ["3605"]),
        ({"kind": "columns", "first": 40, "last": 50}, ["0140", "0150"], ["0139", "0151"]),
        ({"kind": "columns", "first": 28}, ["0128", "0199"], ["2827"]),
        ({"kind": "rows", "first": 38}, ["3801", "5001"], ["3738"]),
        ({"kind": "rows", "last": 38}, ["3899"], ["3901"]),
        ({"kind": "span", "first": "2250", "last": "2243"}, ["2243", "2250"], ["2242", "2345"]),
    ],
)
def test_what_a_number_tells(constraint, inside, outside):
    place = placement(constraint)
    assert [fits(place, label) for label in inside] == [True] * len(inside)
    assert [fits(place, label) for label in outside] == [False] * len(outside)


def test_columns_and_rows_follow_the_order_of_the_game():
    place = placement({"kind": "columns", "first": 33})
    other = find_pack("caporetto-1917").layout.numbering()
    assert fit(place, "3301", other).fits is True
    assert fit(place, "0133", other).fits is False


def test_what_only_the_map_tells_stays_open():
    front = {"kind": "behind_front_line", "side": "it"}
    place = placement(front, {"kind": "rows", "first": 38})
    assert fits(place, "3801") is None
    assert [one.kind for one in fit(place, "3801", NUMBERING).unchecked] == ["behind_front_line"]
    assert fits(place, "3701") is False
    assert fits(placement({"kind": "span", "first": "0101", "last": "0202"}), "0101") is None


def test_another_way_in_is_as_good():
    place = find_scenarios("strafexpedition").find("s5").placements["marostica"]
    assert [fits(place, label) for label in ("1468", "2872", "1469")] == [True, True, False]


def test_a_hex_that_is_none():
    with pytest.raises(NumberingError):
        fits(placement({"kind": "rows", "first": 38}), "38")


@given(labels, labels, st.integers(0, 9))
def test_within_is_the_distance(one, other, n):
    place = placement({"kind": "within_hexes", "n": n, "hexes": [one]})
    apart = distance(NUMBERING.parse_label(one), NUMBERING.parse_label(other))
    assert fits(place, other) is (apart <= n)


SAMPLES = [
    {"kind": "hexes", "hexes": ["0305", "0306"]},
    {"kind": "one_each", "hexes": ["0305"]},
    {"kind": "within_hexes", "n": 2, "hexes": ["0305"]},
    {"kind": "within_units", "n": 1, "units": ["x"], "groups": ["infantry"]},
    {"kind": "on_front_line", "side": "it", "first": "0305", "last": "0306"},
    {"kind": "behind_front_line", "side": "it"},
    {"kind": "behind_front_line", "side": "it", "first": "0305", "last": "0306"},
    {"kind": "behind_units", "corps": "III"},
    {"kind": "from_front_line", "side": "ah", "n": 2},
    {"kind": "near_front_line", "side": "ah", "n": 2},
    {"kind": "near_front_line", "side": "ah", "n": 1, "first": "0305", "last": "0306"},
    {"kind": "on_way", "links": ["road"], "first": "0305", "last": "0306"},
    {"kind": "span", "first": "0305", "last": "0306"},
    {"kind": "beyond", "first": "0305", "last": "0306", "toward": "N"},
    {"kind": "beyond_line", "line": "the brook", "at": "0305/0306", "toward": "N"},
    {"kind": "map_edge", "edge": "W"},
    {"kind": "rows", "first": 1, "last": 2},
    {"kind": "rows", "first": 1},
    {"kind": "rows", "last": 2},
    {"kind": "columns", "first": 1, "last": 2},
    {"kind": "columns", "first": 1},
    {"kind": "columns", "last": 2},
    {"kind": "area", "area": "west_sector"},
    {"kind": "playing_area"},
    {"kind": "near_formation", "n": 3},
    {"kind": "trench_chain", "first": "0305", "last": "0306"},
    {"kind": "from_enemies", "n": 1},
    {"kind": "from_enemies", "n": 3},
    {"kind": "no_enemy_zone"},
    {"kind": "can_fire", "side": "ah", "depth": 2},
    {"kind": "owned_hex", "hex": "1201", "side": "it"},
]


def test_the_samples_hold_every_kind():
    schema = TypeAdapter(Constraint).json_schema()
    assert {sample["kind"] for sample in SAMPLES} == set(schema["discriminator"]["mapping"])


@pytest.mark.parametrize("language", texts.LANGUAGES)
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample["kind"])
def test_every_kind_is_told_with_all_it_says(sample, language):
    said = [value for key, value in sample.items() if key not in ("kind", "side", "area", "n")]
    with texts.speaking(language):
        told = told_constraints(placement(sample).all_of, PACK, {})
        for value in [one for it in said for one in (it if isinstance(it, list) else [it])]:
            class_ = PACK.classes.get(value) if isinstance(value, str) else None
            assert (spoken(PACK, class_.title) if class_ else str(value)) in told
    assert not set(told) & set(string.punctuation) & set("{}_")


def test_sides_and_formations_are_told_by_their_names():
    scenarios = find_scenarios("strafexpedition")
    name, formation = next(iter(scenarios.formations.items()))
    near = placement({"kind": "within_units", "n": 2, "formations": [name]})
    assert formation.title in told_placement(near, PACK, {}, scenarios.formations)
    behind = placement({"kind": "behind_front_line", "side": "it"})
    with texts.speaking("de"):
        assert told_placement(behind, PACK, {}) == "hinter der Frontlinie (Italiener)"


def test_a_placement_in_words():
    told = told_placement(
        find_scenarios("strafexpedition").find("s5").placements["near-1201-or-recoaro"], PACK, {}
    )
    assert told == (
        "Supply Source 1201, else Recoaro: 3 hexes or less from 1201, while Italian controls 1201; "
        "else any of 0225, 0226"
    )
