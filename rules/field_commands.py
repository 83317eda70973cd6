"""The commands that ask who may stand, obey and retreat where: stacking, command, retreat."""

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
)

if TYPE_CHECKING:
    from rules.battlefield import Battlefield
    from rules.pack import Pack
    from rules.ruling import Ruling

field_commands = noun("Rule on stacking, command and retreat.")

SpeltUnits = Annotated[
    list[str] | None,
    typer.Option(metavar="CLASS[:WORD…]", help="A unit there: class, size, mode, name."),
]


@field_commands.command(
    epilog=examples(
        "mapkit rules stack alps 2028 --side it --unit infantry --unit alpini --unit fortress",
        "mapkit rules stack karfreit 2020 --unit infantry:battalion --unit light_artillery:fire",
        "mapkit rules stack karfreit 2020 --side it --unit infantry:company:87/4 --json",
    )
)
def stack(
    map_file: MapOrProject,
    place: Annotated[str, typer.Argument(metavar="HEX", help="Where they stand.")],
    unit: SpeltUnits = None,
    enemy: SpeltUnits = None,
    side: Annotated[
        str | None, typer.Option(metavar="ID", help="Whose they are; else the first side's.")
    ] = None,
    scenario: Annotated[
        str, typer.Option(metavar="ID", help="Where a scenario allows more to some.")
    ] = "",
    set_up: Annotated[bool, typer.Option("--set-up", help="During set-up.")] = False,
    game: GameOption = None,
    which: WhichMap = None,
    as_json: JsonFlag = False,
) -> None:
    """Rule whether all the units in a hex may stand there.

    Who counts with what, who stacks for nothing, who is too many and what that costs. A unit is
    written as its class, then what matters: `infantry:battalion`, `light_artillery:fire`,
    `infantry:company:87/4`.
    """
    from rules.judges.stacking import StackingJudge
    from rules.spelt_units import spelt_units

    field = field_of(map_file, game, which)
    hex_ = field.hex(place)
    ours, theirs = _sides(field, side)
    friends = spelt_units(field.pack, ours, hex_, unit or [])
    others = spelt_units(field.pack, theirs, hex_, enemy or [], taken=[one.name for one in friends])
    judge = StackingJudge(field, (*friends, *others), scenario=scenario, set_up=set_up)
    _tell_all(field.pack, [judge.rule(hex_)], as_json=as_json)


@field_commands.command(
    epilog=examples(
        "mapkit rules command alps 2028 --side it --range 4",
        "mapkit rules command alps 2028 --side it --range 4 --unit 2031 --enemy 2030 --json",
        "mapkit rules command alps 2028 --side it --range 4 --unit 2031 --place",
        "mapkit rules command alps 2028 --side it --range 4 --picture command.png",
    )
)
def command(
    map_file: MapOrProject,
    place: Annotated[str, typer.Argument(metavar="HEX", help="Where the headquarters stands.")],
    side: Annotated[str, typer.Option(metavar="ID", help="Whose it is.")],
    range_: Annotated[
        int | None, typer.Option("--range", min=0, metavar="N", help="Printed on its counter.")
    ] = None,
    unit: Annotated[
        list[str] | None, typer.Option(metavar="HEX", help="Is a unit there in command?")
    ] = None,
    placing: Annotated[
        bool, typer.Option("--place", help="May the headquarters be placed there at all?")
    ] = False,
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
    force: ForceFlag = False,
) -> None:
    """Rule how far a headquarters is obeyed, or who is in command.

    With --unit a ruling for each; where the range runs into an enemy zone, it names the hexes to
    roll for. With --place it rules whether the headquarters may be put there, the units being
    those of its own formation.
    """
    from rules.judges.command import CommandJudge
    from rules.judges.supply import SupplyJudge

    field = field_of(map_file, game, which)
    friends, enemies = counters_of(field, side, friend, enemy)
    ours, hexes = field.side(side), [field.hex(one) for one in unit or []]
    judge = CommandJudge(field, ours, field.hex(place), range_, friends, enemies, weather)
    if placing:
        sources = tuple(map(field.hex, source or []))
        supply = SupplyJudge(field, ours, friends, enemies, sources, weather)
        rulings = [judge.rule_placement(hexes, supply)]
    else:
        rulings = [judge.rule(hex_) for hex_ in hexes] or [judge.rule_range()]
    if picture is not None:
        from rules.pictures import draw_command

        save_picture(draw_command(judge, hexes, rulings, hex_px=60.0), picture, force=force)
    _tell_all(field.pack, rulings, as_json=as_json)


@field_commands.command(
    epilog=examples(
        "mapkit rules activation strafexpedition --side it --guns 13",
        "mapkit rules activation caporetto-1917 --side it --guns 3 --unplanned --initiative 3",
        "mapkit rules activation strafexpedition --side it --independent alpini --held 2 --json",
    )
)
def activation(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The id of a rules pack.")],
    side: Annotated[str, typer.Option(metavar="ID", help="Whose formation it is.")],
    guns: Annotated[int, typer.Option(min=0, metavar="N", help="Guns attached to it.")] = 0,
    unplanned: Annotated[
        bool, typer.Option("--unplanned", help="A reaction that got no points before.")
    ] = False,
    held: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="The points the player has.")
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
    as_json: JsonFlag = False,
) -> None:
    """Rule what it costs to activate a formation, and if it may be.

    Points for the formation and its guns, the box of the display, and the independent units that
    may come along.
    """
    from mapkit.hexes import Hex
    from rules.judges.activation import Order, activation_cost
    from rules.registry import find_pack
    from rules.spelt_units import spelt_units

    pack = find_pack(game)
    ours, nowhere = pack.side(side), Hex(0, 0)
    loose = spelt_units(pack, ours, nowhere, independent or [])
    own = spelt_units(pack, ours, nowhere, own_division or [])
    order = Order(
        ours,
        guns,
        "unplanned_reaction" if unplanned else "planned",
        held,
        initiative,
        independents=loose,
        of_division=own,
    )
    _tell_all(pack, [activation_cost(pack, order)], as_json=as_json)


@field_commands.command(
    epilog=examples(
        "mapkit rules retreat alps 2028 --side it --class infantry --from 2029",
        "mapkit rules retreat alps 2028 --side it --class alpini --from 2029 --friend 2027 --json",
        "mapkit rules retreat alps 2028 --side ah --class infantry --attacked-from 2029",
        "mapkit rules retreat alps 2028 --side it --class infantry --from 2029 --picture r.png",
    )
)
def retreat(
    map_file: MapOrProject,
    place: Annotated[str, typer.Argument(metavar="HEX", help="The assaulted hex.")],
    side: Annotated[str, typer.Option(metavar="ID", help="Whose the beaten unit is.")],
    class_: Annotated[
        str, typer.Option("--class", metavar="CLASS[:WORD…]", help="Its class, size, mode.")
    ],
    origins: Annotated[
        list[str] | None,
        typer.Option("--from", metavar="HEX", help="Where an assault came from."),
    ] = None,
    origin: Annotated[
        str | None,
        typer.Option("--attacked-from", metavar="HEX", help="For an attacker: his own hex."),
    ] = None,
    friend: FriendOption = None,
    enemy: EnemyOption = None,
    game: GameOption = None,
    which: WhichMap = None,
    weather: WeatherOption = None,
    as_json: JsonFlag = False,
    picture: PictureOption = None,
    force: ForceFlag = False,
) -> None:
    """Rule where a beaten unit retreats to, and what it costs.

    The hexes of the best kind there is, who fires at the unit on its way, and why it may not go
    elsewhere. Name the enemies that matter with --enemy.
    """
    from rules.judges.retreat import RetreatJudge
    from rules.spelt_units import spelt_units

    field = field_of(map_file, game, which)
    friends, enemies = counters_of(field, side, friend, enemy)
    unit = spelt_units(field.pack, field.side(side), field.hex(place), [class_])[0]
    came_from = tuple(map(field.hex, origins or []))
    judge = RetreatJudge(field, unit, came_from, friends, enemies, weather)
    ruling = judge.rule() if origin is None else judge.rule_attacker(field.hex(origin))
    if picture is not None:
        from rules.pictures import draw_retreat

        save_picture(draw_retreat(judge, ruling, hex_px=72.0), picture, force=force)
    _tell_all(field.pack, [ruling], as_json=as_json)


def _tell_all(pack: "Pack", rulings: "list[Ruling]", *, as_json: bool) -> None:
    """Tell one ruling or several; as data, several are a list."""
    from rules.told import told_ruling

    if as_json:
        data = [ruling.as_data() for ruling in rulings]
        print_json(data[0] if len(data) == 1 else data)
    else:
        tell("\n\n".join(told_ruling(pack, ruling) for ruling in rulings))


def _sides(field: "Battlefield", side: str | None) -> tuple[str, str]:
    """Return the side asked about, the game's first where none is named, and its enemy."""
    from rules.errors import RulesError

    if not field.pack.sides:
        raise RulesError(f"the pack of {field.pack.title} holds no rules for its sides yet")
    ours = next(iter(field.pack.sides)) if side is None else field.side(side)
    return ours, field.pack.enemy_of(ours)
