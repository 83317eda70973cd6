"""Units as a spreadsheet and back, every bad cell found before giving up.

The columns are id, name, side, nationality, formation, class, echelon and steps; then one for
each value of each face: `front.combat`, `reduced.morale`. An empty cell is a value nobody knows.
Labels and ids are texts: zeros at the front stay. What would run as a formula is defused.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from counters.model import Face, Unit, Value
from mapkit.errors import Fault, TableError
from mapkit.tables.spreadsheet import EMPTY, Cell, Sheet, Table, read_sheets, write_csv

COLUMNS = ("id", "name", "side", "nationality", "formation", "class", "echelon", "steps")
NEEDED = ("id", "name", "side")

_FACE = re.compile(r"([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)", re.ASCII)
_WHOLE = re.compile(r"(\d{1,3})(?:[.,]0+)?", re.ASCII)  # some spreadsheets write 2 as 2.0
_VALUE = re.compile(r"(-?\d{1,6})(?:[.,]0+|(/[1-9]\d{0,5}))?", re.ASCII)


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
    columns = (*COLUMNS, *further)
    sheets = read_sheets(data, name="units", source=source, columns=columns)
    named = (sheet for sheet in sheets if sheet.name.strip().casefold() == "units")
    reader = _Reader(next(named, sheets[0]), frozenset(further))
    rows = tuple(reader.read())
    if reader.problems:
        raise TableError.listing(source, reader.problems)
    return rows


def dump_units(units: Iterable[Unit]) -> bytes:
    """Return units as a CSV file: the inverse of `load_units`.

    A face without any value is not written, for it says nothing; and faces come back in the
    order of the columns, which all units share.

    Raises:
        TableError: a text holds half a character.
    """
    return dump_unit_rows(UnitRow(unit) for unit in units)


def dump_unit_rows(rows: Iterable[UnitRow], further: Sequence[str] = ()) -> bytes:
    """Return units and their further columns as a CSV file: the inverse of `load_unit_rows`."""
    listed = list(rows)
    values = list(dict.fromkeys(key for row in listed for key in _value_columns(row.unit)))
    table = Table(
        "units",
        (*COLUMNS, *further, *(f"{face}.{value}" for face, value in values)),
        [
            (
                *_identity(row.unit),
                *(row.further.get(column, "") for column in further),
                *(_written(row.unit.value(value, face)) for face, value in values),
            )
            for row in listed
        ],
    )
    return write_csv(table)


def _identity(unit: Unit) -> tuple[str | int | None, ...]:
    texts = (unit.id, unit.name, unit.side, unit.nationality, unit.formation)
    return (*texts, unit.class_, unit.echelon, unit.steps)


def _value_columns(unit: Unit) -> Iterator[tuple[str, str]]:
    for face in unit.faces:
        for value in face.values:
            yield face.name, value


def _written(value: Value) -> str | int | None:
    return str(value) if isinstance(value, Fraction) else value


class _Reader:
    """Builds units from rows and collects every cell that cannot be."""

    def __init__(self, sheet: Sheet, further: frozenset[str]) -> None:
        self.problems: list[Fault] = []
        self._sheet = sheet
        self._further = further
        self._columns: dict[str, int] = {}
        self._values: dict[str, tuple[str, str]] = {}  # column: face, value

    def read(self) -> Iterator[UnitRow]:
        rows = self._sheet.rows
        head = next((i for i, row in enumerate(rows) if _is_filled(row)), None)
        if head is None:
            self._bad(0, "id", "the table is empty", f"name the columns {', '.join(COLUMNS)}")
            return
        self._read_header(head)
        seen: dict[str, int] = {}
        if self.problems:
            return  # without its columns every row would be wrong
        for index in range(head + 1, len(rows)):
            if not _is_filled(rows[index]):
                continue
            unit = self._read_unit(index)
            if unit.id in seen:
                problem = f"the id '{unit.id}' stands already in row {seen[unit.id] + 1}"
                self._bad(index, "id", problem, "give each unit an id of its own")
            elif unit.id:
                seen[unit.id] = index
            texts = {name: self._cell(index, name).text.strip() for name in self._further}
            yield UnitRow(unit, texts, self._sheet.place(index, self._columns["id"], unit.id))

    def _read_header(self, head: int) -> None:
        for index, cell in enumerate(self._sheet.rows[head]):
            name = cell.text.strip().casefold()
            if cell.is_empty and not self._is_used(head, index):
                continue
            if name in self._columns:
                self._bad_at(head, index, f"a second column '{name}'", "keep one of them")
                continue
            match = _FACE.fullmatch(name)
            if match:
                self._values[name] = (match[1], match[2])
            elif name not in COLUMNS and name not in self._further:
                remedy = "take it out, or name a face and its value: front.combat"
                self._bad_at(head, index, f"'{name}' is no column of units", remedy)
            self._columns[name] = index
        for name in NEEDED:
            if name not in self._columns:
                remedy = f"name the columns {', '.join(COLUMNS)} in the first row"
                self._bad_at(head, 0, f"there is no column '{name}'", remedy)

    def _is_used(self, head: int, column: int) -> bool:
        return any(
            column < len(row) and not row[column].is_empty for row in self._sheet.rows[head:]
        )

    def _read_unit(self, row: int) -> Unit:
        for name in self._columns:
            if trouble := self._cell(row, name).trouble:
                self._bad(row, name, *trouble)
        self._look_beyond(row)
        for name in NEEDED:
            cell = self._cell(row, name)
            if cell.is_empty and not cell.trouble:
                self._bad(row, name, f"no {name} is given", "fill it in, or empty the row")
        if self._cell(row, "id").is_number:
            problem = "the id is a number: zeros at its front may be lost"
            self._bad(row, "id", problem, "format the column as text and type it again")
        return Unit(
            id=self._text(row, "id"),
            name=self._text(row, "name"),
            side=self._text(row, "side"),
            nationality=self._text(row, "nationality"),
            formation=self._text(row, "formation"),
            class_=self._text(row, "class"),
            echelon=self._text(row, "echelon"),
            steps=self._read_steps(row),
            faces=self._read_faces(row),
        )

    def _look_beyond(self, row: int) -> None:
        known = set(self._columns.values())
        for index, cell in enumerate(self._sheet.rows[row]):
            if index not in known and not cell.is_empty:
                self._bad_at(row, index, "stands in no column", "name its column, or empty it")

    def _read_steps(self, row: int) -> int | None:
        text = self._text(row, "steps")
        match = _WHOLE.fullmatch(text)
        if text and not match:
            remedy = "write a whole number such as 2, or leave it empty"
            self._bad(row, "steps", f"'{text}' is no number of steps", remedy)
        return int(match[1]) if match else None

    def _read_faces(self, row: int) -> tuple[Face, ...]:
        """Return the faces with at least one value; the other values of such a face are None."""
        faces: dict[str, dict[str, Value]] = {}
        for column, (face, value) in self._values.items():
            faces.setdefault(face, {})[value] = self._read_value(row, column)
        return tuple(
            Face(name, values)
            for name, values in faces.items()
            if any(value is not None for value in values.values())
        )

    def _read_value(self, row: int, column: str) -> Value:
        text = self._text(row, column).replace("−", "-")
        if not text:
            return None
        match = _VALUE.fullmatch(text)
        if match is None:
            remedy = "write a whole number or a fraction such as 1/2, or leave it empty"
            self._bad(row, column, f"'{text}' is no value", remedy)
            return None
        value = Fraction(match[1] + (match[2] or ""))
        return int(value) if value.denominator == 1 else value

    def _cell(self, row: int, column: str) -> Cell:
        cells = self._sheet.rows[row]
        at = self._columns.get(column, len(cells))
        return cells[at] if at < len(cells) else EMPTY

    def _text(self, row: int, column: str) -> str:
        return self._cell(row, column).text.strip()

    def _bad(self, row: int, column: str, problem: str, remedy: str) -> None:
        place = self._sheet.place(row, self._columns.get(column, 0), column)
        self.problems.append(Fault(place, problem, remedy))

    def _bad_at(self, row: int, column: int, problem: str, remedy: str) -> None:
        self.problems.append(Fault(self._sheet.place(row, column), problem, remedy))


def _is_filled(cells: Sequence[Cell]) -> bool:
    return any(not cell.is_empty for cell in cells)
