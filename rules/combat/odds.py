"""Exact odds: what every face of the dice brings, and how often each result comes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from rules.errors import RulesError
from rules.schema.dice import chances, parse_dice
from rules.schema.spans import parse_span, span_of


@dataclass(frozen=True, slots=True)
class Face:
    """One total of the dice: what it becomes with the modifiers, the row it meets, the result."""

    rolled: int
    modified: int
    row: str
    result: str
    chance: Fraction


def faces(die: str, rows: Mapping[str, str], modifier: int = 0) -> tuple[Face, ...]:
    """Return what each total brings; a total past the first or last row meets that row."""
    found = []
    for total, chance in chances(die).items():
        row = row_of(tuple(rows), total + modifier)
        found.append(Face(total, total + modifier, row, rows[row], chance))
    return tuple(found)


def row_of(rows: tuple[str, ...], total: int) -> str:
    """Return the row of a total; past the ends, the outermost."""
    row = span_of(rows, total)
    if row is not None:
        return row
    lows = {text: low for text in rows if (low := parse_span(text).low) is not None}
    below = [text for text in lows if lows[text] <= total]
    return max(below, key=lows.__getitem__) if below else min(lows, key=lows.__getitem__)


def odds(found: Iterable[Face]) -> dict[str, Fraction]:
    """Return the chance of each result, in the order the dice first bring it."""
    sums: dict[str, Fraction] = {}
    for face in found:
        sums[face.result] = sums.get(face.result, Fraction(0)) + face.chance
    return sums


def told_fraction(chance: Fraction, die: str) -> str:
    """Return a chance over all rolls of the dice where that is exact: 2/6, 7/36; else reduced.

    >>> told_fraction(Fraction(1, 3), "1d6")
    '2/6'
    """
    count, sides = parse_dice(die)
    ways = chance * sides**count
    if ways.denominator == 1:
        return f"{ways.numerator}/{sides**count}"
    return f"{chance.numerator}/{chance.denominator}"


def throw(die: str, seed: int) -> tuple[int, ...]:
    """Return the dice of a seed: the same each time."""
    count, sides = parse_dice(die)
    random = Random(seed)
    return tuple(random.randint(1, sides) for _ in range(count))


def read_roll(die: str, text: str) -> int:
    """Return the total of a roll as players tell it: `4`, `3+4`, or the total `7` of two dice.

    Raises:
        RulesError: these dice cannot show it.
    """
    count, sides = parse_dice(die)
    parts = text.replace(" ", "").split("+")
    if not all(part.isdecimal() for part in parts):
        raise RulesError(f"'{text}' is no roll of {die}; write a number, or each die as 3+4")
    dice = [int(part) for part in parts]
    total = sum(dice)
    single = len(dice) == count and all(1 <= one <= sides for one in dice)
    if not (single or (len(dice) == 1 and total in chances(die))):
        raise RulesError(f"{die} cannot show {text}; it shows {count} to {count * sides}")
    return total
