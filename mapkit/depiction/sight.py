"""Sight where the drawing blocks: clear, blocked, or too close to call, with the reason.

A game of this kind is played with a thread over the map. What decides here is the same thread,
in whole numbers on the canvas; what a scan cannot tell is said, not guessed: within the
uncertainty of the drawing the answer is `too_close`.
"""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property

from mapkit.depiction.answers import DepictedSight, MetOutline, NearOutline
from mapkit.depiction.canvas import HEX_UNITS, Canvas
from mapkit.depiction.errors import DepictionError
from mapkit.depiction.outlines import Finder, Outline, Repair, register
from mapkit.depiction.threads import WHOLE, Run, Thread, deepest, edges_within, gap, inside_runs
from mapkit.grid import Point
from mapkit.hexes import ORIGIN, Hex, Vertex
from mapkit.lines import LinePoint
from mapkit.model import HexMap, Shape

End = Hex | Vertex | LinePoint
Blocks = Callable[[Shape], bool]

NEAR = Fraction(HEX_UNITS)
"""Outlines farther than a hex from the line are not told as near, in units of the canvas."""


def depicted_sight(
    map_: HexMap, a: End, b: End, *, blocks: Blocks, uncertainty_px: float | Fraction
) -> DepictedSight:
    """Tell whether the drawing lets *a* see *b*; for many questions prepare a `Depiction`."""
    return Depiction(map_).sight(a, b, blocks=blocks, uncertainty_px=uncertainty_px)


class Depiction:
    """The outlines of one map, registered once, for many questions.

    *repairs* says which outlines are not judged quite as drawn, and why.

    Raises:
        DepictionError: an outline lies nowhere on the canvas.
    """

    def __init__(self, map_: HexMap) -> None:
        self.map_ = map_
        self.canvas = Canvas(map_.grid, next(iter(map_.hexes), ORIGIN))
        found = [register(shape, self.canvas) for shape in map_.shapes if shape.form == "outline"]
        self.outlines: tuple[Outline, ...] = tuple(o for o, _ in found if o is not None)
        self.repairs: tuple[Repair, ...] = tuple(r for _, r in found if r is not None)
        self._blurs: dict[Fraction, tuple[Fraction, ...]] = {}

    @property
    def rounding_px(self) -> float:
        """How far registering may have moved an outline, in pixels, at most."""
        moved = (outline.moved / outline.units_per_px for outline in self.outlines)
        return float(max(moved, default=0))

    def sight(
        self, a: End, b: End, *, blocks: Blocks, uncertainty_px: float | Fraction
    ) -> DepictedSight:
        """Tell whether the line from *a* to *b* is free of the outlines that block.

        *blocks* is the game's own rule: does this shape stop sight? (Leave out the woods that
        the viewer stands in, where the rule does.) *uncertainty_px* is how far any point of an
        outline may truly lie from where it is drawn, in pixels of the picture; the rounding of
        the canvas is added to it.

        blocked: some outline is entered deeper than the uncertainty, so the line still meets its
        inside when every outline shrinks by that much. clear: the line keeps farther than that
        from every outline. Outlines are judged one by one: along the seam of two that share an
        edge it is too close to call. A line without length is clear.

        Raises:
            UnknownHexError: an end is a hex that is not on the map.
            DepictionError: the uncertainty is negative or no number.
        """
        uncertainty = _exact(uncertainty_px)
        self.map_.require(*(end for end in (a, b) if isinstance(end, Hex)))
        start, end = _line_point(a), _line_point(b)
        met: list[MetOutline] = []
        near: list[NearOutline] = []
        if start != end:
            # The line is always judged the same way round, so both ends get one answer.
            first, last = sorted((start, end))
            thread = Thread.between(self.canvas.place(first), self.canvas.place(last))
            for outline, blur in self._candidates(thread, uncertainty):
                if not blocks(outline.shape):
                    continue
                runs = inside_runs(thread, outline.edges)
                if runs:
                    met.append(self._met(thread, outline, runs, blur, turned=start != first))
                else:
                    near += self._near(thread, outline, blur)
        return DepictedSight(
            a=start,
            b=end,
            met=tuple(sorted(met, key=lambda answer: answer.runs)),
            near=tuple(sorted(near, key=lambda answer: answer.distance_squared)),
            uncertainty_px=uncertainty,
            rounding_px=self.rounding_px,
            line_px=(self._pixel(start), self._pixel(end)),
            hex_mm=self.map_.grid.hex_mm,
        )

    def _met(
        self,
        thread: Thread,
        outline: Outline,
        runs: tuple[Run, ...],
        blur: Fraction,
        *,
        turned: bool,
    ) -> MetOutline:
        depth = deepest(thread, runs, outline.edges)
        pixels = tuple((self._at(thread, run.start), self._at(thread, run.end)) for run in runs)
        deepest_at = depth.at
        if turned:
            deepest_at = 1 - depth.at
            runs = tuple(Run(1 - run.end, 1 - run.start) for run in reversed(runs))
            pixels = tuple((end, start) for start, end in reversed(pixels))
        return MetOutline(
            shape=outline.shape,
            runs=runs,
            deepest_at=deepest_at,
            depth_squared=depth.squared,
            depth_px=_length_px(depth.squared, outline),
            sure=depth.squared > blur * blur,
            runs_px=pixels,
            deepest_px=self._at(thread, depth.at),
        )

    def _near(self, thread: Thread, outline: Outline, blur: Fraction) -> Iterator[NearOutline]:
        reach = max(blur, NEAR)
        edges = edges_within(thread, WHOLE, outline.edges, reach)
        nearest = gap(thread, edges) if edges else None
        if nearest is not None and nearest.squared <= reach * reach:
            yield NearOutline(
                shape=outline.shape,
                distance_squared=nearest.squared,
                distance_px=_length_px(nearest.squared, outline),
                sure=nearest.squared > blur * blur,
                between_px=(self._at(thread, nearest.at), self.canvas.to_pixel(*nearest.outline)),
            )

    def _candidates(
        self, thread: Thread, uncertainty: Fraction
    ) -> Iterator[tuple[Outline, Fraction]]:
        """The outlines that may matter, in the map's order, each with its uncertainty in units."""
        if not self.outlines:
            return
        blurs = self._blurred(uncertainty)
        (ax, ay), (bx, by) = thread.point(Fraction(0)), thread.point(Fraction(1))
        ends = (float(ax), float(ay)), (float(bx), float(by))
        for index in self._finder.within(*ends, float(max(NEAR, *blurs))):
            yield self.outlines[index], blurs[index]

    def _blurred(self, uncertainty: Fraction) -> tuple[Fraction, ...]:
        """The uncertainty of each outline in units of the canvas, rounding included."""
        if uncertainty not in self._blurs:
            far = float(uncertainty)
            self._blurs[uncertainty] = tuple(
                uncertainty * self.canvas.units_per_px(_grown(outline.box_px, far)) + outline.moved
                for outline in self.outlines
            )
        return self._blurs[uncertainty]

    @cached_property
    def _finder(self) -> Finder:
        return Finder(self.outlines)

    def _at(self, thread: Thread, at: Fraction) -> Point:
        return self.canvas.to_pixel(*thread.point(at))

    def _pixel(self, point: LinePoint) -> Point:
        return self.map_.grid.to_pixel(float(point.q), float(point.r))


def _exact(uncertainty_px: float | Fraction) -> Fraction:
    if not math.isfinite(uncertainty_px) or uncertainty_px < 0:
        raise DepictionError(
            f"an uncertainty of {uncertainty_px} px is none: give 0 or a number of pixels"
        )
    return Fraction(uncertainty_px)


def _line_point(end: End) -> LinePoint:
    if isinstance(end, LinePoint):
        return LinePoint(Fraction(end.q), Fraction(end.r))
    return LinePoint.at(end)


def _length_px(squared: Fraction, outline: Outline) -> float:
    return math.sqrt(squared) / float(outline.units_per_px)


def _grown(box: tuple[float, float, float, float], by: float) -> tuple[float, float, float, float]:
    left, top, right, bottom = box
    return left - by, top - by, right + by, bottom + by
