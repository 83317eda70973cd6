"""Who is to blame: the smallest sets of obstacles whose removal restores a trace.

It is no cut of a flow: one obstacle covers many hexes, and a hex under three zones is free only
when all three are gone. The search goes by what the trace *meets*. Follow it as far as it leads
with some obstacles removed; whatever set of obstacles restores it must wholly contain the
blockers of at least one place met there, for else the trace would still end where it ended. So
only such *hurdles* are tried, and of those only the ones that contain no other.

Sets of obstacles are integers: bit *i* stands for obstacle number *i*.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from mapkit.bitboards import Bits, indexes
from mapkit.traces.answers import Culprits
from mapkit.traces.floods import Pace, flood_on
from mapkit.traces.obstacles import Blame, Blockade

EXACT_UP_TO = 3
MOST_LISTED = 5
_MOST_TRIED = 500  # sets tried in all, once the search is no longer exhaustive


def find_culprits(
    blockade: Blockade, starts: Bits, sources: Bits, *, exact_up_to: int = EXACT_UP_TO
) -> Culprits | None:
    """Return the smallest sets of obstacles to remove, or None if no removal helps.

    Up to *exact_up_to* obstacles the answer is proven smallest; beyond, it is the best found in
    a search that gives up after a fixed number of tries, not of seconds.
    """
    inquiry = _Inquiry(blockade, starts, sources)
    everything = (1 << len(blockade.obstacles)) - 1
    if not inquiry.follow(everything).arrives:
        return None
    for size in range(exact_up_to + 1):
        if found := inquiry.of_size(size).found:
            return _told(blockade, found, proven=True, at_least=size)
    found, at_least = inquiry.best_found(everything, at_least=exact_up_to + 1)
    return _told(blockade, found, proven=False, at_least=at_least)


@dataclass(frozen=True, slots=True)
class _Followed:
    """How far a trace leads: to a source, or to these hurdles (none contains another)."""

    arrives: bool
    hurdles: tuple[Blame, ...] = ()


class _Trail(NamedTuple):
    """What a trace left in one leg: hexes met but refused, all met, and all gone over."""

    refused: Bits
    met: Bits
    gone_over: Bits


@dataclass(frozen=True, slots=True)
class _Search:
    """The sets found, how many were tried, and whether there was nothing left to try."""

    found: list[Blame]
    tried: int
    exhausted: bool


class _Inquiry:
    """One question, and all that was found out about it so far."""

    def __init__(self, blockade: Blockade, starts: Bits, sources: Bits) -> None:
        self._blockade = blockade
        self._starts = starts
        self._sources = sources
        self._known: dict[Blame, _Followed] = {}

    def of_size(self, size: int, *, most_tried: int | None = None) -> "_Search":
        """Look for restoring sets of this size, where no smaller one exists.

        It stops at one more than are listed, to know whether there are more.
        """
        found: list[Blame] = []
        tried: set[Blame] = set()
        waiting = [0]
        while waiting and len(found) <= MOST_LISTED and len(tried) != most_tried:
            removed = waiting.pop()
            if removed in tried:
                continue
            tried.add(removed)
            budget = size - removed.bit_count()
            followed = self.follow(removed)
            if followed.arrives:
                found.append(removed)
            elif budget and self._may_succeed(removed, budget):
                fitting = [h for h in followed.hurdles if h.bit_count() <= budget]
                waiting += [removed | hurdle for hurdle in reversed(fitting)]
        return _Search(found, len(tried), not waiting)

    def _may_succeed(self, removed: Blame, budget: int) -> bool:
        """Tell whether *budget* rounds of removing everything in the way get through.

        Each round takes away at least one obstacle of any restoring set, so a set that small
        cannot exist when even this fails.
        """
        for _ in range(budget):
            hurdles = [h for h in self.follow(removed).hurdles if h.bit_count() <= budget]
            removed |= _union(hurdles)
            if self.follow(removed).arrives:
                return True
        return False

    def best_found(self, everything: Blame, *, at_least: int) -> tuple[list[Blame], int]:
        """Return restoring sets as small as a bounded search finds, and what is certain."""
        numbers = list(indexes(everything))
        thin = {self._thinned(everything, order) for order in (numbers, numbers[::-1])}
        left, certain = _MOST_TRIED, True
        for size in range(at_least, min(map(int.bit_count, thin)) + 1):
            search = self.of_size(size, most_tried=left)
            if search.found:
                # A size that was given up on may have hidden a set smaller than this one.
                return _smallest(search.found), at_least
            left -= search.tried
            certain &= search.exhausted
            at_least += certain
        return _smallest(thin), at_least

    def _thinned(self, removed: Blame, order: Iterable[int]) -> Blame:
        """Put back one obstacle after the other, where the trace stays open."""
        for number in order:
            if self.follow(removed & ~(1 << number)).arrives:
                removed &= ~(1 << number)
        return removed

    def follow(self, removed: Blame) -> _Followed:
        """Follow the trace with some obstacles removed; what was found is remembered."""
        if removed not in self._known:
            self._known[removed] = self._followed(removed)
        return self._known[removed]

    def _followed(self, removed: Blame) -> _Followed:
        route = self._blockade.route
        grounds = self._blockade.grounds_without(removed)
        start, passed = self._starts, (0,) * (route.most_zones + 1)
        trails: list[_Trail] = []
        for number, (leg, ground) in enumerate(zip(route.legs, grounds, strict=True)):
            joins = leg.where_it_joins if number else -1
            start, met = start & joins, passed[-1] & joins
            if not leg.start_is_free:
                start, met = start & ground.free, met | start
            last = number == len(route.legs) - 1
            until = self._sources if last else 0
            if last and start & until:
                return _Followed(True)
            seeds = tuple(bits & joins for bits in passed)
            flooded = flood_on(
                Pace.of(leg, ground), ground, seeds, route.most_zones, start=start, until=until
            )
            if flooded.all & until:
                return _Followed(True)
            met = (met | flooded.met) & leg.where_it_goes
            trails.append(_Trail(met & ~ground.free, met, flooded.all | start))
            passed = flooded.settled
        return _Followed(False, _minimal(self._hurdles(removed, trails)))

    def _hurdles(self, removed: Blame, trails: "list[_Trail]") -> set[Blame]:
        """Return the blockers still there of every place that was met and not entered."""
        found: set[Blame] = set()
        for blockers, trail in zip(self._blockade.blockers, trails, strict=True):
            for index in indexes(trail.refused):
                found.add(blockers.outright[index] & ~removed)
            # A zone hex passed long ago may be the one too many.
            for index in indexes((trail.met | trail.gone_over) & blockers.all_counted):
                found.add(blockers.counted[index] & ~removed)
            for (index, _), guards in blockers.sides.items():
                if trail.gone_over >> index & 1:
                    found.add(guards & ~removed)
        return found - {0}


def _union(sets: Iterable[int]) -> int:
    found = 0
    for one in sets:
        found |= one
    return found


def _smallest(sets: Iterable[Blame]) -> list[Blame]:
    """Return those of a few sets that hold the fewest obstacles."""
    kept = list(sets)
    fewest = min(map(int.bit_count, kept))
    return [one for one in kept if one.bit_count() == fewest]


def _minimal(sets: Iterable[Blame]) -> tuple[Blame, ...]:
    """Return the sets that contain no other, the small ones first."""
    kept: list[Blame] = []
    for one in sorted(sets, key=lambda blame: (blame.bit_count(), blame)):
        if not any(other & one == other for other in kept):
            kept.append(one)
    return tuple(kept)


def _told(blockade: Blockade, found: list[Blame], *, proven: bool, at_least: int) -> Culprits:
    ordered = sorted(tuple(indexes(removed)) for removed in found)
    ids = [obstacle.id for obstacle in blockade.obstacles]
    sets = tuple(tuple(ids[number] for number in blame) for blame in ordered[:MOST_LISTED])
    return Culprits(sets, len(found) > MOST_LISTED, proven, at_least)
