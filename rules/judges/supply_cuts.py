"""Who starves whom, for many units at once: smallest sets of one or two enemies to remove.

One unit alone is asked of `mapkit.traces.find_culprits`, which goes on to larger sets. For a whole
side the question is turned round: with some enemies away, one flood back from the sources tells
every unit that is fed again. Few sets are worth a flood. Whoever restores a line must take away
all that blocks some place where the flood from the sources ends (a *hurdle* there), and all that
blocks some place where the starving units are stopped. And no flood begins anew: with two enemies
away it goes on from the flood with one away.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from mapkit.bitboards import Bits, indexes
from mapkit.traces import Blockade, find_culprits
from mapkit.traces.answers import Culprits
from mapkit.traces.culprits import MOST_LISTED
from mapkit.traces.obstacles import Blame
from rules.judges.supply_floods import LegReach, LegWays, Obstructed
from rules.judges.supply_lines import SideLines

MOST_REMOVED = 2


class _Flood(NamedTuple):
    """How far lines reach, leg by leg; going back from the sources, also the hexes that are fed."""

    legs: tuple[LegReach, ...]
    fed: Bits = 0


@dataclass(frozen=True)
class Feeding:
    """The lines of one side past these enemies and who cuts them, found when first asked for."""

    blockade: Blockade
    sources: Bits

    @cached_property
    def lines(self) -> SideLines:
        """The best lines."""
        return SideLines(self.blockade, self.sources)

    @cached_property
    def cuts(self) -> "SideCuts":
        """Who cuts the others, up to two enemies."""
        return SideCuts(self.blockade, self.sources)

    def culprits(self, index: int) -> Culprits | None:
        """Return all culprits that can be found, of a starving hex by its bit."""
        few = self.cuts.by_few([index])
        found = few.get(index)
        if index in few and not (found and found.more):
            return found
        # More enemies, or more choices, than are looked for at once.
        return find_culprits(self.blockade, 1 << index, self.sources)


class SideCuts:
    """Who cuts the lines of one side; what was found out is remembered."""

    def __init__(self, blockade: Blockade, sources: Bits) -> None:
        legs = blockade.route.legs
        self._blockade, self._sources = blockade, sources
        self._back = [LegWays(leg, back=True) for leg in legs]
        self._on = [LegWays(leg, back=False) for leg in legs]
        self._obstructed = [Obstructed(blockade, number) for number in range(len(legs))]
        self._known: dict[Blame, _Flood] = {}
        self._ends: dict[Blame, set[Blame]] = {}

    def by_few(self, starved: Iterable[int]) -> Mapping[int, Culprits | None]:
        """Return for each starving hex (by its bit) the smallest sets of one or two obstacles.

        None: no removal helps. Hexes left out of the answer need more than two to be removed.
        """
        hexes = {index: 1 << index for index in starved}
        if not hexes:
            return {}
        helpless = self._flood((1 << len(self._blockade.obstacles)) - 1).fed
        found: dict[int, Culprits | None] = {
            index: None for index, bit in hexes.items() if not helpless & bit
        }
        left = _union(bit for index, bit in hexes.items() if index not in found)
        for size in range(1, MOST_REMOVED + 1):
            restoring = self._restoring(size, left) if left else []
            for index in indexes(left):
                sets = [removed for removed, fed in restoring if fed >> index & 1]
                if sets:
                    found[index] = _told(self._blockade, sets, size)
                    left &= ~hexes[index]
        return found

    def _restoring(self, size: int, starved: Bits) -> list[tuple[Blame, Bits]]:
        """Return every set of one or two obstacles that feeds some of these hexes, and which."""
        stopped = self._stopped(0, starved, _Flood(tuple(ways.nothing for ways in self._on)))
        ahead, behind = self._hurdles(0, stopped), self._ending(0)
        found: dict[Blame, Bits] = {}
        for removed in ahead & behind:
            if removed.bit_count() == size:
                found[removed] = self._flood(removed).fed & starved
        if size > 1:
            # Of any pair one lies at the nearer end of the gap: begin where there are fewer.
            for first in min(ahead, behind, key=len):
                if first.bit_count() == 1:
                    for more in self._next(first, starved, stopped):
                        removed = first | more
                        found[removed] = self._flood(removed, after=first).fed & starved
                elif first.bit_count() == size:
                    found[first] = self._flood(first).fed & starved
        return [(removed, fed) for removed, fed in found.items() if fed]

    def _flood(self, removed: Blame, *, after: Blame = 0) -> _Flood:
        """Flood back from the sources with some obstacles away; what was found is remembered.

        It goes on from the flood *after* some of them.
        """
        if removed not in self._known:
            before = self._flood(after).legs if removed else [ways.nothing for ways in self._back]
            self._known[removed] = self._flooded(removed, before)
        return self._known[removed]

    def _flooded(self, removed: Blame, before: Sequence[LegReach]) -> _Flood:
        seeds = spots = self._sources
        legs: list[LegReach] = []
        for ways, had, free in zip(
            reversed(self._back), reversed(before), reversed(self._free(removed)), strict=True
        ):
            leg = ways.go_on(had, free, seeds)
            legs.insert(0, leg)
            starts = leg.met | spots
            spots = starts & ways.joins
            seeds = leg.within[-1] & ways.joins
        # From the flood of a pair none goes on: to keep its legs would only cost memory.
        return _Flood(tuple(legs) if removed.bit_count() < MOST_REMOVED else (), starts)

    def _next(self, first: Blame, starved: Bits, stopped: _Flood) -> set[Blame]:
        """Return the single obstacles that may restore a line after the first one is away."""
        if not self._ending(first):
            return set()
        return self._ending(first) & self._hurdles(first, self._stopped(first, starved, stopped))

    def _ending(self, removed: Blame) -> set[Blame]:
        """Return the hurdles where the flood from the sources ends."""
        if removed not in self._ends:
            self._ends[removed] = self._hurdles(removed, self._flood(removed))
        return self._ends[removed]

    def _stopped(self, removed: Blame, starved: Bits, before: _Flood) -> _Flood:
        """Follow the lines from these hexes, beginning where they ended before."""
        start, seeds = starved, 0
        legs: list[LegReach] = []
        for number, (ways, had, free) in enumerate(
            zip(self._on, before.legs, self._free(removed), strict=True)
        ):
            if number:
                start, seeds = start & ways.joins, seeds & ways.joins
            leg = ways.go_on(had, free, seeds, started=ways.first_step(start))
            legs.append(leg)
            seeds = leg.within[-1]
        return _Flood(tuple(legs))

    def _free(self, removed: Blame) -> tuple[Bits, ...]:
        return tuple([leg.free(removed) for leg in self._obstructed])

    def _hurdles(self, removed: Blame, flood: _Flood) -> set[Blame]:
        """Return who blocks where a flood ends; more than may still be removed are left out."""
        most = MOST_REMOVED - removed.bit_count()
        return {
            hurdle
            for obstructed, leg in zip(self._obstructed, flood.legs, strict=True)
            for hurdle in obstructed.hurdles(leg.refused, removed, most)
        }


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
