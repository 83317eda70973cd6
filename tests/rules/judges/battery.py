"""A battery of questions to all judges of the ground, the same for every reading of a pack.

Two packs that answer all of them alike do not differ in anything that counts. Scenes are drawn by
lot, with everything the rules speak of somewhere on them.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

from counters.model import Face, Unit
from mapkit.errors import MapkitError
from mapkit.hexes import Hex, are_neighbours, distance, neighbours
from mapkit.kinds import Kind, Kinds
from mapkit.model import Feature, HexMap, Shape
from rules.battlefield import Battlefield
from rules.judges.fire_line import FireLineJudge
from rules.judges.infiltration import drawn_fire
from rules.judges.movement import MovementJudge
from rules.judges.observers import ObserverJudge
from rules.judges.sight import SightJudge
from rules.judges.stacking import StackingJudge
from rules.judges.supply import SupplyJudge
from rules.judges.zones import ZoneJudge
from rules.pack import KindEntry, Pack
from rules.ruling import Ruling
from rules.schema.counters import FRONT
from rules.schema.forces import Levels
from rules.standing import Standing
from tests.rules.judges.other_positions import COUNTRIES, country_field
from tests.rules.judges.positions import PACKS, Lot, other_side, random_field

ASKED = ("sight", "zones", "supply", "movement", "fire", "stacks", "guns")
FIRES = ("barrage", "preparation")
STATES = ("fire_mode", "move_mode", "out_of_command")
PRICES = (1, 2, 3, Fraction(1, 2), "whole", "never")
_LOTS = (
    Lot((6, 8), (5, 6), levels=(1, 5)),
    Lot((10, 14), (4, 4), levels=(1, 9), roads=(1, 2), rivers=30, crags=3),
    Lot((5, 6), (4, 5), levels=(1, 3), trenches=30, features=25, crags=15),
    Lot((5, 7), (4, 5), rivers=100, bridges=40, roads=(2, 3), spelt_out=False),
)


def is_drawn(game: str) -> bool:
    """Tell whether maps are drawn in the words of a game."""
    return game in COUNTRIES or game in {pack.id for pack in PACKS}


@cache
def drawn_map(game: str, seed: int) -> HexMap:
    """A map of a scene, with drawn towns and peaks where the game has them."""
    rng = Random(seed)
    if game in COUNTRIES:
        return country_field(rng, *COUNTRIES[game], (5, 7), (4, 6)).map
    pack = next(one for one in PACKS if one.id == game)
    map_ = random_field(rng, pack, _LOTS[seed % len(_LOTS)]).map
    hexes = dict(map_.hexes)
    for word in ("peak", "stream"):
        if word in pack.features:
            for hex_ in rng.sample(sorted(hexes), len(hexes) // 8):
                here = hexes[hex_]
                hexes[hex_] = replace(here, features=(*here.features, Feature(word)))
    for hex_ in rng.sample(sorted(hexes), 2):
        hexes[hex_] = replace(hexes[hex_], level=8)  # high mountain in one of the games
    for label in pack.supply.sources.either_side:
        hex_ = map_.hex(label) if label in set(map(map_.label, hexes)) else None
        if hex_ is not None:  # a source that may change hands
            source = Feature("supply_source", owner=rng.choice(tuple(pack.sides)))
            hexes[hex_] = replace(hexes[hex_], features=(source,))
    if "trench" in pack.features and seed % 4 == 3:  # lines of trenches, one's own all along
        for hex_ in sorted(hexes)[::2]:
            line = Feature("trench", owner=next(iter(pack.sides)))
            hexes[hex_] = replace(hexes[hex_], features=(line,))
    drawn = list(_shapes(rng, map_, hexes)) if seed % 4 == 2 else []
    shapes = tuple(rng.sample(drawn, min(len(drawn), 5)))  # looking out of them takes its time
    map_ = replace(map_, hexes=hexes, shapes=shapes)
    return _in_other_words(map_, pack) if seed % 4 == 1 else map_


def _in_other_words(map_: HexMap, pack: Pack) -> HexMap:
    """Return the map with words of its own, which bind by the role that mapmakers know."""
    roles = {
        word: entry.role
        for group in (pack.terrain, pack.features)
        for word, entry in group.items()
        if entry.role
    }

    def named(word: str) -> str:
        return f"my_{word}" if word in roles else word

    def ours(kinds: tuple[Kind, ...]) -> tuple[Kind, ...]:
        return tuple(
            replace(kind, id=named(kind.id), role=roles.get(kind.id, kind.role)) for kind in kinds
        )

    kinds: Kinds = replace(
        map_.kinds, terrain=ours(map_.kinds.terrain), features=ours(map_.kinds.features)
    )
    hexes = {
        hex_: replace(
            here,
            terrain=named(here.terrain),
            features=tuple(replace(one, kind=named(one.kind)) for one in here.features),
        )
        for hex_, here in map_.hexes.items()
    }
    return replace(map_, kinds=kinds, hexes=hexes)


def _shapes(rng: Random, map_: HexMap, hexes: dict[Hex, Any]) -> Iterator[Shape]:
    for hex_, here in hexes.items():
        x, y = map_.grid.centre(hex_)
        for feature in here.features:
            dx, dy = rng.randint(-20, 20), rng.randint(-20, 20)
            if feature.kind in ("town", "village"):
                ring = ((x, y), (x + dx, y + dy), (x - dy / 2, y + dx / 2), (x, y))
                yield Shape(feature.kind, "outline", (ring,))
            elif feature.kind == "peak":
                yield Shape("peak", "point", (((x + dx, y + dy),),))


def readings(pack: Pack, seed: int) -> Iterator[Pack]:
    """The pack as an owner with an invented chart has it; and without what hides other rules."""
    priced = with_chart(pack, seed)
    yield priced
    if seed % 3 == 0 and pack.zones is not None:
        zones = pack.zones.model_copy(update={"only_where_it_could_move": False})
        yield priced.model_copy(update={"zones": zones})


def with_chart(pack: Pack, seed: int = 0) -> Pack:
    """Return a pack whose owner has entered an invented chart of movement costs."""
    rng = Random(seed)
    update: dict[str, Any] = {}
    for group in ("terrain", "hexsides", "links"):
        kinds: dict[str, KindEntry] = getattr(pack, group)
        update[group] = {
            word: kind.model_copy(update={"costs": {**_costs(rng, group, pack), **kind.costs}})
            for word, kind in kinds.items()
        }
    if pack.levels is None and seed % 2:  # what the owner reads off the map
        update["levels"] = Levels(high_mountain=4, cite="TEC")
    return pack.model_copy(update=update)


def _costs(rng: Random, group: str, pack: Pack) -> dict[str, Any]:
    weights = {"terrain": (6, 4, 2, 0, 1, 1), "hexsides": (5, 3, 1, 0, 1, 1)}
    chosen = weights.get(group, (2, 0, 0, 5, 0, 0))
    return {class_: rng.choices(PRICES, chosen)[0] for class_ in pack.classes}


def asked_in(field: Battlefield, seed: int, asked: tuple[str, ...]) -> Iterator[Any]:
    rng = Random(seed)
    pack = field.pack
    side = rng.choice(tuple(pack.sides))
    weather = (None, *pack.weather)[seed % (len(pack.weather) + 1)]
    hexes = sorted(field.ground.hexes)
    enemies = _units(rng, field, other_side(pack, side), rng.randint(1, 5), hexes)
    free = [hex_ for hex_ in hexes if hex_ not in {one.hex for one in enemies}]
    friends = _units(rng, field, side, rng.randint(1, 5), free)
    about = friends, enemies
    zones = ZoneJudge(field, weather)
    dice = {word: Random(f"{seed} {word}") for word in ASKED}
    questions = {
        "sight": _of_sight(dice["sight"], field, weather, hexes),
        "zones": (_told(zones.rule(unit)) for unit in (*friends, *enemies)),
        "supply": _of_supply(dice["supply"], field, side, about, weather),
        "movement": _of_movement(dice["movement"], field, friends, enemies, weather),
        "fire": _of_fire(dice["fire"], field, side, enemies, weather),
        "stacks": _of_stacks(field, friends, weather),
        "guns": _of_guns(dice["guns"], field, side, about, weather),
    }
    for word in asked:
        yield from questions[word]


def _units(
    rng: Random, field: Battlefield, side: str, n: int, hexes: list[Hex]
) -> tuple[Standing, ...]:
    """Units of all classes in all states, with everything printed on them."""
    found = []
    nations = field.pack.sides[side].nationalities
    for number in range(n):
        class_ = rng.choice((*field.pack.classes, "headquarters", *field.pack.classes))
        printed = {"range": rng.randint(2, 9), "machine_guns": 1, "morale": rng.randint(1, 3)}
        name = f"{side}-{number}"
        unit = Unit(
            name, name, side, rng.choice(nations), class_=class_, faces=(Face(FRONT, printed),)
        )
        states = {word: 1 for word in STATES if rng.random() < 0.4 and word in field.pack.statuses}
        states["disorganization"] = rng.randint(0, 2)
        found.append(Standing(name, side, rng.choice(hexes), class_, unit, states))
    return tuple(found)


def _of_sight(rng: Random, field: Battlefield, weather: str | None, hexes: list[Hex]) -> Any:
    judge = SightJudge(field, weather)
    for _ in range(6):
        a, b = rng.sample(hexes, 2)
        yield _told(judge.rule(a, b))
    if rng.random() < 0.2:
        yield _told(judge.rule_field(rng.choice(hexes)))


def _of_supply(
    rng: Random,
    field: Battlefield,
    side: str,
    about: tuple[tuple[Standing, ...], tuple[Standing, ...]],
    weather: str | None,
) -> Any:
    held = {field.label(hex_): side for hex_ in field.ground.hexes if rng.random() < 0.2}
    for control in (None, held):
        judge = SupplyJudge(field, side, *about, weather=weather, control=control)
        yield from map(_told, judge.rule_side())
    for unit in about[0]:
        yield _told(judge.rule_unit(unit))
    held_by = {enemy.hex for enemy in about[1]}
    ring = [hex_ for one in held_by for hex_ in neighbours(one) if hex_ in field.ground.hexes]
    near = [hex_ for hex_ in dict.fromkeys(ring) if hex_ not in held_by][::2]
    beside = tuple(Standing(f"n{n}", side, hex_, "infantry") for n, hex_ in enumerate(near))
    yield from map(_told, judge.with_units(beside, about[1]).rule_side())
    yield from _of_headquarters(rng, judge)


def _of_headquarters(rng: Random, judge: SupplyJudge) -> Any:
    """Ask for headquarters near the sources, with a gun about that is ready to fire."""
    field, side = judge.field, judge.side
    hexes = sorted(field.ground.hexes)
    for source, _ in judge.ground.sources:
        about = [hex_ for hex_ in hexes if distance(hex_, source) <= 3]
        here, there = rng.choice(about), rng.choice(about)
        class_ = rng.choice([word for word in field.pack.classes if "artillery" in word])
        printed = Face(FRONT, {"range": rng.randint(3, 6)})
        theirs = other_side(field.pack, side)
        gun = Unit("gun", "gun", theirs, class_=class_, faces=(printed,))
        enemy = Standing("gun", theirs, there, class_, gun, {"fire_mode": 1})
        nation = rng.choice(field.pack.sides[side].nationalities)
        unit = Unit("hq", "hq", side, nation, class_="headquarters")
        taken = Standing("there", theirs, source, "infantry")
        near = [hex_ for hex_ in hexes if are_neighbours(hex_, source)]
        yield from map(_told, judge.with_units((), (taken,)).rule_each(near))
        under = judge.with_units((), (enemy,))
        yield _told(under.rule_unit(Standing("hq", side, here, "headquarters", unit)))


def _of_movement(
    rng: Random,
    field: Battlefield,
    friends: tuple[Standing, ...],
    enemies: tuple[Standing, ...],
    weather: str | None,
) -> Any:
    if field.pack.movement is None:
        return
    hexes = sorted(field.ground.hexes)
    for number, unit in enumerate(friends):
        beside = [hex_ for hex_ in hexes if are_neighbours(hex_, enemies[0].hex)]
        here = rng.choice(beside) if number % 2 else unit.hex
        unit = replace(unit, hex=here)  # noqa: PLW2901 - the same unit, at the front
        class_ = rng.choice(tuple(field.pack.classes))
        others = (*friends, Standing("companion", unit.side, here, class_))
        calm = replace(unit, statuses={})
        for mover in (unit, calm, calm):
            usual, *others_ = field.pack.movement.modes
            mode = rng.choice((usual, usual, *others_))
            points = rng.randint(3, 6)
            judge = MovementJudge(field, mover, points, mode, others, enemies, weather)
            yield _tried(judge, rng.choice(hexes))


def _of_fire(
    rng: Random, field: Battlefield, side: str, enemies: tuple[Standing, ...], weather: str | None
) -> Any:
    """Ask for the fire that short walks about the enemies draw."""
    for enemy in enemies:
        near = [hex_ for hex_ in neighbours(enemy.hex) if hex_ in field.ground.hexes]
        for one, other in combinations(near, 2):
            if are_neighbours(one, other):
                yield drawn_fire(field, side, (one, other), enemies, weather)


def _of_stacks(field: Battlefield, units: tuple[Standing, ...], weather: str | None) -> Any:
    """Ask for the stack that all would make in each of some hexes, the highest among them."""
    hexes = sorted(field.ground.hexes, key=lambda hex_: field.ground[hex_].level or 0)
    for hex_ in (*hexes[:2], *hexes[-2:]):
        stack = tuple(replace(unit, hex=hex_) for unit in units)
        yield _told(StackingJudge(field, stack, weather).rule(hex_))


def _of_guns(
    rng: Random,
    field: Battlefield,
    side: str,
    about: tuple[tuple[Standing, ...], tuple[Standing, ...]],
    weather: str | None,
) -> Any:
    rules = field.pack.sight.observers if field.pack.sight else None
    if rules is None:
        return
    hexes = sorted(field.ground.hexes)
    kinds = ("", *sorted({*FIRES} & {*rules.without_command, *rules.unseen}))
    for fire in kinds:
        here = rng.choice((None, rng.choice(hexes), rng.choice(hexes)))
        reach = None if here is None else rng.randint(1, 5)
        judge = ObserverJudge(field, side, *about, here, reach, weather, fire)
        target = rng.choice((rng.choice(hexes), *(enemy.hex for enemy in about[1])))
        yield _told(judge.rule(target))
        guns = field.pack.sight.fire.guns if field.pack.sight and field.pack.sight.fire else ()
        for gun in [unit for unit in about[0] if unit.class_ in guns][:2]:
            yield _told(FireLineJudge(field, judge).rule(gun, rng.choice([target, target, *hexes])))


def _tried(judge: MovementJudge, to: Hex | None) -> Any:
    try:
        return _told(judge.rule(to))
    except MapkitError as error:
        return str(error)


def _told(ruling: Ruling) -> Any:
    return ruling.verdict, ruling.working, ruling.reasons, ruling.missing, ruling.cites
