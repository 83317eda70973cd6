"""Combats on a map and with units: what the ground tells, what counters bring, what is unknown."""

from dataclasses import replace
from fractions import Fraction

import pytest

from counters.model import Face, Unit
from mapkit.hexes import Hexside, distance, neighbours
from mapkit.kinds import UNKNOWN
from mapkit.model import Feature, Ground
from rules.battlefield import Battlefield
from rules.combat.inputs import thrown
from rules.combat.look_up import reroll_die
from rules.errors import RulesError
from rules.judges.combat import CombatJudge, Fight
from rules.judges.combat_desk import Spot, fight_there
from rules.judges.combat_ground import CombatGround
from rules.owner import OwnerFile, pack_with_owner
from rules.registry import find_pack
from rules.schema.losses import Weakens
from rules.standing import Standing
from tests.boards import board
from tests.rules.combat.invented import ENTERED, entered


def field_of(game, hexes, sides=None, pack=None):
    """A battlefield in the pack's own words; hexes are by their place in a row, 0 the target."""
    map_ = board(". . . .", ". . . .", ". . . .")
    target = sorted(map_.hexes)[5]
    around = [hex_ for hex_ in neighbours(target) if hex_ in map_.hexes]
    places = [target, *around]
    ground = {hex_: Ground("clear", 1) for hex_ in map_.hexes}
    for place, here in hexes.items():
        ground[places[place]] = here
    works = {
        Hexside.between(places[place], target): features
        for place, features in (sides or {}).items()
    }
    map_ = replace(map_, hexes=ground, hexsides=works)
    return Battlefield(map_, pack or find_pack(game), map_), places


def said(game, procedure, hexes, *, sides=None, sources=(1,), weather=None, holder=None):
    field, places = field_of(game, hexes, sides)
    origins = tuple(places[place] for place in sources)
    return CombatGround(field, places[0], origins, weather, holder).said(procedure)


SE, C17 = "strafexpedition", "caporetto-1917"


@pytest.mark.parametrize(
    ("game", "procedure", "setting", "expected"),
    [
        pytest.param(SE, "assault", {"hexes": {}}, {}, id="nothing on clear ground"),
        pytest.param(
            SE, "assault", {"hexes": {0: Ground("woods", 1)}}, {"woods": None}, id="woods"
        ),
        pytest.param(
            SE, "assault", {"hexes": {1: Ground("woods", 1)}}, {}, id="not the attacker's"
        ),
        pytest.param(
            SE,
            "assault",
            {"hexes": {0: Ground("clear", 4), 2: Ground("clear", 2)}, "sources": (1, 2)},
            {"uphill": 2},
            id="all climb, the least of them",
        ),
        pytest.param(
            SE,
            "assault",
            {"hexes": {0: Ground("clear", 4), 2: Ground("clear", 4)}, "sources": (1, 2)},
            {},
            id="one of them does not climb",
        ),
        pytest.param(
            SE,
            "assault",
            {"hexes": {0: Ground("clear", 4), 2: Ground("clear", 6)}, "sources": (1, 2)},
            {},
            id="one of them comes down",
        ),
        pytest.param(
            SE,
            "assault",
            {
                "hexes": {},
                "sides": {1: (Feature("river"),), 2: (Feature("river"),)},
                "sources": (1, 2),
            },
            {"river": None},
            id="all cross the river",
        ),
        pytest.param(
            SE,
            "assault",
            {"hexes": {}, "sides": {1: (Feature("river"),)}, "sources": (1, 2)},
            {},
            id="one does not cross it",
        ),
        pytest.param(
            SE,
            "assault",
            {"hexes": {}, "sides": {1: (Feature("bridge", state="blown"),)}},
            {},
            id="a blown bridge is none",
        ),
        pytest.param(
            SE,
            "assault",
            {"hexes": {0: Ground("clear", 1, (Feature("trench", 2),))}},
            {"trench": 2},
            id="a trench with its level",
        ),
        pytest.param(
            C17,
            "assault",
            {
                "hexes": {0: Ground("clear", 1, (Feature("trench", 2, owner="ahg"),))},
                "holder": "it",
            },
            {},
            id="an enemy's trench does not help",
        ),
        pytest.param(
            C17,
            "assault",
            {"hexes": {}, "sides": {1: (Feature("trench", 1),)}},
            {"trench": 1},
            id="a trench on the hexside they cross",
        ),
        pytest.param(
            C17,
            "support_fire",
            {"hexes": {}, "sides": {1: (Feature("trench", 1),)}},
            {"trench": 1, "hexside_trench": None},
            id="a trench on a hexside can be shot to nothing",
        ),
        pytest.param(
            C17,
            "bombardment",
            {"hexes": {}, "sides": {3: (Feature("trench", 1),)}, "sources": ()},
            {"trench": 1, "hexside_trench": None},
            id="a trench on any hexside shields from shells that come from afar",
        ),
        pytest.param(
            C17,
            "bombardment",
            {"hexes": {}, "sides": {2: (Feature("trench", 1),), 3: (Feature("trench", 2),)}},
            {"trench": 2, "hexside_trench": None},
            id="and from those of guns that stand on another side, by its highest level",
        ),
        pytest.param(
            C17,
            "bombardment",
            {
                "hexes": {},
                "sides": {3: (Feature("trench", 1, owner="ahg"),)},
                "sources": (),
                "holder": "it",
            },
            {},
            id="an enemy's trench on a hexside does not",
        ),
        pytest.param(
            C17,
            "support_fire",
            {"hexes": {}, "sides": {3: (Feature("trench", 1),)}},
            {},
            id="Support Fire meets it only where it crosses it",
        ),
        pytest.param(
            C17,
            "assault",
            {
                "hexes": {},
                "sides": {1: (Feature("trench", 1),), 2: (Feature("trench", 1, owner="ahg"),)},
                "sources": (1, 2),
                "holder": "it",
            },
            {},
            id="one of two assaulters crosses no trench of the defender",
        ),
        pytest.param(
            C17,
            "support_fire",
            {"hexes": {0: Ground("clear", 1, (Feature("trench", 1),))}},
            {"trench": 1},
            id="a trench hex cannot",
        ),
        pytest.param(SE, "assault", {"hexes": {}, "weather": "rain"}, {"rain": None}, id="rain"),
        pytest.param(
            SE,
            "bombardment",
            {"hexes": {0: Ground("clear", 5)}, "weather": "overcast"},
            {"overcast_high": None},
            id="overcast at level 5",
        ),
        pytest.param(
            SE,
            "bombardment",
            {"hexes": {0: Ground("clear", 4)}, "weather": "overcast"},
            {},
            id="overcast below it",
        ),
        pytest.param(
            SE,
            "defensive_fire",
            {"hexes": {1: Ground("clear", 3, (Feature("trench", 1),))}},
            {"uphill": 2, "firer_trench": 1},
            id="fire from a trench above",
        ),
        pytest.param(
            C17,
            "defensive_fire",
            {"hexes": {1: Ground("clear", 3)}, "weather": "fog"},
            {"fog": None},
            id="into the fog",
        ),
        pytest.param(
            C17,
            "defensive_fire",
            {"hexes": {0: Ground("clear", 3), 1: Ground("clear", 3)}, "weather": "fog"},
            {},
            id="above the fog",
        ),
    ],
)
def test_what_the_map_tells(game, procedure, setting, expected):
    assert said(game, procedure, **setting) == expected


def fought(pack, field, places, procedure="assault", *, units=(), without=(), **fight):
    spot = Spot(field, places[0], (places[1],), units=units)
    return CombatJudge(pack).rule(
        fight_there(pack, Fight(procedure, **fight), spot, without=without)
    )


TYPED = {"attack": {"combat": Fraction(5)}, "defend": {"combat": Fraction(1)}}


def test_what_is_typed_goes_before_what_the_map_tells():
    pack = entered()
    field, places = field_of(SE, {0: Ground("woods", 1, (Feature("trench", 2),))}, pack=pack)
    assert fought(pack, field, places, **TYPED).verdict == "1:1"
    assert fought(pack, field, places, **TYPED, said={"trench": 1}).verdict == "2:1"
    assert fought(pack, field, places, **TYPED, without=["woods", "trench"]).verdict == "5:1"


def test_a_level_nobody_knows_leaves_the_verdict_open_until_it_is_said():
    pack = entered(values=ENTERED | {"tables.assault.shifts.uphill.by_value": {"1+": -1}})
    field, places = field_of(SE, {0: Ground("clear", None)}, pack=pack)
    open_ = fought(pack, field, places, **TYPED, rolls=(3,))
    assert open_.verdict == "unknown"
    assert "faces" not in open_.working
    assert "uphill" in " ".join(reason.told() for reason in open_.missing)
    assert fought(pack, field, places, **TYPED, without=["uphill"]).verdict == "5:1"
    assert fought(pack, field, places, **TYPED, said={"uphill": 1}).verdict == "3.5:1"


def test_the_ruling_rests_on_the_values_of_the_map():
    pack = entered()
    field, places = field_of(SE, {}, pack=pack)
    ruling = fought(pack, field, places, **TYPED)
    hexes = {field.label(places[0]), field.label(places[1])}
    assert {one.place for one in ruling.rests_on} == hexes


def counter(name, side, hex_, values, class_="infantry", **more):
    unit = Unit(name, name, side, class_=class_, steps=2, faces=(Face("front", values),))
    return Standing(name, side, hex_, class_, unit, steps=2, **more)


def test_units_bring_their_factors_and_suffer_the_result():
    pack = entered()
    field, places = field_of(SE, {}, pack=pack)
    units = (
        counter("a", "it", places[1], {"combat": 6, "morale": 5}),
        counter("b", "it", places[1], {"combat": 4, "morale": 5}),
        counter("far", "it", places[2], {"combat": 9, "morale": 5}),
        counter("d", "ah", places[0], {"combat": 2, "morale": 3}, statuses={"disorganization": 2}),
    )
    ruling = fought(pack, field, places, units=units, attack={}, rolls=(4,))
    assert (ruling.verdict, ruling.working["ratio"]) == ("5:1", "5")
    assert ruling.working["result"] == "- | 1D2R"
    assert ruling.working["units"]["d"]["fate"] == "surrendered"
    assert ruling.working["units"]["a"]["fate"] == "stays"


def test_the_best_morale_of_each_side_is_taken_as_the_one_used():
    morale = {"<=3": 0, "4+": 1}
    values = {
        "tables.assault.shifts.attacker_morale.by_value": morale,
        "tables.assault.shifts.defender_morale.by_value": {"0-9": 0},
    }
    pack = entered(values=ENTERED | values)
    field, places = field_of(SE, {}, pack=pack)
    units = (
        counter(
            "tired", "it", places[1], {"combat": 2, "morale": 6}, statuses={"disorganization": 3}
        ),
        counter("fresh", "it", places[1], {"combat": 2, "morale": 5}),
        counter("d", "ah", places[0], {"combat": 2, "morale": 4}),
    )
    ruling = fought(pack, field, places, units=units, attack={}, rolls=(1,))
    lines = {line["word"]: line["amount"] for line in ruling.working["shifts"]["lines"]}
    assert lines == {"attacker_morale": 1, "defender_morale": 0}
    assert ruling.verdict == "3.5:1"
    typed = fought(pack, field, places, units=units, attack={}, said={"attacker_morale": 3})
    assert typed.verdict == "2:1"


def test_a_value_nobody_has_read_leaves_the_verdict_open():
    pack = entered()
    field, places = field_of(SE, {}, pack=pack)
    units = (
        counter("a", "it", places[1], {"combat": None}),
        counter("d", "ah", places[0], {"combat": 2, "morale": 3}),
    )
    ruling = fought(pack, field, places, units=units, attack={})
    assert ruling.verdict == "unknown"
    assert any("a: its combat is not known" in reason.told() for reason in ruling.missing)


@pytest.mark.parametrize("procedure", ["assault", "bombardment"])
def test_terrain_nobody_knows_is_not_taken_for_open_ground(procedure):
    pack = entered()
    field, places = field_of(SE, {0: Ground(UNKNOWN, 1)}, pack=pack)
    typed = TYPED if procedure == "assault" else {"attack": {"bombardment": Fraction(5)}}
    open_ = fought(pack, field, places, procedure, **typed, rolls=(3,))
    assert (open_.verdict, "faces" in open_.working) == ("unknown", False)
    unsure = {reason.values["word"] for reason in open_.missing if "word" in reason.values}
    assert {"woods", "high_mountain"} <= unsure
    told = fought(pack, field, places, procedure, **typed, without=sorted(unsure))
    assert told.verdict != "unknown"
    firer, places = field_of(SE, {1: Ground(UNKNOWN, 1)}, pack=pack)
    assert fought(pack, firer, places, procedure, **typed).verdict == told.verdict


def test_a_feature_that_is_seen_needs_no_terrain():
    field, places = field_of(SE, {0: Ground(UNKNOWN, 1, (Feature("town"),))})
    unsure = CombatGround(field, places[0], (places[1],)).unsure("assault")
    assert "town" not in unsure
    assert "woods" in unsure


@pytest.mark.parametrize("source", [1, 2, 3])
def test_a_hexside_counts_from_whichever_side_it_is_crossed(source):
    for sides, word in ((Feature("crags"), "crags_side"), (Feature("trench", 1), "trench")):
        assert word in said(C17, "assault", {}, sides={source: (sides,)}, sources=(source,))


def test_which_of_several_trenches_counts_can_be_chosen():
    pack = pack_with_owner(C17, OwnerFile("mine", C17, {"trenches-on-several-hexsides": "lowest"}))
    sides = {2: (Feature("trench", 1),), 3: (Feature("trench", 2),)}
    field, places = field_of(C17, {}, sides, pack)
    assert CombatGround(field, places[0], ()).said("bombardment")["trench"] == 1


def test_a_trench_on_a_far_hexside_that_faces_away_shields_nobody():
    field, places = field_of(C17, {}, {3: ()})
    for faces, shields in ((places[0], True), (places[3], False)):
        works = {Hexside.between(places[3], places[0]): (Feature("trench", 1, facing=faces),)}
        map_ = replace(field.map, hexsides=works)
        ground = CombatGround(replace(field, map=map_, ground=map_), places[0], ())
        assert ("trench" in ground.said("bombardment")) == shields


@pytest.mark.parametrize("where", ["hex", "hexside"])
def test_a_trench_without_a_number_is_not_level_nought(where):
    pack = entered()
    trench = (Feature("trench"),)
    hexes = {0: Ground("clear", 1, trench)} if where == "hex" else {}
    sides = {1: trench} if where == "hexside" else {}
    field, places = field_of(SE, hexes, sides, pack=pack)
    open_ = fought(pack, field, places, **TYPED, rolls=(3,))
    assert open_.verdict == "unknown"
    assert [reason.values["word"] for reason in open_.missing] == ["trench"]
    assert fought(pack, field, places, **TYPED, without=["trench"]).verdict == "5:1"
    assert fought(pack, field, places, **TYPED, said={"trench": 1}).verdict == "3.5:1"


def test_a_known_work_does_not_settle_one_without_a_number():
    works = (Feature("trench", 1), Feature("trench"))
    field, places = field_of(SE, {0: Ground("clear", 1, works)})
    ground = CombatGround(field, places[0], (places[1],))
    assert "trench" not in ground.said("assault")
    assert "trench" in ground.unsure("assault")


def test_a_morale_nobody_has_read_costs_only_that_fate():
    pack = entered()
    field, places = field_of(SE, {}, pack=pack)
    units = (
        counter("a", "it", places[1], {"combat": 10, "morale": 5}),
        counter("d", "ah", places[0], {"combat": 1, "morale": 3}),
        counter("e", "ah", places[0], {"combat": 1, "morale": None}),
    )
    ruling = fought(pack, field, places, units=units, attack={}, rolls=(2,))
    assert (ruling.verdict, ruling.working["result"]) == ("5:1", "- | D1R")
    found = {name: one["fate"] for name, one in ruling.working["units"].items()}
    assert found == {"a": "stays", "d": "stays", "e": "look_up"}
    assert ruling.working["odds"]
    assert any("e: read its morale" in reason.told() for reason in ruling.missing)


def test_steps_nobody_knows_leave_only_the_fate_open():
    pack = entered()
    field, places = field_of(SE, {}, pack=pack)
    units = (
        counter("a", "it", places[1], {"combat": 10, "morale": 5}),
        replace(
            counter("d", "ah", places[0], {"combat": 2, "morale": 9}, "headquarters"), steps=None
        ),
    )
    assert pack.classes["headquarters"].steps is None
    ruling = fought(pack, field, places, units=units, attack={}, rolls=(4,))
    assert ruling.verdict == "5:1"
    assert ruling.working["units"]["d"]["to_read"] == ["steps"]


def test_only_the_rules_of_its_own_class_weaken_a_gun():
    pack = find_pack(SE)
    other = Weakens(units=("infantry",), value="bombardment", minus=1, cite="99.9")
    losses = pack.losses.model_copy(update={"weakens": (*pack.losses.weakens, other)})
    pack = pack.model_copy(update={"losses": losses})
    field, places = field_of(SE, {}, pack=pack)
    tired = {"statuses": {"disorganization": 1}}
    gun = counter("g", "it", places[1], {"bombardment": 8}, "field_artillery", **tired)
    target = counter("d", "ah", places[0], {"morale": 3})
    ruling = fought(pack, field, places, "bombardment", units=(gun, target), attack={})
    assert "19.7" in ruling.cites
    assert "99.9" not in ruling.cites


@pytest.mark.parametrize(("game", "gun"), [(SE, "field_artillery"), (C17, "light_artillery")])
@pytest.mark.parametrize(
    ("far", "printed", "counts"),
    [(6, 12, True), (7, 12, False), (5, 4, False), (4, 4, True), (6, None, None), (1, None, True)],
)
def test_guns_join_in_defensive_fire_only_so_far_off(game, gun, far, printed, counts):
    pack = find_pack(game)
    map_ = board(*[". . . . . . . . . ."] * 2)
    map_ = replace(map_, hexes={hex_: Ground("clear", 1) for hex_ in map_.hexes})
    field = Battlefield(map_, pack, map_)
    target = sorted(map_.hexes)[0]
    beside = next(hex_ for hex_ in neighbours(target) if hex_ in map_.hexes)
    there = next(hex_ for hex_ in sorted(map_.hexes) if distance(hex_, target) == far)
    values = {"bombardment": 8} | ({} if printed is None else {"range": printed})
    units = (
        counter("foot", "it", beside, {"machine_guns": 2}),
        counter("gun", "it", there, values, gun),
        counter("d", list(pack.sides)[1], target, {"morale": 3}),
    )
    spot = Spot(field, target, (beside, there), units=units)
    ruling = CombatJudge(pack).rule(fight_there(pack, Fight("defensive_fire", {}), spot))
    told = " ".join(reason.told() for reason in ruling.reasons)
    assert ruling.working["attack_total"] == ("4" if counts else "2")
    assert ("gun is" in told and "does not count" in told) == (counts is False)
    assert any("its range is not known" in one.told() for one in ruling.missing) == (counts is None)


def test_a_second_roll_uses_the_dice_of_its_own_check():
    pack = entered()
    star = pack.checks["star"].model_copy(
        update={"die": "1d10", "outcomes": {"1-7": "D1", "8-10": "-"}}
    )
    pack = pack.model_copy(update={"checks": {**pack.checks, "star": star}})
    die = reroll_die(pack, pack.tables["fire"])
    assert thrown("1d6", ["3", "9"], None, again=die) == (3, 9)
    with pytest.raises(RulesError, match="1d6 cannot show 9"):
        thrown("1d6", ["9", "3"], None, again=die)
    assert {thrown("1d6", [], seed, again=die)[1] for seed in range(80)} == set(range(1, 11))
    fire = {"attack": {"bombardment": Fraction(2)}, "said": {}}
    rolled = CombatJudge(pack).rule(Fight("bombardment", **fire, rolls=(3, 9)))
    assert (rolled.working["result"], rolled.working["roll_again"]) == ("-", False)
    for rolls, title in (((9,), "Defensive Fire Table"), ((3, 11), "Re-roll of a")):
        with pytest.raises(RulesError, match=f"{title}.*its dice cannot show"):
            CombatJudge(pack).rule(Fight("bombardment", **fire, rolls=rolls))


def test_only_some_of_them_attack():
    field, places = field_of(SE, {})
    units = tuple(counter(name, "it", places[1], {}) for name in "ab")
    spot = Spot(field, places[0], (places[1],), units=units, only=("b",))
    assert [unit.name for unit in spot.attackers()] == ["b"]
    with pytest.raises(RulesError, match="'c' is not among those who could attack: a, b"):
        Spot(field, places[0], (places[1],), units=units, only=("c",)).attackers()


def test_states_weaken_guns_and_machine_guns():
    pack = entered(C17, {})
    field, places = field_of(C17, {}, pack=pack)
    out = {"out_of_command": 1}
    units = (
        counter("a", "it", places[1], {"machine_guns": 3}, statuses=out),
        counter("b", "it", places[1], {"machine_guns": 1}, statuses=out),
        counter("gun", "it", places[1], {"bombardment": 20}, "medium_artillery"),
        counter(
            "spent",
            "it",
            places[1],
            {"bombardment": 8},
            "light_artillery",
            statuses={"disorganization": 2},
        ),
        counter("heavy", "it", places[1], {"bombardment": 40}, "heavy_artillery"),
    )
    ruling = fought(pack, field, places, "defensive_fire", units=units, attack={})
    terms = {one["term"]: one for one in ruling.working["attack"]["terms"]}
    assert terms["mg"]["counts"] == "3"  # 3 and 1, each halved and rounded up
    assert terms["bombardment"]["given"] == "20"
    assert terms["bombardment"]["counts"] == "4"  # limited by the printed 4


def test_an_assault_comes_from_an_adjacent_hex():
    field, places = field_of(SE, {})
    far = next(hex_ for hex_ in field.map.hexes if hex_ not in places)
    with pytest.raises(RulesError, match="does not touch"):
        CombatGround(field, places[0], (far,)).said("assault")
