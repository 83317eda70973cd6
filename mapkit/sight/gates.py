"""A line as a row of gates, each of which must let sight through.

A gate has one or more *ways*, each over one or more places. A way is shut if any place on it
blocks; a gate is shut only if all its ways are:

    through a hex                  one way, over that hex
    along a hexside, both block    two ways, over the left hex or over the right one
    along a hexside, either        one way, over both
    over a hexside                 one way, over what stands on it
    through a vertex               straight over the two hexes' side, or round by the third hex
    from a hex onto a hexside      over its one side at that vertex, or over the other

So one structure carries every policy's reading of a line, and the single line, the field of view
and the table of all pairs all read the same gates.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from mapkit.hexes import Hex, Hexside
from mapkit.lines import Event
from mapkit.sight.policy import SideObstacle, SightPolicy

HexWays = tuple[tuple[Hex, ...], ...]
SideWays = tuple[tuple[Hexside, ...], ...]


@dataclass(frozen=True, slots=True)
class HexGate:
    """A gate between or in hexes; with *inherent* only inherent terrain counts."""

    ways: HexWays
    start: Fraction
    end: Fraction
    inherent: bool = False


@dataclass(frozen=True, slots=True)
class SideGate:
    """A gate over hexsides, for those of the policy's side obstacles that count here."""

    ways: SideWays
    start: Fraction
    end: Fraction
    obstacles: tuple[int, ...]  # by their number in the policy


def hex_gates(
    events: tuple[Event, ...], policy: SightPolicy, ends: frozenset[Hex]
) -> tuple[HexGate, ...]:
    """Return the gates of hexes on a line, in order. The end hexes never block."""
    found = []
    for event in events:
        for ways, inherent in _hex_ways(event, policy):
            left = tuple(tuple(hex_ for hex_ in way if hex_ not in ends) for way in ways)
            if all(left):
                found.append(HexGate(left, event.start, event.end, inherent))
    return tuple(found)


def side_gates(events: tuple[Event, ...], policy: SightPolicy) -> tuple[SideGate, ...]:
    """Return the gates of hexsides on a line, in order."""
    if not policy.sides:
        return ()
    met = [*_sides_at_events(events), *_sides_beside_runs(events)]
    met.sort(key=lambda meeting: meeting[1])
    return tuple(
        SideGate(ways, start, end, obstacles)
        for lying, start, end, straight, round_ in met
        for ways, obstacles in _side_ways(policy.sides, straight, round_, lying=lying)
        if obstacles
    )


def side_groups(sides: tuple[SideObstacle, ...]) -> frozenset[tuple[int, ...]]:
    """Return which side obstacles can stand together at a gate, by their numbers."""
    one: tuple[Hexside, ...] = ()
    asked = [_side_ways(sides, one, round_, lying=lying) for round_, lying in _KINDS_OF_MEETING]
    return frozenset(obstacles for ways in asked for _, obstacles in ways if obstacles)


def _hex_ways(event: Event, policy: SightPolicy) -> Iterator[tuple[HexWays, bool]]:
    inherent = any(obstacle.inherent for obstacle in policy.obstacles)
    match event.kind:
        case "through":
            yield (event.hexes,), False
        case "along" if policy.along == "either_blocks":
            yield (event.hexes,), False
        case "along":
            yield tuple((hex_,) for hex_ in event.hexes), False
            if inherent:
                yield from ((((hex_,),), True) for hex_ in event.hexes)
        case "touch" if policy.touch == "blocks":
            yield (event.hexes,), False
        case "touch" if inherent:
            yield (event.hexes,), True


# Whether the line runs along it, from, to, the sides straight over, those round about.
_Meeting = tuple[bool, Fraction, Fraction, tuple[Hexside, ...], tuple[Hexside, ...]]


def _sides_at_events(events: tuple[Event, ...]) -> Iterator[_Meeting]:
    for event in events:
        match event.kind:
            case "cross":
                yield False, event.start, event.end, (Hexside.between(*event.hexes),), ()
            case "along":
                yield True, event.start, event.end, (Hexside.between(*event.hexes),), ()
            case "cross_at_vertex":
                before, after, third = event.hexes
                round_ = Hexside.between(before, third), Hexside.between(third, after)
                yield False, event.start, event.end, (Hexside.between(before, after),), round_


def _sides_beside_runs(events: tuple[Event, ...]) -> Iterator[_Meeting]:
    """Where a line leaves a hex for a hexside, or a hexside for a hex, it passes two sides."""
    stretches = [event for event in events if event.kind in ("through", "along")]
    for before, after in pairwise(stretches):
        if before.kind != after.kind:
            (hex_,), run = sorted((before.hexes, after.hexes), key=len)
            left, right = (Hexside.between(hex_, beside) for beside in run)
            yield False, after.start, after.start, (left,), (right,)


_ANY_SIDE = Hexside(Hex(0, 0), Hex(0, 1))
_KINDS_OF_MEETING: tuple[tuple[tuple[Hexside, ...], bool], ...] = (
    ((), False),
    ((_ANY_SIDE,), False),
    ((), True),
)


def _side_ways(
    sides: tuple[SideObstacle, ...],
    straight: tuple[Hexside, ...],
    round_: tuple[Hexside, ...],
    *,
    lying: bool,
) -> Iterator[tuple[SideWays, tuple[int, ...]]]:
    """Yield the ways over a meeting, and the obstacles that count on them."""

    def numbers(counts: Callable[[SideObstacle], bool]) -> tuple[int, ...]:
        return tuple(number for number, side in enumerate(sides) if counts(side))

    if lying:
        yield (straight,), numbers(lambda side: side.lying)
    elif not round_:
        yield (straight,), numbers(lambda side: True)
    else:
        yield ((*straight, *round_),), numbers(lambda side: side.at_vertex == "any")
        yield (straight, round_), numbers(lambda side: side.at_vertex == "both_ways")
