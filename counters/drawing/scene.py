"""A face under construction: what was laid where, so that ink can be held against its ground."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from counters.drawing.contrast import BIG, contrast, needed, reads_best
from counters.drawing.lettering import CAP, LEADING, Fitted
from counters.drawing.style import Shape
from counters.symbols import Box
from mapkit.drawing.outlines import Face, advance, ink_box, outline
from mapkit.drawing.svg import Sheet, circle, rectangle

SIDE_PX = 300
"""The side of a counter in the pixels of its drawing."""

PAPER, BLACK = "#ffffff", "#1a1a1a"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the drawer of a counter should know: a text key, and what it speaks of."""

    counter: str
    face: str
    kind: str
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Contrast:
    """A text or symbol on the face, how well it reads, and how well it should."""

    what: str
    ink: str
    below: str
    ratio: float
    needed: float


class Scene:
    """The drawing of one face, in hundredths of its side."""

    def __init__(self, sheet: Sheet, ground: str, ink: str) -> None:
        self.sheet = sheet
        self.contrasts: list[Contrast] = []
        self._plates: list[tuple[Box, str]] = [(Box(-100, -100, 300, 300), ground)]
        self._inks = (ink, BLACK, PAPER)

    def below(self, box: Box) -> tuple[str, ...]:
        """Return the colours that show under a place, the uppermost first."""
        found: list[str] = []
        for plate, colour in reversed(self._plates):
            if _touch(plate, box) and colour not in found:
                found.append(colour)
            if _holds(plate, box):
                break
        return tuple(found)

    def plate(self, box: Box, fill: str, shape: Shape = "box", *, line: str | None = None) -> None:
        """Lay a coloured shape; what is drawn later lies on it."""
        width = 0.9 if line else None
        self.sheet.path(shape_path(shape, box), fill=fill, stroke=line, stroke_width=width)
        self._plates.append((box, fill))

    def framed(self, box: Box, ink: str, fill: str, what: str) -> None:
        """Note a symbol that was drawn with a frame: it is a plate of its own."""
        self._plates.append((box, fill))
        self._note(what, ink, (fill,), BIG)

    def unframed(self, box: Box, ink: str, what: str) -> None:
        """Note a drawing without a frame."""
        self._note(what, ink, self.below(box), BIG)

    def ink_for(self, box: Box) -> str:
        """Return the ink that reads best on what lies under a place."""
        (uppermost, *_) = self.below(box)
        first = self._inks[0]
        return first if contrast(first, uppermost) >= 7 else reads_best(uppermost, self._inks)

    def blank(self, box: Box, ink: str, paper: str, shape: Shape = "round") -> None:
        """Draw the empty dotted box of a value that nobody knows."""
        inner = Box(box.x + 0.6, box.y + 0.6, box.width - 1.2, box.height - 1.2)
        self.sheet.path(
            shape_path(shape, inner), fill=paper, stroke=ink, stroke_width=1,
            stroke_dasharray="0.1 2.2", stroke_linecap="round",
        )  # fmt: skip
        self._plates.append((box, paper))

    def line(
        self,
        words: str,
        x: float,
        y: float,
        size: float,
        face: Face,
        ink: str,
        *,
        within: Box | None = None,
    ) -> None:
        """Write a line that starts at *x* on the baseline *y*, and hold it against its ground.

        *within* is where it lies when the whole is turned.
        """
        drawn = outline(words, x, y, size, face)
        left, top, right, bottom = drawn.ink
        self.sheet.path(drawn.d, fill=ink)
        if drawn.d:
            under = self.below(within or Box(left, top, right - left, bottom - top))
            self._note(words, ink, under, needed(size, bold=face == "bold"))

    def text(
        self,
        fitted: Fitted,
        box: Box,
        face: Face,
        ink: str,
        *,
        align: str,
        within: Box | None = None,
    ) -> None:
        """Write the lines of a text into the middle of a place."""
        size = fitted.size
        high = size * (CAP + LEADING * (len(fitted.lines) - 1))
        baseline = box.centre[1] - high / 2 + CAP * size
        for i, words in enumerate(fitted.lines):
            left, _, right, _ = ink_box(words, size, face)
            x = {
                "left": box.x - left,
                "middle": box.centre[0] - (left + right) / 2,
                "right": box.x + box.width - right,
            }[align]
            self.line(words, x, baseline + i * LEADING * size, size, face, ink, within=within)

    def _note(self, what: str, ink: str, below: tuple[str, ...], least: float) -> None:
        worst = min(below, key=lambda colour: contrast(ink, colour))
        self.contrasts.append(Contrast(what, ink, worst, contrast(ink, worst), least))


def shape_path(shape: Shape, box: Box) -> str:
    """Return the outline of a shape in a box."""
    x, y, width, height = box.x, box.y, box.width, box.height
    middle, right, low = x + width / 2, x + width, y + height
    if shape == "circle":
        cx, cy = box.centre
        return circle(cx, cy, min(width, height) / 2)
    if shape == "round":
        r = min(width, height) * 0.16
        return (
            f"M{x + r:.2f} {y:.2f}H{right - r:.2f}Q{right:.2f} {y:.2f} {right:.2f} {y + r:.2f}"
            f"V{low - r:.2f}Q{right:.2f} {low:.2f} {right - r:.2f} {low:.2f}H{x + r:.2f}"
            f"Q{x:.2f} {low:.2f} {x:.2f} {low - r:.2f}V{y + r:.2f}Q{x:.2f} {y:.2f} "
            f"{x + r:.2f} {y:.2f}Z"
        )
    if shape == "shield":
        waist = y + height * 0.55
        return (
            f"M{x:.2f} {y:.2f}H{right:.2f}V{waist:.2f}Q{right:.2f} {y + height * 0.86:.2f} "
            f"{middle:.2f} {low:.2f}Q{x:.2f} {y + height * 0.86:.2f} {x:.2f} {waist:.2f}Z"
        )
    if shape == "triangle":
        return f"M{middle:.2f} {y:.2f}L{right:.2f} {low:.2f}H{x:.2f}Z"
    if shape == "diamond":
        cy = y + height / 2
        return (
            f"M{middle:.2f} {y:.2f}L{right:.2f} {cy:.2f}L{middle:.2f} {low:.2f}L{x:.2f} {cy:.2f}Z"
        )
    return rectangle(x, y, width, height)


def row_width(tokens: list[str], size: float, face: Face, blank: float, separator: str) -> float:
    """Return how wide a row of figures runs; "" is a blank box, *blank* sizes wide."""
    signs = sum(advance(token, size, face) if token else blank * size for token in tokens)
    return signs + advance(separator, size, face) * (len(tokens) - 1)


def _touch(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def _holds(outer: Box, inner: Box) -> bool:
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and inner.x + inner.width <= outer.x + outer.width
        and inner.y + inner.height <= outer.y + outer.height
    )
