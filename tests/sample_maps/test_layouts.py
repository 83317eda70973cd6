"""The layouts: sizes, numbers at the corners, and room for the set-ups of the games."""

import csv
import re
from pathlib import Path

import pytest

import sample_maps
from mapkit.grid import Grid
from mapkit.hexes import distance
from mapkit.numbering import Axis, Numbering
from mapkit.sheets import crop, join, offset_by_labels
from sample_maps.catalogue import SAMPLES
from sample_maps.land import HEX_MM, PITCH_PX
from sample_maps.places.valley import FROM_SOUTH

DOSSIERS = Path(__file__).parents[3] / "shared" / "dossiers"
LABEL = re.compile(r"(?<![\d.–-])\d{4}(?![\d.])")


@pytest.mark.parametrize(
    ("name", "columns", "rows", "corners"),
    [
        pytest.param("alpine", 74, 58, "5801 5874 0101 0174", id="alpine: rows from the south"),
        pytest.param("front", 40, 36, "3697 3636 0197 0136", id="front: column 97 west of 00"),
        pytest.param("hills", 72, 35, "1001 8101 1035 8135", id="hills: columns from 10"),
        pytest.param("valley", 64, 32, "0101 6401 0132 6432", id="valley: from the north"),
        pytest.param("valley_guns", 16, 10, "0101 1601 0110 1610", id="valley_guns"),
    ],
)
def test_size_and_corners(name, columns, rows, corners):
    """The corners are named from the top left to the bottom right of the sheet."""
    map_ = sample_maps.load(name)
    assert len(map_.hexes) == columns * rows
    positions = [map_.numbering.position(map_.hex(label)) for label in corners.split()]
    assert positions == [(0, 0), (columns - 1, 0), (0, rows - 1), (columns - 1, rows - 1)]
    centres = [map_.grid.centre(map_.hex(label)) for label in corners.split()]
    assert centres[0][0] < centres[1][0]
    assert centres[0][1] < centres[2][1]


@pytest.mark.parametrize("name", SAMPLES)
def test_the_picture_holds_the_land_with_room_around(name):
    map_, sample = sample_maps.load(name), SAMPLES[name]
    assert map_.grid.pitch_px(min(map_.hexes)) >= 60
    assert PITCH_PX >= 60
    assert map_.grid.hex_mm == HEX_MM
    assert map_.grid == sample.land.grid
    width, height = sample.picture_px
    corners = [corner for hex_ in map_.hexes for corner in map_.grid.polygon(hex_)]
    drawn = [point for shape in map_.shapes for ring in shape.rings for point in ring]
    for x, y in corners + drawn:
        assert PITCH_PX <= x <= width - PITCH_PX
        assert PITCH_PX <= y <= height - 4 * PITCH_PX


def test_the_two_sheets_of_the_alpine_map_join_into_the_whole():
    map_, cut = sample_maps.load("alpine"), SAMPLES["alpine"].cut_column
    west, east = (
        crop(map_, [hex_ for hex_ in map_.hexes if keeps(map_.label(hex_)[2:])])
        for keeps in (lambda column: column <= cut, lambda column: column >= cut)
    )
    assert len(west.hexes) + len(east.hexes) == len(map_.hexes) + 58
    joined = join(west, east, offset_by_labels(west, east))
    labels = {map_.label(hex_): ground for hex_, ground in map_.hexes.items()}
    assert {joined.label(hex_): ground for hex_, ground in joined.hexes.items()} == labels
    assert len(joined.links) == len(map_.links)
    assert len(joined.hexsides) == len(map_.hexsides)


def test_rows_of_the_alpine_map_stand_as_in_strafexpedition():
    map_ = sample_maps.load("alpine")
    assert distance(map_.hex("2415"), map_.hex("1705")) == 13
    assert distance(map_.hex("1333"), map_.hex("1434")) == 1
    assert map_.grid.centre(map_.hex("0101"))[0] > map_.grid.centre(map_.hex("0201"))[0]


def test_the_valley_has_two_numberings_and_north_to_the_left():
    map_ = sample_maps.load("valley")
    assert map_.grid.north_deg == -45
    assert dict(SAMPLES["valley"].other_numberings) == {"from the south": FROM_SOUTH}
    for hex_ in map_.hexes:
        first, second = map_.label(hex_), FROM_SOUTH.format_label(hex_)
        assert int(first[:2]) + int(second[:2]) == 65
        assert int(first[2:]) + int(second[2:]) == 33
    expected = Numbering(
        straight="columns",
        columns=Axis(first=64, step=-1),
        rows=Axis(first=32, step=-1),
        shoved="even",
    )
    assert expected == FROM_SOUTH
    one, other = map(FROM_SOUTH.parse_label, ("0610", "1007"))
    assert distance(one, other) == 5
    assert Grid.regular("flat", pitch_px=1).orientation == map_.grid.orientation


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("alpine", ("01", "58"), ("01", "74")),
        ("hills", ("10", "81"), ("01", "35")),
        ("valley", ("01", "64"), ("01", "32")),
    ],
)
def test_labels_reach_as_far_as_the_set_ups_need(name, first, second):
    """The games' set-ups use 01-53 by 01-72, 10-70 by 01-34, and 11-56 by 01-30."""
    map_ = sample_maps.load(name)
    labels = [map_.label(hex_) for hex_ in map_.hexes]
    assert (min(label[:2] for label in labels), max(label[:2] for label in labels)) == first
    assert (min(label[2:] for label in labels), max(label[2:] for label in labels)) == second


@pytest.mark.parametrize(
    ("file", "column", "name"),
    [
        ("strafexpedition_units.csv", "placement", "alpine"),
        ("custoza_units.csv", "placement", "hills"),
        ("durchbruch_units.csv", "hex", "valley"),
    ],
)
def test_every_set_up_falls_on_its_map(file, column, name):
    path = DOSSIERS / "data" / file
    if not path.exists():
        pytest.skip(f"the games' unit tables are not beside this project: {path}")
    map_ = sample_maps.load(name)
    with path.open(encoding="utf-8", newline="") as rows:
        labels = {label for row in csv.DictReader(rows) for label in LABEL.findall(row[column])}
    assert len(labels) > 50
    water = {"sea", "lake"}
    for label in sorted(labels):
        assert map_[map_.hex(label)].terrain not in water


def test_every_hex_named_in_caporetto_1917_lies_in_the_valley():
    path = DOSSIERS / "caporetto-1917.md"
    if not path.exists():
        pytest.skip(f"the games' dossiers are not beside this project: {path}")
    section = path.read_text(encoding="utf-8").split("\n## A.")[1].split("\n## B.")[0]
    labels = set(re.findall(r"\b\d{4}\b", section))
    map_ = sample_maps.load("valley")
    assert len(labels) > 40
    assert all(FROM_SOUTH.parse_label(label) in map_ for label in labels)


def test_no_place_is_named_as_in_the_games():
    if not DOSSIERS.exists():
        pytest.skip(f"the games' dossiers are not beside this project: {DOSSIERS}")
    told = " ".join(path.read_text(encoding="utf-8") for path in sorted(DOSSIERS.glob("*.md")))
    names = {
        feature.name
        for name in sample_maps.names()
        for ground in sample_maps.load(name).hexes.values()
        for feature in ground.features
        if feature.name
    }
    assert len(names) > 150
    assert not [name for name in names if name in told]
