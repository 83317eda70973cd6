"""Questions on one hex at a time: what lies there, and who stands there on which face."""

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

from counters.model import Face, Unit
from mapkit.hexes import Hex, neighbours
from rules.case_maps import CaseMap
from rules.combat.inputs import read_units
from rules.combat.losses import Blow, Occasion
from rules.described import described
from rules.judges.activation import Order, activation_cost
from rules.judges.command import CommandJudge
from rules.judges.losses import rule_losses
from rules.judges.movement import MovementJudge
from rules.judges.observers import ObserverJudge
from rules.judges.retreat import RetreatJudge
from rules.judges.sight import SightJudge
from rules.judges.stacking import StackingJudge
from rules.judges.supply import SupplyJudge
from rules.judges.zones import ZoneJudge
from rules.pack import Pack
from rules.positions.position import Position
from rules.positions.position_show import told_position
from rules.printed import allowance_of, range_of
from rules.spelt_units import spelt_units
from rules.standing import Standing
from tests.rules.judges.battery import with_chart
from tests.rules.whole_games.bare_ground import case_field
from tests.rules.whole_games.desk import tried
from tests.rules.whole_games.games import Game, scenarios_of
from tests.rules.whole_games.listings import Question
from tests.rules.whole_games.readers import made_unseen

HERE, THERE, BETWEEN = "1010", "1011", "1010/1011"
OUT = {"out_of_command": 1}
FACES = ("front", "reduced", "fire", "move")


def on_the_ground(game: Game) -> Iterator[Question]:
    """Yield questions on single hexes; *game* only tells which there are."""
    pack = game.pack
    for weather in pack.weather:
        yield _weather_told(weather)
    rules = pack.sight.observers if pack.sight else None
    for fire, case in product(("", *(rules.unseen if rules else ())), _things(pack)):
        yield _observed(fire, case)
    yield from (_observed(fire, CaseMap()) for fire in (rules.without_command if rules else ()))
    for weather, shown in product(pack.weather, (True, False)):
        yield _seen_high_up(weather, shown)
    yield from (_in_state(status) for status in pack.statuses)
    turned = [word for word, one in pack.statuses.items() if one.face]
    for class_, state in product(pack.classes, (*FACES, *turned)):
        yield _stacked_and_beaten(class_, state)
    for status, attacker in product((None, *pack.statuses), (True, False)):
        yield _fired_at(status, attacker)
    if pack.stacking and any(pool.raised for pool in pack.stacking.pools.values()):
        for word, class_, state in product(pack.terrain, pack.classes, (*FACES, *turned)):
            yield _beside(word, class_, state)
    for class_ in pack.classes:
        yield _hit(class_)
        yield from (_marched(class_, weather, mode) for weather, mode in _marches(pack))
        yield from (_zone(class_), _by_road(class_), _attached(class_))
    for link, (hexside, kind) in product(pack.links, pack.hexsides.items()):
        yield from (_over_water(link, hexside, one) for one in (None, *kind.crossed_by))
    for side in pack.sides.values():
        yield from (_whose(called) for called in (side.title, *side.codes))
        yield from (_described(nation) for nation in side.nationalities)
    for at, place in product(("1010", "1012", "0810"), ("1010", "1011", "0911")):
        for class_ in ("infantry", "headquarters"):
            yield _headquarters(at, place, class_, narrow=at != "0810" and place != "0911")
    yield _printed


def _things(pack: Pack) -> Iterator[CaseMap]:
    """Yield maps with one thing each in the hex that is asked about."""
    yield from (CaseMap(hexes={HERE: f"{word} 1"}) for word in pack.terrain)
    yield from (CaseMap(hexes={HERE: f"clear 1 {word}:it"}) for word in pack.features)
    yield from (CaseMap(hexsides={word: (BETWEEN,)}) for word in pack.hexsides)
    yield from (CaseMap(links={word: (f"{HERE}-{THERE}",)}) for word in pack.links)


def _weather_told(weather: str) -> Question:
    def of(game: Game) -> Any:
        position = Position(game.pack.id, weather=weather)
        return told_position(position, scenarios_of(game), "hex")

    return of


def _seen_high_up(weather: str, shown: bool) -> Question:
    """Look about at a level that may be high mountain, on a map that shows some or none."""
    case = CaseMap(ground="clear 5", hexes={"1013": "high_mountain 9"} if shown else {})

    def of(game: Game) -> Any:
        field = case_field(game.pack, case, (HERE, "1012"))
        return tried(SightJudge(field, weather).rule, field.hex(HERE), field.hex("1012"))

    return of


def _in_state(status: str) -> Question:
    """Move a gun that is in some state."""

    def of(game: Game) -> Any:
        field = case_field(_charted(game), CaseMap(), (HERE,))
        side = next(iter(game.pack.sides))
        unit = Standing("u", side, field.hex(HERE), "heavy_artillery", None, {status: 1})
        found = []
        for mode in field.pack.movement.modes if field.pack.movement else ():
            judge = MovementJudge(field, unit, 3, mode, (unit,), ())
            found.append(tried(judge.rule, None))
        return found

    return of


def _charted(game: Game) -> Pack:
    """Return a pack with a made-up chart, and the level of high mountain where it has none."""

    def make() -> Pack:
        pack = with_chart(game.pack)
        if pack.levels is None or pack.levels.high_mountain is not None:
            return pack
        levels = pack.levels.model_copy(update={"high_mountain": 9})
        return pack.model_copy(update={"levels": levels})

    found: Pack = made_unseen(("pack",), make)
    return found


def _observed(fire: str, case: CaseMap) -> Question:
    def of(game: Game) -> Any:
        pack = game.pack
        field = case_field(pack, case, (HERE, THERE))
        found = []
        for side in pack.sides:
            judge = ObserverJudge(field, side, fire=fire)
            found.append(tried(judge.rule, field.hex(HERE)))
            for class_, states in (("infantry", {}), ("infantry", OUT), ("heavy_artillery", {})):
                friend = Standing("u", side, field.hex(HERE), class_, None, states)
                judge = ObserverJudge(field, side, (friend,), (), field.hex(HERE), 3, None, fire)
                found.append(tried(judge.rule, field.hex("1012")))
        return found

    return of


def _stacked_and_beaten(class_: str, state: str) -> Question:
    """Stack two others on a unit whose counter lies on a face or is in a state, and beat it."""

    def of(game: Game) -> Any:
        field = case_field(game.pack, CaseMap(), (HERE, THERE))
        side, other = tuple(game.pack.sides)
        hex_ = field.hex(HERE)
        face = state if state in FACES else FACES[0]
        unit = Unit("u", "1/I", side, class_=class_, echelon="battalion", faces=(Face(face),))
        states = {} if state in FACES else {state: 1}
        named = Standing("u", side, hex_, class_, None if states else unit, states, face)
        others = tuple(Standing(f"o{n}", side, hex_, "infantry") for n in (1, 2))
        enemy = Standing("e", other, field.hex(THERE), "infantry")
        beaten = RetreatJudge(field, named, (enemy.hex,), (), (enemy,), None, ())
        return [
            tried(StackingJudge(field, (named, *others), None).rule, hex_),
            tried(StackingJudge(field, (named, named), None).rule, hex_),
            tried(beaten.rule),
        ]

    return of


def _beside(word: str, class_: str, state: str) -> Question:
    """Stack so many on some ground as it holds, and one more, beside a unit in some state."""
    case = CaseMap(hexes={HERE: f"{word} 1"})

    def of(game: Game) -> Any:
        field = case_field(game.pack, case, (HERE, THERE, "1012"))
        side = tuple(game.pack.sides)[-1]
        face = state if state in FACES else FACES[0]
        counter = Unit("u", "u", side, class_=class_, faces=(Face(face),))
        states = {} if state in FACES else {state: 1}
        found = []
        for place, n in product((THERE, "1012"), (3, 4, 5)):
            unit = Standing("u", side, field.hex(place), class_, counter, states, face)
            stack = [Standing(f"o{at}", side, field.hex(HERE), "infantry") for at in range(n)]
            found.append(tried(StackingJudge(field, (unit, *stack), None).rule, field.hex(HERE)))
        return found

    return of


def _fired_at(status: str | None, attacker: bool) -> Question:
    """Throw a unit back, with enemies in a state all about it."""

    def of(game: Game) -> Any:
        field = case_field(game.pack, CaseMap(), (HERE, THERE))
        side, other = tuple(game.pack.sides)
        hex_, origin = field.hex(HERE), field.hex(THERE)
        guns = Unit("e", "E", other, class_="infantry", faces=(Face("front", {"machine_guns": 2}),))
        states = {} if status is None else {status: 1}
        about = sorted(set(neighbours(hex_)) & set(neighbours(origin)))
        enemies = tuple(
            Standing(f"e{n}", other, one, "infantry", guns, states) for n, one in enumerate(about)
        )
        beaten = Standing("u", side, hex_, "infantry")
        judge = RetreatJudge(field, beaten, (origin,), (), enemies, None, ())
        return tried(judge.rule_attacker, origin) if attacker else tried(judge.rule)

    return of


def _hit(class_: str) -> Question:
    """Take a step from a unit of which only its class is told."""

    def of(game: Game) -> Any:
        rule = partial(rule_losses, occasion=Occasion(next(iter(game.pack.combat))))
        found = []
        for told in (f"a:class={class_},morale=3", f"a:class={class_}"):
            units = partial(read_units, game.pack, [told])
            found.append(tried(lambda units=units: rule(game.pack, units(), Blow(1, 0, False))))
        return found

    return of


def _marches(pack: Pack) -> Iterator[tuple[str | None, str]]:
    """Yield every weather, and every mode of movement."""
    modes = list(pack.movement.modes) if pack.movement else []
    yield from ((None, mode) for mode in modes)
    changing = [word for word, one in pack.weather.items() if one.moves or one.together]
    yield from product(changing, modes[:2])


def _marched(class_: str, weather: str | None, mode: str) -> Question:
    """Move over mountains and past an enemy, by a made-up chart."""
    case = CaseMap(hexes={THERE: "high_mountain 9", "1012": "clear 9"})

    def of(game: Game) -> Any:
        pack = _charted(game)
        field = case_field(pack, case, (HERE, "1012", "1013"), nothing_else=True)
        side, other = tuple(pack.sides)
        unit = Standing("u", side, field.hex(HERE), class_)
        enemy = Standing("e", other, field.hex("1013"), "infantry")
        judge = MovementJudge(field, unit, 6, mode, (unit,), (enemy,), weather)
        return tried(judge.rule, None)

    return of


def _over_water(link: str, hexside: str, crossing: str | None) -> Question:
    """Move, trace supply and exert a zone along a link over a hexside."""
    drawn = {hexside: (BETWEEN,)} | ({crossing: (BETWEEN,)} if crossing else {})

    def of(game: Game) -> Any:
        pack = _charted(game)
        ours = next(iter(pack.sides))
        source = {THERE: f"clear 1 supply_source:{ours}"}
        case = CaseMap(links={link: (f"{HERE}-{THERE}",)}, hexes=source, hexsides=drawn)
        field = case_field(pack, case, (HERE, THERE), nothing_else=True)
        here, there = field.hex(HERE), field.hex(THERE)
        unit = Standing("u", ours, here, "infantry")
        judge = MovementJudge(field, unit, 6, "", (unit,), ())
        return [
            tried(SupplyJudge(field, ours, (), ()).rule, here),
            tried(judge.rule, there),
            tried(ZoneJudge(field, None).rule, unit),
        ]

    return of


def _zone(class_: str) -> Question:
    def of(game: Game) -> Any:
        case = CaseMap(hexsides={"crags": (BETWEEN,)})
        field = case_field(game.pack, case, (HERE, THERE), nothing_else=True)
        unit = Standing("u", next(iter(game.pack.sides)), field.hex(HERE), class_)
        return tried(ZoneJudge(field, None).rule, unit)

    return of


def _by_road(class_: str) -> Question:
    """Move along a road through a hex where two of a class stand."""
    case = CaseMap(links={"road": (f"{HERE}-{THERE}-1012",)})

    def of(game: Game) -> Any:
        pack = _charted(game)
        field = case_field(pack, case, (HERE, THERE, "1012"), nothing_else=True)
        side = next(iter(pack.sides))
        unit = Standing("u", side, field.hex(HERE), "infantry")
        others = tuple(Standing(f"o{n}", side, field.hex(THERE), class_) for n in (1, 2))
        judge = MovementJudge(field, unit, 6, "", (unit, *others), ())
        return tried(judge.rule, field.hex("1012"))

    return of


def _attached(class_: str) -> Question:
    """Attach three units of a class to a formation."""

    def of(game: Game) -> Any:
        found = []
        for side in game.pack.sides:
            units = spelt_units(game.pack, side, Hex(0, 0), [class_] * 3)
            for order in (
                Order(side, 0, "planned", 5, None, 4, units),
                Order(side, 0, "planned", 5, None, 4, of_others=units),
            ):
                found.append(tried(activation_cost, game.pack, order))
        return found

    return of


def _headquarters(at: str, place: str, class_: str, narrow: bool) -> Question:
    """Place a headquarters in an enemy zone, with an enemy, off every line of supply."""

    def of(game: Game) -> Any:
        ours, theirs = tuple(game.pack.sides)
        source = {"1013": f"clear 1 supply_source:{ours}"}
        case = CaseMap(links={"road": ("1010-1011-1012-1013",)}, hexes=source)
        named = ("1010", "1011", "1012", "1013", at, place)
        field = case_field(game.pack, case, named, nothing_else=narrow)
        own = [field.hex("1012")]
        friends = (Standing("u", ours, own[0], "infantry"),)
        enemies = (Standing("e", theirs, field.hex(place), class_),)
        supply = SupplyJudge(field, ours, friends, enemies)
        found = []
        for length in (4, None):
            judge = CommandJudge(field, ours, field.hex(at), length, friends, enemies, None)
            found.append(tried(judge.rule_placement, own, supply))
            found.append(tried(judge.rule, own[0]))
        return found

    return of


def _whose(called: str) -> Question:
    """Say whose something is in other words, as commands and maps do."""
    return lambda game: game.pack.side(called)


def _described(nation: str) -> Question:
    """Describe a unit by its nationality, as commands take it."""

    def of(game: Game) -> Any:
        field = case_field(game.pack, CaseMap(), (HERE,))
        return described(field, next(iter(game.pack.sides)), HERE, "infantry", nationality=nation)

    return of


def _printed(game: Game) -> Any:
    """What a counter prints that says everything: its movement and its command."""
    field = case_field(game.pack, CaseMap(), (HERE,))
    values = {"movement": 4, "command_range": 3}
    unit = Unit("u", "U", next(iter(game.pack.sides)), faces=(Face("front", values),))
    one = Standing("u", unit.side, field.hex(HERE), "infantry", unit)
    return allowance_of(game.pack, one), range_of(game.pack, one)
