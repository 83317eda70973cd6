"""The commands that draw: counters from a table, and the poster of symbols."""

from pathlib import Path
from typing import Annotated

import typer

from mapkit.command_line import (
    ForceFlag,
    JsonFlag,
    examples,
    noun,
    print_json,
    progress_shown,
    talk,
    tell,
)

draw_commands = noun("")


@draw_commands.command(
    epilog=examples(
        "mapkit counters draw units.csv -o counters",
        "mapkit counters draw units.csv -o counters --style strafexpedition --sizes 90,180",
        "mapkit counters draw units.xlsx -o counters --style mine.toml --force --json",
    )
)
def draw(
    table: Annotated[Path, typer.Argument(metavar="UNITS", readable=False, help="CSV or XLSX.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to fill.")],
    style: Annotated[
        str, typer.Option("--style", help="battalion, classic, cohesion, a game, or a TOML file.")
    ] = "classic",
    sizes: Annotated[
        str, typer.Option("--sizes", help="Widths of the PNG files in pixels.")
    ] = "75,150,300",
    force: ForceFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Draw counters from a table of units.

    Each face becomes an SVG and a PNG in every size; a contact sheet shows all of them. A value
    that nobody knows is an empty dotted box. What reads badly or had to be shortened is told.
    """
    from counters.drawing.draw_files import draw_counters, parse_sizes

    with progress_shown() as on_progress:
        drawn = draw_counters(
            table, out, style=style, sizes=parse_sizes(sizes), force=force, on_progress=on_progress
        )
    for line in drawn.told():
        talk(line)
    print_json(drawn.as_data()) if as_json else tell(drawn.summary())


@draw_commands.command(
    epilog=examples(
        "mapkit counters symbols",
        "mapkit counters symbols -o symbols.png --force",
    )
)
def symbols(
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="The poster: .png or .svg.")
    ] = None,
    force: ForceFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """List the symbols of counters, or draw a poster of them.

    Every symbol with its group and its other names; `class` and `symbol` in a table of units may
    use any of them.
    """
    from counters.symbols.symbol_list import listed_symbols, symbol_lines, write_poster

    if out is not None:
        tell(write_poster(out, force=force))
    elif as_json:
        print_json(listed_symbols())
    else:
        for line in symbol_lines():
            tell(line)
