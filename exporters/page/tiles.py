"""A picture as a pyramid of tiles: what a phone can hold, whatever the size of the sheet.

Every tile is 512 px wide and high, but those at the right and the lower edge, which are as big as
what is left. Each carries a rim of its neighbours' pixels (the padding), so that no seam shows
where the screen draws tiles at sizes between whole pixels. Every level is half as big as the one
before, down to one tile.
"""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any

from exporters.model import ExportError
from mapkit.pictures import MOST_PX, opened_picture
from mapkit.progress import OnProgress, ignore

if TYPE_CHECKING:
    from PIL import Image

TILE_PX = 512
PAD_PX = 1

_HEAD = b"mapkit-tiles/1\n"


@dataclass(frozen=True, slots=True)
class Level:
    """One level: its size in pixels, and its tiles line by line."""

    width: int
    height: int
    columns: int
    tiles: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Pyramid:
    """All levels of one picture, the biggest first."""

    levels: tuple[Level, ...]

    def about(self) -> list[dict[str, int]]:
        """Return the levels without their pixels, as JSON-able data."""
        return [
            {"width": one.width, "height": one.height, "columns": one.columns}
            for one in self.levels
        ]


def cut_tiles(
    data: bytes, quality: int, *, of: str = "?", on_progress: OnProgress = ignore
) -> Pyramid:
    """Return the tiles of a picture in any format that opens, turned upright; *of* names its map.

    Raises:
        ExportError: it does not open, or is too big.
    """
    image = _opened(data, of)
    levels = []
    while True:
        levels.append(_level(image, quality))
        on_progress(1 - 0.25 ** len(levels), "")
        if max(image.size) <= TILE_PX:
            return Pyramid(tuple(levels))
        image = image.reduce(2)


def dump_pyramid(pyramid: Pyramid) -> bytes:
    """Return a pyramid as bytes that can be kept."""
    sizes = [[len(tile) for tile in level.tiles] for level in pyramid.levels]
    head = json.dumps({"levels": pyramid.about(), "sizes": sizes}).encode()
    body = b"".join(tile for level in pyramid.levels for tile in level.tiles)
    return _HEAD + head + b"\n" + body


def load_pyramid(data: bytes) -> Pyramid:
    """Return the pyramid that was dumped.

    Raises:
        ValueError: the bytes are not those of a whole pyramid.
    """
    if not data.startswith(_HEAD):
        raise ValueError("no pyramid of tiles")
    line, _, body = data[len(_HEAD) :].partition(b"\n")
    head: dict[str, Any] = json.loads(line)
    at, levels = 0, []
    for about, sizes in zip(head["levels"], head["sizes"], strict=True):
        tiles = []
        for size in sizes:
            tiles.append(body[at : at + size])
            at += size
        levels.append(Level(about["width"], about["height"], about["columns"], tuple(tiles)))
    if at != len(body):
        raise ValueError("not a whole pyramid of tiles")
    return Pyramid(tuple(levels))


def encoder() -> str:
    """Return what makes the bytes of tiles: another one may make others."""
    import PIL
    from PIL import features

    return f"{PIL.__version__} {features.version('webp')}"


def _opened(data: bytes, of: str) -> "Image.Image":
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with opened_picture(data) as image:
            return ImageOps.exif_transpose(image).convert("RGB")
    except Image.DecompressionBombError:
        why = f"it has more than {MOST_PX // 1_000_000} megapixels"
    except UnidentifiedImageError:
        why = "it is no picture of a kind that is known"
    except (OSError, ValueError) as error:
        why = str(error)
    raise ExportError(
        f"the picture of the map {of} does not open: {why}; put the right file back, or export"
        " with --art drawing"
    )


def _level(image: "Image.Image", quality: int) -> Level:
    boxes = list(_boxes(*image.size))
    # Pillow lets go of the interpreter while it encodes: two tiles at once on two cores.
    with ThreadPoolExecutor() as pool:
        tiles = tuple(pool.map(lambda box: _encoded(image.crop(box), quality), boxes))
    return Level(*image.size, -(-image.width // TILE_PX), tiles)


def _boxes(width: int, height: int) -> Iterator[tuple[int, int, int, int]]:
    for top in range(0, height, TILE_PX):
        for left in range(0, width, TILE_PX):
            yield (
                left - PAD_PX if left else 0,
                top - PAD_PX if top else 0,
                min(left + TILE_PX + PAD_PX, width),
                min(top + TILE_PX + PAD_PX, height),
            )


def _encoded(tile: "Image.Image", quality: int) -> bytes:
    out = BytesIO()
    tile.save(out, "WEBP", quality=quality, method=2)
    return out.getvalue()
