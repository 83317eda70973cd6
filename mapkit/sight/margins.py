"""How close a verdict was: how far the line lies from what would have changed it.

Squares of distances are exact; only what is shown to people is a root. What lies beside a line,
and how near, depends on where its ends lie to each other, not on the map: it is written down once,
nearest first, and the first place there that would block is the answer.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

from mapkit.hexes import ORIGIN, Hex, Hexside, disc, hexsides
from mapkit.lines import LinePoint
from mapkit.sight.boards import ANYWHERE, RuleBook, rule_book
from mapkit.sight.comparisons import Spot
from mapkit.sight.gates import HexGate
from mapkit.sight.ground import Cover, SightGround
from mapkit.sight.policy import Obstacle, SideObstacle
from mapkit.sight.segments import Segment, dot
from mapkit.sight.sighting import Sight, spot_of

_NEAR = 2  # hexes beside the line that are looked at


@dataclass(frozen=True, slots=True)
class Margin:
    """How close it was, and at which place.

    Of a clear line: the distance to the nearest hex or hexside that would block it. Of a blocked
    one: how far it would have to be moved aside, parallel, to pass all that blocks it now.
    """

    squared: Fraction
    place: Hex | Hexside

    @property
    def hexes(self) -> float:
        """The distance in widths of a hex."""
        return sqrt(self.squared)


def margin(ground: SightGround, seen: Sight, *, start: LinePoint | None = None) -> Margin | None:
    """Return how close a verdict was; None where range decides, or nothing near would change it."""
    line = Segment.between(start or LinePoint.at(seen.observer), LinePoint.at(seen.target))
    if line.start == line.end:
        return None
    if seen.verdict == "blocked":
        return _way_round(seen, line)
    if seen.verdict == "clear":
        blockers = _would_block(ground, seen, nearest_first=start is None)
        if start is None:
            place = next(blockers, None)
        else:
            place = min(blockers, key=lambda one: _nearness(line, one), default=None)
        return None if place is None else Margin(line.squared_distance(place), place)
    return None


def _would_block(
    ground: SightGround, seen: Sight, *, nearest_first: bool
) -> Iterator[Hex | Hexside]:
    """Yield the hexes and hexsides near the line that would shut it if it met them.

    Nearest comes first for the line from centre to centre only.
    """
    policy, (q, r) = ground.policy, seen.observer
    if seen.distance <= 1 and policy.adjacent_clear:
        return
    met = frozenset([Hex(x - q, y - r) for event in seen.events for x, y in event.hexes])
    beside = _beside(
        Hex(seen.target.q - q, seen.target.r - r),
        met,
        nearest_first=nearest_first,
        sides=bool(policy.sides),
        placed=policy.is_placed,
    )
    in_hexes = _Asked(policy.obstacles, ground, seen)
    on_sides = _Asked(policy.sides, ground, seen)
    for place, spot, hexes in beside:
        if isinstance(place, Hex):
            hex_ = Hex(place.q + q, place.r + r)
            if in_hexes.shuts(ground.cover(hex_), spot):
                yield hex_
        else:
            side = Hexside(place.a.moved(seen.observer), place.b.moved(seen.observer))
            if on_sides.shuts(ground.side_cover(side), spot) and any(
                hex_.moved(seen.observer) in ground.map.hexes for hex_ in hexes
            ):
                yield side


class _Asked:
    """What some rules say of a cover that a line does not meet, as if it met it."""

    def __init__(
        self, rules: tuple[Obstacle | SideObstacle, ...], ground: SightGround, seen: Sight
    ) -> None:
        # Where spots count there are too many of them to remember what was said of each.
        self._book = RuleBook(rules) if ground.policy.is_placed else rule_book(rules)
        self._heights = seen.heights
        limit = ground.policy.hindrance_blocks
        self._spare = None if limit is None else limit - seen.hindrance

    def shuts(self, cover: Cover | None, spot: Spot) -> bool:
        """Tell whether it blocks for certain, or hinders more than the line can still bear."""
        if cover is None:
            return False
        if self._book.blocks(cover, self._heights, spot, False):
            return True
        if self._spare is None:
            return False
        hinders = self._book.hinders(cover, self._heights, spot, False)
        return hinders > 0 and hinders >= self._spare


class _Beside(NamedTuple):
    """A place beside a line, seen from its observer's hex, and where along the line it stands.

    *hexes* are those of a hexside's two that are near the line: one must be on the map.
    """

    place: Hex | Hexside
    spot: Spot
    hexes: tuple[Hex, ...]


@lru_cache(maxsize=1024)
def _beside(
    target: Hex, met: frozenset[Hex], *, nearest_first: bool, sides: bool, placed: bool
) -> tuple[_Beside, ...]:
    """Return what lies beside a line from the hex in the middle that meets these hexes."""
    near = {other for hex_ in met for other in disc(hex_, _NEAR)}
    places: list[Hex | Hexside] = [hex_ for hex_ in near if hex_ not in (ORIGIN, target)]
    if sides:
        places += {side for hex_ in near for side in hexsides(hex_)}
    if nearest_first:
        line = Segment.between(LinePoint.at(ORIGIN), LinePoint.at(target))
        places.sort(key=lambda place: _nearness(line, place))
    return tuple(
        _Beside(
            place,
            _spot(target, place) if placed else ANYWHERE,
            () if isinstance(place, Hex) else tuple(hex_ for hex_ in place if hex_ in near),
        )
        for place in places
    )


def _nearness(line: Segment, place: Hex | Hexside) -> tuple[int, bool, Hex | Hexside]:
    """Of equals hexes come before hexsides, so that always the same one is named."""
    return line.parts_to(place), isinstance(place, Hexside), place


def _spot(target: Hex, place: Hex | Hexside) -> Spot:
    """Return where along a line a place beside it stands: at the foot of the middle of it."""
    one, other = (place, place) if isinstance(place, Hex) else place
    whole = dot(target, target) or 1  # an observer may look at another point of his own hex
    along = Fraction(dot((one.q + other.q, one.r + other.r), target), 2 * whole)
    along = min(max(along, Fraction(0)), Fraction(1))
    return spot_of(place, ORIGIN, target, HexGate((), along, along))


def _way_round(seen: Sight, line: Segment) -> Margin | None:
    """How far aside the line must move to pass all blockers on one side of them."""
    beside: tuple[list[Margin], list[Margin]] = ([], [])  # right, left
    for passed in seen.blockers:
        for place in {place for way in passed.gate.ways for place in way}:
            for corner in line.corners(place):
                beside[line.turn(corner) > 0].append(Margin(line.squared_offset(corner), place))
    farthest = [max(side, key=lambda one: one.squared, default=None) for side in beside]
    found = [one for one in farthest if one is not None]
    return min(found, key=lambda one: one.squared, default=None)
