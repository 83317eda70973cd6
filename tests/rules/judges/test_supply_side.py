"""The supply of many units at once and one by one, against traces made one by one.

Culprits are held against removing every enemy, and every two of them, in turn.
"""

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from random import Random

from mapkit.bitboards import indexes
from mapkit.traces import Blockade, Trace, open_hexes, trace_each
from mapkit.traces.culprits import MOST_LISTED
from rules.battlefield import Battlefield
from rules.judges.supply import SupplyJudge
from rules.judges.supply_cuts import SideCuts
from rules.pack import Pack
from rules.standing import Standing
from tests.rules.judges.positions import Scene, random_scene
from tests.rules.judges.test_against_slow_rules import each_pack, how_often

FEW = 2  # culprits named for a whole side

Sets = tuple[tuple[str, ...], ...]


def units_of(scene: Scene) -> tuple[Standing, ...]:
    held = {enemy.hex for enemy in scene.enemies}
    free = [hex_ for hex_ in scene.field.ground.hexes if hex_ not in held]
    return tuple(Standing(f"u{n}", scene.side, hex_, "infantry") for n, hex_ in enumerate(free))


def path_of(trace: Trace, field: Battlefield) -> list[dict[str, str | int]]:
    """Return the path as a ruling tells it."""
    if trace.path is None:
        return []
    return [
        {"hex": field.label(step.hex), "leg": step.leg, "cost": step.leg_hexes}
        for step in trace.path.steps
    ]


def proven(trace: Trace) -> bool:
    return trace.culprits is not None and trace.culprits.proven_smallest


@each_pack
@how_often
def test_a_side_is_judged_as_its_units_one_by_one(pack: Pack, times: int) -> None:
    drawn: Counter[str] = Counter()
    for seed in range(80 * times):
        scene = random_scene(Random(seed), pack, spelt_out=False)
        units = units_of(scene)
        judge = SupplyJudge(
            scene.field, scene.side, scene.friends, scene.enemies, weather=scene.weather
        )
        together = judge.rule_side(units)
        alone = judge.rule_each([unit.hex for unit in units])
        traces = trace_each(judge.blockade, [unit.hex for unit in units], judge.sources)
        for unit, one, other in zip(units, together, alone, strict=True):
            told = f"seed {seed}, {scene.field.label(unit.hex)}"
            trace = traces[unit.hex]
            assert one.verdict == other.verdict, told
            assert (one.verdict == "in_supply") == trace.is_open, told
            assert one.working["path"] == other.working["path"] == path_of(trace, scene.field), told
            named = [list(names) for names in trace.culprits or ()]
            assert other.working["culprits"] == named, told
            assert other.working["proven_smallest"] == (not named or proven(trace)), told
            size = max(map(len, named), default=0)
            if size <= FEW:
                assert one.working["culprits"] == named, told
                assert one.working["proven_smallest"], told
            else:
                assert not one.working["culprits"], told
                assert not one.working["proven_smallest"], told
            drawn[one.verdict if one.verdict == "in_supply" else f"{size} to blame"] += 1
    total = drawn.total()
    assert min(drawn["in_supply"], total - drawn["in_supply"]) >= 0.2 * total, drawn
    assert min(drawn[f"{size} to blame"] for size in (0, 1, 2, 3)) >= 5, drawn


@each_pack
def test_another_moment_on_the_same_map(pack: Pack) -> None:
    scene = random_scene(Random(7), pack)
    bare = SupplyJudge(scene.field, scene.side, weather=scene.weather)
    later = bare.with_units(scene.friends, scene.enemies)
    anew = SupplyJudge(scene.field, scene.side, scene.friends, scene.enemies, weather=scene.weather)
    assert later.ground is bare.ground
    assert later.rule_side(units_of(scene)) == anew.rule_side(units_of(scene))
    assert list(indexes(later.sources)) == list(indexes(anew.sources))


@each_pack
def test_without_units_to_ask_about_the_friends_are_meant(pack: Pack) -> None:
    scene = random_scene(Random(3), pack)
    judge = SupplyJudge(scene.field, scene.side, scene.friends, scene.enemies)
    assert len(judge.rule_side()) == len(scene.friends)
    assert judge.rule_side(()) == ()


@each_pack
def test_culprits_of_a_side_are_all_sets_whose_removal_helps(pack: Pack) -> None:
    drawn: Counter[str] = Counter()
    for seed in range(60):
        scene = random_scene(Random(seed), pack, spelt_out=False)
        judge = SupplyJudge(scene.field, scene.side, scene.friends, scene.enemies)
        blockade, sources = judge.blockade, judge.sources
        starved = list(indexes(scene.field.board.everything & ~open_hexes(blockade, sources)))
        cuts = SideCuts(blockade, sources)
        # Of all at once, and of some after others: what is remembered must not mislead.
        found = [cuts.by_few(starved), cuts.by_few(starved[::3]), cuts.by_few(starved[:1])]
        every = every_cut(blockade, sources)
        for answer, asked in zip(found, (starved, starved[::3], starved[:1]), strict=True):
            for index in asked:
                sets = every(index)
                drawn[str(sets and len(sets[0]))] += 1
                culprits = answer.get(index)
                if sets is None:
                    assert culprits is None, (seed, index)
                    assert index in answer, (seed, index)
                elif not sets:
                    assert index not in answer, (seed, index)
                else:
                    assert culprits is not None, (seed, index)
                    assert culprits.sets == sets[:MOST_LISTED], (seed, index)
                    assert culprits.more == (len(sets) > MOST_LISTED), (seed, index)
    assert min(drawn[size] for size in ("None", "()", "1", "2")) >= 20, drawn


def every_cut(blockade: Blockade, sources: int) -> Callable[[int], Sets | None]:
    """Return the question which sets feed a hex: None if none does, empty if more than two."""
    numbers = range(len(blockade.obstacles))
    ids = [obstacle.id for obstacle in blockade.obstacles]
    fed = {
        which: open_hexes(blockade, sources, removed=sum(1 << number for number in which))
        for size in (1, FEW, len(ids))
        for which in combinations(numbers, size)
    }

    def sets(index: int) -> Sets | None:
        if not fed[tuple(numbers)] >> index & 1:
            return None
        for size in (1, FEW):
            helps = [which for which in fed if len(which) == size and fed[which] >> index & 1]
            if helps:
                return tuple(tuple(ids[n] for n in which) for which in helps)
        return ()

    return sets
