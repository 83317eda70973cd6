"""Questions on tasks: everybody asks for every task, with each condition met and not met."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from counters.model import Unit
from mapkit.hexes import Hex
from rules.case_maps import CaseMap
from rules.judges.task_situation import Situation
from rules.judges.tasks import TaskJudge
from rules.pack import Pack
from rules.ruling import Ruling
from rules.schema.forces import classes_in
from rules.schema.tasks import AnyOf, Bounded, Condition, Task, each_condition, said_word
from rules.standing import Standing
from rules.task_questions import TaskQuestion, situation
from tests.rules.whole_games.bare_ground import case_field
from tests.rules.whole_games.desk import numbered
from tests.rules.whole_games.games import Game
from tests.rules.whole_games.listings import Question, in_all_languages

# A phase, a turn and a scenario: at ease, and out of time.
MOMENTS = ((None, 1, "s1"), ("4", 9, "s2"))


def of_tasks(game: Game) -> Iterator[Question]:
    """Yield questions on all tasks; *game* only tells which there are."""
    pack = game.pack
    for name, task in pack.tasks.items():
        doers = classes_in(task.who, pack.classes) - classes_in(task.not_for, pack.classes)
        first = min(doers, default="")
        for class_ in pack.classes if task.who else ("",):
            for side, finish in product(pack.sides, (False, True) if task.finish else (False,)):
                yield _may(name, side, class_, finish=finish, thorough=class_ == first)
        if task.who:
            for case, friends, enemies in _boards(pack, *_places(task)):
                yield _may_there(name, first, case, friends, enemies)
    for word in game.pack.facts:
        yield in_all_languages(_fact(word))


def _places(task: Task) -> tuple[str, str]:
    """Return where the unit stands, and the hex beside it that it is about."""
    here, there = task.at.split("/") if task.at else ("1010", "1011")
    return here, there


Board = tuple[CaseMap, list[str], list[str]]


def _boards(pack: Pack, here: str, there: str) -> Iterator[Board]:
    """Yield maps with one thing each on them, and who stands there."""
    side = f"{here}/{there}"
    road = {next(iter(pack.links)): (f"{here}-{there}",)}
    for class_ in ("infantry", "headquarters", "heavy_artillery"):
        yield CaseMap(), [], [f"{there}:{class_}"]
        yield CaseMap(), [], [f"{there}:infantry", f"{_beyond(here)}:{class_}"]
    for word in pack.features:
        yield CaseMap(hexes={here: f"clear 1 {word}:it"}), [], [f"{there}:infantry"]
    for word, links in product(pack.hexsides, ({}, road)):
        yield CaseMap(hexsides={word: (side,)}, links=links), [], [f"{there}:infantry"]
        for bridge in pack.hexsides[word].crossed_by:
            both = {word: (side,), bridge: (side,)}
            yield CaseMap(hexsides=both, links=links), [], [f"{there}:infantry"]


def _beyond(here: str) -> str:
    """Return the hex on the other side of the unit."""
    return f"{int(here) - 1:04}"


def _may_there(
    name: str, class_: str, case: CaseMap, friends: list[str], enemies: list[str]
) -> Question:
    def of(game: Game) -> Any:
        task = game.pack.tasks[name]
        here, there = _places(task)
        field = numbered(case_field(game.pack, case, (here, there, _beyond(here))))
        target = {"hex": there, "hexside": f"{here}/{there}", "none": None}[task.target]
        found = []
        for side in task.sides or game.pack.sides:
            asked = TaskQuestion(
                name, here, side, class_, None if task.at else target, (), (), friends, enemies
            )
            judge = TaskJudge(situation(game.pack, field, asked))
            found.append(judge.rule(name))
        return [(one.verdict, one.reasons, one.working, one.missing) for one in found]

    return of


def _fact(word: str) -> Question:
    return lambda game: [game.pack.facts[word].told(n) for n in (0, 1, 2)]


def _may(name: str, side: str, class_: str, *, finish: bool, thorough: bool) -> Question:
    """Ask for a task; who is *thorough* breaks each of its conditions, in every state."""

    def of(game: Game) -> Any:
        pack = game.pack
        task = pack.tasks[name]
        met = _met(task.finish if finish else task.conditions)
        parts = each_condition(task.finish if finish else task.conditions)
        told: list[dict[str, int]] = [{}, met]
        if thorough:
            told += [met | _words(inner, one, met=False) for inner, one in parts]
        now = Situation(pack, Standing("", side, Hex(0, 0), class_))
        found = []
        for said, (phase, turn, scenario) in product(told, MOMENTS if thorough else MOMENTS[:1]):
            here = replace(now, said=said, phase=phase, turn=turn, scenario=scenario)
            found.append(_ruled(here, name, finish=finish))
        unit = Unit("u", "U", side, class_=class_)
        for states in ({}, *({word: 1} for word in pack.statuses if thorough)):
            described = replace(now.unit, unit=unit, statuses=states)
            found.append(_ruled(replace(now, unit=described), name, finish=finish))
        return [(one.verdict, one.reasons, one.working, one.assumptions) for one in found]

    return of


def _ruled(now: Situation, name: str, *, finish: bool) -> Ruling:
    judge = TaskJudge(now)
    return judge.rule_finish(name) if finish else judge.rule(name)


def _met(conditions: dict[str, Condition]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, one in conditions.items():
        found |= _words(name, one, met=True)
    return found


def _words(name: str, one: Condition, *, met: bool) -> dict[str, int]:
    """What to say so that a condition is met, at its very edge, or just not met."""
    if isinstance(one, AnyOf):
        first, *others = one.of.items()
        said = _words(*first, met=met)
        for other in others:
            said |= _words(*other, met=False)
        return said
    word = said_word(name, one)
    if isinstance(one, Bounded):
        edge, off = (one.at_least, -1) if one.at_least is not None else (one.at_most or 0, 1)
        return {word: edge if met else edge + off}
    return {word: int(one.holds == met)}
