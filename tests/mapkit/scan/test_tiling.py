import numpy as np

from mapkit.grid import Grid
from mapkit.scan.honeycomb import along_hexsides
from mapkit.scan.ink import ink_pictures
from mapkit.scan.tiling import PITCH_PX, cut_tiles, mix_inks, worth_of
from tests.mapkit.scan.printed import SIZE, ground, hexes_within, printed

GRID = Grid.regular("pointy", pitch_px=PITCH_PX, first_px=(40, 40))
BASIS = np.array(GRID.homography)[:2, :2]


def test_bare_paper_shows_no_grid():
    tiles = cut_tiles(np.zeros((400, 500), np.float32), BASIS, most=2)
    assert [tile.worth for tile in tiles] == [0.0] * len(tiles)
    assert all(np.isfinite(tile.basis).all() for tile in tiles)


def test_a_tile_shows_where_the_centres_lie():
    sheet = printed(GRID, hexes_within(GRID, 30, 27), (90, 85, 80), ground())
    ink, tiles = mix_inks(ink_pictures(sheet), BASIS, PITCH_PX)
    assert worth_of(tiles) > 10 * worth_of(mix_inks(ink_pictures(ground()), BASIS, PITCH_PX)[1])
    for tile in tiles:
        q, r = GRID.from_pixel(*tile.centre)
        assert abs(q - round(q)) < 0.06
        assert abs(r - round(r)) < 0.06
    assert along_hexsides(ink, BASIS).shape == (3, SIZE[1], SIZE[0])
