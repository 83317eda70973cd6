"""What a ruling draws over the map."""

import numpy as np
import pytest

from mapkit.drawing import (
    HexOverlay,
    LineOverlay,
    PathOverlay,
    ProfileOverlay,
    ProfilePoint,
    TextOverlay,
    draw_map,
    load_style,
)
from mapkit.hexes import Hexside, Link, vertex
from tests.mapkit.drawing.landscapes import NUMBERINGS, landscape

at = NUMBERINGS["pointy"].hex_at
A, B, C = at(2, 2), at(3, 2), at(6, 4)
OVERLAYS = [
    HexOverlay((A, C), label="<b>"),
    LineOverlay(A, C, label="5 & more"),
    LineOverlay(Hexside.between(A, B), vertex(C, 0), dashed=True),
    LineOverlay(Link.between(A, B), C),
    PathOverlay((A, B, at(4, 2)), costs=("0", "2", "4½")),
    PathOverlay((A,)),
    ProfileOverlay(
        (ProfilePoint(0, 3, "0303"), ProfilePoint(0.5, 5, "x", blocks=True), ProfilePoint(1, 2)),
        sight=(3.5, 2.5),
        title="Sight",
    ),
    ProfileOverlay((ProfilePoint(0, 1), ProfilePoint(1, 1))),
    ProfileOverlay(()),
    TextOverlay(("Blocked by 0404", "<rule> 13.2")),
    TextOverlay((), corner="bottom-left"),
]


@pytest.mark.parametrize("overlay", OVERLAYS, ids=lambda overlay: type(overlay).__name__)
def test_an_overlay_is_seen_and_safe(pixels, overlay):
    map_, style = landscape(columns=12, rows=9), load_style("plain")
    bare = draw_map(map_, style, hex_px=32)
    covered = draw_map(map_, style, hex_px=32, overlays=[overlay])
    assert bare.grid == covered.grid
    assert "<b>" not in covered.svg
    difference = np.abs(pixels(bare) - pixels(covered)).max(axis=2) > 20
    assert difference.any() == (overlay != PathOverlay((A,)))


def test_panels_in_one_corner_stand_apart():
    map_, style = landscape(columns=12, rows=9), load_style("plain")
    text = TextOverlay(("one",))
    twice = draw_map(map_, style, hex_px=32, overlays=[text, text])
    assert twice.svg.count("<rect") == draw_map(map_, style, hex_px=32).svg.count("<rect") + 2
    boxes = [part for part in twice.svg.split("<rect ") if 'rx="' in part][-2:]
    assert boxes[0].split('y="')[1] != boxes[1].split('y="')[1]
