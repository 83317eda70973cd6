"""Roads and rivers as curves on the picture: the ways that were traced, joined where they meet.

Every hexside and link was read along the likeliest way of its line through a small patch. The ways
of neighbours end near each other, in the middle of a hex or at the end of a hexside; there they
are joined, two into one line, more at a junction.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import shapely
from shapely import LineString

from mapkit.grid import Point
from mapkit.hexes import Hexside, Vertex
from mapkit.model import Provenance, Shape
from mapkit.scan.sheet import FlatSheet
from mapkit.scan.side_patches import STEPS

Numbers = npt.NDArray[np.float64]
Places = npt.NDArray[np.int8]  # samples off the middle, at every step of a way

_SIMPLE = 0.02  # in pitches: about half a printed line
_SMOOTH = 5  # samples along a way
_STEP, _ROUND = 0.04, 6  # in pitches: from point to point; so many of them to either side round one


@dataclass(frozen=True, eq=False)
class Trace:
    """The way of one line at one hexside: its points, and the two places where it goes on."""

    kind: str
    family: str
    points: Numbers  # n × 2, pixels of the sheet
    ends: tuple[Hashable, Hashable]
    confidence: float


def trace(
    sheet: FlatSheet,
    side: Hexside,
    places: Places,
    *,
    kind: str,
    family: str,
    crosses: bool,
    confidence: float,
) -> Trace:
    """Return a way through the patch of a hexside as it lies on the sheet.

    *crosses* tells that it leads from hex to hex, and not along the hexside.
    """
    a, b = (np.array(sheet.grid.centre(hex_)) for hex_ in (side.a, side.b))
    middle, over = (a + b) / 2, (b - a) / STEPS
    aside = np.array((over[1], -over[0]))
    steps = np.arange(len(places)) - len(places) // 2
    off = _smoothed(places.astype(float))
    u, v = (off, steps) if crosses else (steps, off)
    points = middle + v[:, None] * over + u[:, None] * aside
    if crosses:
        return Trace(kind, family, points, (side.a, side.b), confidence)
    first, last = sorted(side.vertices, key=lambda corner: _along(sheet, corner, middle, aside))
    return Trace(kind, family, points, (first, last), confidence)


def _along(sheet: FlatSheet, corner: Vertex, middle: Numbers, aside: Numbers) -> float:
    at = np.mean([sheet.grid.centre(hex_) for hex_ in corner], axis=0)
    return float((at - middle) @ aside)


def _smoothed(places: Numbers) -> Numbers:
    wide = min(_SMOOTH, len(places))
    padded = np.pad(places, wide // 2, mode="edge")
    return np.convolve(padded, np.ones(wide) / wide, mode="valid")[: len(places)]


def joined(traces: Sequence[Trace], pitch_px: float) -> tuple[Shape, ...]:
    """Return the traces as lines that are as long as they go, each of one kind."""
    ends: dict[tuple[str, Hashable], list[tuple[int, int]]] = defaultdict(list)
    for which, one in enumerate(traces):
        for end, place in enumerate(one.ends):
            ends[one.family, place].append((which, end))
    meets = {
        place: np.mean([traces[which].points[-end] for which, end in met], axis=0)
        for place, met in ends.items()
        if len(met) > 1 and not _goes_on(traces, met)
    }
    left = dict.fromkeys(range(len(traces)))
    found = []
    # Lines begin where they end or branch; what is left are rings.
    for only_ends in (True, False):
        for which in list(left):
            if which not in left:
                continue
            for end, place in enumerate(traces[which].ends):
                if only_ends and _goes_on(traces, ends[traces[which].family, place]):
                    continue
                found.append(_line(traces, ends, meets, which, end, left))
                break
    return tuple(sorted(_shapes(found, pitch_px), key=lambda shape: (shape.kind, shape.rings)))


def _goes_on(traces: Sequence[Trace], met: Sequence[tuple[int, int]]) -> bool:
    """Tell whether just two traces of one kind meet."""
    return len(met) == 2 and len({traces[which].kind for which, _ in met}) == 1


def _line(
    traces: Sequence[Trace],
    ends: Mapping[tuple[str, Hashable], list[tuple[int, int]]],
    meets: Mapping[tuple[str, Hashable], Numbers],
    which: int,
    end: int,
    left: dict[int, None],
) -> list[tuple[Trace, Numbers]]:
    """Follow a line from one end of a trace on, and take what it passes."""
    parts: list[tuple[Trace, Numbers]] = []
    begun = which
    while which in left:
        del left[which]
        one = traces[which]
        points = one.points[::-1] if end else one.points
        start, stop = (one.family, one.ends[end]), (one.family, one.ends[1 - end])
        if start in meets:
            points = np.vstack([meets[start][None], points])
        if stop in meets:
            points = np.vstack([points, meets[stop][None]])
        parts.append((one, points))
        if not _goes_on(traces, ends[stop]):
            break
        [(which, end)] = [met for met in ends[stop] if met != (which, 1 - end)]
        if which == begun:  # a ring is closed
            parts.append((one, parts[0][1][:1]))
    return parts


def _shapes(lines: Sequence[list[tuple[Trace, Numbers]]], pitch_px: float) -> Iterator[Shape]:
    for parts in lines:
        points = _rounded(np.concatenate([points for _, points in parts]), pitch_px)
        line = shapely.simplify(LineString(points), _SIMPLE * pitch_px)
        ring: tuple[Point, ...] = tuple((round(x, 1), round(y, 1)) for x, y in line.coords)
        sure = sum(one.confidence for one, _ in parts) / len(parts)
        yield Shape(
            parts[0][0].kind, "line", (ring,), provenance=Provenance("scan", round(sure, 3))
        )


def _rounded(points: Numbers, pitch_px: float) -> Numbers:
    """Take the corners out of a line where its parts meet; its ends stay."""
    line = LineString(points)
    count = max(round(line.length / (_STEP * pitch_px)), 2)
    even = shapely.get_coordinates(
        shapely.line_interpolate_point(line, np.linspace(0, line.length, count + 1))
    )
    reach = min(_ROUND, count // 2)
    weights = np.hanning(2 * reach + 3)[1:-1]
    # Turned about its ends a line goes on as it came: it gets no shorter.
    before, after = 2 * even[0] - even[reach:0:-1], 2 * even[-1] - even[-2 : -reach - 2 : -1]
    padded = np.vstack([before, even, after])
    smooth = [np.convolve(axis, weights / weights.sum(), mode="valid") for axis in padded.T]
    return np.stack(smooth, axis=1)
