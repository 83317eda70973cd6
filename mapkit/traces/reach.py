"""Where a unit can go: every hex within its allowance and what it costs to come there.

Hexes of one cost are one set, and sets are taken in ascending order of cost. The way to one hex
(`moves`) and the reasons against another (`refusals`) are worked out when they are asked for.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from typing import Literal

from mapkit.bitboards import Bits, indexes
from mapkit.hexes import Hex
from mapkit.traces.floods import stepped
from mapkit.traces.movement import Movement
from mapkit.traces.network import Priced, board_steps
from mapkit.traces.prices import PriceList

How = Literal["paid", "whole", "minimum"]


@dataclass(frozen=True, slots=True)
class Arrival:
    """A hex a unit can reach: what it has spent there and what it has left.

    *how* tells a move paid step by step from one that took the whole allowance, and from the
    minimum move. The latter two leave nothing.
    """

    hex: Hex
    spent: Fraction
    left: Fraction
    how: How


@dataclass(frozen=True)
class Reach:
    """All hexes a unit can reach from *start*, which is one of them.

    *levels* are the hexes reached by paying, by cost in parts, ascending; *whole* those reached
    only by an entry that takes the whole allowance; *minimum* only by the minimum move.
    """

    start: Hex
    movement: Movement
    prices: PriceList
    levels: tuple[tuple[int, Bits], ...]
    whole: Bits = 0
    minimum: Bits = 0

    @cached_property
    def paid(self) -> Bits:
        """The hexes that are reached by paying step by step."""
        found = 0
        for _, bits in self.levels:
            found |= bits
        return found

    @cached_property
    def hexes(self) -> Bits:
        """Every hex that can be reached."""
        return self.paid | self.whole | self.minimum

    @cached_property
    def spent(self) -> dict[int, int]:
        """What each paid hex costs, in parts, by the number of its bit."""
        return {index: cost for cost, bits in self.levels for index in indexes(bits)}

    @cached_property
    def goes_on(self) -> Bits:
        """The paid hexes from which the move may go on: some stop it, a pinned unit stays."""
        here = self.movement.board.bit(self.start)
        return (self.paid & ~self.movement.stops & ~here) | (here & ~self.movement.pinned)

    @cached_property
    def unspent(self) -> Bits:
        """The hexes from which an entry may be made that takes the whole allowance."""
        if self.movement.whole_needs == "first_step":
            return self.goes_on & self.movement.board.bit(self.start)
        return self.goes_on & self.levels[0][1]  # the first level is the start's, at no cost

    def arrival(self, hex_: Hex) -> Arrival | None:
        """Return what it takes to reach a hex, or None: then ask `why_not`."""
        return self.arrivals_by_bit.get(self.movement.board.index(hex_))

    def arrivals(self) -> tuple[Arrival, ...]:
        """Return every hex that can be reached, in the order of their bits."""
        return tuple(arrival for _, arrival in sorted(self.arrivals_by_bit.items()))

    @cached_property
    def arrivals_by_bit(self) -> dict[int, Arrival]:
        """What it takes to reach each hex, by the number of its bit."""
        most, nothing = Fraction(self.movement.allowance), Fraction(0)
        found: dict[int, Arrival] = {}
        for cost, bits in self.levels:
            spent = self.movement.in_points(cost)
            found.update(self._arriving(bits, spent, most - spent, "paid"))
        found.update(self._arriving(self.whole, most, nothing, "whole"))
        found.update(self._arriving(self.minimum, most, nothing, "minimum"))
        return found

    def _arriving(
        self, bits: Bits, spent: Fraction, left: Fraction, how: How
    ) -> Iterator[tuple[int, Arrival]]:
        hexes = self.movement.board.hexes(bits)
        for index, hex_ in zip(indexes(bits), hexes, strict=True):
            yield index, Arrival(hex_, spent, left, how)


def movement_reach(movement: Movement, start: Hex) -> Reach:
    """Return all hexes a unit can reach from one hex."""
    prices = PriceList.of(movement)
    paid = Reach(start, movement, prices, _levels(movement, prices.priced, start))
    steps = board_steps(movement.board)
    first_step = movement.whole_needs == "first_step"
    ways = prices.whole if first_step else prices.whole_untolled
    whole = stepped(paid.unspent, ways, steps) if movement.allowance > 0 else 0
    minimum = 0
    if movement.minimum_move:
        here = paid.goes_on & movement.board.bit(start)
        for exits in (prices.whole, *(exits for _, exits in prices.priced)):
            minimum |= stepped(here, exits, steps)
    whole &= ~paid.paid
    return Reach(start, movement, prices, paid.levels, whole, minimum & ~paid.paid & ~whole)


def _levels(movement: Movement, priced: Priced, start: Hex) -> tuple[tuple[int, Bits], ...]:
    """Return the hexes that are reached by paying, by what they cost."""
    steps, most = board_steps(movement.board), movement.most_parts
    here = movement.board.bit(start)
    found: dict[int, Bits] = {}
    waiting, costs, seen = {0: here}, [0], 0
    while costs:
        cost = heappop(costs)
        fresh = waiting.pop(cost) & ~seen
        if not fresh:
            continue
        seen |= fresh
        found[cost] = found.get(cost, 0) | fresh
        # Only the start is left although it stops a move: nobody has entered it.
        going = fresh & ~(movement.pinned if fresh == here else movement.stops)
        for price, exits in priced:
            if cost + price > most:
                break
            if came := stepped(going, exits, steps) & ~seen:
                if cost + price not in waiting:
                    heappush(costs, cost + price)
                waiting[cost + price] = waiting.get(cost + price, 0) | came
    return tuple(found.items())
