"""The supply of many units at once against one by one: same lines, same culprits."""

from collections import Counter
from random import Random

from mapkit.bitboards import indexes
from rules.judges.supply import SupplyJudge
from rules.pack import Pack
from rules.standing import Standing
from tests.rules.judges.positions import Scene, random_scene
from tests.rules.judges.test_against_slow_rules import each_pack, how_often

FEW = 2  # culprits named for a whole side


def units_of(scene: Scene) -> tuple[Standing, ...]:
    held = {enemy.hex for enemy in scene.enemies}
    free = [hex_ for hex_ in scene.field.ground.hexes if hex_ not in held]
    return tuple(Standing(f"u{n}", scene.side, hex_, "infantry") for n, hex_ in enumerate(free))


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
        for unit, one, other in zip(units, together, alone, strict=True):
            told = f"seed {seed}, {scene.field.label(unit.hex)}"
            assert one.verdict == other.verdict, told
            assert one.working["path"] == other.working["path"], told
            size = max(map(len, other.working["culprits"]), default=0)
            if size <= FEW:
                assert one.working["culprits"] == other.working["culprits"], told
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
