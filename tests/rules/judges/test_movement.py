"""How far a unit comes: costs of an invented chart, zones, crags, roads, weather, modes."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from mapkit.model import Feature
from rules.battlefield import battlefield
from rules.described import described
from rules.errors import RulesError
from rules.judges.movement import MovementJudge
from rules.owner import OwnerFile, pack_with_owner
from rules.pack import KindEntry
from rules.project import Project
from rules.registry import find_pack
from rules.standing import named_on_the_spot
from tests.boards import board

CHART = {
    "terrain": {"clear": {"infantry": 1, "artillery": 2}, "woods": {"infantry": 2}},
    "hexsides": {"river": {"infantry": 1, "artillery": 3}},
    "links": {"road": {"infantry": Fraction(1, 2), "artillery": 1}},
}


def priced(name):
    """A pack whose owner has entered an invented chart."""
    pack = find_pack(name)
    update = {}
    for group, costs in CHART.items():
        kinds = dict(getattr(pack, group))
        for word, prices in costs.items():
            kinds[word] = KindEntry(cite=kinds[word].cite, costs=prices)
        update[group] = kinds
    return pack.model_copy(update=update)


STRAFEXPEDITION, CAPORETTO = priced("strafexpedition"), priced("caporetto-1917")


def judge(
    map_,
    at="0101",
    pack=STRAFEXPEDITION,
    class_="infantry",
    points=3,
    enemies=(),
    friends=(),
    statuses=None,
    values=None,
    **more,
):
    field = battlefield(Project(Path(), "x"), map_, pack)
    unit = described(field, "it", at, class_, statuses=statuses, values=values)
    unit = replace(unit, name="x")
    theirs = next(side for side in pack.sides if side != "it")
    found = named_on_the_spot(field, theirs, list(enemies))
    ours = named_on_the_spot(field, "it", list(friends))
    return MovementJudge(field, unit, points, enemies=found, friends=ours, **more)


def spent(one):
    """What it costs to come to each hex."""
    ruling = one.rule()
    return {step["hex"]: step["spent"] for step in ruling.working["reach"]}


ROW = ".1 .1 .1 .1 .1 .1 .1"


def test_every_hex_with_its_cost():
    map_ = board(".1 .1 w1 .1 .1", layout="pointy")
    assert spent(judge(map_, points=4)) == {
        "0101": "0",
        "0201": "1",
        "0301": "3",
        "0401": "4",
    }


def test_going_up_costs_a_point_a_level_and_a_road_takes_it_away():
    map_ = board(".1 .3 .1", layout="pointy")
    assert spent(judge(map_, points=4)) == {"0101": "0", "0201": "3", "0301": "4"}
    road = board(".1 .3 .1", layout="pointy", links={"road": "0101-0201-0301"})
    assert spent(judge(road, points=1)) == {"0101": "0", "0201": "1/2", "0301": "1"}


def test_mountain_troops_climb_free_where_the_rule_says_so():
    map_ = board(".1 .3 .1", layout="pointy")
    assert spent(judge(map_, pack=CAPORETTO, class_="mountain_infantry"))["0201"] == "1"
    assert spent(judge(map_, class_="alpini"))["0201"] == "3"


def test_hexsides_add_to_the_hex():
    map_ = board(".1 .1 .1", layout="pointy", hexsides={"river": "0101/0201"})
    assert spent(judge(map_))["0201"] == "2"


def test_crags_take_everything_and_only_of_mountain_infantry():
    map_ = board(".1 .1 .1", layout="pointy", hexsides={"crags": "0101/0201"})
    assert spent(judge(map_)) == {"0101": "0"}
    assert spent(judge(map_, class_="alpini")) == {"0101": "0", "0201": "3"}
    refusal = judge(map_).rule(map_.hex("0201"))
    assert refusal.verdict == "not_reached"
    assert "crags" in refusal.reasons[-1].told()


def test_a_zone_stops_one_game_and_taxes_the_other():
    map_ = board(ROW, ROW, layout="pointy")
    free = spent(judge(map_, points=5))
    taxed = spent(judge(map_, points=5, enemies=["0302:infantry"]))
    assert (free["0401"], taxed["0401"]) == ("3", "4")  # out of the zone of 0302 costs one more
    stopped = spent(judge(map_, pack=CAPORETTO, points=5, enemies=["0302:infantry"]))
    assert "0301" in stopped
    assert "0401" not in stopped


def test_no_one_enters_an_enemy_but_lone_guns():
    map_ = board(".1 .1 .1", layout="pointy")
    assert "0201" not in spent(judge(map_, enemies=["0201:infantry"]))
    assert "0201" in spent(judge(map_, enemies=["0201:artillery"]))
    assert "0201" not in spent(judge(map_, enemies=["0201:artillery", "0201:infantry"]))
    ruling = judge(map_, enemies=["0201:infantry"]).rule(map_.hex("0201"))
    assert "enemy unit" in ruling.reasons[-1].told()


def test_the_road_rate_is_lost_in_an_enemy_zone():
    map_ = board(ROW, ROW, layout="pointy", links={"road": "0101-0201-0301-0401-0501"})
    assert spent(judge(map_, points=2))["0401"] == "3/2"
    in_zone = spent(judge(map_, points=5, enemies=["0302:infantry"]))
    assert in_zone["0301"] == "3/2"  # half on the road, then the real ground
    kept = spent(judge(map_, pack=CAPORETTO, points=2, enemies=["0302:infantry"]))
    assert kept["0301"] == "1"


def test_half_a_point_of_a_forced_march_may_be_read_to_count_up():
    owner = OwnerFile("mine", "strafexpedition", {"forced-march-in-rain": "round-up"})
    pack, map_ = pack_with_owner("strafexpedition", owner), board(ROW, layout="pointy")
    rain = {"mode": "forced_march", "weather": "rain", "points": 4}
    assert (judge(map_, **rain).points, judge(map_, pack=pack, **rain).points) == (4, 5)


def test_modes_of_movement():
    map_ = board(" ".join([".1"] * 14), layout="pointy")
    assert "0701" in spent(judge(map_, points=3, mode="strategic"))
    near = judge(map_, points=3, mode="strategic", enemies=["0801:infantry"])
    assert "0501" not in spent(near)  # four hexes from any enemy, all the way
    assert "0401" in spent(near)
    assert spent(judge(map_, points=3, mode="forced_march"))["0501"] == "4"
    assert judge(map_, points=3, mode="forced_march").points == 4  # half a point is lost
    quiet = judge(map_, points=3, mode="non_activated", enemies=["0401:infantry"])
    assert "0301" not in spent(quiet)


def test_what_a_mode_forbids_or_nobody_knows_is_said():
    map_ = board(".1 .1", layout="pointy")
    with pytest.raises(RulesError, match=r"forced march is not for heavy_artillery \[11.3\]"):
        judge(map_, class_="heavy_artillery", mode="forced_march").rule()
    with pytest.raises(RulesError, match="no movement 'flying'; there is: tactical"):
        judge(map_, mode="flying")
    with pytest.raises(RulesError, match="no class 'tanks'"):
        judge(map_, class_="tanks")


def test_weather_takes_points_or_makes_hexes_dearer():
    map_ = board(".1 .1 .1 .1", layout="pointy")
    assert judge(map_, points=3, weather="rain").points == 2
    assert judge(map_, points=5, class_="field_artillery", weather="rain").points == 2


def test_without_the_chart_the_ruling_says_what_is_missing_and_where_it_is_printed():
    plain = find_pack("strafexpedition")
    ruling = judge(board(".1 w1", layout="pointy"), pack=plain).rule()
    assert ruling.verdict == "unknown"
    told = ruling.missing[0].told()
    assert "clear" in told or "woods" in told
    assert "Terrain Effects Chart" in told
    assert judge(board(".1 .1", layout="pointy")).rule().verdict == "reach"


def test_the_way_to_a_hex_and_why_not_to_another():
    map_ = board(".1 .1 .1 .1 .1 .1", layout="pointy")
    one = judge(map_, points=3)
    there = one.rule(map_.hex("0401"))
    assert there.verdict == "reached"
    assert there.working["path"] == ["0101", "0201", "0301", "0401"]
    dear = one.rule(map_.hex("0501"))
    assert dear.verdict == "not_reached"
    assert "takes 1 points, and 0 are left" in dear.reasons[-1].told()
    assert "does not even come next to 0601" in one.rule(map_.hex("0601")).reasons[-1].told()


def test_a_game_whose_rule_we_lack_is_unknown():
    pack = find_pack("durchbruch").model_copy(
        update={
            "sides": STRAFEXPEDITION.sides,
            "classes": STRAFEXPEDITION.classes,
            "movement": None,
        }
    )
    assert judge(board(".1 .1", layout="pointy"), pack=pack).rule().verdict == "unknown"


def test_the_isonzo_is_crossed_by_bridges_alone():
    map_ = board(".1 .1 .1", layout="pointy", hexsides={"isonzo": "0101/0201"})
    one = judge(map_, pack=CAPORETTO)
    refusal = one.rule(map_.hex("0201"))
    assert refusal.verdict == "not_reached"
    assert refusal.reasons[-1].cite == "19.1"
    bridged = board(
        ".1 .1 .1",
        layout="pointy",
        hexsides={"isonzo": "0101/0201", "bridge": "0101/0201"},
    )
    chart = KindEntry(cite="19.1.2", costs={"infantry": 0})
    pack = CAPORETTO.model_copy(update={"hexsides": {**CAPORETTO.hexsides, "bridge": chart}})
    assert "0201" in spent(judge(bridged, pack=pack))


def test_what_never_moves_is_said_with_its_rule():
    map_ = board(".1 .1", layout="pointy")
    with pytest.raises(RulesError, match=r"fortress: it does not move \[20.1\]"):
        judge(map_, class_="fortress").rule()
    with pytest.raises(RulesError, match=r"headquarters: it does not move \[7.6\]"):
        judge(map_, pack=CAPORETTO, class_="headquarters").rule()


def test_a_stop_in_a_zone_cites_the_rule_of_zones():
    map_ = board(ROW, layout="pointy")
    one = judge(map_, pack=CAPORETTO, points=5, enemies=["0401:infantry", "0501:artillery"])
    refusal = one.rule(map_.hex("0401"))
    assert refusal.verdict == "not_reached"
    corridor = board(".1 .1 .1 .1", "_ _ .1 _", layout="pointy")
    stopped = judge(corridor, pack=CAPORETTO, points=5, enemies=["0302:infantry"])
    told = stopped.rule(corridor.hex("0401")).reasons[-1]
    assert told.key == "rules.movement.why_must_stop"
    assert told.cite == "10.1.1"


def test_a_step_too_near_the_enemy_cites_the_rule_of_the_mode():
    map_ = board(ROW, layout="pointy")
    near = judge(map_, mode="strategic", enemies=["0601:infantry"])
    told = near.rule(map_.hex("0301")).reasons[-1]
    assert (told.key, told.cite) == ("rules.movement.why_barred", "11.2.2")


# Leaving zones, moving past enemies, and the limits of each way to move


def test_another_combat_unit_in_the_hex_spares_the_point_to_leave():
    map_ = board(ROW, ROW, layout="pointy")
    about = {"at": "0301", "points": 3, "enemies": ["0302:infantry"]}

    def to_leave(**more):
        return spent(judge(map_, **about, **more)).get("0401")

    assert to_leave(pack=CAPORETTO) == "2"
    assert to_leave(pack=CAPORETTO, friends=["0301:infantry"]) == "1"
    assert to_leave(pack=CAPORETTO, friends=["0301:light_artillery"]) == "2"
    assert to_leave(pack=CAPORETTO, friends=["0201:infantry"]) == "2"
    assert to_leave(friends=["0301:infantry"]) == "2"  # no such exception in the other game


def test_infiltration_capable_units_do_not_mind_zones():
    map_ = board(ROW, ROW, layout="pointy")
    stopped = judge(map_, pack=CAPORETTO, points=5, enemies=["0302:infantry"])
    free = replace(stopped, unit=replace(stopped.unit, class_="assault_infantry"))
    assert "0401" not in spent(stopped)
    assert spent(free)["0401"] == "3"
    ruling = free.rule(free.field.hex("0401"))
    (fire,) = ruling.working["draws_fire"]
    assert (fire["from"], fire["to"], fire["firers"]) == ("0201", "0301", ["0302"]) or fire[
        "firers"
    ] == ["0302"]
    assert any(reason.key == "rules.movement.draws_fire" for reason in ruling.reasons)


def test_each_step_that_draws_fire_is_told():
    map_ = board(ROW, ROW, layout="pointy")
    one = judge(map_, points=6, enemies=["0302:infantry"])
    ruling = one.rule(map_.hex("0501"))
    path = ruling.working["path"]
    drawn = [(fire["from"], fire["to"]) for fire in ruling.working["draws_fire"]]
    assert drawn == [("0301", "0401")]
    assert set(drawn) <= set(pairwise(path))
    assert ruling.reasons[-1].cite == "11.1.2"
    assert judge(map_, points=6).rule(map_.hex("0501")).working["draws_fire"] == []


def test_a_peak_is_always_uphill_and_so_is_leaving_a_stream():
    map_ = board(".1 .P1 .1", layout="pointy")
    assert spent(judge(map_, pack=CAPORETTO))["0201"] == "2"
    assert spent(judge(map_))["0201"] == "1"
    kinds = map_.kinds.with_ids("features", iter(["stream"]))
    hexes = dict(map_.hexes)
    for label in ("0101", "0201"):
        here = map_.hex(label)
        hexes[here] = replace(hexes[here], features=(Feature("stream"),))
    wet = replace(map_, hexes=hexes, kinds=kinds)
    costs = spent(judge(wet, pack=CAPORETTO, points=5))
    assert (costs["0201"], costs["0301"]) == ("1", "3")  # along it levels decide; out of it, up


def test_one_game_counts_levels_and_the_other_climbs():
    map_ = board(".1 .3", layout="pointy")
    assert spent(judge(map_, points=4))["0201"] == "3"
    assert spent(judge(map_, pack=CAPORETTO, points=4))["0201"] == "2"


def test_only_mountain_guns_change_level_off_the_road():
    map_ = board(".1 .2", layout="pointy")
    guns = {"pack": CAPORETTO, "points": 9, "mode": "artillery"}
    heavy = {**guns, "class_": "heavy_artillery"}
    assert "0201" not in spent(judge(map_, **heavy))
    assert "0201" in spent(judge(map_, **guns, class_="light_artillery"))
    road = board(".1 .2", layout="pointy", links={"road": "0101-0201"})
    assert "0201" in spent(judge(road, **heavy))
    refusal = judge(map_, **heavy).rule(map_.hex("0201"))
    assert "level" in refusal.reasons[-1].told()


def test_who_may_march_how():
    map_ = board(ROW, layout="pointy")
    with pytest.raises(RulesError, match=r"forced march is not for light_artillery \[10.4\]"):
        judge(map_, pack=CAPORETTO, class_="light_artillery", mode="forced_march").rule()
    lost = {"out_of_command": 1}
    with pytest.raises(RulesError, match=r"strategic is not for a unit that is out of command"):
        judge(map_, pack=CAPORETTO, mode="strategic", statuses=lost).rule()
    assert judge(map_, pack=CAPORETTO, mode="strategic_forced_march").points == 9
    near = {"disorganization": 2}
    march = {"pack": CAPORETTO, "mode": "forced_march", "statuses": near}
    with pytest.raises(RulesError, match=r"too near its threshold of 3 \[10.4\]"):
        judge(map_, **march, values={"morale": 3}).rule()
    assert judge(map_, **march, values={"morale": 4}).rule().verdict == "reach"
    unknown = judge(map_, **march).rule()
    assert "at least 2 points below their threshold" in unknown.missing[0].told()
    assert not judge(map_, mode="forced_march", statuses=near, values={"morale": 3}).rule().missing


def test_guns_may_be_entered_but_not_by_units_that_were_not_activated():
    map_ = board(".1 .1 .1", layout="pointy")
    guns = {"pack": CAPORETTO, "enemies": ["0201:light_artillery"]}
    assert "0201" in spent(judge(map_, **guns))
    assert "0201" not in spent(judge(map_, **guns, mode="non_activated"))
    two = ["0201:light_artillery", "0201:heavy_artillery"]
    assert "0201" in spent(judge(map_, pack=CAPORETTO, enemies=two))


def test_headquarters_of_the_enemy_hinder_nobody():
    map_ = board(".1 .1 .1", layout="pointy")
    assert "0301" in spent(judge(map_, enemies=["0201:headquarters"]))
    far = judge(map_, enemies=["0301:headquarters"], mode="strategic")
    assert "0201" in spent(far)


def test_friends_on_a_road_take_its_rate_away():
    map_ = board(".1 w1 .1", layout="pointy", links={"road": "0101-0201-0301"})
    assert spent(judge(map_))["0201"] == "1/2"
    assert spent(judge(map_, friends=["0201:infantry"]))["0201"] == "2"


def test_there_is_no_minimum_move():
    wood = board(".1 w1", layout="pointy")
    assert spent(judge(wood, points=1)) == {"0101": "0"}
    generous = STRAFEXPEDITION.movement.model_copy(update={"minimum_move": True})
    pack = STRAFEXPEDITION.model_copy(update={"movement": generous})
    assert "0201" in spent(judge(wood, pack=pack, points=1))


def test_guns_move_in_their_own_time_and_never_from_the_fire_side():
    map_ = board(ROW, layout="pointy")
    with pytest.raises(RulesError, match=r"tactical is not for field_artillery \[19.1\]"):
        judge(map_, class_="field_artillery").rule()
    with pytest.raises(RulesError, match=r"does not move while fire mode \[19.1\]"):
        judge(
            map_, class_="field_artillery", mode="non_activated", statuses={"fire_mode": 1}
        ).rule()
