"""The commands that ask the judges: sight, supply, movement."""

from typing import TYPE_CHECKING, Annotated

import typer

from mapkit.command_line import ForceFlag, JsonFlag, examples, noun
from rules.asked import (
    ClassOption,
    EnemyOption,
    FriendOption,
    GameOption,
    MapOrProject,
    PictureOption,
    StatusOption,
    ValueOption,
    WeatherOption,
    WhichMap,
    counters_of,
    field_of,
    save_picture,
    tell_ruling,
)
from rules.protocol_commands import DeclareOption, SaveOption, kept

if TYPE_CHECKING:
    from mapkit.drawing import Drawing

judge_commands = noun("Rule on what players argue about.")


@judge_commands.command(
    epilog=examples(
        "mapkit rules sight alps.hexmap.json 3004 3008 --game strafexpedition",
        "mapkit rules sight alps 3004 3008 --weather rain --json",
        "mapkit rules sight alps 3004 3008 --picture sight.png",
    )
)
def sight(
    map_file: MapOrProject,
    observer: Annotated[str, typer.Argument(metavar="A", help="The observer's hex.")],
    target: Annotated[str, typer.Argument(metavar="B", help="The hex looked at.")],
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

    field = field_of(map_file, game, which)
    judge = SightJudge(field, weather)
    a, b = field.hex(observer), field.hex(target)
    ruling = judge.rule(a, b)
    question = {"judge": "sight", "from": a, "to": b, "weather": weather}

    def draw() -> "Drawing":
        from rules.pictures import draw_sight

        return draw_sight(judge, judge.look(a, b), ruling, hex_px=72.0)

    if picture is not None and field.pack.sight is not None:
        save_picture(draw(), picture, force=force)
    drawn = None if field.pack.sight is None else draw
    asked = map_file, which
    stands = kept(ruling, field, asked, question, drawn, save=save, declare=declare, force=force)
    tell_ruling(field, stands, as_json=as_json)


@judge_commands.command(
    epilog=examples(
        "mapkit rules field alps 3004",
        "mapkit rules field alps 3004 --weather rain --json",
        "mapkit rules field alps 3004 --picture field.png",
    )
)
def field(
    map_file: MapOrProject,
    observer: Annotated[str, typer.Argument(metavar="HEX", help="The observer's hex.")],
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

    battlefield_ = field_of(map_file, game, which)
    judge = SightJudge(battlefield_, weather)
    hex_ = battlefield_.hex(observer)
    ruling = judge.rule_field(hex_)
    question = {"judge": "field", "from": hex_, "weather": weather}

    def draw() -> "Drawing":
        from rules.pictures import draw_field

        return draw_field(judge, hex_, ruling, hex_px=56.0)

    if picture is not None:
        save_picture(draw(), picture, force=force)
    asked, place = (map_file, which), battlefield_
    stands = kept(ruling, place, asked, question, draw, save=save, declare=declare, force=force)
    tell_ruling(battlefield_, stands, as_json=as_json)


@judge_commands.command(
    epilog=examples(
        "mapkit rules supply alps 2028 --side it --enemy 2030",
        "mapkit rules supply alps 2028 --side it --enemy 2030:artillery --friend 2027 --json",
        "mapkit rules supply alps 2028 --side it --class alpini --value morale=3 "
        "--status disorganization=2 --enemy 2029",
        "mapkit rules supply alps 2028 --side it --class headquarters --gun 2036:8",
        "mapkit rules supply alps 2028 --side it --picture supply.png",
    )
)
def supply(
    map_file: MapOrProject,
    place: Annotated[str, typer.Argument(metavar="HEX", help="Where the unit stands.")],
    side: Annotated[str, typer.Option(metavar="ID", help="Whose unit it is.")],
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
    --friend. An enemy without a class is taken to have a zone of control. Of a unit with --class
    what is due to it is told, and of a headquarters whether a --gun interdicts its road.
    """
    from rules.described import described, parse_gun, parse_states, parse_values
    from rules.judges.supply import SupplyJudge
    from rules.standing import told_apart

    field = field_of(map_file, game, which)
    friends, enemies = counters_of(field, side, friend, enemy)
    sources = tuple(map(field.hex, source or []))
    theirs = field.pack.enemy_of(field.side(side))
    guns = (parse_gun(field, theirs, text) for text in gun or [])
    enemies = told_apart((*enemies, *guns))
    judge = SupplyJudge(field, field.side(side), friends, enemies, sources, weather)
    hex_ = field.hex(place)
    if class_:
        states, printed = parse_states(status or []), parse_values(value or [])
        unit = described(
            field,
            judge.side,
            place,
            class_,
            statuses=states,
            values=printed,
            nationality=nationality,
        )
        ruling = judge.rule_unit(unit)
    else:
        ruling = judge.rule(hex_)
    question: dict[str, object] = {
        "judge": "supply",
        "hex": hex_,
        "side": judge.side,
        "sources": sources,
    }
    question |= {"friends": friends, "enemies": enemies, "weather": weather}
    question |= {"unit": unit} if class_ else {}

    def draw() -> "Drawing":
        from rules.pictures import draw_supply

        return draw_supply(judge, hex_, ruling, hex_px=48.0)

    if picture is not None:
        save_picture(draw(), picture, force=force)
    asked = map_file, which
    stands = kept(ruling, field, asked, question, draw, save=save, declare=declare, force=force)
    tell_ruling(field, stands, as_json=as_json)


@judge_commands.command(
    epilog=examples(
        "mapkit rules reach alps 2028 --side it --class alpini --points 6",
        "mapkit rules reach alps 2028 --side it --class infantry --points 5 --to 2030 --json",
        "mapkit rules reach alps 2028 --side it --class infantry --points 5 --mode forced_march",
        "mapkit rules reach alps 2028 --side it --class infantry --points 5 --picture reach.png",
    )
)
def reach(
    map_file: MapOrProject,
    place: Annotated[str, typer.Argument(metavar="HEX", help="Where the unit stands.")],
    side: Annotated[str, typer.Option(metavar="ID", help="Whose unit it is.")],
    class_: Annotated[str, typer.Option("--class", metavar="WORD", help="Its class.")],
    points: Annotated[int, typer.Option(min=0, metavar="N", help="Its printed allowance.")],
    to: Annotated[str | None, typer.Option(metavar="HEX", help="Does it come there?")] = None,
    mode: Annotated[str, typer.Option(metavar="WORD", help="How it moves.")] = "tactical",
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
    from rules.described import described, parse_states, parse_values
    from rules.judges.movement import MovementJudge

    field = field_of(map_file, game, which)
    friends, enemies = counters_of(field, side, friend, enemy)
    states, printed = parse_states(status or []), parse_values(value or [])
    ours = field.side(side)
    unit = described(field, ours, place, class_, statuses=states, values=printed)
    judge = MovementJudge(field, unit, points, mode, friends, enemies, weather)
    target = None if to is None else field.hex(to)
    ruling = judge.rule(target)
    question: dict[str, object] = {
        "judge": "reach",
        "unit": unit,
        "points": points,
        "mode": mode,
        "to": target,
    }
    question |= {"friends": friends, "enemies": enemies, "weather": weather}

    def draw() -> "Drawing":
        from rules.pictures import draw_reach

        return draw_reach(judge, target, ruling, hex_px=60.0)

    if picture is not None:
        save_picture(draw(), picture, force=force)
    asked = map_file, which
    stands = kept(ruling, field, asked, question, draw, save=save, declare=declare, force=force)
    tell_ruling(field, stands, as_json=as_json)
