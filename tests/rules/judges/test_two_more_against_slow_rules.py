"""The Italian Front and Durchbruch: the judges against slow ones, on positions drawn by lot."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random

from counters.model import Unit
from mapkit.errors import MapkitError
from mapkit.hexes import Hex, are_neighbours
from mapkit.model import Feature
from rules.battlefield import Battlefield
from rules.judges.movement import MovementJudge
from rules.judges.stacking import StackingJudge
from rules.judges.supply import SupplyJudge
from rules.judges.zones import zone_of
from rules.standing import Standing
from tests.rules.judges import slow_durchbruch, slow_front
from tests.rules.judges.other_positions import (
    DURCHBRUCH,
    DURCHBRUCH_COUNTRY,
    FRONT,
    FRONT_COUNTRY,
    country_field,
    country_units,
)
from tests.rules.judges.test_against_slow_rules import assert_agreement, how_often

WEATHER = (None, None, *FRONT.weather)
NATIONS = {"allied": ("italian", "italian", "czech", "french", "british"), "cp": ("german",)}
CLASSES = tuple(one for one in DURCHBRUCH.classes if one not in ("headquarters", "leader"))


def front(rng: Random, columns: tuple[int, int], rows: tuple[int, int]) -> Battlefield:
    return country_field(rng, FRONT, FRONT_COUNTRY, columns, rows)


def dry(field: Battlefield) -> list[Hex]:
    """Where somebody could stand."""
    return [hex_ for hex_, here in sorted(field.ground.hexes.items()) if here.terrain != "sea"]


@how_often
def test_zones_of_the_front(times: int) -> None:
    drawn: Counter[str] = Counter()
    quarrels = []
    for seed in range(1200 * times):
        rng = Random(seed)
        field = front(rng, (3, 5), (3, 4))
        weather = rng.choice(WEATHER)
        for unit in country_units(rng, field, "cp", tuple(FRONT.classes), 3, dry(field)):
            slow, quick = slow_front.slow_zone(field, unit, weather), zone_of(field, unit, weather)
            near = [hex_ for hex_ in field.ground.hexes if are_neighbours(hex_, unit.hex)]
            drawn.update("in" if hex_ in slow else "out" for hex_ in near)
            if slow != quick:
                quarrels.append(f"seed {seed}, {weather}, {unit}: {sorted(slow ^ quick)}")
    assert_agreement("zones of the Front", drawn, quarrels)


@how_often
def test_supply_of_the_front(times: int) -> None:
    drawn: Counter[str] = Counter()
    quarrels = []
    for seed in range(600 * times):
        rng = Random(seed)
        side, enemy = rng.choice((("allied", "cp"), ("cp", "allied")))
        field = with_a_source(rng, front(rng, (5, 8), (4, 6)), side)
        weather = rng.choice(WEATHER)
        free = dry(field)
        enemies = country_units(rng, field, enemy, slow_front.TROOPS, rng.randint(0, 3), free)
        held = {one.hex for one in enemies}
        free = [hex_ for hex_ in free if hex_ not in held]
        friends = country_units(rng, field, side, slow_front.TROOPS, rng.randint(0, 3), free)
        judge = SupplyJudge(field, side, friends, enemies, weather=weather)
        asked = rng.sample(free, min(4, len(free)))
        for hex_, ruling in zip(asked, judge.rule_each(asked), strict=True):
            slow = slow_front.slow_supply(field, side, enemies, hex_, weather)
            drawn[slow] += 1
            if ruling.verdict != slow:
                place = field.label(hex_)
                quarrels.append(f"seed {seed}, {weather}, {place}: {slow}, not {ruling.verdict}")
    assert_agreement("supply of the Front", drawn, quarrels)


def with_a_source(rng: Random, field: Battlefield, side: str) -> Battlefield:
    """Without one on the map nobody could tell."""
    hexes, at = dict(field.ground.hexes), rng.choice(dry(field))
    source = Feature("supply_source", owner=side)
    hexes[at] = replace(hexes[at], features=(*hexes[at].features, source))
    return replace(field, ground=replace(field.ground, hexes=hexes))


@how_often
def test_reach_of_the_front(times: int) -> None:
    drawn: Counter[str] = Counter()
    modes: Counter[str] = Counter()
    quarrels = []
    for seed in range(1100 * times):
        rng = Random(seed)
        field = front(rng, (3, 5), (3, 4))
        side, enemy = rng.choice((("allied", "cp"), ("cp", "allied")))
        free = dry(field)
        enemies = country_units(rng, field, enemy, slow_front.TROOPS, rng.randint(0, 2), free)
        held = {one.hex for one in enemies}
        classes = (*slow_front.TROOPS, "assault_infantry", "assault_infantry")
        free = [hex_ for hex_ in free if hex_ not in held]
        (unit,) = country_units(rng, field, side, classes, 1, free) or (None,)
        if unit is None:
            continue
        mode, weather, points = (
            rng.choice((*FRONT.movement.modes,)),
            rng.choice(WEATHER),
            rng.randint(1, 8),
        )
        theirs = {field.label(hex_): rng.choice((side, side, enemy)) for hex_ in free}
        slow = slow_front.slow_reach(field, unit, points, mode, enemies, weather, theirs)
        judge = MovementJudge(field, unit, points, mode, (unit,), enemies, weather, theirs)
        quick = quick_reach(judge)
        modes[mode] += slow is not None
        quarrels += compared(field, unit, slow, quick, drawn, f"seed {seed}, {mode}, {weather}")
    assert_agreement("reach in the Front", drawn, quarrels)
    assert min(modes.values()) >= 60


@how_often
def test_stacks_of_the_front(times: int) -> None:
    drawn: Counter[str] = Counter()
    quarrels = []
    for seed in range(1500 * times):
        rng = Random(seed)
        field = front(rng, (3, 3), (3, 3))
        side = rng.choice(tuple(NATIONS))
        hex_, *others = rng.sample(dry(field), min(3, len(dry(field)))) or (None,)
        if hex_ is None:
            continue
        units = [
            counter(rng, f"{place}-{n}", side, place)
            for place in (hex_, *others)
            for n in range(rng.randint(1, 5) if place == hex_ else 1)
        ]
        slow = slow_front.slow_stack(field, hex_, units)
        quick = StackingJudge(field, tuple(units)).rule(hex_).verdict
        drawn[slow] += 1
        if slow != quick:
            what = [(one.class_, one.unit.nationality, dict(one.statuses)) for one in units]
            quarrels.append(f"seed {seed}, {field.ground[hex_]}: {slow}, not {quick}: {what}")
    assert_agreement("stacks of the Front", drawn, quarrels)


def counter(rng: Random, name: str, side: str, hex_: Hex) -> Standing:
    class_ = rng.choice((*slow_front.TROOPS, "fourteenth_army_hq", "artillery"))
    nation = rng.choice(("german", "austro_hungarian") if side == "cp" else NATIONS[side])
    face = rng.choice(("support_mode", "move_mode"))
    statuses = {face: 1} if class_ in slow_front.HEADQUARTERS else {}
    unit = Unit(name, name, side, class_=class_, nationality=nation)
    return Standing(name, side, hex_, class_, unit=unit, statuses=statuses)


@how_often
def test_reach_in_durchbruch(times: int) -> None:
    drawn: Counter[str] = Counter()
    quarrels = []
    for seed in range(700 * times):
        rng = Random(seed)
        field = country_field(rng, DURCHBRUCH, DURCHBRUCH_COUNTRY, (4, 7), (3, 5))
        side, enemy = rng.choice((("it", "ag"), ("ag", "it")))
        free = dry(field)
        enemies = country_units(rng, field, enemy, CLASSES, rng.randint(0, 3), free)
        enemies = tuple(cut_off(rng, one) for one in enemies)
        held = {one.hex for one in enemies}
        free = [hex_ for hex_ in free if hex_ not in held]
        (unit,) = country_units(rng, field, side, CLASSES, 1, free)
        unit, points = cut_off(rng, unit), rng.randint(1, 7)
        mode = rng.choice(("march", "out_of_communications"))
        slow = slow_durchbruch.slow_reach(field, unit, points, mode, enemies)
        quick = quick_reach(MovementJudge(field, unit, points, mode, (unit,), enemies))
        quarrels += compared(field, unit, slow, quick, drawn, f"seed {seed}, {mode}")
    assert_agreement("reach in Durchbruch", drawn, quarrels)


@how_often
def test_stacks_of_durchbruch(times: int) -> None:
    drawn: Counter[str] = Counter()
    quarrels = []
    for seed in range(1500 * times):
        rng = Random(seed)
        field = country_field(rng, DURCHBRUCH, DURCHBRUCH_COUNTRY, (3, 3), (3, 3))
        hex_ = rng.choice(dry(field))
        kinds = ("infantry", "mountain_infantry", "artillery", "headquarters", "leader")
        some = rng.sample(kinds, rng.randint(0, 2)) + rng.choices(
            slow_durchbruch.SPECIAL, k=rng.randint(0, 4)
        )
        some += ["infantry"] if rng.randrange(8) == 0 else []
        units = tuple(Standing(f"{n}", "it", hex_, one) for n, one in enumerate(some))
        slow = slow_durchbruch.slow_stack(field, hex_, some)
        quick = StackingJudge(field, units).rule(hex_).verdict
        drawn[slow] += 1
        if slow != quick:
            quarrels.append(f"seed {seed}, {field.ground[hex_]}, {some}: {slow}, not {quick}")
    assert_agreement("stacks of Durchbruch", drawn, quarrels)


def cut_off(rng: Random, unit: Standing) -> Standing:
    status = rng.choice(("", "", "", "ooc1", "ooc2"))
    return replace(unit, statuses={status: 1} if status else {})


def compared(
    field: Battlefield,
    unit: Standing,
    slow: dict[Hex, Fraction] | None,
    quick: dict[Hex, Fraction] | None,
    drawn: Counter[str],
    told: str,
) -> list[str]:
    """Return the quarrel of two judges about a reach, if they have one."""
    if slow is None or quick is None:
        return [] if slow is quick else [f"{told}: {unit} may move? {slow is not None}"]
    others = [hex_ for hex_ in field.ground.hexes if hex_ != unit.hex]
    drawn.update("reached" if hex_ in slow else "not reached" for hex_ in others)
    wrong = sorted(h for h in {*slow, *quick} if slow.get(h) != quick.get(h))
    if not wrong:
        return []
    where = [(field.label(h), str(slow.get(h)), str(quick.get(h))) for h in wrong]
    return [f"{told}, {unit.class_} at {field.label(unit.hex)}: {where[:3]}"]


def quick_reach(judge: MovementJudge) -> dict[Hex, Fraction] | None:
    try:
        judge.rule()
    except MapkitError:
        return None
    return {one.hex: one.spent for one in judge.reach.arrivals()}
