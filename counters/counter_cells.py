"""The cells that tables of units and of markers share, read and written.

Beside its own columns a table may have symbol, badges (with `;` between them), the colours
ground, ink and bar, copies; one column for each value of each face, `front.combat`; and
`front.picture`, where the picture of a face lies. Every bad cell is found before giving up.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from counters.model import Colours, Counter, Face, Value
from counters.picture_paths import as_written, leads_out
from mapkit.errors import Fault, TableError
from mapkit.tables.spreadsheet import EMPTY, Cell, Sheet

LOOKS = ("symbol", "badges", "ground", "ink", "bar", "copies")
PICTURE = "picture"
BETWEEN_BADGES = ";"
MOST_COPIES = 999

_FACE = re.compile(r"([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)", re.ASCII)
_WHOLE = re.compile(r"(\d{1,3})(?:[.,]0+)?", re.ASCII)  # some spreadsheets write 2 as 2.0
_VALUE = re.compile(r"(-?\d{1,6})(?:[.,]0+|(/[1-9]\d{0,5}))?", re.ASCII)
_COLOUR = re.compile(r"#[0-9a-f]{6}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Looks:
    """What the columns `LOOKS` say of one counter."""

    symbol: str
    badges: tuple[str, ...]
    colours: Colours
    copies: int


PLAIN = Looks("", (), Colours(), 1)


def parse_value(text: str) -> int | Fraction | None:
    """Return the value a cell holds; None where it holds none.

    >>> parse_value("4.0"), parse_value("1/2"), parse_value("−1"), parse_value("four")
    (4, Fraction(1, 2), -1, None)
    """
    match = _VALUE.fullmatch(text.strip().replace("−", "-"))
    if match is None:
        return None
    value = Fraction(match[1] + (match[2] or ""))
    return int(value) if value.denominator == 1 else value


def parse_whole(text: str) -> int | None:
    """Return a whole number of up to three digits; None where the text is none."""
    match = _WHOLE.fullmatch(text.strip())
    return int(match[1]) if match else None


def is_colour(text: str) -> bool:
    """Tell whether a text is a colour: #rrggbb."""
    return _COLOUR.fullmatch(text.casefold()) is not None


def written(value: Value) -> str | int | None:
    """Return a value as it is written into a cell."""
    return str(value) if isinstance(value, Fraction) else value


def used_looks(counters: Iterable[Counter]) -> tuple[str, ...]:
    """Return those columns of `LOOKS` that say something of some counter."""
    listed = list(counters)
    plain = {name: look_cell(PLAIN, name) for name in LOOKS}
    return tuple(
        name for name in LOOKS if any(look_cell(one, name) != plain[name] for one in listed)
    )


def look_cell(counter: Counter | Looks, column: str) -> str | int:
    """Return what one counter has in a column of `LOOKS`."""
    if column == "badges":
        return BETWEEN_BADGES.join(counter.badges)
    if column == "copies":
        return counter.copies
    return counter.symbol if column == "symbol" else str(getattr(counter.colours, column))


def face_columns(counters: Iterable[Counter]) -> list[tuple[str, str]]:
    """Return the face and the value of each column that some counter needs, in their order."""
    found: dict[tuple[str, str], None] = {}
    for counter in counters:
        for face in counter.faces:
            names = [*face.values, PICTURE] if face.picture else face.values
            found.update(dict.fromkeys((face.name, name) for name in names))
    return list(found)


def face_cell(counter: Counter, face: str, value: str) -> str | int | None:
    """Return what one counter has in the column of a face's value or picture."""
    found = next((one for one in counter.faces if one.name == face), None)
    if found is None:
        return None
    return found.picture or None if value == PICTURE else written(found.values.get(value))


def require_tellable(counters: Iterable[Counter], source: str) -> None:
    """Refuse what a table would give back otherwise: a badge in two parts, a nameless face.

    Raises:
        TableError: it lists every such counter.
    """
    faults: list[Fault] = []
    for counter in counters:
        for badge in counter.badges:
            if BETWEEN_BADGES in badge or badge.strip() != badge or not badge:
                remedy = f"write it without '{BETWEEN_BADGES}' and without blanks around it"
                faults.append(Fault(counter.id, f"the badge '{badge}' fits into no cell", remedy))
        for face in counter.faces:
            for value in face.values:
                if value == PICTURE or not _FACE.fullmatch(f"{face.name}.{value}"):
                    problem = f"'{face.name}.{value}' is no column's name"
                    faults.append(Fault(counter.id, problem, "write it in small letters: a_1"))
    if faults:
        raise TableError.listing(source, faults)


class CounterReader:
    """Reads the rows of one table and collects every cell that cannot be."""

    def __init__(
        self,
        sheet: Sheet,
        columns: Sequence[str],
        needed: Sequence[str],
        further: Collection[str] = (),
        *,
        kind: str = "unit",
    ) -> None:
        self.problems: list[Fault] = []
        self._sheet = sheet
        self._own = columns
        self._needed = needed
        self._known = frozenset((*columns, *LOOKS, *further))
        self._kind = kind
        self._columns: dict[str, int] = {}
        self._values: dict[str, tuple[str, str]] = {}  # column: face, value

    def rows(self) -> Iterator[int]:
        """Yield the index of each row of a counter, its cells looked over."""
        rows = self._sheet.rows
        head = next((i for i, row in enumerate(rows) if is_filled(row)), None)
        if head is None:
            self.bad(0, "id", "the table is empty", f"name the columns {', '.join(self._own)}")
            return
        self._read_header(head)
        if self.problems:
            return  # without its columns every row would be wrong
        seen: dict[str, int] = {}
        for index in range(head + 1, len(rows)):
            if not is_filled(rows[index]):
                continue
            self._look_over(index)
            yield index
            id_ = self.text(index, "id")
            if id_ in seen:
                problem = f"the id '{id_}' stands already in row {seen[id_] + 1}"
                self.bad(index, "id", problem, f"give each {self._kind} an id of its own")
            elif id_:
                seen[id_] = index

    def place(self, row: int) -> str:
        """Return the name of the cell with a counter's id."""
        return self._sheet.place(row, self._columns["id"], self.text(row, "id"))

    def text(self, row: int, column: str) -> str:
        """Return what a cell says; "" where it or its column is not there."""
        return self._cell(row, column).text.strip()

    def whole(self, row: int, column: str) -> int | None:
        """Return the number of steps in a cell; None where it is empty."""
        text = self.text(row, column)
        number = parse_whole(text)
        if text and number is None:
            remedy = "write a whole number such as 2, or leave it empty"
            self.bad(row, column, f"'{text}' is no number of {column}", remedy)
        return number

    def looks(self, row: int) -> Looks:
        """Return what the columns `LOOKS` say."""
        badges = self.text(row, "badges").split(BETWEEN_BADGES)
        return Looks(
            self.text(row, "symbol"),
            tuple(filter(None, map(str.strip, badges))),
            Colours(*(self._colour(row, name) for name in ("ground", "ink", "bar"))),
            self._copies(row),
        )

    def faces(self, row: int) -> tuple[Face, ...]:
        """Return the faces with a value or a picture; their other values are None."""
        values: dict[str, dict[str, Value]] = {}
        pictures: dict[str, str] = {}
        for column, (face, value) in self._values.items():
            named = values.setdefault(face, {})
            if value == PICTURE:
                pictures[face] = self._picture(row, column)
            else:
                named[value] = self._value(row, column)
        return tuple(
            Face(name, named, pictures.get(name, ""))
            for name, named in values.items()
            if pictures.get(name) or any(value is not None for value in named.values())
        )

    def bad(self, row: int, column: str, problem: str, remedy: str) -> None:
        """Note what is wrong with a cell."""
        place = self._sheet.place(row, self._columns.get(column, 0), column)
        self.problems.append(Fault(place, problem, remedy))

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
            elif name not in self._known:
                remedy = "take it out, or name a face and its value: front.combat"
                self._bad_at(head, index, f"'{name}' is no column of {self._kind}s", remedy)
            self._columns[name] = index
        for name in self._needed:
            if name not in self._columns:
                remedy = f"name the columns {', '.join(self._own)} in the first row"
                self._bad_at(head, 0, f"there is no column '{name}'", remedy)

    def _is_used(self, head: int, column: int) -> bool:
        return any(
            column < len(row) and not row[column].is_empty for row in self._sheet.rows[head:]
        )

    def _look_over(self, row: int) -> None:
        for name in self._columns:
            if trouble := self._cell(row, name).trouble:
                self.bad(row, name, *trouble)
        known = set(self._columns.values())
        for index, cell in enumerate(self._sheet.rows[row]):
            if index not in known and not cell.is_empty:
                self._bad_at(row, index, "stands in no column", "name its column, or empty it")
        for name in self._needed:
            cell = self._cell(row, name)
            if cell.is_empty and not cell.trouble:
                self.bad(row, name, f"no {name} is given", "fill it in, or empty the row")
        if self._cell(row, "id").is_number:
            problem = "the id is a number: zeros at its front may be lost"
            self.bad(row, "id", problem, "format the column as text and type it again")

    def _value(self, row: int, column: str) -> Value:
        text = self.text(row, column)
        value = parse_value(text)
        if text and value is None:
            remedy = "write a whole number or a fraction such as 1/2, or leave it empty"
            self.bad(row, column, f"'{text}' is no value", remedy)
        return value

    def _colour(self, row: int, column: str) -> str:
        text = self.text(row, column).casefold()
        if text and not is_colour(text):
            remedy = "write red, green and blue in two digits each, such as #c8b46e"
            self.bad(row, column, f"'{text}' is no colour", remedy)
        return text

    def _copies(self, row: int) -> int:
        text = self.text(row, "copies")
        number = parse_whole(text)
        if text and not number:
            remedy = f"write a whole number from 1 to {MOST_COPIES}, or leave it empty"
            self.bad(row, "copies", f"'{text}' is no number of copies", remedy)
        return number or 1

    def _picture(self, row: int, column: str) -> str:
        text = self.text(row, column)
        if text and leads_out(text):
            problem = f"'{text}' leads out of the table's folder"
            self.bad(row, column, problem, "put the picture beside the table, or in a folder there")
        return as_written(text)

    def _cell(self, row: int, column: str) -> Cell:
        cells = self._sheet.rows[row]
        at = self._columns.get(column, len(cells))
        return cells[at] if at < len(cells) else EMPTY

    def _bad_at(self, row: int, column: int, problem: str, remedy: str) -> None:
        self.problems.append(Fault(self._sheet.place(row, column), problem, remedy))


def is_filled(cells: Sequence[Cell]) -> bool:
    """Tell whether somebody wrote anything into a row."""
    return any(not cell.is_empty for cell in cells)
