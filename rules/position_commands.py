"""The commands about positions: a game in progress, set up, shown, checked and drawn."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from mapkit.command_line import ForceFlag, JsonFlag, examples, noun, print_json, talk, tell
from rules.positions.change_commands import PositionFile, change_commands

if TYPE_CHECKING:
    from rules.battlefield import Battlefield
    from rules.pack import Pack
    from rules.positions.position import Position
    from rules.project import Project

MapOrProject = Annotated[
    Path, typer.Argument(metavar="MAP", readable=False, help="A map, or a project.")
]
WhichMap = Annotated[
    str | None, typer.Option("--map", metavar="ID", help="Of a project with several maps.")
]

position_commands = noun("Keep a game in progress: who stands where, in what state.")
position_commands.add_typer(change_commands)


@position_commands.command(
    epilog=examples(
        "mapkit rules position new strafexpedition --scenario s4 -o game.position.json",
        "mapkit rules position new alps --scenario 1 --units oob.csv -o game.position.json",
    )
)
def new(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A rules pack, or a project.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Where to save it.")],
    scenario: Annotated[
        str | None, typer.Option(metavar="ID", help="Begin with its set-up: s1 or 1.")
    ] = None,
    units: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A table of units with a column 'place'."),
    ] = None,
    force: ForceFlag = False,
) -> None:
    """Begin a game from a scenario, a table of units, or both.

    Units that the scenario puts on one certain hex stand there; those with a choice are still to
    be placed, and those that arrive later are off the map. Units of the table win over the
    scenario's.
    """
    from mapkit.store.files import read_file
    from mapkit.texts import say
    from rules.positions.position_show import told_open_set_up
    from rules.positions.position_store import save_position
    from rules.positions.set_up import begin_from

    table = None if units is None else read_file(units, what="table of units")
    pack = _game(game)
    position = begin_from(pack, scenario, table, source=str(units))
    save_position(out, position, force=force)
    on_map = sum(piece.place.kind == "hex" for piece in position.pieces.values())
    talk(say("rules.position.begun", file=out, n=len(position.pieces), on_map=on_map))
    for line in told_open_set_up(position, pack):
        talk(line)


@position_commands.command(
    epilog=examples(
        "mapkit rules position show game.position.json",
        "mapkit rules position show game.position.json --by formation",
        "mapkit rules position show game.position.json --json",
        "mapkit rules position show game.position.json --csv units.csv",
    )
)
def show(
    file: PositionFile,
    by: Annotated[
        Literal["hex", "formation"], typer.Option(help="Group the units by place or formation.")
    ] = "hex",
    table: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the units as a table.")
    ] = None,
    force: ForceFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Tell who stands where, in what state, and what hour it is.

    With --csv the units go into a table instead, from which `position new --units` begins a game;
    clock, points, markers and log are not in it.
    """
    from rules.positions.known_places import pack_beside
    from rules.positions.position_show import position_data, told_position
    from rules.positions.position_store import load_position
    from rules.scenarios.scenario_files import scenarios_of

    position = load_position(file)
    scenarios = scenarios_of(pack_beside(file, position.game))
    if table is not None:
        _write_table(table, position, scenarios.pack, force=force)
    if as_json:
        print_json(position_data(position, scenarios.pack))
    elif table is None:
        tell(told_position(position, scenarios, by))


@position_commands.command(
    epilog=examples(
        "mapkit rules position diff before.position.json after.position.json",
        "mapkit rules position diff before.position.json after.position.json --json",
    )
)
def diff(
    before: PositionFile,
    after: PositionFile,
    as_json: JsonFlag = False,
) -> None:
    """Tell what changed between two positions of one game."""
    from mapkit.texts import say
    from rules.positions.on_the_map import require_game
    from rules.positions.position_diff import differences
    from rules.positions.position_store import load_position
    from rules.registry import find_pack

    one, other = load_position(before), load_position(after)
    pack = find_pack(one.game)
    require_game(other, pack)
    found = differences(one, other, pack)
    if as_json:
        print_json([difference.as_data() for difference in found])
    else:
        lines = [difference.told() for difference in found]
        tell("\n".join(lines) or say("rules.position.same"))


@position_commands.command(
    epilog=examples(
        "mapkit rules position check alps game.position.json",
        "mapkit rules position check alps.hexmap.json game.position.json --json",
    )
)
def check(
    map_file: MapOrProject,
    file: PositionFile,
    which: WhichMap = None,
    as_json: JsonFlag = False,
) -> None:
    """List everything wrong with a position, each with its remedy.

    Unknown hexes and words, friend and enemy in one hex, too many in a hex, ground a unit can
    never enter, and set-up rules that are broken. Exit code 1 where there is an error.
    """
    from rules.positions.position_check import check_position, told_problems
    from rules.positions.position_store import load_position
    from rules.scenarios.scenario_files import scenarios_of

    position = load_position(file)
    project, map_id = _project(map_file, which)
    field = _battlefield(project, map_id, position)
    problems = check_position(
        position,
        field,
        scenarios_of(field.pack),
        map_id=map_id,
        maps=tuple(project.maps),
    )
    if as_json:
        print_json([problem.as_data() for problem in problems])
    else:
        tell(told_problems(problems))
    raise typer.Exit(int(any(problem.severity == "error" for problem in problems)))


@position_commands.command(
    epilog=examples(
        "mapkit rules position draw alps game.position.json -o game.png",
        "mapkit rules position draw alps game.position.json -o game.svg --seen-by it",
        "mapkit rules position draw alps game.position.json -o game.png --around 3405 --px 96",
    )
)
def draw(
    map_file: MapOrProject,
    file: PositionFile,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="A .png or .svg to write.")
    ],
    which: WhichMap = None,
    seen_by: Annotated[
        str | None, typer.Option(metavar="SIDE", help="Leave out what is hidden from it.")
    ] = None,
    around: Annotated[
        list[str] | None, typer.Option(metavar="HEX", help="Only the land about this hex.")
    ] = None,
    whole: Annotated[bool, typer.Option("--whole", help="The whole map, also empty land.")] = False,
    style: Annotated[str, typer.Option(metavar="NAME", help="A style of `map draw`.")] = "plain",
    px: Annotated[float, typer.Option(min=24, max=400, metavar="N", help="Pixels a hex.")] = 110.0,
    force: ForceFlag = False,
) -> None:
    """Draw the map with its counters and markers.

    A stack is one counter on top of the others with their number; little signs tell the states.
    """
    from mapkit.drawing.drawing_files import write_drawing
    from rules.positions.position_picture import draw_position
    from rules.positions.position_store import load_position

    position = load_position(file)
    project, map_id = _project(map_file, which)
    field = _battlefield(project, map_id, position)
    drawing = draw_position(
        position,
        field,
        map_id=map_id,
        seen_by=None if seen_by is None else field.side(seen_by),
        around=tuple(map(field.hex, around or [])),
        whole=whole,
        style=style,
        hex_px=px,
    )
    write_drawing(drawing, out, force=force)


def _write_table(out: Path, position: "Position", pack: "Pack", *, force: bool) -> None:
    from mapkit.store.files import require_free, write_whole
    from mapkit.texts import say
    from rules.positions.set_up import pieces_to_table

    require_free(out, force=force)
    write_whole(out, pieces_to_table(position, pack), what="table of units")
    talk(say("rules.position.tabled", file=out, n=len(position.pieces)))


def _game(name: str) -> "Pack":
    """Return a game by its id, or that of a project as its owner reads and completes it."""
    from rules.errors import RulesError
    from rules.project import FILE, load_project
    from rules.registry import find_pack

    path = Path(name)
    if not (path.is_dir() or path.name == FILE or name.endswith(".hexmap.json")):
        return find_pack(name)
    pack = load_project(path).pack
    if pack is None:
        raise RulesError(f'the project {name} names no game; add game = "…" to its {FILE}')
    return pack


def _project(path: Path, which: str | None) -> "tuple[Project, str]":
    from rules.project import load_project

    project = load_project(path)
    only = next(iter(project.maps), "") if len(project.maps) == 1 else ""
    return project, which or only


def _battlefield(project: "Project", map_id: str, position: "Position") -> "Battlefield":
    """Return a map of a project as the game of the position sees it."""
    from rules.battlefield import battlefield
    from rules.registry import find_pack

    own = project.pack if project.game == position.game else None
    return battlefield(project, project.map(map_id or None), own or find_pack(position.game))
