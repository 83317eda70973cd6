"""A map as a board: its picture, straightened where it must be, and the hexes on it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from exporters.material import MapMaterial
from exporters.model import ExportError
from exporters.vassal.hex_grid import Lattice, worst_px
from mapkit.drawing import draw_map, load_style, rasterise
from mapkit.grid import Grid, Point
from mapkit.hexes import Hex
from mapkit.model import HexMap
from mapkit.pictures import MOST_PX, opened_picture

if TYPE_CHECKING:
    from PIL import Image

Numbers = npt.NDArray[np.float64]

MOST_OFF_PX = 1.0
"""So far may the engine set a piece beside the centre of a hex before we resample the picture."""

_SLACK_PX = 0.05


@dataclass(frozen=True, slots=True)
class Board:
    """A board of the module: the bytes of its picture, its size, and where its hexes lie."""

    name: str
    map: HexMap
    picture: bytes
    suffix: str
    size_px: tuple[int, int]
    lattice: Lattice
    resampled: bool = False


def drawn_board(material: MapMaterial, name: str, style: str, hex_px: float) -> Board:
    """Return a map as our own drawing."""
    drawing = draw_map(material.map, load_style(style), hex_px=2 * round(hex_px / 2))
    return Board(
        name,
        material.map,
        rasterise(drawing),
        ".png",
        (drawing.width_px, drawing.height_px),
        fitted_lattice(drawing.grid, material.map)[0],
    )


def scanned_board(material: MapMaterial, name: str) -> Board:
    """Return a map on its own picture; resampled where its hexes do not stand upright.

    Raises:
        ExportError: the picture does not open.
    """
    from PIL import Image, UnidentifiedImageError

    data = material.picture or b""
    lattice, off_px = fitted_lattice(material.map.grid, material.map)
    try:
        with opened_picture(data) as image:
            image.load()  # half a file shows itself only here
            suffix = {"PNG": ".png", "JPEG": ".jpg", "GIF": ".gif"}.get(image.format or "")
            upright = image.getexif().get(0x0112, 1) == 1
            if off_px + worst_px(lattice) <= MOST_OFF_PX + _SLACK_PX and suffix and upright:
                return Board(name, material.map, data, suffix, image.size, lattice)
            return _resampled(material.map, name, image, lattice)
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError) as error:
        raise ExportError(
            f"the picture of the map {material.id} does not open ({error}); put the right file"
            " back, or export with --art drawing"
        ) from None


def fitted_lattice(grid: Grid, map_: HexMap) -> tuple[Lattice, float]:
    """Return the upright lattice nearest to a grid, and how far off its worst centre is, in px.

    Raises:
        ExportError: the map has no hexes.
    """
    if not map_.hexes:
        raise ExportError(f"the map {map_.named} has no hexes: there is nothing to export")
    hexes = list(map_.hexes)
    return upright_fit(grid, hexes, [grid.centre(hex_) for hex_ in hexes])


def upright_fit(grid: Grid, hexes: Sequence[Hex], points: Sequence[Point]) -> tuple[Lattice, float]:
    """Return the upright lattice nearest to where hexes of a grid lie, and the farthest off."""
    centres: Numbers = np.array(points)
    q, r = np.array([[hex_.q, hex_.r] for hex_ in hexes], dtype=float).T
    flat = grid.orientation == "flat"
    steps = (q, r + q / 2) if flat else (q + r / 2, r)
    (x0, dx), (y0, dy) = (_fit(step, centres[:, axis]) for axis, step in enumerate(steps))
    if not (dx > 0 and dy > 0):  # one line of hexes, or a sheet that was scanned turned
        dx, dy = _upright_steps(grid, flat)
        x0 = centres[:, 0].mean() - dx * steps[0].mean()
        y0 = centres[:, 1].mean() - dy * steps[1].mean()
    across, along = (dx, dy) if flat else (dy, dx)
    lattice = Lattice(grid.orientation, (float(x0), float(y0)), float(across), float(along))
    off = max(math.dist(lattice.centre(hex_), at) for hex_, at in zip(hexes, centres, strict=True))
    return lattice, off


def _fit(steps: Numbers, values: Numbers) -> tuple[float, float]:
    """Return offset and step of the straight line through values."""
    spread = steps - steps.mean()
    total = float((spread * spread).sum())
    step = float((spread * values).sum()) / total if total else 0.0
    return float(values.mean() - step * steps.mean()), step


def _upright_steps(grid: Grid, flat: bool) -> tuple[float, float]:
    pitch = math.dist(grid.to_pixel(0, 0), grid.to_pixel(1, 0))
    wide = pitch * math.sqrt(3) / 2
    return (wide, pitch) if flat else (pitch, wide)


def _resampled(map_: HexMap, name: str, image: "Image.Image", fitted: Lattice) -> Board:
    """Draw the picture anew so that its hexes stand upright and regular, at the same size."""
    from PIL import Image, ImageOps

    source = ImageOps.exif_transpose(image).convert("RGB")
    lattice = _round_lattice(fitted)
    to_axial = np.linalg.inv(np.array(map_.grid.homography, dtype=float))
    upright = _matrix(lattice)
    left, top, right, bottom = _bounds(upright @ to_axial, source.size, map_, lattice)
    left, top = math.floor(left) + 0.5, math.floor(top) + 0.5  # centres on half pixels
    shift = np.array([[1.0, 0.0, -left], [0.0, 1.0, -top], [0.0, 0.0, 1.0]])
    size = (math.ceil(right - left), math.ceil(bottom - top))
    if size[0] * size[1] > MOST_PX:
        raise ExportError(
            f"the picture of the map {map_.named} would have {size[0]}×{size[1]} px when"
            " straightened; export with --art drawing"
        )
    back = np.array(map_.grid.homography, dtype=float) @ np.linalg.inv(shift @ upright)
    back /= back[2, 2]
    made = source.transform(
        size,
        Image.Transform.PERSPECTIVE,
        tuple(back.flatten()[:8]),
        Image.Resampling.BICUBIC,
        fillcolor=(255, 255, 255),
    )
    out = BytesIO()
    made.save(out, "PNG", compress_level=6)
    moved = replace(lattice, first_px=(-left, -top))
    return Board(name, map_, out.getvalue(), ".png", size, moved, resampled=True)


def _round_lattice(fitted: Lattice) -> Lattice:
    """Return a lattice of nearly the same size whose half steps are whole pixels."""
    along = max(2.0 * round(fitted.along_px / 2), 4.0)
    across = fitted.across_px * along / fitted.along_px
    return Lattice(fitted.orientation, (0.0, 0.0), across, along)


def _matrix(lattice: Lattice) -> Numbers:
    """Return the 3×3 matrix that takes axial coordinates to pixels."""
    x0, y0 = lattice.first_px
    across, along = lattice.across_px, lattice.along_px
    if lattice.orientation == "flat":
        return np.array([[across, 0.0, x0], [along / 2, along, y0], [0.0, 0.0, 1.0]])
    return np.array([[along, along / 2, x0], [0.0, across, y0], [0.0, 0.0, 1.0]])


def _bounds(
    matrix: Numbers, size_px: tuple[int, int], map_: HexMap, lattice: Lattice
) -> tuple[float, float, float, float]:
    """Return the part of the straightened sheet to keep: all of it, but not its far horizon."""
    width, height = size_px
    corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]], dtype=float)
    moved = corners @ matrix.T
    pitch = lattice.along_px
    hexes = np.array([lattice.centre(hex_) for hex_ in map_.hexes])
    low, high = hexes.min(axis=0) - pitch, hexes.max(axis=0) + pitch
    reach = (high - low) / 2  # a legend beside the hexes stays, as far as half the map
    points = moved[:, :2] / moved[:, 2:]
    left, top = np.minimum(low, np.maximum(points.min(axis=0), low - reach))
    right, bottom = np.maximum(high, np.minimum(points.max(axis=0), high + reach))
    return float(left), float(top), float(right), float(bottom)
