"""Read a scan or a photo from disk: any common format, upright, as plain colours.

Everything that can be wrong with an image file is one clear line here: the rest of the scanner
works on pixels it can trust.
"""

import math
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mapkit.errors import MapkitError
from mapkit.pictures import opened_picture
from mapkit.scan.sheet import Pixels
from mapkit.store.files import read_file

if TYPE_CHECKING:
    import pypdfium2
    from PIL import Image

MOST_PX = 300_000_000  # more is no scan of a map: refused
KEPT_PX = 110_000_000  # more is reduced to this, which is still finer than print
LEAST_PX = 200  # a side shorter than this shows no map
PDF_DPI = 300
_JPEG_STEPS = (2, 4, 8)

_FORMATS = ("PNG", "JPEG", "TIFF", "WEBP")
_PDF = b"%PDF-"


class ScanError(MapkitError):
    """A file is no picture that can be scanned."""


@dataclass(frozen=True, eq=False)
class LoadedScan:
    """The pixels of a scan after its EXIF orientation, and what its file says of it.

    *reduced* is how much smaller the pixels are than the file's: 1 where nothing was taken away.
    """

    pixels: Pixels
    dpi: float | None
    reduced: float = 1.0


def load_scan(path: Path, *, page: int = 1, most_px: int | None = None) -> LoadedScan:
    """Return the picture in a file; *page* of a PDF; reduced where it has more than *most_px*.

    Raises:
        ScanError: it is no picture, a broken one, or one too big or too small.
        StoreError: it cannot be read.
    """
    kept_px = KEPT_PX if most_px is None else min(most_px, KEPT_PX)
    data = read_file(path, what="scan")
    if not data:
        raise ScanError(f"{path}: this file is empty; scan it again")
    if data.startswith(_PDF):
        return _pdf_page(data, path, page, kept_px)
    return _image(data, path, kept_px)


def pdf_pages(path: Path) -> int:
    """Return how many pages a PDF has; another file has one.

    Raises:
        ScanError: it is a broken PDF.
        StoreError: it cannot be read.
    """
    data = read_file(path, what="scan")
    return len(_pdf(data, path)) if data.startswith(_PDF) else 1


def _image(data: bytes, path: Path, kept_px: int) -> LoadedScan:
    from PIL import Image, UnidentifiedImageError

    try:
        with opened_picture(data, _FORMATS) as image:
            _judge_size(image.size, path)
            return _unpacked(image, path, _dpi_of(image), kept_px)
    except Image.DecompressionBombError:
        raise ScanError(_too_big(path)) from None
    except UnidentifiedImageError:
        raise ScanError(
            f"{path}: this is no picture to scan; save it as PNG, JPEG, TIFF, WebP or PDF"
        ) from None
    except (OSError, ValueError, SyntaxError, EOFError, MemoryError) as error:
        raise ScanError(
            f"{path}: this picture is broken ({error or type(error).__name__}); "
            "scan it again, or save the picture anew"
        ) from None


def _unpacked(image: "Image.Image", path: Path, dpi: float | None, kept_px: int) -> LoadedScan:
    from PIL import ImageOps

    width, height = image.size
    shrink = math.ceil(math.sqrt(width * height / kept_px))
    # A JPEG comes smaller out of its file where it can: the whole would fill a gigabyte.
    drafted = shrink in _JPEG_STEPS and image.draft(None, (width // shrink, height // shrink))
    image.load()
    if image.mode in ("1", "P"):  # there is no mean of two numbers of a palette
        image = image.convert("RGBA" if "transparency" in image.info else "RGB")
    if shrink > 1 and not drafted:
        image = image.reduce(shrink)
    colours = _as_rgb(ImageOps.exif_transpose(image))
    _judge_size(colours.size, path)
    return LoadedScan(np.asarray(colours, np.uint8), dpi and dpi / shrink, 1 / shrink)


def _as_rgb(image: "Image.Image") -> "Image.Image":
    """Return an image in sRGB colours on white, whatever it was kept in."""
    from PIL import Image

    if image.mode in ("I;16", "I;16B", "I;16L", "I", "F"):
        numbers = np.asarray(image, np.float64)
        top = 65535.0 if numbers.max() > 255 else 255.0
        return Image.fromarray((numbers * (255.0 / top)).clip(0, 255).astype(np.uint8)).convert(
            "RGB"
        )
    if "A" in image.getbands() or "transparency" in image.info:
        seen = image.convert("RGBA")
        white = Image.new("RGBA", seen.size, "white")
        return Image.alpha_composite(white, seen).convert("RGB")
    return _by_profile(image)


def _by_profile(image: "Image.Image") -> "Image.Image":
    """Follow the colour profile that the file brings, where it makes sense."""
    from PIL import Image, ImageCms

    profile = image.info.get("icc_profile")
    if profile and image.mode in ("RGB", "CMYK", "L"):
        try:
            own = ImageCms.ImageCmsProfile(BytesIO(profile))
            seen: Any = ImageCms.profileToProfile(
                image, own, ImageCms.createProfile("sRGB"), outputMode="RGB"
            )
        except (ImageCms.PyCMSError, OSError, ValueError):
            seen = None  # a wrong profile is worth less than none
        if isinstance(seen, Image.Image):
            return seen
    return image.convert("RGB")


def _judge_size(size: tuple[int, int], path: Path) -> None:
    width, height = size
    if width * height > MOST_PX:
        raise ScanError(_too_big(path, size))
    if min(size) < LEAST_PX:
        raise ScanError(
            f"{path}: {width} × {height} px are too few to read; scan at 150 dpi or more"
        )


def _too_big(path: Path, size: tuple[int, int] | None = None) -> str:
    found = "" if size is None else f" of {size[0] * size[1] / 1e6:.0f} megapixels"
    return (
        f"{path}: a picture{found} is more than {MOST_PX // 1_000_000} megapixels; "
        "scan it at 300 dpi, or in parts"
    )


def _dpi_of(image: "Image.Image") -> float | None:
    dpi = image.info.get("dpi")
    across = float(dpi[0]) if dpi else 0.0
    return across if 20 < across < 4000 else None


def _pdf_page(data: bytes, path: Path, page: int, kept_px: int) -> LoadedScan:
    import pypdfium2

    document = _pdf(data, path)
    if not 1 <= page <= len(document):
        raise ScanError(f"{path}: there is no page {page}; this PDF has {len(document)}")
    try:
        sheet = document[page - 1]
        width, height = (length / 72 * PDF_DPI for length in sheet.get_size())
        scale = min(1.0, math.sqrt(kept_px / max(width * height, 1.0)))
        _judge_size((round(width * scale), round(height * scale)), path)
        image = sheet.render(scale=PDF_DPI / 72 * scale).to_pil().convert("RGB")
    except pypdfium2.PdfiumError as error:
        raise ScanError(_broken_pdf(path, error)) from None
    return LoadedScan(np.asarray(image, np.uint8), PDF_DPI * scale, scale)


def _pdf(data: bytes, path: Path) -> "pypdfium2.PdfDocument":
    import pypdfium2

    try:
        return pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        raise ScanError(_broken_pdf(path, error)) from None


def _broken_pdf(path: Path, error: Exception) -> str:
    return f"{path}: this PDF is broken ({error}); save it anew"
