"""Boards become maps on which every hex lies where, and is called as, the engine has it."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st
from PIL import Image

from exporters.model import ExportError
from exporters.vassal.importing.module_import import import_module
from mapkit.document.reading import parse_map
from mapkit.document.writing import dump_map
from mapkit.hexes import Hex
from mapkit.kinds import UNKNOWN
from mapkit.numbering import SheetNumbering
from tests.exporters.vassal.authored import (
    board,
    drawn,
    given,
    hex_grid,
    regions,
    tag,
    window,
    zone,
    zones,
)
from tests.exporters.vassal.engine import Engine

VECTORS = json.loads(Path(__file__).parent.with_name("grid_vectors.json").read_text("utf-8"))[
    "grids"
]
NUMBERS = {"sep": "", "hOff": 1, "vOff": 1, "stagger": False}
GRID = {"x0": 40, "y0": 50, "dx": 52.0, "dy": 60.0}


def maps_of(*boards, files=(), **words):
    found = import_module(given(window(*boards, **words), files=files))
    return {one.id: one.map for one in found.maps}, found


def map_of(grid, **words):
    maps, found = maps_of(board(grid, **words))
    (map_,) = maps.values()
    return map_, [one.key.rpartition(".")[2] for one in found.hints]


def labels_of(map_):
    return {map_.label(hex_) for hex_ in map_.hexes}


def bare(label, separator):
    """A label without what parts its numbers: our maps may have another sign there."""
    return label.replace(separator, "") if separator else label


def assert_called_alike(map_, engine):
    separator = engine.numbering["sep"]
    for hex_ in map_.hexes:
        x, y = map_.grid.centre(hex_)
        snapped = engine.snap(math.floor(x), math.floor(y))
        assert max(abs(snapped[0] - x), abs(snapped[1] - y)) <= 2
        label, called = map_.label(hex_), engine.label(*snapped)
        assert map_.hex(label) == hex_
        assert bare(label, map_.numbering.separator) == bare(called, separator)
        assert label == called or map_.numbering.separator == "."


def every_cell(engine):
    """The labels of all hexes whose centres lie on the board, by the engine's own arithmetic."""
    width, height = engine.size
    x0, y0, dx, dy = engine._steps()
    wide, tall = (height, width) if engine.sideways else (width, height)
    found = set()
    for column in range(math.floor(-x0 / dx) - 1, math.ceil((wide - x0) / dx) + 2):
        for row in range(math.floor(-y0 / dy) - 2, math.ceil((tall - y0) / dy) + 2):
            x, y = x0 + dx * column, y0 + dy * (row + column % 2 / 2)
            if 0 <= x < wide and 0 <= y < tall:
                found.add((column, row))
    return found


@pytest.mark.parametrize("case", VECTORS, ids=range(len(VECTORS)))
def test_grids_of_the_running_engine_name_every_hex_alike(case):
    size = (case["board"]["width"], case["board"]["height"])
    engine = Engine(case["grid"], case["numbering"], size)
    map_, hints = map_of(hex_grid(case["numbering"], **case["grid"]), **case["board"])
    assert_called_alike(map_, engine)
    for x, y, _, snapped_x, snapped_y, label in case["points"]:
        hex_ = map_.grid.hex_at(snapped_x + 0.5, snapped_y + 0.5)
        if hex_ in map_:
            ours = bare(map_.label(hex_), map_.numbering.separator)
            assert ours == bare(label, case["numbering"]["sep"]), (x, y)
    below_zero = len(every_cell(engine)) - len(map_.hexes)
    assert ("below_zero" in hints) == (below_zero > 0)


axes = st.tuples(st.sampled_from("NA"), st.integers(0, 2), st.integers(-2, 30), st.booleans())


@settings(max_examples=60, deadline=None)
@for_all(
    st.booleans(),
    st.tuples(st.integers(-80, 80), st.integers(-80, 80)),
    st.tuples(st.floats(18, 70), st.floats(18, 70)),
    axes,
    axes,
    st.sampled_from(["H", "V"]),
    st.sampled_from(["", ".", "-", " ", "x", "/"]),
    st.booleans(),
    st.tuples(st.integers(200, 700), st.integers(200, 700)),
)
def test_any_grid_names_every_hex_alike(sideways, first, steps, h, v, order, sep, stagger, size):
    grid = {"sideways": sideways, "x0": first[0], "y0": first[1], "dx": steps[0], "dy": steps[1]}
    numbering = {"first": order, "sep": sep, "stagger": stagger}
    for letter, axis in (("h", h), ("v", v)):
        words = (f"{letter}{word}" for word in ("Type", "Leading", "Off", "Descend"))
        numbering |= dict(zip(words, axis, strict=True))
    engine = Engine(grid, numbering, size)
    try:
        map_, hints = map_of(hex_grid(numbering, **grid), width=size[0], height=size[1])
    except ExportError:
        return  # all its numbers are below zero, or no hex lies on it
    assert "unnamed" not in hints
    if "renamed" in hints:
        assert all("-" in ground.name for ground in map_.hexes.values())
    else:
        assert_called_alike(map_, engine)
    assert parse_map(dump_map(map_), "x") == map_


def test_a_map_is_the_engines_grid_to_the_pixel():
    map_, hints = map_of(hex_grid(NUMBERS, **GRID))
    assert map_.grid.orientation == "flat"
    assert map_.grid.centre(map_.hex("0101")) == (40.0, 50.0)
    assert map_.grid.centre(map_.hex("0203")) == (92.0, 200.0)
    assert map_.provenance.source == "import"
    assert {ground.terrain for ground in map_.hexes.values()} == {UNKNOWN}
    assert {ground.level for ground in map_.hexes.values()} == {None}
    assert (len(map_.hexes), hints) == (11 * 8, [])
    assert "Authored, version 1.2" in map_.notes[0]


def test_a_grid_that_only_says_how_high_its_hexes_are_is_regular():
    map_, _ = map_of(hex_grid(NUMBERS, dy=70))
    assert map_.grid.centre(map_.hex("0201")) == pytest.approx((70 * math.sqrt(3) / 2, 32 + 35))


def test_hexes_without_numbers_are_counted():
    map_, hints = map_of(hex_grid(**GRID))
    assert hints == ["unnamed"]
    assert "0101" in labels_of(map_)


@pytest.mark.parametrize(
    ("numbers", "label", "hints"),
    [
        pytest.param({"sep": "-"}, "01.01", ["spelt"], id="a hyphen"),
        pytest.param({"sep": ".", "hType": "A", "hOff": 0}, "A.01", [], id="letters"),
        pytest.param({"hType": "A", "vType": "A"}, "B.B", ["spelt"], id="letters side by side"),
        pytest.param(
            {"hLeading": 0, "vLeading": 0, "vOff": 5}, "1.5", ["spelt"], id="both unpadded"
        ),
        pytest.param({"hLeading": 0, "hOff": 5}, "501", [], id="one unpadded"),
        pytest.param({"hOff": -1}, "0001", ["below_zero"], id="below zero"),
        pytest.param({"locationFormat": "Hex $gridLocation$"}, "0101", [], id="format"),
        pytest.param({"locationFormat": "{Unknown}"}, "0101", [], id="expression"),
        pytest.param({"hLeading": 3}, "0101", ["renamed"], id="four digits"),
    ],
)
def test_labels_that_are_written_otherwise_are_told(numbers, label, hints):
    map_, told = map_of(hex_grid(NUMBERS | numbers, **GRID))
    assert label in labels_of(map_)
    assert told == hints


def test_zones_that_continue_the_numbers_are_one_map():
    left = zone("West", 0, 0, 300, 500, hex_grid(NUMBERS, **GRID))
    right = zone("East", 300, 0, 600, 500, hex_grid(NUMBERS | {"hOff": 11}, **GRID))
    map_, hints = map_of(zones(left, right))
    assert hints == []
    assert {label[:2] for label in labels_of(map_)} == {
        *("01", "02", "03", "04", "05"),
        *("16", "17", "18", "19", "20", "21"),
    }


def test_zones_that_call_their_hexes_alike_bear_their_words():
    left = zone("West 1", 0, 0, 300, 500, hex_grid(NUMBERS, **GRID))
    right = zone("East", 300, 0, 600, 500, hex_grid(NUMBERS | {"hOff": -4}, **GRID))
    map_, _ = map_of(zones(left, right))
    assert isinstance(map_.numbering, SheetNumbering)
    assert {"West1:0101", "East:0101"} <= labels_of(map_)
    assert map_.grid.centre(map_.hex("East:0101")) == (40 + 5 * 52.0, 50.0 + 30.0)


def test_zones_on_other_lattices_are_maps_of_their_own():
    wide = zone("Plain", 0, 0, 300, 500, hex_grid(NUMBERS, **GRID))
    fine = zone("Town", 300, 0, 600, 500, hex_grid(NUMBERS, x0=310, y0=20, dx=26, dy=30))
    maps, found = maps_of(board(zones(wide, fine)), setup="MainBoardPicker\tField\t0\t0")
    assert list(maps) == ["field-town", "field-plain"]
    assert [map_.title for map_ in maps.values()] == ["Field, Town", "Field, Plain"]
    binding = json.loads(next(one.data for one in found.files if one.path == "vassal.json"))
    (bound,) = binding["windows"][0]["boards"]
    assert [part.get("map", "") for part in bound["parts"]] == ["field-plain", "field-town", ""]


def test_a_zone_without_hexes_has_none():
    box = zone("Eliminated", 200, 0, 600, 500, form="$name$")
    map_, _ = map_of(zones(box, hex_grid(NUMBERS, **GRID)))
    assert {label[:2] for label in labels_of(map_)} == {"01", "02", "03", "04"}


def test_terrain_that_zones_tell_is_taken_over():
    wood = zone("W", 0, 0, 300, 500, parent=True, Terrain="Woods", Elevation="3")
    high = zone("H", 300, 0, 420, 500, parent=True, LEVEL="-1", terrain="")
    map_, hints = map_of(zones(wood, high, hex_grid(NUMBERS, **GRID)))
    seen = {(map_[hex_].terrain, map_[hex_].level) for hex_ in map_.hexes}
    assert seen == {("Woods", 3), (UNKNOWN, -1), (UNKNOWN, None)}
    assert (map_[map_.hex("0101")].terrain, map_[map_.hex("0801")].level) == ("Woods", -1)
    assert [kind.role for kind in map_.kinds.terrain] == ["woods"]
    assert hints == ["ground"]


def test_a_thousand_zones_are_read_in_seconds():
    tiles = [
        zone(f"{x}.{y}", 30 * x, 30 * y, 30 * x + 30, 30 * y + 30, parent=True, Terrain=f"T{x % 9}")
        for x in range(40)
        for y in range(25)
    ]
    grid = hex_grid(NUMBERS | {"hLeading": 2}, x0=10, y0=10, dx=26.0, dy=30.0)
    map_, _ = map_of(zones(*tiles, grid), width=1200, height=750)
    assert len(map_.hexes) > 1000
    assert UNKNOWN not in {ground.terrain for ground in map_.hexes.values()}


def points(jitter=0.0, turn=0.0, flat=True, names=None):
    """Named points where the hexes of a hand-made board may stand."""
    found = {}
    for column in range(9):
        for row in range(7):
            x, y = 52.0 * column, 60.0 * (row + column % 2 / 2)
            if not flat:
                x, y = y, x
            n = column * 7 + row
            off = (jitter * math.sin(7.0 * n), jitter * math.cos(11.0 * n))
            at = (x + turn * y + 60 + off[0], y - turn * x + 60 + off[1])
            name = f"{column + 1:02}{row + 1:02}" if names is None else names(column, row)
            found[name] = (round(at[0]), round(at[1]))
    return found


@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize(("jitter", "turn"), [(0.0, 0.0), (6.0, 0.0), (3.0, 0.03)])
def test_named_points_that_stand_as_hexes_are_a_map(flat, jitter, turn):
    named = points(jitter, turn, flat)
    map_, hints = map_of(regions(named))
    assert labels_of(map_) == set(named)
    assert map_.grid.orientation == ("flat" if flat else "pointy")
    assert hints == []
    for name, at in named.items():
        assert map_.grid.hex_at(*at) == map_.hex(name)
        assert math.dist(map_.grid.centre(map_.hex(name)), at) <= 1.42 * jitter + 1


def test_points_with_names_for_labels_keep_them_as_names():
    named = points(names=lambda column, row: f"Town {'ABCDEFGHI'[column]}{'uvwxyza'[row]}")
    map_, hints = map_of(regions(named | {"Reinforcements": (590, 10)}))
    assert hints == ["renamed"]
    assert len(map_.hexes) == 63
    assert map_[map_.hex("0101")].name == "Town Au"


TRACK = {str(n): (40 * n, 30) for n in range(1, 14)}
OWN = tag("module.map.boardPicker.board.SquareGrid").replace("SquareGrid", "MyGrid")


@pytest.mark.parametrize(
    ("grid", "why"),
    [
        pytest.param("", "no_grid", id="none"),
        pytest.param(tag("module.map.boardPicker.board.SquareGrid"), "square", id="squares"),
        pytest.param(regions(TRACK), "points", id="a track"),
        pytest.param(regions({"Rome": (3, 4)}), "points", id="one point"),
        pytest.param(OWN, "own_grid", id="own class"),
        pytest.param(hex_grid(NUMBERS, dx=3, dy=3), "small", id="tiny"),
        pytest.param(hex_grid(NUMBERS, x0=-900, y0=0, dx=2000, dy=2300), "beside", id="beside"),
        pytest.param(hex_grid(NUMBERS, dx="wide"), "no number", id="no number"),
        pytest.param(hex_grid(NUMBERS, dx=0.1, dy=0.1), "0.1 px apart", id="millions"),
        pytest.param(hex_grid(NUMBERS, dx=-4), "no size", id="negative"),
        pytest.param(hex_grid(NUMBERS, dx="1e300"), "which no map needs", id="endless"),
        pytest.param(hex_grid({"hLeading": 10**8}, **GRID), "which no map needs", id="padding"),
        pytest.param(hex_grid({"vType": "A", "vOff": 10**9}, **GRID), "no map needs", id="AAAA"),
        pytest.param(hex_grid(NUMBERS, dx="nan"), "no number", id="nan"),
        pytest.param(hex_grid(NUMBERS, dx=1e-9), "no size", id="no width"),
    ],
)
def test_a_board_that_is_no_map_is_told_and_the_others_are_made(grid, why):
    maps, found = maps_of(board(grid, name="Odd"), board(hex_grid(NUMBERS, **GRID)))
    assert list(maps) == ["field"]
    (lost,) = found.lost
    assert lost.key == "exporters.import.lost.board"
    assert "Odd" in lost.told
    texts = {
        "no_grid": "no grid", "square": "squares", "points": "named points", "small": "3 px apart",
        "own_grid": "MyGrid", "beside": "none of its hexes",
    }  # fmt: skip
    assert texts.get(why, why) in lost.told
    with pytest.raises(ExportError, match="no board of it can be a map: board Odd") as refusal:
        maps_of(board(grid, name="Odd"))
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("size", "why"),
    [
        pytest.param({"width": 10**9, "height": 10**9}, "more than 100000 hexes", id="endless"),
        pytest.param({"width": -5, "height": "tall"}, "neither a picture nor a size", id="none"),
    ],
)
def test_a_board_without_a_likely_size_is_told(size, why):
    with pytest.raises(ExportError, match=why):
        maps_of(board(hex_grid(NUMBERS, **GRID), **size))


def test_what_is_wrong_with_a_board_is_told_without_naming_the_module_again():
    _, found = maps_of(board(hex_grid(NUMBERS, dx="wide"), name="Odd"), board(hex_grid(**GRID)))
    (lost,) = found.lost
    assert "authored.vmod" not in lost.told
    assert "give the author" not in lost.told


def test_no_file_is_called_like_a_device_of_windows():
    found = import_module(given(window(board(hex_grid(NUMBERS, **GRID), name="Aux."))))
    assert [one.id for one in found.maps] == ["map-aux"]


def test_boards_of_all_windows_have_names_of_their_own():
    grid = hex_grid(NUMBERS, **GRID)
    inside = [
        window(board(grid, name="Älps / 1"), name="One"),
        window(board(grid, name="Alps 1"), board(grid, name="第一"), name="Two"),
        window(board(grid, name=""), name="", kind="module.PrivateMap"),
    ]
    found = import_module(given(*inside))
    assert [one.id for one in found.maps] == ["alps-1", "alps-1-2", "map", "map-2"]


SVG = (
    '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://x/svg11.dtd">'
    '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="500px">'
    '<rect width="600" height="500" fill="#c0d0a0"/><image href="/etc/hostname" width="9"/></svg>'
)


@pytest.mark.parametrize(
    ("image", "entry", "data", "suffix"),
    [
        pytest.param("b.png", "images/b.png", drawn((600, 500)), ".png", id="PNG"),
        pytest.param("b.jpg", "images/b.jpg", drawn((600, 500), form="JPEG"), ".jpg", id="JPEG"),
        pytest.param(
            "b.png", "images/b.png", drawn((600, 500), form="JPEG"), ".jpg", id="misnamed"
        ),
        pytest.param("b", "images/b.gif", drawn((600, 500), form="GIF"), ".png", id="bare GIF"),
        pytest.param("b.svg", "images/b.svg", SVG, ".png", id="SVG"),
        pytest.param("B.PNG", "images/b.png", drawn((600, 500)), ".png", id="other case"),
        pytest.param("b.png", "b.png", drawn((600, 500)), ".png", id="other folder"),
        pytest.param("der Fluß é.png", "images/der Fluß é.png", drawn((600, 500)), ".png", id="é"),
        pytest.param("é.png", "images/e\u0301.png", drawn((600, 500)), ".png", id="accents apart"),
        pytest.param("../../b.png", "images/b.png", drawn((600, 500)), ".png", id="climbing"),
    ],
)
def test_pictures_are_found_and_kept(image, entry, data, suffix):
    maps, found = maps_of(board(hex_grid(NUMBERS, **GRID), image=image), files={entry: data})
    (map_,) = maps.values()
    assert found.lost == ()
    assert map_.picture.path == f"field{suffix}"
    assert (map_.picture.width_px, map_.picture.height_px) == (600, 500)
    (kept,) = (one for one in found.files if one.path == map_.picture.path)
    if suffix == Path(entry).suffix:
        assert kept.data == data


def test_a_picture_that_a_camera_turned_lies_as_the_engine_shows_it():
    exif = Image.Exif()
    exif[0x0112] = 6  # a quarter to the right
    data = drawn((600, 500), form="JPEG", exif=exif)
    maps, _ = maps_of(board(hex_grid(NUMBERS, **GRID), image="b.jpg"), files={"images/b.jpg": data})
    (map_,) = maps.values()
    assert (map_.picture.path, map_.picture.width_px) == ("field.png", 600)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        pytest.param(None, "no picture b.png", id="missing"),
        pytest.param(b"no picture at all", "broken", id="no picture"),
        pytest.param(b"", "broken", id="empty"),
        pytest.param("<svg width='9e9' height='9e9'/>", "broken", id="endless drawing"),
    ],
)
def test_a_board_without_its_picture_has_no_size_and_is_told(data, why):
    files = {} if data is None else {"images/b.png": data}
    grid = hex_grid(NUMBERS, **GRID)
    maps, found = maps_of(board(grid, image="b.png", name="Lost"), board(grid), files=files)
    assert list(maps) == ["field"]
    assert why in found.lost[0].told


def test_half_a_picture_leaves_the_map_without_one():
    half = drawn((600, 500), form="JPEG")[:2000]
    maps, found = maps_of(
        board(hex_grid(NUMBERS, **GRID), image="b.jpg"), files={"images/b.jpg": half}
    )
    (map_,) = maps.values()
    assert map_.picture is None
    assert "the picture of the board Field" in found.lost[0].told
    assert Hex(0, 0) in map_


@pytest.mark.parametrize("root", ["VASSAL.build.GameModule", "VASSAL.launch.BasicModule"])
def test_old_modules_are_read(root):
    grid = hex_grid({"hLeading": "1"}, dy="64.0")  # all else is left at what it always was
    found = import_module(given(window(board(grid)), old=True, root=root))
    (one,) = found.maps
    assert one.map.label(Hex(0, 0)) == "0101"
    assert one.map.label(Hex(1, 0)) == "0202"  # stagger is on where nobody says otherwise
