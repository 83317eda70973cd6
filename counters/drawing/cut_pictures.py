"""The pictures of counters that were cut from a scan: read, and shown where others are drawn."""

from base64 import b64encode
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from counters.drawing.scene import SIDE_PX
from mapkit.drawing.errors import SizeError
from mapkit.drawing.picture import Picture
from mapkit.drawing.svg import Sheet
from mapkit.errors import MapkitError
from mapkit.store.files import read_file

if TYPE_CHECKING:
    from PIL.Image import Image

LIMIT_BYTES = 64 * 1024 * 1024
LIMIT_PX = 64_000_000

_LONGEST_PX = 1200  # of a picture within a drawing: more is finer than anything it is shown at


class PictureError(MapkitError):
    """The picture of a face cannot be read."""


def open_picture(path: Path) -> "Image":
    """Return the picture of a face in plain colours, what is transparent white.

    Raises:
        PictureError: there is none, it does not read, or it is too big for a counter.
        StoreError: the file cannot be read.
    """
    from PIL import Image

    data = read_file(path, what="picture", limit_bytes=LIMIT_BYTES)
    try:
        with Image.open(BytesIO(data)) as found:
            if found.size[0] * found.size[1] > LIMIT_PX:
                raise SizeError(f"{path}: {found.size[0]} × {found.size[1]} pixels for one counter")
            image = found.convert("RGBA")
    except SizeError:
        raise
    except Exception as error:
        # A damaged picture fails in every way there is, deep inside the decoder.
        raise PictureError(
            f"{path}: not a picture that can be read ({type(error).__name__}); cut it again"
        ) from error
    ground = Image.new("RGBA", image.size, "white")
    return Image.alpha_composite(ground, image).convert("RGB")


def cut_face(path: Path) -> Picture:
    """Return the picture of a face as a drawing, as wide as one of ours.

    Raises:
        PictureError: there is none, it does not read, or it is too big for a counter.
        StoreError: the file cannot be read.
    """
    image = open_picture(path)
    image.thumbnail((_LONGEST_PX, _LONGEST_PX))
    packed = BytesIO()
    image.save(packed, "PNG")
    high = max(1, round(SIDE_PX * image.height / image.width))
    sheet = Sheet(SIDE_PX, high)
    data = b64encode(packed.getvalue()).decode()
    sheet.add("image", x=0, y=0, width=SIDE_PX, height=high, href=f"data:image/png;base64,{data}")
    return Picture(sheet.to_text(), SIDE_PX, high)
