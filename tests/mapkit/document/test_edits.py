"""Edits: each can be undone, and a person's touch is told apart from the scan's."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.document.edits import (
    apply_edit,
    change_area,
    change_ground,
    change_hexside,
    change_kinds,
    change_link,
    change_title,
    correct,
    in_one,
    invert_edit,
)
from mapkit.document.reading import parse_map
from mapkit.document.writing import dump_map, hex_entry
from mapkit.errors import DocumentError, UnknownHexError
from mapkit.hexes import Hex, hexsides, neighbours
from mapkit.hexes import Link as Way
from mapkit.model import Area, Provenance
from tests.mapkit.document.test_document import small
from tests.strategies import features, grounds, maps, texts


@st.composite
def edits(draw):
    """A map and an edit of any sort that fits it."""
    map_ = draw(maps())
    hex_ = draw(st.sampled_from(sorted(map_.hexes)))
    some = draw(st.lists(features, max_size=2))
    area = draw(st.none() | st.just(Area("Sector", "s", (hex_,))))
    edit = draw(
        st.sampled_from(
            [
                change_ground(map_, hex_, draw(grounds)),
                correct(map_, hex_, "level", draw(st.integers(0, 9))),
                change_hexside(map_, draw(st.sampled_from(hexsides(hex_))), some),
                change_link(map_, Way.between(hex_, draw(st.sampled_from(neighbours(hex_)))), some),
                change_area(map_, "Sector", area),
                change_title(draw(texts)),
                change_kinds(map_.kinds.with_ids("links", iter(["rail"]))),
                in_one([change_title("a"), change_area(map_, "B", Area("B", "s", (hex_,)))]),
                *[change_area(map_, area.name, None) for area in map_.areas],
            ]
        )
    )
    return map_, json.loads(json.dumps(edit))


@given(edits())
def test_an_edit_and_its_inverse_leave_the_map_as_it_was(case):
    map_, edit = case
    inverse = json.loads(json.dumps(invert_edit(map_, edit)))
    back = apply_edit(apply_edit(map_, edit), inverse)
    assert back == map_


@given(maps(), st.data())
def test_what_was_put_there_is_there(map_, data):
    hex_ = data.draw(st.sampled_from(sorted(map_.hexes)))
    ground = data.draw(grounds)
    assert apply_edit(map_, change_ground(map_, hex_, ground))[hex_] == ground
    side = data.draw(st.sampled_from(hexsides(hex_)))
    some = tuple(data.draw(st.lists(features, min_size=1, max_size=2)))
    assert apply_edit(map_, change_hexside(map_, side, some)).hexsides[side] == some


@given(maps(), st.data())
def test_a_person_who_sets_what_is_there_confirms_it(map_, data):
    hex_ = data.draw(st.sampled_from(sorted(map_.hexes)))
    old = map_[hex_].terrain
    kept = apply_edit(map_, correct(map_, hex_, "terrain", old))
    assert kept.provenance_of(hex_, "terrain") == Provenance("person", touch="confirmed")
    mended = apply_edit(map_, correct(map_, hex_, "terrain", old + "!"))
    assert mended.provenance_of(hex_, "terrain") == Provenance("person", touch="corrected")
    assert mended[hex_].level == map_[hex_].level


@given(edits())
def test_a_map_that_was_edited_can_be_read_again(case):
    map_, edit = case
    after = replace(apply_edit(map_, edit), shapes=())
    assert parse_map(dump_map(after), "x") == after


@given(maps())
def test_edits_that_would_spoil_the_file_are_refused(map_):
    hex_ = next(iter(map_.hexes))
    entry = hex_entry(map_, hex_)
    facing = {"kind": "fort", "facing": map_.label(hex_)}
    far = [map_.label(Hex(300, 300)), map_.label(Hex(301, 300))]
    for wrong in (
        {"what": "hex", "at": list(hex_), "entry": entry | {"features": [facing]}},
        {"what": "hex", "at": list(hex_), "entry": entry | {"q": 900}},
        {"what": "hex", "at": list(hex_), "entry": entry | {"name": "x" * 20_000}},
        {"what": "hexside", "at": "/".join(far), "entry": None},
        {"what": "title", "at": "", "entry": None},
        {"what": "title", "at": "", "entry": "x" * 20_000},
        {"what": "area", "at": "A", "entry": {"name": "B", "kind": "s"}},
        {"what": "area", "at": "A", "entry": {"name": "A", "kind": "s", "hexes": far}},
    ):
        with pytest.raises(DocumentError, match="this edit of .* does not fit the map: ") as told:
            apply_edit(map_, wrong)
        assert "\n" not in str(told.value)


def test_a_hex_that_a_road_leads_to_is_not_removed():
    map_ = parse_map(small(), "x")
    for label in ("0101", "0202"):  # the river and the road still touch 0102
        map_ = apply_edit(map_, {"what": "hex", "at": list(map_.hex(label)), "entry": None})
    last = {"what": "hex", "at": list(map_.hex("0102")), "entry": None}
    with pytest.raises(DocumentError, match="0101/0102 still leads there"):
        apply_edit(map_, last)


@given(maps())
def test_edits_that_do_not_fit(map_):
    with pytest.raises(UnknownHexError):
        change_ground(map_, Hex(400, 400), map_[next(iter(map_.hexes))])
    for wrong in (
        {"what": "mountain", "at": "", "entry": None},
        {"what": "hex"},
        {"what": "hex", "at": [0, 0], "entry": {"label": "0101", "level": "high"}},
        {"what": "hexside", "at": "nowhere", "entry": None},
    ):
        with pytest.raises(DocumentError, match="edit"):
            apply_edit(map_, wrong)
