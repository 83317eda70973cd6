import numpy as np
import pytest

from mapkit.kinds import UNKNOWN
from mapkit.model import CONFIRMED
from mapkit.scan.ground import read_ground
from mapkit.scan.teaching import Example, Sample, Teaching, TeachingError
from tests.mapkit.scan.painted import Painted, paint


def terrain_of(column: int, row: int) -> str:
    if (column - 4) ** 2 + (row - 4) ** 2 < 10:
        return "woods"
    return "lake" if column > 7 and row > 6 else "clear"


def level_of(column: int, row: int) -> int:
    return 1 + (column > 3) + (column > 7)


@pytest.fixture(scope="module")
def flat() -> Painted:
    return paint(terrain_of)


@pytest.fixture(scope="module")
def hilly() -> Painted:
    return paint(lambda c, r: "woods" if r % 6 < 3 else "clear", level_of, shading=0.04)


def share_right(sheet: Painted, teaching: Teaching, what: str) -> float:
    found = read_ground(sheet.sheet, teaching)
    truth = sheet.terrain if what == "terrain" else sheet.level
    return float(np.mean([getattr(found[hex_], what) == value for hex_, value in truth.items()]))


def test_terrain_by_the_legend(flat: Painted):
    assert share_right(flat, Teaching(flat.legend), "terrain") == 1.0


def test_terrain_by_five_examples(flat: Painted):
    assert share_right(flat, flat.examples("terrain", 5), "terrain") > 0.98


def test_terrain_by_colours_alone(flat: Painted):
    # Of the woods the colour on level 1, as a legend without levels would give it.
    words = {"clear": "#dee8c3", "woods": "#b3cf9c", "lake": "#96c3e6"}
    legend = tuple(Sample(group="terrain", kind=k, colour=c) for k, c in words.items())
    assert share_right(flat, Teaching(legend), "terrain") > 0.98


def test_levels_shine_through_terrain_that_the_legend_shows_on_one_level(hilly: Painted):
    teaching = Teaching(hilly.legend)
    assert share_right(hilly, teaching, "terrain") > 0.97
    assert share_right(hilly, teaching, "level") > 0.97


def test_levels_by_five_examples(hilly: Painted):
    assert share_right(hilly, hilly.examples("level", 5), "level") > 0.97


def test_what_a_person_said_stays_and_says_so(flat: Painted):
    hex_ = flat.sheet.hexes[0]
    x, y = flat.sheet.grid.centre(hex_)
    teaching = Teaching(flat.legend, (Example(x, y, "terrain", "quarry"),))
    ground = read_ground(flat.sheet, teaching)[hex_]
    assert ground.terrain == "quarry"
    assert ground.provenance["terrain"] == CONFIRMED


def test_every_value_says_how_sure_it_is(flat: Painted):
    for ground in read_ground(flat.sheet, Teaching(flat.legend)).values():
        stated = ground.provenance["terrain"]
        assert stated.source == "scan"
        assert 1 / 3 <= (stated.confidence or 0) <= 1
        assert stated.runner_up in {"clear", "woods", "lake"} - {ground.terrain}


def test_nothing_taught_is_nothing_read(flat: Painted):
    assert {g.terrain for g in read_ground(flat.sheet, Teaching()).values()} == {UNKNOWN}


def test_features_by_examples(flat: Painted):
    lakes = [hex_ for hex_, word in flat.terrain.items() if word == "lake"]
    others = [hex_ for hex_, word in flat.terrain.items() if word != "lake"]
    taught = [(h, "port") for h in lakes[:6]] + [(h, "none") for h in others[::12]]
    spots = [(flat.sheet.grid.centre(h), value) for h, value in taught]
    teaching = Teaching(examples=tuple(Example(*at, "feature", value) for at, value in spots))
    found = read_ground(flat.sheet, teaching)
    with_port = {hex_ for hex_, ground in found.items() if ground.features}
    assert len(with_port & set(lakes)) >= 0.7 * len(lakes)
    assert len(with_port - set(lakes)) <= 2


@pytest.mark.parametrize(
    ("teaching", "message"),
    [
        (Teaching(examples=(Example(9999, 5, "terrain", "woods"),)), "lies on no hex of the map"),
        (Teaching(examples=(Example(-900, 5, "feature", "fort"),)), "lies on no hex of the map"),
        (
            Teaching((Sample(group="terrain", kind="woods", rect=(9000, 10, 30, 30)),)),
            "woods at 9000,10 lies outside",
        ),
    ],
)
def test_teaching_off_the_picture_is_told(flat: Painted, teaching: Teaching, message: str):
    with pytest.raises(TeachingError, match=message):
        read_ground(flat.sheet, teaching)
