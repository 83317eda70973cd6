"""Tables on disk: which files are read for a map, and which are written."""

import os
from collections.abc import Mapping
from pathlib import Path

from mapkit.errors import NumberingError, StoreError, TableError
from mapkit.grid import Orientation
from mapkit.maps import save_map
from mapkit.model import HexMap
from mapkit.numbering import Compass, Parity, Toward
from mapkit.store.files import read_file, real_path, require_free, write_whole
from mapkit.tables.layouts import Layout, dump_layout, is_word, layout_from_word, parse_layout
from mapkit.tables.reading import Imported, TableFiles, map_from_tables
from mapkit.tables.spreadsheet import LIMIT_BYTES, write_csv
from mapkit.tables.writing import Role, left_out, tables_from_map
from mapkit.texts import say


def load_layout(
    numbering: str,
    orientation: Orientation,
    *,
    shoved: Parity | None = None,
    toward: Toward | None = None,
    columns_run: Compass | None = None,
    rows_run: Compass | None = None,
    separator: str | None = None,
) -> Layout:
    """Return the layout of a word (CCRR) with its options, or of a TOML file, which needs none."""
    if is_word(numbering):
        return layout_from_word(
            numbering,
            orientation,
            shoved=shoved,
            toward=toward,
            columns_run=columns_run,
            rows_run=rows_run,
            separator=separator or "",
        )
    if any(given is not None for given in (shoved, toward, columns_run, rows_run, separator)):
        raise NumberingError(
            f"the numbering is the file {numbering}: say there what --shoved, --toward, "
            "--columns-run, --rows-run and --separator would say"
        )
    path = Path(numbering)
    if not os.path.lexists(path):
        raise NumberingError(
            f"'{numbering}' is no numbering and no file; give CCRR, RRCC or a TOML file"
        )
    data = read_file(path, what="numbering file", limit_bytes=1_000_000)
    return parse_layout(data, numbering, orientation)


def make_map(
    hexes: Path,
    out: Path,
    layout: Layout,
    *,
    hexsides: Path | None = None,
    links: Path | None = None,
    title: str = "",
    force: bool = False,
) -> list[str]:
    """Read tables, save the map they describe, and return what its maker should know.

    Raises:
        TableError: a file is no table, or cells do not read; all are listed, nothing is written.
        StoreError: the disk refused, or the map exists and *force* was not given.
    """
    named: dict[Role, Path | None] = {"hexes": hexes, "hexsides": hexsides, "links": links}
    files = {role: path for role, path in named.items() if path is not None}
    for path in files.values():
        if real_path(out, what="map") == real_path(path, what="table"):
            raise StoreError(f"{out} is the table itself; give the map another name")
    _require_folder(out)
    imported = import_map(files, layout, title=title)
    map_ = imported.map_
    save_map(out, map_, force=force)
    made = say(
        "mapkit.table.made",
        map=out,
        n=len(map_.hexes),
        hexsides=len(map_.hexsides),
        links=len(map_.links),
    )
    return [*imported.remarks, made]


def import_map(files: Mapping[Role, Path], layout: Layout, *, title: str = "") -> Imported:
    """Read the map that some CSV files or workbooks describe.

    Raises:
        TableError: a file is no table, or cells do not read; all are listed.
        StoreError: a file cannot be read.
    """
    tables = TableFiles()
    for role, path in files.items():
        data = read_file(path, what="table", limit_bytes=LIMIT_BYTES)
        tables.add(role, data, str(path))
    return map_from_tables(tables, layout, title=title)


def export_tables(
    map_: HexMap,
    hexes: Path,
    *,
    hexsides: Path | None = None,
    links: Path | None = None,
    numbering: Path | None = None,
    force: bool = False,
) -> list[str]:
    """Write a map's tables, one workbook or CSV files, and return what its owner should know.

    Raises:
        StoreError: a file exists and *force* was not given, or the disk refused.
        TableError: a text fits into no cell.
    """
    tables = tables_from_map(map_)
    remarks = left_out(map_)
    contents: list[tuple[Path, bytes]] = []
    if _kind_of(hexes) == "xlsx":
        if hexsides or links:
            raise TableError(
                f"{hexes} will hold the hexsides and links too; leave out --hexsides and --links"
            )
        from mapkit.tables.workbook import write_workbook

        contents.append((hexes, write_workbook([tables.hexes, tables.hexsides, tables.links])))
    else:
        contents.append((hexes, write_csv(tables.hexes)))
        for table, path in ((tables.hexsides, hexsides), (tables.links, links)):
            if path is None:
                if table.rows:
                    remarks.append(
                        say("mapkit.table.not_written", n=len(table.rows), option=table.name)
                    )
            elif _kind_of(path) == "csv":
                contents.append((path, write_csv(table)))
            else:
                raise TableError(f"{path}: beside a CSV file stands a CSV file; name it so")
    if numbering is not None:
        contents.append((numbering, dump_layout(map_.numbering).encode()))
    _write_all(contents, force=force)
    return remarks


def _kind_of(path: Path) -> str:
    kind = path.suffix.casefold().removeprefix(".")
    if kind not in ("csv", "xlsx"):
        raise TableError(f"{path}: give a table a name that ends in .csv or .xlsx")
    return kind


def _require_folder(path: Path) -> None:
    if not real_path(path, what="table").parent.is_dir():
        raise StoreError(f"{path}: there is no folder {path.parent}; make it first")


def _write_all(contents: list[tuple[Path, bytes]], *, force: bool) -> None:
    """Write all files, or none where one of them is refused beforehand."""
    real = [real_path(path, what="table") for path, _ in contents]
    if len(set(real)) < len(real):
        raise StoreError("two tables cannot go into the same file; give each its own name")
    for path, target in zip((path for path, _ in contents), real, strict=True):
        require_free(target, force=force, told=path)
        _require_folder(path)
    for (_, data), target in zip(contents, real, strict=True):
        write_whole(target, data, what="table")
