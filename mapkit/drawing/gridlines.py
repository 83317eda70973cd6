"""The lines between the hexes: each hexside once, row by row."""

from collections import defaultdict

from mapkit.drawing.frame import Frame, corners
from mapkit.drawing.style import HexGrid
from mapkit.drawing.svg import Sheet, circle

_TILE = 6.0  # hexes: short paths that lie close together are rasterised much faster


def draw_grid(sheet: Sheet, frame: Frame, look: HexGrid) -> None:
    """Draw the outline of every hex, and a dot in its centre where the style wants one."""
    drawn = set()
    tiles: dict[tuple[int, int], list[str]] = defaultdict(list)
    size = _TILE * frame.pitch
    for hex_ in sorted(frame.map_.hexes):
        cx, cy = frame.centres[hex_]
        around = corners(hex_)
        line: list[str] = []
        for index in range(6):
            one, other = around[index - 1], around[index]
            key = (one, other) if one < other else (other, one)
            if key in drawn:
                line = []
                continue
            drawn.add(key)
            x, y = frame.corner(other)
            if not line:
                x0, y0 = frame.corner(one)
                line = tiles[int(cy // size), int(cx // size)]
                line.append(f"M{x0:.1f} {y0:.1f}")
            line.append(f"L{x:.1f} {y:.1f}")
    for _, parts in sorted(tiles.items()):
        sheet.path(
            "".join(parts),
            fill="none",
            stroke=look.colour,
            stroke_width=look.width * frame.pitch,
            stroke_opacity=look.opacity if look.opacity < 1 else None,
            stroke_linecap="round",
        )
    if look.dot:
        dots = [circle(x, y, look.dot * frame.pitch) for _, (x, y) in sorted(frame.centres.items())]
        for start in range(0, len(dots), 60):
            sheet.path("".join(dots[start : start + 60]), fill=look.colour)
