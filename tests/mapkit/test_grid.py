"""Pixels and hexes: inverse under every turn, stretch and perspective; shapely as oracle."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Point, Polygon

from mapkit.errors import GridError
from mapkit.grid import Grid
from mapkit.hexes import ORIGIN, Hex, disc, vertices

hexes = st.builds(Hex, st.integers(0, 300), st.integers(-150, 300))
affine = st.builds(
    Grid.regular,
    st.sampled_from(["flat", "pointy"]),
    pitch_px=st.floats(8, 400),
    first_px=st.tuples(st.floats(-500, 500), st.floats(-500, 500)),
    turned_deg=st.floats(-180, 180),
    stretch=st.floats(0.5, 2),
)


@st.composite
def perspective(draw):
    """A sheet seen aslant: far hexes shrink to a half or so, none passes the horizon."""
    top, middle, _ = draw(affine).homography
    g, h = draw(st.tuples(st.floats(0, 1e-3), st.floats(0, 1e-3)))
    return Grid(draw(st.sampled_from(["flat", "pointy"])), (top, middle, (g, h, 1.0)))


grids = affine | perspective()


@given(grids, hexes)
def test_the_hex_at_a_centre_is_that_hex(grid, hex_):
    assert grid.hex_at(*grid.centre(hex_)) == hex_


@given(grids, st.floats(0, 200), st.floats(0, 200))
def test_pixel_and_axial_point_are_inverse(grid, q, r):
    back = grid.from_pixel(*grid.to_pixel(q, r))
    assert back == pytest.approx((q, r), rel=1e-6, abs=1e-6)


@given(grids, hexes, st.floats(0, 0.98), st.integers(0, 5))
def test_every_pixel_inside_a_polygon_belongs_to_its_hex(grid, hex_, outward, corner):
    (x, y), (cx, cy) = grid.centre(hex_), grid.polygon(hex_)[corner]
    pixel = x + (cx - x) * outward, y + (cy - y) * outward
    assert grid.hex_at(*pixel) == hex_


@given(affine)
def test_polygons_tile_the_sheet_without_gap_or_overlap(grid):
    patch = list(disc(ORIGIN, 2))
    polygons = [Polygon(grid.polygon(hex_)) for hex_ in patch]
    whole = polygons[0]
    for polygon in polygons[1:]:
        whole = whole.union(polygon.buffer(1e-6))
    assert whole.area == pytest.approx(sum(polygon.area for polygon in polygons), rel=1e-4)
    assert all(
        polygon.contains(Point(grid.centre(hex_)))
        for hex_, polygon in zip(patch, polygons, strict=True)
    )


def test_neighbours_share_the_corners_of_their_hexside():
    grid = Grid.regular("flat", pitch_px=64)
    shared = set(vertices(ORIGIN)) & set(vertices(Hex(1, 0)))
    assert {grid.corner(corner) for corner in shared} <= set(grid.polygon(ORIGIN))
    assert len(shared) == 2


@pytest.mark.parametrize(("orientation", "flat_side_up"), [("flat", True), ("pointy", False)])
def test_which_way_up_the_hexes_stand(orientation, flat_side_up):
    ys = sorted(y for _, y in Grid.regular(orientation, pitch_px=100).polygon(ORIGIN))
    assert math.isclose(ys[0], ys[1], abs_tol=1e-9) == flat_side_up


@given(grids, hexes, hexes)
def test_renamed_hexes_stay_where_they_are(grid, hex_, by):
    there = grid.moved(by).centre(hex_)
    assert there == pytest.approx(grid.centre(hex_.moved(by)), rel=1e-6, abs=1e-6)


def test_the_pitch_is_the_distance_of_centres():
    assert Grid.regular("pointy", pitch_px=77.5).pitch_px(Hex(3, 4)) == pytest.approx(77.5)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Grid("flat", ((1.0, 2.0, 0.0), (2.0, 4.0, 0.0), (0.0, 0.0, 1.0))),
        lambda: Grid("flat", ((0.0,) * 3,) * 3),
        lambda: Grid("flat", ((math.nan,) * 3,) * 3),
        lambda: Grid("flat", ((1.0, 2.0),)),
        lambda: Grid.regular("flat", pitch_px=0),
        lambda: Grid.regular("flat", pitch_px=60, hex_mm=-1),
        lambda: Grid("flat", ((9.0, 0, 0), (0, 9.0, 0), (0.5, 0, 1.0))).to_pixel(-2, 0),
    ],
)
def test_grids_that_are_none(wrong):
    with pytest.raises(GridError):
        wrong()
