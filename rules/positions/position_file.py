"""The format `mapkit-position/1`: JSON, one unit per line, in a stable order.

The JSON Schema in docs/ is made from these classes. Only a unit has a class of its own here:
its counter's values may be fractions, which JSON writes as a text ("1/2"). All else is written as
the dataclasses of `position` have it, without what stands at its default.
"""

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from counters.model import Face, Unit, Value
from mapkit.document.writing import sparse
from mapkit.errors import DocumentError
from rules.file_formats import refuse_newer
from rules.positions.position import Clock, Entry, Marker, Piece, Place, Position, marker_order

FORMAT = "mapkit-position/1"

Count = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]
Text = Annotated[str, Field(max_length=10_000)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Ratio = Annotated[str, Field(pattern=r"^-?\d{1,6}/[1-9]\d{0,5}$", description="1/2")]
Line = dict[str, object]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class UnitLine(_Strict):
    """One unit in play: what its counter is, where it stands and in what state."""

    id: Name
    name: Text
    side: Name
    nationality: Text = ""
    formation: Text = ""
    class_: Text = Field("", alias="class")
    echelon: Text = ""
    steps: Annotated[int, Field(ge=0, le=999)] | None = None
    faces: dict[Name, dict[Name, Count | Ratio | None]] = Field(
        {}, description="The values of each face of the counter; null is not known"
    )
    place: Place = Field(default=Place(), description="Left out: not placed yet")
    statuses: dict[Name, Annotated[int, Field(ge=1, le=99)]] = Field(
        {}, description="The pack's words, with points; 1 where a state just holds"
    )
    steps_lost: Annotated[int, Field(ge=0, le=999)] = 0
    facing: Annotated[int, Field(ge=0, le=5)] | None = None
    hidden_from: list[Name] = Field([], description="Sides that may not look at it")
    due: Annotated[int, Field(ge=0, le=9999)] = Field(0, description="The turn it arrives in")
    placement: Text = Field("", description="Where the scenario lets it come: one of its places")


class PositionFile(_Strict):
    """A game in progress, kept by Mapkit."""

    format: Literal["mapkit-position/1"]
    schema_: Text = Field("", alias="$schema", description="Where this schema lies, for editors")
    game: Name = Field(description="Id of a rules pack")
    scenario: Text = ""
    clock: Clock = Field(default=Clock(), description="Turn, phase, step and who acts")
    weather: Name | None = Field(None, description="Null: not known, or the game has none")
    initiative: Text = ""
    points: dict[Name, dict[Name, Count]] = Field({}, description="By side, then by kind")
    control: dict[Name, Text] = Field({}, description="Who held a hex last")
    units: list[UnitLine] = []
    markers: list[Marker] = []
    log: list[Entry] = []


def position_schema() -> dict[str, object]:
    """Return the JSON Schema of the format, for editors and for other programs."""
    schema = PositionFile.model_json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return schema


def parse_position(data: bytes, source: str) -> Position:
    """Return the position in a file's bytes.

    Raises:
        DocumentError: it is none; the message names *source*, the place and the remedy.
    """
    content = _loaded(data, source)
    found = content.get("format")
    refuse_newer(found, FORMAT, source)
    if found != FORMAT:
        raise DocumentError(
            f"{source}: no position: its format is {found!r:.60}, not '{FORMAT}'; name another file"
        )
    try:
        file = _FILE.validate_json(data.removeprefix(b"\xef\xbb\xbf"))
    except ValidationError as error:
        raise DocumentError(f"{source}: {_first_fault(error, content)}") from None
    pieces: dict[str, Piece] = {}
    for line in file.units:
        if line.id in pieces:
            raise DocumentError(
                f"{source}: two units have the id '{line.id}'; give one of them another id"
            )
        pieces[line.id] = piece_from(line)
    keys = [marker_order(marker)[:4] for marker in file.markers]
    for marker, key in zip(file.markers, keys, strict=True):
        if keys.count(key) > 1:
            raise DocumentError(
                f"{source}: two markers '{marker.kind}' lie on {marker.at}; keep one of them"
            )
    return Position(
        game=file.game,
        scenario=file.scenario,
        clock=file.clock,
        weather=file.weather,
        initiative=file.initiative,
        points=file.points,
        control=file.control,
        pieces=pieces,
        markers=tuple(file.markers),
        log=tuple(file.log),
    )


def dump_position(position: Position) -> bytes:
    """Return the bytes of a position's file: the inverse of `parse_position`."""
    points = {side: dict(sorted(kinds.items())) for side, kinds in sorted(position.points.items())}
    head: Line = {
        "format": FORMAT,
        "game": position.game,
        "scenario": position.scenario,
        "clock": {"turn": position.clock.turn} | sparse(position.clock),
        "weather": position.weather,
        "initiative": position.initiative,
        "points": points,
        "control": dict(sorted(position.control.items())),
    }
    lists = {
        "units": [unit_line(piece) for _, piece in sorted(position.pieces.items())],
        "markers": [sparse(marker) for marker in position.markers],
        "log": [sparse(entry) for entry in position.log],
    }
    parts = [f'"{key}": {_json(value)}' for key, value in head.items()]
    for key, entries in lists.items():
        lines = ",\n".join(map(_json, entries))
        parts.append(f'"{key}": [\n{lines}\n]' if lines else f'"{key}": []')
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def unit_line(piece: Piece) -> Line:
    """Return one unit as its line of the file."""
    unit = piece.unit
    line = {("class" if key == "class_" else key): value for key, value in sparse(unit).items()}
    line.pop("faces", None)
    if unit.faces:
        line["faces"] = {
            face.name: {name: _written(value) for name, value in face.values.items()}
            for face in unit.faces
        }
    state = sparse(piece)
    del state["unit"]
    if piece.statuses:
        state["statuses"] = dict(sorted(piece.statuses.items()))
    return line | state


def piece_from(line: UnitLine) -> Piece:
    """Return the unit that a line tells of: the inverse of `unit_line`."""
    unit = Unit(
        id=line.id,
        name=line.name,
        side=line.side,
        nationality=line.nationality,
        formation=line.formation,
        class_=line.class_,
        echelon=line.echelon,
        steps=line.steps,
        faces=tuple(
            Face(name, {value: _read(content) for value, content in values.items()})
            for name, values in line.faces.items()
        ),
    )
    return Piece(
        unit=unit,
        place=line.place,
        statuses=line.statuses,
        steps_lost=line.steps_lost,
        facing=line.facing,
        hidden_from=tuple(line.hidden_from),
        due=line.due,
        placement=line.placement,
    )


def _loaded(data: bytes, source: str) -> Mapping[str, object]:
    try:
        content = json.loads(data.decode("utf-8-sig"), parse_constant=_no_number)
    except UnicodeDecodeError:
        raise DocumentError(f"{source}: not UTF-8 text; save it as UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"{source}: broken JSON: {error}; mend that place") from None
    if not isinstance(content, dict):
        raise DocumentError(f"{source}: no position: it should begin with {{; name another file")
    return content


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is no number")


def _first_fault(error: ValidationError, content: Mapping[str, object]) -> str:
    """Return the first fault with its place; a unit is named by its id."""
    fault = error.errors()[0]
    steps = [str(step) for step in fault["loc"]]
    units = content.get("units")
    if len(steps) > 1 and steps[0] == "units" and isinstance(units, list):
        line = units[int(steps[1])]
        named = line.get("id") if isinstance(line, dict) else None
        steps[:2] = [f"unit '{named}'" if named else f"unit number {int(steps[1]) + 1}"]
    return f"{': '.join(steps)}: {fault['msg']}; correct it"


def _written(value: Value) -> int | str | None:
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    return value


def _read(value: int | str | None) -> Value:
    return Fraction(value) if isinstance(value, str) else value


_FILE = TypeAdapter(PositionFile)
UNIT_LINE = TypeAdapter(UnitLine)
_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
