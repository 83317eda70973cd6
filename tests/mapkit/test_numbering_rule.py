"""The rule behind labels is found from the labels alone, or not at all."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mapkit.errors import NumberingError
from mapkit.hexes import Hex
from mapkit.numbering import Axis, Numbering
from mapkit.numbering_rule import (
    allowed_separator,
    counted_numbering,
    numbering_by_rule,
    numbering_of_labels,
)

axes = st.builds(
    Axis,
    first=st.integers(8, 120),
    step=st.sampled_from([1, -1]),
    digits=st.integers(1, 3),
    skip=st.lists(st.integers(121, 125), max_size=2).map(tuple),
) | st.builds(
    Axis,
    first=st.integers(8, 60),
    step=st.sampled_from([1, -1]),
    letters=st.sampled_from(["AA AB", "AA BB"]),
)
wrapped = st.builds(Axis, first=st.integers(-4, -1), wrap_from=st.just(90)) | st.builds(
    Axis, first=st.integers(1, 4), wrap_from=st.just(90), step=st.just(-1)
)
numberings = st.builds(
    Numbering,
    straight=st.sampled_from(["columns", "rows"]),
    order=st.sampled_from(["CCRR", "RRCC"]),
    columns=axes | wrapped,
    rows=axes,
    separator=st.sampled_from([".", " ", ", "]),
    shoved=st.sampled_from(["odd", "even"]),
    toward=st.sampled_from(["higher", "lower"]),
    origin=st.builds(Hex, st.integers(-9, 9), st.integers(-9, 9)),
)


def labels_of(numbering, columns=7, rows=7):
    try:
        return {
            hex_: numbering.format_label(hex_)
            for column in range(columns)
            for row in range(rows)
            for hex_ in [numbering.hex_at(column, row)]
        }
    except NumberingError:
        assume(False)


def parts_of(numbering, labels):
    turn = 1 if numbering.order == "CCRR" else -1
    return {hex_: tuple(text.split(numbering.separator)[::turn]) for hex_, text in labels.items()}


@given(numberings)
def test_every_numbering_is_found_by_what_it_prints(numbering):
    labels = labels_of(numbering)
    found = numbering_by_rule(
        parts_of(numbering, labels),
        numbering.orientation,
        order=numbering.order,
        separator=numbering.separator,
    )
    assert {hex_: found.format_label(hex_) for hex_ in labels} == labels


@given(numberings)
def test_nobody_needs_to_say_where_the_parts_meet(numbering):
    labels = labels_of(numbering)
    found = numbering_of_labels(labels, numbering.orientation)
    assert {hex_: found.format_label(hex_) for hex_ in labels} == labels


@pytest.mark.parametrize("straight", ["columns", "rows"])
@pytest.mark.parametrize(
    ("columns", "rows"),
    [
        pytest.param(Axis(), Axis(), id="0101"),
        pytest.param(Axis(first=8, digits=1), Axis(), id="801 to 1401"),
        pytest.param(Axis(), Axis(first=7, digits=1), id="017 to 0113"),
        pytest.param(Axis(first=24, letters="AA AB"), Axis(), id="Z01, AA01"),
        pytest.param(Axis(first=-3, wrap_from=90), Axis(), id="9701 to 0301"),
    ],
)
def test_numbers_with_nothing_between_them(straight, columns, rows):
    numbering = Numbering(straight, columns=columns, rows=rows)
    labels = labels_of(numbering)
    found = numbering_of_labels(labels, numbering.orientation)
    assert {hex_: found.format_label(hex_) for hex_ in labels} == labels


@given(numberings, st.data())
def test_one_label_of_another_rule_spoils_it(numbering, data):
    labels = labels_of(numbering)
    parts = parts_of(numbering, labels)
    changed, other = data.draw(st.permutations(sorted(labels)))[:2]
    parts[changed] = parts[other]
    words = {"order": numbering.order, "separator": numbering.separator}
    assert numbering_by_rule(parts, numbering.orientation, **words) is None


def test_words_follow_no_rule():
    names = {Hex(0, 0): "Berlin", Hex(0, 1): "Erkner", Hex(1, 0): "0101"}
    assert numbering_of_labels(names, "flat") is None
    assert numbering_by_rule({}, "flat", order="CCRR", separator="") is None


@pytest.mark.parametrize(
    ("separator", "labels", "allowed"),
    [
        pytest.param("-", [("1", "2")], ".", id="links are written so"),
        pytest.param("x", [("1", "2")], ".", id="a letter"),
        pytest.param(", ", [("1", "2")], ", ", id="a comma"),
        pytest.param("", [("A", "B")], ".", id="letters side by side"),
        pytest.param("", [("A", "9"), ("A", "10")], "", id="letter and number"),
        pytest.param("", [("9", "01"), ("10", "01")], "", id="the first grows"),
        pytest.param("", [("01", "9"), ("01", "10")], "", id="the shorter one grows"),
        pytest.param("", [("9", "9"), ("10", "10")], ".", id="both grow: 110 would be two hexes"),
        pytest.param("", [], "", id="nothing"),
    ],
)
def test_signs_between_numbers_become_dots_where_they_must(separator, labels, allowed):
    assert allowed_separator(separator, labels, "CCRR") == allowed


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_hexes_nobody_numbered_are_counted_from_the_upper_left(orientation):
    hexes = [Hex(q, r) for q in range(3, 6) for r in range(2, 5)]
    numbering = counted_numbering(hexes, orientation)
    assert numbering.format_label(Hex(3, 2)) == "0101"
