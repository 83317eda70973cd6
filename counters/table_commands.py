"""The commands about tables of counters: turning one kind into another."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from mapkit.command_line import ForceFlag, examples, noun, talk

table_commands = noun("Tables of units and markers.")


class Kind(StrEnum):
    """How a table of counters is laid out."""

    UNITS = "units"
    COUNTERSHEET = "countersheet"


@table_commands.command(
    epilog=examples(
        "mapkit counters convert units.csv units.xlsx",
        "mapkit counters convert units.xlsx inkscape.csv --to countersheet",
        "mapkit counters convert inkscape.csv units.csv --from countersheet",
    )
)
def convert(
    table: Annotated[Path, typer.Argument(metavar="IN", readable=False, help="CSV or XLSX.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="CSV or XLSX, by its name.")],
    reads: Annotated[Kind, typer.Option("--from", help="How IN is laid out.")] = Kind.UNITS,
    writes: Annotated[Kind, typer.Option("--to", help="How OUT is laid out.")] = Kind.UNITS,
    force: ForceFlag = False,
) -> None:
    """Turn a table of counters into another kind of table.

    Units and markers stand in the sheets "units" and "markers" of a workbook, or in two CSV
    files, the markers in one whose name ends in "markers". A countersheet table is the kind that
    the countersheets extension of Inkscape reads. What does not fit is told.
    """
    from counters.convert import convert_table

    is_countersheet = Kind.COUNTERSHEET
    for remark in convert_table(
        table,
        out,
        from_countersheet=reads is is_countersheet,
        to_countersheet=writes is is_countersheet,
        force=force,
    ):
        talk(remark)
