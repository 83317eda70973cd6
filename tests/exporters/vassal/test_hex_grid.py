"""The engine names every hex as our map does, and finds it again by its label."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from exporters.vassal.board_elements import board_element, numbered_parts
from exporters.vassal.boards import Board
from exporters.vassal.hex_grid import Lattice, worst_px
from mapkit.grid import Grid
from mapkit.hexes import Hex
from mapkit.model import Ground, HexMap
from mapkit.numbering import Axis, Numbering, SheetNumbering, SheetPart
from tests.exporters.vassal.engine import Engine, read_board

VECTORS = json.loads(Path(__file__).with_name("grid_vectors.json").read_text("utf-8"))["grids"]


@pytest.mark.parametrize("case", VECTORS, ids=range(len(VECTORS)))
def test_our_reader_answers_as_the_running_engine_did(case):
    size = (case["board"]["width"], case["board"]["height"])
    engine = Engine(case["grid"], case["numbering"], size)
    for x, y, label, snapped_x, snapped_y, snapped_label in case["points"]:
        assert engine.label(x, y) == label
        assert engine.snap(x, y) == (snapped_x, snapped_y)
        assert engine.label(snapped_x, snapped_y) == snapped_label
    for label, place in case["labels"]:
        assert engine.place(label) == (place and tuple(place))


def board(numbering, columns=9, rows=7, *, pitch=61.3, first=(80.7, 90.2), stretch=1.0):
    hexes = {numbering.hex_at(c, r): Ground() for c in range(columns) for r in range(rows)}
    wide = pitch * math.sqrt(3) / 2
    across, along = wide * stretch, pitch
    bare = Lattice(numbering.orientation, (0.0, 0.0), across, along)
    lowest = [min(bare.centre(hex_)[axis] for hex_ in hexes) for axis in (0, 1)]
    lattice = replace(bare, first_px=(first[0] - lowest[0], first[1] - lowest[1]))
    grid = Grid.regular(numbering.orientation, pitch_px=pitch)
    centres = [lattice.centre(hex_) for hex_ in hexes]
    size = tuple(math.ceil(max(c[axis] for c in centres) + pitch) for axis in (0, 1))
    return Board("Board", HexMap(grid, numbering, hexes), b"", ".png", size, lattice)


def assert_named_alike(made):
    written, _, _ = board_element(made, "map.png")
    reader = read_board(etree.fromstring(etree.tostring(written)), made.size_px)
    for hex_ in made.map.hexes:
        x, y = made.lattice.centre(hex_)
        label = made.map.label(hex_)
        snapped = reader.snap(math.floor(x), math.floor(y))
        worst = worst_px(made.lattice) + 1e-6
        assert max(abs(snapped[0] - x), abs(snapped[1] - y)) <= worst
        assert reader.label(*snapped) == label
        place = reader.place(label)
        assert place is not None, label
        assert max(abs(place[0] - x), abs(place[1] - y)) <= 1.5, label


@given(
    straight=st.sampled_from(["columns", "rows"]),
    order=st.sampled_from(["CCRR", "RRCC"]),
    columns=st.builds(Axis, first=st.integers(9, 40), step=st.sampled_from([1, -1])),
    rows=st.builds(Axis, first=st.integers(9, 40), step=st.sampled_from([1, -1])),
    separator=st.sampled_from(["", ".", ":"]),
    shoved=st.sampled_from(["odd", "even"]),
    toward=st.sampled_from(["higher", "lower"]),
    pitch=st.floats(20, 150),
    stretch=st.floats(0.9, 1.1),
    first=st.tuples(st.floats(10, 200), st.floats(10, 200)),
)
def test_every_numbering_by_rule_is_named_alike(
    straight, order, columns, rows, separator, shoved, toward, pitch, stretch, first
):
    numbering = Numbering(straight, order, columns, rows, separator, shoved, toward, Hex(3, -2))
    assert_named_alike(board(numbering, pitch=pitch, first=first, stretch=stretch))


@pytest.mark.parametrize("straight", ["columns", "rows"])
@pytest.mark.parametrize(
    "axis",
    [
        pytest.param(Axis(first=-3, wrap_from=90), id="99-west-of-00"),
        pytest.param(Axis(first=4, skip=(7, 8)), id="skipped"),
        pytest.param(Axis(first=20, letters="AA BB"), id="letters"),
        pytest.param(Axis(first=1, letters="AA AB"), id="one-alphabet"),
    ],
)
def test_breaks_in_the_numbers_become_zones(straight, axis):
    for numbering in (
        Numbering(straight, columns=axis),
        Numbering(straight, rows=axis, order="RRCC"),
    ):
        assert_named_alike(board(numbering))


def test_what_no_rule_of_the_engine_prints_becomes_named_points():
    numbering = Numbering("columns", columns=Axis(first=24, letters="AA AB"))
    made = board(numbering)
    written, dropped, _ = board_element(made, "map.png")
    assert [lost.key for lost in dropped] == ["exporters.vassal.lost.regions"]
    names = {region.get("name") for region in written.iter() if region.tag.endswith(".Region")}
    assert names == {made.map.label(hex_) for hex_ in made.map.hexes}
    assert "AB01" in names


def test_joined_sheets_keep_their_prefixes():
    left = Numbering("columns")
    right = left.moved(Hex(5, -2))
    both = SheetNumbering(
        (SheetPart("A", left, (0, 4), (0, 6)), SheetPart("B", right, (0, 3), (0, 6)))
    )
    hexes = [left.hex_at(c, r) for c in range(5) for r in range(7)]
    hexes += [right.hex_at(c, r) for c in range(4) for r in range(7) if right.hex_at(c, r)]
    parts = numbered_parts(both, dict.fromkeys(hexes))
    assert [part.prefix for part in parts] == ["A:", "B:"]
    made = board(left)
    map_ = HexMap(made.map.grid, both, dict.fromkeys(hexes, Ground()))
    assert_named_alike(Board("Board", map_, b"", ".png", made.size_px, made.lattice))
