"""The whole-number canvas: drawn outlines and hexes on one lattice of integers.

Flat-top hexes, in units of the canvas (pointy-top ones have the axes swapped):

      (-a,-b)   (a,-b)           a centre lies at  (3a q, b (q + 2r))
          .------.
   (-2a,0)        (2a,0)         a = 780, b = 1351: b/a is the square root of 3 to 3 in 10 million,
          `------´               so the hexes are regular and a hex is 2b = 2702 units wide
      (-a,b)    (a,b)

All centres and vertices are whole numbers, so a line between them is exact, and the same on a
stretched, turned or slanting scan. Only the drawn outlines are rounded, once, when they are
registered: a corner moves by at most half a unit each way, `ROUNDING` in all.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from mapkit.depiction.errors import DepictionError
from mapkit.grid import Grid, Matrix, Point
from mapkit.hexes import ORIGIN, Hex
from mapkit.lines import LinePoint

A, B = 780, 1351
HEX_UNITS = 2 * B
"""The width of a hex, from hexside to opposite hexside, in units of the canvas."""

ROUNDING = Fraction(71, 100)
"""How far registering may move a point, in units: half a diagonal (0.7072) and float's own dust."""

CanvasPoint = tuple[int, int]
ExactPoint = tuple[Fraction, Fraction]
Box = tuple[float, float, float, float]  # left, top, right, bottom, in pixels

_FARTHEST = 2**50  # units; beyond, a float no longer names every whole number
_GRAIN = 2**20


@dataclass(frozen=True, slots=True)
class Canvas:
    """The way between a picture's pixels, axial coordinates and the canvas of one grid.

    *front* is a hex of the map: what a perspective lays on its side of the horizon is real.
    """

    grid: Grid
    front: Hex = ORIGIN

    def place(self, at: LinePoint) -> ExactPoint:
        """Return an axial point on the canvas, exactly.

        >>> grid = Grid.regular("flat", pitch_px=60)
        >>> Canvas(grid).place(LinePoint(Fraction(1, 3), Fraction(1, 3)))
        (Fraction(780, 1), Fraction(1351, 1))
        """
        q, r = Fraction(at.q), Fraction(at.r)
        if self.grid.orientation == "flat":
            return 3 * A * q, B * (q + 2 * r)
        return B * (2 * q + r), 3 * A * r

    def axial(self, x: Fraction | int, y: Fraction | int) -> LinePoint:
        """Return the axial point of a place on the canvas: the inverse of `place`."""
        if self.grid.orientation == "flat":
            q = Fraction(x) / (3 * A)
            return LinePoint(q, (Fraction(y) / B - q) / 2)
        r = Fraction(y) / (3 * A)
        return LinePoint((Fraction(x) / B - r) / 2, r)

    def to_pixel(self, x: Fraction | int, y: Fraction | int) -> Point:
        """Return the pixel of a place on the canvas, for drawing."""
        q, r = self.axial(x, y)
        return self.grid.to_pixel(float(q), float(r))

    def from_pixel(self, x: float, y: float) -> CanvasPoint:
        """Return the whole-number place nearest to a pixel: here, and only here, is rounded.

        Raises:
            DepictionError: the pixel is no number, or the grid's perspective lays it behind the
                viewer or too far away.
        """
        if not (math.isfinite(x) and math.isfinite(y)):
            raise DepictionError(f"({x}, {y}) is no point of the picture: two numbers are needed")
        q, r = self.grid.from_pixel(x, y)
        if self.grid.orientation == "flat":
            place = 3 * A * q, B * (q + 2 * r)
        else:
            place = B * (2 * q + r), 3 * A * r
        if not self._before_horizon(q, r) or not all(abs(number) < _FARTHEST for number in place):
            raise DepictionError(
                f"the pixel ({x:g}, {y:g}) lies beyond the horizon of the grid: "
                "mend the outline there, or the grid"
            )
        return round(place[0]), round(place[1])

    def _before_horizon(self, q: float, r: float) -> bool:
        g, h, i = self.grid.homography[2]
        return (g * q + h * r + i) * (g * self.front.q + h * self.front.r + i) > 0

    def units_per_px(self, box: Box) -> Fraction:
        """Return how many units of the canvas one pixel spans at most, anywhere in *box*.

        Never too small: on a scan stretched one way it is the greater of the two scales. With a
        perspective the derivative is a matrix linear in x and y over the square of a weight
        linear in x and y, so the worst of each stands at a corner of the box.
        """
        top, middle, weight = _pixel_to_canvas(self.grid)
        norms, weights = [], []
        for x in (box[0], box[2]):
            for y in (box[1], box[3]):
                w = weight[0] * x + weight[1] * y + weight[2]
                rows = []
                for row in (top, middle):
                    value = row[0] * x + row[1] * y + row[2]
                    rows.append((row[0] * w - value * weight[0], row[1] * w - value * weight[1]))
                norms.append(_greatest_stretch(*rows))
                weights.append(w)
        if min(weights) <= 0 <= max(weights):
            raise DepictionError(
                "the uncertainty reaches beyond the horizon of the grid: give a smaller one"
            )
        most = max(norms) / min(w * w for w in weights)
        return Fraction(math.ceil(most * _GRAIN * (1 + 1e-9)), _GRAIN)


def _pixel_to_canvas(grid: Grid) -> Matrix:
    """The inverse of the grid, to the canvas instead of axial; a common factor is left in."""
    (a, b, c), (d, e, f), (g, h, i) = grid.homography
    q = (e * i - f * h, c * h - b * i, b * f - c * e)
    r = (f * g - d * i, a * i - c * g, c * d - a * f)
    w = (d * h - e * g, b * g - a * h, a * e - b * d)
    if grid.orientation == "flat":
        x = (3 * A * q[0], 3 * A * q[1], 3 * A * q[2])
        y = (B * (q[0] + 2 * r[0]), B * (q[1] + 2 * r[1]), B * (q[2] + 2 * r[2]))
    else:
        x = (B * (2 * q[0] + r[0]), B * (2 * q[1] + r[1]), B * (2 * q[2] + r[2]))
        y = (3 * A * r[0], 3 * A * r[1], 3 * A * r[2])
    return x, y, w


def _greatest_stretch(top: Point, bottom: Point) -> float:
    """The greater singular value of a 2×2 matrix."""
    (a, b), (c, d) = top, bottom
    size = a * a + b * b + c * c + d * d
    turn = a * d - b * c
    return math.sqrt((size + math.sqrt(max(size * size - 4 * turn * turn, 0.0))) / 2)
