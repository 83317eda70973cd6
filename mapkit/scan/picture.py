"""The picture of a map as a flattened sheet, loaded from beside the map's file."""

from pathlib import Path

import numpy as np

from mapkit.model import HexMap
from mapkit.pictures import opened_picture
from mapkit.scan.sheet import FlatSheet
from mapkit.scan.teaching import TeachingError
from mapkit.store.files import read_if_there


def load_flat_sheet(map_: HexMap, map_file: Path) -> FlatSheet | None:
    """Return the picture that the map's grid refers to; None where the map names none.

    Raises:
        TeachingError: the picture is not there, or is another than the map was read from.
    """
    from PIL import Image, UnidentifiedImageError

    if map_.picture is None or not map_.hexes:
        return None
    path = map_file.parent / map_.picture.path
    data = read_if_there(path, what="picture")
    if data is None:
        raise TeachingError(f"{path}: the picture of the map is not there")
    try:
        with opened_picture(data) as opened:
            pixels = np.asarray(opened.convert("RGB"), np.uint8)
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError):
        raise TeachingError(f"{path}: the picture of the map does not read") from None
    if pixels.shape[:2] != (map_.picture.height_px, map_.picture.width_px):
        raise TeachingError(f"{path}: this is not the picture that the map was read from")
    return FlatSheet(pixels, map_.grid, tuple(map_.hexes))
