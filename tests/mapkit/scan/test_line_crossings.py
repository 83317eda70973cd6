"""What leads over water, where a way and a watercourse meet."""

from dataclasses import replace

import numpy as np
import pytest

from mapkit.scan.line_crossings import find_crossings
from mapkit.scan.line_stages import Study, begin
from mapkit.scan.line_teaching import LineKind, LineSwatch, LineTeaching
from tests.mapkit.scan.line_boards import draw_board

pytest.importorskip("cv2")
pytest.importorskip("sklearn")

RIVER, ROAD, TRAIL = (
    LineKind("hexsides", "river"),
    LineKind("links", "road"),
    LineKind("links", "trail"),
)
BRIDGE, FORD = LineKind("hexsides", "bridge"), LineKind("hexsides", "ford")


@pytest.fixture(scope="module")
def study() -> Study:
    board = draw_board()
    # Both crossings look alike here: only what they carry tells them apart.
    [rect] = [swatch.rect for swatch in board.swatches if swatch.kind == "road"]
    swatches = (LineSwatch("hexsides", "bridge", rect), LineSwatch("hexsides", "ford", rect))
    begun = begin(board.sheet, LineTeaching(swatches=(*board.swatches, *swatches)), seed=0)
    strip = begun.strips[ROAD]
    return replace(
        begun,
        kinds=(RIVER, ROAD, BRIDGE, FORD),
        strips={**begun.strips, BRIDGE: strip, FORD: strip},
    )


def _chances(study: Study, *held: tuple[LineKind, int]) -> dict[LineKind, np.ndarray]:
    found = {kind: np.zeros(len(study.sides)) for kind in (RIVER, ROAD, TRAIL)}
    for kind, at in held:
        found[kind][at] = 0.99
    return found


def test_where_a_road_meets_a_river_there_is_a_bridge(study: Study) -> None:
    chances = _chances(study, (RIVER, 5), (ROAD, 5), (RIVER, 6), (ROAD, 7), (RIVER, 9), (TRAIL, 9))
    found = find_crossings(study, chances, None)
    assert found[BRIDGE][5] > 0.5 > found[FORD][5]
    assert found[BRIDGE][[6, 7]].max() == 0
    assert found[FORD][9] > found[BRIDGE][9]


def test_a_map_without_crossings_is_asked_for_none(study: Study) -> None:
    assert find_crossings(replace(study, kinds=(RIVER, ROAD)), _chances(study), None) == {}
