"""The map document: written and read back alike, and every fault named with place and remedy."""

import json
from dataclasses import replace

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.document.fileformat import map_schema
from mapkit.document.reading import parse_map
from mapkit.document.shapes import dump_shapes, parse_shapes
from mapkit.document.writing import dump_map
from mapkit.errors import DocumentError, UnknownHexError
from mapkit.hexes import Hex
from mapkit.model import Provenance
from tests.strategies import maps, shapes

SMALL = {
    "format": "mapkit-map/1",
    "grid": {"orientation": "flat", "homography": [[52, 0, 60], [30, 60, 60], [0, 0, 1]]},
    "numbering": {"straight": "columns"},
    "kinds": {"terrain": [{"id": "clear"}]},
    "hexes": [
        {"label": "0101", "q": 0, "r": 0, "terrain": "clear", "level": 1},
        {"label": "0102", "q": 0, "r": 1, "terrain": "clear", "level": None},
        {"label": "0202", "q": 1, "r": 1, "terrain": "unknown", "level": -2},
    ],
    "hexsides": [{"hexside": "0101/0102", "features": [{"kind": "river"}]}],
    "links": [{"link": "0102-0202", "features": [{"kind": "road"}]}],
}


SCHEMA = jsonschema.Draft202012Validator(map_schema())


def small(**changes):
    return json.dumps(SMALL | changes).encode()


@given(maps())
def test_a_map_written_and_read_is_the_same_map(map_):
    assert parse_map(dump_map(map_), "x") == replace(map_, shapes=())


@given(maps())
def test_the_same_map_gives_the_same_bytes_whatever_its_order(map_):
    shuffled = replace(
        map_,
        hexes=dict(reversed(map_.hexes.items())),
        hexsides=dict(reversed(map_.hexsides.items())),
        links=dict(reversed(map_.links.items())),
    )
    assert dump_map(shuffled) == dump_map(map_)


@given(maps())
def test_what_we_write_fits_the_published_schema(map_):
    SCHEMA.validate(json.loads(dump_map(map_)))


@given(st.lists(shapes(), max_size=4).map(tuple))
def test_shapes_written_and_read_are_the_same_shapes(some):
    assert parse_shapes(dump_shapes(some), "x") == some


@given(maps())
def test_one_line_for_each_hex(map_):
    lines = dump_map(map_).decode().split("\n")
    labels = [line for line in lines if line.startswith('{"label": ')]
    assert len(labels) == len(map_.hexes)


def test_a_small_document():
    map_ = parse_map(small(), "small.hexmap.json")
    assert map_[map_.hex("0101")].level == 1
    assert map_[map_.hex("0102")].level is None
    assert map_.provenance_of(Hex(0, 0), "terrain").source == "import"


def test_a_file_saved_by_notepad():
    assert parse_map(b"\xef\xbb\xbf" + small().replace(b", ", b",\r\n"), "x").hexes


def test_a_hex_that_is_not_on_the_map():
    map_ = parse_map(small(title="Etsch"), "x")
    with pytest.raises(UnknownHexError, match="no hex 0901 on the map 'Etsch'.*0101 to 0202"):
        map_.hex("0901")
    with pytest.raises(UnknownHexError, match="0901 is not on the map"):
        _ = map_[map_.numbering.parse_label("0901")]


def hexes_with(**changes):
    return [SMALL["hexes"][0] | changes, *SMALL["hexes"][1:]]


FAULTS = [
    pytest.param(b"", "broken JSON at line 1", id="empty file"),
    pytest.param(small()[:-30], "broken JSON at line 1, column", id="half-written"),
    pytest.param(b"[" * 100_000, "nested too deeply", id="nested too deep"),
    pytest.param(b"\xff\xfe{", "not UTF-8", id="not UTF-8"),
    pytest.param(b"[1, 2]", "not a Mapkit map document", id="a list"),
    pytest.param(b"17", "not a Mapkit map document", id="a number"),
    pytest.param(b'{"format": "geojson"}', "not a Mapkit map document", id="another format"),
    pytest.param(small(format="mapkit-map/2"), "install a Mapkit .* mapkit-map/2", id="new"),
    pytest.param(small(colour=1), "colour: .*; remove it", id="unknown key"),
    pytest.param(small(hexes=hexes_with(level="3")), "0101 .hexes.0.level.: .*integer", id="3"),
    pytest.param(small(hexes=hexes_with(level=1.5)), "0101 .*integer", id="half a level"),
    pytest.param(small(hexes=hexes_with(label="0103")), "0103.*calls .0,0. 0101", id="wrong label"),
    pytest.param(small(hexes=SMALL["hexes"] * 2), "0101: two hexes have this label", id="twice"),
    pytest.param(small(hexes=[{"label": "0101"}]), "0101 .*required; add it", id="keys missing"),
    pytest.param(
        small(hexsides=[{"hexside": "0101/0202", "features": [{"kind": "x"}]}]),
        "hexside 0101/0202: .*do not touch",
        id="hexside to a non-neighbour",
    ),
    pytest.param(
        small(hexsides=[{"hexside": "0101-0102", "features": [{"kind": "x"}]}]),
        "not a hexside",
        id="a link among hexsides",
    ),
    pytest.param(
        small(links=[{"link": "0909-0910", "features": [{"kind": "x"}]}]),
        "neither hex is on the map",
        id="a link elsewhere",
    ),
    pytest.param(
        small(links=SMALL["links"] * 2), "link 0102-0202: stands twice", id="the same link twice"
    ),
    pytest.param(
        small(hexsides=[{"hexside": "0101/0102", "features": [{"kind": "x", "facing": "0202"}]}]),
        "faces a hex elsewhere",
        id="a trench that faces elsewhere",
    ),
    pytest.param(
        small(hexes=hexes_with(features=[{"kind": "x", "facing": "0102"}])),
        "faces no other hex",
        id="a fort that faces",
    ),
    pytest.param(
        small(hexes=hexes_with(provenance={"level": {"source": "scan", "confidence": 1.5}})),
        "between 0 and 1",
        id="too sure",
    ),
    pytest.param(small(numbering={"straight": "rows"}), "flat-top grid cannot", id="orientation"),
    pytest.param(small(numbering=None), "give numbering or sheets", id="no numbering"),
    pytest.param(
        small(numbering={"straight": "columns", "columns": {"digits": 7}}),
        "numbering.columns: .*1 to 3 digits",
        id="seven digits",
    ),
    pytest.param(
        small(grid=SMALL["grid"] | {"homography": [[1, 1, 0], [1, 1, 0], [0, 0, 1]]}),
        "grid: .*flat",
        id="flat grid",
    ),
    pytest.param(
        small(picture={"path": "a.png", "sha256": "", "width_px": 60, "height_px": 10}),
        "0102: lies off the grid",
        id="off the picture",
    ),
    pytest.param(
        small(kinds={"links": [{"id": "road", "role": "motorway"}]}),
        "no role is called 'motorway'; take one of: main_road",
        id="unknown role",
    ),
    pytest.param(small(kinds={"links": [{"id": "a", "colour": "red"}]}), "#rrggbb", id="colour"),
    pytest.param(small(areas=[{"name": "A", "kind": "s", "hexes": ["0909"]}]), "0909", id="area"),
    pytest.param(small().replace(b"-2", b"1" * 5000), "broken JSON", id="thousands of digits"),
    pytest.param(small(hexes=hexes_with(level=10**9)), "0101 .*less than", id="too high"),
    pytest.param(
        small(grid=SMALL["grid"] | {"homography": [[1e200, 0, 0], [0, 1e200, 0], [0, 0, 1]]}),
        "no picture is that big",
        id="a grid beyond all pictures",
    ),
    pytest.param(
        small(hexes=hexes_with(features=[{"kind": "x", "facing": "zz"}])),
        "hex 0101: 'zz' is not a label",
        id="facing nowhere",
    ),
    pytest.param(small()[:-1] + b', "hexes": []}', '"hexes": stands twice', id="a key twice"),
    pytest.param(
        small(areas=[{"name": "A", "kind": "s"}] * 2), "area 'A': stands twice", id="area twice"
    ),
    pytest.param(small().replace(b"-2", b"1e999"), "0202 .*integer", id="infinite"),
]


@pytest.mark.parametrize(("data", "message"), FAULTS)
def test_what_is_wrong_is_said_with_its_place(data, message):
    with pytest.raises(DocumentError, match=message) as raised:
        parse_map(data, "small.hexmap.json")
    assert str(raised.value).startswith("small.hexmap.json: ")
    assert "\n" not in str(raised.value)


def test_all_faults_are_found_at_once():
    wrong = small(
        hexes=hexes_with(label="0199"),
        links=[{"link": "0101-0909", "features": [{"kind": "x"}]}] * 2,
        kinds={"terrain": [{"id": "a", "role": "b"}]},
    )
    with pytest.raises(DocumentError, match="and 3 more: `mapkit map check` lists them") as raised:
        parse_map(wrong, "x")
    assert len(raised.value.faults) == 4


@pytest.mark.parametrize(
    "data",
    [
        b"{",
        b'{"type": "FeatureCollection", "features": []}',
        b'{"type":"FeatureCollection","mapkit":{"format":"mapkit-shapes/1"},"features":[{"type":'
        b'"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,2]]]},'
        b'"properties":{"kind":"wood"}}]}',
    ],
)
def test_shapes_that_do_not_read(data):
    with pytest.raises(DocumentError, match="^x.geojson: "):
        parse_shapes(data, "x.geojson")


def test_whole_numbers_and_floats_are_written_alike():
    whole = parse_map(small(), "x")
    rows = tuple(tuple(map(int, row)) for row in whole.grid.homography)
    assert dump_map(replace(whole, grid=replace(whole.grid, homography=rows))) == dump_map(whole)
    one = replace(whole, provenance=Provenance("scan", 1))
    assert dump_map(one) == dump_map(replace(whole, provenance=Provenance("scan", 1.0)))


def test_shapes_of_a_newer_version_name_it():
    data = dump_shapes(()).replace(b"mapkit-shapes/1", b"mapkit-shapes/2")
    with pytest.raises(DocumentError, match="written in format .mapkit-shapes/2."):
        parse_shapes(data, "x")
    assert parse_shapes(b"\xef\xbb\xbf" + dump_shapes(()), "x") == ()
