"""The commands of imports: modules and games of other programs into projects and positions."""

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

import_commands = noun(
    "Turn modules and saved games of other programs into projects and positions."
)

ProjectOption = Annotated[
    Path, typer.Option("--project", metavar="PROJECT", help="The project that the game is of.")
]
ModuleOption = Annotated[
    Path | None,
    typer.Option(
        "--module", metavar="X.vmod", help="Its module, where the project has no vassal.json."
    ),
]
OntoOption = Annotated[
    Path | None,
    typer.Option("--onto", metavar="POSITION", help="Take what the file cannot tell from this."),
]


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
    """Make a project of a VASSAL module.

    Its boards become maps, its pieces units. Grid and labels are the engine's own, so nothing
    has to be scanned or aligned; what lies in the hexes is read from the boards' pictures by
    `mapkit map scan`. The module is read, never changed. What cannot be imported is told, and
    `module.json` lists all that it holds.
    """
    from exporters.importing import import_to
    from mapkit.texts import say

    with progress_shown() as on_progress:
        done = import_to(module, out, sides=side, game=game, force=force, on_progress=on_progress)
    for one in done.found.hints:
        talk(one.told)
    for one in done.found.lost:
        talk(say("exporters.import.lost.line", what=one.told))
    print_json(done.as_data()) if as_json else tell("\n".join(done.told()))


@import_commands.command(
    epilog=examples(
        "mapkit import vsav evening.vsav --project alps -o alps/evening.position.json",
        "mapkit import vsav evening.vsav --project alps --module alps.vmod -o e.position.json",
    )
)
def vsav(
    file: Annotated[Path, typer.Argument(metavar="FILE.vsav", help="A saved game, or a log.")],
    project: ProjectOption,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="OUT", help="Write to a *.position.json.")
    ],
    module: ModuleOption = None,
    onto: OntoOption = None,
    force: ForceFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Read a saved game of VASSAL as a position of a project.

    A log (.vlog) is read where it begins, as VASSAL opens it. What cannot be told is listed.
    """
    from exporters.saved_games import Source, import_save
    from mapkit.texts import say

    done = import_save(Source(file, project, module, onto), out, force=force)
    for one in done.untold:
        talk(one.told)
    if done.steps:
        talk(say("exporters.game.log.follows", n=done.steps, file=file))
    print_json(done.as_data()) if as_json else tell(say("exporters.export.wrote", file=out))


@import_commands.command(
    epilog=examples("mapkit import vlog evening.vlog --project alps -o evening")
)
def vlog(
    file: Annotated[Path, typer.Argument(metavar="FILE.vlog", help="A log.")],
    project: ProjectOption,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="OUT", help="Write to a folder.")],
    module: ModuleOption = None,
    onto: OntoOption = None,
    force: ForceFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Read a log of VASSAL as positions, step by step.

    What each step changed is told.
    """
    from exporters.saved_games import Source, import_log
    from mapkit.texts import say

    with progress_shown() as on_progress:
        done = import_log(
            Source(file, project, module, onto), out, force=force, on_progress=on_progress
        )
    for one in done.untold:
        talk(one.told)
    if as_json:
        print_json(done.as_data())
        return
    for step in done.steps:
        tell(say("exporters.game.log.step", step=step.number, file=step.written))
        for change in step.changes:
            tell(f"  {change.told()}")
    if not done.steps:
        tell(say("exporters.game.log.unchanged", n=done.of))
