"""Who starves whom, for many units at once: smallest sets of one or two enemies to remove.

One unit alone is asked of `mapkit.traces.find_culprits`, which goes on to larger sets. For a whole
side the question is turned round: with some enemies away, one flood back from the sources tells
every unit that is fed again. Few sets are worth a flood. Whoever restores a line must take away
all that blocks some place where the flood from the sources ends (a *hurdle* there), and all that
blocks some place where the starving units are stopped.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mapkit.bitboards import Bits, indexes
from mapkit.traces import Blockade
from mapkit.traces.answers import Culprits
from mapkit.traces.culprits import MOST_LISTED
from mapkit.traces.floods import Pace, flood_back, flood_on
from mapkit.traces.obstacles import Blame

MOST_REMOVED = 2


class _Flood(NamedTuple):
    """How far lines reach back from the sources: hexes that are fed, and places that refuse."""

    fed: Bits
    refused: tuple[Bits, ...]  # by leg


def cut_by_few(
    blockade: Blockade, starved: Iterable[int], sources: Bits
) -> Mapping[int, Culprits | None]:
    """Return for each starving hex (by its bit) the smallest sets of one or two obstacles.

    None: no removal helps. Hexes left out of the answer need more than two to be removed.
    """
    hexes = {index: 1 << index for index in starved}
    if not hexes:
        return {}
    cuts = _Cuts(blockade, sources)
    helpless = cuts.flood((1 << len(blockade.obstacles)) - 1).fed
    found: dict[int, Culprits | None] = {
        index: None for index, bit in hexes.items() if not helpless & bit
    }
    left = _union(bit for index, bit in hexes.items() if index not in found)
    for size in range(1, MOST_REMOVED + 1):
        restoring = cuts.restoring(size, left) if left else []
        for index in indexes(left):
            sets = [removed for removed, fed in restoring if fed >> index & 1]
            if sets:
                found[index] = _told(blockade, sets, size)
                left &= ~hexes[index]
    return found


class _Cuts:
    """All that was found out so far about one blockade."""

    def __init__(self, blockade: Blockade, sources: Bits) -> None:
        self._blockade, self._sources = blockade, sources
        self._known: dict[Blame, _Flood] = {}

    def restoring(self, size: int, starved: Bits) -> list[tuple[Blame, Bits]]:
        """Return every set of one or two obstacles that feeds some of these hexes, and which."""
        ahead, behind = self._stopped(0, starved), self._ending(0)
        found: dict[Blame, Bits] = {}
        for removed in ahead & behind:
            if removed.bit_count() == size:
                found[removed] = self.flood(removed).fed & starved
        if size > 1:
            # Of any pair one lies at the nearer end of the gap: begin where there are fewer.
            for first in min(ahead, behind, key=len):
                if first.bit_count() == 1:
                    for more in self._stopped(first, starved) & self._ending(first):
                        if more.bit_count() == 1:
                            removed = first | more
                            found[removed] = self.flood(removed).fed & starved
                elif first.bit_count() == size:
                    found[first] = self.flood(first).fed & starved
        return [(removed, fed) for removed, fed in found.items() if fed]

    def flood(self, removed: Blame) -> _Flood:
        """Flood back from the sources with some obstacles away; what was found is remembered."""
        if removed not in self._known:
            self._known[removed] = self._flooded(removed)
        return self._known[removed]

    def _flooded(self, removed: Blame) -> _Flood:
        route = self._blockade.route
        grounds = self._blockade.grounds_without(removed)
        seeds: tuple[Bits, ...] = (self._sources,)
        spots, starts = self._sources, 0
        refused: list[Bits] = []
        for leg, ground in zip(reversed(route.legs), reversed(grounds), strict=True):
            flooded = flood_back(Pace.of(leg, ground), ground, seeds, route.most_zones)
            refused.insert(0, (flooded.met | seeds[-1]) & leg.where_it_goes & ~ground.free)
            starts = flooded.met | spots
            spots = starts & leg.where_it_joins
            seeds = tuple(bits & leg.where_it_joins for bits in flooded.settled)
        return _Flood(starts, tuple(refused))

    def _ending(self, removed: Blame) -> set[Blame]:
        """Return the hurdles where the flood from the sources ends."""
        return self._hurdles(removed, self.flood(removed).refused)

    def _stopped(self, removed: Blame, starved: Bits) -> set[Blame]:
        """Return the hurdles where lines from these hexes end."""
        route = self._blockade.route
        grounds = self._blockade.grounds_without(removed)
        start, passed = starved, (0,) * (route.most_zones + 1)
        refused: list[Bits] = []
        for number, (leg, ground) in enumerate(zip(route.legs, grounds, strict=True)):
            joins = leg.where_it_joins if number else -1
            start &= joins
            seeds = tuple(bits & joins for bits in passed)
            flooded = flood_on(Pace.of(leg, ground), ground, seeds, route.most_zones, start=start)
            met = (flooded.met | (passed[-1] & joins)) & leg.where_it_goes
            refused.append(met & ~ground.free)
            passed = flooded.settled
        return self._hurdles(removed, tuple(refused))

    def _hurdles(self, removed: Blame, refused: tuple[Bits, ...]) -> set[Blame]:
        """Return who blocks these places; more at once than are ever removed are left out."""
        found = {
            blockers.outright[index] & ~removed
            for blockers, bits in zip(self._blockade.blockers, refused, strict=True)
            for index in indexes(bits)
        }
        return {one for one in found if 0 < one.bit_count() <= MOST_REMOVED}


def _union(sets: Iterable[Bits]) -> Bits:
    found = 0
    for one in sets:
        found |= one
    return found


def _told(blockade: Blockade, found: list[Blame], size: int) -> Culprits:
    ordered = sorted(tuple(indexes(removed)) for removed in found)
    ids = [obstacle.id for obstacle in blockade.obstacles]
    sets = tuple(tuple(ids[number] for number in blame) for blame in ordered[:MOST_LISTED])
    return Culprits(sets, len(found) > MOST_LISTED, proven_smallest=True, at_least=size)
