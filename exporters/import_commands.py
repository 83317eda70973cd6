"""The commands of imports: what other programs keep becomes a project or a position."""

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
from mapkit.texts import say

import_commands = noun("Turn modules and saved games of other programs into projects.")


@import_commands.command(
    epilog=examples(
        "mapkit import vmod hills.vmod -o hills",
        "mapkit import vmod hills.vmod -o hills --side German=Axis --side Italian=Axis",
        "mapkit import vmod plateau.vmod -o plateau --game strafexpedition --json",
    )
)
def vmod(
    module: Annotated[
        Path, typer.Argument(metavar="MODULE", readable=False, help="A module of VASSAL, *.vmod.")
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FOLDER", help="The new project's folder.")
    ],
    side: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WORD=SIDE", help="A palette, prototype or mark that says whose pieces are."
        ),
    ] = None,
    game: Annotated[
        str | None, typer.Option(metavar="ID", help="The rules pack of the module's game.")
    ] = None,
    as_json: JsonFlag = False,
    force: ForceFlag = False,
) -> None:
    """Make a project of a VASSAL module: its boards as maps, its pieces as units.

    Grid and labels are the engine's own, so nothing has to be scanned or aligned; what lies in
    the hexes is read from the boards' pictures by `mapkit map scan`. The module is read, never
    changed. What cannot be imported is told, and `module.json` lists all that it holds.
    """
    from exporters.importing import import_to

    with progress_shown() as on_progress:
        done = import_to(module, out, sides=side, game=game, force=force, on_progress=on_progress)
    for one in done.found.hints:
        talk(one.told)
    for one in done.found.lost:
        talk(say("exporters.import.lost.line", what=one.told))
    print_json(done.as_data()) if as_json else tell("\n".join(done.told()))
