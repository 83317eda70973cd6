"""Places as players write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.errors import MapkitError, NotationError
from mapkit.hexes import Hex, Hexside, Link, Vertex, hexsides, vertices
from mapkit.notation import format_place, parse_hexside, parse_link, parse_place
from mapkit.numbering import Numbering
from tests.strategies import numberings

PLAIN = Numbering(straight="rows", order="RRCC")
hexes = st.builds(Hex, st.integers(-5, 20), st.integers(-5, 20))
places = (
    hexes
    | hexes.flatmap(lambda hex_: st.sampled_from(hexsides(hex_)))
    | hexes.flatmap(lambda hex_: st.sampled_from(vertices(hex_)))
    | hexes.flatmap(lambda hex_: st.integers(0, 5).map(lambda d: Link.between(hex_, hex_.step(d))))
)


@given(places, numberings)
def test_written_and_read_is_the_same_place(place, numbering):
    read = parse_place(format_place(place, numbering), numbering)
    assert read == place
    assert type(read) is type(place)


@pytest.mark.parametrize(
    ("text", "sort"),
    [
        ("1534", Hex),
        ("1534/1535", Hexside),
        (" 1535 / 1534 ", Hexside),
        ("1534-1535", Link),
        ("1534/1535/1634", Vertex),
        ("(-3,-4)", Hex),
        ("(-3,-4)-(-2,-4)", Link),
    ],
)
def test_the_sorts_of_places(text, sort):
    assert type(parse_place(text, PLAIN)) is sort


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1534/1537", "do not touch"),
        ("1534-1537", "do not touch"),
        ("1534/1535/1734", "do not touch"),
        ("1534/1535/1634/1635", "two hexes, a vertex three"),
        ("1534-1535-1536", "a link names two"),
        ("153", "look like 0101"),
        ("", "look like 0101"),
        ("/", "look like 0101"),
    ],
)
def test_what_does_not_read(text, message):
    with pytest.raises(MapkitError, match=message):
        parse_place(text, PLAIN)


def test_a_place_of_the_wrong_sort():
    with pytest.raises(NotationError, match="not a hexside, as in"):
        parse_hexside("1534-1535", PLAIN)
    with pytest.raises(NotationError, match="not a link, as in"):
        parse_link("1534", PLAIN)
