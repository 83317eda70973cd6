"""The ground: outlines lie in their surroundings, shores have lining, woods show contours."""

import re
from dataclasses import replace

import numpy as np
import pytest
from lxml import etree
from shapely.geometry import LineString, Point

from mapkit.drawing import Looks, draw_map, load_style, style_names
from mapkit.drawing.frame import Frame
from mapkit.drawing.marks import Clearings
from mapkit.drawing.terrain import Ground as Land
from mapkit.grid import Grid
from mapkit.hexes import Hex
from mapkit.model import Feature, Ground, HexMap, Shape
from tests.mapkit.drawing.landscapes import NUMBERINGS, all_kinds, landscape

SVG = "{http://www.w3.org/2000/svg}"
PITCH = 60


def small_map(terrain_of, shapes=(), size=5):
    numbering = NUMBERINGS["pointy"]
    board = [numbering.hex_at(c, r) for r in range(size) for c in range(size)]
    grid = Grid.regular("pointy", pitch_px=PITCH, hex_mm=16)
    map_ = HexMap(
        grid=grid,
        numbering=numbering,
        hexes={hex_: terrain_of(hex_) for hex_ in board},
        kinds=all_kinds(),
    )
    return replace(map_, shapes=tuple(shapes))


def disc(grid, hex_, radius):
    x, y = grid.centre(hex_)
    turns = np.linspace(0, 2 * np.pi, 17)
    return tuple((x + radius * np.cos(t), y + radius * np.sin(t)) for t in turns)


def land_of(map_, name):
    looks = Looks(load_style(name), map_.kinds)
    return Land(Frame.around(map_, hex_px=PITCH, margin=0.5), looks)


@pytest.mark.parametrize("name", style_names())
def test_the_ground_goes_on_up_to_an_outline_that_leaves_some_of_its_hex_free(name):
    wood = NUMBERINGS["pointy"].hex_at(2, 2)
    grid = Grid.regular("pointy", pitch_px=PITCH)
    outline = Shape("woods", "outline", rings=(disc(grid, wood, 0.2 * PITCH),))
    map_ = small_map(lambda h: Ground("woods" if h == wood else "fields", level=h.q), [outline])
    land = land_of(map_, name)
    regions = dict(land.terrain)
    x, y = land.frame.grid.centre(wood)
    beside = Point(x + 0.4 * PITCH, y)
    assert regions["fields"].geometry.contains(beside)
    assert not regions["fields"].geometry.contains(Point(x, y))
    assert regions["woods"].geometry.contains(Point(x, y))


@pytest.mark.parametrize("name", ["textured", "antique"])
def test_the_edge_of_the_map_is_no_shore(name):
    style = load_style(name)
    colour = style.terrain["sea"].lining_colour
    open_sea = draw_map(small_map(lambda _: Ground("sea")), style, layers=["terrain"])
    assert f'stroke="{colour}"' not in open_sea.svg
    island = NUMBERINGS["pointy"].hex_at(2, 2)
    map_ = small_map(lambda h: Ground("clear" if h == island else "sea"))
    assert f'stroke="{colour}"' in draw_map(map_, style, layers=["terrain"]).svg


def test_a_harbour_town_lies_on_the_water_it_reaches_into():
    town = NUMBERINGS["pointy"].hex_at(2, 2)
    grid = Grid.regular("pointy", pitch_px=PITCH)
    outline = Shape("city", "outline", rings=(disc(grid, town, 0.8 * PITCH),))
    map_ = small_map(
        lambda h: Ground(
            "sea" if h.r > town.r else "clear",
            features=(Feature("city"),) if h == town else (),
        ),
        [outline],
    )
    style = load_style("plain")
    root = etree.fromstring(draw_map(map_, style, layers=["terrain"]).svg.encode())
    fills = [path.get("fill") for path in root.find(f".//{SVG}g[@id='lakes']").iter(f"{SVG}path")]
    sea, city = style.terrain["sea"].fill, style.terrain["city"].fill
    assert fills.index(sea) < fills.index(city)


def test_marks_leave_a_contour_free():
    map_ = small_map(lambda _: Ground("woods"))
    frame = Frame.around(map_, hex_px=PITCH, margin=0.5)
    contour = LineString([(0, 150), (400, 150)])
    reach = 0.2 * PITCH
    x, y = (part.ravel() for part in np.meshgrid(np.arange(60, 300, 7.0), np.arange(60, 260, 7.0)))
    stays = Clearings(contours=(contour,)).keep(frame, x, y, reach).astype(bool)
    bodies = y - 0.3 * reach
    assert abs(bodies[stays] - 150).min() > 0.4 * reach
    assert abs(bodies[stays] - 150).min() < 0.4 * reach + 0.2 * PITCH  # and no more than that


@pytest.mark.parametrize("columns", [12, 70])
def test_marks_are_as_big_in_the_legend_as_on_the_map(columns):
    map_ = landscape("pointy", columns=columns, rows=10)
    style = load_style("textured")
    root = etree.fromstring(draw_map(map_, style, hex_px=40).svg.encode())

    def radii(group):
        tree = style.terrain["woods"].marks[0].colour
        paths = root.find(f".//{SVG}g[@id='{group}']").iter(f"{SVG}path")
        return {
            radius
            for path in paths
            if path.get("fill") == tree
            for radius in re.findall(r"a([\d.]+) ", path.get("d"))
        }

    assert radii("legend")
    assert radii("legend") <= radii("texture")


def test_hexes_of_no_outline_are_drawn_as_before():
    map_ = small_map(lambda h: Ground("woods" if h == Hex(1, 1) else "fields"))
    regions = dict(land_of(map_, "plain").terrain)
    assert regions["woods"].geometry.intersection(regions["fields"].geometry).area < 1
