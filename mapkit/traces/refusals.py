"""Why a unit cannot go somewhere: a reason for every hex just beyond its reach."""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from mapkit.hexes import Hex, neighbours
from mapkit.traces.prices import Quote, quote
from mapkit.traces.reach import Reach


class Why(Enum):
    """What stands against a step, the nearest to success first."""

    TOO_DEAR = "too_dear"
    NEEDS_WHOLE = "needs_whole"  # it takes the whole allowance, and some of it is spent
    MUST_STOP = "must_stop"
    PINNED = "pinned"
    BARRED = "barred"  # forbidden by a toll, which is named
    NO_WAY = "no_way"  # forbidden by every network, with the reason they give

    @property
    def rank(self) -> int:
        """The place in this list."""
        return list(Why).index(self)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a step from one hex into a neighbour cannot be made.

    *needs* is the price of the step and *left* what the unit has at *came_from*; *name* is the
    toll that forbids it or the network's own reason.
    """

    hex: Hex
    came_from: Hex
    why: Why
    needs: Fraction | None = None
    left: Fraction | None = None
    name: str = ""

    @property
    def _rank(self) -> tuple[int, Fraction, Hex]:
        short = (self.needs or Fraction(0)) - (self.left or Fraction(0))
        return self.why.rank, short, self.came_from


def why_not(reach: Reach, hex_: Hex) -> tuple[Refusal, ...]:
    """Return why a hex is not reached, from each neighbour that is; the nearest miss first.

    () means that the hex is reached, or that the unit does not even come next to it.
    """
    board = reach.movement.board
    if board.bit(hex_) & reach.hexes:
        return ()
    stands = [here for here in neighbours(hex_) if here in board and board.bit(here) & reach.hexes]
    return tuple(sorted((_refusal(reach, here, hex_) for here in stands), key=lambda r: r._rank))


def refused(reach: Reach) -> dict[Hex, Refusal]:
    """Return for every hex next to the reach, but not in it, the nearest miss."""
    board = reach.movement.board
    beyond = board.neighbours(reach.hexes) & ~reach.hexes
    return {hex_: why_not(reach, hex_)[0] for hex_ in board.hexes(beyond)}


def _refusal(reach: Reach, here: Hex, there: Hex) -> Refusal:
    """Return what is against one step; that it is forbidden weighs more than what is left."""
    movement = reach.movement
    price: Quote = quote(movement, here, there)
    if price.open == "no_way":
        return Refusal(there, here, Why.NO_WAY, name=price.why)
    if price.open == "barred":
        return Refusal(there, here, Why.BARRED, name=price.why)
    arrival = reach.arrival(here)
    left = arrival.left if arrival else Fraction(0)
    all_spent = arrival is not None and arrival.how != "paid"  # then not even a free step is left
    needs = (
        Fraction(movement.allowance) if price.open == "whole" else movement.in_points(price.cost)
    )
    if here == reach.start and movement.board.bit(here) & movement.pinned:
        return Refusal(there, here, Why.PINNED, needs, left)
    stops = here != reach.start and movement.board.bit(here) & movement.stops
    if stops or (all_spent and needs <= left):
        return Refusal(there, here, Why.MUST_STOP, needs, left)
    why = Why.NEEDS_WHOLE if price.open == "whole" else Why.TOO_DEAR
    return Refusal(there, here, why, needs, left)
