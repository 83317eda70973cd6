"""Thin lines of a picture, whatever their colour: what a printed grid is found by.

A grid is printed dark on light, light on dark, or in another hue of equal brightness. Each way
gets a picture of its own, in which a line stands out by as much as it does from its surroundings;
strong things (roads, towns, lettering) are cut off, so that they do not drown a pale grid.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from mapkit.scan.sheet import Pixels

Ink = npt.NDArray[np.float32]  # how much like a thin line, pixel by pixel; about 0 on the mean
Hue = Literal["dark", "light", "coloured"]

HALVINGS = 2  # lines that are thick on the scan are thin on its half and quarter
SMALLEST_PX = 128  # no grid is looked for on less

_LINE_PX = 5  # wider than a thin line, narrower than what is not one
_AROUND_PX = 49
_MOST = 3.0


@dataclass(frozen=True, eq=False)
class InkPicture:
    """The thin lines of one hue, found on the picture halved *halved* times."""

    hue: Hue
    halved: int
    ink: Ink

    @property
    def scale(self) -> float:
        """How long a pixel of the working picture is on this one."""
        return float(0.5**self.halved)


def ink_pictures(picture: Pixels) -> list[InkPicture]:
    """Return the thin lines of a picture in each hue, found on it and on its halves."""
    found = []
    for halved in range(HALVINGS + 1):
        if min(picture.shape[:2]) < SMALLEST_PX:
            break
        found += [InkPicture(hue, halved, ink) for hue, ink in _inks(picture).items()]
        picture = halve(picture)
    return found


def halve(picture: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a picture at half its size, each pixel the mean of four.

    An odd last row or column is left out: squeezed in, it would shift everything before it.
    """
    import cv2

    height, width = (length // 2 for length in picture.shape[:2])
    even = picture[: 2 * height, : 2 * width]
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA))


def scaled(ink: Ink, factor: float, *, blur_px: float = 0.0) -> Ink:
    """Return ink at another size: lines that get thinner than a pixel stay, paler."""
    import cv2

    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    resized = cv2.resize(ink, None, fx=factor, fy=factor, interpolation=way)
    if blur_px:
        resized = cv2.GaussianBlur(resized, (0, 0), blur_px)
    return np.asarray(resized, np.float32)


def _inks(picture: Pixels) -> dict[Hue, Ink]:
    import cv2

    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_LINE_PX, _LINE_PX))
    lab = cv2.cvtColor(picture, cv2.COLOR_RGB2LAB)

    def lines(channel: int, way: int, blur_px: float) -> Ink:
        soft = cv2.GaussianBlur(np.ascontiguousarray(lab[..., channel]), (0, 0), blur_px)
        return np.asarray(cv2.morphologyEx(soft, way, brush), np.float32)

    both = (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT)
    coloured = sum(lines(channel, way, 0.8) for channel in (1, 2) for way in both)
    return {
        "dark": _against_surroundings(lines(0, cv2.MORPH_BLACKHAT, 0.6)),
        "light": _against_surroundings(lines(0, cv2.MORPH_TOPHAT, 0.6)),
        "coloured": _against_surroundings(np.asarray(coloured, np.float32)),
    }


def _against_surroundings(lines: Ink) -> Ink:
    """Measure lines by how much the surroundings vary: a pale grid on calm ground counts fully."""
    import cv2

    around = (_AROUND_PX, _AROUND_PX)
    mean = cv2.blur(lines, around)
    spread = np.sqrt(np.maximum(cv2.blur(lines * lines, around) - mean * mean, 0.0))
    least = 0.15 * float(spread.mean()) + 1e-3  # on bare paper nothing is divided by nothing
    return np.asarray(np.clip((lines - mean) / (spread + least), -1.0, _MOST), np.float32)
