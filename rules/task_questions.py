"""Questions about tasks as players put them: in words, on a map, or of a unit of a position."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from mapkit.errors import MapkitError
from mapkit.hexes import Hex, Hexside
from mapkit.notation import parse_place, spell
from rules.battlefield import Battlefield
from rules.combat.circumstances import read_said
from rules.errors import RulesError
from rules.judges.task_situation import Situation
from rules.judges.tasks import find_task
from rules.pack import Pack
from rules.positions.position import Position
from rules.scene import Scene, on_scene
from rules.standing import Standing, named_on_the_spot

NO_PLACE = Hex(0, 0)  # of a unit without a map: nobody reads it


@dataclass(frozen=True, slots=True)
class TaskQuestion:
    """What a player says. *place* is the unit's hex, or its id in a position.

    *said* are words as `activated`, `trench=2`; *not_said* are words that are not so.
    """

    task: str
    place: str | None = None
    side: str | None = None
    class_: str = ""
    target: str | None = None
    said: Sequence[str] = ()
    not_said: Sequence[str] = ()
    friends: Sequence[str] = ()
    enemies: Sequence[str] = ()
    turn: int | None = None
    scenario: str | None = None
    phase: str | None = None
    weather: str | None = None


def situation(pack: Pack, field: Battlefield | None, asked: TaskQuestion) -> Situation:
    """Return the situation that is asked about, on a map or without one.

    Raises:
        RulesError: nobody said whose unit it is or where it stands, or a word is none.
    """
    task = find_task(pack, asked.task)
    if asked.class_ and asked.class_ not in pack.groups:
        known = ", ".join(sorted(pack.groups))
        raise RulesError(f"{pack.title} has no units '{asked.class_}'; there is: {known}")
    if asked.side is None and len(task.sides) != 1:
        raise RulesError(f"whose unit is it? say --side; there is: {', '.join(pack.sides)}")
    side = task.sides[0] if asked.side is None else pack.side(asked.side)
    unit = Standing("", side, NO_PLACE, asked.class_)
    now = Situation(
        pack,
        unit,
        said=read_words(asked),
        turn=asked.turn,
        scenario=asked.scenario,
        phase=asked.phase,
        weather=asked.weather,
    )
    if field is None:
        if asked.friends or asked.enemies:
            raise RulesError("units can be named on a map only: name a map instead of the game")
        return now
    field.require_weather(asked.weather)
    if asked.place is None:
        raise RulesError("where does the unit stand? name its hex after the task")
    hex_ = field.hex(asked.place)
    other = pack.enemy_of(side)
    return replace(
        now,
        battlefield=field,
        unit=replace(unit, name=field.label(hex_), hex=hex_),
        target=parse_target(field, asked.target or task.at),
        friends=named_on_the_spot(field, side, list(asked.friends)),
        enemies=named_on_the_spot(field, other, list(asked.enemies)),
    )


def situation_in(
    position: Position, field: Battlefield, asked: TaskQuestion, map_id: str = ""
) -> Situation:
    """Return the situation of a unit of a position: who stands where is known from it.

    Raises:
        RulesError: no unit on the map has that id, or something is said that the position tells.
    """
    return situation_on(on_scene(field, position, map_id, asked.weather), asked)


def situation_on(scene: Scene, asked: TaskQuestion) -> Situation:
    """Return the situation that is asked about on a map, of a unit of its position if it has one.

    Raises:
        RulesError: a word is none, or something is said that the position tells.
    """
    position, field = scene.position, scene.field
    if position is None:
        return situation(field.pack, field, asked)
    unit = _unit_of(scene, asked)
    task = find_task(field.pack, asked.task)
    friends, enemies = scene.about(unit.side, asked.friends, asked.enemies, but=unit)
    return Situation(
        field.pack,
        unit,
        field,
        parse_target(field, asked.target or task.at),
        friends,
        enemies,
        read_words(asked),
        turn=position.clock.turn if asked.turn is None else asked.turn,
        scenario=asked.scenario or position.scenario or None,
        phase=asked.phase,
        weather=scene.weather,
    )


def asked_question(now: Situation, task: str, *, finish: bool = False) -> dict[str, Any]:
    """Return a situation with every input, as a certificate tells it."""
    unit = now.unit
    question: dict[str, Any] = {
        "judge": "task",
        "task": task,
        "finish": finish,
        "said": dict(now.said),
        "turn": now.turn,
        "scenario": now.scenario,
        "phase": now.phase,
        "weather": now.weather,
    }
    if now.battlefield is None:
        return {**question, "unit": {"side": unit.side, "class": unit.class_}}
    target = None if now.target is None else spell(now.target, now.battlefield.label)
    about = {"unit": unit, "target": target, "friends": now.friends, "enemies": now.enemies}
    return {**question, **about}


def read_words(asked: TaskQuestion) -> dict[str, int]:
    """Return what is said as words with numbers: 1 is so, 0 is not.

    >>> read_words(TaskQuestion("dig", said=["activated", "trench=2"], not_said=["moved"]))
    {'activated': 1, 'trench': 2, 'moved': 0}
    """
    said = {word: 1 if n is None else n for word, n in read_said(asked.said).items()}
    for word in read_said(asked.not_said):
        if word in said:
            raise RulesError(f"'{word}' is said to be so and not to be so")
        said[word] = 0
    return said


def parse_target(field: Battlefield, text: str | None) -> Hex | Hexside | None:
    """Return the hex or hexside a task is aimed at.

    Raises:
        RulesError: it is neither, or not on the map.
    """
    if text is None:
        return None
    try:
        place = parse_place(text, field.map.numbering)
    except MapkitError as error:
        raise RulesError(f"--target: {error}") from None
    if not isinstance(place, Hex | Hexside):
        raise RulesError(f"--target {text}: name a hex (1534) or a hexside (1534/1535)")
    for hex_ in (place,) if isinstance(place, Hex) else place:
        field.map.require(hex_)
    return place


def _name(unit: Standing) -> str:
    return unit.unit.name.casefold() if unit.unit else ""


def _unit_of(scene: Scene, asked: TaskQuestion) -> Standing:
    """The unit that is asked about; what the position tells of it may not be said again."""
    for option, value in {"--side": asked.side, "--class": asked.class_}.items():
        if value:
            raise RulesError(
                f"{option} does not go with --position, which tells who stands where; leave it out"
            )
    named = (asked.place or "").casefold()
    known = [one for one in scene.units if named in (one.name.casefold(), _name(one))]
    unit = known[0] if len(known) == 1 else None
    if unit is None:
        raise RulesError(f"no unit '{asked.place or ''}' stands on this map; name one by its id")
    return unit
