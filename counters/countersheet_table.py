"""Countersheet tables, as the countersheets extension of Inkscape reads them, in and out.

Such a table has no fixed columns: each is named for an object of somebody's drawing. What it
fixes is this. The first column holds the number of copies; its title names a template. `ID` names
the counter. The columns right of `BACK` belong to its back, which only rows with something in
the column `BACK` have; `>` behind a title puts the column on the back too. An empty row is
followed by new titles. (Format reference: doc/countersheet_csv_format_reference.txt there.)

Columns called as ours are fields of the counter, all others are values of its faces "front" and
"back". What one of the two ways cannot hold is told, and nothing is made up.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from counters.counter_cells import (
    BETWEEN_BADGES,
    LOOKS,
    MOST_COPIES,
    PICTURE,
    Looks,
    is_colour,
    is_filled,
    look_cell,
    parse_value,
    parse_whole,
    require_tellable,
    used_looks,
    written,
)
from counters.model import Colours, Counter, Face, Marker, Unit, Value
from counters.picture_paths import as_written, leads_out
from counters.units_table import COLUMNS as UNIT_COLUMNS
from mapkit.errors import Fault, TableError
from mapkit.tables.spreadsheet import EMPTY, Cell, Sheet, Table, read_sheets, write_csv
from mapkit.texts import say

FRONT, BACK = "front", "back"

_ID, _BACK = "ID", "BACK"
_ON_BACK_TOO = ">"
_KEYWORDS = ("ENDBOX", "ENDROW")
_FIELDS = tuple(name for name in (*UNIT_COLUMNS, *LOOKS) if name not in ("id", "copies"))
_OF_UNITS = tuple(name for name in UNIT_COLUMNS if name not in ("id", "name", "side"))
_TAKEN = frozenset((*_FIELDS, "id", "back"))
_NUMBER = re.compile(r"-?\d+(?:[.,]0+)?", re.ASCII)
_NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Countersheet:
    """The counters of such a table, and remarks on what could not be told of them."""

    counters: tuple[Counter, ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenSheet:
    """A table as a file, and remarks on what it does not hold."""

    data: bytes
    remarks: tuple[str, ...] = ()


def load_countersheet(data: bytes, *, source: str) -> Countersheet:
    """Return the counters of a countersheet table, CSV or the first sheet of a workbook.

    A row that names a side is a unit, any other a marker.

    Raises:
        TableError: it is no table, or rows do not read; `problems` holds every one.
    """
    columns = (_ID.casefold(), BACK, *_FIELDS)
    sheets = read_sheets(data, name="counters", source=source, columns=columns)
    reader = _Reader(sheets[0] if sheets else Sheet("counters", ()))
    counters = tuple(reader.read())
    if reader.problems:
        raise TableError.listing(source, reader.problems)
    return Countersheet(counters, tuple(reader.remarks()))


def dump_countersheet(counters: Iterable[Counter]) -> WrittenSheet:
    """Return counters as a countersheet table in CSV: the inverse of `load_countersheet`.

    Raises:
        TableError: a text holds half a character, or fits into no cell.
    """
    listed = list(counters)
    require_tellable(listed, "counters")
    sides = [_two_sides(one) for one in listed]
    looks = [name for name in used_looks(listed) if name != "copies"]
    used = {name for name in UNIT_COLUMNS for one in listed if _own(one, name) not in ("", None)}
    own = ["name", *(name for name in UNIT_COLUMNS[2:] if name in used)]
    front = _columns(side.front for side in sides)
    back = _columns(side.back for side in sides)
    has_backs = any(side.back for side in sides)
    titles = ["", _ID, *own, *looks, *front, *([_BACK, *back] if has_backs else [])]
    rows = [
        (
            one.copies,
            one.id,
            *(_own(one, name) for name in own),
            *(look_cell(one, name) for name in looks),
            *(_face_cell(side.front, name) for name in front),
            *([_BACK if side.back else ""] if has_backs else []),
            *(_face_cell(side.back, name) for name in back),
        )
        for one, side in zip(listed, sides, strict=True)
    ]
    data = write_csv(Table("counters", tuple(titles), rows))
    # The mark of UTF-8 would be read as the name of a template, for it stands in the first title.
    return WrittenSheet(data.removeprefix(b"\xef\xbb\xbf"), tuple(_lost_in(listed, sides)))


@dataclass(frozen=True, slots=True)
class _Sides:
    front: Face | None = None
    back: Face | None = None
    others: tuple[str, ...] = ()


def _two_sides(counter: Counter) -> _Sides:
    """Choose which face is the front and which the back: by their names, else in their order."""
    faces = [face for face in counter.faces if face.known or face.picture]
    named = {face.name: face for face in faces}
    rest = [face for face in faces if face.name not in (FRONT, BACK)]
    front = named.get(FRONT) or (rest.pop(0) if rest else None)
    back = named.get(BACK) or (rest.pop(0) if rest else None)
    return _Sides(front, back, tuple(face.name for face in rest))


def _columns(faces: Iterable[Face | None]) -> list[str]:
    found: dict[str, None] = {}
    for face in filter(None, faces):
        names = [name for name in face.values if name not in _TAKEN]
        found.update(dict.fromkeys([*names, PICTURE] if face.picture else names))
    return list(found)


def _face_cell(face: Face | None, name: str) -> str | int | None:
    if face is None:
        return None
    return face.picture if name == PICTURE else written(face.values.get(name))


def _own(counter: Counter, column: str) -> str | int | None:
    if column == "name":
        return counter.name
    if isinstance(counter, Marker):
        return None
    found: str | int | None = getattr(counter, "class_" if column == "class" else column)
    return found


def _lost_in(counters: Sequence[Counter], sides: Sequence[_Sides]) -> Iterator[str]:
    for one, side in zip(counters, sides, strict=True):
        if side.others:
            yield say("counters.convert.faces", id=one.id, faces=", ".join(side.others))
        for face, name in ((side.front, FRONT), (side.back, BACK)):
            if face is not None and face.name != name:
                yield say("counters.convert.renamed", id=one.id, face=face.name, name=name)
            taken = [value for value in (face.known if face else ()) if value in _TAKEN]
            if taken:
                yield say("counters.convert.taken", id=one.id, values=", ".join(taken))


@dataclass(slots=True)
class _Titles:
    """The titles that hold for some rows: which column says what, and on which side."""

    id: int | None = None
    back: int | None = None
    fields: dict[str, int] = field(default_factory=dict)
    front_values: dict[str, int] = field(default_factory=dict)
    back_values: dict[str, int] = field(default_factory=dict)


class _Reader:
    """Builds counters from rows; collects the cells that cannot be, and what gets lost."""

    def __init__(self, sheet: Sheet) -> None:
        self.problems: list[Fault] = []
        self._sheet = sheet
        self._lost: dict[str, list[str]] = {}  # text key: what is lost, as often as it is
        self._seen: dict[str, int] = {}

    def read(self) -> Iterator[Counter]:
        titles: _Titles | None = None
        for row, cells in enumerate(self._sheet.rows):
            first = cells[0].text.strip() if cells else ""
            if not is_filled(cells):
                titles = None
            elif first in _KEYWORDS:
                self._lose("layout", first)
            elif titles is None or (first and not _NUMBER.fullmatch(first)):
                titles = self._read_titles(row, cells)
            elif (counter := self._read_row(row, titles)) is not None:
                yield counter
        if not self._seen and not self.problems:
            remedy = "write titles into the first row: copies, ID, name, side"
            self._bad(0, 0, "there is no counter", remedy)

    def remarks(self) -> Iterator[str]:
        """Tell what the counters do not hold, each kind of loss in one line."""
        for key, things in self._lost.items():
            told = ", ".join(f"'{thing}'" for thing in dict.fromkeys(things))
            yield say(f"counters.convert.{key}", n=len(things), what=told)

    def _read_titles(self, row: int, cells: Sequence[Cell]) -> _Titles:
        titles = _Titles()
        if template := cells[0].text.strip():
            self._lose("template", template)
        for column, cell in enumerate(cells[1:], 1):
            title = cell.text.strip()
            if title == _BACK:
                if titles.back is not None:
                    self._bad(row, column, "a second column BACK", "keep one of them")
                titles.back = column
            elif title.casefold() == _ID.casefold():
                titles.id = column
            elif title:
                self._read_title(title, column, titles)
        if titles.id is None:
            remedy = "add a column ID with a name of its own for each counter"
            self._bad(row, 0, "there is no column 'ID'", remedy)
        return titles

    def _read_title(self, title: str, column: int, titles: _Titles) -> None:
        plain = title.removesuffix(_ON_BACK_TOO).strip().casefold()
        name = plain.replace(" ", "_").replace("-", "_")
        if titles.back is None and name in _FIELDS:
            titles.fields.setdefault(name, column)
        elif not _NAME.fullmatch(name) or name in _TAKEN:
            self._lose("column", title)
        elif titles.back is not None:
            titles.back_values.setdefault(name, column)
        else:
            titles.front_values.setdefault(name, column)
            if title.endswith(_ON_BACK_TOO):
                titles.back_values.setdefault(name, column)

    def _read_row(self, row: int, titles: _Titles) -> Counter | None:
        if titles.id is None:
            return None
        for column, cell in enumerate(self._sheet.rows[row]):
            if cell.trouble:
                self._bad(row, column, *cell.trouble)
        id_ = self._text(row, titles.id)
        if self._cell(row, titles.id).is_number:
            problem = "the ID is a number: zeros at its front may be lost"
            self._bad(row, titles.id, problem, "format the column as text and type it again")
        elif not id_:
            self._bad(row, titles.id, "no ID is given", "fill it in, or empty the row")
        elif id_ in self._seen:
            problem = f"the ID '{id_}' stands already in row {self._seen[id_] + 1}"
            self._bad(row, titles.id, problem, "give each counter an ID of its own")
        self._seen[id_] = row
        first = self._text(row, 0)
        copies = parse_whole(first) if first else 1
        if copies is None:
            remedy = f"write a whole number from 1 to {MOST_COPIES}"
            self._bad(row, 0, f"'{first}' is no number of copies", remedy)
        if not copies:
            self._lose("no_copies", id_)
            return None
        return self._counter(row, id_, copies, titles)

    def _counter(self, row: int, id_: str, copies: int, titles: _Titles) -> Counter:
        said = {name: self._text(row, column) for name, column in titles.fields.items()}
        faces = tuple(self._faces(row, id_, titles))
        looks = self._looks(said, copies)
        if not said.get("name"):
            self._lose("nameless", id_)
        name = said.get("name") or id_
        if not said.get("side"):
            if any(said.get(field) for field in _OF_UNITS):
                self._lose("sideless", id_)
            return Marker(id_, name, faces, looks.symbol, looks.badges, looks.colours, copies)
        return Unit(
            id_,
            name,
            said["side"],
            nationality=said.get("nationality", ""),
            formation=said.get("formation", ""),
            class_=said.get("class", ""),
            echelon=said.get("echelon", ""),
            steps=self._steps(said.get("steps", "")),
            faces=faces,
            symbol=looks.symbol,
            badges=looks.badges,
            colours=looks.colours,
            copies=copies,
        )

    def _looks(self, said: Mapping[str, str], copies: int) -> Looks:
        badges = said.get("badges", "").split(BETWEEN_BADGES)
        return Looks(
            said.get("symbol", ""),
            tuple(filter(None, map(str.strip, badges))),
            Colours(*(self._colour(said.get(name, "")) for name in ("ground", "ink", "bar"))),
            copies,
        )

    def _faces(self, row: int, id_: str, titles: _Titles) -> Iterator[Face]:
        if (front := self._face(row, FRONT, titles.front_values)) is not None:
            yield front
        has_back = titles.back is not None and bool(self._text(row, titles.back))
        back = self._face(row, BACK, titles.back_values) if has_back else None
        if back is not None:
            yield back
        elif has_back:
            self._lose("empty_back", id_)
        own = set(titles.back_values.values()) - set(titles.front_values.values())
        if not has_back and any(self._text(row, column) for column in own):
            self._lose("unused_back", id_)

    def _face(self, row: int, name: str, columns: dict[str, int]) -> Face | None:
        values: dict[str, Value] = {}
        picture = ""
        for value, column in columns.items():
            text = self._text(row, column)
            if value == PICTURE:
                picture = self._picture(row, column)
                continue
            values[value] = parse_value(text)
            if text and values[value] is None:
                self._lose("texts", text)
        known = any(value is not None for value in values.values())
        return Face(name, values, picture) if known or picture else None

    def _picture(self, row: int, column: int) -> str:
        text = self._text(row, column)
        if text and leads_out(text):
            problem = f"'{text}' leads out of the table's folder"
            self._bad(row, column, problem, "put the picture beside the table")
        return as_written(text)

    def _colour(self, text: str) -> str:
        if text and not is_colour(text):
            self._lose("texts", text)  # a drawing's own style may stand there: it is no fault
            return ""
        return text.casefold()

    def _steps(self, text: str) -> int | None:
        number = parse_whole(text)
        if text and number is None:
            self._lose("texts", text)
        return number

    def _text(self, row: int, column: int) -> str:
        return self._cell(row, column).text.strip()

    def _cell(self, row: int, column: int) -> Cell:
        cells = self._sheet.rows[row]
        return cells[column] if column < len(cells) else EMPTY

    def _lose(self, key: str, what: str) -> None:
        self._lost.setdefault(key, []).append(what)

    def _bad(self, row: int, column: int, problem: str, remedy: str) -> None:
        self.problems.append(Fault(self._sheet.place(row, column), problem, remedy))
