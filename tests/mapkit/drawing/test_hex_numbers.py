"""Hex numbers: one that a symbol would cover stands on the other side of the centre."""

from dataclasses import replace

import pytest

from mapkit.drawing import draw_map, load_style
from mapkit.drawing.style import NUMBER_PLACES
from mapkit.grid import Grid
from mapkit.model import Feature, Ground, HexMap, Shape
from tests.mapkit.drawing.landscapes import NUMBERINGS, all_kinds
from tests.mapkit.drawing.test_works import texts

PITCH = 60


def with_peak(off):
    """A map with one peak, drawn *off* pitches below the centre of its hex."""
    numbering, grid = NUMBERINGS["pointy"], Grid.regular("pointy", pitch_px=PITCH)
    board = [numbering.hex_at(c, r) for r in range(4) for c in range(4)]
    high = numbering.hex_at(2, 2)
    hexes = {h: Ground("clear", features=(Feature("peak"),) if h == high else ()) for h in board}
    map_ = HexMap(grid=grid, numbering=numbering, hexes=hexes, kinds=all_kinds())
    x, y = grid.centre(high)
    point = Shape("peak", "point", rings=(((x, y + off * PITCH),),))
    return replace(map_, shapes=(point,)), high


@pytest.mark.parametrize(("off", "is_moved"), [(-0.34, True), (0.0, False), (0.34, False)])
def test_a_number_gives_way_to_a_peak(off, is_moved):
    map_, high = with_peak(off)
    style = load_style("plain")
    drawing = draw_map(map_, style, hex_px=PITCH)
    (y,) = [y for label, _, y in texts(drawing, "numbers") if label == map_.label(high)]
    above = y < drawing.grid.centre(high)[1]
    assert above == ((NUMBER_PLACES[style.number_place] < 0) != is_moved)
    assert len(list(texts(drawing, "numbers"))) == len(map_.hexes)


def test_without_symbols_all_numbers_keep_their_place():
    map_, high = with_peak(-0.34)
    drawing = draw_map(map_, load_style("plain"), hex_px=PITCH, layers=["numbers"])
    (y,) = [y for label, _, y in texts(drawing, "numbers") if label == map_.label(high)]
    assert y < drawing.grid.centre(high)[1]
