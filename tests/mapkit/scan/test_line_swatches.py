"""Legend samples cut free of their paper."""

import numpy as np
import pytest

from mapkit.scan.line_swatches import cut_strip, draw_line
from mapkit.scan.side_patches import U, V
from tests.mapkit.scan.line_boards import draw_board

pytest.importorskip("cv2")


def test_a_road_as_pale_as_paper_keeps_its_middle() -> None:
    board = draw_board()
    strip = cut_strip(board.sheet, board.swatches[1].rect)
    assert strip is not None
    middle = strip.cover.shape[0] // 2
    assert strip.cover[middle].min() > 0.9
    assert strip.colours[middle, :, 0].mean() > strip.colours[middle - 3, :, 0].mean() + 40


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
