"""Legend samples cut free of their paper."""

import numpy as np
import pytest

from mapkit.scan.line_swatches import FINE, cut_strip, draw_line
from mapkit.scan.side_patches import U, V
from tests.mapkit.scan.line_boards import draw_board

cv2 = pytest.importorskip("cv2")


def test_a_road_as_pale_as_paper_keeps_its_middle() -> None:
    board = draw_board()
    strip = cut_strip(board.sheet, board.swatches[1].rect)
    assert strip is not None
    middle = strip.cover.shape[0] // 2
    assert strip.cover[middle].min() > 0.9
    edge = strip.colours[middle - 4 * FINE : middle, :, 0].mean(axis=1).min()
    assert strip.colours[middle, :, 0].mean() > edge + 40


def test_bare_paper_holds_no_line() -> None:
    board = draw_board()
    left, top, width, height = board.swatches[1].rect
    assert cut_strip(board.sheet, (left + 2 * width, top, width, height)) is None


def test_a_drawn_line_leaves_the_ground_beside_it_alone() -> None:
    board = draw_board()
    strip = cut_strip(board.sheet, board.swatches[0].rect)
    assert strip is not None
    ground = np.full((2 * V + 1, 2 * U + 1, 3), 200, np.float32)
    cover = draw_line(ground, strip, np.random.default_rng(3), across=False, scale=1.0)
    assert cover[:, U].max() > 0.9
    assert (ground[cover == 0] == 200).all()
    assert np.abs(ground[cover > 0.9] - 200).max() > 50


def test_a_thin_line_is_drawn_as_dark_as_it_is_printed() -> None:
    board = draw_board()
    strip = cut_strip(board.sheet, board.swatches[1].rect)
    assert strip is not None
    ground = np.full((2 * V + 1, 2 * U + 1, 3), 200, np.float32)
    draw_line(ground, strip, np.random.default_rng(3), across=True, scale=1.0, vary=False)
    left, top, width, height = (round(at) for at in board.swatches[1].rect)
    sample = board.sheet.pixels[top : top + height, left : left + width]
    light = cv2.cvtColor(sample, cv2.COLOR_RGB2LAB)[:, :, 0].astype(float)
    # Its edges are thinner than a sample where they run aslant.
    assert ground[:, :, 0].min() < light.max() - 0.7 * np.ptp(light)


def test_a_line_goes_on_along_the_next_hexside() -> None:
    board = draw_board()
    strip = cut_strip(board.sheet, board.swatches[0].rect)
    assert strip is not None
    left = set()
    for seed in range(12):
        ground = np.full((2 * V + 1, 2 * U + 1, 3), 200, np.float32)
        cover = draw_line(ground, strip, np.random.default_rng(seed), across=False, scale=1.0)
        left.add(round((int(cover[:, -1].argmax()) - int(cover[:, U + 8].argmax())) / 6))
    assert {-1, 1} <= left
