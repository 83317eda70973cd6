r"""The ways from hex to hex and what they cost, compiled once for a map and a rule.

A network asks a rule for every hex and every neighbour, once, and keeps the answers as sets of
hexes: for each cost and each direction the hexes that are left that way at that cost. Whatever
changes from turn to turn (units, zones) stays outside; see `obstacles` and `movement`.

Costs are whole numbers or Fractions; inside they are whole numbers of the smallest part in use:

    rule says      1/2   1   3          (parts = 2: halves)
    kept as         1    2   6
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import cached_property, reduce
from math import lcm
from operator import and_, or_
from typing import NamedTuple

from mapkit.bitboards import Bits, Board, indexes, shifted
from mapkit.hexes import DIRECTIONS, Hex, Link

Points = int | Fraction
Exits = tuple[Bits, ...]  # for each of the six directions: the hexes that may be left that way
Priced = tuple[tuple[int, Exits], ...]  # exits by cost in parts, ascending

NO_EXITS: Exits = (0,) * 6


class _Whole(Enum):
    WHOLE = "whole"


WHOLE = _Whole.WHOLE  # the cost of an entry that takes the whole allowance of a unit


@dataclass(frozen=True, slots=True)
class NoWay:
    """The answer of a rule that forbids a step, with a key that says why."""

    why: str = ""


Cost = Points | _Whole | NoWay | None  # None forbids without a reason
CostRule = Callable[[Hex, Hex], Cost]


class Arc(NamedTuple):
    """One step out of a hex: its direction, the bit it leads to and its cost in parts."""

    direction: int
    to: int
    cost: int


@dataclass(frozen=True, eq=False)
class Network:
    """Ways over a board; make it with `Network.build`, `Network.open` or `Network.along`.

    *whole* holds the steps that take a whole allowance: movement knows them, for traces they are
    no way at all. *reasons* keeps why a step is forbidden, where the rule said so.
    """

    board: Board
    parts: int
    by_cost: Priced
    whole: Exits = NO_EXITS
    reasons: Mapping[tuple[Hex, Hex], str] = field(default_factory=dict)

    @classmethod
    def build(cls, board: Board, cost: CostRule) -> "Network":
        """Ask *cost(here, there)* for every hex and every neighbour on the board.

        A float is refused: it would let rounding decide who arrives.

        >>> board = Board([Hex(0, 0), Hex(1, 0)])
        >>> road = Network.build(board, lambda here, there: Fraction(1, 2))
        >>> road.parts, [cost for cost, _ in road.by_cost]
        (2, [1])
        """
        priced: dict[Points, list[list[Hex]]] = defaultdict(_six_lists)
        whole = _six_lists()
        reasons = {}
        for here in board.hexes(board.everything):
            for direction in range(6):
                there = here.step(direction)
                if there not in board:
                    continue
                price = cost(here, there)
                if isinstance(price, NoWay):
                    reasons[here, there] = price.why
                elif price is WHOLE:
                    whole[direction].append(here)
                elif price is not None:
                    priced[_checked(price, here, there)][direction].append(here)
        parts = lcm(*(price.denominator for price in priced))
        by_cost = tuple(
            (int(price * parts), tuple(map(board.of, priced[price]))) for price in sorted(priced)
        )
        return cls(board, parts, by_cost, tuple(map(board.of, whole)), reasons)

    @classmethod
    def open(cls, board: Board) -> "Network":
        """Return the network of all neighbours, a point each: plain hexes counted."""
        exits = (board.everything & shifted(board.everything, -step) for step in board_steps(board))
        return cls(board, 1, ((1, tuple(exits)),))

    @classmethod
    def along(cls, board: Board, links: Iterable[Link], *, cost: Points = 1) -> "Network":
        """Return the network of these links, both ways; links that leave the board are left out."""
        leaving = _six_lists()
        for link in set(links):
            if link.a in board and link.b in board:
                direction = DIRECTIONS.index(Hex(link.b.q - link.a.q, link.b.r - link.a.r))
                leaving[direction].append(link.a)
                leaving[(direction + 3) % 6].append(link.b)
        parts = _checked(cost, *DIRECTIONS[:2]).denominator
        return cls(board, parts, ((int(cost * parts), tuple(map(board.of, leaving))),))

    @cached_property
    def doors(self) -> Exits:
        """Where hexes may be left at some cost, whole allowances aside."""
        found = list(NO_EXITS)
        for _, exits in self.by_cost:
            found = [door | more for door, more in zip(found, exits, strict=True)]
        return tuple(found)

    @cached_property
    def hexes(self) -> Bits:
        """The hexes some way leads to or from."""
        found = 0
        for door, step in zip(self.doors, board_steps(self.board), strict=True):
            found |= door | shifted(door, step)
        return found

    @cached_property
    def arcs(self) -> Mapping[int, tuple[Arc, ...]]:
        """The steps out of each hex, by its bit, in the order of the directions."""
        found: dict[int, list[Arc]] = defaultdict(list)
        for cost, exits in self.by_cost:
            for direction, (door, step) in enumerate(
                zip(exits, board_steps(self.board), strict=True)
            ):
                for index in indexes(door):
                    found[index].append(Arc(direction, index + step, cost))
        return {index: tuple(sorted(arcs)) for index, arcs in found.items()}

    def price(self, index: int, direction: int) -> int | None:
        """Return the cost in parts of one step, out of the hex with this bit; None: no way."""
        for cost, exits in self.by_cost:
            if exits[direction] >> index & 1:
                return cost
        return None

    def reversed(self) -> "Network":
        """Return the network with every way turned round, its price kept.

        For rules that count from the far end: a command range counts the hexes entered on the
        way from headquarters to the unit.
        """
        return Network(
            self.board,
            self.parts,
            tuple((cost, self._turned(exits)) for cost, exits in self.by_cost),
            self._turned(self.whole),
            {(there, here): why for (here, there), why in self.reasons.items()},
        )

    def _turned(self, exits: Exits) -> Exits:
        arrivals = [
            shifted(door, s) for door, s in zip(exits, board_steps(self.board), strict=True)
        ]
        return (*arrivals[3:], *arrivals[:3])


def map_edge(board: Board, *toward: int) -> Bits:
    """Return the hexes beyond which the map ends in all these directions; in any, if none is named.

    Directions are those of `hexes`: on a pointy-top sheet the west edge is `map_edge(board, 3)`,
    on a flat-top one `map_edge(board, 3, 4)`. A hole in the map is no edge of it.
    """
    ends = [_last_hexes(board, direction) for direction in toward or range(6)]
    together = and_ if toward else or_
    return reduce(together, ends)


# The line a hex lies on and its place there, for the directions 0, 1 and 2.
_LINES: tuple[Callable[[Hex], tuple[int, int]], ...] = (
    lambda hex_: (hex_.r, hex_.q),
    lambda hex_: (hex_.q + hex_.r, hex_.q),
    lambda hex_: (hex_.q, -hex_.r),
)


def _last_hexes(board: Board, direction: int) -> Bits:
    """Return the hexes with no hex of the board anywhere farther along one direction."""
    line_of, sign = _LINES[direction % 3], 1 if direction < 3 else -1
    last: dict[int, tuple[int, Hex]] = {}
    for hex_ in board.hexes(board.everything):
        line, place = line_of(hex_)
        last[line] = max(last.get(line, (sign * place, hex_)), (sign * place, hex_))
    return board.of(hex_ for _, hex_ in last.values())


def board_steps(board: Board) -> tuple[int, ...]:
    """Return by how many bits a step in each direction moves a set."""
    return board.steps


def _six_lists() -> list[list[Hex]]:
    return [[] for _ in range(6)]


def _checked(price: Points, here: Hex, there: Hex) -> Points:
    if not isinstance(price, int | Fraction) or price < 0:
        raise ValueError(
            f"the step {tuple(here)} to {tuple(there)} costs {price!r}: "
            "a cost is a whole number or a Fraction, and not below 0"
        )
    return price
