"""Where in a hex its number stands: texts found on a few tiles, folded into one hex.

Names of towns stand anywhere; a number stands at the same place of every hex that has one, as
high as all the others. So the place where most texts meet is tried first.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mapkit.hexes import Hex
from mapkit.scan.ocr import Box, Reader
from mapkit.scan.sheet import FlatSheet, Pixels, Points

_TILE_HEXES = 6.5  # the side of a tile, in pitches
_NEAR = 0.09  # texts closer than this, in pitches, stand at the same place
_AS_HIGH = 1.45  # and are at most this much higher or wider across
_LEAST_TEXTS = 4
_LONGEST = 1.1  # of a number, in pitches
_SURE = 0.35
_BEYOND = 1.07  # a place is on the edge of its hex when it would leave it so much farther out


class Text(NamedTuple):
    """A text found on the sheet: its box in pixels, its hex, and its place from the centre."""

    box: Box
    hex_: Hex
    dx: float  # in pitches
    dy: float

    @property
    def wide(self) -> float:
        """Its width in pixels."""
        return self.box.right - self.box.left

    @property
    def high(self) -> float:
        """Its height in pixels."""
        return self.box.bottom - self.box.top


@dataclass(frozen=True)
class Place:
    """One place of all hexes: from the centre and how big, in pixels; and the texts found there."""

    dx: float
    dy: float
    width: float
    height: float
    texts: tuple[Text, ...]

    @property
    def turns(self) -> tuple[int, ...]:
        """How the texts may be turned, clockwise in degrees: short ones may stand any way."""
        if self.width > 1.6 * self.height:
            return (0, 180)
        if self.height > 1.6 * self.width:
            return (90, 270)
        return (0, 90, 180, 270)

    def is_on_edge(self, sheet: FlatSheet) -> bool:
        """Tell whether the place lies on a hexside, so that it may be of either hex."""
        base = sheet.hexes[0]
        x, y = sheet.grid.centre(base)
        return sheet.grid.hex_at(x + _BEYOND * self.dx, y + _BEYOND * self.dy) != base

    def crop(self, sheet: FlatSheet, hex_: Hex) -> Pixels | None:
        """Cut out what stands at this place of a hex; none where the picture ends before."""
        x, y = sheet.grid.centre(hex_)
        x, y = x + self.dx, y + self.dy
        half = (self.width / 2, self.height / 2)
        return cut(sheet.pixels, x - half[0], y - half[1], x + half[0], y + half[1])


def cut(pixels: Pixels, left: float, top: float, right: float, bottom: float) -> Pixels | None:
    """Cut a rectangle out of a picture; none where a tenth of it or more would lie outside."""
    height, width = pixels.shape[:2]
    slack_x, slack_y = (right - left) / 10, (bottom - top) / 10
    if left < -slack_x or top < -slack_y or right > width + slack_x or bottom > height + slack_y:
        return None
    part = pixels[
        max(0, round(top)) : max(0, round(bottom)), max(0, round(left)) : max(0, round(right))
    ]
    return part if min(part.shape[:2]) >= 3 else None


def tile_centres(sheet: FlatSheet) -> Iterator[tuple[float, float]]:
    """Yield the middles of tiles to look at: first the quarters of the sheet, then between them."""
    centres = sheet.centres()
    least, most = centres.min(axis=0), centres.max(axis=0)
    shares = [(0.5, 0.5), (0.25, 0.25), (0.75, 0.75), (0.25, 0.75), (0.75, 0.25)]
    shares += [(0.5, 0.15), (0.5, 0.85), (0.12, 0.5), (0.88, 0.5), (0.35, 0.6), (0.65, 0.4)]
    seen: list[Points] = []
    for share in shares:
        wanted = least + (most - least) * np.array(share)
        nearest = centres[np.abs(centres - wanted).sum(axis=1).argmin()]
        apart = min((float(np.abs(nearest - other).max()) for other in seen), default=np.inf)
        if apart > 0.6 * _TILE_HEXES * sheet.pitch_px:
            seen.append(nearest)
            yield float(nearest[0]), float(nearest[1])


def texts_around(
    sheet: FlatSheet, centre: tuple[float, float], reader: Reader, *, pitch_px: float
) -> list[Text]:
    """Return the texts on one tile of the sheet, looked at with hexes *pitch_px* apart."""
    import cv2

    height, width = sheet.pixels.shape[:2]
    half = _TILE_HEXES * sheet.pitch_px / 2
    left, top = max(0, round(centre[0] - half)), max(0, round(centre[1] - half))
    right, bottom = min(width, round(centre[0] + half)), min(height, round(centre[1] + half))
    scale = pitch_px / sheet.pitch_px
    way = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
    tile = cv2.resize(
        sheet.pixels[top:bottom, left:right], None, fx=scale, fy=scale, interpolation=way
    )
    known = frozenset(sheet.hexes)
    found = []
    for box in reader.find(np.asarray(tile, np.uint8)):
        edges = [edge / scale for edge in box[:4]]
        there = Box(left + edges[0], top + edges[1], left + edges[2], top + edges[3], box.score)
        text = _text(sheet, there)
        inside = min(edges[0], edges[1]) > 1 and edges[2] < right - left - 1
        if inside and edges[3] < bottom - top - 1 and box.score > _SURE and text.hex_ in known:
            found.append(text)
    return [text for text in found if max(text.wide, text.high) < _LONGEST * sheet.pitch_px]


def places(sheet: FlatSheet, texts: Iterable[Text]) -> list[Place]:
    """Return where texts meet when all hexes are laid on each other, the most texts first."""
    left = list(texts)
    found = []
    while left:
        alike = _alike(sheet, left)
        members = [text for text, same in zip(left, max(alike, key=sum), strict=True) if same]
        if len(members) < _LEAST_TEXTS:
            break
        found.append(_place(sheet, members))
        left = [text for text in left if text not in members]
    return found


def _text(sheet: FlatSheet, box: Box) -> Text:
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    hex_ = sheet.grid.hex_at(x, y)
    cx, cy = sheet.grid.centre(hex_)
    return Text(box, hex_, (x - cx) / sheet.pitch_px, (y - cy) / sheet.pitch_px)


def _alike(sheet: FlatSheet, texts: Sequence[Text]) -> npt.NDArray[np.bool_]:
    """Tell of every two texts whether they stand at the same place and are of one height."""
    middles = np.array([(text.dx, text.dy) for text in texts])
    apart = middles[:, None] - middles[None]
    # A place on the edge of a hex is also one on the other edge, of its neighbour.
    steps = [(0.0, 0.0), *_steps(sheet)]
    near = np.min([np.hypot(*(apart - step).transpose(2, 0, 1)) for step in steps], axis=0)
    least = np.array([min(text.wide, text.high) for text in texts])
    ratio = least[:, None] / least[None]
    alike: npt.NDArray[np.bool_] = (near < _NEAR) & (ratio < _AS_HIGH) & (ratio > 1 / _AS_HIGH)
    return alike


def _place(sheet: FlatSheet, members: Sequence[Text]) -> Place:
    """Lay a place into the hex that most of its texts were found in."""
    steps = np.array([(0.0, 0.0), *_steps(sheet)])
    first = np.array((members[0].dx, members[0].dy))
    folded, homes = [], []
    for text in members:
        at = np.array((text.dx, text.dy))
        folded.append(at - steps[np.hypot(*(at - first - steps).T).argmin()])
    dx, dy = np.median(folded, axis=0)
    pitch = sheet.pitch_px
    for text in members:
        x, y = (text.box.left + text.box.right) / 2, (text.box.top + text.box.bottom) / 2
        home = sheet.grid.hex_at(x - dx * pitch, y - dy * pitch)
        cx, cy = sheet.grid.centre(home)
        homes.append(Text(text.box, home, (x - cx) / pitch, (y - cy) / pitch))
    shift = _home_shift(sheet, float(dx), float(dy))
    moved = [Text(t.box, t.hex_.moved(shift), t.dx, t.dy) for t in homes]
    sx, sy = _centre_step(sheet, shift)
    wide, high = np.quantile([(text.wide, text.high) for text in members], 0.85, axis=0)
    return Place(dx * pitch - sx, dy * pitch - sy, float(wide), float(high), tuple(moved))


def _home_shift(sheet: FlatSheet, dx: float, dy: float) -> Hex:
    """The step to the hex that a place lies in, from the hex it was counted from."""
    base = sheet.hexes[0]
    x, y = sheet.grid.centre(base)
    home = sheet.grid.hex_at(x + dx * sheet.pitch_px, y + dy * sheet.pitch_px)
    return Hex(home.q - base.q, home.r - base.r)


def _centre_step(sheet: FlatSheet, step: Hex) -> tuple[float, float]:
    base = sheet.hexes[0]
    x, y = sheet.grid.centre(base)
    there_x, there_y = sheet.grid.centre(base.moved(step))
    return there_x - x, there_y - y


def _steps(sheet: FlatSheet) -> list[tuple[float, float]]:
    """The six steps to neighbouring centres, in pitches."""
    found = []
    for direction in range(6):
        x, y = _centre_step(sheet, Hex(0, 0).step(direction))
        found.append((x / sheet.pitch_px, y / sheet.pitch_px))
    return found
