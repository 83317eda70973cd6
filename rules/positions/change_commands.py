"""The commands that change a position: each is one step that can be undone."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from mapkit.command_line import examples, noun, talk

if TYPE_CHECKING:
    from collections.abc import Callable

    from rules.pack import Pack
    from rules.positions.known_places import Maps
    from rules.positions.position import Position
    from rules.positions.position_edits import Edit

PositionFile = Annotated[
    Path, typer.Argument(metavar="POSITION", readable=False, help="A *.position.json file.")
]

OnMap = Annotated[
    Path | None,
    typer.Option(
        "--on",
        metavar="MAP",
        readable=False,
        help="The map or project it is played on; else the project beside it.",
    ),
]

change_commands = noun("Change a game in progress.")


@change_commands.command(
    epilog=examples(
        "mapkit rules position place game.position.json it-roma-79-i 3405",
        "mapkit rules position place game.position.json it-roma-79-i it-roma-79-ii 3406",
        "mapkit rules position place game.position.json it-roma-79-i box:eliminated",
    )
)
def place(
    file: PositionFile,
    units: Annotated[
        list[str],
        typer.Argument(
            metavar="UNIT... PLACE",
            help="Ids or names; then 3405, west:3405, box:NAME, edge:N, off_map or unplaced.",
        ),
    ],
    on: OnMap = None,
) -> None:
    """Put units somewhere; the place comes last.

    With a map at hand, a hex that it does not have is refused; without one, `position check` tells.
    """
    from rules.positions.changes import placed

    if len(units) < 2:
        raise typer.BadParameter("name at least one unit, then the place")
    *names, place_ = units
    _edit_on(file, on, lambda position, pack, maps: placed(position, pack, names, place_, maps))


@change_commands.command(
    "set",
    epilog=examples(
        "mapkit rules position set game.position.json it-roma-79-i disorganization=2 reduced",
        "mapkit rules position set game.position.json it-roma-79-i disorganization=0",
        "mapkit rules position set game.position.json it-roma-79-i steps_lost=1",
        "mapkit rules position set game.position.json it-roma-79-i hidden_from=ah",
    ),
)
def set_unit(
    file: PositionFile,
    unit: Annotated[str, typer.Argument(metavar="UNIT", help="Its id or name.")],
    changes: Annotated[
        list[str],
        typer.Argument(
            metavar="STATUS[=N]...",
            help="States of the game, =0 ends one; also steps_lost=N, facing=N, hidden_from=SIDE.",
        ),
    ],
) -> None:
    """Change the state of a unit."""
    from rules.positions.changes import in_states

    _edit(file, lambda position, pack: in_states(position, pack, unit, changes))


@change_commands.command(
    epilog=examples(
        "mapkit rules position mark game.position.json trench 3405 2 --side it",
        "mapkit rules position mark game.position.json blown_bridge 3926/3927",
        "mapkit rules position mark game.position.json trench 3405 --remove",
    )
)
def mark(
    file: PositionFile,
    kind: Annotated[str, typer.Argument(metavar="KIND", help="A marker of the game.")],
    at: Annotated[str, typer.Argument(metavar="AT", help="A hex, or a hexside 1534/1535.")],
    n: Annotated[int | None, typer.Argument(metavar="N", min=0, help="Its number.")] = None,
    side: Annotated[str, typer.Option(metavar="ID", help="Whose marker it is.")] = "",
    remove: Annotated[bool, typer.Option("--remove", help="Take it away.")] = False,
    on: OnMap = None,
) -> None:
    """Lay a marker on a hex or hexside, or take it away."""
    from rules.positions.changes import marked

    def change(position: "Position", pack: "Pack", maps: "Maps") -> "Edit":
        return marked(position, pack, kind, at, n, side, remove=remove, maps=maps)

    _edit_on(file, on, change)


@change_commands.command(
    epilog=examples(
        "mapkit rules position turn game.position.json 2",
        "mapkit rules position turn game.position.json 2 --phase 5",
    )
)
def turn(
    file: PositionFile,
    number: Annotated[int, typer.Argument(metavar="N", min=1, help="The turn.")],
    phase: Annotated[str, typer.Option(metavar="ID", help="A phase of the sequence.")] = "",
) -> None:
    """Say which turn it is.

    Another turn begins anew: nobody has acted, the weather follows the calendar of the scenario
    where that is known, and an initiative that is won anew is nobody's yet.
    """
    from rules.positions.changes import turned_to

    _edit(file, lambda position, pack: turned_to(position, pack, number, phase))


@change_commands.command(epilog=examples("mapkit rules position weather game.position.json rain"))
def weather(
    file: PositionFile,
    word: Annotated[str, typer.Argument(metavar="WORD", help="A weather of the game.")],
) -> None:
    """Change the weather."""
    from rules.positions.changes import in_weather

    _edit(file, lambda _, pack: in_weather(pack, word))


@change_commands.command(
    epilog=examples("mapkit rules position points game.position.json it logistics_points 4")
)
def points(
    file: PositionFile,
    side: Annotated[str, typer.Argument(metavar="SIDE", help="Whose points.")],
    kind: Annotated[str, typer.Argument(metavar="KIND", help="Which points.")],
    n: Annotated[int, typer.Argument(metavar="N", help="How many there are now.")],
) -> None:
    """Set the points of a side."""
    from rules.positions.changes import with_points

    _edit(file, lambda position, pack: with_points(position, pack, side, kind, n))


@change_commands.command(
    epilog=examples("mapkit rules position control game.position.json it 3405 3406")
)
def control(
    file: PositionFile,
    side: Annotated[str, typer.Argument(metavar="SIDE", help="Who holds them; nobody: -.")],
    hexes: Annotated[list[str], typer.Argument(metavar="HEX...", help="The hexes.")],
    on: OnMap = None,
) -> None:
    """Say who held some hexes last."""
    from rules.positions.changes import controlled

    _edit_on(file, on, lambda _, pack, maps: controlled(pack, side, hexes, maps))


@change_commands.command(
    epilog=examples("mapkit rules position note game.position.json the Alpini hold Col Santo")
)
def note(
    file: PositionFile,
    words: Annotated[list[str], typer.Argument(metavar="TEXT", help="What happened.")],
) -> None:
    """Add a line to the log."""
    from rules.positions.changes import noted

    _edit(file, lambda position, _: noted(position, " ".join(words)))


@change_commands.command(epilog=examples("mapkit rules position undo game.position.json"))
def undo(file: PositionFile) -> None:
    """Take back the latest change, whenever it was saved."""
    from mapkit.texts import say
    from rules.positions.position_store import edit_position

    with edit_position(file) as session:
        number = session.undo()
        session.save()
    talk(say("rules.position.undone", number=number))


@change_commands.command(epilog=examples("mapkit rules position redo game.position.json"))
def redo(file: PositionFile) -> None:
    """Make the change again that was taken back last."""
    from mapkit.texts import say
    from rules.positions.position_store import edit_position

    with edit_position(file) as session:
        number = session.redo()
        session.save()
    talk(say("rules.position.redone", number=number))


@change_commands.command(
    epilog=examples("mapkit rules position recover game.position.json --choose replay")
)
def recover(
    file: PositionFile,
    choose: Annotated[
        Literal["keep_file", "replay"],
        typer.Option(help="keep_file sets the journal aside; replay does its changes again."),
    ],
) -> None:
    """Choose, when another program changed the file too."""
    from mapkit.texts import say
    from rules.positions.position_store import edit_position

    with edit_position(file, on_conflict=choose) as session:
        unsaved = session.unsaved
        session.save()
    talk(say("rules.position.recovered", file=file, n=unsaved))


def _edit_on(file: Path, on: Path | None, change: "Callable[[Position, Pack, Maps], Edit]") -> None:
    """Make one change that is held against the maps at hand."""
    from rules.positions.known_places import maps_beside

    _edit(file, lambda position, pack: change(position, pack, maps_beside(file, pack.id, on)))


def _edit(file: Path, change: "Callable[[Position, Pack], Edit]") -> None:
    """Make one change, safe on the disk, and say its number."""
    from mapkit.texts import say
    from rules.positions.known_places import pack_beside
    from rules.positions.position_store import edit_position

    with edit_position(file) as session:
        position = session.value
        number = session.edit(change(position, pack_beside(file, position.game)))
        session.save()
    talk(say("rules.position.changed", number=number))
