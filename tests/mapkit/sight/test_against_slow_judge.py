"""Sight, the table of all pairs and fields of view, held against a judge that shares no code."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings

from mapkit.hexes import Hex, Vertex
from mapkit.model import HexMap
from mapkit.sight import (
    Obstacle,
    Reach,
    SideObstacle,
    SightGround,
    SightPolicy,
    sight,
    sight_table,
    when,
)
from mapkit.sight.comparisons import COUNTS, HEIGHTS
from mapkit.sight.fields import field_of_view
from tests.boards import board
from tests.mapkit.sight.policies import policies, random_policy, unplaced_policy
from tests.mapkit.sight.slow_judge import slow_sight
from tests.mapkit.sight.small_maps import random_map, small_maps

VERDICTS = ("clear", "blocked", "out_of_range", "unknown")
SHARE = 0.08  # of each verdict, at least: a judge who always says "clear" must not pass


def cases(numbers: range) -> Iterator[tuple[int, HexMap, SightPolicy]]:
    """Yield random maps with random policies, the same ones for the same numbers.

    Every third policy asks for nothing that depends on where on a line an obstacle stands:
    fields of view have a faster way for those.
    """
    for number in numbers:
        dice = Random(number)
        make = random_policy if number % 3 else unplaced_policy
        yield number, random_map(dice), make(dice)


def pairs(map_: HexMap) -> list[tuple[Hex, Hex]]:
    return [(a, b) for a in map_.hexes for b in map_.hexes]


def verdicts_agreed(map_: HexMap, policy: SightPolicy) -> Counter[str]:
    """Hold every line of a map against the slow judge; return how often each verdict came."""
    ground, verdicts = SightGround(map_, policy), Counter[str]()
    for a, b in pairs(map_):
        seen, judged = sight(ground, a, b), slow_sight(map_, a, b, policy)
        case = f"{a} to {b} on {map_.hexes}, {map_.hexsides} by {policy}"
        assert seen.verdict == judged.verdict, case
        assert seen.hindrance == judged.hindrance[0], case
        blocked_by = {passed.at for passed in seen.passed if passed.shut}
        # What is shut at a vertex has no place of its own to name.
        assert bool(blocked_by) == bool(judged.blockers), case
        assert {place for place in judged.blockers if not isinstance(place, Vertex)} <= blocked_by
        assert {place for place in blocked_by if isinstance(place, Hex)} <= judged.blockers, case
        verdicts[seen.verdict] += 1
    return verdicts


def assert_all_verdicts_came(verdicts: Counter[str]) -> None:
    shares = {verdict: verdicts[verdict] / verdicts.total() for verdict in VERDICTS}
    assert min(shares.values()) >= SHARE, shares


def assert_table_agrees(map_: HexMap, policy: SightPolicy) -> None:
    ground, table = SightGround(map_, policy), sight_table(map_, policy)
    for a, b in pairs(map_):
        verdict = sight(ground, a, b).verdict
        assert table.sees(a, b) == (verdict == "clear"), (a, b, policy)
        assert table.may_see(a, b) == (verdict in ("clear", "unknown")), (a, b, policy)


def assert_fields_agree(map_: HexMap, policy: SightPolicy) -> None:
    ground = SightGround(map_, policy)
    for a in map_.hexes:
        field = field_of_view(map_, a, policy)
        verdicts = {b: sight(ground, a, b).verdict for b in map_.hexes}
        assert len(field.clear) == len(set(field.clear)), a
        assert set(field.clear) == {b for b, said in verdicts.items() if said == "clear"}, a
        assert set(field.unknown) == {b for b, said in verdicts.items() if said == "unknown"}, a


def test_sight_agrees_with_the_slow_judge():
    verdicts = Counter[str]()
    for _, map_, policy in cases(range(100)):
        verdicts += verdicts_agreed(map_, policy)
    assert verdicts.total() > 8_000
    assert_all_verdicts_came(verdicts)


@settings(max_examples=25)
@given(small_maps, policies)
def test_sight_agrees_with_the_slow_judge_on_new_cases(map_, policy):
    verdicts_agreed(map_, policy)


def test_a_table_agrees_with_single_lines():
    for _, map_, policy in cases(range(2000, 2030)):
        assert_table_agrees(map_, policy)


def test_fields_of_view_agree_with_single_lines():
    for _, map_, policy in cases(range(3000, 3060)):
        assert_fields_agree(map_, policy)


def test_the_random_cases_use_the_whole_language():
    made = [policy for _, _, policy in cases(range(300))]
    rules = [rule for policy in made for rule in (*policy.obstacles, *policy.sides)]
    words = {word for rule in rules for said in rule.when for word in said.quantities}
    assert words == {*HEIGHTS, *COUNTS}
    assert {said.operator for rule in rules for said in rule.when} == {*"><=", ">=", "<=", "!="}
    alike = sum(policy.blocks_alike_both_ways for policy in made)
    assert 0.2 < alike / len(made) < 0.8
    for name in ("obstacles", "sides", "ends", "borrowed", "hindrance_blocks"):
        assert {bool(getattr(policy, name)) for policy in made} == {True, False}, name


# Cases that random ones rarely hold.


def test_a_table_of_a_map_on_which_nobody_surely_sees_so_far():
    map_ = board(".3 .1 . .1 .1")
    higher = Obstacle("higher", when("top > higher_end"))
    assert_table_agrees(map_, SightPolicy((higher,), reach=Reach(1, per_level=1)))


def test_a_hindrance_that_counts_twice_from_one_end_only():
    above_observer, above_target = when("top > observer"), when("top > target")
    policy = SightPolicy(
        (
            Obstacle("one", above_observer, hinders=1),
            Obstacle("two", above_observer, hinders=1),
            Obstacle("three", above_target, hinders=1),
        ),
        hindrance_blocks=2,
    )
    map_ = board(".0 .1 .2", layout="pointy")
    verdicts_agreed(map_, policy)
    assert_table_agrees(map_, policy)


def test_a_hindrance_said_twice_counts_twice():
    wall = SideObstacle("wall", frozenset({"wall"}), hinders=1)
    policy = SightPolicy(sides=(wall, wall), hindrance_blocks=3)
    map_ = board(".0 .0 .0", layout="pointy", hexsides={"wall": "0101/0201"})
    verdicts_agreed(map_, policy)
    assert_table_agrees(map_, policy)


@pytest.mark.slow
def test_all_three_agree_on_many_more_cases():
    verdicts = Counter[str]()
    for number, map_, policy in cases(range(10_000, 10_080)):
        verdicts += verdicts_agreed(map_, policy)
        assert_fields_agree(map_, policy)
        if number % 4 == 0:
            assert_table_agrees(map_, policy)
    assert_all_verdicts_came(verdicts)
