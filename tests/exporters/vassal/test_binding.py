"""Modules tied to projects: every hex where the engine itself sets and names it."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporters.model import GivenFile
from exporters.vassal.binding import (
    Binding,
    BoardPart,
    BoundBoard,
    BoundWindow,
    UnitKeys,
)
from exporters.vassal.binding_file import dump_binding, parse_binding
from exporters.vassal.binding_made import bind
from exporters.vassal.engine_hexes import EngineHexes
from exporters.vassal.foreign import read_module
from exporters.vassal.module import MODULE, ModuleOptions
from mapkit.errors import DocumentError
from mapkit.hexes import Hex
from mapkit.numbering import Axis
from mapkit.progress import ignore
from tests.boards import board
from tests.exporters.vassal.engine import read_board
from tests.exporters.vassal.foreign_modules import foreign_module
from tests.exporters.vassal.test_module import tagged
from tests.exporters.vassal.test_sight import ROWS

layouts = pytest.mark.parametrize("layout", ["flat", "pointy"])


def foreign(**words):
    return read_module(GivenFile("hills.vmod", foreign_module(**words)))


def assert_where_the_engine_has_them(binding, module, map_):
    ((window, bound),) = (
        (one, board)
        for one in binding.windows
        for board in one.boards
        if any(part.map for part in board.parts)
    )
    reader = read_board(tagged(module.root, ".Board")[0], bound.size_px)
    for hex_ in map_.hexes:
        label = map_.label(hex_)
        at = bound.pixel("field", hex_, label)
        assert at is not None, label
        assert reader.snap(*at) == at
        assert reader.label(*at) == label
        here = window.on_board(*window.in_window(bound.name, at))
        assert (here.board, here.x, here.y) == (bound, *at)
        assert bound.part_at(*at).hex_at(*at) == hex_


@layouts
@pytest.mark.parametrize("old", [False, True])
def test_a_map_is_found_on_an_authors_board(layout, old):
    map_ = board(*ROWS, layout=layout)
    module = foreign(sideways=layout == "pointy", old=old)
    binding = bind(module, {"field": map_})
    assert (binding.module, binding.version) == ("Old Hills", "2.3")
    window = binding.window("The Hills: main")
    assert (window.edge_px, window.laid) == ((40, 25), (("Hills", 0, 0),))
    assert binding.window("gone") is None
    assert_where_the_engine_has_them(binding, module, map_)


def test_a_zone_on_the_grid_below_changes_no_place():
    map_ = board(*ROWS)
    plain, zoned = foreign(), foreign(zone_format="$name$ $gridLocation$")
    assert bind(zoned, {"field": map_}) == bind(plain, {"field": map_})


@layouts
@pytest.mark.parametrize(
    "axis",
    [Axis(first=5), Axis(first=40, step=-1), Axis(first=3, skip=(5,))],
    ids=["rising", "falling", "in zones"],
)
def test_our_own_module_is_tied(project, layout, axis):
    map_ = board(*ROWS, layout=layout)
    numbered = replace(map_, numbering=replace(map_.numbering, columns=axis))
    (file,) = MODULE.render(project(numbered), ModuleOptions(sight=False), ignore).files
    module = read_module(GivenFile("own.vmod", file.data))
    assert_where_the_engine_has_them(bind(module, {"field": numbered}), module, numbered)


def test_a_map_of_which_little_is_there_is_not_tied():
    map_ = board(*[". " * 30] * 20)
    (window,) = bind(foreign(), {"field": map_}).windows
    assert [part.map for part in window.boards[0].parts] == [""]


def test_of_two_maps_alike_the_named_one_is_tied_and_else_none():
    map_ = board(*ROWS)
    for names, tied in [(("one", "hills"), "hills"), (("one", "two"), "")]:
        (window,) = bind(foreign(), dict.fromkeys(names, map_)).windows
        assert window.boards[0].parts[0].map == tied
    chosen = {("The Hills: main", "Hills"): ("two",)}
    (window,) = bind(foreign(), {"one": map_, "two": map_}, boards=chosen).windows
    assert window.boards[0].parts[0].map == "two"


def test_a_map_without_the_boards_numbers_is_tied_by_its_pixels():
    module = foreign()
    map_ = board(*ROWS)
    tied = bind(module, {"field": map_}).windows[0].boards[0].parts[0]
    lying = [tied.hexes.centre(tied.hexes.cell_of(Hex(*at), tied.first)) for at in ((0, 0), (1, 0))]
    (x, y), (right, lower) = lying
    matrix = ((62.4, 0.0, x + 0.4), (71.5 / 2, 71.5, y), (0.0, 0.0, 1.0))
    assert (right - x, lower - y) == (pytest.approx(62.4, abs=1), pytest.approx(35.75, abs=1))
    axis = Axis(first=31)
    own = replace(
        map_,
        grid=replace(map_.grid, homography=matrix),
        numbering=replace(map_.numbering, columns=axis, rows=axis),
    )
    assert bind(module, {"field": own}).windows[0].boards[0].parts[0].first == tied.first


def test_boxes_are_windows_or_zones_of_that_name():
    map_ = board(*ROWS)
    binding = bind(foreign(zone_format="$name$"), {"field": map_}, boxes={"Field": "eliminated"})
    zone, _ = binding.windows[0].boards[0].parts
    assert (zone.box, zone.map) == ("eliminated", "")
    binding = bind(foreign(), {}, boxes={"the hills: main": "routed"})
    assert binding.windows[0].box == "routed"


def test_boards_lie_where_the_engine_lays_them():
    boards = [BoundBoard(name, size) for name, size in [("A", (100, 50)), ("B", (70, 60))]]
    window = BoundWindow("Main", (10, 5), tuple(boards))
    laid = [("A", 0, 0), ("B", 1, 0), ("A/rev", 1, 1)]
    assert window.in_window("B", (1, 2), laid) == (111, 7)
    assert window.on_board(10, 5, laid).board.name == "A"
    turned = window.on_board(10 + 3, 5 + 60 + 4, [("B", 0, 0), ("A/rev", 0, 1)])
    assert (turned.board.name, turned.x, turned.y) == ("A", 97, 46)
    assert window.on_board(9, 5, laid) is None


def test_a_piece_between_hexes_is_in_none_where_the_grid_lets_it_stand_there():
    hexes = EngineHexes(False, 60, 60, 69.3, 80.0)
    x, y = hexes.centre((2, 3))
    part = BoardPart(map="m", hexes=hexes)
    assert part.hex_at(x, y + 38) == part.hex_at(x, y)
    edgy = replace(part, hexes=replace(hexes, edges=True))
    assert edgy.hex_at(x, y + 38) is None
    assert edgy.hex_at(x + 1, y - 2) == part.hex_at(x, y)


def test_units_are_told_by_mark_then_slot_then_name():
    keys = UnitKeys("Id", {"5": "second"}, {"Blue 1st": "third"})
    assert keys.unit_of({"Id": "first"}, "5", "Blue 1st") == "first"
    assert keys.unit_of({"Id": ""}, "5", "Blue 1st") == "second"
    assert keys.unit_of({}, "6", "Blue 1st") == "third"
    assert keys.unit_of({}, "6", "blue 1st") is None


words = st.text(st.sampled_from('aé"\\ \n/'), max_size=4)
pixels = st.tuples(st.integers(-9, 900), st.integers(-9, 900))
hexes = st.builds(
    EngineHexes, st.booleans(), st.integers(-9, 99), st.integers(-9, 99), *[st.floats(1, 99)] * 2
)
parts = st.builds(
    BoardPart,
    words,
    st.lists(pixels, max_size=3).map(tuple),
    words,
    st.none() | hexes,
    pixels,
    st.dictionaries(words, pixels, max_size=2),
    words,
)
boards = st.builds(
    BoundBoard,
    words,
    st.tuples(st.integers(1, 900), st.integers(1, 900)),
    st.lists(parts, max_size=2).map(tuple),
)
windows = st.lists(
    st.builds(
        BoundWindow,
        words,
        pixels,
        st.lists(boards, max_size=2).map(tuple),
        st.lists(st.tuples(words, st.integers(0, 3), st.integers(0, 3)), max_size=2).map(tuple),
        words,
    ),
    max_size=2,
    unique_by=lambda window: window.name,
).map(tuple)
tables = st.dictionaries(words, words, max_size=2)
bindings = st.builds(
    Binding, words, words, windows, st.builds(UnitKeys, words, tables, tables), tables, words
)


@given(bindings)
def test_a_binding_comes_back_from_its_file(binding):
    data = dump_binding(binding)
    assert parse_binding(data, "vassal.json") == binding
    assert dump_binding(parse_binding(data, "vassal.json")) == data


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"format": "mapkit-vassal/2"}, "install a newer"),
        ({"format": "mapkit-map/1"}, "does not tie a module"),
        ({"module": 7}, "module: Input should be"),
        ({"sidez": {}}, "sidez: Unexpected"),
        ({"windows": [{"name": "A"}, {"name": "A"}]}, "two windows have the name 'A'"),
        ({"windows": [{"name": "A", "boards": [{"name": "B", "size_px": [0, 9]}]}]}, "no size"),
    ],
)
def test_a_wrong_file_is_told_in_one_line(change, told):
    content = json.loads(dump_binding(Binding("M", "1.0")))
    with pytest.raises(DocumentError, match=told) as error:
        parse_binding(json.dumps(content | change).encode(), "vassal.json")
    assert "\n" not in str(error.value)
    assert "vassal.json" in str(error.value)


def test_broken_json_is_told():
    for data in (b"", b"{", b"[" * 99999, b"\xff", b'"text"'):
        with pytest.raises(DocumentError, match=r"vassal\.json"):
            parse_binding(data, "vassal.json")
