"""Dice as tables and players write them: `1d6`, `2d6`; how often each total comes up, exactly."""

import re
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Annotated

from pydantic import AfterValidator

_DICE = re.compile(r"(\d{1,2})[dDwW](\d{1,4})", re.ASCII)
_MOST_DICE, _MOST_SIDES = 20, 1000
_MOST_IN_A_TABLE, _MOST_SIDES_IN_A_TABLE = 4, 99  # all their throws are counted one by one


def parse_dice(text: str) -> tuple[int, int]:
    """Return how many dice, and how many faces each has.

    >>> parse_dice("2d6"), parse_dice(" 1W10 ")
    ((2, 6), (1, 10))

    Raises:
        ValueError: they are no dice, or too many.
    """
    found = _DICE.fullmatch(text.strip())
    count, sides = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 1 <= count <= _MOST_DICE or not 2 <= sides <= _MOST_SIDES:
        raise ValueError(
            f"'{text}' are no dice: write 1d6 or 2d6, at most {_MOST_DICE} with 2 to "
            f"{_MOST_SIDES} sides"
        )
    return count, sides


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
    count, sides = parse_dice(text)
    if text != f"{count}d{sides}" or count > _MOST_IN_A_TABLE or sides > _MOST_SIDES_IN_A_TABLE:
        raise ValueError(f"'{text}' are no dice of a table: write '1d6' or '2d6'")
    return text


Dice = Annotated[str, AfterValidator(_checked)]
