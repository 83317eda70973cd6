"""The commands of the combat desk: look a table up, work a combat out."""

from pathlib import Path
from typing import Annotated

import typer

from mapkit.command_line import ForceFlag, JsonFlag, examples, noun, print_json, tell
from rules.answers import Asked, Wanted, answer
from rules.asked import (
    DeclareOption,
    GameOrProject,
    PositionOption,
    SaveOption,
    WeatherOption,
    WhichMap,
    scene_of,
)

WithOption = Annotated[
    list[str] | None,
    typer.Option("--with", metavar="WORD[=N]", help="A circumstance that holds: rain, trench=2."),
]
RollOption = Annotated[
    list[str] | None,
    typer.Option("--roll", metavar="N", help="What the dice show; again for a roll again."),
]
SeedOption = Annotated[
    int | None, typer.Option(metavar="N", help="Let a seed throw the dice: the same each time.")
]

combat_commands = noun("Look tables up and work combats out.")


@combat_commands.command(
    epilog=examples(
        "mapkit rules table strafexpedition",
        "mapkit rules table strafexpedition command-zone-roll --roll 3",
        "mapkit rules table strafexpedition reaction --value initiative=4 --json",
        "mapkit rules table strafexpedition assault --ratio 11:3 --with rain",
        "mapkit rules table strafexpedition daily --with turn-track=1 --roll 5",
    )
)
def table(
    game: GameOrProject,
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A table or check; without it, list.")
    ] = None,
    column: Annotated[
        str | None, typer.Option(metavar="NAME", help="Start in this column.")
    ] = None,
    ratio: Annotated[str | None, typer.Option(metavar="A:B", help="Find the column.")] = None,
    factors: Annotated[str | None, typer.Option(metavar="N", help="Find the column.")] = None,
    value: Annotated[
        str | None,
        typer.Option(metavar="[WORD=]N", help="What a check is held against: initiative=4."),
    ] = None,
    by: Annotated[
        str | None, typer.Option(metavar="WORD", help="What a check depends on: a quality.")
    ] = None,
    procedure: Annotated[
        str | None, typer.Option(metavar="NAME", help="The kind of combat it is read for.")
    ] = None,
    with_: WithOption = None,
    roll: RollOption = None,
    seed: SeedOption = None,
    as_json: JsonFlag = False,
    save: SaveOption = None,
    declare: DeclareOption = None,
    force: ForceFlag = False,
) -> None:
    """Look a table up, with shifts, every face and the odds.

    Where its cells are not entered, it tells what to read on which card.
    """
    from rules.combat.told import told_combat
    from rules.combat.told_tables import tables_data, told_tables
    from rules.combat_questions import TableQuestion
    from rules.project import pack_named

    pack = pack_named(game)
    if name is None:
        print_json(tables_data(pack)) if as_json else tell(told_tables(pack))
        return
    dice = tuple(with_ or ()), tuple(roll or ()), seed
    asked = TableQuestion(name, column, ratio, factors, value, by, procedure, *dice)
    wanted = Wanted(as_json, None, save, declare, force)
    answer(Asked(pack, asked.as_question()), asked.rule(pack), wanted, told=told_combat)


@combat_commands.command(
    epilog=examples(
        "mapkit rules combat strafexpedition assault --attack 11 --defend 3",
        "mapkit rules combat strafexpedition assault --attack 7 --defend 1 --with rain",
        "mapkit rules combat strafexpedition defensive-fire --attack mg=2 --attack bombardment=12",
        "mapkit rules combat caporetto-1917 assault --attack 2 --defend 9 --json",
        "mapkit rules combat alps assault --attack 9 --defend 4 --at 2028 --from 2029",
        "mapkit rules combat alps assault --at 2028 --from 2029 --position game.position.json",
    )
)
def combat(
    game: GameOrProject,
    procedure: Annotated[
        str, typer.Argument(metavar="PROCEDURE", help="assault, bombardment, defensive-fire, …")
    ],
    attack: Annotated[
        list[str] | None,
        typer.Option(metavar="N", help="Factors of who attacks or fires; NAME=N for one kind."),
    ] = None,
    defend: Annotated[
        list[str] | None, typer.Option(metavar="N", help="Factors of the defender.")
    ] = None,
    with_: WithOption = None,
    attacker: Annotated[
        list[str] | None,
        typer.Option(
            metavar="UNIT", help="A unit of his: NAME:steps=2,morale=5,points=1,with=NAME"
        ),
    ] = None,
    defender: Annotated[
        list[str] | None, typer.Option(metavar="UNIT", help="A unit that is hit, as --attacker.")
    ] = None,
    at: Annotated[str | None, typer.Option(metavar="HEX", help="The hex that is hit.")] = None,
    from_: Annotated[
        list[str] | None,
        typer.Option("--from", metavar="HEX", help="Where the attack or fire comes from."),
    ] = None,
    position: PositionOption = None,
    by: Annotated[
        list[str] | None, typer.Option(metavar="UNIT", help="Only these of them attack or fire.")
    ] = None,
    without: Annotated[
        list[str] | None, typer.Option(metavar="WORD", help="Strike out what the map tells.")
    ] = None,
    weather: WeatherOption = None,
    pack_id: Annotated[
        str | None, typer.Option("--game", metavar="ID", help="The rules pack, for a bare map.")
    ] = None,
    which: WhichMap = None,
    roll: RollOption = None,
    seed: SeedOption = None,
    as_json: JsonFlag = False,
    save: SaveOption = None,
    declare: DeclareOption = None,
    force: ForceFlag = False,
) -> None:
    """Work a combat out, from the factors to the losses.

    Every number is told in its order, with its rule. The dice are yours (--roll) or a seed's.
    Units that a result falls on are named with what they have left; the first of a side is the one
    whose morale was used. With --at and --from the map tells terrain, hexsides, levels, trenches
    and weather; with --position the units there bring their factors.
    """
    from rules.combat.told import told_combat
    from rules.combat_questions import CombatQuestion
    from rules.project import pack_named

    if at is None and (from_ or position or by or without or weather):
        raise typer.BadParameter("--from, --position, --by, --without and --weather need --at HEX")
    fight = CombatQuestion(
        procedure,
        attack=tuple(attack or ()),
        defend=tuple(defend or ()),
        said=tuple(with_ or ()),
        attacker=tuple(attacker or ()),
        defender=tuple(defender or ()),
        by=tuple(by or ()),
        without=tuple(without or ()),
        roll=tuple(roll or ()),
        seed=seed,
    )
    wanted = Wanted(as_json, None, save, declare, force)
    if at is None:
        pack = pack_named(game)
        answer(Asked(pack, fight.as_question()), fight.rule(pack), wanted, told=told_combat)
        return
    scene = scene_of(Path(game), pack_id, which, position, weather)
    spot, pack = fight.spot(scene, at, tuple(from_ or ())), scene.field.pack
    asked = Asked(pack, fight.as_question(spot), scene, (Path(game), which))
    answer(asked, fight.rule(pack, spot), wanted, told=told_combat)
