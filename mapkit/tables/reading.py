"""A map from tables, with every bad cell found before giving up.

Only the first column of each table must be there; the order of columns is free, and capitals
do not matter. `mapkit.tables` is the way out, this is the way back.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TypeVar

from mapkit.errors import Fault, MapkitError, NumberingError, TableError
from mapkit.feature_notation import EXAMPLE, parse_features, parse_word
from mapkit.grid import Grid
from mapkit.hexes import Hex, Hexside, Link, neighbours
from mapkit.kinds import UNKNOWN, Group, Kinds
from mapkit.model import IMPORTED, Feature, Ground, HexMap
from mapkit.notation import Labels, parse_hex, parse_hexside, parse_link
from mapkit.numbering import Numbering
from mapkit.tables.layouts import Layout
from mapkit.tables.spreadsheet import EMPTY, Cell, Sheet, Trouble, read_sheets
from mapkit.tables.writing import COLUMNS, ROLES, Role
from mapkit.texts import say

PITCH_PX = 60.0
LIMIT_LETTERS = 10_000  # of one text in a map document

_Side = TypeVar("_Side", Hexside, Link)
_MANY = 20  # bad cells of one sort that point to one cause
_WHOLE = re.compile(r"([+-]?\d{1,15})(?:[.,]0+)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Imported:
    """The map that some tables describe, and what its maker should know."""

    map_: HexMap
    remarks: tuple[str, ...] = ()


@dataclass(slots=True)
class TableFiles:
    """The sheets of one map, gathered from one file or several."""

    sheets: dict[Role, Sheet] = field(default_factory=dict)
    sources: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def add(self, role: Role, data: bytes, source: str) -> None:
        """Take the sheet for a role from a file; a workbook with hexes brings the others too.

        A workbook's sheet may have any name where it is the only one that is meant.

        Raises:
            TableError: the file is no table, or has no sheet for this role.
        """
        name = PurePath(source).stem
        sheets = read_sheets(data, name=name, source=source, columns=COLUMNS[role])
        named = {sheet.name.strip().casefold(): sheet for sheet in sheets}
        others = [sheet for key, sheet in named.items() if key not in ROLES and sheet.rows]
        chosen = sheets[0] if len(sheets) == 1 else named.get(role) or next(iter(others), None)
        if chosen is None:
            raise TableError(f"{source}: there is no sheet '{role}' in this workbook")
        self.sources.append(source)
        self.sheets[role] = chosen
        if role == "hexes" and len(sheets) > 1:
            self.sheets |= {other: named[other] for other in ROLES[1:] if other in named}
        self.remarks += [
            say("mapkit.table.unread_sheet", sheet=sheet.name, file=source)
            for sheet in others
            if sheet is not chosen
        ]


def map_from_tables(files: TableFiles, layout: Layout, *, title: str = "") -> Imported:
    """Return the map that the tables describe; all its values count as imported.

    A word nobody declared becomes a kind of the map, with the role that its name implies.

    Raises:
        TableError: some cells do not read; `problems` holds every one.
    """
    reader = _Reader(layout)
    map_ = reader.read(files.sheets, title)
    if problems := reader.problems:
        raise TableError.listing(", ".join(files.sources), problems, hint=_likely_cause(problems))
    remarks = [*files.remarks, *reader.remarks]
    if layout.shove_is_guessed and len(map_.hexes) > 1:
        remarks.append(told_neighbours(map_, reader.numbering))
    return Imported(map_, tuple(remarks))


def told_neighbours(map_: HexMap, numbering: Numbering) -> str:
    """Return the sentence by which a player sees whether the right lines are shoved."""
    labelled = sorted(map_.hexes, key=map_.label)
    shown = max(labelled, key=lambda hex_: sum(o in map_.hexes for o in neighbours(hex_)))
    around = sorted(map_.label(other) for other in neighbours(shown) if other in map_.hexes)
    return say(
        "mapkit.table.neighbours",
        shoved=numbering.shoved,
        toward=numbering.toward,
        hex=map_.label(shown),
        neighbours=", ".join(around),
    )


def _likely_cause(problems: Sequence[Fault]) -> str:
    """Say what one mistake may lie behind many bad cells: hexes that should touch and do not."""
    apart = sum("do not touch" in problem.problem for problem in problems)
    if apart < _MANY:
        return ""
    return (
        f"{apart:,} hexsides or links name hexes that do not touch: most likely --layout, "
        "--numbering or --shoved is wrong"
    )


class RestoredLabels:
    """A numbering that gives labels the zeros back which a spreadsheet took: 305 is 0305.

    Only where every label has the same number of digits, so that there is one answer.
    """

    _LOST = re.compile(r"(\d+)(?:[.,]0+)?", re.ASCII)

    def __init__(self, numbering: Numbering) -> None:
        self.numbering = numbering
        self.restored: dict[str, str] = {}
        fixed = not (numbering.separator or numbering.columns.letters or numbering.rows.letters)
        self.width = numbering.columns.digits + numbering.rows.digits if fixed else 0

    def whole(self, text: str) -> str:
        """Return a label with its zeros."""
        text = text.strip()
        match = self._LOST.fullmatch(text) if self.width and len(text) != self.width else None
        if match is None or len(match[1]) > self.width:
            return text
        self.restored[text] = match[1].zfill(self.width)
        return self.restored[text]

    def format_label(self, hex_: Hex) -> str:
        """Return the label of a hex."""
        return self.numbering.format_label(hex_)

    def parse_label(self, text: str) -> Hex:
        """Return the hex with this label, its zeros lost or not."""
        return self.numbering.parse_label(self.whole(text))


@dataclass(frozen=True, slots=True)
class _Row:
    """One row that is not empty: its cells by column, and where they stand."""

    sheet: Sheet
    index: int
    columns: Mapping[str, int]

    def __getitem__(self, column: str) -> Cell:
        cells = self.sheet.rows[self.index]
        at = self.columns.get(column, len(cells))
        return cells[at] if at < len(cells) else EMPTY

    def text(self, column: str) -> str:
        """Return what a cell says; nothing where it is in trouble, which is told elsewhere."""
        return self[column].text


class _Reader:
    """Builds the map from rows and collects every cell that cannot be."""

    def __init__(self, layout: Layout) -> None:
        self.remarks: list[str] = []
        self.numbering = layout.numbering
        self._layout = layout
        self._found: list[tuple[int, int, int, Fault]] = []
        self._sheets: list[Sheet] = []

    @property
    def problems(self) -> list[Fault]:
        """Every bad cell, sheet by sheet as one reads them."""
        return [fault for *_, fault in sorted(self._found, key=lambda found: found[:3])]

    def read(self, sheets: Mapping[Role, Sheet], title: str) -> HexMap:
        rows = {role: list(self._rows(role, sheets[role])) for role in ROLES if role in sheets}
        labels = self._labels(rows.get("hexes", []))
        self.numbering = labels.numbering
        hexes = self._read_hexes(rows.get("hexes", []), labels)
        hexsides = self._read_sides(
            "hexside", rows.get("hexsides", []), parse_hexside, hexes, labels
        )
        links = self._read_sides("link", rows.get("links", []), parse_link, hexes, labels)
        if labels.restored:
            lost, label = min(labels.restored.items(), key=lambda pair: pair[1])
            self.remarks.append(
                say("mapkit.table.zeros", n=len(labels.restored), lost=lost, label=label)
            )
        return HexMap(
            grid=_grid(self.numbering, hexes, self._layout.north_deg),
            numbering=self.numbering,
            hexes=hexes,
            kinds=self._kinds(hexes, hexsides, links),
            hexsides=hexsides,
            links=links,
            title=title,
            provenance=IMPORTED,
        )

    def _bad(self, sheet: Sheet, row: int, column: int, fault: tuple[str, str, str]) -> None:
        name, problem, remedy = fault
        at = Fault(sheet.place(row, column, name), problem, remedy)
        self._found.append((self._sheets.index(sheet), row, column, at))

    def _bad_cell(self, row: _Row, column: str, problem: str, remedy: str) -> None:
        self._bad(row.sheet, row.index, row.columns.get(column, 0), (column, problem, remedy))

    def _rows(self, role: Role, sheet: Sheet) -> Iterator[_Row]:
        """Yield the rows below the header that are not empty, the cells looked over."""
        self._sheets.append(sheet)
        head = next((i for i, row in enumerate(sheet.rows) if not _is_empty(row)), None)
        if head is None:
            if role == "hexes":
                self._bad(sheet, 0, 0, ("hex", "the table is empty", "give it a row of columns"))
            return
        columns = self._read_header(role, sheet, head)
        if COLUMNS[role][0] not in columns:
            return
        width = len(sheet.rows[head])
        for index in range(head + 1, len(sheet.rows)):
            cells = sheet.rows[index]
            if _is_empty(cells):
                continue
            row = _Row(sheet, index, columns)
            for column in columns:
                self._look_over(row, column)
            for extra in range(width, len(cells)):
                if not cells[extra].is_empty:
                    self._bad(sheet, index, extra, ("", "stands in no column", _NAME_IT))
            yield row

    def _read_header(self, role: Role, sheet: Sheet, head: int) -> dict[str, int]:
        columns: dict[str, int] = {}
        unknown = []
        for index, cell in enumerate(sheet.rows[head]):
            name = cell.text.strip().casefold()
            if name in columns:
                problem = f"a second column '{name}'"
                self._bad(sheet, head, index, (name, problem, "keep one of them"))
            elif name in COLUMNS[role]:
                columns[name] = index
            elif not cell.is_empty or any(
                index < len(row) and not row[index].is_empty for row in sheet.rows[head:]
            ):
                unknown.append(f"{sheet.place(head, index)} '{cell.text.strip()}'")
        first = COLUMNS[role][0]
        if first not in columns:
            remedy = f"name the columns {', '.join(COLUMNS[role])} in the first row"
            self._bad(sheet, head, 0, (first, f"there is no column '{first}'", remedy))
        elif unknown:
            self.remarks.append(say("mapkit.table.unknown_columns", columns=", ".join(unknown)))
        return columns

    def _look_over(self, row: _Row, column: str) -> None:
        cell = row[column]
        if cell.trouble:
            self._bad_cell(row, column, *cell.trouble)
        elif len(cell.text) > LIMIT_LETTERS and column != "features":
            problem = f"{len(cell.text):,} characters are too many"
            self._bad_cell(row, column, problem, f"shorten it to {LIMIT_LETTERS:,}")

    def _labels(self, rows: Iterable[_Row]) -> RestoredLabels:
        plain = RestoredLabels(self._layout.numbering)
        return RestoredLabels(self._layout.fitted(plain.whole(row.text("hex")) for row in rows))

    def _read_hexes(self, rows: Iterable[_Row], labels: RestoredLabels) -> dict[Hex, Ground]:
        hexes: dict[Hex, Ground] = {}
        seen: dict[Hex, int] = {}
        for row in rows:
            ground = self._read_ground(row, labels)
            hex_ = self._read_hex(row, labels)
            if hex_ is None:
                continue
            if hex_ in seen:
                problem = f"hex {row.text('hex').strip()} stands already in row {seen[hex_] + 1}"
                self._bad_cell(row, "hex", problem, "keep one of the two rows")
                continue
            seen[hex_] = row.index
            hexes[hex_] = ground
        return hexes

    def _read_hex(self, row: _Row, labels: RestoredLabels) -> Hex | None:
        cell = row["hex"]
        if cell.trouble:
            return None
        if cell.is_empty:
            self._bad_cell(row, "hex", "no hex is named", "give its label, or empty the row")
            return None
        if cell.is_number and not labels.width:
            problem = f"the number {cell.text} is no label: zeros may have been lost"
            self._bad_cell(row, "hex", problem, "format the column as text and type it again")
            return None
        try:
            return parse_hex(cell.text, labels)
        except MapkitError as error:
            self._bad_cell(row, "hex", str(error), "correct the label or the numbering")
            return None

    def _read_ground(self, row: _Row, labels: RestoredLabels) -> Ground:
        features = self._read_features(row, labels)
        if any(feature.facing is not None for feature in features):
            problem = "a feature in a hex faces no other hex"
            self._bad_cell(row, "features", problem, "move it to the hexsides, or remove '>…'")
        return Ground(
            parse_word(row.text("terrain")) or UNKNOWN,
            self._read_level(row),
            features,
            row.text("name"),
            row.text("note"),
        )

    def _read_level(self, row: _Row) -> int | None:
        text = row.text("level").strip().replace("−", "-")
        if not text:
            return None
        match = _WHOLE.fullmatch(text)
        if match is None:
            problem = f"'{_short(text)}' is not a whole number"
            self._bad_cell(row, "level", problem, "write a level such as 3, or leave it empty")
            return None
        return int(match[1])

    def _read_features(self, row: _Row, labels: Labels) -> tuple[Feature, ...]:
        text = row.text("features")
        if not text or text.isspace():
            return ()
        try:
            features = parse_features(text, labels)
            if len(text) > LIMIT_LETTERS and any(map(_is_wordy, features)):
                problem = "a feature has a text of too many characters"
                self._bad_cell(row, "features", problem, f"shorten it to {LIMIT_LETTERS:,}")
            return features
        except NumberingError as error:
            self._bad_cell(row, "features", str(error), "correct the label after '>'")
        except MapkitError as error:
            self._bad_cell(row, "features", str(error), f"write features as in {EXAMPLE}")
        return ()

    def _read_sides(
        self,
        column: str,
        rows: Iterable[_Row],
        parse: Callable[[str, Labels], _Side],
        hexes: Mapping[Hex, Ground],
        labels: RestoredLabels,
    ) -> dict[_Side, tuple[Feature, ...]]:
        found: dict[_Side, tuple[Feature, ...]] = {}
        seen: dict[_Side, int] = {}
        for row in rows:
            features = self._read_features(row, labels)
            if row["features"].is_empty:
                problem = f"nothing lies on this {column}"
                self._bad_cell(row, "features", problem, "name what does, or remove the row")
            if row[column].trouble:
                continue
            try:
                side = parse(row.text(column).strip(), labels)
            except MapkitError as error:
                self._bad_cell(row, column, str(error), "name two neighbouring hexes of this map")
                continue
            if trouble := _misplaced(side, features, hexes, seen.get(side)):
                at = "features" if trouble is _FACES_ELSEWHERE else column
                self._bad_cell(row, at, *trouble)
                continue
            seen[side] = row.index
            found[side] = features
        return found

    def _kinds(
        self,
        hexes: Mapping[Hex, Ground],
        hexsides: Mapping[Hexside, tuple[Feature, ...]],
        links: Mapping[Link, tuple[Feature, ...]],
    ) -> Kinds:
        words: dict[Group, list[str]] = {
            "terrain": [ground.terrain for ground in hexes.values()],
            "features": [f.kind for ground in hexes.values() for f in ground.features],
            "hexsides": [f.kind for features in hexsides.values() for f in features],
            "links": [f.kind for features in links.values() for f in features],
        }
        kinds = Kinds()
        for group, used in words.items():
            kinds = kinds.with_ids(group, iter(used))
            self._remark_alike(set(used))
        return kinds

    def _remark_alike(self, words: set[str]) -> None:
        """Point at words that differ in capitals only: rarely are two kinds meant."""
        alike: dict[str, list[str]] = {}
        for word in sorted(words):
            alike.setdefault(word.casefold(), []).append(word)
        self.remarks += [
            say("mapkit.table.alike", words=", ".join(group))
            for group in alike.values()
            if len(group) > 1
        ]


_NAME_IT = "name the column in the first row, or empty the cell"
_FACES_ELSEWHERE = Trouble("a feature faces a hex elsewhere", "face one of these two hexes")


def _misplaced(
    side: Hexside | Link,
    features: Iterable[Feature],
    hexes: Mapping[Hex, Ground],
    earlier: int | None,
) -> Trouble | None:
    if earlier is not None:
        return Trouble(f"stands already in row {earlier + 1}", "put all its features in one row")
    if side.a not in hexes and side.b not in hexes:
        return Trouble("neither hex is on the map", "correct it, or add the hex to the hexes")
    if any(feature.facing is not None and feature.facing not in side for feature in features):
        return _FACES_ELSEWHERE
    return None


def _grid(numbering: Numbering, hexes: Iterable[Hex], north_deg: float) -> Grid:
    """Return a grid on which the map's edge lies one hex from the picture's."""
    grid = Grid.regular(numbering.orientation, pitch_px=PITCH_PX, first_px=(0, 0))
    centres = [grid.centre(hex_) for hex_ in hexes] or [(0.0, 0.0)]
    left, top = (min(point[axis] for point in centres) for axis in (0, 1))
    first = PITCH_PX - left, PITCH_PX - top
    return Grid.regular(
        numbering.orientation, pitch_px=PITCH_PX, first_px=first, north_deg=north_deg
    )


def _is_wordy(feature: Feature) -> bool:
    words = (feature.kind, feature.owner, feature.state, feature.name, feature.note)
    return max(map(len, words)) > LIMIT_LETTERS


def _is_empty(cells: Iterable[Cell]) -> bool:
    return all(cell.is_empty for cell in cells)


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "…"
