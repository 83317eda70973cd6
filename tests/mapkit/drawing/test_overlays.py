"""What a ruling draws over the map."""

import re

import numpy as np
import pytest

from mapkit.drawing import (
    ALL_LAYERS,
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
LAND = ALL_LAYERS - {"title", "legend", "scale", "compass"}
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


def test_panels_below_hide_nothing_of_the_map(pixels):
    map_, style = landscape(columns=12, rows=9), load_style("plain")
    level = tuple(ProfilePoint(along, 2, "x") for along in (0, 0.5, 1))
    panels = [TextOverlay(("one", "two"), "below"), ProfileOverlay(level, (2, 2), corner="below")]
    bare = draw_map(map_, style, hex_px=32, layers=LAND)
    drawn = draw_map(map_, style, hex_px=32, layers=LAND, overlays=panels)
    assert drawn.height_px > bare.height_px
    hexes = {hex_: drawn.grid.centre(hex_) for hex_ in map_.hexes}
    boxes = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)"[^>]*rx=', drawn.svg)
    assert len(boxes) == 2
    assert all(float(y) > max(y for _, y in hexes.values()) for _, y in boxes)
    shown, alone = pixels(drawn), pixels(bare)
    for hex_, (x, y) in hexes.items():
        bx, by = bare.grid.centre(hex_)
        assert np.abs(shown[int(y), int(x)] - alone[int(by), int(bx)]).max() <= 60, hex_


def test_panels_too_wide_for_the_land_widen_the_sheet():
    map_, style = landscape(columns=2, rows=2), load_style("plain")
    bare = draw_map(map_, style, hex_px=32, layers=LAND)
    long = draw_map(
        map_, style, hex_px=32, layers=LAND, overlays=[TextOverlay(("m" * 60,), "below")]
    )
    ((x, width),) = re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"[^>]*rx=', long.svg)
    assert long.width_px > bare.width_px
    assert 0 < float(x) < float(x) + float(width) < long.width_px


@pytest.mark.parametrize("blocks", [False, True])
def test_level_ground_and_the_line_over_it_are_both_seen(pixels, blocks):
    points = tuple(ProfilePoint(along, 3, "0101", blocks) for along in (0.0, 0.5, 1.0))
    profile = ProfileOverlay(points, sight=(3, 3), corner="below")
    map_, style = landscape(columns=12, rows=9), load_style("plain")
    drawn = draw_map(map_, style, hex_px=64, layers=LAND, overlays=[profile])
    panel = pixels(drawn)[int(drawn.grid.centre(at(0, 8))[1]) + 64 :]
    column = panel[:, int(drawn.grid.centre(at(4, 8))[0])]
    line = np.array((0xD7, 0x26, 0x3D) if blocks else (0x2E, 0x7D, 0x32))
    earth = np.array((0xC9, 0xB4, 0x8D))
    where_line = np.flatnonzero(np.abs(column - line).max(axis=1) < 40)
    assert where_line.size, "the line of sight is not seen"
    if not blocks:
        where_earth = np.flatnonzero(np.abs(column - earth).max(axis=1) < 12)
        assert where_earth.size > 20, "the ground is not seen"
        edge = column[where_line.max() + 1 : where_earth.min()]
        brown = np.abs(edge - np.array((0x6D, 0x58, 0x36))).max(axis=1) < 60
        assert brown.any(), "the line lies on the ground and hides its edge"
