"""Lines: symmetric, gap-free, the same everywhere; shapely in whole numbers as the oracle."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString, Polygon

from mapkit.hexes import ORIGIN, Hex, Vertex, are_neighbours, disc, distance, vertex
from mapkit.lines import Event, LinePoint, hex_line, line_events

small = st.integers(-9, 9)
hexes = st.builds(Hex, small, small)
points = st.one_of(
    hexes.map(LinePoint.at),
    st.builds(vertex, hexes, st.integers(0, 5)).map(LinePoint.at),
    st.builds(
        LinePoint,
        st.fractions(-6, 6, max_denominator=12),
        st.fractions(-6, 6, max_denominator=12),
    ),
)


def told(events):
    return [
        f"{e.kind} {' '.join(f'{h.q},{h.r}' for h in e.hexes)} {e.start}-{e.end}" for e in events
    ]


@pytest.mark.parametrize(
    ("to", "events"),
    [
        pytest.param(
            Hex(2, 0),
            ["through 0,0 0-1/4", "cross 0,0 1,0 1/4-1/4", "through 1,0 1/4-3/4",
             "cross 1,0 2,0 3/4-3/4", "through 2,0 3/4-1"],
            id="straight down a row",
        ),
        pytest.param(
            Hex(1, 1),
            ["through 0,0 0-1/3", "along 1,0 0,1 1/3-2/3", "through 1,1 2/3-1"],
            id="along a hexside, the higher hex on the left",
        ),
        pytest.param(Hex(0, 0), ["through 0,0 0-1"], id="nowhere"),
    ],
)  # fmt: skip
def test_lines_a_player_can_check(to, events):
    assert told(hex_line(ORIGIN, to)) == events


def test_a_line_through_a_vertex_names_all_three_hexes():
    kinds = {
        event.kind: event
        for to in disc(ORIGIN, 8)
        for event in hex_line(ORIGIN, to)
        if event.kind in ("touch", "cross_at_vertex")
    }
    crossing = kinds["cross_at_vertex"]
    assert Vertex.between(*crossing.hexes)
    assert kinds["touch"].start == kinds["touch"].end


two_points = st.tuples(points, points).filter(lambda pair: pair[0] != pair[1])


def test_a_line_of_no_length_lies_in_its_hex_or_touches_several():
    corner = LinePoint.at(vertex(ORIGIN, 0))
    assert [e.kind for e in line_events(corner, corner)] == ["touch"] * 3
    assert told(line_events(LinePoint.at(ORIGIN), LinePoint.at(ORIGIN))) == ["through 0,0 0-1"]


@given(two_points)
def test_no_gap_and_no_overlap(pair):
    a, b = pair
    stretches = [e for e in line_events(a, b) if e.kind in ("through", "along")]
    assert stretches[0].start == 0
    assert stretches[-1].end == 1
    assert all(one.end == other.start for one, other in pairwise(stretches))
    assert all(e.start < e.end for e in stretches)
    order = [e.start for e in line_events(a, b)]
    assert order == sorted(order)


@given(two_points)
def test_the_same_line_from_both_ends(pair):
    a, b = pair
    there, back = line_events(a, b), line_events(b, a)
    assert sorted(map(repr, there)) == sorted(repr(e.reversed()) for e in back)


@given(hexes, hexes)
def test_hex_lines_are_what_the_points_say(a, b):
    direct = line_events(LinePoint.at(a), LinePoint.at(b))
    assert sorted(map(repr, hex_line(a, b))) == sorted(map(repr, direct))


@given(hexes, hexes, hexes)
def test_the_same_line_elsewhere(a, b, by):
    assert hex_line(a.moved(by), b.moved(by)) == tuple(e.moved(by) for e in hex_line(a, b))


def turned(hex_: Hex) -> Hex:
    return Hex(-hex_.r, hex_.q + hex_.r)


def mirrored(hex_: Hex) -> Hex:
    return Hex(hex_.r, hex_.q)


def image(event: Event, symmetry, *, mirror: bool) -> str:
    hexes = tuple(symmetry(hex_) for hex_ in event.hexes)
    if mirror and event.kind == "along":
        hexes = hexes[::-1]
    return repr(Event(event.kind, hexes, event.start, event.end))


@given(hexes, hexes)
def test_the_twelve_symmetries_of_the_grid(a, b):
    """A turn by 60 degrees and a mirror make all twelve."""
    events = hex_line(a, b)
    after = sorted(map(repr, hex_line(turned(a), turned(b))))
    assert after == sorted(image(e, turned, mirror=False) for e in events)
    after = sorted(map(repr, hex_line(mirrored(a), mirrored(b))))
    assert after == sorted(image(e, mirrored, mirror=True) for e in events)


def scaled(point: LinePoint, scale: int) -> tuple[int, int]:
    """A point in the oblique (u, v) plane, in whole numbers: what meets what is kept."""
    u, v = 2 * point.q + point.r, -point.q - 2 * point.r
    assert (u * scale).denominator == (v * scale).denominator == 1
    return int(u * scale), int(v * scale)


CORNERS = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)]


@given(two_points)
def test_shapely_in_whole_numbers_agrees_on_every_hex(pair):
    a, b = pair
    scale = 1
    for number in (*a, *b):
        scale *= number.denominator
    line = LineString([scaled(a, scale), scaled(b, scale)])
    events = line_events(a, b)
    through = {h for e in events if e.kind == "through" for h in e.hexes}
    along = {h for e in events if e.kind == "along" for h in e.hexes}
    touch = {h for e in events if e.kind == "touch" for h in e.hexes}
    middle = Hex(round((a.q + b.q) / 2), round((a.r + b.r) / 2))
    reach = 3 + int(max(abs(a.q - b.q), abs(a.r - b.r), abs(a.q + a.r - b.q - b.r)))
    for hex_ in disc(middle, reach):
        u, v = scaled(LinePoint.at(hex_), scale)
        polygon = Polygon([(u + x * scale, v + y * scale) for x, y in CORNERS])
        relation = line.relate(polygon)
        if relation[0] != "F":  # the line's inside meets the hex's inside
            assert hex_ in through
        elif not line.intersects(polygon):
            assert hex_ not in through | along | touch
        elif line.intersection(polygon).length > 0:
            assert hex_ in along
            assert hex_ not in through
        else:
            assert hex_ in touch
            assert hex_ not in through | along


@given(hexes, hexes)
def test_neighbouring_hexes_are_met_one_after_the_other(a, b):
    stretches = [e for e in hex_line(a, b) if e.kind in ("through", "along")]
    assert stretches[0].hexes == (a,)
    assert stretches[-1].hexes == (b,)
    for one, other in pairwise(stretches):
        assert all(are_neighbours(x, y) for x in one.hexes for y in other.hexes)
    assert len(stretches) <= distance(a, b) * 2 + 1


def test_positions_are_exact_thirds_and_the_like():
    along = next(e for e in hex_line(ORIGIN, Hex(2, 2)) if e.kind == "along")
    assert (along.start, along.end) == (Fraction(1, 6), Fraction(1, 3))
