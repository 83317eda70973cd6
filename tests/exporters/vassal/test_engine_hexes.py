"""The engine's snapping, held against what the running engine answered."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporters.vassal.engine_hexes import EngineHexes
from mapkit.hexes import Hex, neighbours

VECTORS = json.loads(Path(__file__).with_name("grid_vectors.json").read_text("utf-8"))["grids"]
small = st.integers(-30, 30)
cells = st.tuples(small, small)
grids = st.builds(
    EngineHexes,
    sideways=st.booleans(),
    x0=st.integers(-90, 90),
    y0=st.integers(-90, 90),
    dx=st.floats(12, 90),
    dy=st.floats(12, 90),
)


@pytest.mark.parametrize("case", VECTORS, ids=range(len(VECTORS)))
def test_pieces_go_where_the_running_engine_put_them(case):
    given_ = case["grid"]
    grid = EngineHexes(*(given_[name] for name in ("sideways", "x0", "y0", "dx", "dy")))
    for x, y, _, snapped_x, snapped_y, _ in case["points"]:
        assert grid.centre(grid.cell_at(x, y)) == (snapped_x, snapped_y)


@given(grids, cells)
def test_a_piece_on_its_centre_stays(grid, cell):
    assert grid.cell_at(*grid.centre(cell)) == cell


@given(grids, st.builds(Hex, small, small), cells)
def test_hexes_and_cells_are_one_another(grid, hex_, first):
    assert grid.hex_of(grid.cell_of(hex_, first), first) == hex_
    assert grid.cell_of(Hex(0, 0), first) == first


@given(grids, st.builds(Hex, small, small), cells)
def test_neighbours_of_a_hex_lie_around_it(grid, hex_, first):
    x, y = grid.centre(grid.cell_of(hex_, first))
    across, along = (grid.dy, grid.dx) if grid.sideways else (grid.dx, grid.dy)
    for near in neighbours(hex_):
        at_x, at_y = grid.centre(grid.cell_of(near, first))
        assert abs(at_x - x) <= across + 2
        assert abs(at_y - y) <= along + 2
