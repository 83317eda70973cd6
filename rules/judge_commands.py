"""The commands that ask the judges: sight, supply, movement."""

from typing import TYPE_CHECKING, Annotated

import typer

from mapkit.command_line import ForceFlag, JsonFlag, examples, noun
from rules.answers import Asked, Wanted, answer
from rules.asked import (
    ClassOption,
    DeclareOption,
    EnemyOption,
    FriendOption,
    GameOption,
    MapOrProject,
    PictureOption,
    PositionOption,
    SaveOption,
    SideOption,
    StatusOption,
    ValueOption,
    WeatherOption,
    WhichMap,
    scene_of,
)

if TYPE_CHECKING:
    from mapkit.drawing import Drawing

judge_commands = noun("Rule on what players argue about.")


@judge_commands.command(
    epilog=examples(
        "mapkit rules sight alps.hexmap.json 3004 3008 --game strafexpedition",
        "mapkit rules sight alps 3004 3008 --weather rain --json",
        "mapkit rules sight alps it-roma-79-i 3008 --position game.position.json",
        "mapkit rules sight alps 3004 3008 --picture sight.png",
    )
)
def sight(
    map_file: MapOrProject,
    observer: Annotated[str, typer.Argument(metavar="A", help="The observer's hex, or a unit.")],
    target: Annotated[str, typer.Argument(metavar="B", help="The hex or unit looked at.")],
    position: PositionOption = None,
    game: GameOption = None,
    which: WhichMap = None,
    weather: WeatherOption = None,
    as_json: JsonFlag = False,
    picture: PictureOption = None,
    save: SaveOption = None,
    declare: DeclareOption = None,
    force: ForceFlag = False,
) -> None:
    """Rule whether one hex sees another, with the working.

    The line, every hex that could block it and the numbers compared are told with the rules
    they stand on, and how close it was.
    """
    from rules.judges.sight import SightJudge

    scene = scene_of(map_file, game, which, position, weather)
    judge = SightJudge(scene.field, scene.weather)
    a, b = scene.hex(observer), scene.hex(target)
    ruling = judge.rule(a, b)
    question = {"judge": "sight", "from": a, "to": b, "weather": scene.weather}

    def draw() -> "Drawing":
        from rules.pictures import draw_sight

        return draw_sight(judge, judge.look(a, b), ruling, hex_px=72.0)

    asked = Asked(scene.field.pack, question, scene, (map_file, which))
    wanted = Wanted(as_json, picture, save, declare, force)
    answer(asked, ruling, wanted, None if scene.field.pack.sight is None else draw)


@judge_commands.command(
    epilog=examples(
        "mapkit rules field alps 3004",
        "mapkit rules field alps 3004 --weather rain --json",
        "mapkit rules field alps it-roma-79-i --position game.position.json",
        "mapkit rules field alps 3004 --picture field.png",
    )
)
def field(
    map_file: MapOrProject,
    observer: Annotated[str, typer.Argument(metavar="HEX", help="The observer's hex, or a unit.")],
    position: PositionOption = None,
    game: GameOption = None,
    which: WhichMap = None,
    weather: WeatherOption = None,
    as_json: JsonFlag = False,
    picture: PictureOption = None,
    save: SaveOption = None,
    declare: DeclareOption = None,
    force: ForceFlag = False,
) -> None:
    """Rule on all hexes that an observer sees.

    From the centre of his hex; `rules sight` also tries the edge of a town or a peak where the
    rule allows it.
    """
    from rules.judges.sight import SightJudge

    scene = scene_of(map_file, game, which, position, weather)
    judge = SightJudge(scene.field, scene.weather)
    hex_ = scene.hex(observer)
    ruling = judge.rule_field(hex_)
    question = {"judge": "field", "from": hex_, "weather": scene.weather}

    def draw() -> "Drawing":
        from rules.pictures import draw_field

        return draw_field(judge, hex_, ruling, hex_px=56.0)

    asked = Asked(scene.field.pack, question, scene, (map_file, which))
    answer(asked, ruling, Wanted(as_json, picture, save, declare, force), draw)


@judge_commands.command(
    epilog=examples(
        "mapkit rules supply alps 2028 --side it --enemy 2030",
        "mapkit rules supply alps 2028 --side it --enemy 2030:artillery --friend 2027 --json",
        "mapkit rules supply alps it-roma-79-i --position game.position.json",
        "mapkit rules supply alps 2028 --side it --class alpini --value morale=3 "
        "--status disorganization=2 --enemy 2029",
        "mapkit rules supply alps 2028 --side it --class headquarters --gun 2036:8",
        "mapkit rules supply alps 2028 --side it --picture supply.png",
    )
)
def supply(
    map_file: MapOrProject,
    place: Annotated[str, typer.Argument(metavar="HEX", help="Where the unit stands, or its id.")],
    side: SideOption = None,
    position: PositionOption = None,
    friend: FriendOption = None,
    enemy: EnemyOption = None,
    source: Annotated[
        list[str] | None, typer.Option(metavar="HEX", help="One more supply source.")
    ] = None,
    class_: ClassOption = "",
    status: StatusOption = None,
    value: ValueOption = None,
    nationality: Annotated[
        str, typer.Option(metavar="WORD", help="Whose headquarters it is, where that matters.")
    ] = "",
    gun: Annotated[
        list[str] | None,
        typer.Option(metavar="HEX:RANGE", help="An enemy gun ready to fire: cuts HQ roads."),
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
    """Rule whether a hex is in supply; if not, who cuts it.

    Nobody enters 300 counters to ask one question: name the few that matter with --enemy and
    --friend. An enemy without a class is taken to have a zone of control. Of a unit with --class,
    or of a --position, what is due to it is told, and of a headquarters who interdicts its road.
    """
    from rules.described import Description
    from rules.supply_questions import SupplyQuestion

    scene = scene_of(map_file, game, which, position, weather)
    unit = Description(class_, status or (), value or (), nationality)
    about = (friend or (), enemy or (), source or (), gun or ())
    asked = SupplyQuestion.read(scene, place, side, unit, *about)
    judge, ruling = asked.judge, asked.rule()

    def draw() -> "Drawing":
        from rules.pictures import draw_supply

        return draw_supply(judge, asked.hex, ruling, hex_px=48.0)

    wanted = Wanted(as_json, picture, save, declare, force)
    asked_of = Asked(scene.field.pack, asked.as_question(), scene, (map_file, which))
    answer(asked_of, ruling, wanted, draw)


@judge_commands.command(
    epilog=examples(
        "mapkit rules reach alps 2028 --side it --class alpini --points 6",
        "mapkit rules reach alps 2028 --side it --class infantry --points 5 --to 2030 --json",
        "mapkit rules reach alps it-roma-79-i --points 5 --position game.position.json",
        "mapkit rules reach alps 2028 --side it --class infantry --points 5 --mode forced_march",
        "mapkit rules reach alps 2028 --side it --class infantry --points 5 --picture reach.png",
    )
)
def reach(
    map_file: MapOrProject,
    place: Annotated[str, typer.Argument(metavar="HEX", help="Where the unit stands, or its id.")],
    side: SideOption = None,
    class_: ClassOption = "",
    points: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Its printed allowance.")
    ] = None,
    to: Annotated[str | None, typer.Option(metavar="HEX", help="Does it come there?")] = None,
    mode: Annotated[
        str, typer.Option(metavar="WORD", help="How it moves; without it the usual way.")
    ] = "",
    position: PositionOption = None,
    friend: FriendOption = None,
    enemy: EnemyOption = None,
    status: StatusOption = None,
    value: ValueOption = None,
    game: GameOption = None,
    which: WhichMap = None,
    weather: WeatherOption = None,
    as_json: JsonFlag = False,
    picture: PictureOption = None,
    save: SaveOption = None,
    declare: DeclareOption = None,
    force: ForceFlag = False,
) -> None:
    """Rule how far a unit can move, and why not farther.

    The way to one hex is told with each step that draws infiltration fire. Movement costs are
    printed on a chart we do not have: until its owner enters them, the ruling says what is
    missing.
    """
    from rules.described import Description, moving_unit
    from rules.judges.movement import MovementJudge

    scene = scene_of(map_file, game, which, position, weather)
    said = Description(class_, status or (), value or ())
    unit, allowance = moving_unit(scene, place, scene.side(side, place), said, points)
    friends, enemies = scene.about(unit.side, friend, enemy, but=unit)
    held = dict(scene.control) if scene.field.pack.minds_control else {}
    about = (friends, enemies, scene.weather, held)
    judge = MovementJudge(scene.field, unit, allowance, mode, *about)
    target = None if to is None else scene.hex(to)
    ruling = judge.rule(target)
    question = {"judge": "reach", "unit": unit, "points": allowance, "mode": mode, "to": target}
    question |= {"friends": friends, "enemies": enemies, "weather": scene.weather}
    question |= {"control": held} if held else {}

    def draw() -> "Drawing":
        from rules.pictures import draw_reach

        return draw_reach(judge, target, ruling, hex_px=60.0)

    asked = Asked(scene.field.pack, question, scene, (map_file, which))
    answer(asked, ruling, Wanted(as_json, picture, save, declare, force), draw)
