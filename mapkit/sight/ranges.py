"""How far one end of a line sees to the other, as far as the map knows."""

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import NamedTuple

from mapkit.sight.comparisons import Height
from mapkit.sight.maybe import Applies, both, either
from mapkit.sight.policy import RangeLimit, Reach

UNLIMITED = 10**9  # hexes: farther than any map


class End(NamedTuple):
    """How one end of a line stands: its height, and which limits of range touch it."""

    height: Height | None
    limited: tuple[Applies, ...]


@dataclass(frozen=True, slots=True)
class Allowed:
    """The range allowed: *hexes* for sure, and *at_most* where the map does not know enough.

    *bonus* are the hexes that height would give, before a cap; *limits* those that apply.
    """

    hexes: int
    at_most: int
    bonus: int = 0
    limits: tuple[RangeLimit, ...] = ()

    def covers(self, distance: int) -> Applies:
        """Tell whether this many hexes are within range; None where nobody knows."""
        if distance <= self.hexes:
            return True
        return None if distance <= self.at_most else False


def allowed_range(
    reach: Reach, observer: End, target: End, spread: Height | None = None
) -> Allowed:
    """Return how far this observer sees toward this target.

    *spread* is the most by which two ends can differ in height, where one is unknown.
    """
    base = UNLIMITED if reach.hexes is None else reach.hexes
    cap = UNLIMITED if reach.cap is None else reach.cap
    bonus = _bonus(reach, observer.height, target.height)
    sure = min(base + (bonus or 0), cap)
    most = sure
    if bonus is None:
        most = cap if spread is None else min(base + floor(spread) * reach.per_level, cap)
    limits = []
    for limit, at_observer, at_target in zip(
        reach.limits, observer.limited, target.limited, strict=True
    ):
        applies = _applies(limit, at_observer, at_target)
        if applies is False:
            continue
        sure = min(sure, limit.hexes)
        if applies:
            most = min(most, limit.hexes)
            limits.append(limit)
    return Allowed(sure, most, bonus or 0, tuple(limits))


def _bonus(reach: Reach, observer: Height | None, target: Height | None) -> int | None:
    if not reach.per_level:
        return 0
    if observer is None or target is None:
        return None
    above = Fraction(observer) - target
    if reach.bonus_for == "either":
        above = abs(above)
    return max(floor(above), 0) * reach.per_level


def _applies(limit: RangeLimit, at_observer: Applies, at_target: Applies) -> Applies:
    match limit.ends:
        case "observer":
            return at_observer
        case "target":
            return at_target
        case "either":
            return either(at_observer, at_target)
        case "both":
            return both(at_observer, at_target)
