"""The counters of a scenario on disk: filled from the owner's tables, written as one."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from counters.counter_files import counter_tables, kind_of, read_table, write_tables
from counters.model import Unit
from counters.units_table import load_unit_rows
from rules.project import load_project, pack_named
from rules.registry import pack_names
from rules.scenarios.scenario_files import scenarios_of
from rules.scenarios.unit_tables import fill_units, told_filled, unit_counters


def write_unit_table(
    game: str, scenario: str, out: Path, values: Sequence[Path], *, force: bool = False
) -> list[str]:
    """Write the counters of a scenario, and return what the owner should know.

    Of a project, the tables of units that it names fill in values too.

    Raises:
        MapkitError: there is no such game or scenario, a table does not read, or the disk refused.
    """
    kind_of(out)
    pack = pack_named(game)
    units = unit_counters(scenarios_of(pack), scenario)
    named = () if game in pack_names() else load_project(Path(game)).units
    tables = [*named, *values]
    entered = [_beside(unit, path, out) for path in tables for unit in entered_units(path)]
    filled = fill_units(units, entered)
    write_tables(counter_tables(filled.units, out), force=force)
    return list(told_filled(filled))


def _beside(unit: Unit, table: Path, out: Path) -> Unit:
    """Return a unit whose pictures are named from the new table's folder, where they lie in it."""
    folder, there = table.resolve().parent, out.resolve().parent
    if folder == there or not any(face.picture for face in unit.faces):
        return unit
    above = folder.relative_to(there) if folder.is_relative_to(there) else None
    faces = (
        replace(face, picture=(above / face.picture).as_posix() if above and face.picture else "")
        for face in unit.faces
    )
    return replace(unit, faces=tuple(faces))


def entered_units(path: Path) -> list[Unit]:
    """Return the units of an owner's table, where only the id must be filled in.

    Raises:
        MapkitError: the file is not there, or does not read.
    """
    rows = load_unit_rows(read_table(path), source=str(path), needed=("id",))
    return [row.unit for row in rows]
