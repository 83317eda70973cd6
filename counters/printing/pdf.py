"""The PDF of a plan: pictures, crop marks, a bar to measure; and a page that tests a printer."""

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

from counters.printing.pictures import FacePicture
from counters.printing.plan import Placed, PrintPage, SheetPlan
from mapkit.drawing.printing import CHECK_BAR_MM, CHECK_BAR_UP_MM, EDGE_MM, PAPERS_MM
from mapkit.errors import MissingExtraError
from mapkit.texts import say

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas
else:
    Canvas = Any

Offset = tuple[float, float]

MARK_GAP_MM = 1.0  # between the picture with its bleed and a crop mark
MARK_MM = 3.0
CROSS_MM = 60.0  # the arms of the test page's cross
RULER_MM = 10  # how far its rulers run to each side
RULER_OFF_MM = 40.0  # and how far from the middle they stand

_POINTS_PER_MM = 72 / 25.4
_HERE: Offset = (0.0, 0.0)


def print_sheets(
    plan: SheetPlan,
    pictures: Sequence[Sequence[FacePicture]],
    *,
    title: str = "",
    offsets: Mapping[str, Offset] | None = None,
) -> bytes:
    """Return the PDF of a plan: for each counter its front, and its back where it has one.

    *offsets* moves all that is printed on a "front" or a "back", so many millimetres to the right
    and down. The same plan and pictures give the same bytes.

    Raises:
        MissingExtraError: the part `print` is not installed.
    """
    out = BytesIO()
    canvas = _canvas(out, plan.paper_mm, title)
    for page in plan.pages:
        _begin(canvas, (offsets or {}).get(page.side, _HERE))
        for placed in page.placed:
            picture = pictures[placed.index][0 if page.side == "front" else 1]
            _draw_picture(canvas, placed, plan, picture)
        for line in crop_marks(page, plan.bleed_mm):
            _line(canvas, plan.paper_mm, *line)
        words = say(
            f"counters.print.{page.side}", sheet=page.sheet, n=len(page.placed), mm=plan.size_mm
        )
        _draw_check_bar(canvas, f"{words} · {title}" if title else words)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def crop_marks(page: PrintPage, bleed_mm: float) -> Iterator[tuple[float, float, float, float]]:
    """Yield the marks to cut by, all outside the block of counters: x, y to x, y.

    They stand at every edge of a column or row, above and below, left and right of the block.
    """
    edge = [one.x_mm for one in page.placed], [one.y_mm for one in page.placed]
    size = page.placed[0].size_mm
    gap = bleed_mm + MARK_GAP_MM
    left, right = min(edge[0]) - gap, max(edge[0]) + size + gap
    top, bottom = min(edge[1]) - gap, max(edge[1]) + size + gap
    for x in _edges(edge[0], size):
        yield x, top, x, top - MARK_MM
        yield x, bottom, x, bottom + MARK_MM
    for y in _edges(edge[1], size):
        yield left, y, left - MARK_MM, y
        yield right, y, right + MARK_MM, y


def print_offset_page(paper: str, *, offsets: Mapping[str, Offset] | None = None) -> bytes:
    """Return two pages that show how far a printer's back is off its front.

    The front has a cross in its middle, the back a ruler through the same point: held against
    the light, back towards the eye, the ruler tells by how much to move the back.

    Raises:
        MissingExtraError: the part `print` is not installed.
    """
    paper_mm = PAPERS_MM[paper]
    out = BytesIO()
    canvas = _canvas(out, paper_mm, say("counters.print.test"))
    x, y = paper_mm[0] / 2, paper_mm[1] / 2
    given = offsets or {}
    _begin(canvas, given.get("front", _HERE))
    _line(canvas, paper_mm, x - CROSS_MM, y, x + CROSS_MM, y)
    _line(canvas, paper_mm, x, y - CROSS_MM, x, y + CROSS_MM)
    _words(canvas, paper_mm, ["test_front", "test_print"])
    _draw_check_bar(canvas, say("counters.print.test"))
    canvas.showPage()
    _begin(canvas, given.get("back", _HERE))
    _draw_rulers(canvas, paper_mm, x, y)
    _words(canvas, paper_mm, ["test_back", "test_read", "test_type"])
    _draw_check_bar(canvas, say("counters.print.test"))
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def _draw_rulers(canvas: Canvas, paper_mm: tuple[float, float], x: float, y: float) -> None:
    """Draw a ruler across the upper arm of the front's cross, and one across its left arm."""
    above, left = y - RULER_OFF_MM, x - RULER_OFF_MM
    _line(canvas, paper_mm, x - RULER_MM, above, x + RULER_MM, above)
    _line(canvas, paper_mm, left, y - RULER_MM, left, y + RULER_MM)
    canvas.setFont("Helvetica", 2.8)
    for half in range(-RULER_MM * 2, RULER_MM * 2 + 1):
        at = half / 2
        long = 5.0 if half % 10 == 0 else 3.0 if half % 2 == 0 else 1.5
        _line(canvas, paper_mm, x + at, above, x + at, above - long)
        _line(canvas, paper_mm, left, y + at, left - long, y + at)
        if half % 10 == 0:
            canvas.drawCentredString(x + at, paper_mm[1] - above + 6, f"{at:+g}" if half else "0")
            canvas.drawRightString(left - 6, paper_mm[1] - y - at - 1, f"{at:+g}" if half else "0")


def _canvas(out: BytesIO, paper_mm: tuple[float, float], title: str) -> Canvas:
    try:
        from reportlab.pdfgen.canvas import Canvas
    except ImportError:
        raise MissingExtraError("print", "printing counters to PDF") from None
    size = tuple(side * _POINTS_PER_MM for side in paper_mm)
    canvas = Canvas(out, pagesize=size, invariant=1, pageCompression=1)
    canvas.setTitle(title or say("counters.print.title"))
    # A viewer's "fit to page" is the commonest reason for counters of the wrong size.
    canvas.setViewerPreference("PrintScaling", "None")
    return canvas


def _begin(canvas: Canvas, offset: Offset) -> None:
    canvas.scale(_POINTS_PER_MM, _POINTS_PER_MM)  # from here on millimetres
    canvas.translate(offset[0], -offset[1])
    canvas.setLineWidth(0.1)
    canvas.setStrokeColorRGB(0, 0, 0)
    canvas.setFillColorRGB(0, 0, 0)


def _draw_picture(canvas: Canvas, placed: Placed, plan: SheetPlan, picture: FacePicture) -> None:
    """Lay down a picture with its whole bleed, and show as much of it as has room."""
    from reportlab.lib.utils import ImageReader

    bottom = plan.paper_mm[1] - placed.y_mm - placed.size_mm
    bleed, around = placed.bleed, plan.bleed_mm
    canvas.saveState()
    window = canvas.beginPath()
    window.rect(
        placed.x_mm - bleed.left,
        bottom - bleed.bottom,
        placed.size_mm + bleed.left + bleed.right,
        placed.size_mm + bleed.bottom + bleed.top,
    )
    canvas.clipPath(window, stroke=0, fill=0)
    whole = placed.size_mm + 2 * around
    reader = ImageReader(BytesIO(picture.png))
    canvas.drawImage(reader, placed.x_mm - around, bottom - around, whole, whole)
    canvas.restoreState()


def _line(
    canvas: Canvas, paper_mm: tuple[float, float], x: float, y: float, to_x: float, to_y: float
) -> None:
    canvas.line(x, paper_mm[1] - y, to_x, paper_mm[1] - to_y)


def _draw_check_bar(canvas: Canvas, words: str) -> None:
    """Name the page, and draw a bar that must measure 100 mm."""
    base = CHECK_BAR_UP_MM
    canvas.setLineWidth(0.25)
    canvas.line(EDGE_MM, base, EDGE_MM + CHECK_BAR_MM, base)
    for tick in range(11):
        x = EDGE_MM + tick * CHECK_BAR_MM / 10
        canvas.line(x, base, x, base + (1.8 if tick % 5 == 0 else 0.9))
    canvas.setFont("Helvetica", 2.2)
    canvas.drawString(EDGE_MM + 1, base - 2.3, _latin(say("counters.print.measure")))
    canvas.setFont("Helvetica", 3)
    canvas.drawString(EDGE_MM + CHECK_BAR_MM + 4, base - 0.6, _latin(words))


def _words(canvas: Canvas, paper_mm: tuple[float, float], keys: list[str]) -> None:
    canvas.setFont("Helvetica", 4)
    for number, key in enumerate(keys):
        up = paper_mm[1] - 30 - 7 * number
        canvas.drawCentredString(paper_mm[0] / 2, up, _latin(say(f"counters.print.{key}")))


def _edges(starts: list[float], size: float) -> list[float]:
    """The edges of all columns, those that two columns share once."""
    return sorted({round(at, 6) for start in starts for at in (start, start + size)})


def _latin(text: str) -> str:
    """Helvetica, which needs no file, has Latin letters only."""
    return "".join(letter if " " <= letter <= "ÿ" else "?" for letter in text)
