"""Joining, cutting and turning as files: load, work, save, and turn the picture along."""

import io
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from mapkit.errors import NotationError, SheetError
from mapkit.files import sha256, write_whole
from mapkit.maps import SUFFIX, load_map, save_map
from mapkit.model import HexMap, Picture
from mapkit.sheets.joining import crop, join, offset_by_labels, offset_by_match, rectangle
from mapkit.sheets.moving import Quarters, turn
from mapkit.texts import say

if TYPE_CHECKING:
    from PIL.Image import Image

PIXELS_AT_MOST = 300_000_000  # the biggest scan we handle


def join_files(
    first: Path,
    second: Path,
    out: Path,
    *,
    match: str | None,
    numbering: Literal["continue", "keep"],
    prefixes: str,
    force: bool,
) -> str:
    """Join two maps into a third file and return what to tell of it."""
    one, other = load_map(first), load_map(second)
    if match is None:
        offset = offset_by_labels(one, other)
    else:
        offset = offset_by_match(one, other, _pair(match, "=", "--match", "2001=0101"))
    both = join(
        one,
        other,
        offset,
        numbering=numbering,
        prefixes=_pair(prefixes, ",", "--prefixes", "W,E"),
    )
    save_map(out, both, force=force)
    told = [_made(out, both)]
    if one.picture or other.picture:
        told.append(say("mapkit.sheet.no_picture"))
    return "\n".join(told)


def crop_file(map_file: Path, out: Path, one: str, other: str, *, force: bool) -> str:
    """Cut a rectangle out of a map into another file and return what to tell of it."""
    map_ = load_map(map_file)
    piece = crop(map_, rectangle(map_, map_.hex(one), map_.hex(other)))
    piece = replace(piece, picture=_seen_from(out, map_file, piece.picture))
    save_map(out, piece, force=force)
    return _made(out, piece)


def turn_file(map_file: Path, out: Path, degrees: int, *, force: bool) -> str:
    """Turn a map, and its picture, into other files and return what to tell of it."""
    map_ = load_map(map_file)
    quarters = cast(Quarters, degrees // 90)  # the command offers 90, 180 and 270 only
    turned = turn(map_, quarters)
    told = []
    if map_.picture is not None:
        picture = _turned_picture(map_file.parent / map_.picture.path, out, quarters, force=force)
        turned = replace(turned, picture=picture)
        told.append(say("mapkit.sheet.turned_picture", path=out.with_name(picture.path)))
    save_map(out, turned, force=force)
    return "\n".join([_made(out, turned), *told])


def _made(out: Path, map_: HexMap) -> str:
    labels = sorted(map(map_.label, map_.hexes))
    return say("mapkit.sheet.made", map=out, n=len(labels), first=labels[0], last=labels[-1])


def _pair(text: str, sign: str, option: str, example: str) -> tuple[str, str]:
    parts = tuple(part.strip() for part in text.split(sign))
    if len(parts) != 2 or not all(parts):
        raise NotationError(f"{option} '{text}' does not read: write two, as in {example}")
    return parts[0], parts[1]


def _seen_from(out: Path, map_file: Path, picture: Picture | None) -> Picture | None:
    """The same picture under its path from another folder; none where there is no such path."""
    if picture is None or out.resolve().parent == map_file.resolve().parent:
        return picture
    place = (map_file.resolve().parent / picture.path).resolve()
    try:
        return replace(picture, path=place.relative_to(out.resolve().parent).as_posix())
    except ValueError:
        return None  # a map's picture lies beside or below it


def _turned_picture(source: Path, out: Path, quarters: Quarters, *, force: bool) -> Picture:
    from PIL import Image

    target = out.with_name(out.name.removesuffix(SUFFIX) + source.suffix)
    if target.exists() and not force:
        raise SheetError(f"{target} exists; give --force to overwrite it")
    Image.MAX_IMAGE_PIXELS = PIXELS_AT_MOST // 2  # Pillow refuses what has twice as many
    how = {1: Image.Transpose.ROTATE_270, 2: Image.Transpose.ROTATE_180}
    try:
        with Image.open(source) as image:
            turned = image.transpose(how.get(quarters, Image.Transpose.ROTATE_90))
            data = io.BytesIO()
            turned.save(data, image.format, **_quality(image))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise SheetError(f"the map's picture {source} cannot be turned: {error}") from None
    write_whole(target, data.getvalue(), what="picture")
    return Picture(target.name, sha256(data.getvalue()), turned.width, turned.height)


def _quality(image: "Image") -> dict[str, object]:
    kept: dict[str, object] = {"dpi": image.info["dpi"]} if "dpi" in image.info else {}
    return kept | ({"quality": 95} if image.format in ("JPEG", "WEBP") else {})
