"""The commands that ask who may stand and obey where: stacking, command, activation."""

from typing import TYPE_CHECKING, Annotated

import typer

from mapkit.command_line import ForceFlag, JsonFlag, examples, noun
from rules.answers import Asked, Wanted, answer, answer_all
from rules.asked import (
    DeclareOption,
    EnemyOption,
    FriendOption,
    GameOption,
    GameOrProject,
    MapOrProject,
    PictureOption,
    PositionOption,
    SaveOption,
    SideOption,
    WeatherOption,
    WhichMap,
    scene_of,
)

if TYPE_CHECKING:
    from mapkit.drawing import Drawing

field_commands = noun("Rule on stacking and command.")

SpeltUnits = Annotated[
    list[str] | None,
    typer.Option(metavar="CLASS[:WORD…]", help="A unit there: class, size, mode, name."),
]


@field_commands.command(
    epilog=examples(
        "mapkit rules stack alps 2028 --side it --unit infantry --unit alpini --unit fortress",
        "mapkit rules stack karfreit 2020 --unit infantry:battalion --unit light_artillery:fire",
        "mapkit rules stack karfreit 2020 --side it --unit infantry:company:87/4 --json",
        "mapkit rules stack alps 2028 --position game.position.json --unit it-roma-79-i",
    )
)
def stack(
    map_file: MapOrProject,
    place: Annotated[str, typer.Argument(metavar="HEX", help="Where they stand, or one of them.")],
    unit: Annotated[
        list[str] | None,
        typer.Option(metavar="CLASS[:WORD…]", help="A unit there, or one of the position."),
    ] = None,
    enemy: SpeltUnits = None,
    side: Annotated[
        str | None, typer.Option(metavar="ID", help="Whose they are; else the first side's.")
    ] = None,
    position: PositionOption = None,
    scenario: Annotated[
        str, typer.Option(metavar="ID", help="Where a scenario allows more to some.")
    ] = "",
    set_up: Annotated[bool, typer.Option("--set-up", help="During set-up.")] = False,
    game: GameOption = None,
    which: WhichMap = None,
    as_json: JsonFlag = False,
    save: SaveOption = None,
    declare: DeclareOption = None,
    force: ForceFlag = False,
) -> None:
    """Rule whether all the units in a hex may stand there.

    Who counts with what, who stacks for nothing, who is too many and what that costs. A unit is
    written as its class, then what matters: `infantry:battalion`, `light_artillery:fire`,
    `infantry:company:87/4`. A unit of the position is put there by its id.
    """
    from rules.judges.stacking import StackingJudge
    from rules.spelt_units import stacked

    scene = scene_of(map_file, game, which, position)
    hex_, pack = scene.hex(place), scene.field.pack
    units = stacked(scene, hex_, side, unit or [], enemy or [])
    played = scenario or scene.scenario
    judge = StackingJudge(scene.field, units, scene.weather, played, set_up)
    about = {"scenario": played, "set_up": set_up, "weather": scene.weather}
    question = {"judge": "stack", "hex": hex_, "units": units, **about}
    asked = Asked(pack, question, scene, (map_file, which))
    answer(asked, judge.rule(hex_), Wanted(as_json, None, save, declare, force))


@field_commands.command(
    epilog=examples(
        "mapkit rules command alps 2028 --side it --range 4",
        "mapkit rules command alps 2028 --side it --range 4 --unit 2031 --enemy 2030 --json",
        "mapkit rules command alps 2028 --side it --range 4 --unit 2031 --place",
        "mapkit rules command alps it-hq-roma --unit it-roma-79-i --position game.position.json",
        "mapkit rules command alps 2028 --side it --range 4 --picture command.png",
    )
)
def command(
    map_file: MapOrProject,
    place: Annotated[
        str, typer.Argument(metavar="HEX", help="Where the headquarters stands, or its id.")
    ],
    side: SideOption = None,
    range_: Annotated[
        int | None, typer.Option("--range", min=0, metavar="N", help="Printed on its counter.")
    ] = None,
    unit: Annotated[
        list[str] | None, typer.Option(metavar="HEX", help="Is a unit there in command?")
    ] = None,
    placing: Annotated[
        bool, typer.Option("--place", help="May the headquarters be placed there at all?")
    ] = False,
    position: PositionOption = None,
    friend: FriendOption = None,
    enemy: EnemyOption = None,
    source: Annotated[
        list[str] | None, typer.Option(metavar="HEX", help="One more supply source, for --place.")
    ] = None,
    game: GameOption = None,
    which: WhichMap = None,
    weather: WeatherOption = None,
    as_json: JsonFlag = False,
    picture: PictureOption = None,
    save: SaveOption = None,
    declare: DeclareOption = None,
    force: ForceFlag = False,
) -> None:
    """Rule how far a headquarters is obeyed, or who is in command.

    With --unit a ruling for each; where the range runs into an enemy zone, it names the hexes to
    roll for. With --place it rules whether the headquarters may be put there, the units being
    those of its own formation.
    """
    from rules.command_questions import CommandQuestion

    scene = scene_of(map_file, game, which, position, weather)
    about = (friend or (), enemy or (), unit or (), source or ())
    asked = CommandQuestion.read(scene, place, side, range_, *about, placing=placing)
    rulings = [
        (Asked(scene.field.pack, question, scene, (map_file, which)), ruling)
        for question, ruling in asked.rule()
    ]

    def draw() -> "Drawing":
        from rules.pictures import draw_command

        return draw_command(asked.judge, asked.units, [one for _, one in rulings], hex_px=60.0)

    answer_all(rulings, Wanted(as_json, picture, save, declare, force), draw)


@field_commands.command(
    epilog=examples(
        "mapkit rules activation strafexpedition --side it --guns 13",
        "mapkit rules activation caporetto-1917 --side it --guns 3 --unplanned --initiative 3",
        "mapkit rules activation strafexpedition --side it --independent alpini --held 2 --json",
        "mapkit rules activation alps --side it --guns 6 --position game.position.json",
    )
)
def activation(
    game: GameOrProject,
    side: Annotated[str, typer.Option(metavar="ID", help="Whose formation it is.")],
    guns: Annotated[int, typer.Option(min=0, metavar="N", help="Guns attached to it.")] = 0,
    unplanned: Annotated[
        bool, typer.Option("--unplanned", help="A reaction that got no points before.")
    ] = False,
    held: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="The points the player has; else the position's."),
    ] = None,
    initiative: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Printed on the headquarters.")
    ] = None,
    independent: Annotated[
        list[str] | None,
        typer.Option(metavar="CLASS[:SIZE]", help="An independent unit attached to it."),
    ] = None,
    own_division: Annotated[
        list[str] | None,
        typer.Option(metavar="CLASS[:SIZE]", help="One that belongs to its own division."),
    ] = None,
    position: PositionOption = None,
    as_json: JsonFlag = False,
    save: SaveOption = None,
    declare: DeclareOption = None,
    force: ForceFlag = False,
) -> None:
    """Rule what it costs to activate a formation, and if it may be.

    Points for the formation and its guns, the box of the display, and the independent units that
    may come along.
    """
    from rules.activation_questions import ActivationQuestion, played_in, points_held

    pack, played = played_in(game, position)
    ours = pack.side(side)
    asked = ActivationQuestion(
        ours,
        guns,
        unplanned,
        points_held(pack, played, ours) if held is None else held,
        initiative,
        tuple(independent or ()),
        tuple(own_division or ()),
    )
    wanted = Wanted(as_json, None, save, declare, force)
    answer(Asked(pack, asked.as_question()), asked.rule(pack), wanted)
