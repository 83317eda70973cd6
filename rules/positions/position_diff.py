"""What changed between two positions: unit by unit, marker by marker."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from mapkit.texts import say
from rules.pack import Pack
from rules.positions.places import format_place
from rules.positions.position import Clock, Marker, Piece, Position, marker_order
from rules.positions.states import states_of


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is otherwise; "" stands for nothing there.

    *what* is unit, marker, clock, weather, initiative, points, control or log; *at* says which
    unit or place; *value* which of its values.
    """

    what: str
    at: str
    value: str
    before: str
    after: str

    def as_data(self) -> dict[str, str]:
        """Return it as JSON-able data."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def told(self) -> str:
        """Return it in one line; the parts are called as in the file."""
        nothing = say("rules.position.nothing")
        kind = "" if self.what == "unit" else self.what
        named = " ".join(part for part in (kind, self.at, self.value) if part)
        before, after = self.before or nothing, self.after or nothing
        return say("rules.position.difference", what=named, before=before, after=after)


def differences(before: Position, after: Position, pack: Pack | None) -> tuple[Difference, ...]:
    """Return all that is otherwise in *after*, units first.

    Without a *pack*, only the states that positions tell are compared: none holds by itself.
    """
    return tuple(_differences(before, after, pack))


def _differences(before: Position, after: Position, pack: Pack | None) -> Iterator[Difference]:
    for id_ in sorted({*before.pieces, *after.pieces}):
        one = _unit_values(before.pieces.get(id_), pack)
        yield from _compared("unit", id_, one, _unit_values(after.pieces.get(id_), pack))
    yield from _compared("marker", "", _marker_values(before), _marker_values(after))
    yield from _compared("clock", "", _clock_values(before.clock), _clock_values(after.clock))
    for name in ("scenario", "weather", "initiative"):
        values = [str(getattr(one, name) or "") for one in (before, after)]
        yield from _compared(name, "", {"": values[0]}, {"": values[1]})
    for side in sorted({*before.points, *after.points}):
        yield from _compared(
            "points", side, _texts(before.points.get(side, {})), _texts(after.points.get(side, {}))
        )
    yield from _compared("control", "", _texts(before.control), _texts(after.control))
    yield from _compared("log", "", _log_values(before), _log_values(after))


def _compared(
    what: str, at: str, before: Mapping[str, str], after: Mapping[str, str]
) -> Iterator[Difference]:
    for value in dict.fromkeys([*before, *after]):
        one, other = before.get(value, ""), after.get(value, "")
        if one != other:
            yield Difference(what, at, value, one, other)


def _unit_values(piece: Piece | None, pack: Pack | None) -> dict[str, str]:
    if piece is None:
        return {}
    states = (piece.statuses if pack is None else states_of(piece, pack)).items()
    texts = {
        "place": format_place(piece.place),
        "statuses": "; ".join(f"{word} {n}" if n > 1 else word for word, n in states),
        "steps_lost": str(piece.steps_lost or ""),
        "facing": "" if piece.facing is None else str(piece.facing),
        "hidden_from": ", ".join(piece.hidden_from),
        "due": str(piece.due or ""),
        "placement": piece.placement,
    }
    unit = piece.unit
    identity = {field.name: getattr(unit, field.name) for field in fields(unit)}
    faces = {
        f"{face.name}.{name}": str(value)
        for face in unit.faces
        for name, value in face.known.items()
    }
    del identity["faces"], identity["id"]
    return texts | _texts(identity) | faces


def _marker_values(position: Position) -> dict[str, str]:
    return {_marker_name(one): str(one.n) if one.n is not None else "1" for one in position.markers}


def _marker_name(marker: Marker) -> str:
    map_, at, kind, side = marker_order(marker)[:4]
    place = f"{map_}:{at}" if map_ else at
    return " ".join(part for part in (kind, place, side) if part)


def _clock_values(clock: Clock) -> dict[str, str]:
    found: dict[str, str] = {}
    for field in fields(clock):
        value: Any = getattr(clock, field.name)
        joined = ", ".join(value) if isinstance(value, tuple) else value
        found[field.name] = "" if joined in ("", False) else str(joined)
    return found


def _log_values(position: Position) -> dict[str, str]:
    return {str(number): entry.text for number, entry in enumerate(position.log, start=1)}


def _texts(values: Mapping[str, object]) -> dict[str, str]:
    return {key: "" if value is None else str(value) for key, value in sorted(values.items())}
