"""Joining, cutting and turning as files: load, work, save, and turn the picture along."""

import io
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from mapkit.errors import NotationError, SheetError
from mapkit.maps import SUFFIX, load_map, save_map
from mapkit.model import HexMap, Picture
from mapkit.pictures import opened_picture
from mapkit.sheets.joining import crop, join, offset_by_labels, offset_by_match, rectangle
from mapkit.sheets.moving import Quarters, turn
from mapkit.store.files import read_file, require_free, sha256, write_whole
from mapkit.texts import say

if TYPE_CHECKING:
    from PIL.Image import Image


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
    told = [_made(out, piece)]
    if map_.picture is not None and piece.picture is None:
        told.append(say("mapkit.sheet.picture_left", path=map_.picture.path))
    return "\n".join(told)


def turn_file(map_file: Path, out: Path, degrees: int, *, force: bool) -> str:
    """Turn a map, and its picture, into other files and return what to tell of it."""
    map_ = load_map(map_file)
    quarters = cast(Quarters, degrees // 90)  # the command offers 90, 180 and 270 only
    turned = turn(map_, quarters)
    require_free(out, force=force)
    if map_.picture is None:
        save_map(out, turned, force=force)
        return _made(out, turned)
    source = map_file.parent / map_.picture.path
    target = _turned_name(source, out)
    require_free(target, force=force)
    picture, data = _turned_picture(map_.picture, source, target, quarters)
    write_whole(target, data, what="picture")
    save_map(out, replace(turned, picture=picture), force=force)
    return "\n".join([_made(out, turned), say("mapkit.sheet.turned_picture", path=target)])


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


def _turned_name(source: Path, out: Path) -> Path:
    """A name beside the new map that is never the picture's own."""
    target = out.with_name(out.name.removesuffix(SUFFIX) + source.suffix)
    if target.resolve() == source.resolve():
        target = target.with_name(f"{target.stem}-turned{target.suffix}")
    return target


def _turned_picture(
    old: Picture, source: Path, target: Path, quarters: Quarters
) -> tuple[Picture, bytes]:
    from PIL import Image

    found = read_file(source, what="picture of the map")
    if sha256(found) != old.sha256:
        raise SheetError(
            f"the picture {source} is not the one the map was made from; put that one back"
        )
    how = {1: Image.Transpose.ROTATE_270, 2: Image.Transpose.ROTATE_180}
    try:
        with opened_picture(found) as image:
            turned = image.transpose(how.get(quarters, Image.Transpose.ROTATE_90))
            data = io.BytesIO()
            turned.save(data, image.format, **_quality(image))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise SheetError(f"the map's picture {source} cannot be turned: {error}") from None
    matrix = _turned_matrix(old, quarters)
    picture = replace(
        old,
        path=target.name,
        sha256=sha256(data.getvalue()),
        width_px=turned.width,
        height_px=turned.height,
        from_scan=matrix,
    )
    return picture, data.getvalue()


def _turned_matrix(old: Picture, quarters: Quarters) -> tuple[float, ...]:
    """The way from the scan's pixels, led on into the turned picture: (x, y) to (height - y, x)."""
    if len(old.from_scan) != 9:
        return old.from_scan
    top, middle, bottom = old.from_scan[:3], old.from_scan[3:6], old.from_scan[6:]
    width, height = old.width_px, old.height_px
    for _ in range(quarters):
        slid = tuple(height * w - y for y, w in zip(middle, bottom, strict=True))
        top, middle = slid, top
        width, height = height, width
    return (*top, *middle, *bottom)


def _quality(image: "Image") -> dict[str, object]:
    kept: dict[str, object] = {"dpi": image.info["dpi"]} if "dpi" in image.info else {}
    return kept | ({"quality": 95} if image.format in ("JPEG", "WEBP") else {})
