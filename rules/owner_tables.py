"""Printed tables as spreadsheets: columns on the first line, then a line for each roll.

    die,1:2,1:1,2:1
    1,D1 | -,- | -,- | D1
    2-3,...

Commas, semicolons or tabs part the cells; a two-sided cell is written `attacker | defender`.
"""

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mapkit.errors import Fault, MapkitError
from mapkit.store.files import read_file
from rules.pack import Pack

_PARTED_BY = (";", "\t", ",")


def table_values(
    pack: Pack, files: Mapping[str, Any], folder: Path | None
) -> tuple[dict[str, Any], list[Fault]]:
    """Return the pack's keys that some files of tables fill, and what is wrong with them."""
    values: dict[str, Any] = {}
    faults: list[Fault] = []
    for name, file in files.items():
        place = f"tables.{name}"
        if name not in pack.tables:
            known = ", ".join(pack.tables) or "none in the pack"
            faults.append(Fault(place, "the game has no such table", f"there is: {known}"))
        elif not isinstance(file, str) or folder is None:
            faults.append(Fault(place, "it names no file", f'write {name} = "{name}.csv"'))
        else:
            try:
                text = read_file(folder / file, what="table").decode("utf-8-sig")
            except UnicodeDecodeError:
                faults.append(Fault(place, f"{file} is not UTF-8 text", "save it as UTF-8"))
                continue
            except MapkitError as error:
                faults.append(Fault(place, str(error), "put it beside the owner file"))
                continue
            columns, rows, wrong = read_table(text)
            faults += [Fault(place, f"{file}, {problem}", "mend it") for problem in wrong]
            if wrong and not rows:
                continue  # an empty file is one fault, not one for each part it lacks
            if pack.tables[name].kind != "single":
                values[f"{place}.columns"] = columns
            values[f"{place}.rows"] = rows
    return values, faults


def read_table(text: str) -> tuple[list[str], dict[str, list[str]], list[str]]:
    """Return the columns, the rows, and every line that does not fit.

    >>> read_table("die,1-3,4+\\n1-5,-,D1\\n6,D1,D2\\n")
    (['1-3', '4+'], {'1-5': ['-', 'D1'], '6': ['D1', 'D2']}, [])
    """
    first = text.partition("\n")[0]
    parted = next((sign for sign in _PARTED_BY if sign in first), ",")
    lines = [
        (number, [cell.strip() for cell in line])
        for number, line in enumerate(csv.reader(io.StringIO(text), delimiter=parted), 1)
        if any(cell.strip() for cell in line)
    ]
    if not lines:
        return [], {}, ["line 1: there is no table"]
    columns = lines[0][1][1:]
    rows: dict[str, list[str]] = {}
    wrong: list[str] = []
    for number, (roll, *cells) in lines[1:]:
        if roll in rows:
            wrong.append(f"line {number}: the roll {roll} stands twice")
        if len(cells) != len(columns) or not all(cells):
            full = sum(bool(cell) for cell in cells)
            wrong.append(f"line {number}: {full} cells are filled in, there are {len(columns)}")
        rows[roll] = cells
    return columns, rows, wrong
