"""Ground between neighbours that are alike: drawn as one, save where water runs."""

import numpy as np
import pytest

from mapkit.hexes import Hex, Hexside, Vertex
from mapkit.numbering import Numbering
from sample_maps.fields import CALM, near, ragged
from sample_maps.land import Land
from sample_maps.saddles import BANK, Water, dips, filled, islands

LAND = Land.of(Numbering(straight="rows"), 8, 7)
DRY = Water.of(LAND, (), ())
HERE, EAST, SOUTH = Hex(2, 3), Hex(3, 3), Hex(2, 4)
LEAST = dict.fromkeys((HERE, EAST, SOUTH), 0.06)


def dots(*hexes):
    """A field above nought only close to some centres."""
    return 0.3 - near(LAND, [LAND.to_hexes(LAND.grid.centre(hex_)) for hex_ in hexes])


def between(field, *hexes):
    """The field halfway between some centres."""
    xs, ys = zip(*(LAND.grid.centre(hex_) for hex_ in hexes), strict=True)
    return LAND.sample(field, [(sum(xs) / len(xs), sum(ys) / len(ys))])[0]


def test_three_dots_around_a_vertex_become_one_patch():
    field = dots(*LEAST)
    spans = dips(LAND, field, LEAST, DRY)
    three = Vertex.between(*LEAST)
    assert set(spans) == {tuple(three), *(tuple(side) for side in three.hexsides)}
    whole = filled(LAND, field, spans, DRY, steep=0.6)
    assert between(field, *LEAST) < 0 < between(whole, *LEAST)
    assert between(whole, HERE, EAST) > 0


def test_nothing_is_lowered_and_other_centres_stay():
    field = dots(*LEAST)
    whole = filled(LAND, field, dips(LAND, field, LEAST, DRY), DRY, steep=0.6)
    assert (whole >= field - 1 / 4096).all()
    for hex_, value in LAND.at_centres(whole).items():
        assert (value > 0) == (hex_ in LEAST)


def test_ground_that_does_not_dip_is_left_alone():
    assert dips(LAND, np.ones_like(LAND.x), LEAST, DRY) == {}


def test_a_span_needs_the_lowest_of_its_hexes():
    spans = dips(LAND, np.zeros_like(LAND.x), {HERE: 3.12, EAST: 5.12}, DRY)
    assert spans == {tuple(Hexside.between(HERE, EAST)): 3.12}


def test_water_keeps_its_banks():
    side = Hexside.between(HERE, EAST)
    line = [LAND.grid.corner(vertex) for vertex in side.vertices]
    water = Water.of(LAND, {side}, [line])
    field = dots(*LEAST)
    spans = dips(LAND, field, LEAST, water)
    assert tuple(side) not in spans
    assert len(spans) == 2  # and no three: one of its hexsides is wet
    whole = filled(LAND, field, spans, water, steep=0.6)
    close = water.away < BANK / 3
    assert close.any()
    assert (whole[close] <= np.maximum(field[close], 0)).all()


def test_an_island_is_joined_where_the_strip_between_is_lowest():
    cut_off = {HERE: "clear", EAST: "clear", SOUTH: "clear", LAND.labelled("0104")[0]: "clear"}
    strip = 0.5 - 0.05 * LAND.x
    assert islands(LAND, strip, cut_off, DRY) == [
        tuple(Hexside.between(HERE, EAST)),
        tuple(Hexside.between(EAST, SOUTH)),
    ]
    assert islands(LAND, -strip, cut_off, DRY) == []
    assert islands(LAND, strip, {HERE: "clear", EAST: "marsh"}, DRY) == []


@pytest.mark.parametrize("seed", range(3))
def test_ragged_ground_stays_calm_at_the_centre(seed):
    _, away = LAND.cover
    stretched = ragged(LAND, seed)
    assert (stretched[away < CALM / 1.4] <= CALM).all()
    assert (stretched != away).any()


def test_at_the_edge_land_comes_in_from_beyond():
    """Halfway from an outermost centre to the edge it is as calm as at the centre."""
    corner = LAND.labelled("0401")[0]
    x, y = LAND.grid.centre(corner)
    north = min(y for _, y in LAND.grid.polygon(corner))
    beyond = (x + 16.0, y - (y - north) * 0.8)
    assert LAND.sample(LAND.cover[1], [beyond])[0] > LAND.sample(ragged(LAND, 1), [beyond])[0]
