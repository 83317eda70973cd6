"""Drawn outlines registered on the canvas: rounded once, sound, and what had to be repaired."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from mapkit.depiction.canvas import ROUNDING, Box, Canvas, CanvasPoint
from mapkit.depiction.errors import DepictionError
from mapkit.depiction.threads import Edge, edges_of
from mapkit.grid import Point
from mapkit.model import Shape

if TYPE_CHECKING:
    from shapely import STRtree
    from shapely.geometry.base import BaseGeometry

Ring = tuple[CanvasPoint, ...]

_LEAST = 3  # points of a closed ring that goes there and back
_NO_AREA = "the outline has no area: it blocks nothing"
_HOLE_LOST = "a hole without area is left out"
_MENDED = (
    "the outline crosses or touches itself: inside is what it goes round an odd number of times"
)
_MOST_REPAIRS = 3
"""Rounding what was repaired may fold it anew; it has never been seen to, twice."""


@dataclass(frozen=True, slots=True)
class Repair:
    """An outline that is not judged quite as it is drawn, and why."""

    shape: Shape
    reason: str


@dataclass(frozen=True, slots=True)
class Outline:
    """A shape on the canvas: closed rings of whole numbers, those of holes among them.

    *moved* says by how much registering may have moved its edges, in units of the canvas;
    *units_per_px* how many of these a pixel spans there, at most.
    """

    shape: Shape
    rings: tuple[Ring, ...]
    edges: tuple[Edge, ...]
    box_px: Box
    units_per_px: Fraction
    moved: Fraction


def register(shape: Shape, canvas: Canvas) -> tuple[Outline | None, Repair | None]:
    """Return a drawn outline on the canvas, and what had to be repaired.

    An outline that crosses or touches itself is inside where its rings go round a point an odd
    number of times. One without any area has no inside and is left out: None.

    Raises:
        DepictionError: a point lies nowhere on the canvas.
    """
    rings = [_registered(ring, canvas, shape) for ring in shape.rings]
    if not rings or len(rings[0]) <= _LEAST:
        return None, Repair(shape, _NO_AREA)
    kept = tuple(ring for ring in rings if len(ring) > _LEAST)
    reason = _HOLE_LOST if len(kept) < len(rings) else ""
    moved = ROUNDING
    drawn = _polygon(kept)
    if not drawn.is_valid:
        kept, reason, moved = _mended(drawn), _MENDED, 2 * ROUNDING
        if not kept:
            return None, Repair(shape, _NO_AREA)
    box = _box(point for ring in shape.rings for point in ring)
    outline = Outline(shape, kept, edges_of(kept), box, canvas.units_per_px(box), moved)
    return outline, Repair(shape, reason) if reason else None


class Finder:
    """Finds the outlines near a line, in floats: it picks whom to ask and decides nothing."""

    def __init__(self, outlines: Sequence[Outline]) -> None:
        import shapely

        # Every ring is filled, a hole's too: who is in a hole is asked, and answers exactly.
        self._owner = [index for index, outline in enumerate(outlines) for _ in outline.rings]
        filled = [shapely.Polygon(ring) for outline in outlines for ring in outline.rings]
        self._tree: STRtree = shapely.STRtree(filled)

    def within(self, a: Point, b: Point, distance: float) -> list[int]:
        """Return the places of all outlines within a distance of the line, and perhaps others.

        The unit added is more than floats lose on whole numbers of this size.
        """
        import shapely

        line = shapely.LineString([a, b])
        found = self._tree.query(line, predicate="dwithin", distance=distance + 1.0)
        return sorted({self._owner[ring] for ring in found})


def _registered(ring: Sequence[Point], canvas: Canvas, shape: Shape) -> Ring:
    """The ring in whole numbers, closed, without points that fall together."""
    found: list[CanvasPoint] = []
    for x, y in ring:
        try:
            point = canvas.from_pixel(x, y)
        except DepictionError as error:
            raise DepictionError(f"{_named(shape)}: {error}") from None
        if not found or found[-1] != point:
            found.append(point)
    if found and found[0] != found[-1]:
        found.append(found[0])
    return tuple(found)


def _mended(drawn: "BaseGeometry") -> tuple[Ring, ...]:
    """Sound rings of whole numbers for an unsound outline; none where it has no area."""
    import shapely

    for _ in range(_MOST_REPAIRS):
        drawn = shapely.set_precision(shapely.make_valid(drawn), 1.0)
        parts = [part for part in shapely.get_parts(drawn) if part.geom_type == "Polygon"]
        drawn = shapely.MultiPolygon(parts)
        if drawn.is_valid:
            break
    return tuple(
        tuple((round(x), round(y)) for x, y in ring.coords)
        for part in drawn.geoms
        for ring in (part.exterior, *part.interiors)
    )


def _polygon(rings: Sequence[Ring]) -> "BaseGeometry":
    import shapely

    return shapely.Polygon(rings[0], rings[1:])


def _named(shape: Shape) -> str:
    return f"the outline of {shape.name or 'a shape'} ({shape.kind})"


def _box(points: Iterable[Point]) -> Box:
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)
