"""The pictures in the report of a scan: the sheet with what was read drawn over it, and crops."""

import base64
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO

import numpy as np
import numpy.typing as npt

from mapkit.grid import Point
from mapkit.hexes import Hex, Hexside, Link
from mapkit.scan.doubts import Spot
from mapkit.scan.report_colours import RGB, as_rgb, is_dark
from mapkit.scan.sheet import FlatSheet, Pixels, Points

_WIDEST_PX = 3200
_QUALITY = 84
_LABELS = 80  # about so many hexes are named on the picture of the grid
_SMALLEST_TEXT_PX = 9
_MARK: RGB = (214, 0, 120)
_SHIFT = 4  # OpenCV takes fractions of a pixel as whole sixteenths

Dots = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Base:
    """The sheet, small enough to be looked at; *factor* takes its pixels to the picture's."""

    sheet: FlatSheet
    pixels: Pixels
    factor: float

    @property
    def pitch_px(self) -> float:
        """The distance between neighbouring centres on the picture."""
        return self.sheet.pitch_px * self.factor

    @cached_property
    def faded(self) -> Pixels:
        """The sheet in pale grey: what is drawn over it stands out."""
        grey = self.pixels.mean(axis=2, keepdims=True) * 0.55 + 110
        return np.repeat(grey, 3, axis=2).astype(np.uint8)

    @cached_property
    def around(self) -> Points:
        """The corners of a hex, seen from its centre."""
        hex_ = self.sheet.hexes[0]
        corners: Points = np.array(self.sheet.grid.polygon(hex_), float)
        return (corners - self.sheet.grid.centre(hex_)) * self.factor

    def at(self, point: Point) -> Point:
        """Return where a pixel of the sheet lies on the picture."""
        return point[0] * self.factor, point[1] * self.factor

    def outline(self, hex_: Hex, *, size: float = 1.0) -> Points:
        """Return the corners of a hex on the picture, or of a smaller one in it."""
        return np.array(self.at(self.sheet.grid.centre(hex_))) + size * self.around


def base_of(sheet: FlatSheet) -> Base:
    """Return the sheet reduced to what a page can show."""
    import cv2

    height, width = sheet.pixels.shape[:2]
    factor = min(1.0, _WIDEST_PX / max(height, width))
    size = (round(width * factor), round(height * factor))
    pixels = cv2.resize(sheet.pixels, size, interpolation=cv2.INTER_AREA)
    return Base(sheet, np.asarray(pixels, np.uint8), factor)


def mean_colours(base: Base, kinds: Mapping[Hex, str]) -> dict[str, RGB]:
    """Return the colour that the hexes of each kind have on the sheet, as a rule."""
    import cv2

    side = max(1, round(base.pitch_px * 0.4))
    soft = cv2.blur(base.pixels, (side, side))
    height, width = soft.shape[:2]
    found: dict[str, list[Pixels]] = {}
    for hex_, kind in kinds.items():
        x, y = base.at(base.sheet.grid.centre(hex_))
        row, column = min(max(int(y), 0), height - 1), min(max(int(x), 0), width - 1)
        found.setdefault(kind, []).append(soft[row, column])
    result: dict[str, RGB] = {}
    for kind, colours in found.items():
        red, green, blue = np.median(np.array(colours), axis=0).round().astype(int).tolist()
        result[kind] = (red, green, blue)
    return result


def grid_picture(base: Base, labels: Mapping[Hex, str]) -> Pixels:
    """Return the sheet with its grid, and the labels of hexes spread over it."""
    import cv2

    lined = base.pixels.copy()
    _rings(lined, [base.outline(hex_) for hex_ in labels], (225, 0, 40), 1)
    picture = np.asarray(cv2.addWeighted(base.pixels, 0.3, lined, 0.7, 0), np.uint8)
    step = max(1, round(math.sqrt(len(labels) / _LABELS)))
    spread = {h: label for h, label in labels.items() if h.q % step == 0 and h.r % step == 0}
    size = max(11.0, 0.34 * base.pitch_px)
    return _written(base, picture, dict.fromkeys(spread, "#0a2a8c"), spread, size, halo=True)


def painted_picture(
    base: Base,
    colours: Mapping[Hex, str],
    *,
    words: Mapping[Hex, str],
    doubtful: Iterable[Hex] = (),
) -> Pixels:
    """Return the sheet with every hex in its colour, the doubtful smaller, and words in hexes."""
    import cv2

    paint = base.faded.copy()
    small = frozenset(doubtful)
    for hex_, colour in colours.items():
        dots = _dots(base.outline(hex_))
        if hex_ in small:
            cv2.fillConvexPoly(paint, dots, (255, 255, 255), cv2.LINE_AA, _SHIFT)
            dots = _dots(base.outline(hex_, size=0.66))
        cv2.fillConvexPoly(paint, dots, as_rgb(colour), cv2.LINE_AA, _SHIFT)
    picture = np.asarray(cv2.addWeighted(base.faded, 0.2, paint, 0.8, 0), np.uint8)
    size = 0.42 * base.pitch_px
    if size < _SMALLEST_TEXT_PX:
        return picture
    inks = {hex_: "#ffffff" if is_dark(colours[hex_]) else "#000000" for hex_ in words}
    return _written(base, picture, inks, words, size)


def lines_picture(base: Base, lines: Iterable[tuple[Hexside | Link, str, bool]]) -> Pixels:
    """Return the pale sheet with hexsides and links in their colours, the doubtful (True) thin."""
    import cv2

    picture = base.faded.copy()
    full = max(3, round(base.pitch_px / 9))
    drawn = [
        (
            _dots(np.array(_ends(base.sheet, place)) * base.factor),
            as_rgb(colour),
            full // (1 + thin),
        )
        for place, colour, thin in lines
    ]
    for dots, _, width in drawn:  # a white casing first, so that no line is lost on the print
        cv2.polylines(picture, [dots], False, (255, 255, 255), width + 2, cv2.LINE_AA, _SHIFT)
    for dots, ink, width in drawn:
        cv2.polylines(picture, [dots], False, ink, width, cv2.LINE_AA, _SHIFT)
    return picture


def features_picture(base: Base, features: Mapping[Hex, list[str]]) -> Pixels:
    """Return the pale sheet with a disc for every feature, side by side where there are more."""
    import cv2

    picture = base.faded.copy()
    radius = max(3.0, 0.24 * base.pitch_px)
    for hex_, colours in features.items():
        x, y = base.at(base.sheet.grid.centre(hex_))
        for place, colour in enumerate(colours):
            aside = (place - (len(colours) - 1) / 2) * 1.6 * radius
            [[at]] = _dots(np.array([[x + aside, y]]))
            for size, ink in ((radius + 2, (0, 0, 0)), (radius + 1, (255, 255, 255))):
                cv2.circle(picture, at.tolist(), round(size * 2**_SHIFT), ink, -1, 16, _SHIFT)
            inner = round((radius - 1) * 2**_SHIFT)
            cv2.circle(picture, at.tolist(), inner, as_rgb(colour), -1, 16, _SHIFT)
    return picture


def crop(sheet: FlatSheet, place: Spot, *, pitches: float, side_px: int) -> Pixels:
    """Return a square of the sheet around a place, its hex outlined.

    Of a hexside or link only the ends are marked: what is to be judged lies between them.
    """
    import cv2

    height, width = sheet.pixels.shape[:2]
    ends = np.array(_ends(sheet, place))
    middle = np.clip(ends.mean(axis=0), 0, (width - 1, height - 1))
    half = max(2.0, pitches * sheet.pitch_px / 2)
    zoom = side_px / (2 * half)
    moved = side_px / 2 - zoom * middle
    picture = _cut(sheet.pixels, middle, half, side_px)
    if isinstance(place, Hex):
        _rings(
            picture,
            [np.array(sheet.grid.polygon(place)) * zoom + moved],
            _MARK,
            max(1, side_px // 80),
        )
        return picture
    for dot in _dots(ends * zoom + moved)[:, 0].tolist():
        cv2.circle(picture, dot, 4 << _SHIFT, (255, 255, 255), -1, cv2.LINE_AA, _SHIFT)
        cv2.circle(picture, dot, 3 << _SHIFT, _MARK, -1, cv2.LINE_AA, _SHIFT)
    return picture


def jpeg(pixels: Pixels) -> bytes:
    """Return a picture as the bytes of a JPEG file."""
    from PIL import Image

    packed = BytesIO()
    Image.fromarray(pixels).save(packed, "JPEG", quality=_QUALITY)
    return packed.getvalue()


def as_address(pixels: Pixels) -> str:
    """Return a small picture as an address that holds it whole, for the page itself."""
    return "data:image/jpeg;base64," + base64.b64encode(jpeg(pixels)).decode()


def _cut(pixels: Pixels, middle: Points, half: float, side_px: int) -> Pixels:
    """A square of a picture at another size; grey where it reaches over the edge."""
    import cv2

    left, top = np.maximum(np.floor(middle - half).astype(int), 0)
    right, bottom = np.ceil(middle + half).astype(int)
    part = pixels[top:bottom, left:right]
    zoom = side_px / (2 * half)
    size = (max(1, round(part.shape[1] * zoom)), max(1, round(part.shape[0] * zoom)))
    way = cv2.INTER_AREA if zoom < 1 else cv2.INTER_CUBIC
    small = cv2.resize(part, size, interpolation=way)
    x, y = (max(0, round(v)) for v in side_px / 2 + zoom * (np.array([left, top]) - middle))
    picture = np.full((side_px, side_px, 3), 128, np.uint8)
    shown = small[: side_px - y, : side_px - x]
    picture[y : y + shown.shape[0], x : x + shown.shape[1]] = shown
    return picture


def _ends(sheet: FlatSheet, place: Spot) -> list[Point]:
    if isinstance(place, Hexside):
        return [sheet.grid.corner(corner) for corner in place.vertices]
    hexes = (place,) if isinstance(place, Hex) else place
    return [sheet.grid.centre(hex_) for hex_ in hexes]


def _dots(points: Points) -> Dots:
    dots: Dots = np.round(points * 2**_SHIFT - 2 ** (_SHIFT - 1)).astype(np.int32).reshape(-1, 1, 2)
    return dots


def _rings(picture: Pixels, outlines: list[Points], ink: RGB, thick: int) -> None:
    import cv2

    cv2.polylines(picture, [_dots(one) for one in outlines], True, ink, thick, cv2.LINE_AA, _SHIFT)


def _written(
    base: Base,
    picture: Pixels,
    inks: Mapping[Hex, str],
    words: Mapping[Hex, str],
    size: float,
    *,
    halo: bool = False,
) -> Pixels:
    """The picture with a word in the middle of some hexes."""
    from PIL import Image, ImageDraw, ImageFont

    drawn = Image.fromarray(picture)
    pen = ImageDraw.Draw(drawn)
    font = ImageFont.load_default(size)
    stroke = max(2, round(size / 6)) if halo else 0
    for hex_, word in words.items():
        at = base.at(base.sheet.grid.centre(hex_))
        pen.text(at, word, inks[hex_], font, "mm", stroke_width=stroke, stroke_fill="white")
    return np.asarray(drawn, np.uint8)
