"""Counters as hypothesis draws them, with everything a table can tell."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st

from counters.model import Colours, Face, Marker, Unit

words = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1, max_size=12
)
badges = st.lists(words.filter(lambda text: ";" not in text), max_size=3).map(tuple)
colour = st.just("") | st.from_regex(r"#[0-9a-f]{6}", fullmatch=True)
colours = st.builds(Colours, colour, colour, colour)
values = st.integers(-999, 999) | st.fractions(-99, 99, max_denominator=99)
pictures = st.sampled_from(["", "a.png", "cut/01.png"])


def _whole(value):
    is_whole = isinstance(value, Fraction) and value.denominator == 1
    return int(value) if is_whole else value


@st.composite
def counters(draw, *, faces=("front", "back"), kinds=("unit", "marker")):
    """Draw a list of counters whose faces say something: a table keeps no other."""
    listed = []
    for id_ in draw(st.lists(words, min_size=1, max_size=5, unique=True)):
        look = {
            "faces": tuple(filter(None, (draw(_face(name)) for name in faces))),
            "symbol": draw(st.just("") | words),
            "badges": draw(badges),
            "colours": draw(colours),
            "copies": draw(st.integers(1, 999)),
        }
        if draw(st.sampled_from(kinds)) == "marker":
            listed.append(Marker(id_, draw(words), **look))
        else:
            others = [draw(st.just("") | words) for _ in range(4)]
            steps = draw(st.none() | st.integers(0, 9))
            listed.append(Unit(id_, draw(words), draw(words), *others, steps, **look))
    return listed


@st.composite
def _face(draw, name):
    keys = st.sampled_from(["combat", "morale", "range_1"])
    known = {key: _whole(value) for key, value in draw(st.dictionaries(keys, values)).items()}
    picture = draw(pictures)
    return Face(name, known, picture) if known or picture else None


def known(counter):
    """Return a counter with only what somebody knows: None says as much as nothing."""
    faces = (
        Face(face.name, dict(sorted(face.known.items())), face.picture) for face in counter.faces
    )
    return replace(counter, faces=tuple(sorted(faces, key=lambda face: face.name)))
