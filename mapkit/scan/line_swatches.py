"""Legend samples as pieces of line that can be laid over any ground.

A sample shows a line on bare paper. Cut free of it and straightened, it can be drawn along or
across any hexside of the same sheet: so a reader learns from one sample what the line looks
like on a thousand grounds.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mapkit.scan.line_teaching import Rect
from mapkit.scan.sheet import FlatSheet
from mapkit.scan.side_patches import STEPS, Floats, U, V

_PAPER = (7.0, 18.0)  # nearer than the first in colour it is paper, farther than the second ink
_SMALLEST = 12  # fine samples: what is shorter is no line
FINE = 2  # strips are as much finer than patches: a thin line stays as dark as it is printed
_CORNER = STEPS / np.sqrt(3) / 2  # samples from the middle of a hexside to its ends
_INK_VARIES = np.array((9.0, 4.0, 4.0), np.float32)  # L, a, b: deviation
_BLUR = 0.7  # samples
_STRENGTH = (0.8, 1.2)
_TURNS = (-np.pi / 3, 0.0, np.pi / 3)  # where the line goes on along the next hexside


@dataclass(frozen=True, eq=False)
class Strip:
    """A straight piece of line: its colours and how far they cover the ground (0 to 1)."""

    colours: Floats  # rows across × columns along × L, a, b, in fine samples
    cover: Floats

    def scaled(self, scale: float) -> "Strip":
        """Return the strip drawn smaller or bigger; thin ink pales as it does in print."""
        import cv2

        rows, columns = self.cover.shape
        size = max(round(columns * scale), 5), 2 * round((rows * scale - 1) / 2) + 1
        if size == (columns, rows):
            return self
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        cover = np.asarray(cv2.resize(self.cover, size, interpolation=way), np.float32)
        inked = cv2.resize(self.colours * self.cover[:, :, None], size, interpolation=way)
        pure = np.asarray(inked, np.float32) / np.maximum(cover, 1e-3)[:, :, None]
        return Strip(pure.astype(np.float32), cover)


def cut_strip(sheet: FlatSheet, rect: Rect, *, crossing: bool = False) -> Strip | None:
    """Return the line in a legend sample, or None where there is none to be seen."""
    import cv2

    colours = _sample(sheet, rect)
    edge = np.concatenate((colours[0], colours[-1], colours[:, 0], colours[:, -1]))
    paper = np.median(edge, axis=0)
    printed = colours
    colours, cover = _lift(colours, paper)
    if crossing:
        return _cut_crossing(colours, cover)
    ink = cover > 0.5
    if _length(ink, 1) > 1.6 * _length(ink, 0):
        printed, colours, cover = _turned(printed), _turned(colours), _turned(cover)
        ink = cover > 0.5
    columns = np.flatnonzero(ink.any(axis=0))
    if len(columns) < _SMALLEST:
        return None
    top = ink.argmax(axis=0)[columns]
    bottom = ink.shape[0] - 1 - ink[::-1].argmax(axis=0)[columns]
    for column, first, last in zip(columns, top, bottom, strict=True):
        # A road may be as pale as paper between its dark edges.
        cover[first + 1 : last, column] = 1.0
        colours[first + 1 : last, column] = printed[first + 1 : last, column]
    bow = np.polyval(np.polyfit(columns, (top + bottom) / 2, 2), np.arange(ink.shape[1]))
    trim = max(1, (columns[-1] - columns[0]) // 12)
    along = np.arange(columns[0] + trim, columns[-1] - trim + 1, dtype=np.float32)
    if len(along) < _SMALLEST:
        return None
    across = np.arange(-FINE * V, FINE * V + 1, dtype=np.float32)
    x = np.broadcast_to(along, (len(across), len(along))).astype(np.float32)
    y = (across[:, None] + bow[along.astype(int)]).astype(np.float32)
    straight = cv2.remap(colours, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inked = cv2.remap(cover, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    return Strip(np.asarray(straight, np.float32), np.asarray(inked, np.float32))


def draw_line(
    ground: Floats,
    strip: Strip,
    dice: np.random.Generator,
    *,
    across: bool,
    scale: float,
    faint: float = 1.0,
    room: float | None = None,
    lie: tuple[float, float] | None = None,
    vary: bool = True,
) -> Floats:
    """Draw a strip over a patch in place, along its hexside or across; return its cover.

    It lies at most *room* samples off the middle; or, with slope and place, as *lie* says. Its
    ink may *vary*.
    """
    v, u = _fine_places()
    if across:
        u, v = v, u
        slope, off = float(np.clip(dice.normal(0, 0.4), -1, 1)), (room or 9) * dice.uniform(-1, 1)
        turns = (0.0, 0.0)
    else:
        slope, off = dice.uniform(-0.22, 0.22), (room or 5) * dice.uniform(-1, 1)
        turns = (float(dice.choice(_TURNS)), float(dice.choice(_TURNS)))
    slope, off = lie or (slope, off)
    bend = dice.uniform(-2, 2) * np.sin(u / 9 + dice.uniform(0, 6))
    s, t = _along_and_aside(u, (v - off - bend).astype(np.float32), slope, turns)
    t = t * (1 if dice.random() < 0.5 else -1)
    strip = strip.scaled(scale)
    # Beyond its end a strip runs back: a line goes on, and no joint shows.
    last = strip.cover.shape[1] - 1
    s = FINE * s + dice.uniform(0, last)
    return _lay(
        ground, strip, last - np.abs(s % (2 * last) - last), FINE * t, dice if vary else None, faint
    )


def _along_and_aside(
    u: Floats, v: Floats, slope: float, turns: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Return how far along a line and how far beside it every place lies.

    The line turns at either end of the hexside: there it goes on along another one.
    """
    tilt = np.arctan(slope)
    parts = [(0.0, 0.0, tilt)]
    for end, turn in zip((-1, 1), turns, strict=True):
        if turn:
            parts.append((end * _CORNER, end * _CORNER * slope, tilt + end * turn))
    s, t = np.zeros_like(u), np.full_like(u, np.inf)
    for x, y, angle in parts:
        along = (u - x) * np.cos(angle) + (v - y) * np.sin(angle)
        aside = (v - y) * np.cos(angle) - (u - x) * np.sin(angle)
        if x:
            here = (along * np.sign(x) > 0) & (np.abs(aside) < np.abs(t))
        else:
            beyond = [np.sign(e[0]) * (u - e[0]) > 0 for e in parts[1:]]
            here = ~np.any(beyond, axis=0) if beyond else np.ones(u.shape, bool)
        s = np.where(here, along + x * np.hypot(1, slope), s)
        t = np.where(here, aside, t)
    return s.astype(np.float32), np.where(np.isinf(t), 99, t).astype(np.float32)


def _fine_places() -> tuple[Floats, Floats]:
    """Return v and u of every fine sample of a patch."""
    rows = (np.arange(FINE * (2 * V + 1)) + 0.5) / FINE - 0.5 - V
    columns = (np.arange(FINE * (2 * U + 1)) + 0.5) / FINE - 0.5 - U
    v, u = np.meshgrid(rows.astype(np.float32), columns.astype(np.float32), indexing="ij")
    return v, u


def draw_icon(
    ground: Floats,
    strip: Strip,
    dice: np.random.Generator,
    *,
    scale: float,
    lie: tuple[float, float],
) -> Floats:
    """Draw what leads over the water of a hexside over a patch, in place; return its cover.

    It lies in line with its way, of which *lie* tells slope and place.
    """
    v, u = _fine_places()
    slope, off = lie
    turn = dice.normal(0, 0.15) - np.arctan(slope)
    aside = dice.uniform(-5, 5)
    u, v = u - off - slope * aside - dice.normal(0, 0.5), v - aside
    strip = strip.scaled(scale)
    s = u * np.cos(turn) + v * np.sin(turn)
    t = v * np.cos(turn) - u * np.sin(turn)
    middle = (strip.cover.shape[1] - 1) / 2
    inside = np.abs(FINE * s) < middle
    s, t = np.where(inside, FINE * s + middle, 0), np.where(inside, FINE * t, 999)
    return _lay(ground, strip, s, t, dice)


def _lay(
    ground: Floats,
    strip: Strip,
    s: Floats,
    t: Floats,
    dice: np.random.Generator | None,
    faint: float = 1.0,
) -> Floats:
    """Print the strip at s along and t aside over the ground, never twice in quite the same ink.

    The map is printed as the legend is, but other ground shines through and bleeds into it.
    """
    import cv2

    x = s.astype(np.float32)
    y = (t + (strip.cover.shape[0] - 1) / 2).astype(np.float32)
    shade, blur, strength = np.zeros(3, np.float32), 0.0, 1.0
    if dice is not None:
        shade = dice.normal(0, 1, 3).astype(np.float32) * _INK_VARIES
        blur, strength = dice.uniform(0, _BLUR), dice.uniform(*_STRENGTH)
    ink = strip.colours + shade
    covering = np.dstack((ink, np.ones_like(strip.cover))) * strip.cover[:, :, None]
    laid = cv2.remap(
        covering, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0
    )
    laid = cv2.resize(laid, (ground.shape[1], ground.shape[0]), interpolation=cv2.INTER_AREA)
    if blur > 0.2:
        laid = cv2.GaussianBlur(laid, (0, 0), blur)
    inked: Floats = np.asarray(laid, np.float32) * (faint * strength)
    inked /= np.maximum(inked[:, :, 3:], 1)
    ground *= 1 - inked[:, :, 3:]
    ground += inked[:, :, :3]
    return inked[:, :, 3]


def _cut_crossing(colours: Floats, cover: Floats) -> Strip | None:
    """Keep what is in the middle of the sample and not at its ends, where only water is."""
    ink = cover > 0.5
    if not ink.any():
        return None
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    # The water runs from end to end of the sample, and is longer than what leads over it.
    if _length(ink, 1) >= _length(ink, 0):
        colours, cover = _turned(colours), _turned(cover)
        ink = cover > 0.5
        columns = rows
    tip = max(2, len(columns) // 8)
    sides = np.concatenate((columns[:tip], columns[-tip:]))
    water = colours[:, sides][ink[:, sides]]
    if not len(water):
        return None
    palette = np.quantile(water, (0.1, 0.5, 0.9), axis=0)
    cover = np.minimum(
        cover, _unlike(colours, np.concatenate((palette, water[::7])), near=12, far=30)
    )
    kept = np.flatnonzero((cover > 0.5).any(axis=0))
    if len(kept) < 2:
        return None
    inked = np.flatnonzero(ink.any(axis=1))
    middle = int(inked[0] + inked[-1]) // 2
    half = FINE * V
    room = np.zeros((2 * half + 1, cover.shape[1]), np.float32)
    shades = np.zeros((*room.shape, 3), np.float32)
    for row in range(2 * half + 1):
        source = row - half + middle
        if 0 <= source < cover.shape[0]:
            room[row], shades[row] = cover[source], colours[source]
    wide = slice(max(kept[0] - 1, 0), kept[-1] + 2)
    return Strip(np.ascontiguousarray(shades[:, wide]), np.ascontiguousarray(room[:, wide]))


def _lift(colours: Floats, paper: npt.NDArray[np.floating]) -> tuple[Floats, Floats]:
    """Part ink from paper: return the colours of the ink, and how far it covers each pixel.

    At the edge of a line paper shines through: there the colour is that of the ink beside it,
    and covers the less the nearer to paper the pixel is.
    """
    import cv2

    apart = np.linalg.norm(colours - paper, axis=2).astype(np.float32)
    strongest = cv2.dilate(apart, np.ones((2 * FINE + 1, 2 * FINE + 1), np.uint8))
    clean = np.clip((strongest - _PAPER[0]) / (_PAPER[1] - _PAPER[0]), 0, 1)
    cover = np.clip(apart / np.maximum(strongest, 1e-3), 0, 1) * clean
    ink = colours.copy()
    for dv in range(-FINE, FINE + 1):
        for du in range(-FINE, FINE + 1):
            moved = np.roll(apart, (dv, du), (0, 1))
            taken = (moved >= strongest - 1e-3) & (cover < 0.8)
            ink[taken] = np.roll(colours, (dv, du), (0, 1))[taken]
    cover[apart < 0.25 * _PAPER[0]] = 0
    return ink, np.asarray(np.clip((cover - 0.06) / 0.9, 0, 1), np.float32)


def _sample(sheet: FlatSheet, rect: Rect) -> Floats:
    """Return the colours within a rectangle of the sheet, finer than patches are."""
    import cv2

    left, top, width, height = rect
    area = sheet.pixels[
        max(round(top), 0) : max(round(top + height), 0),
        max(round(left), 0) : max(round(left + width), 0),
    ]
    if min(area.shape[:2]) < 2:
        return np.full((2, 2, 3), 255, np.float32)  # beside the sheet: nothing to be seen
    step = sheet.pitch_px / STEPS / FINE
    size = max(round(area.shape[1] / step), 2), max(round(area.shape[0] / step), 2)
    way = cv2.INTER_AREA if step > 1 else cv2.INTER_CUBIC
    small = cv2.resize(area, size, interpolation=way)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_RGB2LAB), np.float32)


def _unlike(
    colours: Floats,
    palette: npt.NDArray[np.floating],
    near: float = _PAPER[0],
    far: float = _PAPER[1],
) -> Floats:
    """Return from 0 to 1 how unlike the nearest of some colours every pixel is."""
    apart = np.full(colours.shape[:2], np.inf)
    for colour in palette:
        apart = np.minimum(apart, np.linalg.norm(colours - colour, axis=2))
    return np.asarray(np.clip((apart - near) / (far - near), 0, 1), np.float32)


def _turned(picture: Floats) -> Floats:
    return np.ascontiguousarray(picture.swapaxes(0, 1))


def _length(ink: npt.NDArray[np.bool_], axis: int) -> int:
    """Return how far the ink reaches over the columns (axis 0) or rows (axis 1)."""
    found = np.flatnonzero(ink.any(axis=axis))
    return int(found[-1] - found[0] + 1) if len(found) else 0
