"""The moments of a phase and the steps of an action in their order; places by their name."""

from dataclasses import dataclass

from rules.errors import RulesError
from rules.positions.position import Position
from rules.schema.sequence import Phase
from rules.turns.play import Play


@dataclass(frozen=True, slots=True)
class Moment:
    """A step of a phase ("" where it has none) and the side that acts ("" for both or nobody)."""

    step: str = ""
    active: str = ""


def moments_of(play: Play, phase: Phase, initiative: str, turn: int) -> list[Moment]:
    """Return the moments of a phase in which no formations act, in their order."""
    stops: list[tuple[str, tuple[str, ...]]] = [
        (step.id, step.who or phase.who) for step in play.steps(phase, turn)
    ]
    if not stops and not play.sequence.steps(phase):
        stops = [("", phase.who)]
    found: list[Moment] = []
    for step, actors in stops:
        roles = {"active": phase.active or "", "opponent": phase.opponent or ""}
        who = [play.side(roles.get(actor, actor), initiative) for actor in actors]
        if phase.how == "in_turn":
            found += [Moment(step, one) for one in who]
        else:
            one_side = len(who) == 1 and who[0] not in ("both", "nobody")
            found.append(Moment(step, who[0] if one_side else ""))
    return found


def first_at(play: Play, phase: Phase, step: str, initiative: str, turn: int) -> Moment:
    """Return the first moment of a phase or of a step of it, also one that the turn leaves out."""
    fitting = [
        one for one in moments_of(play, phase, initiative, turn) if one.step == step or not step
    ]
    if fitting and not play.actions(phase):
        return fitting[0]
    return Moment(step, play.side(phase.active, initiative) if phase.active else "")


def named_place(play: Play, place: str) -> tuple[Phase, str]:
    """Return the phase and step that a place means: `8`, `8.A` or the step's own id, `5.3`."""
    for phase in play.sequence.phases:
        if place == phase.id:
            return phase, ""
        for step in phase.steps:
            if place == step.id and "." in place:
                return phase, step.id
        for step in play.sequence.steps(phase):
            if place.casefold() == f"{phase.id}.{step.id}".casefold():
                return phase, step.id
    known = ", ".join(phase.id for phase in play.sequence.phases)
    raise RulesError(f"there is no place '{place}' in the turn; there is: {known}, and steps: 8.A")


def is_reaction(position: Position, play: Play) -> bool:
    """Tell whether the formation that acts does so in the other player's phase."""
    clock = position.clock
    if not clock.formation or not clock.phase:
        return False
    phase = play.phase(clock.phase)
    actions = play.actions(phase)
    if actions and actions.alternates:
        return False
    owner = play.side(phase.active or "", position.initiative)
    return play.side(clock.active, position.initiative) != owner


def steps_left(position: Position, play: Play, phase: Phase) -> list[str]:
    """Return the steps of its action that the formation acting now has not come to yet."""
    clock = position.clock
    steps = [step.id for step in play.action_steps(phase, clock.turn)]
    reaction = play.reaction(phase)
    if is_reaction(position, play) and reaction and reaction.last_step in steps:
        steps = steps[: steps.index(reaction.last_step) + 1]
    order = [step.id for step in play.sequence.steps(phase)]
    at = order.index(clock.step) if clock.step in order else -1
    return [step for step in steps if order.index(step) > at]
