"""What the engine joins and parts, we join and part alike."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from exporters.vassal.sequence import TAB, join, nest, split, unnest

tokens = st.text(st.sampled_from("ab\\',;/\t"), max_size=6)


@pytest.mark.parametrize(
    ("delimiter", "parts", "text"),
    [
        (",", ["A", "B,C"], "A,B\\,C"),
        (";", ["\\x"], "'\\x'"),
        (",", ["", "reduced"], ",reduced"),
        (",", ["'a'", "b"], "''a'',b"),
        ("/", ["1/79", "x"], "1\\/79/x"),
    ],
)
def test_examples_of_the_format(delimiter, parts, text):
    assert join(delimiter, parts) == text
    assert split(delimiter, text) == parts


@given(st.lists(tokens, min_size=1, max_size=5), st.sampled_from(",;/\t"))
def test_what_is_joined_comes_back(parts, delimiter):
    assume(not any(part.endswith("\\") for part in parts))
    assert split(delimiter, join(delimiter, parts)) == parts


@given(st.lists(tokens, min_size=1, max_size=5))
def test_what_is_nested_comes_back(parts):
    assume(not any(part.endswith("\\") for part in parts))
    assume(TAB not in parts[-1])
    assert unnest(TAB, nest(TAB, parts)) == parts


def test_traits_are_nested_as_the_engine_shows_them():
    types = ["prototype;Unit", "mark;Side", "piece;;;blue.png;Blue 1st"]
    assert nest(TAB, types) == "prototype;Unit\tmark;Side\\\tpiece;;;blue.png;Blue 1st"
    four = nest(TAB, ["a", "b", "c", "d"])
    assert four == "a\tb\\\tc\\\\\td"
