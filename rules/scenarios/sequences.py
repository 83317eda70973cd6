"""The sequence of play of a pack, and the turn as a checklist."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from importlib.abc import Traversable

from pydantic import ValidationError

from mapkit.texts import say
from rules.errors import PackError, RulesError
from rules.pack import Pack
from rules.pack_files import read_toml, told_faults
from rules.registry import find_pack, pack_folder
from rules.scenarios.scenario_files import Scenario, scenarios_of
from rules.schema.sequence import ROLES, Phase, Repeat, Sequence, Start, Step, Task, When


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the checklist: a phase (*depth* 0), a step of it, or a task, without id."""

    depth: int
    id: str
    text: str
    who: tuple[str, ...]
    cite: str
    optional: bool = False
    only: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """Which turn a checklist is for; None leaves scenario or turn open."""

    scenario: Scenario | None = None
    turn: int | None = None


@cache
def find_sequence(game: str) -> Sequence:
    """Return the sequence of play of a game.

    Raises:
        PackError: there is no such game, or its files do not read.
        RulesError: our sources lack the sequence of this game.
    """
    pack = find_pack(game)
    sequence = load_sequence(pack_folder(game), pack)
    if sequence is None:
        raise RulesError(f"the pack of {pack.title} has no sequence of play; see your rulebook")
    return sequence


def load_sequence(folder: Traversable, pack: Pack) -> Sequence | None:
    """Return the sequence in a pack's folder; None where it has none.

    Raises:
        PackError: the file does not read, or somebody acts whom the game does not know.
    """
    file = folder / "sequence.toml"
    content = read_toml(file)
    if content is None:
        return None
    try:
        sequence = Sequence.model_validate(content)
    except ValidationError as error:
        raise PackError(f"{file}: {told_faults(error)}") from None
    strangers = sequence.actors() - ROLES - set(pack.sides)
    if strangers:
        raise PackError(f"{file}: nobody is called {', '.join(sorted(strangers))}")
    states = {word for one in sequence.repeats for word in (*one.not_in, one.only_in) if word}
    if unknown := sorted(states - set(pack.statuses)):
        raise PackError(f"{file}: repeats: the game has no state {', '.join(unknown)}")
    return sequence


def ask(pack: Pack, scenario: str | None, turn: int | None) -> Asked:
    """Return the question for the turn of a scenario, both by name.

    Raises:
        RulesError: there is no such scenario, or it has no such turn.
    """
    found = scenarios_of(pack).find(scenario) if scenario is not None else None
    final = found.file.turns.final if found else None
    if found and turn is not None and final is not None and turn > final:
        raise RulesError(f"'{found.id}' has no turn {turn}; its last is {final}")
    return Asked(found, turn)


def phases_in_play(sequence: Sequence, asked: Asked) -> tuple[Phase, ...]:
    """Return the phases of a turn; what surely does not take place is left out."""
    skipped = _skipped(sequence, asked)
    return tuple(
        phase
        for phase in sequence.phases
        if phase.id not in skipped and takes_place(phase.when, asked) is not False
    )


def steps_in_play(sequence: Sequence, phase: Phase, asked: Asked) -> tuple[Step, ...]:
    """Return the steps of a phase; what surely does not take place is left out."""
    skipped = _skipped(sequence, asked)
    return tuple(
        step
        for step in sequence.steps(phase)
        if step.id not in skipped and takes_place(step.when, asked) is not False
    )


def takes_place(when: When | None, asked: Asked) -> bool | None:
    """Tell whether a part takes place in the turn asked for; None where that stays open."""
    if when is None:
        return True
    answers: list[bool | None] = [None] if when.other else []
    file = asked.scenario.file if asked.scenario else None
    turn = asked.turn
    if when.scenarios:
        answers.append(file.id in when.scenarios if file else None)
    if when.campaign:
        answers.append(file.campaign if file else None)
    if when.first_turn or when.last_turn:
        first, last = when.first_turn or 1, when.last_turn
        answers.append(None if turn is None else first <= turn and (not last or turn <= last))
    if when.final_turn:
        answers.append(turn == file.turns.final if file and turn is not None else None)
    if when.events:
        answers.append(_has_events(asked))
    return False if False in answers else None if None in answers else True


def checklist(sequence: Sequence, pack: Pack, asked: Asked) -> tuple[Line, ...]:
    """Return the turn line by line; what surely does not take place is left out."""
    return tuple(_lines(sequence, pack, asked))


def checklist_data(sequence: Sequence, pack: Pack, asked: Asked) -> dict[str, object]:
    """Return the checklist as JSON-able data."""
    return {
        "game": pack.id,
        "scenario": asked.scenario.id if asked.scenario else None,
        "turn": asked.turn,
        "lines": [asdict(line) for line in checklist(sequence, pack, asked)],
        "repeats": [one.model_dump(mode="json") for one in sequence.repeats],
        "starts": [one.model_dump(mode="json") for one in _starts(sequence, asked)],
    }


def told_checklist(sequence: Sequence, pack: Pack, asked: Asked) -> str:
    """Return the turn as a printable checklist."""
    head = say("rules.sequence.head", game=pack.title)
    if asked.scenario is not None:
        head += f", {asked.scenario.file.title}"
    if asked.turn is not None:
        head += f", {say('rules.calendar.turn', turn=asked.turn)}"
    lines = [head, *(f"  {note}" for note in _told_starts(sequence, asked)), ""]
    ends = _repeats_by_end(sequence)
    phase = ""
    for line in checklist(sequence, pack, asked):
        if line.depth == 0:
            lines += _told_repeats(ends.get(phase, []))
            phase = line.id
        lines.append(_told_line(line))
    return "\n".join([*lines, *_told_repeats(ends.get(phase, []))])


def _lines(sequence: Sequence, pack: Pack, asked: Asked) -> Iterator[Line]:
    for phase in phases_in_play(sequence, asked):
        who = tuple(_name(actor, phase, pack) for actor in phase.who)
        only = tuple(_told_when(phase.when, asked))
        if phase.how == "secretly":
            only = (say("rules.sequence.secretly"), *only)
        yield Line(0, phase.id, phase.title, who, phase.cite, False, only)
        yield from _task_lines(phase.tasks, 1, phase, pack, asked)
        for step in steps_in_play(sequence, phase, asked):
            yield from _step_lines(step, phase, pack, asked)


def _step_lines(step: Step, phase: Phase, pack: Pack, asked: Asked) -> Iterator[Line]:
    who = tuple(_name(actor, phase, pack) for actor in step.who)
    only = tuple(_told_when(step.when, asked))
    yield Line(1, step.id, step.title, who, step.cite, step.optional, only)
    yield from _task_lines(step.tasks, 2, phase, pack, asked)


def _task_lines(
    tasks: tuple[Task, ...], depth: int, phase: Phase, pack: Pack, asked: Asked
) -> Iterator[Line]:
    for task in tasks:
        if takes_place(task.when, asked) is not False:
            who = (_name(task.who, phase, pack),) if task.who else ()
            only = tuple(_told_when(task.when, asked))
            yield Line(depth, "", task.do, who, task.cite, task.optional, only)


def _starts(sequence: Sequence, asked: Asked) -> Iterator[Start]:
    """Yield the starts that may concern the turn asked for."""
    for start in sequence.starts:
        other_turn = asked.turn is not None and start.turn != asked.turn
        scenario = asked.scenario
        elsewhere = scenario and start.scenarios and scenario.id not in start.scenarios
        if not other_turn and not elsewhere:
            yield start


def _skipped(sequence: Sequence, asked: Asked) -> set[str]:
    """Return the phases that the turn asked for surely leaves out."""
    skipped: set[str] = set()
    if asked.turn is None:
        return skipped
    names = [phase.id for phase in sequence.phases]
    for start in _starts(sequence, asked):
        if asked.scenario is None and start.scenarios:
            continue
        skipped |= set(start.without)
        if start.begins_with:
            skipped |= set(names[: names.index(start.begins_with)])
    return skipped


def _has_events(asked: Asked) -> bool | None:
    if asked.scenario is None:
        return None
    events = asked.scenario.file.events
    if events is None or events.first_turn is None:
        return False
    return None if asked.turn is None else events.first_turn <= asked.turn


def _told_when(when: When | None, asked: Asked) -> Iterator[str]:
    """Yield the conditions that the question leaves open, in words."""
    if when is None or takes_place(when, asked):
        return
    if when.scenarios and not asked.scenario:
        yield say("rules.sequence.only_scenarios", scenarios=", ".join(when.scenarios))
    if when.campaign and not asked.scenario:
        yield say("rules.sequence.only_campaign")
    if asked.turn is None and (when.first_turn or when.last_turn):
        yield _told_turns(when.first_turn or 1, when.last_turn)
    if when.final_turn and (asked.turn is None or not asked.scenario):
        yield say("rules.sequence.only_final_turn")
    if when.events and (asked.turn is None or not asked.scenario):
        yield say("rules.sequence.only_events")
    if when.other:
        yield say("rules.sequence.only_if", condition=when.other)


def _told_turns(first: int, last: int | None) -> str:
    if last is None:
        return say("rules.sequence.from_turn", n=first)
    if last == first:
        return say("rules.sequence.only_turn", n=first)
    return say("rules.sequence.only_turns", first=first, last=last)


def _name(actor: str, phase: Phase, pack: Pack) -> str:
    resolved = {"active": phase.active, "opponent": phase.opponent}.get(actor) or actor
    if resolved in pack.sides:
        return pack.sides[resolved].title
    return say(f"rules.sequence.{resolved}")


def _repeats_by_end(sequence: Sequence) -> dict[str, list[Repeat]]:
    found: dict[str, list[Repeat]] = {}
    for repeat in sequence.repeats:
        found.setdefault(repeat.phases[-1], []).append(repeat)
    return found


def _told_repeats(repeats: list[Repeat]) -> Iterator[str]:
    for repeat in repeats:
        until = say("rules.sequence.or").join(
            say(f"rules.sequence.until_{name}", **_passes(repeat, name)) for name in repeat.until
        )
        phases = ", ".join(repeat.phases)
        if repeat.for_each:
            told = say("rules.sequence.repeat_each", phases=phases, each=repeat.for_each)
        else:
            told = say("rules.sequence.repeat", phases=phases)
        yield f"  ↺ {told}{until} ({repeat.cite})"


def _passes(repeat: Repeat, until: str) -> dict[str, int]:
    return {"n": repeat.passes or 0} if until == "passes_in_a_row" else {}


def _told_starts(sequence: Sequence, asked: Asked) -> Iterator[str]:
    for start in _starts(sequence, asked):
        where = f" ({', '.join(start.scenarios)})" if start.scenarios else ""
        if start.begins_with:
            text = say("rules.sequence.begins", turn=start.turn, phase=start.begins_with)
            yield f"{text}{where} [{start.cite}]"
        if start.without:
            phases = ", ".join(start.without)
            text = say("rules.sequence.without", turn=start.turn, phases=phases)
            yield f"{text}{where} [{start.cite}]"


def _told_line(line: Line) -> str:
    notes = [*line.only, *([say("rules.sequence.optional")] if line.optional else [])]
    who = f"{', '.join(line.who)}: " if line.who and not line.id else ""
    after = f" – {', '.join(line.who)}" if line.who and line.id else ""
    number = f"{line.id} " if line.id else ""
    told = f"{number}{who}{line.text}{after}"
    told += f"; {'; '.join(notes)}" if notes else ""
    return f"{'    ' * line.depth}[ ] {told} [{line.cite}]"
