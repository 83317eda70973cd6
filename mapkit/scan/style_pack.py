"""The look of a sheet, kept for its sisters: the samples of its legend, cut out as small pictures.

A style is a JSON file of names and numbers. On another sheet its samples are laid below the
picture, at that sheet's scale, and read as if they were printed there.
"""

import base64
import binascii
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mapkit.grid import nearest_hex
from mapkit.scan.sheet import FlatSheet, Pixels
from mapkit.scan.teaching import Example, Sample, SampleGroup, Teaching, TeachingError, read_level
from mapkit.store.files import read_file

SUFFIX = ".style.json"
_LIMIT_BYTES = 20_000_000
_MOST_PX = 1000
_EXAMPLES = 5  # of a terrain that the legend lacks
_EXAMPLE_SIDE = 0.5  # in pitches, around the centre of the hex
_GAP = 4


class Patch(BaseModel):
    """One sample: its words, and its picture row by row, red, green, blue."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    group: SampleGroup
    kind: Annotated[str, Field(min_length=1)]
    title: str = ""
    width: Annotated[int, Field(ge=1, le=_MOST_PX)]
    height: Annotated[int, Field(ge=1, le=_MOST_PX)]
    pixels: str

    def picture(self) -> Pixels:
        """Return the picture.

        Raises:
            ValueError: the bytes do not fill it.
        """
        try:
            data = base64.b64decode(self.pixels, validate=True)
        except binascii.Error:
            raise ValueError("its pixels are no base64") from None
        return np.frombuffer(data, np.uint8).reshape(self.height, self.width, 3)


class StylePack(BaseModel):
    """The samples of a sheet on which hexes were *pitch_px* apart."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    style: Literal[1] = 1
    pitch_px: Annotated[float, Field(gt=1, le=10_000, allow_inf_nan=False)]
    patches: Annotated[tuple[Patch, ...], Field(min_length=1)]


def style_of(sheet: FlatSheet, taught: Teaching) -> StylePack | None:
    """Return the style of a sheet by what was taught about it; None where that is nothing."""
    patches = [
        Patch(
            group=sample.group,
            kind=sample.kind,
            title=sample.title,
            width=picture.shape[1],
            height=picture.shape[0],
            pixels=base64.b64encode(np.ascontiguousarray(picture).tobytes()).decode(),
        )
        for sample in (*taught.legend, *_shown(sheet, taught))
        if (picture := _cut(sheet, sample)).size
    ]
    if not patches:
        return None
    return StylePack(pitch_px=round(sheet.pitch_px, 3), patches=tuple(patches))


def attach_style(sheet: FlatSheet, style: StylePack) -> tuple[FlatSheet, tuple[Sample, ...]]:
    """Return the sheet with the samples of a style below it, and where they lie there."""
    pictures = [
        _scaled(patch.picture(), sheet.pitch_px / style.pitch_px) for patch in style.patches
    ]
    top, width = sheet.pixels.shape[:2]
    places, height = _shelves([picture.shape[:2] for picture in pictures], width)
    wide = max([width, *(x + p.shape[1] for (x, _), p in zip(places, pictures, strict=True))])
    pixels = np.full((top + height, wide, 3), 255, np.uint8)
    pixels[:top, :width] = sheet.pixels
    samples = []
    for patch, picture, (x, y) in zip(style.patches, pictures, places, strict=True):
        rows, columns = picture.shape[:2]
        pixels[top + y : top + y + rows, x : x + columns] = picture
        rect = (float(x), float(top + y), float(columns), float(rows))
        samples.append(Sample(group=patch.group, kind=patch.kind, title=patch.title, rect=rect))
    return replace(sheet, pixels=pixels), tuple(samples)


def load_style_pack(path: Path) -> StylePack:
    """Return the style in a file."""
    return parse_style_pack(read_file(path, what="style", limit_bytes=_LIMIT_BYTES), str(path))


def parse_style_pack(data: bytes, source: str) -> StylePack:
    """Return the style in the bytes of a file; *source* is named in errors."""
    try:
        style = StylePack.model_validate(json.loads(data))
    except (ValueError, RecursionError) as error:
        reason = "this is no style; `mapkit map scan --save-style FILE` writes one"
        if isinstance(error, ValidationError):
            first = error.errors()[0]
            reason = f"{'.'.join(map(str, first['loc'])) or 'the style'}: {first['msg']}"
        raise TeachingError(f"{source}: {reason}") from None
    for number, patch in enumerate(style.patches, 1):
        place = f"{source}: patch {number} ({patch.kind})"
        try:
            patch.picture()
        except ValueError:
            raise TeachingError(f"{place}: its pixels do not fill its width and height") from None
        if patch.group == "levels":
            read_level(patch.kind, place)
    return style


def dump_style_pack(style: StylePack) -> bytes:
    """Return a style as the bytes of its file."""
    return (json.dumps(style.model_dump(mode="json"), indent=1, sort_keys=True) + "\n").encode()


def _shown(sheet: FlatSheet, taught: Teaching) -> Iterator[Sample]:
    """Yield the middle of some example hexes of each terrain that the legend lacks."""
    printed = {sample.kind for sample in taught.samples("terrain")}
    count: Counter[str] = Counter()
    for example in taught.of("terrain"):
        count[example.value] += 1
        if example.value not in printed and count[example.value] <= _EXAMPLES:
            yield Sample(group="terrain", kind=example.value, rect=_middle(sheet, example))


def _middle(sheet: FlatSheet, example: Example) -> tuple[float, float, float, float]:
    x, y = sheet.grid.centre(nearest_hex(*sheet.grid.from_pixel(example.x, example.y)))
    side = _EXAMPLE_SIDE * sheet.pitch_px
    return x - side / 2, y - side / 2, side, side


def _cut(sheet: FlatSheet, sample: Sample) -> Pixels:
    if sample.rect is None:
        colour = [int((sample.colour or "#000000")[i : i + 2], 16) for i in (1, 3, 5)]
        return np.full((16, 16, 3), colour, np.uint8)
    x, y, width, height = sample.rect
    top, left = max(0, round(y)), max(0, round(x))
    most = _MOST_PX
    return sheet.pixels[top : top + min(most, round(height)), left : left + min(most, round(width))]


def _scaled(picture: Pixels, factor: float) -> Pixels:
    import cv2

    height, width = picture.shape[:2]
    size = (max(8, round(width * factor)), max(8, round(height * factor)))
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, size, interpolation=way), np.uint8)


def _shelves(sizes: list[tuple[int, ...]], width: int) -> tuple[list[tuple[int, int]], int]:
    """Where pictures of some heights and widths stand side by side, row under row."""
    places: list[tuple[int, int]] = []
    x, y, tallest = _GAP, _GAP, 0
    for rows, columns in sizes:
        if places and x + columns + _GAP > width:
            x, y, tallest = _GAP, y + tallest + _GAP, 0
        places.append((x, y))
        x, tallest = x + columns + _GAP, max(tallest, rows)
    return places, y + tallest + _GAP
