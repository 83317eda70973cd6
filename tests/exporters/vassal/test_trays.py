"""Boards of boxes: every counter lies in its box, and none on another."""

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from exporters.vassal.tray_drawing import draw_tray
from exporters.vassal.trays import Box, Column, Group, cell_px, lay_out, tray_element
from tests.exporters.vassal.engine import zone_at

words = st.text(st.sampled_from("abcde fgh é"), max_size=240)
counts = st.lists(st.lists(st.tuples(words, st.integers(0, 40), st.booleans()), max_size=4))
sizes = st.integers(16, 600)


def columns(shape):
    """Return a column with a box for each list of groups, all names and ids different."""
    boxes = []
    for number, groups in enumerate(shape):
        made = []
        for at, (told, n, captioned) in enumerate(groups):
            ids = tuple(f"{number}-{at}-{i}" for i in range(n))
            made.append(Group(ids, told, tuple("0101" for _ in ids) if captioned else ()))
        boxes.append(Box(f"box {number}", f"Box {number}", tuple(made), rows=number % 3))
    return [Column("One", tuple(boxes[::2])), Column("Two", tuple(boxes[1::2]))]


def inside(bounds, x, y, half=0):
    left, top, width, height = bounds
    return left + half <= x <= left + width - half and top + half <= y <= top + height - half


@given(counts.filter(lambda shape: len(shape) <= 5), sizes)
def test_every_counter_lies_whole_in_its_box_and_on_no_other(shape, counter_px):
    given_ = columns(shape)
    tray = lay_out("tray", "A tray", given_, counter_px)
    half = counter_px // 2
    for column in given_:
        for box in column.boxes:
            laid = tray.box(box.name)
            for id_ in (id_ for group in box.groups for id_ in group.members):
                assert inside(laid.bounds, *tray.spots[id_], half)
                assert inside((0, 0, *tray.size_px), *tray.spots[id_], half)
    spots = list(tray.spots.values())
    for number, (x, y) in enumerate(spots):
        for other_x, other_y in spots[:number]:
            assert max(abs(x - other_x), abs(y - other_y)) >= counter_px


@given(counts.filter(lambda shape: len(shape) <= 5), sizes)
def test_boxes_lie_beside_each_other_with_room_for_their_rows(shape, counter_px):
    given_ = columns(shape)
    tray = lay_out("tray", "A tray", given_, counter_px)
    rows = {box.name: box.rows for column in given_ for box in column.boxes}
    for number, one in enumerate(tray.boxes):
        left, top, width, height = one.bounds
        assert inside(one.bounds, *one.free)
        assert one.free[1] + rows[one.name] * cell_px(counter_px) <= top + height
        for other in tray.boxes[:number]:
            x, y, wide, tall = other.bounds
            apart = left >= x + wide or x >= left + width or top >= y + tall or y >= top + height
            assert apart


@given(counts.filter(lambda shape: len(shape) <= 5))
def test_the_engine_finds_every_counter_in_its_box(shape):
    given_ = columns(shape)
    tray = lay_out("tray", "A tray", given_, 56)
    board = tray_element(tray, "tray.png")
    for column in given_:
        for box in column.boxes:
            for id_ in (id_ for group in box.groups for id_ in group.members):
                assert zone_at(board, *tray.spots[id_]) == box.name


def test_no_words_lie_under_a_counter():
    long = "where nobody ever was, " * 20
    groups = (Group(("a", "b"), long), Group(("c",), long, ("0101",)))
    tray = lay_out("tray", long, [Column("One", (Box("x", long, groups),))], 56)
    for line in tray.letterings:
        for _, y in tray.spots.values():
            # Letters stand on their line: what hangs below it is a quarter of their size.
            clear = line.y + line.size / 4 <= y - 28 or line.y - line.size * 0.8 >= y + 28
            assert clear, line


def test_all_words_of_a_board_are_drawn():
    tray = lay_out("t", "<A & B>", [Column("One", (Box("x", "X ]]>", (Group(("a",), "w"),)),))], 40)
    drawn = etree.fromstring(draw_tray(tray).svg)
    texts = [one.text for one in drawn.iter("{*}text")]
    assert texts == ["<A & B>", "One", "X ]]>", "w"]
    assert (drawn.get("width"), drawn.get("height")) == tuple(map(str, tray.size_px))
