"""What the commands that ask the judges share: their options, and the scene."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rules.scene import Scene

MapOrProject = Annotated[
    Path, typer.Argument(metavar="MAP", readable=False, help="A map, or a project with a game.")
]
GameOption = Annotated[
    str | None, typer.Option(metavar="ID", help="The rules pack; a project names its own.")
]
GameOrProject = Annotated[
    str, typer.Argument(metavar="GAME", help="The id of a rules pack, or a project with a game.")
]
WeatherOption = Annotated[
    str | None, typer.Option(metavar="WORD", help="Else the position's, or the usual one.")
]
PictureOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Draw it too, .png or .svg.")
]
SaveOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Save it to verify later, .json or .html.")
]
DeclareOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Log it in a protocol; then it binds.")
]
FriendOption = Annotated[
    list[str] | None, typer.Option(metavar="HEX[:CLASS]", help="A unit of its side.")
]
EnemyOption = Annotated[
    list[str] | None, typer.Option(metavar="HEX[:CLASS]", help="A unit of the other side.")
]
WhichMap = Annotated[
    str | None, typer.Option("--map", metavar="ID", help="Of a project with several maps.")
]
PositionOption = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Who stands where: a position, or one of the project."),
]
SideOption = Annotated[
    str | None, typer.Option(metavar="ID", help="Whose; a position tells it by itself.")
]

ClassOption = Annotated[str, typer.Option("--class", metavar="WORD", help="Its class.")]
StatusOption = Annotated[
    list[str] | None,
    typer.Option(metavar="WORD[=N]", help="A state it is in: disorganization=2."),
]
ValueOption = Annotated[
    list[str] | None, typer.Option(metavar="WORD=N", help="What its counter prints: morale=3.")
]


def scene_of(
    path: Path,
    game: str | None,
    which: str | None,
    position: str | None = None,
    weather: str | None = None,
) -> "Scene":
    """Return the map that is asked about, and who stands on it."""
    from rules.scene import load_scene

    return load_scene(path, game, which, position, weather)
