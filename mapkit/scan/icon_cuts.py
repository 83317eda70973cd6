"""The icons of a legend, cut free of the paper around them, to be laid over the map.

A sample may be framed loosely or tightly: the paper is what lies around the frame and along it.
What an outline encloses belongs to the icon, though it may be as pale as paper.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mapkit.scan.sheet import FlatSheet, Pixels
from mapkit.scan.teaching import Rect, TeachingError

Colours = npt.NDArray[np.float32]  # … × lightness, a, b
Mask = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]

_INK = 14.0  # so far from paper in colour, a pixel is printed
_SPECK = 6  # pixels: what is smaller is dust
_MARGIN = 0.12  # of a sample's shorter side: so far beyond its frame the icon may reach
_LEAST = 20  # pixels of an icon
_RIM = 4  # pixels of paper around it
_GAP, _RING = 2, 4  # pixels around it: so far from it the ring begins and ends
_TONES = 4
_COVERED = 0.6  # of a reduced pixel, for it to belong to the icon
_LIGHTNESS = 0.6  # its weight beside the hues: print is darker here and paler there


@dataclass(frozen=True, eq=False)
class Icon:
    """An icon as printed in the legend, and which of its pixels are not paper."""

    pixels: Pixels
    mask: Mask


@dataclass(frozen=True, eq=False)
class Stamp:
    """An icon at some scale: its shape, and its colours where it covers what is below.

    The *ring* is what lies right around it, as rows and columns from its corner; *palette* are
    the colours that the icon is printed in.
    """

    mask: Mask
    colours: Colours  # of every pixel of the mask, in their order
    ring: tuple[Places, Places]
    palette: Colours

    @property
    def size(self) -> int:
        """How many pixels it covers."""
        return len(self.colours)


def to_lab(pixels: Pixels) -> Pixels:
    """Return red, green, blue as lightness, a, b, a byte each."""
    import cv2

    return np.asarray(cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2LAB), np.uint8)


def weighted(lab: Pixels) -> Colours:
    """Return colours whose distance says how different they are for an icon."""
    return np.asarray(lab * np.array([_LIGHTNESS, 1.0, 1.0], np.float32), np.float32)


def reduced(pixels: Pixels, scale: float) -> Pixels:
    """Return a picture drawn smaller or bigger."""
    import cv2

    rows, columns = pixels.shape[:2]
    size = max(round(columns * scale), 1), max(round(rows * scale), 1)
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(pixels, size, interpolation=way), np.uint8)


def cut_icon(sheet: FlatSheet, rect: Rect, kind: str) -> Icon | None:
    """Return the icon in a legend's sample, or None where there is only paper.

    Raises:
        TeachingError: the sample lies outside of the picture.
    """
    import cv2

    x, y, width, height = rect
    rows, columns = sheet.pixels.shape[:2]
    if x < 0 or y < 0 or round(x + width) > columns or round(y + height) > rows:
        raise TeachingError(f"the sample of {kind} at {x:.0f},{y:.0f} lies outside of the picture")
    margin = max(3, round(_MARGIN * min(width, height)))
    left, top = max(round(x) - margin, 0), max(round(y) - margin, 0)
    area = sheet.pixels[top : round(y + height) + margin, left : round(x + width) + margin]
    area = np.ascontiguousarray(area)
    framed = np.zeros(area.shape[:2], np.bool_)
    framed[round(y) - top : round(y + height) - top, round(x) - left : round(x + width) - left] = (
        True
    )
    colours = weighted(to_lab(np.asarray(cv2.GaussianBlur(area, (3, 3), 0), np.uint8)))
    paper = np.median(colours[_along(framed)], axis=0)
    ink = np.linalg.norm(colours - paper, axis=2) > _INK
    mask = _filled(_within(ink, framed))
    if mask.sum() < _LEAST:
        return None
    down, across = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    part = slice(down[0], down[-1] + 1), slice(across[0], across[-1] + 1)
    rim = ((_RIM, _RIM), (_RIM, _RIM))
    return Icon(np.pad(area[part], (*rim, (0, 0)), mode="edge"), np.pad(mask[part], rim))


def stamp(icon: Icon, scale: float) -> Stamp:
    """Return an icon as it looks on the map when drawn at a scale."""
    small = reduced(icon.pixels, scale)
    cover = reduced(np.asarray(icon.mask * 255, np.uint8), scale) / 255
    mask = np.asarray(cover > min(_COVERED, 0.99 * float(cover.max())))
    colours = weighted(to_lab(small))[mask]
    return Stamp(mask, colours, _ring(mask), _palette(colours))


def _ring(mask: Mask) -> tuple[Places, Places]:
    import cv2

    # Around all of its parts: those of a town lie here in one order and there in another.
    wide = np.pad(mask, _RING).astype(np.uint8)
    points = np.column_stack(np.nonzero(wide)[::-1]).astype(np.int32)
    whole = np.asarray(cv2.fillConvexPoly(wide, cv2.convexHull(points), 1), np.uint8)
    near, far = (
        cv2.dilate(whole, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * n + 1, 2 * n + 1)))
        for n in (_GAP, _RING)
    )
    down, across = np.nonzero((far > 0) & (near == 0))
    return down - _RING, across - _RING


def _palette(colours: Colours) -> Colours:
    """The colours that cover most of an icon."""
    import cv2

    count = min(_TONES, len(colours))
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    cv2.setRNGSeed(1)
    labels = np.zeros((len(colours), 1), np.int32)
    _, _, tones = cv2.kmeans(colours, count, labels, stop, 1, cv2.KMEANS_PP_CENTERS)
    return np.asarray(tones, np.float32)


def _along(framed: Mask) -> Mask:
    """What lies outside of the frame, or where the sheet ends there, right inside."""
    if not framed.all():
        return ~framed
    inner = np.zeros_like(framed)
    inner[1:-1, 1:-1] = True
    return np.asarray(~inner)


def _within(ink: Mask, framed: Mask) -> Mask:
    """Keep the pieces of ink that lie mostly within the frame: others are titles, or lines."""
    import cv2

    count, pieces = cv2.connectedComponents(ink.astype(np.uint8), connectivity=8)
    sizes = np.bincount(pieces.ravel(), minlength=count)
    inside = np.bincount(pieces[framed].ravel(), minlength=count)
    kept = (sizes >= _SPECK) & (inside > 0.6 * sizes)
    kept[0] = False
    return np.asarray(kept[pieces])


def _filled(ink: Mask) -> Mask:
    """Add what the ink encloses."""
    import cv2

    paper = np.pad(~ink, 1, constant_values=True).astype(np.uint8)
    _, pieces = cv2.connectedComponents(paper, connectivity=4)
    return np.asarray(pieces != pieces[0, 0])[1:-1, 1:-1]
