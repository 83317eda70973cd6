"""Sheets: what is cut and joined again is the undivided map; turned four times, the old one."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.errors import SheetError
from mapkit.grid import Grid
from mapkit.hexes import Hex, Hexside, Link, distance
from mapkit.model import Area, Feature, Ground, HexMap, Provenance, Shape
from mapkit.numbering import Axis, Numbering
from mapkit.sheets import crop, join, offset_by_labels, offset_by_match, rectangle
from mapkit.sheets.moving import moved, turn
from tests.strategies import maps


def sheet(columns=6, rows=4, *, straight="columns", **numbering):
    rule = Numbering(straight=straight, **numbering)
    hexes = {
        rule.hex_at(column, row): Ground("clear", column + row)
        for column in range(columns)
        for row in range(rows)
    }
    return HexMap(Grid.regular(rule.orientation, pitch_px=60), rule, hexes, title="sheet")


def same_land(map_):
    """All of a map that joining must give back."""
    areas = {
        (area.name, area.kind, frozenset(area.hexes), frozenset(area.hexsides), area.note)
        for area in map_.areas
        if area.hexes or area.hexsides
    }
    return dict(map_.hexes), dict(map_.hexsides), dict(map_.links), areas, map_.kinds


@given(maps(columns=st.integers(2, 6), rows=st.integers(2, 5), with_holes=False), st.data())
def test_sheets_cut_anywhere_join_to_the_undivided_map(map_, data):
    numbering = map_.numbering
    positions = {hex_: numbering.position(hex_) for hex_ in map_.hexes}
    axis = data.draw(st.sampled_from([0, 1]))
    last = max(position[axis] for position in positions.values())
    cut = data.draw(st.integers(0, last - 1))
    common = data.draw(st.sampled_from([0, 1]))
    one = crop(map_, {h for h, position in positions.items() if position[axis] <= cut})
    other = crop(map_, {h for h, position in positions.items() if position[axis] > cut - common})
    back = join(one, other, offset_by_labels(one, other))
    assert same_land(back) == same_land(map_)
    assert {back.label(hex_) for hex_ in back.hexes} == {map_.label(hex_) for hex_ in map_.hexes}


@given(maps(), st.builds(Hex, st.integers(-9, 9), st.integers(-9, 9)))
def test_a_sheet_scanned_on_its_own_joins_by_its_numbers(map_, by):
    """The second sheet has its own origin and its own picture; only the labels tie them."""
    alone = moved(map_, by, Grid.regular(map_.grid.orientation, pitch_px=33, turned_deg=4))
    assert {alone.label(h) for h in alone.hexes} == {map_.label(h) for h in map_.hexes}
    assert offset_by_labels(map_, alone) == Hex(-by.q, -by.r)
    back = join(map_, alone, offset_by_labels(map_, alone))
    assert same_land(back) == same_land(map_)


def test_numbers_that_go_on_over_a_sheet_that_began_anew():
    one, other = sheet(), sheet()
    joined = join(one, other, offset_by_match(one, other, ("0701", "0101")))
    assert len(joined.hexes) == 48
    assert joined[joined.hex("1204")].level == 8
    assert distance(joined.hex("0601"), joined.hex("0701")) == 1


def test_a_common_column_counts_once():
    one = sheet(columns=6)
    other = replace(
        one,
        hexes={h: replace(g, level=(g.level or 0) + 5) for h, g in one.hexes.items()},
        numbering=replace(one.numbering, columns=Axis(first=1)),
    )
    joined = join(one, other, offset_by_match(one, other, ("0601", "0101")))
    assert len(joined.hexes) == 11 * 4


def test_sheets_that_keep_their_numbers():
    one, other = sheet(), sheet()
    offset = offset_by_match(one, other, ("0701", "0101"))
    joined = join(one, other, offset, numbering="keep", prefixes=("W", "E"))
    assert {label[:2] for label in map(joined.label, joined.hexes)} == {"W:", "E:"}
    assert distance(joined.hex("W:0601"), joined.hex("E:0101")) == 1


def test_sheets_that_disagree_say_where():
    one = sheet()
    other = replace(one, hexes={h: replace(g, terrain="woods") for h, g in one.hexes.items()})
    with pytest.raises(SheetError, match="disagree at 0101, .*and 19 more"):
        join(one, other, Hex(0, 0))
    river = replace(one, hexsides={Hexside(Hex(0, 0), Hex(0, 1)): (Feature("river"),)})
    stream = replace(one, hexsides={Hexside(Hex(0, 0), Hex(0, 1)): (Feature("stream"),)})
    with pytest.raises(SheetError, match="disagree at 0101/0102;"):
        join(river, stream, Hex(0, 0))


def test_sheets_that_share_two_hexes_agree_on_what_runs_between_them():
    one = sheet()
    river = replace(one, hexsides={Hexside(Hex(0, 0), Hex(0, 1)): (Feature("river"),)})
    for pair in ((one, river), (river, one)):
        with pytest.raises(SheetError, match="disagree at 0101/0102;"):
            join(*pair, Hex(0, 0))


def test_notes_of_both_sheets_are_kept():
    one, other = sheet(), sheet()
    hex_ = one.hex("0101")
    one = replace(one, hexes={**one.hexes, hex_: replace(one[hex_], note="errata 3")})
    other = replace(other, hexes={**other.hexes, hex_: replace(other[hex_], note="misprint")})
    assert join(one, other, Hex(0, 0))[hex_].note == "errata 3; misprint"


def test_a_sheet_does_not_name_what_lies_in_its_gap():
    whole = sheet()
    gap = whole.hex("0302")
    holed = crop(whole, [hex_ for hex_ in whole.hexes if hex_ != gap])
    with pytest.raises(SheetError, match="0302 of the second sheet lies in a gap"):
        join(holed, whole, Hex(0, 0), numbering="keep")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: join(sheet(), sheet(straight="rows"), Hex(0, 0)), "turn one"),
        (lambda: join(sheet(), sheet(), Hex(40, 0)), "do not touch"),
        (lambda: offset_by_labels(sheet(), sheet(shoved="odd")), "do not continue.*--match"),
        (lambda: offset_by_labels(sheet(), sheet(columns=3, order="RRCC", rows=9)), "not continue"),
        (lambda: crop(sheet(), {Hex(50, 50)}), "nothing to cut"),
        (
            lambda: join(sheet(), sheet(rows=99), Hex(0, 4)),
            "do not reach over the second.*--numbering keep",
        ),
    ],
)
def test_sheets_that_do_not_go_together(wrong, message):
    with pytest.raises(SheetError, match=message):
        wrong()


def test_joining_keeps_where_each_sheet_has_its_values_from():
    one = sheet()
    other = replace(sheet(), provenance=Provenance("scan", 0.7))
    joined = join(one, other, offset_by_match(one, other, ("0701", "0101")))
    assert joined.provenance_of(joined.hex("0101"), "level").source == "import"
    assert joined.provenance_of(joined.hex("0801"), "level").source == "scan"


@given(maps())
def test_four_quarter_turns_make_none(map_):
    back = turn(turn(map_, 2), 2)
    assert same_land(back) == same_land(map_)
    assert back.numbering == map_.numbering
    assert same_land(turn(turn(map_, 1), 3)) == same_land(map_)


@given(maps(), st.sampled_from([1, 2, 3]))
def test_a_turned_map_has_every_label_where_it_was(map_, quarters):
    turned = turn(map_, quarters)
    assert {turned.label(h): g for h, g in turned.hexes.items()} == {
        map_.label(h): g for h, g in map_.hexes.items()
    }
    labels = sorted(map_.label(hex_) for hex_ in map_.hexes)
    for one, other in pairwise(labels):
        assert distance(turned.hex(one), turned.hex(other)) == distance(
            map_.hex(one), map_.hex(other)
        )
    assert _inland(turned) == _inland(map_)


def _inland(map_):
    """The hexsides between two hexes of the map; beyond the edge there may be no labels."""
    return {map_.label_place(side) for side in map_.hexsides if side.a in map_ and side.b in map_}


def test_the_top_left_hex_turns_to_the_top_right():
    map_ = sheet()
    turned = turn(map_, 1)
    (x, y), (far_x, far_y) = (turned.grid.centre(turned.hex(label)) for label in ("0101", "0604"))
    assert x > far_x
    assert y < far_y
    assert turned.grid.orientation == "pointy"
    assert turned.grid.north_deg == 90
    assert turned.grid.hex_at(x, y) == turned.hex("0101")


def test_shapes_turn_with_their_hexes():
    map_ = sheet()
    peak = map_.grid.centre(map_.hex("0303"))
    turned = turn(replace(map_, shapes=(Shape("peak", "point", ((peak,),)),)), 1)
    assert turned.grid.hex_at(*turned.shapes[0].rings[0][0]) == turned.hex("0303")


def test_what_the_edge_cuts_stays_with_the_piece():
    map_ = sheet()
    a, b = map_.hex("0301"), map_.hex("0401")
    map_ = replace(
        map_,
        hexsides={Hexside.between(a, b): (Feature("river"),)},
        links={Link.between(a, b): (Feature("road"),)},
        areas=(Area("west", "sector", (a, b)), Area("far", "sector", (map_.hex("0604"),))),
    )
    cut = crop(map_, rectangle(map_, map_.hex("0101"), map_.hex("0304")))
    assert len(cut.hexes) == 12
    assert list(cut.hexsides) == list(map_.hexsides)
    assert list(cut.links) == list(map_.links)
    assert cut.areas == (Area("west", "sector", (a,)),)
