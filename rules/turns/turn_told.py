"""Where the turn stands, in words and as data: one screen that answers "what now?"."""

from collections.abc import Iterator
from dataclasses import asdict

from mapkit.texts import say
from rules.positions.position import Position
from rules.scenarios.scenario_words import told_assumptions, told_turn
from rules.scenarios.sequences import Line, checklist
from rules.schema.sequence import ROLES
from rules.turns.clock_work import advance, now, who_acts
from rules.turns.due import Due, due_now
from rules.turns.limits import limits_now, restrictions_now
from rules.turns.moments import is_reaction
from rules.turns.play import Play, acting


def told_now(position: Position, play: Play) -> str:
    """Return where the turn stands: the moment, its checklist, what is due and what comes next."""
    lines = [_told_head(position, play), told_moment(position, play)]
    lines += [f"  {line}" for line in _told_state(position, play)]
    lines += [_told_task(line) for line in tasks_now(position, play)]
    due = due_now(position, play)
    if due:
        lines += [say("rules.turn.due")]
        lines += [f"  {line}" for one in due for line in _told_due(one)]
    limits = limits_now(position, play)
    if limits:
        lines += [say("rules.turn.limits"), *(f"  {one.told()}" for one in limits)]
    restricted = restrictions_now(position, play)
    if restricted:
        lines += [say("rules.turn.restrictions"), *(f"  {one}" for one in restricted)]
    lines += _told_open(position, play)
    lines += _told_next(position, play)
    return "\n".join(lines)


def turn_data(position: Position, play: Play) -> dict[str, object]:
    """Return the same as JSON-able data."""
    clock = position.clock
    phase, step = now(position, play)
    return {
        "game": position.game,
        "scenario": position.scenario or None,
        "turn": clock.turn,
        "of": play.last_turn,
        "over": clock.over,
        "phase": {"id": phase.id, "title": phase.title, "cite": phase.cite} if phase else None,
        "step": {"id": step.id, "title": step.title, "cite": step.cite} if step else None,
        "round": clock.round,
        "initiative": position.initiative or None,
        "initiative_cite": play.initiative_cite or None,
        "active": clock.active or None,
        "acts": list(who_acts(position, play)),
        "formations": list(acting(position)),
        "reaction": is_reaction(position, play),
        "done": list(clock.done),
        "passed": list(clock.passed),
        "tasks": [asdict(line) for line in tasks_now(position, play)],
        "due": [_due_data(one) for one in due_now(position, play)],
        "limits": [
            {"says": one.values["says"], "cite": one.cite} for one in limits_now(position, play)
        ],
        "restrictions": list(restrictions_now(position, play)),
        "says": told_moment(position, play),
    }


def told_moment(position: Position, play: Play) -> str:
    """Return the moment in one line: the phase, its step and who acts."""
    clock = position.clock
    if clock.over:
        return say("rules.turn.over")
    phase, step = now(position, play)
    if phase is None:
        return say("rules.turn.not_begun")
    place = say("rules.turn.phase", phase=phase.id, title=phase.title)
    if step is not None:
        place = f"{place}, {say('rules.turn.step', step=step.id, title=step.title)}"
    who = ", ".join(_name(actor, play) for actor in who_acts(position, play))
    return f"{place} – {who} [{(step or phase).cite}]"


def tasks_now(position: Position, play: Play) -> tuple[Line, ...]:
    """Return the lines of the checklist that belong to this moment.

    In the first step of a phase its own lines are shown too.
    """
    clock = position.clock
    found: list[Line] = []
    phase = step = ""
    first = ""
    for line in checklist(play.sequence, play.pack, play.asked(clock.turn)):
        if line.depth == 0:
            phase, step, first = line.id, "", ""
        elif line.id:
            step = line.id
            first = first or step
        elif phase == clock.phase and (
            step == clock.step or (not step and not clock.formation and not first)
        ):
            found.append(line)
    return tuple(found)


def _told_head(position: Position, play: Play) -> str:
    turn = position.clock.turn
    if play.scenario is None:
        return f"{play.pack.title} – {say('rules.calendar.turn', turn=turn)}"
    when = told_turn(play.scenario, turn)
    if play.last_turn is None:
        told = say("rules.turn.of_open", turn=when)
    else:
        told = say("rules.turn.of", turn=when, last=play.last_turn)
    return f"{play.pack.title}, {play.scenario.file.title} – {told}"


def _told_state(position: Position, play: Play) -> Iterator[str]:
    """Yield who acts, who has passed, which round it is."""
    clock = position.clock
    phase, _ = now(position, play)
    if phase is None:
        return
    rounds = play.rounds(phase, clock.turn)
    if rounds:
        values = {"each": rounds.each, "n": clock.round, "of": rounds.n}
        yield f"{say('rules.turn.round', **values)} [{rounds.cite}]"
    if names := acting(position):
        key = "rules.turn.reacting" if is_reaction(position, play) else "rules.turn.acting"
        yield say(key, names=", ".join(map(play.title, names)))
    elif (actions := play.actions(phase)) and clock.step in ("", actions.offer):
        yield say("rules.turn.choose", each=actions.for_each)
    if clock.passed:
        sides = ", ".join(_name(side, play) for side in clock.passed)
        yield say("rules.turn.passed", sides=sides)
    if clock.done:
        yield say("rules.turn.done", names=", ".join(map(play.title, clock.done)))


def _told_task(line: Line) -> str:
    notes = [*line.only, *([say("rules.sequence.optional")] if line.optional else [])]
    who = f"{', '.join(line.who)}: " if line.who else ""
    after = f"; {'; '.join(notes)}" if notes else ""
    return f"  [ ] {who}{line.text}{after} [{line.cite}]"


def _told_due(due: Due) -> Iterator[str]:
    yield due.says.told()
    yield from (f"  {line}" for line in due.lines)


def _told_open(position: Position, play: Play) -> Iterator[str]:
    """Yield the open questions about what is due, and about a reaction that is on."""
    phase, _ = now(position, play)
    rule = play.reaction(phase) if phase else None
    names = [name for due in due_now(position, play) for name in due.assumptions]
    if rule and rule.assumption and is_reaction(position, play):
        names.append(rule.assumption)
    yield from told_assumptions(play.scenarios, dict.fromkeys(names))


def _told_next(position: Position, play: Play) -> Iterator[str]:
    if position.clock.over:
        return
    after = advance(position, play)
    told = told_moment(after, play)
    if after.clock.turn != position.clock.turn:
        told = f"{say('rules.calendar.turn', turn=after.clock.turn)}, {told}"
    phase, _ = now(position, play)
    actions = play.actions(phase) if phase else None
    early = play.early_steps(phase, position.clock.turn) if phase else ()
    in_them = position.clock.step in [step.id for step in early]
    passing = actions and not position.clock.formation and not in_them
    yield say("rules.turn.next_if_pass" if passing else "rules.turn.next", what=told)


def _name(actor: str, play: Play) -> str:
    """Return who acts in words; a word that neither game nor sequence knows stays as it is."""
    known = play.pack.sides.get(actor)
    if known:
        return known.title
    return say(f"rules.sequence.{actor}") if actor in ROLES else actor


def _due_data(due: Due) -> dict[str, object]:
    return {
        "kind": due.kind,
        "says": due.says.told(),
        "cite": due.says.cite,
        "lines": list(due.lines),
        "units": list(due.units),
        "assumptions": list(due.assumptions),
        **due.data,
    }
