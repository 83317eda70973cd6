"""Does a pack know all the words its tasks use? Part of the check in `pack_words`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rules.schema.tasks import (
    Company,
    Condition,
    Count,
    Effect,
    EnemyWithin,
    GroundThere,
    InWeather,
    Level,
    NearGround,
    Observed,
    OfNation,
    Said,
    SideThere,
    Task,
    each_condition,
    said_word,
)

if TYPE_CHECKING:
    from rules.pack import Pack

_Used = tuple[str, frozenset[str], tuple[str, ...]]  # where, what is known there, what is used
_MARKER_EFFECTS = ("raises", "lowers", "clears", "lays", "takes_off")


def task_words(pack: "Pack") -> Iterator[_Used]:
    """Yield the words that tasks and facts use, with those the pack knows."""
    statuses = frozenset(pack.statuses)
    for name, fact in pack.facts.items():
        yield f"facts.{name}.status", statuses, _some(fact.status)
    for name, task in pack.tasks.items():
        yield from _of_task(pack, f"tasks.{name}", task)
        for inner, one in (*each_condition(task.conditions), *each_condition(task.finish)):
            yield from _of_condition(pack, f"tasks.{name}.{inner}", inner, one)


def _of_task(pack: "Pack", place: str, task: Task) -> Iterator[_Used]:
    markers, statuses = frozenset(pack.markers), frozenset(pack.statuses)
    yield f"{place}.sides", frozenset(pack.sides), task.sides
    yield f"{place}.who", pack.groups, (*task.who, *task.not_for)
    yield f"{place}.check", frozenset(pack.checks), _some(task.check)
    for effect in task.effects:
        yield f"{place}.effects.{effect.does}", _known(pack, effect), _some(effect.word)
        yield f"{place}.effects.{effect.does}.classes", pack.groups, effect.classes
    for takes in task.takes:
        yield f"{place}.takes.classes", pack.groups, takes.classes
        yield f"{place}.takes.marker", markers, _some(takes.marker)
        yield f"{place}.takes.points", statuses, _some(takes.points)
    if task.cost is not None:
        yield f"{place}.cost.free_for", frozenset(pack.sides), tuple(task.cost.free_for)


def _of_condition(pack: "Pack", place: str, name: str, one: Condition) -> Iterator[_Used]:
    ground = pack.words("terrain") | pack.words("features")
    yield f"{place}.sides", frozenset(pack.sides), one.sides
    yield f"{place}.classes", pack.groups, (*one.classes, *one.not_for)
    yield f"{place}.or_roll", frozenset(pack.checks), _some(one.or_roll)
    if isinstance(one, Said | Count):
        yield f"{place}.fact", frozenset(pack.facts), (said_word(name, one),)
    if isinstance(one, Level):
        yield f"{place}.marker", frozenset(pack.markers), (one.marker,)
    if isinstance(one, GroundThere):
        yield f"{place}.words", ground, one.words
    if isinstance(one, Company | NearGround):
        yield f"{place}.ground", ground, one.ground
    if isinstance(one, Company | EnemyWithin):
        yield f"{place}.who", pack.groups, one.who
    if isinstance(one, EnemyWithin):
        yield f"{place}.not_counting", pack.groups, one.not_counting
    if isinstance(one, SideThere):
        yield f"{place}.words", pack.words("hexsides"), (*one.words, *one.opened_by)
    if isinstance(one, InWeather):
        yield f"{place}.words", frozenset(pack.weather), one.words
    if isinstance(one, OfNation):
        nations = {word for side in pack.sides.values() for word in side.nationalities}
        yield f"{place}.words", frozenset(nations), one.words
    if isinstance(one, Observed):
        observers = pack.sight.observers if pack.sight else None
        known = frozenset(observers.unseen) if observers else frozenset()
        yield f"{place}.unseen", known, _some(one.unseen)


def _known(pack: "Pack", effect: Effect) -> frozenset[str]:
    if effect.does in _MARKER_EFFECTS:
        return frozenset(pack.markers)
    return frozenset(pack.combat if effect.does == "fires" else pack.statuses)


def _some(word: str | None) -> tuple[str, ...]:
    return () if word is None else (word,)
