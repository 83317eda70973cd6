"""The grid of a scan as a person asks for it: alone, or with a hint; and the answer in words."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mapkit.grid import Point
from mapkit.progress import OnProgress, ignore
from mapkit.scan.found_grid import FoundGrid
from mapkit.scan.load import ScanError
from mapkit.scan.page_outline import find_page, page_of
from mapkit.scan.pointed_grid import grid_from_three, grid_within_corners
from mapkit.scan.sheet import Pixels
from mapkit.scan.sheet_grid import find_sheet_grid
from mapkit.texts import say

_NUMBER = r"-?\d+(?:\.\d+)?"


def parse_points(text: str | None, count: int, option: str) -> tuple[Point, ...] | None:
    """Return the points written as `x,y x,y …`.

    >>> parse_points("10,20 30.5,40", 2, "--from")
    ((10.0, 20.0), (30.5, 40.0))

    Raises:
        ScanError: there are not *count* of them.
    """
    if text is None:
        return None
    found = re.findall(rf"({_NUMBER}),\s*({_NUMBER})", text)
    left = re.sub(rf"{_NUMBER},\s*{_NUMBER}", "", text).strip(" ;")
    if len(found) != count or left:
        raise ScanError(f"{option} takes {count} points, 'x,y' each with a space between: '{text}'")
    return tuple((float(x), float(y)) for x, y in found)


def ask_grid(
    picture: Pixels,
    *,
    hex_px: float | None = None,
    corners: Sequence[Point] | None = None,
    three: Sequence[Point] | None = None,
    on_progress: OnProgress = ignore,
) -> FoundGrid:
    """Return the grid of a scan, by whatever hints were given.

    Raises:
        ScanError: a point lies beside the picture.
        NoGridError: no grid is sure enough.
    """
    height, width = picture.shape[:2]
    for x, y in (*(corners or ()), *(three or ())):
        if not (0 <= x <= width and 0 <= y <= height):
            raise ScanError(
                f"the point {x:g},{y:g} lies beside the picture of {width} × {height} px"
            )
    if three is not None:
        return replace(grid_from_three(picture, three), page=find_page(picture))
    if corners is not None:
        found = grid_within_corners(picture, corners, hex_px=hex_px, on_progress=on_progress)
        return replace(found, page=page_of(corners, 1.0))
    return find_sheet_grid(picture, hex_px=hex_px, on_progress=on_progress)


def told_grid(found: FoundGrid) -> str:
    """Return in a few lines what was found."""
    lines = [_told("found", found.grid.orientation, found.pitch_px, found.confidence)]
    if found.bend is not None:
        farthest = float(np.linalg.norm(found.bend.departures, axis=2).max())
        lines.append(say("mapkit.scan.grid.bent", px=math.ceil(farthest)))
    if found.page is None:
        lines.append(say("mapkit.scan.grid.no_page"))
    else:
        corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in found.page.corners)
        sure = f"{found.page.confidence:.0%}"
        lines.append(say("mapkit.scan.grid.page", corners=corners, sure=sure))
    lines += [
        _told("other", other.orientation, other.pitch_px, other.confidence)
        for other in found.alternatives
    ]
    return "\n".join(lines)


def _told(key: str, orientation: str, pitch_px: float, confidence: float) -> str:
    return say(
        f"mapkit.scan.grid.{key}",
        orientation=say(f"mapkit.scan.grid.{orientation}"),
        pitch=f"{pitch_px:.1f}",
        sure=f"{confidence:.0%}",
    )
