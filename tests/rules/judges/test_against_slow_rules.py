"""The judges against slow ones written from the rulebooks: thousands of positions drawn by lot.

A disagreement is told with its seed; `random_scene(Random(seed), pack)` brings it back. `-s` shows
how often each verdict was drawn; none may be rare, or agreeing on it would mean little.
"""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from mapkit.hexes import Hex, Hexside, are_neighbours, distance
from mapkit.model import Feature, Ground, HexMap, Shape
from rules.battlefield import Battlefield, battlefield
from rules.judges.sight import SightJudge
from rules.judges.supply import SupplyJudge
from rules.judges.zones import zone_of
from rules.pack import Pack
from rules.project import Project
from rules.standing import Standing
from tests.boards import board
from tests.mapkit.second_lines import AxialPoint
from tests.rules.judges.positions import (
    CAPORETTO,
    PACKS,
    STRAFEXPEDITION,
    Lot,
    Scene,
    random_field,
    random_scene,
    random_units,
)
from tests.rules.judges.slow_rules import slow_culprits, slow_sight, slow_supply, slow_zone

LEAST_SHARE = 20  # hundredths
LEVELS = ((1, 2), (1, 4), (2, 5), (1, 9))
KNOTS = Lot((3, 5), (3, 4))  # around one unit

each_pack = pytest.mark.parametrize("pack", PACKS, ids=[pack.id for pack in PACKS])
few = pytest.param(1, id="few")
many = pytest.param(3, id="many", marks=pytest.mark.slow)
# A few are thousands already; MAPKIT_MANY=1 draws three times as many.
how_often = pytest.mark.parametrize("times", [many if os.environ.get("MAPKIT_MANY") else few])


def assert_agreement(what: str, drawn: Counter[str], quarrels: list[str]) -> None:
    """Fail on any quarrel, and when some verdict was hardly ever drawn."""
    total = sum(drawn.values())
    shares = {verdict: round(100 * n / total) for verdict, n in sorted(drawn.items())}
    told = f"{what}: {total} cases, in hundredths {shares}"
    print(told)  # noqa: T201 - for `pytest -s`
    assert not quarrels, f"{told}; {len(quarrels)} quarrels: {'; '.join(quarrels[:5])}"
    assert 100 * min(drawn.values()) >= LEAST_SHARE * total, told


@each_pack
@how_often
def test_zones(pack: Pack, times: int) -> None:
    drawn: Counter[str] = Counter()
    quarrels = []
    for seed in range(1200 * times):
        rng = Random(seed)
        field = random_field(rng, pack, KNOTS)
        weather = rng.choice((None, *pack.weather))
        for unit in random_units(rng, field, rng.choice(tuple(pack.sides)), 3, set()):
            slow, quick = slow_zone(field, unit, weather), zone_of(field, unit, weather)
            near = [hex_ for hex_ in field.ground.hexes if are_neighbours(hex_, unit.hex)]
            drawn.update("in" if hex_ in slow else "out" for hex_ in near)
            if slow != quick:
                quarrels.append(f"seed {seed}, {weather}, {unit}: {sorted(slow ^ quick)}")
    assert_agreement(f"zones of {pack.id}", drawn, quarrels)


@each_pack
@how_often
def test_supply_and_who_cuts_it(pack: Pack, times: int) -> None:
    drawn: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    quarrels = []
    for seed in range(300 * times):
        for verdict, size, quarrel in supply_answers(random_scene(Random(seed), pack)):
            drawn[verdict] += 1
            sizes[size] += verdict == "out_of_supply"
            quarrels += [f"seed {seed}, {quarrel}"] if quarrel else []
    assert_agreement(f"supply of {pack.id}", drawn, quarrels)
    print(f"  smallest sets of culprits: {dict(sizes)}")  # noqa: T201 - for `pytest -s`
    assert min(sizes[size] for size in ("none", "one", "one, several", "two")) >= 10 * times


def supply_answers(scene: Scene) -> Iterator[tuple[str, str, str]]:
    """Yield the slow verdict of each hex asked, how many culprits, and the quarrel or nothing."""
    about = scene.field, scene.side, scene.friends, scene.enemies
    judge = SupplyJudge(*about, weather=scene.weather)
    for hex_, ruling in zip(scene.asked, judge.rule_each(scene.asked), strict=True):
        verdict = slow_supply(*about, hex_, scene.weather)
        place = scene.field.label(hex_)
        if ruling.verdict != verdict:
            yield verdict, "", f"{place}: {verdict}, not {ruling.verdict}"
            continue
        slow = slow_culprits(*about, hex_, scene.weather) if verdict != "in_supply" else frozenset()
        quick = frozenset(map(frozenset, ruling.working["culprits"]))
        most = max(map(len, quick), default=0)
        same = slow == quick or (most > 2 and not slow)
        size = ("none", "one", "two")[min(map(len, slow), default=0)]
        several = ", several" if len(slow) > 1 else ""
        quarrel = "" if same else f"{place}: to blame {_told(slow)}, not {_told(quick)}"
        yield verdict, size + several, quarrel


def _told(culprits: frozenset[frozenset[str]]) -> list[list[str]]:
    return sorted(map(sorted, culprits))


@each_pack
@how_often
def test_sight(pack: Pack, times: int) -> None:
    drawn: Counter[str] = Counter()
    quarrels = []
    for seed in range(250 * times):
        rng = Random(seed)
        far = rng.random() < 0.15  # from a summit, over the end of the longest range
        lot = Lot((13, 16) if far else (4, 12), (3, 5), rng.choice(LEVELS), roads=(0, 0))
        field = random_field(rng, pack, lot)
        weather = None if far else rng.choice((None, None, *pack.weather))
        judge = SightJudge(field, weather)
        summit = max(sorted(field.ground.hexes), key=lambda hex_: field.ground[hex_].level or 0)
        for _ in range(6):
            a, b = rng.sample(sorted(field.ground.hexes), 2)
            a = summit if far and b != summit else a
            slow, quick = slow_sight(field, a, b, weather), judge.rule(a, b).verdict
            drawn.update(() if slow == "unknown" else (slow,))  # those are drawn apart, below
            if slow != quick:
                places = f"{field.label(a)} to {field.label(b)}"
                quarrels.append(f"seed {seed}, {weather}, {places}: {slow}, not {quick}")
    assert_agreement(f"sight of {pack.id}", drawn, quarrels)


@how_often
def test_sight_where_nobody_knows_what_is_high_mountain(times: int) -> None:
    drawn: Counter[str] = Counter()
    quarrels = []
    for seed in range(150 * times):
        rng = Random(seed)
        lot = Lot((4, 7), (3, 5), rng.choice(((1, 5), (3, 5))), roads=(0, 0))
        field = _without_high_mountain(random_field(rng, CAPORETTO, lot))
        weather = rng.choice(("blizzard", "first_turn"))
        judge = SightJudge(field, weather)
        for _ in range(4):
            a = rng.choice(sorted(field.ground.hexes))
            near = sorted(hex_ for hex_ in field.ground.hexes if 0 < distance(a, hex_) <= 2)
            b = rng.choice(near)
            slow, ruling = slow_sight(field, a, b, weather), judge.rule(a, b)
            drawn["unknown" if slow == "unknown" else "known"] += 1
            told = "levels.high_mountain" in " ".join(one.told() for one in ruling.missing)
            if slow != ruling.verdict or told != (slow == "unknown"):
                quarrels.append(f"seed {seed}, {weather}: {slow}, not {ruling.verdict}, {told}")
    assert_agreement("sight in a doubtful blizzard", drawn, quarrels)


def _without_high_mountain(field: Battlefield) -> Battlefield:
    hexes = {
        hex_: replace(here, terrain="clear") if here.terrain == "high_mountain" else here
        for hex_, here in field.map.hexes.items()
    }
    map_ = replace(field.map, hexes=hexes)
    return replace(field, map=map_, ground=replace(field.ground, hexes=hexes))


@how_often
def test_all_that_an_observer_sees(times: int) -> None:
    for seed in range(10 * times):
        rng = Random(seed)
        pack = rng.choice(PACKS)
        lot = Lot((4, 9), (3, 6), levels=rng.choice(LEVELS), roads=(0, 0))
        field = random_field(rng, pack, lot)
        weather = rng.choice((None, *pack.weather))
        a = rng.choice(sorted(field.ground.hexes))
        others = set(field.ground.hexes) - {a}
        slow = {field.label(b) for b in others if slow_sight(field, a, b, weather) == "clear"}
        quick = set(SightJudge(field, weather).rule_field(a).working["sees"])
        assert slow == quick, f"seed {seed}, {pack.id}, {weather}, from {field.label(a)}"


@how_often
def test_sight_from_the_best_place_in_a_town(times: int) -> None:
    """Ask where a town's centre does not see: the place told does see, and none is missed."""
    drawn: Counter[str] = Counter()
    for seed in range(15 * times):
        rng = Random(seed)
        field, a, corners = town_scene(rng)
        hidden = [b for b in sorted(field.ground.hexes) if slow_sight(field, a, b) == "blocked"]
        places = list(_inside(rng, corners))
        seen = [
            b
            for b in hidden
            if any(slow_sight(field, a, b, start=place) == "clear" for place in places)
        ]
        for b in seen[:2] or hidden[:1]:
            looked = SightJudge(field).look(a, b)
            told = f"seed {seed}, {field.label(a)} to {field.label(b)} from {looked.start}"
            drawn[looked.sight.verdict] += 1
            assert looked.sight.clear or b not in seen, told
            if looked.start is not None:
                start = looked.start.q, looked.start.r
                assert slow_sight(field, a, b, start=start) == looked.sight.verdict, told
    assert min(drawn["clear"], drawn["blocked"]) >= 0.2 * drawn.total(), drawn


def town_scene(rng: Random) -> tuple[Battlefield, Hex, list[AxialPoint]]:
    """Return a field with a three-cornered town drawn in one hex, and its corners."""
    lot = Lot((6, 8), (5, 7), levels=(1, 1), roads=(0, 0), features=0)
    field = random_field(rng, CAPORETTO, lot)
    bare = {
        hex_: Ground("woods" if rng.random() < 0.08 else "clear", 1) for hex_ in field.map.hexes
    }
    a = rng.choice(sorted(bare))
    thirds = [(1, 1), (-1, 2), (-2, 1), (-1, -1), (1, -2), (2, -1)]  # the vertices of a hex
    corners = [
        (a.q + Fraction(q, 3) * Fraction(9, 10), a.r + Fraction(r, 3) * Fraction(9, 10))
        for q, r in rng.sample(thirds, 3)
    ]
    ring = [field.map.grid.to_pixel(float(q), float(r)) for q, r in (*corners, corners[0])]
    town = Shape("town", "outline", (tuple(ring),))
    hexes = {**bare, a: Ground("clear", 1, (Feature("town"),))}
    map_ = replace(field.map, hexes=hexes, shapes=(town,))
    return on_field(CAPORETTO, map_), a, corners


def _inside(rng: Random, corners: list[AxialPoint]) -> Iterator[AxialPoint]:
    """Yield points well inside a triangle."""
    for _ in range(8):
        shares = [Fraction(rng.randint(5, 60)) for _ in corners]
        weighed = list(zip(shares, corners, strict=True))
        total = sum(shares, Fraction())
        q = sum((share * corner[0] for share, corner in weighed), Fraction()) / total
        r = sum((share * corner[1] for share, corner in weighed), Fraction()) / total
        yield q, r


def on_field(pack: Pack, map_: HexMap) -> Battlefield:
    return battlefield(Project(Path(), "x"), map_, pack)


def test_an_enemy_headquarters_cuts_nothing() -> None:
    field = on_field(STRAFEXPEDITION, board(". . .S", links={"road": "0101-0201-0301"}))
    enemies = (Standing("x", "ah", field.hex("0201"), "headquarters"),)
    asked = field.hex("0101")
    assert slow_supply(field, "it", (), enemies, asked) == "in_supply"
    assert SupplyJudge(field, "it", (), enemies).rule(asked).verdict == "in_supply"


@each_pack
def test_what_the_rules_take_for_granted(pack: Pack) -> None:
    """A Crags hex has six Crags hexsides (11.0.4); a road over a river has a bridge (19.1.2)."""
    for seed in range(100):
        rng = Random(seed)
        field = random_field(rng, pack, replace(KNOTS, spelt_out=False, trenches=0))
        for unit in random_units(rng, field, "it", 3, set()):
            assert slow_zone(field, unit) == zone_of(field, unit), seed


def test_one_of_two_trenches_is_the_enemys() -> None:
    field = on_field(CAPORETTO, board(". .", hexsides={"trench": "0101/0201"}))
    here, there = field.hex("0101"), field.hex("0201")
    trenches = Feature("trench", owner="AHG", facing=there), Feature("trench", owner="IT")
    field = replace(
        field, ground=replace(field.ground, hexsides={Hexside.between(here, there): trenches})
    )
    unit = Standing("x", "it", here, "infantry")
    assert slow_zone(field, unit) == frozenset()
    assert zone_of(field, unit) == frozenset()


def test_mountain_troops_have_a_zone_by_any_name() -> None:
    field = on_field(STRAFEXPEDITION, board(". ."))
    unit = Standing("x", "it", field.hex("0101"), "mountain")
    assert slow_zone(field, unit) == zone_of(field, unit) == {field.hex("0201")}
