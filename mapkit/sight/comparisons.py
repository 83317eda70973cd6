"""The small language in which a rule of sight says when something blocks.

A comparison is written as a player would say it, one quantity against another:

    top > higher_end          the obstacle is higher than both ends
    level = target            it stands on the target's own level
    from_observer = 1         it is next to the observer
    top > sight_line          it rises above the straight line from eye to eye

| quantity | what it is |
|---|---|
| `level` | the level of the ground where the obstacle stands |
| `top` | that level and the obstacle's own height |
| `observer`, `target` | the height of that end |
| `higher_end`, `lower_end` | the higher and the lower of the two |
| `sight_line` | the straight line between the ends, measured by counting hexes |
| `sight_line_lowest` | the same by exact position: its lowest over the hex |
| `sight_line_middle` | the same by exact position: in the middle of its way over the hex |
| `dead_zone` | half the sum of the ends, and a quarter level for each hex nearer the higher end |
| `from_observer`, `from_target` | hexes from that end; a hexside of an end's own hex is 0 away |
| `from_higher_end`, `from_lower_end` | the same; with ends alike, from the nearer end |
| `distance` | hexes between the ends |
| a number | levels or hexes, exact: `2`, `-1`, `1/2` |

An unknown level makes a comparison neither true nor false: its result is None.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from operator import eq, ge, gt, le, lt, ne
from typing import NamedTuple

from mapkit.errors import MapkitError

Height = int | Fraction  # in levels
HEIGHTS = (
    "level", "top", "observer", "target", "higher_end", "lower_end", "sight_line",
    "sight_line_lowest", "sight_line_middle", "dead_zone",
)  # fmt: skip
COUNTS = ("from_observer", "from_target", "from_higher_end", "from_lower_end", "distance")
PLACED = frozenset(HEIGHTS[6:]) | frozenset(COUNTS)  # depend on where on the line something is
EXACTLY_PLACED = frozenset({"sight_line_lowest", "sight_line_middle"})

_OPERATORS: dict[str, Callable[[Height, Height], bool]] = {
    ">": gt, ">=": ge, "=": eq, "!=": ne, "<": lt, "<=": le,
}  # fmt: skip
_WRITTEN = re.compile(r"\s*([-\w/]+)\s*(>=|<=|!=|>|<|=)\s*([-\w/]+)\s*")
_NUMBER = re.compile(r"-?\d+(/[1-9]\d*)?")
_SWAPPED = {
    "observer": "target",
    "target": "observer",
    "from_observer": "from_target",
    "from_target": "from_observer",
}


class ComparisonError(MapkitError, ValueError):
    """A comparison of a sight policy that does not read."""


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """Where on its line an obstacle stands.

    *weights* are the hexes from the observer and from the target; for a hexside those of its
    two hexes together. *start* and *end* are exact positions, 0 at the observer, 1 at the target.
    Spots are compared by identity, which is quick: who keeps many keeps one of each.
    """

    from_observer: int
    from_target: int
    distance: int
    weights: tuple[int, int]
    start: Fraction
    end: Fraction


class Situation(NamedTuple):
    """An obstacle's spot on a line between ends of these heights."""

    observer: Height | None
    target: Height | None
    spot: Spot


class Standing(NamedTuple):
    """How high an obstacle stands."""

    level: int | None
    top: Height | None


class Compared(NamedTuple):
    """A comparison with its numbers: what a sceptical opponent checks."""

    comparison: "Comparison"
    left: Height | None
    right: Height | None
    holds: bool | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """One quantity against another; make it with `Comparison.parse`."""

    left: str
    operator: str
    right: str

    @classmethod
    def parse(cls, text: str) -> "Comparison":
        """Return the comparison written in *text*.

        >>> Comparison.parse("top > higher_end")
        Comparison(left='top', operator='>', right='higher_end')
        """
        written = _WRITTEN.fullmatch(text)
        if not written:
            raise ComparisonError(f"'{text}' is no comparison: write one like 'top > higher_end'")
        left, operator, right = written.groups()
        kinds = {_kind(left, text), _kind(right, text)} - {"number"}
        if len(kinds) != 1:
            raise ComparisonError(
                f"'{text}' compares levels with hexes, or two numbers: "
                f"levels are {', '.join(HEIGHTS)}; hexes are {', '.join(COUNTS)}"
            )
        return cls(left, operator, right)

    def __str__(self) -> str:
        return f"{self.left} {self.operator} {self.right}"

    @property
    def quantities(self) -> frozenset[str]:
        """The names it speaks of."""
        return frozenset(name for name in (self.left, self.right) if not _NUMBER.fullmatch(name))

    def mirrored(self) -> "Comparison":
        """Return the comparison with observer and target exchanged."""
        return Comparison(
            _SWAPPED.get(self.left, self.left), self.operator, _SWAPPED.get(self.right, self.right)
        )

    def compare(self, standing: Standing, situation: Situation) -> Compared:
        """Return the numbers compared, and the result: None where a level is unknown."""
        left = _value(self.left, standing, situation)
        right = _value(self.right, standing, situation)
        if left is None or right is None:
            return Compared(self, left, right, None)
        return Compared(self, left, right, _OPERATORS[self.operator](left, right))


def all_hold(results: "list[Compared] | tuple[Compared, ...]") -> bool | None:
    """Tell whether all comparisons hold: false if one is false, else None if one is unknown."""
    values = [compared.holds for compared in results]
    if False in values:
        return False
    return None if None in values else True


def _kind(name: str, text: str) -> str:
    if name in HEIGHTS:
        return "levels"
    if name in COUNTS:
        return "hexes"
    if _NUMBER.fullmatch(name):
        return "number"
    raise ComparisonError(
        f"'{name}' in '{text}' is no quantity; there is: {', '.join(HEIGHTS + COUNTS)}, a number"
    )


def _value(name: str, standing: Standing, situation: Situation) -> Height | None:
    if name == "level":
        return standing.level
    if name == "top":
        return standing.top
    if name in _PLAIN:
        return _PLAIN[name](situation)
    if name not in _DERIVED:
        return Fraction(name) if "/" in name else int(name)
    if situation.observer is None or situation.target is None:
        return None
    return _DERIVED[name](situation, situation.observer, situation.target)


def _from_end(situation: Situation, observer: Height, target: Height, *, higher: bool) -> int:
    near, far = situation.spot.from_observer, situation.spot.from_target
    if observer == target:
        return min(near, far)
    return near if (observer > target) == higher else far


def _sight_line(situation: Situation, observer: Height, target: Height) -> Height:
    # Weighed by the hexes to *both* ends: a line may meet a hex for which the two do not add
    # up to its distance, and must be as high there from either end.
    near, far = situation.spot.weights
    return observer + (target - observer) * Fraction(near, near + far)


def _height_at(observer: Height, target: Height, along: Fraction) -> Height:
    return observer + (target - observer) * along


def _dead_zone(situation: Situation, observer: Height, target: Height) -> Height:
    from_lower = _from_end(situation, observer, target, higher=False)
    from_higher = _from_end(situation, observer, target, higher=True)
    return Fraction(2 * observer + 2 * target + from_lower - from_higher) / 4


_PLAIN: dict[str, Callable[[Situation], Height | None]] = {
    "observer": lambda situation: situation.observer,
    "target": lambda situation: situation.target,
    "from_observer": lambda situation: situation.spot.from_observer,
    "from_target": lambda situation: situation.spot.from_target,
    "distance": lambda situation: situation.spot.distance,
}
_Derived = Callable[[Situation, Height, Height], Height]
_DERIVED: dict[str, _Derived] = {
    "higher_end": lambda situation, a, b: max(a, b),
    "lower_end": lambda situation, a, b: min(a, b),
    "sight_line": _sight_line,
    "sight_line_lowest": lambda situation, a, b: min(
        _height_at(a, b, situation.spot.start), _height_at(a, b, situation.spot.end)
    ),
    "sight_line_middle": lambda situation, a, b: _height_at(
        a, b, (situation.spot.start + situation.spot.end) / 2
    ),
    "dead_zone": _dead_zone,
    "from_higher_end": lambda situation, a, b: _from_end(situation, a, b, higher=True),
    "from_lower_end": lambda situation, a, b: _from_end(situation, a, b, higher=False),
}
