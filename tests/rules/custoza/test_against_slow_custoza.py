"""Custoza's judges against slow ones written from its rulebook, on positions drawn by lot.

A disagreement is told with its seed. `-s` shows how often each verdict was drawn.
"""

from collections import Counter
from dataclasses import replace
from random import Random

from mapkit.hexes import Hex, are_neighbours, neighbours
from rules.judges.command import CommandJudge
from rules.judges.movement import MovementJudge
from rules.judges.retreat import RetreatJudge
from rules.judges.rout import RoutJudge
from rules.judges.stacking import StackingJudge
from rules.judges.withdrawal import WithdrawalJudge
from rules.judges.zones import ZoneJudge
from tests.rules.custoza.scenes import FOUGHT, LACKING, Scene, random_scene, random_unit
from tests.rules.custoza.slow_custoza import (
    Beaten,
    Leaving,
    slow_command,
    slow_reach,
    slow_retreat,
    slow_rout,
    slow_stack,
    slow_withdrawal,
    slow_zone,
)
from tests.rules.judges.test_against_slow_rules import assert_agreement, how_often


@how_often
def test_zones(times: int) -> None:
    drawn: Counter[str] = Counter()
    quarrels = []
    for seed in range(300 * times):
        rng = Random(seed)
        scene = random_scene(rng, rng.choice(("nothing", "zones")), size=4)
        judge = ZoneJudge(scene.field)
        for unit in (*scene.friends, *scene.enemies):
            slow, ruling = slow_zone(scene, unit), judge.rule(unit)
            near = [hex_ for hex_ in neighbours(unit.hex) if hex_ in scene.field.map]
            told = {scene.field.hex(label) for label in ruling.working["zone"]}
            drawn.update(
                "unknown" if slow is None else "in" if hex_ in slow else "out" for hex_ in near
            )
            known = None if ruling.verdict == "unknown" else told
            if known != slow or judge.zone(unit) != (slow or set()):
                quarrels.append(f"seed {seed}, {unit.name}: {slow}, not {ruling.verdict} {told}")
    assert_agreement("zones of custoza", drawn, quarrels)


@how_often
def test_command(times: int) -> None:
    drawn: Counter[str] = Counter()
    quarrels = []
    for seed in range(350 * times):
        rng = Random(seed)
        scene = random_scene(rng, rng.choice(("nothing", "zones", "zones")), size=7, marsh=0)
        commander = rng.choice(scene.free)
        judge = CommandJudge(scene.field, "it", commander, None, scene.friends, scene.enemies)
        for unit in rng.sample(scene.free, 4):
            slow, quick = slow_command(scene, commander, unit), judge.rule(unit).verdict
            drawn[slow] += 1
            if slow != quick:
                place = f"{scene.field.label(commander)} to {scene.field.label(unit)}"
                quarrels.append(f"seed {seed}, {place}: {slow}, not {quick}")
    assert_agreement("command of custoza", drawn, quarrels)


@how_often
def test_stacking(times: int) -> None:
    drawn: Counter[str] = Counter()
    quarrels = []
    for seed in range(200 * times):
        rng = Random(seed)
        scene = random_scene(rng, rng.choice(("nothing", "nothing", "limit")), size=4)
        for hex_ in rng.sample(scene.free, 5):
            units = [random_unit(rng, "it", hex_, at) for at in range(rng.randint(1, 3))]
            slow = slow_stack(scene, hex_, units)
            quick = StackingJudge(scene.field, tuple(units)).rule(hex_).verdict
            drawn[slow] += 1
            if slow != quick:
                quarrels.append(f"seed {seed}, {scene.field.label(hex_)}: {slow}, not {quick}")
    assert_agreement("stacking of custoza", drawn, quarrels)


@how_often
def test_reach(times: int) -> None:
    drawn: Counter[str] = Counter()
    quarrels = []
    for seed in range(150 * times):
        rng = Random(seed)
        scene = random_scene(rng, "nothing")
        hex_ = rng.choice(scene.free)
        unit = replace(random_unit(rng, "it", hex_, 99), name="mover")
        points, night = rng.randint(1, 5), rng.random() < 0.5
        mode = "at_night" if night else "march"
        judge = MovementJudge(scene.field, unit, points, mode, scene.friends, scene.enemies)
        slow = slow_reach(scene, unit, points, night=night)
        quick = {
            scene.field.hex(one["hex"]): one["spent"] for one in judge.rule(None).working["reach"]
        }
        drawn.update("in" if one in slow else "out" for one in scene.field.ground.hexes)
        if {one: str(cost) for one, cost in slow.items()} != quick:
            odd = {one for one in slow.keys() | quick if str(slow.get(one)) != quick.get(one)}
            quarrels.append(f"seed {seed}: {sorted(map(scene.field.label, odd))}")
    assert_agreement("reach of custoza", drawn, quarrels)


def beaten_in(rng: Random, scene: Scene) -> Beaten | None:
    """Return a unit that was assaulted, or one that assaulted; None where there is no room."""
    inside = [one for one in scene.free if scene.field.map.hexes.keys() >= set(neighbours(one))]
    here = rng.choice(inside or scene.free)
    near = [hex_ for hex_ in scene.free if are_neighbours(here, hex_)]
    if not near:
        return None
    unit = replace(random_unit(rng, "it", here, 99), statuses={})
    if rng.random() < 0.5:
        unit = replace(unit, class_="infantry")  # guns alone are lost: a short question
    if rng.random() < 0.25:
        others = rng.sample(scene.free, 1)
        return Beaten(unit, frozenset(others) - {here}, rng.choice(near))
    origins = rng.sample(near, min(len(near), rng.choice((1, 1, 1, 2))))
    others = rng.sample(scene.free, rng.choice((0, 0, 1)))
    return Beaten(unit, frozenset((*origins, *others)) - {here})


def ruled(scene: Scene, beaten: Beaten) -> tuple[str, frozenset[tuple[Hex, ...]]]:
    unit, field = beaten.unit, scene.field
    near = [hex_ for hex_ in beaten.markers if are_neighbours(hex_, unit.hex)]
    origins = () if beaten.target else tuple(near)
    others = tuple(beaten.markers - set(origins))
    at = beaten.target or unit.hex
    asked = replace(unit, hex=at)
    judge = RetreatJudge(field, asked, origins, scene.friends, scene.enemies, None, others)
    ruling = judge.rule_attacker(unit.hex) if beaten.target else judge.rule()
    ways = frozenset(tuple(map(field.hex, way)) for way in ruling.working.get("ways", ()))
    return ruling.verdict, ways if ruling.verdict == "retreats" else frozenset()


@how_often
def test_retreat(times: int) -> None:
    drawn: Counter[str] = Counter()
    quarrels = []
    for seed in range(1000 * times):
        rng = Random(seed)
        lacking = rng.choice(("nothing", *LACKING, *LACKING[1:]))
        scene = random_scene(rng, lacking, size=6, marsh=6)
        beaten = beaten_in(rng, scene)
        if beaten is None:
            continue
        slow, quick = slow_retreat(scene, beaten), ruled(scene, beaten)
        drawn[slow[0]] += 1
        if slow != quick:
            place = scene.field.label(beaten.unit.hex)
            quarrels.append(f"seed {seed}, without {lacking}, {place}: {slow[0]}, not {quick[0]}")
    assert_agreement("retreat of custoza", drawn, quarrels)


def leaving_in(rng: Random, scene: Scene) -> Leaving | None:
    """Return a unit that withdraws, mostly beside an enemy; None where there is no room."""
    halted = [one for one in scene.enemies if one.class_ in FOUGHT and not one.statuses]
    near = [one for one in scene.free for enemy in halted if are_neighbours(one, enemy.hex)]
    if not near and rng.random() < 0.6:
        return None  # most of these just stay
    here = rng.choice(near or scene.free)
    unit = replace(random_unit(rng, "it", here, 99), statuses={})
    if rng.random() < 0.22:
        unit = replace(unit, class_="infantry", statuses={"square": 1})
    others = frozenset(rng.sample(scene.free, rng.choice((0, 0, 1)))) - {here}
    night = rng.random() < 0.5
    kind = rng.choice(("phase", "phase", "phase", "phase", "check", "reaction"))
    enemy = None
    if kind == "reaction":
        if not scene.enemies:
            return None
        enemy = rng.choice(scene.enemies).hex
    return Leaving(unit, others, kind != "phase", enemy, night)


def withdrawn(scene: Scene, leaving: Leaving) -> tuple[str, frozenset[tuple[Hex, ...]]]:
    light = "night" if leaving.night else None
    judge = WithdrawalJudge(
        scene.field, leaving.unit, scene.friends, scene.enemies, light, tuple(leaving.markers)
    )
    if leaving.enemy is not None:
        ruling = judge.rule_reaction(leaving.enemy)
    else:
        ruling = judge.rule_after_check() if leaving.one_hex else judge.rule()
    ways = frozenset(tuple(map(scene.field.hex, way)) for way in ruling.working["ways"])
    return ruling.verdict, ways if ruling.verdict == "withdraws" else frozenset()


@how_often
def test_withdrawal(times: int) -> None:
    drawn: Counter[str] = Counter()
    quarrels = []
    for seed in range(700 * times):
        rng = Random(seed)
        lacking = rng.choice(LACKING)
        scene = random_scene(rng, lacking, size=4, marsh=30)
        leaving = leaving_in(rng, scene)
        if leaving is None:
            continue
        slow, quick = slow_withdrawal(scene, leaving), withdrawn(scene, leaving)
        drawn[slow[0]] += 1
        if slow != quick:
            place = scene.field.label(leaving.unit.hex)
            quarrels.append(f"seed {seed}, without {lacking}, {place}: {slow[0]}, not {quick[0]}")
    assert_agreement("withdrawal of custoza", drawn, quarrels)


@how_often
def test_rout(times: int) -> None:
    drawn: Counter[str] = Counter()
    quarrels = []
    for seed in range(600 * times):
        rng = Random(seed)
        scene = random_scene(rng, rng.choice(("nothing", "zones")), size=5)
        if len(scene.enemies) < 3:
            continue
        unit = random_unit(rng, "it", rng.choice(scene.free), 99)
        sources = (rng.choice(sorted(scene.field.ground.hexes)),)
        judge = RoutJudge(scene.field, unit, scene.friends, scene.enemies, sources)
        slow, quick = slow_rout(scene, unit, frozenset(sources)), judge.rule().verdict
        drawn[slow] += 1
        if slow != quick:
            place = scene.field.label(unit.hex)
            quarrels.append(f"seed {seed}, {place}: {slow}, not {quick}")
    assert_agreement("rout of custoza", drawn, quarrels)
