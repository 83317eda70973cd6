"""How long rulings take on the alpine sample map: one of sight, one of supply, a whole side.

The whole side is judged at once and, beside it, unit by unit; both must say the same. Maps are
compiled before the clock starts, what a turn brings along (units, zones) is inside it. Times are
the best of some runs, and of the processor alone: other work on the machine does not count.
"""

import random
import time
from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path

from mapkit.hexes import Hex, distance
from mapkit.maps import load_map
from rules.battlefield import Battlefield, battlefield
from rules.judges.observers import ObserverJudge
from rules.judges.sight import SightJudge
from rules.judges.supply import SupplyJudge
from rules.judges.zones import ZoneJudge
from rules.project import Project
from rules.registry import find_pack
from rules.standing import Standing

UNITS = 150
ENEMIES = (4, 40, 150)
POCKET = 12  # units behind the enemy's front
PAIRS = 200


def main() -> None:
    """Print the table."""
    field = alpine()
    print(f"alpine sample map, {len(field.map.hexes)} hexes, Strafexpedition 1916")
    judge = SightJudge(field)
    pairs = lines(field)
    times = [best_ms(lambda a=a, b=b: judge.rule(a, b), 3) for a, b in pairs]
    times.sort()
    row("one ruling on sight, median of 200 lines", times[PAIRS // 2], "goal 2 ms")
    row("  the slowest of twenty", times[PAIRS * 19 // 20], "goal 2 ms")
    compiled = SupplyJudge(field, "it")
    compiled.rule(next(iter(field.map.hexes)))
    for count in ENEMIES:
        whole_side(field, compiled, count)
    friends, enemies = front(field, 40)
    target = enemies[0].hex
    watch = ObserverJudge(field, "it", friends, enemies, friends[0].hex, 5)
    row("all observers of one hex", best_ms(lambda: watch.rule(target), 3))
    zones = ZoneJudge(field)
    row("zones of 40 units, with their reasons", best_ms(lambda: [*map(zones.rule, enemies)], 5))


def whole_side(field: Battlefield, compiled: SupplyJudge, count: int) -> None:
    """Time all units of a side together and one by one, and check that both agree."""
    friends, enemies = front(field, count)
    together = compiled.with_units(friends, enemies).rule_side()
    judge = compiled.with_units(friends, enemies)
    alone = [judge.rule(unit.hex) for unit in friends]
    assert [one.verdict for one in together] == [one.verdict for one in alone]
    for one, other in zip(together, alone, strict=True):
        assert one.working["path"] == other.working["path"]
        assert not one.working["proven_smallest"] or (
            one.working["culprits"] == other.working["culprits"]
        )
    starved = sum(one.verdict != "in_supply" for one in together)
    fed = tuple(u for u, one in zip(friends, together, strict=True) if one.verdict == "in_supply")
    print(f"{UNITS} units, {count} enemies, {starved} without supply")
    quick = best_ms(lambda: compiled.with_units(friends, enemies).rule_side(fed), 10)
    slow = best_ms(lambda: one_by_one(compiled.with_units(friends, enemies), fed), 2)
    row("  units in supply, together", quick, "goal 20 ms for all")
    row("  one by one", slow, f"{slow / quick:.1f}×")
    quick = best_ms(lambda: compiled.with_units(friends, enemies).rule_side(), 5)
    slow = best_ms(lambda: one_by_one(compiled.with_units(friends, enemies), friends), 1)
    row("  all units, culprits named", quick, "goal 200 ms")
    row("  one by one", slow, f"{slow / quick:.1f}×")


def one_by_one(judge: SupplyJudge, units: tuple[Standing, ...]) -> None:
    """Ask for every unit alone."""
    for unit in units:
        judge.rule(unit.hex)


def alpine() -> Battlefield:
    """Return the alpine sample map in the words of a game."""
    with as_file(files("sample_maps") / "data" / "alpine.hexmap.json") as path:
        map_ = load_map(path)
    return battlefield(Project(Path(), "bench"), map_, find_pack("strafexpedition"))


def front(field: Battlefield, count: int) -> tuple[tuple[Standing, ...], tuple[Standing, ...]]:
    """Return two armies on both sides of a front, some of ours behind the enemy's."""
    dice = random.Random(1916)
    sources = SupplyJudge(field, "it").ground.sources
    ours = [hex_ for hex_, owner in sources if owner == "it"]
    theirs = [hex_ for hex_, owner in sources if owner == "ah"]

    def depth(hex_: Hex) -> int:
        return min(distance(hex_, one) for one in theirs) - min(distance(hex_, o) for o in ours)

    hexes = sorted(field.map.hexes)
    line = [hex_ for hex_ in hexes if -3 <= depth(hex_) < 0]
    behind = [hex_ for hex_ in hexes if 1 <= depth(hex_) <= 16]
    deep = dice.choice([hex_ for hex_ in hexes if -14 <= depth(hex_) <= -12])
    pocket = [hex_ for hex_ in hexes if distance(hex_, deep) <= 2][:POCKET]
    enemies = [hex_ for hex_ in dice.sample(line, len(line)) if hex_ not in pocket][:count]
    placed = [*dice.sample(behind, UNITS - len(pocket)), *pocket]
    return (
        tuple(Standing(f"it{n}", "it", hex_, "infantry") for n, hex_ in enumerate(placed)),
        tuple(Standing(f"ah{n}", "ah", hex_, "infantry") for n, hex_ in enumerate(enemies)),
    )


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


def row(what: str, took: float, note: str = "") -> None:
    """Print one line of the table."""
    print(f"{what:<44}{took:>10.2f} ms   {note}")


if __name__ == "__main__":
    main()
