"""What the commands that ask the judges share: options, counters named on the spot, answers."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mapkit.command_line import print_json, tell

if TYPE_CHECKING:
    from mapkit.drawing import Drawing
    from rules.battlefield import Battlefield
    from rules.ruling import Ruling
    from rules.standing import Standing

MapOrProject = Annotated[
    Path, typer.Argument(metavar="MAP", readable=False, help="A map, or a project with a game.")
]
GameOption = Annotated[
    str | None, typer.Option(metavar="ID", help="The rules pack; a project names its own.")
]
WeatherOption = Annotated[str | None, typer.Option(metavar="WORD", help="Else the usual one.")]
PictureOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Draw it too, .png or .svg.")
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

ClassOption = Annotated[str, typer.Option("--class", metavar="WORD", help="Its class.")]
StatusOption = Annotated[
    list[str] | None,
    typer.Option(metavar="WORD[=N]", help="A state it is in: disorganization=2."),
]
ValueOption = Annotated[
    list[str] | None, typer.Option(metavar="WORD=N", help="What its counter prints: morale=3.")
]


def field_of(path: Path, game: str | None, which: str | None) -> "Battlefield":
    """Return the map of a project, or a bare map with a game, in the game's words."""
    from rules.battlefield import load_battlefield

    return load_battlefield(path, game, which)


def counters_of(
    field: "Battlefield", side: str, friends: list[str] | None, enemies: list[str] | None
) -> "tuple[tuple[Standing, ...], tuple[Standing, ...]]":
    """Return the counters named on the command line, ours and theirs."""
    from rules.errors import RulesError
    from rules.standing import named_on_the_spot

    ours = field.side(side)
    theirs = field.pack.enemy_of(ours)
    found = (
        named_on_the_spot(field, ours, friends or []),
        named_on_the_spot(field, theirs, enemies or []),
    )
    both = {one.hex for one in found[0]} & {one.hex for one in found[1]}
    if both:
        raise RulesError(f"a friend and an enemy both stand in {field.label(min(both))}: which?")
    return found


def save_picture(drawing: "Drawing", picture: Path, *, force: bool) -> None:
    """Write a ruling's picture."""
    from mapkit.drawing.drawing_files import write_drawing

    write_drawing(drawing, picture, force=force)


def tell_ruling(field: "Battlefield", ruling: "Ruling", *, as_json: bool) -> None:
    """Print a ruling, as words or as data."""
    from rules.told import told_ruling

    print_json(ruling.as_data()) if as_json else tell(told_ruling(field.pack, ruling))
