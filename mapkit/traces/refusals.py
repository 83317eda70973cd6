"""Why a unit cannot go somewhere: a reason for every hex just beyond its reach."""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from mapkit.bitboards import Bits, indexes
from mapkit.hexes import Hex
from mapkit.traces.network import board_steps
from mapkit.traces.prices import barring_toll, closed_because
from mapkit.traces.reach import Arrival, Reach


class Why(Enum):
    """What stands against a step, the nearest to success first."""

    TOO_DEAR = "too_dear"
    NEEDS_WHOLE = "needs_whole"  # it takes the whole allowance, and some of it is spent
    MUST_STOP = "must_stop"
    PINNED = "pinned"
    BARRED = "barred"  # forbidden by a toll, which is named
    NO_WAY = "no_way"  # forbidden by every network, with the reason they give


_BY_RANK = tuple(Why)
_RANK = {why: place for place, why in enumerate(_BY_RANK)}


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


# What is against one step: what misses are compared by (what it is, how much is wanting in parts,
# from where), then its price, what is left there, and the toll that forbids it.
_Miss = tuple[int, int | Fraction, Hex, Fraction | None, Fraction | None, str]


def why_not(reach: Reach, hex_: Hex) -> tuple[Refusal, ...]:
    """Return why a hex is not reached, from each neighbour that is; the nearest miss first.

    () means that the hex is reached, or that the unit does not even come next to it.
    """
    board = reach.movement.board
    if board.bit(hex_) & reach.hexes:
        return ()
    misses = sorted(_misses(reach, board.index(hex_)))
    return tuple(_refusal(reach, hex_, miss) for miss in misses)


def refused(reach: Reach) -> dict[Hex, Refusal]:
    """Return for every hex next to the reach, but not in it, the nearest miss."""
    board = reach.movement.board
    beyond = list(indexes(board.neighbours(reach.hexes) & ~reach.hexes))
    return {
        hex_: _refusal(reach, hex_, min(_misses(reach, index)))
        for index, hex_ in zip(beyond, board.at(beyond), strict=True)
    }


def _misses(reach: Reach, index: int) -> list[_Miss]:
    """Return what is against each step from a hex of the reach into the hex with this bit."""
    arrivals, entering = reach.arrivals_by_bit, 1 << index
    return [
        _miss(reach, arrival, index - step, direction, entering)
        for direction, step in enumerate(board_steps(reach.movement.board))
        if (arrival := arrivals.get(index - step)) is not None
    ]


def _miss(reach: Reach, at: Arrival, index: int, direction: int, entering: Bits) -> _Miss:
    """Return what is against one step; that it is forbidden weighs more than what is left."""
    movement, bit, here, left = reach.movement, 1 << index, at.hex, at.left
    cost = reach.prices.cost(bit, direction)
    if cost is None and not reach.prices.whole[direction] & bit:
        barred = barring_toll(movement, bit, entering)
        why = Why.NO_WAY if barred is None else Why.BARRED
        return _RANK[why], 0, here, None, None, barred or ""
    needs = Fraction(movement.allowance) if cost is None else movement.in_points(cost)
    all_spent = at.how != "paid"  # then not even a free step is left
    if here == reach.start and bit & movement.pinned:
        why = Why.PINNED
    elif (here != reach.start and bit & movement.stops) or (all_spent and needs <= left):
        why = Why.MUST_STOP
    else:
        why = Why.NEEDS_WHOLE if cost is None else Why.TOO_DEAR
    # What is wanting is the price and what was spent, less the allowance: the same for all.
    whole = movement.allowance * movement.parts
    wanting = (whole if cost is None else cost) + reach.spent.get(index, whole)
    return _RANK[why], wanting, here, needs, left, ""


def _refusal(reach: Reach, there: Hex, miss: _Miss) -> Refusal:
    rank, _, here, needs, left, name = miss
    why = _BY_RANK[rank]
    if why is Why.NO_WAY:
        name = closed_because(reach.movement, here, there)
    return Refusal(there, here, why, needs, left, name)
