"""The way of a unit to one hex it can reach, step by step."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from mapkit.bitboards import Bits
from mapkit.hexes import Hex
from mapkit.traces.floods import stepped_back
from mapkit.traces.network import board_steps
from mapkit.traces.prices import Open, direction_of, quote
from mapkit.traces.reach import How, Reach


@dataclass(frozen=True, slots=True)
class Move:
    """One step of a move: the hex entered, by which way, the price, and what was spent so far."""

    hex: Hex
    way: str
    cost: Fraction
    spent: Fraction
    tolls: tuple[str, ...] = ()


def moves_to(reach: Reach, hex_: Hex) -> tuple[Move, ...]:
    """Return the cheapest way to a hex, the start left out; () where the unit cannot go.

    Of equally cheap ways it is the one with the fewest hexes, and then the one that takes the
    lower direction where they first part.
    """
    arrival = reach.arrival(hex_)
    if arrival is None:
        return ()
    if arrival.how == "paid":
        return tuple(_priced(reach, _paid_path(reach, hex_)))
    ways = [_paid_path(reach, here) for here in _last_stands(reach, hex_, arrival.how)]
    best = min(ways, key=lambda way: (len(way), _directions([*way, hex_])))
    kind: Open = "whole" if arrival.how == "whole" else "paid"
    last = quote(reach.movement, best[-1], hex_, prefer=kind)
    rest = arrival.spent  # whatever is left: nothing was paid before
    return (*_priced(reach, best), Move(hex_, last.way, rest, rest, last.tolls))


def _last_stands(reach: Reach, hex_: Hex, how: How) -> tuple[Hex, ...]:
    """Return the hexes from which a step that spends everything leads to a hex."""
    if how == "minimum" or reach.movement.whole_needs == "first_step":
        return (reach.start,)
    board = reach.movement.board
    before = stepped_back(board.bit(hex_), reach.prices.whole_untolled, board_steps(board))
    return board.hexes(before & reach.unspent)


def _paid_path(reach: Reach, target: Hex) -> list[Hex]:
    """Return the hexes of the best way: back over cheapest steps first, then forth by direction."""
    here = reach.movement.board.bit(reach.start)
    layers = [reach.movement.board.bit(target)]
    seen = 0
    while not layers[-1] & here:
        seen |= layers[-1]
        layers.append(_before(reach, layers[-1]) & ~seen)
    path = [reach.start]
    for layer in reversed(layers[:-1]):
        path.append(next(_after(reach, path[-1], layer)))
    return path


def _before(reach: Reach, bits: Bits) -> Bits:
    """Return the hexes from which a cheapest way leads into a set in one step."""
    found, levels, steps = 0, dict(reach.levels), board_steps(reach.movement.board)
    for level, hexes in reach.levels:
        if not (part := bits & hexes):
            continue
        for cost, exits in reach.prices.priced:
            found |= stepped_back(part, exits, steps) & levels.get(level - cost, 0)
    return found & reach.goes_on


def _after(reach: Reach, here: Hex, layer: Bits) -> Iterator[Hex]:
    """Yield the hexes of a layer to which a cheapest way leads from here, by direction."""
    board = reach.movement.board
    spent = reach.spent[board.index(here)]
    for direction in range(6):
        there = here.step(direction)
        if there in board and layer & board.bit(there):
            price = quote(reach.movement, here, there)
            if price.open == "paid" and spent + price.cost == reach.spent[board.index(there)]:
                yield there


def _priced(reach: Reach, path: Sequence[Hex]) -> Iterator[Move]:
    """Yield the steps of a path with their prices."""
    points, spent = reach.movement.in_points, 0
    for here, there in pairwise(path):
        price = quote(reach.movement, here, there)
        spent += price.cost
        yield Move(there, price.way, points(price.cost), points(spent), price.tolls)


def _directions(path: Sequence[Hex]) -> list[int]:
    return [direction_of(here, there) for here, there in pairwise(path)]
