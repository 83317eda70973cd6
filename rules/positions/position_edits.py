"""Edits of a position as JSON-able values: what the journal keeps and undo walks back.

An edit replaces one entry (a unit, a marker, a number of points, the clock, a line of the log) by
another, or takes it away where the entry is null. Its inverse puts the old entry back.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from mapkit.document.writing import sparse
from mapkit.errors import DocumentError, MapkitError
from rules.positions.position import Clock, Entry, Marker, Piece, Place, Position, marker_order
from rules.positions.position_file import UNIT_LINE, Count, Name, Text, piece_from, unit_line

Edit = Mapping[str, Any]

_Entry = TypeVar("_Entry")
_Key = TypeVar("_Key")


def change_piece(piece: Piece) -> Edit:
    """Return the edit that puts a unit into play, or another state of it in its place."""
    return {"what": "unit", "at": piece.unit.id, "entry": unit_line(piece)}


def move_piece(piece: Piece, place: Place) -> Edit:
    """Return the edit that puts a unit elsewhere."""
    return change_piece(replace(piece, place=place))


def lay_marker(marker: Marker) -> Edit:
    """Return the edit that lays a marker, or gives the one that lies there another number."""
    return {"what": "marker", "at": _marker_key(marker), "entry": sparse(marker)}


def take_marker(marker: Marker) -> Edit:
    """Return the edit that takes a marker away."""
    return {"what": "marker", "at": _marker_key(marker), "entry": None}


def set_clock(clock: Clock) -> Edit:
    """Return the edit that says where the turn stands."""
    return {"what": "clock", "at": "", "entry": sparse(clock)}


def set_weather(weather: str | None) -> Edit:
    """Return the edit that changes the weather; None is not known."""
    return {"what": "weather", "at": "", "entry": weather}


def set_initiative(side: str) -> Edit:
    """Return the edit that says who has the initiative."""
    return {"what": "initiative", "at": "", "entry": side}


def set_points(side: str, kind: str, n: int | None) -> Edit:
    """Return the edit that sets points of a side; None takes the count away."""
    return {"what": "points", "at": [side, kind], "entry": n}


def set_control(label: str, side: str | None) -> Edit:
    """Return the edit that says who held a hex last; None where nobody knows."""
    return {"what": "control", "at": label, "entry": side}


def add_entry(position: Position, entry: Entry) -> Edit:
    """Return the edit that adds a line to the log."""
    return {"what": "log", "at": len(position.log), "entry": sparse(entry)}


def in_one(edits: Sequence[Edit]) -> Edit:
    """Return edits that are done, and undone, as one."""
    return {"what": "several", "at": "", "entry": list(edits)}


def apply_edit(position: Position, edit: Edit) -> Position:
    """Return the position with one entry replaced, added or removed.

    Raises:
        DocumentError: the edit does not fit this position.
    """
    try:
        return _APPLY[edit["what"]](position, edit["at"], edit["entry"])
    except KeyError as missing:
        raise DocumentError(f"an edit without {missing}, or of an unknown sort") from None
    except ValidationError as error:
        reason = error.errors()[0]["msg"]
    except (TypeError, ValueError, MapkitError) as error:
        reason = str(error)
    told = f"{edit['what']} {edit['at']}"
    raise DocumentError(f"this edit of {told} does not fit the position: {reason}")


def invert_edit(position: Position, edit: Edit) -> Edit:
    """Return the edit that undoes *edit*, made from the position as it is before."""
    what, at = edit["what"], edit["at"]
    if what == "several":
        inverses: list[Edit] = []
        for one in edit["entry"]:
            inverses.insert(0, invert_edit(position, one))
            position = apply_edit(position, one)
        return in_one(inverses)
    return {"what": what, "at": at, "entry": _current(position, what, at)}


def _current(position: Position, what: str, at: Any) -> object:
    """Return the entry that stands in the position now; None where there is none."""
    found: object = None
    match what:
        case "unit" if at in position.pieces:
            found = unit_line(position.pieces[at])
        case "marker":
            markers = (one for one in position.markers if _marker_key(one) == at)
            found = next(map(sparse, markers), None)
        case "clock":
            found = sparse(position.clock)
        case "points":
            found = position.points.get(at[0], {}).get(at[1])
        case "control":
            found = position.control.get(at)
        case "log" if 0 <= at < len(position.log):
            found = sparse(position.log[at])
        case "weather" | "initiative":
            found = getattr(position, what)
    return found


def _apply_unit(position: Position, at: Any, entry: Any) -> Position:
    line = entry and _checked(UNIT_LINE, entry)
    if line and line.id != at:
        raise DocumentError(f"the entry is of the unit '{line.id}'")
    pieces = _with(position.pieces, str(at), piece_from(line) if line else None)
    return replace(position, pieces=pieces)


def _apply_marker(position: Position, at: Any, entry: Any) -> Position:
    others = tuple(one for one in position.markers if _marker_key(one) != at)
    if entry is None:
        return replace(position, markers=others)
    marker = _checked(_MARKER, entry)
    if _marker_key(marker) != at:
        raise DocumentError(f"the entry is of the marker '{marker.kind}' on {marker.at}")
    return replace(position, markers=(*others, marker))


def _apply_clock(position: Position, _: Any, entry: Any) -> Position:
    return replace(position, clock=_checked(_CLOCK, entry))


def _apply_weather(position: Position, _: Any, entry: Any) -> Position:
    return replace(position, weather=_checked(_WEATHER, entry))


def _apply_initiative(position: Position, _: Any, entry: Any) -> Position:
    return replace(position, initiative=_checked(_TEXT, entry))


def _apply_points(position: Position, at: Any, entry: Any) -> Position:
    side, kind = _checked(_PAIR, at)
    n = None if entry is None else _checked(_COUNT, entry)
    kinds = _with(position.points.get(side, {}), kind, n)
    return replace(position, points=_with(position.points, side, kinds or None))


def _apply_control(position: Position, at: Any, entry: Any) -> Position:
    side = None if entry is None else _checked(_TEXT, entry)
    return replace(position, control=_with(position.control, str(at), side))


def _apply_log(position: Position, at: Any, entry: Any) -> Position:
    log = position.log
    if entry is None:
        if at != len(log) - 1:
            raise DocumentError("only the last line of the log can be taken back")
        return replace(position, log=log[:-1])
    if at != len(log):
        raise DocumentError(f"the log has {len(log)} lines; the next goes behind them")
    return replace(position, log=(*log, _checked(_LOG, entry)))


def _apply_several(position: Position, _: Any, entry: Any) -> Position:
    for edit in entry:
        position = apply_edit(position, edit)
    return position


def _marker_key(marker: Marker) -> list[str]:
    return [str(part) for part in marker_order(marker)[:4]]


def _checked(form: TypeAdapter[_Entry], entry: object) -> _Entry:
    # By way of JSON, so that an edit is held to the very letter of the file format.
    return form.validate_json(json.dumps(entry))


def _with(old: Mapping[_Key, _Entry], key: _Key, entry: _Entry | None) -> dict[_Key, _Entry]:
    changed = dict(old)
    if entry is None:
        changed.pop(key, None)
    else:
        changed[key] = entry
    return changed


_MARKER = TypeAdapter(Marker)
_CLOCK = TypeAdapter(Clock)
_LOG = TypeAdapter(Entry)
_TEXT = TypeAdapter(Text)
_WEATHER = TypeAdapter(Annotated[str, Field(min_length=1)] | None)
_PAIR = TypeAdapter(tuple[Name, Name])
_COUNT = TypeAdapter(Count)
_APPLY: dict[str, Callable[[Position, Any, Any], Position]] = {
    "unit": _apply_unit,
    "marker": _apply_marker,
    "clock": _apply_clock,
    "weather": _apply_weather,
    "initiative": _apply_initiative,
    "points": _apply_points,
    "control": _apply_control,
    "log": _apply_log,
    "several": _apply_several,
}
