"""Scans as people really make them: a printed sheet on a flatbed, under a phone, or in parts.

`simulate` takes the picture of a sheet and gives back JPEG files, each with the exact record of
where the sheet lies on it. The same picture, kind and seed give the same record everywhere; the
pixels may differ by a shade between versions of OpenCV.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mapkit.errors import MapkitError
from mapkit.grid import Matrix
from sample_maps.exposures import expose
from sample_maps.folds import Folds, fold_sheet
from sample_maps.scan_kinds import MAKINGS, Kind, Making
from sample_maps.transforms import (
    Lattice,
    Pixels,
    Size,
    Transform,
    as_matrix,
    bend_of,
    inverse,
    product,
    project,
)

PART_LAYOUTS = ((4, 3), (3, 4))  # columns and rows: what comes nearest to A4 is taken
PART_OVERLAP = 0.20  # so that 15 % remain when neighbours are turned away from each other

_BEND_NODES_PX = 64


@dataclass(frozen=True, eq=False)
class Scan:
    """One file of a scan, and where the sheet lies on it."""

    kind: Kind
    seed: int
    part: int  # 0, or which of the part-scans, row by row
    data: bytes  # JPEG
    transform: Transform

    def pixels(self) -> Pixels:
        """Return the picture in the file."""
        import cv2

        packed = np.frombuffer(self.data, np.uint8)
        picture = cv2.imdecode(packed, cv2.IMREAD_COLOR_RGB)
        if picture is None:
            raise MapkitError(f"the {self.kind} scan holds no picture")
        return np.asarray(picture, dtype=np.uint8)

    def record(self) -> dict[str, Any]:
        """Return what is worth writing beside the file, as plain JSON values."""
        return {"kind": self.kind, "seed": self.seed, "part": self.part, **self.transform.dump()}


def simulate(sheet: Pixels, kind: Kind, seed: int) -> Iterator[Scan]:
    """Scan a sheet: one file, or twelve overlapping ones for `parts`.

    They come one after the other, so that only one is held at a time.
    """
    size = (sheet.shape[1], sheet.shape[0])
    folds = fold_sheet(size, _dice(seed))
    for part, transform in enumerate(lay_down(size, kind, seed)):
        dice = _dice(seed, _number(kind), part)
        picture = expose(sheet, transform, MAKINGS[kind], folds, dice)
        yield Scan(kind, seed, part, _jpeg(picture, MAKINGS[kind].jpeg_quality), transform)


def lay_down(size: Size, kind: Kind, seed: int) -> tuple[Transform, ...]:
    """Return how a sheet of *size* lies on its scan or scans, without making them."""
    making, dice = MAKINGS[kind], _dice(seed, _number(kind))
    if kind == "parts":
        return tuple(_part_transforms(size, making, dice))
    return (_whole_transform(size, making, fold_sheet(size, _dice(seed)), dice),)


def _whole_transform(
    size: Size, making: Making, folds: Folds, dice: np.random.Generator
) -> Transform:
    width, height = size
    longer = max(size)
    turn = _either_way(dice, making.turn_deg)
    tilt = math.tau * dice.random()
    slant = making.perspective * (0.6 + 0.4 * dice.random())
    reach = abs(math.cos(tilt)) * width / 2 + abs(math.sin(tilt)) * height / 2
    gx, gy = (slant / 2 / reach * turn_ for turn_ in (math.cos(tilt), math.sin(tilt)))
    seen = product(
        _turned(turn, making.scale),
        ((1, 0, 0), (0, 1, 0), (gx, gy, 1)),
        _moved(-width / 2, -height / 2),
    )
    corners = project(seen, _corners(size))
    margins = making.margin * longer * making.scale * (0.6 + 0.8 * dice.random(4))
    left, top = (corners.min(axis=0) - margins[:2]).tolist()
    right, bottom = (corners.max(axis=0) + margins[2:]).tolist()
    # Rounded first: the last bit of a cosine must not decide over a whole pixel.
    scan_px = (math.ceil(round(right - left, 3)), math.ceil(round(bottom - top, 3)))
    homography = product(_moved(-left, -top), seen)
    bend = None
    if making.lens or making.fold:
        bulge = making.lens * (0.6 + 0.4 * dice.random()) * (1 if dice.random() < 0.7 else -1)
        bend = _bend(homography, scan_px, bulge, folds, making.fold * longer)
    return Transform(homography, size, scan_px, bend)


def _bend(homography: Matrix, scan_px: Size, bulge: float, folds: Folds, fold_px: float) -> Lattice:
    u, v = Lattice.nodes(scan_px, _BEND_NODES_PX)
    cx, cy = scan_px[0] / 2, scan_px[1] / 2
    far = ((u - cx) ** 2 + (v - cy) ** 2) / (cx**2 + cy**2)
    straight = np.column_stack(
        ((cx + (u - cx) * (1 + bulge * far)).ravel(), (cy + (v - cy) * (1 + bulge * far)).ravel())
    )
    x, y = project(inverse(homography), straight).T
    dx, dy = folds.displacement(x, y, fold_px)
    wanted = project(homography, np.column_stack((x + dx, y + dy)))
    moved_u, moved_v = wanted.T.reshape(2, *u.shape)
    return bend_of(_BEND_NODES_PX, moved_u - u, moved_v - v)


def _part_transforms(size: Size, making: Making, dice: np.random.Generator) -> Iterator[Transform]:
    """Cover the sheet with pages that all have one size, as a scanner's glass does."""
    overhang = 0.02 * max(size)
    choices = [
        (columns, rows, [_page_px(size[0], columns, overhang), _page_px(size[1], rows, overhang)])
        for columns, rows in PART_LAYOUTS
    ]
    columns, rows, page = min(choices, key=lambda choice: _unlike_a4(*choice[2]))
    scan_px = (math.ceil(page[0]), math.ceil(page[1]))
    for row in range(rows):
        for column in range(columns):
            slip = (dice.random(2) - 0.5) * 0.01 * min(page)
            x, y = (
                (index + 0.5) * length * (1 - PART_OVERLAP)
                + 0.5 * length * PART_OVERLAP
                - overhang
                + float(by)
                for index, length, by in zip((column, row), page, slip, strict=True)
            )
            turn = _either_way(dice, making.turn_deg)
            homography = product(
                _moved(scan_px[0] / 2, scan_px[1] / 2), _turned(turn, making.scale), _moved(-x, -y)
            )
            yield Transform(homography, size, scan_px)


def _page_px(length: float, count: int, overhang: float) -> float:
    return round((length + 2 * overhang) / (count - (count - 1) * PART_OVERLAP), 3)


def _unlike_a4(width: float, height: float) -> float:
    """How far a page is from the shape of A4, upright or lying."""
    return round(abs(abs(math.log(width / height)) - math.log(math.sqrt(2))), 6)


def _jpeg(picture: Pixels, quality: int) -> bytes:
    """Pack a picture, which is used up."""
    import cv2

    cv2.cvtColor(picture, cv2.COLOR_RGB2BGR, dst=picture)
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise MapkitError(f"a scan of {picture.shape[1]} × {picture.shape[0]} px makes no JPEG")
    return data.tobytes()


def _number(kind: Kind) -> int:
    return 1 + tuple(MAKINGS).index(kind)


def _dice(*seeds: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seeds))


def _either_way(dice: np.random.Generator, most: float) -> float:
    """A turn of at least a quarter of *most*, to the left or to the right."""
    return most * (0.25 + 0.75 * dice.random()) * (1 if dice.random() < 0.5 else -1)


def _turned(angle_deg: float, scale: float) -> Matrix:
    cos, sin = (
        scale * turn
        for turn in (math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg)))
    )
    return as_matrix(((cos, -sin, 0), (sin, cos, 0), (0, 0, 1)))


def _moved(x: float, y: float) -> Matrix:
    return ((1.0, 0.0, x), (0.0, 1.0, y), (0.0, 0.0, 1.0))


def _corners(size: Size) -> list[tuple[float, float]]:
    width, height = float(size[0]), float(size[1])
    return [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
