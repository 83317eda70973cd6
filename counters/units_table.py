"""Units as a spreadsheet and back, every bad cell found before giving up.

The columns are id, name, side, nationality, formation, class, echelon and steps; then those of
`counters.counter_cells`: looks, and one for each value of each face. An empty cell is a value
nobody knows. Labels and ids are texts: zeros at the front stay. What would run as a formula is
defused.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from counters.counter_cells import (
    LOOKS,
    CounterReader,
    face_cell,
    face_columns,
    look_cell,
    require_tellable,
    used_looks,
)
from counters.model import Unit
from mapkit.errors import TableError
from mapkit.tables.spreadsheet import Sheet, Table, read_sheets, write_csv

COLUMNS = ("id", "name", "side", "nationality", "formation", "class", "echelon", "steps")
NEEDED = ("id", "name", "side")
SHEET = "units"


@dataclass(frozen=True, slots=True)
class UnitRow:
    """One row: the unit, what the further columns say, and where it stands."""

    unit: Unit
    further: Mapping[str, str] = field(default_factory=dict)
    place: str = ""


def load_units(data: bytes, *, source: str) -> tuple[Unit, ...]:
    """Return the units of a CSV file or workbook, in its order.

    Raises:
        TableError: it is no table, or cells do not read; `problems` holds every one.
    """
    return tuple(row.unit for row in load_unit_rows(data, source=source))


def load_unit_rows(
    data: bytes, *, source: str, further: Collection[str] = ()
) -> tuple[UnitRow, ...]:
    """Return the units with the texts of some *further* columns, such as where they set up.

    Raises:
        TableError: it is no table, or cells do not read; `problems` holds every one.
    """
    columns = (*COLUMNS, *LOOKS, *further)
    sheets = read_sheets(data, name=SHEET, source=source, columns=columns)
    named = (sheet for sheet in sheets if sheet.name.strip().casefold() == SHEET)
    first = sheets[0] if sheets else Sheet(SHEET, ())
    return unit_rows(next(named, first), source=source, further=further)


def unit_rows(sheet: Sheet, *, source: str, further: Collection[str] = ()) -> tuple[UnitRow, ...]:
    """Return the units in one sheet of a table.

    Raises:
        TableError: cells do not read; `problems` holds every one.
    """
    reader = CounterReader(sheet, COLUMNS, NEEDED, further)
    rows = tuple(_read(reader, further))
    if reader.problems:
        raise TableError.listing(source, reader.problems)
    return rows


def dump_units(units: Iterable[Unit]) -> bytes:
    """Return units as a CSV file: the inverse of `load_units`.

    A face without any value or picture is not written, for it says nothing; and faces come back
    in the order of the columns, which all units share.

    Raises:
        TableError: a text holds half a character, or fits into no cell.
    """
    return dump_unit_rows(UnitRow(unit) for unit in units)


def dump_unit_rows(rows: Iterable[UnitRow], further: Sequence[str] = ()) -> bytes:
    """Return units and their further columns as a CSV file: the inverse of `load_unit_rows`."""
    return write_csv(unit_table(rows, further))


def unit_table(rows: Iterable[UnitRow], further: Sequence[str] = ()) -> Table:
    """Return units as a table, ready to be written as CSV or into a workbook."""
    listed = list(rows)
    units = [row.unit for row in listed]
    require_tellable(units, SHEET)
    looks, values = used_looks(units), face_columns(units)
    return Table(
        SHEET,
        (*COLUMNS, *further, *looks, *(f"{face}.{value}" for face, value in values)),
        [
            (
                *_identity(row.unit),
                *(row.further.get(column, "") for column in further),
                *(look_cell(row.unit, column) for column in looks),
                *(face_cell(row.unit, face, value) for face, value in values),
            )
            for row in listed
        ],
    )


def _identity(unit: Unit) -> tuple[str | int | None, ...]:
    texts = (unit.id, unit.name, unit.side, unit.nationality, unit.formation)
    return (*texts, unit.class_, unit.echelon, unit.steps)


def _read(reader: CounterReader, further: Collection[str]) -> Iterator[UnitRow]:
    for row in reader.rows():
        looks = reader.looks(row)
        unit = Unit(
            id=reader.text(row, "id"),
            name=reader.text(row, "name"),
            side=reader.text(row, "side"),
            nationality=reader.text(row, "nationality"),
            formation=reader.text(row, "formation"),
            class_=reader.text(row, "class"),
            echelon=reader.text(row, "echelon"),
            steps=reader.whole(row, "steps"),
            faces=reader.faces(row),
            symbol=looks.symbol,
            badges=looks.badges,
            colours=looks.colours,
            copies=looks.copies,
        )
        yield UnitRow(unit, {name: reader.text(row, name) for name in further}, reader.place(row))
