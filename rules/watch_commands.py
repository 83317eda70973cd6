"""The commands about whole sides and wide views: observers, fire lines, zones, supply of all."""

from typing import TYPE_CHECKING, Annotated

import typer

from mapkit.command_line import ForceFlag, JsonFlag, examples, noun, print_json, tell
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
    WeatherOption,
    WhichMap,
    scene_of,
)

if TYPE_CHECKING:
    from mapkit.drawing import Drawing

HqOption = Annotated[
    str | None, typer.Option("--hq", metavar="HEX", help="The active headquarters, or its id.")
]
RangeOption = Annotated[
    int | None, typer.Option("--range", min=0, metavar="N", help="Its printed command range.")
]
FireOption = Annotated[
    str, typer.Option(metavar="WORD", help="A kind of fire with rules of its own: barrage.")
]

watch_commands = noun("Rule on observers, fire lines, zones of control and supply of a side.")


@watch_commands.command(
    epilog=examples(
        "mapkit rules observers alps 3008 --side it --hq 3004 --range 5 --enemy 3007",
        "mapkit rules observers karfreit 1007 --side it --friend 0610 --weather overcast",
        "mapkit rules observers karfreit 1007 --side ahg --fire preparation --json",
        "mapkit rules observers alps 3008 --side it --position game.position.json --hq it-hq-roma",
        "mapkit rules observers alps 3008 --side it --hq 3004 --range 5 --picture seen.png",
    )
)
def observers(
    map_file: MapOrProject,
    target: Annotated[
        str, typer.Argument(metavar="TARGET", help="The hex to be observed, or a unit.")
    ],
    side: Annotated[str, typer.Option(metavar="ID", help="Whose guns.")],
    position: PositionOption = None,
    friend: FriendOption = None,
    enemy: EnemyOption = None,
    hq: HqOption = None,
    hq_range: RangeOption = None,
    fire: FireOption = "",
    game: GameOption = None,
    which: WhichMap = None,
    weather: WeatherOption = None,
    as_json: JsonFlag = False,
    picture: PictureOption = None,
    save: SaveOption = None,
    declare: DeclareOption = None,
    force: ForceFlag = False,
) -> None:
    """Rule who may observe a target for the guns.

    Every hex that sees the target is listed: those one may observe from, and of the others why
    not.
    """
    from rules.fire_questions import FireQuestion

    scene = scene_of(map_file, game, which, position, weather)
    about = (friend or (), enemy or (), hq, hq_range, fire)
    asked = FireQuestion.read(scene, target, side, *about)
    ruling = asked.rule()

    def draw() -> "Drawing":
        from rules.pictures import draw_observers

        return draw_observers(asked.observers, asked.target, ruling, hex_px=56.0)

    wanted = Wanted(as_json, picture, save, declare, force)
    question = asked.as_question()
    answer(Asked(scene.field.pack, question, scene, (map_file, which)), ruling, wanted, draw)


@watch_commands.command(
    "fire-line",
    epilog=examples(
        "mapkit rules fire-line karfreit 0610 1007 --side it --class light_artillery --reach 8",
        "mapkit rules fire-line karfreit 0610 1007 --side it --class heavy_artillery --reach 12 "
        "--friend 0709 --json",
        "mapkit rules fire-line karfreit it-gun-3 1007 --position game.position.json",
    ),
)
def fire_line(
    map_file: MapOrProject,
    gun: Annotated[str, typer.Argument(metavar="GUN", help="Where the gun stands, or its id.")],
    target: Annotated[str, typer.Argument(metavar="TARGET", help="The hex or unit fired at.")],
    side: SideOption = None,
    class_: ClassOption = "",
    reach: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="The gun's printed range.")
    ] = None,
    position: PositionOption = None,
    friend: FriendOption = None,
    enemy: EnemyOption = None,
    hq: HqOption = None,
    hq_range: RangeOption = None,
    fire: FireOption = "",
    game: GameOption = None,
    which: WhichMap = None,
    weather: WeatherOption = None,
    as_json: JsonFlag = False,
    save: SaveOption = None,
    declare: DeclareOption = None,
    force: ForceFlag = False,
) -> None:
    """Rule whether a gun may fire directly or indirectly.

    Weather never matters for the direct line, only for whoever observes the target.
    """
    from rules.fire_questions import FireQuestion, gun_asked

    scene = scene_of(map_file, game, which, position, weather)
    ours = scene.side(side, gun)
    about = (friend or (), enemy or (), hq, hq_range, fire)
    firing = gun_asked(scene, gun, ours, class_, reach)
    asked = FireQuestion.read(scene, target, ours, *about, gun=firing)
    wanted = Wanted(as_json, None, save, declare, force)
    question = asked.as_question()
    answer(Asked(scene.field.pack, question, scene, (map_file, which)), asked.rule(), wanted)


@watch_commands.command(
    epilog=examples(
        "mapkit rules zones alps 2028:infantry --side it",
        "mapkit rules zones alps 2028:alpini --side it --json",
        "mapkit rules zones alps it-roma-79-i --position game.position.json",
        "mapkit rules zones karfreit 2028 --side it --weather fog --picture zone.png",
    )
)
def zones(
    map_file: MapOrProject,
    unit: Annotated[str, typer.Argument(metavar="HEX[:CLASS]", help="The unit, or its id.")],
    side: SideOption = None,
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
    """Rule which hexes a unit's zone of control covers.

    Of the hexes around the unit that it does not cover the reason is told.
    """
    from rules.judges.zones import ZoneJudge

    scene = scene_of(map_file, game, which, position, weather)
    standing = scene.counter(unit, side)
    judge = ZoneJudge(scene.field, scene.weather)
    ruling = judge.rule(standing)
    question = {"judge": "zones", "unit": standing, "weather": scene.weather}

    def draw() -> "Drawing":
        from rules.pictures import draw_zone

        return draw_zone(judge, standing, ruling, hex_px=72.0)

    asked = Asked(scene.field.pack, question, scene, (map_file, which))
    answer(asked, ruling, Wanted(as_json, picture, save, declare, force), draw)


@watch_commands.command(
    "supply-side",
    epilog=examples(
        "mapkit rules supply-side alps --side it --position may-15.position.json",
        "mapkit rules supply-side alps --side it --friend 2028 --friend 2130 --enemy 2029 --json",
    ),
)
def supply_side(
    map_file: MapOrProject,
    side: Annotated[str, typer.Option(metavar="ID", help="Whose units.")],
    position: PositionOption = None,
    friend: FriendOption = None,
    enemy: EnemyOption = None,
    game: GameOption = None,
    which: WhichMap = None,
    weather: WeatherOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Rule on the supply of all units of a side at once.

    Units without supply are listed with who cuts them, up to two at a time, and what is due to
    each; for larger sets, and to save or declare a ruling, ask `rules supply` about the one unit.
    """
    from rules.judges.supply import SupplyJudge
    from rules.told import told_side

    scene = scene_of(map_file, game, which, position, weather)
    ours = scene.field.side(side)
    friends, enemies = scene.about(ours, friend, enemy)
    held = scene.control
    judge = SupplyJudge(scene.field, ours, friends, enemies, weather=scene.weather, control=held)
    rulings = [(one.name, two) for one, two in zip(friends, judge.rule_side(), strict=True)]
    if as_json:
        print_json([{"unit": name, **ruling.as_data()} for name, ruling in rulings])
    else:
        tell(told_side(rulings, scene.field.pack))
