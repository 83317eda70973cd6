"""The commands that ask where units go that cannot stay: retreat, withdrawal, rout."""

from typing import TYPE_CHECKING, Annotated

import typer

from mapkit.command_line import ForceFlag, JsonFlag, examples, noun
from rules.answers import Asked, Wanted, answer
from rules.asked import (
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

retreat_commands = noun("Rule on retreat, withdrawal and rout.")

SpeltClass = Annotated[
    str, typer.Option("--class", metavar="CLASS[:WORD…]", help="Its class, size, mode.")
]


@retreat_commands.command(
    epilog=examples(
        "mapkit rules retreat alps 2028 --side it --class infantry --from 2029",
        "mapkit rules retreat alps 2028 --side it --class alpini --from 2029 --friend 2027 --json",
        "mapkit rules retreat alps 2028 --side ah --class infantry --attacked-from 2029",
        "mapkit rules retreat alps it-roma-79-i --from 2029 --position game.position.json",
        "mapkit rules retreat alps 2028 --side it --class infantry --from 2029 --picture r.png",
    )
)
def retreat(
    map_file: MapOrProject,
    place: Annotated[
        str, typer.Argument(metavar="HEX", help="The assaulted hex, or the beaten unit.")
    ],
    side: SideOption = None,
    class_: SpeltClass = "",
    origins: Annotated[
        list[str] | None,
        typer.Option("--from", metavar="HEX", help="Where an assault came from."),
    ] = None,
    origin: Annotated[
        str | None,
        typer.Option("--attacked-from", metavar="HEX", help="For an attacker: his own hex."),
    ] = None,
    other_from: Annotated[
        list[str] | None,
        typer.Option(metavar="HEX", help="Where another assault of the activation comes from."),
    ] = None,
    position: PositionOption = None,
    friend: FriendOption = None,
    enemy: EnemyOption = None,
    game: GameOption = None,
    which: WhichMap = None,
    weather: WeatherOption = None,
    as_json: JsonFlag = False,
    picture: PictureOption = None,
    save: SaveOption = None,
    declare: DeclareOption = None,
    force: ForceFlag = False,
) -> None:
    """Rule where a beaten unit retreats to, and what it costs.

    The hexes of the best kind there is, or whole ways of several hexes; who fires at the unit on
    its way, and why it may not go elsewhere. Name the enemies that matter with --enemy.
    """
    from rules.judges.retreat import RetreatJudge
    from rules.spelt_units import spelt_unit_asked

    scene = scene_of(map_file, game, which, position, weather)
    unit = spelt_unit_asked(scene, place, scene.side(side, place), class_)
    friends, enemies = scene.about(unit.side, friend, enemy, but=unit)
    came_from = tuple(map(scene.hex, origins or []))
    others = tuple(map(scene.hex, other_from or []))
    judge = RetreatJudge(
        scene.field, unit, came_from, friends, enemies, scene.weather, others, scene.scenario
    )
    back = None if origin is None else scene.hex(origin)
    ruling = judge.rule() if back is None else judge.rule_attacker(back)
    question = {"judge": "retreat", "unit": unit, "origins": came_from, "origin": back}
    question |= {"friends": friends, "enemies": enemies, "weather": scene.weather}
    question |= {"scenario": scene.scenario} | ({"others": others} if others else {})

    def draw() -> "Drawing":
        from rules.pictures import draw_retreat

        return draw_retreat(judge, ruling, hex_px=72.0)

    asked = Asked(scene.field.pack, question, scene, (map_file, which))
    answer(asked, ruling, Wanted(as_json, picture, save, declare, force), draw)


@retreat_commands.command(
    epilog=examples(
        "mapkit rules withdraw tione 2713 --side it --class infantry --enemy 2712",
        "mapkit rules withdraw tione 2713 --side it --class infantry --reacting-to 2711 --json",
        "mapkit rules withdraw tione 2713 --side it --class infantry --failed-check",
        "mapkit rules withdraw tione it-29-pisa --position game.position.json --picture w.png",
    )
)
def withdraw(
    map_file: MapOrProject,
    place: Annotated[str, typer.Argument(metavar="HEX", help="The unit's hex, or its id.")],
    side: SideOption = None,
    class_: SpeltClass = "",
    enemy_hex: Annotated[
        str | None,
        typer.Option("--reacting-to", metavar="HEX", help="In reaction to an enemy there."),
    ] = None,
    failed_check: Annotated[
        bool, typer.Option("--failed-check", help="It failed a check in its own action.")
    ] = False,
    marker: Annotated[
        list[str] | None, typer.Option(metavar="HEX", help="Where an assault comes from.")
    ] = None,
    position: PositionOption = None,
    friend: FriendOption = None,
    enemy: EnemyOption = None,
    game: GameOption = None,
    which: WhichMap = None,
    weather: WeatherOption = None,
    as_json: JsonFlag = False,
    picture: PictureOption = None,
    save: SaveOption = None,
    declare: DeclareOption = None,
    force: ForceFlag = False,
) -> None:
    """Rule by which ways a unit leaves enemy zones without a fight.

    A unit that may not stay in a zone goes until it is in none; one that reacts, or failed a
    check, goes as far as its rule says. Name the enemies that matter with --enemy.
    """
    from rules.spelt_units import spelt_unit_asked
    from rules.withdrawal_questions import WithdrawalQuestion

    scene = scene_of(map_file, game, which, position, weather)
    unit = spelt_unit_asked(scene, place, scene.side(side, place), class_)
    question = WithdrawalQuestion.read(
        scene, unit, friend or (), enemy or (), marker or (), enemy_hex, failed_check=failed_check
    )
    ruling = question.rule()

    def draw() -> "Drawing":
        from rules.pictures import draw_withdrawal

        return draw_withdrawal(question.judge, ruling, hex_px=72.0)

    asked = Asked(scene.field.pack, question.as_question(), scene, (map_file, which))
    answer(asked, ruling, Wanted(as_json, picture, save, declare, force), draw)


@retreat_commands.command(
    epilog=examples(
        "mapkit rules rout tione 2713 --side it --class infantry --enemy 2712 --source 2533",
        "mapkit rules rout tione it-29-pisa --position game.position.json --json",
        "mapkit rules rout tione it-29-pisa --position game.position.json --picture rout.png",
    )
)
def rout(
    map_file: MapOrProject,
    place: Annotated[str, typer.Argument(metavar="HEX", help="The unit's hex, or its id.")],
    side: SideOption = None,
    class_: SpeltClass = "",
    source: Annotated[
        list[str] | None, typer.Option(metavar="HEX", help="One more supply source of its side.")
    ] = None,
    position: PositionOption = None,
    friend: FriendOption = None,
    enemy: EnemyOption = None,
    game: GameOption = None,
    which: WhichMap = None,
    weather: WeatherOption = None,
    as_json: JsonFlag = False,
    picture: PictureOption = None,
    save: SaveOption = None,
    declare: DeclareOption = None,
    force: ForceFlag = False,
) -> None:
    """Rule whether a routed unit is kept for later or lost.

    It is kept where a span of command joins it to a supply source of its side, past enemies and
    their zones.
    """
    from rules.judges.rout import RoutJudge
    from rules.spelt_units import spelt_unit_asked

    scene = scene_of(map_file, game, which, position, weather)
    unit = spelt_unit_asked(scene, place, scene.side(side, place), class_)
    friends, enemies = scene.about(unit.side, friend, enemy, but=unit)
    sources, held = tuple(map(scene.hex, source or [])), dict(scene.control)
    judge = RoutJudge(scene.field, unit, friends, enemies, sources, scene.weather, held)
    ruling = judge.rule()
    question = {"judge": "rout", "unit": unit, "friends": friends, "enemies": enemies}
    question |= {"sources": sources, "weather": scene.weather}
    question |= {"control": held} if held else {}

    def draw() -> "Drawing":
        from rules.pictures import draw_rout

        return draw_rout(judge, ruling, hex_px=60.0)

    asked = Asked(scene.field.pack, question, scene, (map_file, which))
    answer(asked, ruling, Wanted(as_json, picture, save, declare, force), draw)
