"""The best lines of many units at once: units on one road share what lies ahead of them.

A line is judged best as `mapkit.traces.search` judges it: the first leg as short as can be, then
the next, and among equals the lower direction where two lines first part. Legs here count plain
hexes. From the ends every leg is laid out in waves; what is best from a hex on is worked out when
the first line comes there, and remembered:

    U . . .        from U into the wave before its own, of equals toward the shorter road, and
     . # = = S     from the road on where every line before has gone already
    V . /
"""

from typing import NamedTuple

from mapkit.bitboards import Bits, indexes
from mapkit.traces import Blockade, Leg
from mapkit.traces.floods import closed, stepped_back
from mapkit.traces.network import Arc, board_steps
from mapkit.traces.obstacles import Ground


class Line(NamedTuple):
    """A line to a source: the bit of the hex it starts from, and the bits of every leg's hexes.

    *first* is the leg it begins with; a leg it has no need of is empty.
    """

    start: int
    first: int
    legs: tuple[tuple[int, ...], ...]

    @property
    def end(self) -> int:
        """The bit of the source it reaches."""
        return next((leg[-1] for leg in reversed(self.legs) if leg), self.start)


class _Ahead(NamedTuple):
    """What is best from a hex on: hexes left in each leg to come, and the next hex of this one."""

    left: tuple[int, ...]
    then: int | None  # None: this leg ends here


class _LegWaves(NamedTuple):
    """One leg: how many hexes are left to its end from each hex, and who may begin here."""

    left: dict[int, int]
    starts: Bits
    spots: Bits  # a unit here has no need of this leg


class SideLines:
    """The lines of one side to its sources; ask for the line of any hex."""

    def __init__(self, blockade: Blockade, sources: Bits) -> None:
        self._route = blockade.route
        self._steps = board_steps(blockade.route.board)
        found: list[_LegWaves] = []
        ends = spots = sources
        for leg, ground in reversed(list(zip(self._route.legs, blockade.grounds, strict=True))):
            waves = self._waves(leg, ground, ends)
            found.insert(0, _laid_out(waves, leg, ground, spots, self._steps))
            ends = _together(waves) & leg.where_it_joins
            spots = found[0].starts & leg.where_it_joins
        self._legs = found
        self._ahead: list[dict[int, _Ahead]] = [{} for _ in found]
        self._rests: list[dict[int, tuple[int, ...]]] = [{} for _ in found]

    @property
    def open_hexes(self) -> Bits:
        """The hexes from which a line is open."""
        return self._legs[0].starts

    def line(self, start: int) -> Line | None:
        """Return the best line from the hex with this bit; None where there is none."""
        if not self.open_hexes >> start & 1:
            return None
        last = len(self._legs) - 1
        first = next((n for n, one in enumerate(self._legs) if not one.spots >> start & 1), None)
        if first is None:
            return Line(start, last, ((),) * (last + 1))
        _, at = self._best(first, self._route.legs[first].first_step.arcs.get(start, ()))
        legs: list[tuple[int, ...]] = [()] * first
        legs.append((at, *self._rest(first, at)))
        for leg in range(first + 1, last + 1):
            at = legs[-1][-1] if legs[-1] else at
            legs.append(self._rest(leg, at))
        return Line(start, first, tuple(legs))

    def _rest(self, leg: int, start: int) -> tuple[int, ...]:
        """Return the hexes of one leg after this one; lines that meet here share them."""
        known = self._rests[leg]
        way: list[int] = []
        at: int | None = start
        while at is not None and at not in known:
            way.append(at)
            at = self._from(leg, at).then
        rest: tuple[int, ...] = () if at is None else (at, *known[at])
        for hex_ in reversed(way):
            known[hex_] = rest
            rest = (hex_, *rest)
        return known[start]

    def _from(self, leg: int, index: int) -> _Ahead:
        """Return what is best from a hex on in a leg; worked out once, without recursing deep."""
        known = self._ahead[leg]
        if index in known:
            return known[index]
        arcs, left = self._route.legs[leg].network.arcs, self._legs[leg].left
        if leg == len(self._legs) - 1:  # no leg to come, so that the first way on is the best
            before = left[index] - 1
            then = next((arc.to for arc in arcs.get(index, ()) if left.get(arc.to) == before), None)
            known[index] = _Ahead((before + 1,), then if before >= 0 else None)
            return known[index]
        waiting = [index]
        while waiting:
            at = waiting[-1]
            if at in known:
                waiting.pop()
            elif left[at] == 0:
                known[at] = _Ahead((0, *self._from(leg + 1, at).left), None)
            else:
                before = left[at] - 1
                near = tuple(arc for arc in arcs.get(at, ()) if left.get(arc.to) == before)
                unknown = [arc.to for arc in near if arc.to not in known]
                waiting += unknown
                if not unknown:
                    known[at] = _Ahead(*self._best(leg, near))
        return known[index]

    def _best(self, leg: int, arcs: tuple[Arc, ...]) -> tuple[tuple[int, ...], int]:
        """Return the hexes left after the best of some steps, one more for it, and where it leads.

        Arcs come by direction, and the first of equals wins.
        """
        left = self._legs[leg].left
        nearest = min(left[arc.to] for arc in arcs if arc.to in left)
        best: tuple[int, ...] = ()
        to = -1
        for arc in arcs:
            if left.get(arc.to) == nearest:
                ahead = self._from(leg, arc.to).left
                if to < 0 or ahead < best:
                    best, to = ahead, arc.to
        return (nearest + 1, *best[1:]), to

    def _waves(self, leg: Leg, ground: Ground, ends: Bits) -> list[Bits]:
        ways = closed(leg.network.doors, ground.shut)
        waves = [ends & ground.free]
        unseen = ground.free & ~ends
        while waves[-1] and (leg.most_hexes is None or len(waves) <= leg.most_hexes):
            waves.append(stepped_back(waves[-1], ways, self._steps) & unseen)
            unseen &= ~waves[-1]
        return waves


def _laid_out(
    waves: list[Bits], leg: Leg, ground: Ground, spots: Bits, steps: tuple[int, ...]
) -> _LegWaves:
    first = closed(leg.first_step.doors, ground.shut)
    nearer = waves if leg.most_hexes is None else waves[: leg.most_hexes]
    met = stepped_back(_together(nearer), first, steps)
    left = {index: n for n, wave in enumerate(waves) for index in indexes(wave)}
    return _LegWaves(left, met | spots, spots)


def _together(waves: list[Bits]) -> Bits:
    found = 0
    for wave in waves:
        found |= wave
    return found
