"""The command that asks what a unit may do besides moving and fighting."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mapkit.command_line import JsonFlag, examples, noun, print_json, tell
from rules.asked import (
    ClassOption,
    EnemyOption,
    FriendOption,
    GameOption,
    WeatherOption,
    WhichMap,
    field_of,
)
from rules.combat_commands import WithOption

if TYPE_CHECKING:
    from rules.battlefield import Battlefield
    from rules.pack import Pack

MapOrGame = Annotated[
    str, typer.Argument(metavar="MAP|GAME", help="A map, a project, or the id of a rules pack.")
]

task_commands = noun("Rule on what a unit may do besides moving and fighting.")


@task_commands.command(
    epilog=examples(
        "mapkit rules may strafexpedition",
        "mapkit rules may alps build_trench 2028 --side it --class infantry --with activated",
        "mapkit rules may alps rally 2028 --side it --class alpini --with disorganization=1",
        "mapkit rules may karfreit blow_bridge 1523 --side it --class engineers "
        "--target 1524/1624 --turn 2",
        "mapkit rules may caporetto-1917 repair_trench --side it --finish --with moved --json",
        "mapkit rules may alps rally it-87-1 --position game.position.json",
    )
)
def may(
    where: MapOrGame,
    task: Annotated[
        str | None, typer.Argument(metavar="TASK", help="What to do; without it, list.")
    ] = None,
    place: Annotated[
        str | None, typer.Argument(metavar="HEX", help="Where the unit stands, or its id.")
    ] = None,
    side: Annotated[str | None, typer.Option(metavar="ID", help="Whose unit it is.")] = None,
    class_: ClassOption = "",
    target: Annotated[
        str | None, typer.Option(metavar="PLACE", help="The hex or hexside it is aimed at.")
    ] = None,
    with_: WithOption = None,
    without: Annotated[
        list[str] | None, typer.Option(metavar="WORD", help="What is not so: moved.")
    ] = None,
    friend: FriendOption = None,
    enemy: EnemyOption = None,
    position: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Ask for a unit of a game in progress.")
    ] = None,
    turn: Annotated[int | None, typer.Option(min=1, metavar="N", help="The turn.")] = None,
    scenario: Annotated[str | None, typer.Option(metavar="ID", help="The scenario: s1.")] = None,
    phase: Annotated[str | None, typer.Option(metavar="ID", help="Is it the right one?")] = None,
    finish: Annotated[
        bool, typer.Option("--finish", help="Is the work begun earlier completed?")
    ] = False,
    game: GameOption = None,
    which: WhichMap = None,
    weather: WeatherOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Rule whether a unit may do something, condition by condition.

    What the map and the counters named show is looked up; the rest is said: `--with activated`,
    `--without moved`, `--with trench=1`. What nobody said stays open, and the ruling asks for it.
    Without a map everything is said.
    """
    from rules.errors import RulesError
    from rules.judges.tasks import TaskJudge
    from rules.task_questions import TaskQuestion, situation, situation_in
    from rules.told import told_ruling

    pack, field = _where(where, game, which)
    if task is None:
        _list(pack, as_json=as_json)
        return
    asked = TaskQuestion(
        task,
        place=place,
        side=side,
        class_=class_,
        target=target,
        said=with_ or (),
        not_said=without or (),
        friends=friend or (),
        enemies=enemy or (),
        turn=turn,
        scenario=scenario,
        phase=phase,
        weather=weather,
    )
    if position is None:
        now = situation(pack, field, asked)
    elif field is None:
        raise RulesError("a position is played on a map: name a map instead of the game")
    else:
        from rules.positions.position_store import load_position

        now = situation_in(load_position(position), field, asked, which or "")
    judge = TaskJudge(now)
    ruling = judge.rule_finish(task) if finish else judge.rule(task)
    print_json(ruling.as_data()) if as_json else tell(told_ruling(pack, ruling))


def _where(where: str, game: str | None, which: str | None) -> "tuple[Pack, Battlefield | None]":
    """Return the game, and its map where one is named."""
    from rules.registry import find_pack, pack_names

    if where in pack_names() and not Path(where).exists():
        return find_pack(where), None
    field = field_of(Path(where), game, which)
    return field.pack, field


def _list(pack: "Pack", *, as_json: bool) -> None:
    """List the tasks of a game."""
    from mapkit.texts import say

    if as_json:
        print_json(
            [
                {
                    "task": name,
                    "title": task.told(),
                    "phases": list(task.phases),
                    "step": task.step,
                    "sides": list(task.sides or pack.sides),
                    "who": list(task.who),
                    "target": task.target,
                    "conditions": list(task.conditions),
                    "cite": task.cite,
                }
                for name, task in pack.tasks.items()
            ]
        )
        return
    if not pack.tasks:
        tell(say("rules.task.none", game=pack.title))
    for name, task in pack.tasks.items():
        phase = task.step if "." in task.step else f"{'/'.join(task.phases)}{task.step}"
        line = say("rules.task.listed", task=f"{name:24}", title=task.told(), phase=phase)
        tell(f"{line} [{task.cite}]")
