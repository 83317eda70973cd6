"""A page of charts, or the title of a game, as a picture: clean grids in the house's letters."""

from collections.abc import Sequence

from exporters.vassal.chart_pages import Grid, Note, Page
from mapkit.drawing import Picture
from mapkit.drawing.fonts import text_width
from mapkit.drawing.style import Letters
from mapkit.drawing.svg import Sheet, Value

WIDTH_PX = 1160
"""A page fits a screen of 1280 px with the frame of its window."""

_EDGE, _PAD = 28.0, 8.0
_SIZE, _LEADING = 16.0, 21.0
_CELL_PX = 64.0  # the least width of a column of results
_INK, _PALE, _BAND, _LINE = "#22262b", "#6b737c", "#f1f4f6", "#c3cad1"
_HEAD, _LACKING = "#2f4858", "#a4501c"
_ROOM = 36.0  # no column of words is narrower than so many pixels
_LEAST = 720.0  # grids of words below each other are at least so wide: they look like one
_PAPER = "#fffefa"

Lines = list[str]


class _Pen:
    """Writes down a sheet of unknown height: what is drawn is kept until that is known."""

    def __init__(self) -> None:
        self.y = _EDGE
        self.texts: list[tuple[str, float, float, float, str, bool]] = []
        self.boxes: list[tuple[float, float, float, float, str]] = []

    def text(
        self, words: str, x: float, size: float, colour: str = _INK, *, bold: bool = False
    ) -> None:
        """Write a line whose letters stand in the line that begins at y."""
        self.texts.append((words, x, self.y + size, size, colour, bold))

    def box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """Fill a box."""
        self.boxes.append((x, y, width, height, colour))

    def finished(self) -> Picture:
        """Return what was drawn on a sheet of just that height."""
        height = round(self.y + _EDGE)
        sheet = Sheet(WIDTH_PX, height)
        sheet.add("rect", x=0.0, y=0.0, width=float(WIDTH_PX), height=float(height), fill=_PAPER)
        for x, y, width, tall, colour in self.boxes:
            sheet.add("rect", x=x, y=y, width=width, height=tall, fill=colour)
        for words, x, y, size, colour, bold in self.texts:
            weight = "bold" if bold else None
            look: dict[str, Value] = {"font_size": size, "fill": colour, "font_weight": weight}
            sheet.text(words, x, y, font_family="Cabin", **look)
        return Picture(sheet.to_text(), WIDTH_PX, height)


def draw_page(game: str, page: Page) -> Picture:
    """Return a page as a picture as high as it needs."""
    pen = _Pen()
    pen.text(game, _EDGE, 15.0, _PALE)
    pen.y += 22
    for line in wrapped(page.title, WIDTH_PX - 2 * _EDGE, 28.0, bold=True):
        pen.text(line, _EDGE, 28.0, _HEAD, bold=True)
        pen.y += 36
    pen.box(_EDGE, pen.y, WIDTH_PX - 2 * _EDGE, 2, _HEAD)
    pen.y += 14
    for block in page.blocks:
        if isinstance(block, Note):
            _draw_note(pen, block)
        else:
            _draw_grid(pen, block)
        pen.y += 14
    return pen.finished()


def draw_title(game: str, lines: Sequence[str]) -> Picture:
    """Return the picture that greets whoever opens the module."""
    pen = _Pen()
    pen.y += 40
    for line in wrapped(game, WIDTH_PX - 2 * _EDGE, 52.0, bold=True):
        pen.text(line, _EDGE, 52.0, _HEAD, bold=True)
        pen.y += 64
    pen.box(_EDGE, pen.y, WIDTH_PX - 2 * _EDGE, 4, _HEAD)
    pen.y += 28
    for words in lines:
        for line in wrapped(words, WIDTH_PX - 2 * _EDGE, 22.0):
            pen.text(line, _EDGE, 22.0)
            pen.y += 30
        pen.y += 10
    pen.y += 30
    return pen.finished()


def wrapped(words: str, width_px: float, size: float = _SIZE, *, bold: bool = False) -> Lines:
    """Return words in lines that fit; a single word that does not fit stands alone."""
    lines: Lines = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and _wide(longer, size, bold=bold) <= width_px:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines or [""]


def column_widths(grid: Grid, room_px: float) -> list[float]:
    """Return how wide each column is: what it asks for, the widest cut where there is no room."""
    columns = list(zip(grid.header, *grid.rows, strict=True))
    margin = 2 * _PAD + 1  # a pixel more, so that no rounding breaks a line that just fits
    wants = [
        max(_wide(words, _SIZE, bold=number == 0) for number, words in enumerate(column)) + margin
        for column in columns
    ]
    if grid.cells:
        return (
            [max(want, _CELL_PX) for want in wants]
            if sum(wants) <= room_px
            else _cut(wants, room_px)
        )
    if sum(wants) <= room_px:
        spare = max(_LEAST - sum(wants), 0.0)
        widest = wants.index(max(wants))
        return [want + (spare if number == widest else 0) for number, want in enumerate(wants)]
    return _cut(wants, room_px)


def _cut(wants: list[float], room_px: float) -> list[float]:
    """Take from the widest until all fit, as level as can be."""
    low, high = 0.0, max(wants)
    for _ in range(40):
        most = (low + high) / 2
        if sum(min(want, most) for want in wants) > room_px:
            high = most
        else:
            low = most
    return [min(want, max(low, _ROOM)) for want in wants]


def _draw_note(pen: _Pen, note: Note) -> None:
    colour = _LACKING if note.lacking else _PALE
    for line in wrapped(note.words, WIDTH_PX - 2 * _EDGE):
        pen.text(line, _EDGE, _SIZE, colour)
        pen.y += _LEADING


def _draw_grid(pen: _Pen, grid: Grid) -> None:
    for line in (
        wrapped(grid.heading, WIDTH_PX - 2 * _EDGE, 19.0, bold=True) if grid.heading else ()
    ):
        pen.text(line, _EDGE, 19.0, _HEAD, bold=True)
        pen.y += 27
    widths = column_widths(grid, WIDTH_PX - 2 * _EDGE)
    _draw_row(pen, grid.header, widths, "#dde4e9", bold=True)
    for number, row in enumerate(grid.rows):
        _draw_row(pen, row, widths, _BAND if number % 2 else _PAPER)
    pen.box(_EDGE, pen.y, sum(widths), 1, _LINE)


def _draw_row(
    pen: _Pen, row: Sequence[str], widths: Sequence[float], fill: str, *, bold: bool = False
) -> None:
    texts = [
        wrapped(words, width - 2 * _PAD, bold=bold)
        for words, width in zip(row, widths, strict=True)
    ]
    top, height = pen.y, max(map(len, texts)) * _LEADING + 8
    pen.box(_EDGE, top, sum(widths), height, fill)
    x = _EDGE
    for lines, width in zip(texts, widths, strict=True):
        pen.y = top + 3
        for line in lines:
            pen.text(line, x + _PAD, _SIZE, bold=bold)
            pen.y += _LEADING
        x += width
    pen.y = top + height


def _wide(words: str, size: float, *, bold: bool = False) -> float:
    return text_width(words, Letters(size=1.0, colour=_INK, bold=bold), size)
