"""Pages to the millimetre."""

import math
from itertools import pairwise

import numpy as np
import pytest

from mapkit.drawing import SizeError, draw_map, load_style, plan_pages, print_map
from mapkit.drawing.printing import CHECK_BAR_UP_MM, EDGE_MM, PAPERS_MM
from mapkit.errors import MissingExtraError
from tests.mapkit.drawing.landscapes import landscape

pdfium = pytest.importorskip("pypdfium2")

POINTS_PER_MM = 72 / 25.4


@pytest.fixture(scope="module")
def drawing():
    return draw_map(landscape(columns=14, rows=10), load_style("plain"), hex_px=40)


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_pages_have_the_size_of_the_paper(drawing, paper):
    data = print_map(drawing, hex_mm=25, paper=paper, dpi=50)
    plan = plan_pages(drawing.width_px * 25 / 40, drawing.height_px * 25 / 40, paper)
    document = pdfium.PdfDocument(data)
    try:
        assert len(document) == len(plan.pages) > 1
        for page in document:
            size = [side / POINTS_PER_MM for side in page.get_size()]
            assert size == pytest.approx(plan.paper_mm, abs=0.01)
    finally:
        document.close()


def test_the_plan_covers_the_sheet_once_with_its_overlap():
    plan = plan_pages(500, 400, "A4", overlap_mm=8)
    room = [side - 2 * EDGE_MM for side in plan.paper_mm]
    for page in plan.pages:
        assert page.width_mm <= room[0]
        assert page.height_mm <= room[1]
    row = [page for page in plan.pages if page.row == 0]
    for left, right in pairwise(row):
        assert left.x_mm + left.width_mm - right.x_mm == pytest.approx(8)
    assert max(page.x_mm + page.width_mm for page in plan.pages) == pytest.approx(500)
    assert max(page.y_mm + page.height_mm for page in plan.pages) == pytest.approx(400)


def test_hexes_are_as_wide_as_asked(drawing):
    """The picture lies on the page at exactly its millimetres; so does the check bar."""
    data = print_map(drawing, hex_mm=11, paper="A3", dpi=50)
    document = pdfium.PdfDocument(data)
    try:
        page = document[0]
        images = [item for item in page.get_objects() if item.type == 3]
        left, bottom, right, top = (v / POINTS_PER_MM for v in images[0].get_bounds())
        assert right - left == pytest.approx(drawing.width_px * 11 / 40, abs=0.02)
        assert top - bottom == pytest.approx(drawing.height_px * 11 / 40, abs=0.02)
        assert left == pytest.approx(EDGE_MM, abs=0.01)
        picture = np.asarray(page.render(scale=8 / POINTS_PER_MM).to_pil().convert("L"))
    finally:
        document.close()
    up = int(CHECK_BAR_UP_MM * 8)
    bar = picture[-up - 1 : -up + 2].min(axis=0) < 140
    columns = np.nonzero(bar[: int(8 * (EDGE_MM + 102))])[0]
    assert (columns.max() - columns.min()) / 8 == pytest.approx(100, abs=0.5)


def test_the_same_drawing_gives_the_same_pages(drawing):
    assert print_map(drawing, hex_mm=8, dpi=50) == print_map(drawing, hex_mm=8, dpi=50)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("glue", "page A1 of", "measure it")),
        ("de", ("kleben", "Seite A1 von", "nachmessen")),
        ("it", ("incollare", "pagina A1 di", "misurare")),
    ],
)
def test_the_marks_speak_the_language_asked_for(drawing, language, words):
    document = pdfium.PdfDocument(print_map(drawing, hex_mm=25, dpi=50, language=language))
    try:
        text = document[0].get_textpage().get_text_range()
    finally:
        document.close()
    assert [word for word in words if word not in text] == []


@pytest.mark.parametrize("hex_mm", [0, 1000, math.nan])
def test_senseless_sizes_are_refused(drawing, hex_mm):
    with pytest.raises(SizeError):
        print_map(drawing, hex_mm=hex_mm)


def test_too_many_pages_are_refused():
    with pytest.raises(SizeError, match="pages of A4; the limit is"):
        plan_pages(9000, 9000, "A4")


def test_without_the_extra_it_says_what_to_install(drawing, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "reportlab.pdfgen.canvas", None)
    with pytest.raises(MissingExtraError, match=r"mapkit\[print\]"):
        print_map(drawing, hex_mm=10)
