"""Pictures of maps opened, all under one limit of size.

Pillow has one limit for the whole process, lower than a good scan: whoever raised it for itself
changed it for everybody. It is raised here alone, and always to the same.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

MOST_PX = 400_000_000
"""A map's own picture may be somewhat bigger than the biggest scan: it was straightened."""


@contextmanager
def opened_picture(data: bytes, formats: tuple[str, ...] | None = None) -> Iterator["Image.Image"]:
    """Open the picture in a file's bytes; nothing of it is unpacked yet.

    Raises:
        PIL.Image.DecompressionBombError: it has more than `MOST_PX`.
        PIL.UnidentifiedImageError: it is no picture, or of none of the *formats*.
    """
    from PIL import Image

    with warnings.catch_warnings():
        # Pillow warns from its limit on, and refuses what has twice as many.
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        Image.MAX_IMAGE_PIXELS = MOST_PX // 2
        with Image.open(BytesIO(data), formats=formats) as image:
            yield image
