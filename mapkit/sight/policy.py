"""A game's rule of sight as data: what blocks, how far one sees, what lines between hexes mean.

The engine knows no terrain and no game: a policy names the map's own kinds and says with
comparisons (see `comparisons`) when they block.
"""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from mapkit.sight.comparisons import EXACTLY_PLACED, PLACED, Comparison, Height

AlongRule = Literal["both_block", "either_blocks"]
TouchRule = Literal["ignored", "blocks"]
VertexRule = Literal["ignored", "any", "both_ways"]
Ends = Literal["observer", "target", "either", "both"]


def when(*comparisons: str) -> tuple[Comparison, ...]:
    """Return the comparisons that must all hold.

    >>> [str(comparison) for comparison in when("top > observer", "from_observer = 1")]
    ['top > observer', 'from_observer = 1']
    """
    return tuple(map(Comparison.parse, comparisons))


def _at_least(least: int, value: int | None, name: str) -> None:
    if value is not None and value < least:
        raise ValueError(f"{name} is {value}: give {least} or more")


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What blocks sight from inside a hex, or hinders it.

    *ground* are terrain or feature kinds, any of which suffices; empty means every hex. It blocks
    when all of *when* holds; its top is *height* above its hex's level. With *hinders* it
    does not block but adds to the line's hindrance. *inherent* terrain fills its hex to the
    very rim: a line along one of its hexsides, or through its vertex, meets it.
    """

    name: str
    when: tuple[Comparison, ...] = ()
    ground: frozenset[str] = frozenset()
    height: Height = 0
    hinders: int | None = None
    inherent: bool = False

    def __post_init__(self) -> None:
        _at_least(1, self.hinders, "hinders")
        if self.inherent and self.hinders is not None:
            raise ValueError("inherent terrain blocks; how it would hinder is not settled")


@dataclass(frozen=True, slots=True)
class SideObstacle:
    """What blocks sight from a hexside: a wall, a crest.

    It stands on the higher of its two hexes. *at_vertex* says what happens where a line passes
    the end of hexsides: it is met if `any` of them has it, or only if there is no way round
    (`both_ways`; a wall on one way and a hedge on the other leave none). *lying* tells whether
    it blocks a line that runs along it.
    """

    name: str
    kinds: frozenset[str]
    when: tuple[Comparison, ...] = ()
    height: Height = 0
    hinders: int | None = None
    at_vertex: VertexRule = "both_ways"
    lying: bool = False

    def __post_init__(self) -> None:
        _at_least(1, self.hinders, "hinders")


@dataclass(frozen=True, slots=True)
class EndHeight:
    """How much higher one stands on some ground (any, if empty): an upper floor, a tower."""

    ground: frozenset[str]
    height: Height


@dataclass(frozen=True, slots=True)
class BorrowedLevel:
    """Ground that takes the level of its highest neighbour of some kind; empty sets mean any."""

    ground: frozenset[str]
    neighbour: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class RangeLimit:
    """A shorter sight where an end stands on some ground or levels: fog in the valley is 0."""

    hexes: int
    ends: Ends = "either"
    ground: frozenset[str] = frozenset()
    level_from: int | None = None
    level_to: int | None = None
    name: str = ""
    in_doubt: bool = False  # nobody knows whether it holds there: no answer may hang on it

    def __post_init__(self) -> None:
        _at_least(0, self.hexes, "hexes")


@dataclass(frozen=True, slots=True)
class Reach:
    """How far one sees: *hexes* (None: without limit) and *per_level* more for the higher end.

    *bonus_for* says who enjoys the height: the observer looking down, or either end of the line
    (then sight is mutual). *cap* is the most it can come to; *limits* shorten what is left.
    """

    hexes: int | None = None
    per_level: int = 0
    bonus_for: Literal["observer", "either"] = "observer"
    cap: int | None = None
    limits: tuple[RangeLimit, ...] = ()

    def __post_init__(self) -> None:
        for name in ("hexes", "per_level", "cap"):
            _at_least(0, getattr(self, name), name)


@dataclass(frozen=True)
class SightPolicy:
    """One rule of sight. The ends of a line never block it.

    *eye* is the height of an eye above its level, *ends* more of it for some ground.
    *hindrance_blocks* is the sum of hindrances that blocks. *adjacent_clear* lets neighbours see
    each other whatever stands between; a reach of 0 still stops them.
    """

    obstacles: tuple[Obstacle, ...] = ()
    sides: tuple[SideObstacle, ...] = ()
    reach: Reach = Reach()
    along: AlongRule = "both_block"
    touch: TouchRule = "ignored"
    eye: Height = 0
    ends: tuple[EndHeight, ...] = ()
    borrowed: tuple[BorrowedLevel, ...] = ()
    hindrance_blocks: int | None = None
    adjacent_clear: bool = True

    def __post_init__(self) -> None:
        _at_least(1, self.hindrance_blocks, "hindrance_blocks")

    @cached_property
    def blocks_alike_both_ways(self) -> bool:
        """Whether what blocks is the same from either end, by the form of its comparisons."""
        # Counted, not gathered into sets: two alike hindrances weigh twice.
        as_written = Counter(_unnamed(rule, mirrored=False) for rule in self._rules)
        return as_written == Counter(_unnamed(rule, mirrored=True) for rule in self._rules)

    @cached_property
    def is_placed(self) -> bool:
        """Whether anything depends on where along the line an obstacle stands."""
        return bool(self._quantities & PLACED)

    @cached_property
    def is_exactly_placed(self) -> bool:
        """Whether anything depends on exact positions, not only on counts of hexes."""
        return bool(self._quantities & EXACTLY_PLACED)

    @cached_property
    def is_sloping(self) -> bool:
        """Whether anything is compared with the straight line from eye to eye."""
        return any(quantity.startswith("sight_line") for quantity in self._quantities)

    @cached_property
    def _rules(self) -> tuple[Obstacle | SideObstacle, ...]:
        return (*self.obstacles, *self.sides)

    @cached_property
    def _quantities(self) -> frozenset[str]:
        return frozenset(
            quantity
            for rule in self._rules
            for comparison in rule.when
            for quantity in comparison.quantities
        )


def _unnamed(
    rule: Obstacle | SideObstacle, *, mirrored: bool
) -> tuple[Obstacle | SideObstacle, frozenset[Comparison]]:
    """What a rule says, whatever it is called and in whatever order it says it."""
    said = (comparison.mirrored() if mirrored else comparison for comparison in rule.when)
    return replace(rule, name="", when=()), frozenset(said)
