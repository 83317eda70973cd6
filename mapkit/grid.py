"""Where the hexes lie in the picture: an affine or perspective grid, flat-top or pointy-top.

A homography takes axial (q, r, 1) to picture pixels. The origin of the picture is the top-left
corner of its top-left pixel, y runs down. A turned, stretched or slanting sheet is another
matrix, nothing else: the hexes themselves never change.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, Self

from mapkit.errors import GridError
from mapkit.hexes import Hex, Vertex, vertices

Orientation = Literal["flat", "pointy"]
Point = tuple[float, float]
Row = tuple[float, float, float]
Matrix = tuple[Row, Row, Row]

_SQRT3 = math.sqrt(3.0)


@dataclass(frozen=True, slots=True)
class Grid:
    """The lattice of hexes as it lies on a picture.

    *homography* is the 3×3 matrix, three rows. *hex_mm* is the width between opposite
    hexsides on paper. *north_deg* is where north lies, clockwise from the top of the sheet.
    """

    orientation: Orientation
    homography: Matrix
    hex_mm: float | None = None
    north_deg: float = 0.0

    def __post_init__(self) -> None:
        numbers = [number for row in self.homography for number in row]
        if [len(row) for row in self.homography] != [3, 3, 3] or not all(
            map(math.isfinite, numbers)
        ):
            raise GridError("a grid's homography needs three rows of three finite numbers")
        size = max(map(abs, numbers))
        if size > 1e12:
            raise GridError(f"a grid's homography cannot hold {size}: no picture is that big")
        if abs(_determinant(self.homography)) <= 1e-12 * size * size:
            raise GridError("the grid's homography is flat: it lays all hexes on one line")
        if self.hex_mm is not None and not 0 < self.hex_mm < 1e4:
            raise GridError(f"hex_mm is {self.hex_mm}: give the width of a hex in millimetres")
        # 60 and 60.0 are equal, and must be written alike too.
        rows = tuple(tuple(map(float, row)) for row in self.homography)
        object.__setattr__(self, "homography", rows)
        object.__setattr__(self, "hex_mm", None if self.hex_mm is None else float(self.hex_mm))
        object.__setattr__(self, "north_deg", float(self.north_deg))

    @classmethod
    def regular(
        cls,
        orientation: Orientation,
        *,
        pitch_px: float,
        first_px: Point | None = None,
        turned_deg: float = 0.0,
        stretch: float = 1.0,
        hex_mm: float | None = None,
        north_deg: float = 0.0,
    ) -> Self:
        """Return a grid of regular hexes, *pitch_px* between neighbouring centres.

        Hex (0, 0) lies at *first_px* (one pitch from both edges where not given). *stretch*
        makes hexes that much taller before the whole is turned clockwise.
        """
        x0, y0 = (pitch_px, pitch_px) if first_px is None else first_px
        if not pitch_px > 0 or not stretch > 0:
            raise GridError("pitch and stretch of a grid must be greater than nothing")
        qx, qy, rx, ry = _UNIT_STEPS[orientation]
        cos, sin = math.cos(math.radians(turned_deg)), math.sin(math.radians(turned_deg))
        (ax, ay), (bx, by) = (
            (
                pitch_px * (x * cos - y * stretch * sin),
                pitch_px * (x * sin + y * stretch * cos),
            )
            for x, y in ((qx, qy), (rx, ry))
        )
        matrix = ((ax, bx, x0), (ay, by, y0), (0.0, 0.0, 1.0))
        return cls(orientation, matrix, hex_mm=hex_mm, north_deg=north_deg)

    def to_pixel(self, q: float, r: float) -> Point:
        """Return the pixel of an axial point; a hex's centre is its own (q, r).

        >>> Grid.regular("pointy", pitch_px=60, first_px=(30, 40)).to_pixel(1, 0)
        (90.0, 40.0)
        """
        return _project(self.homography, q, r)

    def from_pixel(self, x: float, y: float) -> tuple[float, float]:
        """Return the axial point that lies at a pixel, between the hexes too."""
        return _project(_adjugate(self.homography), x, y)

    def centre(self, hex_: Hex) -> Point:
        """Return the pixel at the centre of a hex."""
        return self.to_pixel(hex_.q, hex_.r)

    def hex_at(self, x: float, y: float) -> Hex:
        """Return the hex that covers a pixel: the inverse of `centre`."""
        return nearest_hex(*self.from_pixel(x, y))

    def corner(self, corner: Vertex) -> Point:
        """Return the pixel of a vertex."""
        return self.to_pixel(*axial_point(corner))

    def polygon(self, hex_: Hex) -> tuple[Point, ...]:
        """Return the six corners of a hex in pixels, anticlockwise on the sheet."""
        return tuple(self.corner(corner) for corner in vertices(hex_))

    def pitch_px(self, hex_: Hex) -> float:
        """Return the mean distance in pixels from a hex to its six neighbours' centres."""
        x, y = self.centre(hex_)
        around = [self.centre(hex_.step(direction)) for direction in range(6)]
        return sum(math.hypot(ax - x, ay - y) for ax, ay in around) / 6

    def moved(self, by: Hex) -> "Grid":
        """Return the grid for hexes renamed so that (0, 0) is what *by* was."""
        return self.renamed(((1.0, 0.0, float(by.q)), (0.0, 1.0, float(by.r)), (0.0, 0.0, 1.0)))

    def renamed(self, to_old: Matrix) -> "Grid":
        """Return the same lattice under new axial coordinates; *to_old* takes new to old."""
        return replace(self, homography=_product(self.homography, to_old))


def nearest_hex(q: float | Fraction, r: float | Fraction) -> Hex:
    """Return the hex that holds an axial point.

    Rounding all three cube coordinates and mending the worst is exact: it is the hexagonal
    cell of the lattice, however the picture is stretched.

    >>> nearest_hex(0.4, 0.4)
    Hex(q=0, r=1)
    """
    s = -q - r
    rq, rr, rs = round(q), round(r), round(s)
    dq, dr, ds = abs(rq - q), abs(rr - r), abs(rs - s)
    if dq > dr and dq > ds:
        rq = -rr - rs
    elif dr > ds:
        rr = -rq - rs
    return Hex(rq, rr)


def axial_point(place: Vertex) -> tuple[float, float]:
    """Return the axial coordinates of a vertex: the mean of its three hexes."""
    return (
        (place.a.q + place.b.q + place.c.q) / 3,
        (place.a.r + place.b.r + place.c.r) / 3,
    )


# Pixel steps of q and r on a sheet with a pitch of one.
_UNIT_STEPS: dict[Orientation, tuple[float, float, float, float]] = {
    "pointy": (1.0, 0.0, 0.5, _SQRT3 / 2),
    "flat": (_SQRT3 / 2, 0.5, 0.0, 1.0),
}


def _project(m: Matrix, x: float, y: float) -> Point:
    (a, b, c), (d, e, f), (g, h, i) = m
    w = g * x + h * y + i
    if w == 0:
        raise GridError("this point lies on the horizon of the grid's perspective")
    return (a * x + b * y + c) / w, (d * x + e * y + f) / w


def _determinant(m: Matrix) -> float:
    (a, b, c), (d, e, f), (g, h, i) = m
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def _adjugate(m: Matrix) -> Matrix:
    """The inverse up to a factor, which a homography does not feel."""
    (a, b, c), (d, e, f), (g, h, i) = m
    return (
        (e * i - f * h, c * h - b * i, b * f - c * e),
        (f * g - d * i, a * i - c * g, c * d - a * f),
        (d * h - e * g, b * g - a * h, a * e - b * d),
    )


def _product(m: Matrix, n: Matrix) -> Matrix:
    def row(i: int) -> Row:
        x, y, z = (sum(m[i][k] * n[k][j] for k in range(3)) for j in range(3))
        return x, y, z

    return row(0), row(1), row(2)
