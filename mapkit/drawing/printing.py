"""A map on paper: exact millimetres, pages that overlap, marks to cut and glue by."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal

from mapkit import texts
from mapkit.drawing.errors import SizeError
from mapkit.drawing.picture import Drawing
from mapkit.drawing.raster import render_box
from mapkit.drawing.words import printed
from mapkit.errors import MissingExtraError
from mapkit.progress import OnProgress, ignore
from mapkit.texts import Language

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas
else:
    Canvas = Any

Paper = Literal["A4", "A3", "Letter"]
PAPERS_MM: dict[str, tuple[float, float]] = {
    "A4": (210.0, 297.0),
    "A3": (297.0, 420.0),
    "Letter": (215.9, 279.4),
}
EDGE_MM = 12.0  # home printers leave about five; page names and marks stand in the rest
OVERLAP_MM = 10.0
CHECK_BAR_MM = 100.0
CHECK_BAR_UP_MM = 5.8  # with words below: many printers leave the outermost 3 mm blank
MOST_PAGES = 400
_POINTS_PER_MM = 72 / 25.4
_INCH_MM = 25.4


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its row and column, and the part of the map on it, in mm of the whole."""

    row: int
    column: int
    x_mm: float
    y_mm: float
    width_mm: float
    height_mm: float

    @property
    def name(self) -> str:
        """Rows in letters, columns in numbers: B3."""
        letters, row = "", self.row + 1
        while row:
            row, digit = divmod(row - 1, 26)
            letters = chr(65 + digit) + letters
        return f"{letters}{self.column + 1}"


@dataclass(frozen=True, slots=True)
class PagePlan:
    """How a map is cut into pages of one paper, upright or lying."""

    paper_mm: tuple[float, float]
    pages: tuple[Page, ...]
    rows: int
    columns: int
    overlap_mm: float


def plan_pages(
    width_mm: float, height_mm: float, paper: str, *, overlap_mm: float = OVERLAP_MM
) -> PagePlan:
    """Cut a sheet into pages, the paper lying or upright, whichever takes fewer.

    >>> plan = plan_pages(500, 180, "A4")
    >>> plan.paper_mm, [page.name for page in plan.pages]
    ((297.0, 210.0), ['A1', 'A2'])
    """
    upright = PAPERS_MM[paper]
    plans = [
        _cut(width_mm, height_mm, paper_mm, overlap_mm) for paper_mm in (upright, upright[::-1])
    ]
    best = min(plans, key=lambda plan: plan.rows * plan.columns)
    if best.rows * best.columns > MOST_PAGES:
        raise SizeError(
            f"the map would need {best.rows * best.columns} pages of {paper}; the limit is "
            f"{MOST_PAGES}: take smaller hexes or bigger paper"
        )
    return best


def print_map(
    drawing: Drawing,
    *,
    hex_mm: float,
    paper: Paper = "A4",
    dpi: int = 200,
    overlap_mm: float = OVERLAP_MM,
    title: str = "",
    language: Language | None = None,
    on_progress: OnProgress = ignore,
) -> bytes:
    """Return the drawing as PDF, its hexes *hex_mm* wide between opposite sides.

    The same drawing gives the same bytes. *language* is that of the marks around it: the one
    in use where None is given.

    Raises:
        MissingExtraError: the part `print` is not installed.
        SizeError: it would take too many pages, or the size makes no sense.
    """
    try:
        from reportlab.pdfgen.canvas import Canvas
    except ImportError:
        raise MissingExtraError("print", "printing to PDF") from None
    if not 2 <= hex_mm <= 300:
        raise SizeError(f"hexes of {hex_mm:g} mm cannot be printed; give 2 to 300")
    mm_per_px = hex_mm / _pitch(drawing)
    plan = plan_pages(
        drawing.width_px * mm_per_px, drawing.height_px * mm_per_px, paper, overlap_mm=overlap_mm
    )
    out = BytesIO()
    size = tuple(side * _POINTS_PER_MM for side in plan.paper_mm)
    canvas = Canvas(out, pagesize=size, invariant=1, pageCompression=1)
    spoken = language or texts.language()
    canvas.setTitle(title or printed("mapkit.drawing.map", spoken))
    for index, page in enumerate(plan.pages):
        on_progress(
            index / len(plan.pages), texts.say("mapkit.drawing.progress.page", page=page.name)
        )
        canvas.scale(_POINTS_PER_MM, _POINTS_PER_MM)  # from here on millimetres
        _draw_picture(canvas, drawing, plan, page, mm_per_px, dpi)
        _draw_marks(canvas, plan, page, spoken)
        _draw_check_bar(canvas, plan, page, title, hex_mm, spoken)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _cut(
    width_mm: float, height_mm: float, paper_mm: tuple[float, float], overlap_mm: float
) -> PagePlan:
    room = tuple(side - 2 * EDGE_MM for side in paper_mm)
    step = tuple(side - overlap_mm for side in room)
    if min(step) < 20:
        raise SizeError(f"an overlap of {overlap_mm:g} mm leaves no room on the page")
    columns, rows = (
        max(math.ceil((length - overlap_mm) / along - 1e-9), 1)
        for length, along in zip((width_mm, height_mm), step, strict=True)
    )
    pages = tuple(
        Page(
            row,
            column,
            column * step[0],
            row * step[1],
            min(room[0], width_mm - column * step[0]),
            min(room[1], height_mm - row * step[1]),
        )
        for row in range(rows)
        for column in range(columns)
    )
    return PagePlan(paper_mm, pages, rows, columns, overlap_mm)


def _pitch(drawing: Drawing) -> float:
    (a, _, _), (d, _, _), _ = drawing.grid.homography
    return math.hypot(a, d)


def _draw_picture(
    canvas: Canvas, drawing: Drawing, plan: PagePlan, page: Page, mm_per_px: float, dpi: int
) -> None:
    """Render this page's part of the drawing and lay it down to the millimetre."""
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    box = tuple(
        length / mm_per_px for length in (page.x_mm, page.y_mm, page.width_mm, page.height_mm)
    )
    width_px, height_px = (
        max(round(length / _INCH_MM * dpi), 1) for length in (page.width_mm, page.height_mm)
    )
    x, y, width, height = box
    png = render_box(drawing, (x, y, width, height), width_px, height_px)
    photo = BytesIO()
    with Image.open(BytesIO(png)) as image:
        image.convert("RGB").save(photo, "JPEG", quality=92, subsampling=0)
    photo.seek(0)
    bottom = plan.paper_mm[1] - EDGE_MM - page.height_mm
    canvas.drawImage(ImageReader(photo), EDGE_MM, bottom, page.width_mm, page.height_mm)


def _draw_marks(canvas: Canvas, plan: PagePlan, page: Page, language: Language) -> None:
    """Corner ticks to cut by, and glue edges where the next page lies over this one."""
    left, right = EDGE_MM, EDGE_MM + page.width_mm
    top = plan.paper_mm[1] - EDGE_MM
    bottom = top - page.height_mm
    canvas.setLineWidth(0.15)
    canvas.setStrokeColorRGB(0, 0, 0)
    for x in (left, right):
        for y, out in ((top, 1), (bottom, -1)):
            canvas.line(x, y + out * 1.0, x, y + out * 5.0)
    for y in (top, bottom):
        for x, out in ((left, -1), (right, 1)):
            canvas.line(x + out * 1.0, y, x + out * 5.0, y)
    canvas.setFont("Helvetica", 2.6)
    canvas.setStrokeColorRGB(0.75, 0.1, 0.1)
    canvas.setFillColorRGB(0.75, 0.1, 0.1)
    overlap = plan.overlap_mm
    glue = _latin(printed("mapkit.drawing.glue", language))
    if page.column + 1 < plan.columns and overlap:
        x = right - overlap
        for y, out in ((top, 1), (bottom, -1)):
            canvas.line(x, y + out * 1.0, x, y + out * 6.0)
        canvas.drawString(x + 0.8, top + 2.0, glue)
    if page.row + 1 < plan.rows and overlap:
        y = bottom + overlap
        for x, out in ((left, -1), (right, 1)):
            canvas.line(x + out * 1.0, y, x + out * 6.0, y)
        canvas.drawString(right + 1.2, bottom + overlap / 2 - 1, glue)


def _draw_check_bar(
    canvas: Canvas, plan: PagePlan, page: Page, title: str, hex_mm: float, language: Language
) -> None:
    """Name the page, show where it lies, and a bar that must measure 100 mm."""
    canvas.setFillColorRGB(0, 0, 0)
    canvas.setStrokeColorRGB(0, 0, 0)
    canvas.setFont("Helvetica", 3)
    base = CHECK_BAR_UP_MM
    words = _latin(
        printed(
            "mapkit.drawing.page",
            language,
            page=page.name,
            rows=plan.rows,
            columns=plan.columns,
            mm=f"{hex_mm:g}",
        )
    )
    left = EDGE_MM + CHECK_BAR_MM + 4
    room = plan.paper_mm[0] - EDGE_MM - 16 - left
    longer = f"{words} · {_latin(title)}"
    if title and canvas.stringWidth(longer, "Helvetica", 3) < room:
        words = longer
    canvas.drawString(left, base - 0.6, words)
    canvas.setLineWidth(0.25)
    canvas.line(EDGE_MM, base, EDGE_MM + CHECK_BAR_MM, base)
    for tick in range(11):
        high = 1.8 if tick % 5 == 0 else 0.9
        x = EDGE_MM + tick * CHECK_BAR_MM / 10
        canvas.line(x, base, x, base + high)
    canvas.setFont("Helvetica", 2.2)
    canvas.drawString(EDGE_MM + 1, base - 2.3, _latin(printed("mapkit.drawing.measure", language)))
    for box, filled in _overview(plan, page):
        canvas.setFillColorRGB(*((0.2, 0.2, 0.2) if filled else (1, 1, 1)))
        canvas.setLineWidth(0.1)
        canvas.rect(*box, stroke=1, fill=1)


def _overview(
    plan: PagePlan, page: Page
) -> Iterator[tuple[tuple[float, float, float, float], bool]]:
    """Small boxes in the corner, this page's one filled."""
    size = min(6.0 / plan.rows, 14.0 / plan.columns, 2.5)
    left = plan.paper_mm[0] - EDGE_MM - size * plan.columns
    for other in plan.pages:
        y = 2.8 + size * (plan.rows - 1 - other.row)
        yield (left + size * other.column, y, size, size), other == page


def _latin(text: str) -> str:
    """Helvetica, which needs no file, has Latin letters only."""
    return "".join(letter if " " <= letter <= "ÿ" else "?" for letter in text)
