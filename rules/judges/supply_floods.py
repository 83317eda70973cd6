"""Floods over the legs of a line that go on where others ended, as more enemies are taken away.

With fewer enemies on the map every hex that was reached is reached again, and no later. So a flood
with some enemies away needs not begin anew: it goes on from the one before, with what was set free.
Legs here count plain hexes, and a zone blocks outright or not at all.
"""

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import NamedTuple

from mapkit.bitboards import Bits, indexes, shifted
from mapkit.traces import Blockade, Leg, Network
from mapkit.traces.network import board_steps
from mapkit.traces.obstacles import Blame

Steps = tuple[tuple[int, Bits], ...]  # by how many bits a step moves a set, and where it may lead


class LegReach(NamedTuple):
    """How far a flood has come in one leg.

    *within* are the hexes reached in at most 0, 1, … steps and *beyond* where one more step leads
    from each; a leg without a limit has one of each. *met* is all that a line comes to, free or
    not; *refused* what of it is not.
    """

    within: tuple[Bits, ...]
    beyond: tuple[Bits, ...]
    met: Bits
    refused: Bits


class LegWays:
    """The steps of one leg, in the direction of the line or back."""

    def __init__(self, leg: Leg, *, back: bool) -> None:
        self._most = leg.most_hexes
        self._steps = _steps(leg.network, back=back)
        self._first = _steps(leg.first_step, back=back)
        self._differ = leg.first is not None
        self.goes, self.joins = leg.where_it_goes, leg.where_it_joins
        within, beyond = (1, 1) if self._most is None else (self._most + 1, self._most)
        self.nothing = LegReach((0,) * within, (0,) * beyond, 0, 0)

    def first_step(self, start: Bits) -> Bits:
        """Return where the first step of a line leads from these hexes."""
        return _stepped(start, self._first) if start and self._most != 0 else 0

    def go_on(
        self, before: LegReach, free: Bits, seeds: Bits, *, started: Bits | None = None
    ) -> LegReach:
        """Return how far a flood comes from more seeds, over more free hexes, than *before*.

        *started* is where the first step leads from the start of lines. None: the flood goes
        back from their ends, and what it meets is where they may start.
        """
        came = started or 0
        if self._most is None:
            within, beyond = self._unlimited(before, free, seeds | came)
        else:
            within, beyond = self._limited(before, free, seeds, came)
        met = beyond[-1] if self._most != 0 else 0
        if started is not None:
            met |= came
        elif self._differ and self._most != 0:
            met = _stepped(within[-1 if self._most is None else -2], self._first)
        return LegReach(within, beyond, met, (met | seeds) & self.goes & ~free)

    def _unlimited(
        self, before: LegReach, free: Bits, seeds: Bits
    ) -> tuple[tuple[Bits, ...], tuple[Bits, ...]]:
        (within,), (beyond,) = before.within, before.beyond
        front = (seeds | beyond) & free & ~within
        while front:
            within |= front
            came = _stepped(front, self._steps)
            beyond |= came
            front = came & free & ~within
        return (within,), (beyond,)

    def _limited(
        self, before: LegReach, free: Bits, seeds: Bits, came: Bits
    ) -> tuple[tuple[Bits, ...], tuple[Bits, ...]]:
        here = seeds & free
        within, beyond = [here], []
        for had, led in zip(before.within, before.beyond, strict=False):
            new = here & ~had
            beyond.append(led | _stepped(new, self._steps) if new else led)
            here |= (beyond[-1] | came) & free
            came = 0
            within.append(here)
        return tuple(within), tuple(beyond)


class Obstructed:
    """One leg with the enemies on it: what is free with a few of them away, and who blocks."""

    def __init__(self, blockade: Blockade, number: int) -> None:
        leg = blockade.route.legs[number]
        self._goes, self._who = leg.where_it_goes, blockade.blockers[number].outright
        minded = ~blockade.exempt.get(leg.name, 0)
        self._hexes = [load.occupied | load.zone & minded for load in blockade.loads[number]]
        self._by_one = self._by_two = self._by_three = 0  # blocked by so many enemies or more
        for hexes in self._hexes:
            self._by_three |= self._by_two & hexes
            self._by_two |= self._by_one & hexes
            self._by_one |= hexes

    def free(self, removed: Blame) -> Bits:
        """Return the hexes that are free with some enemies away."""
        freed = 0
        match [self._hexes[enemy] for enemy in indexes(removed)]:
            case []:
                pass
            case [one]:
                freed = one & ~self._by_two
            case [one, other]:
                freed = (one | other) & ~self._by_two | one & other & ~self._by_three
            case more:
                kept = sum(1 << index for index, who in self._who.items() if who & ~removed)
                freed = reduce(or_, more) & ~kept
        return self._goes & ~(self._by_one & ~freed)

    def hurdles(self, refused: Bits, removed: Blame, most: int) -> Iterator[Blame]:
        """Yield who still blocks some hexes, where that is not more than *most* enemies."""
        crowded = 0  # hexes under too many at a glance; the others are counted one by one
        if most + removed.bit_count() < 3:
            crowded |= self._by_three
        if most == 1:
            gone = reduce(or_, [self._hexes[enemy] for enemy in indexes(removed)], 0)
            crowded |= self._by_two & ~gone
        for index in indexes(refused & ~crowded):
            blame = self._who[index] & ~removed
            if 0 < blame.bit_count() <= most:
                yield blame


def _steps(network: Network, *, back: bool) -> Steps:
    steps = zip(network.doors, board_steps(network.board), strict=True)
    if back:
        return tuple((-step, door) for door, step in steps if door)
    return tuple((step, shifted(door, step)) for door, step in steps if door)


def _stepped(bits: Bits, steps: Steps) -> Bits:
    found = 0
    for by, where in steps:
        found |= (bits << by if by > 0 else bits >> -by) & where
    return found
