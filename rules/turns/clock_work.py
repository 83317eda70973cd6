"""Where the turn goes next: from moment to moment, into loops and out of them.

All functions take a position and return another with its clock moved and a line in its log. None
of them refuses because a rule would: what the rules object to is told by `objections`.

A moment is a phase, a step of it where it has any, and the side that acts where the sides act one
after the other. Where formations act, the phase itself is a moment too: the player names one or
passes. While a formation acts, *active* stays its side, though some steps are the opponent's.
"""

from dataclasses import replace

from rules.errors import RulesError
from rules.positions.position import Clock, Position
from rules.positions.turn_entry import enter_turn
from rules.schema.sequence import Phase, Step
from rules.turns.log import noted
from rules.turns.moments import Moment, first_at, moments_of, named_place, steps_left
from rules.turns.play import TOGETHER, Play, acting, formations_left


def advance(position: Position, play: Play) -> Position:
    """Return the position at the next moment of the turn, or of the next turn.

    Where a player should name a formation, going on means that he passes.

    Raises:
        RulesError: the game is over.
    """
    clock = position.clock
    if clock.over:
        raise RulesError("the game is over; `mapkit rules turn goto` takes it up again")
    if not clock.phase:
        return _begin(position, play, clock.turn)
    phase = play.phase(clock.phase)
    if actions := play.actions(phase):
        early = [step.id for step in play.early_steps(phase, clock.turn)]
        if early and not clock.formation and clock.step in ("", *early):
            return _next_early(position, play, phase, early)
        acts = clock.formation or clock.step not in ("", actions.offer)
        return _next_step(position, play, phase) if acts else let_pass(position, play)
    after = _after(position, play, phase)
    if after is None:
        return _leave(position, play, phase)
    return _at(position, replace(clock, step=after.step, active=after.active))


def activate(position: Position, play: Play, names: tuple[str, ...]) -> Position:
    """Return the position with formations at the first step of their action.

    Whoever else acted is done. If it is not this side's phase, its phase begins.

    Raises:
        RulesError: there is no such formation, or the sequence lets none act.
    """
    found = tuple(map(play.formation, names))
    if not found:
        raise RulesError("name the formation that acts")
    position = _end_action(position, play)
    owner = play.owner(found[0], position)
    phase = _action_phase(position, play, owner)
    steps = play.action_steps(phase, position.clock.turn)
    clock = replace(
        position.clock,
        phase=phase.id,
        step=steps[0].id if steps else "",
        active=owner or play.side(phase.active or "", position.initiative),
        formation=TOGETHER.join(found),
        passed=(),
        over=False,
    )
    titles = ", ".join(map(play.title, found))
    return noted(_at(position, clock), "rules.turn.log_acts", who=_told(play, clock), what=titles)


def let_pass(position: Position, play: Play) -> Position:
    """Return the position after the player whose action phase it is has passed.

    Raises:
        RulesError: in this phase there is nothing to pass.
    """
    clock = position.clock
    phase = play.phase(clock.phase) if clock.phase else None
    if phase is None or not play.actions(phase):
        raise RulesError(f"in phase '{clock.phase or '-'}' no formations act: nobody can pass")
    position = _end_action(position, play)
    side = play.player(phase, position)
    told = noted(position, "rules.turn.log_passes", who=_title(play, side))
    return _passed(told, play, phase, side)


def try_in_vain(position: Position, play: Play, name: str) -> Position:
    """Return the position after a player tried to activate a formation and failed.

    Where the players alternate, the other one is next, and no passes are in a row any more.

    Raises:
        RulesError: there is no such formation, or nobody tries by turns in this phase.
    """
    clock = position.clock
    phase = play.phase(clock.phase) if clock.phase else None
    actions = play.actions(phase) if phase else None
    if phase is None or actions is None or not actions.alternates:
        raise RulesError(f"in phase '{clock.phase or '-'}' players do not try by turns")
    formation = play.formation(name)
    side = play.owner(formation, position) or play.player(phase, position)
    who, what = _title(play, side), play.title(formation)
    told = noted(_end_action(position, play), "rules.turn.log_tries", who=who, what=what)
    told = _at(told, replace(told.clock, passed=()))
    return _offer(told, play, phase, again=True, to=play.opponent(side))


def react(position: Position, play: Play, name: str, *, success: bool) -> Position:
    """Return the position with a formation of the opponent reacting, or after it tried in vain.

    After the last step of its reaction play goes back to the player it interrupted.

    Raises:
        RulesError: no such formation, or nobody reacts in this phase.
    """
    clock = position.clock
    phase = play.phase(clock.phase) if clock.phase else None
    if phase is None or play.reaction(phase) is None:
        raise RulesError(f"in phase '{clock.phase or '-'}' nobody reacts; name one with `activate`")
    formation = play.formation(name)
    side = play.owner(formation, position) or play.side(phase.opponent or "", position.initiative)
    who, what = _title(play, side), play.title(formation)
    if not success:
        return noted(position, "rules.turn.log_reacts_not", who=who, what=what)
    position = _end_action(position, play)
    steps = play.steps(phase, clock.turn)
    clock = replace(position.clock, step=steps[0].id, active=side, formation=formation, passed=())
    return noted(_at(position, clock), "rules.turn.log_reacts", who=who, what=what)


def go_to(position: Position, play: Play, place: str, turn: int | None = None) -> Position:
    """Return the position at any phase or step: `8`, `8.A`, `5.3`, in this turn or another.

    In another turn nobody has acted yet. To another step of its action a formation goes along.

    Raises:
        RulesError: there is no such place.
    """
    phase, step = named_place(play, place)
    clock = position.clock
    here = phase.id == clock.phase and turn in (None, clock.turn)
    if here and step and clock.formation:
        return noted(_at(position, replace(clock, step=step)), "rules.turn.log_goto", place=place)
    if turn is not None and turn != clock.turn:
        position = enter_turn(position, turn, play.sequence, play.scenario)
    clock = replace(_let_go(position).clock, phase=phase.id, passed=(), round=1, over=False)
    first = first_at(play, phase, step, position.initiative, clock.turn)
    clock = replace(clock, step=first.step, active=first.active)
    return noted(_at(position, clock), "rules.turn.log_goto", place=place)


def give_initiative(position: Position, play: Play, side: str) -> Position:
    """Return the position with the initiative given to a side.

    Raises:
        RulesError: the game has no such side.
    """
    if side not in play.pack.sides:
        known = ", ".join(play.pack.sides)
        raise RulesError(f"{play.pack.title} has no side '{side}'; there is: {known}")
    clock = position.clock
    active = play.side(clock.active, side)  # a phase entered before anybody knew
    moved = replace(position, initiative=side, clock=replace(clock, active=active))
    return noted(moved, "rules.turn.log_initiative", who=_title(play, side))


def end_game(position: Position, play: Play) -> Position:
    """Return the position with the game over, at whatever moment."""
    clock = replace(_let_go(position).clock, phase="", step="", active="", passed=(), over=True)
    told = noted(position, "rules.turn.log_over")
    return _at(told, clock)


def now(position: Position, play: Play) -> tuple[Phase | None, Step | None]:
    """Return the phase and the step that the clock stands at."""
    clock = position.clock
    if not clock.phase:
        return None, None
    phase = play.phase(clock.phase)
    steps = play.sequence.steps(phase)
    return phase, next((step for step in steps if step.id == clock.step), None)


def who_acts(position: Position, play: Play) -> tuple[str, ...]:
    """Return the sides that act at this moment; words such as `both` where it is no one side."""
    clock = position.clock
    phase, step = now(position, play)
    if phase is None:
        return ()
    if play.actions(phase) and step is not None:
        active = play.side(clock.active, position.initiative)
        known = active in play.pack.sides  # else nobody knows who has the initiative
        opponent = play.side("other", active) if known else phase.opponent or "opponent"
        roles = {"active": clock.active, "opponent": opponent}
        who = tuple(roles.get(actor, actor) for actor in step.who) or (clock.active,)
    elif clock.active:
        who = (clock.active,)
    else:
        who = (step.who if step else ()) or phase.who
    return tuple(play.side(actor, position.initiative) for actor in who)


def _begin(position: Position, play: Play, turn: int) -> Position:
    """Enter the first phase of a turn."""
    begun = enter_turn(position, turn, play.sequence, play.scenario)
    phases = play.phases(turn)
    if not phases:
        raise RulesError(f"turn {turn} of {play.pack.title} has no phases; look into its sequence")
    return _enter(noted(begun, "rules.turn.log_turn", turn=turn), play, phases[0])


def _enter(position: Position, play: Play, phase: Phase) -> Position:
    clock = replace(position.clock, phase=phase.id, step="", active="", formation="", passed=())
    position = replace(position, clock=clock)
    if play.actions(phase):
        position = replace(position, clock=replace(clock, round=1))
        if early := play.early_steps(phase, clock.turn):
            told = noted(position, "rules.turn.log_phase", phase=phase.id, title=phase.title)
            return _at(told, replace(told.clock, step=early[0].id))
        return _offer(position, play, phase)
    moments = moments_of(play, phase, position.initiative, clock.turn)
    if not moments:
        return _leave(position, play, phase)
    position = noted(position, "rules.turn.log_phase", phase=phase.id, title=phase.title)
    return _at(position, replace(clock, step=moments[0].step, active=moments[0].active))


def _leave(position: Position, play: Play, phase: Phase) -> Position:
    """Go to what comes after a phase: the next one, the next turn, or the end of the game."""
    turn = position.clock.turn
    order = [one.id for one in play.sequence.phases]
    later = [one for one in play.phases(turn) if order.index(one.id) > order.index(phase.id)]
    if later:
        return _enter(position, play, later[0])
    if play.last_turn is not None and turn >= play.last_turn:
        return end_game(position, play)
    return _begin(position, play, turn + 1)


def _next_early(position: Position, play: Play, phase: Phase, early: list[str]) -> Position:
    """Go on in the steps that come once, and from the last of them to the first try."""
    at = early.index(position.clock.step) + 1 if position.clock.step in early else 0
    if at < len(early):
        return _at(position, replace(position.clock, step=early[at]))
    return _offer(position, play, phase, again=True)


def _offer(
    position: Position, play: Play, phase: Phase, *, again: bool = False, to: str = ""
) -> Position:
    """Let the player of an action phase name a formation; who has none left has passed."""
    side = to or play.side(phase.active or "", position.initiative)
    actions = play.actions(phase)
    step = (actions.offer if actions else None) or ""
    clock = replace(position.clock, phase=phase.id, step=step, active=side, formation="")
    position = replace(position, clock=clock)
    if formations_left(play, position, side) == ():
        told = noted(position, "rules.turn.log_none_left", who=_title(play, side))
        return _passed(told, play, phase, side)
    if again:
        return position
    return noted(position, "rules.turn.log_phase", phase=phase.id, title=phase.title)


def _passed(position: Position, play: Play, phase: Phase, side: str) -> Position:
    """Go on after a pass: to the other player, to the next round, or out of the loop."""
    clock = position.clock
    actions = play.actions(phase)
    if actions and actions.alternates:
        passed = (*clock.passed, side)
        position = _at(position, replace(clock, passed=passed))
        if len(passed) >= (actions.passes or 1):
            return _leave(position, play, phase)
        return _offer(position, play, phase, again=True, to=play.opponent(side))
    passed = tuple(dict.fromkeys((*clock.passed, side)))
    position = replace(position, clock=replace(clock, passed=passed))
    loop = play.loop(phase)
    turn = clock.turn
    ids = {phase.id, *(one.id for one in play.phases(turn))}
    phases = [name for name in (loop.phases if loop else (phase.id,)) if name in ids]
    waiting = [
        one
        for one in map(play.phase, _from_next(phases, phase.id))
        if play.side(one.active or "", position.initiative) not in passed
    ]
    if waiting:
        return _offer(position, play, waiting[0])
    rounds = play.rounds(phase, turn)
    last = play.phase(loop.phases[-1]) if loop else phase
    if rounds and clock.round < rounds.n:
        again = replace(position.clock, passed=(), round=clock.round + 1)
        position = noted(
            _at(position, again), "rules.turn.log_round", each=rounds.each, n=again.round
        )
        return _offer(position, play, play.phase(phases[0]))
    return _leave(_at(position, replace(position.clock, round=1)), play, last)


def _from_next(phases: list[str], name: str) -> list[str]:
    """Return the phases of a loop, beginning after one of them."""
    at = phases.index(name) + 1 if name in phases else 0
    return phases[at:] + phases[:at]


def _next_step(position: Position, play: Play, phase: Phase) -> Position:
    """Go on in the action of a formation; after its last step the player names another."""
    clock = position.clock
    if later := steps_left(position, play, phase):
        return _at(position, replace(clock, step=later[0]))
    actions = play.actions(phase)
    next_one = play.opponent(clock.active) if actions and actions.alternates else ""
    return _offer(_let_go(position), play, phase, again=True, to=next_one)


def _after(position: Position, play: Play, phase: Phase) -> Moment | None:
    """Return the next moment of a phase in which no formations act; None after its last one."""
    clock = position.clock
    moments = moments_of(play, phase, position.initiative, clock.turn)
    here = Moment(clock.step, play.side(clock.active, position.initiative))
    if not clock.active:  # a phase set by hand, without who acts: the first does
        here = next((one for one in moments if clock.step in ("", one.step)), here)
    if here in moments:
        later = moments[moments.index(here) + 1 :]
    else:  # somebody went to a step that this turn leaves out
        order = [step.id for step in play.sequence.steps(phase)]
        at = order.index(clock.step) if clock.step in order else len(order)
        later = [one for one in moments if one.step in order and order.index(one.step) > at]
    return later[0] if later else None


def _action_phase(position: Position, play: Play, owner: str) -> Phase:
    """Return the phase a formation of a side acts in: the one that is on, else the side's own."""
    acts = [phase for phase in play.sequence.phases if play.actions(phase)]
    if not acts:
        raise RulesError(f"in the sequence of {play.pack.title} no formations are activated")
    on = next((phase for phase in acts if phase.id == position.clock.phase), None)
    own = [
        phase
        for phase in acts
        if not owner
        or play.side(phase.active or "", position.initiative) == owner
        or ((actions := play.actions(phase)) and actions.alternates)
    ]
    return on if on and (on in own or not own) else (own or acts)[0]


def _end_action(position: Position, play: Play) -> Position:
    """Let go of those who act; that they leave out the rest of their action stands in the log."""
    phase = play.phase(position.clock.phase) if position.clock.phase else None
    left = steps_left(position, play, phase) if phase is not None and acting(position) else []
    if left:
        what = ", ".join(map(play.title, acting(position)))
        position = noted(position, "rules.turn.log_left_out", what=what, steps=", ".join(left))
    return _let_go(position)


def _let_go(position: Position) -> Position:
    """Return the position with those that acted done for the turn."""
    clock = position.clock
    done = tuple(dict.fromkeys((*clock.done, *acting(position))))
    return _at(position, replace(clock, formation="", done=done))


def _at(position: Position, clock: Clock) -> Position:
    return replace(position, clock=clock)


def _told(play: Play, clock: Clock) -> str:
    return _title(play, clock.active)


def _title(play: Play, side: str) -> str:
    known = play.pack.sides.get(side)
    return known.title if known else side
