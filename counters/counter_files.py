"""Tables of counters on disk: which files hold units and markers, and which are written.

A workbook holds the sheets "units" and "markers". A CSV file holds units, or markers where its
name ends in "markers".
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from counters.counter_cells import LOOKS
from counters.markers_table import SHEET as MARKERS
from counters.markers_table import dump_markers, marker_table, markers_of
from counters.model import Counter, Marker, Unit
from counters.units_table import COLUMNS, UnitRow, dump_units, unit_rows, unit_table
from counters.units_table import SHEET as UNITS
from mapkit.errors import StoreError, TableError
from mapkit.store.files import read_file, real_path, require_free, write_whole
from mapkit.tables.spreadsheet import LIMIT_BYTES, Sheet, read_sheets

CSV, XLSX = ".csv", ".xlsx"


def load_counters(path: Path) -> tuple[Counter, ...]:
    """Return the units and markers of a CSV file or workbook, in its order, units first.

    Raises:
        TableError: it is no table, or cells do not read; all are listed.
        StoreError: the file cannot be read.
    """
    return parse_counters(read_table(path), source=str(path))


def read_table(path: Path) -> bytes:
    """Return the bytes of a table.

    Raises:
        StoreError: the file cannot be read, or is too big to be a table.
    """
    return read_file(path, what="table", limit_bytes=LIMIT_BYTES)


def parse_counters(data: bytes, *, source: str) -> tuple[Counter, ...]:
    """Return the units and markers in the bytes of a table; *source* is its file's name.

    Raises:
        TableError: it is no table, or cells do not read; all are listed.
    """
    name = MARKERS if _holds_markers(Path(source)) else UNITS
    sheets = read_sheets(data, name=name, source=source, columns=(*COLUMNS, *LOOKS))
    by_name = {sheet.name.strip().casefold(): sheet for sheet in sheets}
    markers = by_name.get(MARKERS)
    others = [sheet for sheet in sheets if sheet is not markers]
    units = by_name.get(UNITS, others[0] if others else None)
    if markers is None and units is None:
        units = Sheet(UNITS, ())  # tells that the table is empty
    found: list[Counter] = []
    if units is not None:
        found += (row.unit for row in unit_rows(units, source=source))
    if markers is not None:
        found += markers_of(markers, source=source)
    return tuple(found)


def counter_tables(counters: Iterable[Counter], path: Path) -> list[tuple[Path, bytes]]:
    """Return the files that hold some counters, the first one under *path*.

    Markers beside units go into the same workbook, or into a `markers.csv` beside a CSV file.

    Raises:
        TableError: the name ends in neither .csv nor .xlsx, or a text fits into no cell.
    """
    listed = list(counters)
    units = [one for one in listed if isinstance(one, Unit)]
    markers = [one for one in listed if isinstance(one, Marker)]
    if kind_of(path) == XLSX:
        from mapkit.tables.workbook import write_workbook

        tables = [unit_table(map(UnitRow, units))] if units or not markers else []
        tables += [marker_table(markers)] if markers else []
        return [(path, write_workbook(tables))]
    if _holds_markers(path):
        if units:
            problem = f"{path}: a file of that name holds markers, and there are units"
            raise TableError(f"{problem}; call it units.csv")
        return [(path, dump_markers(markers))]
    if markers and not units:
        raise TableError(f"{path}: there are only markers; call it {MARKERS}{CSV}")
    files = [(path, dump_units(units))]
    beside = path.with_name(f"{MARKERS}{CSV}")
    return [*files, (beside, dump_markers(markers))] if markers else files


def write_tables(files: Sequence[tuple[Path, bytes]], *, force: bool) -> None:
    """Write all files, or none where one of them is refused beforehand.

    Raises:
        StoreError: a file exists and *force* was not given, its folder is missing, or the disk
            refused.
    """
    for path, _ in files:
        target = real_path(path, what="table")
        require_free(target, force=force, told=path)
        if not target.parent.is_dir():
            raise StoreError(f"{path}: there is no folder {path.parent}; make it first")
    for path, data in files:
        write_whole(real_path(path, what="table"), data, what="table")


def kind_of(path: Path) -> str:
    """Return how the name of a table ends.

    Raises:
        TableError: it ends in neither .csv nor .xlsx.
    """
    kind = path.suffix.casefold()
    if kind not in (CSV, XLSX):
        raise TableError(f"{path}: give a table a name that ends in .csv or .xlsx")
    return kind


def _holds_markers(path: Path) -> bool:
    return path.stem.casefold().endswith(MARKERS)
