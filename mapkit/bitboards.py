r"""Sets of hexes as whole numbers: one bit a hex, moved by shifting.

A *board* gives every hex of an outline its bit. The number of the bit is linear in the hex's
coordinates, so moving a whole set by one displacement is one shift of one integer, and the union,
intersection and difference of sets are `|`, `&` and `& ~`:

    row 0   . a b c d - - -          bit = along + row * stride
    row 1    . e f g h - - -         - is padding: as wide as the board's *reach*, so that
    row 2   . i j k l - - -          a set moved off one edge never comes in at the other

Any outline will do: holes, ragged edges, single hexes. The rows are laid along whichever of the
three axes needs the fewest bits.

>>> board = Board([Hex(0, 0), Hex(1, 0), Hex(2, 0)])
>>> some = board.of([Hex(0, 0), Hex(1, 0)])
>>> board.hexes(board.moved(some, Hex(1, 0)))
(Hex(q=1, r=0), Hex(q=2, r=0))
>>> board.hexes(board.neighbours(board.of([Hex(0, 0)])))
(Hex(q=1, r=0),)
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from operator import or_

from mapkit.errors import UnknownHexError
from mapkit.hexes import DIRECTIONS, ORIGIN, Hex, distance, ring
from mapkit.model import HexMap

Bits = int  # a set of hexes on one board; sets of two boards do not mix


class Board:
    """An outline of hexes, each with its bit; sets on it are plain integers.

    *reach* is the longest displacement the board will ever move a set by.
    """

    def __init__(self, hexes: Iterable[Hex], *, reach: int = 1) -> None:
        outline = tuple(dict.fromkeys(hexes))
        self.reach = reach
        # The number of a hex's bit is its q and r, each times its weight, from the first on.
        self.weights = by_q, by_r = _weights(outline, reach)
        numbers = [by_q * q + by_r * r for q, r in outline]
        first = min(numbers, default=0)
        self.size = max(numbers, default=-1) - first + 1
        self._by_index = {
            number - first: hex_ for number, hex_ in zip(numbers, outline, strict=True)
        }
        self._index = {hex_: index for index, hex_ in self._by_index.items()}
        self.everything: Bits = self.of(outline)
        # By how many bits a step in each direction moves a set.
        self.steps = tuple(self.offset(step) for step in DIRECTIONS)
        # Bits that a set and all its shifts fit into: several boards side by side do not mix.
        self.width = self.size + max(abs(self.offset(by)) for by in ring(ORIGIN, reach))

    @classmethod
    def of_map(cls, map_: HexMap, *, reach: int = 1) -> "Board":
        """Return the board of all hexes of a map."""
        return cls(map_.hexes, reach=reach)

    def __contains__(self, hex_: object) -> bool:
        return hex_ in self._index

    def __len__(self) -> int:
        return len(self._index)

    def index(self, hex_: Hex) -> int:
        """Return the number of a hex's bit."""
        try:
            return self._index[hex_]
        except KeyError:
            raise UnknownHexError(f"hex {tuple(hex_)} is not on this board") from None

    def bit(self, hex_: Hex) -> Bits:
        """Return the set of this one hex."""
        return 1 << self.index(hex_)

    def of(self, hexes: Iterable[Hex]) -> Bits:
        """Return the set of these hexes, all of which must be on the board."""
        marks = bytearray(self.size)
        for hex_ in hexes:
            marks[self.index(hex_)] = 1
        return _packed(marks)

    def where(self, holds: Callable[[Hex], bool]) -> Bits:
        """Return the set of hexes for which *holds* is true."""
        return self.of(hex_ for hex_ in self._index if holds(hex_))

    def hexes(self, bits: Bits) -> tuple[Hex, ...]:
        """Return the hexes of a set, in the order of their bits.

        >>> Board([Hex(3, 1), Hex(0, 0)]).hexes(0)
        ()
        """
        return self.at(indexes(bits))

    def at(self, indexes: Iterable[int]) -> tuple[Hex, ...]:
        """Return the hexes with these numbers, in their order."""
        return tuple(map(self._by_index.__getitem__, indexes))

    def labels(self, bits: Bits, map_: HexMap) -> tuple[str, ...]:
        """Return the printed labels of a set, sorted."""
        return tuple(sorted(map(map_.label, self.hexes(bits))))

    def of_labels(self, labels: Iterable[str], map_: HexMap) -> Bits:
        """Return the set of the hexes with these printed labels."""
        return self.of(map(map_.hex, labels))

    def offset(self, by: Hex) -> int:
        """Return by how many bits a displacement moves a set: up if positive, else down."""
        if distance(ORIGIN, by) > self.reach:
            raise ValueError(f"{tuple(by)} is farther than this board's reach of {self.reach}")
        by_q, by_r = self.weights
        return by_q * by.q + by_r * by.r

    def moved(self, bits: Bits, by: Hex) -> Bits:
        """Return a set moved by a displacement; what leaves the outline is dropped."""
        return shifted(bits, self.offset(by)) & self.everything

    def neighbours(self, bits: Bits) -> Bits:
        """Return the hexes next to a set, the set itself left out unless it touches itself.

        A hex of the set counts as a neighbour when another hex of the set stands next to it.
        """
        found = 0
        for step in self.steps:
            found |= shifted(bits, step)
        return found & self.everything

    def dilated(self, bits: Bits, by: int) -> Bits:
        """Return all hexes within *by* hexes of a set, over everything on the board."""
        for _ in range(by):
            bits |= self.neighbours(bits)
        return bits

    def waves(
        self, start: Bits, *, over: Bits | None = None, exits: Sequence[Bits] | None = None
    ) -> Iterator[Bits]:
        """Yield *start*, then the hexes first reached in one step, in two, and so on.

        Only hexes of *over* are entered (everything, unless said otherwise). *exits* has for
        each of the six directions the hexes that may be left in that direction: an unbridged
        river, a cliff that can only be climbed down. *start* needs no leave to stand where it is.
        """
        free = self.everything if over is None else over & self.everything
        doors = exits or (self.everything,) * 6
        front, unseen = start, free & ~start
        while front:
            yield front
            reached = 0
            for step, door in zip(self.steps, doors, strict=True):
                reached |= shifted(front & door, step)
            front = reached & unseen
            unseen &= ~front

    def flood(
        self, start: Bits, *, over: Bits | None = None, exits: Sequence[Bits] | None = None
    ) -> Bits:
        """Return all hexes reached from *start*, itself included; see `waves`."""
        *_, found = accumulate(self.waves(start, over=over, exits=exits), or_, initial=0)
        return found

    def exits(self, crosses: Callable[[Hex, Hex], bool]) -> tuple[Bits, ...]:
        """Return for `waves` which hexes may be left in each direction.

        *crosses* is asked for every hex and every neighbour on the board.
        """
        return tuple(
            self.of(
                hex_
                for hex_ in self._index
                if (there := hex_.step(direction)) in self and crosses(hex_, there)
            )
            for direction in range(6)
        )


def shifted(bits: Bits, by: int) -> Bits:
    """Return the integer shifted up, or down where *by* is negative."""
    return bits << by if by >= 0 else bits >> -by


def indexes(bits: Bits) -> Iterator[int]:
    """Yield the numbers of the bits that are set, in ascending order.

    >>> list(indexes(0b10110))
    [1, 2, 4]
    """
    text = f"{bits:b}"[::-1]
    at = text.find("1")
    while at >= 0:
        yield at
        at = text.find("1", at + 1)


def _packed(marks: bytearray) -> Bits:
    """Pack one byte a hex (0 or 1) into one bit a hex; int() reads a text of bits in one go."""
    return int(marks[::-1].translate(_DIGITS) or b"0", 2)


_DIGITS = bytes([ord("0"), ord("1"), *range(2, 256)])


def _weights(outline: Sequence[Hex], reach: int) -> tuple[int, int]:
    """Return how many bits a step in q and one in r move a hex, along the axis that needs fewest.

    Across rows hexes lie half a place aside, so places along are counted in halves. A hex moved
    by *reach* stays within *reach* places of the widest row: with that much padding no bit is
    used twice.
    """
    if not outline:
        return 1, reach + 1
    along_r, along_q, along_s = (
        _extent([r for _, r in outline], [2 * q + r for q, r in outline], reach),
        _extent([q for q, _ in outline], [2 * r + q for q, r in outline], reach),
        _extent([-q - r for q, r in outline], [q - r for q, r in outline], reach),
    )
    return min(
        (along_r, (1, along_r[1])),  # rows of equal r: q along, r across
        (along_q, (along_q[1], 1)),
        (along_s, (1 - along_s[1], -along_s[1])),  # across them runs -q - r
    )[1]


def _extent(rows: list[int], halves: list[int], reach: int) -> tuple[int, int]:
    """Return about how many bits a layout needs, and how many lie from row to row."""
    stride = (max(halves) - min(halves) + 1) // 2 + reach + 1
    return (max(rows) - min(rows) + 1) * stride, stride
