"""The command that asks what a unit may do besides moving and fighting."""

from pathlib import Path
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
    PositionOption,
    SaveOption,
    WeatherOption,
    WhichMap,
    scene_of,
)
from rules.combat_commands import WithOption

if TYPE_CHECKING:
    from rules.pack import Pack
    from rules.scene import Scene

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
    position: PositionOption = None,
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
    save: SaveOption = None,
    declare: DeclareOption = None,
    force: ForceFlag = False,
) -> None:
    """Rule whether a unit may do something, condition by condition.

    What the map and the counters named show is looked up; the rest is said: `--with activated`,
    `--without moved`, `--with trench=1`. What nobody said stays open, and the ruling asks for it.
    Without a map everything is said.
    """
    from rules.judges.tasks import TaskJudge
    from rules.task_questions import TaskQuestion, asked_question, situation, situation_on

    pack, scene = _where(where, game, which, position, weather)
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
    now = situation(pack, None, asked) if scene is None else situation_on(scene, asked)
    judge = TaskJudge(now)
    ruling = judge.rule_finish(task) if finish else judge.rule(task)
    question = asked_question(now, task, finish=finish)
    wanted = Wanted(as_json, None, save, declare, force)
    source = None if scene is None else (Path(where), which)
    answer(Asked(pack, question, scene, source), ruling, wanted)


def _where(
    where: str, game: str | None, which: str | None, position: str | None, weather: str | None
) -> "tuple[Pack, Scene | None]":
    """Return the game, and its map with who stands on it where one is named."""
    from rules.errors import RulesError
    from rules.registry import find_pack, pack_names

    if where in pack_names() and not Path(where).exists():
        if position is not None:
            raise RulesError("a position is played on a map: name a map instead of the game")
        return find_pack(where), None
    scene = scene_of(Path(where), game, which, position, weather)
    return scene.field.pack, scene


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
