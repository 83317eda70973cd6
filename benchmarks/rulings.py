"""How long rulings take on the alpine sample map: one of each kind, and the supply of a side.

The side is judged at once and, beside it, every unit is traced by itself; both must say the same.
Maps are compiled before the clock starts, what a turn brings along (units, zones) is inside it.
Times are the best of some runs, of the processor alone: other work on the machine does not count.
Of single rulings the wall clock is told too.
"""

import random
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from counters.model import Face, Unit
from mapkit.hexes import Hex, distance, neighbours
from mapkit.maps import load_map
from mapkit.traces import trace
from rules.battlefield import Battlefield, battlefield
from rules.judges.command import CommandJudge
from rules.judges.movement import MovementJudge
from rules.judges.observers import ObserverJudge
from rules.judges.retreat import RetreatJudge
from rules.judges.sight import SightJudge
from rules.judges.stacking import StackingJudge
from rules.judges.supply import SupplyJudge
from rules.judges.zones import ZoneJudge
from rules.project import Project
from rules.registry import find_pack
from rules.standing import FRONT, Standing

UNITS = 150
ENEMIES = (4, 40, 150)
POCKET = 12  # units behind the enemy's front
PAIRS = 200
FEW = 2  # culprits named for a whole side
ALLOWANCE = 6  # movement points, and the range of a headquarters

Armies = tuple[tuple[Standing, ...], tuple[Standing, ...]]


def main() -> None:
    """Print the tables."""
    field = alpine()
    print(f"alpine sample map, {len(field.map.hexes)} hexes, Strafexpedition 1916")
    compiled = SupplyJudge(field, "it")
    compiled.rule(next(iter(field.map.hexes)))
    kinds(field, compiled)
    for count in ENEMIES:
        whole_side(compiled, front(field, count))
    whole_side(compiled, cut_off(field))
    friends, enemies = front(field, 40)
    target = enemies[0].hex
    watch = ObserverJudge(field, "it", friends, enemies, friends[0].hex, 5)
    row("all observers of one hex", best_ms(lambda: watch.rule(target), 3))


def kinds(field: Battlefield, compiled: SupplyJudge) -> None:
    """Time single rulings of every kind, with 300 units about; each judge is asked many times."""
    friends, enemies = front(field, UNITS)
    at_large = cut_off(field)
    hexes = [unit.hex for unit in friends]
    supply, starving = compiled.with_units(friends, enemies), compiled.with_units(*at_large)
    stacks = StackingJudge(field, friends + enemies)
    sight, zones, chart = SightJudge(field), ZoneJudge(field), with_chart(field)
    command = CommandJudge(chart, "it", friends[0].hex, ALLOWANCE, friends, enemies)
    few = [
        unit.hex
        for unit, ruling in zip(at_large[0], starving.rule_side(), strict=True)
        if ruling.working["culprits"]
    ]
    guns = supply.with_units(friends, (*armed(field, enemies[:20]), *enemies[20:]))
    first = field.pack.sides["it"].nationalities[0]
    staff = Unit("hq", "hq", "it", first, class_="headquarters")

    def reach(unit: Standing) -> object:
        return MovementJudge(chart, unit, ALLOWANCE, friends=friends, enemies=enemies).rule()

    def retreat(unit: Standing) -> object:
        origins = tuple(hex_ for hex_ in neighbours(unit.hex) if hex_ in field.map)[:1]
        return RetreatJudge(chart, unit, origins, friends, enemies).rule()

    about = f"one ruling, {len(friends) + len(enemies)} units about"
    print(f"{about:<42}{'p50':>9}{'p95':>9}{'p95 wall':>10}")
    spread("sight", lambda pair: sight.rule(*pair), lines(field))
    spread("supply of one hex", supply.rule, hexes)
    spread(f"  of {len(few)} that one or two enemies cut", starving.rule, few)
    spread(
        "  of headquarters, 20 guns about",
        lambda hex_: guns.rule_unit(Standing("hq", "it", hex_, "headquarters", staff)),
        hexes[:60],
    )
    spread("zone of a unit", zones.rule, enemies)
    spread("stack", stacks.rule, hexes)
    spread("command", command.rule, hexes)
    spread("reach, the network shared", reach, friends[:12])
    spread("retreat", retreat, friends[:40])


def whole_side(compiled: SupplyJudge, armies: Armies) -> None:
    """Time all units of a side together and one by one, and check that both agree."""
    friends, enemies = armies
    together = compiled.with_units(friends, enemies).rule_side()
    judge = compiled.with_units(friends, enemies)
    for unit, ruling in zip(friends, together, strict=True):
        alone = trace(judge.blockade, unit.hex, judge.sources)
        assert (ruling.verdict == "in_supply") == alone.is_open
        path = [judge.field.label(hex_) for hex_ in alone.path.hexes] if alone.path else []
        assert [step["hex"] for step in ruling.working["path"]] == path
        culprits = alone.culprits
        if culprits is not None and culprits.size <= FEW and not culprits.more:
            assert ruling.working["culprits"] == [list(names) for names in culprits]
    fed = tuple(u for u, one in zip(friends, together, strict=True) if one.verdict == "in_supply")
    few = sum(bool(one.working["culprits"]) for one in together)
    print(
        f"{len(friends)} units, {len(enemies)} enemies, {len(friends) - len(fed)} without supply, "
        f"{few} of them for one or two enemies"
    )
    beside("  units in supply, together", compiled, armies, fed, "goal 20 ms for all")
    beside("  all units, culprits named", compiled, armies, friends, "goal 200 ms")


def beside(
    what: str, compiled: SupplyJudge, armies: Armies, units: tuple[Standing, ...], goal: str
) -> None:
    """Time some units together, and one by one beside it."""
    quick = best_ms(lambda: compiled.with_units(*armies).rule_side(units), 5)
    slow = best_ms(lambda: one_by_one(compiled.with_units(*armies), units), 1)
    row(what, quick, goal)
    row("  traces one by one", slow, f"{slow / quick:.1f}×")


def one_by_one(judge: SupplyJudge, units: tuple[Standing, ...]) -> None:
    """Trace every unit alone, with all culprits: no ruling is written."""
    for unit in units:
        trace(judge.blockade, unit.hex, judge.sources)


def alpine() -> Battlefield:
    """Return the alpine sample map in the words of a game."""
    with as_file(files("sample_maps") / "data" / "alpine.hexmap.json") as path:
        map_ = load_map(path)
    return battlefield(Project(Path(), "bench"), map_, find_pack("strafexpedition"))


def with_chart(field: Battlefield) -> Battlefield:
    """Return the field with an invented chart of movement costs, a point for everything."""
    pack = field.pack
    costs = dict.fromkeys(pack.classes, 1)
    update = {
        group: {
            word: kind.model_copy(update={"costs": costs})
            for word, kind in getattr(pack, group).items()
        }
        for group in ("terrain", "hexsides", "links")
    }
    return replace(field, pack=pack.model_copy(update=update))


def armed(field: Battlefield, units: Iterable[Standing]) -> tuple[Standing, ...]:
    """Return guns that are ready to fire where these units stand."""
    class_ = next(word for word in field.pack.classes if "artillery" in word)
    return tuple(
        replace(
            one,
            class_=class_,
            unit=Unit(
                one.name, one.name, one.side, class_=class_, faces=(Face(FRONT, {"range": 8}),)
            ),
            statuses={"fire_mode": 1},
        )
        for one in units
    )


def cut_off(field: Battlefield) -> Armies:
    """Return two armies of which ours stands scattered behind a thin belt of the enemy's."""
    dice = random.Random(1)
    hexes, depth = sorted(field.map.hexes), depths(field)
    enemies = dice.sample([hex_ for hex_ in hexes if -6 <= depth[hex_] < 0], 100)
    behind = [hex_ for hex_ in hexes if -14 <= depth[hex_] <= -4 and hex_ not in enemies]
    return army("it", dice.sample(behind, UNITS)), army("ah", enemies)


def front(field: Battlefield, count: int) -> Armies:
    """Return two armies on both sides of a front, some of ours behind the enemy's."""
    dice, depth = random.Random(1916), depths(field)
    hexes = sorted(field.map.hexes)
    line = [hex_ for hex_ in hexes if -3 <= depth[hex_] < 0]
    behind = [hex_ for hex_ in hexes if 1 <= depth[hex_] <= 16]
    deep = dice.choice([hex_ for hex_ in hexes if -14 <= depth[hex_] <= -12])
    pocket = [hex_ for hex_ in hexes if distance(hex_, deep) <= 2][:POCKET]
    enemies = [hex_ for hex_ in dice.sample(line, len(line)) if hex_ not in pocket][:count]
    placed = [*dice.sample(behind, UNITS - len(pocket)), *pocket]
    return army("it", placed), army("ah", enemies)


def army(side: str, hexes: Iterable[Hex]) -> tuple[Standing, ...]:
    """Return a unit of infantry in each of these hexes."""
    return tuple(Standing(f"{side}{n}", side, hex_, "infantry") for n, hex_ in enumerate(hexes))


def depths(field: Battlefield) -> dict[Hex, int]:
    """Return how much nearer each hex lies to our sources than to theirs."""
    sources = SupplyJudge(field, "it").ground.sources
    ours, theirs = ([hex_ for hex_, owner in sources if owner == side] for side in ("it", "ah"))
    return {
        hex_: min(distance(hex_, one) for one in theirs) - min(distance(hex_, one) for one in ours)
        for hex_ in field.map.hexes
    }


def lines(field: Battlefield) -> list[tuple[Hex, Hex]]:
    """Return lines of two to nine hexes, the same every time."""
    dice, hexes = random.Random(5), sorted(field.map.hexes)
    found: list[tuple[Hex, Hex]] = []
    while len(found) < PAIRS:
        a, b = dice.choice(hexes), dice.choice(hexes)
        if 2 <= distance(a, b) <= 9:
            found.append((a, b))
    return found


def best_ms(run: Callable[[], object], runs: int) -> float:
    """Return the best of some runs, the first left out."""
    run()
    times = []
    for _ in range(runs):
        start = time.process_time()
        run()
        times.append((time.process_time() - start) * 1000)
    return min(times)


def spread(what: str, rule: Callable[[Any], object], asked: Iterable[Any]) -> None:
    """Print the middle and the slowest of twenty of many rulings, each the best of three."""
    times, walls = [], []
    for one in asked:
        rule(one)
        runs = []
        for _ in range(3):
            start, wall = time.process_time(), time.perf_counter()
            rule(one)
            runs.append((time.process_time() - start, time.perf_counter() - wall))
        took, wall = map(min, zip(*runs, strict=True))
        times.append(took * 1000)
        walls.append(wall * 1000)
    times.sort()
    walls.sort()
    late = len(times) * 19 // 20
    print(f"  {what:<40}{times[len(times) // 2]:>9.2f}{times[late]:>9.2f}{walls[late]:>10.2f} ms")


def row(what: str, took: float, note: str = "") -> None:
    """Print one line of the table."""
    print(f"{what:<44}{took:>10.2f} ms   {note}")


if __name__ == "__main__":
    main()
