"""How hexes are called on the printed sheet, as data: `0305`, `A12`, `12.07`, column 99 west of 00.

A label has a column part and a row part. `Axis` turns the position of a line (0 for the
leftmost column or topmost row, then 1, 2, …, to the right and down) into text and back;
`Numbering` puts two axes on the lattice. Which lines are shoved by half a hex is said in the
printed numbers, as rulebooks say it: "even columns stand half a hex toward higher rows".
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Literal

from mapkit.errors import NumberingError
from mapkit.hexes import ORIGIN, Hex

Order = Literal["CCRR", "RRCC"]
Straight = Literal["columns", "rows"]
Parity = Literal["odd", "even"]
Toward = Literal["higher", "lower"]
Letters = Literal["AA AB", "AA BB"]
Compass = Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"]

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LETTERS = 9  # in one part of a label, at most
RESERVED = "/-()"  # they write hexsides, links and unnamed hexes


@dataclass(frozen=True, slots=True)
class Axis:
    """The numbers of the columns, or of the rows.

    *first* is the number of the leftmost column or topmost row, *step* is -1 where numbers
    fall to the right or downward. *letters* counts in letters: after Z come AA, AB
    ("AA AB") or AA, BB ("AA BB"). Printed numbers from *wrap_from* on lie before 0: with
    90 and two digits, column 99 is the neighbour of 00. *skip* lists numbers never printed.
    """

    first: int = 1
    step: Literal[1, -1] = 1
    digits: int = 2
    letters: Letters | None = None
    alphabet: str = ALPHABET
    wrap_from: int | None = None
    skip: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.step not in (1, -1):
            raise NumberingError(f"an axis steps by 1 or -1, not {self.step}")
        if not 1 <= self.digits <= 3:
            raise NumberingError(f"a part of a label has 1 to 3 digits, not {self.digits}")
        letters = self.alphabet
        if len(set(letters)) != len(letters) or not (letters.isalpha() and letters.isupper()):
            raise NumberingError(f"'{self.alphabet}' is no alphabet: capital letters, each once")
        if self.wrap_from is not None and self.letters:
            raise NumberingError("letters do not wrap; drop wrap_from or letters")
        if self.wrap_from is not None and not 0 < self.wrap_from < 10**self.digits:
            raise NumberingError(f"wrap_from {self.wrap_from} does not fit {self.digits} digits")
        if self.first in self.skip:
            raise NumberingError(f"the first number, {self.first}, is among those skipped")
        if list(self.skip) != sorted(set(self.skip)):
            object.__setattr__(self, "skip", tuple(sorted(set(self.skip))))

    def count(self, position: int) -> int:
        """Return the number a line would have if none were skipped."""
        return self.first + self.step * position

    def format_part(self, position: int) -> str:
        """Return what is printed for the line at *position*.

        >>> Axis(first=-1, wrap_from=90).format_part(0), Axis(letters="AA BB").format_part(27)
        ('99', 'BB')
        """
        number = self._with_gaps(self.count(position))
        if self.letters:
            return _to_letters(number, self.letters, self.alphabet)
        if self.wrap_from is not None:
            number = self._wrapped(number)
        if number < 0:
            raise NumberingError(f"no label is printed for number {number}")
        return f"{number:0{self.digits}d}"

    def parse_part(self, text: str) -> int:
        """Return the position of the line that bears *text*: the inverse of `format_part`."""
        if self.letters:
            number = _from_letters(text, self.letters, self.alphabet)
        else:
            number = int(text)
            if self.wrap_from is not None and number >= self.wrap_from:
                number -= int(10**self.digits)
        if number in self.skip:
            raise NumberingError(f"this map has no number {text}")
        return (self._without_gaps(number) - self.first) * self.step

    def _wrapped(self, number: int) -> int:
        around = int(10**self.digits)
        lowest = (self.wrap_from or 0) - around
        if not lowest <= number < lowest + around:
            raise NumberingError(f"number {number} runs past the wrap at {self.wrap_from}")
        return number % around

    def _with_gaps(self, number: int) -> int:
        if number >= self.first:
            for gap in self.skip[bisect_right(self.skip, self.first) :]:
                number += gap <= number
        else:
            for gap in reversed(self.skip[: bisect_left(self.skip, self.first)]):
                number -= gap >= number
        return number

    def _without_gaps(self, number: int) -> int:
        low, high = sorted((self.first, number))
        gaps = bisect_left(self.skip, high) - bisect_right(self.skip, low)
        return number - gaps if number >= self.first else number + gaps


@dataclass(frozen=True)
class Numbering:
    """The rule by which one sheet names its hexes.

    *straight* says which lines are unbroken: columns on a flat-top sheet, rows on a
    pointy-top one. The lines whose number is *shoved* (odd or even) stand half a hex *toward*
    higher or lower numbers of the other axis. *origin* bears the two first numbers.

    >>> numbering = Numbering(straight="columns", order="CCRR")
    >>> numbering.format_label(Hex(2, 0)), numbering.parse_label("0302")
    ('0302', Hex(q=2, r=0))
    """

    straight: Straight
    order: Order = "CCRR"
    columns: Axis = field(default_factory=Axis)
    rows: Axis = field(default_factory=Axis)
    separator: str = ""
    shoved: Parity = "even"
    toward: Toward = "higher"
    origin: Hex = ORIGIN

    def __post_init__(self) -> None:
        if any(sign in RESERVED or sign.isalnum() for sign in self.separator):
            raise NumberingError(
                f"labels cannot be parted by '{self.separator}': digits, letters and {RESERVED} "
                "have other uses; take '.', ',', ':' or a space"
            )
        if bool(self.columns.letters) and bool(self.rows.letters) and not self.separator:
            raise NumberingError("columns and rows both in letters need a separator")

    def running(self, *, columns: Compass, rows: Compass) -> tuple["Numbering", float]:
        """Return this numbering with axes that run to compass points, and where north then lies.

        The sheet lies so that rows count up or down it, with the end nearer to north on top.
        The second value is the grid's *north_deg*.
        """
        column_step, row_step, north_deg = steps_from_compass(columns, rows)
        turned = replace(
            self,
            columns=replace(self.columns, step=column_step),
            rows=replace(self.rows, step=row_step),
        )
        return turned, north_deg

    def format_label(self, hex_: Hex) -> str:
        """Return the printed label of a hex."""
        column, row = self.position(hex_)
        parts = [self._column_text(column), self._row_text(row)]
        for text, axis, fixed in zip(parts, (self.columns, self.rows), self._fixed, strict=True):
            if fixed and len(text) != axis.digits:
                raise NumberingError(f"number {text} has too many digits for {self.order}")
        if self.order == "RRCC":
            parts.reverse()
        return self.separator.join(parts)

    def parse_label(self, text: str) -> Hex:
        """Return the hex with this label: the inverse of `format_label`."""
        match = self._pattern.fullmatch(text.strip().upper())
        if match is None:
            like = f"{self.like}{self._meant(text)}"
            raise NumberingError(f"'{text}' is not a label of this map: they look like {like}")
        column = self.columns.parse_part(match["column"])
        return self.hex_at(column, self.rows.parse_part(match["row"]))

    def position(self, hex_: Hex) -> tuple[int, int]:
        """Return the column and row position, counted right and down from *origin*."""
        q, r = hex_.q - self.origin.q, hex_.r - self.origin.r
        if self.straight == "columns":
            return q, (2 * r + q - self._shove(q)) // 2
        return (2 * q + r - self._shove(r)) // 2, r

    def hex_at(self, column: int, row: int) -> Hex:
        """Return the hex at a column and row position: the inverse of `position`."""
        if self.straight == "columns":
            q = column
            r = (2 * row + self._shove(column) - column) // 2
        else:
            r = row
            q = (2 * column + self._shove(row) - row) // 2
        return Hex(q + self.origin.q, r + self.origin.r)

    @property
    def like(self) -> str:
        """An example label, for messages."""
        for steps in range(100):
            try:
                return self.format_label(self.hex_at(steps, steps))
            except NumberingError:
                continue
        return f"{self.order} with {self.separator or 'nothing'} between"

    @property
    def orientation(self) -> Literal["flat", "pointy"]:
        """The hexes' orientation that these straight lines need."""
        return "flat" if self.straight == "columns" else "pointy"

    def moved(self, by: Hex) -> "Numbering":
        """Return the numbering that gives every hex, shifted by *by*, its old label."""
        return replace(self, origin=self.origin.moved(by))

    def _meant(self, text: str) -> str:
        """A question back, where only leading zeros are missing."""
        full = text.strip().zfill(self.columns.digits + self.rows.digits)
        meant = any(self._fixed) and text.strip() != full and self._pattern.fullmatch(full)
        return f"; did you mean {full}?" if meant else ""

    # A map asks for the same lines thousands of times: each is worked out once.

    @cached_property
    def _column_text(self) -> Callable[[int], str]:
        return cache(self.columns.format_part)

    @cached_property
    def _row_text(self) -> Callable[[int], str]:
        return cache(self.rows.format_part)

    @cached_property
    def _shove(self) -> Callable[[int], int]:
        """Half-hexes by which a line stands off the first one, in picture direction."""
        columns = self.straight == "columns"
        line, along = (self.columns, self.rows) if columns else (self.rows, self.columns)
        sign = along.step if self.toward == "higher" else -along.step
        wanted = 1 if self.shoved == "odd" else 0
        first = line.first % 2 == wanted
        return cache(lambda position: sign * ((line.count(position) % 2 == wanted) - first))

    @cached_property
    def _fixed(self) -> tuple[bool, bool]:
        """Whether columns, and rows, have just their digits: of two numbers side by side one must.

        The other may outgrow its zeros, as in 905, 1005: the one with fewer digits, else the first.
        """
        if self.separator or self.columns.letters or self.rows.letters:
            return False, False
        fewer = self.rows.digits - self.columns.digits
        rows_grow = fewer < 0 or (fewer == 0 and self.order == "RRCC")
        return rows_grow, not rows_grow

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        column = _part_pattern(self.columns, "column", fixed=self._fixed[0])
        row = _part_pattern(self.rows, "row", fixed=self._fixed[1])
        parts = (column, row) if self.order == "CCRR" else (row, column)
        return re.compile(re.escape(self.separator).join(parts), re.ASCII)


@dataclass(frozen=True, slots=True)
class SheetPart:
    """One sheet of a joined map: its prefix, its numbering, and the lines it covers.

    *columns* and *rows* are the first and last position of the sheet's own numbering.
    """

    prefix: str
    numbering: Numbering
    columns: tuple[int, int]
    rows: tuple[int, int]

    def covers(self, hex_: Hex) -> bool:
        """Tell whether a hex lies on this sheet."""
        column, row = self.numbering.position(hex_)
        return self.columns[0] <= column <= self.columns[1] and self.rows[0] <= row <= self.rows[1]


@dataclass(frozen=True, slots=True)
class SheetNumbering:
    """The labels of sheets that keep their own numbers: `A:0305`, `B:0305`.

    A hex on two sheets (a common column) takes its label from the first.
    """

    parts: tuple[SheetPart, ...]

    def __post_init__(self) -> None:
        prefixes = [part.prefix.casefold() for part in self.parts]
        if not prefixes or len(set(prefixes)) != len(prefixes):
            raise NumberingError(
                f"joined sheets need a prefix each, all different, not {', '.join(prefixes)}; "
                "give others with --prefixes"
            )
        if any(not prefix.isalnum() for prefix in prefixes):
            raise NumberingError("the prefix of a sheet is letters and digits only")
        if len({part.numbering.straight for part in self.parts}) != 1:
            raise NumberingError("joined sheets must have the same straight lines")

    def format_label(self, hex_: Hex) -> str:
        """Return the label of a hex with its sheet's prefix."""
        for part in self.parts:
            if part.covers(hex_):
                return f"{part.prefix}:{part.numbering.format_label(hex_)}"
        raise NumberingError(f"hex {tuple(hex_)} lies on none of the joined sheets")

    def parse_label(self, text: str) -> Hex:
        """Return the hex with this label; every sheet that shares it may name it."""
        prefix, colon, label = text.strip().partition(":")
        for part in self.parts:
            if colon and part.prefix.casefold() == prefix.casefold():
                hex_ = part.numbering.parse_label(label)
                if part.covers(hex_):
                    return hex_
                raise NumberingError(f"'{text}' is not on sheet {prefix}")
        raise NumberingError(f"'{text}' is not a label of this map: they look like {self.like}")

    def position(self, hex_: Hex) -> tuple[int, int]:
        """Return the column and row position, as the first sheet counts them."""
        return self.parts[0].numbering.position(hex_)

    @property
    def like(self) -> str:
        """An example label, for messages."""
        part = self.parts[0]
        return f"{part.prefix}:{part.numbering.like}"

    @property
    def orientation(self) -> Literal["flat", "pointy"]:
        """The hexes' orientation that these straight lines need."""
        return self.parts[0].numbering.orientation

    def moved(self, by: Hex) -> "SheetNumbering":
        """Return the numbering that gives every hex, shifted by *by*, its old label."""
        return SheetNumbering(
            tuple(replace(part, numbering=part.numbering.moved(by)) for part in self.parts)
        )


AnyNumbering = Numbering | SheetNumbering

_WINDS: tuple[Compass, ...] = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


def steps_from_compass(
    columns_run: Compass, rows_run: Compass
) -> tuple[Literal[1, -1], Literal[1, -1], float]:
    """Return the steps of columns and rows on the sheet, and where north lies.

    >>> steps_from_compass("NW", "NE")
    (-1, -1, -45.0)
    """
    columns, rows = _WINDS.index(columns_run), _WINDS.index(rows_run)
    if (columns - rows) % 4 != 2:
        raise NumberingError(
            f"columns to the {columns_run} and rows to the {rows_run} do not cross at right angles"
        )
    # The top of the sheet is the end of the rows' run that is nearer to north; where neither
    # is, rows count downward, as lines of text do.
    up = rows if rows in (7, 0, 1) else (rows + 4) % 8
    row_step: Literal[1, -1] = -1 if up == rows else 1
    column_step: Literal[1, -1] = 1 if (up + 2) % 8 == columns else -1
    return column_step, row_step, -45.0 * (up if up <= 4 else up - 8)


def _to_letters(number: int, style: Letters, alphabet: str) -> str:
    if number < 1:
        raise NumberingError(f"letters have no {number}: A is 1")
    base = len(alphabet)
    if style == "AA BB":
        times = (number - 1) // base + 1
        if times > _LETTERS:
            raise NumberingError(f"no map repeats a letter {times} times")
        return alphabet[(number - 1) % base] * times
    text = ""
    while number:
        number, digit = divmod(number - 1, base)
        text = alphabet[digit] + text
    return text


def _from_letters(text: str, style: Letters, alphabet: str) -> int:
    base = len(alphabet)
    if style == "AA BB":
        if len(set(text)) != 1:
            raise NumberingError(f"'{text}' mixes letters; this map doubles one, as in AA")
        return alphabet.index(text[0]) + 1 + base * (len(text) - 1)
    number = 0
    for letter in text:
        number = number * base + alphabet.index(letter) + 1
    return number


def _part_pattern(axis: Axis, name: str, *, fixed: bool) -> str:
    if axis.letters:
        return f"(?P<{name}>[{axis.alphabet}]{{1,{_LETTERS}}})"
    if fixed:
        return rf"(?P<{name}>\d{{{axis.digits}}})"
    # A longer number is unpadded: `A10` beside `A1`, never `A010`.
    return rf"(?P<{name}>\d{{{axis.digits}}}|[1-9]\d{{{axis.digits},6}})"
