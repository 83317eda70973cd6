"""A turn begins: what then holds anew, whichever way players come to it."""

from dataclasses import replace

from rules.errors import RulesError
from rules.positions.position import Clock, Position
from rules.scenarios.scenario_files import Scenario
from rules.scenarios.sequences import find_sequence
from rules.schema.sequence import Sequence


def enter_turn(
    position: Position, turn: int, sequence: Sequence | None, scenario: Scenario | None
) -> Position:
    """Return the position at the beginning of a turn, before its first phase.

    Nobody has acted yet. Where the initiative is won anew nobody has it; the weather is the
    calendar's, and where that is silent it stays.

    Raises:
        RulesError: there is no such turn.
    """
    last = scenario.file.turns.final if scenario else None
    if turn < 1 or (last is not None and turn > last):
        raise RulesError(f"there is no turn {turn}; the last is {last or 'open'}")
    known = scenario.file.weather.on(turn) if scenario else None
    return replace(
        position,
        clock=Clock(turn=turn),
        weather=position.weather if known is None else known,
        initiative=fixed_initiative(sequence, scenario),
    )


def known_sequence(game: str) -> Sequence | None:
    """Return the sequence of play of a game; None where our sources lack it."""
    try:
        return find_sequence(game)
    except RulesError:
        return None


def fixed_initiative(sequence: Sequence | None, scenario: Scenario | None) -> str:
    """Return the side that has the initiative in every turn; "" where it is won anew."""
    if scenario is not None and scenario.file.initiative is not None:
        return scenario.file.initiative.side
    return (sequence.initiative if sequence else None) or ""
