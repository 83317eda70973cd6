"""Retreats of Custoza, hex by hex (10.5), guns left alone (10.6.1), and who has no zone (11.1).

No other game of ours retreats so: the schema's `course`, `alone` and `ignores` are tested here
alone, and so are states without a zone and light in which one does not see far.
"""

import pytest

from rules.case_maps import CaseMap, case_field
from rules.case_units import placed_units
from rules.errors import RulesError
from rules.judges.command import CommandJudge
from rules.judges.retreat import RetreatJudge
from rules.judges.sight import SightJudge
from rules.judges.zones import ZoneJudge
from rules.owner import OwnerError, OwnerFile, pack_with_owner
from rules.schema.retreat import Retreat

GAME = "custoza"
# Made up, as an owner would read them off the printed game: 2713 is an odd column, so its
# neighbours are 2712 2714 2613 2614 2813 2814.
OPEN = {"terrain.clear.cite": "TEC"}
COSTS = {"terrain.clear.costs": {"combat": 1}, "terrain.wood.cite": "TEC"}
COSTS |= {"terrain.wood.costs": {"combat": 2}, "terrain.marsh.cite": "TEC"}
COSTS |= {"terrain.marsh.costs": {"combat": "never"}}
ZONES = {
    "zones.exerted_by": ["combat"],
    "zones.only_where_it_could_move": False,
    "zones.effects.on_entry": "go_on",
    "zones.effects.on_entry_cite": "11.1",
    "zones.cite": "11.1",
}
LIMIT = {"stacking.pools.units.most": 3}
FRIENDS = "infantry:stacking_value=2"
HERE, SOUTH = "2713", "2714"
FAR = ["2512", "2612", "2711", "2812", "2912"]  # three hexes from 2714


def ruled(values=(), unit=FRIENDS, origins=(SOUTH,), friends=(), enemies=(), others=(), **about):
    answers = about.pop("answers", {})
    attacker = about.pop("attacker", False)
    pack = pack_with_owner(GAME, OwnerFile("x", GAME, answers, {**OPEN, **dict(values)}))
    field = case_field(pack, CaseMap(**about), (HERE, "2710", "2716", "2413", "3013"))
    (beaten,) = placed_units(field, "it", [f"{HERE}:{unit}"])
    judge = RetreatJudge(
        field,
        beaten,
        tuple(map(field.hex, origins)),
        placed_units(field, "it", friends),
        placed_units(field, "ah", enemies),
        None,
        tuple(map(field.hex, others)),
    )
    return judge.rule_attacker(field.hex(attacker)) if attacker else judge.rule()


def keys(ruling):
    return {one.key.rpartition(".")[2] for one in ruling.reasons}


def missing(ruling):
    return {one.key.rpartition(".")[2] for one in ruling.missing}


class TestDefender:
    def test_two_hexes_with_two_between_him_and_the_marker(self):
        ruling = ruled()
        assert (ruling.verdict, ruling.working["to"]) == ("retreats", FAR)
        assert all(len(way) == 3 for way in ruling.working["ways"])
        assert {"10.4", "10.5", "10.5.4"} <= set(ruling.cites)

    def test_never_back_to_where_he_was(self):
        assert all(HERE not in way[1:] for way in ruled().working["ways"])

    def test_any_other_marker_counts_too(self):
        ruling = ruled(others=["2710"])
        assert ruling.working["to"] == ["2512", "2912"]
        assert "10.5.1" in ruled(others=["2712"]).cites

    def test_assaults_from_two_opposite_hexes_leave_no_way_out(self):
        both = {"origins": (SOUTH, "2712")}
        lost = ruled(**both)
        assert (lost.verdict, lost.working["to"]) == ("eliminated", [])
        assert "retreat-between-assaults" in lost.assumptions
        for answer, ends in (("one-hex", 6), ("two-hexes-anywhere", 14)):
            freed = ruled(**both, answers={"retreat-between-assaults": answer})
            assert (freed.verdict, len(freed.working["to"])) == ("retreats", ends)

    def test_not_through_enemies_nor_over_what_cannot_be_passed(self):
        march = "infantry:march_movement=1"
        enemies = [f"2712:{march}", f"2613:{march}"]
        ruling = ruled(enemies=enemies)
        assert {way[1] for way in ruling.working["ways"]} == {"2813"}
        marsh = dict.fromkeys(("2712", "2813"), "marsh 1")
        ruling = ruled(COSTS, hexes=marsh)
        assert {way[1] for way in ruling.working["ways"]} == {"2613"}

    def test_nowhere_to_go(self):
        march = "infantry:march_movement=1"
        ruling = ruled(enemies=[f"{label}:{march}" for label in ("2712", "2613", "2813")])
        assert ruling.verdict == "eliminated"
        assert ruling.reasons[0].cite == "10.5.1"


class TestPriorities:
    def test_out_of_enemy_zones_first(self):
        ruling = ruled(ZONES, enemies=["2711:infantry"])
        assert {way[1] for way in ruling.working["ways"]} == {"2613", "2813"}
        assert "worse_zone" in keys(ruling)

    def test_then_room(self):
        ruling = ruled(LIMIT, friends=[f"2712:{FRIENDS}"])
        assert {way[1] for way in ruling.working["ways"]} == {"2613", "2813"}
        assert "worse_room" in keys(ruling)

    def test_then_the_cheapest(self):
        wood = dict.fromkeys(("2712", "2613"), "wood 1")
        ruling = ruled(COSTS, hexes=wood)
        assert {way[1] for way in ruling.working["ways"]} == {"2813"}
        assert "worse_cost" in keys(ruling)

    def test_zones_go_before_room_and_room_before_costs(self):
        wood = dict.fromkeys(("2613", "2813"), "wood 1")
        values = {**LIMIT, **COSTS}
        ruling = ruled(values, hexes=wood, friends=[f"2712:{FRIENDS}"])
        assert {way[1] for way in ruling.working["ways"]} == {"2613", "2813"}
        enemies = ["2513:infantry", "2913:infantry"]  # 2613 and 2813 lie in their zones
        ruling = ruled({**values, **ZONES}, friends=[f"2712:{FRIENDS}"], enemies=enemies)
        firsts = {way[1] for way in ruling.working["ways"]}
        assert firsts == {"2712"}
        assert ruling.working["passed"] == ["2712"]

    def test_a_hex_that_leads_nowhere_is_no_way_unless_one_reads_it_so(self):
        march = "infantry:march_movement=1"
        around = [f"{label}:{march}" for label in ("2711", "2612", "2812")]
        wood = dict.fromkeys(("2613", "2813"), "wood 1")
        ruling = ruled(COSTS, enemies=around, hexes=wood)
        assert {way[1] for way in ruling.working["ways"]} == {"2613", "2813"}
        assert "dead_end" in keys(ruling)
        strict = {"retreat-into-a-dead-end": "hex-by-hex"}
        assert ruled(COSTS, enemies=around, hexes=wood, answers=strict).verdict == "eliminated"


class TestTooMany:
    def test_he_goes_on_and_those_he_passes_lose_a_level(self):
        full = [f"{label}:{FRIENDS}" for label in FAR]
        ruling = ruled(LIMIT, friends=full)
        assert ruling.verdict == "retreats"
        assert {len(way) for way in ruling.working["ways"]} == {4}
        assert set(ruling.working["passed"]) <= set(FAR)
        assert "10.5.2" in ruling.cites

    def test_who_finds_no_room_at_all_is_lost(self):
        labels = ["2709", *(f"{column}{row}" for column in (26, 28) for row in range(10, 17))]
        fences = dict.fromkeys(labels, "marsh 1")
        full = [f"27{row}:{FRIENDS}" for row in (10, 11, 12)]
        ruling = ruled({**LIMIT, **COSTS}, friends=full, hexes=fences)
        assert ruling.verdict == "eliminated"

    def test_a_limit_that_nobody_entered_is_asked_for(self):
        ruling = ruled(friends=[f"2712:{FRIENDS}"])
        assert (ruling.verdict, missing(ruling)) == ("unknown", {"doubt_room"})


class TestNotKnown:
    def test_enemies_about_ask_for_the_rule_of_zones(self):
        ruling = ruled(enemies=[f"{SOUTH}:infantry"])
        assert (ruling.verdict, missing(ruling)) == ("unknown", {"printed_on"})

    def test_enemies_in_march_movement_do_not(self):
        assert ruled(enemies=[f"{SOUTH}:infantry:march_movement=1"]).verdict == "retreats"

    def test_unlike_ground_asks_for_the_chart(self):
        values = {"terrain.wood.cite": "TEC"}
        ruling = ruled(values, hexes={"2712": "wood 1"})
        assert (ruling.verdict, missing(ruling)) == ("unknown", {"doubt_cost"})

    def test_the_mincio_without_a_bridge_asks_for_the_rule_of_movement(self):
        sides = tuple(f"{HERE}/{label}" for label in ("2712", "2613", "2813"))
        ruling = ruled(hexsides={"mincio": sides})
        assert (ruling.verdict, missing(ruling)) == ("unknown", {"doubt_barred"})

    def test_an_owner_cannot_change_what_the_rule_says(self):
        with pytest.raises(OwnerError, match="our sources state it"):
            ruled({"retreat.course.defender": 3})


class TestAttacker:
    """He stands in 2714, where his marker pointed from at 2713."""

    REAR = {"retreat.course.rear": [2, 3, 4]}  # noqa: RUF012 - a constant

    def test_where_his_rear_is_has_to_be_entered(self):
        ruling = ruled(attacker=SOUTH, origins=())
        assert (ruling.verdict, missing(ruling)) == ("unknown", {"no_rear"})

    def test_one_hex_to_the_rear(self):
        ruling = ruled(self.REAR, attacker=SOUTH, origins=())
        assert ruling.working["hex"] == SOUTH
        assert ruling.working["to"] == ["2615", "2715", "2815"]
        straight = ruled({"retreat.course.rear": [3]}, attacker=SOUTH, origins=())
        assert straight.working["to"] == ["2715"]

    def test_markers_do_not_keep_him_at_a_distance(self):
        ruling = ruled(self.REAR, attacker=SOUTH, origins=(), others=["2615"])
        assert ruling.working["to"] == ["2715", "2815"]

    def test_who_has_no_room_goes_on_and_never_back(self):
        back = {"retreat.course.rear": [3], **LIMIT, **COSTS}
        full = [f"2715:{FRIENDS}"]
        ruling = ruled(back, attacker=SOUTH, origins=(), friends=full)
        assert ruling.working["passed"] == ["2715"]
        assert all(SOUTH not in way[1:] for way in ruling.working["ways"])
        fences = dict.fromkeys(("2615", "2616", "2716", "2815", "2816"), "marsh 1")
        ruling = ruled(back, attacker=SOUTH, origins=(), friends=full, hexes=fences)
        assert ruling.verdict == "eliminated"


class TestGunsAndFortresses:
    def test_guns_alone_are_lost_without_a_roll(self):
        for class_ in ("artillery", "horse_artillery", "bridge_train"):
            ruling = ruled(unit=class_)
            assert (ruling.verdict, ruling.cites) == ("eliminated", ("10.6.1",))

    @pytest.mark.parametrize("class_", ["infantry", "light_infantry", "cavalry"])
    def test_guns_with_others_retreat(self, class_):
        assert ruled(unit="artillery", friends=[f"{HERE}:{class_}"]).verdict != "eliminated"

    @pytest.mark.parametrize("class_", ["artillery", "commander"])
    def test_neither_guns_nor_a_commander_are_company(self, class_):
        ruling = ruled(unit="artillery", friends=[f"{HERE}:{class_}"])
        assert ruling.verdict == "eliminated"
        other = {"guns-beside-a-commander": "not-alone"}
        ruling = ruled(unit="artillery", friends=[f"{HERE}:{class_}"], answers=other)
        assert (ruling.verdict == "eliminated") == (class_ == "artillery")

    def test_a_fortress_never_retreats(self):
        ruling = ruled(unit="fortress")
        assert (ruling.verdict, ruling.cites) == ("no_retreat", ("22.3.3",))


def test_who_reacts_to_a_retreat_into_his_zone():
    march = "infantry:march_movement=1"
    walls = [f"{label}:{march}" for label in ("2613", "2813")]
    enemies = [*walls, "2711:infantry", f"{SOUTH}:infantry"]
    ruling = ruled(ZONES, enemies=enemies)
    told = [one for one in ruling.reasons if one.key.endswith(".reaction")]
    assert {(one.values["to"], one.cite) for one in told} >= {("2712", "10.5.6")}
    assert all(SOUTH not in str(one.values["names"]) for one in told)


def test_a_unit_in_march_movement_has_no_zone_whatever_the_owner_enters():
    for values in ({}, ZONES):
        pack = pack_with_owner(GAME, OwnerFile("x", GAME, values={**OPEN, **values}))
        field = case_field(pack, CaseMap(), (HERE,))
        marching, standing = placed_units(
            field, "it", [f"{HERE}:infantry:march_movement=1", f"{HERE}:infantry"]
        )
        judge = ZoneJudge(field)
        ruling = judge.rule(marching)
        assert (ruling.verdict, ruling.cites) == ("no_zone", ("11.1",))
        assert judge.zone(marching) == frozenset()
        assert judge.rule(standing).verdict == ("zone" if values else "unknown")


def test_marching_enemies_do_not_shut_the_command_range():
    pack = pack_with_owner(GAME, OwnerFile("x", GAME, values=OPEN))
    field = case_field(pack, CaseMap(), (HERE,))
    for state, verdict in ((":march_movement=1", "range"), ("", "unknown")):
        enemies = placed_units(field, "ah", [f"2711:infantry{state}"])
        judge = CommandJudge(field, "it", field.hex(HERE), None, (), enemies)
        assert judge.rule_range().verdict == verdict


@pytest.mark.parametrize(
    ("light", "to", "verdict"),
    [
        ("dawn", "2717", "out_of_range"),
        ("twilight", "2717", "out_of_range"),
        ("dawn", "2716", "unknown"),
        ("day", "2717", "unknown"),
        (None, "2717", "unknown"),
    ],
)
def test_at_dawn_and_twilight_nobody_sees_beyond_three_hexes(light, to, verdict):
    pack = pack_with_owner(GAME, OwnerFile("x", GAME, values=OPEN))
    field = case_field(pack, CaseMap(), (HERE, "2717"))
    ruling = SightJudge(field, light).rule(field.hex(HERE), field.hex(to))
    assert ruling.verdict == verdict
    assert ("22.4" in ruling.cites) == (verdict == "out_of_range")


def test_a_rule_of_retreat_is_of_one_sort():
    head = {"cite": "1", "impassable_cite": "1", "nowhere": "eliminated", "nowhere_cite": "1"}
    with pytest.raises(ValueError, match="either priorities or a course"):
        Retreat(**head, attacker_cite="1")


def test_an_assault_comes_from_next_door():
    with pytest.raises(RulesError, match="no assault comes from"):
        ruled(origins=("2710",))
