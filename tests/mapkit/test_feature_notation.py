"""Features in a cell: every feature has a written form, and it reads back as itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.errors import NotationError, NumberingError
from mapkit.feature_notation import (
    format_feature,
    format_features,
    format_word,
    parse_feature,
    parse_features,
    parse_word,
)
from mapkit.hexes import Hex
from mapkit.model import Feature
from mapkit.numbering import Axis, Numbering, SheetNumbering, SheetPart

PLAIN = Numbering(straight="columns")
NUMBERINGS = [
    PLAIN,
    *(Numbering(straight="rows", separator=sign) for sign in (".", ":", ";", "@", ">", " ", '"')),
    Numbering(straight="columns", columns=Axis(letters="AA BB"), rows=Axis(digits=1)),
    SheetNumbering((SheetPart("A", PLAIN, (0, 20), (0, 20)),)),
]

awkward = st.text(st.sampled_from("ab é;:@!>\"“”„«»[]'=+-,\r\n\t\x00\x1c\u2028"), max_size=6)
words = st.text(max_size=8) | awkward | st.sampled_from(["town", "Stellung 2", "(12,-3)"])
features = st.builds(
    Feature,
    kind=words.filter(bool),
    value=st.none() | st.integers(-(10**15) + 1, 10**15 - 1),
    owner=words,
    state=words,
    facing=st.none() | st.builds(Hex, st.integers(-30, 30), st.integers(-30, 30)),
    name=words,
    note=words,
)


@given(st.lists(features, max_size=4), st.sampled_from(NUMBERINGS))
def test_a_cell_of_features_reads_back(features, numbering):
    text = format_features(features, numbering)
    assert parse_features(text, numbering) == tuple(features)


@given(features, st.sampled_from(NUMBERINGS))
def test_one_feature_reads_back(feature, numbering):
    assert parse_feature(format_feature(feature, numbering), numbering) == feature


@given(words)
def test_a_word_reads_back(word):
    assert parse_word(format_word(word)) == word


@pytest.mark.parametrize(
    ("text", "feature"),
    [
        ("town", Feature("town")),
        ("fort:2", Feature("fort", 2)),
        ("supply_source@Italy", Feature("supply_source", owner="Italy")),
        ("bridge!blown", Feature("bridge", state="blown")),
        ("trench:2>0305", Feature("trench", 2, facing=PLAIN.parse_label("0305"))),
        ('fort:2@Italy "Forte Verena"', Feature("fort", 2, "Italy", name="Forte Verena")),
        ("village [see errata; 3]", Feature("village", note="see errata; 3")),
        ('"A;B":-1', Feature("A;B", -1)),
        ("Stellung 2", Feature("Stellung 2")),
    ],
)
def test_how_features_are_written(text, feature):
    assert format_feature(feature, PLAIN) == text
    assert parse_feature(text, PLAIN) == feature


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("", []),
        (" ; ;", []),
        ("town;fort", ["town", "fort"]),
        ("town\r\nfort ;", ["town", "fort"]),
    ],
)
def test_parting_is_forgiving(text, kinds):
    assert [feature.kind for feature in parse_features(text, PLAIN)] == kinds


@pytest.mark.parametrize("text", ["town “Asiago”", "town „Asiago“", "town «Asiago»"])
def test_quotes_that_a_spreadsheet_made_curly(text):
    assert parse_feature(text, PLAIN) == Feature("town", name="Asiago")


@pytest.mark.parametrize("text", ["fort @ Italy : 2 ! ruined", "fort!ruined:2@Italy"])
def test_the_order_of_signs_is_free(text):
    assert parse_feature(text, PLAIN) == Feature("fort", 2, "Italy", "ruined")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("fort:", "missing"),
        ("fort:two", "whole number, not 'two'"),
        ("fort:" + "9" * 5000, "whole number"),
        (":2", "missing"),
        ('""', "begins with its kind"),
        ('town "Asiago', "quote is not closed"),
        ("town [note", "ends with ]"),
        ("town] x", "after a semicolon"),
        ("fort:2:3", "one value"),
        ('town "a" "b"', "one name"),
    ],
)
def test_what_does_not_read_says_where_and_why(text, why):
    with pytest.raises(NotationError, match=why):
        parse_features(text, PLAIN)


def test_facing_no_hex():
    with pytest.raises(NumberingError, match="look like 0101"):
        parse_features("trench:2>12", PLAIN)


def test_two_are_not_one():
    with pytest.raises(NotationError, match="2 features"):
        parse_feature("town; fort", PLAIN)
