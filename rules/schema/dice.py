"""Dice as tables name them: `1d6`, `2d6`; how often each total comes up, exactly."""

import re
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Annotated

from pydantic import AfterValidator

_DICE = re.compile(r"([1-4])d(\d{1,2})")


def parse_dice(text: str) -> tuple[int, int]:
    """Return how many dice, and how many faces each has.

    >>> parse_dice("2d6")
    (2, 6)
    """
    found = _DICE.fullmatch(text)
    if found is None or int(found[2]) < 2:
        raise ValueError(f"'{text}' is no dice; write '1d6' or '2d6'")
    return int(found[1]), int(found[2])


@cache
def chances(text: str) -> dict[int, Fraction]:
    """Return the chance of each total, from the lowest up."""
    count, faces = parse_dice(text)
    rolls = Counter(map(sum, product(range(1, faces + 1), repeat=count)))
    return {total: Fraction(n, faces**count) for total, n in sorted(rolls.items())}


def totals_of(text: str) -> tuple[int, ...]:
    """Return all totals some dice can show."""
    return tuple(chances(text))


def _checked(text: str) -> str:
    parse_dice(text)
    return text


Dice = Annotated[str, AfterValidator(_checked)]
