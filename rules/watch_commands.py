"""The commands about whole sides and wide views: observers, fire lines, zones, supply of all."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mapkit.command_line import ForceFlag, JsonFlag, examples, noun, print_json, tell
from rules.asked import (
    EnemyOption,
    FriendOption,
    GameOption,
    MapOrProject,
    PictureOption,
    WeatherOption,
    WhichMap,
    counters_of,
    field_of,
    save_picture,
    tell_ruling,
)

if TYPE_CHECKING:
    from rules.battlefield import Battlefield
    from rules.judges.observers import ObserverJudge
    from rules.ruling import Ruling
    from rules.standing import Standing

SideOption = Annotated[str, typer.Option(metavar="ID", help="Whose guns or unit.")]
HqOption = Annotated[
    str | None, typer.Option("--hq", metavar="HEX", help="The active headquarters.")
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
        "mapkit rules observers alps 3008 --side it --hq 3004 --range 5 --picture seen.png",
    )
)
def observers(
    map_file: MapOrProject,
    target: Annotated[str, typer.Argument(metavar="TARGET", help="The hex to be observed.")],
    side: SideOption,
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
    force: ForceFlag = False,
) -> None:
    """Rule who may observe a target for the guns.

    Every hex that sees the target is listed: those one may observe from, and of the others why
    not.
    """
    field = field_of(map_file, game, which)
    judge = _observers(field, side, (friend, enemy), (hq, hq_range), weather, fire)
    hex_ = field.hex(target)
    ruling = judge.rule(hex_)
    if picture is not None:
        from rules.pictures import draw_observers

        save_picture(draw_observers(judge, hex_, ruling, hex_px=56.0), picture, force=force)
    tell_ruling(field, ruling, as_json=as_json)


@watch_commands.command(
    "fire-line",
    epilog=examples(
        "mapkit rules fire-line karfreit 0610 1007 --side it --class light_artillery --reach 8",
        "mapkit rules fire-line karfreit 0610 1007 --side it --class heavy_artillery --reach 12 "
        "--friend 0709 --json",
    ),
)
def fire_line(
    map_file: MapOrProject,
    gun: Annotated[str, typer.Argument(metavar="GUN", help="Where the gun stands.")],
    target: Annotated[str, typer.Argument(metavar="TARGET", help="The hex fired at.")],
    side: SideOption,
    class_: Annotated[str, typer.Option("--class", metavar="WORD", help="The gun's class.")],
    reach: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="The gun's printed range.")
    ] = None,
    friend: FriendOption = None,
    enemy: EnemyOption = None,
    hq: HqOption = None,
    hq_range: RangeOption = None,
    fire: FireOption = "",
    game: GameOption = None,
    which: WhichMap = None,
    weather: WeatherOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Rule whether a gun may fire directly or indirectly.

    Weather never matters for the direct line, only for whoever observes the target.
    """
    from rules.described import described
    from rules.judges.fire_line import FireLineJudge

    field = field_of(map_file, game, which)
    judge = _observers(field, side, (friend, enemy), (hq, hq_range), weather, fire)
    values = {} if reach is None or field.pack.sight is None else _range(field, reach)
    unit = described(field, field.side(side), gun, class_, values=values)
    ruling = FireLineJudge(field, judge).rule(unit, field.hex(target))
    tell_ruling(field, ruling, as_json=as_json)


@watch_commands.command(
    epilog=examples(
        "mapkit rules zones alps 2028:infantry --side it",
        "mapkit rules zones alps 2028:alpini --side it --json",
        "mapkit rules zones karfreit 2028 --side it --weather fog --picture zone.png",
    )
)
def zones(
    map_file: MapOrProject,
    unit: Annotated[str, typer.Argument(metavar="HEX[:CLASS]", help="The unit.")],
    side: SideOption,
    game: GameOption = None,
    which: WhichMap = None,
    weather: WeatherOption = None,
    as_json: JsonFlag = False,
    picture: PictureOption = None,
    force: ForceFlag = False,
) -> None:
    """Rule which hexes a unit's zone of control covers.

    Of the hexes around the unit that it does not cover the reason is told.
    """
    from rules.judges.zones import ZoneJudge
    from rules.standing import named_on_the_spot

    field = field_of(map_file, game, which)
    (standing,) = named_on_the_spot(field, field.side(side), [unit])
    judge = ZoneJudge(field, weather)
    ruling = judge.rule(standing)
    if picture is not None:
        from rules.pictures import draw_zone

        save_picture(draw_zone(judge, standing, ruling, hex_px=72.0), picture, force=force)
    tell_ruling(field, ruling, as_json=as_json)


@watch_commands.command(
    "supply-side",
    epilog=examples(
        "mapkit rules supply-side alps --side it --position may-15.position.json",
        "mapkit rules supply-side alps --side it --friend 2028 --friend 2130 --enemy 2029 --json",
    ),
)
def supply_side(
    map_file: MapOrProject,
    side: SideOption,
    position: Annotated[
        Path | None,
        typer.Option(metavar="FILE", readable=False, help="Who stands where: *.position.json."),
    ] = None,
    friend: FriendOption = None,
    enemy: EnemyOption = None,
    game: GameOption = None,
    which: WhichMap = None,
    weather: WeatherOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Rule on the supply of all units of a side at once.

    Units without supply are listed with who cuts them, up to two at a time, and what is due to
    each; for larger sets ask `rules supply` about the hex alone.
    """
    from rules.judges.supply import SupplyJudge
    from rules.told import told_side

    field = field_of(map_file, game, which)
    ours = field.side(side)
    friends, enemies = counters_of(field, side, friend, enemy)
    control = None
    if position is not None:
        from rules.positions.on_the_map import field_with_markers, standings
        from rules.positions.position_store import load_position

        loaded = load_position(position)
        field = field_with_markers(field, loaded, which or "")
        units = standings(loaded, field, which or "")
        friends += tuple(unit for unit in units if unit.side == ours)
        enemies += tuple(unit for unit in units if unit.side != ours)
        control, weather = loaded.control, weather or loaded.weather
    judge = SupplyJudge(field, ours, friends, enemies, weather=weather, control=control)
    rulings = judge.rule_side()
    if as_json:
        print_json([{"unit": one.name, **two.as_data()} for one, two in _named(friends, rulings)])
    else:
        tell(told_side([(one.name, two) for one, two in _named(friends, rulings)]))


def _named(
    units: "tuple[Standing, ...]", rulings: "tuple[Ruling, ...]"
) -> "list[tuple[Standing, Ruling]]":
    return list(zip(units, rulings, strict=True))


def _observers(
    field: "Battlefield",
    side: str,
    units: tuple[list[str] | None, list[str] | None],
    command: tuple[str | None, int | None],
    weather: str | None,
    fire: str,
) -> "ObserverJudge":
    from rules.judges.observers import ObserverJudge

    friends, enemies = counters_of(field, side, *units)
    hq, reach = command
    here = None if hq is None else field.hex(hq)
    return ObserverJudge(field, field.side(side), friends, enemies, here, reach, weather, fire)


def _range(field: "Battlefield", reach: int) -> dict[str, int]:
    """Return a gun's range under the name the game prints it by."""
    fire = field.pack.sight.fire if field.pack.sight else None
    return {} if fire is None else {fire.range: reach}
