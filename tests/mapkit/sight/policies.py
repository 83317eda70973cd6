"""Random rules of sight: every field of a policy and every word of the comparisons.

Made by throwing dice, like `small_maps`.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import TypeVar

from hypothesis import strategies as st

from mapkit.sight.comparisons import COUNTS, HEIGHTS, Comparison, Height
from mapkit.sight.policy import (
    BorrowedLevel,
    EndHeight,
    Obstacle,
    RangeLimit,
    Reach,
    SideObstacle,
    SightPolicy,
)
from tests.mapkit.sight.small_maps import GROUND, LEVELS, SIDES

Rule = TypeVar("Rule", Obstacle, SideObstacle)
Made = TypeVar("Made")

OPERATORS = (">", ">=", "=", "!=", "<", "<=")
USUAL = (  # what rulebooks say; without it random rules mostly block everything or nothing
    "top > higher_end",
    "top >= higher_end",
    "top > sight_line",
    "top >= sight_line",
    "top > sight_line_lowest",
    "top >= sight_line_middle",
    "top > lower_end",
    "top > dead_zone",
    "level > observer",
    "level >= target",
    "level = target",
    "from_observer = 1",
    "from_target = 1",
    "from_lower_end < from_higher_end",
    "from_lower_end = 1",
    "distance > 2",
)
NUMBERS = {HEIGHTS: ("-1", "0", "1", "2", "3", "1/2", "-3/2"), COUNTS: ("0", "1", "2", "3")}


def random_policy(dice: Random) -> SightPolicy:
    """Return a rule of sight; one in three is the same from both ends of a line."""
    policy = SightPolicy(
        obstacles=_up_to(dice, 3, _obstacle),
        sides=_up_to(dice, 3, _side),
        reach=_reach(dice),
        along=dice.choice(["both_block", "either_blocks"]),
        touch=dice.choice(["ignored", "blocks"]),
        eye=_height(dice),
        ends=_up_to(dice, 1, lambda dice: EndHeight(_ground(dice), _height(dice))),
        borrowed=_up_to(dice, 1, lambda dice: BorrowedLevel(_ground(dice), _any_ground(dice))),
        hindrance_blocks=dice.choice([None, 1, 2, 3, 4]),
        adjacent_clear=dice.choice([True, False]),
    )
    return mirrored(policy) if dice.randrange(3) == 0 else policy


def unplaced_policy(dice: Random) -> SightPolicy:
    """Return a rule that neither asks where on the line something stands nor adds hindrances."""
    policy = random_policy(dice)
    unplaced = [Comparison.parse(text) for text in ("top > higher_end", "level >= target")]

    def plain(rule: Rule) -> Rule:
        return replace(rule, when=tuple(dice.sample(unplaced, dice.randrange(3))))

    return replace(
        policy,
        obstacles=tuple(map(plain, policy.obstacles)),
        sides=tuple(map(plain, policy.sides)),
        hindrance_blocks=None,
    )


def mirrored(policy: SightPolicy) -> SightPolicy:
    """Return the policy with every rule said a second time, from the other end of the line."""

    def both(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
        return rules + tuple(replace(rule, when=_turned(rule.when)) for rule in rules)

    return replace(policy, obstacles=both(policy.obstacles), sides=both(policy.sides))


policies = st.randoms(use_true_random=False).map(random_policy)


def _turned(when: tuple[Comparison, ...]) -> tuple[Comparison, ...]:
    return tuple(comparison.mirrored() for comparison in when)


def _obstacle(dice: Random) -> Obstacle:
    hinders = dice.choice([None, None, 1, 2])
    return Obstacle(
        name="an obstacle",
        when=_when(dice),
        ground=_any_ground(dice),
        height=_height(dice),
        hinders=hinders,
        inherent=hinders is None and dice.choice([False, True]),
    )


def _side(dice: Random) -> SideObstacle:
    return SideObstacle(
        name="a side",
        kinds=frozenset(dice.sample(SIDES, dice.choice([1, 2]))),
        when=_when(dice),
        height=_height(dice),
        hinders=dice.choice([None, None, 1, 2]),
        at_vertex=dice.choice(["both_ways", "any", "ignored"]),
        lying=dice.choice([False, True]),
    )


def _reach(dice: Random) -> Reach:
    if dice.randrange(3) == 0:
        return Reach()
    return Reach(
        hexes=dice.choice([None, 0, 1, 2, 3, 4]),
        per_level=dice.choice([0, 1, 2]),
        bonus_for=dice.choice(["observer", "either"]),
        cap=dice.choice([None, None, 1, 3, 5]),
        limits=_up_to(dice, 2, _limit),
    )


def _limit(dice: Random) -> RangeLimit:
    return RangeLimit(
        hexes=dice.choice([0, 1, 2, 3]),
        ends=dice.choice(["observer", "target", "either", "both"]),
        ground=_any_ground(dice),
        level_from=dice.choice([None, *LEVELS]),
        level_to=dice.choice([None, *LEVELS]),
        name="fog",
    )


def _when(dice: Random) -> tuple[Comparison, ...]:
    return _up_to(dice, 2, _comparison)


def _comparison(dice: Random) -> Comparison:
    if dice.randrange(2):
        return Comparison.parse(dice.choice(USUAL))
    words = dice.choice([HEIGHTS, HEIGHTS, COUNTS])
    sides = [dice.choice(words), dice.choice([*words, *NUMBERS[words]])]
    dice.shuffle(sides)
    return Comparison(sides[0], dice.choice(OPERATORS), sides[1])


def _height(dice: Random) -> Height:
    return Fraction(dice.choice(["0", "0", "1", "2", "1/2", "-1"]))


def _ground(dice: Random) -> frozenset[str]:
    return frozenset(dice.sample(GROUND, dice.choice([1, 2])))


def _any_ground(dice: Random) -> frozenset[str]:
    return frozenset() if dice.randrange(4) == 0 else _ground(dice)


def _up_to(dice: Random, most: int, one: Callable[[Random], Made]) -> tuple[Made, ...]:
    return tuple(one(dice) for _ in range(dice.randrange(most + 1)))
