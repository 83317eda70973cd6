"""What the rules limit at this moment, and what they have against a formation acting now.

These are reminders: nothing here stops the players.
"""

from rules.positions.position import Position
from rules.ruling import Reason
from rules.scenarios.scenario_words import told_restriction
from rules.scenarios.sequences import takes_place
from rules.turns.clock_work import now
from rules.turns.moments import is_reaction, steps_left
from rules.turns.play import Play, acting, formations_left


def limits_now(position: Position, play: Play) -> tuple[Reason, ...]:
    """Return what may be done only so often at this moment, each with its rule."""
    clock = position.clock
    asked = play.asked(clock.turn)
    return tuple(
        Reason("rules.turn.limit", {"says": limit.says}, limit.cite)
        for limit in play.sequence.limits
        if clock.phase in limit.phases
        and (not limit.steps or clock.step in limit.steps)
        and takes_place(limit.when, asked) is not False
    )


def restrictions_now(position: Position, play: Play) -> tuple[str, ...]:
    """Return what some units may not do this turn, in words."""
    if play.scenario is None:
        return ()
    return tuple(
        told_restriction(one, play.scenarios)
        for one in play.scenario.file.restrictions
        if one.holds_on(position.clock.turn)
    )


def objections(position: Position, play: Play, formation: str) -> tuple[Reason, ...]:
    """Return what the rules have against a formation acting now; nothing stops the players."""
    clock, title = position.clock, play.title(formation)
    side = play.owner(formation, position)
    found: list[Reason] = [*left_out(position, play)]
    phase, _ = now(position, play)
    actions = phase and play.actions(phase)
    cite = actions.cite if actions else play.sequence.cite
    if formation in clock.done:
        found.append(Reason("rules.turn.acted_already", {"what": title}, cite))
    if phase is None or actions is None:
        found.append(Reason("rules.turn.no_action_phase", {"what": title}, cite))
    elif side and side != play.player(phase, position):
        found.append(Reason("rules.turn.not_its_phase", {"what": title}, cite))
    left = formations_left(play, position, side) if side else None
    if left is not None and formation not in (*left, *clock.done, *acting(position)):
        found.append(Reason("rules.turn.nobody_there", {"what": title}, cite))
    for one in play.scenario.file.restrictions if play.scenario else ():
        whom = one.side == side and (not one.formations or formation in one.formations)
        if "activate" in one.forbids and whom and not one.groups and one.holds_on(clock.turn):
            told = told_restriction(one, play.scenarios).removesuffix(f" [{one.cite}]")
            found.append(Reason("rules.turn.restricted", {"what": told}, one.cite))
    return tuple(found)


def left_out(position: Position, play: Play) -> tuple[Reason, ...]:
    """Return what those who act now leave out of their action when somebody else goes on."""
    phase, _ = now(position, play)
    steps = steps_left(position, play, phase) if phase is not None and acting(position) else []
    if not steps or phase is None:
        return ()
    what = ", ".join(map(play.title, acting(position)))
    actions = play.actions(phase)
    cite = actions.cite if actions else play.sequence.cite
    return (Reason("rules.turn.left_out", {"what": what, "steps": ", ".join(steps)}, cite),)


def objections_to_reaction(position: Position, play: Play, formation: str) -> tuple[Reason, ...]:
    """Return what the rules have against a formation reacting now."""
    phase, step = now(position, play)
    rule = play.reaction(phase) if phase else None
    cite = rule.cite if rule else play.sequence.cite
    found: list[Reason] = []
    if is_reaction(position, play):
        found.append(Reason("rules.turn.reaction_to_reaction", {}, cite))
    elif step is None or step.reaction is None:
        found.append(Reason("rules.turn.no_reaction_now", {}, cite))
    if phase is not None and play.owner(formation, position) == play.player(phase, position):
        title = play.title(formation)
        found.append(Reason("rules.turn.own_phase", {"what": title}, cite))
    others = objections(position, play, formation)
    return (*found, *(one for one in others if one.key != "rules.turn.not_its_phase"))
