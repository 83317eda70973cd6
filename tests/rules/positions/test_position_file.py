"""A position's file: written and read back, stable, refused with place and remedy."""

import json
from pathlib import Path

import pytest
from hypothesis import given

from counters.model import Unit
from mapkit.errors import DocumentError
from rules.positions.position import Marker, Piece, Place, Position
from rules.positions.position_file import dump_position, parse_position, position_schema
from rules.positions.position_store import POSITIONS
from tests.rules.positions.random_positions import positions

RELEASES = sorted(Path(__file__).with_name("releases").glob("*.position.json"))
POSITION = Position(
    game="strafexpedition",
    pieces={
        "b": Piece(Unit("b", "B", "it"), Place("hex", "0305"), {"disorganization": 2}),
        "a": Piece(Unit("a", "A", "ah")),
    },
    markers=(Marker("trench", "0305", n=2), Marker("trench", "0304", n=1)),
)


@given(positions())
def test_what_is_written_is_read_back(position):
    data = dump_position(position)
    assert parse_position(data, "x") == position
    assert dump_position(parse_position(data, "x")) == data
    assert POSITIONS.decode(POSITIONS.encode(position), Path("x")) == position


@given(positions())
def test_the_order_things_were_put_in_does_not_show(position):
    turned = Position(
        **{name: getattr(position, name) for name in position.__slots__}
        | {
            "pieces": dict(reversed(position.pieces.items())),
            "markers": tuple(reversed(position.markers)),
            "control": dict(reversed(position.control.items())),
        }
    )
    assert turned == position
    assert dump_position(turned) == dump_position(position)


def test_one_unit_is_one_line():
    lines = dump_position(POSITION).decode().splitlines()
    first = lines.index('"units": [') + 1
    assert [json.loads(line.rstrip(","))["id"] for line in lines[first : first + 2]] == ["a", "b"]
    assert sum('"trench"' in line for line in lines) == 2


@pytest.mark.parametrize("path", RELEASES, ids=lambda path: path.name)
def test_a_file_of_every_release_loads(path):
    position = parse_position(path.read_bytes(), str(path))
    assert position.pieces
    assert parse_position(dump_position(position), "x") == position


def test_there_is_a_file_of_the_first_release():
    assert RELEASES


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"mapkit-position/1"', '"mapkit-position/2"', "install a newer Mapkit"),
        ('"mapkit-position/1"', '"mapkit-map/1"', "no position: its format is 'mapkit-map/1'"),
        ('{"id": "a"', '{"id": "b"', "two units have the id 'b'"),
        ('"kind": "hex"', '"kind": "hox"', "unit 'b': place: kind: Input should be"),
        ('"disorganization": 2', '"disorganization": 0', "unit 'b': statuses: disorganization"),
        ('"side": "it"', '"sude": "it"', "unit 'b': side: Field required"),
        ('"at": "0304", "n": 1', '"at": "0305", "n": 1', "two markers 'trench' lie on 0305"),
        ('"turn": 1', '"turn": "one"', "clock: turn: Input should be a valid integer"),
        ('"log": []', '"log": [', "broken JSON"),
        ('"weather": null', '"weather": NaN', "NaN is no number"),
        ('"weather": null', '"weathre": null', "weathre: Extra inputs are not permitted"),
    ],
)
def test_a_broken_file_is_refused_with_its_place(old, new, told):
    data = dump_position(POSITION).decode()
    assert old in data
    with pytest.raises(DocumentError) as caught:
        parse_position(data.replace(old, new, 1).encode(), "game.position.json")
    assert str(caught.value).startswith("game.position.json: ")
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff\xfe{}", b"7", b"[" * 100_000])
def test_what_is_no_position_is_refused(data):
    with pytest.raises(DocumentError, match="x: "):
        parse_position(data, "x")


def test_a_bom_does_no_harm():
    assert parse_position(b"\xef\xbb\xbf" + dump_position(POSITION), "x") == POSITION


def test_the_schema_knows_every_key_of_a_file():
    schema = position_schema()
    assert set(json.loads(dump_position(POSITION))) <= set(schema["properties"])
