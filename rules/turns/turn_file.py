"""The turn keeper and the store: what it changed, as one edit that one undo takes back."""

from collections.abc import Callable, Iterator
from pathlib import Path

from rules.positions.position import Position
from rules.positions.position_edits import (
    Edit,
    add_entry,
    apply_edit,
    in_one,
    set_clock,
    set_control,
    set_initiative,
    set_weather,
)
from rules.positions.position_store import edit_position


def keep_turn(path: Path, change: Callable[[Position], Position]) -> Position:
    """Change the position in a file and return it; the change is one edit in its journal.

    Raises:
        LockedError: somebody else is editing it.
        DocumentError: it is no position.
    """
    with edit_position(path) as session:
        before = session.value
        after = change(before)
        if after != before:
            session.edit(turn_edit(before, after))
            session.save()
        return session.value


def turn_edit(before: Position, after: Position) -> Edit:
    """Return the edit that leads from one position to the next.

    Only what the turn keeper changes is looked at: clock, initiative, weather, control, log.

    Raises:
        ValueError: the positions differ in something else.
    """
    edit = in_one(list(_edits(before, after)))
    if apply_edit(before, edit) != after:
        raise ValueError("the turn keeper changed what it does not keep: units, markers or points")
    return edit


def _edits(before: Position, after: Position) -> Iterator[Edit]:
    if after.clock != before.clock:
        yield set_clock(after.clock)
    if after.initiative != before.initiative:
        yield set_initiative(after.initiative)
    if after.weather != before.weather:
        yield set_weather(after.weather)
    for label in sorted({*before.control, *after.control}):
        if before.control.get(label) != after.control.get(label):
            yield set_control(label, after.control.get(label))
    position = before
    for entry in after.log[len(before.log) :]:
        edit = add_entry(position, entry)
        position = apply_edit(position, edit)
        yield edit
