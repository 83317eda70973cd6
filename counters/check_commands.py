"""The command that checks counters."""

from pathlib import Path
from typing import Annotated

import typer

from mapkit.command_line import JsonFlag, examples, noun, print_json, talk, tell

check_commands = noun("Check counters.")


@check_commands.command(
    epilog=examples(
        "mapkit counters check units.csv markers.csv",
        "mapkit counters check sliced/sheet.toml --against s4.csv --style strafexpedition",
        "mapkit counters check sliced --json",
    )
)
def check(
    counters: Annotated[
        list[Path],
        typer.Argument(
            metavar="COUNTERS", readable=False, help="Tables, sheet.toml files, or folders of them."
        ),
    ],
    against: Annotated[
        list[Path] | None,
        typer.Option(metavar="UNITS", help="Units that need a counter each; may be repeated."),
    ] = None,
    style: Annotated[
        str | None, typer.Option(help="The game whose counters they are: what it prints on each.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """List all problems of counters, each with place and remedy.

    Ids given twice, missing backs, values that are blank, pictures that are missing, broken or too
    small to read, cells of a sheet that name no counter, and units of a scenario without one.
    Exit code 1 where there are errors, 0 where there are warnings only.
    """
    from counters.checking import check_files
    from counters.drawing import load_counter_style
    from mapkit.texts import say

    look = load_counter_style(style) if style else None
    report = check_files(counters, against or (), style=look)
    print_json(report.as_data()) if as_json else tell(report.as_text())
    if report.errors:
        talk(say("counters.check.disorder", name=report.name, n=report.errors))
    raise typer.Exit(report.exit_code)
