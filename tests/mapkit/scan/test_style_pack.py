import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.kinds import Kinds
from mapkit.model import Ground, HexMap, Provenance
from mapkit.numbering import Numbering
from mapkit.scan.ground import study_ground
from mapkit.scan.review import Answer, review
from mapkit.scan.style_pack import (
    StylePack,
    attach_style,
    dump_style_pack,
    parse_style_pack,
    style_of,
)
from mapkit.scan.teaching import Teaching, TeachingError
from tests.mapkit.scan.painted import paint


def stripes(column: int, row: int) -> str:
    return ("clear", "woods", "lake")[column // 4]


def rings(column: int, row: int) -> str:
    return "lake" if 4 <= column < 8 and 4 <= row < 8 else "woods" if column < 4 else "clear"


def heights(column: int, row: int) -> int:
    return 1 + row // 4


@pytest.fixture(scope="module")
def style() -> StylePack:
    sheet = paint(stripes)
    kept = style_of(sheet.sheet, Teaching(sheet.legend))
    assert kept is not None
    return kept


def test_a_sister_sheet_is_read_by_the_style_alone(style: StylePack):
    sister = paint(rings, heights)
    looked_at, samples = attach_style(sister.sheet, style)
    assert np.array_equal(looked_at.pixels[: len(sister.sheet.pixels)], sister.sheet.pixels)
    grounds = study_ground(looked_at, Teaching(samples)).grounds()
    right = [grounds[hex_].terrain == word for hex_, word in sister.terrain.items()]
    assert np.mean(right) > 0.97
    dry = [hex_ for hex_, word in sister.terrain.items() if word != "lake"]
    assert np.mean([grounds[hex_].level == sister.level[hex_] for hex_ in dry]) > 0.9


def test_a_style_comes_back_as_it_was_written(style: StylePack):
    assert parse_style_pack(dump_style_pack(style), "a.json") == style


def test_examples_make_a_style_where_the_legend_lacks_the_kind():
    sheet = paint(stripes)
    kept = style_of(sheet.sheet, sheet.examples("terrain", 7))
    assert kept is not None
    assert sorted({(patch.group, patch.kind) for patch in kept.patches}) == [
        ("terrain", "clear"),
        ("terrain", "lake"),
        ("terrain", "woods"),
    ]
    assert style_of(sheet.sheet, Teaching()) is None


def test_a_bad_style_is_one_clear_line(style: StylePack):
    data = json.loads(dump_style_pack(style))
    short = data | {"patches": [data["patches"][0] | {"width": 3}]}
    other = data | {"patches": [data["patches"][0] | {"pixels": "*"}]}
    tall = data | {"patches": [data["patches"][0] | {"group": "levels", "kind": "top"}]}
    for bad, message in (
        (short, "patch 1 .* do not fill"),
        (other, "patch 1 .* do not fill"),
        (tall, "a level is a whole number"),
        (data | {"style": 2}, "style"),
        (data | {"pitch_px": 0}, "pitch_px"),
        (data | {"patches": []}, "patches"),
    ):
        with pytest.raises(TeachingError, match=message):
            parse_style_pack(json.dumps(bad).encode(), "a.json")


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_what_is_no_style_is_told(data: bytes):
    with pytest.raises(TeachingError, match=r"a\.json: "):
        parse_style_pack(data, "a.json")


def test_a_review_goes_on_reading_by_the_legend(style: StylePack):
    painted = paint(stripes)
    doubted = {"terrain": Provenance("scan", 0.4, "lake")}
    grounds = {hex_: Ground("woods", provenance=doubted) for hex_ in painted.terrain}
    map_ = HexMap(painted.sheet.grid, Numbering(straight="rows"), grounds, Kinds())
    first = next(iter(painted.terrain))
    answers = (Answer(first, "terrain", "bog"),)
    new = review(map_, answers, painted.sheet, style=style)
    assert new.hexes[first].terrain == "bog"
    rest = [hex_ for hex_ in painted.terrain if hex_ != first]
    right = [new.hexes[hex_].terrain in (painted.terrain[hex_], "bog") for hex_ in rest]
    assert np.mean(right) > 0.97
    lakes = [hex_ for hex_ in rest if painted.terrain[hex_] == "lake"]
    assert all(new.hexes[hex_].terrain == "lake" for hex_ in lakes)
