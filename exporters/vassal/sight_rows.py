"""Who sees whom, one line of text for each hex: what an unmodified engine can look up.

A row begins with where its hex lies: the line it stands on and its place along it (both counted
from -500), the reach of the table, how many cells a line has, and at which letter the hex itself
stands. Then one letter for each displacement within the reach, line by line: seen, not seen, out
of range, or not known; and as many again for every other weather that changes sight. Because a
row carries its own place, nothing hangs on labels or pixels.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mapkit.hexes import ORIGIN, Hex, disc, distance
from mapkit.sight import SightTable, sight_table
from mapkit.sight.boards import SightBoards
from mapkit.sight.maybe import Applies
from mapkit.sight.sighting import verdict_of
from rules.battlefield import Battlefield
from rules.judges.sight import SightJudge

Indexes = npt.NDArray[np.int_]

SEEN, BLOCKED, FAR, UNKNOWN = "1", "0", "x", "u"

MOST = 20
"""Farther than this a table would slow the engine down."""

_BIAS = 500
_LETTERS = {"clear": SEEN, "blocked": BLOCKED, "unknown": UNKNOWN}
_PLACE = 6  # LLL AAA
_HEAD = 15  # LLL AAA RR WWW CCCC


@dataclass(frozen=True, slots=True)
class Rows:
    """The table of one map in one weather."""

    weather: str | None
    reach: int
    cut: bool
    rows: dict[Hex, str]


@dataclass(frozen=True, slots=True)
class Packed:
    """The tables of one map in several weathers, in one row for each hex, all of one reach."""

    reach: int
    rows: dict[Hex, str]

    def shift(self, number: int) -> int:
        """Return how many letters stand before those of the table with that number."""
        return number * _width(self.reach) ** 2


@dataclass(frozen=True, slots=True)
class Run:
    """Up to seven cells side by side on one line: what one layer of the field of view shows."""

    line: int
    along: int
    length: int
    position: int


class ChosenLines:
    """What stops observers who need not look from the centre: the same in every weather.

    Turning lines about a town takes long, so each pair is asked for once.
    """

    def __init__(self, field: Battlefield) -> None:
        self._judge = SightJudge(field, any_range=True)
        self._shut: dict[tuple[Hex, Hex], Applies] = {}

    def begin_in(self, hex_: Hex) -> bool:
        """Tell whether an observer in a hex may look from elsewhere in it."""
        return self._judge.may_choose_start(hex_)

    def shut(self, a: Hex, b: Hex) -> Applies:
        """Tell whether every line is stopped that an observer in *a* may take to *b*."""
        if (a, b) not in self._shut:
            verdict = self._judge.look(a, b).sight.verdict
            self._shut[a, b] = {"clear": False, "blocked": True}.get(verdict)
        return self._shut[a, b]


def sight_rows(field: Battlefield, weather: str | None, lines: ChosenLines | None = None) -> Rows:
    """Return the rows of a map under one weather, as the judge of sight rules.

    Tables of several weathers share their *lines*.

    Raises:
        RulesError: our sources hold no rule of sight.
    """
    judge = SightJudge(field, weather)
    boards = SightBoards.lay_out(judge.ground, within=MOST)
    farthest = max((one.at_most for one in boards.allowed.values()), default=0)
    flat = field.map.grid.orientation == "flat"
    cells = _Cells(judge, boards, sight_table(boards), flat, lines or ChosenLines(field))
    return Rows(weather, boards.reach, farthest > MOST, cells.rows())


def packed(tables: Sequence[Rows]) -> Packed:
    """Return the tables of one map, one behind the other in one row for each hex.

    The engine takes its time for every message, however short: a row for each weather would cost
    it more than all its letters.
    """
    reach = max(table.reach for table in tables)
    head = f"{reach:02d}{_width(reach):03d}{centre_of(reach):04d}"
    rows = {
        hex_: row[:_PLACE] + head + "".join(_widened(table, hex_, reach) for table in tables)
        for hex_, row in tables[0].rows.items()
    }
    return Packed(reach, rows)


def _widened(table: Rows, hex_: Hex, reach: int) -> str:
    """Return the letters of a row as a table of a farther reach has them."""
    letters, width, more = table.rows[hex_][_HEAD:], _width(table.reach), reach - table.reach
    beside, above = FAR * more, FAR * (more * _width(reach))
    lines = (letters[at : at + width] for at in range(0, len(letters), width))
    return above + "".join(f"{beside}{line}{beside}" for line in lines) + above


def runs_of(reach: int, packed: Packed | None = None, number: int = 0) -> Iterator[Run]:
    """Yield the stretches into which the lines of a field of view are cut.

    In rows that are *packed* they belong to the table of that number.
    """
    most, shift = (packed.reach, packed.shift(number)) if packed else (reach, 0)
    for line in range(-reach, reach + 1):
        first, last = max(-reach, -reach - line), min(reach, reach - line)
        for along in range(first, last + 1, 7):
            length = min(7, last + 1 - along)
            yield Run(line, along, length, shift + centre_of(most) + _width(most) * line + along)


def centre_of(reach: int) -> int:
    """Return at which letter of a row its own hex stands."""
    return _HEAD + reach * _width(reach) + reach


def _width(reach: int) -> int:
    return 2 * reach + 1


@dataclass(frozen=True)
class _Cells:
    """Writes the rows of one table: for all hexes at once, displacement by displacement."""

    judge: SightJudge
    boards: SightBoards
    table: SightTable
    flat: bool
    lines: ChosenLines

    def rows(self) -> dict[Hex, str]:
        reach = self.boards.reach
        hexes = list(self.judge.field.map.hexes)
        cells = np.full((len(hexes), _width(reach) ** 2), ord(FAR), dtype=np.uint8)
        here = np.array([self.boards.board.index(hex_) for hex_ in hexes])
        ends, ranges = self._ends(hexes, here)
        for by in disc(ORIGIN, reach):
            line, along = self._place(by)
            column = cells[:, (line + reach) * _width(reach) + along + reach]
            there = ends[here + self.boards.board.offset(by)]
            near = (there >= 0) & (ranges[ends[here], there] >= distance(ORIGIN, by))
            column[near] = ord(BLOCKED)
            column[near & self._bits(self.table.unknown.get(by, 0))[here]] = ord(UNKNOWN)
            column[self._bits(self.table.clear.get(by, 0))[here]] = ord(SEEN)
        written = {hex_: cells[row].tobytes().decode("ascii") for row, hex_ in enumerate(hexes)}
        return {hex_: self._head(hex_) + self._chosen(hex_, row) for hex_, row in written.items()}

    def _ends(self, hexes: list[Hex], here: Indexes) -> tuple[Indexes, Indexes]:
        """Return which kind of end stands at each place of the board, and how far each may see."""
        kinds = {end: number for number, end in enumerate(self.boards.ends)}
        ends = np.full(self.boards.board.width, -1)
        ends[here] = [kinds[self.boards.ground.end(hex_)] for hex_ in hexes]
        ranges = np.zeros((len(kinds), len(kinds)), dtype=int)
        for (one, other), allowed in self.boards.allowed.items():
            ranges[kinds[one], kinds[other]] = min(allowed.at_most, MOST)
        return ends, ranges

    def _bits(self, bits: int) -> npt.NDArray[np.bool_]:
        width = self.boards.board.width
        data = np.frombuffer(bits.to_bytes((width + 7) // 8, "little"), dtype=np.uint8)
        return np.unpackbits(data, count=width, bitorder="little").astype(bool)

    def _place(self, hex_: Hex) -> tuple[int, int]:
        return (hex_.q, hex_.r) if self.flat else (hex_.r, hex_.q)

    def _head(self, hex_: Hex) -> str:
        reach, (line, along) = self.boards.reach, self._place(hex_)
        place = f"{line + _BIAS:03d}{along + _BIAS:03d}"
        return f"{place}{reach:02d}{_width(reach):03d}{centre_of(reach):04d}"

    def _chosen(self, hex_: Hex, row: str) -> str:
        """Return the row of an observer who need not look from the centre of his hex."""
        if not self.lines.begin_in(hex_):
            return row
        letters, reach, ground = list(row), self.boards.reach, self.boards.ground
        for other in disc(hex_, reach):
            line, along = self._place(Hex(other.q - hex_.q, other.r - hex_.r))
            at = (line + reach) * _width(reach) + along + reach
            if letters[at] in (BLOCKED, UNKNOWN):
                allowed = ground.allowed(ground.end(hex_), ground.end(other))
                covers = allowed.covers(distance(hex_, other))
                verdict = verdict_of(covers, self.lines.shut(hex_, other))
                letters[at] = _LETTERS.get(verdict, FAR)
        return "".join(letters)
