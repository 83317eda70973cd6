"""Random positions and random edits for property tests: every part of the document."""

from fractions import Fraction

from hypothesis import strategies as st

from counters.model import Face, Unit
from rules.positions.position import PLACES, Clock, Entry, Marker, Piece, Place, Position
from rules.positions.position_edits import (
    add_entry,
    change_piece,
    in_one,
    lay_marker,
    move_piece,
    set_clock,
    set_control,
    set_initiative,
    set_points,
    set_weather,
    take_marker,
)

texts = st.sampled_from(["", "79/I", "Alpini Val Leogra", "Höhe", 'said "so"; \\n', "a\nb", "🏔"])
ids = st.sampled_from(["it-1", "it-2", "ah-1", "ah-2", "x"])
words = st.sampled_from(["reduced", "disorganization", "fire_mode", "of nobody"])
sides = st.sampled_from(["it", "ah"])
labels = st.sampled_from(["0101", "0102", "0203", "9999"])
numbers = st.integers(-9, 9) | st.builds(Fraction, st.integers(-9, 9), st.integers(2, 7))
faces = st.builds(
    Face,
    st.sampled_from(["front", "reduced", "fire"]),
    st.dictionaries(st.sampled_from(["combat", "morale"]), st.none() | numbers, max_size=2),
)
places = st.builds(Place, st.sampled_from(PLACES), labels | texts, st.sampled_from(["", "west"]))
clocks = st.builds(
    Clock,
    turn=st.integers(1, 30),
    phase=st.sampled_from(["", "5", "8"]),
    active=sides | st.just(""),
    done=st.lists(texts, max_size=2).map(tuple),
    passed=st.lists(sides, max_size=2).map(tuple),
)
markers = st.builds(
    Marker,
    kind=st.sampled_from(["trench", "barrage"]),
    at=labels | st.just("0101/0102"),
    map=st.sampled_from(["", "west"]),
    side=sides | st.just(""),
    n=st.none() | st.integers(0, 9),
)
entries = st.builds(
    Entry,
    turn=st.integers(1, 9),
    phase=st.sampled_from(["", "5"]),
    text=texts,
    data=st.dictionaries(
        st.sampled_from(["dice", "who"]), st.integers() | texts | st.lists(st.integers(1, 6))
    ),
)


@st.composite
def pieces(draw, id_=ids):
    """Draw one unit in any state."""
    unit = Unit(
        id=draw(id_),
        name=draw(texts),
        side=draw(sides),
        formation=draw(texts),
        class_=draw(st.sampled_from(["", "infantry", "field_artillery", "of nobody"])),
        steps=draw(st.none() | st.integers(0, 4)),
        faces=tuple({face.name: face for face in draw(st.lists(faces, max_size=2))}.values()),
    )
    return Piece(
        unit=unit,
        place=draw(places),
        statuses=draw(st.dictionaries(words, st.integers(1, 9), max_size=3)),
        steps_lost=draw(st.integers(0, 3)),
        facing=draw(st.none() | st.integers(0, 5)),
        hidden_from=tuple(draw(st.lists(sides, max_size=2))),
        due=draw(st.integers(0, 5)),
        placement=draw(texts),
    )


@st.composite
def positions(draw):
    """Draw a position of one game."""
    laid = {(one.map, one.at, one.kind, one.side): one for one in draw(st.lists(markers))}
    return Position(
        game="strafexpedition",
        scenario=draw(st.sampled_from(["", "s1"])),
        clock=draw(clocks),
        weather=draw(st.sampled_from([None, "rain", "hail"])),
        initiative=draw(sides | st.just("")),
        points=draw(st.dictionaries(sides, st.dictionaries(words, st.integers(-9, 9), min_size=1))),
        control=draw(st.dictionaries(labels, sides)),
        pieces={piece.unit.id: piece for piece in draw(st.lists(pieces(), max_size=4))},
        markers=tuple(laid.values()),
        log=tuple(draw(st.lists(entries, max_size=2))),
    )


def edits(position):
    """Return a strategy of edits that fit this position."""
    one = st.one_of(
        pieces().map(change_piece),
        ids.map(lambda id_: {"what": "unit", "at": id_, "entry": None}),
        st.builds(move_piece, pieces(), places),
        markers.map(lay_marker),
        markers.map(take_marker),
        clocks.map(set_clock),
        st.sampled_from([None, "rain"]).map(set_weather),
        sides.map(set_initiative),
        st.builds(set_points, sides, words, st.none() | st.integers(-9, 9)),
        st.builds(set_control, labels, st.none() | sides),
        entries.map(lambda entry: add_entry(position, entry)),
    )
    several = st.lists(st.builds(set_control, labels, sides) | pieces().map(change_piece))
    return one | several.map(in_one)
