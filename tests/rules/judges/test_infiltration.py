"""Infiltration fire: who fires at which step, and what forbids it."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from counters.model import Face, Unit
from mapkit.hexes import Hexside, are_neighbours
from mapkit.model import Feature
from rules.battlefield import battlefield
from rules.judges.infiltration import drawn_fire
from rules.project import Project
from rules.registry import find_pack
from rules.schema.counters import FRONT
from rules.standing import Standing, named_on_the_spot
from tests.boards import board
from tests.rules.judges.positions import PACKS, Lot, other_side, random_field, random_units
from tests.rules.judges.slow_rules import GUNS, slow_zone

STRAFEXPEDITION = find_pack("strafexpedition")
CAPORETTO = find_pack("caporetto-1917")
PLAIN = [".3 .3 .3 .3", ".3 .3 .3 .3", ".3 .3 .3 .3"]
#   0101  0201  0301  0401        0202 touches 0201 0301 0102 0302 0203 0303
#      0102  0202  0302  0402


def fire(way, enemies, pack=STRAFEXPEDITION, map_=None, weather=None):
    field = battlefield(
        Project(Path(), "x"), board(*PLAIN, layout="pointy") if map_ is None else map_, pack
    )
    theirs = next(side for side in pack.sides if side != "it")
    found = drawn_fire(
        field,
        "it",
        tuple(map(field.hex, way)),
        named_on_the_spot(field, theirs, enemies),
        weather,
    )
    label = field.label
    return [(*map(label, one.step), one.firers, one.spared_by) for one in found]


@pytest.mark.parametrize("pack", [STRAFEXPEDITION, CAPORETTO], ids=["S", "C"])
def test_past_the_same_unit_one_is_fired_at(pack):
    way = ["0101", "0201", "0301", "0401"]
    assert fire(way, ["0202:infantry"], pack) == [("0201", "0301", ("0202",), "")]


@pytest.mark.parametrize("pack", [STRAFEXPEDITION, CAPORETTO], ids=["S", "C"])
def test_from_one_enemy_to_another_one_is_not(pack):
    way = ["0101", "0201", "0301", "0401"]
    assert fire(way, ["0102:infantry", "0402:infantry"], pack) == [
        ("0101", "0201", ("0102",), ""),
    ]


def test_a_stack_fires_as_one_and_guns_do_not():
    stack = ["0202:infantry", "0202:alpini", "0202:field_artillery"]
    assert fire(["0201", "0301"], stack) == [("0201", "0301", ("0202", "0202:alpini"), "")]


def test_the_printed_factors_are_summed_where_they_are_known():
    field = battlefield(Project(Path(), "x"), board(*PLAIN, layout="pointy"), STRAFEXPEDITION)

    def enemy(name, factor):
        unit = Unit(name, name, "ah", faces=(Face(FRONT, {"machine_guns": factor}),))
        return Standing(name, "ah", field.hex("0202"), "infantry", unit)

    way = field.hex("0201"), field.hex("0301")
    (known,) = drawn_fire(field, "it", way, (enemy("a", 2), enemy("b", 3)))
    assert known.factors == 5
    (unknown,) = drawn_fire(field, "it", way, (enemy("a", 2), enemy("b", None)))
    assert unknown.factors is None
    assert "a, b (machine-gun factors: ?)" in unknown.told(field).told()


def with_trenches(*labels, owner="IT"):
    map_ = board(*PLAIN, layout="pointy")
    hexes = dict(map_.hexes)
    for label in labels:
        here = map_.hex(label)
        hexes[here] = replace(hexes[here], features=(Feature("trench", owner=owner),))
    return replace(map_, hexes=hexes, kinds=map_.kinds.with_ids("features", iter(["trench"])))


@pytest.mark.parametrize(
    ("pack", "trenches", "owner", "spared"),
    [
        pytest.param(STRAFEXPEDITION, ("0201", "0301"), "IT", "trench", id="S: both"),
        pytest.param(STRAFEXPEDITION, ("0301",), "IT", "", id="S: the one entered"),
        pytest.param(STRAFEXPEDITION, ("0201", "0301"), "", "trench", id="S: of nobody"),
        pytest.param(STRAFEXPEDITION, ("0201", "0301"), "AH", "", id="S: the enemy's"),
        pytest.param(CAPORETTO, ("0301",), "IT", "trench", id="C: the one entered"),
        pytest.param(CAPORETTO, ("0201",), "IT", "", id="C: the one left"),
        pytest.param(CAPORETTO, ("0301",), "AHG", "", id="C: the enemy's"),
        pytest.param(CAPORETTO, ("0301",), "", "", id="C: of nobody"),
    ],
)
def test_trenches_shelter(pack, trenches, owner, spared):
    map_ = with_trenches(*trenches, owner=owner)
    assert fire(["0201", "0301"], ["0202:infantry"], pack, map_) == [
        ("0201", "0301", ("0202",), spared)
    ]


def test_crags_between_firer_and_one_of_the_hexes():
    map_ = board(*PLAIN, layout="pointy", hexsides={"crags": "0202/0301"})
    assert fire(["0201", "0301"], ["0202:infantry"], CAPORETTO, map_)[0][3] == "crags"
    assert fire(["0201", "0301"], ["0202:infantry"], STRAFEXPEDITION, map_) == []  # no zone there


def test_fog_on_any_of_the_hexes():
    low = board(".3 .3 .1 .3", *PLAIN[1:], layout="pointy")
    assert fire(["0201", "0301"], ["0202:infantry"], CAPORETTO, low, "fog")[0][3] == "fog"
    assert fire(["0201", "0301"], ["0202:infantry"], CAPORETTO, low, "clear")[0][3] == ""


def test_in_a_wood_there_is_no_zone_but_fire():
    wood = board(".3 w3 w3 .3", *PLAIN[1:], layout="pointy")
    assert fire(["0201", "0301"], ["0202:infantry"], CAPORETTO, wood)[0][3] == ""


@pytest.mark.parametrize("pack", PACKS, ids=[pack.id for pack in PACKS])
def test_against_a_slow_judge(pack):
    """S 11.1.2 and 18.7, C 10.1.2 and 17.7.1, step by step."""
    drawn = {"fire": 0, "spared": 0, "none": 0}
    for seed in range(300):
        rng = Random(seed)
        lot = Lot((4, 5), (4, 4), levels=(1, 4), trenches=60, crags=8)
        field = random_field(rng, pack, lot)
        side = rng.choice(tuple(pack.sides))
        weather = rng.choice((None, *pack.weather))
        enemies = [
            one for one in random_units(rng, field, other_side(pack, side), 4, set()) if one.class_
        ]
        hexes = sorted(field.ground.hexes)
        about = [hex_ for hex_ in hexes if enemies and are_neighbours(enemies[0].hex, hex_)]
        a = rng.choice(about or hexes)
        near = [hex_ for hex_ in hexes if are_neighbours(a, hex_)]
        b = rng.choice([hex_ for hex_ in near if hex_ in about] or near)
        found = drawn_fire(field, side, (a, b), enemies, weather)
        quick = {name for one in found if not one.spared_by for name in one.firers}
        slow = {one.name for one in enemies if slow_fires(field, side, one, a, b, weather)}
        assert quick == slow, seed
        kind = "fire" if quick else "spared" if found else "none"
        drawn[kind] += 1
    assert min(drawn["fire"], drawn["none"]) >= 60, drawn
    assert drawn["spared"] >= 5, drawn


def slow_fires(field, side, enemy, a, b, weather):
    if enemy.class_ in GUNS or enemy.class_ in ("headquarters", "flamethrower"):
        return False

    def own_trench(hex_, *, of_nobody):
        return any(
            one.kind == "trench" and field.owner(one) in ((side, None) if of_nobody else (side,))
            for one in field.ground.hexes[hex_].features
        )

    if field.pack.id == "strafexpedition":
        both = slow_zone(field, enemy, weather) >= {a, b}
        return both and not (own_trench(a, of_nobody=True) and own_trench(b, of_nobody=True))
    beside = are_neighbours(enemy.hex, a) and are_neighbours(enemy.hex, b)
    crags = any(
        one.kind == "crags"
        for hex_ in (a, b)
        if beside
        for one in field.ground.hexsides.get(Hexside.between(enemy.hex, hex_), ())
    )
    dim = any(is_dim(field, hex_, weather) for hex_ in (a, b, enemy.hex))
    return beside and not crags and not dim and not own_trench(b, of_nobody=False)


def is_dim(field, hex_, weather):
    ground = field.ground.hexes[hex_]
    foggy = weather in ("fog", "first_turn") and ground.level in (1, 2)
    return foggy or (weather in ("blizzard", "first_turn") and ground.terrain == "high_mountain")
