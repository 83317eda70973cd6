"""Who sees whom on a whole map: all pairs at once, by shifting bitboards.

For one displacement all origins are judged together. The hexes that block are one set for each
pair of end heights; moved back by the place of a gate on the line, they are the origins from which
that gate is shut. Pairs of ends between which the same sets block share the work.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from mapkit.bitboards import Bits, Board, shifted
from mapkit.errors import UnknownHexError
from mapkit.hexes import ORIGIN, Hex, disc, distance
from mapkit.model import HexMap
from mapkit.progress import OnProgress, ignore
from mapkit.sight.boards import Classes, Heights, Shifts, SightBoards
from mapkit.sight.ground import SightGround
from mapkit.sight.lanes import Fork, Lane, Lanes, Question
from mapkit.sight.policy import SightPolicy
from mapkit.sight.ranges import End
from mapkit.sight.sighting import sight_ground


@dataclass(frozen=True)
class SightTable:
    """Who sees whom: for each displacement the hexes that see so far in that direction.

    *unknown* holds the pairs that the map knows too little of to decide; it is empty on a map
    without gaps. Pairs farther apart than *reach* do not see each other.
    """

    board: Board
    land: Bits  # the hexes of the map; the board may hold more, beside its edge
    reach: int
    clear: dict[Hex, Bits]
    unknown: dict[Hex, Bits]

    def sees(self, a: Hex, b: Hex) -> bool:
        """Tell whether an observer in *a* sees *b*, for certain."""
        return self._has(self.clear, a, b)

    def may_see(self, a: Hex, b: Hex) -> bool:
        """Tell whether *a* sees *b* for all the map knows: clear, or undecided."""
        return self.sees(a, b) or self._has(self.unknown, a, b)

    def field(self, a: Hex) -> Bits:
        """Return the hexes that an observer in *a* sees for certain, his own among them."""
        here = self.board.index(a)
        return self.board.of(
            a.moved(by) for by, origins in self.clear.items() if origins >> here & 1
        )

    def count(self) -> int:
        """Return the number of ordered pairs that see each other, no hex paired with itself."""
        return sum(bits.bit_count() for by, bits in self.clear.items() if by != ORIGIN)

    def _has(self, table: dict[Hex, Bits], a: Hex, b: Hex) -> bool:
        here, there = self.board.index(a), self.board.index(b)
        for hex_, index in ((a, here), (b, there)):
            if not self.land >> index & 1:
                raise UnknownHexError(f"hex {tuple(hex_)} is not on the map of this table")
        return bool(table.get(Hex(b.q - a.q, b.r - a.r), 0) >> here & 1)


def sight_table(
    map_: HexMap | SightGround | SightBoards,
    policy: SightPolicy | None = None,
    *,
    within: int | None = None,
    on_progress: OnProgress = ignore,
) -> SightTable:
    """Return all lines of sight of a map, up to the policy's greatest range.

    *within* is fewer hexes; without it a policy without limit covers the whole map.
    """
    if isinstance(map_, SightBoards):
        if policy is not None or within is not None:
            raise TypeError("these boards have policy and range already: ask without them")
        boards = map_
    else:
        boards = SightBoards.lay_out(sight_ground(map_, policy), within=within)
    clear = _free(boards, on_progress, sure=True)
    unknown: dict[Hex, Bits] = {}
    if not boards.knows_everything:
        possible = _free(boards, on_progress, sure=False)
        unknown = {by: bits & ~clear.get(by, 0) for by, bits in possible.items()}
    return SightTable(boards.board, boards.land, boards.reach, clear, unknown)


Products = list[tuple[Bits, Bits]]  # origins and targets, each of the one with each of the other
Blocking = tuple[tuple[Classes, ...], ...]  # for each question: what blocks, what hinders by n


class _Bundle(NamedTuple):
    """All pairs of ends at one distance, side by side in one wide integer.

    Pairs between which the same classes block form a group; each group has a strip of its own,
    wide enough that a shift never carries a hex into the next one. One operation then works on
    all groups. *rows* has for each question its blockers, then what hinders by 1, 2, …
    """

    groups: int
    rows: tuple[tuple[Shifts, ...], ...]
    both: Products
    forth: Products
    back: Products


def _free(boards: SightBoards, on_progress: OnProgress, *, sure: bool) -> dict[Hex, Bits]:
    """Return the free origins of every displacement: for certain, or for all that is known."""
    bundler, lanes = _Bundler(boards, sure=sure), Lanes(boards)
    alike = boards.ground.policy.blocks_alike_both_ways
    free: dict[Hex, Bits] = {}
    ways = [by for by in disc(ORIGIN, boards.reach) if by >= ORIGIN or not alike]
    for done, by in enumerate(ways):
        if done % 256 == 0:
            on_progress(done / len(ways), "lines of sight")
        line = lanes.to(by)
        bundle = bundler.bundle(distance(ORIGIN, by), line.questions)
        forth, back = _free_origins(boards, bundle, line, by)
        free[by] = forth
        if alike and by != ORIGIN:
            free[Hex(-by.q, -by.r)] = shifted(back, boards.board.offset(by))
    return free


def _free_origins(boards: SightBoards, bundle: _Bundle, line: Lane, by: Hex) -> tuple[Bits, Bits]:
    """The origins that see to *by* from where they stand, and those that are seen from there."""
    if not bundle.groups:
        return 0, 0  # nobody is in range at this distance
    offset = -boards.board.offset(by)
    shut = _shut(line, bundle.rows, boards.ground.policy.hindrance_blocks or 0)
    free = [
        pairs ^ (pairs & shut)
        for pairs in (
            _pairs(products, offset) for products in (bundle.both, bundle.forth, bundle.back)
        )
    ]
    both, forth, back = (_folded(bits, bundle.groups, boards.board.width) for bits in free)
    return both | forth, both | back


def _pairs(products: Products, offset: int) -> Bits:
    found = 0
    for origins, targets in products:
        found |= origins & shifted(targets, offset)
    return found


def _folded(bits: Bits, groups: int, width: int) -> Bits:
    """Return the union of all strips; no origin stands in two of them."""
    if not bits:
        return 0
    while groups > 1:
        half = (groups + 1) // 2
        low = bits & ((1 << half * width) - 1)
        bits = low | bits >> half * width
        groups = half
    return bits


def _shut(line: Lane, rows: tuple[tuple[Shifts, ...], ...], hindrance_blocks: int) -> Bits:
    shut = 0
    for question, offsets in line.singles:
        blockers = rows[question][0]
        for offset in offsets:
            shut |= blockers[offset]
    for ways in line.forks:
        on_all = -1
        for way in ways:
            on_any = 0
            for question, offset in way:
                on_any |= rows[question][0][offset]
            on_all &= on_any
        shut |= on_all
    return shut | _hindered(line, rows, hindrance_blocks) if hindrance_blocks else shut


def _hindered(line: Lane, rows: tuple[tuple[Shifts, ...], ...], limit: int) -> Bits:
    """Origins whose lines are hindered by *limit* or more: counters in unary, one board each."""
    # counters[k]: hindered by at least k so far. A set of all bits is -1.
    counters = [-1] + [0] * limit
    alone = (((question, at),) for question, offsets in line.singles for at in offsets)
    gates: list[Fork] = [*((way,) for way in alone), *line.forks]
    for ways in gates:
        here = [-1] * (limit + 1)
        for way in ways:
            for amount in range(1, limit + 1):
                here[amount] &= _any_of(rows[question][amount][at] for question, at in way)
        counters = [
            _any_of(counters[had] & here[total - had] for had in range(total + 1))
            for total in range(limit + 1)
        ]
    return counters[limit]


def _any_of(boards: Iterable[Bits]) -> Bits:
    found = 0
    for bits in boards:
        found |= bits
    return found


class _Bundler:
    """Makes the bundles, one for each distance and each set of questions a line asks."""

    def __init__(self, boards: SightBoards, *, sure: bool) -> None:
        self._boards = boards
        self._sure = sure
        ranges = {hexes for one in boards.allowed.values() for hexes in (one.hexes, one.at_most)}
        self._ranges = sorted(ranges)
        self._bundles: dict[tuple[int, tuple[Question, ...]], _Bundle] = {}
        self._asked: dict[tuple[Heights, tuple[Question, ...]], Blocking] = {}

    def bundle(self, hexes: int, questions: tuple[Question, ...]) -> _Bundle:
        """Return the bundle of lines this long that ask these questions."""
        # Who is in range changes only where the distance passes one of the ranges allowed.
        key = bisect_left(self._ranges, hexes), questions
        if key not in self._bundles:
            self._bundles[key] = self._make(hexes, questions)
        return self._bundles[key]

    def _make(self, hexes: int, questions: tuple[Question, ...]) -> _Bundle:
        boards = self._boards
        grouped: dict[Blocking, list[tuple[End, End, bool, bool]]] = defaultdict(list)
        for (x, y), allowed in boards.allowed.items():
            forth = self._in_range(allowed.covers(hexes))
            back = self._in_range(boards.allowed[y, x].covers(hexes))
            if forth or back:
                blocking = self._blocking((x.height, y.height), questions)
                grouped[blocking].append((x, y, forth, back))
        pairs = list(grouped.values())
        columns = [
            zip(*(group[q] for group in grouped), strict=True) for q in range(len(questions))
        ]
        return _Bundle(
            len(grouped),
            tuple(
                tuple(question.cover.strips(classes, boards.board.width) for classes in column)
                for question, column in zip(questions, columns, strict=True)
            ),
            self._products([[(x, y) for x, y, f, b in group if f and b] for group in pairs]),
            self._products([[(x, y) for x, y, f, b in group if f and not b] for group in pairs]),
            self._products([[(x, y) for x, y, f, b in group if b and not f] for group in pairs]),
        )

    def _in_range(self, covers: bool | None) -> bool:
        return bool(covers) if self._sure else covers is not False

    def _blocking(self, heights: Heights, questions: tuple[Question, ...]) -> Blocking:
        key = heights, questions
        if key not in self._asked:
            limit = self._boards.ground.policy.hindrance_blocks or 0
            self._asked[key] = tuple(
                (
                    cover.blocking(heights, spot, maybe=self._sure),
                    *(
                        cover.hindering(heights, spot, amount, maybe=self._sure)
                        for amount in range(1, limit + 1)
                    ),
                )
                for cover, spot in questions
            )
        return self._asked[key]

    def _products(self, groups: list[list[tuple[End, End]]]) -> Products:
        """Write the pairs of all groups as few products, each group in its strip."""
        width = self._boards.board.width
        products: Products = []
        for strip, pairs in enumerate(groups):
            for number, (origins, targets) in enumerate(self._products_of(pairs)):
                if number == len(products):
                    products.append((0, 0))
                wide, far = products[number]
                products[number] = (
                    wide | origins << strip * width,
                    far | targets << strip * width,
                )
        return products

    def _products_of(self, pairs: list[tuple[End, End]]) -> Products:
        """Write pairs of classes as products: origins that share all their targets."""
        ends = self._boards.ends
        targets: dict[End, list[End]] = defaultdict(list)
        for x, y in pairs:
            targets[x].append(y)
        origins: dict[tuple[End, ...], list[End]] = defaultdict(list)
        for x, ys in targets.items():
            origins[tuple(ys)].append(x)
        return [
            (_any_of(ends[x] for x in xs), _any_of(ends[y] for y in ys))
            for ys, xs in origins.items()
        ]
