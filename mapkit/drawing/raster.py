"""From SVG to PNG: in one piece, or in bands where the picture is big."""

import re
import struct
import zlib
from collections.abc import Callable
from io import BytesIO

from mapkit.drawing.fonts import font_folder
from mapkit.drawing.frame import require_size
from mapkit.drawing.picture import Picture

# One piece needs about nine bytes a pixel; above this the picture is made in bands.
BAND_FROM_PX = 80_000_000
BAND_PX = 24_000_000

_SPARE_PX = 16
_SIZE = re.compile(r'width="\d+" height="\d+" viewBox="[^"]*"')
Box = tuple[float, float, float, float]


def rasterise(drawing: Picture, *, scale: float = 1.0) -> bytes:
    """Return the drawing as PNG, *scale* pixels for each of its own.

    Raises:
        SizeError: the picture would be too big.
    """
    width, height = round(drawing.width_px * scale), round(drawing.height_px * scale)
    require_size(width, height)
    whole = (0.0, 0.0, float(drawing.width_px), float(drawing.height_px))
    if width * height <= BAND_FROM_PX:
        return render_box(drawing, whole, width, height)

    def band(top: int, count: int) -> bytes:
        box = (0.0, top / scale, width / scale, count / scale)
        return render_box(drawing, box, width, count)

    return _join_bands(width, height, max(BAND_PX // width, 1), band)


def render_box(drawing: Picture, box: Box, width_px: int, height_px: int) -> bytes:
    """Return a part of the drawing, x, y, width and height in its pixels, as PNG."""
    import resvg_py

    x, y, width, height = box
    size = (
        f'width="{width_px}" height="{height_px}" '
        f'viewBox="{x:.4f} {y:.4f} {width:.4f} {height:.4f}" preserveAspectRatio="none"'
    )
    data = resvg_py.svg_to_bytes(
        svg_string=_SIZE.sub(size, drawing.svg, count=1),
        skip_system_fonts=True,
        font_dirs=[str(font_folder())],
    )
    return bytes(data)


def _join_bands(width: int, height: int, rows: int, band: Callable[[int, int], bytes]) -> bytes:
    """Join bands into one PNG, holding only one of them unpacked at a time."""
    from PIL import Image

    out = BytesIO()
    out.write(b"\x89PNG\r\n\x1a\n")
    _chunk(out, b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    packer = zlib.compressobj(4)
    for top in range(0, height, rows):
        # The renderer smooths its first and last rows a little differently: they are cut off.
        spare = min(_SPARE_PX, top)
        count = min(rows, height - top)
        below = min(_SPARE_PX, height - top - count)
        with Image.open(BytesIO(band(top - spare, spare + count + below))) as image:
            pixels = memoryview(image.convert("RGB").tobytes())
        for row in range(spare, spare + count):
            line = pixels[row * width * 3 : (row + 1) * width * 3]
            _chunk(out, b"IDAT", packer.compress(b"\x00" + bytes(line)))
    _chunk(out, b"IDAT", packer.flush())
    _chunk(out, b"IEND", b"")
    return out.getvalue()


def _chunk(out: BytesIO, kind: bytes, data: bytes) -> None:
    if data or kind == b"IEND":
        out.write(struct.pack(">I", len(data)) + kind + data)
        out.write(struct.pack(">I", zlib.crc32(kind + data)))
