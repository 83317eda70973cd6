"""Who may observe for the guns, from where, and why others may not."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from mapkit.hexes import Hexside, distance, neighbours
from mapkit.model import Feature
from rules.battlefield import battlefield
from rules.described import described
from rules.errors import RulesError
from rules.judges.fire_line import FireLineJudge
from rules.judges.observers import ObserverJudge
from rules.pack import load_pack
from rules.project import Project
from rules.registry import find_pack, pack_folder
from rules.standing import Standing, named_on_the_spot
from tests.boards import board
from tests.rules.judges.positions import PACKS, Lot, other_side, random_field, random_units
from tests.rules.judges.slow_rules import slow_sight, slow_zone

STRAFEXPEDITION = find_pack("strafexpedition")
CAPORETTO = find_pack("caporetto-1917")
PLAIN = [".1 .1 .1 .1 .1 .1"] * 5


def judge(map_, pack=STRAFEXPEDITION, friends=(), enemies=(), hq=None, reach=None, **more):
    field = battlefield(Project(Path(), "x"), map_, pack)
    theirs = next(other for other in pack.sides if other != "it")
    return ObserverJudge(
        field,
        "it",
        named_on_the_spot(field, "it", list(friends)),
        named_on_the_spot(field, theirs, list(enemies)),
        None if hq is None else field.hex(hq),
        reach,
        **more,
    )


def posts(one, target):
    ruling = one.rule(one.field.hex(target))
    return ruling, {post["hex"]: (post["may"], post["why"]) for post in ruling.working["posts"]}


def test_any_hex_in_the_range_of_the_headquarters_observes():
    ruling, found = posts(judge(board(*PLAIN), hq="0101", reach=1), "0305")
    assert ruling.verdict == "observed"
    assert {hex_ for hex_, (may, _) in found.items() if may == "yes"} == {"0101", "0102", "0201"}
    assert found["0605"] == ("no", "out_of_range")
    assert ruling.cites == ("13.2.2",)


def test_no_hex_with_an_enemy_nor_in_his_zone_does_unless_a_friend_is_there():
    one = judge(board(*PLAIN), hq="0301", reach=3, enemies=["0303:infantry"])
    _, found = posts(one, "0305")
    assert found["0303"] == ("no", "enemy_unit")
    assert found["0302"] == ("no", "enemy_zone")
    held = judge(
        board(*PLAIN), hq="0301", reach=3, enemies=["0303:infantry"], friends=["0302:infantry"]
    )
    _, found = posts(held, "0305")
    assert found["0302"] == ("yes", None)
    choice = {"observer-beside-friends": "zone-bars"}
    strict = load_pack(pack_folder("strafexpedition"), "strafexpedition", choice)
    held = replace(held, field=replace(held.field, pack=strict))
    assert posts(held, "0305")[1]["0302"] == ("no", "enemy_zone")


def test_a_range_that_a_die_may_stop_is_told():
    corridor = board(".1 .1 .1 .1 .1", "_ .1 _ _ _", layout="pointy")
    one = judge(corridor, hq="0101", reach=4, enemies=["0202:infantry"])
    ruling, found = posts(one, "0501")
    assert found["0401"] == ("after_roll", None)
    assert ruling.verdict == "observed"  # from the headquarters' own hex
    choice = {"observer-behind-a-blocked-range": "distance-only"}
    loose = load_pack(pack_folder("strafexpedition"), "strafexpedition", choice)
    one = replace(one, field=replace(one.field, pack=loose))
    assert posts(one, "0501")[1]["0401"] == ("yes", None)


def test_without_headquarters_nobody_can_tell():
    ruling, _ = posts(judge(board(*PLAIN)), "0305")
    assert ruling.verdict == "unknown"
    assert "--hq" in ruling.missing[0].told()


def test_nobody_sees_it():
    hill = board(".1 .1 .1", ".5 .5 .5", ".1 .1 .1", layout="pointy")
    ruling, found = posts(judge(hill, hq="0101", reach=0), "0203")
    assert (ruling.verdict, found.get("0101")) == ("not_observed", None)


def test_in_the_other_game_units_observe_from_a_few_kinds_of_places():
    map_ = board(".1 .T1 .P1 .1 .1", ".1 .1 .1 .1 .1", ".1 .1 .1 .1 .1")
    friends = ["0201:infantry", "0301:infantry", "0401:infantry", "0501:light_artillery"]
    ruling, found = posts(judge(map_, CAPORETTO, friends), "0303")
    assert ruling.verdict == "observed"
    assert found["0201"] == found["0301"] == found["0501"] == ("yes", None)
    assert found["0401"] == ("no", "no_place")
    assert found["0302"] == ("no", "no_unit")
    assert "taken to be in command" in ruling.missing[0].told()
    choice = {"observers-in-any-hex": "any-hex"}
    loose = load_pack(pack_folder("caporetto-1917"), "caporetto-1917", choice)
    assert posts(judge(map_, loose, friends), "0303")[1]["0401"] == ("yes", None)


@pytest.mark.parametrize(("owner", "may"), [("IT", "yes"), ("AHG", "no"), ("", "no")])
def test_ones_own_trench_is_a_place(owner, may):
    map_ = board(*PLAIN)
    here = map_.hex("0201")
    trench = replace(map_[here], features=(Feature("trench", owner=owner),))
    map_ = replace(
        map_,
        hexes={**map_.hexes, here: trench},
        kinds=map_.kinds.with_ids("features", iter(["trench"])),
    )
    _, found = posts(judge(map_, CAPORETTO, ["0201:infantry"]), "0303")
    assert found["0201"][0] == may


def test_out_of_command_one_does_not_observe_but_for_a_barrage():
    one = judge(board(".1 .T1 .1", *PLAIN), CAPORETTO, ["0201:infantry"])
    lost = (replace(one.friends[0], statuses={"out_of_command": 1}),)
    ruling, found = posts(replace(one, friends=lost), "0203")
    assert found["0201"] == ("no", "not_in_command")
    assert ruling.verdict == "not_observed"
    assert "7.8" in ruling.cites
    barrage, found = posts(replace(one, friends=lost, fire="barrage"), "0203")
    assert (barrage.verdict, found["0201"]) == ("observed", ("yes", None))
    far = replace(one, headquarters=one.field.hex("0605"), reach=1)
    assert posts(far, "0203")[1]["0201"] == ("no", "out_of_range")


@pytest.mark.parametrize(
    ("target", "verdict"),
    [("0101", "observed"), ("0102", "observed"), ("0104", "not_observed"), ("0105", "observed")],
)
def test_the_preparation_fires_at_some_hexes_unseen(target, verdict):
    map_ = board(".T1 .1", ".1 .1", ".1 .1", ".1 .1", ".1 .1", links={"road": "0102-0202"})
    one = judge(map_, CAPORETTO, enemies=["0105:heavy_artillery"], fire="preparation")
    ruling, _ = posts(one, target)
    assert ruling.verdict == verdict
    assert ("24.12" in ruling.cites) == (verdict == "observed")


def test_fire_that_no_rule_knows_is_said():
    with pytest.raises(RulesError, match="no fire 'gas' apart for observers; there is: barrage, p"):
        judge(board(*PLAIN), CAPORETTO, fire="gas")


@pytest.mark.parametrize("pack", PACKS, ids=[pack.id for pack in PACKS])
def test_observers_against_a_slow_judge(pack):
    """S 13.2.2 and C 12.1.1, hex by hex; ranges are counted in hexes, no zone in their way."""
    told = {"yes": 0, "no": 0}
    for seed in range(60):
        rng = Random(seed)
        field = random_field(rng, pack, Lot((5, 8), (4, 5), levels=(1, 3), trenches=25))
        side = rng.choice(tuple(pack.sides))
        hexes = sorted(field.ground.hexes)
        enemies = random_units(rng, field, other_side(pack, side), rng.randint(0, 2), set())
        friends = random_units(rng, field, side, 8, {one.hex for one in enemies})
        hq, reach, target = rng.choice(hexes), rng.randint(2, 6), rng.choice(hexes)
        loose = pack.sight.observers.model_copy(update={"range": "distance"})
        sight = pack.sight.model_copy(update={"observers": loose})
        field = replace(field, pack=pack.model_copy(update={"sight": sight}))
        one = ObserverJudge(field, side, friends, enemies, hq, reach)
        found = {post.hex: post.may for post in one.posts(target)}
        zones = {hex_ for enemy in enemies for hex_ in slow_zone(field, enemy)}
        for hex_ in hexes:
            sees = hex_ != target and slow_sight(field, hex_, target) == "clear"
            assert (hex_ in found) == sees, seed
            if not sees:
                continue
            here = [unit for unit in friends if unit.hex == hex_]
            may = distance(hq, hex_) <= reach
            if pack is PACKS[0]:
                may = may and not any(enemy.hex == hex_ for enemy in enemies)
                may = may and (hex_ not in zones or bool(here))
            else:
                may = may and bool(here) and _is_place(field, side, hex_, here)
            told[found[hex_]] += 1
            assert (found[hex_] == "yes") == may, (seed, field.label(hex_))
    assert min(told.values()) >= 0.1 * sum(told.values()), told


def _is_place(field, side, hex_, here):
    features = list(field.ground.hexes[hex_].features)
    for near in neighbours(hex_):
        on_side = field.ground.hexsides.get(Hexside.between(hex_, near), ())
        features += [one for one in on_side if one.facing in (None, hex_) and one.kind == "trench"]
    own = [one for one in features if one.kind == "trench" and field.owner(one) == side]
    places = {one.kind for one in features} & {"town", "village", "peak"}
    return bool(own or places or any("artillery" in unit.class_ for unit in here)) or any(
        unit.class_ == "minenwerfer" for unit in here
    )


# Direct and indirect fire


def fired(rows, class_, reach=9, friends=("0101:light_artillery",), weather=None, target="0105"):
    one = judge(board(*rows), CAPORETTO, friends, weather=weather)
    values = {} if reach is None else {"range": reach}
    gun = described(one.field, "it", "0101", class_, values=values)
    return FireLineJudge(one.field, one).rule(gun, one.field.hex(target))


FLAT = [".1", ".1", ".1", ".1", ".1"]


@pytest.mark.parametrize(
    ("rows", "class_", "verdict"),
    [
        (FLAT, "light_artillery", "direct"),
        (FLAT, "medium_artillery", "direct"),
        (FLAT, "heavy_artillery", "direct"),
        (FLAT, "minenwerfer", "direct"),
    ],
)
def test_a_clear_line_is_direct_fire(rows, class_, verdict):
    ruling = fired(rows, class_)
    assert ruling.verdict == verdict
    assert ruling.working["line"] == "clear"


HIDDEN = [".1 .1", ".1 .1", ".3 .1", ".1 .1", ".1 .T1"]
WATCH = ("0205:infantry",)  # in a town beside the target


@pytest.mark.parametrize(
    ("class_", "verdict", "share"),
    [
        ("light_artillery", "no_line", None),
        ("medium_artillery", "indirect", "1/2"),
        ("heavy_artillery", "indirect", "1"),
        ("minenwerfer", "indirect", "1"),
    ],
)
def test_behind_a_hill_the_kinds_of_guns_differ(class_, verdict, share):
    ruling = fired(HIDDEN, class_, friends=WATCH)
    assert (ruling.verdict, ruling.working["indirect"]) == (verdict, share)
    assert ruling.working["blocked_by"] == ["0103"]
    assert any(reason.key == "rules.fire.blocks" for reason in ruling.reasons)
    assert ruling.cites[0] == "12.1"


def test_weather_and_woods_never_matter_for_the_direct_line():
    woods = [".1 .1", ".1 .1", "w1 .1", ".1 .1", ".1 .T1"]
    assert fired(woods, "light_artillery", friends=WATCH).verdict == "direct"
    overcast = fired(woods, "light_artillery", friends=WATCH, weather="light_rain")
    assert overcast.verdict == "direct"
    alone = fired([".1"] * 5, "light_artillery", weather="light_rain")
    assert (alone.verdict, alone.working["line"]) == ("not_observed", "clear")


def test_range_and_what_is_not_known():
    assert fired(FLAT, "light_artillery", reach=3).verdict == "out_of_range"
    unknown = fired(FLAT, "light_artillery", reach=None)
    assert unknown.verdict == "unknown"
    assert "the range of 0101 is not known" in unknown.missing[0].told()
    with pytest.raises(RulesError, match="no rule of fire for 'infantry'"):
        fired(FLAT, "infantry")


def test_the_other_reading_of_direct_fire():
    choice = {"light-guns": "light-alone"}
    other = load_pack(pack_folder("caporetto-1917"), "caporetto-1917", choice)
    one = judge(board(*FLAT), other, ["0101:light_artillery"])
    heavy = described(one.field, "it", "0101", "heavy_artillery", values={"range": 9})
    ruling = FireLineJudge(one.field, one).rule(heavy, one.field.hex("0105"))
    assert ruling.verdict == "indirect"


def test_a_game_that_does_not_tell_them_apart():
    one = judge(board(*PLAIN), hq="0101", reach=3)
    gun = Standing("gun", "it", one.field.hex("0101"), "field_artillery")
    ruling = FireLineJudge(one.field, one).rule(gun, one.field.hex("0303"))
    assert ruling.verdict == "no_rule"
    assert ruling.working["observed"] == "observed"
