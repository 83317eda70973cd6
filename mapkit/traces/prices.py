"""What every step costs one unit: its ways and tolls put together, for all hexes at once."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Literal

from mapkit.bitboards import Bits, shifted
from mapkit.hexes import DIRECTIONS, Hex
from mapkit.traces.movement import Movement, Toll, Way
from mapkit.traces.network import NO_EXITS, Exits, Network, Priced, board_steps

Open = Literal["paid", "whole", "no_way", "barred"]

_DIRECTION = {tuple(step): direction for direction, step in enumerate(DIRECTIONS)}


@dataclass(frozen=True)
class PriceList:
    """The exits of all ways by what a step costs, tolls included, in parts.

    Entries that take a whole allowance stand apart: *whole_untolled* where nothing is charged
    on top, *whole* wherever they are not forbidden.
    """

    priced: Priced
    whole_untolled: Exits
    whole: Exits

    @classmethod
    def of(cls, movement: Movement) -> "PriceList":
        """Put the ways and tolls of a unit together."""
        classes = [_toll_classes(movement, direction) for direction in range(6)]
        found: dict[int, list[Bits]] = defaultdict(lambda: list(NO_EXITS))
        untolled, whole = list(NO_EXITS), list(NO_EXITS)
        for way in movement.ways:
            factor = movement.parts // way.network.parts
            usable = _usable(way)
            for direction, tolled in enumerate(classes):
                for toll, leaving in tolled.items():
                    open_to = leaving & usable[direction]
                    for cost, exits in way.network.by_cost:
                        found[cost * factor + toll][direction] |= exits[direction] & open_to
                    wholly = way.network.whole[direction] & open_to
                    whole[direction] |= wholly
                    untolled[direction] |= 0 if toll else wholly
        priced = tuple((cost, tuple(found[cost])) for cost in sorted(found))
        return cls(priced, tuple(untolled), tuple(whole))

    def cost(self, leaving: Bits, direction: int) -> int | None:
        """Return the least a step costs, in parts, out of one hex; None where none is paid for."""
        for cost, exits in self.priced:
            if exits[direction] & leaving:
                return cost
        return None


@dataclass(frozen=True, slots=True)
class Quote:
    """The price of one step: by which way, how much in parts, and the tolls in it.

    Where the step is not open, *why* is the key of the network's reason or the name of the toll
    that forbids it.
    """

    open: Open
    way: str = ""
    cost: int = 0
    tolls: tuple[str, ...] = ()
    why: str = ""


def quote(movement: Movement, here: Hex, there: Hex, *, prefer: Open = "paid") -> Quote:
    """Return what a step into a neighbour costs, and how that comes about.

    The cheapest way wins; of equals the one named first. Where one way is paid for and another
    takes the whole allowance, *prefer* says which is meant.
    """
    board = movement.board
    if there not in board:
        return Quote("no_way")
    leaving, entering = board.bit(here), board.bit(there)
    if (barred := barring_toll(movement, leaving, entering)) is not None:
        return Quote("barred", why=barred)
    charged = [toll for toll in movement.tolls if _applies(toll, leaving, entering)]
    names = tuple(toll.name for toll in charged)
    extra = sum(int((toll.points or 0) * movement.parts) for toll in charged)
    direction, offers = direction_of(here, there), []
    for way in movement.ways:
        if _holds(way.out_of, leaving) and _holds(way.into, entering):
            offer = _offer(way.network, leaving, direction)
            if offer is not None:
                kind, cost = offer
                parts = cost * (movement.parts // way.network.parts)
                offers.append(Quote(kind, way.name, parts + extra, names))
    if offers:
        return min(offers, key=lambda offer: (offer.open != prefer, offer.cost))
    return Quote("no_way", why=closed_because(movement, here, there))


def barring_toll(movement: Movement, leaving: Bits, entering: Bits) -> str | None:
    """Return the name of the toll that forbids a step between two hexes, None where none does."""
    for toll in movement.tolls:
        if toll.points is None and _applies(toll, leaving, entering):
            return toll.name
    return None


def closed_because(movement: Movement, here: Hex, there: Hex) -> str:
    """Return the reason of the first network that has one why a step is not in it."""
    reasons = (way.network.reasons.get((here, there)) for way in movement.ways)
    return next(filter(None, reasons), "")


def _offer(
    network: Network, leaving: Bits, direction: int
) -> tuple[Literal["paid", "whole"], int] | None:
    """Return how one network takes this step, and for how many of its parts."""
    for cost, exits in network.by_cost:
        if exits[direction] & leaving:
            return "paid", cost
    return ("whole", 0) if network.whole[direction] & leaving else None


def direction_of(here: Hex, there: Hex) -> int:
    """Return the direction of a neighbour."""
    return _DIRECTION[there.q - here.q, there.r - here.r]


def _toll_classes(movement: Movement, direction: int) -> dict[int, Bits]:
    """Return for each sum of tolls the hexes that are left at it in one direction."""
    step = board_steps(movement.board)[direction]
    classes: dict[int, Bits] = {0: movement.board.everything}
    for toll in movement.tolls:
        leaving = movement.board.everything if toll.leaving is None else toll.leaving
        if toll.entering is not None:
            leaving &= shifted(toll.entering, -step)
        split: dict[int, Bits] = defaultdict(int)
        for total, bits in classes.items():
            split[total] |= bits & ~leaving
            if toll.points is not None:
                split[total + int(toll.points * movement.parts)] |= bits & leaving
        classes = {total: bits for total, bits in split.items() if bits}
    return classes


def _usable(way: Way) -> Exits:
    """Return for each direction the hexes from which a way may be used."""
    board = way.network.board
    out_of = board.everything if way.out_of is None else way.out_of
    if way.into is None:
        return (out_of,) * 6
    return tuple(out_of & shifted(way.into, -step) for step in board_steps(board))


def _applies(toll: Toll, leaving: Bits, entering: Bits) -> bool:
    return _holds(toll.leaving, leaving) and _holds(toll.entering, entering)


def _holds(bits: Bits | None, bit: Bits) -> bool:
    return bits is None or bool(bits & bit)
