"""Tables of cells in and out: CSV here, workbooks in `mapkit.tables.workbook`.

What a spreadsheet does to cells is mended where that is safe and told where it is not. A text
that would run as a formula is defused with an apostrophe; reading takes it off again.
"""

import csv
import io
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mapkit.errors import Fault, TableError

LIMIT_BYTES = 64 * 1024 * 1024
LIMIT_ROWS = 1_000_000
LIMIT_COLUMNS = 100

SAVE_AS_UTF8 = (
    "save it as UTF-8: in Excel choose 'CSV UTF-8', in LibreOffice the character set UTF-8, "
    "or save it as .xlsx"
)


class Trouble(NamedTuple):
    """Why a cell holds nothing that can be read, and what to do."""

    problem: str
    remedy: str


class Cell(NamedTuple):
    """One cell as read. A workbook's *number* has lost the zeros at its ends."""

    text: str = ""
    is_number: bool = False
    trouble: Trouble | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nobody wrote anything here."""
        return self.trouble is None and not self.text.strip()


EMPTY = Cell()


@dataclass(frozen=True, slots=True)
class Sheet:
    """What was read: the rows as the spreadsheet counts them, the first is row 1."""

    name: str
    rows: tuple[tuple[Cell, ...], ...]

    def place(self, row: int, column: int, title: str = "") -> str:
        """Return the name of a cell, both indices from 0: `hexes!C17 (level)`."""
        named = f" ({title})" if title else ""
        return f"{self.name}!{column_letters(column)}{row + 1}{named}"


@dataclass(frozen=True, slots=True)
class Table:
    """What is written: a sheet's name, its columns, and rows of texts and whole numbers."""

    name: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[str | int | None]]

    def place(self, row: int, column: int) -> str:
        """Return the name of a cell in *rows*, both indices from 0."""
        return f"{self.name}!{column_letters(column)}{row + 2} ({self.columns[column]})"


def read_sheets(data: bytes, *, name: str, source: str, columns: Collection[str]) -> list[Sheet]:
    """Return the sheets of a CSV file or a workbook, whichever the bytes are.

    *name* is what a CSV's one sheet is called, *source* names the file in messages. By the
    *columns* that may stand in its first row, a CSV's delimiter is known.

    Raises:
        TableError: it is neither, or too big to be meant.
    """
    if len(data) > LIMIT_BYTES:
        raise TableError(f"{source}: too big for a table ({len(data) / 1e6:.0f} MB)")
    if data.startswith(b"PK\x03\x04"):
        from mapkit.tables.workbook import read_workbook

        return read_workbook(data, source)
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise TableError(
            f"{source}: an old .xls workbook, or one with a password; save it as .xlsx without"
        )
    return [read_csv(data, name=name, source=source, columns=columns)]


def read_csv(data: bytes, *, name: str, source: str, columns: Collection[str]) -> Sheet:
    """Return the sheet in a CSV file: UTF-8 or marked UTF-16; comma, semicolon or tab."""
    text, delimiter = _delimited(_decoded(data, source), columns)
    rows: list[tuple[Cell, ...]] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for record in reader:
            rows.append(tuple([Cell(undefused(cell)) if cell else EMPTY for cell in record]))
            if len(rows) > LIMIT_ROWS or len(record) > LIMIT_COLUMNS:
                raise TableError(
                    f"{source}: more than {LIMIT_ROWS:,} rows or {LIMIT_COLUMNS} columns; "
                    "check that it is the right file"
                )
    except csv.Error as error:
        raise TableError(
            f"{source}, line {reader.line_num}: not CSV ({error}); look for a quote that is not "
            "closed, or save the table as .xlsx"
        ) from None
    return Sheet(name, tuple(rows))


def write_csv(table: Table) -> bytes:
    """Return a CSV file: UTF-8 with the mark that Excel knows it by, commas, CRLF.

    Raises:
        TableError: a text holds half a character; every such cell is listed.
    """
    require_writable(table)
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(table.columns)
    writer.writerows(
        [defused(value) if isinstance(value, str) else value for value in row] for row in table.rows
    )
    return out.getvalue().encode("utf-8-sig")


def require_writable(table: Table, *, limit: int | None = None) -> None:
    """Raise TableError for all texts that no file, or no cell of *limit* letters, can hold."""
    faults = [
        Fault(table.place(row, column), trouble.problem, trouble.remedy)
        for row, values in enumerate(table.rows)
        for column, value in enumerate(values)
        if isinstance(value, str) and (trouble := _unwritable(value, limit))
    ]
    if faults:
        raise TableError.listing(table.name, faults)


# A text runs where a cell begins with one of these signs. A spreadsheet that expects other
# delimiters than the file's begins new cells after ; and tab and line break, so texts are
# defused there too. The apostrophes already there are counted: the way back is exact.
_RUNS = "=+\\-@\t\r＝＋－＠"
_BEGIN = r'((?:^|[;\t\r\n])[ \xa0"]*)'
_TO_DEFUSE = re.compile(rf"{_BEGIN}(?='*[{_RUNS}])")
_DEFUSED = re.compile(rf"{_BEGIN}'(?='*[{_RUNS}])")
_LOOKS_DEFUSED = re.compile(rf"{_BEGIN}(?='+[{_RUNS}])")


def defused(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula.

    >>> defused("=1+1"), defused("'=1+1"), defused("'s Gravenhage")
    ("'=1+1", "''=1+1", "'s Gravenhage")
    """
    return _TO_DEFUSE.sub(r"\1'", text)


def undefused(text: str) -> str:
    """Return the text that was defused: the inverse of `defused`."""
    return _DEFUSED.sub(r"\1", text) if "'" in text else text


def kept_apart(text: str) -> str:
    """Return a text for a cell that runs nothing, so that `undefused` gives it back.

    >>> kept_apart("=1+1"), kept_apart("'=1+1")
    ('=1+1', "''=1+1")
    """
    return _LOOKS_DEFUSED.sub(r"\1'", text) if "'" in text else text


def would_run(text: str) -> bool:
    """Tell whether a spreadsheet might take a text that someone types for a formula."""
    return _TO_DEFUSE.match(text) is not None


def column_letters(index: int) -> str:
    """Return the letters of a column.

    >>> column_letters(0), column_letters(27)
    ('A', 'AB')
    """
    letters = ""
    index += 1
    while index:
        index, digit = divmod(index - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return letters


def _decoded(data: bytes, source: str) -> str:
    is_utf16 = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    try:
        text = data.decode("utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        if is_utf16:
            raise TableError(f"{source}: damaged UTF-16 text; {SAVE_AS_UTF8}") from None
        row = data.count(b"\n", 0, error.start) + 1
        raise TableError(
            f"{source}, line {row}: not UTF-8 text (byte 0x{data[error.start]:02X} at "
            f"{error.start:,}); {SAVE_AS_UTF8}"
        ) from None
    if "\0" in text.partition("\n")[0]:
        raise TableError(f"{source}: not a CSV file, or UTF-16 without its mark; {SAVE_AS_UTF8}")
    return text


_SEPARATOR_LINE = re.compile(r'"?sep=([,;\t])"?\r?\n', re.IGNORECASE)


def _delimited(text: str, columns: Collection[str]) -> tuple[str, str]:
    """Return the text and its delimiter: as Excel's `sep=` line says, else as the header reads."""
    if said := _SEPARATOR_LINE.match(text):
        return text[said.end() :], said[1]

    def known(delimiter: str) -> int:
        return sum(cell.strip().casefold() in columns for cell in _first_record(text, delimiter))

    return text, max(",;\t", key=known)  # the first of equals


def _first_record(text: str, delimiter: str) -> list[str]:
    try:
        return next(filter(any, _records(text, delimiter)), [])
    except csv.Error:
        return []


def _records(text: str, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)


def _unwritable(text: str, limit: int | None) -> Trouble | None:
    if any("\ud800" <= letter <= "\udfff" for letter in text) if not text.isascii() else False:
        return Trouble("half a character (a lone surrogate)", "type this text again in the map")
    if limit is not None and len(text) > limit:
        return Trouble(
            f"{len(text):,} characters, a cell of a workbook holds {limit:,}",
            "shorten it, or write CSV",
        )
    return None
