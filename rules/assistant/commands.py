"""The command `serve`: the table in a browser."""

from pathlib import Path
from typing import Annotated

import typer

from mapkit.command_line import examples, single, talk, tell

serve = single()


@serve.command(
    "serve",
    epilog=examples(
        "mapkit serve alps",
        "mapkit serve alps.hexmap.json --game strafexpedition",
        "mapkit serve alps --lan",
    ),
)
def serve_table(
    project: Annotated[
        Path,
        typer.Argument(metavar="PROJECT", readable=False, help="A project, or a map and a game."),
    ],
    game: Annotated[
        str | None, typer.Option(metavar="ID", help="The rules pack; a project names its own.")
    ] = None,
    which: Annotated[
        str | None, typer.Option("--map", metavar="ID", help="Of a project with several maps.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="N", help="0: any.")] = 8016,
    lan: Annotated[
        bool, typer.Option("--lan", help="Let phones in this network see it too.")
    ] = False,
) -> None:
    """Show the map in the browser: tap two hexes, see the ruling.

    The page runs on this machine and needs no internet. Only this machine sees it; with --lan
    everyone in the same network does. Stop it with Ctrl+C.
    """
    from mapkit.texts import say
    from rules.assistant.serving import open_port, qr_code, serve_until_stopped
    from rules.assistant.table import open_table

    table = open_table(project, game, which)
    talk(say("rules.assistant.drawing"))
    table.draw()
    with open_port(port, lan=lan) as place:
        tell(place.address)
        if lan:
            talk(qr_code(place.address))
        talk(say("rules.assistant.serving", title=table.field.map.title or project.name))
        serve_until_stopped(table, place)
