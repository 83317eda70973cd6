"""Worked examples of tasks: who wants to do what where, what is said, and what the rules answer."""

from collections.abc import Callable
from typing import Literal

from pydantic import Field

from rules.battlefield import Battlefield
from rules.case_maps import CaseHead
from rules.judges.tasks import TaskJudge
from rules.pack import Pack
from rules.ruling import Ruling
from rules.schema.cites import Word
from rules.task_questions import TaskQuestion, situation


class AskedTask(CaseHead):
    """The question of a case. *unit* is `2028:infantry`, or just its class where no map is needed.

    *said* and *not_said* are words as on the command line; *finish* asks whether it is completed.
    """

    judge: Literal["task"]
    task: Word
    unit: str = Field(pattern=r"^(\d{4}:?)?[a-z_]*$")
    side: str | None = None
    target: str | None = None
    said: tuple[str, ...] = ()
    not_said: tuple[str, ...] = ()
    friends: tuple[str, ...] = ()
    enemies: tuple[str, ...] = ()
    turn: int | None = None
    scenario: str | None = None
    phase: str | None = None
    finish: bool = False
    weather: Word | None = None

    @property
    def places(self) -> tuple[str, ...]:
        """Every hex it names."""
        counters = [text.partition(":")[0] for text in (*self.friends, *self.enemies)]
        target = self.target.split("/") if self.target else []
        return (self.unit.partition(":")[0], *target, *counters)


def rule_task_case(
    pack: Pack, case: AskedTask, battlefield: Callable[[tuple[str, ...]], Battlefield]
) -> Ruling:
    """Put a case to the judge of tasks; *battlefield* makes the map about some hexes."""
    on_map = case.unit[:1].isdecimal()
    place, _, class_ = case.unit.partition(":") if on_map else ("", "", case.unit)
    asked = TaskQuestion(
        case.task,
        place or None,
        case.side,
        class_,
        case.target,
        case.said,
        case.not_said,
        case.friends,
        case.enemies,
        case.turn,
        case.scenario,
        case.phase,
        case.weather,
    )
    field = battlefield(case.places) if on_map else None
    judge = TaskJudge(situation(pack, field, asked))
    return judge.rule_finish(case.task) if case.finish else judge.rule(case.task)
