"""The picture of each face, at the resolution of print: drawn, or cut from a scan.

A picture is made once for each distinct face, however many copies are printed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from counters.drawing import CounterStyle, draw_face, face_names, open_picture
from counters.model import Counter, Face
from mapkit.drawing.raster import rasterise
from mapkit.progress import OnProgress, ignore
from mapkit.texts import say

if TYPE_CHECKING:
    from PIL.Image import Image

PRINT_DPI = 600

_INCH_MM = 25.4


@dataclass(frozen=True, slots=True)
class FacePicture:
    """A face as PNG; its colours run over the counter's edge by the bleed on every side."""

    png: bytes


@dataclass(frozen=True, slots=True)
class Printable:
    """A counter to be printed, and the folder that its pictures lie in."""

    counter: Counter
    folder: Path


def face_pictures(
    counters: Iterable[Printable],
    style: CounterStyle,
    size_mm: float,
    *,
    bleed_mm: float = 0.0,
    dpi: int = PRINT_DPI,
    on_progress: OnProgress = ignore,
) -> list[tuple[FacePicture, ...]]:
    """Return the pictures of each counter's first two faces.

    Raises:
        PictureError: the file of a face is missing, or no picture.
    """
    made: dict[object, FacePicture] = {}
    found: list[tuple[FacePicture, ...]] = []
    listed = list(counters)
    for number, one in enumerate(listed):
        on_progress(number / len(listed), say("counters.print.progress"))
        pictures = []
        for name in face_names(one.counter, style)[:2]:
            key = (one.counter, name, one.folder)
            if key not in made:
                made[key] = FacePicture(_picture(one, name, style, size_mm, bleed_mm, dpi))
            pictures.append(made[key])
        found.append(tuple(pictures))
    return found


def _picture(
    one: Printable, name: str, style: CounterStyle, size_mm: float, bleed_mm: float, dpi: int
) -> bytes:
    face = next((face for face in one.counter.faces if face.name == name), None)
    if face is not None and face.picture:
        return _from_scan(one, face, size_mm, bleed_mm, dpi)
    drawing = draw_face(one.counter, name, style, bleed=bleed_mm / size_mm)
    wanted_px = (size_mm + 2 * bleed_mm) / _INCH_MM * dpi
    return rasterise(drawing, scale=wanted_px / drawing.width_px)


def _from_scan(one: Printable, face: Face, size_mm: float, bleed_mm: float, dpi: int) -> bytes:
    """Return a cut picture with its outermost pixels drawn out over the bleed."""
    image = open_picture(one.folder / face.picture)
    most_px = round(size_mm / _INCH_MM * dpi)
    if max(image.size) > most_px:
        image = image.resize((most_px, most_px))
    px_per_mm = image.size[0] / size_mm
    return _with_bleed(image, round(bleed_mm * px_per_mm))


def _with_bleed(image: "Image", bleed_px: int) -> bytes:
    import numpy as np
    from PIL import Image

    pixels = np.pad(np.asarray(image), ((bleed_px, bleed_px), (bleed_px, bleed_px), (0, 0)), "edge")
    out = BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()
