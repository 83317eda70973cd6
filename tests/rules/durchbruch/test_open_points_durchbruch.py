"""What Durchbruch leaves open: other readings change the ruling, and what we lack stays unknown."""

import pytest
from pydantic import TypeAdapter

from rules.cases import AnyCase, rule_case
from rules.judges.victory import rule_victory
from rules.owner import OwnerFile, pack_with_owner
from rules.positions.set_up import set_up
from rules.registry import find_pack

GAME = "durchbruch"
FIGHT = {"judge": "combat", "procedure": "combat"}
BARRAGE = {"judge": "combat", "procedure": "barrage"}
STACK = {"judge": "stacking", "hex": "2010", "side": "it", "ground": "plain 1"}
MOVE = {"judge": "movement", "side": "ag", "ground": "plain 1", "narrow": True}
STEP = MOVE | {"unit": "0504:infantry", "path": ["0504", "0505"]}
ATTACK = {
    "judge": "fight",
    "procedure": "combat",
    "side": "ag",
    "hex": "0505",
    "ground": "plain 1",
    "enemies": ["0505:infantry:strength=2"],
}
TRENCH = "plain 1 trench:it"
HILL, MOUNTAIN = {"ground": "hill 2"}, {"ground": "mountain 3"}


def a_case(asked):
    return TypeAdapter(AnyCase).validate_python(
        {"id": "asked", "cite": "Table 1", "expect": {}} | asked
    )


@pytest.mark.parametrize(
    ("question", "answer", "asked", "ours", "theirs"),
    [
        (
            "strength-over-the-isonzo",
            "half",
            FIGHT | {"attack": {"quartered": 8}, "defend": {"strength": 2}},
            "1:1",
            "2:1",
        ),
        (
            "ooc1-exception",
            "half-as-all",
            FIGHT | {"attack": {"assault": 8}, "defend": {"strength": 2}, "said": ["ooc1"]},
            "4:1",
            "2:1",
        ),
        (
            "automatic-loss",
            "lowest-column",
            FIGHT | {"attack": {"strength": 1}, "defend": {"strength": 9}},
            "automatic",
            "1:3",
        ),
        (
            "bombardment-shifts-of-terrain",
            "list-of-table-1",
            BARRAGE | {"attack": {"strength": 12}, "said": ["rocky"]},
            "4-6",
            "11-14",
        ),
        (
            "bridges-as-streams",
            "streams-alone",
            FIGHT | {"attack": {"strength": 4}, "defend": {"strength": 2}, "said": ["bridge"]},
            "1:1",
            "2:1",
        ),
        (
            "ends-of-the-tables",
            "first-column",
            BARRAGE | {"attack": {"strength": 2}, "said": ["town"]},
            "automatic",
            "1-3",
        ),
        (
            "rounding-of-odds",
            "nearest",
            FIGHT | {"attack": {"strength": 11}, "defend": {"strength": 3}},
            "3:1",
            "4:1",
        ),
        (
            "odds-beyond-the-table",
            "whole-ratios",
            FIGHT
            | {"attack": {"strength": 1}, "defend": {"strength": 5}, "said": ["preparatory_phase"]},
            "1:2",
            "1:3",
        ),
        (
            "stacking-pictures",
            "plain-alone",
            STACK | HILL | {"units": ["infantry", "engineers", "machine_guns"]},
            "within",
            "over",
        ),
        (
            "stacking-pictures",
            "rocky-alone",
            STACK | MOUNTAIN | {"units": ["infantry", "engineers", "machine_guns"]},
            "over",
            "within",
        ),
        (
            "special-units-alone",
            "one",
            STACK | MOUNTAIN | {"units": ["engineers", "machine_guns"]},
            "within",
            "over",
        ),
        (
            "ooc1-exception",
            "half-as-all",
            ATTACK | {"units": ["0504:assault:ooc1:strength=4"]},
            "3:1",
            "2:1",
        ),
        (
            "bridges-over-the-isonzo",
            "quartered-too",
            ATTACK
            | {
                "units": ["0504:infantry:strength=16"],
                "hexsides": {"isonzo": ["0504/0505"], "bridge": ["0504/0505"]},
            },
            "6:1",
            "1:1",
        ),
        (
            "zones-of-the-cards",
            "stop",
            MOVE
            | {
                "unit": "0504:infantry",
                "path": ["0504", "0505", "0506"],
                "allowance": 4,
                "enemies": ["0405:infantry"],
            },
            "reached",
            "not_reached",
        ),
        (
            "along-a-trench-line",
            "nobody-can-tell",
            STEP | {"allowance": 1, "hexes": {"0504": TRENCH, "0505": TRENCH}},
            "reached",
            "not_reached",
        ),
        (
            "water-and-houses-on-the-road",
            "road-alone",
            STEP
            | {
                "allowance": 1,
                "hexes": {"0505": "plain 1 village"},
                "links": {"road": ["0504-0505"]},
            },
            "not_reached",
            "reached",
        ),
        (
            "guns-onto-the-first-hill",
            "any-hill",
            STEP
            | {
                "unit": "0504:artillery",
                "allowance": 4,
                "hexes": {"0504": "hill 2", "0505": "hill 2"},
            },
            "not_reached",
            "reached",
        ),
    ],
)
def test_another_reading_gives_another_verdict(question, answer, asked, ours, theirs):
    plain = rule_case(find_pack(GAME), a_case(asked))
    assert plain.verdict == ours
    assert question in plain.assumptions
    other = pack_with_owner(GAME, OwnerFile("an owner file", GAME, {question: answer}))
    assert rule_case(other, a_case(asked)).verdict == theirs


def test_special_units_alone_stay_free_below_the_mountains_in_either_reading():
    choice = OwnerFile("an owner file", GAME, {"special-units-alone": "one"})
    case = a_case(STACK | HILL | {"units": ["engineers", "machine_guns", "assault", "assault"]})
    for pack in (find_pack(GAME), pack_with_owner(GAME, choice)):
        assert rule_case(pack, case).verdict == "within"


@pytest.mark.parametrize(
    "asked",
    [
        {"judge": "sight", "observer": "2010", "target": "2013"},
        {
            "judge": "movement",
            "unit": "2010:headquarters",
            "allowance": 6,
            "path": ["2010", "2011"],
        },
        {"judge": "supply", "unit": "2010", "side": "it"},
    ],
)
def test_what_only_the_rulebook_tells_is_unknown(asked):
    ruling = rule_case(find_pack(GAME), a_case({"ground": "plain 1"} | asked))
    assert ruling.verdict == "unknown"
    assert ruling.missing


def test_nobody_knows_what_a_trench_of_nobody_costs():
    case = a_case(STEP | {"allowance": 9, "hexes": {"0505": "plain 1 trench"}})
    ruling = rule_case(find_pack(GAME), case)
    assert ruling.verdict == "unknown"
    assert [one.key for one in ruling.missing] == ["rules.movement.whose"]


def test_nobody_knows_whether_a_trench_of_nobody_shelters():
    asked = ATTACK | {"units": ["0504:infantry:strength=6"], "hexes": {"0505": "plain 1 trench"}}
    ruling = rule_case(find_pack(GAME), a_case(asked))
    assert "rules.combat.no_owner" in {one.key for one in ruling.missing}


def test_nobody_can_tell_who_has_won():
    ruling = rule_victory(set_up(GAME, "s1"), over=True)
    assert ruling.verdict == "unknown"
    assert any("rulebook" in one.told() for one in ruling.missing)


def test_a_doubtful_layout_is_asked_for():
    pack = find_pack(GAME)
    assert pack.layout.shoved is None
    assert "layout.confirmed" in pack.missing["layout"].keys
