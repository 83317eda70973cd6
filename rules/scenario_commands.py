"""The commands about scenarios: which packs there are, set-up sheets, calendars, the turn."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from mapkit.command_line import ForceFlag, JsonFlag, examples, noun, print_json, talk, tell

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="The id of a rules pack.")]
OwnGame = Annotated[str, typer.Argument(metavar="GAME", help="A rules pack, or a project.")]
ScenarioArgument = Annotated[
    str, typer.Argument(metavar="SCENARIO", help="Its id or number: s1 or 1.")
]

scenario_commands = noun("Set up and follow a scenario.")


@scenario_commands.command(epilog=examples("mapkit rules packs", "mapkit rules packs --json"))
def packs(as_json: JsonFlag = False) -> None:
    """Show what each rules pack holds, and what it lacks.

    A part is complete, partial where our sources lack some of it, or missing; the number counts
    what it holds. Parts are called as in the files of the packs.
    """
    from rules.pack_state import all_states, states_data, told_states

    states = all_states()
    print_json(states_data(states)) if as_json else tell(told_states(states))


@scenario_commands.command(
    epilog=examples(
        "mapkit rules profile strafexpedition",
        "mapkit rules profile strafexpedition -o strafexpedition.profile.json",
    )
)
def profile(
    game: GameArgument,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write it there.")
    ] = None,
    force: ForceFlag = False,
) -> None:
    """Write what a scan of the game's map needs to know.

    The words for terrain, hexsides and roads with usual colours, the levels, and each numbering
    that our sources allow, the likely one first. Without a file it is printed.
    """
    from mapkit.profile import write_profile
    from rules.map_profile import map_profile
    from rules.registry import find_pack

    made = map_profile(find_pack(game))
    if output is None:
        print_json(made.as_data())
    else:
        write_profile(output, made, force=force)
        tell(str(output))


@scenario_commands.command(
    epilog=examples(
        "mapkit rules scenario strafexpedition",
        "mapkit rules scenario strafexpedition s4 --by hex",
        "mapkit rules scenario strafexpedition 1 --json",
    )
)
def scenario(
    game: OwnGame,
    name: Annotated[
        str | None, typer.Argument(metavar="ID", help="Its id or number; without it, a list.")
    ] = None,
    by: Annotated[
        Literal["hex", "formation"], typer.Option(help="Group the units by place or formation.")
    ] = "formation",
    as_json: JsonFlag = False,
) -> None:
    """List scenarios, or print the set-up sheet of one.

    The sheet says what holds in the scenario, who sets up where, and who arrives when. Where the
    rules leave something open, it says what we assume.
    """
    from rules.project import pack_named
    from rules.scenarios.scenario_files import scenarios_of
    from rules.scenarios.scenario_show import list_data, scenario_data, told_list, told_sheet

    scenarios = scenarios_of(pack_named(game))
    if name is None:
        print_json(list_data(scenarios)) if as_json else tell(told_list(scenarios))
        return
    found = scenarios.find(name)
    if as_json:
        print_json(scenario_data(scenarios, found))
    else:
        tell(told_sheet(scenarios, found, by))


@scenario_commands.command(
    epilog=examples(
        "mapkit rules calendar strafexpedition s5",
        "mapkit rules calendar caporetto-1917 1 --json",
    )
)
def calendar(game: OwnGame, name: ScenarioArgument, as_json: JsonFlag = False) -> None:
    """Tell what each turn of a scenario brings.

    Date, weather, points, events, what may not be done, and who arrives where.
    """
    from rules.project import pack_named
    from rules.scenarios.scenario_calendar import calendar_data, told_calendar
    from rules.scenarios.scenario_files import scenarios_of

    scenarios = scenarios_of(pack_named(game))
    found = scenarios.find(name)
    if as_json:
        print_json(calendar_data(scenarios, found))
    else:
        tell(told_calendar(scenarios, found))


@scenario_commands.command(
    epilog=examples(
        "mapkit rules sequence strafexpedition",
        "mapkit rules sequence caporetto-1917 --scenario s1 --turn 1",
    )
)
def sequence(
    game: OwnGame,
    name: Annotated[
        str | None, typer.Option("--scenario", metavar="ID", help="Leave out what it has not.")
    ] = None,
    turn: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Leave out what this turn has not.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Print the turn as a checklist, phase by phase.

    With a scenario and a turn, what does not take place then is left out.
    """
    from rules.project import pack_named
    from rules.scenarios.sequences import ask, checklist_data, find_sequence, told_checklist

    pack = pack_named(game)
    found, asked = find_sequence(pack.id), ask(pack, name, turn)
    if as_json:
        print_json(checklist_data(found, pack, asked))
    else:
        tell(told_checklist(found, pack, asked))


@scenario_commands.command(
    epilog=examples(
        "mapkit rules units strafexpedition s4 -o s4.csv",
        "mapkit rules units strafexpedition all -o counters.xlsx --values mine.csv",
        "mapkit rules units alps s1 -o alps/s1.csv",
    )
)
def units(
    game: OwnGame,
    name: Annotated[
        str, typer.Argument(metavar="SCENARIO", help='Its id or number; "all": the whole game.')
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The table: .csv or .xlsx.")
    ],
    values: Annotated[
        list[Path] | None,
        typer.Option("--values", metavar="TABLE", help="Fill in what you typed; may be repeated."),
    ] = None,
    force: ForceFlag = False,
) -> None:
    """Write the counters of a scenario as a table.

    One row for each printed piece, a column for each value its faces print. What our sources lack
    is empty; fill it in and give the table back with --values, or name it as units of your
    project: rows are matched by their id, and nothing that is known changes.
    """
    from rules.unit_files import write_unit_table

    for line in write_unit_table(game, name, output, values or (), force=force):
        talk(line)
