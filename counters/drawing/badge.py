"""Badges: small signs that are laid on a counter, and chips that lie beside it.

They are read at half size too: few letters, as big as they fit, on a ground that bears them.
"""

from counters.drawing.lettering import in_font
from counters.drawing.scene import PAPER, Scene
from counters.drawing.style import Shape
from counters.symbols import Box, draw_symbol
from mapkit.drawing.outlines import ink_box
from mapkit.drawing.picture import Picture
from mapkit.drawing.svg import Sheet

BADGE_PX = 100
"""How high a badge is in the pixels of its drawing."""

BADGE_GROUNDS = (
    "#a4161a",
    "#1d4e89",
    "#2d6a4f",
    "#7b2cbf",
    "#8a4b08",
    "#005f73",
    "#b5179e",
    "#3b3b3b",
    "#5f6f00",
    "#9d4edd",
)
"""Grounds that tell badges apart; white letters read on each of them."""

_WIDE = 1.36  # of its height: a badge for two signs
_TALLEST = 96.0  # letters without a high stroke grow up to here


def draw_badge(
    words: str, ground: str, *, wide: bool = False, symbol: str | None = None
) -> Picture:
    """Draw a badge with a short text or a symbol: round, or *wide* with room for two signs."""
    width = round(BADGE_PX * _WIDE) if wide else BADGE_PX
    shape: Shape = "round" if wide else "circle"
    sheet, scene = _begun(width, shape, ground, rim=PAPER)
    if symbol is None:
        _write(scene, words, _inset(width, 15.0 if wide else 21.0), PAPER)
    else:
        draw_symbol(sheet, symbol, _inset(width, 16.0), ink=PAPER, fill=ground)
    return Picture(sheet.to_text(), width, BADGE_PX)


def draw_chip(words: str, ground: str, ink: str, *, symbol: str | None = None) -> Picture:
    """Draw a square chip with a symbol, or with a short text where there is none."""
    sheet, scene = _begun(BADGE_PX, "round", ground, rim=ink)
    if symbol is None:
        _write(scene, words, _inset(BADGE_PX, 17.0), ink)
    else:
        draw_symbol(sheet, symbol, Box(7.0, 20.0, 86.0, 60.0), ink=ink, fill=ground)
    return Picture(sheet.to_text(), BADGE_PX, BADGE_PX)


def draw_arrow(ground: str) -> Picture:
    """Draw the tip of an arrow that points up: where a counter has its front."""
    sheet = Sheet(BADGE_PX, BADGE_PX // 2)
    sheet.path("M50 3L96 47H4Z", fill=ground, stroke=PAPER, stroke_width=6)
    return Picture(sheet.to_text(), BADGE_PX, BADGE_PX // 2)


def _begun(width: int, shape: Shape, ground: str, *, rim: str) -> tuple[Sheet, Scene]:
    """Return a drawing with its plate laid, and a rim around it."""
    sheet = Sheet(width, BADGE_PX)
    scene = Scene(sheet, ground, PAPER)
    for inset, colour in ((0.0, rim), (5.0, ground)):
        scene.plate(_inset(width, inset), colour, shape)
    return sheet, scene


def _write(scene: Scene, words: str, box: Box, ink: str) -> None:
    """Write a text as big as it fits, its ink in the middle: a badge has no line to stand on."""
    written, _ = in_font(words, "bold")
    left, top, right, bottom = ink_box(written, 1.0, "bold")
    if right <= left or bottom <= top:
        return
    size = min(box.width / (right - left), box.height / (bottom - top), _TALLEST)
    x = box.centre[0] - (left + right) / 2 * size
    y = box.centre[1] - (top + bottom) / 2 * size
    scene.line(written, x, y, size, "bold", ink)


def _inset(width: float, by: float) -> Box:
    return Box(by, by, width - 2 * by, BADGE_PX - 2 * by)
