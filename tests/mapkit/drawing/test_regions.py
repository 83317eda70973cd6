"""Areas: islands in holes, however many rings lie in one another."""

import numpy as np
import pytest
from shapely.geometry import Point

from mapkit.drawing import Looks, draw_map, ground_colour, load_style, style_names
from mapkit.drawing.regions import Region
from mapkit.grid import Grid
from mapkit.hexes import neighbours
from mapkit.model import Ground, HexMap
from tests.mapkit.drawing.landscapes import NUMBERINGS, all_kinds


@pytest.mark.parametrize("name", style_names())
def test_ground_ringed_by_other_ground_keeps_its_colour(name, pixels):
    numbering = NUMBERINGS["pointy"]
    hexes = {numbering.hex_at(c, r): Ground("fields") for c in range(12) for r in range(7)}
    ringed = [numbering.hex_at(c, 3) for c in (2, 8)]
    for hex_ in ringed:
        hexes |= dict.fromkeys(neighbours(hex_), Ground("woods"))
    map_ = HexMap(Grid.regular("pointy", pitch_px=40), numbering, hexes, all_kinds())
    looks = Looks(load_style(name), map_.kinds)
    drawing = draw_map(map_, looks.style, layers={"levels", "terrain"}, hex_px=40)
    picture = pixels(drawing)
    for hex_ in map_.hexes:
        x, y = (int(v) for v in drawing.grid.centre(hex_))
        colour = ground_colour(map_, looks, hex_)
        wanted = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
        assert np.abs(picture[y, x] - wanted).max() <= 2, map_.label(hex_)


def square(half, *, hole=False):
    """Return a ring around the origin; holes run the other way."""
    ring = [(-half, -half), (-half, half), (half, half), (half, -half), (-half, -half)]
    return ring[::-1] if hole else ring


def test_rings_within_rings_are_land_and_water_by_turns():
    rings = (square(4), square(3, hole=True), square(2), square(1, hole=True))
    area = Region(rings).geometry
    inside = [area.contains(Point(x, 0.0)) for x in (3.5, 2.5, 1.5, 0.5)]
    assert inside == [True, False, True, False]
