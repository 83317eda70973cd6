"""The commands that keep the turn: where it stands, what is due, what comes next; and who wins."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mapkit.command_line import ForceFlag, JsonFlag, examples, noun, print_json, talk, tell
from rules.answers import Asked, Wanted, answer
from rules.asked import DeclareOption, SaveOption
from rules.positions.change_commands import OnMap, PositionFile

if TYPE_CHECKING:
    from rules.positions.position import Position
    from rules.ruling import Reason
    from rules.turns.play import Play

    Change = Callable[[Position, Play], Position]

SideArgument = Annotated[str, typer.Argument(metavar="SIDE", help="A side of the game.")]

turn_commands = noun("Keep the turn: where it stands, what is due, what comes next.")
victory_commands = noun("Tell who wins.")


@turn_commands.command(
    epilog=examples(
        "mapkit rules turn show game.position.json",
        "mapkit rules turn show game.position.json --json",
    )
)
def show(file: PositionFile, as_json: JsonFlag = False) -> None:
    """Tell where the turn stands and what is due now.

    The phase and step with its checklist, who acts, arrivals, points, weather, supply, what may
    be done only so often, and what comes next.
    """
    from rules.positions.position_store import load_position

    _show(file, load_position(file), as_json=as_json)


@turn_commands.command("next", epilog=examples("mapkit rules turn next game.position.json"))
def go_on(file: PositionFile, as_json: JsonFlag = False) -> None:
    """Go on to the next moment of the turn.

    What this turn or scenario leaves out is skipped. Where a formation should be named, going on
    means that the player passes.
    """
    from rules.turns.clock_work import advance

    _keep(file, advance, as_json=as_json)


@turn_commands.command(
    epilog=examples(
        "mapkit rules turn activate game.position.json taro",
        'mapkit rules turn activate game.position.json "Taro Brigade"',
        "mapkit rules turn activate game.position.json salerno arno",
    )
)
def activate(
    file: PositionFile,
    formations: Annotated[
        list[str], typer.Argument(metavar="FORMATION...", help="Id or title; several together.")
    ],
    failed: Annotated[bool, typer.Option("--failed", help="It was tried in vain.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Let a formation act, from its first step on.

    What the rules have against it is told, but nothing is refused. With --failed its player only
    tried, and where players try by turns the other one is next.
    """
    from rules.turns.clock_work import activate as activated
    from rules.turns.clock_work import try_in_vain
    from rules.turns.limits import objections

    def change(position: "Position", play: "Play") -> "Position":
        for name in formations:
            _object(objections(position, play, play.formation(name)))
        if not failed:
            return activated(position, play, tuple(formations))
        for name in formations:
            position = try_in_vain(position, play, name)
        return position

    _keep(file, change, as_json=as_json)


@turn_commands.command("pass", epilog=examples("mapkit rules turn pass game.position.json"))
def let_pass(file: PositionFile, as_json: JsonFlag = False) -> None:
    """Pass, and let the other player act.

    When all have passed one after the other, the turn goes on. Whoever acts leaves out the rest of
    the action, which is told.
    """
    from rules.turns.clock_work import let_pass as passed
    from rules.turns.limits import left_out

    def change(position: "Position", play: "Play") -> "Position":
        _object(left_out(position, play))
        return passed(position, play)

    _keep(file, change, as_json=as_json)


@turn_commands.command(
    epilog=examples(
        "mapkit rules turn react game.position.json roma",
        "mapkit rules turn react game.position.json roma --failed",
    )
)
def react(
    file: PositionFile,
    formation: Annotated[str, typer.Argument(metavar="FORMATION", help="Id or title.")],
    failed: Annotated[bool, typer.Option("--failed", help="It tried in vain.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Let a formation of the other player react.

    When its reaction is over, play goes back to the player it interrupted.
    """
    from rules.turns.clock_work import react as reacted
    from rules.turns.limits import objections_to_reaction

    def change(position: "Position", play: "Play") -> "Position":
        _object(objections_to_reaction(position, play, play.formation(formation)))
        return reacted(position, play, formation, success=not failed)

    _keep(file, change, as_json=as_json)


@turn_commands.command(
    epilog=examples(
        "mapkit rules turn goto game.position.json 10",
        "mapkit rules turn goto game.position.json 8.D",
        "mapkit rules turn goto game.position.json 1 --turn 3",
    )
)
def goto(
    file: PositionFile,
    place: Annotated[str, typer.Argument(metavar="PHASE[.STEP]", help="Where to go.")],
    turn: Annotated[int | None, typer.Option(min=1, metavar="N", help="In this turn.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Go to any phase or step, whatever the order says."""
    from rules.turns.clock_work import go_to

    _keep(file, lambda position, play: go_to(position, play, place, turn), as_json=as_json)


@turn_commands.command(epilog=examples("mapkit rules turn initiative game.position.json ah"))
def initiative(file: PositionFile, side: SideArgument, as_json: JsonFlag = False) -> None:
    """Say who has the initiative this turn."""
    from rules.turns.clock_work import give_initiative

    _keep(file, lambda position, play: give_initiative(position, play, side), as_json=as_json)


@turn_commands.command(epilog=examples("mapkit rules turn take game.position.json ah 1201"))
def take(
    file: PositionFile,
    side: SideArgument,
    hexes: Annotated[list[str], typer.Argument(metavar="HEX...", help="What it took.")],
    on: OnMap = None,
    as_json: JsonFlag = False,
) -> None:
    """Write down that a side took hexes.

    It holds them from now on, and the log tells when they fell.
    """
    from rules.positions.known_places import maps_beside, require_place
    from rules.positions.position import Place
    from rules.turns.taking import take_hex

    def change(position: "Position", play: "Play") -> "Position":
        maps = maps_beside(file, position.game, on)
        for label in hexes:
            require_place(Place("hex", label), play.pack, maps)
            position = take_hex(position, play, label, side)
        return position

    _keep(file, change, as_json=as_json)


@turn_commands.command(epilog=examples("mapkit rules turn end game.position.json"))
def end(file: PositionFile, as_json: JsonFlag = False) -> None:
    """End the game here, as an event may do before the last turn."""
    from rules.turns.clock_work import end_game

    _keep(file, end_game, as_json=as_json)


@turn_commands.command(
    epilog=examples(
        "mapkit rules turn log game.position.json",
        "mapkit rules turn log game.position.json --turn 2",
        "mapkit rules turn log game.position.json --last 0 --json",
    )
)
def log(
    file: PositionFile,
    turn: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only this turn.")] = None,
    last: Annotated[int, typer.Option(min=0, metavar="N", help="At most so many; 0 all.")] = 50,
    as_json: JsonFlag = False,
) -> None:
    """Print what happened, a line each: turn, phase, and what."""
    from rules.positions.position_store import load_position
    from rules.turns.log import log_data, told_log

    position = load_position(file)
    if as_json:
        print_json(log_data(position, turn, last))
    else:
        tell(told_log(position, turn, last))


@victory_commands.command(
    epilog=examples(
        "mapkit rules victory alps game.position.json",
        "mapkit rules victory alps.hexmap.json game.position.json --json",
        "mapkit rules victory alps game.position.json --final",
    )
)
def victory(
    map_file: Annotated[
        Path, typer.Argument(metavar="MAP", readable=False, help="A map, or a project.")
    ],
    file: PositionFile,
    final: Annotated[bool, typer.Option("--final", help="Count as if the game ended now.")] = False,
    as_json: JsonFlag = False,
    save: SaveOption = None,
    declare: DeclareOption = None,
    force: ForceFlag = False,
) -> None:
    """Tell who has won, or what each side still needs.

    The map tells what places score, the position who holds them, and who surrendered.
    """
    from rules.battlefield import battlefield
    from rules.errors import RulesError
    from rules.judges.victory import rule_victory
    from rules.positions.position_store import load_position
    from rules.project import load_project
    from rules.questions import victory_question
    from rules.registry import find_pack
    from rules.scene import Scene

    position = load_position(file)
    project = load_project(map_file)
    if project.game and project.game != position.game:
        raise RulesError(
            f"{file}: a position of {position.game}, but the project {map_file} is of "
            f"{project.game}; give the project of that game"
        )
    pack = (project.pack if project.game == position.game else None) or find_pack(position.game)
    fields = [battlefield(project, project.map(name), pack) for name in project.maps]
    if (save or declare) and len(fields) != 1:
        raise RulesError("a ruling over several maps cannot be verified; it is told, but not saved")
    grounds = [one.ground for one in fields]
    ruling = rule_victory(position, grounds, pack=pack, over=True if final else None)
    scene = Scene(fields[0]) if len(fields) == 1 else None
    asked = Asked(pack, victory_question(position, final=final), scene, (map_file, None))
    answer(asked, ruling, Wanted(as_json, None, save, declare, force))


def _keep(file: Path, change: "Change", *, as_json: bool) -> None:
    """Change the position in a file, in one step that can be undone, and show the turn."""
    from rules.turns.turn_file import keep_turn

    kept = keep_turn(file, lambda position: change(position, _play(file, position)))
    _show(file, kept, as_json=as_json)


def _play(file: Path, position: "Position") -> "Play":
    """What a position is played by: the game as the owner of the project beside it reads it."""
    from rules.positions.known_places import pack_beside
    from rules.turns.play import play_of

    return play_of(position, pack_beside(file, position.game))


def _show(file: Path, position: "Position", *, as_json: bool) -> None:
    from rules.turns.turn_told import told_now, turn_data

    play = _play(file, position)
    print_json(turn_data(position, play)) if as_json else tell(told_now(position, play))


def _object(reasons: "tuple[Reason, ...]") -> None:
    for reason in reasons:
        talk(reason.told())
