"""The commands of the combat desk: look a table up, work a combat out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mapkit.command_line import JsonFlag, examples, noun, print_json, tell
from rules.asked import (
    WeatherOption,
    WhichMap,
    field_of,
)

if TYPE_CHECKING:
    from rules.judges.combat_desk import Spot
    from rules.pack import Pack
    from rules.standing import Standing

GameOrProject = Annotated[
    str, typer.Argument(metavar="GAME", help="The id of a rules pack, or a project with a game.")
]
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
        "mapkit rules table strafexpedition reaction --value 4 --json",
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
        int | None, typer.Option(metavar="N", help="What a check is held against: initiative.")
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
) -> None:
    """Look a table up, with shifts, every face and the odds.

    Where its cells are not entered, it tells what to read on which card.
    """
    from rules.combat.circumstances import read_said
    from rules.combat.inputs import read_factors, read_ratio, thrown
    from rules.combat.told import told_combat
    from rules.combat.told_tables import tables_data, told_tables
    from rules.judges.tables import Entry, TableJudge

    pack = _pack(game)
    if name is None:
        print_json(tables_data(pack)) if as_json else tell(told_tables(pack))
        return
    judge = TableJudge(pack)
    number = read_ratio(ratio) if ratio else read_factors(factors) if factors else None
    rolls = thrown(judge.die_of(name), roll or [], seed)
    entry = Entry(
        column=column,
        number=number,
        said=read_said(with_ or []),
        roll=rolls[0] if rolls else None,
        asked=value,
        by=by,
        procedure=procedure and procedure.replace("-", "_"),
    )
    ruling = judge.rule(name, entry)
    print_json(ruling.as_data()) if as_json else tell(told_combat(pack, ruling))


@combat_commands.command(
    epilog=examples(
        "mapkit rules combat strafexpedition assault --attack 11 --defend 3",
        "mapkit rules combat strafexpedition assault --attack 7 --defend 1 --with rain",
        "mapkit rules combat strafexpedition defensive-fire --attack mg=2 --attack bombardment=12",
        "mapkit rules combat caporetto-1917 assault --attack 2 --defend 9 --json",
        "mapkit rules combat alps assault --attack 9 --defend 4 --at 2028 --from 2029",
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
        typer.Option(metavar="UNIT", help="A unit of his: NAME:steps=2,morale=5,points=1"),
    ] = None,
    defender: Annotated[
        list[str] | None, typer.Option(metavar="UNIT", help="A unit that is hit, as --attacker.")
    ] = None,
    at: Annotated[str | None, typer.Option(metavar="HEX", help="The hex that is hit.")] = None,
    from_: Annotated[
        list[str] | None,
        typer.Option("--from", metavar="HEX", help="Where the attack or fire comes from."),
    ] = None,
    position: Annotated[
        Path | None,
        typer.Option(metavar="FILE", readable=False, help="Take the units of this position."),
    ] = None,
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
) -> None:
    """Work a combat out, from the factors to the losses.

    Every number is told in its order, with its rule. The dice are yours (--roll) or a seed's.
    Units that a result falls on are named with what they have left; the first of a side is the one
    whose morale was used. With --at and --from the map tells terrain, hexsides, levels, trenches
    and weather; with --position the units there bring their factors.
    """
    from rules.combat.circumstances import read_said
    from rules.combat.inputs import read_terms, read_units, thrown
    from rules.combat.look_up import reroll_die
    from rules.combat.told import told_combat
    from rules.judges.combat import CombatJudge, Fight
    from rules.judges.combat_desk import fight_there

    spot = None if at is None else _spot(game, at, from_, position, by, weather, pack_id, which)
    if spot is None and (from_ or position or by or without or weather):
        raise typer.BadParameter("--from, --position, --by, --without and --weather need --at HEX")
    pack = _pack(game) if spot is None else spot.field.pack
    judge = CombatJudge(pack)
    rules = judge.procedure(procedure)
    table_ = pack.tables[rules.table]
    hit = "defender" if table_.two_sided else "target"
    named = {"attacker": read_units(pack, attacker or []), hit: read_units(pack, defender or [])}
    units = {side: targets for side, targets in named.items() if targets}
    counted = position is not None
    fight = Fight(
        procedure=procedure.replace("-", "_"),
        attack=read_terms(rules, "attack", attack or [], needed=not counted),
        defend=read_terms(rules, "defend", defend or [], needed=not counted),
        said=read_said(with_ or []),
        rolls=thrown(table_.die, roll or [], seed, again=reroll_die(pack, table_)),
        units=units,
        first={side: targets[0].name for side, targets in units.items()},
    )
    if spot is not None:
        fight = fight_there(pack, fight, spot, without=without or [])
    ruling = judge.rule(fight)
    print_json(ruling.as_data()) if as_json else tell(told_combat(pack, ruling))


def _spot(
    game: str,
    at: str,
    from_: list[str] | None,
    position: Path | None,
    by: list[str] | None,
    weather: str | None,
    pack_id: str | None,
    which: str | None,
) -> "Spot":
    """Where a fight is: on a map, with the units of a position where one is given."""
    from rules.judges.combat_desk import Spot

    field = field_of(Path(game), pack_id, which)
    units: tuple[Standing, ...] = ()
    if position is not None:
        from rules.positions.on_the_map import field_with_markers, standings
        from rules.positions.position_store import load_position

        played = load_position(position)
        field = field_with_markers(field, played, which or "")
        units = standings(played, field, which or "")
        weather = weather or played.weather
    sources = tuple(field.hex(label) for label in from_ or [])
    return Spot(field, field.hex(at), sources, weather, units, tuple(by or ()))


def _pack(game: str) -> "Pack":
    """The pack of a game, or of a project as its owner completed it."""
    from rules.errors import RulesError
    from rules.project import load_project
    from rules.registry import find_pack, pack_names

    if game in pack_names() or not Path(game).exists():
        return find_pack(game)
    pack = load_project(Path(game)).pack
    if pack is None:
        raise RulesError(f"the project {game} names no game; there is: {', '.join(pack_names())}")
    return pack
