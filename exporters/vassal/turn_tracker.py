"""The turn tracker: the turns, and in each the phases and steps of the game's sequence of play."""

from collections.abc import Iterator

from exporters.model import Dropped, ExportError
from exporters.vassal.elements import Element, add
from exporters.vassal.sequence import TAB, join, split
from exporters.vassal.traits import listed
from mapkit.texts import say
from rules.errors import RulesError
from rules.pack import Pack
from rules.scenarios.scenario_files import Scenario, scenarios_of
from rules.scenarios.scenario_words import told_turn
from rules.scenarios.sequences import Asked, find_sequence, phases_in_play, steps_in_play
from rules.schema.sequence import Phase, Sequence, Step

_TURN = "build.module.turn"
TRACKER = f"VASSAL.{_TURN}.TurnTracker"


def add_turn_tracker(root: Element, pack: Pack | None, scenario: str = "") -> tuple[Dropped, ...]:
    """Add the tracker of a game, for all its scenarios or for one; return what it lacks.

    The turns of one scenario have their dates; those of all are counted.

    Raises:
        ExportError: a scenario is named, and the game has none of that name.
    """
    if pack is None:
        return ()
    one = named_scenario(pack, scenario)
    title = say("exporters.vassal.turn")
    try:
        parts = list(moments(find_sequence(pack.id), Asked(one)))
    except RulesError:
        parts = []
    levels = "$level1$, $level2$" if parts else "$level1$"
    tracker = add(
        root,
        f"{_TURN}.TurnTracker",
        name=title,
        buttonText=title,
        tooltip=say("exporters.vassal.turn_tip"),
        turnFormat=levels,
        reportFormat="$oldTurn$ → $newTurn$ ($PlayerId$)",
        lengthStyle="Maximum",
        nexthotkey="39,195",
        prevhotkey="37,195",
    )
    turns = _turns(tracker, one)
    if not parts:
        return (Dropped("exporters.vassal.lost.no_sequence", {"game": pack.title}),)
    add(
        turns, f"{_TURN}.ListTurnLevel", property="Phase", turnFormat="$value$", list=listed(*parts)
    )
    return ()


def first_turn(root: Element) -> str | None:
    """Return the command that sets a module's tracker to its first turn; None if it has none."""
    tracker = root.find(TRACKER)
    if tracker is None:
        return None
    return join(TAB, [f"TURN{tracker_id(0)}", tracker_state(tracker)])


def tracker_id(number: int) -> str:
    """Return what the engine calls a tracker in saved games: they are counted in their order."""
    return f"TurnTracker{number}"


def tracker_state(tracker: Element, *levels: int) -> str:
    """Return the state of a tracker whose levels, the top one first, stand at these values.

    A level that counts stands at a number, one that goes through a list at an index; those not
    named stand at their beginning.
    """
    return join("|", ["0", *(_level_state(level, levels) for level in tracker)])


def _level_state(level: Element, values: tuple[int, ...]) -> str:
    below = [_level_state(one, values[1:]) for one in level]
    if level.tag.endswith("ListTurnLevel"):
        listed_ = split(",", level.get("list", ""))
        at = values[0] if values else 0
        return join(";", [str(at), "0", "0", listed(*("true" for _ in listed_)), *below])
    at = values[0] if values else int(level.get("start", "1"))
    return join(";", [str(at), "0", "false", "-1", *below])


def moments(sequence: Sequence, asked: Asked) -> Iterator[str]:
    """Yield the parts of a turn in order, in the words of `mapkit rules turn`.

    The engine gives every item of a list the same items below it: a phase cannot bring steps of
    its own, and so each step stands beside its phase in one list.
    """
    for phase, step in _parts(sequence, asked):
        told = say("rules.turn.phase", phase=phase.id, title=phase.title)
        if step is None:
            yield told
        else:
            yield f"{told}, {say('rules.turn.step', step=step.id, title=step.title)}"


def moment_ids(sequence: Sequence, asked: Asked) -> Iterator[tuple[str, str]]:
    """Yield the phase and step of each of `moments`; the step is "" where a phase has none."""
    for phase, step in _parts(sequence, asked):
        yield phase.id, "" if step is None else step.id


def _parts(sequence: Sequence, asked: Asked) -> Iterator[tuple[Phase, Step | None]]:
    for phase in phases_in_play(sequence, asked):
        for step in steps_in_play(sequence, phase, asked) or (None,):
            yield phase, step


def _turns(tracker: Element, scenario: Scenario | None) -> Element:
    if scenario is None:
        words = say("rules.calendar.turn", turn="$value$")
        return add(tracker, f"{_TURN}.CounterTurnLevel", property="Turn", turnFormat=words, start=1)
    names = listed(*(told_turn(scenario, turn) for turn in scenario.file.turns.numbers))
    return add(tracker, f"{_TURN}.ListTurnLevel", property="Turn", turnFormat="$value$", list=names)


def named_scenario(pack: Pack, name: str) -> Scenario | None:
    """Return the scenario that the user named; None where none was.

    Raises:
        ExportError: the game has none of that name.
    """
    if not name:
        return None
    try:
        return scenarios_of(pack).find(name)
    except RulesError as error:
        raise ExportError(str(error)) from None
