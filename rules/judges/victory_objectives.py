"""Objectives that the sides chose in secret: which are fulfilled, and what each still needs."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from mapkit.numbering import Numbering
from mapkit.texts import say
from rules.errors import RulesError
from rules.judges.victory_observed import Sightings
from rules.pack import Pack
from rules.positions.position import Position
from rules.ruling import Reason, Values
from rules.scenarios.scenario_files import Scenario
from rules.scenarios.victory import Score, holds_now
from rules.scenarios.victory_needs import needed
from rules.schema.victory import Observed, SecretObjective, SecretObjectives


@dataclass(frozen=True)
class SecretCount:
    """A score with what each side has fulfilled of the objectives it could choose from."""

    pack: Pack
    objectives: SecretObjectives
    score: Score
    numbering: Numbering

    def reasons(self) -> Iterator[Reason]:
        """Yield each objective with what it lacks; of a side whose choice is known, that one."""
        for side, number, one in self._listed():
            values: Values = {
                "side": self.pack.sides[side].title,
                "n": number,
                "title": one.title,
                "needs": self._needs(one),
            }
            yield Reason("rules.victory.objective", values, one.cite)

    def missing(self) -> Iterator[Reason]:
        """Yield whose choice no record tells."""
        for side in self.objectives.of:
            if side not in self.score.chosen:
                values: Values = {
                    "side": self.pack.sides[side].title,
                    "word": self.objectives.chosen,
                }
                yield Reason("rules.victory.objective_secret", values, self.objectives.cite)

    def as_data(self) -> list[dict[str, object]]:
        """Return every objective as JSON-able data."""
        return [
            {
                "side": side,
                "number": number,
                "title": one.title,
                "chosen": self.score.chosen.get(side) == number,
                "fulfilled": self.score.objectives[side][number - 1],
                "needs": self._needs(one),
                "cite": one.cite,
            }
            for side, number, one in self._listed(every=True)
        ]

    def _listed(self, *, every: bool = False) -> Iterator[tuple[str, int, SecretObjective]]:
        for side, choices in self.objectives.of.items():
            for number, one in enumerate(choices, 1):
                if every or self.score.chosen.get(side, number) == number:
                    yield side, number, one

    def _needs(self, one: SecretObjective) -> str:
        lacking = [
            needed(condition, self.score, self.numbering).told()
            for condition in one.all_of
            if not holds_now(condition, self.score, self.numbering)
        ]
        return "; ".join(lacking) or say("rules.victory.needs_nothing")


def with_objectives(
    score: Score, scenario: Scenario, position: Position, sightings: Sightings, numbering: Numbering
) -> Score:
    """Return a score that tells of secret objectives too, where a scenario has them.

    Raises:
        RulesError: the position says that a side chose an objective that there is not.
    """
    objectives = scenario.objectives
    if objectives is None:
        return score
    score = replace(score, seen={one: sightings.holds(one) for one in _to_see(objectives)})
    answers = {
        side: tuple(_all_hold(one, score, numbering) for one in choices)
        for side, choices in objectives.of.items()
    }
    chosen = {
        side: number
        for side in objectives.of
        if (number := position.points.get(side, {}).get(objectives.chosen)) is not None
    }
    for side, number in chosen.items():
        if not 1 <= number <= len(answers[side]):
            raise RulesError(
                f"the position gives '{side}' the objective {number}; "
                f"there are 1 to {len(answers[side])}: correct its points '{objectives.chosen}'"
            )
    return replace(score, objectives=answers, chosen=chosen)


def _to_see(objectives: SecretObjectives) -> Iterator[Observed]:
    for choices in objectives.of.values():
        for one in choices:
            yield from (condition for condition in one.all_of if isinstance(condition, Observed))


def _all_hold(one: SecretObjective, score: Score, numbering: Numbering) -> bool | None:
    answers = [holds_now(condition, score, numbering) for condition in one.all_of]
    return False if False in answers else None if None in answers else True
