"""One table of counters made from another: CSV, workbook, countersheet table."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from counters.counter_files import (
    CSV,
    counter_tables,
    kind_of,
    parse_counters,
    read_table,
    write_tables,
)
from counters.countersheet_table import dump_countersheet, load_countersheet
from counters.model import Counter, Marker
from mapkit.errors import StoreError, TableError
from mapkit.store.files import real_path
from mapkit.texts import say


def convert_table(
    table: Path,
    out: Path,
    *,
    from_countersheet: bool = False,
    to_countersheet: bool = False,
    force: bool = False,
) -> list[str]:
    """Read one table, write the other, and return what its owner should know.

    Raises:
        TableError: it is no table, cells do not read, or a name ends in neither .csv nor .xlsx.
        StoreError: the disk refused, or a file exists and *force* was not given.
    """
    if real_path(table, what="table") == real_path(out, what="table"):
        raise StoreError(f"{out} is the table itself; give the new one another name")
    if kind_of(out) != CSV and to_countersheet:
        raise TableError(f"{out}: a countersheet table is a CSV file; give it a name so")
    counters, remarks = _read(table, from_countersheet=from_countersheet)
    if to_countersheet:
        written = dump_countersheet(counters)
        files = [(out, written.data)]
        remarks += written.remarks
    else:
        files = counter_tables(counters, out)
    write_tables(files, force=force)
    return [*remarks, *_told(counters, [path for path, _ in files])]


def _read(table: Path, *, from_countersheet: bool) -> tuple[tuple[Counter, ...], list[str]]:
    data = read_table(table)
    if not from_countersheet:
        return parse_counters(data, source=str(table)), []
    found = load_countersheet(data, source=str(table))
    return found.counters, list(found.remarks)


def _told(counters: Sequence[Counter], files: Sequence[Path]) -> Iterator[str]:
    markers = sum(isinstance(one, Marker) for one in counters)
    counts = [len(counters)] if len(files) == 1 else [len(counters) - markers, markers]
    for path, n in zip(files, counts, strict=True):
        yield say("counters.convert.done", file=path, n=n)
