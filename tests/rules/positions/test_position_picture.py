"""Positions drawn: every counter is there, the same drawing every time, and it renders."""

import io
from dataclasses import replace

import pytest
from lxml import etree
from PIL import Image

from counters.model import Face, Unit
from mapkit.drawing import rasterise
from rules.battlefield import battlefield
from rules.positions.position import Marker, Piece, Place, Position
from rules.positions.position_picture import draw_position, short_class
from rules.project import Project
from rules.registry import find_pack, pack_names
from tests.boards import board

PACK = find_pack("strafexpedition")
FIELD = battlefield(Project(folder=None, name="x"), board(*[".2 w2 .2 .2 .2"] * 5), PACK)


def unit(id_, label, side="it", class_="infantry", **more):
    return Piece(Unit(id_, f"{id_}/I", side, class_=class_, steps=2), Place("hex", label), **more)


POSITION = Position(
    PACK.id,
    weather="rain",
    pieces={
        one.unit.id: one
        for one in (
            unit("79", "0202"),
            unit("80", "0202", statuses={"disorganization": 2, "activated": 1}),
            unit("81", "0202"),
            unit("k1", "0303", "ah", hidden_from=("it",)),
            replace(unit("82", ""), place=Place("off_map")),
        )
    },
    markers=(Marker("trench", "0202", n=2), Marker("blown_bridge", "0202/0203")),
)


def words(drawing):
    root = etree.fromstring(drawing.svg.encode())
    return [text.text for text in root.iter("{*}text")]


def test_counters_are_drawn_with_class_name_states_and_number():
    told = words(draw_position(POSITION, FIELD))
    assert {"80/I", "INF", "D2", "A", "3", "k1/I", "T2", "X"} <= set(told)
    assert "79/I" not in told  # below the one with the most to tell
    foot = "  ·  ".join(told)
    for words_ in ("turn 1, Rain", "off the map: 1", "D Disorganization", "T trench"):
        assert words_ in foot


def test_what_is_hidden_from_a_side_is_left_out():
    assert "k1/I" not in words(draw_position(POSITION, FIELD, seen_by="it"))
    assert "k1/I" in words(draw_position(POSITION, FIELD, seen_by="ah"))


def test_printed_values_are_those_of_the_face_that_is_up():
    faces = (Face("front", {"combat": 3, "morale": None}), Face("reduced", {"combat": 1}))
    one = Piece(Unit("a", "A", "it", class_="infantry", faces=faces), Place("hex", "0101"))
    position = Position(PACK.id, pieces={"a": one})
    assert "3-?" in words(draw_position(position, FIELD))
    reduced = replace(position, pieces={"a": replace(one, steps_lost=1)})
    assert "1" in words(draw_position(reduced, FIELD))


def test_the_same_position_gives_the_same_drawing_and_it_renders():
    drawing = draw_position(POSITION, FIELD, hex_px=48)
    assert drawing == draw_position(POSITION, FIELD, hex_px=48)
    image = Image.open(io.BytesIO(rasterise(drawing)))
    assert image.size == (drawing.width_px, drawing.height_px)
    x, y = (round(number) for number in drawing.grid.centre(FIELD.hex("0303")))
    assert image.convert("RGB").getpixel((x - 8, y + 14)) == (0xDB, 0xE4, 0xF2)  # a body of AH


def test_only_the_land_about_the_units_unless_asked():
    far = battlefield(Project(folder=None, name="x"), board(*[".2 " * 30] * 30), PACK)
    near, whole = draw_position(POSITION, far), draw_position(POSITION, far, whole=True)
    assert near.width_px < whole.width_px / 3
    there = draw_position(POSITION, far, around=(far.hex("2525"),))
    assert "80/I" not in words(there)


def test_an_empty_position_draws_the_map():
    assert "80/I" not in words(draw_position(Position(PACK.id), FIELD))


@pytest.mark.parametrize("game", pack_names())
def test_every_class_has_a_short_name(game):
    pack = find_pack(game)
    for class_ in pack.classes:
        assert 0 < len(short_class(class_, pack)) <= 12
