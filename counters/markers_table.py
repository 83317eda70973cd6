"""Markers as a spreadsheet and back: id, name, and the columns of `counters.counter_cells`."""

from collections.abc import Iterable, Iterator

from counters.counter_cells import (
    LOOKS,
    CounterReader,
    face_cell,
    face_columns,
    look_cell,
    require_tellable,
    used_looks,
)
from counters.model import Marker
from mapkit.errors import TableError
from mapkit.tables.spreadsheet import Sheet, Table, read_sheets, write_csv

COLUMNS = ("id", "name")
SHEET = "markers"


def load_markers(data: bytes, *, source: str) -> tuple[Marker, ...]:
    """Return the markers of a CSV file, or of the sheet "markers" of a workbook.

    Raises:
        TableError: it is no table, or cells do not read; `problems` holds every one.
    """
    sheets = read_sheets(data, name=SHEET, source=source, columns=(*COLUMNS, *LOOKS))
    named = (sheet for sheet in sheets if sheet.name.strip().casefold() == SHEET)
    return markers_of(next(named, Sheet(SHEET, ())), source=source)


def markers_of(sheet: Sheet, *, source: str) -> tuple[Marker, ...]:
    """Return the markers in one sheet of a table.

    Raises:
        TableError: cells do not read; `problems` holds every one.
    """
    reader = CounterReader(sheet, COLUMNS, COLUMNS, kind="marker")
    markers = tuple(_read(reader))
    if reader.problems:
        raise TableError.listing(source, reader.problems)
    return markers


def dump_markers(markers: Iterable[Marker]) -> bytes:
    """Return markers as a CSV file: the inverse of `load_markers`.

    Raises:
        TableError: a text holds half a character, or fits into no cell.
    """
    return write_csv(marker_table(markers))


def marker_table(markers: Iterable[Marker]) -> Table:
    """Return markers as a table, ready to be written as CSV or into a workbook."""
    listed = list(markers)
    require_tellable(listed, SHEET)
    looks, values = used_looks(listed), face_columns(listed)
    return Table(
        SHEET,
        (*COLUMNS, *looks, *(f"{face}.{value}" for face, value in values)),
        [
            (
                marker.id,
                marker.name,
                *(look_cell(marker, column) for column in looks),
                *(face_cell(marker, face, value) for face, value in values),
            )
            for marker in listed
        ],
    )


def _read(reader: CounterReader) -> Iterator[Marker]:
    for row in reader.rows():
        looks = reader.looks(row)
        yield Marker(
            reader.text(row, "id"),
            reader.text(row, "name"),
            reader.faces(row),
            looks.symbol,
            looks.badges,
            looks.colours,
            looks.copies,
        )
