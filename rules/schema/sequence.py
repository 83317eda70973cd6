"""The sequence of play: phases and steps, who acts, what repeats, what is left out, what is due."""

from collections.abc import Iterator
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from rules.schema.cites import Cite, Cited, Strict, Word
from rules.schema.open_points import Id

Actor = Annotated[
    str,
    Field(
        pattern=r"^[a-z][a-z0-9_]*$",
        description="A side, or both, nobody, initiative, other; in steps also active, opponent",
    ),
]
ROLES = frozenset({"both", "nobody", "initiative", "other", "active", "opponent"})
How = Literal["together", "in_turn", "secretly"]
Until = Literal["no_formations_left", "player_passes", "all_pass_in_a_row", "passes_in_a_row"]
DueKind = Literal[
    "reinforcements",
    "withdrawals",
    "points",
    "initiative",
    "weather",
    "supply",
    "events",
    "rally",
    "replacements",
    "victory",
    "tracks",
]
FormationKind = Literal["brigade", "regiment", "division", "corps", "militia", "artillery"]


class When(Strict):
    """When a part of the turn takes place; what is left out does not limit it."""

    first_turn: int | None = Field(None, ge=1)
    last_turn: int | None = Field(None, ge=1)
    final_turn: bool = Field(False, description="Only in the last turn of the scenario")
    scenarios: tuple[Id, ...] = ()
    campaign: bool = Field(False, description="Only in campaigns")
    events: bool = Field(False, description="Only where the scenario has events by then")
    other: str = Field("", description="What else must be so, in our words")


class Task(Cited):
    """One thing to do, a line of the checklist."""

    do: str
    who: Actor | None = None
    optional: bool = False
    when: When | None = None


class Reaction(Cited):
    """In this step the opponent may act out of turn, with one formation, up to *last_step*.

    Then play goes back to the player whose action it was; nobody reacts to a reaction.
    *assumption* is the pack's open question about that, if it has one.
    """

    last_step: str
    assumption: Id | None = None


class Step(Cited):
    """A step of a phase: `A`, `6.2`. *who* is active or opponent where a formation acts."""

    id: str
    title: str
    who: tuple[Actor, ...] = ()
    tasks: tuple[Task, ...] = ()
    optional: bool = False
    when: When | None = None
    reaction: Reaction | None = None


class Rounds(Cited):
    """Some phases are played out in full several times: for one sector, then for the other."""

    n: int = Field(ge=2)
    each: str = Field(description="What each round is for: a sector")
    when: When | None = None


class Repeat(Cited):
    """What is played again and again: a phase with one formation after the other, or phases.

    Where it *alternates*, the players try by turns, one formation at a time, until so many *passes*
    came one after the other. In the step *offer* they name a formation: what stands before it comes
    once, what stands behind it is the action.
    """

    phases: tuple[str, ...] = Field(min_length=1)
    for_each: str = Field("", description="What each round is for: a Brigade")
    until: tuple[Until, ...] = Field(min_length=1)
    activates: tuple[FormationKind, ...] = Field((), description="Which formations act in it")
    only_in: Word | None = Field(None, description="A state of those that act; null: any")
    not_in: tuple[Word, ...] = Field((), description="States of those that do not act")
    rounds: Rounds | None = None
    alternates: bool = False
    passes: int | None = Field(None, ge=1)
    offer: str | None = None

    @model_validator(mode="after")
    def _passes_are_counted(self) -> Self:
        if (self.passes is None) == ("passes_in_a_row" in self.until):
            raise ValueError("'passes' and 'passes_in_a_row' go together")
        if self.alternates != (self.passes is not None):
            raise ValueError("players alternate until a number of passes: give both")
        return self


class Phase(Cited):
    """A phase of the turn.

    Where *active* is set, its steps are played by that player and the opponent. *steps_of* takes
    the steps of another phase, with this one's players.
    """

    id: str
    title: str
    who: tuple[Actor, ...] = Field(min_length=1)
    how: How = "together"
    active: Actor | None = None
    opponent: Actor | None = None
    tasks: tuple[Task, ...] = ()
    steps: tuple[Step, ...] = ()
    steps_of: str | None = None
    when: When | None = None
    due: tuple[DueKind, ...] = Field((), description="What the scenario or position tells of it")


class Limit(Cited):
    """What may be done only so often in a turn or an action; players are reminded of it.

    It is told in its phases, where *steps* are named only in these; "" is before the first one.
    """

    says: str
    phases: tuple[str, ...] = Field(min_length=1)
    steps: tuple[str, ...] = ()
    when: When | None = None


class Start(Cited):
    """A turn that begins later than others, or leaves phases or steps out."""

    turn: int = Field(ge=1)
    scenarios: tuple[Id, ...] = Field((), description="Empty: in all")
    begins_with: str | None = None
    without: tuple[str, ...] = ()


class Sequence(Cited):
    """The turn of one game."""

    phases: tuple[Phase, ...] = Field(min_length=1)
    repeats: tuple[Repeat, ...] = ()
    starts: tuple[Start, ...] = ()
    limits: tuple[Limit, ...] = ()
    initiative: Word | None = Field(None, description="The side that always has it")
    initiative_cite: Cite | None = None

    @model_validator(mode="after")
    def _phases_are_known(self) -> Self:
        known = [phase.id for phase in self.phases]
        twice = {one for one in known if known.count(one) > 1}
        lost = {name for name in self._named() if name not in known}
        steps = {step.id for phase in self.phases for step in phase.steps}
        lost |= {name for start in self.starts for name in start.without} - {*known, *steps}
        lost |= {name for limit in self.limits for name in limit.steps if name} - steps
        every = [step for phase in self.phases for step in phase.steps]
        lost |= {step.reaction.last_step for step in every if step.reaction} - steps
        lost |= {repeat.offer for repeat in self.repeats if repeat.offer} - steps
        if twice or lost:
            raise ValueError(f"phases listed twice {sorted(twice)}, or not at all {sorted(lost)}")
        for phase in self.phases:
            if phase.steps_of and (phase.steps or not self.phase(phase.steps_of).steps):
                raise ValueError(f"phase {phase.id} takes the steps of a phase that has none")
        return self

    def _named(self) -> Iterator[str]:
        for phase in self.phases:
            yield from filter(None, [phase.steps_of])
        for repeat in self.repeats:
            yield from repeat.phases
        for start in self.starts:
            yield from filter(None, [start.begins_with])
        for limit in self.limits:
            yield from limit.phases

    def phase(self, name: str) -> Phase:
        """Return the phase of an id."""
        return next(phase for phase in self.phases if phase.id == name)

    def steps(self, phase: Phase) -> tuple[Step, ...]:
        """Return the steps of a phase, its own or those it takes from another."""
        return self.phase(phase.steps_of).steps if phase.steps_of else phase.steps

    def actors(self) -> frozenset[str]:
        """Return every word that names who acts."""
        found = {actor for phase in self.phases for actor in (*phase.who, phase.active or "both")}
        found |= {phase.opponent or "both" for phase in self.phases}
        for phase in self.phases:
            tasks = [*phase.tasks, *(task for step in phase.steps for task in step.tasks)]
            found |= {task.who for task in tasks if task.who}
            found |= {actor for step in phase.steps for actor in step.who}
        return frozenset(found)
