"""The plan of a printed sheet: exact, inside the paper, backs behind their fronts."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counters.printing import parse_offset, parse_size, plan_sheets
from counters.printing.pdf import MARK_GAP_MM, crop_marks
from counters.printing.plan import Edges, turned
from mapkit.drawing.errors import SizeError
from mapkit.drawing.printing import EDGE_MM, PAPERS_MM

NEAR = 1e-9

backs = st.lists(st.booleans(), min_size=1, max_size=400)
sizes = st.sampled_from(["1/2in", "9/16in", "15mm", "5/8in", "3/4in"]).map(parse_size)
papers = st.sampled_from(sorted(PAPERS_MM))
gutters = st.sampled_from([0.0, 1.0, 2.5, 6.0])
bleeds = st.sampled_from([0.0, 0.5, 1.5, 5.0])
plans = st.builds(
    lambda has_back, size, paper, gutter, bleed, duplex: (
        has_back,
        gutter,
        plan_sheets(has_back, size, paper, gutter_mm=gutter, bleed_mm=bleed, duplex=duplex),
    ),
    backs,
    sizes,
    papers,
    gutters,
    bleeds,
    st.sampled_from(["long", "short"]),
)


@given(plans)
def test_every_front_and_every_back_is_there_once_and_in_order(drawn):
    has_back, _, plan = drawn
    fronts = [one.index for page in plan.pages if page.side == "front" for one in page.placed]
    behind = [one.index for page in plan.pages if page.side == "back" for one in page.placed]
    assert fronts == list(range(len(has_back)))
    assert behind == [index for index, back in enumerate(has_back) if back]


@given(plans)
def test_nothing_leaves_the_paper(drawn):
    _, _, plan = drawn
    width, height = plan.paper_mm
    for page in plan.pages:
        for one in page.placed:
            assert one.x_mm >= EDGE_MM - NEAR
            assert one.y_mm >= EDGE_MM - NEAR
            assert one.x_mm + one.size_mm <= width - EDGE_MM + NEAR
            assert one.y_mm + one.size_mm <= height - EDGE_MM + NEAR


@given(plans)
def test_a_back_lies_behind_its_front(drawn):
    """Turned over, both edges fall on each other; turned twice, all is as before."""
    _, _, plan = drawn
    fronts = {one.index: one for page in plan.pages if page.side == "front" for one in page.placed}
    for page in plan.pages:
        for one in page.placed if page.side == "back" else ():
            seen = turned(one, plan.paper_mm, plan.duplex)
            front = fronts[one.index]
            assert seen.x_mm == pytest.approx(front.x_mm, abs=NEAR)
            assert seen.y_mm == pytest.approx(front.y_mm, abs=NEAR)
            assert seen.bleed == front.bleed


@given(backs.map(lambda some: some[:30]), sizes, gutters, bleeds)
def test_counters_keep_their_distance_and_bleed_into_none(has_back, size, gutter, bleed):
    plan = plan_sheets(has_back, size, gutter_mm=gutter, bleed_mm=bleed)
    for one, other in combinations(plan.pages[0].placed, 2):
        apart = max(abs(one.x_mm - other.x_mm), abs(one.y_mm - other.y_mm))
        assert apart >= size + gutter - NEAR
        assert not _overlap(one, replace(other, bleed=Edges()))
        assert not _overlap(replace(one, bleed=Edges()), other)


def _overlap(one, other):
    def spans(placed):
        bleed = placed.bleed
        across = (placed.x_mm - bleed.left, placed.x_mm + placed.size_mm + bleed.right)
        down = (placed.y_mm - bleed.top, placed.y_mm + placed.size_mm + bleed.bottom)
        return across, down

    return all(
        max(a[0], b[0]) < min(a[1], b[1]) - NEAR
        for a, b in zip(spans(one), spans(other), strict=True)
    )


@given(plans)
def test_crop_marks_stand_outside_every_counter_and_at_their_edges(drawn):
    _, _, plan = drawn
    for page in plan.pages:
        xs = [x for one in page.placed for x in (one.x_mm, one.x_mm + one.size_mm)]
        ys = [y for one in page.placed for y in (one.y_mm, one.y_mm + one.size_mm)]
        low, high = min(ys) - plan.bleed_mm, max(ys) + plan.bleed_mm
        left, right = min(xs) - plan.bleed_mm, max(xs) + plan.bleed_mm
        for x, y, to_x, to_y in crop_marks(page, plan.bleed_mm):
            if x == to_x:
                assert min(abs(x - edge) for edge in xs) < 1e-5
                assert max(y, to_y) <= low - MARK_GAP_MM + 1e-3 or min(y, to_y) >= high
            else:
                assert min(abs(y - edge) for edge in ys) < 1e-5
                assert max(x, to_x) <= left - MARK_GAP_MM + 1e-3 or min(x, to_x) >= right
            assert all(0 <= at <= plan.paper_mm[0] for at in (x, to_x))
            assert all(0 <= at <= plan.paper_mm[1] for at in (y, to_y))


def test_the_bleed_is_whole_outside_and_half_the_gutter_inside():
    plan = plan_sheets([False, False], 15, gutter_mm=2, bleed_mm=3)
    first, second = plan.pages[0].placed
    assert first.bleed == Edges(3, 3, 1, 3)
    assert second.bleed == Edges(1, 3, 3, 3)


def test_no_backs_no_back_pages():
    assert [page.side for page in plan_sheets([False] * 400, 12.7).pages] == ["front"] * 2
    assert [page.side for page in plan_sheets([True] * 9, 12.7, duplex="off").pages] == ["front"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"size_mm": 200}, "no counter of 200 mm fits on A4"),
        ({"bleed_mm": 6}, "a bleed of 6 mm; give 0 to 5"),
        ({"bleed_mm": -1}, "a bleed of -1 mm"),
        ({"gutter_mm": 31}, "a gutter of 31 mm"),
        ({"has_back": [True] * 200_000}, "the limit is 400: print fewer at once"),
    ],
)
def test_what_cannot_be_printed(words, told):
    with pytest.raises(SizeError, match=told):
        plan_sheets(**{"has_back": [True], "size_mm": 12.7} | words)


@pytest.mark.parametrize(
    ("text", "size_mm"),
    [("½in", 12.7), ("⅝ in", 15.875), ("9⁄16in", 14.2875), ('3/4"', 19.05), ("15,5mm", 15.5)],
)
def test_sizes_as_people_type_them(text, size_mm):
    assert parse_size(text) == size_mm


@pytest.mark.parametrize("text", ["", "15", "big", "1/0in", "-3mm", "1mm", "9in", "nanmm"])
def test_no_size(text):
    with pytest.raises(SizeError):
        parse_size(text)


@pytest.mark.parametrize("text", ["", "1", "1,2,3", "a,b", "11,0", "nan,0"])
def test_no_offset(text):
    with pytest.raises(SizeError):
        parse_offset(text)
