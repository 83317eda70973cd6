"""Why a unit cannot go somewhere: a reason for every hex just beyond its reach."""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from mapkit.bitboards import indexes
from mapkit.hexes import Hex
from mapkit.traces.network import board_steps
from mapkit.traces.prices import quote
from mapkit.traces.reach import Arrival, Reach


class Why(Enum):
    """What stands against a step, the nearest to success first."""

    TOO_DEAR = "too_dear"
    NEEDS_WHOLE = "needs_whole"  # it takes the whole allowance, and some of it is spent
    MUST_STOP = "must_stop"
    PINNED = "pinned"
    BARRED = "barred"  # forbidden by a toll, which is named
    NO_WAY = "no_way"  # forbidden by every network, with the reason they give


_RANK = {why: place for place, why in enumerate(Why)}
_NOTHING = Fraction(0)


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


def why_not(reach: Reach, hex_: Hex) -> tuple[Refusal, ...]:
    """Return why a hex is not reached, from each neighbour that is; the nearest miss first.

    () means that the hex is reached, or that the unit does not even come next to it.
    """
    board = reach.movement.board
    if board.bit(hex_) & reach.hexes:
        return ()
    return tuple(sorted(_misses(reach, board.index(hex_)), key=_nearness))


def refused(reach: Reach) -> dict[Hex, Refusal]:
    """Return for every hex next to the reach, but not in it, the nearest miss."""
    board = reach.movement.board
    beyond = board.neighbours(reach.hexes) & ~reach.hexes
    nearest = (min(_misses(reach, index), key=_nearness) for index in indexes(beyond))
    return {refusal.hex: refusal for refusal in nearest}


def _misses(reach: Reach, index: int) -> list[Refusal]:
    """Return what is against each step from a hex of the reach into the hex with this bit."""
    (there,) = reach.movement.board.at([index])
    steps = enumerate(board_steps(reach.movement.board))
    return [
        _refusal(reach, arrival, index - step, direction, there)
        for direction, step in steps
        if (arrival := reach.arrivals_by_bit.get(index - step)) is not None
    ]


def _refusal(reach: Reach, at: Arrival, index: int, direction: int, there: Hex) -> Refusal:
    """Return what is against one step; that it is forbidden weighs more than what is left."""
    movement, bit, here, left = reach.movement, 1 << index, at.hex, at.left
    cost = reach.prices.cost(bit, direction)
    if cost is None and not reach.prices.whole[direction] & bit:
        price = quote(movement, here, there)
        why = Why.BARRED if price.open == "barred" else Why.NO_WAY
        return Refusal(there, here, why, name=price.why)
    needs = Fraction(movement.allowance) if cost is None else movement.in_points(cost)
    if here == reach.start and bit & movement.pinned:
        return Refusal(there, here, Why.PINNED, needs, left)
    all_spent = at.how != "paid"  # then not even a free step is left
    if (here != reach.start and bit & movement.stops) or (all_spent and needs <= left):
        return Refusal(there, here, Why.MUST_STOP, needs, left)
    return Refusal(there, here, Why.NEEDS_WHOLE if cost is None else Why.TOO_DEAR, needs, left)


def _nearness(refusal: Refusal) -> tuple[int, Fraction, Hex]:
    """Return what misses are compared by: what is against the step, how much is wanting, where."""
    needs, left = refusal.needs, refusal.left
    short = _NOTHING if needs is None or left is None else needs - left
    return _RANK[refusal.why], short, refusal.came_from
