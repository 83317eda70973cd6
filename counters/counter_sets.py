"""Counters as somebody names them: a table, a sheet with the tables beside it, a whole folder."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from counters.counter_files import load_counters
from counters.model import Counter, Sheet
from counters.sheet_files import FILE as SHEET_FILE
from counters.sheet_files import load_sheet
from mapkit.errors import StoreError

TABLES = ("units.csv", "units.xlsx", "markers.csv")
_SHEETS = "*.toml"


@dataclass(frozen=True, slots=True)
class CounterSet:
    """Counters with the folder their pictures lie in, and the sheet they were cut from."""

    source: Path
    folder: Path
    counters: tuple[Counter, ...]
    sheet: Sheet | None = None

    def printed(self) -> Iterator[Counter]:
        """Yield each counter as often as it is there: by its copies, or by the cells of its sheet.

        A cell that names no counter is passed over; `counters check` tells of it.
        """
        if self.sheet is None:
            for one in self.counters:
                yield from [one] * one.copies
            return
        by_id = {one.id: one for one in self.counters}
        for section in self.sheet.sections:
            for _, id_ in sorted(section.cells.items()):
                if id_ in by_id:
                    yield by_id[id_]


def load_sets(paths: Iterable[Path]) -> list[CounterSet]:
    """Return the counters of some tables, sheets and folders.

    Raises:
        MapkitError: a file does not read, or a folder holds neither a table nor a sheet.
    """
    return [found for path in paths for found in _sets(path)]


def beside(folder: Path) -> tuple[Counter, ...]:
    """Return the counters of the tables in a folder: units.csv or units.xlsx, markers.csv.

    Raises:
        StoreError: there is none of them.
        TableError: one of them does not read.
    """
    there = [folder / name for name in TABLES if (folder / name).exists()]
    if not there:
        raise StoreError(f"{folder}: there is no table of counters; name it {' or '.join(TABLES)}")
    return tuple(counter for path in there for counter in load_counters(path))


def _sets(path: Path) -> Iterator[CounterSet]:
    if path.is_dir():
        file = path / SHEET_FILE
        if file.exists():
            yield from _sets(file)
        else:
            yield CounterSet(path, path, beside(path))
    elif path.match(_SHEETS):
        sheet = load_sheet(path)
        yield CounterSet(path, path.parent, beside(path.parent), sheet)
    else:
        yield CounterSet(path, path.parent, load_counters(path))
