"""The log of a game: one line for each thing that happened, told in the language in use."""

from collections.abc import Mapping
from dataclasses import replace

from mapkit.texts import say
from rules.positions.position import Entry, Position

SAYS, WITH = "says", "with"  # in the data of an entry: its text key, and the values of the text


def noted(position: Position, says: str, **values: str | int) -> Position:
    """Return the position with one more line in its log: a text key and its values."""
    return noted_with(position, says, values, {})


def noted_with(
    position: Position, says: str, values: Mapping[str, str | int], data: Mapping[str, object]
) -> Position:
    """Return the position with one more line that carries further data."""
    entry = Entry(
        position.clock.turn,
        position.clock.phase,
        say(says, **values),
        {SAYS: says, WITH: dict(values), **data},
    )
    return replace(position, log=(*position.log, entry))


def told_entry(entry: Entry) -> str:
    """Return what happened, in the language in use where the line has a key; else as written."""
    says, values = entry.data.get(SAYS), entry.data.get(WITH)
    if isinstance(says, str) and says.startswith("rules.turn.") and isinstance(values, dict):
        try:
            told = say(says, **values)
        except (KeyError, ValueError, IndexError):  # a log written by another version
            return entry.text
        return entry.text if told == says else told
    return entry.text


def told_log(position: Position, turn: int | None = None, last: int | None = None) -> str:
    """Return the log as text: a heading for each turn, then a line for each thing that happened."""
    entries = [one for one in position.log if turn is None or one.turn == turn]
    shown = entries[-last:] if last else entries
    lines: list[str] = []
    heading: int | None = None
    if len(shown) < len(entries):
        lines.append(say("rules.turn.log_earlier", n=len(entries) - len(shown)))
    for entry in shown:
        if entry.turn != heading:
            heading = entry.turn
            lines.append(say("rules.calendar.turn", turn=heading))
        lines.append(f"  {entry.phase or '-':>4}  {told_entry(entry)}")
    return "\n".join(lines) if lines else say("rules.turn.log_empty")


def log_data(
    position: Position, turn: int | None = None, last: int | None = None
) -> list[dict[str, object]]:
    """Return the log as JSON-able data."""
    entries = [one for one in position.log if turn is None or one.turn == turn]
    return [
        {"turn": one.turn, "phase": one.phase, "text": told_entry(one), "data": dict(one.data)}
        for one in (entries[-last:] if last else entries)
    ]
