"""The PDF measured as a printer would see it: edges, backs behind fronts, offsets."""

from io import BytesIO

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from counters.printing import FacePicture, plan_sheets, print_offset_page, print_sheets
from counters.printing.plan import turned
from mapkit.drawing.printing import CHECK_BAR_MM, CHECK_BAR_UP_MM, EDGE_MM, PAPERS_MM

DPI = 600
PX_PER_MM = DPI / 25.4
WITHIN_MM = 0.1
COLOURS = {"front": (200, 30, 30), "back": (30, 30, 200)}
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def plain(colour, size=40):
    out = BytesIO()
    Image.new("RGB", (size, size), colour).save(out, "PNG")
    return FacePicture(out.getvalue())


PAIR = (plain(COLOURS["front"]), plain(COLOURS["back"]))


def pages(pdf):
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [
            np.asarray(page.render(scale=DPI / 72).to_pil().convert("RGB")) for page in document
        ]
    finally:
        document.close()


def spans(page, colour):
    """Return where red or blue begins and ends, in mm: left, top, right, bottom."""
    strong, weak = (0, 2) if colour[0] > colour[2] else (2, 0)
    inside = (page[:, :, strong] > 120) & (page[:, :, weak] < 90)
    xs, ys = np.flatnonzero(inside.any(axis=0)), np.flatnonzero(inside.any(axis=1))
    px = (xs[0], ys[0], xs[-1] + 1, ys[-1] + 1)
    return tuple(float(at) / PX_PER_MM for at in px)


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("duplex", ["long", "short"])
@pytest.mark.parametrize(("size_mm", "n"), [(12.7, 5), (14.2875, 1)])
def test_edges_lie_where_the_plan_has_them_and_backs_behind_fronts(paper, duplex, size_mm, n):
    """Where five counters touch, the block of them is measured."""
    plan = plan_sheets([True] * n, size_mm, paper, duplex=duplex)
    front, back = pages(print_sheets(plan, [PAIR] * n))
    for page, image in zip(plan.pages, (front, back), strict=True):
        left, top, right, bottom = spans(image, COLOURS[page.side])
        assert left == pytest.approx(min(one.x_mm for one in page.placed), abs=WITHIN_MM)
        assert top == pytest.approx(min(one.y_mm for one in page.placed), abs=WITHIN_MM)
        assert right - left == pytest.approx(n * size_mm, abs=WITHIN_MM)
        assert bottom - top == pytest.approx(size_mm, abs=WITHIN_MM)
    over = back[:, ::-1] if duplex == "long" else back[::-1]
    assert spans(over, COLOURS["back"]) == pytest.approx(
        spans(front, COLOURS["front"]), abs=WITHIN_MM
    )


def test_the_bleed_runs_over_the_edge_and_not_into_the_neighbour():
    red, blue = plain(COLOURS["front"]), plain(COLOURS["back"])
    plan = plan_sheets([False] * 2, 15, gutter_mm=2, bleed_mm=1.5)
    (image,) = pages(print_sheets(plan, [(red,), (blue,)]))
    first, second = plan.pages[0].placed
    left, top, right, bottom = spans(image, COLOURS["front"])
    assert (left, top) == pytest.approx((first.x_mm - 1.5, first.y_mm - 1.5), abs=WITHIN_MM)
    assert right == pytest.approx(first.x_mm + 16, abs=WITHIN_MM)
    assert bottom == pytest.approx(first.y_mm + 16.5, abs=WITHIN_MM)
    assert spans(image, COLOURS["back"])[0] == pytest.approx(second.x_mm - 1, abs=WITHIN_MM)


def test_an_offset_moves_its_side_and_no_other():
    plan = plan_sheets([True], 15)
    offsets = {"back": (1.5, -2.0)}
    front, back = pages(print_sheets(plan, [PAIR], offsets=offsets))
    placed = plan.pages[0].placed[0]
    assert spans(front, COLOURS["front"])[:2] == pytest.approx(
        (placed.x_mm, placed.y_mm), abs=WITHIN_MM
    )
    behind = turned(placed, plan.paper_mm, "long")
    assert spans(back, COLOURS["back"])[:2] == pytest.approx(
        (behind.x_mm + 1.5, behind.y_mm - 2), abs=WITHIN_MM
    )


def test_the_bar_measures_100_mm():
    plan = plan_sheets([False], 15)
    (image,) = pages(print_sheets(plan, [PAIR]))
    row = round((plan.paper_mm[1] - CHECK_BAR_UP_MM) * PX_PER_MM)
    dark = np.flatnonzero((image[row - 2 : row + 3] < 120).all(axis=2).any(axis=0))
    bar = dark[dark < (EDGE_MM + CHECK_BAR_MM + 2) * PX_PER_MM]
    assert (bar[-1] - bar[0]) / PX_PER_MM == pytest.approx(CHECK_BAR_MM, abs=0.4)


def test_the_rulers_of_the_test_page_read_zero_where_the_printer_is_true():
    """The cross of the front, seen through the paper, meets the ruler at its middle."""
    front, back = pages(print_offset_page("A4"))
    width, height = PAPERS_MM["A4"]
    line = front[round((height / 2 - 40) * PX_PER_MM)]
    assert np.flatnonzero(line.min(axis=1) < 160).mean() / PX_PER_MM == pytest.approx(
        width / 2, abs=WITHIN_MM
    )
    ruler = back[round((height / 2 - 44) * PX_PER_MM)].min(axis=1) < 160
    ticks = np.flatnonzero(ruler) / PX_PER_MM
    assert ticks.mean() == pytest.approx(width / 2, abs=WITHIN_MM)
    assert ticks.max() - ticks.min() == pytest.approx(20, abs=0.3)


def test_the_same_counters_give_the_same_bytes():
    plan = plan_sheets([True] * 3, 15)
    assert print_sheets(plan, [PAIR] * 3) == print_sheets(plan, [PAIR] * 3)


def test_copies_share_one_picture():
    noise = np.random.default_rng(1).integers(0, 255, (300, 300, 3), dtype=np.uint8)
    out = BytesIO()
    Image.fromarray(noise).save(out, "PNG")
    picture = (FacePicture(out.getvalue()),)
    one = print_sheets(plan_sheets([False], 15), [picture])
    many = print_sheets(plan_sheets([False] * 60, 15), [picture] * 60)
    assert len(many) < 1.2 * len(one)
