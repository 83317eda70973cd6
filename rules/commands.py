"""The commands of the rules: projects now, the judges later."""

from pathlib import Path
from typing import Annotated

import typer

from mapkit.command_line import JsonFlag, examples, noun, print_json, talk, tell

ProjectArgument = Annotated[
    Path,
    typer.Argument(
        metavar="PROJECT", readable=False, help="A project's folder, its project.toml, or a map."
    ),
]

project_commands = noun("Make, explain and check a project: maps, game, units in one folder.")


@project_commands.command(
    epilog=examples(
        "mapkit project new alps --map alps.hexmap.json",
        "mapkit project new alps --game strafexpedition --map alps.hexmap.json",
    )
)
def new(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Made when missing.")],
    name: Annotated[str | None, typer.Option(help="Its name; else the folder's.")] = None,
    game: Annotated[str | None, typer.Option(metavar="ID", help="A rules pack.")] = None,
    maps: Annotated[
        list[Path] | None, typer.Option("--map", metavar="MAP", help="Copied in; may be repeated.")
    ] = None,
) -> None:
    """Make a project folder with copies of maps.

    Kinds of the maps that the game has no word for are listed in project.toml, to be bound.
    """
    from mapkit.texts import say
    from rules.project_check import unbound_of_all
    from rules.project_new import new_project

    project = new_project(folder, name=name, game=game, maps=maps or [])
    talk(say("rules.project.made", name=project.name, folder=folder, n=len(project.maps)))
    if words := unbound_of_all(project):
        talk(say("rules.project.words_unbound", n=len(words), folder=folder))


@project_commands.command(
    epilog=examples("mapkit project show alps", "mapkit project show a.hexmap.json")
)
def show(project: ProjectArgument, as_json: JsonFlag = False) -> None:
    """Tell what a project holds and how its words bind."""
    from rules.project import load_project
    from rules.project_show import describe_project, project_data

    loaded = load_project(project)
    print_json(project_data(loaded)) if as_json else tell(describe_project(loaded))


@project_commands.command(
    epilog=examples("mapkit project check alps", "mapkit project check alps --json")
)
def check(project: ProjectArgument, as_json: JsonFlag = False) -> None:
    """List what is missing, unbound or contradictory.

    Exit code 1 where there are errors, 0 where there are none.
    """
    from mapkit.texts import say
    from rules.project import load_project
    from rules.project_check import check_project
    from rules.project_show import findings_data, told_findings

    loaded = load_project(project)
    found = check_project(loaded)
    print_json(findings_data(loaded, found)) if as_json else tell(told_findings(loaded, found))
    errors = sum(finding.severity == "error" for finding in found)
    if errors:
        talk(say("rules.show.disorder", name=loaded.name, n=errors))
    raise typer.Exit(int(errors > 0))
