"""XLSX workbooks in and out. Only text and whole numbers are written, never a formula."""

import io
import math
import re
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING

from mapkit.errors import TableError
from mapkit.tables.spreadsheet import (
    EMPTY,
    LIMIT_COLUMNS,
    LIMIT_ROWS,
    Cell,
    Sheet,
    Table,
    Trouble,
    kept_apart,
    require_writable,
    undefused,
    would_run,
)

if TYPE_CHECKING:
    from openpyxl.cell.cell import Cell as WrittenCell
    from openpyxl.workbook import Workbook

LIMIT_UNPACKED_BYTES = 256 * 1024 * 1024
LIMIT_RATIO = 200  # a table of equal rows is packed about fiftyfold
LIMIT_PARTS = 2_000
LIMIT_LETTERS = 32_767  # of one cell: Excel's own limit

_AS_TEXT = "format the column as text and type it again"
_LAST_ROW = 1_048_576


def read_workbook(data: bytes, source: str) -> list[Sheet]:
    """Return all sheets of a workbook; formulas are reported in their cells, not evaluated.

    Raises:
        TableError: it is no workbook, or one made to do harm.
    """
    from openpyxl import load_workbook

    try:
        _require_harmless(data, source)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and extensions, which we do not read
            book = load_workbook(io.BytesIO(data), read_only=True, keep_links=False)
            return [
                Sheet(
                    sheet.title,
                    tuple(
                        _rows(sheet.iter_rows(max_col=LIMIT_COLUMNS + 1, max_row=_LAST_ROW), source)
                    ),
                )
                for sheet in book.worksheets
            ]
    except (TableError, MemoryError):
        raise
    except Exception as error:
        # A damaged workbook fails in every way there is, deep inside the reader.
        raise TableError(
            f"{source}: not a workbook that can be read ({type(error).__name__}); open it in "
            "your spreadsheet and save it as .xlsx again"
        ) from error


def write_workbook(tables: Sequence[Table]) -> bytes:
    """Return a workbook with one sheet for each table; the same tables give the same bytes.

    Raises:
        TableError: a text does not fit into a cell; every such cell is listed.
    """
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    for table in tables:
        require_writable(table, limit=LIMIT_LETTERS)
        _add_sheet(book, table)
    out = io.BytesIO()
    book.save(out)
    return _without_dates(out.getvalue())


def _require_harmless(data: bytes, source: str) -> None:
    """Look at the parts before anything unpacks or expands them."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = archive.infolist()
        size = sum(part.file_size for part in parts)  # more than this is never unpacked
        if (
            len(parts) > LIMIT_PARTS
            or size > LIMIT_UNPACKED_BYTES
            or (size > 2**24 and size > LIMIT_RATIO * len(data))
        ):
            raise TableError(
                f"{source}: a workbook of {size / 1e6:,.0f} MB unpacked; check that it is the "
                "right file, or save the sheet as CSV"
            )
        for part in parts:
            if part.filename.endswith((".xml", ".rels")) and _defines_entities(archive.read(part)):
                raise TableError(
                    f"{source}: {part.filename} defines its own XML entities, as no spreadsheet "
                    "does; save the table from your spreadsheet again"
                )


def _defines_entities(xml: bytes) -> bool:
    return b"<!DOCTYPE" in xml.replace(b"\0", b"")  # in UTF-16 too


def _rows(rows: Iterable[Sequence[object]], source: str) -> Iterator[tuple[Cell, ...]]:
    empty = 0  # rows at the end that only have a format are not there
    gap: Sequence[object] | None = None  # the reader fills gaps with one and the same row
    for number, row in enumerate(rows, 1):
        width = 0 if row is gap else _width(row)
        if width == 0:
            gap = row
            empty += 1
            continue
        if number > LIMIT_ROWS or width > LIMIT_COLUMNS:
            raise TableError(
                f"{source}: more than {LIMIT_ROWS:,} rows or {LIMIT_COLUMNS} columns; "
                "check that it is the right file"
            )
        yield from [()] * empty
        empty = 0
        yield tuple([_cell(cell) for cell in row[:width]])


def _width(row: Sequence[object]) -> int:
    width = len(row)
    while width and getattr(row[width - 1], "value", None) is None:
        width -= 1
    return width


def _cell(cell: object) -> Cell:
    value = getattr(cell, "value", None)
    if value is None:
        return EMPTY
    if trouble := _trouble(value, getattr(cell, "data_type", "s")):
        return Cell(trouble=trouble)
    if isinstance(value, int | float):
        is_whole = abs(value) < 1e15 and value == int(value)
        return Cell(str(int(value) if is_whole else value), is_number=True)
    return Cell(undefused(_unescaped(str(value))))


def _trouble(value: object, data_type: str) -> Trouble | None:
    if data_type == "f":
        return Trouble("holds a formula, which is not evaluated", "replace it by its value")
    if data_type == "e" or (isinstance(value, float) and not math.isfinite(value)):
        return Trouble(f"holds the error {value}", "write what it should be")
    if isinstance(value, datetime | date | time | timedelta):
        return Trouble(
            f"holds a date or time ({value}): the spreadsheet took the text for one", _AS_TEXT
        )
    if isinstance(value, bool):
        return Trouble("holds a truth value: the spreadsheet took the word for one", _AS_TEXT)
    return None


def _add_sheet(book: "Workbook", table: Table) -> None:
    from openpyxl.cell.cell import WriteOnlyCell

    sheet = book.create_sheet(table.name)
    sheet.freeze_panes = "A2"
    for letter, title in zip("ABCDEFGH", table.columns, strict=False):
        column = sheet.column_dimensions[letter]
        column.width = 30 if title in ("features", "note") else 14
        if title != "level":
            column.number_format = "@"  # what is typed below stays as typed: 0305

    def text_cell(text: str) -> "WrittenCell":
        cell = WriteOnlyCell(sheet, value=_escaped(kept_apart(text)))
        cell.data_type = "s"  # openpyxl would make "=1+1" a formula and "#N/A" an error
        cell.number_format = "@"
        if would_run(text):
            cell.quotePrefix = True
        return cell

    sheet.append([text_cell(title) for title in table.columns])
    for row in table.rows:
        sheet.append(
            [
                (text_cell(value) if value else None) if isinstance(value, str) else value
                for value in row
            ]
        )


# ECMA-376 part 1, 22.9.2.19 (ST_Xstring): what XML cannot hold is written _xHHHH_.
_ILLEGAL = re.compile(r"[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x(?:00[01][0-9A-F]|005F|FFF[EF])_)")
_ESCAPE = re.compile(r"_x(00[01][0-9A-F]|005F|FFF[EF])_")


def _escaped(text: str) -> str:
    return _ILLEGAL.sub(lambda match: f"_x{ord(match[0]):04X}_", text)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


_DATE = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*")


def _without_dates(data: bytes) -> bytes:
    """Pack a workbook again so that the hour of its making is not in it."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for part in old.infolist():
            content = old.read(part)
            if part.filename == "docProps/core.xml":
                content = _DATE.sub(rb"\g<1>1980-01-01T00:00:00Z", content)
            packed = zipfile.ZipInfo(part.filename)
            packed.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(packed, content)
    return out.getvalue()
