"""The answers about a drawn map: what the line enters, what it passes, and how sure that is."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from mapkit.depiction.canvas import HEX_UNITS
from mapkit.depiction.threads import Run
from mapkit.grid import Point
from mapkit.lines import LinePoint
from mapkit.model import Shape

Verdict = Literal["clear", "blocked", "too_close"]


@dataclass(frozen=True, slots=True)
class MetOutline:
    """A blocking outline whose open inside the line enters.

    *runs* are the parts of the line inside it, 0 to 1, exact. At *deepest_at* no edge of the
    outline is nearer than the root of *depth_squared* (exact, in units of the canvas). It is
    *sure* where that is more than the uncertainty: the line is inside however the drawing errs.
    """

    shape: Shape
    runs: tuple[Run, ...]
    deepest_at: Fraction
    depth_squared: Fraction
    depth_px: float
    sure: bool
    runs_px: tuple[tuple[Point, Point], ...]
    deepest_px: Point

    @property
    def part(self) -> Fraction:
        """How much of the line lies inside, of 1."""
        return sum((run.end - run.start for run in self.runs), Fraction(0))


@dataclass(frozen=True, slots=True)
class NearOutline:
    """A blocking outline that the line passes, within a hex or the uncertainty.

    *distance_squared* is exact, in units of the canvas; 0 where the line touches the outline or
    runs along it. It is *sure* where that is more than the uncertainty: the line passes
    outside however the drawing errs. *between_px* leads from the line to the outline.
    """

    shape: Shape
    distance_squared: Fraction
    distance_px: float
    sure: bool
    between_px: tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class DepictedSight:
    """The answer, the outlines that made it so, and how far it is from another.

    *as_drawn* is what the registered drawing says if it is taken to be exact; the verdict
    differs from it only where it is `too_close`. *met* stands in the order of the line, *near*
    begins with the nearest. Lengths in pixels are never told longer than they are.
    """

    a: LinePoint
    b: LinePoint
    met: tuple[MetOutline, ...]
    near: tuple[NearOutline, ...]
    uncertainty_px: Fraction
    rounding_px: float
    line_px: tuple[Point, Point]
    hex_mm: float | None

    @property
    def as_drawn(self) -> Literal["clear", "blocked"]:
        """Whether the line enters an outline of the drawing, taken as exact."""
        return "blocked" if self.met else "clear"

    @property
    def verdict(self) -> Verdict:
        """The answer that holds however the drawing errs, or `too_close`."""
        if any(met.sure for met in self.met):
            return "blocked"
        if not self.met and all(near.sure for near in self.near):
            return "clear"
        return "too_close"

    @property
    def margin_px(self) -> float | None:
        """How far the drawing would have to err to change `as_drawn`, in pixels.

        The depth of the deepest outline met, else the distance to the nearest one passed; None
        where no outline that blocks lies within a hex. *rounding_px* is not yet taken off.
        """
        if self.met:
            return max(met.depth_px for met in self.met)
        return min((near.distance_px for near in self.near), default=None)

    @property
    def margin_hexes(self) -> float | None:
        """The margin in widths of a hex."""
        if self.met:
            return math.sqrt(max(met.depth_squared for met in self.met)) / HEX_UNITS
        if self.near:
            return math.sqrt(min(near.distance_squared for near in self.near)) / HEX_UNITS
        return None

    @property
    def margin_mm(self) -> float | None:
        """The margin on paper, where the map knows how wide its hexes are."""
        hexes = self.margin_hexes
        return None if hexes is None or self.hex_mm is None else hexes * self.hex_mm
